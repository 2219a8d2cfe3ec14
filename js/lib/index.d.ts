/** Chess games in PGN as positions: FEN, moves, evaluations, clocks. The options have the words of the Python package of pgn2fen, in camel case. */

/**
 * PGN: text, bytes, a File or Blob, a stream, or in Node a `file:` URL. Files and streams may be compressed with zstd, gzip or bzip2. A stream is
 * read once, and to its end before its games are. Puzzles, CSV and JSON are read, too: in a page, `await load()` first to read a text of them with `for … of`.
 */
export type Input =
  | string
  | Uint8Array
  | ArrayBuffer
  | ArrayBufferView
  | Blob
  | Response
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>
  | Member
  | URL;

/** A number, or a range such as `"8..20"` or `[8, null]`, of which both ends are included. */
export type Range = string | number | [number | null, number | null];

/** How far a run has come: the bytes of the input, and the games and positions that were read. `games` does not count positions. */
export interface Progress {
  bytes: number;
  total: number;
  games: number;
  positions: number;
}

export interface RunOptions {
  /** The name of the file in messages. The default is that of the File or the URL, or `games.pgn`. */
  name?: string;
  /** Ends the run when it is aborted, also while a stream is read. */
  signal?: AbortSignal;
  /** Is called while an input is read, and at its end. A short text is read in one step. */
  onProgress?: (progress: Progress) => void;
  /** The most workers that read one file. The default is the number of cores. */
  workers?: number;
}

/** Which games are read, and how. */
export interface GameOptions extends RunOptions {
  // Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
  /** Games whose tags pass a filter such as `WhiteElo>=2200`; all must hold. */
  tags?: string | string[];
  /** Games that start from the initial position, or from others. The default is `any`. */
  start?: "any" | "standard" | "nonstandard";
  /** Games with an opening: a part of its name, or the beginning of its ECO code; one must fit. */
  opening?: string | string[];
  /** Games that reached a position, as a FEN or as moves; one must be reached. */
  reached?: string | string[];
  /** Games with these moves one after another, such as `Bxh7+ Kxh7 Ng5+`; one sequence must occur. */
  moves?: string | string[];
  /** Games that end in `mate`, `mate:N` (by a knight), `stalemate`, `insufficient`, `threefold`, `fivefold`, `fifty-moves` or `seventy-five-moves`; one must hold. */
  ends?: string | string[];
  /** Games with comments in words. */
  commented?: boolean;
  /** Games with this number of plies in the main line. */
  length?: Range;
  /** The most games, of those that pass the filters. */
  maxGames?: number;
  /** What happens to a game with an error: its positions before the error are kept or dropped, or the run ends. The default is `keep`. */
  onError?: "keep" | "drop" | "stop";
  /** The pieces of White and Black, such as `KRP:KR`; one must hold. */
  material?: string | string[];
  /** A board with wildcards; one must match. */
  pattern?: string | string[];
  /** The squares of all pawns; one must hold. */
  pawns?: string | string[];
  /** Whether White and Black of a shape may be exchanged. The default is `either`. */
  colors?: "either" | "given";
  /** Left and right of a shape may be exchanged. */
  mirror?: boolean;
  /** The number of positions in a row that must have the shape. The default is `1`. */
  forPlies?: number;
  /** The language of the piece letters in moves, such as `de`. The default is `en`. */
  lang?: string;
  /** When a FEN tag is used: always, only with a SetUp tag, or never. The default is `auto`. */
  setup?: "auto" | "strict" | "ignore";
  /** The encoding of text that is not UTF-8, such as `windows-1251`. The default is `auto`. */
  encoding?: string;
  /** The comments in which evaluations are found: `[%eval 0.31]`, `+0.31/14 0.5s`, `wv=0.31`, or the first kind of each game; of `games`, only streams have it. The default is `auto`. */
  evals?: "auto" | "lichess" | "engine" | "tcec";
  /** Report repeated warnings of a game, too. */
  verbose?: boolean;
  // The end of the options.
}

/** A judgement about a move, by the formulas of Lichess. */
export type JudgementWord = "blunder" | "mistake" | "inaccuracy" | "good";

