// What is wrong becomes an Error with a message, whatever is given, and the package works afterwards.

import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { annotate, Collection, games, members, Position, report, scan, starts, tree, writeGame } from "../dist/node.js";
import { platform, fullModule } from "../dist/platform.js";
import { Hand } from "../dist/pool.js";
import { filesIn, fixture, FIXTURES, manyGames, randomNumbers, temporaryFolder } from "./helpers.mjs";

const GAMES = fixture("games/evaluations_on_every_move.pgn");
const folder = temporaryFolder();

/** Fails unless the error has this message, or begins with it. */
const withMessage = (message) => (error) => {
  assert.ok(error instanceof Error, String(error));
  if (message instanceof RegExp) assert.match(error.message, message);
  else assert.ok(error.message.startsWith(message), `${error.message}\n  does not begin with\n${message}`);
  return true;
};

/** The package still works. */
async function works() {
  assert.equal([...games("1. e4 e5 2. Nf3 *")][0].moves.length, 3);
  assert.equal(new Position("1. e4 e5").fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2");
  assert.equal([...scan("1. e4 e5 *", "ply")].length, 3);
  assert.equal((await report(GAMES, { workers: 1 })).games, 1);
}

describe("codes of errors", () => {
  it("tell what is wrong", async () => {
    const code = (expected) => ({ code: expected });
    await assert.rejects(() => report(GAMES, { tags: "WhiteElo=>1" }), code("bad-argument"));
    assert.throws(() => [...games("1. e4 *", { lang: "xx" })], code("bad-argument"));
    assert.throws(() => scan("1. e4 *", null, { plies: [1] }), code("bad-argument"));
    assert.throws(() => [...scan(new Blob(["1. e4 *"]))], code("bad-argument"));
    await assert.rejects(() => report(5), code("bad-argument"));
    await assert.rejects(() => report(new Blob(["not a game".repeat(10), new Uint8Array(5000).fill(7)]), { encoding: "klingon" }), code("bad-argument"));
    const damaged = gzipSync(GAMES).subarray(0, 500);
    await assert.rejects(() => scan(damaged, "fen").toArray(), code("unreadable-input"));
    await assert.rejects(() => report(new Blob([damaged])), code("unreadable-input"));
    assert.throws(() => platform.engine.text("panic", "x"), code("internal-error"));
  });
});

describe("wrong options", () => {
  // The texts are those of the Python package (python/tests/test_scan.py), with the names of options that they have here.
  const wrong = [
    [{ columns: "feen" }, "columns: there is no column feen; did you mean fen?"],
    [{ columns: "" }, "columns: no columns are given"],
    [{ tags: "WhiteElo=>2200" }, "tags: => is not an operator; did you mean >=?\n    WhiteElo=>2200\n            ^^"],
    [{ plies: "x" }, "plies: "],
    [{ plies: [5, 3] }, "plies: "],
    [{ pieces: "many" }, "pieces: "],
    [{ sample: 2.0 }, "sample: a share is a number from 0 to 1, such as 0.01"],
    [{ every: 0 }, "every is 0, but must be 1 or more"],
    [{ turn: "x" }, "turn is 'x', but must be w or b"],
    [{ start: "here" }, "start is 'here', but must be one of any, standard, nonstandard"],
    [{ onError: "cry" }, "onError is 'cry', but must be one of keep, drop, stop"],
    [{ onError: "raise" }, /^onError is 'raise', but must be one of keep, drop, stop$/],
    [{ lang: "tlh" }, /^lang is 'tlh', but must be one of .*\bde\b/],
    [{ encoding: "klingon" }, "unknown encoding 'klingon'"],
    [{ batchRows: 0 }, "batchRows is 0, but must be 1 or more"],
    [{ maxGames: -1 }, "maxGames is -1, which is out of range"],
    [{ seed: 2n ** 70n }, `seed is ${2n ** 70n}, which is out of range`],
    [{ fields: 300 }, "fields is 300, but must be 4 or 6"],
    [{ maxGames: "x" }, "maxGames is 'x', but must be a whole number"],
    [{ unique: 1 }, "unique is '1', but must be one of true, false"],
    [{ per: "game", unique: true }, "per: \"game\" gives whole games and has no options for positions; leave out unique"],
    [{ evals: "uci" }, "evals is 'uci', but must be one of auto, lichess, engine, tcec"],
    [{ colour: "w" }, /^there is no option 'colour'(; did you mean colors\?)?$/],
    [{ plise: 3 }, "there is no option 'plise'; did you mean plies?"],
    [{ mirror: true }, "mirror exchanges left and right, and needs pattern or pawns"],
    [{ reached: "1. e5" }, "reached: "],
    [{ moves: "Bxh7 Kx" }, "moves: "],
    [{ material: "X" }, "material: "],
    [{ opening: "" }, "opening: "],
    [{ opening: NaN }, "opening: NaN is neither a text nor a number"],
    [{ moves: [null, null] }, "moves: null is neither a text nor a number"],
    [{ reached: ["1. e4", null] }, "reached: null is neither"],
    [{ tags: [{}] }, "tags: object is neither"],
    [{ columns: ["ply", null] }, "columns: null is neither"],
    [{ maxGames: [5, 1] }, "maxGames is a list, but must be a single value"],
    [{ every: [] }, "every is a list, but must be a single value"],
    [{ plies: [2] }, "plies: a range is a pair of numbers"],
    [{ lang: 5 }, "lang is not a text"],
    [{ encoding: 5 }, "encoding is not a text"],
    [{ ep: 1 }, "ep is not a text"],
    [{ nonsense: [] }, "there is no option 'nonsense'"],
    [{ nonsense: [1, 2] }, "there is no option 'nonsense'"],
    [{ plise: [] }, "there is no option 'plise'; did you mean plies?"],
    [{ kind: ["odds"] }, "there is no option 'kind'"],
    [{ header: "false" }, "there is no option 'header'"],
    [{ tagNames: "x" }, "there is no option 'tagNames'"],
  ];

  it("are named, at once and in workers", async () => {
    for (const [{ columns = null, ...options }, message] of wrong) {
      const what = JSON.stringify({ columns, ...options }, (_, value) => (typeof value === "bigint" ? String(value) : value));
      const way = (name, run) => assert.rejects(async () => run(), withMessage(message), `${what} ${name}`);
      await way("at once", async () => [...scan("1. e4 *", columns, options)]);
      const format = options.per ? "jsonl" : "csv";
      await way("as text", () => scan("1. e4 *", columns, options).text(format));
      await way("by a worker", () => scan(new Blob([GAMES]), columns, { workers: 1, ...options }).text(format));
    }
    await works();
  });

  it("that JavaScript does not have are named with the reason", () => {
    const reasons = { memory: /4 GiB/, names: /no path/, movetext: /by their names/, skipUnreadable: /one file/, threads: /workers/, range: /slice/, shuffle: /array/, split: /no files/, setTags: /copied/ };
    for (const [name, reason] of Object.entries(reasons)) {
      const expected = (error) => error.code === "bad-argument" && error.message.startsWith(`there is no option '${name}' in JavaScript: `) && reason.test(error.message);
      for (const read of [() => scan("1. e4 *", "fen", { [name]: "x" }), () => games("1. e4 *", { [name]: "x" })]) assert.throws(read, expected, name);
    }
    assert.throws(() => scan("1. e4 *", "fen", { max_games: 1 }), withMessage("there is no option 'max_games'; did you mean maxGames?"));
    assert.throws(() => games("1. e4 *", { max_game: 1 }), withMessage("there is no option 'max_game'"));
  });

  it("of the package itself are checked", async () => {
    const wrong = [
      [{ workers: 0 }, "workers is not a whole number from 1"],
      [{ workers: -1 }, "workers is not"],
      [{ workers: "a" }, "workers is not"],
      [{ name: 5 }, "name is not a text"],
      [{ signal: "x" }, "signal is not the signal of an AbortController"],
      [{ onProgress: true }, "onProgress is not a function"],
      [null, "options are given as an object"],
      ["lang", "options are given as an object"],
    ];
    for (const [options, message] of wrong) {
      const expected = (error) => withMessage(message)(error) && error.code === "bad-argument";
      for (const read of [scan.bind(null, "1. e4 *", "fen"), games.bind(null, "1. e4 *"), starts.bind(null, "1. e4 *"), tree.bind(null, "1. e4 *")]) assert.throws(() => read(options), expected);
      await assert.rejects(() => report("1. e4 *", options), expected);
    }
    assert.throws(() => scan("1. e4 *", null, { columns: "ply" }), withMessage("columns are given behind the input"));
    assert.equal([...games("1. e4 *", { lang: null, tags: undefined, workers: null })].length, 1);
    await works();
  });

  it("are not ignored by any function", async () => {
    const position = new Position("1. e4");
    const [game] = games("1. e4 *");
    const wrong = {
      "varian'; did you mean variant?": () => new Position("startpos", { varian: "atomic" }),
      "field'; did you mean fields?": () => position.fen({ field: 4 }),
      "lastmove'; did you mean lastMove?": () => position.board({ lastmove: "e2e4" }),
      "ascii'": () => position.board({ ascii: true }),
      "asci'; did you mean ascii?": () => position.unicode({ asci: true }),
      "lan'; did you mean lang?": () => position.san("e5", { lan: "de" }),
      "language'": () => position.uci("e5", { language: "de" }),
      "word'; did you mean words?": () => annotate(game.moves[0], { word: "x" }),
      "onError'": () => Collection.open(["1. e4 *"], { onError: "drop" }),
      "nam'; did you mean name?": () => members("1. e4 *", { nam: "x" }),
      "witdh'": () => writeGame(game, { witdh: 5 }),
      "name'": () => writeGame(game, { name: "x" }),
      "plies'": () => games("1. e4 *", { plies: 3 })[Symbol.iterator]().next(),
      "unique'": () => report("1. e4 *", { unique: true }),
      "variations'": () => games("1. e4 *", { variations: true })[Symbol.iterator]().next(),
      "tournament'": () => scan("1. e4 *", "fen", { tournament: true }).toArray(),
      "material'": () => tree("1. e4 *", { material: "KR:K" }).grow(),
      "maxGame'; did you mean maxGames?": () => starts("1. e4 *", { maxGame: 1 }).toArray(),
    };
    for (const [said, run] of Object.entries(wrong)) {
      await assert.rejects(async () => run(), (error) => withMessage(`there is no option '${said}`)(error) && error.code === "bad-argument", said);
    }
    const collection = Collection.open(["1. e4 *"]);
    await assert.rejects(() => collection.explore("startpos", { game: 1 }), withMessage("there is no option 'game'; did you mean games?"));
    await new Promise((resolve) => {
      collection.onupdate = () => collection.progress.isDone && resolve();
    });
    for (const passes of ["x", [255], new Uint8Array(0), new Uint8Array(2), new Uint16Array(1)]) {
      const message = "passes is not a Uint8Array of 1 bytes, which has a bit for each of 1 games";
      await assert.rejects(() => collection.explore("startpos", { passes }), { code: "bad-argument", message });
    }
    assert.equal((await collection.explore("startpos", { passes: new Uint8Array(1) })).total, 0);
    for (const count of [1.5, -1, "1"]) await assert.rejects(() => collection.explore("startpos", { games: count }), { code: "bad-argument", message: "games is not a whole number from 0" });
    collection.close();
    await works();
  });

  it("of other types have codes", async () => {
    const position = new Position("1. e4");
    const rows = scan("1. e4 *", "fen");
    const [game] = games("1. e4 *");
    const wrong = [
      () => rows.bytes(5),
      () => scan(new Blob(["1. e4 *"]), "fen").text({}),
      () => tree("1. e4 *").text(5),
      () => position.board(null),
      () => position.board({ arrows: "e2e4" }),
      () => position.board({ marks: 5 }),
      () => position.board({ fill: "red" }),
      () => position.fen({ ep: 5 }),
      () => position.isSame("startpos"),
      () => new Position("startpos", { lang: 5 }),
      () => new Position("startpos", { chess960: "yes" }),
      () => writeGame(null),
      () => writeGame("1. e4"),
      () => writeGame([game]),
      () => writeGame(game, null),
      () => annotate(game.moves[0]),
      () => annotate("e4", { words: "x" }),
      () => Collection.open("1. e4 *"),
      () => Collection.open(),
      () => Collection.open(["1. e4 *"], { explorePlies: "many" }),
      () => games("1. e4 *", { encoding: {} })[Symbol.iterator]().next(),
    ];
    for (const run of wrong) await assert.rejects(async () => run(), { code: "bad-argument" }, String(run));
    assert.throws(() => new Position("startpos", { lang: 5 }), withMessage("lang is not a text"));
    assert.throws(() => new Position("startpos", { variant: 5 }), withMessage("variant is not a text"));
    assert.throws(() => position.fen({ ep: 1 }), withMessage("ep is not a text"));
    assert.throws(() => writeGame(game, { keepTags: [null] }), withMessage("keepTags: null is neither"));
    assert.throws(() => writeGame(game, { width: [5] }), withMessage("width is "));
    assert.throws(() => tree("1. e4 *", { comments: [null] }), withMessage("comments: null is neither"));
    assert.throws(() => position.board({ lastMove: "x" }), withMessage("lastMove is 'x', but must be the squares"));
    assert.throws(() => position.board({ arrows: ["x"] }), withMessage("arrows: "));
    assert.throws(() => position.board({ marks: ["x"] }), withMessage("marks: 'x' is not a square"));
    assert.throws(() => position.board({ size: 1.5 }), withMessage("size is 1.5, but must be a whole number from 1"));
    await works();
  });

  it("that are no ranges are type errors", async () => {
    for (const plies of [[8], [], [1, 2, 3]]) assert.throws(() => scan("1. e4 *", null, { plies }), { name: "TypeError", message: /^plies: a range is a pair of numbers/ });
  });

  it("are lists where the types say so, and nowhere else", async () => {
    const types = readFileSync(new URL("../lib/index.d.ts", import.meta.url), "utf8");
    const optionsOf = (name) => {
      const [, text] = new RegExp(`interface ${name} extends [^{]* \\{\n(.*?)\n\\}`, "s").exec(types);
      return Array.from(text.matchAll(/^ {2}(\w+)\?: (.*);$/gm), ([, option, type]) => [option, type]);
    };
    const reads = {
      GameOptions: async (options) => [...games("1. e4 *", options)],
      ScanOptions: async (options) => [...scan("1. e4 *", "ply", options)],
      StartsOptions: async (options) => [...starts("1. e4 *", options)],
    };
    const all = new Map(Object.keys(reads).flatMap(optionsOf));
    assert.ok(all.size > 50, String(all.size));
    for (const [name, read] of Object.entries(reads)) {
      for (const option of all.keys()) {
        const came = await read({ [option]: [] }).then(() => "", ({ message }) => message);
        // A list of columns is not empty. An empty list of another function does nothing.
        if (all.get(option).includes("[]") && option !== "columns") assert.equal(came, "", `${name}.${option}`);
        else assert.ok(came.includes(option), `${name}.${option}: ${came}`);
      }
    }
  });

  it("of formats are named", async () => {
    const wrongFormats = [
      ["cvs", null, {}, "format is 'cvs', but must be one of fen"],
      ["parquet", null, {}, /parquet/],
      ["fen", "ply", {}, /^the format fen has no columns to choose; use tsv, csv, jsonl, epd or arrow$/],
      ["viri", null, { skipChecks: true, unique: true }, /^the format viri stores games.* divided by skipChecks, unique;/],
      ["bulletformat", null, { fields: 4 }, /^the format bulletformat has no FENs, whose style .* leave out fields/],
      ["csv", null, { per: "game" }, /csv/],
    ];
    for (const [format, columns, options, message] of wrongFormats) {
      await assert.rejects(() => scan("1. e4 *", columns, options).bytes(format), withMessage(message), format);
    }
    await works();
  });

  it("of the other functions are named", async () => {
    assert.throws(() => [...games("1. e4 *", { lang: "tlh" })], withMessage("lang is 'tlh', but must be one of"));
    assert.throws(() => [...games("1. e4 *", { setup: "x" })], withMessage("setup is 'x', but must be one of auto, strict, ignore"));
    assert.throws(() => [...games("1. e4 *", { tags: "x" })], withMessage("tags: "));
    assert.throws(() => [...starts("1. e4 *", { castling: "x" })], withMessage("castling is 'x'"));
    assert.throws(() => [...starts("1. e4 *", { start: "any" })], withMessage("there is no option 'start'"));
    await assert.rejects(() => report("1. e4 *", { maxGames: "x" }), withMessage("maxGames is 'x'"));
    for (const tournament of [1, "yes"]) await assert.rejects(() => report("1. e4 *", { tournament }), { code: "bad-argument", message: `tournament is '${tournament}', but must be one of true, false` });
    assert.throws(() => Collection.open(["1. e4 *"], { lang: "tlh" }), { code: "bad-argument", message: /^lang is 'tlh', but must be one of/ });
    assert.throws(() => Collection.open(["1. e4 *"], { setup: "x" }), { code: "bad-argument", message: /^setup is 'x'/ });
    // An encoding is known by the module that is loaded late.
    const collection = Collection.open(["1. e4 *", "1. d4 *"], { encoding: "klingon" });
    await new Promise((resolve) => {
      collection.onupdate = () => collection.progress.isDone && resolve();
    });
    const { code, message } = collection.progress.error;
    assert.deepEqual([code, message.slice(0, 26)], ["bad-argument", "unknown encoding 'klingon'"]);
    assert.deepEqual([collection.messages, collection.files.map(({ error }) => error)], [[], [null, null]]);
    collection.close();
    await works();
  });
});

describe("inputs", () => {
  const foreign = {
    "a zip archive": [0x50, 0x4b, 3, 4],
    "a 7z archive": [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
    picture: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    SQLite: Buffer.from("SQLite format 3\0"),
    PDF: Buffer.from("%PDF-1.7\n"),
    HTML: Buffer.from("<!DOCTYPE html>\n<html><head><title>x</title></head><body></body></html>"),
    JSON: Buffer.from('{"a": [1, 2, 3], "b": {"c": null}}\n'),
    CSV: Buffer.from("Name;Elo\nCarlsen;2850\nCaruana;2800\n"),
    RTF: Buffer.from("{\\rtf1\\ansi 1. e4 e5}"),
    XML: Buffer.from('<?xml version="1.0"?>\n<games/>\n'),
    Parquet: readFileSync(join(FIXTURES, "tables/duckdb.parquet")),
    Arrow: readFileSync(join(FIXTURES, "tables/polars_views.arrow")),
    xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0],
  };
  for (const [what, head] of Object.entries(foreign)) {
    it(`that are no PGN are named: ${what}`, async () => {
      // A table has no byte behind its rows.
      const bytes = Buffer.concat([Buffer.from(head), Buffer.alloc(head.length < 100 && what !== "CSV" ? 600 : 0)]);
      // Features of a build mean nothing to users of the package.
      const message = (error) => withMessage(new RegExp(`^(x|games\\.pgn): is (?!.*(feature|this build|pipe)).*${what}`, "is"))(error) && error.code === "unreadable-input";
      await assert.rejects(() => scan(bytes, "fen", { name: "x" }).text("csv"), message);
      await assert.rejects(() => report(new Blob([bytes])), message);
      assert.throws(() => [...scan(bytes, "fen")], message);
      assert.throws(() => [...games(bytes)], message);
      assert.throws(() => [...games(bytes, { maxGames: 1 })], message);
      if (typeof head !== "object" || isUtf8(bytes)) assert.throws(() => [...games(bytes.toString())], message);
      await assert.rejects(async () => {
        for await (const game of games(new Blob([bytes]))) assert.ok(game);
      }, message);
      await works();
    });
  }

  it("of no kind that is read are type errors", async () => {
    for (const input of [5, null, undefined, {}, ["1. e4 *"], new URL("https://example.org/games.pgn"), () => {}]) {
      await assert.rejects(() => report(input), TypeError);
      assert.throws(() => [...games(input)], TypeError);
    }
    const unreadable = (message) => (error) => withMessage(message)(error) && error.code === "unreadable-input";
    await assert.rejects(() => report(pathToFileURL("/no/such/file.pgn")), unreadable(/ENOENT/));
    await assert.rejects(() => report(pathToFileURL(folder)), unreadable(/directory/i));
    await assert.rejects(() => report(new Response("", { status: 404 })), { code: "unreadable-input", message: "the response: 404" });
    for (const chunk of [null, 5, [49], {}, undefined]) {
      const chunks = async function* () {
        yield "1. e4 *\n";
        yield chunk;
      };
      const wrong = (error) => withMessage("a stream gives text or bytes, and not ")(error) && error.code === "bad-argument";
      await assert.rejects(() => report(chunks()), wrong);
      await assert.rejects(() => report(ReadableStream.from(chunks())), wrong);
    }
    const pieces = ["1. e4 ", new TextEncoder().encode("e5 "), new TextEncoder().encode("*").buffer];
    for (const input of [ReadableStream.from(pieces), (async function* () { yield* pieces; })()]) assert.equal((await report(input)).positions, 3);
    await assert.rejects(
      () =>
        report(
          (async function* () {
            yield "1. e4 ";
            throw new Error("the line is cut");
          })(),
        ),
      withMessage("the line is cut"),
    );
    await works();
  });

  it("without games are reported", async () => {
    for (const text of ["hello world, how are you", "W0V2ZW50ICJGLVMgUmV0dXJuIE1hdGNoIl0K", "x".repeat(100_000)]) {
      const { errors, messages, games: count } = await report(text);
      assert.deepEqual([errors, count, messages.filter((message) => message.isError)[0].kind], [1, 0, "no-games"]);
    }
    for (const text of ["", "\n\n", "\ufeff"]) assert.equal((await report(text)).errors, 0);
    assert.deepEqual([...games("")], []);
    assert.deepEqual([...scan("", "fen")], []);
  });

  it("with errors in variations are reported, unless variations are left out", async () => {
    const text = "1. e4 e5 (1... c5 2. Ke3) *";
    const { errors, positions, messages } = await report(text);
    assert.deepEqual([errors, positions, messages[0].column, messages[0].subject], [1, 4, 22, "Ke3"]);
    const { errors: none, positions: fewer } = await report(text, { variations: false });
    assert.deepEqual([none, fewer], [0, 3]);
    assert.equal((await report(text, { variations: true })).errors, 1);
    await assert.rejects(() => report(text, { variations: "some" }), /variations is 'some'/);
  });

  it("that are cut short give their games, and then an error", async () => {
    const text = fixture("games/lichess_2012.pgn");
    const whole = gzipSync(Buffer.concat(Array(200).fill(text)));
    const cut = whole.subarray(0, whole.length >> 1);
    writeFileSync(join(folder, "cut.pgn.gz"), cut);
    for (const [input, workers] of [[cut, 1], [cut, 3], [new Blob([cut]), 1], [pathToFileURL(join(folder, "cut.pgn.gz")), 3]]) {
      const rows = scan(input, "fen", { workers });
      let count = 0;
      await assert.rejects(async () => {
        for await (const batch of rows.batches()) count += batch.length;
      }, withMessage(/\w/));
      assert.ok(count > 1000, `${count} rows`);
      assert.equal(rows.report.isComplete, false);
      await assert.rejects(() => report(input, { workers }), Error);
      let seen = 0;
      await assert.rejects(async () => {
        for await (const game of games(input, { workers })) seen += game.number > 0;
      }, Error);
      assert.ok(seen > 100, `${seen} games`);
    }
    const now = scan(cut, "fen");
    let count = 0;
    assert.throws(() => {
      for (const row of now) count += row.fen.length > 0;
    }, withMessage(/\w/));
    assert.ok(count > 1000);
    const collection = Collection.open([cut]);
    await new Promise((resolve) => {
      collection.onupdate = () => collection.progress.isDone && resolve();
    });
    assert.ok(collection.size > 100 && collection.files[0].error && collection.errors === 1);
    assert.ok((await collection.game(50)).moves.length > 0);
    collection.close();
    await works();
  });
});

describe("hostile texts", () => {
  /** Reads a text with everything. Only errors with messages may come. */
  async function readAll(bytes, name) {
    const attempts = [
      () => Array.from(games(bytes)).length,
      () => Array.from(games(bytes, { tags: "White=x" })).length,
      () => Array.from(scan(bytes, "game,ply,san,fen,eval,clk,tags,comment", { variations: true, verbose: true })).length,
      () => Array.from(starts(bytes)).length,
      () => report(bytes),
      () => scan(bytes, null, { per: "game" }).text("jsonl"),
    ];
    for (const attempt of attempts) {
      try {
        await attempt();
      } catch (error) {
        assert.ok(error instanceof Error && error.message && !error.message.includes("internal error"), `${name}: ${error.stack}`);
      }
    }
  }

  it("of the fixtures are read or refused", async () => {
    for (const path of filesIn(FIXTURES, [".pgn", ".epd", ".tsv", ".parquet", ".arrow", ".arrows", ".md"])) {
      const bytes = new Uint8Array(readFileSync(path));
      if (bytes.length < 100_000) await readAll(bytes, path);
    }
    await works();
  });

  it("made of pieces of damaged files are read", async () => {
    // The pieces are those of tests/it/damage.rs.
    const pieces = ['[Event "1"]', '[Site "x"]', '[White "a } { b"]', '[FEN "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"]', '[SetUp "1"]\n', '\n[Result "1-0"]', '[[Event "4"]]'];
    pieces.push("[Event 5]\n", "[x]", "[", "]", ",", " x ", "<br />", "<", "word ", "--", "> ", "\u0001", "\u00a0", "\ufeff", "{", "{", "}", "}", "{c}", "(", ")");
    pieces.push("; ", "\n%", "\n", "\n\n", "\r\n", "\r", " ", "1. e4 ", "e5 ", "Kd2 ", "*", " 1-0 ", "...", "\u2026", "12 ", "2019.06.01", "\0", "$999 ", "{[%eval #-999999]}");
    const number = randomNumbers(3);
    for (let round = 0; round < 300; round++) {
      const text = `1. d4 *\n${Array.from({ length: 1 + number(40) }, () => pieces[number(pieces.length)]).join("")}`;
      await readAll(new TextEncoder().encode(text), JSON.stringify(text));
    }
    await works();
  });

  it("that were changed at random are read or refused", async () => {
    const number = randomNumbers(11);
    const whole = manyGames(60_000).subarray(0, 12_000);
    for (let round = 0; round < 200; round++) {
      const bytes = whole.slice(0, 200 + number(whole.length - 200));
      for (let changes = 1 + number(20); changes > 0; changes--) {
        const at = number(bytes.length);
        if (number(3) === 0) bytes.copyWithin(at, number(bytes.length), bytes.length);
        else bytes[at] = number(256);
      }
      await readAll(bytes, `round ${round}`);
    }
    await works();
  });

  it("of much depth and length are read", async () => {
    const deep = `1. e4 ${"(1. d4 ".repeat(20_000)}${")".repeat(20_000)} *`;
    const texts = { deep, unclosed: `1. e4 ${"(1. d4 ".repeat(20_000)}`, tag: `[Event "${"x".repeat(1_000_000)}"]\n\n*`, tags: '[A "b"]\n'.repeat(50_000), long: `${"Nf3 Nf6 Ng1 Ng8 ".repeat(30_000)}*` };
    for (const [name, text] of Object.entries(texts)) await readAll(new TextEncoder().encode(text), name);
    await works();
  });

  it("with zero bytes are read, also in names and moves", async () => {
    assert.equal([...games('[White "a\0b"]\n\n1. e4\0 e5 *')][0].tags.White, "a\0b");
    assert.throws(() => [...games("1. e4 *", { name: "a\0b" })], withMessage("a text contains a zero byte"));
    assert.throws(() => new Position("startpos\0"), withMessage("a text contains a zero byte"));
    await works();
  });
});

describe("an internal error", () => {
  it("is told, and everything works afterwards", async () => {
    const begun = games("1. e4 *\n\n1. d4 *\n\n1. c4 *")[Symbol.iterator]();
    begun.next();
    for (let round = 0; round < 3; round++) {
      assert.throws(() => platform.engine.text("panic", "boom"), withMessage("internal error: "));
      await works();
    }
    assert.throws(() => platform.engine.text("panic", "boom"), withMessage(/^internal error: .*boom.*; please report this$/s));
    // What was kept is gone. That is an error, too, or the games go on.
    try {
      while (!begun.next().done);
    } catch (error) {
      withMessage(/\w/)(error);
    }
    await works();
  });

  it("in a worker is told, and the worker works afterwards", async () => {
    const hand = new Hand(await fullModule());
    const input = { name: "x.pgn", size: GAMES.length, bytes: new Uint8Array(GAMES) };
    const { id } = await hand.ask("open", { input });
    await hand.ask("tile", { id, start: 0, end: GAMES.length });
    await assert.rejects(() => hand.ask("panic", { text: "boom" }), withMessage(/^internal error: .*boom/s));
    await assert.rejects(() => hand.ask("tile", { id, start: 0, end: GAMES.length }), withMessage("there is no such source"));
    await hand.ask("close", { id });
    const again = await hand.ask("open", { input });
    await hand.ask("tile", { id: again.id, start: 0, end: GAMES.length });
    assert.equal(await hand.ask("count"), 1);
    hand.end();
    await assert.rejects(() => hand.ask("open", { input }), { name: "AbortError" });
    await works();
  });
});
