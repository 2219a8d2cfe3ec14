// The beginning of the page: loads the engine and then everything else. A page that was opened as a file may neither fetch nor start workers
// from other files, so the modules are also there as scripts, and the worker is made of a text.

import { usePlatform } from "../../js/lib/platform.js";
import { ofPages, wrapWorker } from "../../js/lib/shared.js";
import WORKER from "worker-text";

/** Loads a script that holds a module as text, and returns its bytes. */
function fromScript(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${name}.wasm.js`;
    script.onload = () => resolve(Uint8Array.from(atob(globalThis.pgn2fenModules[name]), (letter) => letter.charCodeAt(0)));
    script.onerror = () => reject(new Error(`${script.src} is missing`));
    document.head.append(script);
  });
}

async function load(name) {
  if (location.protocol === "file:") return WebAssembly.compile(await fromScript(name));
  const response = await fetch(`${name}.wasm`);
  if (!response.ok) throw new Error(`${name}.wasm: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function boot() {
  const module = await load("pgn2fen");
  usePlatform({
    module: () => module,
    loadFull: () => load("pgn2fen-full"),
    startWorker: () => {
      const address = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
      const worker = new Worker(address);
      URL.revokeObjectURL(address);
      return wrapWorker(worker);
    },
    ...ofPages,
  });
  await import("./main.js");
}

boot().catch((error) => {
  const trouble = document.getElementById("trouble");
  trouble.hidden = false;
  trouble.firstElementChild.textContent = `The page cannot start: ${error.message}`;
});
