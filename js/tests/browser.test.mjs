// The package in a page, in headless Chromium: /usr/bin/chromium, or the one that CHROMIUM names.
// With PGN2FEN_JS_LARGE=1, a file of 200 MB is read as well, and the time and the memory are printed.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { closeSync, createReadStream, existsSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { report, scan } from "../dist/node.js";
import { DIST, manyGames, temporaryFolder } from "./helpers.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".wasm": "application/wasm", ".pgn": "application/x-chess-pgn" };
const skip = existsSync(CHROMIUM) ? false : "there is no Chromium; set CHROMIUM to its path";
const LARGE = process.env.PGN2FEN_JS_LARGE === "1" ? false : "set PGN2FEN_JS_LARGE=1 for a file of 200 MB";
const COLUMNS = "game,line,offset,id,ply,san,fen";

const folder = temporaryFolder();
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** A page that knows nothing but the package, which it imports from here. Functions for the tests are global in it. */
const PAGE = `<!DOCTYPE html><meta charset="utf-8"><title>pgn2fen</title><link rel="icon" href="data:,"><input type="file" id="file"><script type="module">
  const begun = performance.now();
  Object.assign(window, await import("./dist/web.js"));
  window.loadedAfter = performance.now() - begun;
  window.firstPosition = (() => { const begun = performance.now(); const fen = new Position("1. e4").fen(); return { fen, milliseconds: performance.now() - begun }; })();
  window.hex = async (blob) => Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer())), (byte) => byte.toString(16).padStart(2, "0")).join("");
  window.file = () => document.getElementById("file").files[0];
  // The longest time in which the page could do nothing else: of one task, and between two calls of a timer.
  window.longest = async (work) => {
    let [worst, late, last] = [0, 0, performance.now()];
    const observer = new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) worst = Math.max(worst, duration); });
    observer.observe({ type: "longtask" });
    const timer = setInterval(() => { const now = performance.now(); late = Math.max(late, now - last); last = now; }, 5);
    const result = await work();
    clearInterval(timer);
    await new Promise((resolve) => setTimeout(resolve, 50));
    observer.disconnect();
    return { result, worst, late };
  };
  window.isReady = true;
</script>`;

