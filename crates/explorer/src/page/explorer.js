// The page of the explorer. The server knows the rules of chess and the games; this file asks it, shows the answers, and keeps the address
// of the page in step with what is shown, so that the browser's back and forward, reloading and shared addresses work.

import { Board } from "./board.js";

const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
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
const FEW_GAMES = 15;
const MANY_GAMES = 100;
const IS_WIDE = matchMedia("(min-width: 60rem)");

const $ = (id) => document.getElementById(id);
/** Settings that the browser keeps. Storage may be blocked, full or missing; then a setting holds until the page is closed. */
const settings = {
  get: (name) => attempt(() => localStorage.getItem(name)),
  set: (name, value) => attempt(() => localStorage.setItem(name, value)),
};
const count = new Intl.NumberFormat("en");

/** Returns what a function returns, or null if it throws. */
function attempt(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

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

const board = new Board($("board"), $("promotion"), play);

// The server.

/** An answer of the server that is not the wanted one. The message is its text. */
class Refusal extends Error {
  constructor(status, text) {
    super(text.trimEnd() || `The server answered with status ${status}.`);
    this.status = status;
  }
}

async function get(path, query = "", signal = undefined) {
  const response = await fetch(query ? `${path}?${query}` : path, { signal });
  if (!response.ok) throw new Refusal(response.status, await response.text());
  return response.headers.get("Content-Type")?.startsWith("application/json") ? response.json() : response.text();
}

/** Whether the error is about the question. Otherwise the server or the network is in trouble. */
const isRefusal = (error) => error instanceof Refusal && error.status < 500;

/** Runs one request at a time. A newer one cancels the older one, whose answer is then dropped. */
function latest() {
  let current = null;
  const cancel = () => {
    current?.abort();
    current = null;
  };
  const run = async (request, use, fail) => {
    current?.abort();
    const mine = (current = new AbortController());
    try {
      const value = await request(mine.signal);
      if (mine === current) use(value);
    } catch (error) {
      if (mine !== current) return;
      if (fail && isRefusal(error)) fail(error);
      else inTrouble(error);
    }
  };
  return Object.assign(run, { cancel });
}

const exploring = latest();
const opening = latest();

let again = null;
function inTrouble(error) {
  console.warn(error);
  const isAnswer = error instanceof Refusal;
  $("trouble").firstElementChild.textContent = isAnswer
    ? `The server reports an error: ${error.message}`
    : "The server does not answer. Is it still running?";
  $("trouble").hidden = false;
  setBusy(false);
}

// The address.

/** Writes a query as people read it: slashes and commas need no escape after the `#`. */
const written = (query) => query.toString().replaceAll("%2F", "/").replaceAll("%2C", ",");

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
    merge((await get("/api/explore", question({ at: line.length, games: 0 }))).path, line);
  } catch (error) {
    if (!isRefusal(error) || line !== state.line) return;
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

/** The two squares of a move, for showing it. Castling in UCI names the square of the rook; SAN tells where the king arrives. */
function endsOf({ uci, san = "" }) {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const castled = san.match(/^O-O(-O)?/);
  return castled ? [from, (castled[1] ? "c" : "g") + from[1]] : [from, to];
}

/** Writes a move with its number, as `1. e4` or `1… c5`. */
function numbered(at) {
  const [, turn, , , , first = "1"] = state.root.split(" ");
  const ply = at + (turn === "b" ? 1 : 0);
  return `${(Number(first) || 1) + Math.floor(ply / 2)}${ply % 2 ? "…" : "."}`;
}

const fenAt = (at) => (at === 0 ? state.root : state.line[at - 1].fen);

/** The query for `/api/explore`. */
function question({ at = state.at, filters = "", games = mostGames } = {}) {
  const query = new URLSearchParams(filters);
  if (state.root !== INITIAL) query.set("fen", state.root);
  if (at) query.set("play", state.line.slice(0, at).map((move) => move.uci).join(","));
  query.set("games", games);
  return written(query);
}

// Showing.

/** Creates an element. Text is always text: nothing from a game is read as HTML. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A link to another state of this page. A plain click goes there without loading it; other clicks open it elsewhere. */
function link(change, text, visit, attributes = {}) {
  const click = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    visit();
  };
  return make("a", { href: address({ ...state, ...change }), click, ...attributes }, text);
}

