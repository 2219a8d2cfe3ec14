// The page in a real browser, opened as a file. PGN2FEN_SITE is the folder of the built page, and CHROMIUM the browser.
// `node --test site/tests/page.test.mjs` runs the tests; playwright-core is that of js/.

import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const { chromium } = createRequire(new URL("../../js/package.json", import.meta.url))("playwright-core");

const AXE = await readFile(createRequire(new URL("../../js/package.json", import.meta.url)).resolve("axe-core/axe.min.js"), "utf8");

const SITE = resolve(process.env.PGN2FEN_SITE ?? "target/site");
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
const ADDRESS = pathToFileURL(join(SITE, "index.html")).href;
const WIDE = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" };
const TABLET = { viewport: { width: 768, height: 1024 }, hasTouch: true, reducedMotion: "reduce" };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" };

/** One in so many of what is tried; all of them every week, with PGN2FEN_SWEEP=1. */
const oneIn = (step, list) => list.filter((_, nth) => nth % step === 0 || "PGN2FEN_SWEEP" in process.env);

const game = (white, black, result, moves, tags = "") =>
  `[Event "Test"]\n[Site "?"]\n[Date "2020.01.02"]\n[Round "1"]\n[White "${white}"]\n[Black "${black}"]\n[Result "${result}"]\n${tags}\n${moves} ${result}\n\n`;

const GAMES = [
  game("Anand, V", "Carlsen, M", "1-0", "1. e4 c5 2. Nf3 d6 3. d4", '[WhiteElo "2780"]\n[BlackElo "2850"]\n[ECO "B50"]\n'),
  game("Polgár, Judit", "Anand, V", "0-1", "1. d4 d5 2. c4 e6", '[WhiteElo "2700"]\n'),
  game("Zukertort", "Blackburne", "1/2-1/2", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"),
].join("");

const EVALUATED = game(
  "Engine A",
  "Engine B",
  "1-0",
  "1. e4 { [%eval 0.2] [%clk 0:05:00] } e5 { [%eval 0.3] [%clk 0:04:50] } 2. Nf3 { [%eval 0.1] [%clk 0:04:40] }",
);

// Tags that would be a script if the page read them as HTML.
const ODD = game(
  "<img src=x onerror=document.title='hacked'>",
  "<script>document.title='hacked'</script>",
  "*",
  "1. e4 {<b>bold</b> <img src=x onerror=document.title='hacked'>} e5",
);

const BROKEN = `${game("Careless", "Careful", "1-0", "1. e4 e5 2. Ke5")}${game("Second", "Game", "*", "1. d4")}`;

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
});
after(() => browser?.close());

