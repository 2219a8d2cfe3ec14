// What is wrong with the files: errors and warnings with their places. A click opens the game there.

import { $, copy, count, counted, make } from "../../crates/explorer/src/page/dom.js";
import { advised, offer, withoutAdvice } from "../../crates/explorer/src/page/letters.js";

const STEP = 100;

/** Returns the index of the game of a message, or null. The games of a file have indices in a row, and their numbers grow. */
export function gameOf(collection, message) {
  if (message.game === null || message.game === undefined) return null;
  let first = 0;
  for (const file of collection.files) {
    const end = first + file.games;
    if (file.name === message.file) {
      let [low, high] = [first, end];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (collection.number("number", middle) < message.game) low = middle + 1;
        else high = middle;
      }
      if (low < end && collection.number("number", low) === message.game) return low;
    }
    first = end;
  }
  return null;
}

/** The place of a message, as `games.pgn, line 12, column 5`. */
const placeOf = ({ file, line, column }) =>
  [file, line ? `line ${count.format(line)}` : "", line && column ? `column ${column}` : ""].filter(Boolean).join(", ");

const textOf = (message) => message.full ?? String(message);

export class Problems {
  #collection = null;
  #onOpen;
  #onLetters;
  #shown = STEP;
  #kind = "";

  /** `onOpen` gets the index of a game and the ply of a problem, and `onLetters` the language of the piece letters of the files. */
  constructor(onOpen, onLetters) {
    this.#onOpen = onOpen;
    this.#onLetters = onLetters;
    $("problem-kind").addEventListener("change", () => {
      this.#kind = $("problem-kind").value;
      this.#shown = STEP;
      this.show();
    });
    $("more-problems").addEventListener("click", () => {
      this.#shown += 10 * STEP;
      this.show();
    });
    $("copy-problems").addEventListener("click", (event) => copy(event.currentTarget, `${this.#list().map(textOf).join("\n")}\n`));
  }

  reset(collection) {
    this.#collection = collection;
    this.#shown = STEP;
    this.show();
  }

  #list() {
    const { messages } = this.#collection;
    return this.#kind ? messages.filter((message) => message.isError === (this.#kind === "errors")) : messages;
  }

  /** Shows the messages so far. */
  show() {
    const { errors, warnings, messages, progress } = this.#collection;
    const total = errors + warnings;
    $("problem-badge").textContent = total ? count.format(total) : "";
    $("problem-badge").hidden = !total;
    if ($("problems-view").hidden) return;
    const told = [errors ? counted(errors, "error") : "", warnings ? counted(warnings, "warning") : ""].filter(Boolean);
    const nothing = progress.isDone ? "Nothing is wrong with these files." : "Nothing wrong has been found so far.";
    const cut = messages.length < total ? ` The first ${count.format(messages.length)} are listed.` : "";
    $("problem-count").textContent = told.length ? `${told.join(", ")}.${cut}` : nothing;
    $("problem-tools").hidden = !total;
    const letters = messages.map((message) => advised(message.reason)).find((names) => names.length);
    offer($("problem-letters"), letters ?? [], this.#onLetters);
    const list = this.#list();
    const body = $("problem-list");
    const key = `${this.#kind} ${list.length} ${this.#shown}`;
    if (body.dataset.key === key && body.childElementCount) return;
    body.dataset.key = key;
    body.replaceChildren(...list.slice(0, this.#shown).map((message) => this.#item(message)));
    $("more-problems").hidden = list.length <= this.#shown;
  }

  #item(message) {
    const kind = make("span", { class: message.isError ? "kind error" : "kind" }, message.isError ? "error" : "warning");
    const reason = message.subject ? [make("code", {}, message.subject), " ", withoutAdvice(message.reason)] : [withoutAdvice(message.text || message.reason)];
    const parts = [make("span", { class: "place" }, placeOf(message), kind), make("span", { class: "reason" }, ...reason)];
    const index = gameOf(this.#collection, message);
    const open = () => this.#onOpen(index, message.ply ?? 0);
    return make("li", {}, index === null ? make("div", {}, ...parts) : make("button", { type: "button", click: open }, ...parts));
  }
}
