// Pauses of what goes on for long, in which timers, signals and the events of a page have their turn.

import { platform } from "./platform.js";

/** The longest time without a pause, in milliseconds. */
const LONGEST = 10;

/** The end of the last pause. */
let last = 0;

/** Whether it is time for a pause. */
export const isPauseDue = () => performance.now() - last > LONGEST;

/** Waits for the next task of the event loop. Fails if a signal is aborted until then. */
export async function pause(signal) {
  await platform.nextTask();
  last = performance.now();
  signal?.throwIfAborted();
}
