// The package gives what the command gives: for every file in fixtures, in every format, with many options. With PGN2FEN_SWEEP=1, each file is
// scanned with all options, and otherwise with a quarter of them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { before, describe, it } from "node:test";
import { report, scan, starts } from "../dist/node.js";
import { difference, filesIn, FIXTURES, needsCommand, runAll, withOptions } from "./helpers.mjs";

const CASES = join(FIXTURES, "cases");
const FILES = [...filesIn(FIXTURES, [".pgn", ".epd"]), ...filesIn(join(FIXTURES, "records"), [".csv", ".jsonl", ".ndjson", ".json"])];
const ALL = "game,offset,line,id,ply,turn,fen,san,uci,next_san,next_uci,eval,clk,depth,time,nodes,spent,key,material,plies,result,eco,opening";

const TRAINING = new Set(["bullet", "bulletformat", "viri", "binpack", "plain"]);

/** Options of the package and of the command. */
const FORMATS = ["fen", "epd", "csv", "tsv", "jsonl", "uci", "bullet", "bulletformat", "viri", "binpack", "plain", "html"].map((format) => ({ format }));
const OPTIONS = [
  { format: "csv", columns: `${ALL},White,WhiteElo,Date,Round,Date_text,comment,nags` },
  { format: "jsonl", columns: "file,game,ply,tags,clk,eval,key,nags,comment,san", options: { verbose: true }, arguments: ["-v"] },
  { format: "jsonl", options: { per: "game" }, arguments: ["--per", "game"] },
  {
    format: "jsonl",
    columns: "file,game,offset,line,id,start,moves,evals,clocks,plies,result,eco,opening,tags,Annotator",
    options: { per: "game", castling: "shredder", onError: "drop" },
    arguments: ["--per", "game", "--castling", "shredder", "--on-error", "drop"],
  },
  { format: "csv", options: { plies: [3, 9], every: 2 }, arguments: ["-p", "3..9", "-e", "2"] },
  { format: "fen", options: { plies: -1, maxGames: 3 }, arguments: ["-p", "-1", "-n", "3"] },
  { format: "fen", options: { unique: true, skipStart: true, turn: "b" }, arguments: ["-u", "--no-start", "--turn", "b"] },
  {
    format: "csv",
    columns: "game,variation,parent,ply,san,fen",
    options: { variations: true },
    arguments: ["--variations"],
  },
  {
    format: "tsv",
    columns: "White,Black,ply,fen",
    options: { tags: ["WhiteElo>=1500", "Result=1-0"] },
    arguments: ["-t", "WhiteElo>=1500", "-t", "Result=1-0"],
  },
  {
    format: "csv",
    columns: "game,ply,eco,opening",
    options: { opening: ["B", "queen's pawn"], length: [20, null] },
    arguments: ["--opening", "B", "--opening", "queen's pawn", "--length", "20.."],
  },
  { format: "fen", options: { material: "RP+:RP*", colors: "given" }, arguments: ["--material", "RP+:RP*", "--shape-colors", "given"] },
  {
    format: "fen",
    options: { ep: "legal", castling: "shredder", fields: 4, pieces: "3..20" },
    arguments: ["--ep", "legal", "--castling", "shredder", "--fields", "4", "--pieces", "3..20"],
  },
  { format: "fen", options: { ep: "xfen", lang: "de" }, arguments: ["--ep", "xfen", "--lang", "de"] },
  { format: "csv", options: { setup: "strict", start: "nonstandard" }, arguments: ["--setup", "strict", "--start", "nonstandard"] },
  { format: "csv", options: { setup: "ignore", sample: 0.3, seed: 7 }, arguments: ["--setup", "ignore", "-s", "0.3", "--seed", "7"] },
  {
    format: "csv",
    columns: "ply,eval,depth,time,nodes,next_san",
    options: { evals: "engine", maxEval: 80, skipChecks: true, skipCaptures: true },
    arguments: ["--evals", "engine", "--max-eval", "80", "--skip-checks", "--skip-captures"],
  },
  { format: "plain", options: { evals: "engine" }, arguments: ["--evals", "engine"] },
  { format: "csv", columns: "White,Event,comment,fen", options: { encoding: "windows-1251" }, arguments: ["--encoding", "windows-1251"] },
  { format: "fen", options: { onError: "stop" }, arguments: ["--on-error", "stop"] },
  { format: "csv", columns: "game,next_*,White*,*Elo,fen", options: { plies: "..3" }, arguments: ["-p", "..3"] },
  { format: "fen", options: { moves: ["d5 exd5", "1. d4 *"] }, arguments: ["--moves", "d5 exd5", "--moves", "1. d4 *"] },
  { format: "fen", options: { ends: ["mate", "stalemate"], commented: true }, arguments: ["--ends", "mate", "--ends", "stalemate", "--commented"] },
  { format: "fen", options: { eval: [-50, 50], judgement: ["good", "blunder"], minLoss: 5 }, arguments: ["--eval=-50..50", "--judgement", "good", "--judgement", "blunder", "--min-loss", "5"] },
  { format: "fen", options: { reached: "1. e4 c5" }, arguments: ["--reached", "1. e4 c5"] },
];

