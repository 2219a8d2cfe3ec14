// Rows of positions.

import { batchesOf } from "./blocks.js";
import { wrongType } from "./errors.js";
import { columnsOf, formatOf, pairsOf, WITH_COLUMNS } from "./options.js";
import { isPauseDue, pause } from "./pausing.js";
import { Recorder } from "./report.js";
import { itemsLater, itemsNow, stepsLater, stepsNow } from "./stepping.js";

const decoder = new TextDecoder();

/** The MIME types of formats, for Blobs. The others are plain text or bytes. */
const TYPES = { csv: "text/csv", tsv: "text/tab-separated-values", jsonl: "application/x-ndjson", html: "text/html", arrow: "application/vnd.apache.arrow.stream", bulletformat: "application/octet-stream", viri: "application/octet-stream", binpack: "application/octet-stream" };

/** Rows of positions, one for each position of each game that is chosen. Nothing is read before they are asked for. */
class Scan {
  #input;
  #options;
  #pairs;
  /** What was read, and what was wrong with it, as far as rows have been read. */
  report = null;

  constructor(input, columns, options) {
    this.#input = input;
    this.#options = options;
    const list = columnsOf(columns);
    this.#pairs = [...pairsOf(options), ...(list === null ? [] : ["columns", list])];
  }

  #job(kind, format) {
    return { kind, format, pairs: this.#pairs, encoding: this.#options.encoding };
  }

  /** Yields what a job writes, on the calling thread. */
  *#now(job) {
    const recorder = new Recorder();
    for (const step of stepsNow(this.#input, job, this.#options)) {
      this.report = recorder.record(step);
      yield step;
      recorder.fail(step);
    }
  }

  async *#later(job) {
    const recorder = new Recorder();
    for await (const step of stepsLater(this.#input, job, this.#options)) {
      this.report = recorder.record(step);
      yield step;
      recorder.fail(step);
    }
  }

  /** Yields the batches of each step. */
  *#batchesNow() {
    let names = [];
    for (const { columns, bytes } of this.#now(this.#job("blocks"))) {
      names = columns ?? names;
      if (bytes) yield batchesOf(bytes, names);
    }
  }

  async *#batchesLater() {
    let names = [];
    for await (const { columns, bytes } of this.#later(this.#job("blocks"))) {
      names = columns ?? names;
      if (bytes) yield batchesOf(bytes, names);
    }
  }

  [Symbol.iterator]() {
    const { signal } = this.#options;
    return itemsNow(itemsNow(this.#batchesNow(), signal), signal);
  }

  [Symbol.asyncIterator]() {
    return itemsLater(this.batches(), this.#options.signal);
  }

  /** Yields batches of rows, whose columns are typed arrays. */
  batches() {
    return itemsLater(this.#batchesLater(), this.#options.signal);
  }

  /** Yields the bytes of the rows in a format, in pieces. */
  async *pieces(format) {
    for await (const { bytes } of this.#later(this.#job("rows", formatOf(format, "fen")))) if (bytes?.length) yield bytes;
  }

  /** Returns the rows in a format, as bytes. */
  async bytes(format) {
    return new Uint8Array(await (await this.blob(format)).arrayBuffer());
  }

  /** Returns the rows in a format, as text. */
  async text(format) {
    const decode = new TextDecoder();
    let text = "";
    for await (const piece of this.pieces(format)) text += decode.decode(piece, { stream: true });
    return text + decode.decode();
  }

  /** Returns the rows in a format, as a Blob. */
  async blob(format) {
    // The bytes of a Blob are copied when it is made: one after another, so that a page is never blocked for long.
    const pieces = [];
    for await (const piece of this.pieces(format)) pieces.push(new Blob([piece]));
    return new Blob(pieces, { type: TYPES[format] ?? "text/plain" });
  }

  /** Returns the rows in a format, as a stream of bytes. */
  stream(format) {
    const pieces = this.pieces(format);
    return new ReadableStream({
      async pull(controller) {
        const { value, done } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => pieces.return(),
    });
  }

  /** Returns all rows. */
  async toArray() {
    const rows = [];
    for await (const batch of this.batches()) {
      for (const row of batch) {
        // The time is asked for now and then, because it takes as long as a small row.
        if (rows.push(row) % 256 === 0 && isPauseDue()) await pause(this.#options.signal);
      }
    }
    return rows;
  }
}

/** Describes rows of positions of an input. */
export function scan(input, columns = null, options = {}) {
  if (options?.columns !== undefined) throw wrongType("columns are given behind the input, and not among the options");
  return new Scan(input, columns, options);
}

/** The starting positions that are not the initial one, with the number of their games. */
class Starts {
  #input;
  #options;
  #pairs;
  report = null;

  constructor(input, options) {
    this.#input = input;
    this.#options = options;
    this.#pairs = pairsOf(options, WITH_COLUMNS);
    const list = columnsOf(options.columns);
    if (list !== null) this.#pairs.push("columns", list);
  }

  #job() {
    return { kind: "starts", format: "jsonl", pairs: this.#pairs, encoding: this.#options.encoding };
  }

  *#rows({ bytes }) {
    for (const line of decoder.decode(bytes ?? new Uint8Array()).split("\n")) if (line) yield JSON.parse(line);
  }

  /** Yields the rows of each step. */
  *#now() {
    const recorder = new Recorder();
    for (const step of stepsNow(this.#input, this.#job(), this.#options)) {
      this.report = recorder.record(step);
      yield this.#rows(step);
      recorder.fail(step);
    }
  }

  async *#later() {
    const recorder = new Recorder();
    for await (const step of stepsLater(this.#input, this.#job(), this.#options)) {
      this.report = recorder.record(step);
      yield this.#rows(step);
      recorder.fail(step);
    }
  }

  [Symbol.iterator]() {
    return itemsNow(this.#now(), this.#options.signal);
  }

  [Symbol.asyncIterator]() {
    return itemsLater(this.#later(), this.#options.signal);
  }

  async toArray() {
    const rows = [];
    for await (const row of this) rows.push(row);
    return rows;
  }
}

/** Describes the starting positions of an input that are not the initial one. */
export function starts(input, options = {}) {
  return new Starts(input, options);
}