/** Replaces the content of an element. If the keyboard focus was in it, it moves to the element that `next` selects. */
function replace(element, children, next) {
  const hadFocus = element.contains(document.activeElement) && document.activeElement.matches(":focus-visible");
  element.replaceChildren(...children);
  if (hadFocus) element.querySelector(next)?.focus();
}

const say = (text) => ($("status").textContent = text);

function setBusy(isBusy) {
  $("answers").setAttribute("aria-busy", String(isBusy));
  $("games-section").setAttribute("aria-busy", String(isBusy));
}

/** Shows a reason, or nothing. Its last lines may be indented: a text, and carets under the wrong part. */
function showError(element, text) {
  const [, reason, lines] = (text ?? "").match(/^(.*?)((?:\n {4}[^\n]*)*)$/s);
  element.replaceChildren(reason, ...(lines ? [make("span", {}, lines.slice(1))] : []));
  element.hidden = !text;
}

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
    return { given: await get("/api/explore", question({ filters: state.filters }), signal) };
  } catch (error) {
    if (!isRefusal(error) || !state.filters) throw error;
    return { given: await get("/api/explore", question({ games: 0 }), signal), fault: error.message };
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
  $("description").textContent = given.description;
  const name = given.opening ? `${given.opening.eco} ${given.opening.name}` : state.at || state.root !== INITIAL ? "Unnamed position" : "Initial position";
  $("opening").textContent = name;
  document.title = `${name} – ${index.name || "Opening explorer"}`;
  const end = { checkmate: "Checkmate.", stalemate: "Stalemate." }[given.end] ?? "";
  $("turn").textContent = end || `${given.turn === "white" ? "White" : "Black"} to move${given.check ? ", in check" : ""}.`;
  showTables(fault ? null : given);
  setBusy(false);
  const move = state.at ? `${numbered(state.at - 1)} ${state.line[state.at - 1].san}.` : "";
  const check = given.check && !given.end ? "Check." : "";
  say([move, check, end, `${name}.`, fault ?? `${games(given.gamesTotal)} here.`].filter(Boolean).join(" "));
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
  const line = $("line");
  const { at } = state;
  const items = [link({ at: 0 }, "Start", () => step(0), at === 0 ? { "aria-current": "step" } : {})];
  state.line.forEach((move, ply) => {
    const number = numbered(ply);
    const isFirst = number.endsWith(".") || ply === 0;
    const attributes = { class: ply < at ? "played" : "ahead" };
    if (ply === at - 1) attributes["aria-current"] = "step";
    const sanLink = link({ at: ply + 1 }, move.san ?? move.uci, () => step(ply + 1), attributes);
    items.push(make("span", {}, isFirst ? make("span", { class: "ply" }, number) : null, sanLink));
  });
  replace(line, items.flatMap((item) => [item, " "]), "[aria-current]");
  // Only the line itself is scrolled, not the page.
  const current = line.querySelector("[aria-current]");
  if (current) line.scrollTop = current.offsetTop - line.clientHeight / 2;
}

const games = (number) => `${count.format(number)} ${number === 1 ? "game" : "games"}`;

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

