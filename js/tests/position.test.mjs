// Positions: the rules of chess and Chess960, FENs in every style, keys, and what is said about a wrong text.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { Position } from "../dist/node.js";
import { fixture, randomNumbers } from "./helpers.mjs";

const KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/** Counts the ways to play so many plies. */
function count(position, plies) {
  const moves = position.legalMoves;
  if (plies === 1) return moves.length;
  return moves.reduce((sum, { uci }) => sum + count(position.play(uci), plies - 1), 0);
}

/** Lines of a file of fixtures/perft, whose README.md names the sources: the position, and the counts by plies. */
function counts(name) {
  const lines = fixture(`perft/${name}.epd`).toString().split("\n").filter(Boolean);
  return lines.map((line) => {
    const [fen, ...rest] = line.split(/ *;/);
    return { fen, counts: rest.map((text) => Number(text.split(" ")[1])) };
  });
}

describe("variants", () => {
  it("are played in a page after `load`", () => {
    const program = `
      import { readFileSync } from "node:fs";
      import { load, usePlatform } from "./platform.js";
      import { games, Position } from "./api.js";
      const module = (name) => new WebAssembly.Module(readFileSync(new URL(name, import.meta.url)));
      usePlatform({ module: () => module("pgn2fen.wasm"), loadFull: async () => module("pgn2fen-full.wasm") });
      const tries = () => {
        const [game] = games('[Variant "Atomic"]\\n\\n1. e4 *');
        let legal;
        try { legal = new Position("startpos", { variant: "atomic" }).legalMoves.length; } catch (error) { legal = error.message; }
        return [game.moves.length, legal];
      };
      const before = tries();
      await load();
      console.log(JSON.stringify([before, tries()]));`;
    const folder = new URL("../dist/", import.meta.url);
    const file = new URL("variants-of-a-page.mjs", folder);
    writeFileSync(file, program);
    try {
      const found = JSON.parse(execFileSync(process.execPath, [fileURLToPath(file)], { encoding: "utf8" }));
      assert.deepEqual(found, [[0, "the small module does not play atomic; load the whole package first: await load()"], [1, 20]]);
    } finally {
      rmSync(file);
    }
  });

  it("are known by the form of a FEN, or by their name", () => {
    const house = new Position("4k3/8/8/8/8/8/8/4K2Q~/QNp w - - 0 1");
    assert.deepEqual([house.variant, house.hand, house.remainingChecks], ["crazyhouse", "QNp", null]);
    assert.equal(house.fen(), "4k3/8/8/8/8/8/8/4K2Q~[QNp] w - - 0 1");
    assert.equal(house.fen({ fenStyle: "lichess" }), "4k3/8/8/8/8/8/8/4K2Q~/NQp w - - 0 1");
    assert.deepEqual([house.pieces, house.pieceAt("h1"), house.pieceAt("g1"), house.fullmoveNumber], [3, "Q", null, 1]);
    const drop = house.legalMoves.find(({ uci }) => uci === "N@e4");
    assert.deepEqual(drop, { uci: "N@e4", san: "N@e4", from: null, to: "e4", promotion: null });
    assert.equal(house.play("N@e4").hand, "Qp");
    assert.match(house.description, /White has in hand: queen, knight\. Black has in hand: pawn\. Promoted: h1\./);

    const checks = new Position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 +0+2");
    assert.deepEqual([checks.variant, checks.remainingChecks], ["threeCheck", { white: 3, black: 1 }]);
    assert.deepEqual([checks.halfmoveClock, checks.fullmoveNumber], [0, 1]);
  });

  it("end by their own rules", () => {
    const atomic = new Position("1. Nf3 a6 2. Ng5 b6 3. Nxf7", { variant: "atomic" });
    assert.deepEqual(atomic.end, { reason: "a king has exploded", result: "1-0" });
    assert.deepEqual([atomic.legalMoves, atomic.isCheckmate, atomic.chess960], [[], false, false]);
    assert.equal(new Position().end, null);
    const same = new Position("startpos", { variant: "atomic" });
    assert.ok(!same.isSame(new Position()) && same.isSame(new Position(same)));
    assert.match(new Position(undefined, { variant: "horde" }).fen(), /^rnbqkbnr\/pppppppp\/8\/1PP2PP1\//);
    assert.throws(() => new Position("e4", { variant: "bughouse" }), { message: /^variant is 'bughouse', but must be one of standard/ });
    assert.throws(() => same.play("N@e4"), { message: /a drop belongs to Crazyhouse/ });
  });
});

describe("moves", () => {
  const all = [...counts("orthodox").slice(0, 2), ...counts("chess960").slice(0, 2)];

  for (const { fen, counts: expected } of all) {
    it(`as many as there are: ${fen}`, () => {
      const position = new Position(fen);
      for (const plies of [1, 2, 3]) assert.equal(count(position, plies), expected[plies - 1], `${plies} plies`);
    });
  }

  it("as many as there are in two plies of all other positions", () => {
    for (const name of ["orthodox", "castling_and_promotion", "corner_cases", "chess960", "double_fischer_random"]) {
      for (const { fen, counts: expected } of counts(name)) assert.equal(count(new Position(fen), 2), expected[1], fen);
    }
  });

  it("are the same as SAN and in the notation of UCI", () => {
    const number = randomNumbers(5);
    for (const fen of ["startpos", KIWIPETE, counts("chess960")[3].fen]) {
      let position = new Position(fen);
      for (let ply = 0; ply < 120 && position.legalMoves.length > 0; ply++) {
        const moves = position.legalMoves;
        for (const { uci, san } of moves) assert.deepEqual([position.san(uci), position.uci(san)], [san, uci], `${san} in ${position}`);
        assert.equal(new Set(moves.map((move) => move.san)).size, moves.length);
        const { uci, san, from, to, promotion } = moves[number(moves.length)];
        if (!san.startsWith("O")) assert.equal(`${from}${to}${promotion ?? ""}`, uci);
        const next = position.play(san);
        assert.equal(next.fen(), position.play(uci).fen());
        assert.equal(new Position(next.fen({ castling: "shredder" })).fen(), next.fen());
        position = next;
      }
    }
  });

  it("castle in standard chess by the square of the king", () => {
    const position = new Position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    const castling = (of) => of.legalMoves.filter(({ san }) => san.startsWith("O")).sort((a, b) => a.san.length - b.san.length);
    assert.equal(position.chess960, false);
    assert.deepEqual(castling(position), [
      { uci: "e1g1", san: "O-O", from: "e1", to: "g1", also: ["h1"], promotion: null },
      { uci: "e1c1", san: "O-O-O", from: "e1", to: "c1", also: ["a1"], promotion: null },
    ]);
    for (const move of ["O-O", "e1g1", "e1h1", "0-0", "Kg1"].slice(0, 4)) assert.equal(position.play(move).fen({ fields: 4 }), "r3k2r/8/8/8/8/8/8/R4RK1 b kq -");
    const other = new Position(position.fen(), { chess960: true });
    assert.equal(other.chess960, true);
    assert.deepEqual(castling(other).map(({ uci, to, also }) => [uci, to, also]), [["e1h1", "g1", ["h1"]], ["e1a1", "c1", ["a1"]]]);
    assert.equal(other.play("O-O").chess960, true);
  });

  it("castle in Chess960 by the square of the rook", () => {
    const position = new Position("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
    assert.equal(position.chess960, true);
    assert.deepEqual([position.uci("O-O"), position.san("f1g1")], ["f1g1", "O-O"]);
    assert.equal(position.play("O-O").fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    // The king does not move.
    const still = new Position("4k3/8/8/8/8/8/8/6KR w H - 0 1");
    assert.deepEqual([still.uci("O-O"), still.play("O-O").fen()], ["g1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"]);
    const inner = new Position("r3k2r/8/8/8/8/8/8/1R2K2R w B - 3 7");
    assert.equal(inner.play("O-O-O").fen({ fields: 4 }), "r3k2r/8/8/8/8/8/8/2KR3R b - -");
  });

  it("in other languages are read and written", () => {
    const position = new Position("1. Sf3 Sf6", { lang: "de" });
    assert.equal(position.fen(), new Position("1. Nf3 Nf6").fen());
    // SAN is written with English letters.
    assert.deepEqual([position.uci("Sc3", { lang: "de" }), position.san("Sc3", { lang: "de" })], ["b1c3", "Nc3"]);
  });
});

describe("positions", () => {
  it("are read as people write them", () => {
    const fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    const texts = ["1. e4 c5 2. Nf3", "1.e4 c5 2.Nf3", "startpos moves e2e4 c7c5 g1f3", fen, `position fen ${fen}`, "e4 c5 Nf3"];
    for (const text of texts) assert.equal(new Position(text).fen(), fen, text);
    assert.equal(new Position().fen(), new Position("startpos").fen());
    assert.equal(new Position(new Position(fen)).fen(), fen);
    assert.equal(new Position("8/8/8/3k4/8/8/4P3/4K3 w - -").play("e4").fen(), "8/8/8/3k4/4P3/8/8/4K3 b - e3 0 1");
  });

  it("have FENs in every style", () => {
    const position = new Position("1. e4 a6 2. e5 d5");
    const board = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w";
    assert.equal(position.fen(), `${board} KQkq d6 0 3`);
    assert.equal(position.fen({ castling: "shredder" }), `${board} HAha d6 0 3`);
    assert.equal(position.fen({ fields: 4, ep: "legal" }), `${board} KQkq d6`);
    const open = new Position("1. e4");
    assert.deepEqual(["always", "xfen", "legal"].map((ep) => open.fen({ ep }).split(" ")[3]), ["e3", "-", "-"]);
    // A pawn stands beside it, but is pinned.
    const pinned = new Position("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1");
    assert.deepEqual(["always", "xfen", "legal"].map((ep) => pinned.fen({ ep }).split(" ")[3]), ["d3", "d3", "-"]);
    assert.deepEqual([`${open}`, JSON.parse(JSON.stringify(open))], [open.fen(), open.fen()]);
    assert.throws(() => position.fen({ ep: "never" }), { message: "ep is 'never', but must be one of always, xfen, legal" });
    assert.throws(() => position.fen({ castling: "x" }), { message: "castling is 'x', but must be one of xfen, shredder" });
    assert.throws(() => position.fen({ fields: 5 }), { message: "fields is 5, but must be 4 or 6" });
  });

  it("have the keys of Polyglot", () => {
    // The examples of the description of the format: http://hgm.nubati.net/book_format.html
    const examples = {
      startpos: 0x463b96181691fc9cn,
      "startpos moves e2e4": 0x823c9b50fd114196n,
      "startpos moves e2e4 d7d5": 0x0756b94461c50fb0n,
      "startpos moves e2e4 d7d5 e4e5": 0x662fafb965db29d4n,
      "startpos moves e2e4 d7d5 e4e5 f7f5": 0x22a48b5a8e47ff78n,
      "startpos moves e2e4 d7d5 e4e5 f7f5 e1e2": 0x652a607ca3f242c1n,
      "startpos moves e2e4 d7d5 e4e5 f7f5 e1e2 e8f7": 0x00fdd303c946bdd9n,
      "startpos moves a2a4 b7b5 h2h4 b5b4 c2c4": 0x3c8123ea7b067637n,
      "startpos moves a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3": 0x5c3f9b829b279560n,
    };
    for (const [text, key] of Object.entries(examples)) {
      assert.equal(BigInt.asUintN(64, new Position(text).key), key, text);
      assert.equal(new Position(text).key, BigInt.asIntN(64, key));
    }
  });

  it("say what they are", () => {
    const initial = new Position();
    assert.deepEqual([initial.turn, initial.pieces, initial.fullmoveNumber, initial.halfmoveClock, initial.chess960], ["w", 32, 1, 0, false]);
    assert.deepEqual([initial.isCheck, initial.isCheckmate, initial.isStalemate, initial.opening], [false, false, false, null]);
    const mate = new Position("1. f3 e5 2. g4 Qh4");
    assert.deepEqual([mate.isCheck, mate.isCheckmate, mate.isStalemate, mate.legalMoves], [true, true, false, []]);
    const stuck = new Position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert.deepEqual([stuck.isCheck, stuck.isCheckmate, stuck.isStalemate], [false, false, true]);
    assert.deepEqual(new Position("1. e4 c5").opening, { eco: "B20", name: "Sicilian Defense" });
    assert.match(initial.description, /^White: king e1.* White to move\.$/s);
    const around = initial.play("Nf3", "Nf6", "Ng1", "Ng8");
    assert.deepEqual([around.isSame(initial), around.fen() === initial.fen(), around.isSame(mate)], [true, false, false]);
  });

  it("have pieces on squares", () => {
    const position = new Position(KIWIPETE);
    const rows = KIWIPETE.split(" ")[0].split("/").map((row) => row.replace(/\d/g, (digit) => ".".repeat(Number(digit))));
    for (const [rank, row] of rows.entries()) {
      for (const [file, piece] of [...row].entries()) assert.equal(position.pieceAt(`${"abcdefgh"[file]}${8 - rank}`), piece === "." ? null : piece);
    }
    for (const wrong of ["e9", "E4", "", "e44", "é4", "e4\n"]) {
      assert.throws(() => position.pieceAt(wrong), { message: `'${wrong}' is not a square, such as e4` });
    }
  });

  it("do not change", () => {
    const position = new Position();
    const fen = position.fen();
    position.play("e4");
    assert.throws(() => position.play("e4", "e4"));
    assert.equal(position.fen(), fen);
  });

  it("are drawn", () => {
    const position = new Position("1. e4");
    const svg = position.board({ orientation: "black", size: 300, lastMove: "e2e4", arrows: ["e7e5", "d2d4:blue", "d4"], marks: ["a1"], fill: { a2: "red" } });
    assert.match(svg, /^<svg [^]*<\/svg>\s*$/);
    assert.notEqual(svg, position.board());
    assert.match(position.unicode({ ascii: true }), /^8 +r +n +b/);
    const wrong = [
      [{ size: 0 }, "size is 0, but must be a whole number from 1"],
      [{ orientation: "left" }, "orientation is 'left', but must be one of white, black, turn"],
      [{ lastMove: "x" }, "lastMove is 'x', but must be the squares of a move, such as e2e4"],
      [{ marks: ["j9"] }, "marks: 'j9' is not a square, such as e4"],
      [{ arrows: ["x"] }, /^arrows: /],
      [{ fill: { a1: "nocolor" } }, /^fill: /],
      [{ colors: "nocolor" }, /^colors: /],
    ];
    for (const [options, message] of wrong) assert.throws(() => position.board(options), { message });
  });

  it("that are wrong are errors with the place", () => {
    const fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    const wrong = {
      "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1":
        "'9' is not a piece (PNBRQK, pnbrqk), a digit 1 to 8 or '/' (column 19)\n    rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n                      ^",
      [`${fen} x KQkq - 0 1`]: `the side to move is 'x', not w or b (column 45)\n    ${fen} x KQkq - 0 1\n${" ".repeat(48)}^`,
      "8/8/8/8/8/8/8/4K3 w - - 0 1": "black has no king\n    8/8/8/8/8/8/8/4K3 w - - 0 1\n    ^^^^^^^^^^^^^^^^^^^^^^^^^^^",
      "1. e4 Ke6": "the black king on e8 cannot reach e6\n    1. e4 Ke6\n          ^^^",
      hello: "not a move\n    hello\n    ^^^^^",
      "": "not a position; give a FEN, startpos, or moves such as 1. e4 c5",
    };
    for (const [text, message] of Object.entries(wrong)) assert.throws(() => new Position(text), { name: "Error", message });
    for (const value of [null, 5, {}]) assert.throws(() => new Position(value), TypeError);
    assert.throws(() => new Position("e4", { lang: "xx" }), { message: /^lang is 'xx', but must be one of en, de, fr/ });
    assert.throws(() => new Position().play("e5"), { message: /^e5: no white pawn can reach e5/ });
    assert.throws(() => new Position().play("e4", "e4"), { message: /in rnbqkbnr\/pppppppp\/8\/8\/4P3/ });
    assert.throws(() => new Position().san("e2e5"), { message: /^e2e5: / });
  });

  it("have codes", () => {
    const start = new Position();
    assert.throws(() => start.play("e4", "e5", "Ke3"), { code: "illegal-move", ply: 3 });
    for (const last of ["Ke3", { san: "Ke3" }]) assert.throws(() => start.play({ san: "e4" }, "e5", last), { code: "illegal-move", ply: 3 });
    assert.throws(() => start.play("xyz"), { code: "bad-san", ply: 1 });
    assert.throws(() => new Position("4k3/8/8/8/8/8/8/R3K2R w - - 0 1").play("R"), { code: "bad-san" });
    assert.throws(() => new Position("4k3/8/8/8/8/8/8/R6R w - - 0 1"), { code: "bad-fen" });
    assert.throws(() => new Position("k7/8/8/8/8/8/8/KR5R w - - 0 1").san("Rd1"), { code: "ambiguous-move" });
    assert.throws(() => new Position(5), { name: "TypeError", code: "bad-argument" });
    assert.throws(() => new Position("e4", { lang: "xx" }), { code: "bad-argument" });
    assert.throws(() => start.pieceAt("e9"), { code: "bad-argument" });
  });

  it("cannot be changed", () => {
    const position = new Position("1. e4 e5");
    const legal = position.legalMoves;
    assert.throws(() => legal.pop(), TypeError);
    assert.throws(() => (legal[0].san = "Ke3"), TypeError);
    assert.throws(() => (position.opening.name = "mine"), TypeError);
    assert.equal(position.legalMoves, legal);
  });
});

describe("moves as objects", () => {
  it("are played", () => {
    const start = new Position();
    const expected = start.play("e4", "e5", "Nf3").fen();
    assert.equal(start.play({ from: "e2", to: "e4" }, "e5", { san: "Nf3" }).fen(), expected);
    const chosen = (position, san) => position.legalMoves.find((move) => move.san === san);
    const after = start.play(chosen(start, "e4"));
    assert.equal(after.play(chosen(after, "e5")).play({ uci: "g1f3" }).fen(), expected);
    assert.equal(start.san({ from: "g1", to: "f3" }), "Nf3");
    assert.equal(start.uci({ san: "Nf3" }), "g1f3");
    for (const wrong of [{}, null, 5, { from: "e2" }]) assert.throws(() => start.play(wrong), { name: "TypeError", code: "bad-argument" });
    assert.throws(() => start.play({ from: "e2", to: "e5" }), { code: "illegal-move" });
  });

  it("promote pawns that reach the end of the board, and nothing else", () => {
    const position = new Position("7k/P7/8/8/8/8/R7/K7 w - - 0 1");
    assert.equal(position.play({ from: "a7", to: "a8", promotion: "N" }).pieceAt("a8"), "N");
    assert.equal(position.play({ from: "a2", to: "h2", promotion: "q" }).pieceAt("h2"), "R");
    assert.equal(position.play({ from: "a1", to: "b1", promotion: "q" }).pieceAt("b1"), "K");
    assert.throws(() => position.play({ from: "a7", to: "a8" }), /must become a piece/);
  });

  it("castle and drop", () => {
    const random = new Position("rk2nqbr/pppppppp/8/8/8/8/PPPPPPPP/RK2NQBR w KQkq - 0 1");
    const castling = random.legalMoves.find((move) => move.san === "O-O-O");
    assert.equal(random.play(castling).fen(), random.play("O-O-O").fen());
    const usual = new Position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    for (const to of ["g1", "h1"]) assert.equal(usual.play({ from: "e1", to }).pieceAt("f1"), "R");
    const house = new Position("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1");
    assert.equal(house.play(house.legalMoves.find((move) => move.san === "N@f3")).pieceAt("f3"), "N");
  });
});
