// The lines of a game: objects for moves, made of the text that the module writes for all moves of a game.

const shapeOf = ([from, to, color]) => ({ from, to, color });

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

/** The lines of one game. They take their moves from its text in turn: each line its own, and then its variations. */
class Lines {
  /** The SAN, the notation in UCI and the FEN of each move, and `|` behind each of them. */
  #text;
  #at = 0;

  constructor(text) {
    this.#text = text;
  }

  #moves([count, ply, number, isBlack]) {
    const text = this.#text;
    const moves = [];
    let at = this.#at;
    // Faster than `split`.
    for (let nth = 0; nth < count; nth++) {
      const san = text.indexOf("|", at);
      const uci = text.indexOf("|", san + 1);
      const fen = text.indexOf("|", uci + 1);
      moves.push(moveOf(text.slice(at, san), text.slice(san + 1, uci), text.slice(uci + 1, fen), ply + nth, number, isBlack ? "b" : "w"));
      at = fen + 1;
      if (isBlack) number += 1;
      isBlack = !isBlack;
    }
    this.#at = at;
    return moves;
  }

  /** Returns the notes between two moves. The module leaves empty values out. */
  #notes({ comments, words, shapes, nags, eval: score, depth, time, nodes, clk, variations, order }) {
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
      variations: variations?.map((line) => this.line(line)) ?? [],
    };
    if (order) notes.order = order;
    return notes;
  }

  line({ start, moves: numbers, texts = [], notes = [], unread }) {
    const moves = this.#moves(numbers);
    for (const [at, text] of texts) moves[at].text = text;
    const isBefore = notes.length > 0 && notes[0][0] === 0;
    const line = { start, ...this.#notes(isBefore ? notes[0][1] : {}), moves };
    for (const [at, written] of isBefore ? notes.slice(1) : notes) Object.assign(moves[at - 1], this.#notes(written));
    if (unread) line.unread = unread;
    return line;
  }
}

/** Returns the main line of a game: what the module wrote of it, and the text with its moves. */
export const lineOf = (data, text) => new Lines(text).line(data);
