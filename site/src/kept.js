// Files that stay in the browser until the next visit, if somebody wants that: in IndexedDB, which copies them. Nothing is sent anywhere.

import { $, settings } from "../../crates/explorer/src/page/dom.js";

/** Runs a request on the store of files, which is made when it is first needed. */
function withStore(mode, request) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("pgn2fen", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("files");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction("files", mode);
      const asked = request(transaction.objectStore("files"));
      transaction.oncomplete = () => {
        database.close();
        resolve(asked.result);
      };
      transaction.onabort = () => {
        database.close();
        reject(transaction.error);
      };
    };
  });
}

export class KeptFiles {
  #box = $("keep-files");
  #opened;
  /** What is written and forgotten, one after another. */
  #last = Promise.resolve();

  /** `opened()` returns the files that are open, and the language of their moves: `{ inputs, lang }`. */
  constructor(opened) {
    this.#opened = opened;
    this.#box.checked = settings.get("keep-files") === "on";
    this.#box.addEventListener("change", () => (this.#box.checked ? this.keep() : this.#forget()));
  }

  /** Returns the files that were kept, or null. */
  async find() {
    if (!this.#box.checked) return null;
    return (await withStore("readonly", (files) => files.get("open")).catch(() => null)) ?? null;
  }

  /** Keeps the files that are open, if the box is ticked. */
  keep() {
    if (!this.#box.checked) return;
    const opened = this.#opened();
    settings.set("keep-files", "on");
    $("kept").textContent = "";
    this.#next(async () => {
      try {
        await withStore("readwrite", (files) => files.put(opened, "open"));
        $("kept").textContent = "Kept.";
      } catch (error) {
        this.#box.checked = false;
        const reason = error?.name === "QuotaExceededError" ? "the browser has no room for them" : (error?.message ?? "the browser refuses it");
        await this.#clear();
        $("kept").textContent = `They cannot be kept: ${reason}.`;
      }
    });
  }

  #forget() {
    this.#next(async () => {
      await this.#clear();
      $("kept").textContent = "Forgotten.";
    });
  }

  async #clear() {
    settings.set("keep-files", "off");
    await withStore("readwrite", (files) => files.clear()).catch(() => {});
  }

  #next(act) {
    this.#last = this.#last.then(act);
  }
}
