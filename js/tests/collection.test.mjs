// Collections: the heads of games, their text, and what was played in positions, held to what `games` and `scan` say of the same input.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Collection, Position, games, scan, writeGame } from "../dist/node.js";
import { platform } from "../dist/platform.js";
import { COMMAND, FIXTURES, needsCommand } from "./helpers.mjs";

const fixture = (name) => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));
const CHESS960 = '[White "A"]\n[Variant "Chess960"]\n[SetUp "1"]\n[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]\n\n9. Nb4 O-O *\n\n';
const TEXT = `${CHESS960}${fixture("games/evaluations_and_times.pgn")}\n\n${CHESS960}[White "B"]\n\n1. e4 Ke4 *\n`;

/** Waits until a collection has been read. */
const whole = (collection) =>
  new Promise((resolve) => {
    collection.onupdate = () => collection.progress.isDone && resolve(collection);
  });

test("the heads and the texts are those of the games", async () => {
  for (const input of [TEXT, gzipSync(TEXT)]) {
    const collection = await whole(Collection.open([input], { workers: 2 }));
    const expected = [...games(TEXT)];
    assert.equal(collection.progress.error, null);
    assert.equal(collection.size, expected.length);
    for (const [index, game] of expected.entries()) {
      const head = [collection.text("White", index), collection.number("plies", index), collection.number("number", index), collection.number("line", index), collection.result(index)];
      assert.deepEqual(head, [game.tags.White ?? "", game.moves.length, game.number, game.lineNumber, game.result]);
    }
    for (const index of [0, 1, expected.length - 1]) {
      const game = await collection.game(index);
      assert.deepEqual([game.text.trim(), game.number, game.lineNumber], [expected[index].text.trim(), expected[index].number, expected[index].lineNumber]);
      assert.deepEqual(game.errors.map((error) => error.line), expected[index].errors.map((error) => error.line));
    }
    assert.deepEqual(collection.starts[0].games, [0, expected.length - 2]);
    assert.equal(collection.number("errors", expected.length - 1), 1);
    const chosen = [0, expected.length - 1];
    const positions = chosen.map((index) => expected[index].moves.length + 1).reduce((a, b) => a + b);
    assert.equal((await scan(collection.blob(chosen)).text("fen")).trim().split("\n").length, positions);
    collection.close();
  }
});

test("a game of a collection is changed like any other", async () => {
  const collection = await whole(Collection.open(["1. e4 e5 *\n\n1. d4 d5 *\n"]));
  const game = await collection.game(1);
  game.moves = ["c4", "c5"];
  assert.equal(writeGame(game, { keepTags: "none" }).trim(), "1. c4 c5 *");
  assert.deepEqual([game.number, game.lineNumber, game.offset], [2, 3, 12]);
  collection.close();
});

test("values of a game are asked for by their names", async () => {
  const rounds = ["1.10", "03", "?", "4"];
  const collection = await whole(Collection.open(rounds.map((round) => `[Round "${round}"]\n\n1. e4 *\n`)));
  assert.deepEqual(rounds.map((_, index) => collection.text("Round", index)), rounds);
  const fault = (message) => ({ code: "bad-argument", message });
  assert.throws(() => collection.text("Foo", 0), fault(/^column is 'Foo', but must be one of White, Black, .*Date, Round, /));
  assert.throws(() => collection.number("White", 0), fault(/^column is 'White', but must be one of WhiteElo, .*, errors$/));
  for (const index of [0.5, -1, 4, "0", undefined]) assert.throws(() => collection.text("White", index), fault(`there is no game ${index}`));
  collection.close();
});

test("an input that cannot be opened is told, and the others are read", async () => {
  const missing = new URL("file:///no/such/nope.pgn");
  const collection = await whole(Collection.open([missing, "1. e4 *", new Response("", { status: 404 }), 5, "1. d4 *"]));
  assert.equal(collection.progress.error, null);
  assert.deepEqual(collection.files.map(({ name, games: count }) => [name, count]), [["nope.pgn", 0], ["games.pgn", 1], ["games.pgn", 0], ["games.pgn", 0], ["games.pgn", 1]]);
  const errors = [/^ENOENT/, null, /404/, /^PGN is given as/, null];
  for (const [at, expected] of errors.entries()) {
    if (expected) assert.match(collection.files[at].error, expected);
    else assert.equal(collection.files[at].error, null);
  }
  assert.deepEqual(collection.messages.map(({ kind, file }) => [kind, file]), ["nope.pgn", "games.pgn", "games.pgn"].map((file) => ["unreadable", file]));
  assert.deepEqual([collection.size, collection.errors], [2, 3]);
  assert.equal((await collection.game(1)).moves[0].san, "d4");
  collection.close();
});

