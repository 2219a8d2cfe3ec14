// Runs pgn2fen and other packages on small inputs, and prints what each of them reads as a table in Markdown.
//
//     npm ci && node features.mjs
//
// A cell is `yes`, `no`, or what was found. `wrong` is a position that the game does not have, without an error.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { parseGames } from "@mliebelt/pgn-parser";
import { Chess } from "chess.js";
import { makeFen } from "chessops/fen";
import { makePgn, parseComment, parsePgn, startingPosition } from "chessops/pgn";
import { parseSan } from "chessops/san";
import { pgnRead, pgnWrite } from "kokopu";
import { build } from "../node_modules/esbuild/lib/main.js";
import { games, report } from "../dist/node.js";

/** Each reads a text, and returns its games: `fens`, `sans`, `notes` of the moves, and `error` with what it says of the place. */
const packages = {
  pgn2fen: (text) =>
    [...games(text)].map(({ start, moves, errors: [error] }) => ({
      fens: [start, ...moves.map(({ fen }) => fen)],
      notes: moves.map(({ comments, nags, clk, eval: value, variations }) => ({ comments, nags, clk, eval: value, variations: variations.map(({ moves: [{ fen }] }) => fen) })),
      error: error && { line: error.line, column: error.column },
    })),
  chessops: (text) =>
    parsePgn(text).map((game) => {
      const position = startingPosition(game.headers).unwrap();
      const made = { fens: [makeFen(position.toSetup())], notes: [] };
      let before = game.moves;
      for (const node of game.moves.mainlineNodes()) {
        const variations = before.children.slice(1).map(({ data: { san } }) => {
          const other = position.clone();
          other.play(parseSan(other, san));
          return makeFen(other.toSetup());
        });
        const { san, comments = [], nags = [] } = node.data;
        const move = parseSan(position, san);
        if (!move) return { ...made, error: {} };
        position.play(move);
        const [{ clock, evaluation } = {}] = comments.map(parseComment);
        made.fens.push(makeFen(position.toSetup()));
        made.notes.push({ comments, nags, clk: clock, eval: evaluation && evaluation.pawns * 100, variations });
        before = node;
      }
      return made;
    }),
  "chess.js": (text) => {
    const chess = new Chess();
    chess.loadPgn(text);
    const moves = chess.history({ verbose: true });
    const comments = new Map(chess.getComments().map(({ fen, comment }) => [fen, comment]));
    const notes = moves.map(({ after, nags }) => ({ comments: comments.has(after) ? [comments.get(after)] : [], nags }));
    return [{ fens: [moves[0]?.before ?? chess.fen(), ...moves.map(({ after }) => after)], notes }];
  },
  kokopu: (text) => {
    const database = pgnRead(text);
    return Array.from({ length: database.gameCount() }, (_, at) => {
      try {
        const game = database.game(at);
        const notes = game.nodes().map((node) => ({
          comments: node.comment() === undefined ? [] : [node.comment()],
          nags: node.nags(),
          clk: node.tag("clk"),
          eval: node.tag("eval"),
          variations: node.variations().map((variation) => variation.nodes()[0].fen()),
        }));
        return { fens: [game.initialPosition().fen(), ...game.nodes().map((node) => node.fen())], notes };
      } catch ({ lineNumber: line, index }) {
        return { fens: [], error: { line, index } };
      }
    });
  },
  "@mliebelt/pgn-parser": (text) =>
    parseGames(text).map(({ moves }) => ({
      fens: [],
      sans: moves.map(({ notation: { notation } }) => notation),
      notes: moves.map(({ commentAfter, commentDiag, nag, variations }) => ({ comments: commentAfter ? [commentAfter] : [], nags: nag ?? [], clk: commentDiag?.clk, eval: commentDiag?.eval, variations })),
    })),
};

/** Reads a text. An error that is thrown is the last game. */
function readBy(read, text) {
  try {
    return read(text);
  } catch ({ location, message }) {
    return [{ fens: [], notes: [], thrown: message, error: location ? { line: location.start.line, column: location.start.column } : {} }];
  }
}

const board = (fen) => fen?.split(" ")[0];
const isWell = (all) => all.every(({ error }) => !error);
const yes = (is) => (is ? "yes" : "no");
const LAST = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
/** Whether the last position is this one; without positions, whether the moves are read. */
function reaches(all, wanted) {
  const [{ fens, sans }] = all;
  if (!isWell(all)) return "no";
  if (sans) return "moves only";
  return board(fens.at(-1)) === wanted ? "yes" : "wrong";
}

