// Streams: they are read once, whatever their chunks are, and a signal ends the reading.

import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Collection, games, members, report, scan, starts, tree } from "../dist/node.js";

const TEXT = "1. e4 e5 *\n";

describe("a stream that gives no more", () => {
  /** Streams whose first chunk comes, and no other. `isEnded` tells whether their reader has ended them. */
  const kinds = {
    stream() {
      let isEnded = false;
      const stream = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(TEXT)), cancel: () => void (isEnded = true) });
      return { input: stream, isEnded: () => isEnded };
    },
    response() {
      const { input, isEnded } = kinds.stream();
      return { input: new Response(input), isEnded };
    },
    iterator() {
      let isEnded = false;
      let count = 0;
      const chunks = {
        [Symbol.asyncIterator]: () => chunks,
        next: () => (count++ ? new Promise(() => {}) : Promise.resolve({ value: TEXT, done: false })),
        return: async () => void (isEnded = true),
      };
      return { input: chunks, isEnded: () => isEnded };
    },
    "stream of Node"() {
      const stream = new PassThrough();
      stream.write(TEXT);
      return { input: stream, isEnded: () => stream.destroyed };
    },
  };
  const reads = {
    rows: (input, options) => scan(input, "fen", options).toArray(),
    games: async (input, options) => {
      for await (const game of games(input, options)) assert.fail(game.text);
    },
    report,
    starts: (input, options) => starts(input, options).toArray(),
    tree: (input, options) => tree(input, options).grow(),
  };

  for (const [kind, make] of Object.entries(kinds)) {
    it(`is ended by a signal: ${kind}`, async () => {
      for (const [name, read] of Object.entries(reads)) {
        const { input, isEnded } = make();
        const controller = new AbortController();
        const reason = new Error("enough");
        const run = read(input, { signal: controller.signal });
        setTimeout(() => controller.abort(reason), 5);
        await assert.rejects(run, reason, name);
        await pause(1);
        assert.ok(isEnded(), name);
      }
    });

    it(`is ended by a collection: ${kind}`, async () => {
      for (const way of ["signal", "close"]) {
        const { input, isEnded } = make();
        const controller = new AbortController();
        const collection = Collection.open([input], { signal: controller.signal });
        const done = new Promise((resolve) => {
          collection.onupdate = () => collection.progress.isDone && resolve();
        });
        await pause(5);
        if (way === "signal") controller.abort();
        else collection.close();
        await done;
        assert.equal(collection.progress.error.name, "AbortError");
        await pause(1);
        assert.ok(isEnded(), way);
        collection.close();
      }
    });
  }
});

describe("a stream", () => {
  it("may be cut between any characters", async () => {
    const text = '[White "\u{1f600}é\u{1f601}"]\n\n1. e4 *\n';
    for (let size = 1; size < 4; size++) {
      const chunks = async function* () {
        for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
      };
      for await (const game of games(chunks())) assert.equal(game.tags.White, "\u{1f600}é\u{1f601}");
    }
    // Half a character, before bytes and at the end.
    const halves = ["1. e4 {a\ud83d", new TextEncoder().encode("} e5 * \n\n1. d4 {b"), "} * {\ude00 \ud83d"];
    const read = [];
    for await (const game of games(Readable.from(halves))) read.push(game.moves[0].comments[0]);
    assert.deepEqual(read, ["a\ufffd", "b"]);
  });

  it("is read once", async () => {
    const chunks = async function* () {
      yield TEXT;
    };
    const read = { code: "bad-argument", message: "this stream has been read" };
    const streams = [() => ReadableStream.from([TEXT]), () => new Response(TEXT), chunks, () => Readable.from([TEXT])];
    for (const make of streams) {
      const stream = make();
      assert.equal((await report(stream)).games, 1);
      await assert.rejects(() => report(stream), read);
      const rows = scan(make(), "ply");
      assert.equal((await rows.toArray()).length, 3);
      await assert.rejects(() => rows.toArray(), read);
    }
    const response = new Response(TEXT);
    await response.text();
    await assert.rejects(() => report(response), read);
    const stream = ReadableStream.from([TEXT]);
    stream.getReader();
    await assert.rejects(() => report(stream), read);
    // What gives new chunks each time can be read again.
    const again = { [Symbol.asyncIterator]: chunks };
    for (let round = 0; round < 2; round++) assert.equal((await report(again)).games, 1);
    assert.equal((await report(new Response(null))).games, 0);
  });

  it("that is no archive is a file of its text", async () => {
    const [only] = await members(new Response(TEXT), { name: "x.pgn" });
    assert.equal(only.name, "x.pgn");
    for (let round = 0; round < 2; round++) assert.equal((await report(only)).games, 1);
  });
});
