// The games of a published site, as a source for the explorer, in the place of `http.js`. It reads blocks of data that `pgn2fen site` wrote
// (publish.rs describes them), and knows the rules of chess from the WebAssembly module. What it returns has the form of the answers of
// the server.

import { games as gamesIn } from "../../../../js/lib/games.js";
import { platform, usePlatform } from "../../../../js/lib/platform.js";
import { Position } from "../../../../js/lib/position.js";
import { Blocks, Offline, SiteError } from "./published/blocks.js";
import { decode, encode } from "./published/id.js";
import { INITIAL } from "./line.js";
import { Refusal } from "./view.js";

/** A fault of the site: a file is missing, damaged, or of another build. */
export { SiteError as ServerError };

const FORMAT = 1;

/** Writes a query as people read it: slashes and commas need no escape after the `#`. */
export const written = (query) => query.toString().replaceAll("%2F", "/").replaceAll("%2C", ",");

async function loadModule() {
  const response = await fetch("pgn2fen.wasm");
  if (!response.ok) throw new SiteError(`pgn2fen.wasm: the host answered with status ${response.status}.`);
  const module = await WebAssembly.compile(await response.arrayBuffer());
  usePlatform({ module: () => module, loadFull: () => Promise.reject(new SiteError("This page has only the rules of chess.")) });
}

async function loadManifest() {
  const response = await fetch("manifest.json", { cache: "no-cache" });
  if (!response.ok) throw new SiteError(`manifest.json: the host answered with status ${response.status}.`);
  const manifest = await response.json().catch(() => null);
  if (!manifest?.databases?.length) throw new SiteError("manifest.json: the file is damaged.");
  if (manifest.format !== FORMAT) {
    throw new SiteError(`The data has format ${manifest.format}, and the page reads format ${FORMAT}. Reload the page; if that does not help, upload the whole site again.`);
  }
  const databases = manifest.databases.map((database) => ({ ...database, blocks: new Blocks(database, manifest.ranges) }));
  Blocks.forgetOthers(databases.map((database) => database.site));
  return { ...manifest, databases };
}

/** Loads something once. After a failure it is loaded again. */
function once(load) {
  let loading = null;
  return () =>
    (loading ??= load().catch((error) => {
      loading = null;
      throw error;
    }));
}

const rules = once(loadModule);
const site = once(loadManifest);

// Positions.

const fenOf = (position) => position.fen({ ep: "legal" });

/** Calls something of the module, whose errors are about what somebody asked. */
function asked(act, context = "") {
  try {
    return act();
  } catch (error) {
    throw new Refusal(context + error.message);
  }
}

/** The positions of a line, each with the move that led to it. Castling in UCI is the king taking its rook. */
function lineOf({ text, root = INITIAL, line = [] }) {
  const typed = text === undefined ? { start: root, moves: line } : JSON.parse(asked(() => platform.engine.text("line", text, "en")));
  const start = asked(() => new Position(typed.start, { chess960: true }), text === undefined ? "fen: " : "");
  const positions = [start];
  const path = typed.moves.map((move, at) => {
    const before = positions.at(-1);
    const after = asked(() => before.play(move), `play: move ${at + 1} is not legal: `);
    positions.push(after);
    return { uci: before.uci(move), san: before.san(move), fen: fenOf(after) };
  });
  return { positions, path };
}

const openingOf = (positions) => positions.findLast((position) => position.opening)?.opening ?? null;

const keyOf = (position) => platform.engine.text("index_key", Position.keptOf(position));

// Answers.

/** A game of a list, as the block has it. */
function gameOf([number, white, whiteRating, black, blackRating, result, date, event, eco, uci], id, position) {
  const month = date.slice(5, 7);
  return {
    id: id(number),
    uci: uci && named(position, uci).uci,
    winner: { "1-0": "white", "0-1": "black" }[result] ?? null,
    result,
    white: { name: white, rating: whiteRating || null },
    black: { name: black, rating: blackRating || null },
    year: Number(date.slice(0, 4)) || null,
    month: Number(month) ? `${date.slice(0, 4)}-${month}` : null,
    date,
    event,
    eco,
  };
}

/** The names of a move of a block. One that is not legal, which only damage could cause, keeps its name in UCI. */
function named(position, uci) {
  try {
    return { uci: position.uci(uci), san: position.san(uci), after: position.play(uci) };
  } catch {
    return { uci, san: uci, after: null };
  }
}

const total = ({ white, draws, black, unknown }) => white + draws + black + unknown;

/** The moves of an entry, most frequent first, and the number of games that ended in the position. */
function movesOf(entry, position, opening, lists) {
  let ended = 0;
  const moves = [];
  for (const [uci, white, draws, black, unknown, rating, year] of entry.moves) {
    const results = { white, draws, black, unknown };
    // Games that reached the position again and played another move there count for their first move only.
    if (!total(results)) continue;
    if (!uci) {
      ended = total(results);
      continue;
    }
    const { after, ...names } = named(position, uci);
    const only = total(results) === 1 ? lists.find((game) => game.uci === names.uci) : null;
    moves.push({ ...names, ...results, averageRating: rating || null, lastYear: year || null, opening: after?.opening ?? opening, game: only ?? null });
  }
  return { moves, ended };
}

