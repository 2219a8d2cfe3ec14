"""`scan`: rows of positions."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pgn2fen import _inputs, _report
from pgn2fen._arrow import ArrowRows
from pgn2fen._inputs import Paths
from pgn2fen._pgn2fen import Batches, FileObject, Plan, Report, Run
from pgn2fen._progress import Progress, ProgressOption

if TYPE_CHECKING:
    import polars

    from pgn2fen._pgn2fen import Batch


class Source(ArrowRows):
    """A description of rows that are read from files. It can be read as often as one likes, by several threads at once.

    Nothing is read before the rows are asked for. Objects with paths can be pickled; those with file objects cannot.
    """

    _usual: ClassVar[dict[str, Any]]
    """The usual values of the options, which a `repr` leaves out."""

    def __init__(self, files: list[str | FileObject], options: dict[str, Any]) -> None:
        if options["messages"] not in _report.WAYS:
            raise ValueError(f"messages is {options['messages']!r}, but must be one of {', '.join(_report.WAYS)}")
        self._files = files
        self._options = options
        self._plan = Plan(files, options)
        self._run: Run | None = None

    def __getstate__(self) -> tuple[list[str | FileObject], dict[str, Any]]:
        for file in self._files:
            if not isinstance(file, str):
                raise TypeError(f"a {type(self).__name__} of a file object cannot be pickled; give a path instead")
        return self._files, self._options

    def __setstate__(self, state: tuple[list[str | FileObject], dict[str, Any]]) -> None:
        Source.__init__(self, *state)

    def __repr__(self) -> str:
        function = type(self).__name__.lower()
        usual = self._usual
        said = [f"{name}={value!r}" for name, value in self._options.items() if usual[name] != value]
        return f"pgn2fen.{function}({', '.join([_inputs.shown(self._files), *said])})"

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._plan.columns

    @property
    def files(self) -> list[str]:
        """The paths of the files, and the names of the file objects."""
        return [str(file) for file in self._files]

    @property
    def report(self) -> Report | None:
        """The report of the last run: the numbers of games and positions, and the errors and warnings of games. None before a run."""
        _report.tell_ended()
        return None if self._run is None else self._run.report

    def _watch(self) -> _report.Watch:
        self._run = run = Run()
        return _report.watched(_report.Watch(run, self._options["messages"], Progress(self._options["progress"])))

    def __arrow_c_schema__(self) -> object:
        return self._plan.schema()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Begins to read the files, and returns a PyCapsule of the Arrow C stream interface."""
        watch = self._watch()
        return self._plan.open(watch.run, watch, False).into_stream()

    def __iter__(self) -> Iterator[Batch]:
        """Reads the files, and iterates over record batches. They have at most `batch_rows` rows."""
        return self._batches()

    def _batches(self, has_pauses: bool = False) -> Iterator[Batch]:
        """Iterates over record batches. With pauses, some of them are empty, so that the caller is not kept waiting."""
        watch = self._watch()
        batches: Batches = self._plan.open(watch.run, watch, has_pauses)
        try:
            yield from batches
        finally:
            batches.close()
            watch.close()

    def write(self, path: str | os.PathLike[str], format: str | None = None, *, header: bool = True) -> Report:
        """Reads the files and writes a file, as the command `pgn2fen -o` does. Returns the report of the run.

        The ending of `path` chooses the format, unless `format` names it: `fen epd tsv csv jsonl uci bullet arrow parquet`. A further
        ending `.zst`, `.gz` or `.bz2` compresses the file. The file appears when it is complete; an existing file is replaced.
        `header=False` leaves out the header row of `tsv` and `csv`.

        Raises `ValueError` for a wrong format, and `OSError` if a file cannot be read or written.
        """
        watch = self._watch()
        try:
            self._plan.write(os.fspath(path), format, header, watch.run, watch)
        finally:
            watch.close()
        return watch.run.report


class Scan(Source):
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

    def _changed(self, **options: Any) -> Scan:
        """Returns a scan of the same files with other options."""
        return Scan(self._files, self._options | options)

    def _empty(self) -> ArrowRows:
        """Returns the columns of the scan without rows."""
        return NoRows(self._plan)


