// The moves of a game as a tree of positions: the main line, the variations, and moves that somebody has tried on the board.

import { numbered } from "./line.js";

/** Beyond these numbers, moves and nested variations are left out: nobody reads them, and they could stop the page. */
const MOST_NODES = 20_000;
const DEEPEST = 40;

/** The comments for people. What programs wrote for programs, such as `[%clk 0:05:00]`, is shown elsewhere. */
const readable = ({ words = "" }) => (words ? [words.replace(/\s+/g, " ")] : []);

/** What programs wrote into comments, without the commands, of which the values are shown elsewhere. */
const written = ({ words = "", comments = [] }) => (words ? "" : comments.map((text) => text.replace(/\[%[^\]]*\]/g, "").replace(/\s+/g, " ").trim()).filter(Boolean).join(" "));

/** The time that a move took by its comment, in seconds, or null: `[%emt 0:01:05]`. */
function elapsed({ comments = [] }) {
  const found = comments.join(" ").match(/\[%emt\s+(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)\s*\]/);
  return found ? Number(found[1] ?? 0) * 3600 + Number(found[2]) * 60 + Number(found[3]) : null;
}

/** The tree of a game, or of a position without a game. A node is a position; `move` fields tell how it arose from its parent. */
export class Tree {
  #nodes = [];
  /** Whether moves were left out, because there are too many. */
  isCut = false;

  /** Returns the tree of a game. */
  static of(game) {
    const tree = new Tree(game.line.start ?? game.start);
    tree.root.comments = readable(game.line);
    tree.root.raw = game.line.comments;
    tree.root.engine = written(game.line);
    tree.root.shapes = game.line.shapes;
    tree.root.nags = game.line.nags;
    tree.root.eval = game.line.eval;
    tree.root.clk = game.line.clk;
    tree.root.time = game.line.time ?? null;
    tree.#grow(game.line, tree.root, 0);
    for (const variation of game.line.variations) tree.#grow(variation, tree.root, 1);
    return tree;
  }

  constructor(start) {
    this.root = this.#node(null, { fen: start, ply: 0 });
  }

  #node(parent, move) {
    const { san = "", uci = "", fen, ply, nags = [], shapes = [], clk = null, time = null } = move;
    const node = {
      id: this.#nodes.length,
      parent,
      san,
      uci,
      fen,
      ply,
      comments: readable(move),
      /** The comments as they are written, and those before the first move of a variation. */
      raw: move.comments ?? [],
      rawBefore: [],
      /** What a program wrote, such as a depth and a line. */
      engine: written(move),
      nags,
      shapes,
      eval: move.eval ?? null,
      clk,
      /** The time of an engine in this position, and the time that the move took, in seconds. */
      time,
      spent: elapsed(move) ?? parent?.time ?? null,
      before: [],
      children: [],
    };
    this.#nodes.push(node);
    return node;
  }

  /** The node with this number. */
  node(id) {
    return this.#nodes[id];
  }

  #grow(line, parent, depth) {
    let at = parent;
    for (const move of line.moves) {
      if (this.#nodes.length >= MOST_NODES || depth > DEEPEST) {
        this.isCut = true;
        return;
      }
      const node = this.#node(at, move);
      if (at === parent && depth) [node.before, node.rawBefore] = [readable(line), line.comments];
      at.children.push(node);
      for (const variation of move.variations) this.#grow(variation, at, depth + 1);
      at = node;
    }
  }

  /** Whether somebody has tried moves. */
  get hasTried() {
    return this.#nodes.some((node) => node.isTried);
  }

  /** Whether programs have commented moves. */
  get hasEngine() {
    return this.#nodes.some((node) => node.engine);
  }

  /** Adds a move that somebody tries. `fen` is the position after it. */
  add(parent, { uci, san }, fen) {
    const node = this.#node(parent, { uci, san, fen, ply: parent.ply + 1 });
    node.isTried = true;
    parent.children.push(node);
    return node;
  }

  /** The number of nodes. */
  get size() {
    return this.#nodes.length;
  }

  /** Takes away a move that nobody can play, and what follows it. */
  remove(node) {
    node.parent.children = node.parent.children.filter((child) => child !== node);
  }

  /** Writes the number before a move, as `12.` or `12…`. */
  number(node) {
    return numbered(this.root.fen, node.ply - 1);
  }

  /** The nodes from the first move to this one. */
  path(node) {
    const path = [];
    for (let at = node; at.parent; at = at.parent) path.push(at);
    return path.reverse();
  }

  /** The nodes of the line through this one, to its end. */
  line(node) {
    const line = this.path(node);
    for (let at = node; at.children.length;) line.push((at = at.children[0]));
    return line;
  }

  /** The nodes of the main line. */
  get main() {
    return this.line(this.root);
  }
}
