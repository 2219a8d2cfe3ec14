// Positions and the rules of chess.

import { coded, wrongType } from "./errors.js";
import { checked } from "./options.js";
import { platform } from "./platform.js";

const PRIVATE = Symbol("made by the package");

/** The options of a FEN, and of boards. */
const FEN = ["ep", "castling", "fields", "fenStyle"];
const BOARD = ["orientation", "check", "coordinates", "colors", "size", "turnMark", "lastMove", "arrows", "marks", "fill"];

/** Returns what a text in JSON describes. It is kept, so nobody can change it. */
const frozen = (text) => JSON.parse(text, (_, value) => Object.freeze(value));

/** A chess position: standard, Chess960, or of a variant. It does not change: `play` returns another one. */
export class Position {
  /** The position as the module keeps it: a Shredder-FEN, and on the next line the name of its game, which is empty for standard chess. */
  #kept;
  #fen;
  #description;
  #legal;

  constructor(text = "startpos", options = {}) {
    if (text === PRIVATE) this.#kept = options;
    else {
      // `null` as text would be a null move.
      if (typeof text !== "string" && !(text instanceof Position)) throw wrongType("a position is given as a text");
      const { lang = "en", chess960 = false, variant: named } = checked(options, ["lang", "chess960", "variant"]);
      const variant = named ?? (text instanceof Position && text.variant !== "standard" ? text.variant : "");
      this.#kept = platform.engine.text("position", String(text), lang, variant);
      if (typeof chess960 !== "boolean") throw wrongType("chess960 is not true or false");
      if (chess960) {
        if (!["standard", "chess960"].includes(this.variant)) throw coded("bad-argument", new Error(`chess960 is no option for ${this.variant}`));
        this.#kept = `${this.#kept.split("\n", 1)[0]}\nchess960`;
      }
    }
  }

  /** Returns the FEN. */
  fen(options = {}) {
    const { ep = "always", castling = "xfen", fields = 6, fenStyle = "usual" } = checked(options, FEN);
    const isUsual = ep === "always" && castling === "xfen" && fields === 6 && fenStyle === "usual";
    if (isUsual && this.#fen) return this.#fen;
    const fen = platform.engine.text("fen", this.#kept, ep, castling, String(fields), fenStyle);
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
    this.#description ??= frozen(platform.engine.text("describe", this.#kept));
    return this.#description;
  }

  #field(number) {
    return this.#kept.split("\n", 1)[0].split(" ").at(number);
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
    return this.variant === "chess960";
  }

  get variant() {
    return this.#kept.split("\n")[1] || "standard";
  }

  get hand() {
    return this.#field(0).split("[")[1]?.slice(0, -1) ?? "";
  }

  get remainingChecks() {
    if (this.variant !== "threeCheck") return null;
    const [white, black] = this.#field(4).split("+").map(Number);
    return { white, black };
  }

  get end() {
    return this.#described.end;
  }

  get halfmoveClock() {
    return Number(this.#field(-2));
  }

  get fullmoveNumber() {
    return Number(this.#field(-1));
  }

  get pieces() {
    return this.#board.replace(/[^a-z]/gi, "").length;
  }

  /** The board, without men in hand and marks of promoted men. */
  get #board() {
    return this.#field(0).split("[", 1)[0].replaceAll("~", "");
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
    if (!/^[a-h][1-8]$/.test(square)) throw coded("bad-argument", new Error(`'${square}' is not a square, such as e4`));
    let file = square.charCodeAt(0) - 97;
    for (const letter of this.#board.split("/")[8 - Number(square[1])]) {
      if (/\d/.test(letter)) {
        file -= Number(letter);
        if (file < 0) return null;
      } else if (file-- === 0) return letter;
    }
    return null;
  }

  get legalMoves() {
    this.#legal ??= frozen(platform.engine.text("legal", this.#kept));
    return this.#legal;
  }

  play(...moves) {
    if (moves.every((move) => typeof move === "string")) return new Position(PRIVATE, platform.engine.text("play", this.#kept, "en", ...moves));
    let position = this;
    for (const [at, move] of moves.entries()) {
      try {
        position = position.play(position.#textOf(move));
      } catch (error) {
        if (error.ply) error.ply += at;
        throw error;
      }
    }
    return position;
  }

  /** Returns a move as text: it is a text, or an object with `uci`, with `from` and `to`, or with `san`. */
  #textOf(move) {
    const { uci, from, to, promotion, san } = typeof move === "string" ? { san: move } : (move ?? {});
    // Boards may add a promotion to every move.
    const promotes = promotion && "18".includes(String(to)[1]) && "Pp".includes(this.pieceAt(from) ?? "?");
    const text = uci ?? (from && to ? `${from}${to}${promotes ? promotion.toLowerCase() : ""}` : san);
    if (typeof text !== "string") throw wrongType("a move is a text, or an object with `uci`, with `from` and `to`, or with `san`");
    return text;
  }

  san(move, options = {}) {
    const { lang = "en" } = checked(options, ["lang"]);
    return platform.engine.text("san", this.#kept, lang, this.#textOf(move));
  }

  uci(move, options = {}) {
    const { lang = "en" } = checked(options, ["lang"]);
    return platform.engine.text("uci", this.#kept, lang, this.#textOf(move));
  }

  /** Whether the positions are the same by the rule of repetition: the move counters are not compared. */
  isSame(other) {
    if (!(other instanceof Position)) throw wrongType("a position is compared with a Position");
    const same = (position) => position.fen({ ep: "legal", castling: "shredder", fields: 4 });
    const rules = (position) => (position.chess960 ? "standard" : position.variant);
    return same(this) === same(other) && rules(this) === rules(other);
  }

  board(options = {}) {
    return draw("svg", this.#kept, checked(options, BOARD));
  }

  unicode(options = {}) {
    return draw("text", this.#kept, checked(options, [...BOARD, "ascii"]));
  }

  /** How the module keeps the position. For the package. */
  static keptOf(position) {
    return position.#kept;
  }
}

function draw(form, kept, { arrows = [], marks = [], fill = {}, ...options }) {
  if (typeof fill !== "object") throw wrongType("fill is not an object with colours by squares");
  const pairs = Object.entries(options).flatMap(([name, value]) => [name, String(value)]);
  for (const [square, paint] of Object.entries(fill)) pairs.push("fill", `${square}=${paint}`);
  for (const [name, given] of Object.entries({ marks, arrows })) {
    if (!Array.isArray(given)) throw wrongType(`${name} are not a list`);
    for (const item of given) pairs.push(name, String(item));
  }
  return platform.engine.text("draw", form, kept, ...pairs);
}
