// Inputs: whatever PGN may come in, as bytes or as a Blob with a name.

import { coded, unreadable, wrongType } from "./errors.js";
import { untilAborted } from "./signal.js";

const encoder = new TextEncoder();

/**
 * An input: its name in messages, its length in bytes, and `bytes`, `blob` or `path`, which tell where they are. `isText` tells that it was given as
 * text. It may be the member of an archive, of which it takes `packed` bytes.
 * @typedef {{
 *   name: string, size: number, bytes?: Uint8Array, blob?: Blob, path?: string, isText?: boolean, member?: string, packed?: number,
 * }} Opened
 */

/** A member of a zip archive, which is an input. */
export class Member {
  #archive;
  #packed;

  constructor(archive, { name: member, size, packed }) {
    this.#archive = archive;
    this.#packed = packed;
    /** The name of the archive, a slash, and the name in the archive. */
    this.name = `${archive.name}/${member}`;
    /** The number of bytes when it is unpacked. */
    this.size = size;
    this.member = member;
    Object.freeze(this);
  }

  /** Returns the input that workers open. */
  opened(name) {
    return { ...this.#archive, name: name ?? this.name, member: this.member, packed: this.#packed };
  }
}

/** The name of a file in messages that has none. */
const UNNAMED = "games.pgn";

/** Returns the last part of an address. */
const lastOf = (address) => address.split(/[?#]/, 1)[0].split("/").at(-1);

/** Returns the name of an input in messages. */
export function nameOf(input) {
  if (input instanceof URL) return lastOf(input.href) || UNNAMED;
  if (isResponse(input)) return lastOf(input.url) || UNNAMED;
  return (isBlob(input) || input instanceof Member ? input.name : null) || UNNAMED;
}

const isBlob = (input) => typeof Blob !== "undefined" && input instanceof Blob;
const isResponse = (input) => typeof Response !== "undefined" && input instanceof Response;
const isStream = (input) => typeof ReadableStream !== "undefined" && input instanceof ReadableStream;

/**
 * Returns an input that is in memory, and null for any other.
 * @returns {Opened | null}
 */
export function inMemory(input, name) {
  const bytes = bytesOf(input);
  return bytes && { name: name ?? UNNAMED, size: bytes.length, bytes, isText: typeof input === "string" };
}

function bytesOf(input) {
  if (typeof input === "string") return encoder.encode(input);
  if (input instanceof Uint8Array) return input;
  if (input instanceof ArrayBuffer || (typeof SharedArrayBuffer !== "undefined" && input instanceof SharedArrayBuffer)) return new Uint8Array(input);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  return null;
}

/**
 * Returns any input. A stream is read to its end first, or until the signal is aborted.
 * @param {{ fileOf?: (url: URL) => Promise<Opened> }} platform
 * @param {{ name?: string, signal?: AbortSignal }} options
 * @returns {Promise<Opened>}
 */
export async function opened(input, platform, { name, signal } = {}) {
  const known = inMemory(input, name);
  if (known) return known;
  if (input instanceof Member) return input.opened(name);
  if (input instanceof URL) {
    if (input.protocol === "file:" && platform.fileOf) return { ...(await platform.fileOf(input)), ...(name && { name }) };
    throw wrongType(`${input} is not read; pass the result of fetch()`);
  }
  const { blob, isText } = isBlob(input) ? { blob: input, isText: false } : await blobOf(chunksOf(input), signal);
  return { name: name ?? nameOf(input), size: blob.size, blob, isText };
}

/** Returns the encoding with which the bytes of an input are read, if one is given. What was text is UTF-8. */
export const encodingOf = ({ isText }, encoding) => (isText ? undefined : encoding);

/** The streams that have been read. */
const taken = new WeakSet();

/** Remembers that a stream is read, which is possible once. */
function take(stream) {
  if (taken.has(stream) || stream.locked || stream.bodyUsed) throw coded("bad-argument", new Error("this stream has been read"));
  taken.add(stream);
}

/** Whether an input is a stream that has been read. */
export const isRead = (input) => taken.has(input);

/** Begins to read a stream. Returns a function that gives the next chunk, and one that ends the stream before its end. */
function chunksOf(input) {
  if (isResponse(input)) {
    if (!input.ok) throw unreadable(`${input.url || "the response"}: ${input.status} ${input.statusText}`.trimEnd());
    take(input);
    return chunksOf(input.body ?? new Blob().stream());
  }
  // Not all browsers have `for await` for streams.
  if (isStream(input)) {
    take(input);
    const reader = input.getReader();
    return { next: () => reader.read(), end: (reason) => reader.cancel(reason) };
  }
  if (!input?.[Symbol.asyncIterator]) throw wrongType("PGN is given as a string, bytes, a File or Blob, a Response, a stream, or in Node as a file: URL");
  const chunks = input[Symbol.asyncIterator]();
  // Any other input gives new chunks each time.
  const isNodeStream = typeof input.pipe === "function";
  if (chunks === input || isNodeStream) take(input);
  const end = () => {
    // The iterator of a stream of Node waits for the next chunk.
    if (isNodeStream) input.destroy();
    return chunks.return?.();
  };
  return { next: () => chunks.next(), end };
}

/** Reads chunks to their end. Returns their bytes, and whether all chunks are text. */
async function blobOf({ next, end }, signal) {
  const parts = [];
  let isText = true;
  // The first half of a character whose second half comes with the next text.
  let half = "";
  try {
    for (;;) {
      const { value, done } = await untilAborted(signal, next());
      if (done) break;
      const chunk = typeof value === "string" ? half + value : bytesOf(value);
      if (chunk === null) throw wrongType(`a stream gives text or bytes, and not ${value === null ? "null" : Array.isArray(value) ? "an array" : typeof value}`);
      // A Blob copies the bytes, which the stream may use again, and need not keep them in memory.
      if (typeof chunk === "string") {
        half = /[\ud800-\udbff]/.test(chunk.at(-1)) ? chunk.at(-1) : "";
        parts.push(new Blob([chunk.slice(0, chunk.length - half.length)]));
      } else {
        parts.push(new Blob([half, chunk]));
        half = "";
        isText = false;
      }
    }
  } catch (error) {
    // What never gives a chunk may never end, either.
    (async () => end(error))().catch(() => {});
    throw error;
  }
  return { blob: new Blob([...parts, half]), isText };
}

/** Returns a function that reads bytes in memory. */
export function bytesReader(bytes) {
  return (offset, into) => {
    const part = bytes.subarray(offset, offset + into.length);
    into.set(part);
    return part.length;
  };
}

// The first bytes of compressed files: zstd, also a frame that is skipped, gzip and bzip2.
const isZstd = (head) => (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) || ((head[0] & 0xf0) === 0x50 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18);
const isGzip = (head) => head[0] === 0x1f && head[1] === 0x8b;
const isBzip2 = (head) => head[0] === 0x42 && head[1] === 0x5a && head[2] === 0x68;
const isZip = (head) => head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5);

/** Whether bytes begin like a compressed file or an archive. */
export const beginsCompressed = (head) => isZstd(head) || isGzip(head) || isBzip2(head) || isZip(head);

/** The most bytes of a text that tell whether it has records. */
const HEAD = 4096;
/** The names of columns in the header rows of tables that are read. */
const COLUMNS = /(?:^|[,;\t|])\s*"?(?:movetext|pgn|moves|moves?[ _.-]?(?:san|uci)|uci|transcript|text|fen|start[ _.-]?fen|initial[ _.-]?fen|epd)"?\s*(?:[,;\t|]|$)/i;
/** A row of the puzzles of Lichess. */
const PUZZLE = /^\w{1,15},"?(?:[1-8pnbrqk]+\/){7}/i;

/** What documents, pages and programs begin with, of those that are text. */
const OTHERS = /^(?:%PDF-|%!PS|\{\\rtf|<(?:!doctype|html|head|body|\?xml|svg)|#!|SQLite format 3|Rar!\x1a|PK[\x03\x05\x07]|PAR1|ARROW1)/i;

/** Whether lines may be those of a table: all have as many fields, and none begins like a game. */
function mayBeTable(lines) {
  if (lines.length < 2 || lines.some((line) => /^(?:\[|1\.)/.test(line))) return false;
  return [",", ";", "\t"].some((separator) => {
    const [first, ...others] = lines.map((line) => line.replace(/"[^"]*"/g, "").split(separator).length);
    return first > 1 && others.every((count) => count === first);
  });
}

/**
 * Whether a text may begin like JSON, a table or a file of another kind. The module that pages load at once does not know them; the other one reads
 * them, or says what they are.
 */
export function mayBeOther(bytes) {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD)).trimStart();
  const lines = head.split(/[\r\n]+/).filter(Boolean);
  const [line = ""] = lines;
  if (bytes.length > HEAD && lines.length > 1) lines.pop();
  const isRecords = /^(?:\{\s*"[^"]*"\s*:|\{\s*\}|\[\s*\{)/.test(head) || (/^[^[{]/.test(line) && (COLUMNS.test(line) || PUZZLE.test(line)));
  return isRecords || OTHERS.test(head) || mayBeTable(lines);
}
