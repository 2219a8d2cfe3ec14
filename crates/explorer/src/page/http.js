// The games of a server, as a source for the explorer. The server knows the rules of chess.

import { INITIAL } from "./line.js";
import { Refusal } from "./view.js";

/** An answer of the server that tells of a fault of its own. */
export class ServerError extends Error {}

async function get(path, query = "", signal = undefined) {
  const response = await fetch(query ? `${path}?${query}` : path, { signal });
  if (!response.ok) {
    const text = (await response.text()).trimEnd() || `The server answered with status ${response.status}.`;
    throw response.status < 500 ? new Refusal(text) : new ServerError(text);
  }
  return response.headers.get("Content-Type")?.startsWith("application/json") ? response.json() : response.text();
}

/** Writes a query as people read it: slashes and commas need no escape after the `#`. */
export const written = (query) => query.toString().replaceAll("%2F", "/").replaceAll("%2C", ",");

/** The query for `/api/explore`. */
function question({ text, letters, root, line = [], filters = "", games }) {
  const query = new URLSearchParams(filters);
  if (text !== undefined) query.set("text", text);
  if (letters) query.set("letters", letters);
  if (text === undefined && root !== INITIAL) query.set("fen", root);
  if (line.length) query.set("play", line.join(","));
  query.set("games", games);
  query.set("recent", games);
  return written(query);
}

/** The query that names one of several databases. */
const databaseOf = (database) => (database ? written(new URLSearchParams({ database })) : "");

export const pgnAddress = (id) => `/masters/pgn/${encodeURIComponent(id)}`;

export const server = {
  explore: (asked, signal) => get("/api/explore", question(asked), signal),
  game: (id, signal) => get(`/api/game/${encodeURIComponent(id)}`, "", signal),
  pgn: (id) => get(pgnAddress(id)),
  index: () => get("/api/index"),
  starts: (signal, database = "") => get("/api/starts", databaseOf(database), signal),
  players: (part, signal, database = "") => get("/api/players", written(new URLSearchParams({ part })) + (database && `&${databaseOf(database)}`), signal),
  /** What the source can do. */
  has: { filters: true, tags: true, players: true },
};
