// The package in a page or a bundle for pages.

import { usePlatform } from "./platform.js";

/** Loads a module. Servers that do not know its type are common. */
async function load(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  const isTyped = response.headers.get("Content-Type") === "application/wasm";
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

export function wrapWorker(worker) {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen: (listener) => worker.addEventListener("message", ({ data }) => listener(data)),
    fail: (listener) => worker.addEventListener("error", (event) => listener(new Error(event.message || "the worker cannot be started"))),
    end: () => worker.terminate(),
  };
}

/** Workers read a Blob wherever they want; a copy for each of them would take much memory. */
export const shared = async (input) => (input.bytes && input.size > 1024 * 1024 ? { name: input.name, size: input.size, blob: new Blob([input.bytes]) } : input);

usePlatform({
  module: await load(new URL("./pgn2fen.wasm", import.meta.url)),
  loadFull: () => load(new URL("./pgn2fen-full.wasm", import.meta.url)),
  startWorker: () => wrapWorker(new Worker(new URL("./worker.js", import.meta.url), { type: "module" })),
  cores: () => navigator.hardwareConcurrency || 1,
  shared,
});

export * from "./api.js";
