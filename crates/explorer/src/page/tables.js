// The tables of an explorer: the moves that were played in a position, with their results, and the games that reached it.

import { attempt, count, isPlain, joined, make } from "./dom.js";

/** Percentages that sum to 100. */
function percentages(numbers) {
  const sum = numbers.reduce((a, b) => a + b, 0);
  if (!sum) return numbers.map(() => 0);
  const exact = numbers.map((number) => (number * 100) / sum);
  const floors = exact.map(Math.floor);
  const rest = 100 - floors.reduce((a, b) => a + b, 0);
  const order = exact.map((value, at) => at).sort((a, b) => exact[b] - floors[b] - (exact[a] - floors[a]));
  for (const at of order.slice(0, rest)) floors[at] += 1;
  return floors;
}

const SIDES = ["white", "draws", "black"];
const WINS = { white: "White wins", draws: "draws", black: "Black wins" };

/** A bar of the results. Its text names all three shares; a share is written into the bar if there is room. */
export function bar(row) {
  const numbers = SIDES.map((side) => row[side]);
  if (!numbers.some(Boolean)) return make("span", { class: "none" }, "no results");
  const shares = percentages(numbers);
  const text = `White ${shares[0]}%, draws ${shares[1]}%, Black ${shares[2]}%`;
  const parts = SIDES.map((side, at) => {
    const part = make("span", { class: side }, shares[at] >= 13 ? `${shares[at]}%` : "");
    part.style.width = `${(numbers[at] * 100) / (row.white + row.draws + row.black)}%`;
    return part;
  });
  const title = SIDES.map((side, at) => `${WINS[side]}: ${count.format(numbers[at])}`);
  if (row.unknown) title.push(`without a result: ${count.format(row.unknown)}`);
  return make(
    "div",
    { class: "results", title: title.join("\n") },
    make("span", { class: "unseen" }, text),
    make("span", { class: "bar", "aria-hidden": "true" }, ...parts),
  );
}

const totalOf = (row) => row.white + row.draws + row.black + row.unknown;

const number = (...children) => make("td", { class: "number" }, ...children);

/**
 * The rows of a table of moves, and the row of their sums. `use` has the functions `play(move)`; `point(move)`, which shows the move on the
 * board, or nothing; and `href(move)`, the address of the position after the move, or null.
 */
export function moveRows(moves, use) {
  const played = moves.reduce((sum, move) => sum + totalOf(move), 0);
  const sums = Object.fromEntries([...SIDES, "unknown"].map((name) => [name, moves.reduce((sum, move) => sum + move[name], 0)]));
  const all = [make("th", { scope: "row" }, "All"), number(make("span", {}, count.format(played))), make("td", { class: "number share" }), make("td", { class: "outcome" }, bar(sums))];
  const sum = make("tr", {}, ...all, number(), make("td", { class: "number performance" }), make("td", { class: "number year" }), make("td", { class: "roomy" }));
  return { rows: moves.map((move) => moveRow(move, played, use)), sum };
}

function moveRow(move, played, { play, point, href }) {
  const total = totalOf(move);
  const name = move.opening ? `${move.opening.eco} ${move.opening.name}` : "";
  const go = () => play(move);
  const [show, hide] = [() => point(move), () => point(null)];
  const small = name ? make("small", { class: "cramped" }, name) : null;
  const percent = (total * 100) / played;
  const share = percent < 0.5 ? "<1%" : `${Math.round(percent)}%`;
  return make(
    "tr",
    { click: go, pointerenter: show, pointerleave: hide, focusin: show, focusout: hide },
    make("th", { scope: "row" }, rowLink(href(move), go, move.san)),
    number(make("span", {}, count.format(total))),
    make("td", { class: "number share" }, share),
    make("td", { class: "outcome" }, bar(move), small),
    number(String(move.averageRating ?? "")),
    make("td", { class: "number performance" }, String(move.performance ?? "")),
    make("td", { class: "number year" }, String(move.lastYear ?? "")),
    make("td", { class: "roomy" }, name),
  );
}

/** The link of a row, which does what a click on the row does. Without an address it is a button that looks like a link. */
function rowLink(href, act, ...text) {
  const click = (event) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return href ? make("a", { href, click }, ...text) : make("button", { type: "button", class: "link", click }, ...text);
}

