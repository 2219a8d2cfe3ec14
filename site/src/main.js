// The page: opens files, and keeps the list, the game, the problems, the starts and the explorer in step.

import { Collection, Position } from "pgn2fen";
import { $, count, counted, games, listenToSkips, say } from "../../crates/explorer/src/page/dom.js";
import { listen } from "../../crates/explorer/src/page/keys.js";
import { listenToSize } from "./board-size.js";
import { listenToFiles, textFile } from "./drop.js";
import { EXAMPLE } from "./example.js";
import { Explorer } from "./explore.js";
import { OpeningTree } from "./opening-tree.js";
import { GameList } from "./game-list.js";
import { GameView } from "./game-view.js";
import { addPieces } from "./pieces.js";
import { KeptFiles } from "./kept.js";
import { addressOf, placeOf, withPlace } from "./place.js";
import { Players } from "./players.js";
import { Problems } from "./problems.js";
import { SaveDialog } from "./save.js";
import { Starts } from "./starts.js";

const VIEWS = ["games", "game", "problems", "starts", "explorer", "tree", "players"];
/** Screens that have room for one view only. */
const IS_PHONE = matchMedia("(max-width: 47.99rem)");
/** The time between two reports of the progress to screen readers, in milliseconds. */
const SAY_EVERY = 5000;
/** The time between two looks at the starting positions, of which a file may have very many. */
const STARTS_EVERY = 1000;
/** The explorer knows so many plies of each game. More need more memory. */
const EXPLORED = 40;
/** The time after the last step in which its place is noted in the address, in milliseconds. */
const NOTE_AFTER = 200;
/** So many files are named of which something is wrong. */
const MOST_FAULTS = 5;

let collection = null;
/** The files that are open. */
let opened = [];
/** The language of the piece letters of their moves. */
let letters = "en";
/** Ends the reading of the files. */
let reading = null;
let saidAt = 0;
let startsAt = 0;
let isDone = false;
/** Whether a position is shown in the place of games. */
let isPosition = false;
/** Whether the first game has been opened by itself. */
let hasOpened = false;

addPieces();
const view = new GameView(
  () => {
    explorer.show();
    tree.show();
    noteLater();
  },
  (isQuiet) => {
    list.mark(view.index, isQuiet);
    setTitle();
    note(!isQuiet);
  },
);
const list = new GameList(
  (index) => openGame(index),
  () => {
    explorer.refresh();
    tree.refresh();
    players.show();
  },
);
const problems = new Problems(
  (index, ply) => openGame(index, { ply }),
  (lang) => open(opened, lang),
);
const starts = new Starts((index) => openGame(index), listOnly);
const explorer = new Explorer(
  view,
  () => list.passes(),
  (index) => openGame(index, { fen: view.fen }),
  listOnly,
);
const tree = new OpeningTree(view, () => list.passes());
const players = new Players(() => list.listed, listOnly);
const kept = new KeptFiles(() => ({ inputs: opened, lang: letters }));
const saving = new SaveDialog({ view, list, collection: () => collection });

/** Opens a game that somebody asked for. A phone then shows it in place of the list. */
function openGame(index, at = {}) {
  if (index === null || index === undefined) return;
  const opening = view.open(index, at);
  if ($("board").getBoundingClientRect().top < 0) $("workbench").scrollIntoView();
  if (IS_PHONE.matches && !["explorer", "tree"].includes(document.body.dataset.view)) opening.then(() => goTo("game"));
}

/** Lists some games in place of all. */
function listOnly(some) {
  list.only(some);
  goTo("games");
}

function setTitle() {
  const name = view.index === null ? collection?.files.map((file) => file.name).join(", ") : $("game-title").textContent;
  document.title = name ? `${name} – pgn2fen` : "pgn2fen: PGN files in the browser";
}

// Files.

/**
 * Reads files, whose moves have the piece letters of a language. Those that were open before are closed. A text that is a position, and no game, is
 * shown on the board. `place` is the view and the game that are shown, if the address names them.
 */
async function open(inputs, lang = "en", place = null) {
  opened = inputs;
  letters = lang;
  wanted = place && place.index !== null ? place : null;
  const position = inputs.length === 1 && inputs[0].size < 4000 ? positionOf(await inputs[0].text()) : null;
  collection?.close();
  isDone = false;
  hasOpened = isPosition = Boolean(position);
  saidAt = performance.now();
  reading = new AbortController();
  collection = Collection.open(position ? [textFile("", inputs[0].name)] : inputs, { signal: reading.signal, explorePlies: EXPLORED, lang });
  collection.onupdate = update;
  document.body.dataset.state = "open";
  for (const part of [list, problems, starts, explorer, tree, players, view]) part.reset(collection);
  const usual = position ? "explorer" : IS_PHONE.matches ? "game" : "games";
  goTo(place && VIEWS.includes(place.view) ? place.view : usual);
  kept.keep();
  if (position) view.showPosition(position);
  update();
}

