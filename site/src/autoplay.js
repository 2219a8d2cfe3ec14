// Plays a game on the board: each move takes the time that it took in the game.

import { $, say } from "../../crates/explorer/src/page/dom.js";

/** The time of a move that took no time, of one whose time is unknown, and the longest that is waited, in seconds. */
const SHORTEST = 0.5;
const USUAL = 1;
const LONGEST = 10;

export class Autoplay {
  #next;
  #step;
  #timer = 0;

  /**
   * `next()` returns what follows, or null at the end: `{ time }`, in seconds, which is null if it is unknown. `step()` plays the next move.
   */
  constructor(next, step) {
    this.#next = next;
    this.#step = step;
  }

  toggle = () => {
    if (this.#timer) this.stop();
    else if (this.#plan()) say("The game is played.");
  };

  /** Ends. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    $("autoplay").setAttribute("aria-pressed", "false");
  }

  /** Waits for the next move. Returns whether there is one. */
  #plan() {
    const next = this.#next();
    if (!next) {
      this.stop();
      return false;
    }
    $("autoplay").setAttribute("aria-pressed", "true");
    const seconds = Math.max(SHORTEST, Math.min(LONGEST, next.time ?? USUAL));
    this.#timer = setTimeout(() => {
      this.#step();
      this.#plan();
    }, seconds * 1000);
    return true;
  }
}