/** Which positions have a row, and how they are written. */
export interface ScanOptions extends GameOptions {
  // Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
  /** What a row is made of: each position, or each game. The default is `position`. */
  per?: "position" | "game";
  /** The most rows of a record batch. */
  batchRows?: number;
  /** A ply or a range of plies; negative numbers count from the end. The default is `..`. */
  plies?: Range;
  /** Leave out the starting position of each game. */
  skipStart?: boolean;
  /** Leave out positions in check. */
  skipChecks?: boolean;
  /** Leave out positions in which the next move is a capture or a promotion. */
  skipCaptures?: boolean;
  /** Only every n-th of the plies of a game that are chosen. The default is `1`. */
  every?: number;
  /** A random share of the positions, the same in every run. */
  sample?: number;
  /** The seed of random choices. The default is `0`. */
  seed?: number;
  /** Each position only once. */
  unique?: boolean;
  /** The positions of variations, too; in a tree, their moves have no result. */
  variations?: boolean;
  /** Positions with this side to move. */
  turn?: "w" | "b";
  /** Positions with this number of pieces, kings and pawns included. */
  pieces?: Range;
  /** Leave out positions with an evaluation of more centipawns for either side. */
  maxEval?: number;
  /** Positions with an evaluation in a range of centipawns, from White's side. */
  eval?: Range;
  /** Positions before a move with this judgement; one must hold. */
  judgement?: "blunder" | "mistake" | "inaccuracy" | "good" | ("blunder" | "mistake" | "inaccuracy" | "good")[];
  /** Positions before a move that lost at least this number of centipawns. */
  minLoss?: number;
  /** When FENs have an en passant square. The default is `always`. */
  ep?: "always" | "xfen" | "legal";
  /** How FENs write castling rights. The default is `xfen`. */
  castling?: "xfen" | "shredder";
  /** The fields of FENs: six, or four without the move counters. The default is `6`. */
  fields?: 4 | 6;
  /** How FENs of crazyhouse and three-check write men in hand and checks. The default is `usual`. */
  fenStyle?: "usual" | "lichess";
  /** The most boards of a page or of a folder of pictures. The default is `1000`. */
  maxBoards?: number;
  /** The side at the bottom of boards, or the side to move. The default is `white`. */
  orientation?: "white" | "black" | "turn";
  /** Number the boards of a page. */
  numbers?: boolean;
  /** The solutions of numbered boards at the end of a page. */
  solutions?: boolean;
  /** The boards in a row of a page; without it, as many as fit. */
  boardsPerRow?: number;
  /** The boards on a printed page, which shrink until they fit on A4 and Letter. */
  boardsPerPage?: number;
  /** Draw the arrows and circles of comments: `[%cal Ge2e4]` and `[%csl Rd5]`. */
  commentArrows?: boolean;
  // The end of the options.
}

/** An error or a warning about a place in a file. */
export interface Message {
  /** The kind, such as `illegal-move`. The guide lists all kinds. */
  kind: string;
  isError: boolean;
  file: string;
  /** The line and the column in bytes, from 1. */
  line: number;
  column: number;
  game: number | null;
  ply: number | null;
  subject: string;
  reason: string;
  text: string;
  /** The line that the command prints, with options as they are here; also `String(message)`. */
  full: string;
}

/** What was read, and what was wrong with it. */
export interface Report {
  games: number;
  chosen: number;
  positions: number;
  errors: number;
  warnings: number;
  /** The first 10,000 messages, in the order of the file. */
  messages: Message[];
  /** The number of messages that are not kept. */
  hidden: number;
  /** Hints about an output that is smaller than expected. */
  hints: string[];
  /** Whether the run came to its end. It is false while the run goes on, and after one that failed or was broken off. */
  isComplete: boolean;
  /** Whether an error in a game ended the run, by `onError: "stop"`. */
  isStopped: boolean;
  /** The counts in a line. */
  summary: string;
}

/** An arrow from one square to another, or a circle on a square if both are the same. */
export interface Shape {
  from: string;
  to: string;
  color: "green" | "red" | "yellow" | "blue";
}

/** What is written at a place of a game: behind a move, or before the first one. */
export interface Notes {
  /** The comments, as they are written, commands such as `[%clk 0:01:00]` included. */
  comments: string[];
  /** The words of people in the comments, without commands and the reports of engines. */
  words: string;
  /** The arrows and circles in the comments: `[%cal Ge2e4]` and `[%csl Rd5]`. */
  shapes: Shape[];
  /** Glyphs: numbers from 0 to 255 (PGN standard §10). */
  nags: number[];
  /**
   * The evaluation of the position at this place, in centipawns from White's side; mate in n is 32000 − n or −(32000 − n). In engine matches, it is
   * in the comment of the next move, as are `depth`, `time` and `nodes`.
   */
  eval: number | null;
  depth: number | null;
  /** Seconds. */
  time: number | null;
  nodes: number | null;
  /** The clock, in seconds. */
  clk: number | null;
  /** The variations that replace the move. */
  get variations(): Changeable<Line, WrittenLine>;
  set variations(lines: WrittenLine[]);
  /** The order of the notes in the text, if it is not the usual one (glyphs, comments, variations): `n` a glyph, `c` a comment, `v` a variation. */
  order?: string;
}

