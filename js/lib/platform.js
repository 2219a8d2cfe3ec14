// What differs between Node, pages and bundles. An entry of the package sets it before anything else is used.

import { Engine } from "./engine.js";

/**
 * @typedef {object} Platform
 * @property {() => Promise<WebAssembly.Module>} loadFull loads the module that has everything
 * @property {() => { post: Function, listen: Function, fail: Function, end: Function }} startWorker starts a worker
 * @property {() => number} cores the number of workers that can run at once
 * @property {(input: object) => Promise<object>} shared returns the same input in a form that workers can read at once
 * @property {(url: URL) => Promise<object>} [fileOf] describes a file on the disk as an input
 * @property {(input: object) => Promise<Uint8Array>} [bytesOf] reads such a file
 * @property {Engine} engine an instance of the module for positions and games in memory
 */

/** @type {Platform} */
export const platform = {};

let loading;
let full = null;

/** Sets what an entry of the package provides: a module with positions and games, or with everything. */
export function usePlatform({ module, isFull = false, ...provided }) {
  Object.assign(platform, provided, { engine: new Engine(module) });
  if (isFull) {
    full = platform.engine;
    loading = Promise.resolve(module);
  }
}

/** Returns the full module, which is loaded when it is first needed. */
export function fullModule() {
  loading ??= platform.loadFull().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/**
 * Loads the part of the package that pages load late, so that text and bytes can then be read at once by every function. The other functions
 * load it by themselves. In Node it is always there.
 */
export async function load() {
  full ??= new Engine(await fullModule());
}

/** Returns the instance of the full module on this thread. */
export function fullEngineNow({ orNull = false } = {}) {
  if (!full && !orNull) throw new Error("this part of the package is loaded late: `await load()` first, or use `for await` or an asynchronous method");
  return full;
}
