// A file that is shared out to workers in tiles, which meet exactly and whose results come in the order of the file.

import { linesAfter } from "./run.js";

/**
 * Yields the result of each tile. A tile begins where the one before ends, and ends behind one of the offsets `ends`. Its worker finds it and
 * counts its games while others are read, and then calls `read` with the numbers of what stands before it and its place. Only a few tiles are
 * begun before the last one has been taken.
 * @template T
 * @param {import("./pool.js").Hand[]} hands the workers
 * @param {{ id: number }[]} sources the file, as each worker has opened it
 * @param {number[]} ends
 * @param {(hand: import("./pool.js").Hand, before: { games: number, lines: [number, number] }, place: object, tile: number) => Promise<T>} read
 * @param {() => boolean} isStopped whether no more tiles are begun
 */
export async function* tilesOf(hands, sources, ends, read, isStopped = () => false) {
  let last = Promise.resolve({ end: 0 });
  let before = Promise.resolve({ games: 0, lines: [0, 0] });
  const free = hands.map(() => Promise.resolve());
  const begun = [];
  for (const [tile, end] of ends.entries()) {
    if (isStopped()) break;
    const at = tile % hands.length;
    const hand = hands[at];
    const place = Promise.all([last, free[at]]).then(([{ end: start }]) => hand.ask("tile", { id: sources[at].id, start, end }));
    const counted = place.then(() => hand.ask("count"));
    const numbers = Promise.all([before, place, counted]);
    const result = numbers.then(([known, found]) => read(hand, known, found, tile));
    last = place;
    before = numbers.then(([{ games, lines }, { lines: more }, number]) => ({ games: games + number, lines: linesAfter(lines, more) }));
    free[at] = result;
    for (const promise of [place, counted, before, result]) promise.catch(() => {});
    begun.push(result);
    if (begun.length > hands.length) yield begun.shift();
  }
  yield* begun;
}