/** A list of what was read, to which what is written can be added. What was added is in the list as it was given. */
export interface Changeable<Read, Written> extends Array<Read> {
  push(...items: (Read | Written)[]): number;
  unshift(...items: (Read | Written)[]): number;
  splice(start: number, deleteCount?: number): Read[];
  splice(start: number, deleteCount: number, ...items: (Read | Written)[]): Read[];
}

export interface Move extends Notes {
  san: string;
  uci: string;
  /** The position after the move. */
  fen: string;
  /** The move as it is written in the file. */
  text: string;
  /** The number of the ply, from 1. */
  ply: number;
  /** The number of the move, as in `12. Nf3`. */
  number: number;
  turn: "w" | "b";
}

/** The main line of a game, or a variation. */
export interface Line extends Notes {
  /** The position before the first move; null if the game has no usable one. */
  start: string | null;
  get moves(): Changeable<Move, WrittenMove>;
  set moves(moves: WrittenMove[]);
  /** The text behind an error in the line, which was not read. */
  unread?: string[];
}

/** How a game ends on the board (FIDE Laws of Chess, 5.1, 5.2, 9.2, 9.3, 9.6). */
export type End = "mate" | "stalemate" | "insufficient" | "threefold" | "fivefold" | "fifty-moves" | "seventy-five-moves";

export interface Game {
  tags: Record<string, string>;
  line: Line;
  /** The moves of the main line, up to its first error. */
  get moves(): Changeable<Move, WrittenMove>;
  set moves(moves: WrittenMove[]);
  start: string | null;
  result: "1-0" | "0-1" | "1/2-1/2" | "*";
  /** Whether castling follows the rules of Chess960. */
  chess960: boolean;
  variant: Variant;
  /**
   * The rules by which the last position of the main line ends the game on the board: a repetition and the fifty moves by a claim. Variants end by
   * their own rules, which `new Position(fen, { variant }).end` tells.
   */
  ends: End[];
  /** The comments before and between the tags, if there are any. */
  preface?: string[];
  errors: Message[];
  /** What was read otherwise than it is written, or skipped: marks without a meaning, variations nested too deeply. */
  warnings: Message[];
  file: string;
  /** The number of the game in its file, from 1. */
  number: number;
  /** The line on which it begins, from 1. */
  lineNumber: number;
  /** The byte at which it begins, from 0. */
  offset: number;
  /** The game as it is written. */
  text: string;
}

/** Games one after another: `for … of` reads text and bytes at once, `for await … of` reads any input in workers. */
export interface Games extends Iterable<Game>, AsyncIterable<Game> {}

/** Returns the games of an input. For `onError`, a game with `errors` is one with an error, also if it is in a variation. */
export function games(input: Input, options?: GameOptions): Games;

/** A move that is written: in SAN, in the notation of UCI engines, or with what stands behind it. */
export type WrittenMove = string | (Partial<Pick<Notes, "comments" | "nags" | "order">> & { san?: string; uci?: string; variations?: WrittenLine[] });

/** A line that is written. */
export interface WrittenLine extends Partial<Pick<Notes, "comments" | "nags" | "order">> {
  moves: WrittenMove[];
  variations?: WrittenLine[];
  unread?: string[];
}

/**
 * A game that is written. Without `start`, it starts from the position of the tag FEN, or from the initial position of the game that `variant`
 * names. Without `variant`, the tag Variant names it.
 */
export interface WrittenGame {
  tags?: Record<string, string | number>;
  line?: Partial<WrittenLine> & { start?: string | null };
  /** Decide over those of `line`, which a copy of a game that was read may have, too. */
  moves?: WrittenMove[];
  /** A FEN, or `startpos`. Decides over that of `line`. */
  start?: string | null;
  /** Decides over the tag Variant. */
  variant?: Variant;
  /** Decides over the tag Result. */
  result?: Game["result"];
  preface?: string[];
}

