// The players of the games, and the results of one of them: by opening, speed and rating of the opponent. The module counts them.

import { $, count, counted, games, make } from "../../crates/explorer/src/page/dom.js";
import { fold } from "./filter.js";
import { debounced, inSlices } from "./slices.js";

/** The most players that are listed, and the most openings that are shown at first. */
const MOST = 100;
const OPENINGS = 12;

/** The tables by what their games are divided by, with the heads of their first columns. */
const TABLES = { all: "All games", opening: "Opening", speed: "Speed", opponent: "Opponents" };
const COLORS = { white: "White", black: "Black" };

export class Players {
  #collection = null;
  #listed;
  #onList;
  /** The player whose results are shown, and whether all openings are. */
  #name = null;
  #isWhole = false;
  /** Ends the search that goes on. */
  #running = null;

  /** `listed` returns the games of the list, and `onList` gets the games of a player: `{ name, games }`. */
  constructor(listed, onList) {
    this.#listed = listed;
    this.#onList = onList;
    $("player-name").addEventListener("input", debounced(() => this.show(), 120));
    $("players-listed").addEventListener("change", () => this.show());
    $("all-players").addEventListener("click", () => {
      this.#name = null;
      this.show();
      $("player-name").focus();
    });
    $("list-player").addEventListener("click", async () => {
      const found = await this.#games(this.#begin());
      if (found) this.#onList({ name: this.#name, games: found });
    });
    $("more-openings").addEventListener("click", () => {
      this.#isWhole = true;
      this.show();
    });
  }

  reset(collection) {
    this.#collection = collection;
    this.#name = null;
    $("player-name").value = "";
    this.show();
  }

  /** Shows the players or the results, if they can be seen. */
  show() {
    if (!this.#collection || $("players-view").hidden) return;
    const isOne = this.#name !== null;
    $("players-choice").hidden = isOne;
    $("player-results").hidden = !isOne;
    if (isOne) this.#showResults();
    else this.#showPlayers();
  }

  /** Ends the search that goes on. Returns the signal of the next one. */
  #begin() {
    this.#running?.abort();
    this.#running = new AbortController();
    return this.#running.signal;
  }

  /** Calls a function for each game that counts. Returns false if something else is shown meanwhile. */
  #each(act, signal) {
    const listed = $("players-listed").checked ? this.#listed() : null;
    return inSlices(0, listed ? listed.length : this.#collection.size, (at) => act(listed ? listed[at] : at), signal);
  }

  /** The games of the player; null if something else is shown meanwhile. */
  async #games(signal) {
    const found = [];
    const isOf = (index) => ["White", "Black"].some((side) => this.#collection.text(side, index) === this.#name);
    return (await this.#each((index) => isOf(index) && found.push(index), signal)) ? found : null;
  }

  async #showPlayers() {
    const wanted = fold($("player-name").value.trim());
    const players = new Map();
    const add = (name) => /[^?\s]/.test(name) && fold(name).includes(wanted) && players.set(name, (players.get(name) ?? 0) + 1);
    if (!(await this.#each((index) => ["White", "Black"].forEach((side) => add(this.#collection.text(side, index))), this.#begin()))) return;
    const sorted = [...players].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    const more = sorted.length > MOST ? `, of which the first ${MOST} are listed` : "";
    $("players-count").textContent = sorted.length ? `${counted(sorted.length, "player")}${more}.` : "There is no such player.";
    const button = (name) => make("button", { type: "button", class: "link", click: () => this.#choose(name) }, name);
    $("player-list").replaceChildren(...sorted.slice(0, MOST).map(([name, number]) => make("li", {}, button(name), make("span", {}, games(number)))));
  }

  #choose(name) {
    this.#name = name;
    this.#isWhole = false;
    this.show();
    $("player-title").focus();
  }

  async #showResults() {
    const signal = this.#begin();
    $("player-title").textContent = this.#name;
    const found = await this.#games(signal);
    const rows = found && (await this.#collection.playerStats(this.#name, found));
    if (!rows || signal.aborted) return;
    const tables = Object.keys(TABLES).map((by) => this.#table(by, rows.filter((row) => row.by === by)));
    $("player-tables").replaceChildren(...tables.filter(Boolean));
  }

  #table(by, rows) {
    if (!rows.length) return null;
    const groups = [...new Set(rows.map((row) => row.group))];
    const shown = by === "opening" && !this.#isWhole ? groups.slice(0, OPENINGS) : groups;
    if (by === "opening") {
      $("more-openings").hidden = shown.length === groups.length;
      $("more-openings").textContent = `Show all ${count.format(groups.length)} openings`;
    }
    const body = shown.flatMap((group) => {
      const own = rows.filter((row) => row.group === group);
      return own.map((row, at) => this.#row(row, at ? null : make("th", { scope: "rowgroup", class: "group", rowspan: own.length }, by === "all" ? "" : group)));
    });
    const head = (text, name = "number", title = null) => make("th", { scope: "col", class: name }, title ? make("abbr", { title }, text) : text);
    return make(
      "table",
      { class: "stats" },
      make("caption", { class: "unseen" }, TABLES[by]),
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          head(TABLES[by], "group"),
          make("th", { scope: "col", class: "color" }, make("span", { class: "color-name" }, "Colour")),
          head("Games"),
          head("+ = −", "number", "wins, draws and losses"),
          head("Score"),
          head("Opponents", "number roomy", "mean rating of the opponents"),
          head("Perf.", "number", "performance: the mean rating of the opponents, and 400 times the wins less the losses, divided by the games"),
        ),
      ),
      make("tbody", {}, ...body),
    );
  }

  #row(row, group) {
    const cell = (text, name = "number") => make("td", { class: name }, text === null ? "" : String(text));
    const { wins, draws, losses, unknown } = row;
    const results = make("td", { class: "number results-of", title: unknown ? `without a result: ${unknown}` : null }, `+${wins} =${draws} −${losses}`);
    return make(
      "tr",
      {},
      group,
      make("td", { class: "color" }, make("span", { class: `disc ${row.color}`, "aria-hidden": "true" }), make("span", { class: "color-name" }, COLORS[row.color])),
      cell(count.format(row.games)),
      results,
      cell(row.score === null ? null : `${row.score}%`),
      cell(row.opponents, "number roomy"),
      cell(row.performance),
    );
  }
}
