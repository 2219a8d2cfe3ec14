// A game: the board, the players and their clocks, the moves with comments and variations, and the tags. Moves that are not in the game can be
// tried on the board; they become variations, which are saved only if somebody asks for it.

import { load, Position } from "pgn2fen";
import { Board } from "../../crates/explorer/src/page/board.js";
import { $, copy, joined, make, say, showError } from "../../crates/explorer/src/page/dom.js";
import { endsOf, INITIAL, isSame, isSameMove } from "../../crates/explorer/src/page/line.js";
import { resultText } from "../../crates/explorer/src/page/tables.js";
import { latest } from "../../crates/explorer/src/page/view.js";
import { meanings } from "../../crates/explorer/src/page/glyphs.js";
import { Autoplay } from "./autoplay.js";
import { Graph } from "./graph.js";
import { pgnOf } from "./pgn.js";
import { isTold, titleWithoutPlayers } from "./titles.js";
import { movetext } from "../../crates/explorer/src/page/movetext.js";
import { Tree } from "../../crates/explorer/src/page/tree.js";
import { clock, variantName } from "../../crates/explorer/src/page/values.js";

const SCORES = { "1-0": ["1", "0"], "0-1": ["0", "1"], "1/2-1/2": ["½", "½"] };

/** A text, or a link if the text is an address. */
const linked = (text) =>
  /^https?:\/\/\S+$/.test(text) ? make("a", { href: text, target: "_blank", rel: "noopener noreferrer nofollow" }, text) : text;

export class GameView {
  /** The index of the game that is shown in its collection, or null. */
  index = null;
  game = null;
  flipped = false;

  #collection = null;
  #tree = new Tree(INITIAL);
  #node = this.#tree.root;
  #variant = undefined;
  #board;
  #graph;
  #onPosition;
  #onGame;
  #autoplay = new Autoplay(
    () => this.#following(),
    () => this.go(this.#node.children[0], true),
  );
  #reading = latest((error) => this.#fail(error));

