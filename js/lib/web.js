// The package in a page or a bundle for pages.

import { usePlatform } from "./platform.js";
import { shared, wrapWorker } from "./shared.js";

/** Loads a module. Servers that do not know its type are common. */
async function load(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  const isTyped = response.headers.get("Content-Type") === "application/wasm";
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

usePlatform({
  module: await load(new URL("./pgn2fen.wasm", import.meta.url)),
  loadFull: () => load(new URL("./pgn2fen-full.wasm", import.meta.url)),
  startWorker: () => wrapWorker(new Worker(new URL("./worker.js", import.meta.url), { type: "module" })),
  cores: () => navigator.hardwareConcurrency || 1,
  shared,
});

export * from "./api.js";
