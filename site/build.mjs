// Builds the page into target/site (or the folder that is given): a script, a style sheet, and the modules of js/dist, which `js/build` makes.
// Everything that is written can be opened as a file or put on any host.

import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const esbuild = createRequire(at("../js/package.json"))("esbuild");
const out = process.argv[2] ?? at("../target/site");

const common = { bundle: true, minify: true, target: "es2022", legalComments: "none", logLevel: "warning" };

const worker = await esbuild.build({ ...common, entryPoints: [at("../js/lib/worker.js")], format: "iife", write: false });

/** The text of the worker, as a module. */
const workerText = {
  name: "worker-text",
  setup(build) {
    build.onResolve({ filter: /^worker-text$/ }, () => ({ path: "worker-text", namespace: "text" }));
    build.onLoad({ filter: /.*/, namespace: "text" }, () => ({ contents: worker.outputFiles[0].text, loader: "text" }));
  },
};

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await esbuild.build({ ...common, entryPoints: [at("src/boot.js")], format: "iife", outfile: `${out}/site.js`, alias: { pgn2fen: at("../js/lib/api.js") }, plugins: [workerText] });
await esbuild.build({ ...common, entryPoints: [at("site.css")], outfile: `${out}/site.css` });
await cp(at("index.html"), `${out}/index.html`);
for (const name of ["pgn2fen", "pgn2fen-full"]) {
  const module = await readFile(at(`../js/dist/${name}.wasm`));
  await writeFile(`${out}/${name}.wasm`, module);
  // For pages that were opened as files.
  await writeFile(`${out}/${name}.wasm.js`, `(globalThis.pgn2fenModules??={})[${JSON.stringify(name)}]="${module.toString("base64")}";\n`);
}