export interface WriteOptions {
  comments?: "all" | "words" | "commands" | "none";
  variations?: boolean;
  nags?: boolean;
  /** `all`, `roster`, `none`, or names of tags. */
  keepTags?: string | string[];
  /** The most characters of a line; 0 for one line. The default is 79. */
  width?: number;
}

/**
 * Returns a game as PGN, as `pgn2fen games --san` writes it. A game that was read may have been changed: moves and variations are those of its
 * lists, `san` is the move, or `uci` without it, and `comments` hold words, shapes and clocks. Throws an error with `ply` if a move is not legal,
 * and one if variations are nested more than 256 deep. Pages call `load` first.
 */
export function writeGame(game: WrittenGame, options?: WriteOptions): string;

/** Changes the words of people, the arrows and circles, or the glyphs of a move or at the start of a line. Its other comments stay. */
export function annotate(
  notes: Partial<Omit<Notes, "variations">> & { san?: string; uci?: string },
  changes: { words?: string; shapes?: Shape[]; nags?: number[] },
): void;

/** Makes a variation of the move `line.moves[at]` the continuation of its line. What followed becomes the first variation. */
export function promote(line: WrittenLine, at: number, variation?: number): void;

/**
 * What is wrong in a thrown error: the kind of a message, or what was done wrong. Runs that are aborted throw the reason of their signal, which has
 * none of these.
 */
export type ErrorCode =
  | "bad-argument"
  | "bad-fen"
  | "bad-san"
  | "illegal-move"
  | "ambiguous-move"
  | "unsupported-variant"
  | "unreadable-input"
  | "not-loaded"
  | "internal-error";

/** An error that the package throws. */
export interface CodedError extends Error {
  code: ErrorCode;
  /** The ply of a wrong move, from 1. */
  ply?: number;
}

export type Format = "fen" | "epd" | "csv" | "tsv" | "jsonl" | "uci" | "bullet" | "bulletformat" | "viri" | "binpack" | "plain" | "html" | "anki" | "arrow";

export type Value = string | number | bigint | (string | number | null)[] | Record<string, string> | null;
export type Row = Record<string, Value>;

/** The columns with their types. Every other name is a tag. */
export interface ColumnTypes {
  file: string;
  game: number;
  offset: number;
  line: number;
  /** The number of the game, or the text that an EPD has there; null if it has none. */
  id: number | string | null;
  ply: number;
  variation: number;
  parent: number | null;
  plies: number;
  turn: "w" | "b";
  variant: Variant;
  hand: string | null;
  fen: string;
  san: string | null;
  uci: string | null;
  next_san: string | null;
  next_uci: string | null;
  eval: number | null;
  depth: number | null;
  time: number | null;
  nodes: number | null;
  win_chance: number | null;
  cp_loss: number | null;
  accuracy: number | null;
  judgement: JudgementWord | null;
  clk: number | null;
  spent: number | null;
  comment: string | null;
  words: string | null;
  nags: number[] | null;
  key: bigint;
  material: string;
  eco: string | null;
  opening: string | null;
  result: "1-0" | "0-1" | "1/2-1/2" | "*";
  tags: Record<string, string>;
  start: string | null;
  moves: string[] | null;
  evals: (number | null)[] | null;
  clocks: (number | null)[] | null;
  white_accuracy: number | null;
  black_accuracy: number | null;
  white_cp_loss: number | null;
  black_cp_loss: number | null;
  white_inaccuracies: number | null;
  black_inaccuracies: number | null;
  white_mistakes: number | null;
  black_mistakes: number | null;
  white_blunders: number | null;
  black_blunders: number | null;
}

/** The names in a list of columns such as `"ply,san"`. */
type NamesOf<Text extends string> = Text extends `${infer Name},${infer Rest}` ? Trimmed<Name> | NamesOf<Rest> : Trimmed<Text>;
type Trimmed<Text extends string> = Text extends `${Space}${infer Rest}` ? Trimmed<Rest> : Text extends `${infer Rest}${Space}` ? Trimmed<Rest> : Text;
type Space = " " | "\t" | "\n" | "\r";

/** The row of columns whose names are known. Patterns such as `White*` give further columns. */
export type RowOf<Names extends string> = string extends Names
  ? Row
  : [Extract<Names, `${string}${"*" | "?"}${string}`>] extends [never]
    ? { [Name in Names]: Name extends keyof ColumnTypes ? ColumnTypes[Name] : Name extends `${string}Elo` ? number | null : Exclude<Value, bigint> }
    : Row;