/** The values by which the tables are sorted. A number is sorted from the greatest one, and a text from A. */
const KEYS = {
  san: (row) => row.san,
  games: totalOf,
  score: (row) => (2 * row.white + row.draws) / Math.max(1, row.white + row.draws + row.black),
  rating: (row) => row.averageRating,
  performance: (row) => row.performance,
  last: (row) => row.lastYear,
  opening: (row) => (row.opening ? `${row.opening.eco} ${row.opening.name}` : null),
  white: (row) => row.white.name,
  black: (row) => row.black.name,
  result: (row) => ({ "1-0": 3, "1/2-1/2": 2, "0-1": 1 })[row.result] ?? null,
  year: (row) => row.month ?? (row.year ? String(row.year) : null),
  event: (row) => row.event,
};
const FROM_A = new Set(["san", "opening", "white", "black", "event"]);

/** Sorts rows by a column, such as `rating`, or the other way round, `-rating`. Rows without a value are last. No order leaves them as they are. */
export function ordered(rows, order) {
  const [, minus, name] = order.match(/^(-?)(.*)$/);
  const key = KEYS[name];
  if (!key) return rows;
  const sign = FROM_A.has(name) === (minus === "-") ? -1 : 1;
  const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b, "en") : a - b);
  const values = new Map(rows.map((row) => [row, key(row)]));
  const isMissing = (value) => value === null || value === undefined || value === "";
  return [...rows].sort((a, b) => {
    const [x, y] = [values.get(a), values.get(b)];
    return isMissing(x) || isMissing(y) ? isMissing(x) - isMissing(y) : sign * compare(x, y);
  });
}

/** Makes the headings of a table buttons that sort it. `choose` gets the order: see `ordered`. */
export function sortable(table, order, choose) {
  for (const head of table.tHead.querySelectorAll("[data-sort]")) {
    const name = head.dataset.sort;
    if (!head.querySelector("button")) head.append(make("button", { type: "button", class: "heading" }, ...head.childNodes));
    // The rows are others with each answer.
    head.querySelector("button").onclick = () => choose(name);
    const isThis = order.replace("-", "") === name;
    const isAscending = FROM_A.has(name) !== order.startsWith("-");
    if (isThis) head.setAttribute("aria-sort", isAscending ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  }
}

/** The order after a click on a heading: from the better end, then from the other one, then as it was. */
export const nextOrder = (order, name) => (order === name ? `-${name}` : order === `-${name}` ? "" : name);

const ADDRESS = /\bhttps?:\/\/[^\s"<>]+/g;

/** A text without the addresses in it. If it is nothing else, the host stands for it. */
export function withoutAddresses(text) {
  const rest = text.replace(ADDRESS, "").replace(/\s+/g, " ").trim();
  return rest || text.replace(ADDRESS, (address) => attempt(() => new URL(address).host) ?? "");
}

/** The web page that a text names, as a short link; nothing if it names none. */
export function linkIn(text) {
  const address = attempt(() => new URL(text.match(ADDRESS)[0]));
  if (!address) return null;
  const path = address.pathname.replace(/\/$/, "");
  const name = address.host + (path.length > 24 ? `${path.slice(0, 23)}…` : path);
  return make("a", { href: address.href, target: "_blank", rel: "noopener noreferrer", title: address.href }, name);
}

const RESULTS = { "1/2-1/2": "½-½" };
export const resultText = (result) => RESULTS[result] ?? result;

/** The parts of a name. A name such as "Karjakin,Sergey" may be broken after the comma. */
const broken = (name) => name.split(/(?<=,)/).flatMap((part, at) => (at ? [make("wbr"), part] : [part]));

const player = ({ name, rating }) => [make("bdi", {}, ...broken(name || "?")), make("small", {}, rating ? ` ${rating}` : "")];

/** The rows of a table of games. `use` has the functions `open(game)` and `href(game)`. */
export function gameRows(list, { open, href }) {
  return list.map((game) => {
    const go = () => open(game);
    return make(
      "tr",
      { click: go },
      make("th", { scope: "row" }, rowLink(href(game), go, ...player(game.white))),
      make("td", {}, ...player(game.black)),
      make("td", { class: "result" }, resultText(game.result)),
      number(String(game.year ?? "")),
      make("td", { class: "roomy" }, ...joined([withoutAddresses(game.event ?? ""), game.eco].filter((text) => text && text !== "?"), ", ")),
    );
  });
}