/** Opens the page, runs a test with it, and fails if the page logged an error or asked for anything but its own files. */
function visit(name, options, act) {
  test(name, { timeout: 60_000 }, async () => {
    const context = await browser.newContext({ acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const complaints = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || complaints.push(`asked for ${request.url()}`));
    try {
      await page.goto(ADDRESS);
      await page.waitForSelector("body[data-ready]");
      await act(page);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  });
}

/** Drops files on the page: `[name, text or bytes]`. Waits until they have been read. */
async function drop(page, ...files) {
  const given = files.map(([name, content]) => [name, [...Buffer.from(content)]]);
  await page.evaluate((list) => {
    const data = new DataTransfer();
    for (const [name, bytes] of list) data.items.add(new File([new Uint8Array(bytes)], name));
    for (const kind of ["dragover", "drop"])
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, given);
  await isRead(page);
}

async function isRead(page) {
  await page.waitForFunction(() => document.body.dataset.state === "open" && document.getElementById("progress").hidden);
  await page.waitForFunction(() => document.getElementById("list-count").textContent !== "");
}

const rows = (page) => page.locator("#list-body .row-of-list");
const names = (page) => page.locator("#list-body .row-of-list > .player:nth-child(2) .name").allTextContents();
const text = (page, selector) => page.locator(selector).textContent();
/** Waits until a function of the page returns true. */
const until = (page, act, argument) => page.waitForFunction(act, argument);
const untilText = (page, selector, wanted) =>
  until(page, ([selector, wanted]) => document.querySelector(selector)?.textContent.includes(wanted), [selector, wanted]);
const current = (page) => page.locator('#movetext [aria-current="step"] .san').textContent();
const square = (page, name) => page.locator(`#board [data-square="${name}"]`);
/** Goes to a view, and waits until it is shown: the page hears of the new address later. */
async function view(page, name) {
  await page.locator(`#views a[href="#/${name}"]`).click();
  await page.waitForFunction((wanted) => document.body.dataset.view === wanted, name);
}

async function save(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-button")]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

// Opening files.

visit("the example shows what the page does", WIDE, async (page) => {
  assert.match(await text(page, "#welcome"), /Nothing leaves this computer/);
  await page.click("#example");
  await isRead(page);
  assert.equal(await rows(page).count(), 6);
  await page.waitForSelector("#board .piece");
  assert.equal(await page.locator("#board .piece").count(), 32);
  const sizes = await page.locator("#board use").evaluateAll((all) => all.map((use) => use.getBBox().width * use.getBBox().height));
  assert.ok(Math.min(...sizes) > 0);
  assert.equal(await text(page, "#start-badge"), "2");
  assert.equal(await text(page, "#problem-badge"), "1");
  assert.ok(await page.locator("#graph-area").isVisible());
  assert.match(await page.title(), /pgn2fen$/);
});

visit("files are dropped, several and compressed", WIDE, async (page) => {
  await drop(page, ["first.pgn", GAMES], ["second.pgn.gz", gzipSync(ODD)]);
  assert.equal(await text(page, "#list-count"), "4 games");
  assert.match(await text(page, "#files"), /first\.pgn, second\.pgn\.gz/);
  // Other files replace them.
  await drop(page, ["third.pgn", EVALUATED]);
  await untilText(page, "#list-count", "1 game");
  await untilText(page, "#game-title", "Engine A");
});

visit("text is pasted", WIDE, async (page) => {
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData("text/plain", pasted);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  }, GAMES);
  await isRead(page);
  assert.equal(await text(page, "#list-count"), "3 games");
  await page.click("header .paste-text");
  await page.fill("#paste-text", EVALUATED);
  await page.click("#paste-form button[type=submit]");
  await untilText(page, "#list-count", "1 game");
});

visit("a position is pasted", WIDE, async (page) => {
  await page.click("#welcome .paste-text");
  await page.fill("#paste-text", "8/P6k/8/8/8/8/6p1/K7 w - - 0 1");
  await page.click("#paste-form button[type=submit]");
  await page.waitForSelector('#board [data-square="a7"] .piece');
  assert.equal(await page.locator("#board .piece").count(), 4);
});

visit("files are chosen with the button", PHONE, async (page) => {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#welcome .choose-files")]);
  await chooser.setFiles([{ name: "mine.pgn", mimeType: "text/plain", buffer: Buffer.from(GAMES) }]);
  await untilText(page, "#files", "mine.pgn");
});

for (const [name, options] of [["wide screen", WIDE], ["phone", PHONE]]) {
  visit(`what is wrong with a file without games stands on the first view of a ${name}`, options, async (page) => {
    await drop(page, ["empty.pgn", ""], ["letter.txt", "Dear all,\nthere is no chess in this.\n"], ["page.html", "<!doctype html><p>Sign in</p>"]);
    if (options === WIDE) await untilText(page, "#list-empty", "There is no game");
    await untilText(page, "#trouble", "page.html: is a web page");
    assert.deepEqual((await text(page, "#trouble")).split("\n"), [
      "empty.pgn is empty.",
      "letter.txt has no game. Line 1 begins with “Dear all,”, which is neither a tag nor a move.",
      "page.html: is a web page (HTML)",
    ]);
    assert.ok(await page.locator("#trouble").isVisible());
    await drop(page, ["games.pgn", GAMES], ["empty.pgn", ""]);
    await untilText(page, "#list-count", "3 games");
    assert.equal(await text(page, "#trouble"), "empty.pgn is empty.");
    await drop(page, ["games.pgn", GAMES]);
    await until(page, () => document.getElementById("trouble").hidden);
  });
}

visit("after loading, the focus is on the title of the game", WIDE, async (page) => {
  await page.locator("#example").focus();
  await page.keyboard.press("Enter");
  await isRead(page);
  await until(page, () => document.activeElement.id === "game-title");
  // Somebody who types goes on typing.
  await page.fill("#search", "morphy");
  await drop(page, ["games.pgn", GAMES]);
  await untilText(page, "#game-title", "Anand");
  assert.equal(await page.evaluate(() => document.activeElement.id), "search");
});

visit("a file with errors lists them, and a click opens the game there", WIDE, async (page) => {
  await drop(page, ["broken.pgn", BROKEN]);
  assert.equal(await rows(page).count(), 2);
  assert.equal(await rows(page).nth(0).locator(".warning").count(), 1);
  await rows(page).nth(1).click();
  await untilText(page, "#game-title", "Second");
  await view(page, "problems");
  const problem = page.locator("#problem-list li").first();
  assert.match(await problem.textContent(), /broken\.pgn, line 9, column \d+/);
  assert.match(await problem.textContent(), /Ke5/);
  await problem.locator("button").click();
  await untilText(page, "#game-title", "Careless");
  assert.match(await text(page, "#game-fault"), /Line 9, column \d+/);
  assert.equal(await current(page), "e5");
});

visit("a game without players is named by what is known of it, and addresses are links", WIDE, async (page) => {
  const named = (tags) => `[White "?"]\n[Black "?"]\n${tags}[Result "*"]\n\n1. e4 *\n\n`;
  const site = '[Site "https://example.org/game"]\n[Annotator "javascript:alert(1)"]\n';
  await drop(page, ["study.pgn", named(`[Event "Study"]\n[ChapterName "Ruy Lopez"]\n${site}`) + named('[Event "?"]\n')]);
  await untilText(page, "#game-title", "Ruy Lopez");
  assert.deepEqual(await names(page), ["Study", "Game 2"]);
  assert.equal(await page.getByRole("checkbox", { name: "Choose Game 2" }).count(), 1);
  await page.locator("#tags-area summary").click();
  assert.deepEqual(await page.locator("#tag-list a").evaluateAll((all) => all.map((one) => [one.href, one.rel])), [
    ["https://example.org/game", "noopener noreferrer nofollow"],
  ]);
});

visit("texts of games are never HTML", WIDE, async (page) => {
  await drop(page, ["<img src=x onerror=document.title='hacked'>.pgn", ODD + BROKEN]);
  await untilText(page, "#game-title", "<img src=x");
  for (const name of ["explorer", "tree", "players", "starts", "problems", "games"]) await view(page, name);
  await page.click("#tags-area summary");
  assert.match(await text(page, "#tag-list"), /<script>/);
  assert.match(await text(page, "#movetext"), /<b>bold<\/b>/);
  assert.equal(await page.locator("main img, main script, main b").count(), 0);
  assert.equal(await page.evaluate(() => document.title.includes("hacked") && !document.title.includes("onerror")), false);
});

// The list.

visit("games are searched, filtered and sorted", WIDE, async (page) => {
  await drop(page, ["games.pgn", GAMES]);
  await page.fill("#search", "polgar");
  await untilText(page, "#list-count", "1 of 3 games");
  assert.deepEqual(await names(page), ["Polgár, Judit"]);
  await page.fill("#search", "");
  await untilText(page, "#list-count", "3 games");
  await page.click("#filters summary");
  await page.fill("[name=player]", "anand");
  await page.selectOption("[name=color]", "black");
  await untilText(page, "#list-count", "1 of 3 games");
  assert.deepEqual(await names(page), ["Polgár, Judit"]);
  await page.click("#reset-filters");
  await untilText(page, "#list-count", "3 games");
  await page.selectOption("[name=result]", "1/2-1/2");
  await untilText(page, "#list-count", "1 of 3 games");
  await page.click("#reset-filters");
  await page.fill("[name=minRating]", "2750");
  await untilText(page, "#list-count", "1 of 3 games");
  await page.click("#reset-filters");
  await untilText(page, "#list-count", "3 games");
  await page.click("#filters summary");
  const sort = page.locator('#list-head [data-column="White"]');
  await sort.getByRole("button").click();
  await until(page, () => document.querySelector("#list-body .name").textContent.startsWith("Anand"));
  assert.equal(await sort.getAttribute("aria-sort"), "ascending");
  await sort.getByRole("button").click();
  await until(page, () => document.querySelector("#list-body .name").textContent === "Zukertort");
  assert.equal(await sort.getAttribute("aria-sort"), "descending");
});

// At every size that the style sheet distinguishes.
for (const [width, height] of oneIn(2, [
  [390, 844],
  [768, 1024],
  [844, 390],
  [1100, 800],
  [1366, 768],
  [1920, 1080],
])) {
  visit(`a list of a hundred thousand games has few elements at ${width} × ${height}`, { ...WIDE, viewport: { width, height } }, async (page) => {
    await page.evaluate(() => {
      const games = Array.from({ length: 100_000 }, (_, at) => `[White "Player ${at}"]\n[Black "B"]\n[Result "*"]\n\n1. e4 *\n\n`);
      const data = new DataTransfer();
      data.items.add(new File(games, "many.pgn"));
      for (const kind of ["dragover", "drop"])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await isRead(page);
    await untilText(page, "#list-count", "100,000 games");
    assert.ok((await rows(page).count()) < 100);
    if (width < 768) await view(page, "games");
    await page.locator("#list").evaluate((list) => (list.scrollTop = list.scrollHeight));
    await untilText(page, "#list-body", "Player 99999");
    assert.ok((await rows(page).count()) < 100);
    await page.fill("#search", "player 9999");
    await untilText(page, "#list-count", "19 of 100,000 games");
  });
}

visit("the list is used with keys alone", WIDE, async (page) => {
  await drop(page, ["games.pgn", GAMES]);
  await page.locator("#list").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  assert.equal(await text(page, "#chosen-count"), "1 chosen");
  await until(page, () => document.getElementById(document.getElementById("list").getAttribute("aria-activedescendant"))?.ariaSelected === "true");
  await page.keyboard.press("Enter");
  await untilText(page, "#game-title", "Zukertort");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await untilText(page, "#game-title", "Anand");
});

// A game.

visit("keys step through a game and its neighbours", WIDE, async (page) => {
  await drop(page, ["games.pgn", GAMES]);
  await untilText(page, "#game-title", "Anand");
  for (const [key, san] of [
    ["ArrowRight", "e4"],
    ["ArrowRight", "c5"],
    ["ArrowLeft", "e4"],
    ["End", "d4"],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await current(page), san);
  }
  await page.keyboard.press("Home");
  assert.equal(await page.locator("#movetext [aria-current]").count(), 0);
  await page.keyboard.press("n");
  await untilText(page, "#game-title", "Polgár");
  await page.keyboard.press("p");
  await untilText(page, "#game-title", "Anand, V – Carlsen");
  await page.keyboard.press("f");
  assert.equal(await page.locator("#board .square").first().getAttribute("data-square"), "h1");
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "search");
  await page.keyboard.press("f");
  assert.equal(await page.locator("#board .square").first().getAttribute("data-square"), "h1");
  await page.locator("#board [tabindex='0']").focus();
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.locator("#single-keys").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  assert.ok(!(await page.locator("#help").isVisible()));
});

visit("variations, comments and glyphs are shown, and moves can be tried", WIDE, async (page) => {
  await drop(page, ["annotated.pgn", game("A", "B", "*", "1. e4! {The best.} (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5 $14 2. Nf3")]);
  await untilText(page, "#movetext", "The best.");
  assert.equal(await page.locator("#movetext .variation").count(), 1);
  assert.equal(await page.locator("#movetext .nested").count(), 1);
  await page.locator("#movetext .nested .move").nth(1).click();
  assert.equal(await current(page), "c4");
  assert.ok(await square(page, "f6").locator(".piece").isVisible());
  await page.keyboard.press("ArrowLeft");
  assert.equal(await current(page), "Nf6");
  await page.keyboard.press("Home");
  await square(page, "c2").click();
  await square(page, "c4").click();
  assert.equal(await current(page), "c4");
  assert.equal(await page.locator("#movetext .tried").count(), 1);
  const label = await page.locator("#movetext .turn .move").first().getAttribute("aria-label");
  assert.match(label, /^1\. e4, good move/);
});

visit("the arrows and circles of comments are drawn, and only words are shown as comments", WIDE, async (page) => {
  const moves = "{Look: [%csl Yd4]} 1. e4 {[%cal Ge2e4,Rd1h5] Strong. [%clk 0:01:00]} e5 {+0.31/14 0.5s} 2. Nf3";
  await drop(page, ["study.pgn", game("A", "B", "*", moves)]);
  await untilText(page, "#movetext", "Strong.");
  const drawn = () => page.locator("#board .arrows > *").evaluateAll((all) => all.map((one) => `${one.tagName} ${one.getAttribute("class").trim()}`));
  assert.deepEqual(await drawn(), ["circle drawn yellow"]);
  assert.deepEqual(await page.locator("#movetext .comment").allTextContents(), ["Look:", "Strong."]);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await drawn(), ["polygon green", "polygon red"]);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await drawn(), []);
});

const fixture = (name) => readFile(new URL(`../../fixtures/variants/${name}.pgn`, import.meta.url), "utf8");
const HAND = (side) => `.hand.${side}`;

visit("a game of crazyhouse has its men in hand, which are dropped", WIDE, async (page) => {
  await drop(page, ["crazyhouse.pgn", await fixture("crazyhouse")]);
  await untilText(page, "#game-place", "Crazyhouse");
  await page.waitForSelector(`${HAND("near")}:not([hidden])`);
  for (let at = 0; at < 6; at++) await page.keyboard.press("ArrowRight");
  assert.equal(await current(page), "e5");
  const bishop = page.getByRole("group", { name: "In the hand of White" }).getByRole("button", { name: "1 bishop" });
  await bishop.click();
  assert.equal(await bishop.getAttribute("aria-pressed"), "true");
  assert.ok(await square(page, "d5").evaluate((cell) => cell.classList.contains("target")));
  assert.ok(await square(page, "e5").evaluate((cell) => !cell.classList.contains("target")));
  await square(page, "d5").click();
  assert.equal(await current(page), "B@d5");
  assert.equal(await page.locator("#movetext .tried").count(), 0);
  assert.equal(await square(page, "d5").getAttribute("data-piece"), "wB");
  assert.equal(await page.locator(".hand button").count(), 0);
  // By dragging, and by keys.
  await page.keyboard.press("ArrowLeft");
  const [from, to] = [await bishop.boundingBox(), await square(page, "a6").boundingBox()];
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + 10);
  await page.mouse.up();
  assert.equal(await current(page), "B@a6");
  await page.keyboard.press("ArrowLeft");
  await bishop.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  assert.equal(await current(page), "B@e3");
  await page.click("#first");
  await view(page, "explorer");
  await untilText(page, "#opening", "Crazyhouse: ");
  await untilText(page, "#counts", "3 games reached this position.");
  await view(page, "tree");
  await untilText(page, "#tree-count", "No game reached");
  await page.click("#tree-here");
  await untilText(page, "#tree-count", "3 games reached");
  await page.locator("#tree .tree-row").first().click();
  await until(page, () => document.querySelector("#movetext [aria-current]"));
  assert.ok(await page.locator(HAND("near")).isVisible());
  // Chess has none.
  await drop(page, ["games.pgn", GAMES]);
  await untilText(page, "#game-title", "Anand");
  assert.ok(await page.locator(HAND("near")).isHidden());
});

