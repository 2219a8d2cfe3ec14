// The built guide: its links, its search, and its pages in a real browser, opened as files. PGN2FEN_GUIDE is the folder
// of the built guide, and CHROMIUM the browser. `node --test site/guide/guide.test.mjs` runs the tests.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { checkLinks, readSite } from "./links.mjs";
import { markdown, readGuide, resolved, withAnchors } from "./pages.mjs";
import { excerpt, marked, Search } from "./search.js";

const require = createRequire(new URL("../../js/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const AXE = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");

const GUIDE = resolve(process.env.PGN2FEN_GUIDE ?? "target/guide");
const address = (name) => pathToFileURL(join(GUIDE, name)).href;
const site = await readSite(GUIDE);
const { pages } = await readGuide();
(0, eval)(site.get("texts.js"));
const search = new Search(globalThis.guideTexts);

// Links.

test("each link leads somewhere", () => {
  const { faults, count } = checkLinks(site);
  assert.deepEqual(faults, []);
  assert.ok(count > 3000, `${count} links`);
});

test("links that lead nowhere are found", () => {
  const page = (links) => `<h2 id="here">Here</h2>${links}`;
  const broken = new Map([
    ["index.html", page('<a href="#here"><a href="a/b.html#here"><a href="#there"><a href="a/c.html">')],
    ["a/b.html", page('<a href="../index.html#there"><img src="x.png"><source srcset="../index.html"><b id="here">')],
    ["c.html", '<a href="https://github.com/pgn2fen/pgn2fen/blob/main/README.md#x">'],
    ["d.html", '<a href="https://github.com/pgn2fen/pgn2fen/blob/main/nothing.md"><code>&lt;a href="none"&gt;</code>'],
  ]);
  assert.deepEqual(checkLinks(broken).faults, [
    "a/b.html: two elements with the id here",
    "index.html: #there has no such heading",
    "index.html: there is no a/c.html",
    "a/b.html: ../index.html#there has no such heading",
    "a/b.html: there is no x.png",
    "d.html: https://github.com/pgn2fen/pgn2fen/blob/main/nothing.md is not in the repository",
  ]);
});

test("links to pages are relative, and other links lead to the repository", () => {
  const to = (link, path) => resolved(link, pages.get(path), pages, (path) => `other:${path}`);
  assert.equal(to("rows.md#columns", "docs/python.md"), "rows.html#columns");
  assert.equal(to("#install", "docs/python.md"), "#install");
  assert.equal(to("python.md", "docs/python.md"), "python.html");
  assert.equal(to("docs/README.md", "README.md"), "index.html");
  assert.equal(to("index.md#find", "docs/README.md"), "the-index.html#find");
  assert.equal(to("../python.md", "docs/inside/python.md"), "../python.html");
  assert.equal(to("../../ARCHITECTURE.md", "docs/inside/python.md"), "../architecture.html");
  assert.equal(to("https://github.com/pgn2fen/pgn2fen/blob/main/docs/rows.md", "python/README.md"), "rows.html");
  assert.equal(to("../fixtures/SOURCES.md#x", "docs/faq.md"), "other:fixtures/SOURCES.md#x");
  assert.equal(to("https://example.org/rows.md", "docs/faq.md"), "https://example.org/rows.md");
});

test("headings have the anchors of the code host", () => {
  const text = "# `-u`: what's *new*?\n\n## Polgár's 4,462 mates\n\n## Options\n\n## Options\n\n## a_b – c/d\n";
  const anchors = withAnchors(markdown.parse(text, {})).flatMap((token) => token.attrGet("id") ?? []);
  assert.deepEqual(anchors, ["-u-whats-new", "polgárs-4462-mates", "options", "options-1", "a_b--cd"]);
});

// The search.

const found = (query) => search.find(query).map(({ page, anchor }) => search.pages[page][0] + (anchor && `#${anchor}`));

for (const [query, first] of [
  ["anki", "cards.html"],
  ["EXPLORER", "explorer.html"],
  ["exit status", "messages.html#exit-statuses"],
  ["--skip-unreadable", "messages.html#compressed-and-damaged-files"],
  ["win_chance", "rows.html#chances-accuracy-and-judgements"],
  ["polgar", "published.html#polgárs-4462-mates"],
  ["opening book", "books.html"],
  ["dupl", "pgn.html#duplicates"],
])
  test(`the search finds "${query}"`, () => {
    const best = found(query).slice(0, 3);
    assert.ok(best.includes(first), String(best));
  });

test("sections with some of the words are found after those with all", () => {
  const all = found("castling shredder");
  assert.ok(all[0].startsWith("rows.html") && all.length > 5, String(all));
  assert.deepEqual(found("qqqqq"), []);
  assert.deepEqual(found("  "), []);
});

test("what is found is marked", () => {
  assert.deepEqual(marked("Polgár and the polgars", ["polgar"]), ["", "Polgár", " and the ", "polgar", "s"]);
  assert.deepEqual(marked("none", ["x"]), ["none"]);
  const text = `${"before ".repeat(40)}a word ${"behind ".repeat(40)}`;
  assert.match(excerpt(text, ["word"]), /^… (before )+a word (behind ?)+ …$/);
  assert.equal(excerpt("short", ["x"]), "short");
});

// In a browser.

let browser;
before(async () => {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
});
after(() => browser?.close());

const WIDE = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Runs a test with a page. It fails if the page logged an error or asked for anything but its own files. */
function visit(name, options, act) {
  test(name, { timeout: 120_000 }, async () => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const complaints = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => /^(file|data):/.test(request.url()) || complaints.push(request.url()));
    try {
      await page.goto(address("index.html"));
      await act(page);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  });
}

