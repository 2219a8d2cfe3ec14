// Positions and the rules of chess.

import { platform } from "./platform.js";

const PRIVATE = Symbol("made by the package");

/** A chess position, standard or Chess960. It does not change: `play` returns another one. */
export class Position {
  /** The position as the module keeps it: a Shredder-FEN, and on the next line `960` if its game castles so. */
  #kept;
  #fen;
  #description;
  #legal;

  constructor(text = "startpos", options = {}) {
    if (text === PRIVATE) this.#kept = options;
    else {
      this.#kept = platform.engine.text("position", String(text), options.lang ?? "en");
      if (options.chess960 === true) this.#kept = `${this.#kept.split("\n", 1)[0]}\n960`;
    }
  }

  /** Returns the FEN. */
  fen({ ep = "always", castling = "xfen", fields = 6 } = {}) {
    const isUsual = ep === "always" && castling === "xfen" && fields === 6;
    if (isUsual && this.#fen) return this.#fen;
    const fen = platform.engine.text("fen", this.#kept, ep, castling, String(fields));
    if (isUsual) this.#fen = fen;
    return fen;
  }

  toString() {
    return this.fen();
  }

  toJSON() {
    return this.fen();
  }

  get #described() {
    this.#description ??= JSON.parse(platform.engine.text("describe", this.#kept));
    return this.#description;
  }

  #field(number) {
    return this.#kept.split("\n", 1)[0].split(" ")[number];
  }

  get key() {
    return BigInt(this.#described.key);
  }

  get opening() {
    return this.#described.opening;
  }

  get turn() {
    return this.#field(1);
  }

  get chess960() {
    return this.#kept.endsWith("\n960");
  }

  get halfmoveClock() {
    return Number(this.#field(4));
  }

  get fullmoveNumber() {
    return Number(this.#field(5));
  }

  get pieces() {
    return this.#field(0).replace(/[^a-z]/gi, "").length;
  }

  get isCheck() {
    return this.#described.check;
  }

  get isCheckmate() {
    return this.#described.checkmate;
  }

  get isStalemate() {
    return this.#described.stalemate;
  }

  /** The board in words, for screen readers. */
  get description() {
    return this.#described.words;
  }

  pieceAt(square) {
    if (!/^[a-h][1-8]$/.test(square)) throw new Error(`'${square}' is not a square, such as e4`);
    let file = square.charCodeAt(0) - 97;
    for (const letter of this.#field(0).split("/")[8 - Number(square[1])]) {
      if (/\d/.test(letter)) {
        file -= Number(letter);
        if (file < 0) return null;
      } else if (file-- === 0) return letter;
    }
    return null;
  }

  get legalMoves() {
    this.#legal ??= JSON.parse(platform.engine.text("legal", this.#kept));
    return this.#legal;
  }

  play(...moves) {
    return new Position(PRIVATE, platform.engine.text("play", this.#kept, "en", ...moves));
  }

  san(move, { lang = "en" } = {}) {
    return platform.engine.text("san", this.#kept, lang, move);
  }

  uci(move, { lang = "en" } = {}) {
    return platform.engine.text("uci", this.#kept, lang, move);
  }

  /** Whether the positions are the same by the rule of repetition: the move counters are not compared. */
  isSame(other) {
    const same = (position) => position.fen({ ep: "legal", castling: "shredder", fields: 4 });
    return same(this) === same(other);
  }

  board(options = {}) {
    return draw("svg", this.#kept, options);
  }

  unicode(options = {}) {
    return draw("text", this.#kept, options);
  }

  /** How the module keeps the position. For the package. */
  static keptOf(position) {
    return position.#kept;
  }
}

function draw(form, kept, { arrows = [], marks = [], fill = {}, lastMove, ...options }) {
  const pairs = [];
  const add = (name, value) => {
    if (value !== undefined && value !== null) pairs.push(name, String(value));
  };
  for (const name of ["orientation", "check", "coordinates", "colors", "size", "ascii"]) add(name, options[name]);
  add("turn_mark", options.turnMark);
  add("last_move", lastMove);
  for (const [square, paint] of Object.entries(fill)) add("fill", `${square}=${paint}`);
  for (const mark of marks) add("mark", mark);
  for (const arrow of arrows) add("arrow", arrow);
  return platform.engine.text("draw", form, kept, ...pairs);
}
