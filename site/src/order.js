// The order of the list: by a column, upwards or downwards. Games without a value come last.

import { fold } from "./filter.js";
import { inSlices, sortInSlices } from "./slices.js";

/** The columns that are numbers, and the key of a result. */
const NUMBERS = new Set(["WhiteElo", "BlackElo", "plies"]);
const RESULTS = { "1-0": 1, "1/2-1/2": 2, "0-1": 3 };

/** Returns a number for each game, by which the column is sorted: 0 where there is no value. Texts get their place among all texts. */
async function keysOf(collection, column, size, signal) {
  const keys = new Float64Array(size);
  if (column === "result" || NUMBERS.has(column)) {
    const value = column === "result" ? (index) => RESULTS[collection.result(index)] ?? 0 : (index) => collection.number(column, index);
    return (await inSlices(0, size, (index) => (keys[index] = value(index)), signal)) ? keys : null;
  }
  const places = new Map();
  const texts = [];
  const note = (index) => {
    const text = fold(collection.text(column, index));
    if (!places.has(text)) {
      places.set(text, texts.length);
      texts.push(text);
    }
    keys[index] = places.get(text);
  };
  if (!(await inSlices(0, size, note, signal))) return null;
  const order = await sortInSlices(Uint32Array.from(texts.keys()), (a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0), signal);
  if (!order) return null;
  const rank = new Float64Array(texts.length);
  order.forEach((place, at) => (rank[place] = /^[?.\s]*$/.test(texts[place]) ? 0 : at + 1));
  return (await inSlices(0, size, (index) => (keys[index] = rank[keys[index]]), signal)) ? keys : null;
}

/** Sorts the indices of games in slices. Returns null if the signal ended it. */
export async function sorted(collection, indices, { column, isDown }, signal) {
  if (column === "number") return isDown ? indices.slice().reverse() : indices;
  const keys = await keysOf(collection, column, collection.size, signal);
  if (!keys) return null;
  const compare = (a, b) => {
    const [x, y] = [keys[a], keys[b]];
    if (!x || !y) return x === y ? a - b : y ? 1 : -1;
    return (isDown ? y - x : x - y) || a - b;
  };
  return sortInSlices(indices, compare, signal);
}