class NoRows(ArrowRows):
    """The columns of a plan, without rows."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    @property
    def columns(self) -> list[str]:
        return self._plan.columns

    def __arrow_c_schema__(self) -> object:
        return self._plan.schema()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._plan.empty_stream()

    def __iter__(self) -> Iterator[Batch]:
        return iter(())


def scan(
    paths: Paths,
    columns: str | Iterable[str] | None = None,
    *,
    tags: str | Iterable[str] = (),
    start: Literal["any", "standard", "nonstandard"] = "any",
    max_games: int | None = None,
    on_error: Literal["keep", "drop", "stop", "raise"] = "keep",
    plies: str | int | tuple[int | None, int | None] = "..",
    skip_start: bool = False,
    every: int = 1,
    sample: float | None = None,
    seed: int = 0,
    unique: bool = False,
    variations: bool = False,
    turn: Literal["w", "b"] | None = None,
    pieces: str | int | tuple[int | None, int | None] | None = None,
    skip_checks: bool = False,
    skip_captures: bool = False,
    max_eval: int | None = None,
    ep: Literal["always", "xfen", "legal"] = "always",
    castling: Literal["xfen", "shredder"] = "xfen",
    fields: Literal[4, 6] = 6,
    lang: str = "en",
    setup: Literal["auto", "strict", "ignore"] = "auto",
    encoding: str = "auto",
    recursive: bool = False,
    range: tuple[int, int | None] | None = None,
    mmap: bool = True,
    threads: int = 0,
    batch_rows: int | None = None,
    messages: Literal["warn", "log", "ignore"] = "warn",
    max_messages: int = 10_000,
    verbose: bool = False,
    progress: ProgressOption = None,
) -> Scan:
    """Describes rows of positions: one for the start of each game, and one after each move.

    Nothing is read yet. Rows are read by `to_polars()`, `to_arrow()`, `to_pandas()`, `rows()`, `to_list()`, `lazy()`, `write(path)`, by
    iteration over record batches, or by any package that takes Arrow streams.

        >>> scan = pgn2fen.scan("games.pgn", ["White", "ply", "san", "fen"], tags="WhiteElo>=2200", plies=(8, 20))
        >>> duckdb.sql("select fen, count(*) from scan group by fen order by 2 desc limit 5")

    **Files.** `paths` is a path, a pattern such as `"games/*.pgn"`, a file object, or an iterable of these. Files may be compressed with
    zstd, gzip or bzip2. `recursive` reads the PGN files in folders and their subfolders. `range=(a, b)` reads only the games that begin
    in these bytes of one uncompressed file, `a` included and `b` not (None: to the end). `mmap=False` reads files instead of mapping them
    into memory; use it for files that another program may truncate. `encoding` is that of text that is not UTF-8. `lang` is the language
    of the piece letters in moves: `de`, `fr`, `es`, `ru`, …. `setup` says when a FEN tag is used: always, only with a SetUp tag
    (`"strict"`), or never (`"ignore"`).

    **Columns** (the default is `game`, `ply`, `san`, `fen`), as a list or as text with commas:

    | column | type | |
    |---|---|---|
    | `file` | str | the path |
    | `game`, `line` | int | the number of the game in its file, and the line on which it begins, from 1 |
    | `offset` | int | the byte at which the game begins, from 0 |
    | `ply` | int | the number of moves of either side that led to the position: 0 at the start |
    | `turn` | str | the side to move, `w` or `b` |
    | `fen` | str | the position |
    | `san`, `uci` | str | the move that led to the position; None at the start |
    | `next_san`, `next_uci` | str | the move that was played in the position; None at the end |
    | `eval` | int | the evaluation in comments, in centipawns from White's side; mate in n is 32000 − n or −(32000 − n) |
    | `clk` | float | the clock in comments, in seconds |
    | `key` | int | the Polyglot key, as a signed 64-bit integer |
    | `result` | str | `1-0`, `0-1`, `1/2-1/2` or `*` |
    | `White`, `Date`, … | | any tag by its name: str, or int for ratings and numbers, or a date; None where it is missing or unknown |
    | `Date_text`, … | str | the text of a tag that is a number or a date |

    **Games.** `tags` are filters such as `"WhiteElo>=2200"`, `"White~carlsen"` or `"Date<2000"`; all must hold. `start` chooses games
    from the initial position or from others. `max_games` is the most games that are read. `on_error` says what happens to a game that
    cannot be read to its end: `"keep"` its positions before the error, `"drop"` them, `"stop"` the run behind them, or `"raise"` a
    `GameError`.

    **Positions.** `plies` is a ply or a range: `16`, `(8, 20)` or `"8..20"` (both included), `"..30"`, `-1` for the last position.
    `skip_start` leaves out the starting position. `every=n` takes each n-th of these plies. `sample` is a share from 0 to 1; the same
    positions are chosen in every run with the same `seed`. `unique` keeps the first of equal positions (in 20 to 40 bytes of memory
    each). `variations` includes the positions of variations. `turn` and `pieces` (a number or a range such as `(3, 5)`) choose by the
    board. `skip_checks`, `skip_captures` and `max_eval` (centipawns) leave out positions in check, positions in which the next move is a
    capture or promotion, and positions with a larger evaluation.

    **FENs.** `ep` says when the en passant square is written: after each double step of a pawn, if an enemy pawn is beside it (`"xfen"`),
    or if the capture is legal. `castling="shredder"` writes the files of the rooks. `fields=4` leaves out the move counters.

    **Running.** `threads` is the number of threads; 0 is one for each core. `batch_rows` is the most rows of a record batch (16,384).
    Errors and warnings of games do not stop a run. They are collected in `report` (at most `max_messages` of them; `verbose` collects
    repeated warnings of a game, too), and summed up by a `GameWarning`, in the logger `pgn2fen` (`messages="log"`), or not at all
    (`"ignore"`). `progress` shows a bar: `True`, `False`, `None` for interactive sessions only, or a function that is called with
    (bytes read, bytes in all or None, games, positions).

    Raises `ValueError` for a wrong option, with the message of the command, and `FileNotFoundError` for a missing file. Files that cannot
    be read raise `OSError` while rows are read.
    """
    options = dict(locals())
    files = _inputs.listed(options.pop("paths"))
    options["columns"] = _joined(columns)
    options["tags"] = _texts(tags)
    options["plies"] = _range(plies)
    options["pieces"] = None if pieces is None else _range(pieces)
    return Scan(files, options)


Scan._usual = {name: parameter.default for name, parameter in inspect.signature(scan).parameters.items()} | {"tags": []}


def _joined(names: str | Iterable[str] | None) -> str | None:
    """Returns names as text with commas."""
    return names if names is None or isinstance(names, str) else ",".join(names)


def _texts(texts: str | Iterable[str]) -> list[str]:
    """Returns one text or several as a list."""
    return [texts] if isinstance(texts, str) else list(texts)


def _range(value: str | int | tuple[int | None, int | None]) -> str:
    """Returns a range as the command takes it: `8..20`."""
    if isinstance(value, tuple):
        first, last = ("" if end is None else str(end) for end in value)
        return f"{first}..{last}"
    return str(value)
