// The page of `pgn2fen serve`. The server knows the rules of chess and the games; this file asks it, shows the answers, and keeps the address
// of the page in step with what is shown, so that the browser's back and forward, reloading and shared addresses work.

import { Board } from "./board.js";
import { fillChoices, rulesOf, Starts, suggestPlayers, whose } from "./choices.js";
import { $, copy, games, isolated, isPlain, joined, listenToSkips, make, replace, say, showError } from "./dom.js";
import { meanings } from "./glyphs.js";
import { pgnAddress, server, ServerError, written } from "./http.js";
import { listen } from "./keys.js";
import { advised, offer, withoutAdvice } from "./letters.js";
import { endsOf, INITIAL, isInitial, isSame, isSameMove, numbered } from "./line.js";
import { flowing, movetext } from "./movetext.js";
import { linkIn, resultText, withoutAddresses } from "./tables.js";
import { Tree } from "./tree.js";
import { FEW_GAMES, latest, MANY_GAMES, Refusal, setBusy, shown, showPosition, showTables as writeTables, spoken } from "./view.js";

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
  database: "Database",
  variant: "Variant",
  speeds: "Speeds",
};
const FILTERS = Object.keys(LABELS);
const IS_WIDE = matchMedia("(min-width: 60rem)");

/** What is shown. All of it is in the address, except for what the server says about it. */
const state = {
  /** The FEN of the position before the first move. */
  root: INITIAL,
  /** All moves that were tried from there, or the moves of the game. SAN and the FEN after a move may be unknown until the server tells them. */
  tree: new Tree(INITIAL),
  /** The moves of the line that is shown: nodes of the tree, one after another. */
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
/** The legal moves of positions of these rules that were shown, by FEN. With them, play need not wait for an answer. */
const legalMoves = new Map();
let index = { name: "", games: 0 };
/** A number that changes when the moves must be written again, and what was written. */
let edition = 0;
let writtenLine = "";

const board = new Board($("board"), $("promotion"), play);

const exploring = latest((error) => {
  inTrouble(error);
  if (!answer) showNothing();
});
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
  const isOfGame = (part) => part.every((move, nth) => state.tree.main[nth] === move);
  if (game) {
    query.set("game", game);
    if (at && isOfGame(line.slice(0, at))) query.set("ply", at);
    else if (at) query.set("play", moves(line.slice(0, at)));
  } else {
    if (root !== INITIAL) query.set("fen", root);
    if (at) query.set("play", moves(line.slice(0, at)));
    if (at < line.length) query.set("next", moves(line.slice(at)));
  }
  for (const [name, value] of new URLSearchParams(filters)) query.append(name, value);
  if (flipped) query.set("side", "black");
  if (shown.list !== "top") query.set("list", shown.list);
  if (shown.moves) query.set("sort", shown.moves);
  if (shown.games) query.set("order", shown.games);
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

/** Sets the filters. With other rules, other moves are legal in the same position. */
function useFilters(filters) {
  if (rulesOf(filters) !== rulesOf(state.filters)) legalMoves.clear();
  state.filters = filters;
}

/** Shows what the address says: after loading the page, after back or forward, or after an edit of the address. */
async function load() {
  const query = new URLSearchParams(location.hash.slice(1));
  state.flipped = query.get("side") === "black";
  const filters = new URLSearchParams();
  for (const name of FILTERS) for (const value of query.getAll(name)) filters.append(name, value);
  if (!filters.get("player")) filters.delete("color");
  useFilters(filters.toString());
  Object.assign(shown, { list: query.get("list") === "recent" ? "recent" : "top", moves: query.get("sort") ?? "", games: query.get("order") ?? "" });
  fillFilters();
  mostGames = FEW_GAMES;
  const game = query.get("game");
  const moves = (name) => (query.get(name) ?? "").split(",").filter(Boolean);
  if (game) {
    await openGame(game, Number(query.get("ply")) || 0, moves("play"));
    return;
  }
  const [root, played, next] = [query.get("fen") || INITIAL, moves("play"), moves("next")];
  const isSameTree = root === state.root && !state.game;
  if (!isSameTree) state.tree = new Tree(root);
  const path = grown([...played, ...next].map((uci) => ({ uci })));
  // The address may be older than the moves that followed, which are still there.
  const line = state.tree.line(path.at(-1) ?? state.tree.root);
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
    state.tree.remove(line[state.at]);
    line.length = state.at;
    edition += 1;
  }
  if (line === state.line) showLine();
}

