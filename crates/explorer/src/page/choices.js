// What can be chosen beside the filters: the player, of whom names are suggested, the database, the speeds, and other starting positions.

import { diagram } from "./board.js";
import { $, count, games, isolated, make } from "./dom.js";
import { variantName } from "./values.js";

const SPEEDS = { ultraBullet: "UltraBullet", bullet: "Bullet", blitz: "Blitz", rapid: "Rapid", classical: "Classical", correspondence: "Correspondence" };
/** The time without a key after which names are asked for, in milliseconds. */
const PAUSE = 150;
const STEP = 60;

/** Suggests names for a field of players, if the source knows them. `database()` returns the name of the one that is chosen. */
export function suggestPlayers(field, server, database) {
  if (!server.has.players || !server.players) return;
  let asking = null;
  let timer = 0;
  const ask = async () => {
    asking?.abort();
    const mine = (asking = new AbortController());
    const part = field.value.trim();
    try {
      const { players } = part ? await server.players(part, mine.signal, database()) : { players: [] };
      if (mine === asking) $("players").replaceChildren(...players.map(({ name, games: number }) => make("option", { value: name, label: `${name}, ${games(number)}` })));
    } catch {
      // Without suggestions, the name is typed.
    }
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  });
}

/** The values of the variant that choose games of chess. The others have rules of their own. */
const OF_CHESS = { "": "chess", standard: "chess from the initial position", chess960: "Chess960", fromPosition: "chess from other positions" };

/** The filter that names the rules of other filters: none for chess. */
export function rulesOf(filters) {
  const variant = new URLSearchParams(filters).get("variant") ?? "";
  return variant in OF_CHESS ? "" : `variant=${variant}`;
}

/** Fills the fields whose values are those of the index, and hides those without any. */
export function fillChoices({ databases = [], hasSpeeds = false, variants = [] }) {
  $("variant-field").hidden = !variants.length;
  $("variant-field")
    .querySelector("select")
    .replaceChildren(
      ...Object.entries(OF_CHESS).map(([value, name]) => make("option", { value }, name)),
      ...variants.map(({ variant, games: number }) => make("option", { value: variant }, `${variantName(variant)} (${count.format(number)})`)),
    );
  const select = $("database-field").querySelector("select");
  $("database-field").hidden = databases.length < 2;
  select.replaceChildren(
    make("option", { value: "" }, "all"),
    ...databases.map(({ name, games: number }) => make("option", { value: name }, `${name} (${count.format(number)})`)),
  );
  $("speeds").hidden = !hasSpeeds;
  if (!hasSpeeds || $("speeds").querySelector("input")) return;
  for (const [value, name] of Object.entries(SPEEDS)) {
    $("speeds").append(make("label", { class: "check" }, make("input", { type: "checkbox", name: "speeds", value }), ` ${name}`));
  }
}

/** What the tables show of a player: what somebody with that name plays, or what is played against them. */
export function whose(player, color, turn) {
  if (!player) return [];
  const name = isolated(player);
  if (!color) return ["The games of ", name, " with either colour."];
  const as = color === "white" ? "White" : "Black";
  return color === turn ? ["What ", name, ` plays as ${as}.`] : ["What is played against ", name, `, who is ${as}.`];
}

/** Lists the starting positions when the list is opened. `open(fen)` shows one. */
export class Starts {
  #server;
  #database;
  #open;
  #starts = null;
  #shown = STEP;

  constructor(server, database, open) {
    this.#server = server;
    this.#database = database;
    this.#open = open;
    $("starts").addEventListener("toggle", () => $("starts").open && this.#load());
    $("more-starts").addEventListener("click", () => {
      this.#shown += STEP;
      this.#show();
    });
  }

  /** Forgets the list, as another database has been chosen. */
  reset() {
    this.#starts = null;
    if ($("starts").open) this.#load();
  }

  async #load() {
    if (this.#starts) return;
    try {
      this.#starts = (await this.#server.starts(undefined, this.#database())).starts;
      this.#show();
    } catch (error) {
      $("start-list").replaceChildren(make("li", {}, `The list is not available: ${error.message}`));
    }
  }

  #show() {
    $("start-list").replaceChildren(...this.#starts.slice(0, this.#shown).map((start) => this.#card(start)));
    $("more-starts").hidden = this.#starts.length <= this.#shown;
  }

  #card({ fen, kind, number, games: total }) {
    const name = kind === "chess960" && number !== null ? `Chess960 ${number}` : "Position";
    const board = diagram(fen, `${name}: ${fen}`);
    return make(
      "li",
      {},
      make("button", { type: "button", class: "board-button", click: () => this.#open(fen) }, board),
      make("span", { class: "about" }, `${name}, ${games(total)}`),
    );
  }
}