/** A column of a batch. */
export interface Column extends Iterable<Value> {
  name: string;
  type: "text" | "int32" | "int64" | "float64" | "date" | "int32[]" | "float64[]" | "text[]" | "map";
  length: number;
  /** The values; 0 where they are missing. Dates are days since 1970; columns such as `game` have 64 bits. Columns of text have none. */
  values?: Int32Array | BigInt64Array | Float64Array;
  /** 1 for each row with a value; null if all rows have one. */
  valid: Uint8Array | null;
  /** Of a text column: row `i` has the bytes from `offsets[i]` up to `offsets[i + 1]`; of one with `indices`, from `offsets[indices[i]]`. */
  offsets?: Uint32Array;
  bytes?: Uint8Array;
  indices?: Uint32Array;
  /** The value of a row, and null if it is missing, or if there is no such row. Dates are texts such as `2024-01-31`; of numbers of 64 bits, only those of `key` are a bigint. */
  get(row: number): Value;
}

/** Consecutive rows. */
export interface Batch<R = Row> extends Iterable<R> {
  length: number;
  columns: Record<string, Column>;
  /** Returns a row; like an array, undefined if there is no such row. */
  row(at: number): R;
}

/** Rows of positions. Nothing is read before they are asked for. */
export interface Scan<R = Row> extends Iterable<R>, AsyncIterable<R> {
  batches(): AsyncIterableIterator<Batch<R>>;
  pieces(format?: Format): AsyncIterableIterator<Uint8Array>;
  bytes(format?: Format): Promise<Uint8Array>;
  text(format?: Format): Promise<string>;
  blob(format?: Format): Promise<Blob>;
  stream(format?: Format): ReadableStream<Uint8Array>;
  toArray(): Promise<R[]>;
  /** The report as far as rows have been read. */
  readonly report: Report | null;
}

/** Returns rows with these columns; without any, those that are usual for the format. */
export function scan<const Names extends string>(input: Input, columns: readonly Names[], options?: ScanOptions): Scan<RowOf<Names>>;
export function scan<const Text extends string>(input: Input, columns: Text, options?: ScanOptions): Scan<RowOf<NamesOf<Text>>>;
export function scan(input: Input, columns?: string | readonly string[] | null, options?: ScanOptions): Scan;

/** A starting position, as a row of the usual columns. */
export interface Start {
  count: number;
  kind: string;
  /** The number of a Chess960 start, from 0 to 959; two such as `518/12` if the sides differ. */
  sp: string | null;
  fen: string | null;
  file: string;
  line: number;
  offset: number;
  game: number;
  odds: string | null;
  /** Other columns that were asked for. */
  [column: string]: unknown;
}

/** Which starting positions are listed, and which games have them. */
export interface StartsOptions extends Omit<GameOptions, "start" | "onError" | "forPlies" | "evals"> {
  // Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
  /** The columns of a row, with wildcards such as `White*`. */
  columns?: string | string[];
  /** The kinds of starting positions; without it, all but `invalid`. */
  kind?: "chess960" | "dfrc" | "odds" | "position" | "invalid" | ("chess960" | "dfrc" | "odds" | "position" | "invalid")[];
  /** A row for each game with another start than the initial position, and not for each start. */
  all?: boolean;
  /** Starting positions are equal only if all six fields of their FENs are. */
  exact?: boolean;
  /** When FENs have an en passant square. The default is `always`. */
  ep?: "always" | "xfen" | "legal";
  /** How FENs write castling rights. The default is `xfen`. */
  castling?: "xfen" | "shredder";
  /** The fields of FENs: six, or four without the move counters. The default is `6`. */
  fields?: 4 | 6;
  /** How FENs of crazyhouse and three-check write men in hand and checks. The default is `usual`. */
  fenStyle?: "usual" | "lichess";
  // The end of the options.
}

export type StartKind = "chess960" | "dfrc" | "odds" | "position" | "invalid";

export interface Starts<S = Start> extends Iterable<S>, AsyncIterable<S> {
  toArray(): Promise<S[]>;
  readonly report: Report | null;
}

/** Returns the starting positions that are not the initial one, with the numbers of their games. With `columns`, a row has these only. */
export function starts(input: Input, options?: Omit<StartsOptions, "columns"> & { columns?: null }): Starts;
export function starts(input: Input, options: StartsOptions): Starts<Partial<Start>>;

/** A member of a zip archive. */
export interface Member {
  /** The name of the archive, a slash, and the name in the archive. */
  readonly name: string;
  /** The number of bytes when it is unpacked. */
  readonly size: number;
  /** The name in the archive. */
  readonly member: string;
}

