// Builds the guide into target/guide, or the folder that is given: a page for each file of the guide, with search. It
// works from any host, under any path, and opened as files. `--page ADDRESS` links to the page that opens PGN files.
// `js/build` or `npm ci` in js/ installs the packages that this needs.

import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { markdown, plain, readGuide, REPOSITORY, resolved, ROOT } from "./pages.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const require = createRequire(at("../../js/package.json"));
const esbuild = require("esbuild");
const highlighter = require("highlight.js/lib/core");
for (const name of ["bash", "javascript", "python", "rust", "sql", "xml"])
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
const LANGUAGES = new Map(Object.entries({ html: "xml", js: "javascript", pycon: "python", sh: "bash" }));
for (const name of ["python", "rust", "sql"]) LANGUAGES.set(name, name);

const { values, positionals } = parseArgs({ allowPositionals: true, options: { page: { type: "string" } } });
const out = positionals[0] ?? at("../../target/guide");
const { pages, groups } = await readGuide();
const { escapeHtml } = markdown.utils;

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

// What a page has besides text.

/** The pictures of the pages, by their names in the site. */
const pictures = new Map();

function picture(path, page) {
  const name = `figures/${basename(path)}`;
  if ((pictures.get(name) ?? path) !== path) throw new Error(`two pictures are named ${name}`);
  pictures.set(name, path);
  return posix.relative(posix.dirname(page.name), name);
}

const linkTo = (link, page) => resolved(link, page, pages, (path) => `${REPOSITORY}/blob/main/${path}`);
const pictureTo = (link, page) => resolved(link, page, pages, (path) => picture(path, page));

/** A session of a shell: commands stand out from what they print. */
function session(text) {
  const line = (line) => {
    const [, sign, command] = /^([$>] )(.*)$/.exec(line) ?? [];
    if (!sign) return `<span class="printed">${escapeHtml(line)}</span>`;
    return `<span class="sign">${escapeHtml(sign)}</span><span class="command">${escapeHtml(command)}</span>`;
  };
  return text.trimEnd().split("\n").map(line).join("\n");
}

function code(text, info) {
  const language = info.split(/[ ,]/)[0];
  // Lines that documentation of Rust hides.
  const shown = language === "rust" ? text.replaceAll(/^#( .*)?\n/gm, "") : text;
  const known = LANGUAGES.get(language);
  const html =
    language === "console" ? session(shown)
    : known ? highlighter.highlight(shown.trimEnd(), { language: known }).value
    : escapeHtml(shown.trimEnd());
  return `<pre data-language="${escapeHtml(language || "text")}" tabindex="0"><code>${html}</code></pre>\n`;
}

const { rules } = markdown.renderer;
rules.fence = (tokens, at) => code(tokens[at].content, tokens[at].info.trim());
rules.code_block = (tokens, at) => code(tokens[at].content, "");
rules.table_open = () => '<div class="table" role="region" aria-label="Table" tabindex="0"><table>\n';
rules.table_close = () => "</table></div>\n";
rules.heading_close = (tokens, at) => {
  const { tag } = tokens[at];
  const anchor = tokens[at - 2].attrGet("id");
  const label = escapeHtml(`Link to "${plain(tokens[at - 1])}"`);
  return tag === "h1" ? "</h1>\n" : `<a class="anchor" href="#${anchor}" aria-label="${label}">#</a></${tag}>\n`;
};
rules.link_open = (tokens, at, options, { page }, self) => {
  tokens[at].attrSet("href", linkTo(tokens[at].attrGet("href"), page));
  return self.renderToken(tokens, at, options);
};
const image = rules.image;
rules.image = (tokens, at, options, env, self) => {
  tokens[at].attrSet("src", pictureTo(tokens[at].attrGet("src"), env.page));
  return image(tokens, at, options, env, self);
};
const html = (tokens, at, _, { page }) =>
  tokens[at].content
    .replaceAll(/<!--.*?-->\n?/gs, "")
    .replaceAll(/(src|srcset)="([^"]+)"/g, (_, name, link) => `${name}="${pictureTo(link, page)}"`)
    .replaceAll(/href="([^"]+)"/g, (_, link) => `href="${linkTo(link, page)}"`);
rules.html_block = html;
rules.html_inline = html;
for (const name of ["th_open", "td_open"]) {
  // The policy of the site allows no styles in attributes. Cells with much text stay wide on phones: the table scrolls.
  rules[name] = (tokens, at, options, env, self) => {
    const { length } = plain(tokens[at + 1]);
    const side = tokens[at].attrGet("style")?.split(":")[1];
    const classes = [side, length > 60 ? "much" : length > 20 ? "some" : ""].filter(Boolean);
    tokens[at].attrs = classes.length > 0 ? [["class", classes.join(" ")]] : null;
    return self.renderToken(tokens, at, options);
  };
}

// The pages.

const template = await readFile(at("page.html"), "utf8");
const order = [...pages.values()];

