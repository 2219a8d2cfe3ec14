// Games as PGN, and changes of games.

import { coded } from "./errors.js";
import { fullEngineNow } from "./platform.js";
import { pairsOf } from "./options.js";

/** A zero byte separates texts. In a comment or a tag it is white space. */
const plain = (text) => String(text).replaceAll("\0", " ");

/** The notes behind a move in the order of the text: `n` a glyph, `c` a comment, `v` a variation. */
function* notesOf({ nags = [], comments = [], variations = [], order = "" }) {
  const kinds = { n: nags, c: comments, v: variations };
  const taken = { n: 0, c: 0, v: 0 };
  for (const kind of order) if (taken[kind] < kinds[kind]?.length) yield [kind, kinds[kind][taken[kind]++]];
  for (const kind of "ncv") while (taken[kind] < kinds[kind].length) yield [kind, kinds[kind][taken[kind]++]];
}

/** Adds the events of a line to the texts for the module. */
function addLine(line, texts) {
  addNotes(line, texts);
  for (const move of line.moves ?? []) {
    const text = typeof move === "string" ? move : (move?.san ?? move?.uci);
    if (typeof text !== "string") throw coded("bad-argument", new TypeError("a move is a text, or an object with `san` or `uci`"));
    texts.push(`m${plain(text)}`);
    if (typeof move === "object") addNotes(move, texts);
  }
  for (const text of line.unread ?? []) texts.push(`u${plain(text)}`);
}

function addNotes(notes, texts) {
  for (const [kind, note] of notesOf(notes)) {
    if (kind === "n") texts.push(`$${note}`);
    else if (kind === "c") texts.push(`c${plain(note)}`);
    else {
      texts.push("(");
      addLine(note, texts);
      texts.push(")");
    }
  }
}

/** Returns a game as PGN. */
export function writeGame(game, options = {}) {
  const line = game.line ?? game;
  const start = line.start ?? game.start;
  const texts = ["write"];
  const { keepTags, ...others } = options;
  const pairs = pairsOf({ ...others, keepTags: Array.isArray(keepTags) ? keepTags.join(",") : keepTags });
  for (let at = 0; at < pairs.length; at += 2) texts.push(`n${pairs[at]}`, `o${plain(pairs[at + 1])}`);
  for (const [name, value] of Object.entries(game.tags ?? {})) texts.push(`n${plain(name)}`, `t${plain(value)}`);
  if (start) texts.push(`f${plain(start)}`);
  if (game.variant) texts.push(`g${plain(game.variant)}`);
  texts.push(`r${plain(game.result ?? game.tags?.Result ?? "*")}`);
  for (const comment of game.preface ?? []) texts.push(`p${plain(comment)}`);
  addLine(line, texts);
  return fullEngineNow().call(texts).text;
}

/** Changes the words, the shapes or the glyphs of a move. */
export function annotate(notes, { words, shapes, nags }) {
  const texts = ["annotate", ...notes.comments.map((comment) => `c${plain(comment)}`)];
  if (words !== undefined) texts.push(`w${plain(words)}`);
  if (shapes !== undefined) {
    texts.push("d", ...shapes.map(({ from, to = from, color = "green" }) => `s${plain(from)} ${plain(to)} ${plain(color)}`));
    notes.shapes = shapes;
  }
  notes.comments = JSON.parse(fullEngineNow().text(...texts));
  if (words !== undefined) notes.words = String(words);
  if (nags !== undefined) notes.nags = nags;
  delete notes.order;
}

/** Makes a variation of a move the continuation of its line. What followed becomes the first variation. */
export function promote(line, at, number = 0) {
  const replaced = line.moves?.[at];
  const variation = replaced?.variations?.[number];
  const first = variation?.moves?.[0];
  if (!first) throw coded("bad-argument", new RangeError(`move ${at} of the line has no variation ${number} with moves`));
  const { moves, unread, comments = [], nags = [] } = variation;
  const others = replaced.variations.filter((other) => other !== variation);
  const old = { ...variation, comments: [], words: "", shapes: [], nags: [], moves: line.moves.splice(at), unread: line.unread };
  const begin = typeof first === "string" ? { san: first } : first;
  Object.assign(begin, {
    comments: [...comments, ...(begin.comments ?? [])],
    words: [variation.words, begin.words].filter(Boolean).join(" "),
    shapes: [...(variation.shapes ?? []), ...(begin.shapes ?? [])],
    nags: [...nags, ...(begin.nags ?? [])],
    variations: [old, ...others, ...(variation.variations ?? []), ...(begin.variations ?? [])],
  });
  old.variations = [];
  replaced.variations = [];
  for (const notes of [begin, replaced, old]) delete notes.order;
  line.moves.push(begin, ...moves.slice(1));
  line.unread = unread;
}
