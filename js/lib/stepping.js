// The steps in which an input is read: now, on the calling thread, or later, by workers.

import { named, wrongType } from "./errors.js";
import { beginsCompressed, bytesReader, inMemory } from "./inputs.js";
import { fullEngineNow } from "./platform.js";
import { read } from "./reading.js";
import { passed, steps } from "./run.js";

/** The size up to which an input in memory is read at once, in bytes. That takes less time than a worker needs to start. */
export const SHORT = 64 * 1024;

/** Reads an input that is in memory on the calling thread. */
export function* stepsNow(given, job, { name, signal, onProgress } = {}) {
  const input = inMemory(given, name);
  if (!input) throw wrongType("only text and bytes can be read at once; use `for await`, or an asynchronous method");
  const engine = fullEngineNow();
  try {
    for (const step of steps(engine, bytesReader(input.bytes), input.size, { ...job, name: input.name })) {
      signal?.throwIfAborted();
      yield passed(step, input, onProgress);
    }
  } catch (error) {
    throw named(error, input.name);
  }
}

/** Reads any input without blocking the calling thread. */
export async function* stepsLater(given, job, options = {}) {
  const input = inMemory(given, options.name);
  const isShort = input && input.size <= SHORT && !beginsCompressed(input.bytes);
  if (isShort && fullEngineNow({ orNull: true })) yield* stepsNow(given, job, options);
  else yield* read(given, job, options);
}
