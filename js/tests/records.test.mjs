// Text and bytes that are no PGN are read as a File of them is: puzzles, tables, JSON.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { games, scan } from "../dist/node.js";
import { fixture } from "./helpers.mjs";

const summaryOf = ({ tags, moves, start, result, errors }) => ({ tags, start, result, moves: moves.map(({ san }) => san), errors: errors.map(String) });

async function later(input) {
  const found = [];
  for await (const game of games(input)) found.push(summaryOf(game));
  return found;
}

describe("records and tables in memory", () => {
  const archive = (count) => JSON.stringify({ games: Array.from({ length: count }, (_, at) => ({ url: `https://x/${at}`, rules: "chess", pgn: `[White "${at}"]\n\n1. e4 e5 *\n` })) });
  const inputs = {
    puzzles: String(fixture("records/puzzles.csv")),
    "puzzles without a header": String(fixture("records/puzzles.csv")).split("\n")[1] + "\n",
    "JSON lines of Lichess": String(fixture("records/lichess.ndjson")),
    evaluations: String(fixture("records/evaluations.jsonl")),
    "an archive of chess.com": archive(4),
    openings: "eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\nA00\tAmar Gambit\t1. Nh3 d5 2. g3\n",
    "games in CSV": "id,white_id,moves\n1,a,e4 e5\n2,b,d4\n",
    positions: "x;fen\n1;4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n",
  };
  for (const [kind, text] of Object.entries(inputs)) {
    it(kind, async () => {
      const expected = await later(new Blob([text]));
      assert.ok(expected.length > 0 && expected.some(({ tags }) => Object.keys(tags).length > 0), kind);
      assert.deepEqual(Array.from(games(text), summaryOf), expected);
      assert.deepEqual(Array.from(games(new TextEncoder().encode(text)), summaryOf), expected);
      assert.deepEqual(await later(text), expected);
      assert.equal((await scan(text, "game", { per: "game" }).toArray()).length <= expected.length, true);
    });
  }

  it("an archive has all its games", () => {
    assert.deepEqual(Array.from(games(archive(4)), ({ tags }) => tags.White), ["0", "1", "2", "3"]);
  });

  it("other tables and JSON are errors", () => {
    assert.throws(() => [...games('{"a": 1}')], /is JSON/);
    assert.throws(() => [...games("moves,player\n34,A\n40,B\n")], /is a table/);
  });

  it("PGN is PGN, whatever it begins with", () => {
    for (const text of ['{"a comment"} 1. e4 *', "moves and text, fen\n\n1. e4 *", '[[Event "x"]]\n\n1. e4 *', '[White "moves,fen"]\n\n1. e4 *']) {
      assert.deepEqual(Array.from(games(text), ({ moves }) => moves.length), [1], text);
    }
  });
});

describe("nothing vanishes in silence", () => {
  it("variations that are nested too deeply are a warning", () => {
    const [game] = games(`1. e4 ${"(1. d4 ".repeat(300)}${")".repeat(300)} e5 *`);
    assert.deepEqual(game.warnings.map(({ kind, isError }) => [kind, isError]), [["skipped-text", false]]);
    assert.match(String(game.warnings[0]), /variations nested so deeply are skipped/);
  });

  it("glyphs in signs are numbers, and marks without a meaning are warnings", () => {
    const [{ moves, warnings }] = games("1. e4 = e5 +- 2. Nf3 <> Nc6 $14 *");
    assert.deepEqual(moves.map(({ nags }) => nags), [[10], [18], [], [14]]);
    assert.deepEqual(warnings.map(({ kind }) => kind), ["skipped-text"]);
  });
});
