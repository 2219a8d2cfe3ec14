// The tree of the lines in the games that were read. It unfolds one position at a time, beside the board: each position is looked up when
// somebody asks for it, so a tree of any size is shown at once.

import { Position } from "pgn2fen";
import { $, count, counted, games, make, say } from "../../crates/explorer/src/page/dom.js";
import { INITIAL, numbered } from "../../crates/explorer/src/page/line.js";
import { bar } from "../../crates/explorer/src/page/tables.js";

const totalOf = (move) => move.white + move.draws + move.black + move.unknown;

/** Positions are the same by the rule of repetition: counters and captures en passant that are not legal do not count. */
const keyOf = (position) => `${position.chess960 ? "standard" : position.variant} ${position.fen({ ep: "legal", fields: 4 })}`;

/** A position of the tree, with the move that leads to it. */
class Node {
  /** The moves behind it, or null as long as nobody has asked. */
  children = null;
  isOpen = false;
  element = null;

  constructor(parent, move, position) {
    this.parent = parent;
    this.move = move;
    this.position = position;
    this.depth = parent ? parent.depth + 1 : 0;
  }

  /** The moves from the root. */
  get line() {
    const line = [];
    for (let node = this; node.parent; node = node.parent) line.unshift({ uci: node.move.uci, san: node.move.san, fen: node.position.fen() });
    return line;
  }
}

export class OpeningTree {
  #collection = null;
  #view;
  #passes;
  #root = null;
  /** The node on which each position hangs: the first one that was shown. */
  #places = new Map();
  #current = null;
  /** The number of the tree. Answers for an older one are dropped. */
  #generation = 0;
  #isStale = true;