/** A bar of the results. Its text names all three shares; a share is written into the bar if there is room. */
function bar(row) {
  const numbers = SIDES.map((side) => row[side]);
  if (!numbers.some(Boolean)) return make("span", { class: "none" }, "no results");
  const shares = percentages(numbers);
  const text = `White ${shares[0]}%, draws ${shares[1]}%, Black ${shares[2]}%`;
  const parts = SIDES.map((side, at) => {
    const part = make("span", { class: side }, shares[at] >= 13 ? `${shares[at]}%` : "");
    part.style.width = `${(numbers[at] * 100) / (row.white + row.draws + row.black)}%`;
    return part;
  });
  const title = SIDES.map((side, at) => `${{ white: "White wins", draws: "draws", black: "Black wins" }[side]}: ${count.format(numbers[at])}`);
  if (row.unknown) title.push(`without a result: ${count.format(row.unknown)}`);
  return make("div", { class: "results", title: title.join("\n") }, make("span", { class: "unseen" }, text), make("span", { class: "bar", "aria-hidden": "true" }, ...parts));
}

const totalOf = (row) => row.white + row.draws + row.black + row.unknown;

const number = (...children) => make("td", { class: "number" }, ...children);

function showTables(given) {
  const [body, foot] = [$("moves").tBodies[0], $("moves").tFoot];
  const moves = given?.moves ?? [];
  const played = moves.reduce((sum, move) => sum + totalOf(move), 0);
  $("moves").hidden = !moves.length;
  replace(body, moves.map((move) => moveRow(move, played)), "a");
  const sums = Object.fromEntries([...SIDES, "unknown"].map((name) => [name, moves.reduce((sum, move) => sum + move[name], 0)]));
  foot.replaceChildren(
    make("tr", {}, make("th", { scope: "row" }, "All"), number(make("span", {}, count.format(played)), make("small")), make("td", {}, bar(sums)), number(), number(), make("td", { class: "roomy" })),
  );
  $("counts").textContent = given ? summary(given) : "No moves and games are shown until the error is corrected.";
  showPassing(given);
  showGames(given);
}

function summary({ gamesTotal, ended, legal }) {
  if (!gamesTotal) return state.filters ? "No game that passes the filters reached this position." : "No game reached this position.";
  const end = ended ? ` ${count.format(ended)} of them ${ended === 1 ? "ends" : "end"} here${legal.length ? "" : ", as no move is possible"}.` : "";
  return `${games(gamesTotal)} reached this position${state.filters ? " and passed the filters" : ""}.${end}`;
}

function moveRow(move, played) {
  const total = totalOf(move);
  const name = move.opening ? `${move.opening.eco} ${move.opening.name}` : "";
  const ends = () => {
    const legal = answer?.legal.find((other) => other.uci === move.uci);
    return legal ? [legal.from, legal.to] : endsOf(move);
  };
  const go = () => play(move);
  const change = { line: [...state.line.slice(0, state.at), move], at: state.at + 1, game: null };
  const point = () => board.arrow(...ends());
  const attributes = { click: go, pointerenter: point, pointerleave: () => board.arrow(null), focusin: point, focusout: () => board.arrow(null) };
  const small = name ? make("small", { class: "cramped" }, name) : null;
  const percent = (total * 100) / played;
  const share = make("small", {}, percent < 0.5 ? "<1%" : `${Math.round(percent)}%`);
  return make(
    "tr",
    attributes,
    make("th", { scope: "row" }, link(change, move.san, go)),
    number(make("span", {}, count.format(total)), share),
    make("td", {}, bar(move), small),
    number(String(move.averageRating ?? "")),
    number(String(move.lastYear ?? "")),
    make("td", { class: "roomy" }, name),
  );
}

function showGames(given) {
  const list = given?.games ?? [];
  $("games").hidden = !list.length;
  $("games").tBodies[0].replaceChildren(...list.map(gameRow));
  const total = given?.gamesTotal ?? 0;
  $("games-section").hidden = !total;
  const order = { rating: "highest rating first", recent: "latest first" }[given?.gamesOrder];
  $("games-left").firstElementChild.textContent = `${list.length < total ? `${count.format(list.length)} of ` : ""}${games(total)}${order && total > 1 ? `, ${order}` : ""}`;
  $("more").hidden = list.length >= total || list.length >= MANY_GAMES;
}

