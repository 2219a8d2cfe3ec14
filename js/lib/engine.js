// An instance of the WebAssembly module: calls with texts and bytes, and inputs that the module reads.

import { coded, unreadable, wrongType } from "./errors.js";
import { spelled } from "./spelling.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of the module. After an internal error it goes on with a new instance, in which nothing is kept. */
export class Engine {
  #module;
  #exports;
  /** The functions that read bytes of inputs, by their numbers. */
  #readers = new Map();
  #lastReader = 0;
  #readError = null;
  /** The number of instances so far. What one instance kept means nothing to the next. */
  generation = 0;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
    this.#start();
  }

  #start() {
    const read_source = (number, offset, pointer, length) => {
      try {
        return this.#readers.get(number)(offset, new Uint8Array(this.#exports.memory.buffer, pointer >>> 0, length));
      } catch (error) {
        this.#readError = error;
        return -1;
      }
    };
    this.#exports = new WebAssembly.Instance(this.#module, { pgn2fen: { read_source } }).exports;
    this.#exports.initialise();
    this.generation += 1;
  }

  /** Gives an input a number. `read(offset, into)` fills the array from an offset and returns the number of bytes. */
  addReader(read) {
    this.#lastReader += 1;
    this.#readers.set(this.#lastReader, read);
    return this.#lastReader;
  }

  removeReader(number) {
    this.#readers.delete(number);
  }

  /** Calls a function of the module. Returns its text. */
  text(...texts) {
    this.#invoke(texts, null);
    return this.#answerText();
  }

  /** Calls a function of the module. Returns its text and a copy of its bytes. */
  call(texts, bytes = null) {
    this.#invoke(texts, bytes);
    return { text: this.#answerText(), bytes: this.#answerBytes().slice() };
  }

  /** Calls a function of the module. Returns its bytes as they are in the memory of the module: they are valid until the next call. */
  view(...texts) {
    this.#invoke(texts, null);
    return this.#answerBytes();
  }

  #answerBytes() {
    return new Uint8Array(this.#exports.memory.buffer, this.#exports.answer(1) >>> 0, this.#exports.answer_length(1));
  }

  #answerText() {
    const pointer = this.#exports.answer(0) >>> 0;
    return decoder.decode(new Uint8Array(this.#exports.memory.buffer, pointer, this.#exports.answer_length(0)));
  }

  #invoke(texts, bytes) {
    for (const text of texts) {
      if (typeof text !== "string") throw wrongType(`${text === null ? "null" : typeof text} is not a text`);
      if (text.includes("\0")) throw coded("bad-argument", new Error("a text contains a zero byte"));
    }
    let status;
    try {
      const given = this.#copyIn(encoder.encode(texts.join("\0")));
      const more = this.#copyIn(bytes ?? new Uint8Array());
      status = this.#exports.invoke(given.pointer, given.length, more.pointer, more.length);
    } catch (error) {
      throw this.#restarted(error);
    }
    if (status === 0) return;
    const message = this.#answerText();
    const cause = this.#readError;
    this.#readError = null;
    if (cause) throw unreadable(cause.message || message, cause);
    const [code, ply] = decoder.decode(this.#answerBytes()).split(" ");
    throw Object.assign(coded(code, new Error(spelled(message))), ply ? { ply: Number(ply) } : {});
  }

  #copyIn(bytes) {
    const pointer = this.#exports.allocate(bytes.length) >>> 0;
    new Uint8Array(this.#exports.memory.buffer, pointer, bytes.length).set(bytes);
    return { pointer, length: bytes.length };
  }

  /** Starts a new instance after a panic, and returns the error that says what happened. */
  #restarted(error) {
    let text = "";
    try {
      text = this.#answerText();
    } catch {
      // The memory of the instance cannot be trusted any more.
    }
    this.#start();
    return coded("internal-error", new Error(`internal error: ${text || error.message}; please report this`, { cause: error }));
  }
}
