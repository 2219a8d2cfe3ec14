// Long runs: timers have their turn between two items, a signal ends a run before the next item, and what the caller throws comes out as it is.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Collection, games, Position, report, scan, starts, tree, writeGame } from "../dist/node.js";

/** A game with a starting position of its own. */
const GAME = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 Kd7 2. e5 Ke6 *\n\n';
const SHORT = GAME.repeat(500);
const LONG = GAME.repeat(20_000);
assert.ok(SHORT.length < 64 * 1024);

/** Inputs that are read on the calling thread and by workers. */
const inputs = { "a short text": SHORT, "a long text": LONG, "a short file": new Blob([SHORT]), "a long file": new Blob([LONG]) };

/** What gives items one by one. */
const kinds = {
  games: (input, options) => games(input, options),
  "games with filters": (input, options) => games(input, { ...options, start: "any" }),
  rows: (input, options) => scan(input, "ply", options),
  batches: (input, options) => scan(input, "ply", { ...options, batchRows: 50 }).batches(),
  pieces: (input, options) => scan(input, "fen", options).pieces("csv"),
  starts: (input, options) => starts(input, { ...options, all: true }),
};

describe("a signal that is aborted between two items", () => {
  const reasons = { "an error": new Error("enough"), null: null, "a frozen error": Object.freeze(Object.assign(new Error("x"), { code: "unreadable-input" })) };

  for (const [name, input] of Object.entries(inputs)) {
    it(`ends the run before the next one: ${name}`, async () => {
      for (const [kind, items] of Object.entries(kinds)) {
        for (const [what, reason] of Object.entries(reasons)) {
          const controller = new AbortController();
          let count = 0;
          const run = async () => {
            for await (const item of items(input, { signal: controller.signal })) if (item && ++count === 1) controller.abort(reason);
          };
          const thrown = await run().then(() => "nothing", (error) => error);
          assert.deepEqual([thrown === reason, count], [true, 1], `${kind}, ${what}: ${thrown}`);
        }
      }
    });
  }

  it("ends a run on the calling thread, too", () => {
    for (const kind of ["games", "games with filters", "rows", "starts"]) {
      for (const input of [SHORT, new TextEncoder().encode(SHORT)]) {
        const controller = new AbortController();
        let count = 0;
        const run = () => {
          for (const item of kinds[kind](input, { signal: controller.signal })) if (item && ++count === 5) controller.abort();
        };
        assert.throws(run, { name: "AbortError" }, kind);
        assert.equal(count, 5, kind);
      }
    }
  });

  it("ends a run behind its last item", async () => {
    for (const [kind, items] of Object.entries(kinds)) {
      const controller = new AbortController();
      const run = async () => {
        for await (const item of items(new Blob([GAME]), { signal: controller.signal })) if (item) controller.abort();
      };
      await assert.rejects(run, { name: "AbortError" }, kind);
    }
  });
});

describe("timers", () => {
  /** Work with an item that takes longer than reading it. */
  const work = {
    games: (game) => writeGame(game),
    rows: () => new Position("1. e4 e5"),
    batches: (batch) => [...batch].map(() => new Position("1. e4 e5")),
  };

  for (const [name, input] of Object.entries(inputs)) {
    for (const [kind, use] of Object.entries(work)) {
      it(`have their turn between ${kind} of ${name}`, async () => {
        const controller = new AbortController();
        const run = async () => {
          for await (const item of kinds[kind](input, { signal: controller.signal, workers: 1 })) {
            // The timer begins with the first item, so that starting a worker does not give it a turn.
            controller.timer ??= setTimeout(() => controller.abort(), 1);
            use(item);
          }
        };
        await assert.rejects(run, { name: "AbortError" });
      });
    }
  }
});

describe("what the caller throws", () => {
  const thrown = [null, undefined, "a text", Object.freeze(Object.assign(new Error("mine"), { code: "unreadable-input" }))];
  const reads = {
    games: (input, options) => (async () => { for await (const game of games(input, options)) assert.ok(game); })(),
    rows: (input, options) => scan(input, "ply", options).toArray(),
    text: (input, options) => scan(input, "ply", options).text("csv"),
    starts: (input, options) => starts(input, options).toArray(),
    report,
    tree: (input, options) => tree(input, options).grow(),
    "rows at once": async (input, options) => (typeof input === "string" ? [...scan(input, "ply", options)] : scan(input, "ply", options).toArray()),
    "games at once": async (input, options) => [...games(typeof input === "string" ? input : GAME, options)],
  };

  it("comes out as it is, from onProgress and as the reason of a signal", async () => {
    for (const [name, read] of Object.entries(reads)) {
      for (const input of [GAME, new Blob([GAME])]) {
        for (const value of thrown) {
          const onProgress = () => {
            throw value;
          };
          const came = await read(input, { onProgress }).then(() => "nothing", (error) => [error]);
          assert.ok(came[0] === value && came !== "nothing", `${name}: ${came} instead of ${value}`);
          // The reason of `abort(undefined)` is an AbortError.
          const signal = AbortSignal.abort(value);
          const ended = await read(input, { signal }).then(() => "nothing", (error) => [error]);
          assert.ok(ended[0] === signal.reason && ended !== "nothing", `${name}: ${ended} instead of ${signal.reason}`);
        }
      }
    }
  });

  it("is told by a collection if a stream fails with it", async () => {
    for (const value of thrown) {
      const stream = new ReadableStream({ pull: (controller) => controller.error(value) });
      const collection = Collection.open([stream, GAME]);
      await new Promise((resolve) => {
        collection.onupdate = () => collection.progress.isDone && resolve();
      });
      assert.deepEqual(collection.files.map(({ error }) => error), [String(value?.message ?? value), null]);
      assert.deepEqual([collection.size, collection.progress.error], [1, null]);
      collection.close();
    }
  });
});
