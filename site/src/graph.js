// The graph of a game: evaluations from White's side above, and the times that the players took below. A click goes to the move.

import { $, make, svg } from "../../crates/explorer/src/page/dom.js";
import { clock, duration, evaluation } from "../../crates/explorer/src/page/values.js";

/** Evaluations beyond ten pawns look the same. */
const LIMIT = 1000;
const HEIGHT = 100;
const TIMES = 36;

/** The time that each move of a line took: as the game says, or from the clocks. Null where it is not known. */
function timesOf(line, increment) {
  return line.map((node, at) => {
    if (node.spent !== null) return node.spent;
    const before = line[at - 2]?.clk ?? null;
    return node.clk === null || before === null ? null : Math.max(0, before - node.clk + increment);
  });
}

/** Clips evaluations and bends them a little, so that the difference between 0 and 1 is seen better than that between 8 and 9. */
const height = (value) => Math.sqrt(Math.min(Math.abs(value), LIMIT) / LIMIT) * Math.sign(value);

/** The area between the middle and the evaluations. A gap in the evaluations is a gap in the area. */
function area(line, middle) {
  const parts = [];
  let part = [];
  const end = () => {
    if (part.length) parts.push(`M${part[0][0]} ${middle}${part.map(([x, y]) => `L${x} ${y}`).join("")}L${part.at(-1)[0]} ${middle}Z`);
    part = [];
  };
  line.forEach((node, at) => {
    if (node.eval === null) end();
    else part.push([at + 0.5, middle - height(node.eval) * middle]);
  });
  end();
  return parts.join("");
}

export class Graph {
  #element = $("graph");
  #caption = $("graph-caption");
  #tree = null;
  #line = [];
  #times = [];
  #mark = null;
  #total = HEIGHT;
  #current = -1;

  /** `onMove` gets the node of a move that was clicked. */
  constructor(onMove) {
    const at = (event) => {
      const { left, width } = this.#element.getBoundingClientRect();
      return Math.max(0, Math.min(this.#line.length - 1, Math.floor(((event.clientX - left) / width) * this.#line.length)));
    };
    this.#element.addEventListener("click", (event) => this.#line.length && onMove(this.#line[at(event)]));
    this.#element.addEventListener("pointermove", (event) => this.#line.length && this.#tell(at(event)));
    this.#element.addEventListener("pointerleave", () => this.#tell(this.#current));
  }

  /** Draws the main line of a tree, or hides the graph if the game has neither evaluations nor times. */
  show(tree, timeControl) {
    const line = (this.#line = tree.main);
    this.#tree = tree;
    this.#times = timesOf(line, Number(timeControl?.match(/^\d+\+(\d+)$/)?.[1] ?? 0));
    const hasEvaluations = line.some((node) => node.eval !== null);
    const hasTimes = this.#times.some((time) => time !== null);
    $("graph-area").hidden = !hasEvaluations && !hasTimes;
    this.#mark = null;
    if ($("graph-area").hidden) {
      this.#element.replaceChildren();
      return;
    }
    const evaluations = hasEvaluations ? HEIGHT : 0;
    const total = evaluations + (hasTimes ? TIMES : 0);
    const picture = svg("svg", { viewBox: `0 0 ${line.length} ${total}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    if (hasEvaluations) {
      picture.append(svg("rect", { class: "behind", width: line.length, height: HEIGHT }));
      const [white, black] = ["white", "black"].map((side) => svg("path", { class: side, d: area(line, HEIGHT / 2) }));
      const clip = (y) =>
        svg("svg", { x: 0, y, width: line.length, height: HEIGHT / 2, viewBox: `0 ${y} ${line.length} ${HEIGHT / 2}`, preserveAspectRatio: "none" });
      const [above, below] = [clip(0), clip(HEIGHT / 2)];
      above.append(white);
      below.append(black);
      picture.append(above, below, svg("path", { class: "middle", d: `M0 ${HEIGHT / 2}H${line.length}` }));
    }
    if (hasTimes) picture.append(...this.#bars(evaluations));
    this.#mark = svg("path", { class: "mark" });
    picture.append(this.#mark);
    this.#total = total;
    this.#element.replaceChildren(picture);
    this.#element.style.aspectRatio = "auto";
    this.#element.style.setProperty("--parts", total / HEIGHT);
    this.#element.setAttribute("aria-label", this.#words(hasEvaluations, hasTimes));
    const swatch = (kind) => make("span", { class: `swatch ${kind}`, "aria-hidden": "true" });
    const legend = [
      hasEvaluations ? make("span", {}, swatch("white"), "White is better ", swatch("black"), "Black is better") : null,
      hasTimes ? make("span", {}, swatch("times"), "time of each move") : null,
    ];
    $("graph-legend").replaceChildren(...legend.filter(Boolean));
    $("graph-title").textContent = hasEvaluations && hasTimes ? "Evaluations and times" : hasEvaluations ? "Evaluations" : "Times";
  }

  /** The times as bars: White's upwards, Black's downwards. */
  #bars(top) {
    const longest = Math.max(1, ...this.#times.map((time) => time ?? 0));
    const middle = top + TIMES / 2;
    const bars = this.#times.flatMap((time, at) => {
      if (time === null) return [];
      const size = Math.sqrt(time / longest) * (TIMES / 2 - 2);
      const isWhite = this.#tree.number(this.#line[at]).endsWith(".");
      return svg("rect", {
        class: isWhite ? "white time" : "black time",
        x: at + 0.1,
        width: 0.8,
        y: isWhite ? middle - size : middle,
        height: size,
      });
    });
    return [svg("rect", { class: "behind", y: top, width: this.#line.length, height: TIMES }), ...bars];
  }

  #words(hasEvaluations, hasTimes) {
    const values = this.#line.map((node) => node.eval).filter((value) => value !== null);
    const known = this.#times.filter((time) => time !== null);
    const told = [`Graph of ${this.#line.length} plies`];
    if (hasEvaluations) told.push(`evaluations from ${evaluation(Math.min(...values))} to ${evaluation(Math.max(...values))}`);
    if (hasTimes) told.push(`the longest move took ${duration(Math.max(...known))}`);
    return `${told.join(", ")}.`;
  }

  /** The time that a move of the main line took, in seconds, or null. */
  timeOf(node) {
    return this.#times[this.#line.indexOf(node)] ?? null;
  }

  /** Marks the current move. */
  mark(node) {
    this.#current = this.#line.indexOf(node);
    if (this.#mark) this.#mark.setAttribute("d", this.#current < 0 ? "" : `M${this.#current + 0.5} 0V${this.#total}`);
    this.#tell(this.#current);
  }

  /** Writes what the graph says about a move. */
  #tell(at) {
    const node = this.#line[at];
    const told = [];
    if (node) {
      told.push(`${this.#tree.number(node)} ${node.san}`);
      if (node.eval !== null) told.push(evaluation(node.eval));
      if (this.#times[at] !== null) told.push(`took ${duration(this.#times[at])}`);
      if (node.clk !== null) told.push(`${clock(node.clk)} left`);
    }
    this.#caption.replaceChildren(...told.map((text) => make("span", {}, text)));
  }
}