test("positions are kept from the first question on, and the workers that read have ended before", async () => {
  const { startWorker } = platform;
  let [begun, running] = [0, 0];
  platform.startWorker = () => {
    const worker = startWorker();
    begun += 1;
    running += 1;
    const end = worker.end;
    worker.end = () => {
      running -= 1;
      return end();
    };
    return worker;
  };
  try {
    for (const input of [TEXT, gzipSync(TEXT)]) {
      [begun, running] = [0, 0];
      const collection = await whole(Collection.open([input], { workers: 2 }));
      assert.deepEqual([begun, running], [2, 0]);
      const { total } = await collection.explore("startpos");
      assert.ok(total > 5);
      assert.deepEqual([begun, running], [4, 2]);
      assert.equal((await collection.explore("startpos")).total, total);
      assert.equal(begun, 4);
      collection.close();
      await assert.rejects(collection.explore("startpos"));
      assert.equal(running, 0);
    }
  } finally {
    platform.startWorker = startWorker;
  }
});

test("a collection plays the games of variants, and knows their positions", async () => {
  const collection = await whole(Collection.open([fixture("variants/crazyhouse.pgn")]));
  assert.equal(collection.text("variant", 0), "crazyhouse");
  const game = await collection.game(0);
  const drop = game.moves.find((move) => move.san === "B@d5");
  assert.equal(drop.fen, "rn1qkbnr/ppp2ppp/3p4/3BpQ2/4P3/8/PPPP1PPP/RNB1KBNR[] b KQkq - 1 4");
  const before = game.moves[game.moves.indexOf(drop) - 1].fen;
  assert.deepEqual((await collection.explore(new Position(before))).moves.map((move) => move.san), ["B@d5"]);
  assert.equal((await collection.explore(new Position("startpos", { variant: "crazyhouse" }))).total, 3);
  // They are not positions of chess.
  assert.equal((await collection.explore("startpos")).total, 0);
  collection.close();
});

test("comments have words and shapes", () => {
  const [game] = games("{Look: [%csl Yd4]} 1. e4 {[%cal Ge2e4,Rd1h5] Strong. [%clk 0:01:00]} {really} e5 {+0.31/14 0.5s} *");
  assert.deepEqual([game.line.words, game.line.shapes], ["Look:", [{ from: "d4", to: "d4", color: "yellow" }]]);
  const shapes = [{ from: "e2", to: "e4", color: "green" }, { from: "d1", to: "h5", color: "red" }];
  assert.deepEqual(game.moves.map((move) => [move.words, move.shapes]), [["Strong. really", shapes], ["", []]]);
});

test("what was played in a position is what the rows say", async () => {
  const collection = await whole(Collection.open([TEXT, TEXT], { explorePlies: 12 }));
  const rows = [...scan(TEXT, "game,ply,key,next_san,result", { plies: [0, 12] })];
  for (const line of [[], ["e4"], ["e4", "c5"], ["d4", "Nf6", "c4"]]) {
    const position = new Position().play(...line);
    const counts = new Map();
    for (const row of rows) {
      if (row.key !== position.key || !row.next_san || row.ply === 12) continue;
      counts.set(row.next_san, (counts.get(row.next_san) ?? 0) + 2);
    }
    const answer = await collection.explore(position);
    const found = answer.moves.map((move) => [move.san, move.white + move.draws + move.black + move.unknown]);
    assert.deepEqual(new Map(found), counts, line.join(" "));
    assert.equal(answer.total, answer.ended + found.reduce((sum, [, count]) => sum + count, 0));
  }
  // Only the games whose bits are set count.
  const passes = new Uint8Array(Math.ceil(collection.size / 8));
  passes[0] = 0b10;
  const one = await collection.explore("startpos", { passes });
  assert.deepEqual([one.total, one.games], [1, [1]]);
  collection.close();
});

test("the results of a player are those of the command", { skip: needsCommand }, async () => {
  const path = join(FIXTURES, "games/tournaments_2020.pgn");
  const collection = await whole(Collection.open([readFileSync(path)], { workers: 2 }));
  const stdout = execFileSync(COMMAND, ["players", "--stats", "Carlsen,M", "-f", "jsonl", path], { encoding: "utf8" });
  const expected = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(await collection.playerStats("Carlsen,M"), expected);
  assert.ok(expected.length > 10);
  // Of some games only, and of a player who has none.
  const [first] = [...Array(collection.size).keys()].filter((index) => collection.text("White", index) === "Carlsen,M");
  const rows = await collection.playerStats("Carlsen,M", [first]);
  assert.deepEqual(rows.map((row) => [row.by, row.color, row.games]), ["all", "opening", "speed", "opponent"].map((by) => [by, "white", 1]));
  assert.deepEqual(await collection.playerStats("Carlsen"), []);
  collection.close();
});

test("a collection that is stopped keeps its games and answers", async () => {
  const stop = new AbortController();
  const long = Buffer.concat(Array.from({ length: 60 }, () => Buffer.from(TEXT)));
  const collection = Collection.open([long], { workers: 1, signal: stop.signal });
  await new Promise((resolve) => {
    collection.onupdate = () => {
      if (collection.progress.isDone) resolve();
      else if (collection.size) stop.abort();
    };
  });
  assert.ok(collection.size > 0);
  assert.ok((await collection.explore("startpos")).total > 0);
  assert.ok((await collection.game(0)).moves.length > 0);
  collection.close();
});
