// Signals that end what is going on.

/** The reason of an aborted signal, whatever it is; without a signal, an error like that of fetch(). */
export const cancelled = (signal) => (signal ? signal.reason : new DOMException("The run was cancelled", "AbortError"));

/** Calls `fail` when a signal is aborted. Returns a function that stops listening. */
export function onAbort(signal, fail) {
  if (!signal) return () => {};
  if (signal.aborted) throw cancelled(signal);
  const listener = () => fail(cancelled(signal));
  signal.addEventListener("abort", listener);
  return () => signal.removeEventListener("abort", listener);
}

/** Waits for a promise, but not longer than until a signal is aborted. */
export async function untilAborted(signal, promise) {
  let stop;
  const aborted = new Promise((_, reject) => {
    stop = onAbort(signal, reject);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop?.();
  }
}
