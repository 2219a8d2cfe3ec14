// A game, or a position with moves that were tried, as PGN.

import { INITIAL } from "../../crates/explorer/src/page/line.js";

const WIDTH = 79;

const tag = (name, value) => `[${name} "${value.replace(/\\/g, "\\\\").replace(/"/g, '\\"')}"]`;

/** A comment. Nothing can stand for its end in it. */
const comment = (text) => `{${text.replaceAll("}", ")")}}`;

/** The symbols of a line from a move on, with the variations of each move behind it. Those that replace `first` are left to the caller. */
function symbolsOf(tree, first, isMain) {
  const symbols = [];
  let isNumbered = true;
  for (let node = first; node; node = node.children[0]) {
    symbols.push(...node.rawBefore.map(comment));
    const number = tree.number(node);
    if (number.endsWith(".") || isNumbered) symbols.push(number.replace("…", "..."));
    symbols.push(node.san || node.uci, ...node.nags.map((nag) => `$${nag}`), ...node.raw.map(comment));
    const others = node === first && !isMain ? [] : node.parent.children.slice(1);
    for (const other of others) {
      const [head, ...rest] = symbolsOf(tree, other, false);
      const end = rest.pop();
      symbols.push(...(end === undefined ? [`(${head})`] : [`(${head}`, ...rest, `${end})`]));
    }
    isNumbered = node.raw.length > 0 || others.length > 0;
  }
  return symbols;
}

/** Breaks symbols into lines. Comments are broken at their blanks, but never before `%`, which would hide its line. */
function lines(symbols) {
  const all = [];
  let line = "";
  for (const word of symbols.join(" ").split(/\s+/)) {
    if (line && line.length + 1 + word.length > WIDTH && !word.startsWith("%")) {
      all.push(line);
      line = "";
    }
    line += line ? ` ${word}` : word;
  }
  return [...all, line].join("\n");
}

/** Writes a tree. `game` has the tags and the result, if there is one; `variant` is the name of its rules, if it is not chess. */
export function pgnOf(tree, game, variant) {
  const { fen } = tree.root;
  const tags = game
    ? Object.entries(game.tags)
    : [
        ...[["Event", "?"], ["Site", "?"], ["Date", "????.??.??"], ["Round", "?"], ["White", "?"], ["Black", "?"], ["Result", "*"]],
        ...(variant ? [["Variant", variant]] : []),
        ...(fen === INITIAL ? [] : [["SetUp", "1"], ["FEN", fen]]),
      ];
  const [first] = tree.root.children;
  const symbols = [...tree.root.raw.map(comment), ...(first ? symbolsOf(tree, first, true) : []), game?.result ?? "*"];
  return `${tags.map(([name, value]) => tag(name, value)).join("\n")}\n\n${lines(symbols)}\n`;
}
