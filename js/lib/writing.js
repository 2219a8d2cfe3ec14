// Games as PGN, and changes of games.

import { coded, wrongType } from "./errors.js";
import { checked, joined, pairsOf } from "./options.js";
import { fullEngineNow } from "./platform.js";

/** The most variations in one another. Deeper ones would not be read again. */
const DEEPEST = 256;

/** Whether a value is an object, and no list. */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a text for the module. A zero byte, which separates texts, is white space in a comment or a tag. */
function plain(text, what) {
  // Numbers are written as they are, such as ratings in tags.
  if (typeof text !== "string" && typeof text !== "number") throw wrongType(`${what} is a text, and not ${text === null ? "null" : typeof text}`);
  return String(text).replaceAll("\0", " ");
}

/** Returns a list, which is empty if it is not given. */
function listOf(given, what) {
  if (given !== undefined && given !== null && !Array.isArray(given)) throw wrongType(`${what} are given as a list`);
  return given ?? [];
}

/** The notes behind a move in the order of the text: `n` a glyph, `c` a comment, `v` a variation. */
function* notesOf({ nags, comments, variations, order = "" }) {
  if (typeof order !== "string") throw wrongType("the order of notes is not a text");
  const kinds = { n: listOf(nags, "nags"), c: listOf(comments, "comments"), v: listOf(variations, "variations") };
  const taken = { n: 0, c: 0, v: 0 };
  for (const kind of order) if (taken[kind] < kinds[kind]?.length) yield [kind, kinds[kind][taken[kind]++]];
  for (const kind of "ncv") while (taken[kind] < kinds[kind].length) yield [kind, kinds[kind][taken[kind]++]];
}

/** Adds the events of a line to the texts for the module. `depth` is the number of variations that it is in. */
function addLine(line, texts, depth = 0) {
  if (depth > DEEPEST) throw coded("bad-argument", new RangeError(`variations are nested more than ${DEEPEST} deep`));
  addNotes(line, texts, depth);
  for (const move of listOf(line.moves, "moves")) {
    const text = typeof move === "string" ? move : (move?.san ?? move?.uci);
    if (typeof text !== "string") throw wrongType("a move is a text, or an object with `san` or `uci`");
    texts.push(`m${plain(text)}`);
    if (typeof move === "object") addNotes(move, texts, depth);
  }
  for (const text of listOf(line.unread, "unread")) texts.push(`u${plain(text, "the text behind an error")}`);
}

function addNotes(notes, texts, depth) {
  for (const [kind, note] of notesOf(notes)) {
    if (kind === "n") texts.push(`$${note}`);
    else if (kind === "c") texts.push(`c${plain(note, "a comment")}`);
    else {
      if (!Array.isArray(note?.moves)) throw wrongType('a variation is an object with a list of moves, such as { moves: ["e6", "d4"] }');
      texts.push("(");
      addLine(note, texts, depth + 1);
      texts.push(")");
    }
  }
}

/** Returns the options of writing with texts for lists. */
const textual = (options) => (Array.isArray(options?.keepTags) ? { ...options, keepTags: joined("keepTags", options.keepTags) || "none" } : options);

/** Returns a game as PGN. */
export function writeGame(game, options = {}) {
  if (!isObject(game)) throw wrongType('a game is an object, such as one of `games`, or { moves: ["e4", "e5"] }');
  const line = game.line ?? game;
  const tags = game.tags ?? {};
  if (!isObject(line)) throw wrongType("the line of a game is an object");
  if (!isObject(tags)) throw wrongType("tags are an object");
  // A copy of a game that was read may have other moves than its line.
  const [start, moves] = [game.start ?? line.start, game.moves ?? line.moves];
  const texts = ["write"];
  const pairs = pairsOf(textual(options), []);
  for (let at = 0; at < pairs.length; at += 2) texts.push(`n${pairs[at]}`, `o${plain(pairs[at + 1])}`);
  for (const [name, value] of Object.entries(tags)) texts.push(`n${plain(name)}`, `t${plain(value, `the tag ${name}`)}`);
  if (start) texts.push(`f${plain(start, "a start")}`);
  // The tag Variant tells a variant that starts as Chess960 does.
  const isMixed = game.chess960 && game.variant !== "chess960";
  if (game.variant && !isMixed) texts.push(`g${plain(game.variant, "a variant")}`);
  texts.push(`r${plain(game.result ?? tags.Result ?? "*", "a result")}`);
  for (const comment of listOf(game.preface, "the comments of preface")) texts.push(`p${plain(comment, "a comment")}`);
  addLine({ ...line, moves }, texts);
  return fullEngineNow().call(texts).text;
}

/** Whether a value is the number of a glyph. */
const isGlyph = (nag) => Number.isInteger(nag) && nag >= 0 && nag <= 255;

/** Changes the words, the shapes or the glyphs of a move. */
export function annotate(notes, changes) {
  if (!isObject(notes)) throw wrongType("the move that is annotated is an object: one of a game, or { san }");
  const { words, shapes, nags } = checked(changes, ["words", "shapes", "nags"]);
  const texts = ["annotate", ...listOf(notes.comments, "comments").map((comment) => `c${plain(comment, "a comment")}`)];
  if (words !== undefined) texts.push(`w${plain(words, "words")}`);
  const drawn = listOf(shapes, "shapes");
  if (shapes !== undefined) texts.push("d", ...drawn.map(textOfShape));
  const glyphs = listOf(nags, "nags");
  for (const nag of glyphs) if (!isGlyph(nag)) throw wrongType("nags are whole numbers from 0 to 255");
  notes.comments = JSON.parse(fullEngineNow().text(...texts));
  if (words !== undefined) notes.words = String(words);
  if (shapes !== undefined) notes.shapes = drawn;
  if (nags !== undefined) notes.nags = glyphs;
  delete notes.order;
}

function textOfShape(shape) {
  if (!isObject(shape)) throw wrongType('a shape is an object, such as { from: "e2", to: "e4", color: "green" }');
  const { from, to = from, color = "green" } = shape;
  return `s${plain(from, "a square")} ${plain(to, "a square")} ${plain(color, "a colour")}`;
}

/** The numbers of a search. */
const SEARCH = ["eval", "depth", "time", "nodes"];

/** Gives the numbers of a promoted variation to where its comments are read again, of which the first one counts. */
function moveNumbers(variation, { begin, old, before }) {
  const isOwn = (variation.comments ?? []).some((comment) => comment.includes("[%eval"));
  const isOfSearch = SEARCH.some((name) => (variation[name] ?? null) !== null);
  for (const name of SEARCH) {
    if (isOwn) [begin[name], old[name]] = [variation[name] ?? begin[name] ?? null, null];
    // In engine matches, the comment of a move has the search in the position before it, where both lines begin.
    else if (isOfSearch) [before[name], old[name]] = [variation[name] ?? null, before[name] ?? null];
  }
  [begin.clk, old.clk] = [variation.clk ?? begin.clk ?? null, null];
}

/** Makes a variation of a move the continuation of its line. What followed becomes the first variation. */
export function promote(line, at, number = 0) {
  const replaced = line?.moves?.[at];
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
  moveNumbers(variation, { begin, old, before: line.moves.at(-1) ?? line });
  old.variations = [];
  replaced.variations = [];
  for (const notes of [begin, replaced, old]) delete notes.order;
  line.moves.push(begin, ...moves.slice(1));
  line.unread = unread;
}
