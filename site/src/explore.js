// The opening explorer of the games that were read: the same view as that of `pgn2fen serve`, with another source.

import { Position } from "pgn2fen";
import { $, make } from "../../crates/explorer/src/page/dom.js";
import { INITIAL, showLine } from "../../crates/explorer/src/page/line.js";
import { FEW_GAMES, latest, MANY_GAMES, setBusy, showPosition, showTables } from "../../crates/explorer/src/page/view.js";
import { yearOf } from "./filter.js";

/** The opening of the last position that has one. */
const openingOf = (positions) => positions.findLast((position) => position.opening)?.opening ?? null;

/** The games of a collection, as a source for the view of the explorer. */
export function source(collection) {
  const player = (color, index) => ({ name: collection.text(color, index), rating: collection.number(`${color}Elo`, index) || null });
  const gameOf = (index) => ({
    id: index,
    white: player("White", index),
    black: player("Black", index),
    result: collection.result(index),
    year: yearOf(collection, index) || null,
    event: collection.text("Event", index),
    eco: collection.text("ECO", index),
  });
  return {
    async explore({ variant, root, line, passes = null, games }) {
      const positions = [new Position(root, { variant })];
      for (const uci of line) positions.push(positions.at(-1).play(uci));
      const position = positions.at(-1);
      const opening = openingOf(positions);
      const fen = position.fen();
      const found = await collection.explore(position, { passes, games });
      const moves = found.moves.map((move) => ({ ...move, opening: position.play(move.uci).opening ?? opening }));
      return {
        fen,
        variant,
        turn: position.turn === "w" ? "white" : "black",
        check: position.isCheck,
        end: position.isCheckmate ? "checkmate" : position.isStalemate ? "stalemate" : null,
        legal: position.legalMoves,
        opening,
        description: position.description,
        moves,
        ended: found.ended,
        games: found.games.map(gameOf),
        gamesTotal: found.total,
        gamesOrder: "rating",
      };
    },
    game: (id) => collection.game(id),
    index: () => ({ name: collection.files.map((file) => file.name).join(" + "), games: collection.size }),
  };
}

export class Explorer {
  #collection = null;
  #source = null;
  #view;
  #passes;
  #open;
  #most = FEW_GAMES;
  #onList;
  /** Whether something is known of the collection. */
  #isAnswered = false;
  /** Whether an answer is on its way, and whether another one is wanted after it. */
  #isBusy = false;
  #isStale = false;
  #exploring = latest((error) => {
    $("counts").textContent = `The position cannot be looked up: ${error.message}`;
    this.#setBusy(false);
  });

  /**
   * `view` shows the position, `passes()` returns the bits of the listed games or null, `open(index)` opens a game at the position, and
   * `onList` gets the games that reached it: `{ name, games }`.
   */
  constructor(view, passes, open, onList) {
    this.#onList = onList;
    this.#view = view;
    this.#passes = passes;
    this.#open = open;
    $("more").addEventListener("click", () => {
      this.#most = MANY_GAMES;
      this.show();
    });
    $("only-listed").addEventListener("change", () => this.show());
    $("list-these").addEventListener("click", () => this.#listThese());
  }

  reset(collection) {
    this.#isAnswered = false;
    this.#collection = collection;
    this.#source = source(collection);
    this.#most = FEW_GAMES;
    this.#exploring.cancel();
    this.#isBusy = this.#isStale = false;
  }

  #setBusy(isBusy) {
    this.#isBusy = isBusy;
    setBusy(isBusy);
    if (isBusy || !this.#isStale) return;
    this.#isStale = false;
    this.show();
  }

  /** Shows the answer again, as there are other games now. An answer that is on its way is waited for. */
  refresh() {
    if (this.#isBusy) this.#isStale = true;
    else this.show();
  }

  async #listThese() {
    const { variant, root, line } = this.#view.line;
    const passes = $("only-listed").checked ? this.#passes() : null;
    const found = await this.#source.explore({ variant, root, line: line.map((move) => move.uci), passes, games: this.#collection.size });
    this.#onList({ name: `Position ${this.#view.moveName ? `after ${this.#view.moveName}` : found.fen}`, games: found.games.map((game) => game.id) });
  }

  /** Shows the explorer of the position on the board, if it can be seen. */
  show() {
    if (!this.#collection || $("explorer-view").hidden) return;
    const view = this.#view;
    const { variant, root, line } = view.line;
    const link = (at, text, attributes) => make("button", { type: "button", ...attributes, class: `link ${attributes.class ?? ""}`, click: () => view.goTo(at) }, text);
    showLine($("line"), { root, line, at: line.length }, link);
    const passes = $("only-listed").checked ? this.#passes() : null;
    this.#setBusy(true);
    // The first answer takes longer.
    if (!this.#isAnswered) {
      $("opening").textContent = "Explorer";
      $("counts").textContent = "The games are read for the explorer…";
      $("moves").hidden = $("games-section").hidden = true;
    }
    this.#exploring(
      () => this.#source.explore({ variant, root, line: line.map((move) => move.uci), passes, games: this.#most }),
      (given) => {
        showPosition(given, !line.length && root === INITIAL);
        const use = {
          play: (move) => view.play(move),
          open: (game) => this.#open(game.id),
          moveHref: () => null,
          gameHref: () => null,
          board: view.board,
        };
        showTables(given, passes !== null, use);
        this.#isAnswered = true;
        this.#setBusy(false);
      },
    );
  }
}
