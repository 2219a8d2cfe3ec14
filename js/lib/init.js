// The package in a page, for bundlers and programs that cannot wait at the top level of a module: nothing is loaded before `init`.

import { usePlatform } from "./platform.js";
import { ofPages, wrapWorker } from "./shared.js";

/** Returns a module: it is given, or made of bytes, or loaded from an address. */
async function load(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  // Servers that do not know the type are common.
  const isTyped = response.headers.get("Content-Type") === "application/wasm";
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

let loading;

/** Loads the package. Further calls return the same promise, unless loading has failed. */
export function init(given = {}) {
  loading ??= start(given).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function start({ module, full, worker }) {
  const compiled = await load(module ?? new URL("./pgn2fen.wasm", import.meta.url));
  usePlatform({
    module: () => compiled,
    loadFull: () => load(full ?? new URL("./pgn2fen-full.wasm", import.meta.url)),
    startWorker: () => wrapWorker(worker ? worker() : new Worker(new URL("./worker.js", import.meta.url), { type: "module" })),
    ...ofPages,
  });
}

export * from "./api.js";
