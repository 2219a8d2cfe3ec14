// Games that are written as PGN: as the command writes them, and after changes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, it } from "node:test";
import { annotate, games, promote, writeGame } from "../dist/node.js";
import { difference, filesIn, FIXTURES, needsCommand, runAll, withOptions } from "./helpers.mjs";

const first = (text) => [...games(text)][0];
/** The movetext of a game. */
const moves = (game, options) => writeGame(game, { keepTags: "none", ...options }).trim();

describe("games that are not changed", () => {
  it("are written as the command writes them", { skip: needsCommand }, async () => {
    const files = filesIn(FIXTURES, [".pgn"]);
    const OPTIONS = [
      [{}, []],
      [{ comments: "words", nags: false, width: 40 }, ["--comments", "words", "--no-nags", "--width", "40"]],
      [{ comments: "none", variations: false, keepTags: ["White", "ECO"] }, ["--no-comments", "--no-variations", "--tags", "White,ECO"]],
    ];
    const runs = OPTIONS.flatMap(([, given]) => files.map((file) => ({ folder: dirname(file), arguments: ["games", "-q", "-j1", "--san", ...given, basename(file)] })));
    const expected = await runAll(runs);
    const faults = [];
    let count = 0;
    for (const [nth, [options]] of OPTIONS.entries()) {
      for (const [at, file] of files.entries()) {
        let written = "";
        const bytes = readFileSync(file);
        for (const game of games(bytes)) {
          if (game.start === null) assert.throws(() => writeGame(game, options), { code: /^(bad-fen|unsupported-variant)$/ });
          else written += writeGame(game, options);
          count++;
        }
        const differs = difference(Buffer.from(written), expected[nth * files.length + at].stdout);
        if (differs) faults.push(`${file} ${JSON.stringify(options)}: ${differs}`);
      }
    }
    assert.ok(count > 1000, `${count} games`);
    assert.deepEqual(faults, []);
  });
});

