// The starting positions that are not the initial one, as a gallery of boards.

import { diagram } from "../../crates/explorer/src/page/board.js";
import { $, count, counted, games, make } from "../../crates/explorer/src/page/dom.js";

const STEP = 60;

/** What is written on the card of a start. */
const keyOf = (start) => `${start.games.length} ${start.fen}`;

export class Starts {
  #collection = null;
  #onOpen;
  #onList;
  #shown = STEP;

  /** `onOpen` gets the index of a game, and `onList` the games that have a start: `{ name, games }`. */
  constructor(onOpen, onList) {
    this.#onOpen = onOpen;
    this.#onList = onList;
    $("more-starts").addEventListener("click", () => {
      this.#shown += STEP;
      this.show();
    });
  }

  reset(collection) {
    this.#collection = collection;
    this.#shown = STEP;
    $("start-list").replaceChildren();
    this.show();
  }

  /** Shows the starts so far. Boards that are there already stay. */
  show() {
    const { starts, progress } = this.#collection;
    $("start-badge").textContent = count.format(starts.length);
    $("start-badge").hidden = !starts.length;
    if ($("starts-view").hidden) return;
    const all = starts.reduce((sum, start) => sum + start.games.length, 0);
    const so = progress.isDone ? "" : " so far";
    const some = `${counted(starts.length, "starting position")} other than the initial position${so}, in ${games(all)}.`;
    $("start-count").textContent = starts.length ? some : `All games begin in the initial position${so}.`;
    const gallery = $("start-list");
    starts.slice(0, this.#shown).forEach((start, at) => {
      const card = gallery.children[at];
      if (!card) gallery.append(this.#card(start, at));
      else if (card.dataset.key !== keyOf(start)) card.replaceWith(this.#card(start, at));
    });
    $("more-starts").hidden = starts.length <= this.#shown;
  }

  #card(start, at) {
    const name = `start ${at + 1}`;
    const turn = start.fen.split(" ")[1] === "b" ? "Black to move" : "White to move";
    const open = make(
      "button",
      { type: "button", class: "board-button", click: () => this.#onOpen(start.games[0]) },
      diagram(start.fen, `Open the first game of ${name}: ${start.fen}`),
    );
    const list = () => this.#onList({ name: `Start ${start.fen}`, games: start.games });
    return make(
      "li",
      { "data-key": keyOf(start) },
      open,
      make("span", { class: "about" }, turn),
      make("button", { type: "button", class: "link", click: list }, `List ${games(start.games.length)}`),
    );
  }
}