/** Lines that the command says about places in the file, without those about the whole run and the one with the kind of the file. */
const linesOf = (said, name) => said.split("\n").filter((line) => line.startsWith(`${name}:`) && !line.startsWith(`${name}: read as a`));

/** Reads what is to come of a case: fixtures/cases/README.md explains the form. */
function caseOf(path) {
  const [head, ...rest] = readFileSync(path.replace(/pgn$/, "expected"), "utf8").split("\n\n");
  const header = Object.fromEntries(head.split("\n").map((line) => [line.split(" ", 1)[0], line.replace(/^\S+ +/, "")]));
  const fens = { always: [], xfen: [], legal: [], shredder: [] };
  const errors = [];
  let game = 0;
  for (const line of rest.join("\n").split("\n").filter(Boolean)) {
    if (line.startsWith("game ")) game += 1;
    else if (line.startsWith("error ")) errors.push({ game, ...line.match(/^error (?<kind>\S+)(?: at ply (?<ply>\d+))?$/).groups });
    else {
      // The FEN of a game of three-check has the checks that are left as its fifth word.
      const [, fen, notes] = line.match(/^((?:\S+ +){4}(?:\S+\+\S+ +)?\S+ +\S+)(.*)$/);
      const fields = fen.split(/ +/);
      const others = Object.fromEntries([...notes.matchAll(/(\S+) (\S+)/g)].map(([, style, field]) => [style, field]));
      for (const style of Object.keys(fens)) fens[style].push(fields.with(style === "shredder" ? 2 : 3, others[style] ?? fields[style === "shredder" ? 2 : 3]).join(" "));
    }
  }
  const warnings = header.warnings === "-" ? [] : header.warnings.split(" ").sort();
  return { fens, errors, warnings, options: header.options === "--lang de" ? { lang: "de" } : {} };
}

describe("the cases", () => {
  const cases = FILES.filter((path) => path.startsWith(CASES));

  it("come out as expected, in every style", async () => {
    assert.ok(cases.length >= 124, `${cases.length} cases`);
    for (const path of cases) {
      const expected = caseOf(path);
      const bytes = new Uint8Array(readFileSync(path));
      for (const [style, fens] of Object.entries(expected.fens)) {
        const options = style === "shredder" ? { castling: "shredder" } : { ep: style };
        const text = await scan(bytes, null, { ...expected.options, ...options }).text("fen");
        assert.equal(text, fens.map((fen) => `${fen}\n`).join(""), `${path}, ${style}`);
      }
      const { messages, errors } = await report(bytes, { variations: false, ...expected.options, verbose: true });
      assert.equal(errors, expected.errors.length, path);
      messages.filter((message) => message.isError).forEach(({ game, kind, ply }, at) => {
        const error = expected.errors[at];
        assert.deepEqual([game, kind, error.ply ? ply : undefined], [error.game, error.kind, error.ply && Number(error.ply)], path);
      });
      const warnings = new Set(messages.filter((message) => !message.isError).map((message) => message.kind));
      assert.deepEqual([...warnings].sort(), expected.warnings, path);
    }
  });
});

/** Lists of starting positions: their names, the options of the command, and those here. */
const STARTS = [
  ["starts", [], {}],
  ["all starts of two kinds", ["--all", "--kind", "position,invalid", "-C", "game,kind,FEN,White"], { all: true, kind: ["position", "invalid"], columns: ["game", "kind", "FEN", "White"] }],
  ["exact starts", ["--exact", "--fields", "4", "--castling", "shredder"], { exact: true, fields: 4, castling: "shredder" }],
];

