// Many games, kept for looking at: their heads in memory, their text where it is, and what was played in their positions.

import { batchesOf } from "./blocks.js";
import { coded, unreadable, wrongType } from "./errors.js";
import { games } from "./games.js";
import { membersBy } from "./archives.js";
import { encodingOf, nameOf, opened } from "./inputs.js";
import { checked, pairsOf } from "./options.js";
import { isPauseDue, pause } from "./pausing.js";
import { fullModule, load, platform } from "./platform.js";
import { Position } from "./position.js";
import { Hand } from "./pool.js";
import { linesOf, messageOf } from "./report.js";
import { linesAfter } from "./run.js";
import { cancelled, onAbort } from "./signal.js";
import { tilesOf } from "./tiling.js";

/** The size of a tile, in bytes. The first one is small, so that its games are there at once. */
const FIRST = 128 * 1024;
const TILE = 4 * 1024 * 1024;
/** The most messages that are kept. */
const MOST_MESSAGES = 10_000;
/** The time between two calls of `onupdate`, in milliseconds. */
const PAUSE = 100;

/** The options of a collection. */
const OPTIONS = ["signal", "workers", "lang", "setup", "encoding", "explorePlies"];

/** The games that the module which is always loaded plays. The variant of games that cannot be played is unknown. */
const CHESS = new Set(["", "standard", "chess960"]);

const decoder = new TextDecoder();

/** The texts and the numbers of a game that are columns of the rows. */
const TEXTS = ["White", "Black", "Event", "Site", "Date", "Round", "ECO", "opening", "start", "TimeControl", "Variant", "variant"];
const NUMBERS = ["WhiteElo", "BlackElo", "plies", "number", "line", "offset"];
/** All numbers of a game. */
const ALL_NUMBERS = [...NUMBERS, "file", "errors"];
/** The names of columns that are called otherwise by the module. */
const NAMES = { Date: "Date_text", Round: "Round_text", number: "game" };
const COLUMNS = [...TEXTS, ...NUMBERS, "UTCDate_text", "result"].map((name) => NAMES[name] ?? name).join(",");

/** Fails unless a value has one of these names. */
function checkName(name, names) {
  if (!names.includes(name)) throw coded("bad-argument", new Error(`column is '${name}', but must be one of ${names.join(", ")}`));
}

/** Games of one tile: their columns, and the place of their text in the file. */
class Part {
  /** The positions of the games, when somebody has asked for them: a promise of the worker that keeps them, and their number there. */
  kept = null;

  constructor({ file, first, batches, errors, start, end, lengths }) {
    this.file = file;
    this.first = first;
    this.batches = batches;
    this.errors = errors;
    this.start = start;
    this.end = end;
    this.lengths = lengths;
    this.size = batches.reduce((sum, batch) => sum + batch.length, 0);
  }

  /** Returns a column with the number of the row in it. */
  column(name, at) {
    for (const batch of this.batches) {
      if (at < batch.length) return [batch.columns[name], at];
      at -= batch.length;
    }
    throw coded("bad-argument", new RangeError(`there is no game ${at}`));
  }
}

/** Many games. Reading goes on in workers, and `onupdate` is called while it does. */
export class Collection {
  onupdate = null;
  messages = [];
  errors = 0;
  warnings = 0;
  size = 0;
  progress = { bytes: 0, total: 0, games: 0, positions: 0, isDone: false, error: null };
  files = [];
  #parts = [];
  /** The workers that read. They end with the reading, so that their memory is free. */
  #hands = [];
  /** The workers that keep positions, and the last thing that each of them has begun. They start when somebody asks for positions. */
  #keepers = null;
  #turns = [];
  #options;
  #starts = new Map();
  #sortedStarts = null;
  #updating = null;
  #isClosed = false;
  /** Ends the reading. */
  #stop = new AbortController();