/** Keeps what the server says about the moves of a line. */
function merge(path, line = state.line) {
  path.forEach(({ uci, san, fen }, at) => {
    if (!line[at] || (line[at].san && line[at].fen)) return;
    Object.assign(line[at], { uci, san, fen });
    edition += 1;
  });
}

/** Returns the nodes of moves from the root of the tree. Moves that are not there yet are added. */
function grown(moves) {
  const { tree } = state;
  let at = tree.root;
  return moves.map((move) => {
    const known = at.children.find((child) => isSameMove(child, move));
    if (!known) edition += 1;
    return (at = known ?? tree.add(at, move, move.fen));
  });
}

// Moves.

/** Plays a move, which is one of the legal ones or one of the table. The next move of the line is a step along it. */
function play(move) {
  const { line, at } = state;
  if (line[at] && isSameMove(line[at], move)) {
    go({ at: at + 1 });
    return;
  }
  // The answer before this one may have told the position after the move. Then the piece need not wait for the next answer.
  const fen = move.fen ?? legalMoves.get(fenAt(at))?.find((other) => other.uci === move.uci)?.fen;
  const node = grown([...line.slice(0, at), { uci: move.uci, san: move.san, fen }])[at];
  go({ line: state.tree.line(node), at: at + 1 });
}

/** Shows the position after a move of the tree. */
function visit(node) {
  if (state.line.includes(node)) {
    step(state.line.indexOf(node) + 1);
    return;
  }
  go({ line: state.tree.line(node), at: state.tree.path(node).length }, { isStep: true });
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
const question = ({ at = state.at, filters = rulesOf(state.filters), games = mostGames } = {}) =>
  ({ root: state.root, line: state.line.slice(0, at).map((move) => move.uci), filters, games });

// Showing.

/** Shows the state. `notice` is about the address, whose game or position cannot be shown. */
function show(slide = null, notice = null) {
  opening.cancel();
  answer = null;
  showGame();
  showBoard(slide);
  showLine();
  setBusy(true);
  $("flip").setAttribute("aria-pressed", String(state.flipped));
  again = () => show();
  exploring(explore, (found) => showAnswer(found, notice), (error) => {
    setBusy(false);
    showTextFault(error.message);
    $("text").value = [state.root, ...state.line.slice(0, state.at).map((move) => move.uci)].join(" ");
    showTables(null);
  });
}

/** Asks about the position. If a filter makes no sense, the position is asked about without filters, so that play can go on. */
async function explore(signal) {
  try {
    return { given: await server.explore(question({ filters: state.filters }), signal) };
  } catch (error) {
    if (!(error instanceof Refusal) || state.filters === rulesOf(state.filters)) throw error;
    return { given: await server.explore(question({ games: 0 }), signal), fault: error.message };
  }
}

function showAnswer({ given, fault }, notice) {
  const isKnown = Boolean(fenAt(state.at));
  answer = given;
  // Without a position, a variant begins where its games do.
  if (state.root === INITIAL && rulesOf(state.filters)) state.root = state.tree.root.fen = given.start;
  merge(given.path);
  if (legalMoves.size > 1000) legalMoves.clear();
  legalMoves.set(given.fen, given.legal);
  $("trouble").hidden = !given.isOffline;
  if (given.isOffline) $("trouble").firstElementChild.textContent = `${given.absence} Moves can be played; what was played here cannot be shown.`;
  showTextFault(notice);
  if (notice) $("text-fault").scrollIntoView({ block: "nearest" });
  showFilterFault(fault);
  showBoard(isKnown || !state.at ? null : slideIfNew());
  showLine();
  const variant = new URLSearchParams(rulesOf(state.filters)).get("variant");
  const name = showPosition({ ...given, variant }, !state.at && isInitial(given.fen, variant));
  document.title = `${name} – ${index.name || "Opening explorer"}`;
  showTables(fault ? null : given);
  const { player, color } = Object.fromEntries(new URLSearchParams(state.filters));
  $("whose").replaceChildren(...whose(player, color, given.turn));
  $("whose").hidden = !player;
  setBusy(false);
  const move = state.at ? `${numbered(state.root, state.at - 1)} ${state.line[state.at - 1].san}` : "";
  const node = state.at ? state.line[state.at - 1] : state.tree.root;
  const notes = [meanings(node.nags ?? []), ...node.comments].filter(Boolean);
  say([spoken(given, move, name, fault ?? `${games(given.gamesTotal)} here.`), ...notes].join(" "));
}

/** Empties what an answer tells of the position, as the one that stands there is about another position. */
function showNothing() {
  for (const id of ["description", "turn", "whose"]) $(id).textContent = "";
  $("opening").textContent = "No answer";
  document.title = index.name || "Opening explorer";
  showTables(null);
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
    const legal = answer?.legal ?? legalMoves.get(fen) ?? [];
    const { shapes } = last ?? state.tree.root;
    board.show({ fen, legal, last: last ? endsOf(last) : [], check, flipped: state.flipped, shapes, slide });
    shownBefore = fen;
  }
  board.arrow(null);
  for (const [id, isOff] of [["first", !state.at], ["back", !state.at], ["forward", state.at === state.line.length], ["last", state.at === state.line.length]]) {
    $(id).setAttribute("aria-disabled", String(isOff));
  }
}

