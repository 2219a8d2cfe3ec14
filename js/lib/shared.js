// What all pages need: workers, and what a page provides for the package.

/** Wraps a worker. */
export function wrapWorker(worker) {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen: (listener) => worker.addEventListener("message", ({ data }) => listener(data)),
    fail: (listener) => worker.addEventListener("error", (event) => listener(new Error(event.message || "the worker cannot be started"))),
    end: () => worker.terminate(),
  };
}

/** Workers read a Blob wherever they want; a copy for each of them would take much memory. */
async function shared(input) {
  const { bytes, ...rest } = input;
  return bytes && input.size > 1024 * 1024 ? { ...rest, blob: new Blob([bytes]) } : input;
}

/** Waits for the next task. A timer would wait for 4 milliseconds. */
function nextTask() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** What every page provides for the package in the same way: see `Platform`. */
export const ofPages = { cores: () => navigator.hardwareConcurrency || 1, nextTask, shared };
