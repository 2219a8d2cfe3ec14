// Options of the functions: those of the list as pairs of texts for the module, and those that the package handles itself.

import { coded, wrongType } from "./errors.js";
import { OPTIONS } from "./option-names.js";
import { camel } from "./spelling.js";

/** Options of all functions that read an input: a check of the value, and what it must be. */
const RUN = {
  name: [(value) => typeof value === "string", "a text"],
  signal: [(value) => typeof value.addEventListener === "function" && "aborted" in value, "the signal of an AbortController"],
  onProgress: [(value) => typeof value === "function", "a function"],
  workers: [(value) => Number.isSafeInteger(value) && value > 0, "a whole number from 1"],
};

/** Options that are texts in all functions that have them. */
const TEXTS = new Set(["lang", "setup", "encoding", "evals", "variant", "ep", "castling", "fenStyle"]);

/** The words of `onError`. The module has one for programs that are not in JavaScript. */
const ON_ERROR = ["keep", "drop", "stop"];

/** What the package tells the module in the form of options. */
const INTERNAL = new Set(["header", "tag_names"]);

/** `maxGames` → `max_games`. */
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns a value as the text that the module reads. */
function textOf(name, value) {
  const isNumber = typeof value === "number" && !Number.isNaN(value);
  if (isNumber || ["string", "boolean", "bigint"].includes(typeof value)) return String(value);
  const what = value === null ? "null" : typeof value === "number" ? "NaN" : typeof value;
  throw wrongType(`${name}: ${what} is neither a text nor a number`);
}

/** Returns a list as a text with commas. */
export const joined = (name, list) => list.map((item) => textOf(name, item)).join(",");

/** Returns the values of an option that is no range. `option` is its entry, if it is one of the list. */
function valuesOf(name, value, option) {
  if (!Array.isArray(value)) return [textOf(name, value)];
  if (option?.isList) return value.map((item) => textOf(name, item));
  if (option) throw wrongType(`${name} is a list, but must be a single value`);
  // The module refuses the name, or else the value.
  return [`[${value}]`];
}

/** `[8, null]` → `8..` */
function rangeOf(name, value) {
  if (!Array.isArray(value)) return textOf(name, value);
  if (value.length !== 2) throw wrongType(`${name}: a range is a pair of numbers, of which one may be null`);
  return `${value[0] ?? ""}..${value[1] ?? ""}`;
}

/** Returns the number of letters that differ between two words. */
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (let at = 0; at < other.length; at++) next.push(Math.min(row[at + 1] + 1, next[at] + 1, row[at] + (letter === other[at] ? 0 : 1)));
    row = next;
  }
  return row[other.length];
}

/** Returns the error of an option that a function does not have, with the name that may have been meant. */
function noOption(name, names) {
  const [nearest] = names.filter((known) => distance(name.toLowerCase(), known.toLowerCase()) <= Math.max(1, name.length / 3));
  return coded("bad-argument", new Error(`there is no option '${name}'${nearest ? `; did you mean ${nearest}?` : ""}`));
}

/** Yields the options that are given. An option that is undefined or null is not. */
function* given(options) {
  if (typeof options !== "object" || options === null) throw wrongType("options are given as an object");
  for (const [name, value] of Object.entries(options)) if (value !== undefined && value !== null) yield [name, value];
}

/**
 * Returns the options of a function that has only these.
 * @param {object} options
 * @param {string[]} names
 */
export function checked(options, names) {
  const known = {};
  for (const [name, value] of given(options)) {
    if (!names.includes(name)) throw noOption(name, names);
    check(name, value);
    known[name] = value;
  }
  return known;
}

/** Refuses values that the module would not see, or of which it would not tell the option. */
function check(name, value) {
  const [isRight, what] = (Object.hasOwn(RUN, name) && RUN[name]) || [];
  if (isRight && !isRight(value)) throw wrongType(`${name} is not ${what}`);
  if (TEXTS.has(name) && typeof value !== "string") throw wrongType(`${name} is not a text`);
  if (name === "onError" && !ON_ERROR.includes(value)) {
    throw coded("bad-argument", new Error(`onError is '${String(value)}', but must be one of ${ON_ERROR.join(", ")}`));
  }
}

/**
 * Returns options as a flat list of names and values. The module knows which of them a function has.
 * @param {Record<string, unknown>} options
 * @param {string[]} own options that the function handles itself
 * @returns {string[]}
 */
export function pairsOf(options, own = Object.keys(RUN)) {
  const pairs = [];
  for (const [name, value] of given(options)) {
    check(name, value);
    if (own.includes(name)) continue;
    const known = snake(name);
    if (INTERNAL.has(known)) throw noOption(name, []);
    // The names of other languages are none here.
    if (name.includes("_")) throw noOption(name, Object.hasOwn(OPTIONS, name) ? [camel(name)] : []);
    const option = Object.hasOwn(OPTIONS, known) ? OPTIONS[known] : undefined;
    if (option?.missing) throw coded("bad-argument", new Error(`there is no option '${name}' in JavaScript: ${option.missing}`));
    const values = option?.isRange ? [rangeOf(name, value)] : valuesOf(name, value, option);
    for (const text of values) pairs.push(known, text);
  }
  return pairs;
}

/** The options of a function that reads an input and has columns as an option. */
export const WITH_COLUMNS = [...Object.keys(RUN), "columns"];

/** Returns a list of columns as the text that the module reads, or null for the usual columns. */
export function columnsOf(columns) {
  if (columns === undefined || columns === null) return null;
  return Array.isArray(columns) ? joined("columns", columns) : textOf("columns", columns);
}

/** Returns the name of a format. */
export function formatOf(format, usual) {
  if (format !== undefined && format !== null && typeof format !== "string") throw wrongType("a format is a text, such as csv");
  return format ?? usual;
}
