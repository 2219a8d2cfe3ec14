// The results are the same whichever way an input is read: at once or by workers, in one piece or in tiles, compressed or not.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Collection, games, report, scan, starts } from "../dist/node.js";
import { COMMAND, DIST, fixture, manyGames, needsCommand, temporaryFolder, withOptions } from "./helpers.mjs";

const COLUMNS = "game,line,offset,id,ply,san,fen";
const folder = temporaryFolder();
const path = join(folder, "many.pgn");
const big = manyGames(13_000_000);
const name = "many.pgn";

/** A part that several workers share. */
const part = big.subarray(0, 9_000_000);

const hash = (...parts) => {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part);
  return sum.digest("hex");
};

/** What a report says, as a text. */
const said = ({ summary, messages, hidden, isComplete }) => [summary, hidden, isComplete, hash(messages.map(String).join("\n"))].join(" ");

/** Returns rows as CSV and the report of the run, as a text to compare. */
async function csv(input, options = {}, columns = COLUMNS) {
  const rows = scan(input, columns, { name, ...options });
  const sum = createHash("sha256");
  for await (const piece of rows.pieces("csv")) sum.update(piece);
  return `${sum.digest("hex")} ${said(rows.report)}`;
}

/** Compresses the file with a program; null if it is not installed. */
function compressed(program, ...options) {
  if (!existsSync(`/usr/bin/${program}`)) return null;
  return new Uint8Array(execFileSync(program, [...options, "-c", path], { maxBuffer: 1 << 28 }));
}

/** Returns a game as text, with its last move in place of all. */
const summaryOf = ({ moves, line, ...rest }) => JSON.stringify({ ...rest, moves: moves.length, last: moves.at(-1), comments: line.comments });

