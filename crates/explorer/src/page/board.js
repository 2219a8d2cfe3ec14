// A chessboard for mouse, touch, keyboard and screen reader. It shows what it is given and reports the move that somebody makes. It knows no
// rules of chess: the legal moves are given, too.

import { svg } from "./dom.js";

const FILES = "abcdefgh";
const NAMES = { P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" };
// The dark squares of a diagram: every other square of each rank.
const DARK = [...FILES].map((_, rank) => `M${(rank + 1) % 2} ${rank}${"h1v1h-1zm2 0".repeat(4)}`).join("");
// The number of pixels after which a press becomes a drag.
const DRAG = 4;
// The way of the wheel, in pixels, that is one step; a notch of a mouse has more.
const NOTCH = 50;

/** The ranks of a FEN, and the men in hand behind them: `QNp`, or null if the game has none. */
function partsOf(fen) {
  const [, ranks, , hand] = fen.split(" ")[0].match(/^([^[]*)(\[([^\]]*)\])?/);
  return { ranks: ranks.split("/"), hand: hand ?? null };
}

/** The checks that each side has given, if the FEN is of three-check: it has those that remain, `3+1`. */
function checksOf(fen) {
  const remaining = fen.match(/ (\d)\+(\d) /);
  return remaining && { w: 3 - remaining[1], b: 3 - remaining[2] };
}

/** The squares of promoted men, which become pawns when they are captured. */
function promotedOf(fen) {
  const squares = new Set();
  partsOf(fen).ranks.forEach((row, at) => {
    let file = 0;
    for (const letter of row) {
      if (letter === "~") squares.add(FILES[file - 1] + (8 - at));
      else file += Number(letter) || 1;
    }
  });
  return squares;
}

/** Returns the pieces of a FEN: square → "wK". */
function piecesOf(fen) {
  const pieces = new Map();
  partsOf(fen).ranks.forEach((row, at) => {
    let file = 0;
    for (const letter of row) {
      if (/[1-8]/.test(letter)) {
        file += Number(letter);
      } else if (/[pnbrqk]/i.test(letter)) {
        const kind = letter.toUpperCase();
        pieces.set(FILES[file] + (8 - at), (letter === kind ? "w" : "b") + kind);
        file += 1;
      }
    }
  });
  return pieces;
}

const pieceName = (piece) => `${piece[0] === "w" ? "white" : "black"} ${NAMES[piece[1]]}`;

// The set of pieces is part of the document. Browsers would fetch that of another file again for each piece that moves.

/** Draws a piece by reference to the set of pieces. */
const pieceSvg = (piece) => svg("svg", { class: "piece", "aria-hidden": "true" }, svg("use", { href: `#p2f-${piece}` }));

/** A picture of a position. `name` is its text for screen readers. */
export function diagram(fen, name) {
  const pieces = [...piecesOf(fen)].map(([square, piece]) =>
    svg("use", { href: `#p2f-${piece}`, x: FILES.indexOf(square[0]), y: 8 - Number(square[1]), width: 1, height: 1 }),
  );
  return svg("svg", { class: "diagram", viewBox: "0 0 8 8", role: "img", "aria-label": name }, svg("path", { d: DARK }), ...pieces);
}

/** The place from which a move begins: its square, or for a man in hand its name and `@`, as in UCI. */
const sourceOf = (move) => move.from ?? move.uci.slice(0, 2);

/** The squares on which the piece may be dropped for a legal move: its target, and for castling the square of the rook. */
const targetsOf = (move) => [move.to, ...(move.also ?? [])].filter((square) => square !== move.from);

export class Board {
  #element;
  #dialog;
  #onMove;
  #cells = [];
  #arrow;
  #fen = "";
  #pieces = new Map();
  #legal = [];
  #last = [];
  #checked = null;
  #selected = null;
  #flipped = false;
  #focus = "e2";
  #drag = null;
  /** The arrows and circles that somebody has drawn, by their squares: `e2e4`, `e4e4`. */
  #drawn = new Set();
  /** Those of the comments of the position: `{ from, to, color }`. */
  #shapes = [];
  #drawing = null;
  /** Beside the board: the men in hand and the checks of the side that is farther away, and of the other one. */
  #hands;

  /** `element` becomes the grid, `dialog` asks for the piece of a promotion, and `onMove` gets one of the legal moves. */
  constructor(element, dialog, onMove) {
    this.#element = element;
    this.#dialog = dialog;
    this.#onMove = onMove;
    element.setAttribute("role", "grid");
    for (let row = 0; row < 8; row++) {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      for (let file = 0; file < 8; file++) {
        const cell = document.createElement("div");
        cell.setAttribute("role", "gridcell");
        cell.className = `square ${(row + file) % 2 ? "dark" : "light"}`;
        line.append(cell);
        this.#cells.push(cell);
      }
      element.append(line);
    }
    this.#arrow = svg("svg", { class: "arrows", viewBox: "0 0 8 8", "aria-hidden": "true" });
    element.append(this.#arrow);
    this.#hands = ["far", "near"].map((side) => this.#hand(side));
    element.before(this.#hands[0]);
    element.after(this.#hands[1]);
    element.addEventListener("pointerdown", (event) => this.#down(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    element.addEventListener("pointerup", (event) => this.#up(event));
    element.addEventListener("pointercancel", () => {
      this.#drop();
      this.#drawing = null;
    });
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    // With the focus elsewhere, the arrow keys step through the moves. So the mouse does not move the focus to a square.
    element.addEventListener("mousedown", (event) => event.preventDefault());
    element.addEventListener("keydown", (event) => this.#key(event));
    element.addEventListener("focusin", (event) => {
      const at = this.#cells.indexOf(event.target);
      if (at >= 0) this.#setFocus(this.#squareOf(at));
    });
  }

  /**
   * Shows a position: its FEN, the legal moves, the squares of the last move, whether the side to move is in check, and the side from which
   * the board is seen. `shapes` are the arrows and circles of its comments, and `slide` the two squares of a piece that has moved, which is
   * animated.
   */
  show({ fen, legal = [], last = [], check = false, flipped = false, shapes = [], slide = null }) {
    // More may be said about the same position while a piece is being moved.
    if (fen !== this.#fen || flipped !== this.#flipped) {
      this.#drop();
      this.#selected = null;
    }
    if (fen !== this.#fen) this.#drawn.clear();
    this.#fen = fen;
    this.#shapes = shapes;
    this.#pieces = piecesOf(fen);
    this.#legal = legal;
    this.#last = last;
    this.#flipped = flipped;
    const king = fen.split(" ")[1] === "b" ? "bK" : "wK";
    this.#checked = check ? [...this.#pieces].find(([, piece]) => piece === king)?.[0] : null;
    this.#render();
    this.#showHands();
    this.#draw();
    if (slide) this.#slide(...slide);
  }

  /** Calls `step(-1)` or `step(1)` when the wheel turns over the board. While `isOn()` is false, the wheel scrolls the page. */
  onWheel(step, isOn) {
    let way = 0;
    this.#element.addEventListener(
      "wheel",
      (event) => {
        if (event.ctrlKey || event.shiftKey || !event.deltaY || !isOn()) return;
        event.preventDefault();
        if (Math.sign(way) !== Math.sign(event.deltaY)) way = 0;
        // Some browsers count lines.
        way += event.deltaY * (event.deltaMode ? NOTCH : 1);
        if (Math.abs(way) < NOTCH) return;
        step(Math.sign(way));
        way = 0;
      },
      { passive: false },
    );
  }

  /** Draws an arrow from one square to another, or removes it. */
  arrow(from, to) {
    this.#draw();
    if (from) this.#arrow.append(this.#arrowOf(from, to));
  }

  /** Shows the arrows and circles of the comments, and those that somebody has drawn. */
  #draw() {
    const drawn = [...this.#drawn].map((squares) => ({ from: squares.slice(0, 2), to: squares.slice(2), color: "" }));
    this.#arrow.replaceChildren(...[...this.#shapes, ...drawn].map((shape) => this.#shape(shape)));
  }

  #shape({ from, to, color }) {
    if (from !== to) return this.#arrowOf(from, to, color);
    const at = this.#indexOf(from);
    return svg("circle", { class: `drawn ${color}`, cx: (at % 8) + 0.5, cy: Math.floor(at / 8) + 0.5, r: 0.44 });
  }

  #arrowOf(from, to, color = "") {
    const [[x1, y1], [x2, y2]] = [from, to].map((square) => {
      const at = this.#indexOf(square);
      return [(at % 8) + 0.5, Math.floor(at / 8) + 0.5];
    });
    const length = Math.hypot(x2 - x1, y2 - y1);
    const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    const points = [[0, -0.08], [length - 0.4, -0.08], [length - 0.4, -0.24], [length, 0], [length - 0.4, 0.24], [length - 0.4, 0.08], [0, 0.08]];
    return svg("polygon", { class: color, points: points.join(" "), transform: `translate(${x1} ${y1}) rotate(${turn})` });
  }

  #indexOf(square) {
    const at = (8 - Number(square[1])) * 8 + FILES.indexOf(square[0]);
    return this.#flipped ? 63 - at : at;
  }

  #squareOf(index) {
    const at = this.#flipped ? 63 - index : index;
    return FILES[at % 8] + (8 - Math.floor(at / 8));
  }

  /** The legal moves from one square to another: none, one, or the four promotions. */
  #movesBetween(from, to) {
    const moves = this.#legal.filter((move) => sourceOf(move) === from && targetsOf(move).includes(to));
    // In Chess960, a step of the king and castling may end on the same square. Castling is then the drop on the rook.
    const plain = moves.filter((move) => !move.also);
    return plain.length ? plain : moves;
  }

  #render() {
    const targets = new Set(this.#legal.filter((move) => sourceOf(move) === this.#selected).flatMap(targetsOf));
    const promoted = promotedOf(this.#fen);
    const movable = new Set(this.#legal.map((move) => move.from));
    this.#cells.forEach((cell, index) => {
      const square = this.#squareOf(index);
      const piece = this.#pieces.get(square);
      if ((cell.dataset.piece ?? "") !== (piece ?? "")) {
        cell.replaceChildren(...(piece ? [pieceSvg(piece)] : []));
        cell.dataset.piece = piece ?? "";
      }
      cell.dataset.square = square;
      if (index % 8 === 0) cell.dataset.rank = square[1];
      if (index >= 56) cell.dataset.file = square[0];
      cell.classList.toggle("last", this.#last.includes(square));
      cell.classList.toggle("check", this.#checked === square);
      cell.classList.toggle("selected", this.#selected === square);
      cell.classList.toggle("target", targets.has(square));
      cell.classList.toggle("movable", movable.has(square));
      cell.classList.toggle("promoted", promoted.has(square));
      cell.tabIndex = square === this.#focus ? 0 : -1;
      cell.setAttribute("aria-selected", String(this.#selected === square));
      const name = [square, piece ? pieceName(piece) : "empty"];
      if (promoted.has(square)) name.push("promoted");
      if (this.#checked === square) name.push("in check");
      if (targets.has(square)) name.push("possible target");
      cell.setAttribute("aria-label", name.join(", "));
    });
  }

  // Men in hand.

  #hand(side) {
    const hand = document.createElement("div");
    hand.className = `hand ${side}`;
    hand.hidden = true;
    // A man in hand is pressed and then its square, or it is dragged there.
    hand.addEventListener("pointerdown", (event) => {
      const button = event.target.closest("button");
      if (!button || event.button !== 0) return;
      hand.setPointerCapture(event.pointerId);
      this.#take(button.value);
    });
    hand.addEventListener("pointerup", (event) => {
      const square = this.#squareAt(event);
      if (this.#movesBetween(this.#selected, square).length) this.#play(this.#selected, square, true);
    });
    hand.addEventListener("mousedown", (event) => event.preventDefault());
    hand.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      // Clicks of keys have no number. Their square is chosen with the keys of the board.
      if (!button || event.detail) return;
      this.#take(button.value);
      if (this.#selected === button.value) this.#cells[this.#indexOf(this.#focus)].focus();
    });
    return hand;
  }

  /** Takes a man in hand, or puts it back if it was taken. */
  #take(source) {
    const isMovable = this.#legal.some((move) => sourceOf(move) === source);
    this.#selected = isMovable && this.#selected !== source ? source : null;
    this.#render();
    this.#showHands();
  }

  /** Shows the men in hand and the checks that were given, if the game has such. */
  #showHands() {
    const { hand } = partsOf(this.#fen);
    const checks = checksOf(this.#fen);
    const turn = this.#fen.split(" ")[1];
    for (const [element, color] of this.#hands.map((element, at) => [element, (at === 0) === this.#flipped ? "w" : "b"])) {
      element.hidden = hand === null && !checks;
      if (element.hidden) continue;
      const side = color === "w" ? "White" : "Black";
      const men = [..."QRBNP"].map((kind) => [kind, [...(hand ?? "")].filter((man) => man === (color === "w" ? kind : kind.toLowerCase())).length]);
      const buttons = men.filter(([, number]) => number).map(([kind, number]) => this.#inHand(color, kind, number, color === turn));
      const told = checks ? `Checks of ${side}: ${checks[color]}` : buttons.length ? "" : "–";
      const words = document.createElement("span");
      words.textContent = told;
      element.replaceChildren(...buttons, ...(told ? [words] : []));
      if (hand === null) element.removeAttribute("role");
      else {
        element.setAttribute("role", "group");
        element.setAttribute("aria-label", `In the hand of ${side}`);
      }
    }
  }

  /** A man in hand. The one that can be dropped is named as in UCI, such as `N@`. */
  #inHand(color, kind, number, isToMove) {
    const button = document.createElement("button");
    const source = `${kind}@`;
    const isMovable = isToMove && this.#legal.some((move) => sourceOf(move) === source);
    button.type = "button";
    button.value = isToMove ? source : "";
    button.setAttribute("aria-label", `${number} ${NAMES[kind]}${number > 1 ? "s" : ""}`);
    button.setAttribute("aria-pressed", String(isToMove && this.#selected === source));
    button.setAttribute("aria-disabled", String(!isMovable));
    button.append(pieceSvg(color + kind));
    if (number > 1) {
      const count = document.createElement("span");
      count.textContent = number;
      button.append(count);
    }
    return button;
  }

  #slide(from, to) {
    const piece = this.#cells[this.#indexOf(to)].firstChild;
    if (!piece || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [a, b] = [this.#indexOf(from), this.#indexOf(to)];
    const [x, y] = [(a % 8) - (b % 8), Math.floor(a / 8) - Math.floor(b / 8)];
    piece.animate([{ transform: `translate(${x * 100}%, ${y * 100}%)` }, { transform: "none" }], { duration: 120, easing: "ease-out" });
  }

  // Mouse and touch.

  #squareAt({ clientX, clientY }) {
    const { left, top, width, height } = this.#element.getBoundingClientRect();
    const [file, row] = [Math.floor(((clientX - left) / width) * 8), Math.floor(((clientY - top) / height) * 8)];
    return file >= 0 && file < 8 && row >= 0 && row < 8 ? this.#squareOf(row * 8 + file) : null;
  }

  #down(event) {
    if (event.button === 2) {
      this.#drawing = this.#squareAt(event);
      this.#element.setPointerCapture(event.pointerId);
    }
    if (event.button !== 0 || !event.isPrimary) return;
    if (this.#drawn.size) {
      this.#drawn.clear();
      this.#draw();
    }
    if (!this.#element.contains(document.activeElement)) document.activeElement?.blur();
    const square = this.#squareAt(event);
    if (this.#movesBetween(this.#selected, square).length) {
      this.#play(this.#selected, square);
      return;
    }
    const wasSelected = this.#selected === square;
    const isMovable = this.#legal.some((move) => move.from === square);
    this.#selected = isMovable ? square : null;
    this.#render();
    this.#showHands();
    if (!isMovable) return;
    this.#element.setPointerCapture(event.pointerId);
    this.#drag = { from: square, x: event.clientX, y: event.clientY, wasSelected, isMoving: false };
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.isMoving ||= Math.hypot(x, y) > DRAG;
    if (!drag.isMoving) return;
    const cell = this.#cells[this.#indexOf(drag.from)];
    cell.classList.add("dragged");
    // The middle of the piece follows the pointer.
    const { left, top, width, height } = cell.getBoundingClientRect();
    cell.firstChild.style.transform = `translate(${event.clientX - left - width / 2}px, ${event.clientY - top - height / 2}px)`;
    const over = this.#squareAt(event);
    for (const other of this.#cells) other.classList.toggle("over", other.dataset.square === over);
  }

  /** Draws what the right button has drawn, or removes it if it is there already. */
  #endDrawing(event) {
    const [from, to] = [this.#drawing, this.#squareAt(event)];
    this.#drawing = null;
    if (!from || !to) return;
    if (!this.#drawn.delete(from + to)) this.#drawn.add(from + to);
    this.#draw();
  }

  #up(event) {
    if (event.button === 2) this.#endDrawing(event);
    const drag = this.#drag;
    if (!drag) return;
    this.#drop();
    const square = this.#squareAt(event);
    if (drag.isMoving && this.#movesBetween(drag.from, square).length) {
      this.#play(drag.from, square, true);
    } else if (!drag.isMoving && drag.wasSelected) {
      this.#selected = null;
      this.#render();
    }
  }

  /** Ends a drag. The piece returns to its square. */
  #drop() {
    if (!this.#drag) return;
    const cell = this.#cells[this.#indexOf(this.#drag.from)];
    this.#drag = null;
    cell.classList.remove("dragged");
    cell.firstChild?.style.removeProperty("transform");
    for (const other of this.#cells) other.classList.remove("over");
  }

  // Keys.

  #setFocus(square) {
    this.#focus = square;
    this.#cells.forEach((cell, index) => (cell.tabIndex = this.#squareOf(index) === square ? 0 : -1));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.#indexOf(this.#focus);
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in steps) {
      const [file, row] = [(at % 8) + steps[event.key][0], Math.floor(at / 8) + steps[event.key][1]];
      if (file >= 0 && file < 8 && row >= 0 && row < 8) this.#cells[row * 8 + file].focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.#press(this.#focus);
    } else if (event.key === "Escape") {
      this.#selected = null;
      this.#render();
      this.#showHands();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #press(square) {
    if (this.#movesBetween(this.#selected, square).length) {
      this.#play(this.#selected, square);
      return;
    }
    const isMovable = this.#legal.some((move) => move.from === square);
    this.#selected = isMovable && this.#selected !== square ? square : null;
    this.#render();
    this.#showHands();
  }

  // Moves.

  async #play(from, to, isDropped = false) {
    const moves = this.#movesBetween(from, to);
    const move = moves.length > 1 ? await this.#promotion(moves) : moves[0];
    this.#selected = null;
    if (!move || !this.#legal.includes(move)) {
      this.#render();
      return;
    }
    // The piece stands on its square at once; the position after the move follows when it is known.
    if (!move.from) {
      const color = this.#fen.split(" ")[1];
      this.#pieces.set(to, color + move.uci[0]);
    } else if (!move.also) {
      const piece = this.#pieces.get(from);
      this.#pieces.delete(from);
      this.#pieces.set(to, move.promotion ? piece[0] + move.promotion.toUpperCase() : piece);
    }
    this.#legal = [];
    this.#last = [move.from ?? move.to, move.to];
    this.#checked = null;
    this.#render();
    if (!isDropped && move.from && !move.also) this.#slide(from, to);
    this.#onMove(move);
  }

  /** Asks for the piece of a promotion, beside the square where the pawn arrives. Returns the move, or nothing after Escape. */
  #promotion(moves) {
    const dialog = this.#dialog;
    const color = this.#pieces.get(moves[0].from)[0];
    const order = "qnrbk";
    const buttons = [...moves]
      .sort((a, b) => order.indexOf(a.promotion) - order.indexOf(b.promotion))
      .map((move) => {
        const piece = color + move.promotion.toUpperCase();
        const button = document.createElement("button");
        button.value = move.uci;
        button.setAttribute("aria-label", NAMES[piece[1]]);
        button.append(pieceSvg(piece));
        button.addEventListener("click", () => dialog.close(move.uci));
        return button;
      });
    const index = this.#indexOf(moves[0].to);
    const { left, top, width, height } = this.#element.getBoundingClientRect();
    const [square, isAbove] = [width / 8, index < 32];
    dialog.style.left = `${left + (index % 8) * square}px`;
    dialog.style.top = isAbove ? `${top}px` : `${top + height - moves.length * square}px`;
    dialog.style.setProperty("--square", `${square}px`);
    // The queen is nearest to the edge of the board.
    dialog.replaceChildren(...(isAbove ? buttons : buttons.reverse()));
    dialog.returnValue = "";
    dialog.showModal();
    dialog.querySelector(`[value$="q"]`).focus();
    return new Promise((resolve) => {
      const outside = (event) => event.target === dialog && dialog.close();
      dialog.addEventListener("click", outside);
      dialog.addEventListener(
        "close",
        () => {
          dialog.removeEventListener("click", outside);
          resolve(moves.find((move) => move.uci === dialog.returnValue));
        },
        { once: true },
      );
    });
  }
}