/** Waits until the package has been loaded. */
async function ready(page) {
  const begun = performance.now();
  while (!(await page.evaluate(() => window.isReady))) {
    assert.ok(performance.now() - begun < 30_000, "the package is not loaded");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Serves the page and the package on the loopback interface. Returns the server and the list of requested paths. */
async function serve(headers = {}) {
  const requested = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    requested.push(path);
    if (path === "/") return response.writeHead(200, { "Content-Type": TYPES[".html"], ...headers }).end(PAGE);
    const file = path.startsWith("/dist/") ? join(DIST, path.slice(6)) : join(folder, path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Content-Length": statSync(file).size, ...headers });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return { server, requested, address: `http://127.0.0.1:${server.address().port}/` };
}

describe("in a page", { skip }, () => {
  let browser;
  let site;
  let page;
  let complaints;
  const big = manyGames(15_000_000);
  const path = join(folder, "many.pgn");

  before(async () => {
    writeFileSync(path, big);
    const { chromium } = await import("playwright-core");
    browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
    site = await serve();
  });

  after(async () => {
    await browser?.close();
    site?.server.closeAllConnections();
  });

  beforeEach(async () => {
    site.requested.length = 0;
    complaints = [];
    page = await browser.newPage();
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(site.address);
    await ready(page);
  });

  afterEach(async () => {
    await page.close();
    assert.deepEqual(complaints, []);
  });

  it("the first position is there soon", async (test) => {
    const { loadedAfter, firstPosition } = await page.evaluate(() => ({ loadedAfter, firstPosition }));
    test.diagnostic(`loaded in ${loadedAfter.toFixed(0)} ms, the first position in ${firstPosition.milliseconds.toFixed(1)} ms`);
    assert.equal(firstPosition.fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert.ok(loadedAfter + firstPosition.milliseconds <= 10_000);
  });

  it("positions and the games of a text need only the small module", async () => {
    const found = await page.evaluate(async () => {
      const now = Array.from(games('[White "A"]\n\n1. e4 e5 {good} 2. Nf3 *\n\n1. e4 e4 *'));
      const later = [];
      for await (const game of games("1. d4 *")) later.push(game.moves[0].san);
      const { moves } = now[0];
      return { white: now[0].tags.White, fen: moves.at(-1).fen, errors: now[1].errors.map(String), later, svg: new Position().board().slice(0, 4), opening: new Position("1. e4 c5").opening };
    });
    assert.deepEqual(found, {
      white: "A",
      fen: "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
      errors: ["games.pgn:5:7: illegal-move: e4 in game 2, ply 2: e4 is occupied by a white pawn"],
      later: ["d4"],
      svg: "<svg",
      opening: { eco: "B20", name: "Sicilian Defense" },
    });
    assert.ok(site.requested.includes("/dist/pgn2fen.wasm"));
    assert.ok(!site.requested.includes("/dist/pgn2fen-full.wasm"), site.requested.join(" "));
  });

  it("what is loaded late is named, and then loaded", async () => {
    const found = await page.evaluate(async () => {
      const texts = [];
      try {
        Array.from(scan("1. e4 *", "fen"));
      } catch (error) {
        texts.push(error.message);
      }
      // Which kind of file a text is, is known when all is loaded.
      const others = ["Name;Elo\nCarlsen;2850\n", "%PDF-1.7\n", "{\\rtf1 x}", "<!doctype html>\n<p>x</p>"];
      const kinds = [];
      for (const other of others) {
        try {
          Array.from(games(other));
        } catch (error) {
          kinds.push(error.code);
        }
      }
      for (const other of others) {
        try {
          for await (const game of games(other)) kinds.push(game);
        } catch (error) {
          kinds.push(error.code);
        }
      }
      texts.push(kinds.join());
      texts.push((await scan("1. e4 *", "ply,san").text("csv")).trim());
      await load();
      texts.push(Array.from(scan("1. e4 *", "ply"), (row) => row.ply).join());
      texts.push((await report("1. e4 e4 *")).summary);
      return texts;
    });
    assert.match(found[0], /^this part of the package is loaded late: `await load\(\)` first/);
    assert.deepEqual(found[1].split(","), [...Array(4).fill("not-loaded"), ...Array(4).fill("unreadable-input")]);
    assert.deepEqual(found.slice(2), ["ply,san\n0,\n1,e4", "0,1", "1 game, 2 positions, 1 error, 0 warnings"]);
    assert.equal(site.requested.filter((path) => path === "/dist/pgn2fen-full.wasm").length, 1);
  });

  it("a file of 15 MB has the rows that it has in Node, and the page is not blocked", async (test) => {
    const rows = scan(big, COLUMNS, { name: "many.pgn" });
    const expected = hash(await rows.bytes("csv"));
    await page.locator("#file").setInputFiles(path);
    await page.evaluate(() => load());
    const blocked = [];
    for (const workers of [2, 1, 2]) {
      const { result, worst, late } = await page.evaluate(
        ([columns, workers]) =>
          longest(async () => {
            const begun = performance.now();
            const rows = scan(file(), columns, { workers });
            const blob = await rows.blob("csv");
            const milliseconds = performance.now() - begun;
            return { blob, milliseconds, summary: rows.report.summary, name: rows.report.messages[0].file };
          }).then(async ({ result: { blob, ...rest }, ...times }) => ({ result: { ...rest, hash: await hex(blob) }, ...times })),
        [COLUMNS, workers],
      );
      test.diagnostic(`${workers} workers: ${result.milliseconds.toFixed(0)} ms, the longest task ${worst.toFixed(0)} ms, a timer ${late.toFixed(0)} ms late`);
      blocked.push(worst);
      assert.deepEqual([result.hash, result.summary, result.name], [expected, rows.report.summary, "many.pgn"]);
    }
    // Usually 50 ms; other programs on the machine may delay any of them. Without workers it would be seconds.
    assert.ok(Math.min(...blocked) <= 500, `the page was blocked for ${blocked} ms`);
    const due = (await report(big, { name: "many.pgn" })).messages.map(String);
    assert.deepEqual(await page.evaluate(async () => (await report(file(), { workers: 2 })).messages.map(String)), due);
  });

  it("other inputs are read", async () => {
    const found = await page.evaluate(async () => {
      const count = async (input) => (await report(input, { workers: 2 })).games;
      const response = await fetch("many.pgn");
      const bytes = new Uint8Array(await response.clone().arrayBuffer());
      const packed = () => new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
      return [await count(response), await count(bytes), await count(new Blob([bytes])), await count(new Blob([bytes]).stream()), await count(await packed())];
    });
    const { games: all } = await report(big);
    assert.deepEqual(found, [all, all, all, all, all]);
  });

  it("a run is cancelled, and the next one works", async () => {
    await page.locator("#file").setInputFiles(path);
    const found = await page.evaluate(async () => {
      const names = [];
      for (const workers of [1, 2]) {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 30);
        try {
          await scan(file(), "fen", { workers, signal: controller.signal }).blob("csv");
        } catch (error) {
          names.push(error.name);
        }
        for await (const row of scan(file(), "ply", { workers })) {
          names.push(row.ply);
          break;
        }
      }
      return names;
    });
    assert.deepEqual(found, ["AbortError", 0, "AbortError", 0]);
  });

  it("timers have their turn between games", async () => {
    const found = await page.evaluate(async () => {
      const pgn = "1. e4 e5 *\n\n".repeat(50_000);
      const counts = [];
      for (const input of [pgn.slice(0, 60_000), pgn, new Blob([pgn])]) {
        const controller = new AbortController();
        let timer;
        try {
          for await (const game of games(input, { workers: 1, signal: controller.signal })) {
            timer ??= setTimeout(() => controller.abort(), 1);
            new Position(game.moves[1].fen).legalMoves;
          }
          counts.push("all");
        } catch (error) {
          counts.push(error.name);
        }
      }
      return counts;
    });
    assert.deepEqual(found, ["AbortError", "AbortError", "AbortError"]);
  });

  it("errors are those of Node", async () => {
    const found = await page.evaluate(async () => {
      const texts = [];
      for (const run of [
        () => scan("1. e4 *", "feen").text("csv"),
        () => scan(new Blob(["1. e4 *"]), "feen").text("csv"),
        () => report(new Blob([new Uint8Array([0x50, 0x4b, 3, 4, ...new Array(60).fill(0)])])),
        () => report(new URL("many.pgn", location.href)),
        () => report(fetch("nothing.pgn").then((response) => response)),
        async () => report(await fetch("nothing.pgn")),
        () => new Position("hello"),
      ]) {
        try {
          await run();
          texts.push("nothing");
        } catch (error) {
          texts.push(error.message.split("\n")[0]);
        }
      }
      return texts;
    });
    complaints = complaints.filter((text) => !text.includes("404"));
    const column = "columns: there is no column feen; did you mean fen?";
    assert.deepEqual(found.slice(0, 2), [column, column]);
    assert.match(found[2], /is a zip archive/);
    assert.match(found[3], /is not read; pass the result of fetch\(\)/);
    assert.match(found[4], /^PGN is given as/);
    assert.match(found[5], /404/);
    assert.equal(found[6], "not a move");
  });

  it("a collection of many games answers while the page is not blocked", async (test) => {
    const least = "PGN2FEN_SWEEP" in process.env ? 100_000 : 20_000;
    const few = manyGames(300_000);
    const count = (await report(few)).games;
    const rounds = Math.ceil(least / count);
    writeFileSync(join(folder, "collection.pgn"), Buffer.concat(Array(rounds).fill(few)));
    await page.locator("#file").setInputFiles(join(folder, "collection.pgn"));
    const { result, worst, late } = await page.evaluate(() =>
      longest(async () => {
        const begun = performance.now();
        const collection = Collection.open([file()], { workers: 2 });
        let first = null;
        let updates = 0;
        await new Promise((resolve) => {
          collection.onupdate = () => {
            updates += 1;
            if (collection.size > 0) first ??= performance.now() - begun;
            if (collection.progress.isDone) resolve();
          };
        });
        const read = performance.now() - begun;
        const asked = performance.now();
        const answer = await collection.explore("startpos");
        const explored = performance.now() - asked;
        const game = await collection.game(collection.size - 1);
        const found = { size: collection.size, error: collection.progress.error?.message ?? null, moves: answer.moves.length, total: answer.total, last: game.number, updates };
        collection.close();
        return { ...found, first, read, explored };
      }),
    );
    const { first, read, explored, ...found } = result;
    test.diagnostic(`${found.size} games: the first after ${first.toFixed(0)} ms, all after ${read.toFixed(0)} ms; a question ${explored.toFixed(0)} ms; the longest task ${worst.toFixed(0)} ms, a timer ${late.toFixed(0)} ms late`);
    assert.equal(found.error, null);
    assert.equal(found.size, rounds * count);
    assert.ok(found.moves > 5 && found.total > least / 2, JSON.stringify(found));
    assert.ok(found.updates <= read / 90 + 2, `${found.updates} updates in ${read} ms`);
    assert.ok(worst <= 1000, `the page was blocked for ${worst} ms`);
  });

  it("works under a strict policy of contents", async () => {
    const strict = await serve({ "Content-Security-Policy": "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'" });
    const other = await browser.newPage();
    await other.goto(strict.address);
    await ready(other);
    const games = await other.evaluate(async () => (await report(new Blob(["1. e4 *\n\n1. d4 *"]))).games);
    await other.close();
    strict.server.closeAllConnections();
    assert.equal(games, 2);
  });

  it("a file of 200 MB", { skip: LARGE, timeout: 600_000 }, async (test) => {
    const large = join(folder, "large.pgn");
    const file = openSync(large, "w");
    for (let size = 0; size < 200_000_000; size += big.length) writeSync(file, big);
    closeSync(file);
    const processes = await browser.newBrowserCDPSession();
    /** The memory of the processes of pages, in MB. */
    const memory = async () => {
      const { processInfo } = await processes.send("SystemInfo.getProcessInfo");
      const rss = ({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0) / 1000;
      return Math.max(...processInfo.filter(({ type }) => type === "renderer").map(rss));
    };
    await page.locator("#file").setInputFiles(large);
    await page.evaluate(() => load());
    const before = await memory();
    let most = before;
    const timer = setInterval(async () => {
      most = Math.max(most, await memory());
    }, 100);
    for (const [what, run] of Object.entries({
      report: () => report(file(), { workers: 2 }).then(({ summary }) => summary),
      "scan to FEN, pieces dropped": async () => {
        let length = 0;
        for await (const piece of scan(file(), null, { workers: 2 }).pieces("fen")) length += piece.length;
        return length;
      },
      "scan to a Blob of CSV": async () => (await scan(file(), "game,ply,san,fen", { workers: 2 }).blob("csv")).size,
      "a collection": () =>
        new Promise((resolve) => {
          const collection = Collection.open([file()], { workers: 2 });
          collection.onupdate = () => collection.progress.isDone && resolve(collection.size);
        }),
    })) {
      most = await memory();
      const begun = performance.now();
      const { result, worst } = await page.evaluate(`longest(${run})`);
      const seconds = (performance.now() - begun) / 1000;
      test.diagnostic(`${what}: ${seconds.toFixed(1)} s, ${most.toFixed(0)} MB at most (${before.toFixed(0)} MB before), the longest task ${worst.toFixed(0)} ms: ${result}`);
      if (what === "report") assert.ok(seconds < 30 && most < 500);
    }
    clearInterval(timer);
  });
});
