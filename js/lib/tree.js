// Trees: many games as one tree of the lines that were played.

import { formatOf, joined, pairsOf } from "./options.js";
import { Position } from "./position.js";
import { Recorder } from "./report.js";
import { stepsLater, stepsNow } from "./stepping.js";

const decoder = new TextDecoder();

/** The MIME types of formats, for Blobs. The others are plain text. */
const TYPES = { pgn: "application/x-chess-pgn", html: "text/html", csv: "text/csv", tsv: "text/tab-separated-values", jsonl: "application/x-ndjson" };

/** The number of games by result. */
const resultsOf = ([white, draws, black, unknown]) => ({
  games: white + draws + black + unknown,
  white,
  draws,
  black,
  unknown,
  /** White's mean score: 1 for a win, 0.5 for a draw; null if no result is known. */
  score: white + draws + black ? (white + draws / 2) / (white + draws + black) : null,
});

/** A tree of positions, which is walked through. */
class GrownTree {
  #byKey = new Map();
  /** The node of the position in which the tree begins. */
  root;
  /** The number of positions, and the number of moves. */
  positions;
  moves;

  /** @param {{ nodes: any[], moves: any[] }} data what the module wrote */
  constructor(data) {
    const nodes = data.nodes.map(({ fen, path, ply, results, lastYear, models }) => ({ fen, path, ply, parent: null, moves: [], results: resultsOf(results), lastYear, models }));
    const moves = data.moves.map(({ san, uci, source, target, results, lastYear, transposes }) => ({
      san,
      uci,
      source: nodes[source],
      target: nodes[target],
      results: resultsOf(results),
      lastYear,
      transposes,
    }));
    data.nodes.forEach(({ key, parent, moves: own }, at) => {
      nodes[at].parent = parent === null ? null : moves[parent];
      nodes[at].moves = own.map((move) => moves[move]);
      this.#byKey.set(key, nodes[at]);
    });
    this.root = nodes[0];
    this.positions = nodes.length;
    this.moves = moves.length;
  }

  /** Returns the node of a position, whatever moves lead to it. */
  node(position) {
    const given = position instanceof Position ? position : new Position(position);
    return this.#byKey.get(given.fen({ ep: "legal", fields: 4 })) ?? null;
  }

  /** Yields all moves, each once: behind a move come those of the position after it. */
  *[Symbol.iterator]() {
    const lines = [this.root.moves.values()];
    while (lines.length) {
      const { value: move, done } = lines.at(-1).next();
      if (done) lines.pop();
      else {
        yield move;
        if (!move.transposes) lines.push(move.target.moves.values());
      }
    }
  }
}

/** Returns the options with texts for lists of comments and for a `Position`, which has a variant of its own. */
function textual(options) {
  if (typeof options !== "object" || options === null) return options;
  const { comments, position, variant } = options;
  const changed = Array.isArray(comments) ? { comments: joined("comments", comments) || "none" } : {};
  if (position instanceof Position) {
    changed.position = position.fen();
    if (!["standard", "chess960"].includes(position.variant)) changed.variant = variant ?? position.variant;
  }
  return { ...options, ...changed };
}

/** The description of a tree. Nothing is read before it is asked for. */
class Tree {
  #input;
  #options;
  #pairs;
  /** What was read, and what was wrong with it. */
  report = null;

  constructor(input, options) {
    this.#input = input;
    this.#options = options;
    this.#pairs = pairsOf(textual(options));
  }

  #job(format) {
    return { kind: "tree", format, pairs: this.#pairs, encoding: this.#options.encoding };
  }

  /** Returns what is written at the end, from the steps of a run. */
  #taker() {
    const recorder = new Recorder();
    const pieces = [];
    return {
      take: (step) => {
        this.report = recorder.record(step);
        recorder.fail(step);
        if (step.bytes?.length) pieces.push(step.bytes);
      },
      pieces,
    };
  }

  async #later(format) {
    const { take, pieces } = this.#taker();
    for await (const step of stepsLater(this.#input, this.#job(format), this.#options)) take(step);
    return new Blob(pieces, { type: TYPES[format] ?? "text/plain" });
  }

  /** Reads the games, and returns the tree. */
  async grow() {
    return new GrownTree(JSON.parse(await (await this.#later("")).text()));
  }

  /** Reads games that are in memory at once, and returns the tree. */
  growNow() {
    const { take, pieces } = this.#taker();
    for (const step of stepsNow(this.#input, this.#job(""), this.#options)) take(step);
    return new GrownTree(JSON.parse(pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode()));
  }

  /** Returns the tree in a format, as a Blob. */
  async blob(format) {
    return this.#later(formatOf(format, "pgn"));
  }

  /** Returns the tree in a format, as text. */
  async text(format) {
    return (await this.#later(formatOf(format, "pgn"))).text();
  }
}

/** Describes the tree of the games of an input. */
export function tree(input, options = {}) {
  return new Tree(input, options);
}
