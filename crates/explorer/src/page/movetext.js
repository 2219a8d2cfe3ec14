// The moves of a game as elements: two columns for the main line, and blocks for comments and variations.

import { make } from "./dom.js";
import { kindOf, meanings, signs } from "./glyphs.js";
import { clock, evaluation } from "./values.js";

/** A move as a button. Only the current one is on the way of the Tab key; arrow keys step to the others. */
const button = (node, attributes, ...children) => make("button", { type: "button", tabindex: "-1", ...attributes }, ...children);

/** A move, which can be pressed: the element that the page makes for moves. */
function moveButton(tree, node, { isNumbered = false, hasValues = false } = {}) {
  const number = tree.number(node);
  const glyphs = signs(node.nags);
  const value = hasValues && node.eval !== null ? evaluation(node.eval) : "";
  const time = hasValues && node.clk !== null ? clock(node.clk) : "";
  const told = [`${number} ${node.san || node.uci}`, meanings(node.nags), value && `evaluation ${value}`, time && `clock ${time}`];
  return tree.element(
    node,
    { class: `move ${kindOf(node.nags)}`, "data-node": node.id, "aria-label": told.filter(Boolean).join(", ") },
    isNumbered ? make("span", { class: "ply" }, number) : null,
    make("span", { class: "san" }, node.san || node.uci, glyphs ? make("span", { class: "glyph" }, glyphs) : null),
    value || time
      ? make("span", { class: "values" }, value ? make("span", { class: "eval" }, value) : null, time ? make("span", { class: "clk" }, time) : null)
      : null,
  );
}

const comment = (text) => make("span", { class: "comment" }, text);

/** The moves of a line as text that flows, with variations in parentheses. Those that replace the first move are there if it is the main one. */
function flow(tree, first, isMain = false) {
  const parts = [];
  let isNumbered = true;
  for (let node = first; node; node = node.children[0]) {
    parts.push(...node.before.map(comment));
    parts.push(moveButton(tree, node, { isNumbered: isNumbered || tree.number(node).endsWith(".") }));
    isNumbered = node.comments.length > 0;
    parts.push(...node.comments.map(comment));
    const others = node === first && !isMain ? [] : node.parent.children.slice(1);
    for (const other of others) parts.push(make("span", { class: "nested" }, "(", ...spaced(flow(tree, other)), ")"));
    isNumbered ||= others.length > 0;
  }
  return parts;
}

const spaced = (parts) => parts.flatMap((part, at) => (at ? [" ", part] : [part]));

/** A variation as a block. Moves that somebody has tried on the board are marked. */
const variation = (tree, first) => make("div", { class: first.isTried ? "variation tried" : "variation" }, ...spaced(flow(tree, first)));

/** Returns the elements of all moves of a tree as text that flows. `element` makes the element of a move: see `movetext`. */
export function flowing(tree, element = button) {
  const [first] = tree.root.children;
  return first ? spaced(flow({ number: (node) => tree.number(node), element }, first, true)) : [];
}

/** Returns the elements of the main line of a tree. `element(node, attributes, ...children)` makes the element of a move; a button is the usual one. */
export function movetext(moves, element = button) {
  const tree = { root: moves.root, number: (node) => moves.number(node), element };
  const blocks = tree.root.comments.map((text) => make("div", { class: "block" }, comment(text)));
  let row = null;
  const blank = () => make("span", { class: "blank" }, "…");
  for (let node = tree.root.children[0]; node; node = node.children[0]) {
    const number = tree.number(node);
    const isWhite = number.endsWith(".");
    if (isWhite || !row) {
      row = make("div", { class: "turn" }, make("span", { class: "ply" }, number.replace("…", ".")), isWhite ? null : blank());
      blocks.push(row);
    }
    row.append(moveButton(tree, node, { hasValues: true }));
    const others = node.parent.children.slice(1);
    const below = [...node.comments.map((text) => make("div", { class: "block" }, comment(text))), ...others.map((other) => variation(tree, other))];
    if (below.length) {
      if (isWhite && node.children.length) row.append(blank());
      blocks.push(...below);
    }
    if (below.length || !isWhite) row = null;
  }
  return blocks;
}
