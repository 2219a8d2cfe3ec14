// A line of moves from a position, and how it is written. It knows no rules of chess: whoever answers questions about a position gives the
// SAN of a move and the FEN after it.

import { make, replace } from "./dom.js";

export const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/** How the initial positions of variants begin that are none of chess. */
const OTHER_STARTS = {
  antichess: `${ARRAY} w - `,
  suicide: `${ARRAY} w - `,
  horde: "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq ",
  racingKings: "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - ",
};

/** Whether a position is that before the first move of a game: of chess, of Chess960, or of a variant. */
export function isInitial(fen, variant = null) {
  if (variant in OTHER_STARTS) return fen.startsWith(OTHER_STARTS[variant]);
  const [, ...men] = fen.match(/^([bknqr]{8})\/p{8}(?:\/8){4}\/P{8}\/([BKNQR]{8})(?:\[\])? w KQkq /) ?? [];
  return men.length > 0 && men.every((rank) => [...rank.toLowerCase()].sort().join("") === "bbknnqrr");
}

/** The two squares of a move, for showing it; a drop has one. Castling in UCI names the square of the rook; SAN tells where the king arrives. */
export function endsOf({ uci, san = "" }) {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  if (from[1] === "@") return [to, to];
  const castled = san.match(/^O-O(-O)?/);
  return castled ? [from, (castled[1] ? "c" : "g") + from[1]] : [from, to];
}

/** Writes the number of a move, as `1.` or `1…`: the one that is `at` plies after a position. */
export function numbered(root, at) {
  const [, turn, , , , first = "1"] = root.split(" ");
  const ply = at + (turn === "b" ? 1 : 0);
  return `${(Number(first) || 1) + Math.floor(ply / 2)}${ply % 2 ? "…" : "."}`;
}

/** Whether two FENs have the same position, whatever their counters say. */
export const isSame = (fen, other) => fen?.split(" ", 4).join(" ") === other?.split(" ", 4).join(" ");

/** Whether two moves are the same. Castling has two names in UCI, so SAN decides, too. */
export const isSameMove = (a, b) => a.uci === b.uci || (Boolean(a.san) && a.san.replace(/[+#]/, "") === b.san?.replace(/[+#]/, ""));

/** Shows a line. `link(at, text, attributes)` makes the link to the position after so many moves. */
export function showLine(element, { root, line, at }, link) {
  const items = [link(0, "Start", at === 0 ? { "aria-current": "step" } : {})];
  line.forEach((move, ply) => {
    const number = numbered(root, ply);
    const isFirst = number.endsWith(".") || ply === 0;
    const attributes = { class: ply < at ? "played" : "ahead" };
    if (ply === at - 1) attributes["aria-current"] = "step";
    const sanLink = link(ply + 1, move.san ?? move.uci, attributes);
    items.push(make("span", {}, isFirst ? make("span", { class: "ply" }, number) : null, sanLink));
  });
  replace(
    element,
    items.flatMap((item) => [item, " "]),
    "[aria-current]",
  );
  // Only the line itself is scrolled, not the page.
  const current = element.querySelector("[aria-current]");
  if (current) element.scrollTop = current.offsetTop - (element.clientHeight - current.offsetHeight) / 2;
}
