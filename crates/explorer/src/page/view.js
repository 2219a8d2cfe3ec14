// The explorer of a position: its opening, the moves that were played, and the games. Where the answers come from is the matter of a source:
//
//   explore({ root, line, filters, games }, signal)   the answer for the position after the UCI moves `line` from the FEN `root`
//   explore({ text, games }, signal)                  the answer for a position that somebody typed
//   game(id, signal)                                  a game of an answer
//   index()                                           the name and the number of all games
//
// `pgn2fen serve` asks the server, and the page for files of one's own asks the games that it has read. The form of an answer is that of
// `/api/explore`. The elements have the same ids on both pages.

import { $, count, games, make, replace } from "./dom.js";
import { endsOf } from "./line.js";
import { gameRows, moveRows, nextOrder, ordered, sortable } from "./tables.js";
import { variantName } from "./values.js";

export const FEW_GAMES = 15;
export const MANY_GAMES = 100;

/** An answer that is not the wanted one, because the question makes no sense. The message is for people. */
export class Refusal extends Error {}

/**
 * Runs one request at a time. A newer one cancels the older one, whose answer is then dropped. `fail` hears of refusals, and `trouble` of all
 * other errors.
 */
export function latest(trouble) {
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
      if (fail && error instanceof Refusal) fail(error);
      else trouble(error);
    }
  };
  return Object.assign(run, { cancel });
}

export function setBusy(isBusy) {
  $("answers").setAttribute("aria-busy", String(isBusy));
  $("games-section").setAttribute("aria-busy", String(isBusy));
}

const endOf = (given) => ({ checkmate: "Checkmate.", stalemate: "Stalemate." })[given.end] ?? "";

/** Shows the name of the opening, who is to move, and the position in words. Returns the name. */
export function showPosition(given, isStart) {
  $("description").textContent = given.description;
  const name = given.opening ? `${given.opening.eco} ${given.opening.name}` : isStart ? "Initial position" : "Unnamed position";
  $("opening").textContent = given.variant ? `${variantName(given.variant)}: ${name[0].toLowerCase()}${name.slice(1)}` : name;
  const side = given.turn === "white" ? "White" : "Black";
  const disc = make("span", { class: `disc ${given.turn}`, "aria-hidden": "true" });
  $("turn").replaceChildren(disc, endOf(given) || `${side} to move${given.check ? ", in check" : ""}.`);
  return name;
}

/** What a screen reader says about an answer, after the move that led to the position. */
export function spoken(given, move, name, news) {
  const check = given.check && !given.end ? "Check." : "";
  return [move && `${move}.`, check, endOf(given), `${name}.`, news].filter(Boolean).join(" ");
}

function summary({ gamesTotal, ended, legal, absence, averageOpponentRating, performance }, isFiltered) {
  // A published site has no positions that too few games reached.
  if (!gamesTotal && absence) return absence;
  if (!gamesTotal) return isFiltered ? "No game that passes the filters reached this position." : "No game reached this position.";
  const end = ended ? ` ${count.format(ended)} of them ${ended === 1 ? "ends" : "end"} here${legal.length ? "" : ", as no move is possible"}.` : "";
  const mean = averageOpponentRating ? ` against opponents of ${averageOpponentRating} on average` : "";
  const level = typeof performance === "number" ? ` Performance ${performance}${mean}.` : "";
  return `${games(gamesTotal)} reached this position${isFiltered ? " and passed the filters" : ""}.${end}${level}`;
}

/** How the tables are sorted (see `ordered`), and which games are listed: `top` or `recent`. */
export const shown = { moves: "", games: "", list: "top" };

/**
 * Shows the tables of an answer, or none while there is an error. `use` has `play(move)`, `open(game)`, `moveHref(move)`, `gameHref(game)` and
 * the `board`, on which moves are pointed out. `onShown`, if there is one, is called when somebody sorts a table or chooses another list.
 */
export function showTables(given, isFiltered, use) {
  const moves = given?.moves ?? [];
  const point = (move) => {
    const legal = move && given.legal.find((other) => other.uci === move.uci);
    use.board.arrow(...(move ? (legal ? [legal.from, legal.to] : endsOf(move)) : [null]));
  };
  const sort = (table) => (name) => {
    shown[table] = nextOrder(shown[table], name);
    use.onShown?.();
    showTables(given, isFiltered, use);
  };
  sortable($("moves"), shown.moves, sort("moves"));
  sortable($("games"), shown.games, sort("games"));
  const { rows, sum } = moveRows(ordered(moves, shown.moves), { play: use.play, href: use.moveHref, point });
  $("moves").hidden = !moves.length;
  $("moves").classList.toggle("has-performance", moves.some((move) => typeof move.performance === "number"));
  replace($("moves").tBodies[0], rows, "a, .link");
  $("moves").tFoot.replaceChildren(sum);
  $("counts").textContent = given ? summary(given, isFiltered) : "No moves and games are shown until the error is corrected.";
  showGames(given, isFiltered, use);
}

function showGames(given, isFiltered, use) {
  const hasRecent = Boolean(given?.recent?.length);
  const isRecent = hasRecent && shown.list === "recent";
  const list = ordered((isRecent ? given.recent : given?.games) ?? [], shown.games);
  if ($("lists")) {
    $("lists").hidden = !hasRecent;
    for (const name of ["top", "recent"]) {
      $(`list-${name}`).setAttribute("aria-pressed", String(isRecent === (name === "recent")));
      $(`list-${name}`).onclick = () => {
        shown.list = name;
        use.onShown?.();
        showTables(given, isFiltered, use);
      };
    }
  }
  $("games").hidden = !list.length;
  $("games").tBodies[0].replaceChildren(...gameRows(list, { open: use.open, href: use.gameHref }));
  const total = given?.gamesTotal ?? 0;
  $("games-section").hidden = !total;
  const order = { rating: "highest rating first", recent: "latest first" }[isRecent ? "recent" : given?.gamesOrder];
  $("games-left").firstElementChild.textContent =
    `${list.length < total ? `${count.format(list.length)} of ` : ""}${games(total)}${order && total > 1 ? `, ${order}` : ""}`;
  $("more").hidden = list.length >= total || list.length >= MANY_GAMES || Boolean(given?.isWhole);
}
