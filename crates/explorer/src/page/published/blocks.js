// The blocks of a database: JSON that is compressed with gzip, as ranges of bytes in large files or in files of their own. Each block names its
// build and its number, and gzip has a checksum. So what is damaged, missing or of another upload is told, and never taken for an answer.

import { Refusal } from "../view.js";

/** A fault of the site. The message is for the people who visit it, and for those who upload it. */
export class SiteError extends Error {}

/** There is no answer from the host. */
export class Offline extends Refusal {
  constructor() {
    super("There is no network, or the host of this page does not answer.");
  }
}

const AGAIN = "If the site has just been uploaded, reload the page in some minutes; else its files must be uploaded again.";

const damaged = (file, what) => new SiteError(`${file}: ${what} ${AGAIN}`);

/** The most blocks that the browser keeps for later and for times without a network. */
const MOST_KEPT = 500;

/** The most entries that are kept in memory. */
const MOST_BLOCKS = 50;

// Other sites may have the same host.
const CACHE = `pgn2fen-data ${new URL(".", location.href).pathname}`;

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** What the browser keeps; null where it does not, as on pages over plain HTTP. */
const kept = (name) => (globalThis.caches ? caches.open(name).catch(() => null) : Promise.resolve(null));

let untilTrim = 20;
async function keep(cache, address, bytes) {
  // The answer to a request for a range cannot be kept, so it is made a whole one.
  await cache.put(address, new Response(bytes, { headers: { "Content-Type": "application/octet-stream" } }));
  if (untilTrim-- > 0) return;
  untilTrim = 20;
  const known = await cache.keys();
  for (const request of known.slice(0, Math.max(0, known.length - MOST_KEPT))) await cache.delete(request);
}

export class Blocks {
  #database;
  #ranges;
  /** Pages of the directories that were read, and blocks, by their addresses. */
  #pages = new Map();
  #blocks = new Map();

  constructor(database, ranges) {
    this.#database = database;
    this.#ranges = ranges;
  }

  /** Forgets the blocks of other builds of this site. */
  static async forgetOthers(sites) {
    if (!globalThis.caches) return;
    const names = new Set(sites.map((site) => `${CACHE} ${site}`));
    const all = await caches.keys().catch(() => []);
    for (const name of all) if (name.startsWith(`${CACHE} `) && !names.has(name)) caches.delete(name);
  }

