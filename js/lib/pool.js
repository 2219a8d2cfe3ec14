// Workers: requests and their answers.

import { platform } from "./platform.js";
import { cancelled } from "./signal.js";

/** A worker with an instance of the module. */
export class Hand {
  #port;
  #waiting = new Map();
  #last = 0;
  /** The error with which the worker has ended. */
  #failure = null;

  constructor(module) {
    this.#port = platform.startWorker();
    this.#port.listen(({ number, answer, error }) => {
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (error) waiting?.reject(Object.assign(new Error(error.message), { name: error.name, code: error.code }));
      else waiting?.resolve(answer);
    });
    this.#port.fail((error) => this.#fail(error));
    this.ask("start", { module }).catch(() => {});
  }

  #fail(error) {
    // The reason of a signal may be null.
    this.#failure ??= { error };
    for (const { reject } of this.#waiting.values()) reject(this.#failure.error);
    this.#waiting.clear();
  }

  /** Sends a request. Returns a promise of its answer. */
  ask(name, request = {}, transfer = []) {
    if (this.#failure) return Promise.reject(this.#failure.error);
    return new Promise((resolve, reject) => {
      this.#last += 1;
      this.#waiting.set(this.#last, { resolve, reject });
      this.#port.post({ number: this.#last, name, request }, transfer);
    });
  }

  /** Ends the worker, whatever it is doing. */
  end(reason = cancelled()) {
    this.#port.end();
    this.#fail(reason);
  }
}

/** Workers that have nothing to do, by their module. They are kept for a while, because starting one takes time. */
const idle = new Map();
const PATIENCE = 2000;

/** Returns a worker. */
export function takeHand(module) {
  const waiting = idle.get(module)?.pop();
  if (!waiting) return new Hand(module);
  clearTimeout(waiting.timer);
  return waiting.hand;
}

/** Gives a worker back that has nothing to do. */
export function giveBack(module, hand) {
  const waiting = { hand };
  waiting.timer = setTimeout(() => {
    const all = idle.get(module);
    all.splice(all.indexOf(waiting), 1);
    hand.end();
  }, PATIENCE);
  // A worker that waits does not keep Node running.
  waiting.timer.unref?.();
  if (!idle.has(module)) idle.set(module, []);
  idle.get(module).push(waiting);
}