const focused = (page) => page.evaluate(() => document.activeElement.id);

visit("the search leads to a heading, with the keyboard alone", WIDE, async (page) => {
  await page.keyboard.press("Control+k");
  assert.equal(await focused(page), "ui-query");
  await page.keyboard.type("exit statuses");
  await page.waitForSelector("#ui-found [aria-selected]");
  assert.match(await page.textContent("#ui-found [aria-selected]"), /^Exit statuses\s*Messages/);
  assert.ok((await page.locator("#ui-found mark").count()) > 1);
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.getAttribute("#ui-query", "aria-activedescendant"), "found-1");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForURL(/messages\.html#exit-statuses$/);
  // The heading is below the head of the page.
  const top = await page.locator("#exit-statuses").evaluate((heading) => heading.getBoundingClientRect().top);
  assert.ok(top > 52 && top < 400, String(top));
});

visit("the search says that it finds nothing, and closes", WIDE, async (page) => {
  await page.fill("#ui-query", "qqqqq");
  await page.waitForSelector("#ui-found [aria-disabled]");
  await page.keyboard.press("Escape");
  assert.ok(await page.isHidden("#ui-found"));
});

visit("the search works in a folder, with a click", PHONE, async (page) => {
  await page.goto(address("inside/python.html"));
  await page.fill("#ui-query", "anki");
  await page.click("#ui-found a[href$='cards.html']");
  await page.waitForURL(/guide[^/]*\/cards\.html$/);
});

visit("a phone has the list of pages behind a button", PHONE, async (page) => {
  assert.ok(await page.isHidden("#ui-pages"));
  await page.click("#ui-menu");
  await page.click("#ui-pages >> text=Training data");
  await page.waitForURL(/training\.html$/);
  await page.click("#ui-menu");
  assert.equal(await page.textContent("#ui-pages [aria-current]"), "Training data");
});

const COPYING = { ...WIDE, permissions: ["clipboard-read", "clipboard-write"] };
visit("a button copies the commands of a session", COPYING, async (page) => {
  await page.locator(".frame", { hasText: "head -3" }).hover();
  await page.locator(".frame", { hasText: "head -3" }).getByRole("button").click();
  await page.waitForSelector("text=Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, "pgn2fen fixtures/games/opening_book.pgn | head -3");
});

for (const [name, options, colorScheme] of [["a wide screen", WIDE, "light"], ["a phone", PHONE, "dark"]]) {
  visit(`every page fits ${name}, and its pictures load`, options, async (page) => {
    for (const { name } of pages.values()) {
      await page.goto(address(name));
      const { over, blank } = await page.evaluate(() => ({
        over: document.documentElement.scrollWidth - innerWidth,
        blank: [...document.images].filter((image) => image.naturalWidth === 0).length,
      }));
      assert.deepEqual({ name, over, blank }, { name, over: 0, blank: 0 });
    }
  });

  visit(`the pages are accessible: ${name}, ${colorScheme}`, { ...options, colorScheme }, async (page) => {
    const values = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const rules = { runOnly: { type: "tag", values }, preload: false };
    const isAccessible = async (name) => {
      const { violations } = await page.evaluate((rules) => globalThis.axe.run(rules), rules);
      const shown = ({ html, failureSummary }) => html + failureSummary;
      assert.deepEqual(violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes.slice(0, 3).map(shown)}`), []);
    };
    for (const name of ["library.html", "options.html", "index.html"]) {
      await page.goto(address(name));
      await page.evaluate(AXE);
      await isAccessible(name);
    }
    await page.fill("#ui-query", "castling");
    await page.waitForSelector("#ui-found [aria-selected]");
    await isAccessible("the search");
  });
}

visit("the list of pages works without scripts", { ...PHONE, javaScriptEnabled: false }, async (page) => {
  await page.click("#ui-menu");
  await page.click("#ui-pages >> text=Opening books");
  await page.waitForURL(/books\.html$/);
});
