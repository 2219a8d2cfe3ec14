// The pages of the guide: which there are, in which order, and where a link of one leads in the site.
// The tables of docs/README.md are the only list of pages. A Markdown file that they name is a page of the site,
// wherever it is in the repository. Links to other files lead to the repository.

import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const MarkdownIt = createRequire(new URL("../../js/package.json", import.meta.url))("markdown-it");

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const REPOSITORY = "https://github.com/pgn2fen/pgn2fen";
export const CONTENTS = "docs/README.md";

export const markdown = new MarkdownIt({ html: true, linkify: true });
// Only whole addresses are links, as on the code host.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** The text of an inline token, without marks. */
export const plain = ({ children }) =>
  children.map(({ type, content }) => (type.endsWith("break") ? " " : type === "html_inline" ? "" : content)).join("");

/** Gives each heading of a page the anchor that the code host gives it. */
export function withAnchors(tokens) {
  const seen = new Map();
  tokens.forEach((token, at) => {
    if (token.type !== "heading_open") return;
    const kept = plain(tokens[at + 1]).toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, "");
    const anchor = kept.trim().replaceAll(" ", "-");
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    token.attrSet("id", count === 0 ? anchor : `${anchor}-${count}`);
  });
  return tokens;
}

/** The name of a page in the site. The table of contents is the first page; `docs/index.md` must not have its name. */
function nameInSite(path) {
  if (path === CONTENTS) return "index.html";
  const name = path.startsWith("docs/") ? path.slice(5, -3) : path.slice(0, -3).toLowerCase().replaceAll("/", "-");
  return `${name === "index" ? "the-index" : name}.html`;
}

async function readPage(path) {
  const text = await readFile(ROOT + path, "utf8");
  const tokens = withAnchors(markdown.parse(text, {}));
  const headings = tokens.flatMap((token, at) => {
    if (token.type !== "heading_open") return [];
    return [{ level: Number(token.tag[1]), anchor: token.attrGet("id"), text: plain(tokens[at + 1]) }];
  });
  if (headings[0]?.level !== 1) throw new Error(`${path} does not begin with a title`);
  return { path, name: nameInSite(path), title: headings[0].text, headings, tokens };
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The links before the second section of the table of contents, in groups: the table has one for each person. */
function groupsOf({ tokens }) {
  const groups = [];
  let sections = 0;
  let isFirstCell = false;
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open" && token.tag === "h2" && ++sections === 2) break;
    if (token.type === "tr_open") isFirstCell = true;
    if (token.type !== "inline" || /^(heading|th)_open$/.test(tokens[at - 1].type)) continue;
    const isTable = tokens[at - 1].type === "td_open";
    const text = plain(token);
    if (isTable && isFirstCell && text) groups.push({ title: capital(text), isTable, links: [] });
    if (!isTable) groups.push({ title: /^[\w ]+(?=:)/.exec(text)?.[0] ?? "To begin", isTable, links: [] });
    isFirstCell = false;
    token.children.forEach((child, place) => {
      if (child.type !== "link_open") return;
      const [file, anchor] = child.attrGet("href").split("#");
      groups.at(-1).links.push({ path: posix.join("docs", file), anchor, text: token.children[place + 1].content });
    });
  }
  return groups;
}

/** Reads the guide: its pages by their paths, in the order of the table of contents, and its groups of links. */
export async function readGuide() {
  const contents = await readPage(CONTENTS);
  const pages = new Map([[CONTENTS, contents]]);
  const groups = groupsOf(contents);
  for (const { path } of groups.flatMap(({ links }) => links)) {
    if (!pages.has(path)) pages.set(path, await readPage(path));
  }

  const files = await readdir(`${ROOT}docs`, { recursive: true });
  const written = files.map((path) => `docs/${path.replaceAll("\\", "/")}`);
  const missing = written.filter((path) => path.endsWith(".md") && !pages.has(path));
  if (missing.length > 0) throw new Error(`not in the tables of ${CONTENTS}: ${missing.join(", ")}`);
  const names = [...pages.values()].map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0) throw new Error(`two pages with one name: ${twice.join(", ")}`);

  // In the table, a link has its own text. Elsewhere it is a part of a sentence, and the title of the page is better.
  for (const { isTable, links } of groups) {
    for (const link of links) {
      const page = pages.get(link.path);
      const heading = page.headings.find(({ anchor }) => anchor === link.anchor)?.text;
      link.text = isTable ? capital(link.text) : (heading ?? page.title);
      link.page = page;
    }
  }
  return { pages, groups };
}

/** Where a link leads that stands on a page: `to(path)` is asked for files that are not pages. */
export function resolved(link, page, pages, toFile) {
  const ours = `${REPOSITORY}/blob/main/`;
  if (!link.startsWith(ours) && /^[a-z]+:/.test(link)) return link;
  const [file, anchor] = link.replace(ours, "/").split("#");
  const path = file === "" ? page.path : file[0] === "/" ? file.slice(1) : posix.join(posix.dirname(page.path), file);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const target = pages.get(path);
  if (!target) return toFile(path) + hash;
  return (target === page && hash) || posix.relative(posix.dirname(page.name), target.name) + hash;
}