async function explore(question, signal) {
  await rules();
  const { positions, path } = lineOf(question);
  const { databases, minGames, maxPlies } = await site();
  const position = positions.at(-1);
  const number = databaseOf(databases, question);
  // Without a network, moves are played all the same.
  let isOffline = false;
  const entry = await databases[number].blocks.position(keyOf(position), signal).catch((error) => {
    if (!(error instanceof Offline)) throw error;
    isOffline = true;
  });
  const id = (game) => encode(number, databases.length, game);
  const games = (entry?.games ?? []).map((game) => gameOf(game, id, position));
  const opening = openingOf(positions);
  const { moves, ended } = movesOf(entry ?? { moves: [] }, position, opening, games);
  const sum = (name) => moves.reduce((all, move) => all + move[name], 0);
  const results = { white: sum("white"), draws: sum("draws"), black: sum("black"), unknown: sum("unknown") };
  const few = minGames > 1 ? ` that at least ${minGames} games reached` : "";
  const early = maxPlies === null ? "" : ` within the first ${maxPlies} plies`;
  return {
    fen: fenOf(position),
    turn: position.turn === "w" ? "white" : "black",
    check: position.isCheck,
    end: position.isCheckmate ? "checkmate" : position.isStalemate ? "stalemate" : null,
    start: fenOf(positions[0]),
    path,
    legal: position.legalMoves,
    opening,
    description: position.description,
    ...results,
    ended,
    moves,
    games: (entry?.top ?? []).map((at) => games[at]).slice(0, question.games),
    recent: (entry?.recent ?? []).map((at) => games[at]).slice(0, question.recent ?? question.games),
    gamesTotal: total(results) + ended,
    gamesOrder: "rating",
    // What is listed is all that there is.
    isWhole: true,
    isOffline,
    absence: isOffline ? new Offline().message : `This position is not in the published data, which has positions${few}${early}.`,
  };
}

/** The number of the database that is asked: the first one, unless another one is named. */
function databaseOf(databases, { database, filters = "" }) {
  const name = database ?? new URLSearchParams(filters).get("database");
  if (!name) return 0;
  const number = databases.findIndex((known) => known.name === name);
  if (number < 0) throw new Refusal(`database: there is no database '${name}'`);
  return number;
}

// Games.

async function pgn(id, signal) {
  const { databases } = await site();
  const found = decode(id, databases.length);
  const text = found && (await databases[found.database].blocks.game(found.game, signal));
  if (text === undefined || !found) throw new Refusal("this game is not on the site");
  if (text === null) throw new Refusal("the text of the game was not available when the site was made");
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** Writes the FENs of a line as the answers have them: with an en passant square if the capture is legal. */
function withFens(line) {
  const legal = (fen) => fen && new Position(fen).fen({ ep: "legal" });
  const move = (played) => ({ ...played, fen: legal(played.fen), variations: played.variations.map(withFens) });
  return { ...line, start: legal(line.start), moves: line.moves.map(move) };
}

async function game(id, signal) {
  const [text] = await Promise.all([pgn(id, signal), rules()]);
  const [found] = gamesIn(text);
  if (!found) throw new Refusal("the text of the game is empty");
  const line = withFens(found.line);
  const error = found.errors.find((fault) => fault.isError);
  return {
    ...found,
    id,
    tags: Object.entries(found.tags),
    line,
    moves: line.moves,
    start: line.start ?? INITIAL,
    startPly: 0,
    error: error ? error.reason : null,
  };
}

async function index() {
  const { databases, title, hasOwn, version } = await site();
  const sum = (name) => databases.reduce((all, database) => all + database[name], 0);
  const years = databases.flatMap((database) => database.years ?? []);
  return {
    name: title ?? databases.map((database) => database.name).join(" + "),
    games: sum("games"),
    positions: sum("postings"),
    files: [],
    fileCount: sum("fileCount"),
    years: years.length ? [Math.min(...years), Math.max(...years)] : null,
    hasRatings: databases.some((database) => database.hasRatings),
    hasSite: hasOwn,
    databases: databases.length > 1 ? databases.map(({ name, games }) => ({ name, games })) : [],
    tags: [],
    hasSpeeds: false,
    starts: 0,
    version,
  };
}

/** The page downloads a game itself: no file has a game alone. */
export const pgnAddress = () => null;

export const server = { index, explore, game, pgn, has: { filters: false, tags: false, players: false } };

if ("serviceWorker" in navigator && isSecureContext) navigator.serviceWorker.register("sw.js").catch(() => {});
