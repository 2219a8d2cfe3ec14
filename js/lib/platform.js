// What differs between Node, pages and bundles. An entry of the package sets it before anything else is used.

import { Engine } from "./engine.js";
import { coded } from "./errors.js";

/**
 * @typedef {object} Platform
 * @property {() => Promise<WebAssembly.Module>} loadFull loads the module that has everything
 * @property {() => { post: Function, listen: Function, fail: Function, end: Function }} startWorker starts a worker
 * @property {() => number} cores the number of workers that can run at once
 * @property {(input: object) => Promise<object>} shared returns the same input in a form that workers can read at once
 * @property {() => Promise<void>} nextTask waits for the next task of the event loop
 * @property {(url: URL) => Promise<object>} [fileOf] describes a file on the disk as an input
 * @property {(input: object) => Promise<Uint8Array>} [bytesOf] reads such a file
 * @property {Engine} engine an instance of the module for positions and games in memory
 */

/** Returns the module with positions and games. */
let compiled = () => {
  throw coded("not-loaded", new Error("pgn2fen is not loaded: `await init()` first"));
};
let engine;
/** Whether this module has everything. */
let isWhole = false;
let loading;
let full = null;

/** @type {Platform} */
export const platform = {
  get engine() {
    return (engine ??= new Engine(compiled()));
  },
};

/** Sets what an entry of the package provides. `module()` returns a module with positions and games, or with everything. It is called when it is first needed. */
export function usePlatform({ module, isFull = false, ...provided }) {
  Object.assign(platform, provided);
  [compiled, engine, isWhole] = [module, undefined, isFull];
}

/** Returns the full module, which is loaded when it is first needed. */
export function fullModule() {
  if (isWhole) return (loading ??= new Promise((resolve) => resolve(compiled())));
  loading ??= platform.loadFull().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/**
 * Loads the part of the package that pages load late, so that text and bytes can then be read at once by every function, and positions and games
 * be those of variants. The other functions load it by themselves. In Node it is always there.
 */
export async function load() {
  if (!isWhole) engine = full ??= new Engine(await fullModule());
}

/** Returns the instance of the full module on this thread. */
export function fullEngineNow({ orNull = false } = {}) {
  if (isWhole) return platform.engine;
  if (!full && !orNull) throw coded("not-loaded", new Error("this part of the package is loaded late: `await load()` first, or use `for await` or an asynchronous method"));
  return full;
}
