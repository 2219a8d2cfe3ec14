// What a worker does: it reads inputs in steps, and keeps the positions of games. Each request has an answer.

import { Engine } from "./engine.js";
import { unreadable } from "./errors.js";
import { bytesReader } from "./inputs.js";
import { Job, Source, TAGGED, membersOf, steps } from "./run.js";

/** Returns a function that reads the bytes of an input at once, which only a worker can do with a Blob. */
function readerOf(input, platform) {
  if (input.bytes) return { read: bytesReader(input.bytes), close() {} };
  if (input.path !== undefined) {
    try {
      return platform.pathReader(input.path);
    } catch (error) {
      throw unreadable(error.message, error);
    }
  }
  const files = new FileReaderSync();
  const read = (offset, into) => {
    const part = new Uint8Array(files.readAsArrayBuffer(input.blob.slice(offset, offset + into.length)));
    into.set(part);
    return part.length;
  };
  return { read, close() {} };
}

/**
 * Answers requests.
 * @param {{ listen: (listener: (message: any) => void) => void, post: (message: any, transfer?: Transferable[]) => void }} port
 */
export function serve(port, platform) {
  let engine;
  /** Inputs and running jobs by their numbers. */
  const kept = new Map();
  let last = 0;
  const keep = (value) => {
    kept.set(++last, value);
    return last;
  };
  const requests = {
    start({ module }) {
      engine = new Engine(module);
    },

    /** Begins to read an input from its start to its end. */
    begin({ input, job }) {
      const { read, close } = readerOf(input, platform);
      return keep({ steps: steps(engine, read, input.size, { ...job, member: input.member }), close });
    },

    /** Goes on. Returns the next step, and null at the end. */
    step({ id }) {
      const { value, done } = kept.get(id).steps.next();
      return done ? null : value;
    },

    /** Returns the members of a zip archive, and null for other inputs. */
    members({ input }) {
      const { read, close } = readerOf(input, platform);
      try {
        return membersOf(engine, read, input.size);
      } finally {
        close();
      }
    },

    /** Opens an input for tiles. */
    open({ input, encoding }) {
      const { read, close } = readerOf(input, platform);
      try {
        const source = new Source(engine, read, input.size, encoding, input.member);
        return { id: keep({ source, close }), isPlain: source.isPlain, guess: source.guess };
      } catch (error) {
        close();
        throw error;
      }
    },

    /** Reads the games from the end of another tile on. Returns the place of the tile. */
    tile({ id, start, end }) {
      return kept.get(id).source.tile(start, end);
    },

    /** Returns the number of games of the tile that was read last. */
    count() {
      return Number(engine.text("count"));
    },

    /** Returns the names of the tags of the first games. */
    tags({ id }) {
      kept.get(id).source.tile(0, TAGGED);
      return engine.text("tags");
    },

    /** Reads the next tile of a stream. Returns its place, its text and the number of its games. */
    next({ id, size }) {
      const place = kept.get(id).source.next(size);
      return place && { ...place, games: Number(engine.text("count")), bytes: engine.call(["text"]).bytes };
    },

    /** Runs a job of its own on the tile that was read last. */
    run({ job, before }) {
      const running = new Job(engine, job);
      try {
        const ran = running.run(before);
        const ended = running.end();
        return { ...ran, columns: running.columns, end: ended.end, rest: ended.bytes };
      } finally {
        running.close();
      }
    },

    /** Returns the hints about a run, of whose tiles these are the counts. */
    hints({ counts, missing, pairs }) {
      return engine.text("hints", counts.join(","), missing.join("\n"), ...pairs);
    },

    /** Returns the lengths of the games of the tile that was read last. */
    lengths({ pairs }) {
      const { text, bytes } = engine.call(["explore", "0", ...pairs]);
      engine.text("drop", "explored", text);
      return { bytes };
    },

    /** Keeps the positions of the games of an input, which is as large as a tile. Returns their number. */
    positions({ input, encoding, plies, pairs }) {
      const { read, close } = readerOf(input, platform);
      let source;
      try {
        source = new Source(engine, read, input.size, encoding);
        source.tile(0, input.size);
        return { explored: engine.call(["explore", String(plies), ...pairs]).text };
      } finally {
        source?.close();
        close();
      }
    },

    /** Answers what was played in a position, in the games of a tile. */
    ask({ explored, position, first, most, passes }) {
      return JSON.parse(engine.call(["ask", explored, position, String(first), String(most)], passes).text);
    },

    /** Counts the results of a player in games, each of which is a line. Returns lines of JSON. */
    stats({ games }) {
      return { bytes: engine.call(["stats", games]).bytes };
    },

    /** For tests of what happens then. */
    panic({ text }) {
      engine.text("panic", text);
    },

    close({ id }) {
      const closing = kept.get(id);
      kept.delete(id);
      closing?.steps?.return();
      closing?.source?.close();
      closing?.close();
    },
  };
  port.listen(({ number, name, request }) => {
    try {
      const answer = requests[name](request);
      const buffers = [answer?.bytes, answer?.rest].filter((bytes) => bytes?.byteLength).map((bytes) => bytes.buffer);
      port.post({ number, answer }, buffers);
    } catch (error) {
      port.post({ number, error: { message: error.message, name: error.name, code: error.code } });
    }
  });
}
