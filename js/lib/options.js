// Options of the functions, as pairs of texts for the module.

import { wrongType } from "./errors.js";
import { OPTIONS } from "./option-names.js";

/** Options that this package handles itself. */
const OWN = new Set(["name", "signal", "onProgress", "workers", "columns"]);

/** `maxGames` → `max_games`. */
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `[8, null]` → `8..` */
function rangeOf(value) {
  if (!Array.isArray(value)) return String(value);
  if (value.length !== 2) throw wrongType("a range is a pair of numbers, of which one may be null");
  return `${value[0] ?? ""}..${value[1] ?? ""}`;
}

/**
 * Returns the options as a flat list of names and values. An option that is undefined or null is not given.
 * @param {Record<string, unknown>} options
 * @returns {string[]}
 */
export function pairsOf(options = {}) {
  const pairs = [];
  for (const [name, value] of Object.entries(options)) {
    if (OWN.has(name) || value === undefined || value === null) continue;
    const given = snake(name);
    if (OPTIONS[given]?.isRange) pairs.push(given, rangeOf(value));
    else if (Array.isArray(value)) for (const item of value) pairs.push(given, String(item));
    else pairs.push(given, String(value));
  }
  return pairs;
}

/** Returns a list of columns as the text that the module reads, or null for the usual columns. */
export function columnsOf(columns) {
  if (columns === undefined || columns === null) return null;
  return Array.isArray(columns) ? columns.join(",") : String(columns);
}