function navigation(page) {
  const link = ({ page: target, anchor, text }) => {
    const here = target === page && !anchor ? ' aria-current="page"' : "";
    const address = posix.relative(posix.dirname(page.name), target.name) + (anchor ? `#${anchor}` : "");
    return `<li><a href="${address}"${here}>${escapeHtml(text)}</a></li>`;
  };
  const group = ({ title, links }) => `<h2>${escapeHtml(title)}</h2>\n<ul>\n${links.map(link).join("\n")}\n</ul>`;
  return groups.map(group).join("\n");
}

function onThisPage({ headings }) {
  const chosen = headings.filter(({ level }) => level === 2 || level === 3);
  if (chosen.length < 3) return "";
  const link = ({ anchor, text }) => `<a href="#${anchor}">${escapeHtml(text)}</a>`;
  const items = chosen.map((heading) => `<li class="level-${heading.level}">${link(heading)}</li>`).join("\n");
  return `<details id="ui-on-this-page"><summary>On this page</summary>\n<ul>\n${items}\n</ul></details>`;
}

function neighbours(page) {
  const place = order.indexOf(page);
  const link = (to, rel, sign) => {
    const address = to && posix.relative(posix.dirname(page.name), to.name);
    return to ? `<a rel="${rel}" href="${address}"><small>${sign}</small>${escapeHtml(to.title)}</a>` : "<span></span>";
  };
  return link(order[place - 1], "prev", "← Before") + link(order[place + 1], "next", "Next →");
}

/** The first sentence of a page. */
function description({ tokens }) {
  const paragraph = tokens.findIndex(({ type }) => type === "paragraph_open");
  return plain(tokens[paragraph + 1]).split(/(?<=[.?!]) /)[0];
}

for (const page of order) {
  const top = posix.relative(posix.dirname(page.name), ".") || ".";
  const fields = {
    title: page.path === "docs/README.md" ? escapeHtml(page.title) : `${escapeHtml(page.title)} – pgn2fen`,
    description: escapeHtml(description(page)),
    top: `${top}/`,
    games: values.page ? `<a href="${top}/${values.page}">Open PGN files</a>` : "",
    repository: REPOSITORY,
    source: `${REPOSITORY}/blob/main/${page.path}`,
    navigation: navigation(page),
    contents: onThisPage(page),
    neighbours: neighbours(page),
    content: markdown.renderer.render(page.tokens, markdown.options, { page }),
  };
  const html = template.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => fields[name]);
  await mkdir(dirname(`${out}/${page.name}`), { recursive: true });
  await writeFile(`${out}/${page.name}`, html);
}

for (const [name, path] of pictures) {
  await stat(ROOT + path);
  await mkdir(`${out}/figures`, { recursive: true });
  await cp(ROOT + path, `${out}/${name}`);
}

// The search reads text, in sections: a page, a heading, its anchor and what follows it.

function sectionsOf(page, number) {
  const sections = [];
  page.tokens.forEach((token, at) => {
    const section = sections.at(-1);
    const { type } = page.tokens[at - 1] ?? {};
    if (token.type === "heading_open") {
      // The title of a page is its address without an anchor.
      const anchor = token.tag === "h1" ? "" : token.attrGet("id");
      sections.push({ heading: plain(page.tokens[at + 1]), anchor, text: "", terms: "" });
    } else if (token.type === "inline" && type !== "heading_open") {
      section.text += `${plain(token)}${type === "td_open" ? " · " : " "}`;
      // What the rows of a table explain, such as options.
      const isFirst = type === "td_open" && page.tokens[at - 2].type === "tr_open";
      const codes = token.children.filter(({ type }) => type === "code_inline");
      if (isFirst) section.terms += `${codes.map(({ content }) => content).join(" ")} `;
    } else if (/^(fence|code_block)$/.test(token.type)) {
      section.text += `${token.content} `;
    }
  });
  const clean = (text) => text.replaceAll(/\s+/g, " ").trim();
  return sections.map(({ heading, anchor, text, terms }) => [number, heading, anchor, clean(text), clean(terms)]);
}

// The table of contents, changes and introductions have the words of the pages, too, and come behind them.
const isBehind = ({ path }) => (/^docs\/[a-z-]+\.md$/.test(path) ? 0 : 1);
const texts = {
  pages: order.map((page) => [page.name, page.title, isBehind(page)]),
  sections: order.flatMap(sectionsOf),
};
await writeFile(`${out}/texts.js`, `globalThis.guideTexts=${JSON.stringify(texts)};\n`);

// The colours are those of the explorer.
const common = await readFile(at("../../crates/explorer/src/page/common.css"), "utf8");
const end = common.indexOf("*, ::before");
if (end < 0) throw new Error("common.css does not begin with its colours any more");
const css = common.slice(0, end) + (await readFile(at("guide.css"), "utf8"));
const style = await esbuild.transform(css, { loader: "css", minify: true, target: "es2022" });
await writeFile(`${out}/guide.css`, style.code);
await esbuild.build({
  entryPoints: [at("guide.js")],
  outfile: `${out}/guide.js`,
  bundle: true,
  format: "iife",
  minify: true,
  target: "es2022",
  logLevel: "warning",
});
console.log(`${order.length} pages and ${pictures.size} pictures in ${out}`);
