// Whole games, one after another.

import { pairsOf } from "./options.js";
import { Recorder, messageOf } from "./report.js";
import { stepsNow, stepsLater } from "./stepping.js";

const decoder = new TextDecoder();

/** Returns a game from what the module wrote. */
function gameOf(written) {
  const { tags, line, errors, ...rest } = written;
  return { ...rest, tags: Object.fromEntries(tags), line, moves: line.moves, start: line.start, errors: errors.map(messageOf) };
}

function* gamesOf({ bytes }) {
  if (!bytes?.length) return;
  for (const text of decoder.decode(bytes).split("\n")) if (text) yield gameOf(JSON.parse(text));
}

/** The games of an input. */
class Games {
  #input;
  #options;
  #job;
  /** What was read, and what was wrong with it, as far as the games have been read. */
  report = null;

  constructor(input, options) {
    this.#input = input;
    this.#options = options;
    this.#job = { kind: "games", pairs: pairsOf(options), encoding: options.encoding };
  }

  *[Symbol.iterator]() {
    const recorder = new Recorder();
    for (const step of stepsNow(this.#input, this.#job, this.#options)) {
      this.report = recorder.record(step);
      yield* gamesOf(step);
      recorder.fail(step);
    }
  }

  async *[Symbol.asyncIterator]() {
    const recorder = new Recorder();
    for await (const step of stepsLater(this.#input, this.#job, this.#options)) {
      this.report = recorder.record(step);
      yield* gamesOf(step);
      recorder.fail(step);
    }
  }
}

/** Describes the games of an input. They are read by `for … of`, and by `for await … of` without blocking. */
export function games(input, options = {}) {
  return new Games(input, options);
}
