// Builds the page into target/site (or the folder that is given): a script, a style sheet, and the modules of js/dist, which `js/build` makes.
// Everything that is written can be opened as a file or put on any host. The folder `explorer` in it has the page of `pgn2fen serve` with
// published data in the place of a server: `pgn2fen site` copies it into each site.

import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
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

await buildExplorer(at("../crates/explorer/src/page"), `${out}/explorer`);

/** Replaces texts, and fails if one of them is not there. */
function replaced(text, ...pairs) {
  return pairs.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`${from} is not in the page any more`);
    return changed.replaceAll(from, to);
  }, text);
}

/** Builds the page of the explorer with addresses that are relative, so that it works under any path. */
async function buildExplorer(page, folder) {
  await mkdir(folder);
  const source = {
    name: "source",
    setup(build) {
      build.onResolve({ filter: /^\.\/http\.js$/ }, () => ({ path: `${page}/published.js` }));
    },
  };
  await esbuild.build({ ...common, entryPoints: [`${page}/explorer.js`], format: "esm", outfile: `${folder}/explorer.js`, plugins: [source] });
  for (const name of ["common.css", "explorer.css"]) await esbuild.build({ ...common, entryPoints: [`${page}/${name}`], outfile: `${folder}/${name}` });
  const policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";
  await import("../js/dist/node.js");
  const { platform } = await import("../js/dist/platform.js");
  const html = replaced(
    await readFile(`${page}/index.html`, "utf8"),
    [
      '<meta charset="utf-8">',
      `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">\n<meta name="referrer" content="no-referrer">`,
    ],
    ["<!-- the pieces -->", platform.engine.text("pieces").trimEnd()],
  );
  const relative = html.replaceAll(/(href|src)="\/site\/"/g, '$1="own/"').replaceAll(/(href|src)="\/(?=\w)/g, '$1="');
  await writeFile(`${folder}/index.html`, relative);
  await cp(at("../js/dist/pgn2fen.wasm"), `${folder}/pgn2fen.wasm`);
  await buildServiceWorker(`${page}/published/sw.js`, folder);
}

/** Builds the service worker last: it knows the names of the other files, and changes with each of them. */
async function buildServiceWorker(path, folder) {
  const files = (await readdir(folder)).sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(`${folder}/${file}`));
  const define = { FILES: JSON.stringify(files), VERSION: JSON.stringify(hash.digest("hex").slice(0, 16)) };
  await esbuild.build({ ...common, entryPoints: [path], format: "iife", outfile: `${folder}/sw.js`, define });
}