const KING = "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1";
const BROKEN = '[White "A"]\n\n1. e4 e5 2. Ke3 *\n\n[White "B"]\n\n1. d4 *\n';
const NOTES = "1. e4 $1 {good [%clk 0:05:00] [%eval 0.3]} e5!? 2. Nf3 *";
const tests = {
  "positions, from a start by `FEN`": (read) => reaches(readBy(read, `[SetUp "1"]\n[FEN "${KING}"]\n\n1. c7 *`), "8/2P5/1K6/3r4/8/8/8/k7"),
  "Chess960: castling": (read) => reaches(readBy(read, '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "rk2nqbr/pppppppp/8/8/8/8/PPPPPPPP/RK2NQBR w KQkq - 0 1"]\n\n1. O-O-O *'), "rk2nqbr/pppppppp/8/8/8/8/PPPPPPPP/2KRNQBR"),
  "Chess960: Shredder-FEN": (read) => reaches(readBy(read, '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "rk2nqbr/pppppppp/8/8/8/8/PPPPPPPP/RK2NQBR w HAha - 0 1"]\n\n1. O-O-O *'), "rk2nqbr/pppppppp/8/8/8/8/PPPPPPPP/2KRNQBR"),
  "other variants (Crazyhouse)": (read) => reaches(readBy(read, '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@d4 *'), "rnb1kbnr/ppp1pppp/8/3q4/3P4/8/PPPP1PPP/RNBQKBNR[p]"),
  "several games in a text": (read) => yes(readBy(read, '[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n').filter(({ error }) => !error).length === 2),
  variations(read) {
    const [{ notes, fens, error }] = readBy(read, "1. e4 e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 *");
    const [variation] = notes?.flatMap(({ variations = [] }) => variations) ?? [];
    if (!variation || error) return `no${error ? "" : ", left out"}`;
    return fens.length ? yes(board(variation) === "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR") : "moves only";
  },
  comments: (read) => yes(readBy(read, NOTES)[0].notes?.[0]?.comments.length),
  "NAGs, also `!?`": (read) => yes(readBy(read, NOTES)[0].notes?.slice(0, 2).every(({ nags }, at) => String(nags?.[0]).replace("$", "") === ["1", "5"][at])),
  "clocks and evaluations": (read) => {
    const { clk, eval: value } = readBy(read, NOTES)[0].notes[0];
    if (clk === undefined || clk === null) return "no";
    return typeof clk === "number" && typeof value === "number" ? "as numbers" : `\`${JSON.stringify(clk)}\`, \`${JSON.stringify(value)}\``;
  },
  "the game behind one with an illegal move": (read) => {
    const all = readBy(read, BROKEN);
    if (all.length < 2) return "no";
    if (all[1].sans) return all[1].sans.join() === "d4" ? "yes" : "no";
    return yes(board(all[1].fens.at(-1)) === "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR");
  },
  "place of an illegal move": (read) => {
    const [{ error, fens }] = readBy(read, '[White "A"]\n\n1. e4 e5 2. Ke3 *');
    if (!error) return fens.length ? "wrong" : "not noticed";
    return error.line ? (error.column ? "line and column" : "line and offset") : "no";
  },
  "place of an unclosed comment": (read) => {
    const { error } = readBy(read, '[White "A"]\n\n1. e4 {e5 2. Nf3 *').at(-1);
    return !error ? "not noticed" : error.line ? (error.column ? "line and column" : "line and offset") : "no";
  },
  "positions before the illegal move": (read) => {
    const [{ fens, sans }] = readBy(read, '[White "A"]\n\n1. e4 e5 2. Ke3 *');
    return sans ? "–" : yes(fens.length === 3);
  },
  "the game behind one with a strange word": (read) => {
    const all = readBy(read, '[White "A"]\n\n1. e4 e5 2. Xyz1 *\n\n[White "B"]\n\n1. d4 *\n');
    if (all.length < 2) return "no";
    return all[1].sans ? yes(all[1].sans.join() === "d4") : yes(board(all[1].fens.at(-1)) === "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR");
  },
  "piece letters of other languages": (read, { options } = {}) => reaches(readBy(options ?? read, "1. e4 e5 2. Sf3 *"), LAST),
  "long notation: `e2e4 e7-e5 Ng1-f3`": (read) => reaches(readBy(read, "1. e2e4 e7-e5 2. Ng1-f3 *"), LAST),
  "`0-0` for castling": (read) => reaches(readBy(read, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0 *"), "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1"),
  "null moves": (read) => reaches(readBy(read, "1. e4 -- 2. d4 *"), "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR"),
  "comments behind `;`, lines with `%`": (read) => {
    const [semicolon, percent] = ["1. e4 e5 ; a comment\n2. Nf3 *\n", '[White "A"]\n\n% a line\n1. e4 *'].map((text) => isWell(readBy(read, text)));
    return semicolon && percent ? "yes" : semicolon ? "`;`" : percent ? "`%`" : "no";
  },
  'quotation marks in tags: `\\"`': (read) => yes(isWell(readBy(read, '[White "A \\"B\\" C"]\n\n1. e4 *'))),
};

const german = (text) => {
  return [...games(text, { lang: "de" })].map(({ start, moves, errors }) => ({ fens: [start, ...moves.map(({ fen }) => fen)], error: errors[0] }));
};
const rows = Object.entries(tests).map(([name, test]) => [name, ...Object.entries(packages).map(([of, read]) => test(read, of === "pgn2fen" ? { options: german } : {}))]);

// What only one of them has arguments for: the others take text.
const old = new Uint8Array([...Buffer.from('[White "'), 0xc4, 0xf6, ...Buffer.from('"]\n\n1. e4 *\n')]);
const { value: first } = games(old, { encoding: "windows-1252" })[Symbol.iterator]().next();
const packed = await report(new Uint8Array(gzipSync("1. e4 e5 *")));
rows.push(["old encodings, compressed files", first.tags.White === "Äö" && packed.positions === 3 ? "yes" : "no", ...Array(4).fill("takes text")]);

const names = Object.keys(packages);
console.log(`| | ${names.join(" | ")} |\n|---|${names.map(() => "---").join("|")}|`);
for (const row of rows) console.log(`| ${row.join(" | ")} |`);
const writers = { pgn2fen: null, chessops: makePgn, "chess.js": Chess.prototype.pgn, kokopu: pgnWrite, "@mliebelt/pgn-parser": null };
console.log(`| edits games, writes PGN | ${names.map((name) => yes(writers[name])).join(" | ")} |`);
const manifest = (name) => JSON.parse(readFileSync(new URL(name === "pgn2fen" ? "../package.json" : `node_modules/${name}/package.json`, import.meta.url), "utf8"));
const hasTypes = (name) => manifest(name).types || existsSync(new URL(`node_modules/${name}/${manifest(name).main.replace(/js$/, "d.ts")}`, import.meta.url));
console.log(`| version | ${names.map((name) => manifest(name).version).join(" | ")} |`);
console.log(`| TypeScript types | ${names.map((name) => yes(hasTypes(name))).join(" | ")} |`);

/** The size of what a page loads, in kB: minified, and with brotli. */
const kB = (bytes) => Math.round(brotliCompressSync(bytes).length / 1000);
async function sizeOf(name) {
  const source = { pgn2fen: "../dist/web.js", chessops: ["chessops/pgn", "chessops/san", "chessops/fen"] }[name] ?? name;
  const contents = [source].flat().map((module) => `export * from "${module}"; import * as all from "${module}"; console.log(all);`.replace(/all/g, () => `all${module.replace(/\W/g, "_")}`));
  const options = { bundle: true, minify: true, write: false, format: "esm", platform: "browser", target: "es2022" };
  const { outputFiles } = await build({ ...options, stdin: { contents: contents.join("\n"), resolveDir: fileURLToPath(new URL(".", import.meta.url)) } });
  const script = kB(outputFiles[0].contents);
  if (name !== "pgn2fen") return `${script} kB`;
  const [core, full] = ["pgn2fen.wasm", "pgn2fen-full.wasm"].map((file) => kB(readFileSync(new URL(`../dist/${file}`, import.meta.url))));
  return `${script + core} kB; everything: ${script + core + full} kB`;
}
console.log(`| size with brotli | ${(await Promise.all(names.map(sizeOf))).join(" | ")} |`);
console.log(`| licence | ${names.map((name) => manifest(name).license).join(" | ")} |`);
