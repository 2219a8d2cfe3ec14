// Whole games, one after another.

import { unreadable } from "./errors.js";
import { beginsRecords, inMemory } from "./inputs.js";
import { lineOf } from "./line.js";
import { pairsOf } from "./options.js";
import { fullEngineNow, platform } from "./platform.js";
import { messageOf } from "./report.js";
import { SHORT, stepsLater, stepsNow } from "./stepping.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { fatal: true });

/** Options with which the games of a text in memory are read by the module that is always loaded. */
const SIMPLE = new Set(["lang", "setup", "evals", "name", "signal", "onProgress", "workers"]);

/** The number of games that are read at once from a text in memory, at first and later. */
const FIRST = 1;
const MOST = 16;

/** The property of a game with its line, and with what it is made of when somebody reads it. */
const KEPT = Symbol("kept");

/** A property that is made by the same functions for all games. V8 would keep functions of each game, and so its moves, for long. */
const property = (get, set) => ({ get, set, enumerable: true, configurable: true });

/** The main line of a game. */
const LINE = property(
  function () {
    const kept = this[KEPT];
    if (kept.unread) [kept.line, kept.unread] = [lineOf(...kept.unread), null];
    return kept.line;
  },
  function (line) {
    [this[KEPT].line, this[KEPT].unread] = [line, null];
  },
);

/** The moves of the main line. */
const MOVES = property(
  function () {
    return this.line.moves;
  },
  function (moves) {
    this.line.moves = moves;
  },
);

/** Returns a game of the texts that the module wrote. */
function gameOf([data, moves, text]) {
  const [game, tags, line, errors, warnings] = JSON.parse(data);
  game.text = text;
  game.tags = tags;
  Object.defineProperty(game, KEPT, { value: { line: null, unread: [line, moves] } });
  Object.defineProperty(game, "line", LINE);
  Object.defineProperty(game, "moves", MOVES);
  game.start = line.start;
  game.errors = errors.map(messageOf);
  game.warnings = warnings.map(messageOf);
  return game;
}

/** Yields the texts of each game. Before each game, their lengths are written. */
function* textsOf(bytes) {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; ) {
    let begin = at + 3 * 4;
    const texts = [];
    for (; texts.length < 3; at += 4) {
      const end = begin + numbers.getUint32(at, true);
      texts.push(decoder.decode(bytes.subarray(begin, end)));
      begin = end;
    }
    at = begin;
    yield texts;
  }
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
        const written = [...textsOf(engine.view("games", id, String(count)))];
        if (!written.length) break;
        for (const texts of written) {
          signal?.throwIfAborted();
          yield gameOf(texts);
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
  if (bytes?.length) for (const texts of textsOf(bytes)) yield gameOf(texts);
  if (state?.failure) throw unreadable(state.failure);
}

/** Describes the games of an input. They are read by `for … of`, and by `for await … of` without blocking. */
export function games(input, options = {}) {
  return new Games(input, options);
}
