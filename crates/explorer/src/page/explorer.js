// The page of `pgn2fen serve`. The server knows the rules of chess and the games; this file asks it, shows the answers, and keeps the address
// of the page in step with what is shown, so that the browser's back and forward, reloading and shared addresses work.

import { Board } from "./board.js";
import { $, copy, games, isPlain, listenToSkips, make, say, showError } from "./dom.js";
import { pgnAddress, server, ServerError, written } from "./http.js";
import { listen } from "./keys.js";
import { endsOf, INITIAL, isSame, numbered, showLine as writeLine } from "./line.js";
import { resultText } from "./tables.js";
import { FEW_GAMES, latest, MANY_GAMES, Refusal, setBusy, showPosition, showTables as writeTables, spoken } from "./view.js";

/** The filters as the server and the address name them, and as people do. */
const LABELS = {
  since: "Years from",
  until: "Years to",
  minRating: "Average rating from",
  maxRating: "Average rating to",
  player: "Player",
  color: "Player's colour",
  result: "Result",
  tags: "Tags",
};
const FILTERS = Object.keys(LABELS);
const IS_WIDE = matchMedia("(min-width: 60rem)");

/** What is shown. All of it is in the address, except for what the server says about it. */
const state = {
  /** The FEN of the position before the first move. */
  root: INITIAL,
  /** The moves from there: `{ uci, san, fen }`. SAN and the FEN after the move are unknown until the server has told them. */
  line: [],
  /** How many moves of the line have been played on the board. */
  at: 0,
  /** The query of the filters, such as `since=1990&tags=White~carlsen`. */
  filters: "",
  flipped: false,
  /** The number of the game that is open, and the server's answer about it. */
  game: null,
  record: null,
};

/** The answer of the server to the position that is shown, or null while it is being asked. */
let answer = null;
let mostGames = FEW_GAMES;
/** The legal moves of positions that were shown, by FEN. With them, play need not wait for an answer. */
const legalMoves = new Map();
let index = { name: "", games: 0 };

const board = new Board($("board"), $("promotion"), play, "/pieces.svg");

const exploring = latest(inTrouble);
const opening = latest(inTrouble);

let again = null;
function inTrouble(error) {
  console.warn(error);
  const isAnswer = error instanceof ServerError || error instanceof Refusal;
  $("trouble").firstElementChild.textContent = isAnswer
    ? `The server reports an error: ${error.message}`
    : "The server does not answer. Is it still running?";
  $("trouble").hidden = false;
  setBusy(false);
}

// The address.

function address({ root, line, at, filters, flipped, game } = state) {
  const query = new URLSearchParams();
  const moves = (part) => part.map((move) => move.uci).join(",");
  if (game) {
    query.set("game", game);
    if (at) query.set("ply", at);
  } else {
    if (root !== INITIAL) query.set("fen", root);
    if (at) query.set("play", moves(line.slice(0, at)));
    if (at < line.length) query.set("next", moves(line.slice(at)));
  }
  for (const [name, value] of new URLSearchParams(filters)) query.append(name, value);
  if (flipped) query.set("side", "black");
  return `#${written(query)}`;
}

/** Shows a changed state, with an entry in the browser's history. Steps in a row share one entry. */
function go(change, { isStep = false, slide = null } = {}) {
  const before = location.hash;
  Object.assign(state, change);
  const hash = address();
  if (hash !== (before || "#")) {
    const entry = { isStep, before: change.game ? before : history.state?.before };
    if (isStep && history.state?.isStep) history.replaceState(entry, "", hash);
    else history.pushState(entry, "", hash);
  }
  mostGames = FEW_GAMES;
  show(slide);
}

