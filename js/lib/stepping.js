// The steps in which an input is read: now, on the calling thread, or later, by workers.

import { named, wrongType } from "./errors.js";
import { beginsCompressed, bytesReader, encodingOf, inMemory } from "./inputs.js";
import { isPauseDue, pause } from "./pausing.js";
import { fullEngineNow } from "./platform.js";
import { read } from "./reading.js";
import { passed, steps } from "./run.js";

/** The size up to which an input in memory is read at once, in bytes. That takes less time than a worker needs to start. */
export const SHORT = 64 * 1024;

/** Reads an input that is in memory on the calling thread. */
export function* stepsNow(given, job, { name, signal, onProgress } = {}) {
  const input = inMemory(given, name);
  if (!input) throw wrongType("only text and bytes can be read at once; use `for await`, or an asynchronous method");
  const whole = { ...job, name: input.name, encoding: encodingOf(input, job.encoding) };
  for (const step of ownSteps(fullEngineNow(), input, whole)) {
    const told = passed(step, input, onProgress);
    signal?.throwIfAborted();
    yield told;
  }
  signal?.throwIfAborted();
}

/** Yields the steps of a job, and names the input in its errors. Those of the caller do not come from here. */
function* ownSteps(engine, input, job) {
  try {
    yield* steps(engine, bytesReader(input.bytes), input.size, job);
  } catch (error) {
    throw named(error, input.name);
  }
}

/** Reads any input without blocking the calling thread. */
export async function* stepsLater(given, job, options = {}) {
  const { name, signal } = options;
  const input = inMemory(given, name);
  const isShort = input && input.size <= SHORT && !beginsCompressed(input.bytes);
  const isNow = isShort && fullEngineNow({ orNull: true });
  for await (const step of isNow ? stepsNow(given, job, options) : read(given, job, options)) {
    if (isPauseDue()) await pause();
    signal?.throwIfAborted();
    yield step;
  }
  signal?.throwIfAborted();
}

/** Yields the items of groups one by one, until a signal is aborted. */
export function* itemsNow(groups, signal) {
  for (const group of groups) {
    for (const item of group) {
      signal?.throwIfAborted();
      yield item;
    }
  }
}

/** Yields the items of groups one by one, until a signal is aborted, without blocking the calling thread. */
export async function* itemsLater(groups, signal) {
  for await (const group of groups) {
    for (const item of group) {
      if (isPauseDue()) await pause();
      signal?.throwIfAborted();
      yield item;
    }
  }
}