visit("a game of three-check tells the checks, and other variants their names", PHONE, async (page) => {
  const checks = '[Variant "Three-check"]\n';
  await drop(page, ["checks.pgn", game("A", "B", "*", "1. e4 d6 2. Bb5+ c6", checks) + game("C", "D", "*", "1. e4 e5", '[Variant "Atomic"]\n')]);
  await untilText(page, "#game-place", "Three check");
  assert.equal(await text(page, HAND("near")), "Checks of White: 0");
  await page.keyboard.press("End");
  assert.equal(await text(page, HAND("near")), "Checks of White: 1");
  assert.equal(await text(page, HAND("far")), "Checks of Black: 0");
  await page.click("#flip");
  assert.equal(await text(page, HAND("near")), "Checks of Black: 0");
  await page.keyboard.press("n");
  await untilText(page, "#game-place", "Atomic");
  await page.keyboard.press("End");
  await square(page, "d1").click();
  await square(page, "g4").click();
  assert.equal(await current(page), "Qg4");
});

visit("what programs wrote is folded, and shown for the move on the board", WIDE, async (page) => {
  await drop(page, ["engines.pgn", game("A", "B", "*", "1. e4 {ev=0.23, d=23, mt=00:00:34, s=1234 kN/s, pv=e5 Nf3, tb=0} e5 {+0.31/14 0.5s} 2. Nf3 {A word. [%eval 0.2]}")]);
  await untilText(page, "#movetext", "A word.");
  assert.deepEqual(await page.locator("#movetext .comment").allTextContents(), ["A word."]);
  assert.ok(await page.locator("#engine-comment").isHidden());
  await page.keyboard.press("ArrowRight");
  await page.locator("#engine-area summary").click();
  assert.equal(await text(page, "#engine-comment"), "ev=0.23, d=23, mt=00:00:34, s=1234 kN/s, pv=e5 Nf3, tb=0");
  assert.ok(await page.locator("#engine-comment").isVisible());
  await page.keyboard.press("ArrowRight");
  assert.equal(await text(page, "#engine-comment"), "+0.31/14 0.5s");
  await page.keyboard.press("ArrowRight");
  assert.equal(await text(page, "#engine-comment"), "None at this move.");
  await drop(page, ["games.pgn", GAMES]);
  await untilText(page, "#game-title", "Anand");
  assert.ok(await page.locator("#engine-area").isHidden());
});

