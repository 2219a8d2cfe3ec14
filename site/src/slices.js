// Long work in slices, so that the page answers to clicks and keys meanwhile.

/** The time in milliseconds after which a slice ends. */
const SLICE = 10;

const pause = () => (globalThis.scheduler?.yield ? scheduler.yield() : new Promise((resolve) => setTimeout(resolve)));

/** Calls `act` with each number from `from` to `to - 1`, in slices. Returns false if the signal ended it. */
export async function inSlices(from, to, act, signal) {
  let started = performance.now();
  for (let at = from; at < to; at++) {
    act(at);
    if (at % 64 === 0 && performance.now() - started > SLICE) {
      await pause();
      started = performance.now();
    }
    if (signal?.aborted) return false;
  }
  return true;
}

const RUN = 512;

/** Sorts an array in slices: short runs first, then merges. Returns a sorted copy, or null if the signal ended it. */
export async function sortInSlices(array, compare, signal) {
  let [source, target] = [array.slice(), array.slice()];
  const length = source.length;
  const runs = Math.ceil(length / RUN);
  const sortRun = (run) => {
    const sorted = Array.from(source.slice(run * RUN, (run + 1) * RUN)).sort(compare);
    sorted.forEach((value, at) => (source[run * RUN + at] = value));
  };
  let started = performance.now();
  for (let run = 0; run < runs; run++) {
    sortRun(run);
    if (performance.now() - started > SLICE) {
      await pause();
      started = performance.now();
    }
    if (signal?.aborted) return null;
  }
  for (let width = RUN; width < length; width *= 2) {
    let [left, right, start] = [0, width, 0];
    const isDone = await inSlices(
      0,
      length,
      (at) => {
        if (at === start + 2 * width) [start, left, right] = [at, at, at + width];
        const [middle, end] = [Math.min(start + width, length), Math.min(start + 2 * width, length)];
        const isLeft = left < middle && (right >= end || compare(source[left], source[right]) <= 0);
        target[at] = source[isLeft ? left++ : right++];
      },
      signal,
    );
    if (!isDone) return null;
    [source, target] = [target, source];
  }
  return source;
}

/** Calls `act` once, when there were no further calls for some milliseconds. */
export function debounced(act, milliseconds) {
  let timer = null;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  };
}