const RESULTS = { "1/2-1/2": "½-½" };

function gameRow(game) {
  const open = () => openGame(game.id);
  // A name such as "Karjakin,Sergey" may be broken after the comma.
  const broken = (name) => name.split(/(?<=,)/).flatMap((part, at) => (at ? [make("wbr"), part] : [part]));
  const player = ({ name, rating }) => [...broken(name || "?"), make("small", {}, rating ? ` ${rating}` : "")];
  const href = `#${written(new URLSearchParams({ game: game.id }))}`;
  const click = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  };
  return make(
    "tr",
    { click: open },
    make("th", { scope: "row" }, make("a", { href, click }, ...player(game.white))),
    make("td", {}, ...player(game.black)),
    make("td", { class: "result" }, RESULTS[game.result] ?? game.result),
    number(String(game.year ?? "")),
    make("td", { class: "roomy" }, [game.event, game.eco].filter((text) => text && text !== "?").join(", ")),
  );
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
    (signal) => get(`/api/game/${encodeURIComponent(id)}`, "", signal),
    (record) => {
      const line = record.moves.map(({ uci, san, fen }) => ({ uci, san, fen }));
      const same = (fen) => fen.split(" ", 4).join(" ") === wanted?.split(" ", 4).join(" ");
      const reached = [record.start, ...line.map((move) => move.fen)].findIndex(same);
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
  $("game-title").textContent = `${player("White")} – ${player("Black")}  ${RESULTS[record.result] ?? record.result}`;
  const isTold = (text) => text && !/^[?.-]*$/.test(text);
  $("game-place").textContent = ["Event", "Site", "Date", "Round"].map((name) => tags.get(name)).filter(isTold).join(" · ");
  showError($("game-fault"), record.error && `This game has an error after ${record.moves.length} plies: ${record.error}`);
  $("tag-list").replaceChildren(...record.tags.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  $("download").href = `/masters/pgn/${encodeURIComponent(state.game)}`;
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

// Copying.

/** Copies text. Over plain HTTP from another computer, browsers have only the older way. */
async function copy(button, text) {
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    isCopied = document.execCommand("copy");
    area.remove();
    button.focus();
  }
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = isCopied ? "Copied" : "Not copied";
  say(`${label}: ${isCopied ? "copied" : "not copied"}.`);
  setTimeout(() => (button.textContent = label), 1500);
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
      await copy(button, await get(`/masters/pgn/${encodeURIComponent(state.game)}`));
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
for (const [id, act] of Object.entries(controls)) $(id).addEventListener("click", act);

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
  const query = new URLSearchParams({ text, games: 0 });
  exploring(
    (signal) => get("/api/explore", query, signal),
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

for (const skip of document.querySelectorAll("[data-focus]")) {
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    const target = $(skip.dataset.focus);
    (target.querySelector('[tabindex="0"]') ?? target).focus();
  });
}

const keys = $("single-keys");
keys.checked = settings.get("single-keys") !== "off";
keys.addEventListener("change", () => settings.set("single-keys", keys.checked ? "on" : "off"));

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches?.("input, textarea, select");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const byKey = { ArrowLeft: controls.back, ArrowRight: controls.forward, Home: controls.first, End: controls.last };
  if (keys.checked) Object.assign(byKey, { f: flip, "?": controls["help-button"] });
  const act = byKey[event.key];
  if (!act) return;
  event.preventDefault();
  act(event);
});

addEventListener("popstate", load);

// Wide screens have room for the filters.
$("filters").open = IS_WIDE.matches;
load();
get("/api/index").then((given) => {
  index = given;
  $("index").textContent = `${given.name} · ${games(given.games)}${given.years ? ` · ${given.years[0]} to ${given.years[1]}` : ""}`;
  if (given.years) [form.elements.since.placeholder, form.elements.until.placeholder] = given.years;
  if (answer) document.title = `${$("opening").textContent} – ${index.name}`;
}, inTrouble);