/** Shows what the address says: after loading the page, after back or forward, or after an edit of the address. */
async function load() {
  const query = new URLSearchParams(location.hash.slice(1));
  state.flipped = query.get("side") === "black";
  const filters = new URLSearchParams();
  for (const name of FILTERS) for (const value of query.getAll(name)) filters.append(name, value);
  state.filters = filters.toString();
  fillFilters();
  mostGames = FEW_GAMES;
  const game = query.get("game");
  if (game) {
    await openGame(game, Number(query.get("ply")) || 0);
    return;
  }
  const moves = (name) => (query.get(name) ?? "").split(",").filter(Boolean);
  const [root, played, next] = [query.get("fen") || INITIAL, moves("play"), moves("next")];
  const isSameLine = root === state.root;
  let isKnown = isSameLine;
  const line = [...played, ...next].map((uci, at) => {
    isKnown &&= state.line[at]?.uci === uci;
    return isKnown ? state.line[at] : { uci };
  });
  Object.assign(state, { root, line, at: played.length, game: null, record: null });
  show();
  if (line.slice(state.at).some((move) => !move.san)) nameRest(line);
}

/** Asks for the SAN of the moves that follow the position of a loaded address. Moves that cannot be played are dropped. */
async function nameRest(line) {
  try {
    merge((await server.explore(question({ at: line.length, games: 0 }))).path, line);
  } catch (error) {
    if (!(error instanceof Refusal) || line !== state.line) return;
    line.length = state.at;
  }
  if (line === state.line) showLine();
}

/** Keeps what the server says about the moves of a line. */
function merge(path, line = state.line) {
  path.forEach(({ uci, san, fen }, at) => line[at] && Object.assign(line[at], { uci, san, fen }));
}

// Moves.

/** Plays a move, which is one of the legal ones or one of the table. The next move of the line is a step along it. */
function play(move) {
  const { line, at } = state;
  if (line[at]?.uci === move.uci) go({ at: at + 1 });
  else go({ line: [...line.slice(0, at), { uci: move.uci, san: move.san }], at: at + 1, game: null, record: null });
}

function step(at) {
  const to = Math.max(0, Math.min(state.line.length, at));
  if (to === state.at) return;
  const isForward = to === state.at + 1;
  const ends = to === state.at - 1 || isForward ? endsOf(state.line[Math.max(to, state.at) - 1]) : null;
  go({ at: to }, { isStep: true, slide: ends && (isForward ? ends : ends.reverse()) });
}

const fenAt = (at) => (at === 0 ? state.root : state.line[at - 1].fen);

/** What the server is asked about a position. */
const question = ({ at = state.at, filters = "", games = mostGames } = {}) =>
  ({ root: state.root, line: state.line.slice(0, at).map((move) => move.uci), filters, games });

// Showing.

/** Shows the state. `notice` is about the address, whose game or position cannot be shown. */
function show(slide = null, notice = null) {
  opening.cancel();
  answer = null;
  showBoard(slide);
  showLine();
  showGame();
  setBusy(true);
  $("flip").setAttribute("aria-pressed", String(state.flipped));
  again = () => show();
  exploring(explore, (found) => showAnswer(found, notice), (error) => {
    setBusy(false);
    showError($("text-fault"), error.message);
    $("text").value = [state.root, ...state.line.slice(0, state.at).map((move) => move.uci)].join(" ");
    showTables(null);
  });
}

/** Asks about the position. If a filter makes no sense, the position is asked about without filters, so that play can go on. */
async function explore(signal) {
  try {
    return { given: await server.explore(question({ filters: state.filters }), signal) };
  } catch (error) {
    if (!(error instanceof Refusal) || !state.filters) throw error;
    return { given: await server.explore(question({ games: 0 }), signal), fault: error.message };
  }
}

function showAnswer({ given, fault }, notice) {
  const isKnown = Boolean(fenAt(state.at));
  answer = given;
  merge(given.path);
  if (legalMoves.size > 1000) legalMoves.clear();
  legalMoves.set(given.fen, given.legal);
  $("trouble").hidden = true;
  showError($("text-fault"), notice);
  if (notice) $("text-fault").scrollIntoView({ block: "nearest" });
  showFilterFault(fault);
  showBoard(isKnown || !state.at ? null : slideIfNew());
  showLine();
  const name = showPosition(given, !state.at && state.root === INITIAL);
  document.title = `${name} – ${index.name || "Opening explorer"}`;
  showTables(fault ? null : given);
  setBusy(false);
  const move = state.at ? `${numbered(state.root, state.at - 1)} ${state.line[state.at - 1].san}` : "";
  say(spoken(given, move, name, fault ?? `${games(given.gamesTotal)} here.`));
}

