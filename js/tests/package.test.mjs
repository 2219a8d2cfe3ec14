// The package as it is published: what is in it, and that it can be imported, typed and bundled.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { JS, REPOSITORY, temporaryFolder } from "./helpers.mjs";

const folder = temporaryFolder();
const run = (program, given, options = {}) => execFileSync(program, given, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], ...options });
const { version, files: published } = JSON.parse(readFileSync(join(JS, "package.json"), "utf8"));

/** Runs a program of the JavaScript in the folder in which the package is installed. */
function node(name, text) {
  writeFileSync(join(folder, name), text);
  return run(process.execPath, [name]).trim();
}

describe("the package", () => {
  const list = [];

  before(() => {
    // Scripts need the toolchain of Rust; what they add is not looked at here.
    const packed = run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], { cwd: JS });
    const [{ filename, files }] = JSON.parse(packed);
    list.push(...files.map(({ path }) => path));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user", private: true }));
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", `file:${join(folder, filename)}`]);
  });

  it("has what it needs and nothing else", () => {
    const lib = readdirSync(join(JS, "lib")).map((name) => `dist/${name}`);
    const optional = new Set(published.filter((name) => !existsSync(join(JS, name))));
    const expected = [...lib, "dist/pgn2fen.wasm", "dist/pgn2fen-full.wasm", "package.json", ...published.filter((name) => name !== "dist" && !optional.has(name))];
    assert.deepEqual(list.toSorted(), expected.toSorted());
    for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) assert.equal(readFileSync(join(JS, name), "utf8"), readFileSync(join(REPOSITORY, name), "utf8"));
    assert.ok(list.includes("README.md"));
  });

  it("has the version of the repository", () => {
    assert.equal(version, /^version = "(.*)"$/m.exec(readFileSync(join(REPOSITORY, "Cargo.toml"), "utf8"))[1]);
  });

  it("is imported by a module", () => {
    const names = node("import.mjs", 'import * as all from "pgn2fen"; console.log(Object.keys(all).sort().join());');
    assert.equal(names, "Collection,Position,annotate,games,load,members,promote,report,scan,starts,tree,writeGame");
    const text = node("use.mjs", 'import { scan } from "pgn2fen"; console.log(await scan("1. e4 *", "san").text("csv"), (await scan(new Blob(["1. e4 *\\n".repeat(20000)]), "san").toArray()).length);');
    assert.equal(text, 'san\n""\ne4\n 40000');
  });

  it("is imported by CommonJS", () => {
    const program = 'import("pgn2fen").then(async ({ Position, report }) => console.log(new Position("1. e4").turn, (await report(new Blob(["1. e4 *"]))).games));';
    assert.equal(node("common.cjs", program), "b 1");
  });

  it("is required by CommonJS", { skip: process.features.require_module ? false : "this Node requires no modules" }, () => {
    const program = 'const { Position, games } = require("pgn2fen"); console.log(new Position("1. e4").turn, [...games("1. e4 e5 *")].length);';
    assert.equal(node("required.cjs", program), "b 1");
  });

  it("is imported in an evaluated program", () => {
    const program = 'import { report } from "pgn2fen"; console.log((await report(new Blob(["1. e4 *"]))).games);';
    assert.equal(run(process.execPath, ["--input-type=module", "-e", program]).trim(), "1");
  });

  it("has types for TypeScript", () => {
    const program = `
      import { init, Position as Later, type InitOptions } from "pgn2fen/init";
      const where: InitOptions = { module: new URL("file:///pgn2fen.wasm"), worker: () => new Worker("worker.js") };
      void init(where).then(() => new Later("1. e4"));
      import { annotate, Collection, games, load, Position, promote, report, scan, starts, tree, writeGame } from "pgn2fen";
      import type { Batch, BoardOptions, CodedError, Column, ErrorCode, ExploredMove, Format, Game, GameOptions, Games, Input, LegalMove, Line, Message, Move, Notes, NumberColumn, Progress, Range, Report, Row, RunOptions, Scan, ScanOptions, Start, Starts, StartsOptions, TextColumn, Value, WrittenGame } from "pgn2fen";

      const input: Input = "1. e4 e5 *";
      const range: Range = [8, null];
      const run: RunOptions = { name: "x.pgn", signal: new AbortController().signal, onProgress: (progress: Progress) => void progress.bytes, workers: 2 };
      const chosen: GameOptions = { ...run, tags: ["White~carlsen"], opening: "B9", length: range, maxGames: 5, onError: "drop", lang: "de", evals: "engine" };
      const options: ScanOptions = { ...chosen, plies: "8..20", unique: true, ep: "legal", fields: 4 };

      const all: Games = games(input, chosen);
      for (const game of all) {
        const { tags, moves, line, errors, result, lineNumber }: Game = game;
        const whole: Line = line;
        const notes: Notes | Move | undefined = moves[0] ?? whole;
        const texts: string[] = [tags.White ?? "", result, notes?.comments[0] ?? "", moves[0]?.san ?? "", String(lineNumber)];
        errors.forEach((error: Message) => texts.push(error.full, String(error)));
      }
      const rows: Scan = scan(input, ["game", "fen"], options);
      for (const row of rows) { const value: Value = (row as Row)["fen"] ?? null; void value; }
      const format: Format = "csv";
      const work = async (): Promise<void> => {
        await load();
        for await (const game of all) void game.number;
        for await (const row of rows) void row["fen"];
        for await (const batch of rows.batches()) {
          const found: Batch = batch;
          const column: Column | undefined = found.columns["ply"];
          if (column?.values instanceof Int32Array) void column.values[0];
          void column?.get(0);
        }
        for await (const piece of rows.pieces(format)) void piece.byteLength;
        const parts: [Uint8Array, string, Blob, ReadableStream<Uint8Array>, Row[]] = [await rows.bytes(format), await rows.text(), await rows.blob(), rows.stream(), await rows.toArray()];
        void parts;
        const { messages, summary, hints }: Report = await report(input, { ...chosen, variations: false });
        void [messages.length, summary, hints, rows.report?.positions];
        const listed: StartsOptions = { kind: ["chess960", "odds"], all: true, columns: "kind,White" };
        const begun: Starts<Partial<Start>> = starts(input, listed);
        for (const { kind, fen, White } of begun) { const read: [string | undefined, string | null | undefined, unknown] = [kind, fen, White]; void read; }
        const usual: Starts = starts(input, { all: true });
        for (const start of usual) { const one: Start = start; const counted: number = one.count; void counted; }
        // @ts-expect-error: the columns decide whether there is a count
        for (const start of begun) { const counted: number = start.count; void counted; }
        // @ts-expect-error: starting positions have no evaluations
        starts(input, { evals: "tcec" });
        const collection = Collection.open([input], { workers: 1, explorePlies: 20 });
        collection.onupdate = () => void collection.progress.isDone;
        const names: [TextColumn, NumberColumn] = ["White", "plies"];
        void [collection.text(names[0], 0), collection.number(names[1], 0), collection.result(0), collection.starts[0]?.games];
        const { moves } = await collection.explore("startpos", { passes: new Uint8Array(1) });
        moves.forEach((move: ExploredMove) => void move.san);
        void [await collection.game(0), await collection.pgn(0), collection.blob([0])];
        collection.close();
      };
      const position = new Position("1. e4", { chess960: false });
      const drawn: BoardOptions = { orientation: "turn", arrows: ["e2e4"], fill: { e4: "red" } };
      const moves: readonly LegalMove[] = position.legalMoves;
      void [position.play("e5", "Nf3").fen({ ep: "legal" }), position.key + 1n, position.opening?.eco, position.pieceAt("e4"), position.board(drawn), position.unicode({ ascii: true }), moves[0]?.also];
      void work;
      const typed = async (): Promise<void> => {
        for (const { ply, san, White, WhiteElo, key } of scan(input, ["ply", "san", "White", "WhiteElo", "key"])) {
          const read: [number, string | null, string | null, number | null, bigint] = [ply, san, typeof White === "string" ? White : null, WhiteElo, key];
          void read;
        }
        const [first] = await scan(input, "ply,fen").toArray();
        const text: string = first!.fen;
        const [spaced] = await scan(input, "ply,\\n  san ,fen").toArray();
        const read: [number, string | null, string] = [spaced!.ply, spaced!.san, spaced!.fen];
        void [read, await tree(input, { position: new Position("1. e4"), minGames: 1 }).grow()];
        for (const row of scan(input, ["White*", "fen"])) void row["WhiteTitle"];
        // @ts-expect-error: the column is not in the list
        void [text, first!.san];
      };
      void typed;
      const game = all[Symbol.iterator]().next().value as Game;
      annotate(game.moves[0]!, { words: "Best", shapes: [{ from: "e2", to: "e4", color: "green" }], nags: [1] });
      promote(game.line, 0);
      const [, second] = game.moves;
      second!.variations.push({ moves: ["e6", "d4"] });
      game.moves.push("Nc6", { san: "Nf3", comments: ["new"] });
      game.moves.splice(1, 1, "c5");
      game.line.moves = ["d4", ...game.moves];
      game.moves = ["e4"];
      const san: string = game.moves[0]!.san;
      annotate({ san: "e4" }, { words: san });
      const crowned = moves.some((move) => move.promotion === "k");
      // @ts-expect-error: a text is no line
      second!.variations.push("e6");
      // @ts-expect-error: games have no plies to choose
      games(input, { plies: 3 });
      // @ts-expect-error: a tree is one of whole games
      tree(input, { onError: "drop" });
      void crowned;
      const writable: WrittenGame = { tags: { White: "A" }, moves: ["e4", { uci: "e7e5", variations: [{ moves: ["c5"] }] }] };
      void [writeGame(game), writeGame(writable, { comments: "words", keepTags: ["White"], width: 0 })];
      void [position.play(moves[0]!, game.moves[0]!, { from: "e7", to: "e8", promotion: "q" })];
      const failed = (error: CodedError): ErrorCode => error.code;
      void failed;
      // @ts-expect-error: there is no such value
      scan(input, "fen", { ep: "never" });
      // @ts-expect-error: there is no such option
      games(input, { colour: "w" });`;
    writeFileSync(join(folder, "program.mts"), program);
    const given = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom,dom.iterable,dom.asynciterable", "--types", "", "program.mts"];
    try {
      run(join(JS, "node_modules/.bin/tsc"), given);
    } catch (error) {
      assert.fail(error.stdout);
    }
  });

  it("has types of columns that are those of batches", () => {
    const declared = readFileSync(join(JS, "lib/index.d.ts"), "utf8").match(/interface ColumnTypes \{\n([^}]*)\}/)[1];
    const types = new Map(Array.from(declared.matchAll(/^ {2}(\w+): (.*);$/gm), ([, name, type]) => [name, type]));
    const program = `
      import { scan } from "pgn2fen";
      const names = ${JSON.stringify([...types.keys()])};
      const found = {};
      // Columns of games and columns of positions are in tables of their own.
      for (const per of ["position", "game"]) for (const name of names) {
        try {
          for await (const { columns } of scan("1. e4 *", [name], { per }).batches()) found[name] = columns[name].type;
        } catch (error) {
          if (error.code !== "bad-argument") throw error;
        }
      }
      console.log(JSON.stringify(found));`;
    const found = JSON.parse(node("columns.mjs", program));
    const written = { text: /string|"|Variant|JudgementWord/, int32: /^number/, int64: /^(number|bigint)/, float64: /^number/, "int32[]": /\[\] \| null$/, "float64[]": /\[\] \| null$/, "text[]": /^string\[\]/, map: /^Record/ };
    for (const [name, type] of types) assert.match(type, written[found[name]] ?? /no such column/, `${name}: ${found[name]}`);
    assert.equal(Object.keys(found).length, types.size);
    assert.ok(types.size > 45);
  });

  it("is bundled for pages", () => {
    mkdirSync(join(folder, "out"), { recursive: true });
    writeFileSync(join(folder, "entry.js"), 'import { Position, scan } from "pgn2fen"; globalThis.used = [Position, scan];');
    const esbuild = join(JS, "node_modules/.bin/esbuild");
    const made = run(esbuild, ["entry.js", "--bundle", "--format=esm", "--conditions=browser", "--outfile=out/bundle.js", "--metafile=out/meta.json"], { stdio: ["ignore", "pipe", "pipe"] });
    assert.equal(made, "");
    const inputs = Object.keys(JSON.parse(readFileSync(join(folder, "out/meta.json"), "utf8")).inputs);
    assert.ok(inputs.some((path) => path.endsWith("dist/web.js")) && !inputs.some((path) => path.endsWith("dist/node.js")), inputs.join(" "));
    // The bundle begins by fetching the module beside it. Here its server is this program.
    const wasm = JSON.stringify(join(folder, "node_modules/pgn2fen/dist/pgn2fen.wasm"));
    const program = `
      import { readFileSync } from "node:fs";
      const asked = [];
      globalThis.fetch = async (url) => {
        asked.push(String(url).split("/").at(-1));
        return new Response(readFileSync(${wasm}), { headers: { "Content-Type": "application/wasm" } });
      };
      await import("./out/bundle.js");
      const [Position] = globalThis.used;
      console.log(new Position("1. e4").turn, asked.join());`;
    assert.equal(node("bundle.mjs", program), "b pgn2fen.wasm");
  });

  it("is bundled where nothing may wait at the top level", () => {
    writeFileSync(join(folder, "later.js"), 'import { init, Position } from "pgn2fen/init"; globalThis.later = { init, Position };');
    const esbuild = join(JS, "node_modules/.bin/esbuild");
    for (const format of ["iife", "cjs"]) {
      run(esbuild, ["later.js", "--bundle", `--format=${format}`, "--target=es2020", "--conditions=browser", "--log-level=error", `--outfile=out/later-${format}.cjs`]);
      const program = `
        import { readFileSync } from "node:fs";
        import "./out/later-${format}.cjs";
        const { init, Position } = globalThis.later;
        try { new Position("1. e4"); } catch (error) { console.log(error.message); }
        globalThis.fetch = async (url) => (console.log(url), new Response("", { status: 404 }));
        await init({ module: "https://example.org/pgn2fen.wasm" }).catch((error) => console.log(error.message));
        await init({ module: readFileSync(${JSON.stringify(join(folder, "node_modules/pgn2fen/dist/pgn2fen.wasm"))}) });
        await init();
        console.log(new Position("1. e4").turn);`;
      const expected = ["pgn2fen is not loaded: `await init()` first", "https://example.org/pgn2fen.wasm", ": 404 ", "b"];
      assert.deepEqual(node(`later-${format}.mjs`, program).split("\n"), expected, format);
    }
    const inNode = 'import { init, Position } from "pgn2fen/init"; await init(); console.log(new Position("1. e4").turn);';
    assert.equal(node("init.mjs", inNode), "b");
  });

  it("has modules whose memory grows in large steps", async () => {
    for (const name of ["pgn2fen.wasm", "pgn2fen-full.wasm"]) {
      const module = readFileSync(join(JS, "dist", name));
      const { instance } = await WebAssembly.instantiate(module, { pgn2fen: { read_source: () => -1 } });
      const { allocate, memory } = instance.exports;
      const sizes = new Set();
      for (let count = 0; count < 200; count += 1) {
        allocate(1024 * 1024);
        sizes.add(memory.buffer.byteLength);
      }
      assert.ok(sizes.size < 60, `${name}: ${sizes.size} sizes`);
    }
  });

  it("has its modules and its worker by name", () => {
    const program = 'for (const name of ["pgn2fen.wasm", "pgn2fen-full.wasm", "worker.js", "package.json"]) console.log(import.meta.resolve(`pgn2fen/${name}`).split("/").at(-1));';
    assert.equal(node("names.mjs", program).split("\n").join(), "pgn2fen.wasm,pgn2fen-full.wasm,worker.js,package.json");
  });
});
