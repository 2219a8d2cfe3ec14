/** What a program provides in place of the files beside the package. */
export interface InitOptions {
  /** The small module, `pgn2fen/pgn2fen.wasm`, or its address. */
  module?: ModuleSource;
  /** The module with everything, `pgn2fen/pgn2fen-full.wasm`, or its address. It is loaded when it is first needed. */
  full?: ModuleSource;
  /** Starts a worker with `pgn2fen/worker.js`. */
  worker?: () => Worker;
}

export type ModuleSource = string | URL | Response | ArrayBuffer | Uint8Array | WebAssembly.Module;

/** Loads the package, before anything else of it is used. In Node it does nothing. */
export function init(options?: InitOptions): Promise<void>;

export * from "./index.js";