/** Returns the FEN of a text that is one, or null. */
function positionOf(text) {
  if (text.includes("[") || !/^\s*[1-8pnbrqk]+\//i.test(text)) return null;
  try {
    return new Position(text.trim()).fen();
  } catch {
    return null;
  }
}

/** What is wrong with a whole file: it cannot be read, or has no game. Null if nothing is. */
function faultOf({ name, size, games: found, error }) {
  const { messages, progress } = collection;
  if (error) return `${name}: ${error}`;
  if (found || !progress.isDone || progress.error || isPosition) return null;
  if (!size) return `${name} is empty.`;
  const first = messages.find((message) => message.file === name);
  if (first?.kind === "skipped-text") return `${name} has no game. Line ${first.line} begins with “${first.subject}”, which is neither a tag nor a move.`;
  return `${name} has no game.${first ? ` Line ${first.line}: ${first.text || first.reason}` : ""}`;
}

/** Moves the focus to the title of the game, unless it is on something that can be seen: what opened the files may be gone. */
function moveFocus() {
  const { activeElement } = document;
  if (activeElement === document.body || !activeElement?.checkVisibility()) $("game-title").focus({ preventScroll: true });
}

/** Shows what has been read so far. */
function update() {
  const { progress, size, files } = collection;
  if (!hasOpened && size) {
    hasOpened = true;
    if (wanted === null) view.open(0, { isQuiet: true }).then(moveFocus);
  }
  if (wanted !== null && (size > wanted.index || progress.isDone)) {
    view.open(size > wanted.index ? wanted.index : 0, { ...wanted.at, isQuiet: true }).then(moveFocus);
    wanted = null;
  }
  list.refresh();
  problems.show();
  if (progress.isDone || performance.now() - startsAt > STARTS_EVERY) {
    startsAt = performance.now();
    starts.show();
  }
  explorer.refresh();
  // Unfolded positions are looked up again, so not for each piece of a file.
  if (progress.isDone) tree.refresh();
  const bar = $("progress");
  bar.hidden = progress.isDone;
  if (progress.total) bar.value = progress.bytes / progress.total;
  else bar.removeAttribute("value");
  $("stop").hidden = progress.isDone;
  const names = files.length > 3 ? `${files.length} files` : files.map((file) => file.name).join(", ");
  $("files").textContent = `${names} · ${games(size)}${progress.isDone ? "" : " read so far"}`;
  const faults = files.map(faultOf).filter(Boolean);
  if (faults.length > MOST_FAULTS) faults.splice(MOST_FAULTS, Infinity, `${counted(faults.length - MOST_FAULTS, "further file")} cannot be shown.`);
  const isStopped = progress.error?.name === "AbortError";
  if (progress.error && !isStopped && !faults.length) faults.push(progress.error.message);
  $("trouble").hidden = !faults.length;
  $("trouble").firstElementChild.textContent = faults.join("\n");
  if (progress.isDone && !isDone) {
    isDone = true;
    if (!size) moveFocus();
    say(`${games(size)} read. ${counted(collection.errors, "error")}, ${counted(collection.warnings, "warning")}.`);
    setTitle();
  } else if (!progress.isDone && performance.now() - saidAt > SAY_EVERY) {
    saidAt = performance.now();
    say(`${count.format(size)} games read.`);
  }
}

// Views.

/** Shows the view that the address names. */
function showView() {
  const { view: named } = placeOf(location.hash);
  const name = VIEWS.includes(named) && (named !== "game" || IS_PHONE.matches) ? named : IS_PHONE.matches ? "game" : "games";
  document.body.dataset.view = name;
  for (const id of VIEWS) {
    if (id !== "game") $(`${id}-view`).hidden = id !== name;
    const link = document.querySelector(`nav a[href="#/${id}"]`);
    if (id === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!collection) return;
  problems.show();
  starts.show();
  explorer.show();
  tree.show();
  players.show();
}

// The address has the view, and the game with its place, so that reloading, back and forward show them again.

/** The game and the place that an address names, which is opened when the game has been read. */
let wanted = null;
let noting = 0;

const address = () => addressOf(document.body.dataset.view, view);

/** Notes in the address what is shown: as an entry of the history if somebody has opened another game. */
function note(isNew = false) {
  clearTimeout(noting);
  if (!collection || wanted || address() === location.hash) return;
  if (isNew && placeOf(location.hash).index !== null) history.pushState(null, "", address());
  else history.replaceState(null, "", address());
}

/** Notes the place of the last of several steps. Browsers refuse very many changes. */
function noteLater() {
  clearTimeout(noting);
  noting = setTimeout(note, NOTE_AFTER);
}

/** Goes to a view. */
function goTo(name) {
  const hash = withPlace(name, location.hash);
  if (hash !== location.hash) history.pushState(null, "", hash);
  showView();
}

/** Shows what the address says. A link to a view leaves the game as it is. */
function showAddress() {
  showView();
  const { index, at } = placeOf(location.hash);
  if (!collection || index === null || index >= collection.size) note();
  else if (index !== view.index) view.open(index, { ...at, isQuiet: true });
  else view.goToPlace(at);
}

addEventListener("hashchange", showAddress);
IS_PHONE.addEventListener("change", showView);

// Controls.

const controls = {
  first: view.first,
  back: view.back,
  forward: view.forward,
  last: view.last,
  flip: view.flip,
  autoplay: view.autoplay,
  "copy-fen": view.copyFen,
  "copy-pgn": view.copyPgn,
  "previous-game": () => openGame(list.neighbour(-1)),
  "next-game": () => openGame(list.neighbour(1)),
  "help-button": () => $("help").showModal(),
  save: () => saving.open("listed"),
  "save-game": () => saving.open(view.index === null ? "position" : "game"),
  stop: () => {
    reading.abort();
    $("stop").hidden = $("progress").hidden = true;
    say("Reading has ended.");
  },
  example: () => open([textFile(EXAMPLE, "example.pgn")]),
};
const search = () => {
  goTo("games");
  $("search").focus();
};
listen(controls, {
  a: view.autoplay,
  f: view.flip,
  "?": controls["help-button"],
  n: controls["next-game"],
  p: controls["previous-game"],
  "/": search,
});
listenToSkips();
listenToSize();
listenToFiles(open);
showView();
const ready = () => (document.body.dataset.ready = "yes");
kept.find().then((found) => found && !collection && open(found.inputs, found.lang, placeOf(location.hash))).then(ready, ready);
