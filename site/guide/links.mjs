// Whether the links of the built guide lead somewhere: to a file of the site and an anchor on it, or to a file of the
// repository. Nothing is asked of the network.

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { REPOSITORY, ROOT } from "./pages.mjs";

const SIGNS = { quot: '"', lt: "<", gt: ">", amp: "&" };
const decoded = (text) => text.replaceAll(/&(quot|lt|gt|amp);/g, (_, name) => SIGNS[name]);

/** The values of attributes in the tags of a page; code is text, in which `<` is written as an entity. */
function* attributes(html, ...names) {
  for (const [tag] of html.matchAll(/<[a-z][^<>]*>/g)) {
    for (const [, name, value] of tag.matchAll(/\s([a-z-]+)="([^"]*)"/g)) {
      if (names.includes(name)) yield decoded(value);
    }
  }
}

/** Reads the files of a built guide: their text by their names, and no text for pictures. */
export async function readSite(folder) {
  const site = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const name = path.slice(join(folder, "/").length).replaceAll("\\", "/");
    site.set(name, /\.(html|js)$/.test(name) ? await readFile(path, "utf8") : "");
  }
  return site;
}

/** Returns what is wrong with the links of a site, and how many links it has. */
export function checkLinks(site) {
  const faults = [];
  let count = 0;
  const anchors = new Map();
  const pages = [...site].filter(([name]) => name.endsWith(".html"));
  for (const [name, html] of pages) {
    const ids = [...attributes(html, "id")];
    anchors.set(name, new Set(ids));
    const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
    if (twice.length > 0) faults.push(`${name}: two elements with the id ${twice.join(", ")}`);
  }
  const check = (name, link) => {
    count += 1;
    if (/^(data|mailto):/.test(link)) return;
    if (/^https?:/.test(link)) {
      const path = link.split(`${REPOSITORY}/blob/main/`)[1]?.split("#")[0];
      if (path !== undefined && !existsSync(ROOT + path)) faults.push(`${name}: ${link} is not in the repository`);
      return;
    }
    const [file, anchor] = link.split("#");
    const target = file === "" ? name : posix.join(posix.dirname(name), file);
    const isThere = anchor === undefined || anchors.get(target)?.has(decodeURIComponent(anchor));
    if (!site.has(target)) faults.push(`${name}: there is no ${link}`);
    else if (!isThere) faults.push(`${name}: ${link} has no such heading`);
  };
  for (const [name, html] of pages) {
    for (const link of attributes(html, "href", "src", "srcset")) check(name, link);
  }
  // The search leads to sections.
  const texts = site.get("texts.js");
  if (texts) {
    const { pages: found, sections } = JSON.parse(texts.slice(texts.indexOf("{"), texts.lastIndexOf("}") + 1));
    for (const [page, , anchor] of sections) check("index.html", found[page][0] + (anchor ? `#${anchor}` : ""));
  }
  return { faults, count };
}