describe("games that are changed", () => {
  it("are read back as the same game", () => {
    const game = first('; early\n[White "A"]\n[Result "*"]\n\n{first} 1. e4 $1 {a [%clk 0:01:00]} (1. d4 d5 (1... Nf6) 2. c4) 1... e5 2. Nf3 *');
    game.tags.White = 'B "x"';
    delete game.tags.Black;
    game.result = "1-0";
    game.moves.push("Nc6", { san: "Bb5", nags: [5], comments: ["Spanish"], variations: [{ moves: ["Bc4", { uci: "f8c5" }] }] });
    game.moves[0].variations[0].moves[1].variations.splice(0, 1);
    game.moves[1].comments.push("new");
    const again = first(writeGame(game));
    assert.deepEqual(again.errors, []);
    assert.equal(again.tags.White, 'B "x"');
    assert.deepEqual([again.result, again.tags.Result, again.preface], ["1-0", "1-0", [" early"]]);
    const expected = "{first} 1. e4 $1 {a [%clk 0:01:00]} (1. d4 d5 2. c4) 1... e5 {new} 2. Nf3 Nc6 3. Bb5 $5 {Spanish} (3. Bc4 Bc5) 1-0";
    assert.equal(moves(again, { width: 0 }), `{early} ${expected}`);
    assert.equal(moves({ ...again, preface: [] }, { width: 0 }), expected);
    assert.equal(writeGame(again), writeGame(game));
    assert.equal(writeGame(structuredClone(game)), writeGame(game));
    assert.equal(writeGame(JSON.parse(JSON.stringify(game))), writeGame(game));
  });

  it("are copies with other moves or another start", () => {
    const game = first("{first} 1. e4 e5 2. Nf3 *");
    assert.equal(moves({ ...game, moves: game.moves.slice(0, 2) }), "{first} 1. e4 e5 *");
    const copy = JSON.parse(JSON.stringify(game));
    copy.moves.push("Nc6");
    assert.equal(moves(copy), "{first} 1. e4 e5 2. Nf3 Nc6 *");
    const fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    assert.match(writeGame({ ...game, start: fen, moves: ["e4"] }), new RegExp(`\\[FEN "${fen}"\\]`));
    for (const isRead of [false, true]) {
      const [changed] = games("1. e4 e5 *");
      if (isRead) assert.equal(changed.moves.length, 2);
      changed.start = fen;
      assert.equal(changed.line.start, fen);
      changed.moves = ["e4"];
      assert.match(writeGame(changed), new RegExp(`\\[FEN "${fen}"\\]\n.*\n\n1\\. e4 \\*`));
      changed.line.start = null;
      assert.equal(changed.start, null);
    }
  });

  it("keep the order of notes as far as they are there", () => {
    const game = first('[A "1"]\n\n1. e4 {a} (1. d4) {b} $1 (1. c4) {c} *');
    assert.equal(moves(game), "1. e4 $1 {a} (1. d4) {b} (1. c4) {c} *");
    game.moves[0].variations.pop();
    game.moves[0].comments.push("d");
    assert.equal(moves(game), "1. e4 $1 {a} (1. d4) {b} {c} {d} *");
  });

  it("can be made of nothing, and of any start", () => {
    assert.equal(writeGame({}, { keepTags: [] }), writeGame({}, { keepTags: "none" }));
    assert.match(writeGame({}), /^\[Event "\?"\]\n(.+\n)+\n\*\n\n$/);
    const fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 39";
    assert.equal(moves({ start: fen, moves: ["Kd7", "e4", "--"], result: "1/2-1/2" }), `[SetUp "1"]\n[FEN "${fen}"]`.split("\n").reverse().join("\n") + "\n\n39... Kd7 40. e4 -- 1/2-1/2");
    assert.equal(moves({ tags: { SetUp: "1", FEN: fen }, moves: ["Kd7"] }).split("\n\n")[1], "39... Kd7 *");
    const atomic = first(writeGame({ variant: "atomic", start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", moves: ["Nf3", "f6", "Nd4"] }));
    assert.deepEqual([atomic.variant, atomic.tags.Variant, atomic.moves.length], ["atomic", "Atomic", 3]);
    const random = { variant: "chess960", start: "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", moves: ["O-O-O"] };
    const read = first(writeGame(random));
    assert.deepEqual([read.chess960, read.moves.length, read.errors], [true, 1, []]);
  });

  it("have legal moves", () => {
    const game = first("1. e4 (1. d4 d5 2. c4) 1... e5 *");
    game.moves[0].variations[0].moves.push("Ke6");
    assert.throws(() => writeGame(game), { code: "illegal-move", ply: 4, message: /^ply 4: Ke6: the black king on e8 cannot reach e6$/ });
    game.moves.push("xx");
    game.moves[0].variations = [];
    assert.throws(() => writeGame(game), { code: "bad-san", ply: 3 });
    assert.throws(() => writeGame({ moves: [{}] }), { name: "TypeError", code: "bad-argument" });
    assert.throws(() => writeGame({ start: "8/8" }), { code: "bad-fen" });
    assert.throws(() => writeGame({ start: "8/8", variant: "duck" }), { code: "unsupported-variant" });
    assert.throws(() => writeGame({ result: "2-0" }), { code: "bad-argument" });
    assert.throws(() => writeGame({ tags: { "White Elo": "1" } }), /White Elo/);
    assert.throws(() => writeGame({ moves: [{ san: "e4", nags: [300] }] }), /300/);
    assert.throws(() => writeGame({}, { comments: "some" }), /comments is 'some'/);
  });

  it("have lines, comments and tags of the right types", () => {
    const variations = ["Nc6", ["e6", "d4"], { san: "d4" }, null, 5, {}];
    for (const wrong of variations) {
      const game = first("1. e4 e5 *");
      game.moves[1].variations.push(wrong);
      assert.throws(() => writeGame(game), { name: "TypeError", code: "bad-argument", message: /^a variation is an object with a list of moves/ }, JSON.stringify(wrong));
    }
    const games = [
      [{ moves: [{ san: "e4", comments: [null] }] }, "a comment is a text, and not null"],
      [{ moves: [{ san: "e4", comments: "best" }] }, "comments are given as a list"],
      [{ moves: [{ san: "e4", variations: {} }] }, "variations are given as a list"],
      [{ moves: "e4" }, "moves are given as a list"],
      [{ line: { moves: [], comments: [undefined] } }, "a comment is a text, and not undefined"],
      [{ line: ["e4"] }, "the line of a game is an object"],
      [{ preface: [{}] }, "a comment is a text, and not object"],
      [{ tags: { White: null } }, "the tag White is a text, and not null"],
      [{ tags: { White: undefined } }, "the tag White is a text, and not undefined"],
      [{ tags: ["White"] }, "tags are an object"],
      [{ moves: ["e4", { san: "e5", nags: [null] }] }, "'null' is not a glyph, a number from 0 to 255"],
      [{ result: {} }, "a result is a text, and not object"],
      [{ moves: [{ san: "e4", order: 5 }] }, "the order of notes is not a text"],
    ];
    for (const [game, message] of games) assert.throws(() => writeGame(game), { code: "bad-argument", message });
    assert.match(writeGame({ tags: { WhiteElo: 2400 } }), /\[WhiteElo "2400"\]/);
    const [move] = first("1. e4 *").moves;
    for (const shapes of [[null], ["e2e4"], "e2e4", [{}]]) assert.throws(() => annotate(move, { shapes }), { code: "bad-argument" });
    const made = { san: "e4" };
    annotate(made, { words: "best" });
    assert.equal(moves({ moves: [made] }), "1. e4 {best} *");
  });

  it("have other words, shapes and glyphs", () => {
    const game = first("1. e4 {old [%clk 0:01:00] [%cal Ge2e4]} $1 e5 *");
    const [move, answer] = game.moves;
    annotate(move, { words: "new", shapes: [{ from: "d4", to: "d4", color: "red" }, { from: "e2", to: "e4", color: "blue" }], nags: [3] });
    annotate(answer, { shapes: [{ from: "e5" }] });
    const expected = "1. e4 $3 {new} {[%clk 0:01:00]} {[%csl Rd4][%cal Be2e4]} 1... e5 {[%csl Ge5]} *";
    assert.equal(moves(game, { width: 0 }), expected);
    const again = first(writeGame(game)).moves[0];
    assert.deepEqual([again.words, again.shapes, again.nags, again.clk], [move.words, move.shapes, [3], 60]);
    annotate(move, { words: "", shapes: [] });
    assert.equal(moves(game, { width: 0 }), expected.replace(" {new}", "").replace(" {[%csl Rd4][%cal Be2e4]}", ""));
    assert.throws(() => annotate(move, { shapes: [{ from: "e9" }] }), /e9 e9 green/);
    for (const nag of [999, -1, 1.5, "x", null]) {
      assert.throws(() => annotate(move, { words: "lost", nags: [1, nag] }), { code: "bad-argument", message: "nags are whole numbers from 0 to 255" });
    }
    assert.deepEqual([move.words, move.nags], ["", [3]]);
  });

  it("have variations that become main lines", () => {
    const game = first('[A "1"]\n\n1. e4 e5 {main} (1... c5 2. Nf3) ({b} 1... e6 $1 2. d4 (2. d3) d5) 2. f4 exf4 1-0');
    promote(game.line, 1, 1);
    assert.equal(moves(game, { width: 0 }), "1. e4 e6 $1 {b} (1... e5 {main} 2. f4 exf4) (1... c5 2. Nf3) 2. d4 (2. d3) 2... d5 1-0");
    promote(game.line, 2);
    promote(game.line, 2);
    assert.equal(moves(game, { width: 0 }), "1. e4 e6 $1 {b} (1... e5 {main} 2. f4 exf4) (1... c5 2. Nf3) 2. d4 (2. d3) 2... d5 1-0");
    assert.throws(() => promote(game.line, 0), { code: "bad-argument" });
    assert.throws(() => promote(game.line, 99), { code: "bad-argument" });
  });

  it("have the numbers of their comments behind a promotion, too", () => {
    const numbers = ({ eval: score, depth, time, nodes, clk }) => [score, depth, time, nodes, clk];
    const variation = ({ moves: [move] }) => move.variations[0];
    const places = [(line) => line, (line) => line.moves[0], variation, (line) => variation(line).moves[0]];
    const of = (line) => places.map((place) => numbers(place(line)));
    const texts = [
      "1. e4 {[%eval 0.1]} ({[%eval 0.5] [%clk 0:00:05]} 1. d4 d5) e5 *",
      "1. e4 {[%eval 0.1]} ({[%eval 0.5] [%clk 0:00:05]} 1. d4 {[%eval 0.3] [%clk 0:00:09]} d5) e5 *",
      "1. e4 {[%eval 0.1]} ({[%clk 0:00:05]} 1. d4 {[%eval 0.3]} d5) e5 *",
      "{[%eval 0.2]} 1. e4 (1. d4 {[%eval 0.3] [%clk 0:00:09]} d5) e5 *",
      "1. e4 {+0.31/14 0.5s} ({words} 1. d4 {+0.25/13 0.4s [%clk 0:00:05]} d5 {-0.30/12 0.1s}) e5 {-0.20/11 0.2s, n=812} *",
    ];
    for (const text of texts) {
      const game = first(text);
      promote(game.line, 0);
      assert.deepEqual(of(game.line), of(first(writeGame(game)).line), text);
    }
  });

  it("have variations that are read again", () => {
    const nested = (depth) => {
      let line = { moves: ["d4"] };
      for (let count = 1; count < depth; count++) line = { moves: [{ san: "d4", variations: [line] }] };
      return { moves: [{ san: "e4", variations: [line] }] };
    };
    assert.deepEqual(first(writeGame(nested(256))).warnings, []);
    const tooDeep = { code: "bad-argument", message: "variations are nested more than 256 deep" };
    assert.throws(() => writeGame(nested(257)), tooDeep);
    const game = first("1. e4 (1. d4) *");
    const [variation] = game.moves[0].variations;
    variation.moves[0].variations.push(variation);
    assert.throws(() => writeGame(game), tooDeep);
  });

  it("keep the text behind an error", () => {
    const text = writeGame(first("1. e4 (1. d4 zz {a}) e5 2. Ke6 {b} 1-0"), { keepTags: "none" });
    assert.equal(text.trim(), "1. e4 (1. d4 {zz {a}}) 1... e5 {2. Ke6 {b}} 1-0".replace("{zz {a}}", "{zz (a)}").replace("{2. Ke6 {b}}", "{Ke6 (b)}"));
  });
});
