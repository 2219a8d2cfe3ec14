// The list of games: searched, filtered and sorted, with check boxes. It is a grid of which only the rows on the screen are elements.

import { $, count, counted, games, make, say } from "../../crates/explorer/src/page/dom.js";
import { resultText } from "../../crates/explorer/src/page/tables.js";
import { filter } from "./filter.js";
import { sorted } from "./order.js";
import { debounced, inSlices } from "./slices.js";
import { isTold, titleWithoutPlayers } from "./titles.js";
import { VirtualRows } from "./virtual.js";

/** The columns: the name in the collection, the heading, and a class by which narrow lists leave some out. */
const COLUMNS = [
  ["White", "White", "player"],
  ["WhiteElo", "Elo", "number wide"],
  ["Black", "Black", "player"],
  ["BlackElo", "Elo", "number wide"],
  ["result", "Result", "result"],
  ["Date", "Date", "date"],
  ["Event", "Event", "event wide"],
  ["ECO", "ECO", "eco wide"],
  ["plies", "Moves", "number wider"],
];

/** The time after which a list that is still being read is sorted again, in milliseconds. */
const SORT_AGAIN = 1500;

export class GameList {
  #collection = null;
  #rows;
  #onOpen;
  #onChange;
  /** The indices of the games that are listed, in their order, and how many there are. */
  #listed = new Uint32Array(0);
  #length = 0;
  /** How many games of the collection the list takes into account. */
  #seen = 0;
  #order = { column: "number", isDown: false };
  #only = null;
  #chosen = new Set();
  #at = 0;
  #current = null;
  #running = null;
  #sortedAt = 0;
  /** Whether more games came while the list was being made. */
  #isStale = false;
  #isFiltered = false;