  /** `onPosition` is called when another position is shown, and `onGame` when another game is. */
  constructor(onPosition, onGame) {
    this.#onPosition = onPosition;
    this.#onGame = onGame;
    this.#board = new Board($("board"), $("promotion"), (move) => this.play(move));
    this.#board.onWheel((way) => (way < 0 ? this.back() : this.forward()), () => this.#tree.size > 1);
    this.#graph = new Graph((node) => this.go(node));
    $("movetext").addEventListener("click", (event) => {
      const button = event.target.closest("[data-node]");
      if (button) this.go(this.#tree.node(Number(button.dataset.node)));
    });
    new ResizeObserver(() => this.#fit()).observe($("moves-area"));
  }

  get board() {
    return this.#board;
  }

  get fen() {
    return this.#node.fen;
  }

  /** The variant of the position that is shown; nothing in chess and Chess960. */
  get variant() {
    return this.#variant;
  }

  /** The position before the first move, and the moves to the one that is shown. */
  get line() {
    return { variant: this.#variant, root: this.#tree.root.fen, line: this.#tree.path(this.#node).map(({ uci, san, fen }) => ({ uci, san, fen })) };
  }

  get lastMove() {
    return this.#node.uci || null;
  }

  /** The game with the moves that were tried, as PGN; null if none were, or if moves of the game are left out. */
  get triedPgn() {
    return this.#tree.hasTried && !this.#tree.isCut ? pgnOf(this.#tree, this.game, this.#variant) : null;
  }

  /** The place in the game: a ply of the main line, or the moves to another position, in UCI. */
  get place() {
    const path = this.#tree.path(this.#node);
    const isMain = path.every((node, at) => this.#tree.main[at] === node);
    return isMain ? { ply: path.length } : { line: path.map((node) => node.uci) };
  }

  /** The move that led to the position, as `12. Nf3`, or nothing. */
  get moveName() {
    return this.#node.parent ? `${this.#tree.number(this.#node)} ${this.#node.san}` : "";
  }

  /** Forgets the game of another collection, and shows the initial position. */
  reset(collection) {
    this.#collection = collection;
    this.#reading.cancel();
    this.showPosition(INITIAL);
  }

  /**
   * Opens a game: at a ply, behind a line of moves in UCI, or at a position if the game reached it, or at its start. `isQuiet` says that nobody has asked for it.
   */
  open(index, { ply = null, line: moves = null, fen = null, isQuiet = false } = {}) {
    const use = (game) => {
      this.index = index;
      this.game = game;
      const variant = this.#collection.text("variant", index);
      this.#variant = ["", "standard", "chess960"].includes(variant) ? undefined : variant;
      this.#tree = game.start === null ? new Tree(INITIAL) : Tree.of(game);
      const line = [this.#tree.root, ...this.#tree.main];
      const reached = fen ? line.findIndex((node) => isSame(node.fen, fen)) : -1;
      this.#node = line[Math.min(ply ?? Math.max(reached, 0), line.length - 1)];
      if (moves) this.#node = this.#nodeBehind(moves);
      this.#show(null, isQuiet);
      if (!isQuiet) say(`${$("game-title").textContent}. ${this.moveName}`);
    };
    return this.#reading(
      () => this.#collection.game(index),
      use,
      (error) => this.#fail(error),
    );
  }

  /** Shows another place of the game that is open. */
  goToPlace({ ply = 0, line = null }) {
    const size = this.#tree.size;
    const node = line ? this.#nodeBehind(line) : [this.#tree.root, ...this.#tree.main][ply];
    if (this.#tree.size > size) this.#showMoves();
    this.go(node);
  }

  /** The node behind moves from the root, up to one that cannot be played. Moves that are not in the game are tried. */
  #nodeBehind(moves) {
    let node = this.#tree.root;
    for (const uci of moves) {
      const known = node.children.find((child) => child.uci === uci);
      const position = this.#positionOf(node);
      const legal = known ? null : position.legalMoves.find((move) => move.uci === uci);
      if (!known && !legal) break;
      node = known ?? this.#tree.add(node, legal, position.play(uci).fen());
    }
    return node;
  }

  /** Shows a position without a game, of a variant or of chess. */
  showPosition(fen, variant) {
    this.#variant = variant;
    this.index = null;
    this.game = null;
    this.#tree = new Tree(fen);
    this.#node = this.#tree.root;
    this.#show(null, true);
  }

  #fail(error) {
    console.warn(error);
    showError($("game-fault"), `The game cannot be shown: ${error.message}`);
  }

  // Moves.

  /** Shows the position of a node. Whoever goes elsewhere ends the playing of the game. */
  go(node, isPlaying = false) {
    if (!isPlaying) this.#autoplay.stop();
    if (!node || node === this.#node) return;
    const before = this.#node;
    this.#node = node;
    const slide = node.parent === before ? endsOf(node) : before.parent === node ? endsOf(before).reverse() : null;
    this.#showPosition(slide);
    this.#say();
  }

  /** Plays a move in the position that is shown: one of the game, or another one, which is tried. */
  play(move) {
    const known = this.#node.children.find((child) => isSameMove(child, move));
    if (known) {
      this.go(known);
      return;
    }
    const next = this.#tree.add(this.#node, move, this.position.play(move.uci).fen());
    this.#showMoves();
    this.go(next);
  }

  /** Shows the position behind a line of moves from a position. The moves are those of the game, or others, which are tried. */
  playLine({ variant, root, line }) {
    if (!isSame(this.#tree.root.fen, root) || variant !== this.#variant) this.showPosition(root, variant);
    const before = this.#node;
    let node = this.#tree.root;
    let isNew = false;
    for (const move of line) {
      const known = node.children.find((child) => isSameMove(child, move));
      isNew ||= !known;
      node = known ?? this.#tree.add(node, move, move.fen);
    }
    if (isNew) this.#showMoves();
    if (node !== before) this.go(node);
  }

  /** The position that is shown. Whether the game is of Chess960 decides how castling is written. */
  get position() {
    return this.#positionOf(this.#node);
  }

  #positionOf({ fen }) {
    return this.#variant ? new Position(fen, { variant: this.#variant }) : new Position(fen, { chess960: this.game?.chess960 ?? false });
  }

  /** The next move and its time, or null at the end. */
  #following() {
    const [next] = this.#node.children;
    return next ? { time: this.#graph.timeOf(next) } : null;
  }

  autoplay = () => this.#autoplay.toggle();

  first = () => this.go(this.#tree.root);
  back = () => this.go(this.#node.parent);
  forward = () => this.go(this.#node.children[0]);
  last = () => this.go(this.#tree.line(this.#node).at(-1));

  /** Shows the position after so many moves of the way to the current one. */
  goTo(at) {
    this.go(at ? this.#tree.path(this.#node)[at - 1] : this.#tree.root);
  }

  flip = () => {
    this.flipped = !this.flipped;
    $("flip").setAttribute("aria-pressed", String(this.flipped));
    this.#showPosition(null);
    say(`The board is seen from ${this.flipped ? "Black" : "White"}.`);
  };

  copyFen = (event) => copy(event.currentTarget, this.#node.fen);

  copyPgn = async (event) => {
    const button = event.currentTarget;
    await copy(button, await this.#collection.pgn(this.index));
  };

  // Showing.

  #show(slide, isQuiet) {
    this.#autoplay.stop();
    this.#showHead();
    this.#showMoves();
    this.#graph.show(this.#tree, this.game?.tags.TimeControl);
    this.#showPosition(slide);
    this.#onGame(isQuiet);
  }

  #showHead() {
    const { game } = this;
    const tags = game?.tags ?? {};
    const players = [tags.White, tags.Black];
    const title = () => (players.some(isTold) ? players.map((name) => name || "?") : [titleWithoutPlayers((name) => tags[name], this.index + 1)]);
    const names = game ? title() : ["A position"];
    $("game-title").replaceChildren(...joined(names, " – "), ...(game ? ["  ", make("span", { class: "result" }, resultText(game.result))] : []));
    const opening = [tags.ECO, tags.Opening ?? (this.index !== null ? this.#collection.text("opening", this.index) : "")].filter(isTold).join(" ");
    const variant = this.#variant && variantName(this.#variant);
    const places = [variant, ...["Event", "Site", "Date", "Round"].map((name) => tags[name]), opening].filter(isTold);
    $("game-place").replaceChildren(...joined(places, " · "));
    const fault = game?.errors.find((message) => message.isError);
    const place = fault ? `Line ${fault.line}, column ${fault.column}: ${fault.text || fault.reason}` : "";
    showError($("game-fault"), fault ? place : this.#tree.isCut ? "The game is very long or deeply nested. Some of its moves are not shown." : null);
    $("tag-list").replaceChildren(...Object.entries(tags).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, linked(value))]));
    $("tags-area").hidden = !game;
    $("copy-pgn").hidden = !game;
  }

  #showMoves() {
    $("movetext").replaceChildren(...movetext(this.#tree));
    const end = this.game && SCORES[this.game.result] ? resultText(this.game.result) : null;
    if (end) $("movetext").append(make("div", { class: "block end" }, end));
    if (!this.#tree.root.children.length) {
      $("movetext").append(make("div", { class: "block" }, this.game ? "This game has no moves." : "Drag a piece to try a move."));
    }
    $("engine-area").hidden = !this.#tree.hasEngine;
    this.#fit();
  }

  /** The player bars: above the board the side that is farther away. */
  #showPlayers() {
    const tags = this.game?.tags ?? {};
    const path = this.#tree.path(this.#node);
    for (const [place, color] of [
      ["above", this.flipped ? "White" : "Black"],
      ["below", this.flipped ? "Black" : "White"],
    ]) {
      const isWhite = color === "White";
      const last = path.findLast((node) => node.clk !== null && this.#tree.number(node).endsWith(".") === isWhite);
      const time = last?.clk ?? this.#tree.root.clk;
      const score = SCORES[this.game?.result]?.[isWhite ? 0 : 1];
      const [title, rating] = [tags[`${color}Title`], tags[`${color}Elo`]];
      const isToMove = this.#node.fen.split(" ")[1] === (isWhite ? "w" : "b");
      const parts = [
        make("span", { class: `disc ${color.toLowerCase()}`, title: color }),
        make(
          "span",
          { class: "name" },
          isTold(title) ? make("small", {}, `${title} `) : null,
          tags[color] || color,
          isTold(rating) ? make("small", {}, ` ${rating}`) : null,
        ),
        score ? make("span", { class: "score" }, score) : null,
        time === null || time === undefined ? null : make("span", { class: isToMove ? "clock to-move" : "clock" }, clock(time)),
      ];
      $(`player-${place}`).replaceChildren(...parts.filter(Boolean));
    }
  }

  #showPosition(slide) {
    const node = this.#node;
    const position = this.position;
    $("description").textContent = position.description;
    const last = node.parent ? endsOf(node) : [];
    const { fen, shapes } = node;
    this.#board.show({ fen, legal: position.legalMoves, last, check: position.isCheck, flipped: this.flipped, shapes, slide });
    this.#board.arrow(null);
    this.#showPlayers();
    this.#markCurrent();
    this.#graph.mark(node);
    $("engine-comment").textContent = node.engine || "None at this move.";
    for (const [id, isOff] of [
      ["first", !node.parent],
      ["back", !node.parent],
      ["forward", !node.children.length],
      ["last", !node.children.length],
    ]) {
      $(id).setAttribute("aria-disabled", String(isOff));
    }
    this.#onPosition();
  }

  #say() {
    const node = this.#node;
    const told = [this.moveName || "Start", meanings(node.nags), ...node.comments];
    say(`${told.filter(Boolean).join(". ")}.`);
  }

  #markCurrent() {
    const pane = $("movetext");
    for (const old of pane.querySelectorAll('[aria-current], [tabindex="0"]')) {
      old.removeAttribute("aria-current");
      old.tabIndex = -1;
    }
    const button = pane.querySelector(`[data-node="${this.#node.id}"]`);
    const first = button ?? pane.querySelector("[data-node]");
    if (first) first.tabIndex = 0;
    if (button) {
      button.setAttribute("aria-current", "step");
      if (pane.contains(document.activeElement)) button.focus({ preventScroll: true });
    }
    this.#reveal(button);
  }

  /** The height of a line of the moves. */
  get #unit() {
    return parseFloat(getComputedStyle($("movetext")).getPropertyValue("--unit")) || 28;
  }

  /** Gives the moves a height of whole lines, so that none is cut. */
  #fit() {
    const [pane, unit] = [$("movetext"), this.#unit];
    pane.style.height = `${Math.max(3, Math.floor($("moves-area").clientHeight / unit)) * unit}px`;
    for (const block of pane.querySelectorAll(":scope > :not(.turn)")) block.style.minHeight = "";
    const blocks = [...pane.querySelectorAll(":scope > :not(.turn)")].map((block) => [block, block.offsetHeight]);
    for (const [block, height] of blocks) block.style.minHeight = `${Math.ceil(height / unit - 0.01) * unit}px`;
    this.#reveal(pane.querySelector("[aria-current]"));
  }

  /** Scrolls the moves by whole lines, so that the current one is in the upper half. The page is not scrolled. */
  #reveal(button) {
    const [pane, unit] = [$("movetext"), this.#unit];
    if (!button) {
      pane.scrollTop = 0;
      return;
    }
    const top = button.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
    pane.scrollTop = Math.max(0, Math.floor(top / unit) - Math.floor(pane.clientHeight / unit / 2) + 1) * unit;
  }
}