  /** `view` shows positions, and `passes()` returns the bits of the listed games or null. */
  constructor(view, passes) {
    this.#view = view;
    this.#passes = passes;
    for (const id of ["tree-listed", "tree-least"]) $(id).addEventListener("change", () => this.#grow());
    $("tree-here").addEventListener("click", () => this.#grow({ root: this.#view.position, before: this.#view.line }));
    $("tree-start").addEventListener("click", () => this.#grow({ root: null }));
    $("tree").addEventListener("click", (event) => this.#click(event));
    $("tree").addEventListener("keydown", (event) => this.#key(event));
  }

  reset(collection) {
    this.#collection = collection;
    this.#root = this.#current = null;
    this.#generation += 1;
    this.#isStale = true;
    $("tree").replaceChildren();
  }

  /** There are other games now. */
  refresh() {
    this.#isStale = true;
    this.show();
  }

  /** Shows the tree, if it can be seen. */
  show() {
    if (!this.#collection || $("tree-view").hidden) return;
    if (this.#isStale || !this.#root) this.#grow();
    this.#mark();
  }

  /** The least number of games of a move. */
  get #least() {
    return Math.max(1, Number.parseInt($("tree-least").value, 10) || 1);
  }

  /** Grows the tree anew. What was unfolded is unfolded again. Without a root, it begins where the tree before did. */
  async #grow(given = {}) {
    this.#isStale = false;
    const generation = ++this.#generation;
    const isElsewhere = "root" in given;
    const opened = isElsewhere || !this.#root ? null : openLines(this.#root);
    const before = isElsewhere ? (given.before ?? null) : (this.#root?.before ?? null);
    const position = (isElsewhere ? given.root : this.#root?.position) ?? new Position(INITIAL);
    const root = new Node(null, null, position);
    root.before = before;
    root.isOpen = true;
    this.#places = new Map([[keyOf(root.position), root]]);
    if (!this.#root) $("tree-count").textContent = "The games are read for the tree…";
    const found = await this.#lookUp(root, generation);
    if (!found) return;
    this.#root = root;
    $("tree-start").hidden = keyOf(root.position) === keyOf(new Position(INITIAL));
    const name = before?.line.length ? `Behind ${before.line.map((move, at) => named(before.root, at, move.san)).join(" ")}: ` : "";
    $("tree-count").textContent = found.total ? `${name}${games(found.total)} reached this position.` : `${name}No game reached this position.`;
    for (const line of opened ?? [[]]) await this.#openLine(line, generation);
    if (generation !== this.#generation) return;
    this.#draw();
  }

  /** Asks for the moves of a node. Returns the answer, or null if it is not wanted any more. */
  async #lookUp(node, generation) {
    const passes = $("tree-listed").checked ? this.#passes() : null;
    try {
      const found = await this.#collection.explore(node.position, { passes, games: 0 });
      if (generation !== this.#generation) return null;
      const moves = found.moves.filter((move) => totalOf(move) >= this.#least);
      node.hidden = found.moves.length - moves.length;
      node.children = moves.map((move) => new Node(node, move, node.position.play(move.uci)));
      for (const child of node.children) {
        const key = keyOf(child.position);
        if (!this.#places.has(key)) this.#places.set(key, child);
      }
      return found;
    } catch (error) {
      if (generation === this.#generation) $("tree-count").textContent = `The position cannot be looked up: ${error.message}`;
      return null;
    }
  }

  /** The node of the same position elsewhere in the tree, to which a line transposes; or null. */
  #elsewhere(node) {
    const place = this.#places.get(keyOf(node.position));
    return place === node ? null : (place ?? null);
  }

  async #openLine(line, generation) {
    let node = this.#root;
    for (const uci of line) {
      if (!node.children && !(await this.#lookUp(node, generation))) return;
      node.isOpen = true;
      node = node.children.find((child) => child.move.uci === uci);
      if (!node) return;
    }
    if (this.#elsewhere(node)) return;
    if (!node.children && !(await this.#lookUp(node, generation))) return;
    node.isOpen = true;
  }

  // Showing.

  #draw() {
    const root = this.#root;
    const list = root.children.map((node) => this.#item(node));
    const rest = this.#rest(root);
    $("tree").replaceChildren(...list, ...(rest ? [rest] : []));
    if (!this.#current || !this.#current.element?.isConnected) this.#current = null;
    this.#mark();
  }

  /** The item of a node, with those of its children if it is open. */
  #item(node) {
    const { move } = node;
    const elsewhere = this.#elsewhere(node);
    const total = totalOf(move);
    const canOpen = !elsewhere && !(node.children && !node.children.length && !node.hidden);
    const row = make(
      "div",
      { class: "tree-row" },
      make("span", { class: "twig", "aria-hidden": "true" }, canOpen ? (node.isOpen ? "▾" : "▸") : ""),
      make("span", { class: "tree-move" }, make("span", { class: "ply" }, this.#number(node)), " ", move.san),
      make("span", { class: "tree-games" }, count.format(total)),
      bar(move),
      elsewhere ? make("span", { class: "joined" }, `= ${this.#nameOf(elsewhere)}`) : null,
    );
    const attributes = { role: "treeitem", "aria-level": String(node.depth), tabindex: "-1" };
    if (canOpen) attributes["aria-expanded"] = String(node.isOpen);
    const item = make("li", attributes, row);
    item.node = node;
    node.element = item;
    if (node.isOpen && node.children) this.#fill(node);
    return item;
  }

  /** Shows the children of a node in its item. */
  #fill(node) {
    node.element.querySelector(":scope > ul")?.remove();
    if (!node.isOpen || !node.children) return;
    const rest = this.#rest(node);
    const list = make("ul", { role: "group" }, ...node.children.map((child) => this.#item(child)), rest);
    node.element.append(list);
  }

  /** The line about moves that are left out, or null. */
  #rest(node) {
    return node.hidden ? make("li", { role: "none", class: "tree-rest" }, `${counted(node.hidden, "rarer move")}`) : null;
  }

  /** The number of the move of a node, as `2.` or `2…`. */
  #number(node) {
    return numbered(this.#root.position.fen(), node.depth - 1);
  }

  #nameOf(node) {
    return node.parent ? `${this.#number(node)} ${node.move.san}` : "the first position";
  }

  /** Marks the item of the position on the board. */
  #mark() {
    const tree = $("tree");
    for (const item of tree.querySelectorAll('[aria-selected="true"]')) item.setAttribute("aria-selected", "false");
    for (const item of tree.querySelectorAll('[tabindex="0"]')) item.tabIndex = -1;
    const node = this.#nodeOfBoard();
    const item = node?.element?.isConnected ? node.element : null;
    item?.setAttribute("aria-selected", "true");
    const first = (this.#current?.element?.isConnected ? this.#current.element : null) ?? item ?? tree.querySelector('[role="treeitem"]');
    if (first) first.tabIndex = 0;
  }

  /** The node of the position on the board: that of its line, or otherwise the one on which the position hangs. */
  #nodeOfBoard() {
    const current = this.#current;
    const key = keyOf(this.#view.position);
    if (current && keyOf(current.position) === key) return current;
    return this.#places.get(key) ?? null;
  }

  // What people do.

  #click(event) {
    const item = event.target.closest('[role="treeitem"]');
    if (!item) return;
    const { node } = item;
    if (event.target.closest(".joined")) this.#goTo(this.#elsewhere(node));
    else if (event.target.closest(".twig")) this.#toggle(node);
    else this.#choose(node, true);
  }

  /** Shows the position of a node on the board, and unfolds the node. */
  #choose(node, isOpening) {
    this.#current = node;
    const before = this.#root.before;
    const { position } = this.#root;
    const variant = ["standard", "chess960"].includes(position.variant) ? undefined : position.variant;
    this.#view.playLine({ variant, root: before?.root ?? position.fen(), line: [...(before?.line ?? []), ...node.line] });
    this.#mark();
    node.element?.scrollIntoView({ block: "nearest" });
    if (isOpening && !node.isOpen) this.#toggle(node);
  }

  /** Goes to a node whose item may be folded away. */
  async #goTo(node) {
    if (!node?.parent) return;
    for (let above = node.parent; above.parent; above = above.parent) above.isOpen = true;
    this.#draw();
    this.#choose(node, true);
    node.element.focus({ preventScroll: true });
  }

  async #toggle(node) {
    if (this.#elsewhere(node)) return;
    const generation = this.#generation;
    if (!node.children) {
      // A tree that grows anew before the answer comes has it unfolded.
      node.isOpen = true;
      node.element.setAttribute("aria-busy", "true");
      const found = await this.#lookUp(node, generation);
      if (generation === this.#generation) node.isOpen = false;
      if (!found) return;
      node.element.removeAttribute("aria-busy");
    }
    node.isOpen = (node.children.length > 0 || node.hidden > 0) && !node.isOpen;
    const hadFocus = document.activeElement === node.element;
    const item = this.#item(node);
    const old = $("tree").querySelectorAll('[role="treeitem"]');
    for (const other of old) if (other.node === node && other !== item) other.replaceWith(item);
    if (hadFocus) item.focus({ preventScroll: true });
    this.#mark();
    if (!node.children.length) say(node.hidden ? `${counted(node.hidden, "rarer move")}.` : "No game goes on here.");
  }

  /** The keys of a tree: up and down go from item to item, right and left unfold and fold, Enter shows the position. */
  #key(event) {
    const item = event.target.closest('[role="treeitem"]');
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const { node } = item;
    const items = [...$("tree").querySelectorAll('[role="treeitem"]')];
    const at = items.indexOf(item);
    const focus = (other) => {
      if (!other) return;
      for (const old of items) old.tabIndex = -1;
      other.tabIndex = 0;
      other.focus();
    };
    const acts = {
      ArrowDown: () => focus(items[at + 1]),
      ArrowUp: () => focus(items[at - 1]),
      Home: () => focus(items[0]),
      End: () => focus(items.at(-1)),
      ArrowRight: () => (node.isOpen ? focus(node.children?.[0]?.element) : this.#toggle(node)),
      ArrowLeft: () => (node.isOpen ? this.#toggle(node) : focus(node.parent?.element)),
      Enter: () => this.#choose(node, false),
      " ": () => this.#choose(node, false),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/** A move with its number where it needs one. */
const named = (root, at, san) => {
  const number = numbered(root, at);
  return number.endsWith(".") || at === 0 ? `${number} ${san}` : san;
};

/** The lines of a tree at whose ends nothing is unfolded, as UCI moves. */
function openLines(root) {
  const lines = [];
  const visit = (node, line) => {
    const open = node.isOpen ? (node.children ?? []).filter((child) => child.isOpen) : [];
    if (!open.length) lines.push(line);
    for (const child of open) visit(child, [...line, child.move.uci]);
  };
  visit(root, []);
  return lines;
}
