// Reading an input with workers: from its start to its end with one, or in tiles with several, in order.

import { named } from "./errors.js";
import { giveBack, takeHand } from "./pool.js";
import { fullModule, platform } from "./platform.js";
import { encodingOf, opened } from "./inputs.js";
import { hasWildcards, largestOf, LARGEST, passed } from "./run.js";
import { cancelled, onAbort } from "./signal.js";
import { tilesOf } from "./tiling.js";

/** The size from which on several workers read a file, in bytes. */
const WORTH_SHARING = 2 * LARGEST;

/** Formats whose first line has the names of the columns. */
const HAS_HEADER = new Set(["csv", "tsv"]);

/** Options that need the order of the whole file. */
const NEEDS_ORDER = new Set(["unique", "max_games", "memory", "tournament"]);

function needsOrder({ kind, format, pairs }) {
  const names = pairs.filter((_, at) => at % 2 === 0);
  const stops = pairs.some((value, at) => at % 2 === 1 && pairs[at - 1] === "on_error" && value === "stop");
  return kind === "starts" || kind === "tree" || ["arrow", "binpack", "html", "anki"].includes(format) || stops || names.some((name) => NEEDS_ORDER.has(name));
}

/**
 * Reads an input. Yields steps like `steps` of run.js, in the order of the file.
 * @param {{ signal?: AbortSignal, onProgress?: Function, workers?: number, name?: string }} options
 */
export async function* read(given, job, { signal, onProgress, workers, name } = {}) {
  if (signal?.aborted) throw cancelled(signal);
  const input = await platform.shared(await opened(given, platform, { name, signal }));
  const most = Math.max(1, Math.min(workers ?? platform.cores(), 16));
  const whole = { ...job, name: input.name, encoding: encodingOf(input, job.encoding) };
  const module = await fullModule();
  signal?.throwIfAborted();
  const isShared = most > 1 && input.size >= WORTH_SHARING && input.member === undefined && !needsOrder(whole);
  const all = isShared ? inTiles(input, whole, module, most, signal) : inOrder(input, whole, module, signal);
  for await (const step of ownSteps(all, input.name, signal)) yield passed(step, input, onProgress);
}

/** Yields steps, and names the input in their errors. The reason of a signal comes out as it is. */
async function* ownSteps(all, name, signal) {
  try {
    yield* all;
  } catch (error) {
    signal?.throwIfAborted();
    throw named(error, name);
  }
}

/** Reads an input with one worker. */
async function* inOrder(input, job, module, signal) {
  const hand = takeHand(module);
  let isWell = false;
  const stop = onAbort(signal, (reason) => hand.end(reason));
  try {
    const id = await hand.ask("begin", { input, job });
    // The next step is made while the caller uses this one.
    let next = hand.ask("step", { id });
    for (;;) {
      const step = await next;
      if (!step) break;
      next = hand.ask("step", { id });
      next.catch(() => {});
      yield step;
    }
    await hand.ask("close", { id });
    isWell = true;
  } finally {
    stop();
    if (isWell) giveBack(module, hand);
    else hand.end();
  }
}

/** Reads a file with several workers, each of which takes one tile after another. */
async function* inTiles(input, job, module, most, signal) {
  const size = largestOf(job);
  const tiles = Math.ceil(input.size / size);
  const count = Math.min(most, tiles);
  const hands = Array.from({ length: count }, () => takeHand(module));
  const end = (reason) => hands.forEach((hand) => hand.end(reason));
  let isWell = false;
  const stop = onAbort(signal, end);
  try {
    const sources = await Promise.all(hands.map((hand) => hand.ask("open", { input, encoding: job.encoding })));
    if (!sources[0].isPlain) {
      await Promise.all(hands.map((hand, at) => hand.ask("close", { id: sources[at].id })));
      isWell = true;
      yield* inOrder(input, job, module, signal);
      return;
    }
    const tags = hasWildcards(job.pairs) ? ["tag_names", await hands[0].ask("tags", { id: sources[0].id })] : [];
    const ends = Array.from({ length: tiles }, (_, tile) => Math.min((tile + 1) * size, input.size));
    const run = async (hand, before, place, tile) => {
      const pairs = [...job.pairs, ...tags, ...(tile && HAS_HEADER.has(job.format) ? ["header", "false"] : [])];
      return { tile, place, ...(await hand.ask("run", { job: { ...job, pairs }, before })) };
    };
    const totals = { games: 0, chosen: 0, positions: 0, errors: 0, warnings: 0 };
    let counts = null;
    let missing = null;
    for await (const { tile, place, state, bytes, rest, end: last, columns } of tilesOf(hands, sources, ends, run)) {
      for (const name of Object.keys(totals)) totals[name] += state[name];
      counts = counts ? counts.map((count, at) => count + last.counts[at]) : last.counts;
      missing = missing ? missing.filter(([name]) => last.missing.some(([other]) => other === name)) : last.missing;
      if (tile === 0) yield { columns };
      yield { bytes, state: { ...state, ...totals }, read: place.end };
      if (rest.length) yield { bytes: rest };
      if (state.failure) break;
    }
    const hints = counts ? JSON.parse(await hands[0].ask("hints", { counts, missing: missing.map(([, hint]) => hint), pairs: job.pairs })) : [];
    yield { bytes: new Uint8Array(), end: { hints, isStopped: false } };
    await Promise.all(hands.map((hand, at) => hand.ask("close", { id: sources[at].id })));
    isWell = true;
  } finally {
    stop();
    if (isWell) hands.forEach((hand) => giveBack(module, hand));
    else end();
  }
}
