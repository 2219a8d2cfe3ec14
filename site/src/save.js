// Saving: games as PGN, positions in the formats of the command, and the position on the board as a picture. Everything is made by the page
// itself; the browser saves it like a download.

import { scan } from "pgn2fen";
import { $, count, counted, games, make, say } from "../../crates/explorer/src/page/dom.js";

/** The formats: name, ending of the file, and which groups of options apply. */
const FORMATS = {
  pgn: { name: "PGN: the games as they are", ending: "pgn", options: [] },
  fen: { name: "FEN: a line for each position", ending: "fen", options: ["plies", "unique", "variations"] },
  csv: { name: "CSV: a table for spreadsheets", ending: "csv", options: ["plies", "unique", "variations", "columns"] },
  tsv: { name: "TSV: a table with tabs", ending: "tsv", options: ["plies", "unique", "variations", "columns"] },
  jsonl: { name: "JSON lines: an object for each position", ending: "jsonl", options: ["plies", "unique", "variations", "columns"] },
  epd: { name: "EPD: positions with operations", ending: "epd", options: ["plies", "unique", "variations", "columns"] },
  bullet: { name: "Training set: text for bullet", ending: "txt", options: ["plies", "unique", "variations", "evals", "quiet"] },
  viri: { name: "Training set: viriformat", ending: "viri", options: ["plies", "evals"] },
  bulletformat: { name: "Training set: bulletformat", ending: "bullet", options: ["plies", "unique", "variations", "evals", "quiet"] },
  plain: { name: "Training set: plain text of Stockfish", ending: "plain", options: ["plies", "unique", "variations", "evals", "quiet"] },
};
/** Offered if moves were tried on the board. */
const TRIED = { tried: { name: "PGN: with the moves that were tried", ending: "pgn", options: [] } };
const PICTURES = {
  fen: { name: "FEN", ending: "fen", options: [] },
  svg: { name: "SVG picture", ending: "svg", options: ["picture"] },
  png: { name: "PNG picture", ending: "png", options: ["picture"] },
};
const TRAINING = new Set(["bullet", "viri", "bulletformat", "plain"]);

/** Lets the browser save a blob as a file. */
function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Draws a picture as pixels. */
async function toPng(svg, size) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = make("canvas", { width: size, height: size });
  canvas.getContext("2d").drawImage(image, 0, 0, size, size);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture cannot be drawn"))), "image/png"),
  );
}

/** A file name of a text: letters, digits and hyphens. */
const fileName = (text) =>
  text
    .replace(/[^\p{L}\p{N}-]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 80) || "games";

/** What was left out or is wrong, in the words of the report. The name of an option of the command is not one of this page. */
function reasonsOf(report) {
  const hints = report.hints.map((hint) => `${hint.replace(/^\w+: /, "")}.`);
  const faults = report.errors ? [`${counted(report.errors, "error")} in the games: the positions before it are written.`] : [];
  return [...hints, ...faults].map((text) => text[0].toUpperCase() + text.slice(1)).join(" ");
}

