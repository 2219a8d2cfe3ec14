// Trees are those of the command, and their nodes and moves are those of their rows.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { load, Position, tree } from "../dist/node.js";
import { difference, FIXTURES, fixture, needsCommand, runAll } from "./helpers.mjs";

const TOURNAMENTS = join(FIXTURES, "games/tournaments_2020.pgn");
const PLAYERS = join(FIXTURES, "players/several_names.pgn");
const VARIATIONS = join(FIXTURES, "games/variations_and_glyphs.pgn");

/** Options of the package and of the command. */
const OPTIONS = [
  { options: {}, arguments: [] },
  { options: { depth: 8, minGames: 5, title: "Lines" }, arguments: ["-p", "8", "--min-games", "5", "--title", "Lines"] },
  { options: { position: "1. e4 c5", side: "b", order: "score" }, arguments: ["--from", "1. e4 c5", "--side", "b", "--order", "score"] },
  { options: { player: "carlsen", side: "w", minGames: 1, depth: 12 }, arguments: ["--player", "carlsen", "--side", "w", "--min-games", "1", "-p", "12"] },
  { options: { max: 2, tags: ["WhiteElo>=2500", "Result=1-0"], opening: "B" }, arguments: ["-m", "2", "-t", "WhiteElo>=2500", "-t", "Result=1-0", "--opening", "B"] },
  { options: { position: "sicilian defense" }, arguments: ["--from", "sicilian defense"] },
];

/** Options for writing, which tables do not have. */
const STYLE = { options: { transpositions: "write", comments: ["games", "score"], glyphs: true, models: 3, depth: 10 }, arguments: ["--transpositions", "write", "--comments", "games,score", "--glyphs", "--models", "3", "-p", "10"] };

describe("options of trees", () => {
  it("may be a position, which tells its variant", async () => {
    const grown = await tree("1. e4 e5 *", { position: new Position("1. e4"), minGames: 1 }).grow();
    assert.deepEqual([grown.root.fen, grown.moves], [new Position("1. e4").fen(), 1]);
    const text = '[Variant "Atomic"]\n\n1. Nf3 f6 2. Nd4 *\n';
    const atomic = await tree(text, { position: new Position("1. Nf3", { variant: "atomic" }), minGames: 1 }).grow();
    assert.deepEqual(atomic.root.moves.map(({ san }) => san), ["f6"]);
  });

  it("do not choose games by their errors or positions", async () => {
    for (const options of [{ onError: "drop" }, { material: "KR:K" }, { evals: "engine" }]) await assert.rejects(() => tree("1. e4 *", options).grow(), { code: "bad-argument", message: /^there is no option/ });
  });
});

describe("trees are those of the command", { skip: needsCommand }, () => {
  const cases = [
    ...["pgn", "html", "dot", "mermaid", "csv", "tsv", "jsonl"].flatMap((format) => OPTIONS.map((given) => ({ ...given, format, path: TOURNAMENTS }))),
    ...["pgn", "html"].map((format) => ({ ...STYLE, format, path: TOURNAMENTS })),
    { options: { variations: true }, arguments: ["--variations"], format: "csv", path: VARIATIONS },
    { options: { minGames: 1 }, arguments: ["--min-games", "1"], format: "pgn", path: PLAYERS },
  ];
  it("in every format", async () => {
    const runs = cases.map(({ path, format, arguments: given }) => ({ folder: dirname(path), arguments: ["tree", "-q", "-f", format, ...given, path.slice(dirname(path).length + 1)] }));
    const expected = await runAll(runs);
    for (const [at, { path, format, options }] of cases.entries()) {
      const came = Buffer.from(await tree(pathToFileURL(path), options).text(format));
      assert.ok(came.length > 50);
      assert.equal(difference(came, expected[at].stdout), null, `${format} ${JSON.stringify(options)}`);
    }
  });
});