async function* chunks(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("a file of 13 MB", () => {
  let expected;

  before(async () => {
    writeFileSync(path, big);
    expected = await csv(big, { workers: 1 });
  });

  it("has games with errors and warnings, and starting positions", async () => {
    const { games: all, errors, warnings, messages } = await report(big, { name });
    assert.ok(all > 9_000 && errors > 60 && warnings > 600, `${all} games, ${errors} errors, ${warnings} warnings`);
    assert.ok(new Set(messages.map((message) => message.kind)).size > 8);
    assert.ok((await starts(big).toArray()).length > 10);
  });

  it("is read as by the command", { skip: needsCommand }, async () => {
    const { stdout: rows } = spawnSync(COMMAND, ["-q", "-f", "csv", "-C", COLUMNS, name], { cwd: folder, maxBuffer: 1 << 29 });
    assert.equal(hash(rows), expected.split(" ")[0]);
    const check = spawnSync(COMMAND, ["check", "-v", "--max-messages", "1000000", name], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
    const { messages } = await report(big, { name, verbose: true });
    const lines = check.stdout.split("\n").filter((line) => line.startsWith(`${name}:`));
    assert.deepEqual(messages.map(String), lines.map(withOptions));
  });

  for (const workers of [2, 3, 7]) it(`${workers} workers`, async () => assert.equal(await csv(big, { workers }), expected));

  it("at once, on the calling thread", () => {
    const rows = scan(big, COLUMNS, { name });
    const sum = createHash("sha256").update(`${COLUMNS}\n`);
    let text = "";
    for (const { game, line, offset, id, ply, san, fen } of rows) {
      text += `${game},${line},${offset},${id},${ply},${san ?? ""},${fen}\n`;
      if (text.length > 1_000_000) {
        sum.update(text);
        text = "";
      }
    }
    sum.update(text);
    assert.equal(`${sum.digest("hex")} ${said(rows.report)}`, expected);
  });

  const inputs = {
    "an ArrayBuffer": () => big.slice().buffer,
    "a view of other bytes": () => {
      const bytes = new Uint8Array(big.length + 10);
      bytes.set(big, 3);
      return new DataView(bytes.buffer, 3, big.length);
    },
    "a text": () => new TextDecoder().decode(big),
    "a Blob": () => new Blob([big.subarray(0, 5_000_000), big.subarray(5_000_000)]),
    "a File": () => new (globalThis.File ?? Blob)([big], "another.pgn"),
    "a file: URL": () => pathToFileURL(path),
    "a stream": () => new Blob([big]).stream(),
    "a stream of Node": () => createReadStream(path),
    "an asynchronous iterator": () => chunks(big, 999_983),
    "a Response": () => new Response(big),
    gzip: () => gzipSync(big, { level: 1 }),
    "gzip of several members": () => Buffer.concat([gzipSync(big.subarray(0, 7_000_001), { level: 1 }), gzipSync(big.subarray(7_000_001), { level: 1 })]),
    "a Blob of gzip": () => new Blob([gzipSync(big, { level: 1 })]),
    bzip2: () => compressed("bzip2", "-1"),
    zstd: () => compressed("zstd", "-1"),
    "zstd of many frames": () => {
      const pieces = [];
      for (let at = 0; at < big.length; at += 3_000_000) {
        writeFileSync(join(folder, "piece"), big.subarray(at, at + 3_000_000));
        pieces.push(existsSync("/usr/bin/zstd") ? execFileSync("zstd", ["-1", "-c", join(folder, "piece")], { maxBuffer: 1 << 28 }) : Buffer.alloc(0));
      }
      const all = Buffer.concat(pieces);
      return all.length ? all : null;
    },
  };
  for (const [kind, make] of Object.entries(inputs)) {
    it(kind, async (test) => {
      const input = make();
      if (input === null) return test.skip("the program is not installed");
      assert.equal(await csv(input), expected);
    });
  }

  it("formats and options", async () => {
    const kinds = [
      ...["fen", "tsv", "jsonl", "epd", "uci", "bullet", "bulletformat", "viri", "plain", "html", "arrow"].map((format) => [format, null, {}]),
      ["jsonl", "game,offset,line,id,White,moves,evals,tags", { per: "game" }],
      ["csv", COLUMNS, { sample: 0.1, seed: 5 }],
      ["csv", COLUMNS, { plies: "8..20", every: 3, verbose: true }],
      ["csv", `${COLUMNS},variation,parent`, { variations: true }],
      ["csv", COLUMNS, { tags: "WhiteElo>=2000", skipCaptures: true }],
      ["csv", COLUMNS, { maxGames: 3000 }],
      ["csv", COLUMNS, { onError: "drop" }],
      ["csv", COLUMNS, { onError: "stop" }],
      ["csv", COLUMNS, { opening: "B" }],
      ["csv", "game,White*,next_*,eval,clk", { plies: "..4" }],
      ["csv", COLUMNS, { lang: "de" }],
      ["csv", COLUMNS, { start: "nonstandard", castling: "shredder" }],
    ];
    for (const [format, columns, options] of kinds) {
      const results = [];
      for (const workers of [1, 3]) {
        const rows = scan(part, columns, { ...options, workers });
        results.push(`${hash(await rows.bytes(format))} ${said(rows.report)}`);
      }
      assert.equal(results[1], results[0], `${format} ${JSON.stringify(options)}`);
    }
  });

  it("unique positions", async () => {
    const results = [];
    for (const workers of [1, 3]) results.push(await csv(part, { unique: true, workers }));
    assert.equal(results[1], results[0]);
  });

  it("batches, rows and the other functions", async () => {
    const results = { now: [], one: [], several: [] };
    const texts = (all) => hash(all.map((one) => JSON.stringify(one, (_, value) => (typeof value === "bigint" ? Number(value) : value))).join("\n"));
    results.now.push(texts([...scan(part, "game,White,ply,eval,clk,fen", { plies: "..3" })]));
    results.now.push(texts([...starts(part)]));
    const all = [];
    for (const game of games(part)) all.push(summaryOf(game));
    results.now.push(hash(all.join("")));
    for (const [list, workers] of [[results.one, 1], [results.several, 3]]) {
      list.push(texts(await scan(part, "game,White,ply,eval,clk,fen", { plies: "..3", workers }).toArray()));
      list.push(texts(await starts(part, { workers }).toArray()));
      const found = [];
      for await (const game of games(part, { workers })) found.push(summaryOf(game));
      list.push(hash(found.join("")));
    }
    assert.deepEqual(results.one, results.now);
    assert.deepEqual(results.several, results.now);
  });

  it("a collection has the rows of games", async () => {
    const rows = await scan(part, "game,line,offset,White,Black,Date_text,UTCDate_text,plies,result,opening,start", { per: "game" }).toArray();
    const { games: count, positions } = await report(part, { variations: false });
    for (const [input, workers] of [[part, 3], [part, 1], [gzipSync(part, { level: 1 }), 2]]) {
      const collection = Collection.open([input], { workers });
      await new Promise((resolve) => {
        collection.onupdate = () => collection.progress.isDone && resolve();
      });
      assert.equal(collection.progress.error, null);
      // Games that cannot be played have no row, but are in the collection.
      const indices = new Map(Array.from({ length: collection.size }, (_, at) => [collection.number("number", at), at]));
      assert.deepEqual([indices.size, collection.progress.positions], [count, positions]);
      assert.equal(collection.progress.bytes, collection.progress.total);
      const [many, few] = [rows, []];
      many.forEach((row) => {
        const at = indices.get(Number(row.game));
        const came = [collection.number("number", at), collection.number("line", at), collection.number("offset", at), collection.text("White", at)];
        came.push(collection.text("Black", at), collection.text("Date", at), collection.number("plies", at), collection.result(at), collection.text("opening", at));
        const { game, line, offset, White, Black, Date_text, UTCDate_text, plies, result, opening } = row;
        const date = /^\d/.test(Date_text ?? "") ? Date_text : UTCDate_text || Date_text || "";
        const due = [Number(game), Number(line), Number(offset), White ?? "", Black ?? "", date, plies ?? 0, result ?? "*", opening ?? ""];
        if (JSON.stringify(came) !== JSON.stringify(due)) few.push([came, due]);
      });
      assert.deepEqual(few.slice(0, 3), []);
      // A collection reads main lines.
      const all = await report(part, { variations: false });
      assert.deepEqual([collection.errors, collection.warnings], [all.errors, all.warnings]);
      // A game alone is what it is in its file.
      const wanted = new Map([0, 1, 777, rows.length >> 1, rows.length - 1].map((at) => [Number(rows[at].game), indices.get(Number(rows[at].game))]));
      for (const game of games(part)) {
        const at = wanted.get(game.number);
        if (at !== undefined) assert.deepEqual(await collection.game(at), game);
      }
      collection.close();
    }
  });
});

describe("a collection", () => {
  const text = '[White "A"]\n\n1. e4 *\n\n[White "B"]\n[FEN "x"]\n\n1. d4 *\n\n[White "C"]\n\n1. c4 c5 2. c5 *\n';
  const opened = async (input, options) => {
    const collection = Collection.open([input].flat(), options);
    await new Promise((resolve) => {
      collection.onupdate = () => collection.progress.isDone && resolve();
    });
    return collection;
  };

  it("has all games, and messages about those that cannot be played", async () => {
    const collection = await opened(text);
    assert.deepEqual(Array.from({ length: collection.size }, (_, at) => [collection.text("White", at), collection.number("number", at), collection.number("errors", at)]), [["A", 1, 0], ["B", 2, 1], ["C", 3, 1]]);
    assert.deepEqual(collection.messages.map(({ game, kind }) => [game, kind]), [[2, "bad-fen"], [3, "illegal-move"]]);
    assert.deepEqual([(await collection.game(2)).tags.White, await collection.pgn(0)], ["C", '[White "A"]\n\n1. e4 *']);
    const { moves, errors } = await collection.game(1);
    assert.deepEqual([moves, errors.map(({ kind, game }) => [kind, game]), collection.progress.positions], [[], [["bad-fen", 2]], 5]);
    assert.deepEqual((await collection.explore("startpos")).games, [0, 2]);
    collection.close();
  });

  it("has games of variants, and the games behind them have their own text", async () => {
    const variant = (name) => `[White "V"]\n[Variant "${name}"]\n\n1. e4 e5 *\n\n`;
    const collection = await opened(`${variant("Crazyhouse")}[White "A"]\n\n1. d4 *\n\n${variant("Bughouse")}[White "B"]\n\n1. c4 e5 2. Ke5 *\n`);
    const heads = Array.from({ length: collection.size }, (_, at) => [collection.text("White", at), collection.number("errors", at)]);
    assert.deepEqual(heads, [["V", 0], ["A", 0], ["V", 1], ["B", 1]]);
    assert.deepEqual([await collection.pgn(1), (await collection.pgn(3)).split("\n")[0]], ['[White "A"]\n\n1. d4 *', '[White "B"]']);
    const { variant: name, moves } = await collection.game(0);
    assert.deepEqual([name, moves.length], ["crazyhouse", 2]);
    const [error] = (await collection.game(3)).errors;
    assert.equal(String(error), "games.pgn:17:13: illegal-move: Ke5 in game 4 (B – ), ply 3: " + error.reason);
    assert.deepEqual((await collection.explore("startpos")).games, [1, 3]);
    collection.close();
  });

  it("guesses the encoding of a file once, for names, comments and messages", async () => {
    // "Спасский, Борис" and "Хороший ход" in Windows-1251. The first game and its moves say too little.
    const russian = '[White "Р"]\n\n1. e4 *\n\n[White "Спасский, Борис"]\n[Black "Корчной, Виктор"]\n\n1. e4 {Хороший ход} e5 2. Ke5 *\n';
    const code = (char) => (char >= "А" && char <= "я" ? char.charCodeAt(0) - 0x350 : char.charCodeAt(0));
    const bytes = Uint8Array.from(russian, code);
    const seen = (game) => [game.tags.White, game.moves[0].comments[0] ?? "", game.text.split('"')[1]];
    const expected = [["Р", "", "Р"], ["Спасский, Борис", "Хороший ход", "Спасский, Борис"]];
    for (const workers of [1, 2]) {
      const read = [];
      for await (const game of games(new Blob([bytes]), { workers })) read.push(game);
      assert.deepEqual(read.map(seen), expected);
      assert.match(String(read[1].errors[0]), /Спасский, Борис – Корчной, Виктор/);
    }
    assert.deepEqual(Array.from(games(bytes), seen), expected);
    assert.notDeepEqual(Array.from(games(bytes, { encoding: "windows-1252" }), seen), expected);
    for (const given of [bytes, gzipSync(bytes)]) {
      const collection = await opened(given);
      assert.equal(collection.text("White", 1), "Спасский, Борис");
      assert.deepEqual([seen(await collection.game(0)), seen(await collection.game(1))], expected);
      assert.match(collection.messages.find((message) => message.isError).full, /Спасский, Борис/);
      assert.equal(collection.files[0].encoding, "windows-1251");
      collection.close();
    }
  });

  it("reads text as it is, whatever encoding is given", async () => {
    const text = '[White "Müller"]\n\n1. e4 {größer} *\n';
    const seen = (game) => [game.tags.White, game.moves[0].comments[0]];
    const expected = [["Müller", "größer"]];
    const streams = { text: () => text, "a long text": () => text + "\n".repeat(100_000), "a stream of text": () => ReadableStream.from([text]) };
    for (const encoding of ["gbk", "utf-16", "windows-1251", "auto"]) {
      for (const [name, input] of Object.entries(streams)) {
        const read = [];
        for await (const game of games(input(), { encoding })) read.push(seen(game));
        assert.deepEqual(read, expected, `${encoding}: ${name}`);
        const collection = await opened(input(), { encoding });
        assert.deepEqual([collection.text("White", 0), seen(await collection.game(0)), collection.size], ["Müller", expected[0], 1], `${encoding}: ${name}`);
        collection.close();
      }
      assert.deepEqual(Array.from(games(text, { encoding }), seen), expected);
      assert.deepEqual(await scan(text, "White", { encoding, per: "game" }).toArray(), [{ White: "Müller" }]);
    }
    // Bytes are decoded.
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
    for (const input of [bytes, new Blob([bytes]), ReadableStream.from([bytes])]) {
      for await (const game of games(input, { encoding: "windows-1251" })) assert.equal(game.tags.White, "Mьller");
    }
  });

  it("exports the games that were chosen and no others", async () => {
    const collection = await opened(text);
    const [one] = [await collection.blob([0]).text()];
    assert.deepEqual(Array.from(games(one), (game) => game.tags.White), ["A"]);
    collection.close();
  });

  it("answers what was played", async () => {
    const collection = await opened(['[WhiteElo "2400"]\n[BlackElo "2000"]\n[Date "2001.01.01"]\n\n1. e4 e5 1-0', "1. e4 c5 0-1\n\n1. d4 d5 2. e4 e6 1/2-1/2\n\n1. Nf3 *"]);
    assert.equal(collection.size, 4);
    const start = await collection.explore("startpos");
    assert.deepEqual(start.moves.map(({ san, white, draws, black, unknown }) => [san, white, draws, black, unknown]), [["e4", 1, 0, 1, 0], ["d4", 0, 1, 0, 0], ["Nf3", 0, 0, 0, 1]]);
    assert.deepEqual([start.total, start.ended, start.moves[0].averageRating, start.moves[0].lastYear], [4, 0, 2400, 2001]);
    const few = await collection.explore("startpos", { passes: new Uint8Array([0b0110]) });
    assert.deepEqual([few.total, few.games.toSorted()], [2, [1, 2]]);
    const end = await collection.explore("1. e4 c5");
    assert.deepEqual([end.total, end.ended, end.moves, end.games], [1, 1, [], [1]]);
    assert.equal((await collection.game(2)).moves.at(-1).san, "e6");
    assert.throws(() => collection.text("White", 4), RangeError);
    collection.close();
    await assert.rejects(() => collection.explore("startpos"), { name: "AbortError" });
  });

  it("says which files it cannot read, and reads the others", async () => {
    const collection = await opened([new Uint8Array([0x50, 0x4b, 3, 4, ...new Array(60).fill(0)]), "1. e4 *"]);
    assert.equal(collection.size, 1);
    assert.match(collection.files[0].error, /is a zip archive/);
    assert.deepEqual([collection.messages.length, collection.messages[0].kind, collection.errors], [1, "unreadable", 1]);
    collection.close();
  });

  it("ends when its signal is aborted", async () => {
    const controller = new AbortController();
    const collection = Collection.open([big], { workers: 2, signal: controller.signal });
    collection.onupdate = () => controller.abort();
    await new Promise((resolve) => {
      const timer = setInterval(() => collection.progress.isDone && resolve(clearInterval(timer)), 5);
    });
    assert.equal(collection.progress.error.name, "AbortError");
  });
});

describe("a run", () => {
  it("ends when its signal is aborted, and the next one works", async () => {
    for (const workers of [1, 3]) {
      const expected = await scan(big, null, { workers, maxGames: 5 }).text("fen");
      for (const pieces of [0, 1, 3]) {
        const controller = new AbortController();
        let count = 0;
        const run = async () => {
          if (pieces === 0) setTimeout(() => controller.abort(), 5);
          for await (const piece of scan(big, null, { workers, signal: controller.signal }).pieces()) if (piece && ++count === pieces) controller.abort();
        };
        await assert.rejects(run, { name: "AbortError" }, `${workers} workers, ${pieces} pieces`);
        assert.equal(await scan(big, null, { workers, maxGames: 5 }).text("fen"), expected);
      }
    }
    await assert.rejects(() => report(big, { signal: AbortSignal.abort() }), { name: "AbortError" });
    await assert.rejects(() => report("1. e4 *", { signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.throws(() => [...scan("1. e4 *", "fen", { signal: AbortSignal.abort() })], { name: "AbortError" });
    const reason = new Error("that is enough");
    await assert.rejects(() => report(big, { signal: AbortSignal.abort(reason) }), reason);
    await assert.rejects(() => report(big, { signal: AbortSignal.timeout(10) }), { name: "TimeoutError" });
  });

  it("reports how far it has come", async () => {
    for (const [input, workers] of [[big, 1], [big, 3], [gzipSync(big, { level: 1 }), 1]]) {
      const seen = [];
      const { games: all, positions } = await report(input, { workers, onProgress: (progress) => seen.push(progress) });
      assert.ok(seen.length > 3);
      for (const [at, progress] of seen.entries()) {
        const before = seen[at - 1] ?? { bytes: 0, games: 0, positions: 0 };
        for (const name of ["bytes", "games", "positions"]) assert.ok(progress[name] >= before[name], `${name}: ${progress[name]} after ${before[name]}`);
        assert.ok(progress.bytes <= progress.total && progress.total === input.length);
      }
      assert.deepEqual([seen.at(-1).bytes, seen.at(-1).games, seen.at(-1).positions], [input.length, all, positions]);
    }
  });

  it("reports how far it has come also at once", async () => {
    const text = `${fixture("games/evaluations_and_times.pgn")}\n\n[FEN "8/8"]\n\n1. e4 *\n\n1. e4 (1. d4) Ke4 *\n`;
    const expected = { bytes: Buffer.byteLength(text), total: Buffer.byteLength(text) };
    ({ games: expected.games, positions: expected.positions } = await report(text, { variations: false }));
    let seen = [];
    const onProgress = (progress) => seen.push(progress);
    const later = async (items) => {
      for await (const item of items) assert.ok(item);
    };
    const ways = {
      games: (input) => [...games(input, { onProgress })],
      "games with filters": (input) => [...games(input, { onProgress, start: "any" })],
      "games later": (input) => later(games(input, { onProgress })),
      rows: (input) => [...scan(input, "ply", { onProgress })],
      "rows later": (input) => scan(input, "ply", { onProgress }).toArray(),
      report: (input) => report(input, { onProgress, variations: false }),
    };
    for (const [name, read] of Object.entries(ways)) {
      for (const input of [text, Buffer.from(text)]) {
        seen = [];
        await read(input);
        // The games of `games` have positions, but they are not counted.
        assert.deepEqual(seen.at(-1), { ...expected, ...(name.startsWith("games") && { positions: 0 }) }, name);
      }
    }
  });

  it("gives all rows of a large batch", async () => {
    const text = `1. ${"Nf3 Nf6 Ng1 Ng8 ".repeat(20_000)}*\n\n`.repeat(3);
    assert.equal((await scan(text, "ply", { batchRows: 1_000_000 }).toArray()).length, 240_003);
  });

  it("has columns and rows that end with the batch", async () => {
    for await (const batch of scan(fixture("games/lichess_2012.pgn"), "ply,Date,offset,san,eval,tags,nags,White,key").batches()) {
      for (const at of [batch.length, batch.length + 99, -1, 0.5, "0"]) {
        for (const column of Object.values(batch.columns)) assert.equal(column.get(at), null, `${column.name} ${at}`);
        assert.equal(batch.row(at), undefined);
      }
      assert.deepEqual(batch.row(batch.length - 1), [...batch].at(-1));
    }
  });

  it("that is left early lets the process end", () => {
    const program = `
      import { Collection, games, scan } from ${JSON.stringify(pathToFileURL(join(DIST, "node.js")).href)};
      import { readFileSync } from "node:fs";
      const big = readFileSync(${JSON.stringify(path)});
      for (const workers of [1, 3]) {
        for await (const row of scan(big, "fen", { workers })) break;
        for await (const game of games(big, { workers, start: "any" })) break;
        for await (const piece of scan(big, "fen", { workers }).pieces("csv")) break;
        const reader = scan(big, null, { workers }).stream("fen").getReader();
        await reader.read();
        await reader.cancel();
      }
      console.log("left");`;
    const begun = performance.now();
    const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8", timeout: 60_000 });
    assert.deepEqual([stdout, stderr, status], ["left\n", "", 0]);
    assert.ok(performance.now() - begun < 30_000);
  });

  it("keeps at most 10,000 messages and counts the others", async () => {
    const bad = "1. e4 e4 *\n\n".repeat(750_000);
    for (const workers of [1, 3]) {
      const { messages, hidden, errors } = await report(bad, { workers });
      assert.deepEqual([messages.length, hidden, errors], [10_000, 740_000, 750_000], `${workers} workers`);
      assert.equal(messages.at(-1).game, 10_000);
    }
  });

  it("has the same hints with several workers", async () => {
    for (const [format, options] of [["csv", { tags: "Whit=x" }], ["csv", { tags: "White=Nobody" }], ["csv", { plies: [2000, null] }], ["bullet", {}], ["bullet", { evals: "tcec" }]]) {
      const hints = [];
      for (const workers of [1, 3]) {
        const rows = scan(part, null, { ...options, workers });
        await rows.bytes(format);
        hints.push(rows.report.hints);
      }
      assert.ok(hints[0].length > 0);
      assert.deepEqual(hints[1], hints[0], JSON.stringify(options));
    }
  });

  it("compares the games of tournaments if it is asked for, in one worker", async () => {
    const game = (round) => `[Event "Open"]\n[Date "2020.02.30"]\n[Round "${round}"]\n[White "Tal"]\n[Black "Fine"]\n[Result "1-0"]\n\n1. f3 e5 (1... e6 2. Ke3) 2. g4 Qh4# 1-0\n\n`;
    const text = game(1) + game(1);
    const { findings, errors } = await report(text, { tournament: true, name: "open.pgn" });
    assert.equal(errors, 2);
    assert.deepEqual(findings.map(({ file, line, kind }) => [file, line, kind]), [
      ["open.pgn", 2, "unreadable-tag"],
      ["open.pgn", 6, "result-on-board"],
      ["open.pgn", 10, "pairing-twice"],
      ["open.pgn", 11, "unreadable-tag"],
      ["open.pgn", 15, "result-on-board"],
    ]);
    // The first and the last game of a file that several workers would share are compared.
    const long = game(1) + '[White "x"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'.repeat(220_000) + game(1);
    const twice = (await report(long, { tournament: true, workers: 2 })).findings.filter(({ kind }) => kind === "pairing-twice");
    assert.equal(twice.length, 1);
    const main = await report(text, { variations: false });
    assert.deepEqual([main.errors, main.findings], [0, undefined]);
  });

  it("reads texts of every shape", async () => {
    const texts = {
      "no games": "hello world, this is no game. ".repeat(400_000),
      "games behind much text": `${"hello world, this is text.\n".repeat(400_000)}\n\n1. e4 e5 *\n`,
      "a long comment": `1. e4 {${"bla bla\n".repeat(1_500_000)}} e5 *\n\n1. d4 *\n`,
      "a comment that is not closed": `1. e4 {${'[Event "x"]\n\n1. e4 e5 2. Nf3 *\n\n'.repeat(400_000)}`,
      "a list": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n".repeat(200_000),
      "carriage returns": '[White "x"]\r[Black "y"]\r\r1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O O-O 6. X *\r\r'.repeat(150_000),
    };
    for (const [kind, text] of Object.entries(texts)) {
      assert.equal(await csv(text, { workers: 3 }), await csv(text, { workers: 1 }), kind);
    }
    const wide = new Uint8Array(Buffer.from(`\ufeff${'[White "Петров"]\n\n1. e4 e5 2. Nf3 *\n\n'.repeat(120_000)}`, "utf16le"));
    assert.equal(await csv(wide, { workers: 3 }), await csv(wide, { workers: 1 }));
  });
});