/** Writes a size in bytes for people. */
function sizeText(bytes) {
  if (bytes < 1000) return counted(bytes, "byte");
  const [unit, name] = bytes < 1e6 ? [1e3, "kB"] : bytes < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${(bytes / unit).toFixed(1)} ${name}`;
}

export class SaveDialog {
  #dialog = $("save-dialog");
  #form = $("save-form");
  #view;
  #list;
  #collection;
  #saving = null;

  /** `view` has the game and the position, `list` the listed and the chosen games, and `collection()` returns all games. */
  constructor({ view, list, collection }) {
    this.#view = view;
    this.#list = list;
    this.#collection = collection;
    this.#form.addEventListener("input", (event) => {
      if (event.target.name === "what") this.#showFormats();
      this.#showOptions();
      this.#tell("");
    });
    this.#form.addEventListener("submit", (event) => {
      if (event.submitter?.value === "close") return;
      event.preventDefault();
      this.#save();
    });
    this.#dialog.addEventListener("close", () => this.#saving?.abort());
  }

  get #what() {
    return this.#form.elements.what.value;
  }

  get #value() {
    return Object.fromEntries(new FormData(this.#form));
  }

  /** Opens the dialog for `listed` or `chosen` games, the `game` or the `position`. */
  open(what) {
    const chosen = this.#list.chosen.length;
    const number = { listed: this.#list.listed.length, chosen, game: this.#view.index === null ? 0 : 1, position: 1 };
    for (const radio of this.#form.elements.what) radio.disabled = !number[radio.value];
    this.#form.elements.what.value = what === "listed" && chosen ? "chosen" : number[what] ? what : "position";
    $("save-listed").textContent = `The games of the list (${count.format(number.listed)})`;
    $("save-chosen").textContent = `The chosen games (${count.format(chosen)})`;
    this.#showFormats();
    this.#showOptions();
    this.#tell("");
    this.#dialog.showModal();
  }

  /** The formats of what is to be saved. */
  get #formats() {
    const isPosition = this.#what === "position";
    const isOfTried = isPosition ? !this.#view.game : this.#what === "game";
    return { ...(isPosition ? PICTURES : FORMATS), ...(isOfTried && this.#view.triedPgn ? TRIED : {}) };
  }

  #showFormats() {
    const formats = this.#formats;
    const select = this.#form.elements.format;
    const before = select.value;
    select.replaceChildren(...Object.entries(formats).map(([value, { name }]) => make("option", { value }, name)));
    if (before in formats) select.value = before;
  }

  #showOptions() {
    const { format } = this.#value;
    const { options } = this.#formats[format];
    for (const group of this.#form.querySelectorAll("[data-options]")) group.hidden = !options.includes(group.dataset.options);
    $("save-note").hidden = !TRAINING.has(format);
  }

  #tell(text, isFault = false) {
    $("save-result").textContent = text;
    $("save-result").className = isFault ? "fault" : "";
    $("save-result").hidden = !text;
  }

  async #save() {
    const saving = (this.#saving = new AbortController());
    $("save-button").disabled = true;
    try {
      const { blob, name, told } = await this.#make(saving.signal);
      if (saving.signal.aborted) return;
      if (blob) download(blob, name);
      this.#tell(blob ? `Saved as ${name}, ${sizeText(blob.size)}. ${told}` : `Nothing was saved. ${told}`, !blob);
      say($("save-result").textContent);
    } catch (error) {
      if (!saving.signal.aborted) this.#tell(`It cannot be saved: ${error.message}`, true);
    } finally {
      $("save-button").disabled = false;
    }
  }

  #make(signal) {
    if (this.#value.format === "tried") {
      const blob = new Blob([this.#view.triedPgn], { type: "application/x-chess-pgn" });
      return { blob, name: `${this.#view.game ? this.#name() : "position"}-tried.pgn`, told: "" };
    }
    return this.#what === "position" ? this.#position() : this.#games(signal);
  }

  #indices() {
    if (this.#what === "game") return [this.#view.index];
    return this.#what === "chosen" ? this.#list.chosen : this.#list.listed;
  }

  #name() {
    if (this.#what === "game") return fileName(`${this.#view.game.tags.White ?? ""}-${this.#view.game.tags.Black ?? ""}`);
    const [first, ...others] = this.#collection().files;
    const name = fileName((first?.name ?? "games").replace(/(\.(pgn|zst|gz|bz2))+$/i, ""));
    return `${name}${others.length ? "_and_others" : ""}${this.#list.listed.length < this.#collection().size || this.#what === "chosen" ? "-selection" : ""}`;
  }

  /** Makes a file of games or of their positions. The blob is null if there is nothing in it. */
  async #games(signal) {
    const value = this.#value;
    const { ending } = FORMATS[value.format];
    const indices = this.#indices();
    const pgn = this.#collection().blob(indices);
    const name = `${this.#name()}.${ending}`;
    if (value.format === "pgn") return { blob: pgn, name, told: `It has ${games(indices.length)}.` };
    this.#tell("Working…");
    const columns = this.#columns(value);
    const result = scan(pgn, columns, {
      ...this.#options(value),
      name: "games.pgn",
      signal,
      onProgress: (progress) => this.#progress(progress, signal),
    });
    const blob = await result.blob(value.format);
    const { report } = result;
    const reasons = reasonsOf(report);
    if (!blob.size || !report.positions) return { blob: null, name, told: reasons || "No position passes these options." };
    // Positions that were met before are among those that were looked at.
    const told = value.unique ? "" : `${counted(report.positions, "position")} of ${games(report.games)}.`;
    return { blob, name, told: [told, reasons].filter(Boolean).join(" ") };
  }

  #progress({ positions }, signal) {
    if (!signal.aborted) this.#tell(`Working… ${counted(positions, "position")}`);
  }

  #columns(value) {
    if (!FORMATS[value.format].options.includes("columns")) return undefined;
    const ticked = [...this.#form.querySelectorAll('[name="column"]:checked')].map((box) => box.value);
    const further = value.further.split(/[\s,]+/).filter(Boolean);
    const columns = [...ticked, ...further];
    if (!columns.length) throw new Error("choose at least one column");
    return columns;
  }

  #options(value) {
    const { options } = FORMATS[value.format];
    const has = (group) => options.includes(group);
    const number = (text) => (text.trim() === "" ? null : Number(text));
    const chosen = {};
    if (has("plies") && (value.from.trim() || value.to.trim())) chosen.plies = [number(value.from), number(value.to)];
    if (has("unique") && value.unique) chosen.unique = true;
    if (has("variations") && value.variations) chosen.variations = true;
    if (has("evals")) {
      chosen.evals = value.evals;
      if (value.maxEval.trim()) chosen.maxEval = number(value.maxEval);
    }
    if (has("quiet")) Object.assign(chosen, value.skipChecks && { skipChecks: true }, value.skipCaptures && { skipCaptures: true });
    return chosen;
  }

  /** Makes a file of the position on the board. */
  async #position() {
    const { format, size, coordinates, marks } = this.#value;
    const name = `${this.#view.game ? this.#name() : "position"}${this.#view.moveName ? `-${fileName(this.#view.moveName)}` : ""}.${format}`;
    if (format === "fen") return { blob: new Blob([`${this.#view.fen}\n`], { type: "text/plain" }), name, told: "" };
    const pixels = Number(size);
    const svg = this.#view.position.board({
      orientation: this.#view.flipped ? "black" : "white",
      size: pixels,
      coordinates: Boolean(coordinates),
      ...(marks && this.#view.lastMove ? { lastMove: this.#view.lastMove } : {}),
    });
    const blob = format === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await toPng(svg, pixels);
    return { blob, name, told: "The drawings of the pieces are under the Apache License 2.0." };
  }
}