describe("a tree", () => {
  it("has the nodes and moves of its rows", async () => {
    const options = { depth: 14, minGames: 2 };
    const lines = tree(pathToFileURL(TOURNAMENTS), options);
    const grown = await lines.grow();
    const rows = (await lines.text("jsonl")).trim().split("\n").map((line) => JSON.parse(line));
    const moves = [...grown];
    assert.equal(moves.length, grown.moves);
    assert.equal(rows.length, grown.moves);
    assert.ok(rows.length > 200 && moves.some((move) => move.transposes));
    for (const [at, row] of rows.entries()) {
      const { san, uci, results, lastYear, transposes, target, source } = moves[at];
      assert.deepEqual([row.san, row.uci, row.games, row.white, row.draws, row.black, row.unknown], [san, uci, results.games, results.white, results.draws, results.black, results.unknown]);
      assert.equal(row.last_year ?? null, lastYear);
      assert.equal(row.transposes_to ?? target.path, transposes ? target.path : row.path);
      assert.ok(source.moves.includes(moves[at]));
      // Positions after a move that transposes have other counters.
      if (!transposes) assert.deepEqual([row.path, row.fen, row.ply], [target.path, target.fen, target.ply]);
      assert.equal(new Position(source.fen).san(uci), san);
    }
    const nodes = new Set([grown.root, ...moves.map((move) => move.target)]);
    assert.equal(nodes.size, grown.positions);
    for (const node of nodes) assert.equal(grown.node(node.fen), node);
    assert.equal(lines.report.games, 232);
    assert.equal(grown.root.parent, null);
  });

  it("joins lines that transpose", async () => {
    const games = "1. e4 c5 2. Nf3 d6 1-0\n\n1. Nf3 c5 2. e4 e6 1/2-1/2\n";
    await load();
    const grown = tree(games, { minGames: 1 }).growNow();
    const node = grown.node("1. Nf3 c5 2. e4");
    assert.equal(node.path, "1. e4 c5 2. Nf3");
    assert.equal(node, grown.node(new Position("1. e4 c5 2. Nf3")));
    assert.deepEqual(node.results, { games: 2, white: 1, draws: 1, black: 0, unknown: 0, score: 0.75 });
    assert.deepEqual(node.moves.map((move) => move.san), ["d6", "e6"]);
    assert.deepEqual([...grown].filter((move) => move.transposes).map((move) => [move.source.path, move.san]), [["1. Nf3 c5", "e4"]]);
    assert.equal(node.parent.target, node);
    assert.equal(grown.node("1. d4"), null);
    const text = await tree(games, { minGames: 1, comments: [] }).text();
    assert.match(text, /1\. e4 \(1\. Nf3 c5 2\. e4 \{transposes to 2\. Nf3\}\) 1\.\.\. c5/);
  });

  it("has model games at the ends of lines", async () => {
    const game = '[White "A"]\n[Black "B"]\n[Date "2020.01.02"]\n\n1. e4 1-0\n';
    const [move] = await tree(game, { minGames: 1 }).grow();
    assert.deepEqual(move.target.models, [{ white: "A", black: "B", event: "", year: 2020, result: "1-0" }]);
    assert.equal(move.lastYear, 2020);
  });

  it("is used up to errors, which are told", async () => {
    const lines = tree("1. e4 e5 2. Ke3 *\n", { minGames: 1, name: "bad.pgn" });
    assert.deepEqual([...(await lines.grow())].map((move) => move.san), ["e4", "e5"]);
    assert.match(String(lines.report.messages[0]), /^bad\.pgn:1:13: illegal-move/);
    const empty = tree("1. e4 *", { position: "1. d4" });
    assert.equal((await empty.grow()).moves, 0);
    assert.deepEqual(empty.report.hints, ["the tree is empty; no game reached its first position"]);
    const named = tree(fixture("games/tournaments_2020.pgn"), { position: "najdorf" });
    await named.grow();
    assert.match(named.report.hints[0], /^najdorf: Sicilian Defense: Najdorf Variation, 1\. e4 c5/);
  });

  it("refuses wrong options", async () => {
    const wrong = (options, message) => assert.rejects(tree("1. e4 *", options).grow(), { message });
    await wrong({ depth: 0 }, "depth is 0, but must be from 1 to 256");
    await wrong({ models: 4 }, "models is 4, but must be at most 3");
    await wrong({ order: "elo" }, "order is 'elo', but must be one of games, score, file");
    await wrong({ side: "white" }, "side is 'white', but must be one of w, b");
    await wrong({ player: " " }, "player needs a name, without quotes in it");
    await wrong({ minGames: "x" }, "minGames is 'x', but must be a whole number");
    await wrong({ position: "nothing at all" }, /^position: this is no position, and in no name of an opening\n/);
    await wrong({ comments: "elo" }, /"elo" is none of games, results, score, year, models/);
    await wrong({ tag: "White=a" }, /there is no option 'tag'; did you mean tags\?/);
    await assert.rejects(tree("1. e4 *").text("parquet"), { message: /format is 'parquet', but must be one of pgn, html/ });
  });
});
