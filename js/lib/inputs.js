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
  if (typeof ReadableStream !== "undefined" && input instanceof ReadableStream) return opened(await new Response(input).blob(), name, platform);
  if (input?.[Symbol.asyncIterator]) {
    const parts = [];
    for await (const part of input) parts.push(typeof part === "string" ? encoder.encode(part) : part);
    return opened(new Blob(parts), name, platform);
  }
  throw wrongType("PGN is given as a string, bytes, a File or Blob, a Response, a stream, or in Node as a file: URL");
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

/** Whether a text begins like JSON or a table. The module that pages load at once does not read them. */
export function beginsRecords(bytes) {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD)).trimStart();
  const [line] = head.split(/[\r\n]/, 1);
  return /^(?:\{\s*"[^"]*"\s*:|\{\s*\}|\[\s*\{)/.test(head) || (/^[^[{]/.test(line) && (COLUMNS.test(line) || PUZZLE.test(line)));
}
