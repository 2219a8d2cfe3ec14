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
      [{ comments: "none", variations: false, keepTags: ["White", "ECO"] }, ["--no-comments", "--no-variations", "--keep-tags", "White,ECO"]],
    ];
    const runs = OPTIONS.flatMap(([, given]) => files.map((file) => ({ folder: dirname(file), arguments: ["games", "-q", "-j1", "--san", ...given, basename(file)] })));
    const expected = await runAll(runs);
    const faults = [];
    let count = 0;
    for (const [nth, [options]] of OPTIONS.entries()) {
      for (const [at, file] of files.entries()) {
        let written = "";
        for (const game of games(readFileSync(file))) {
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