  /** `onOpen` gets the index of a game, and `onChange` is called when other games are listed or chosen. */
  constructor(onOpen, onChange) {
    this.#onOpen = onOpen;
    this.#onChange = onChange;
    this.#rows = new VirtualRows($("list"), $("list-body"), (at) => this.#row(at));
    $("list-head").append(this.#head());
    const again = debounced(() => this.refresh(true), 120);
    $("filter-form").addEventListener("input", again);
    $("filter-form").addEventListener("submit", (event) => event.preventDefault());
    $("filter-form").addEventListener("reset", () => {
      this.#only = null;
      setTimeout(again);
    });
    $("sort").addEventListener("change", () => {
      const [column, direction] = $("sort").value.split(" ");
      this.#sortBy(column, direction === "down");
    });
    $("list").addEventListener("keydown", (event) => this.#key(event));
    $("list-body").addEventListener("click", (event) => this.#click(event));
    $("only-chip-remove").addEventListener("click", () => this.only(null));
    $("choose-none").addEventListener("click", () => {
      this.#chosen.clear();
      this.#changed();
      $("list").focus();
    });
  }

  /** Lists the games of another collection. */
  reset(collection) {
    this.#collection = collection;
    this.#only = null;
    this.#chosen.clear();
    this.#current = null;
    this.#at = 0;
    this.refresh(true);
  }

  /** The indices of the listed games, in their order. */
  get listed() {
    return this.#listed.subarray(0, this.#length);
  }

  get chosen() {
    return [...this.#chosen].sort((a, b) => a - b);
  }

  /** A bit for each game of the collection that is listed, or null if all are. */
  passes() {
    const size = this.#collection?.size ?? 0;
    if (!this.#isFiltered) return null;
    const bits = new Uint8Array(Math.ceil(size / 8));
    for (const index of this.listed) bits[index >> 3] |= 1 << (index & 7);
    return bits;
  }

  /** The index of the game before or after the open one in the list, or null. */
  neighbour(step) {
    const at = this.listed.indexOf(this.#current);
    return at < 0 ? (this.#length ? this.#listed[0] : null) : (this.listed[at + step] ?? null);
  }

  /** Marks the game that is open. */
  mark(index, isQuiet) {
    this.#current = index;
    const at = this.listed.indexOf(index);
    if (at >= 0) {
      this.#at = at;
      if (!isQuiet) this.#rows.reveal(at);
    }
    this.#rows.draw();
  }

  /** Lists only some games, such as those that begin in a position: `{ name, games }`. Null lists the others again. */
  only(some) {
    this.#only = some && { name: some.name, games: new Set(some.games) };
    this.refresh(true);
  }

  #criteria() {
    const criteria = Object.fromEntries(new FormData($("filter-form")));
    if (this.#only) criteria.games = this.#only.games;
    return criteria;
  }

  /**
   * Lists the games that pass the filters. While files are read, further games are added at the end; a sorted list is sorted again from time
   * to time. `isNew` says that the filters or the order have changed.
   */
  async refresh(isNew = false) {
    const collection = this.#collection;
    if (!collection) return;
    if (this.#running && !isNew) {
      this.#isStale = true;
      return;
    }
    this.#running?.abort();
    const running = (this.#running = new AbortController());
    const { signal } = running;
    const isSorted = this.#order.column !== "number" || this.#order.isDown;
    if (!isNew && isSorted && !collection.progress.isDone && performance.now() - this.#sortedAt < SORT_AGAIN) {
      this.#running = null;
      return;
    }
    const isAppending = !isNew && !isSorted;
    const size = collection.size;
    const found = new Uint32Array(size);
    let length = isAppending ? this.#length : 0;
    found.set(isAppending ? this.listed : []);
    const criteria = this.#criteria();
    const test = filter(collection, criteria);
    const add = (index) => test.passes(index) && (found[length++] = index);
    if (!(await inSlices(isAppending ? this.#seen : 0, size, add, signal))) return;
    const listed = isSorted ? await sorted(collection, found.subarray(0, length), this.#order, signal) : found;
    if (!listed || signal.aborted) return;
    this.#running = null;
    this.#isFiltered = !test.isEmpty;
    const { isDone } = collection.progress;
    this.#sortedAt = performance.now();
    [this.#listed, this.#length, this.#seen] = [listed, length, size];
    if (isNew) {
      const at = this.listed.indexOf(this.#current);
      this.#at = Math.max(0, at);
      if (at < 0) $("list").scrollTop = 0;
    }
    this.#showFilters(criteria, test.isEmpty);
    this.#changed();
    if (isNew && !test.isEmpty && collection.progress.isDone) say(`${games(length)} listed.`);
    if (this.#isStale || (isDone && collection.size > size)) {
      this.#isStale = false;
      this.refresh();
    }
  }

  #showFilters(criteria, isEmpty) {
    const inUse = [...$("filters").querySelectorAll("input, select")].filter(
      (field) => field.id !== "sort" && field.name !== "color" && criteria[field.name],
    ).length;
    $("filter-count").textContent = inUse ? `(${inUse})` : "";
    $("only-chip").hidden = !this.#only;
    if (this.#only) $("only-chip").firstElementChild.textContent = this.#only.name;
    $("reset-filters").hidden = isEmpty;
  }

  #changed() {
    const { size } = this.#collection;
    const length = this.#length;
    this.#rows.resize(length);
    $("list").setAttribute("aria-rowcount", length + 1);
    $("list-count").textContent = length === size ? games(size) : `${count.format(length)} of ${games(size)}`;
    $("list-empty").hidden = length > 0 || !this.#collection.progress.isDone;
    $("list-empty").textContent = size ? "No game passes the search and the filters." : "There is no game in these files.";
    const chosen = this.#chosen.size;
    $("chosen-count").textContent = chosen ? `${count.format(chosen)} chosen` : "";
    $("choose-none").hidden = !chosen;
    const all = $("choose-all");
    const listed = chosen ? this.listed.reduce((sum, index) => sum + (this.#chosen.has(index) ? 1 : 0), 0) : 0;
    all.checked = length > 0 && listed === length;
    all.indeterminate = listed > 0 && listed < length;
    this.#onChange();
  }

  // The grid.

  #head() {
    const all = make("input", {
      type: "checkbox",
      id: "choose-all",
      "aria-label": "Choose all games that are listed",
      change: () => this.#chooseAll(),
    });
    const cells = COLUMNS.map(([column, title, kind]) => {
      const sort = () => this.#sortBy(column, this.#order.column === column && !this.#order.isDown);
      const name = title === "Elo" ? { "aria-label": `${column.startsWith("White") ? "White" : "Black"} Elo` } : {};
      return make(
        "span",
        { role: "columnheader", class: kind, "data-column": column },
        make("button", { type: "button", click: sort, ...name }, title),
      );
    });
    return make(
      "div",
      { role: "row", "aria-rowindex": "1", class: "row-of-list" },
      make("span", { role: "columnheader", class: "box" }, make("label", {}, all)),
      ...cells,
    );
  }

  #sortBy(column, isDown) {
    this.#order = { column, isDown };
    for (const cell of $("list-head").querySelectorAll("[data-column]")) {
      const isThis = cell.dataset.column === column;
      if (isThis) cell.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
    $("sort").value = `${column} ${isDown ? "down" : "up"}`;
    this.refresh(true);
  }

  #row(at) {
    const index = this.#listed[at];
    const collection = this.#collection;
    const isChosen = this.#chosen.has(index);
    const cell = ([column, , kind]) =>
      make(
        "span",
        { role: "gridcell", class: kind, title: kind === "player" || column === "Event" ? collection.text(column, index) : null },
        ...this.#cell(collection, column, index),
      );
    const names = ["White", "Black"].map((color) => this.#name(collection, color, index)).filter(Boolean).join(" – ");
    const box = make("input", { type: "checkbox", tabindex: "-1", "aria-label": `Choose ${names}` });
    box.checked = isChosen;
    const attributes = { role: "row", id: `row-${at}`, "data-at": at, "aria-rowindex": at + 2, "aria-selected": String(isChosen) };
    const classes = ["row-of-list"];
    if (index === this.#current) {
      classes.push("open");
      attributes["aria-current"] = "true";
    }
    if (at === this.#at) {
      classes.push("active");
      $("list").setAttribute("aria-activedescendant", `row-${at}`);
    }
    return make(
      "div",
      { ...attributes, class: classes.join(" ") },
      make("span", { role: "gridcell", class: "box" }, make("label", {}, box)),
      ...COLUMNS.map(cell),
    );
  }

  /** The name of a player. Where neither player is known, the title of the game stands in the first column. */
  #name(collection, column, index) {
    const players = ["White", "Black"].map((color) => collection.text(color, index));
    if (players.some(isTold)) return players[column === "White" ? 0 : 1] || "?";
    return column === "White" ? titleWithoutPlayers((tag) => (tag === "Event" ? collection.text(tag, index) : ""), index + 1) : "";
  }

  #cell(collection, column, index) {
    if (column === "White" || column === "Black") {
      const rating = collection.number(`${column}Elo`, index);
      const isFaulty = column === "White" && collection.number("errors", index) > 0;
      const fault = isFaulty
        ? make("span", { class: "warning", role: "img", "aria-label": "has an error", title: "This game has an error" }, "!")
        : null;
      return [
        fault,
        make("span", { class: "name" }, this.#name(collection, column, index)),
        rating ? make("small", { class: "rating" }, String(rating)) : null,
      ];
    }
    if (column === "result") return [resultText(collection.result(index))];
    if (column === "plies") return [String(Math.ceil(collection.number("plies", index) / 2))];
    if (column === "WhiteElo" || column === "BlackElo") return [String(collection.number(column, index) || "")];
    const text = collection.text(column, index);
    if (/^[?.]*$/.test(text)) return [];
    if (column !== "Date") return [text];
    // Narrow lists show the year only.
    const [, year, rest] = text.replace(/\.\?\?/g, "").match(/^(\d{4})?(.*)$/s);
    return [year, rest ? make("span", { class: year ? "month" : "" }, rest) : null];
  }

  // Choosing and opening.

  #choose(at) {
    const index = this.#listed[at];
    if (!this.#chosen.delete(index)) this.#chosen.add(index);
    this.#changed();
  }

  #chooseAll() {
    const isAdding = $("choose-all").checked;
    for (const index of this.listed) {
      if (isAdding) this.#chosen.add(index);
      else this.#chosen.delete(index);
    }
    this.#changed();
    say(`${counted(this.#chosen.size, "game")} chosen.`);
  }

  #click(event) {
    const row = event.target.closest("[data-at]");
    if (!row) return;
    const at = Number(row.dataset.at);
    this.#at = at;
    if (event.target.closest(".box")) {
      // The label and its box are one click. The box is drawn again.
      event.preventDefault();
      this.#choose(at);
    } else {
      this.#onOpen(this.#listed[at]);
    }
  }

  #key(event) {
    if (event.target !== $("list") || event.ctrlKey || event.metaKey || event.altKey) return;
    const { page } = this.#rows;
    const last = this.#length - 1;
    const moves = { ArrowUp: this.#at - 1, ArrowDown: this.#at + 1, PageUp: this.#at - page, PageDown: this.#at + page, Home: 0, End: last };
    if (event.key in moves) {
      this.#at = Math.max(0, Math.min(last, moves[event.key]));
      this.#rows.reveal(this.#at);
    } else if (event.key === "Enter" && last >= 0) {
      this.#onOpen(this.#listed[this.#at]);
    } else if (event.key === " " && last >= 0) {
      this.#choose(this.#at);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