// The board takes the height that the window has, and the share of it that somebody chooses.
for (const [width, height, least] of oneIn(2, [
  [768, 1024, 430],
  [1100, 800, 560],
  [1280, 800, 560],
  [1366, 768, 550],
  [1920, 1080, 840],
])) {
  visit(`the board is as large as its place at ${width} × ${height}`, { ...WIDE, viewport: { width, height } }, async (page) => {
    await page.click("#example");
    await isRead(page);
    const size = async () => (await page.locator("#board").boundingBox()).width;
    assert.ok((await size()) >= least, `${await size()}`);
    const below = await page.locator("#first").boundingBox();
    assert.ok(below.y + below.height <= height);
    const tabs = await page.locator("#views").evaluate((nav) => [...nav.children].filter((tab) => tab.checkVisibility()).map((tab) => tab.getBoundingClientRect().top));
    assert.equal(new Set(tabs).size, 1);
    const before = await size();
    const slider = page.getByRole("slider", { name: "Size of the board" });
    await slider.focus();
    for (let at = 0; at < 6; at++) await page.keyboard.press("ArrowLeft");
    assert.ok(Math.abs((await size()) - before * 0.7) < 3);
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    await page.click("#example");
    await isRead(page);
    assert.ok(Math.abs((await size()) - before * 0.7) < 3);
  });
}

visit("many problems do not widen the tabs", WIDE, async (page) => {
  await drop(page, ["broken.pgn", BROKEN.repeat(1200)]);
  await untilText(page, "#problem-badge", "1,200");
  const inside = await page.locator("#views").evaluate((nav) => [...nav.children].every((tab) => tab.getBoundingClientRect().right <= nav.getBoundingClientRect().right + 1));
  assert.ok(inside);
});

visit("the graph has a legend and the width of a phone", PHONE, async (page) => {
  await drop(page, ["evals.pgn", EVALUATED]);
  await page.waitForSelector("#graph svg");
  assert.ok((await page.locator("#graph").boundingBox()).width > 360);
  assert.equal(await text(page, "#graph-legend"), "White is better Black is bettertime of each move");
  await drop(page, ["clocks.pgn", game("A", "B", "*", "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. d4 {[%clk 0:04:50]}")]);
  await untilText(page, "#graph-title", "Times");
  assert.equal(await text(page, "#graph-legend"), "time of each move");
});

visit("castling in Chess960 is played by dropping the king on its rook", WIDE, async (page) => {
  const tags = '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w GCgc - 0 1"]\n';
  await drop(page, ["fischer.pgn", game("A", "B", "*", "1. e4 e5 2. O-O-O O-O-O", tags)]);
  await page.waitForSelector('#board [data-square="d1"] .piece');
  await page.keyboard.press("End");
  assert.equal(await square(page, "c8").getAttribute("data-piece"), "bK");
  assert.equal(await square(page, "d8").getAttribute("data-piece"), "bR");
  await page.keyboard.press("Home");
  await square(page, "d1").click();
  await square(page, "c1").click();
  assert.equal(await square(page, "c1").getAttribute("data-piece"), "wK");
  assert.equal(await square(page, "d1").getAttribute("data-piece"), "wR");
});

visit("evaluations, times and clocks are shown, and a click on the graph goes to the move", WIDE, async (page) => {
  await drop(page, ["evals.pgn", EVALUATED]);
  await page.waitForSelector("#graph svg");
  const box = await page.locator("#graph").boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 10);
  assert.equal(await current(page), "e5");
  assert.match(await text(page, "#graph-caption"), /1… e5.*\+0\.30/);
  assert.doesNotMatch(await text(page, "#movetext"), /%/);
  assert.match(await text(page, "#player-above"), /4:50/);
  assert.match(await text(page, "#player-below"), /5:00/);
  await drop(page, ["plain.pgn", GAMES]);
  await untilText(page, "#game-title", "Anand");
  assert.ok(!(await page.locator("#graph-area").isVisible()));
});

