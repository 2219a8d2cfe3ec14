// The worker of Node.

import { closeSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { serve } from "./worker-core.js";

function pathReader(path) {
  const file = openSync(path, "r");
  return { read: (offset, into) => readSync(file, into, 0, into.length, offset), close: () => closeSync(file) };
}

serve({ listen: (listener) => parentPort.on("message", listener), post: (message, transfer) => parentPort.postMessage(message, transfer) }, { pathReader });