describe("as the command", { skip: needsCommand }, () => {
  const kinds = [...FORMATS, ...OPTIONS];
  const results = new Map();
  const isTried = (path, kind) => "PGN2FEN_SWEEP" in process.env || (FILES.indexOf(path) + kinds.indexOf(kind)) % 4 === 0;

  before(async () => {
    const runs = [];
    for (const path of FILES) {
      for (const kind of kinds.filter((kind) => isTried(path, kind))) {
        const columns = kind.columns ? ["-C", kind.columns] : [];
        const given = ["-q", "-j", "1", "-f", kind.format, ...columns, ...(kind.arguments ?? []).filter((argument) => argument !== "-v")];
        runs.push({ key: [path, kind], folder: dirname(path), arguments: [...given, basename(path)] });
      }
      const check = ["check", "--color", "never", "-v", "-j", "1", "--max-messages", "1000000", basename(path)];
      runs.push({ key: [path, "check"], folder: dirname(path), arguments: check });
      for (const [name, given] of STARTS) {
        runs.push({ key: [path, name], folder: dirname(path), arguments: ["starts", "-q", "-j", "1", "-f", "jsonl", ...given, basename(path)] });
      }
    }
    (await runAll(runs)).forEach((result, at) => {
      const [path, kind] = runs[at].key;
      if (!results.has(path)) results.set(path, new Map());
      results.get(path).set(kind, result);
    });
  });

  /** Compares something of files. Differences are told together. */
  async function compare(compareOne, paths = FILES) {
    const differences = [];
    for (const path of paths) {
      const bytes = new Uint8Array(readFileSync(path));
      const difference = await compareOne(bytes, { path, name: basename(path), of: (kind) => results.get(path).get(kind) });
      if (difference) differences.push(`${relative(FIXTURES, path)}: ${difference}`);
    }
    const more = differences.length > 5 ? `\nand ${differences.length - 5} more files` : "";
    assert.equal(differences.slice(0, 5).join("\n") + more, "", "not as the command");
  }

  for (const kind of kinds) {
    it(`scan: ${kind.format} ${[kind.columns, ...(kind.arguments ?? [])].filter(Boolean).join(" ")}`, () =>
      compare(async (bytes, { name, of }) => {
        const expected = of(kind);
        const rows = scan(bytes, kind.columns ?? null, { name, ...kind.options });
        let came;
        try {
          came = await rows.bytes(kind.format);
        } catch (error) {
          return expected.status === 2 ? null : `threw ${error.message}, but the command ended with ${expected.status}`;
        }
        if (expected.status === 2) return `threw nothing, but the command ended with 2: ${expected.stderr}`;
        // Without any position, training data is an error of the command.
        const isEmpty = TRAINING.has(kind.format) && came.length === 0;
        const status = rows.report.errors > 0 || isEmpty ? 1 : 0;
        return difference(came, expected.stdout) ?? (status === expected.status ? null : `${rows.report.summary}, but status ${expected.status}`);
      }, FILES.filter((path) => isTried(path, kind))),
    );
  }

  it("report: every message is a line of the command", () =>
    compare(async (bytes, { name, of }) => {
      const { messages, summary } = await report(bytes, { name, verbose: true });
      const said = of("check").stdout.toString();
      const came = messages.map((message) => message.full).join("\n");
      const counts = summary.replace(/, [\d,]+ warnings?$/, "");
      return difference(Buffer.from(came), Buffer.from(linesOf(said, name).map(withOptions).join("\n"))) ?? (said.includes(counts) ? null : `${summary}, but\n${said}`);
    }));

  it("starts: wildcards stand for tags", async () => {
    const game = '[White "A"]\n[WhiteElo "2000"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n*\n';
    assert.deepEqual(await starts(game, { columns: "kind,White*" }).toArray(), [{ kind: "position", White: "A", WhiteElo: 2000 }]);
  });

  for (const [key, , options] of STARTS) {
    it(`${key}: the same list`, () =>
      compare(async (bytes, { name, of }) => {
        const rows = await starts(bytes, { name, ...options }).toArray();
        const expected = of(key).stdout.toString().split("\n").filter(Boolean).map((line) => JSON.parse(line));
        return difference(Buffer.from(JSON.stringify(rows)), Buffer.from(JSON.stringify(expected)));
      }));
  }
});