for (const [name, options] of [
  ["wide screen", WIDE],
  ["tablet", TABLET],
  ["phone", PHONE],
]) {
  visit(`the board and the moves are on the first screen of a ${name}`, options, async (page) => {
    await page.click("#example");
    await isRead(page);
    await page.waitForSelector("#movetext .move");
    const { width, height } = options.viewport;
    for (const selector of ["#board", "#movetext"]) {
      const box = await page.locator(selector).boundingBox();
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${selector}: ${JSON.stringify(box)}`);
    }
    for (let at = 0; at < 12; at++) await page.keyboard.press("ArrowRight");
    const pane = await page.locator("#movetext").evaluate((pane) => {
      const mark = pane.querySelector("[aria-current]").getBoundingClientRect();
      const { top, bottom } = pane.getBoundingClientRect();
      const edges = [...pane.children].map((row) => row.getBoundingClientRect());
      const next = [...pane.querySelectorAll(".move")].at(-1);
      return {
        isSeen: mark.top >= top - 1 && mark.bottom <= bottom + 1,
        cut: edges.filter((row) => (row.top < top - 1 && row.bottom > top + 1) || (row.top < bottom - 1 && row.bottom > bottom + 1)).length,
        isGrey: getComputedStyle(next.querySelector(".san")).color !== getComputedStyle(document.body).color,
        scrolled: window.scrollY,
      };
    });
    assert.deepEqual(pane, { isSeen: true, cut: 0, isGrey: false, scrolled: 0 });
  });
}

visit("moves that were tried are saved with the game, and can be read again", WIDE, async (page) => {
  const moves = '{Before.} 1. e4 $1 {Best. [%clk 0:05:00]} (1. d4 {A "word"} d5 (1... Nf6 2. c4) 2. c4) (1. c4) 1... e5 2. Nf3';
  await drop(page, ["games.pgn", game('A \\"B\\"', "C", "1-0", moves)]);
  await untilText(page, "#game-title", "A");
  await page.click("#save-game");
  assert.equal(await page.locator('#save-form option[value="tried"]').count(), 0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("End");
  for (const [from, to] of [["b8", "c6"], ["f1", "b5"]]) {
    await square(page, from).click();
    await square(page, to).click();
  }
  assert.equal(await current(page), "Bb5");
  await page.click("#first");
  await square(page, "g1").click();
  await square(page, "f3").click();
  await page.click("#save-game");
  await page.selectOption("[name=format]", "tried");
  const { name, bytes } = await save(page);
  assert.equal(name, "A_B_-C-tried.pgn");
  const wanted =
    '{Before.} 1. e4 $1 {Best. [%clk 0:05:00]} (1. d4 {A "word"} 1... d5 (1... Nf6 2. c4) 2. c4) (1. c4) (1. Nf3) 1... e5 2. Nf3 Nc6 3. Bb5 1-0';
  assert.equal(bytes.toString().split("\n\n")[1].replace(/\s+/g, " ").trim(), wanted);
  assert.match(bytes.toString(), /^\[Event "Test"\]\n[^]*\[White "A \\"B\\""\]\n/);
  assert.ok(bytes.toString().split("\n").every((line) => line.length < 80));
  await page.keyboard.press("Escape");
  // What was saved is read without a fault, and saved alike.
  await drop(page, ["again.pgn", bytes]);
  await untilText(page, "#movetext", "Bb5");
  assert.ok(await page.locator("#problem-badge").isHidden());
  assert.equal(await page.locator("#movetext .variation").count(), 3);
});

visit("the moves from a position are saved", WIDE, async (page) => {
  await page.click("#welcome .paste-text");
  await page.fill("#paste-text", "8/P6k/8/8/8/8/6p1/K7 w - - 0 1");
  await page.click("#paste-form button[type=submit]");
  await square(page, "a1").click();
  await square(page, "b2").click();
  await page.click("#save-game");
  await page.selectOption("[name=format]", "tried");
  const saved = (await save(page)).bytes.toString();
  assert.match(saved, /\[SetUp "1"\]\n\[FEN "8\/P6k\/8\/8\/8\/8\/6p1\/K7 w - - 0 1"\]\n\n1\. Kb2 \*\n$/);
});

visit("the address has the game and the move, and the back button returns to them", WIDE, async (page) => {
  const hash = () => page.evaluate(() => location.hash);
  await drop(page, ["games.pgn", GAMES]);
  await untilText(page, "#game-title", "Anand");
  await page.keyboard.press("End");
  await until(page, () => location.hash === "#/games?game=1&ply=5");
  await rows(page).nth(2).click();
  await untilText(page, "#game-title", "Zukertort");
  assert.equal(await hash(), "#/games?game=3");
  await view(page, "explorer");
  await until(page, () => location.hash === "#/explorer?game=3");
  await page.keyboard.press("ArrowRight");
  await square(page, "b7").click();
  await square(page, "b6").click();
  await until(page, () => location.hash === "#/explorer?game=3&play=e2e4,b7b6");
  await page.goBack();
  await until(page, () => document.body.dataset.view === "games");
  await page.goBack();
  await untilText(page, "#game-title", "Anand");
  assert.equal(await current(page), "d4");
  await page.goForward();
  await untilText(page, "#game-title", "Zukertort");
  await page.evaluate(() => (location.hash = "#/games?game=2&play=e2e4,e7e5,e1e5"));
  await untilText(page, "#game-title", "Polgár");
  await untilText(page, "#movetext .tried", "e5");
  assert.equal(await current(page), "e5");
  await page.evaluate(() => (location.hash = "#/games?game=99"));
  await until(page, () => location.hash.startsWith("#/games?game=2"));
});

visit("files stay in the browser by consent, with the game and the move, and are forgotten", WIDE, async (page) => {
  await drop(page, ["games.pgn", GAMES], ["second.pgn.gz", gzipSync(EVALUATED)]);
  await untilText(page, "#list-count", "4 games");
  const again = async () => {
    await page.reload();
    await page.waitForSelector("body[data-ready]");
  };
  const names = () => page.evaluate(async () => (await indexedDB.databases()).map((one) => one.name));
  assert.deepEqual(await names(), []);
  await again();
  assert.equal(await page.evaluate(() => document.body.dataset.state), "empty");
  await drop(page, ["games.pgn", GAMES], ["second.pgn.gz", gzipSync(EVALUATED)]);
  await page.getByLabel("Keep the open files in this browser").check();
  await untilText(page, "#kept", "Kept.");
  await rows(page).nth(2).click();
  await untilText(page, "#game-title", "Zukertort");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await view(page, "explorer");
  await until(page, () => location.hash === "#/explorer?game=3&ply=2");
  await again();
  await isRead(page);
  await untilText(page, "#game-title", "Zukertort");
  assert.equal(await current(page), "e5");
  assert.equal(await page.evaluate(() => document.body.dataset.view), "explorer");
  await untilText(page, "#files", "second.pgn.gz");
  assert.equal(await text(page, "#list-count"), "4 games");
  // Other files take their place.
  await drop(page, ["third.pgn", ODD]);
  await untilText(page, "#kept", "Kept.");
  await again();
  await isRead(page);
  await untilText(page, "#files", "third.pgn");
  await page.getByLabel("Keep the open files in this browser").uncheck();
  await untilText(page, "#kept", "Forgotten.");
  await again();
  assert.equal(await page.evaluate(() => document.body.dataset.state), "empty");
  assert.equal(await page.evaluate(() => new Promise((done) => (indexedDB.open("pgn2fen").onsuccess = ({ target }) => (target.result.transaction("files").objectStore("files").count().onsuccess = (event) => done(event.target.result))))), 0);
});

visit("a game is played by its clocks", WIDE, async (page) => {
  await page.clock.install();
  const clocks = "1. e4 {[%emt 0:00:02]} e5 {[%emt 0:00:04]} 2. Nf3 {[%emt 0:30:00]} Nc6";
  await drop(page, ["clocks.pgn", game("A", "B", "*", clocks)]);
  await page.clock.runFor(1000);
  await untilText(page, "#movetext", "Nc6");
  await page.click("#autoplay");
  assert.equal(await page.locator("#autoplay").getAttribute("aria-pressed"), "true");
  const shown = () => page.locator('#movetext [aria-current="step"] .san').allTextContents();
  for (const [time, san] of [[1500, []], [1000, ["e4"]], [3000, ["e4"]], [1000, ["e5"]], [9000, ["e5"]], [1000, ["Nf3"]], [1000, ["Nc6"]]]) {
    await page.clock.runFor(time);
    assert.deepEqual(await shown(), san, String(time));
  }
  await page.clock.runFor(1000);
  assert.equal(await page.locator("#autoplay").getAttribute("aria-pressed"), "false");
  // A step of one's own ends it.
  await page.click("#first");
  await page.keyboard.press("a");
  await page.keyboard.press("ArrowRight");
  await page.clock.runFor(20_000);
  assert.deepEqual(await shown(), ["e4"]);
});

// The explorer and the starts.

visit("the explorer shows what was played in these games", WIDE, async (page) => {
  await drop(page, ["games.pgn", GAMES]);
  await untilText(page, "#game-title", "Anand");
  await view(page, "explorer");
  await untilText(page, "#counts", "3 games reached this position.");
  assert.deepEqual(await page.locator("#moves tbody th").allTextContents(), ["e4", "d4"]);
  assert.match(await page.locator("#moves tbody .results .unseen").first().textContent(), /White 50%, draws 50%, Black 0%/);
  await page.locator("#moves tbody tr").first().click();
  await untilText(page, "#counts", "2 games reached this position.");
  assert.equal(await current(page), "e4");
  await page.locator("#games tbody .link").filter({ hasText: "Zukertort" }).click();
  await untilText(page, "#game-title", "Zukertort");
  assert.equal(await current(page), "e4");
  await view(page, "games");
  await page.fill("#search", "anand");
  await untilText(page, "#list-count", "2 of 3 games");
  await view(page, "explorer");
  await untilText(page, "#counts", "1 game reached this position and passed the filters.");
  await page.locator("#only-listed").uncheck();
  await untilText(page, "#counts", "2 games reached this position.");
  await page.click("#list-these");
  await untilText(page, "#only-chip", "Position after 1. e4");
  assert.equal(await page.locator("#list-count").textContent(), "1 of 3 games");
  await page.fill("#search", "");
  await untilText(page, "#list-count", "2 of 3 games");
});

visit("the line of the explorer is one of links, and its current move is seen whole on a phone", PHONE, async (page) => {
  await drop(page, ["games.pgn", game("A", "B", "*", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7")]);
  await untilText(page, "#game-title", "A – B");
  await page.keyboard.press("End");
  await view(page, "explorer");
  await untilText(page, "#counts", "1 game reached");
  const seen = await page.locator("#line").evaluate((line) => {
    const [box, current] = [line, line.querySelector("[aria-current]")].map((one) => one.getBoundingClientRect());
    return { links: line.querySelectorAll("button.link").length, isWhole: current.top >= box.top - 1 && current.bottom <= box.bottom + 1 };
  });
  assert.deepEqual(seen, { links: 11, isWhole: true });
});

// The tree.

const TRANSPOSING = [
  game("Anand", "Bird", "1-0", "1. d4 d5 2. c4 e6 3. Nc3"),
  game("Caruana", "Ding", "1/2-1/2", "1. c4 d5 2. d4 c6"),
  game("Euwe", "Flohr", "0-1", "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4"),
].join("");

/** The moves of the tree that can be seen, with their games: `1. e4 2`. */
const branches = (page) =>
  page.locator("#tree .tree-row").evaluateAll((rows) => rows.map((row) => `${row.querySelector(".tree-move").textContent} ${row.querySelector(".tree-games").textContent}`));
const branch = (page, name) => page.locator("#tree .tree-row").filter({ has: page.locator(".tree-move", { hasText: name }) });
const onBoard = (page) => page.locator("#description").textContent();

visit("the tree unfolds beside the board", WIDE, async (page) => {
  await drop(page, ["games.pgn", TRANSPOSING]);
  await view(page, "tree");
  await untilText(page, "#tree-count", "3 games reached this position.");
  assert.deepEqual(await branches(page), ["1. d4 2", "1. c4 1"]);
  assert.match(await page.locator("#tree .results .unseen").first().textContent(), /White 50%, draws 0%, Black 50%/);
  const start = await onBoard(page);
  // A click on a move shows its position and what was played there.
  await branch(page, "1. d4").click();
  await until(page, () => document.querySelectorAll("#tree .tree-row").length === 4);
  assert.deepEqual(await branches(page), ["1. d4 2", "1… d5 1", "1… Nf6 1", "1. c4 1"]);
  assert.notEqual(await onBoard(page), start);
  assert.equal(await current(page), "d4");
  assert.equal(await square(page, "d4").locator(".piece").count(), 1);
  assert.equal(await page.locator('#tree [aria-selected="true"] .tree-move').first().textContent(), "1. d4");
  // The triangle unfolds without showing the position.
  const before = await onBoard(page);
  await branch(page, "1… d5").locator(".twig").click();
  await until(page, () => document.querySelectorAll("#tree .tree-row").length === 5);
  assert.equal(await onBoard(page), before);
  await branch(page, "1… d5").locator(".twig").click();
  await until(page, () => document.querySelectorAll("#tree .tree-row").length === 4);
  // The board leads, too.
  await page.click("#first");
  assert.equal(await onBoard(page), start);
  assert.equal(await page.locator('#tree [aria-selected="true"]').count(), 0);
});

visit("a line of the tree that transposes leads to the other one", WIDE, async (page) => {
  await drop(page, ["games.pgn", TRANSPOSING]);
  await view(page, "tree");
  for (const [name, rows] of [["1. d4", 4], ["1… d5", 5], ["2. c4", 7]]) {
    await branch(page, name).first().click();
    await until(page, (count) => document.querySelectorAll("#tree .tree-row").length === count, rows);
  }
  // 1. c4 d5 2. d4 comes to the position that hangs on 1. d4 d5 2. c4.
  await branch(page, "1. c4").click();
  await until(page, () => document.querySelectorAll("#tree .tree-row").length === 8);
  await branch(page, "1… d5").last().click();
  await until(page, () => document.querySelectorAll("#tree .joined").length === 1);
  assert.equal(await page.locator("#tree .joined").textContent(), "= 2. c4");
  assert.equal(await page.locator("#tree li:has(> .tree-row .joined)").getAttribute("aria-expanded"), null);
  await page.locator("#tree .joined").click();
  await until(page, () => document.querySelector('#tree [aria-selected="true"] .tree-move')?.textContent === "2. c4");
  assert.equal(await current(page), "c4");
});

visit("the tree follows the list and begins anywhere", WIDE, async (page) => {
  await drop(page, ["games.pgn", TRANSPOSING]);
  await page.fill("#search", "caruana");
  await untilText(page, "#list-count", "1 of 3 games");
  await view(page, "tree");
  await untilText(page, "#tree-count", "1 game reached this position.");
  await page.locator("#tree-listed").uncheck();
  await untilText(page, "#tree-count", "3 games reached this position.");
  await page.fill("#tree-least", "2");
  await page.locator("#tree-least").blur();
  await until(page, () => document.querySelectorAll("#tree .tree-row").length === 1);
  assert.equal(await text(page, "#tree .tree-rest"), "1 rarer move");
  // What was unfolded is unfolded again, also if its moves had not come yet.
  await branch(page, "1. d4").evaluate((row) => {
    row.click();
    const least = document.querySelector("#tree-least");
    least.value = "1";
    least.dispatchEvent(new Event("change"));
  });
  await until(page, () => document.querySelectorAll("#tree .tree-row").length === 4);
  await page.click("#tree-here");
  await untilText(page, "#tree-count", "Behind 1. d4: 2 games reached this position.");
  assert.deepEqual(await branches(page), ["1… d5 1", "1… Nf6 1"]);
  await branch(page, "1… Nf6").click();
  await until(page, () => document.querySelectorAll("#tree .tree-row").length === 3);
  assert.equal(await current(page), "Nf6");
  await page.click("#tree-start");
  await untilText(page, "#tree-count", "3 games reached this position.");
});

visit("the tree is used by keys", WIDE, async (page) => {
  await drop(page, ["games.pgn", TRANSPOSING]);
  await view(page, "tree");
  await untilText(page, "#tree-count", "3 games");
  await page.locator('#tree [tabindex="0"]').focus();
  const focused = () => page.evaluate(() => document.activeElement.querySelector(".tree-move")?.textContent);
  const start = await onBoard(page);
  assert.equal(await focused(), "1. d4");
  await page.keyboard.press("ArrowRight");
  await until(page, () => document.querySelectorAll("#tree .tree-row").length === 4);
  assert.equal(await focused(), "1. d4");
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(), "1… d5");
  assert.equal(await onBoard(page), start);
  await page.keyboard.press("Enter");
  assert.equal(await current(page), "d5");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "1… Nf6");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await focused(), "1. d4");
  await page.keyboard.press("ArrowLeft");
  await until(page, () => document.querySelectorAll("#tree .tree-row").length === 2);
  await page.keyboard.press("End");
  assert.equal(await focused(), "1. c4");
});

visit("the results of a player are counted in the games of the list", WIDE, async (page) => {
  await drop(page, ["games.pgn", GAMES]);
  await view(page, "players");
  await untilText(page, "#players-count", "5 players.");
  assert.deepEqual(await page.locator("#player-list li").allTextContents().then((all) => all[0]), "Anand, V2 games");
  await page.fill("#player-name", "polgar");
  await untilText(page, "#players-count", "1 player.");
  await page.fill("#player-name", "anand");
  await untilText(page, "#player-list", "Anand, V");
  await page.locator("#player-list button").first().click();
  await untilText(page, "#player-tables", "Sicilian Defense");
  const rows = (at) => page.locator(`#player-tables table:nth-of-type(${at}) tbody tr`).allTextContents();
  assert.deepEqual(await rows(1), ["White1+1 =0 −0100%28503250", "Black1+1 =0 −0100%27003100"]);
  assert.deepEqual(await rows(2), ["Queen's Gambit DeclinedBlack1+1 =0 −0100%27003100", "Sicilian DefenseWhite1+1 =0 −0100%28503250"]);
  assert.deepEqual(await rows(3), ["unknownWhite1+1 =0 −0100%28503250", "Black1+1 =0 −0100%27003100"]);
  assert.deepEqual(await rows(4), ["2800-2999White1+1 =0 −0100%28503250", "2600-2799Black1+1 =0 −0100%27003100"]);
  await page.click("#list-player");
  await untilText(page, "#list-count", "2 of 3 games");
  await page.fill("#search", "polgar");
  await untilText(page, "#list-count", "1 of 3 games");
  await view(page, "players");
  await until(page, () => document.querySelectorAll("#player-tables table:first-of-type tbody tr").length === 1);
  await page.click("#all-players");
  await untilText(page, "#players-count", "1 player.");
});

visit("other starting positions are a gallery", WIDE, async (page) => {
  await page.click("#example");
  await isRead(page);
  await view(page, "starts");
  assert.equal(await page.locator("#start-list .diagram").count(), 2);
  await page.locator("#start-list .link").nth(1).click();
  await untilText(page, "#list-count", "1 of 6 games");
  assert.match(await text(page, "#only-chip"), /7K\/8\/k1P5/);
  await page.click("#only-chip-remove");
  await untilText(page, "#list-count", "6 games");
});

// Saving.

visit("games are saved as PGN", WIDE, async (page) => {
  await drop(page, ["games.pgn", GAMES]);
  await page.locator("#list-body .box label").nth(1).click();
  await page.click("#save");
  assert.equal(await page.locator("#save-form [name=what]:checked").inputValue(), "chosen");
  const { name, bytes } = await save(page);
  assert.equal(name, "games-selection.pgn");
  assert.match(bytes.toString(), /^\[Event "Test"\][^]*Polgár/);
  assert.doesNotMatch(bytes.toString(), /Zukertort/);
  await untilText(page, "#save-result", "Saved as games-selection.pgn");
});

visit("positions are saved as FENs and as a table", WIDE, async (page) => {
  await drop(page, ["games.pgn", GAMES]);
  await page.click("#save");
  await page.selectOption("[name=format]", "fen");
  await page.fill("[name=from]", "0");
  await page.fill("[name=to]", "1");
  const fens = (await save(page)).bytes.toString().trimEnd().split("\n");
  assert.equal(fens.length, 6);
  assert.equal(fens[0], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  await page.check("[name=unique]");
  assert.equal((await save(page)).bytes.toString().trimEnd().split("\n").length, 3);
  await page.selectOption("[name=format]", "csv");
  const [head, , second] = (await save(page)).bytes.toString().split(/\r?\n/);
  assert.equal(head, "White,Black,result,ply,san,fen");
  assert.match(second, /^"Anand, V","Carlsen, M",1-0,1,e4,/);
});

visit("a training set tells what was left out, and why it is empty", WIDE, async (page) => {
  await drop(page, ["evals.pgn", EVALUATED]);
  await page.click("#save");
  await page.selectOption("[name=format]", "bullet");
  const { bytes } = await save(page);
  assert.equal(bytes.toString().trimEnd().split("\n").length, 3);
  await untilText(page, "#save-result", "left out");
  await page.keyboard.press("Escape");
  await drop(page, ["games.pgn", GAMES]);
  await page.click("#save");
  await page.selectOption("[name=format]", "viri");
  await page.click("#save-button");
  await untilText(page, "#save-result", "Nothing was saved.");
  assert.match(await text(page, "#save-result"), /evaluation/);
});

visit("the position is saved as a picture", WIDE, async (page) => {
  await drop(page, ["games.pgn", GAMES]);
  await untilText(page, "#game-title", "Anand");
  await page.keyboard.press("ArrowRight");
  await page.click("#save-game");
  await page.check("[name=what][value=position]");
  await page.selectOption("[name=format]", "svg");
  const svg = (await save(page)).bytes.toString();
  assert.match(svg, /^<svg /);
  await page.selectOption("[name=format]", "png");
  await page.selectOption("[name=size]", "1080");
  const { name, bytes } = await save(page);
  assert.match(name, /1_e4\.png$/);
  assert.equal(bytes.readUInt32BE(16), 1080);
  await page.selectOption("[name=format]", "fen");
  assert.match((await save(page)).bytes.toString(), /^rnbqkbnr\/pppppppp\/8\/8\/4P3\//);
});

// Everybody.

const VIEWS = ["games", "explorer", "tree", "players", "starts", "problems"];

for (const width of oneIn(2, [320, 390, 768, 1024, 1280, 1920])) {
  visit(
    `a width of ${width} pixels needs no scrolling sideways`,
    { ...PHONE, isMobile: width < 700, viewport: { width, height: 800 } },
    async (page) => {
      const check = async (where) => {
        const wide = await page.evaluate(() =>
          [...document.querySelectorAll("main *, header *, footer *")]
            .filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > innerWidth + 1 && !node.closest(".unseen, .skips"))
            .map((node) => node.outerHTML.slice(0, 80)),
        );
        assert.deepEqual(wide, [], where);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, where);
      };
      await check("welcome");
      await page.click("#example");
      await isRead(page);
      for (const name of width < 768 ? ["game", ...VIEWS] : VIEWS) {
        await view(page, name);
        await check(name);
      }
    },
  );
}

visit("targets have 44 pixels on a phone", PHONE, async (page) => {
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("button, .button, select, input, nav a, summary, .check, .box label")]
        .filter(
          (node) =>
            node.checkVisibility() &&
            !node.matches(".unseen, .move, .square, [type=checkbox], [type=radio], #line *") &&
            !node.closest(".unseen, .skips, .variation"),
        )
        .filter((node) => node.getBoundingClientRect().height < 43.5 || node.getBoundingClientRect().width < 30)
        .map((node) => `${node.outerHTML.slice(0, 100)} ${node.getBoundingClientRect().height}`),
    );
  assert.deepEqual(await small(), []);
  await page.click("#example");
  await isRead(page);
  for (const name of ["game", ...VIEWS]) {
    await view(page, name);
    assert.deepEqual(await small(), [], name);
  }
  await view(page, "games");
  await page.click("#save");
  await page.selectOption("[name=format]", "csv");
  assert.deepEqual(await small(), [], "save");
});

