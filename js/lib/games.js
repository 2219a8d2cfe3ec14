// Whole games, one after another.

import { unreadable } from "./errors.js";
import { mayBeOther, inMemory } from "./inputs.js";
import { lineOf } from "./line.js";
import { pairsOf } from "./options.js";
import { fullEngineNow, platform } from "./platform.js";
import { messageOf } from "./report.js";
import { itemsLater, itemsNow, SHORT, stepsLater, stepsNow } from "./stepping.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { fatal: true });

/** Options of the list with which the games of a text in memory are read by the module that is always loaded. */
const SIMPLE = new Set(["lang", "setup", "evals"]);

/** The number of games that are read at once from a text in memory, at first and later. */
const FIRST = 1;
const MOST = 16;

/** The property of a game with its line, or with what it is made of when somebody reads it. */
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

/** The position before the main line. */
const START = property(
  function () {
    return startOf(this[KEPT]).start;
  },
  function (start) {
    startOf(this[KEPT]).start = start;
  },
);

/** Returns the line of a game, or what it is made of, which has its start, too. */
const startOf = ({ line, unread }) => unread?.[0] ?? line;

/** Returns a game of the texts that the module wrote. */
function gameOf([data, moves, text]) {
  const [game, tags, line, errors, warnings] = JSON.parse(data);
  game.text = text;
  game.tags = tags;
  Object.defineProperty(game, KEPT, { value: { line: null, unread: [line, moves] } });
  Object.defineProperty(game, "line", LINE);
  Object.defineProperty(game, "moves", MOVES);
  Object.defineProperty(game, "start", START);
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
  #pairs;

  constructor(input, options) {
    this.#input = input;
    this.#options = options;
    this.#pairs = pairsOf(options);
  }

  /**
   * Begins to read a text of at most this size with the module that is always loaded. Returns null for other inputs, and if the text begins like a
   * file of another kind: reading it in steps says what it is.
   */
  #begun(most) {
    const isSimple = this.#pairs.every((name, at) => at % 2 === 1 || SIMPLE.has(name));
    const input = isSimple ? inMemory(this.#input, this.#options.name) : null;
    if (!input || input.size > most || mayBeOther(input.bytes) || (typeof this.#input !== "string" && !isUtf8(input.bytes))) return null;
    // The module that is always loaded has no variants.
    const engine = fullEngineNow({ orNull: true }) ?? platform.engine;
    const { lang, setup, evals } = this.#options;
    const id = engine.call(["read", input.name, lang ?? "en", setup ?? "auto", evals ?? "auto"], input.bytes).text;
    return id ? { engine, id, size: input.size } : null;
  }

  /** Yields the games of a text in memory. */
  *#read({ engine, id, size }) {
    const { generation } = engine;
    const { signal, onProgress } = this.#options;
    let read = 0;
    try {
      for (let count = FIRST; ; count = Math.min(2 * count, MOST)) {
        const written = [...textsOf(engine.view("games", id, String(count)))];
        if (!written.length) break;
        for (const texts of written) {
          read += 1;
          yield gameOf(texts);
        }
      }
      onProgress?.({ bytes: size, total: size, games: read, positions: 0 });
      signal?.throwIfAborted();
    } finally {
      if (engine.generation === generation) engine.text("close", id);
    }
  }

  #job() {
    return { kind: "games", pairs: this.#pairs, encoding: this.#options.encoding };
  }

  /** Yields the games of each step. */
  *#now() {
    const begun = this.#begun(Infinity);
    if (begun) yield this.#read(begun);
    else for (const step of stepsNow(this.#input, this.#job(), this.#options)) yield ofStep(step);
  }

  async *#later() {
    const begun = this.#begun(SHORT);
    if (begun) yield this.#read(begun);
    else for await (const step of stepsLater(this.#input, this.#job(), this.#options)) yield ofStep(step);
  }

  [Symbol.iterator]() {
    return itemsNow(this.#now(), this.#options.signal);
  }

  [Symbol.asyncIterator]() {
    return itemsLater(this.#later(), this.#options.signal);
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