/**
 * Returns the inputs in an input: the members of a zip archive that are read as games, a stream or a response as a File of what
 * was read, and any other input itself. `name` is the name of the archive.
 */
export function members<T extends Input>(input: T, options?: { name?: string }): Promise<(T | Member | File)[]>;

/** The options of a tree. Those of its games are as in `games`, but for those of positions in a game. */
export interface TreeOptions extends Omit<GameOptions, "onError" | "material" | "pattern" | "pawns" | "colors" | "mirror" | "forPlies" | "evals"> {
  // Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
  /** The positions of variations, too; in a tree, their moves have no result. */
  variations?: boolean;
  /** The games of a player, a part of whose name this is. */
  player?: string;
  /** The side of a tree, whose scores are written. */
  side?: "w" | "b";
  /** Where a tree begins: a FEN, moves such as `1. e4 c5`, or the name or ECO code of an opening. */
  position?: string;
  /** The rules of the positions and of the games: those of chess, Chess960 included, or of a variant. The default is `chess`. */
  variant?: "chess" | "crazyhouse" | "threeCheck" | "kingOfTheHill" | "antichess" | "giveaway" | "suicide" | "atomic" | "horde" | "racingKings";
  /** The number of plies behind this position, at most 256; 30 without the option, 100 with variations. */
  depth?: number;
  /** The moves that were played in at least this number of games; 3 without the option, 1 with variations. */
  minGames?: number;
  /** Which moves come first: the most played, those with the best score, or as in the files. The default is `games`. */
  order?: "games" | "score" | "file";
  /** The most moves of a position: the first ones. */
  max?: number;
  /** The number of model games at the end of a line, at most 3: those with the best rated players. The default is `1`. */
  models?: number;
  /** A line that comes to a position of another line ends with a remark, or goes on. The default is `join`. */
  transpositions?: "join" | "write";
  /** The contents of comments of a tree: all, none, or some of games, results, score, year, models and words, which are the comments and glyphs of the games; without the option, words with variations, and all others without. */
  comments?: string | string[];
  /** `!`, `?!` and `?` for moves of a tree, by their scores. */
  glyphs?: boolean;
  /** The title of a tree. */
  title?: string;
  /** The front of cards for Anki: a picture of the board, or the FEN. */
  front?: "board" | "fen";
  // The end of the options.
}

/** The number of games by result. `score` is White's mean score: 1 for a win, 0.5 for a draw; null if no result is known. */
export interface Results {
  readonly games: number;
  readonly white: number;
  readonly draws: number;
  readonly black: number;
  readonly unknown: number;
  readonly score: number | null;
}

/** A model game at the end of a line. */
export interface ModelGame {
  readonly white: string;
  readonly black: string;
  readonly event: string;
  readonly year: number | null;
  readonly result: "1-0" | "0-1" | "1/2-1/2" | "*";
}

/** A position of a tree, whatever moves led to it. */
export interface TreeNode {
  readonly fen: string;
  /** The moves that lead to it, as text: `1. e4 c5 2. Nf3`. */
  readonly path: string;
  /** The number of plies behind the root, on the shortest line. */
  readonly ply: number;
  /** The last move of this line; null for the root. */
  readonly parent: TreeMove | null;
  readonly moves: readonly TreeMove[];
  /** The results of the games that reached the position. */
  readonly results: Results;
  readonly lastYear: number | null;
  /** The model games, if the line ends here. */
  readonly models: readonly ModelGame[];
}

/** A move that was played in a position of a tree. */
export interface TreeMove {
  readonly san: string;
  readonly uci: string;
  readonly source: TreeNode;
  readonly target: TreeNode;
  readonly results: Results;
  readonly lastYear: number | null;
  /** Whether the position after the move hangs on another move. A walk that goes on only behind other moves visits each position once. */
  readonly transposes: boolean;
}

/** A tree, whose moves `for … of` gives one by one. */
export interface GrownTree extends Iterable<TreeMove> {
  readonly root: TreeNode;
  readonly positions: number;
  readonly moves: number;
  /** Returns the node of a position, whatever moves lead to it. */
  node(position: string | Position): TreeNode | null;
}

export type TreeFormat = "pgn" | "html" | "dot" | "mermaid" | "csv" | "tsv" | "jsonl" | "anki";

