// What the tests share: the fixtures of the repository, the command, and texts to read.

import { isUtf8 } from "node:buffer";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const JS = dirname(dirname(fileURLToPath(import.meta.url)));
export const REPOSITORY = dirname(JS);
export const FIXTURES = join(REPOSITORY, "fixtures");
export const DIST = join(JS, "dist");

/** The command with which results are compared: the path in the environment variable PGN2FEN. */
export const COMMAND = process.env.PGN2FEN;

/** A reason to skip tests that need the command; false if it is there. */
export const needsCommand = COMMAND ? false : "set PGN2FEN to the path of the command";

/** Returns a folder that is removed at the end of the process. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "pgn2fen-js-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the paths of files below a folder, with these endings. */
export function filesIn(folder, endings) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)));
  return files.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}

export const fixture = (path) => readFileSync(join(FIXTURES, path));

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Runs the command many times, by two shells. Each run is `{ folder, arguments }`. Returns `{ status, stdout, stderr }` of each.
 * @param {{ folder: string, arguments: string[] }[]} runs
 */
export async function runAll(runs) {
  const middle = runs.length >> 1;
  return (await Promise.all([runSome(runs.slice(0, middle)), runSome(runs.slice(middle))])).flat();
}

async function runSome(runs) {
  const folder = temporaryFolder();
  const lines = runs.map(
    ({ folder: at, arguments: given }, number) =>
      `cd ${quoted(at)}; ${quoted(COMMAND)} ${given.map(quoted).join(" ")} > ${folder}/${number}.out 2> ${folder}/${number}.err; echo $?`,
  );
  writeFileSync(join(folder, "script"), lines.join("\n"));
  const { stdout } = await promisify(execFile)("sh", [join(folder, "script")], { maxBuffer: 1 << 28 });
  const statuses = stdout.trim().split("\n").map(Number);
  return statuses.map((status, number) => ({
    status,
    stdout: readFileSync(join(folder, `${number}.out`)),
    stderr: readFileSync(join(folder, `${number}.err`), "utf8"),
  }));
}

/** Returns the place where two outputs differ first, in words; null if they are equal. */
export function difference(came, expected) {
  if (Buffer.from(came).equals(Buffer.from(expected))) return null;
  const length = Math.min(came.length, expected.length);
  let at = 0;
  while (at < length && came[at] === expected[at]) at++;
  const shown = (bytes) => JSON.stringify(Buffer.from(bytes.subarray(Math.max(0, at - 60), at + 100)).toString("latin1"));
  return `byte ${at} of ${came.length}, expected ${expected.length}\n    came     ${shown(came)}\n    expected ${shown(expected)}`;
}

/** Returns numbers from 0 up to a limit that look random, and are the same in every run. */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Games of every kind in fixtures, one after another up to a size: with errors, text between games, other line ends, and starting positions. */
export function manyGames(size) {
  const number = randomNumbers(1);
  const names = [
    ...filesIn(join(FIXTURES, "games"), [".pgn"]),
    ...["chess960", "comments", "en_passant", "encoding", "fen", "null_move", "san", "setup", "variations"].flatMap((group) =>
      filesIn(join(FIXTURES, "cases", group), [".pgn"]),
    ),
    join(FIXTURES, "starts/mixed.pgn"),
  ];
  // The encoding of a name is guessed from the first text of its file, and these become one file, so all texts are UTF-8.
  const texts = names.map((name) => readFileSync(name)).filter((text) => text.length < 250_000 && text[0] !== 0xef && isUtf8(text));
  const between = ["\n\n", "\r\n\r\n", "\n\nSome words between games.\n\n", "\n\n% a line for programs\n", "\n\n<br>\n; a comment\n\n"].map((text) => Buffer.from(text));
  const parts = [Buffer.from('[Event "The first"]\n\n1. e4 e5 *\n\n')];
  let length = 0;
  while (length < size) {
    let text = texts[number(texts.length)];
    // Some texts have the line breaks of Windows.
    if (number(4) === 0) text = Buffer.from(text.toString("latin1").replace(/\r?\n/g, "\r\n"), "latin1");
    parts.push(text, between[number(between.length)]);
    length += text.length + 20;
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** Returns a line of the command with an option as JavaScript writes it. */
export const withOptions = (line) => line.replace(/\? try --lang (\w+)$/, '? try lang: "$1"');
