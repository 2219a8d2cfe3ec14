// The lines of a game: objects for moves, made of what the module writes for all moves of a line.

const shapeOf = ([from, to, color]) => ({ from, to, color });

/** Returns the notes between two moves. The module leaves empty values out. */
function notesOf({ comments, words, shapes, nags, eval: score, depth, time, nodes, clk, variations, order }) {
  const notes = {
    comments: comments ?? [],
    words: words ?? "",
    shapes: shapes?.map(shapeOf) ?? [],
    nags: nags ?? [],
    eval: score ?? null,
    depth: depth ?? null,
    time: time === undefined ? null : Number(time),
    nodes: nodes ?? null,
    clk: clk === undefined ? null : Number(clk),
    variations: variations?.map(lineOf) ?? [],
  };
  if (order) notes.order = order;
  return notes;
}

/** Returns a move behind which nothing is written. It is made in one place, so that all moves are of one shape in memory. */
const moveOf = (san, uci, fen, ply, number, turn) => ({
  san,
  uci,
  fen,
  text: san,
  ply,
  number,
  turn,
  comments: [],
  words: "",
  shapes: [],
  nags: [],
  eval: null,
  depth: null,
  time: null,
  nodes: null,
  clk: null,
  variations: [],
});

function movesOf({ first: [ply, number, isBlack], san, uci, fen }) {
  if (!san) return [];
  const [sans, ucis, fens] = [san.split(" "), uci.split(" "), fen.split("|")];
  const moves = [];
  for (let at = 0; at < sans.length; at++) {
    moves.push(moveOf(sans[at], ucis[at], fens[at], ply + at, number, isBlack ? "b" : "w"));
    if (isBlack) number += 1;
    isBlack = !isBlack;
  }
  return moves;
}

/** Returns a line of its columns. */
export function lineOf(columns) {
  const { start, texts = [], notes = [], unread } = columns;
  const moves = movesOf(columns);
  for (const [at, text] of texts) moves[at].text = text;
  const isBefore = notes.length > 0 && notes[0][0] === 0;
  for (const [at, written] of isBefore ? notes.slice(1) : notes) Object.assign(moves[at - 1], notesOf(written));
  const line = { start, ...notesOf(isBefore ? notes[0][1] : {}), moves };
  if (unread) line.unread = unread;
  return line;
}