/** The description of a tree. Nothing is read before it is asked for. One worker reads the games. */
export interface Tree {
  /** What was read, and what was wrong with it; `hints` has what is to be said of the tree. */
  readonly report: Report | null;
  grow(): Promise<GrownTree>;
  /** Reads games that are in memory at once: see `load`. */
  growNow(): GrownTree;
  text(format?: TreeFormat): Promise<string>;
  blob(format?: TreeFormat): Promise<Blob>;
}

/** Describes one tree of many games: the lines that were played, with counts and results. A `Position` tells its variant, too. */
export function tree(input: Input, options?: Omit<TreeOptions, "position"> & { position?: string | Position }): Tree;

/** What is checked. */
export interface ReportOptions extends GameOptions {
  /** Whether errors in variations are reported, too: true if it is not given. */
  variations?: boolean;
  /** Whether the games of each tournament are compared: the findings are in `findings` of the report. */
  tournament?: boolean;
}

/** Something that cannot be right in a tournament, or that somebody should look at. */
export interface Finding {
  file: string;
  line: number;
  column: number;
  kind: "pairing-twice" | "missing-round" | "result-on-board" | "no-result" | "no-moves" | "unreadable-tag" | "spelling" | "possible-spelling";
  text: string;
}

/** Reads an input and returns what is in it and what is wrong with it. */
export function report(input: Input, options?: ReportOptions): Promise<Report & { findings?: Finding[] }>;

export interface LegalMove {
  readonly uci: string;
  readonly san: string;
  readonly from: string | null;
  readonly to: string | null;
  /** For castling, the square of the rook: the king may be dropped there, too. */
  readonly also?: readonly string[];
  /** In antichess, a pawn may become a king. */
  readonly promotion: "n" | "b" | "r" | "q" | "k" | null;
}

/**
 * A move: a text, a move of `legalMoves` or of a game, or two squares. A promotion of a move that is none is ignored. In Chess960, the square to which
 * a king castles may also be one to which it steps: then two squares are the step, and the square of the rook castles.
 */
export type GivenMove = string | { uci: string } | { san: string } | { from: string; to: string; promotion?: string | null };

export interface BoardOptions {
  orientation?: "white" | "black" | "turn";
  /** The width in pixels. */
  size?: number;
  coordinates?: boolean;
  check?: boolean;
  turnMark?: boolean;
  colors?: string;
  /** The squares of a move, such as `e2e4`. */
  lastMove?: string;
  /** Arrows such as `e2e4` or `e2e4:red`; circles such as `e4`. */
  arrows?: string[];
  /** Squares with a cross. */
  marks?: string[];
  /** Colours by squares, such as `{ e4: "yellow" }`. */
  fill?: Record<string, string>;
}

/** The names of the games that are played. */
export type Variant =
  | "standard"
  | "chess960"
  | "crazyhouse"
  | "threeCheck"
  | "kingOfTheHill"
  | "antichess"
  | "giveaway"
  | "suicide"
  | "atomic"
  | "horde"
  | "racingKings";

/** A chess position: standard, Chess960, or of a variant. It does not change: `play` returns another one. */
export class Position {
  /**
   * Reads a FEN, X-FEN, Shredder-FEN or EPD, `startpos`, or moves such as `1. e4 c5`. Throws an error with the place of what is wrong.
   *
   * Without `variant`, the form of a FEN tells crazyhouse (`RNBQKBNR[QNp]`) and three-check (`3+3`), and every other text is chess. Positions
   * of variants need the part of the package that pages load late: `await load()` first.
   */
  constructor(text?: string, options?: { lang?: string; chess960?: boolean; variant?: Variant });
  fen(options?: {
    ep?: "always" | "xfen" | "legal";
    castling?: "xfen" | "shredder";
    fields?: 4 | 6;
    fenStyle?: "usual" | "lichess";
  }): string;
  toString(): string;
  toJSON(): string;
  /** The Polyglot key as a signed number of 64 bits. */
  readonly key: bigint;
  readonly opening: { readonly eco: string; readonly name: string } | null;
  readonly turn: "w" | "b";
  readonly chess960: boolean;
  /** The name of the game, as in the column `variant`. */
  readonly variant: Variant;
  /** The men in hand, as in the column `hand`: White's in capital letters, then Black's: `QNPp`. */
  readonly hand: string;
  /** The checks that each side still has to give to win, in three-check; null in other games. */
  readonly remainingChecks: { white: number; black: number } | null;
  /**
   * The end of the game: mate, stalemate, or an end of a variant. It is null otherwise, also with insufficient material and after 75 moves, which
   * `ends` of a game tells.
   */
  readonly end: { readonly reason: string; readonly result: "1-0" | "0-1" | "1/2-1/2" } | null;
  readonly halfmoveClock: number;
  readonly fullmoveNumber: number;
  /** The number of pieces on the board. */
  readonly pieces: number;
  readonly isCheck: boolean;
  readonly isCheckmate: boolean;
  readonly isStalemate: boolean;
  /** The board in words, for screen readers. */
  readonly description: string;
  /** The letter of the piece on a square, in upper case for White; null if it is empty. */
  pieceAt(square: string): string | null;
  /** The legal moves, in a list that cannot be changed. */
  readonly legalMoves: readonly LegalMove[];
  /**
   * Plays moves: in SAN, in the notation of UCI engines, or as objects, such as those of `legalMoves` and of games. Throws an error with a code
   * and `ply` if one is not legal.
   */
  play(...moves: GivenMove[]): Position;
  san(move: GivenMove, options?: { lang?: string }): string;
  uci(move: GivenMove, options?: { lang?: string }): string;
  /** Whether the positions are the same by the rule of repetition. */
  isSame(other: Position): boolean;
  /** The board as an SVG document. */
  board(options?: BoardOptions): string;
  /** The board as text. */
  unicode(options?: BoardOptions & { ascii?: boolean }): string;
}

