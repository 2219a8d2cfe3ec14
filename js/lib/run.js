// A job of the module that reads an input in steps.

/** The size of the first tile and of the largest, in bytes of text. The first results come soon; later tiles are larger. */
const FIRST = 64 * 1024;
export const LARGEST = 4 * 1024 * 1024;
/** Games become JSON, which is many times as large as their text. */
const LARGEST_OF_GAMES = 256 * 1024;

/** Returns the size of the largest tile of a job, in bytes of text. */
export const largestOf = (job) => (job.kind === "games" ? LARGEST_OF_GAMES : LARGEST);

/** An input that the module has opened. */
export class Source {
  #engine;
  #reader;
  #generation;

  /** `read` is the function that reads its bytes. `member` is the name of a member, if it is a zip archive. */
  constructor(engine, read, size, encoding, member = "") {
    this.#engine = engine;
    this.#generation = engine.generation;
    this.#reader = engine.addReader(read);
    try {
      Object.assign(this, JSON.parse(engine.text("open", String(this.#reader), String(size), encoding ?? "auto", member)));
    } catch (error) {
      engine.removeReader(this.#reader);
      throw error;
    }
  }

  /** Reads the next tile. Returns its place, or null behind the last one. */
  next(size) {
    return JSON.parse(this.#engine.text("next", String(this.id), String(size)));
  }

  /** Reads the games that begin from `start`, which is 0 or the end of another tile, up to `end`. Returns the place of the tile. */
  tile(start, end) {
    return JSON.parse(this.#engine.text("tile", String(this.id), String(start), String(end)));
  }

  close() {
    this.#engine.removeReader(this.#reader);
    if (this.#generation === this.#engine.generation) this.#engine.text("drop", "source", String(this.id));
  }
}

/** Returns the members of a zip archive that are read as games, `{ name, size, packed }`, and null for other inputs. */
export function membersOf(engine, read, size) {
  const reader = engine.addReader(read);
  try {
    return JSON.parse(engine.text("members", String(reader), String(size)));
  } finally {
    engine.removeReader(reader);
  }
}

/** A job. It is given tiles, and leaves bytes and states. */
export class Job {
  #engine;
  #generation;
  #isOpen = true;

  constructor(engine, { kind, name, format = "", pairs }) {
    this.#engine = engine;
    this.#generation = engine.generation;
    const begun = JSON.parse(engine.text("begin", kind, name, format, ...pairs));
    this.id = begun.id;
    /** The names of the columns, if it makes blocks. */
    this.columns = begun.columns;
  }

  /** Runs on the tile that was read last, before which there were games and lines. Returns the state and what was written. */
  run({ games, lines: [lines, column] }) {
    const { text, bytes } = this.#engine.call(["run", String(this.id), String(games), String(lines), String(column)]);
    return { state: JSON.parse(text), bytes };
  }

  /** Ends the job. Returns its last words, and the rest of what it writes. */
  end() {
    this.#isOpen = false;
    const { text, bytes } = this.#engine.call(["end", String(this.id)]);
    return { end: JSON.parse(text), bytes };
  }

  close() {
    if (this.#isOpen && this.#generation === this.#engine.generation) this.#engine.text("drop", "run", String(this.id));
    this.#isOpen = false;
  }
}

/** The size of the tile whose tags become columns, if names of columns have wildcards. */
export const TAGGED = 4 * 1024 * 1024;

/** Whether columns depend on the tags of the input. */
export const hasWildcards = (pairs) =>
  pairs.some((value, at) => at % 2 === 1 && pairs[at - 1] === "columns" && /[*?]|(^|[\s,])id([\s,]|$)/.test(value));

/** Returns the pairs of a job with the names of the tags of the first games, if its columns depend on them. */
function withTags(engine, read, size, { pairs, encoding, member }) {
  if (!hasWildcards(pairs)) return pairs;
  const source = new Source(engine, read, size, encoding, member);
  try {
    return [...pairs, "tag_names", source.next(TAGGED) ? engine.text("tags") : ""];
  } finally {
    source.close();
  }
}

/** Returns the numbers of lines before the text behind a tile. */
export const linesAfter = ([lines, column], [more, behind]) => (more ? [lines + more, behind] : [lines, column + behind]);

/** Returns a step with the name of the input in its failure, after it has told how far the run has come. */
export function passed(step, { name, size, packed }, onProgress) {
  const { state, read } = step;
  if (state?.failure) state.failure = `${name}: ${state.failure}`;
  if (state) onProgress?.({ bytes: read, total: packed ?? size, games: state.games, positions: state.positions });
  return step;
}

/**
 * Reads an input from its start to its end. Yields steps `{ bytes, state, read }`, and last `{ bytes, end }`. A step whose
 * `failure` is set is the last one before the end: the input cannot be read further.
 */
export function* steps(engine, read, size, given) {
  const job = { ...given, pairs: withTags(engine, read, size, given) };
  const source = new Source(engine, read, size, job.encoding, job.member);
  let running = null;
  try {
    running = new Job(engine, job);
    yield { columns: running.columns };
    let before = { games: 0, lines: [0, 0] };
    for (let length = FIRST; ; length = Math.min(2 * length, largestOf(job))) {
      const tile = source.next(length);
      if (!tile) break;
      const { state, bytes } = running.run(before);
      yield { bytes, state, read: source.isPlain ? tile.end : tile.read };
      if (state.isOver || state.failure) break;
      before = { games: state.games, lines: linesAfter(before.lines, tile.lines) };
    }
    yield running.end();
  } finally {
    running?.close();
    source.close();
  }
}
