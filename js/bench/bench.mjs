// Measures how many positions a second pgn2fen and other packages read, on one core, from the same games.
//
//     npm ci && taskset -c 0 node bench.mjs [FILE.pgn] [--rounds N] [--seconds S] [--quick]
//
// The file has standard games without errors, so that every package reads all of it; without one, it is a file of the fixtures. Each program
// gets the file as text in memory, many times in a row until a round has lasted long enough, and makes the FEN of every position of the main
// lines. The programs run in turn, in several rounds, after a warm-up, because V8 compiles in tiers. The best round of each counts, in CPU time
// of the process, which includes that of the garbage collector. Before that, the FENs of all programs are compared.
//
// Prints a table as Markdown, and then a line of JSON for each ratio. With --quick, everything runs once, and the numbers mean little.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { parseGames } from "@mliebelt/pgn-parser";
import { Chess } from "chess.js";
import { makeFen } from "chessops/fen";
import { parsePgn, startingPosition } from "chessops/pgn";
import { parseSan } from "chessops/san";
import { pgnRead } from "kokopu";
import { Position, games, scan } from "../dist/node.js";
import { stepsNow } from "../dist/stepping.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "1" }, quick: { type: "boolean" } },
});
const path = positionals[0] ?? new URL("../../fixtures/games/tournaments_2020.pgn", import.meta.url);
const bytes = new Uint8Array(readFileSync(path));
const text = new TextDecoder().decode(bytes);
/** The games one by one, for the package that reads one at a time. Finding them is not measured. */
const single = text.split(/\r?\n(?=\[Event )/).filter((game) => game.trim());

const decoder = new TextDecoder();
const SCAN = { kind: "rows", format: "fen", pairs: [] };

/** A program takes a function that is called with each FEN, or with null if it makes none or other things than texts. Returns a number. */
const programs = {
  "pgn2fen: `scan`, lines of FEN as bytes": {
    run() {
      let positions = 0;
      for (const { bytes: piece, state } of stepsNow(bytes, SCAN)) {
        if (state) ({ positions } = state);
        if (piece) sink += piece.length;
      }
      return positions;
    },
    fens: () => [...stepsNow(bytes, { ...SCAN, pairs: ["ep", "legal"] })].flatMap(({ bytes: piece }) => (piece ? decoder.decode(piece).split("\n").filter(Boolean) : [])),
  },
  "pgn2fen: `scan`, a row as an object for each position": {
    run: () => count(map(scan(bytes, "fen"), ({ fen }) => fen)),
    fens: () => [...scan(bytes, "fen", { ep: "legal" })].map(({ fen }) => fen),
  },
  "pgn2fen: `games`, with moves, FENs, comments and clocks": {
    run: () => count(fensOfGames()),
  },
  "pgn2fen: `Position`, a call for each move and each FEN": {
    run: () => count(fensOfPositions()),
  },
  chessops: {
    run: () => count(fensOfChessops()),
    fens: () => [...fensOfChessops()],
  },
  "chess.js": {
    run: () => count(fensOfChessJs()),
    fens: () => [...fensOfChessJs()],
  },
  kokopu: {
    run: () => count(fensOfKokopu()),
    fens: () => [...fensOfKokopu()],
  },
  "@mliebelt/pgn-parser (no positions)": {
    run() {
      const parsed = parseGames(text);
      sink += parsed.length;
      return parsed.reduce((sum, game) => sum + game.moves.length + 1, 0);
    },
  },
};

let sink = 0;

/** Uses each FEN, so that none is left out by the compiler, and returns their number. */
function count(fens) {
  let number = 0;
  for (const fen of fens) {
    sink += fen.length;
    number += 1;
  }
  return number;
}

function* map(values, made) {
  for (const value of values) yield made(value);
}

function* fensOfGames() {
  for (const { start, moves } of games(bytes)) {
    yield start;
    for (const { fen } of moves) yield fen;
  }
}

const sans = [...games(bytes)].map(({ start, moves }) => ({ start, sans: moves.map(({ san }) => san) }));

function* fensOfPositions() {
  for (const game of sans) {
    let position = new Position(game.start);
    yield position.fen();
    for (const san of game.sans) {
      position = position.play(san);
      yield position.fen();
    }
  }
}

function* fensOfChessops() {
  for (const game of parsePgn(text)) {
    const position = startingPosition(game.headers).unwrap();
    yield makeFen(position.toSetup());
    for (const { san } of game.moves.mainline()) {
      position.play(parseSan(position, san));
      yield makeFen(position.toSetup());
    }
  }
}

function* fensOfChessJs() {
  const chess = new Chess();
  for (const game of single) {
    chess.loadPgn(game);
    // Playing the moves backwards is twice as fast as `history({ verbose: true })`, whose moves have FENs, too.
    const fens = [chess.fen()];
    while (chess.undo()) fens.push(chess.fen());
    yield* fens.reverse();
  }
}

function* fensOfKokopu() {
  for (const game of pgnRead(text).games()) {
    yield game.initialPosition().fen();
    for (const node of game.nodes()) yield node.fen();
  }
}

/** The board, the side to move, castling and the counters. The packages differ in when they write the en passant square. */
const common = (fen) => fen.split(" ").filter((_, at) => at !== 3).join(" ");

function compare() {
  const compared = Object.entries(programs).filter(([, { fens }]) => fens);
  const [[, { fens: first }], ...others] = compared;
  const expected = first();
  for (const [name, { fens }] of others) {
    const made = [...fens()];
    const at = expected.findIndex((fen, at) => common(fen) !== common(made[at] ?? ""));
    if (at >= 0 || made.length !== expected.length) throw new Error(`${name}: ${made.length} of ${expected.length} positions; ${expected[at]} is ${made[at]}`);
  }
  return expected.length;
}

/** Runs a program for a time. Returns the positions per second of CPU time. */
function measure(run, seconds) {
  globalThis.gc?.();
  const wanted = seconds * 1e6;
  const before = process.cpuUsage();
  let positions = 0;
  for (;;) {
    positions += run();
    const { user, system } = process.cpuUsage(before);
    if (user + system >= wanted) return positions / ((user + system) / 1e6);
  }
}

const positions = compare();
const [seconds, rounds] = values.quick ? [0, 1] : [Number(values.seconds), Number(values.rounds)];
const best = new Map(Object.keys(programs).map((name) => [name, 0]));
for (const { run } of Object.values(programs)) measure(run, 2 * seconds);
for (let round = 0; round < rounds; round++) {
  for (const [name, { run }] of Object.entries(programs)) best.set(name, Math.max(best.get(name), measure(run, seconds)));
}

const require = createRequire(import.meta.url);
const { dependencies } = require("./package.json");
const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
const number = (value) => (value >= 100 ? value.toPrecision(3) * 1 : value).toLocaleString("en", { maximumSignificantDigits: 3 });
console.log(`${single.length} games, ${positions} positions; Node ${process.version}, ${versions.join(", ")}`);
console.log(`${cpus()[0].model}, ${cpus().length} cores, load ${loadavg().map((load) => load.toFixed(1)).join(", ")}\n`);
console.log("| program | positions/s | × chessops | games/s |\n|---|---:|---:|---:|");
const chessops = best.get("chessops");
for (const [name, rate] of best) console.log(`| ${name} | ${number(rate)} | ${number(rate / chessops)} | ${number((rate * single.length) / positions)} |`);
console.log();
const [scanned] = best.values();
const goals = [
  ["scan, positions per second on one core", scanned, 5_000_000],
  ["scan / chessops", scanned / chessops, 25],
  ["scan / chess.js", scanned / best.get("chess.js"), 200],
];
for (const [name, value, goal] of goals) console.log(JSON.stringify({ name, value: Number(value.toPrecision(3)), goal, isReached: value >= goal }));
if (sink < 0) throw new Error("nothing was read");
