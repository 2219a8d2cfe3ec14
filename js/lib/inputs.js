// Inputs: whatever PGN may come in, as bytes or as a Blob with a name.

import { unreadable, wrongType } from "./errors.js";

const encoder = new TextEncoder();

/**
 * An input: its name in messages, its length in bytes, and `bytes`, `blob` or `path`, which tell where they are. It may be the
 * member of an archive, of which it takes `packed` bytes.
 * @typedef {{ name: string, size: number, bytes?: Uint8Array, blob?: Blob, path?: string, member?: string, packed?: number }} Opened
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

/**
 * Returns an input that is in memory, and null for any other.
 * @returns {Opened | null}
 */
export function inMemory(input, name) {
  const bytes = bytesOf(input);
  return bytes && { name: name ?? "games.pgn", size: bytes.length, bytes };
}

function bytesOf(input) {
  if (typeof input === "string") return encoder.encode(input);
  if (input instanceof Uint8Array) return input;
  if (input instanceof ArrayBuffer || (typeof SharedArrayBuffer !== "undefined" && input instanceof SharedArrayBuffer)) return new Uint8Array(input);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  return null;
}

/**
 * Returns any input. A stream is read to its end first.
 * @param {{ fileOf?: (url: URL) => Promise<Opened> }} platform
 * @returns {Promise<Opened>}
 */
export async function opened(input, name, platform) {
  const known = inMemory(input, name);
  if (known) return known;
  if (input instanceof Member) return input.opened(name);
  if (typeof Blob !== "undefined" && input instanceof Blob) return { name: name ?? (input.name || "games.pgn"), size: input.size, blob: input };
  if (input instanceof URL) {
    if (input.protocol === "file:" && platform.fileOf) return { ...(await platform.fileOf(input)), ...(name && { name }) };
    throw wrongType(`${input} is not read; pass the result of fetch()`);
  }
  if (typeof Response !== "undefined" && input instanceof Response) {
    if (!input.ok) throw unreadable(`${input.url}: ${input.status} ${input.statusText}`);
    const last = input.url.split(/[?#]/, 1)[0].split("/").at(-1);
    return opened(await input.blob(), name ?? (last || undefined), platform);
  }
  if (typeof ReadableStream !== "undefined" && input instanceof ReadableStream) return opened(await blobOf(chunksOf(input)), name, platform);
  if (input?.[Symbol.asyncIterator]) return opened(await blobOf(input), name, platform);
  throw wrongType("PGN is given as a string, bytes, a File or Blob, a Response, a stream, or in Node as a file: URL");
}

/** Yields the chunks of a stream. Not all browsers have `for await` for streams. */
async function* chunksOf(stream) {
  const reader = stream.getReader();
  let isRead = false;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      yield value;
    }
    isRead = true;
  } finally {
    if (!isRead) reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

/** Reads chunks to their end. */
async function blobOf(chunks) {
  const parts = [];
  for await (const chunk of chunks) {
    const bytes = bytesOf(chunk);
    if (!bytes) throw wrongType(`a stream gives text or bytes, and not ${chunk === null ? "null" : Array.isArray(chunk) ? "an array" : typeof chunk}`);
    // A Blob copies the bytes, which the stream may use again, and need not keep them in memory.
    parts.push(new Blob([bytes]));
  }
  return new Blob(parts);
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