/** Loads the part of the package that pages load late. In Node it is always there. */
export function load(): Promise<void>;

export interface ExploredMove {
  uci: string;
  san: string;
  white: number;
  draws: number;
  black: number;
  unknown: number;
  averageRating: number | null;
  lastYear: number | null;
}

export type TextColumn = "White" | "Black" | "Event" | "Site" | "Date" | "Round" | "ECO" | "opening" | "start" | "TimeControl" | "Variant" | "variant";
export type NumberColumn = "WhiteElo" | "BlackElo" | "plies" | "number" | "line" | "offset" | "file" | "errors";

/** Many games, kept for looking at. They are read in workers, and are there as soon as they have been read. */
export class Collection {
  /** Begins to read. An input that cannot be read has an `error` in `files`, and the others are read. */
  static open(
    inputs: Input[],
    options?: { signal?: AbortSignal; workers?: number; lang?: string; setup?: "auto" | "strict" | "ignore"; encoding?: string; explorePlies?: number },
  ): Collection;
  /** Is called at most ten times a second while files are read, and at the end. */
  onupdate: (() => void) | null;
  /** `error` is what ended the reading: the reason of a signal, or a wrong `encoding`. */
  readonly progress: Progress & { isDone: boolean; error: Error | null };
  readonly size: number;
  /** The files. `encoding` is that of text that is not UTF-8, given or guessed once for the file; null if its first 64 KiB are UTF-8. */
  readonly files: { name: string; size: number; games: number; error: string | null; encoding: string | null }[];
  /** Texts are empty where they are missing, and numbers are 0. */
  text(column: TextColumn, index: number): string;
  number(column: NumberColumn, index: number): number;
  result(index: number): Game["result"];
  readonly messages: (Message & { fileIndex?: number })[];
  readonly errors: number;
  readonly warnings: number;
  readonly starts: { fen: string; games: number[] }[];
  game(index: number): Promise<Game>;
  pgn(index: number): Promise<string>;
  /** The PGN of games. It refers to the files and copies nothing. */
  blob(indices: Iterable<number>): Blob;
  /**
   * What was played in a position. `passes` has a bit for each of the `size` games, and no more bytes than that takes. The first call reads the games again and keeps their positions, which then take
   * memory; those behind ply 40 (`explorePlies`) are not kept.
   */
  explore(
    fen: string | Position,
    options?: { passes?: Uint8Array | null; games?: number },
  ): Promise<{ moves: ExploredMove[]; ended: number; total: number; games: number[] }>;
  /** The results of a player under this name, in all games or in those with these numbers: by opening, speed and rating of the opponent. */
  playerStats(name: string, indices?: Iterable<number> | null): Promise<PlayerStatsRow[]>;
  close(): void;
}

/** The results of a player in a group of games, with White or with Black. */
export interface PlayerStatsRow {
  by: "all" | "opening" | "speed" | "opponent";
  group: string;
  color: "white" | "black";
  games: number;
  wins: number;
  draws: number;
  losses: number;
  unknown: number;
  /** The points in hundredths of the games with a known result. */
  score: number | null;
  /** The mean rating of the opponents. */
  opponents: number | null;
  performance: number | null;
}