// Contrast of texts by WCAG 2.2, 1.4.3: 4.5, or 3 for large text.
const contrast = () => {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = color;
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (color) =>
    color
      .slice(0, 3)
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255, 255];
  };
  const found = [];
  let seen = 0;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !node.checkVisibility() || node.closest(".unseen, noscript, .skips, option")) continue;
    seen += 1;
    const [a, b] = [luminance(rgba(getComputedStyle(node).color)), luminance(behind(node))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push([texts.currentNode.data, node.className, ratio]);
  }
  return { seen, found };
};

for (const colorScheme of ["light", "dark"]) {
  visit(`the ${colorScheme} page has the contrast of WCAG AA`, { ...WIDE, colorScheme }, async (page) => {
    const check = async (where) => {
      const { seen, found } = await page.evaluate(contrast);
      assert.ok(seen > 5);
      assert.deepEqual(found, [], where);
    };
    await check("welcome");
    await page.click("#example");
    await isRead(page);
    await rows(page).nth(2).click();
    await untilText(page, "#game-title", "Morphy");
    for (let at = 0; at < 6; at++) await page.keyboard.press("ArrowRight");
    for (const name of VIEWS) {
      await view(page, name);
      await check(name);
    }
    await view(page, "games");
    await page.click("#save");
    await check("save");
    const background = await page.evaluate(() => Number(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0]));
    assert.equal(background < 128, colorScheme === "dark");
  });
}

