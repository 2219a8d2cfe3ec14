// What differs between Node, pages and bundles. An entry of the package sets it before anything else is used.

import { Engine } from "./engine.js";

/**
 * @typedef {object} Platform
 * @property {WebAssembly.Module} module the module
 * @property {() => Promise<WebAssembly.Module>} loadFull loads the module that also reads compressed input and writes Arrow
 * @property {() => { post: Function, listen: Function, fail: Function, end: Function }} startWorker starts a worker
 * @property {() => number} cores the number of workers that can run at once
 * @property {(input: object) => Promise<object>} shared returns the same input in a form that workers can read at once
 * @property {(url: URL) => Promise<object>} [fileOf] describes a file on the disk as an input
 * @property {Engine} engine the instance of the calling thread
 */

/** @type {Platform} */
export const platform = {};

/** Sets what an entry of the package provides. */
export function usePlatform(provided) {
  Object.assign(platform, provided, { engine: new Engine(provided.module) });
}

let full;

/** Returns the full module, which is loaded when it is first needed. */
export function fullModule() {
  full ??= platform.loadFull().catch((error) => {
    full = undefined;
    throw error;
  });
  return full;
}