/** The link to the position after a move of the tree. */
function moveLink(node, attributes, ...children) {
  const line = state.tree.path(node);
  const click = (event) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    visit(node);
  };
  return make("a", { href: address({ ...state, line, at: line.length }), click, ...attributes }, ...children);
}

/** Writes the moves if they have changed, and marks those of the line and the current one. */
function showLine() {
  const { tree, game, line, at } = state;
  const element = $("line");
  const key = `${game} ${state.root} ${tree.size} ${edition} ${state.filters} ${state.flipped}`;
  if (key !== writtenLine) {
    writtenLine = key;
    const start = make("a", { href: address({ ...state, at: 0 }), class: "start", click: (event) => isPlain(event) && (event.preventDefault(), step(0)) }, "Start");
    const result = state.record?.result;
    const end = game && result !== "*" ? make("div", { class: "block end" }, resultText(result)) : null;
    const moves = game ? movetext(tree, moveLink) : flowing(tree, moveLink);
    replace(element, [start, " ", ...moves, end].filter(Boolean), "[aria-current]");
    element.classList.toggle("of-game", Boolean(game));
  }
  const places = new Map(line.map((node, place) => [String(node.id), place]));
  for (const link of element.querySelectorAll("a")) {
    const place = link.classList.contains("start") ? -1 : places.get(link.dataset.node);
    link.classList.toggle("played", place >= 0 && place < at);
    link.classList.toggle("ahead", place >= at);
    if (place === at - 1) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
  reveal(element, element.querySelector("[aria-current]"));
}

/** Scrolls the moves by whole lines, so that the current one is in the upper half. The page is not scrolled. */
function reveal(element, current) {
  const unit = parseFloat(getComputedStyle(element).lineHeight) || 28;
  const top = current ? current.getBoundingClientRect().top - element.getBoundingClientRect().top + element.scrollTop : 0;
  element.scrollTop = Math.max(0, Math.floor(top / unit) - Math.max(0, Math.ceil(element.clientHeight / unit / 2) - 1)) * unit;
}

function showTables(given) {
  writeTables(given, Boolean(state.filters), {
    // Until there is an answer, the table is that of the position before: its moves are neither played nor pointed out.
    play: (move) => answer && play(move),
    board: { arrow: (from, to) => answer && board.arrow(from, to) },
    open: (game) => openGame(game.id),
    moveHref: (move) => address({ ...state, line: [...state.line.slice(0, state.at), move], at: state.at + 1 }),
    onShown: () => history.replaceState(history.state, "", address()),
    gameHref: (game) => `#${written(new URLSearchParams(`game=${game.id}&${rulesOf(state.filters)}`))}`,
  });
  showPassing(given);
}

// A game.

/** The line and the place in it of an address of a game: a ply of the game, or the moves to another position. */
function placeIn(ply, tried) {
  const main = state.tree.main;
  if (!tried.length) return { line: main, at: Math.min(ply, main.length) };
  const path = grown(tried.map((uci) => ({ uci })));
  return { line: state.tree.line(path.at(-1)), at: path.length };
}

/**
 * Opens a game, at the position that is shown if the game reached it. `ply` is given if the address names the game, and `tried` are the moves to
 * a position that is not in its main line.
 */
function openGame(id, ply = null, tried = []) {
  if (state.record && state.game === id && ply !== null) {
    Object.assign(state, placeIn(ply, tried));
    show();
    return;
  }
  const wanted = fenAt(state.at);
  again = () => openGame(id, ply, tried);
  return opening(
    (signal) => server.game(id, signal),
    (record) => {
      const root = record.line.start ?? INITIAL;
      const tree = record.line.start === null ? new Tree(root) : Tree.of(record);
      const reached = [tree.root, ...tree.main].findIndex((node) => isSame(node.fen, wanted));
      state.tree = tree;
      const change = { root, tree, ...placeIn(ply ?? Math.max(reached, 0), tried), game: id, record };
      if (ply !== null) {
        Object.assign(state, change);
        show();
        return;
      }
      go(change);
      $("game-title").focus({ preventScroll: true });
      if ($("board").getBoundingClientRect().top < 0) scrollTo(0, 0);
    },
    (error) => {
      if (ply !== null) Object.assign(state, fresh(INITIAL, tried.map((uci) => ({ uci }))));
      show(null, `Game ${id}: ${error.message}`);
    },
  );
}

function showGame() {
  const { record } = state;
  $("game").hidden = $("game-tools").hidden = !record;
  if (!record || $("game").dataset.id === state.game) return;
  $("game").dataset.id = state.game;
  const tags = new Map(record.tags);
  const player = (color) => {
    const [name, rating] = [tags.get(color) || "?", tags.get(`${color}Elo`)];
    return [isolated(name), /^\d+$/.test(rating ?? "") ? ` (${rating})` : ""];
  };
  $("game-title").replaceChildren(...player("White"), " – ", ...player("Black"), "  ", make("span", { class: "result" }, resultText(record.result)));
  const isTold = (text) => text && !/^[?.-]*$/.test(text);
  const places = ["Event", "Site", "Date", "Round"].map((name) => withoutAddresses(tags.get(name) ?? "")).filter(isTold);
  const link = ["Site", "Link", "GameUrl", "Event"].map((name) => linkIn(tags.get(name) ?? "")).find(Boolean);
  const told = joined(places.filter((place) => place !== link?.hostname), " · ");
  $("game-place").replaceChildren(...told, ...(link ? [told.length ? " · " : "", link] : []));
  showError($("game-fault"), record.error);
  $("tag-list").replaceChildren(...record.tags.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  $("download").href = pgnAddress(state.game);
  $("download").download = `${[tags.get("White"), tags.get("Black"), state.game].filter(isTold).join("-").replace(/[^\p{L}\p{N}-]+/gu, "_")}.pgn`;
}

/** A state with nothing but a position, or with moves from there. */
function fresh(root, moves = []) {
  state.tree = new Tree(root);
  const line = grown(moves);
  return { root, line, at: line.length, game: null, record: null };
}

/** Closes the game: returns to where it was opened, or stays with its moves as a line. */
function closeGame() {
  const before = history.state?.before;
  if (before === undefined || before === null) {
    const { line, at, root } = state;
    state.tree = new Tree(root);
    go({ line: grown(line.slice(0, at)), at, game: null, record: null });
  } else {
    history.pushState(null, "", before || "#");
    load();
  }
  $("board").querySelector('[tabindex="0"]').focus({ preventScroll: true });
}

// Filters.

const form = $("filters").querySelector("form");

const speedBoxes = () => $("speeds").querySelectorAll("input");

function fillFilters() {
  const query = new URLSearchParams(state.filters);
  for (const name of FILTERS) if (name !== "speeds") form.elements[name].value = query.getAll(name).join("\n");
  const speeds = (query.get("speeds") ?? "").split(",");
  for (const box of speedBoxes()) box.checked = speeds.includes(box.value);
  fitColor();
  if (state.filters && IS_WIDE.matches) $("filters").open = true;
}

/** The colour is that of the player: without one, there is none to choose. */
function fitColor() {
  form.elements.color.disabled = !form.elements.player.value.trim();
}

function applyFilters() {
  const query = new URLSearchParams();
  fitColor();
  if (form.elements.color.disabled) form.elements.color.value = "";
  const speeds = [...speedBoxes()].filter((box) => box.checked).map((box) => box.value);
  if (speeds.length) query.set("speeds", speeds.join(","));
  for (const name of FILTERS.filter((name) => name !== "speeds")) {
    for (const value of form.elements[name].value.split("\n")) if (value.trim()) query.append(name, value.trim());
  }
  const filters = query.toString();
  if (filters === state.filters) return;
  const before = new URLSearchParams(state.filters);
  // The board is seen from the side of the player.
  const color = query.get("color");
  const flipped = color && color !== before.get("color") ? color === "black" : state.flipped;
  const hasOtherGames = query.get("database") !== before.get("database");
  const hasOtherRules = rulesOf(filters) !== rulesOf(state.filters);
  useFilters(filters);
  go({ flipped, ...(hasOtherRules ? fresh(INITIAL) : {}) });
  if (hasOtherGames) starts.reset();
}

/** Shows the server's text about a wrong filter, and marks the field that it names. */
function showFilterFault(fault) {
  if (fault) $("filters").open = true;
  // The text begins with the name of the parameter, and may end with that of the one that does not fit to it.
  const named = FILTERS.find((name) => fault?.startsWith(`${name}: `));
  const reason = fault?.slice(named?.length ?? 0).replace(/ than (until|maxRating)$/, (_, name) => ` than “${LABELS[name]}”`);
  const text = named ? LABELS[named] + reason : reason;
  showError($("filter-fault"), fault && `The filters are not applied.\n${text}`);
  for (const name of FILTERS) {
    if (name !== "speeds") form.elements[name].setAttribute("aria-invalid", String(name === named));
  }
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
  restart: () => go(fresh(INITIAL)),
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
$("player-view").addEventListener("change", applyFilters);
form.elements.player.addEventListener("input", fitColor);
suggestPlayers(form.elements.player, server, () => form.elements.database.value);
const starts = new Starts(server, () => form.elements.database.value, (fen) => go(fresh(fen)));
board.onWheel((way) => step(state.at + way), () => state.line.length > 0);

/** The longest text that is sent whole, in bytes as an address has it. Comments are left out of longer ones. */
const LONGEST = 14_000;
const shortened = (text) => (encodeURIComponent(text).length > LONGEST ? text.replace(/\{[^}]*\}/g, "") : text);

/** Shows a fault of the text. Buttons read the moves with the piece letters of other languages, if that may help. */
function showTextFault(fault) {
  offer($("letters"), fault ? advised(fault) : [], readText);
  showError($("text-fault"), fault && withoutAdvice(fault));
}

/** Shows the position that somebody typed or pasted. */
function readText(letters) {
  const text = shortened($("text").value);
  again = () => readText(letters);
  exploring(
    (signal) => server.explore({ text, letters, filters: rulesOf(state.filters), games: 0 }, signal),
    ({ start, path }) => {
      showTextFault(null);
      document.activeElement?.blur();
      go(fresh(start, path));
    },
    // The question about the position that is shown may have been given up for this one.
    (error) => (answer ? showTextFault(error.message) : show(null, error.message)),
  );
}

$("position").addEventListener("submit", (event) => {
  event.preventDefault();
  readText();
});
$("text").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  $("position").requestSubmit();
});
$("text").addEventListener("focus", (event) => event.target.select());
$("text").addEventListener("input", () => showTextFault(null));

listenToSkips();
addEventListener("popstate", load);
addEventListener("online", () => !$("trouble").hidden && again?.());

// Wide screens have room for the filters.
$("filters").open = IS_WIDE.matches;
load();
server.index().then((given) => {
  index = given;
  fillChoices(given);
  fillFilters();
  $("starts").hidden = !given.starts;
  $("start-badge").textContent = given.starts ? `(${games(given.starts)})` : "";
  $("filters").hidden = !server.has.filters;
  $("player-view").hidden = !server.has.players;
  $("tags-field").hidden = !server.has.tags;
  $("own-files").hidden = !given.hasSite;
  $("index").replaceChildren(isolated(given.name), ` · ${games(given.games)}${given.years ? ` · ${given.years[0] === given.years[1] ? given.years[0] : `${given.years[0]} to ${given.years[1]}`}` : ""}`);
  if (given.years) [form.elements.since.placeholder, form.elements.until.placeholder] = given.years;
  if (answer) document.title = `${$("opening").textContent} – ${index.name}`;
}, inTrouble);