visit("controls have roles and names, and progress is told", WIDE, async (page) => {
  await drop(page, ["games.pgn", GAMES]);
  await untilText(page, "#status", "3 games read.");
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const told = new Set(nodes.filter((node) => !node.ignored).map((node) => `${node.role.value}: ${node.name?.value ?? ""}`));
  for (const wanted of [
    "grid: Chessboard",
    "gridcell: e2, white pawn",
    "grid: Games",
    "columnheader: White",
    "searchbox: Search players, events, dates and openings",
    "checkbox: Choose all games that are listed",
    "navigation: Views",
    "link: Explorer",
    "button: One move forward",
    "button: Save…",
    "main: ",
    "status: ",
  ]) {
    assert.ok(told.has(wanted), wanted);
  }
  const nameless = nodes.filter(
    (node) =>
      !node.ignored &&
      node.properties?.some((it) => it.name === "focusable" && it.value.value) &&
      node.role.value !== "RootWebArea" &&
      !node.name?.value,
  );
  assert.deepEqual(nameless, []);
  await page.keyboard.press("ArrowRight");
  await untilText(page, "#status", "1. e4");
});

test("the page works from a host that serves its files", { timeout: 60_000 }, async () => {
  const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
  const server = createServer(async (request, response) => {
    const path = join(SITE, request.url === "/" ? "index.html" : request.url.replaceAll("..", ""));
    const isFile = await stat(path).then(
      (found) => found.isFile(),
      () => false,
    );
    response.writeHead(isFile ? 200 : 404, { "Content-Type": kinds[extname(path)] ?? "application/octet-stream" });
    response.end(isFile ? await readFile(path) : "");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const page = await browser.newPage();
  try {
    const [complaints, foreign] = [[], []];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => request.url().startsWith(origin) || /^(blob|data):/.test(request.url()) || foreign.push(request.url()));
    await page.goto(`${origin}/`);
    await page.waitForSelector("body[data-ready]");
    await drop(page, ["games.pgn", GAMES]);
    assert.equal(await text(page, "#list-count"), "3 games");
    assert.deepEqual([complaints, foreign], [[], []]);
  } finally {
    await page.close();
    server.close();
  }
});

visit("piece letters of other languages are offered as buttons", WIDE, async (page) => {
  await drop(page, ["german.pgn", game("A", "B", "*", "1. e4 e5 2. Sf3 Sc6 3. Lb5")]);
  await view(page, "problems");
  assert.doesNotMatch(await text(page, "#problems-view"), /--lang|lang:|`/);
  await page.getByRole("group", { name: "Piece letters" }).getByRole("button", { name: "German" }).click();
  await until(page, () => document.querySelectorAll("#movetext .san").length === 5);
  assert.ok(await page.locator("#problem-badge").isHidden());
});

for (const colorScheme of ["light", "dark"]) {
  visit(`axe finds no violation in a game of a variant with faults and comments of engines in ${colorScheme} colours`, { ...WIDE, colorScheme }, async (page) => {
    const engines = game("A", "B", "*", "1. e4 {ev=0.23, d=23, mt=00:00:34, s=1234 kN/s, pv=e5 Nf3, tb=0} e5 {[%emt 0:00:02]}");
    await drop(page, ["crazyhouse.pgn", (await fixture("crazyhouse")) + engines], ["empty.pgn", ""]);
    await untilText(page, "#trouble", "empty.pgn is empty.");
    for (let at = 0; at < 6; at++) await page.keyboard.press("ArrowRight");
    await page.evaluate(AXE);
    const check = async () => {
      const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false, rules: { "label-content-name-mismatch": { enabled: false } } }));
      assert.deepEqual(violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`)), []);
      const { found } = await page.evaluate(contrast);
      assert.deepEqual(found, []);
    };
    assert.equal(await page.locator(".hand button").count(), 1);
    await check();
    await rows(page).nth(4).click();
    await page.locator("#engine-area summary").click();
    await check();
  });
}

// The names of moves say in words what is written as signs and numbers. Files opened as such cannot be loaded before.
for (const [size, colorScheme, options] of oneIn(3, [
  ["computer", "light", WIDE],
  ["computer", "dark", WIDE],
  ["tablet", "light", TABLET],
  ["phone", "dark", PHONE],
  ["phone", "light", PHONE],
  ["tablet", "dark", TABLET],
])) {
  visit(`axe finds no violation on a ${size} in ${colorScheme} colours`, { ...options, colorScheme }, async (page) => {
    await page.click("#example");
    await isRead(page);
    await page.evaluate(AXE);
    for (const name of ["games", "explorer", "tree", "players", "problems", "starts"]) {
      await view(page, name);
      const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false, rules: { "label-content-name-mismatch": { enabled: false } } }));
      const told = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${name}: ${id}: ${node.html}`));
      assert.deepEqual(told, []);
    }
  });
}
