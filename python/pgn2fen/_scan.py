"""`scan`: rows of positions."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from pgn2fen import _inputs
from pgn2fen._inputs import Paths
from pgn2fen._pgn2fen import Plan, Report
from pgn2fen._progress import ProgressOption
from pgn2fen._source import RowSource, chosen, usual

if TYPE_CHECKING:
    import polars


class Scan(RowSource):
    """Rows of positions, one for each position of each game that is chosen. Made by `scan`.

    DuckDB reads it by the name of its variable; Polars, pyarrow, pandas and DataFusion by their functions for Arrow streams.
    """

    def lazy(self) -> polars.LazyFrame:
        """Returns a `polars.LazyFrame`. Needs the package polars.

        Polars tells which columns and rows it needs, so that others are not made: columns; a limit; and conditions on tags, `ply` and
        `turn` that a filter of `scan` can express. All other conditions are applied to the rows.
        """
        from pgn2fen import _lazy

        return _lazy.lazy_frame(self)

    def write(
        self,
        path: str | os.PathLike[str],
        format: str | None = None,
        *,
        header: bool = True,
        max_boards: int | None = None,
        orientation: Literal["white", "black", "turn"] | None = None,
        numbers: bool = False,
        solutions: bool = False,
        boards_per_row: int | None = None,
        boards_per_page: int | None = None,
        comment_arrows: bool = True,
        shuffle: bool = False,
        split: str | None = None,
        memory: str | int | None = None,
    ) -> Report:
        """Reads the files and writes a file, as the command `pgn2fen -o` does. Returns the report of the run.

        The ending of `path` chooses the format, unless `format` names it: `fen epd tsv csv jsonl uci bullet bulletformat viri
        binpack plain html anki arrow parquet svg png`. A further ending `.zst`, `.gz` or `.bz2` compresses the file. The file appears when it is complete; an existing file is replaced.
        `header=False` leaves out the header row of `tsv` and `csv`.

        `html` is a page of boards, whose captions are the columns. `svg` and `png` draw each position as a picture of its own: the path then
        has placeholders, such as `"boards/{game}-{ply}.svg"`; a picture appears when it is complete, also if the run fails later. There are at
        most `max_boards` boards: 1000 if it is not given, and all for 0. `orientation` is the side at the bottom: White if it is not given;
        `turn` is the side to move. On a page, `numbers` numbers the boards, and `solutions` also lists the solutions at the end;
        `boards_per_row` and `boards_per_page` (of print) are numbers of boards. `comment_arrows=False` leaves out the arrows and circles of
        comments.

        `anki` is a file of cards for Anki, of the positions that have a solution; it takes the options of boards.

        `bullet`, `bulletformat`, `viri`, `binpack` and `plain` are for trainers of neural networks. They have the positions with an evaluation and a known
        result, and a message counts the others. `viri` stores games, so options that would leave out positions between others are refused.

        `shuffle` writes the rows, or the records for trainers, in a random order, which depends on `seed` and on the rows alone; it takes
        `memory` (256M), and more records go to a temporary file beside the output. `split` writes parts of the games to several files, such as
        `"train=0.95,valid=0.05"` with the path `"{part}.binpack"`; each game goes wholly into one part, which depends on its start, its
        moves and `seed`.

        Raises `ValueError` for a wrong format, and `OSError` if a file cannot be read or written.
        """
        if memory is not None and not shuffle:
            raise ValueError("memory limits shuffle, which is not chosen; add shuffle=True")
        records = {"shuffle": shuffle, "split": split, "memory": None if memory is None else str(memory)}
        given = {
            "max_boards": max_boards,
            "orientation": orientation,
            "numbers": numbers or None,
            "solutions": solutions or None,
            "boards_per_row": boards_per_row,
            "boards_per_page": boards_per_page,
            "comment_arrows": None if comment_arrows else False,
        }
        name, boards = _inputs.named(path), _inputs.without_none(given)
        return self._run_of(lambda run, watch: self._plan.write(name, format, header, boards, records, run, watch))

    _plan: Plan

    def _make(self) -> Plan:
        return Plan(self._files, self._options)


def scan(
    paths: Paths,
    columns: str | Iterable[str] | None = None,
    *,
    # Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
    per: Literal["position", "game"] = "position",
    batch_rows: int | None = None,
    tags: str | Iterable[str] = (),
    names: str | os.PathLike[str] | None = None,
    start: Literal["any", "standard", "nonstandard"] = "any",
    opening: str | Iterable[str] = (),
    reached: str | Iterable[str] = (),
    moves: str | Iterable[str] = (),
    ends: str | Iterable[str] = (),
    commented: bool = False,
    length: str | int | tuple[int | None, int | None] | None = None,
    max_games: int | None = None,
    on_error: Literal["keep", "drop", "stop", "raise"] = "keep",
    plies: str | int | tuple[int | None, int | None] = "..",
    skip_start: bool = False,
    skip_checks: bool = False,
    skip_captures: bool = False,
    every: int = 1,
    sample: float | None = None,
    seed: int = 0,
    unique: bool = False,
    memory: str | int | None = None,
    variations: bool = False,
    turn: Literal["w", "b"] | None = None,
    pieces: str | int | tuple[int | None, int | None] | None = None,
    max_eval: int | None = None,
    eval: str | int | tuple[int | None, int | None] | None = None,
    judgement: str | Iterable[str] = (),
    min_loss: int | None = None,
    material: str | Iterable[str] = (),
    pattern: str | Iterable[str] = (),
    pawns: str | Iterable[str] = (),
    colors: Literal["either", "given"] = "either",
    mirror: bool = False,
    for_plies: int = 1,
    ep: Literal["always", "xfen", "legal"] = "always",
    castling: Literal["xfen", "shredder"] = "xfen",
    fields: Literal[4, 6] = 6,
    fen_style: Literal["usual", "lichess"] = "usual",
    lang: str = "en",
    setup: Literal["auto", "strict", "ignore"] = "auto",
    encoding: str = "auto",
    evals: Literal["auto", "lichess", "engine", "tcec"] = "auto",
    movetext: str | None = None,
    verbose: bool = False,
    recursive: bool = False,
    range: tuple[int, int | None] | None = None,
    mmap: bool = True,
    skip_unreadable: bool = False,
    threads: int = 0,
    max_messages: int = 10000,
    # The end of the options.
    messages: Literal["warn", "log", "ignore"] = "warn",
    progress: ProgressOption = None,
) -> Scan:
    """Describes rows of positions: one for the start of each game, and one after each move.

    Nothing is read yet. Rows are read by `to_polars()`, `to_arrow()`, `to_pandas()`, `rows()`, `to_list()`, `lazy()`, `write(path)`, by
    iteration over record batches, or by any package that takes Arrow streams.

        >>> scan = pgn2fen.scan("games.pgn", ["White", "ply", "san", "fen"], tags="WhiteElo>=2200", plies=(8, 20))
        >>> duckdb.sql("select fen, count(*) from scan group by fen order by 2 desc limit 5")

    **Files.** `paths` is a path, a pattern such as `"games/*.pgn"`, a file object, or an iterable of these. Files may be compressed with
    zstd, gzip or bzip2. `recursive` reads the PGN files in folders and their subfolders. `range=(a, b)` reads only the games that begin
    in these bytes of one file that is not compressed or has many zstd frames, `a` included and `b` not (None: to the end); see `ranges`.
    `mmap=False` reads files instead of mapping them into memory; use it for files that another program may truncate. `skip_unreadable` leaves out files that are missing
    or damaged, and names them in `report`; the games before a damaged place are read. `encoding` is that
    of text that is not UTF-8. Tables whose rows are games (Parquet, Arrow, CSV, TSV) are read, too; `movetext` is the column with the moves, if it has
    an unusual name. `evals` says which comments have evaluations: `[%eval 0.31]` (`"lichess"`), `+0.31/14 0.5s` of cutechess, fastchess and fishtest
    (`"engine"`), `wv=0.31` (`"tcec"`), or in each game those of the first kind it has (`"auto"`). `lang` is the language of the piece letters in moves: `de`, `fr`, `es`, `ru`, …. `setup` says when a FEN tag is used:
    always, only with a SetUp tag (`"strict"`), or never (`"ignore"`).

    **Columns** (the default is `game`, `ply`, `san`, `fen`), as a list or as text with commas. Names may have wildcards: `"White*"`, and `"*"`
    for all but tags; the tags are those of the first 1000 games.

    | column | type | |
    |---|---|---|
    | `file` | str | the path |
    | `game`, `line` | int | the number of the game in its file, and the line on which it begins, from 1 |
    | `offset` | int | the byte at which the game begins, from 0 |
    | `id` | int | the number of the game in the run: all games of all files before it count, also those that are not chosen |
    | `plies` | int | the number of moves of the main line, up to its first error |
    | `ply` | int | the number of moves of either side that led to the position: 0 at the start |
    | `variation`, `parent` | int | the variation of the position, 0 for the main line, and the one from which it branches off, or None |
    | `variant` | str | the variant, as Lichess names it: `standard`, `chess960`, `crazyhouse` |
    | `turn` | str | the side to move, `w` or `b` |
    | `hand` | str | the men in hand in crazyhouse, such as `QNPp` |
    | `material` | str | the pieces of White and of Black, such as `KRPP:KBP` |
    | `fen` | str | the position |
    | `san`, `uci` | str | the move that led to the position; None at the start |
    | `next_san`, `next_uci` | str | the move that was played in the position; None at the end |
    | `eval` | int | the evaluation of the position in comments, in centipawns from White's side; mate in n is 32000 − n or −(32000 − n) |
    | `depth`, `time`, `nodes` | int, float, int | of the search that gave the evaluation: plies, seconds, and the number of nodes |
    | `win_chance` | float | the chances of White to win by the evaluation, in percent |
    | `cp_loss`, `accuracy` | int, float | the centipawns lost by the move that led to the position, and its accuracy, from 0 to 100 |
    | `judgement` | str | `inaccuracy`, `mistake` or `blunder`, as Lichess defines them, or `good`; None without an evaluation before and after the move |
    | `clk` | float | the clock in comments, in seconds |
    | `spent` | float | the time used for the move, from the clocks and the time control, in seconds |
    | `comment` | str | the comments behind the move, or before the first move |
    | `words` | str | the words of people in them, without commands such as `[%clk …]` and reports of engines |
    | `nags` | list | the numbers of the annotation glyphs behind the move |
    | `key` | int | the Polyglot key, as a signed 64-bit integer |
    | `result` | str | `1-0`, `0-1`, `1/2-1/2` or `*` |
    | `eco`, `opening` | str | the ECO code and the name of the last position so far that has a name; None before the first |
    | `tags` | dict | all tags of the game |
    | `White`, `Date`, … | | any tag by its name: str, or int for ratings and numbers, or a date; None where it is missing or unknown |
    | `Date_text`, … | str | the text of a tag that is a number or a date |

    With `per="game"`, there is one row for each game. Its columns are `file`, `game`, `offset`, `line`, `id`; `start`, the FEN of the starting
    position, None for the initial one; the lists `moves` (as in `uci`), `evals` and `clocks`; `white_accuracy`, `white_cp_loss` (the average),
    `white_inaccuracies`, `white_mistakes`, `white_blunders`, and the same for `black`; `plies`, `result`, `eco`, `opening`, `tags`, and any tag.

    **Games.** `tags` are filters such as `"WhiteElo>=2200"`, `"White~carlsen"` or `"Date<2000"`; all must hold. `names` is a names
    file, in which each player has all names and FIDE ids; with it, filters on players find them under all of them. `start` chooses games
    from the initial position or from others. `opening` chooses games by the opening of their main line: a part of its name, such as
    `"Najdorf"`, or the beginning of its ECO code, such as `"B9"`; one of several must fit. `reached` chooses games whose main line reached a
    position, given as a FEN or as moves such as `"1. e4 c5"`; one of several must be reached. `moves` chooses games with moves one after
    another, such as `"Bxh7+ Kxh7 Ng5+"` or `"12. Bxh7+"`, in which `*` is any move; one of several must occur. `ends` chooses games that
    end in `"mate"`, `"mate:N"` (by a knight), `"stalemate"`, `"insufficient"`, `"threefold"`, `"fivefold"`, `"fifty-moves"` or
    `"seventy-five-moves"`, and `commented` games with comments in words. `length` is the number of plies of the main
    line: `40`, `(40, None)` or `"40.."`. `max_games` is the most games that are read. `on_error` says what happens to a game that cannot be
    read to its end: `"keep"` its positions before the error, `"drop"` them, `"stop"` the run behind them, or `"raise"` a `GameError`.

    **Positions.** `plies` is a ply or a range: `16`, `(8, 20)` or `"8..20"` (both included), `"..30"`, `-1` for the last position.
    `skip_start` leaves out the starting position. `every=n` takes each n-th of these plies. `sample` is a share from 0 to 1; the same
    positions are chosen in every run with the same `seed`. `unique` keeps the first of equal positions, in about 16 bytes of memory
    each; if they take more than `memory`, such as `"2G"` or a number of bytes, the run ends with a `MemoryError`. `variations` includes
    the positions of variations. `turn` and `pieces` (a number or a range such as `(3, 5)`) choose by the board. `skip_checks`,
    `skip_captures` and `max_eval` (centipawns) leave out positions in check, positions in which the next move is a capture or promotion,
    and positions with a larger evaluation. `eval` is a range of centipawns from White's side: `(70, 130)` or `"..-300"`. `judgement`
    (`"blunder"`, `"mistake"`, `"inaccuracy"`, `"good"`, or several) and `min_loss` (centipawns) choose positions by their next move.

    **Shapes.** `material` such as `"KRP:KR"`, `pattern` (a board like that of a FEN, with wildcards) and `pawns` (only the pawns) choose
    positions by what stands on the board; `colors="given"` does not exchange White and Black, `mirror` also exchanges left and right, and
    `for_plies` asks for so many positions in a row. They are written as in the command: see its guide, "Search by shape".

    **FENs.** `ep` says when the en passant square is written: after each double step of a pawn, if an enemy pawn is beside it (`"xfen"`),
    or if the capture is legal. `castling="shredder"` writes the files of the rooks. `fields=4` leaves out the move counters.
    `fen_style="lichess"` writes the men in hand and the checks of crazyhouse and three-check as Lichess does.

    **Running.** `threads` is the number of threads; 0 is one for each core. `batch_rows` is the most rows of a record batch (16,384).
    Errors and warnings of games do not stop a run. They are collected in `report` (at most `max_messages` of them; `verbose` collects
    repeated warnings of a game, too), and summed up by a `GameWarning`, in the logger `pgn2fen` (`messages="log"`), or not at all
    (`"ignore"`). `progress` shows a bar: `True`, `False`, `None` for interactive sessions only, or a function that is called with
    (bytes read, bytes in all or None, games, positions).

    Raises `ValueError` for a wrong option, with the message of the command, and `FileNotFoundError` for a missing file. Files that cannot
    be read raise `OSError` while rows are read, and positions that take more than `memory` raise `MemoryError`.
    """
    options = dict(locals())
    files = _inputs.listed(options.pop("paths"))
    return Scan(files, chosen(options))


Scan._usual = usual(scan)
