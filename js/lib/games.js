// Whole games, one after another.

import { unreadable } from "./errors.js";
import { beginsRecords, inMemory } from "./inputs.js";
import { lineOf } from "./line.js";
import { pairsOf } from "./options.js";
import { fullEngineNow, platform } from "./platform.js";
import { messageOf } from "./report.js";
import { SHORT, stepsLater, stepsNow } from "./stepping.js";

const decoder = new TextDecoder();
const strict = new TextDecoder("utf-8", { fatal: true });

/** Options with which the games of a text in memory are read by the module that is always loaded. */
const SIMPLE = new Set(["lang", "setup", "evals", "name", "signal", "onProgress", "workers"]);

/** The number of games that are read at once from a text in memory, at first and later. */
const FIRST = 1;
const MOST = 256;

/** Returns a game from what the module wrote. */
function gameOf(text) {
  const { tags, line: columns, errors, warnings, ...rest } = JSON.parse(text);
  const line = lineOf(columns);
  return {
    ...rest,
    tags: Object.fromEntries(tags),
    line,
    get moves() {
      return line.moves;
    },
    set moves(moves) {
      line.moves = moves;
    },
    start: line.start,
    errors: errors.map(messageOf),
    warnings: warnings.map(messageOf),
  };
}

function* gamesOf(text) {
  for (const line of text.split("\n")) if (line) yield gameOf(line);
}

/** Whether bytes are UTF-8. */
function isUtf8(bytes) {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The games of an input. */
class Games {
  #input;
  #options;

  constructor(input, options) {
    this.#input = input;
    this.#options = options;
  }

  /** Returns a text that the module which is always loaded can read, and null for other inputs. */
  #simple() {
    const isSimple = Object.entries(this.#options).every(([name, value]) => value === undefined || SIMPLE.has(name));
    const input = isSimple ? inMemory(this.#input, this.#options.name) : null;
    return input && !beginsRecords(input.bytes) && (typeof this.#input === "string" || isUtf8(input.bytes)) ? input : null;
  }

  /** Yields the games of a text in memory. */
  *#read({ bytes, name }) {
    const { lang = "en", setup = "auto", evals = "auto", signal } = this.#options;
    // The module that is always loaded has no variants.
    const engine = fullEngineNow({ orNull: true }) ?? platform.engine;
    const { generation } = engine;
    const id = engine.call(["read", name, lang, setup, evals], bytes).text;
    try {
      for (let count = FIRST; ; count = Math.min(2 * count, MOST)) {
        const text = engine.text("games", id, String(count));
        if (!text) break;
        for (const game of gamesOf(text)) {
          signal?.throwIfAborted();
          yield game;
        }
      }
    } finally {
      if (engine.generation === generation) engine.text("close", id);
    }
  }

  #job() {
    return { kind: "games", pairs: pairsOf(this.#options), encoding: this.#options.encoding };
  }

  *[Symbol.iterator]() {
    const simple = this.#simple();
    if (simple) yield* this.#read(simple);
    else for (const step of stepsNow(this.#input, this.#job(), this.#options)) yield* ofStep(step);
  }

  async *[Symbol.asyncIterator]() {
    const simple = this.#simple();
    if (simple && simple.size <= SHORT) yield* this.#read(simple);
    else for await (const step of stepsLater(this.#input, this.#job(), this.#options)) yield* ofStep(step);
  }
}

function* ofStep({ bytes, state }) {
  if (bytes?.length) yield* gamesOf(decoder.decode(bytes));
  if (state?.failure) throw unreadable(state.failure);
}

/** Describes the games of an input. They are read by `for … of`, and by `for await … of` without blocking. */
export function games(input, options = {}) {
  return new Games(input, options);
}
