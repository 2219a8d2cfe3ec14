// A list of which only the rows on the screen are elements, so that hundreds of thousands of games scroll as smoothly as ten.

/** The greatest height of an element that all browsers can scroll, in pixels. */
const TALLEST = 8_000_000;
/** Rows above and below the screen that are drawn, too. */
const SPARE = 6;

export class VirtualRows {
  #viewport;
  #body;
  #row;
  #size = 0;
  #frame = 0;
  #space;

  /** `viewport` scrolls, `body` gets the rows, and `row(at)` returns the element of a row. All rows have the height `--row` of the body. */
  constructor(viewport, body, row) {
    this.#viewport = viewport;
    this.#body = body;
    this.#row = row;
    this.#space = document.createElement("div");
    this.#space.className = "space";
    this.#space.setAttribute("role", "presentation");
    body.after(this.#space);
    viewport.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(viewport);
  }

  get #height() {
    return parseFloat(getComputedStyle(this.#body).getPropertyValue("--row")) || 32;
  }

  /** The height of the part of the viewport in which rows can be seen. */
  get #room() {
    return Math.max(0, this.#viewport.clientHeight - this.#body.offsetTop);
  }

  /** How many rows a pixel of scrolling moves. It is one row's height unless there are too many rows for that. */
  get #ratio() {
    const tall = this.#size * this.#height;
    return tall <= TALLEST ? 1 : (tall - this.#room) / (TALLEST - this.#room);
  }

  /** Sets the number of rows. */
  resize(size) {
    this.#size = size;
    this.draw();
  }

  /** The number of rows that fit on the screen. */
  get page() {
    return Math.max(1, Math.floor(this.#room / this.#height) - 1);
  }

  /** Scrolls as little as is needed to see a row. */
  reveal(at) {
    const [height, ratio] = [this.#height, this.#ratio];
    const top = this.#viewport.scrollTop * ratio;
    if (at * height < top) this.#viewport.scrollTop = (at * height) / ratio;
    else if ((at + 1) * height > top + this.#room) this.#viewport.scrollTop = ((at + 1) * height - this.#room) / ratio;
    this.#paint();
  }

  /** Draws the rows again, at the next frame. */
  draw() {
    this.#frame ||= requestAnimationFrame(() => this.#paint());
  }

  #paint() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const height = this.#height;
    this.#space.style.height = `${Math.min(this.#size * height, TALLEST)}px`;
    const top = this.#viewport.scrollTop;
    const start = top * this.#ratio;
    const first = Math.max(0, Math.floor(start / height) - SPARE);
    const last = Math.min(this.#size, Math.ceil((start + this.#viewport.clientHeight) / height) + SPARE);
    const rows = [];
    for (let at = first; at < last; at++) rows.push(this.#row(at));
    this.#body.replaceChildren(...rows);
    this.#body.style.transform = `translateY(${first * height - start + top}px)`;
  }
}
