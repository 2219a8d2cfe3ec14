// The steps in which an input is read: now, on the calling thread, or later, by workers.

import { bytesReader, inMemory } from "./inputs.js";
import { platform } from "./platform.js";
import { read } from "./reading.js";
import { steps } from "./run.js";

/** The size up to which an input in memory is read at once, in bytes. It takes less time than a worker needs to start. */
const SHORT = 64 * 1024;

/** Reads an input that is in memory on the calling thread. */
export function* stepsNow(given, job, { name, signal } = {}) {
  const input = inMemory(given, name);
  if (!input) throw new TypeError("only text and bytes can be read at once; use `for await`, or an asynchronous method");
  for (const step of steps(platform.engine, bytesReader(input.bytes), input.size, { ...job, name: input.name })) {
    signal?.throwIfAborted();
    yield step;
  }
}

/** Reads any input without blocking the calling thread. */
export async function* stepsLater(given, job, options = {}) {
  const input = inMemory(given, options.name);
  if (input && input.size <= SHORT && job.format !== "arrow" && !looksCompressed(input.bytes)) yield* stepsNow(given, job, options);
  else yield* read(given, job, options);
}

const looksCompressed = (bytes) => bytes.length > 2 && !/[\s\w[\]{}();%#*"\u00ef\u00fe\u00ff]/.test(String.fromCharCode(bytes[0]));