  /** Begins to read. */
  static open(inputs, options = {}) {
    if (typeof inputs === "string" || !inputs?.[Symbol.iterator]) throw wrongType("the inputs of a collection are given as a list");
    const collection = new Collection();
    collection.#options = checked(options, OPTIONS);
    const { explorePlies = 0, lang, setup } = collection.#options;
    if (!Number.isSafeInteger(explorePlies) || explorePlies < 0) throw wrongType("explorePlies is not a whole number");
    // Wrong values are told now, and not for each file.
    games("", { lang, setup })[Symbol.iterator]().next();
    collection.#readAll(inputs, collection.#options).then(
      () => collection.#end(null),
      (error) => collection.#end(error),
    );
    return collection;
  }

  #end(error) {
    Object.assign(this.progress, { isDone: true, error });
    for (const hand of this.#hands) hand.end();
    this.#hands = [];
    clearTimeout(this.#updating);
    this.#updating = null;
    this.onupdate?.();
  }

  #update() {
    this.#updating ??= setTimeout(() => {
      this.#updating = null;
      this.onupdate?.();
    }, PAUSE);
  }

  #newHands(module, workers = platform.cores()) {
    return Array.from({ length: Math.max(1, Math.min(workers, 8)) }, () => new Hand(module));
  }

  async #readAll(inputs, { signal, workers }) {
    const stopListening = onAbort(signal, (reason) => this.#stop.abort(reason));
    try {
      const module = await fullModule();
      this.#stop.signal.throwIfAborted();
      this.#hands = this.#newHands(module, workers);
      const given = [];
      for (const input of inputs) given.push(...(await this.#open(input)));
      await this.#readFiles(given);
    } finally {
      stopListening();
    }
  }

  /** Returns the files of an input, or its error. */
  async #open(input) {
    const { signal } = this.#stop;
    try {
      const whole = await platform.shared(await opened(input, platform, { signal }));
      // An archive that cannot be read is told when it is opened.
      const found = await membersBy(this.#hands[0], whole).catch(() => null);
      return found?.length ? found.map((member) => member.opened()) : [whole];
    } catch (error) {
      signal.throwIfAborted();
      return [{ name: nameOf(input), size: 0, error }];
    }
  }

  async #readFiles(given) {
    const { signal } = this.#stop;
    this.progress.total = given.reduce((sum, { size, packed }) => sum + (packed ?? size), 0);
    const encoding = (input) => encodingOf(input, this.#options.encoding) ?? null;
    this.files = given.map((input) => ({ name: input.name, size: input.size, games: 0, error: null, blob: null, encoding: encoding(input) }));
    for (const [at, input] of given.entries()) {
      // The games so far stay.
      signal.throwIfAborted();
      try {
        await this.#readFile(at, input);
      } catch (error) {
        // What is wrong with the options is so for all files.
        if (this.#isClosed || (error?.code === "bad-argument" && !("error" in input))) throw error;
        // A stream may fail with anything.
        const text = String(error?.message ?? error);
        this.files[at].error = text;
        this.errors += 1;
        this.messages.push(messageOf({ kind: "unreadable", isError: true, file: input.name, line: 1, column: 1, game: null, ply: null, subject: "", reason: text, text, full: `${input.name}: ${text}` }));
        this.#update();
      }
    }
    signal.throwIfAborted();
  }

  /** Reads a file: tile by tile with all workers if its bytes are its text, and otherwise as a stream whose text is kept. */
  async #readFile(file, input) {
    if ("error" in input) throw input.error;
    const encoding = encodingOf(input, this.#options.encoding);
    const opening = await this.#hands[0].ask("open", { input, encoding });
    if ((encoding ?? "auto") === "auto") this.files[file].encoding = opening.guess;
    if (!opening.isPlain) return this.#readStream(file, input, opening);
    this.files[file].blob = input.blob ?? new Blob([input.bytes ?? (await platform.bytesOf(input))]);
    const others = await Promise.all(this.#hands.slice(1).map((hand) => hand.ask("open", { input, encoding })));
    const sources = [opening, ...others];
    const ends = [];
    for (let end = 0, size = FIRST; end < input.size; size = Math.min(2 * size, TILE)) ends.push((end = Math.min(end + size, input.size)));
    const read = async (hand, before, { start, end }) => ({ ...(await this.#readTile(file, hand, before)), start, end, read: end - start });
    const isStopped = () => this.#stop.signal.aborted;
    for await (const part of tilesOf(this.#hands, sources, ends, read, isStopped)) {
      if (isPauseDue()) await pause();
      this.#add(part);
    }
    await Promise.all(this.#hands.map((hand, at) => hand.ask("close", { id: sources[at].id })));
  }

  /** Reads a stream: one worker decodes it, and its text is kept as a Blob. */
  async #readStream(file, input, { id }) {
    const [hand] = this.#hands;
    const texts = [];
    const earlier = this.progress.bytes;
    let start = 0;
    let before = { games: 0, lines: [0, 0] };
    for (let size = FIRST; ; size = Math.min(2 * size, TILE)) {
      const place = this.#stop.signal.aborted ? null : await hand.ask("next", { id, size });
      if (!place) break;
      const end = start + place.bytes.length;
      texts.push(new Blob([place.bytes]));
      this.files[file].blob = new Blob(texts);
      const part = await this.#readTile(file, hand, before);
      this.#add({ ...part, start, end, read: earlier + place.read - this.progress.bytes });
      start = end;
      before = { games: before.games + place.games, lines: linesAfter(before.lines, place.lines) };
      if (part.failure) throw unreadable(part.failure);
    }
    await hand.ask("close", { id });
  }

  /** Reads the heads of the games of a tile. */
  async #readTile(file, hand, before) {
    const pairs = this.#pairs(file);
    const job = { kind: "heads", name: this.files[file].name, pairs: ["per", "game", "columns", COLUMNS, ...pairs] };
    const { state, bytes, rest, columns } = await hand.ask("run", { job, before });
    const { bytes: lengths } = await hand.ask("lengths", { pairs });
    return { file, lengths: new Uint32Array(lengths.buffer), state, failure: state.failure, batches: [...batchesOf(bytes, columns), ...batchesOf(rest, columns)] };
  }

  #pairs(file) {
    const { lang, setup, encoding } = this.#options;
    return pairsOf({ lang, setup, encoding: this.files[file].encoding ?? encoding });
  }

  #add({ file, start, end, lengths, state, batches, read }) {
    const errors = new Map();
    // Games without a usable start have an error without a ply, and no positions.
    const unplayed = new Set();
    for (const message of state.messages) {
      if (message.isError && message.ply === null) unplayed.add(message.game);
      if (message.isError && message.game !== null) errors.set(message.game, (errors.get(message.game) ?? 0) + 1);
      message.fileIndex = file;
      if (this.messages.length < MOST_MESSAGES) this.messages.push(messageOf(message));
    }
    const part = new Part({ file, first: this.size, batches, errors, start, end, lengths });
    this.#parts.push(part);
    let positions = 0;
    for (let at = 0; at < part.size; at++) {
      const value = (name) => {
        const [column, row] = part.column(name, at);
        return column.get(row);
      };
      const start = value("start");
      if (start) this.#addStart(start, part.first + at);
      const plies = value("plies");
      if (plies || !unplayed.has(value("game"))) positions += 1 + plies;
    }
    this.size += part.size;
    this.errors += state.errors;
    this.warnings += state.warnings;
    this.files[file].games += part.size;
    const { progress } = this;
    Object.assign(progress, { bytes: progress.bytes + read, games: this.size, positions: progress.positions + positions });
    this.#update();
  }

  #addStart(fen, index) {
    const known = this.#starts.get(fen);
    if (known) known.push(index);
    else this.#starts.set(fen, [index]);
    this.#sortedStarts = null;
  }

  /** Returns the part with a game, and the number of the game in it. */
  #find(index) {
    let [low, high] = [0, this.#parts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#parts[middle].first <= index) low = middle;
      else high = middle - 1;
    }
    const part = this.#parts[low];
    if (!part || !Number.isSafeInteger(index) || index < 0 || index - part.first >= part.size) throw coded("bad-argument", new RangeError(`there is no game ${index}`));
    return [part, index - part.first];
  }

  #value(name, index) {
    const [part, at] = this.#find(index);
    const [column, row] = part.column(NAMES[name] ?? name, at);
    return column.get(row);
  }

  /** Returns a text of a game; an empty one if it is missing. */
  text(column, index) {
    checkName(column, TEXTS);
    const text = this.#value(column, index) ?? "";
    // As everywhere in pgn2fen, UTCDate stands for a date that is unknown.
    return column === "Date" && !/^\d/.test(text) ? this.#value("UTCDate_text", index) || text : text;
  }

  /** Returns a number of a game; 0 if it is missing. */
  number(column, index) {
    checkName(column, ALL_NUMBERS);
    if (column === "file") return this.#find(index)[0].file;
    if (column === "errors") return this.#find(index)[0].errors.get(this.number("number", index)) ?? 0;
    return Number(this.#value(column, index) ?? 0);
  }

  result(index) {
    return this.#value("result", index) ?? "*";
  }

  /** The starting positions that are not the initial one, those of the most games first. */
  get starts() {
    this.#sortedStarts ??= Array.from(this.#starts, ([fen, of]) => ({ fen, games: of })).sort((a, b) => b.games.length - a.games.length);
    return this.#sortedStarts;
  }

  /** Returns the bytes of a game in its file. */
  #slice(index) {
    const [part, at] = this.#find(index);
    const start = this.number("offset", index);
    return this.files[part.file].blob.slice(start, start + part.lengths[at]);
  }

  /** The name of a file, and the encoding that was given or guessed; none if its first text is UTF-8. */
  #file(at) {
    const { name, encoding } = this.files[at];
    return { name, encoding: encoding ?? undefined };
  }

  /** Returns a game as `games` gives it, with its number and place in its file. */
  async game(index) {
    const bytes = new Uint8Array(await this.#slice(index).arrayBuffer());
    const { lang, setup } = this.#options;
    // The module that is always loaded plays chess only.
    if (!CHESS.has(this.text("variant", index))) await load();
    const { name, encoding } = this.#file(this.number("file", index));
    const number = this.number("number", index);
    for await (const game of games(bytes, { lang, setup, encoding, name })) {
      // The game stands alone here; its places are those in its file.
      const shift = this.number("line", index) - game.lineNumber;
      const moved = (message) => {
        const line = message.line + shift;
        const numbered = (words) => words.replace(new RegExp(`\\bgame ${game.number}\\b`), `game ${number}`);
        const full = numbered(message.full).replace(`${name}:${message.line}:`, () => `${name}:${line}:`);
        return messageOf({ ...message, game: number, line, text: numbered(message.text), full });
      };
      const [errors, warnings] = [game.errors.map(moved), game.warnings.map(moved)];
      return Object.assign(game, { number, lineNumber: game.lineNumber + shift, offset: this.number("offset", index), errors, warnings });
    }
    throw unreadable(`game ${number} of ${name} cannot be read again`);
  }

  /** Returns the text of a game. */
  async pgn(index) {
    return (await this.game(index)).text;
  }

  /** Returns the text of games as a Blob. It refers to the files and copies nothing. */
  blob(indices) {
    const parts = [];
    for (const index of indices) parts.push(this.#slice(index), "\n\n");
    return new Blob(parts, { type: "application/x-chess-pgn" });
  }

  /** Returns the workers that keep positions. */
  async #explorers() {
    if (this.#isClosed) throw cancelled();
    this.#keepers ??= fullModule().then((module) => this.#newHands(module, this.#options.workers));
    const hands = await this.#keepers;
    if (this.#isClosed) for (const hand of hands) hand.end();
    return hands;
  }

  /** Reads the positions of a part, unless they are kept already. Each worker reads one part after another. */
  #positionsOf(part, number) {
    const { explorePlies = 40 } = this.#options;
    const { encoding } = this.#file(part.file);
    const read = async () => {
      const hands = await this.#explorers();
      const at = number % hands.length;
      const turn = (this.#turns[at] ?? Promise.resolve()).then(async () => {
        const blob = this.files[part.file].blob.slice(part.start, part.end);
        const input = await platform.shared({ name: this.files[part.file].name, size: blob.size, blob });
        const { explored } = await hands[at].ask("positions", { input, encoding, plies: explorePlies, pairs: this.#pairs(part.file) });
        return { hand: hands[at], explored };
      });
      this.#turns[at] = turn.catch(() => {});
      return turn;
    };
    part.kept ??= read().catch((error) => {
      part.kept = null;
      throw error;
    });
    return part.kept;
  }

  /** Answers what was played in a position. The first answer takes longer, as the games are read for it. */
  async explore(fen, options = {}) {
    const { passes = null, games: most = 15 } = checked(options, ["passes", "games"]);
    if (!Number.isSafeInteger(most) || most < 0) throw wrongType("games is not a whole number from 0");
    const length = Math.ceil(this.size / 8);
    if (passes !== null && !(passes instanceof Uint8Array && passes.length === length)) {
      throw wrongType(`passes is not a Uint8Array of ${length} bytes, which has a bit for each of ${this.size} games`);
    }
    const position = fen instanceof Position ? fen : new Position(fen);
    const kept = Position.keptOf(position);
    const parts = [...this.#parts];
    const answers = await Promise.all(
      parts.map(async (part, number) => {
        const { hand, explored } = await this.#positionsOf(part, number);
        return hand.ask("ask", { explored, position: kept, first: part.first, most, passes });
      }),
    );
    const moves = new Map();
    const found = [];
    let ended = 0;
    answers.forEach((answer, at) => {
      ended += answer.ended;
      for (const [game, rank] of answer.games) found.push([parts[at].first + game, rank]);
      for (const move of answer.moves) addMove(moves, move);
    });
    found.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const list = [...moves.values()].map(({ ratings: [sum, count], lastYear, ...move }) => ({ ...move, averageRating: count ? Math.round(sum / count) : null, lastYear: lastYear || null }));
    const games = (move) => move.white + move.draws + move.black + move.unknown;
    list.sort((a, b) => games(b) - games(a) || (a.uci < b.uci ? -1 : 1));
    return { moves: list, ended, total: list.reduce((sum, move) => sum + games(move), ended), games: found.slice(0, most).map(([game]) => game) };
  }

  /** Counts the results of a player under this name in games: all, or those with these numbers. */
  async playerStats(name, indices = null) {
    const lines = [];
    const text = (column, index) => this.text(column, index).replace(/[\t\r\n]/g, " ");
    const add = (index) => {
      for (const [color, own, rating] of [["w", "White", "BlackElo"], ["b", "Black", "WhiteElo"]]) {
        if (this.text(own, index) !== name) continue;
        lines.push([color, this.result(index), text("opening", index), text("TimeControl", index), this.number(rating, index) || ""].join("\t"));
      }
    };
    if (indices) for (const index of indices) add(index);
    else for (let index = 0; index < this.size; index++) add(index);
    if (!lines.length) return [];
    const { bytes } = await (await this.#explorers())[0].ask("stats", { games: lines.join("\n") });
    return linesOf(decoder.decode(bytes));
  }

  /** Ends the workers. */
  close(reason = cancelled()) {
    this.#isClosed = true;
    this.#stop.abort(reason);
    clearTimeout(this.#updating);
    for (const hand of this.#hands) hand.end(reason);
    this.#keepers?.then((hands) => hands.forEach((hand) => hand.end(reason)));
  }
}

function addMove(moves, move) {
  const known = moves.get(move.uci);
  if (!known) {
    moves.set(move.uci, move);
    return;
  }
  for (const name of ["white", "draws", "black", "unknown"]) known[name] += move[name];
  known.ratings = [known.ratings[0] + move.ratings[0], known.ratings[1] + move.ratings[1]];
  known.lastYear = Math.max(known.lastYear, move.lastYear);
}