let shownBefore = null;
/** The squares of the last move, if the board shows the position before it. */
function slideIfNew() {
  return shownBefore === fenAt(state.at - 1) ? endsOf(state.line[state.at - 1]) : null;
}

function showBoard(slide) {
  const fen = fenAt(state.at);
  const last = state.at ? state.line[state.at - 1] : null;
  const text = $("text");
  if (fen) {
    if (document.activeElement !== text && $("text-fault").hidden) text.value = fen;
    const check = answer ? answer.check : /[+#]$/.test(last?.san ?? "");
    board.show({ fen, legal: answer?.legal ?? legalMoves.get(fen) ?? [], last: last ? endsOf(last) : [], check, flipped: state.flipped, slide });
    shownBefore = fen;
  }
  board.arrow(null);
  for (const [id, isOff] of [["first", !state.at], ["back", !state.at], ["forward", state.at === state.line.length], ["last", state.at === state.line.length]]) {
    $(id).setAttribute("aria-disabled", String(isOff));
  }
}

function showLine() {
  const link = (at, text, attributes) => {
    const click = (event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      event.stopPropagation();
      step(at);
    };
    return make("a", { href: address({ ...state, at }), click, ...attributes }, text);
  };
  writeLine($("line"), state, link);
}

function showTables(given) {
  writeTables(given, Boolean(state.filters), {
    play,
    open: (game) => openGame(game.id),
    moveHref: (move) => address({ ...state, line: [...state.line.slice(0, state.at), move], at: state.at + 1, game: null }),
    gameHref: (game) => `#${written(new URLSearchParams({ game: game.id }))}`,
    board,
  });
  showPassing(given);
}

// A game.

/** Opens a game, at the position that is shown if the game reached it. `ply` is given if the address names the game. */
function openGame(id, ply = null) {
  if (state.record && state.game === id && ply !== null) {
    state.at = Math.min(ply, state.line.length);
    show();
    return;
  }
  const wanted = fenAt(state.at);
  again = () => openGame(id, ply);
  return opening(
    (signal) => server.game(id, signal),
    (record) => {
      const line = record.moves.map(({ uci, san, fen }) => ({ uci, san, fen }));
      const reached = [record.start, ...line.map((move) => move.fen)].findIndex((fen) => isSame(fen, wanted));
      const at = Math.min(ply ?? Math.max(reached, 0), line.length);
      const change = { root: record.start, line, at, game: id, record };
      if (ply !== null) {
        Object.assign(state, change);
        show();
        return;
      }
      go(change);
      $("game-title").focus({ preventScroll: true });
      if ($("board").getBoundingClientRect().top < 0) $("board").scrollIntoView();
    },
    (error) => {
      if (ply !== null) Object.assign(state, { root: INITIAL, line: [], at: 0, game: null, record: null });
      show(null, `Game ${id}: ${error.message}`);
    },
  );
}

function showGame() {
  const { record } = state;
  $("game").hidden = !record;
  if (!record || $("game").dataset.id === state.game) return;
  $("game").dataset.id = state.game;
  const tags = new Map(record.tags);
  const player = (color) => {
    const [name, rating] = [tags.get(color) || "?", tags.get(`${color}Elo`)];
    return /^\d+$/.test(rating ?? "") ? `${name} (${rating})` : name;
  };
  $("game-title").textContent = `${player("White")} – ${player("Black")}  ${resultText(record.result)}`;
  const isTold = (text) => text && !/^[?.-]*$/.test(text);
  $("game-place").textContent = ["Event", "Site", "Date", "Round"].map((name) => tags.get(name)).filter(isTold).join(" · ");
  showError($("game-fault"), record.error && `This game has an error after ${record.moves.length} plies: ${record.error}`);
  $("tag-list").replaceChildren(...record.tags.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  $("download").href = pgnAddress(state.game);
  $("download").download = `${[tags.get("White"), tags.get("Black"), state.game].filter(isTold).join("-").replace(/[^\p{L}\p{N}-]+/gu, "_")}.pgn`;
}

/** Closes the game: returns to where it was opened, or stays with its moves as a line. */
function closeGame() {
  const before = history.state?.before;
  if (before === undefined || before === null) {
    go({ game: null, record: null });
  } else {
    history.pushState(null, "", before || "#");
    load();
  }
  $("board").querySelector('[tabindex="0"]').focus({ preventScroll: true });
}

// Filters.

const form = $("filters").querySelector("form");

function fillFilters() {
  const query = new URLSearchParams(state.filters);
  for (const name of FILTERS) form.elements[name].value = query.getAll(name).join("\n");
  if (state.filters && IS_WIDE.matches) $("filters").open = true;
}

function applyFilters() {
  const query = new URLSearchParams();
  for (const name of FILTERS) {
    for (const value of form.elements[name].value.split("\n")) if (value.trim()) query.append(name, value.trim());
  }
  const filters = query.toString();
  if (filters !== state.filters) go({ filters });
}

/** Shows the server's text about a wrong filter, and marks the field that it names. */
function showFilterFault(fault) {
  if (fault) $("filters").open = true;
  // The text begins with the name of the parameter.
  const named = FILTERS.find((name) => fault?.startsWith(`${name}: `));
  const text = named ? LABELS[named] + fault.slice(named.length) : fault;
  showError($("filter-fault"), fault && `The filters are not applied.\n${text}`);
  for (const name of FILTERS) form.elements[name].setAttribute("aria-invalid", String(name === named));
}

function showPassing(given) {
  const number = new Set(new URLSearchParams(state.filters).keys()).size;
  $("filter-count").textContent = number ? `(${number} in use)` : "";
  $("passing").textContent = given && number ? `${games(given.gamesTotal)} here` : "";
}

// The controls.

function flip() {
  state.flipped = !state.flipped;
  history.replaceState(history.state, "", address());
  $("flip").setAttribute("aria-pressed", String(state.flipped));
  showBoard(null);
  showLine();
  say(`The board is seen from ${state.flipped ? "Black" : "White"}.`);
}

const controls = {
  first: () => step(0),
  back: () => step(state.at - 1),
  forward: () => step(state.at + 1),
  last: () => step(state.line.length),
  flip,
  restart: () => go({ root: INITIAL, line: [], at: 0, game: null, record: null }),
  "copy-fen": (event) => copy(event.target, fenAt(state.at) ?? ""),
  "copy-link": (event) => copy(event.target, location.href),
  "copy-pgn": async (event) => {
    const button = event.target;
    try {
      await copy(button, await server.pgn(state.game));
    } catch (error) {
      inTrouble(error);
    }
  },
  "close-game": closeGame,
  clear: () => {
    form.reset();
    applyFilters();
  },
  more: () => {
    mostGames = MANY_GAMES;
    show();
  },
  retry: () => again?.(),
  "help-button": () => $("help").showModal(),
};
listen(controls, { f: flip, "?": controls["help-button"] });

form.addEventListener("submit", (event) => {
  event.preventDefault();
  applyFilters();
});
form.addEventListener("change", applyFilters);

/** Shows the position that somebody typed or pasted. */
$("position").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("text").value;
  again = () => $("position").requestSubmit();
  exploring(
    (signal) => server.explore({ text, games: 0 }, signal),
    ({ start, path }) => {
      showError($("text-fault"), null);
      document.activeElement?.blur();
      go({ root: start, line: path.map(({ uci, san, fen }) => ({ uci, san, fen })), at: path.length, game: null, record: null });
    },
    // The question about the position that is shown may have been given up for this one.
    (error) => (answer ? showError($("text-fault"), error.message) : show(null, error.message)),
  );
});
$("text").addEventListener("focus", (event) => event.target.select());
$("text").addEventListener("input", () => showError($("text-fault"), null));

listenToSkips();
addEventListener("popstate", load);

// Wide screens have room for the filters.
$("filters").open = IS_WIDE.matches;
load();
server.index().then((given) => {
  index = given;
  $("own-files").hidden = !given.hasSite;
  $("index").textContent = `${given.name} · ${games(given.games)}${given.years ? ` · ${given.years[0]} to ${given.years[1]}` : ""}`;
  if (given.years) [form.elements.since.placeholder, form.elements.until.placeholder] = given.years;
  if (answer) document.title = `${$("opening").textContent} – ${index.name}`;
}, inTrouble);
