// The pages about JavaScript: their programs print what the pages show.
//
// Each block of a page with the language `js` is a program of its own. It runs in a folder in which `fixtures` is a link to the fixtures of the
// repository, and the package can be imported by its name. What it prints is the `text` block that follows it, or what stands behind `// prints`
// in it. Blocks of HTML need a page, and do not run here. Behind the language may stand what a block needs: `needs=network` never runs.
//
// With the environment variable UPDATE_EXPECT=1 the outputs in the pages are written anew.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = ["docs/javascript.md", "js/README.md"];
const IS_UPDATE = Boolean(process.env.UPDATE_EXPECT);
const PRINTS = "// prints ";
/** Programs that TypeScript refuses in JavaScript: numbers that may be a bigint, a promise of nothing, and an option that is wrong on purpose. */
const UNTYPED = /values\[row\]|new Promise\(|maxGame:/;

/** Yields the code blocks of a page: the words behind the fence, and the numbers of the first line and of the closing fence. */
function* blocksOf(lines) {
  const fences = lines.flatMap((line, at) => (line.startsWith("```") ? [at] : []));
  assert.equal(fences.length % 2, 0, "a fence is not closed");
  for (let nth = 0; nth < fences.length; nth += 2) {
    const [language, needs] = lines[fences[nth]].slice(3).split(" ");
    yield { language, needs, first: fences[nth] + 1, end: fences[nth + 1] };
  }
}

/** Yields the programs of a page, each with the block of what it prints. */
function* programsOf(lines) {
  const blocks = [...blocksOf(lines)];
  for (const [at, block] of blocks.entries()) {
    if (block.language !== "js" || block.needs) continue;
    const next = blocks[at + 1];
    const isOutput = next?.language === "text" && lines.slice(block.end + 1, next.first - 1).every((line) => !line.trim());
    yield { ...block, output: isOutput ? next : null };
  }
}

for (const page of PAGES) {
  describe(page, () => {
    let folder;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "pgn2fen-docs-"));
      await mkdir(join(folder, "node_modules"));
      await symlink(join(ROOT, "js"), join(folder, "node_modules/pgn2fen"), "dir");
      await symlink(join(ROOT, "js/node_modules/apache-arrow"), join(folder, "node_modules/apache-arrow"), "dir");
      await symlink(join(ROOT, "fixtures"), join(folder, "fixtures"), "dir");
    });
    after(() => rm(folder, { recursive: true }));

    test("the programs of a page have the types that TypeScript expects", async () => {
      const lines = (await readFile(join(ROOT, page), "utf8")).split("\n");
      const names = [];
      for (const { first, end } of programsOf(lines)) {
        const program = lines.slice(first, end).join("\n");
        if (UNTYPED.test(program)) continue;
        names.push(`line-${first}.mjs`);
        await writeFile(join(folder, names.at(-1)), program);
      }
      const types = ["--lib", "es2023", "--types", "node", "--typeRoots", join(ROOT, "js/node_modules/@types"), "--skipLibCheck"];
      // JavaScript does not say what may be null, and what a caught error is.
      const loose = ["strictNullChecks", "noImplicitAny", "useUnknownInCatchVariables"].flatMap((name) => [`--${name}`, "false"]);
      const given = ["--allowJs", "--checkJs", "--noEmit", "--module", "nodenext", "--target", "es2022", ...types, ...loose];
      await run(join(ROOT, "js/node_modules/.bin/tsc"), [...given, ...names], { cwd: folder }).catch(({ stdout }) => assert.fail(stdout));
    });

    test("the programs of a page print what it shows", async () => {
      const lines = (await readFile(join(ROOT, page), "utf8")).split("\n");
      const written = [...lines];
      const programs = [...programsOf(lines)];
      assert.ok(programs.length > 0, "there is no program");
      // From the last one to the first, because outputs change the numbers of the lines behind them.
      for (const { first, end, output } of programs.reverse()) {
        const program = lines.slice(first, end);
        const path = join(folder, `line-${first}.mjs`);
        await writeFile(path, program.join("\n"));
        const { stdout, stderr } = await run(process.execPath, [path], { cwd: folder });
        assert.equal(stderr, "", `line ${first}`);
        const printed = stdout.split("\n").slice(0, -1);
        if (output && IS_UPDATE) {
          written.splice(output.first, output.end - output.first, ...printed);
          continue;
        }
        const prints = program.flatMap((line) => (line.includes(PRINTS) ? [line.split(PRINTS)[1]] : []));
        const expected = output ? lines.slice(output.first, output.end) : prints;
        assert.deepEqual(printed, expected, `line ${first}`);
      }
      if (IS_UPDATE) await writeFile(join(ROOT, page), written.join("\n"));
    });
  });
}
