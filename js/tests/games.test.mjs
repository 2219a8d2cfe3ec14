// Whole games: the objects that are made of the columns of a line, and what ends a game.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Position, games, report, scan } from "../dist/node.js";
import { fixture } from "./helpers.mjs";

const KEYS = "san uci fen text ply number turn comments words shapes nags eval depth time nodes clk variations".split(" ");

describe("moves", () => {
  it("have the same properties, whatever is written behind them", () => {
    const [{ line, moves }] = games("{a} 1. e4 $1 {b [%cal Ge2e4] [%clk 0:00:05]} (1. d4 {c} (1. c4)) 1... e7-e5 (1... c5 2. Ke3 3. d4) 2. Nf3 *");
    for (const move of moves) assert.deepEqual(Object.keys(move), KEYS);
    assert.deepEqual(Object.keys(line), ["start", ...KEYS.slice(7), "moves"]);
    const [first, second, third] = moves;
    assert.deepEqual([line.comments, line.words, first.comments.length, first.words, first.clk, first.nags], [["a"], "a", 1, "b", 5, [1]]);
    assert.deepEqual(first.shapes, [{ from: "e2", to: "e4", color: "green" }]);
    assert.deepEqual([second.san, second.text, second.uci, second.turn, second.number, second.ply], ["e5", "e7-e5", "e7e5", "b", 1, 2]);
    assert.deepEqual([third.number, third.turn, third.fen], [2, "w", new Position("1. e4 e5 2. Nf3").fen({ ep: "always" })]);
    const [queen] = first.variations;
    assert.deepEqual([queen.start, queen.moves[0].san, queen.moves[0].variations[0].moves[0].san], [line.start, "d4", "c4"]);
    const [sicilian] = second.variations;
    assert.deepEqual([sicilian.start, sicilian.moves.length, sicilian.unread], [first.fen, 1, ["Ke3 3. d4"]]);
  });

  it("do not share what can be changed", () => {
    const [{ line, moves }] = games("1. e4 e5 *");
    for (const name of ["comments", "shapes", "nags", "variations"]) assert.notEqual(moves[0][name], moves[1][name]);
    assert.equal(JSON.parse(JSON.stringify(line)).moves[1].san, "e5");
    assert.equal({ ...moves[0] }.san, "e4");
  });

  it("are made when they are read, and can be replaced", () => {
    const read = () => games("1. e4 {a} (1. d4 {b} (1. c4 c5)) 1... e5 *")[Symbol.iterator]().next().value;
    const names = "result chess960 variant ends file number lineNumber offset text tags line moves start errors warnings".split(" ");
    assert.deepEqual(Object.keys(read()), names);
    const game = Object.freeze(read());
    assert.equal(game.line, game.line);
    assert.equal(game.moves, game.line.moves);
    for (const copy of [{ ...read() }, structuredClone(read()), JSON.parse(JSON.stringify(read()))]) assert.deepEqual([copy.line, copy.moves], [game.line, game.moves]);
    const changed = read();
    changed.moves = ["d4"];
    assert.deepEqual(changed.line.moves, ["d4"]);
    changed.line = { moves: [] };
    assert.deepEqual(changed.moves, []);
  });

  it("are those of rows, with Black to begin as well", () => {
    const bytes = [fixture("games/variations_and_glyphs.pgn"), fixture("games/fen_with_counters.pgn"), fixture("games/fishtest_black_begins.pgn")];
    for (const text of bytes) {
      const rows = [...scan(text, "game,ply,san,uci,fen,turn", { skipStart: true })];
      const moves = Array.from(games(text), ({ number: game, moves }) => moves.map(({ ply, san, uci, fen, number, turn }) => ({ game, ply, san, uci, fen, number, turn })));
      assert.equal(rows.length, moves.flat().length);
      moves.flat().forEach((move, at) => {
        const { game, ply, san, uci, fen, turn } = rows[at];
        assert.deepEqual({ ...move, number: null }, { game, ply, san, uci, fen, number: null, turn: turn === "w" ? "b" : "w" });
      });
    }
  });
});

describe("games with errors", () => {
  const text = "1. e4 e5 2. Ke3 *\n\n1. d4 *\n\n1. e4 (1. Ke3) *\n\n[FEN \"8/8\"]\n\n1. e4 *\n\n1. c4 *\n";
  const expected = { keep: [1, 2, 3, 4, 5], drop: [2, 5], stop: [1] };
  for (const [onError, numbers] of Object.entries(expected)) {
    it(`are kept, dropped or the last: ${onError}`, async () => {
      const numbersOf = (all) => Array.from(all, ({ number }) => number);
      assert.deepEqual(numbersOf(games(text, { onError })), numbers);
      for (const workers of [1, 2]) {
        const found = [];
        for await (const { number } of games(new Blob([text]), { onError, workers })) found.push(number);
        assert.deepEqual(found, numbers);
      }
      // `maxGames` is the most games that pass the filters, whatever errors they have: so it is for rows.
      assert.deepEqual(numbersOf(games(text, { onError, maxGames: 2 })), numbers.filter((number) => number <= 2));
    });
  }

  it("are the last one of a run of rows, which says that it was stopped", async () => {
    for (const [onError, isStopped] of [["stop", true], ["keep", false], ["drop", false]]) {
      const rows = scan(text, "fen", { onError });
      await rows.toArray();
      assert.deepEqual([rows.report.isComplete, rows.report.isStopped], [true, isStopped], onError);
      const { isComplete, isStopped: ofReport } = await report(new Blob([text]), { onError });
      assert.deepEqual([isComplete, ofReport], [true, isStopped], onError);
    }
  });
});

describe("the end of a game on the board", () => {
  const cases = [
    ["1. e4 *", []],
    ["1. f3 e5 2. g4 Qh4# 0-1", ["mate"]],
    ["1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *", ["threefold"]],
    ['[FEN "k7/8/8/8/8/8/8/K6R w - - 99 90"]\n\n1. Rh2 *', ["fifty-moves"]],
    ['[FEN "7k/5K2/8/8/8/8/8/6Q1 w - - 0 1"]\n\n1. Qg6 *', ["stalemate"]],
    ['[FEN "7k/8/8/8/8/8/8/Kq6 w - - 0 1"]\n\n1. Kxb1 *', ["insufficient"]],
    ['[FEN "8/8"]\n\n1. e4 *', []],
  ];
  for (const [text, ends] of cases) {
    it(`is ${ends.join() || "open"}: ${text.split("\n\n").at(-1)}`, () => {
      const [game] = games(text);
      assert.deepEqual(game.ends, ends);
    });
  }
});