  /** Returns the entry of a position by its key, of 16 digits; undefined if there is none. */
  async position(key, signal) {
    const { bits } = this.#database.positionBlocks;
    const number = bits ? Number(BigInt(`0x${key}`) >> BigInt(64 - bits)) : 0;
    return (await this.#block("positions", number, signal))[key];
  }

  /** Returns the PGN of a game; null if it was not available, and undefined if it is not on the site. */
  async game(number, signal) {
    const page = this.#database.gameBlocks.directories.findLast((known) => known.game <= number);
    if (!page) return undefined;
    const { first, games } = await this.#page("games", page.file, signal);
    const at = games.findLastIndex((game) => game <= number);
    return (await this.#block("games", first + at, signal))[number];
  }

  #about(kind) {
    return kind === "positions" ? this.#database.positionBlocks : this.#database.gameBlocks;
  }

  /** Returns a page of a directory. */
  #page(kind, file, signal) {
    return this.#remember(this.#pages, file, async () => {
      const page = await this.#json(file, await this.#load(file, null, signal));
      if (page.site !== this.#database.site || page.directory !== kind) throw damaged(file, "the file is of another build of the site.");
      return page;
    });
  }

  /** Returns the entries of a block. */
  async #block(kind, number, signal) {
    const { file, range } = await this.#placeOf(kind, number, signal);
    const name = range ? `${file} (block ${number})` : file;
    return this.#remember(this.#blocks, `${kind} ${number}`, async () => {
      const block = await this.#json(name, await this.#load(file, range, signal, number));
      const isRight = block.site === this.#database.site && block.block === kind && block.number === number;
      if (!isRight || !block.entries) throw damaged(name, "the data is of another build of the site.");
      return block.entries;
    });
  }

  /** Returns the file of a block, and its range of bytes there. */
  async #placeOf(kind, number, signal) {
    const about = this.#about(kind);
    if (!this.#ranges) return { file: `${kind}/${String(Math.floor(number / 1000)).padStart(3, "0")}/${number}.bin` };
    const shard = about.files.findLast((known) => known.first <= number);
    const { first, offset, lengths } = await this.#page(kind, about.directories.findLast((known) => known.first <= number).file, signal);
    const from = Math.max(first, shard.first);
    let start = shard.first < first ? offset : 0;
    for (let at = from; at < number; at++) start += lengths[at - first];
    return { file: shard.file, range: { start, length: lengths[number - first], of: shard.bytes } };
  }

  async #remember(map, name, load) {
    const known = map.get(name);
    if (known) return known;
    const loaded = await load();
    if (map.size >= MOST_BLOCKS) map.delete(map.keys().next().value);
    map.set(name, loaded);
    return loaded;
  }

  async #json(name, bytes) {
    try {
      // A host that says that the file is compressed lets the browser decompress it.
      const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
      return JSON.parse(isCompressed ? await inflate(bytes) : new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch {
      await this.#drop();
      throw damaged(name, "the data is damaged.");
    }
  }

  #cache() {
    return kept(`${CACHE} ${this.#database.site}`);
  }

  /** Forgets what the browser keeps, as it may be the reason of a fault. */
  async #drop() {
    if (globalThis.caches) await caches.delete(`${CACHE} ${this.#database.site}`).catch(() => {});
  }

  /** Loads a file, or a range of it. */
  async #load(file, range, signal, number = 0) {
    const address = `${this.#database.folder}/${file}`;
    const cache = await this.#cache();
    const name = range ? `${address}?block=${number}` : address;
    const before = await cache?.match(name).catch(() => null);
    if (before) return new Uint8Array(await before.arrayBuffer());
    const bytes = range ? await fetchRange(address, range, signal) : await fetchFile(address, signal);
    if (cache) keep(cache, name, bytes).catch(() => {});
    return bytes;
  }
}

/** Asks the host. A request that somebody gave up is no failure of the network. */
async function ask(address, options) {
  try {
    return await fetch(address, options);
  } catch (error) {
    throw options.signal?.aborted ? error : new Offline();
  }
}

async function fetchFile(address, signal) {
  const response = await ask(address, { signal });
  if (response.status === 404) throw damaged(address, "the file is missing.");
  if (!response.ok) throw new SiteError(`${address}: the host answered with status ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

/** A file of this size is read whole from a host without ranges. */
const SMALL = 4 * 1024 * 1024;

async function fetchRange(address, { start, length, of }, signal) {
  const giveUp = new AbortController();
  const response = await ask(address, {
    headers: { Range: `bytes=${start}-${start + length - 1}` },
    signal: signal ? AbortSignal.any([signal, giveUp.signal]) : giveUp.signal,
  });
  if (response.status === 404) throw damaged(address, "the file is missing.");
  if (response.status === 416) throw damaged(address, "the file is too short.");
  if (!response.ok) throw new SiteError(`${address}: the host answered with status ${response.status}.`);
  if (response.status !== 206) {
    if (of > SMALL) {
      giveUp.abort();
      throw new SiteError(`${address}: this host sends whole files only, and no ranges of bytes. Build the site with --no-ranges.`);
    }
    const whole = new Uint8Array(await response.arrayBuffer());
    if (whole.length !== of) throw damaged(address, `the file has ${whole.length} bytes instead of ${of}.`);
    return whole.slice(start, start + length);
  }
  const size = response.headers.get("Content-Range")?.match(/\/(\d+)$/)?.[1];
  if (size && Number(size) !== of) throw damaged(address, `the file has ${size} bytes instead of ${of}.`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (isCompressed && bytes.length !== length) throw damaged(address, "the host sent another number of bytes than those that were asked for.");
  return bytes;
}
