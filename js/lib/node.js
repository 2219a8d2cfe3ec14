// The package in Node.

import { readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { unreadable } from "./errors.js";
import { usePlatform } from "./platform.js";

/** Describes a file on the disk. */
async function fileOf(url) {
  try {
    const path = fileURLToPath(url);
    const { size } = await stat(path);
    return { name: basename(path), path, size };
  } catch (error) {
    throw unreadable(error.message, error);
  }
}

/** Shares bytes with all workers. A Blob is read into memory, because its bytes come late in Node. */
async function shared(input) {
  if (input.path !== undefined) return input;
  const { blob, size, ...rest } = input;
  const bytes = input.bytes ?? new Uint8Array(await blob.arrayBuffer());
  if (size <= 1024 * 1024 || bytes.buffer instanceof SharedArrayBuffer) return { ...rest, size, bytes };
  const common = new Uint8Array(new SharedArrayBuffer(size));
  common.set(bytes);
  return { ...rest, size, bytes: common };
}

function startWorker() {
  // The options of this process are not those of the worker: with `node --input-type=module -e …`, it would not start.
  const worker = new Worker(new URL("./worker-node.js", import.meta.url), { execArgv: [] });
  worker.unref();
  let waiting = 0;
  return {
    // Node goes on as long as an answer is expected.
    post: (message, transfer) => {
      if (waiting++ === 0) worker.ref();
      worker.postMessage(message, transfer);
    },
    listen: (listener) =>
      worker.on("message", (message) => {
        if (--waiting === 0) worker.unref();
        listener(message);
      }),
    fail: (listener) => worker.on("error", listener),
    end: () => worker.terminate(),
  };
}

let module;

usePlatform({
  // Nothing waits at the top level, so that the package can be required.
  module: () => (module ??= new WebAssembly.Module(readFileSync(new URL("./pgn2fen-full.wasm", import.meta.url)))),
  isFull: true,
  startWorker,
  cores: availableParallelism,
  nextTask: () => new Promise((resolve) => setImmediate(resolve)),
  shared,
  fileOf,
  bytesOf: ({ path }) => readFile(path),
});

export * from "./api.js";
