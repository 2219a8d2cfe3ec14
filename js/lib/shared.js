// What all pages need: workers and shared inputs.

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
export async function shared(input) {
  const { bytes, ...rest } = input;
  return bytes && input.size > 1024 * 1024 ? { ...rest, blob: new Blob([bytes]) } : input;
}
