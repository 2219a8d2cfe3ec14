"""`starts`: the starting positions of games that do not start from the initial position."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal

from pgn2fen import _inputs
from pgn2fen._inputs import Paths
from pgn2fen._pgn2fen import Report, StartsPlan
from pgn2fen._progress import ProgressOption
from pgn2fen._source import RowSource, chosen, usual


class Starts(RowSource):
    """Starting positions other than the initial one. Made by `starts`.

    DuckDB reads it by the name of its variable; Polars, pyarrow, pandas and DataFusion by their functions for Arrow streams.
    """

    _plan: StartsPlan

    def _make(self) -> StartsPlan:
        return StartsPlan(self._files, self._options)

    def write(
        self,
        path: str | os.PathLike[str],
        format: str | None = None,
        *,
        header: bool = True,
        max_boards: int | None = None,
        orientation: Literal["white", "black", "turn"] | None = None,
        numbers: bool = False,
        boards_per_row: int | None = None,
        boards_per_page: int | None = None,
        invert: bool = False,
    ) -> Report:
        """Reads the files and writes a file, as the command `pgn2fen starts -o` does. Returns the report of the run.

        The ending of `path` chooses the format, unless `format` names it: `fen epd tsv csv jsonl uci html arrow parquet pgn svg png`. A
        further ending `.zst`, `.gz` or `.bz2` compresses the file. `pgn` copies the games that have such starting positions, byte for byte; with
        `invert`, it copies the other games. The file appears when it is complete; an existing file is replaced. `header=False` leaves
        out the header row of `tsv` and `csv`.

        `html` is a page of boards, whose captions are the columns. `svg` and `png` draw each position as a picture of its own: the path then
        has placeholders, such as `"starts/{number}-{kind}.svg"`. There are at most `max_boards` boards: 1000 if it is not given, and all for 0.
        `orientation` is the side at the bottom: White if it is not given; `turn` is the side to move. On a page, `numbers`
        numbers the boards, and `boards_per_row` and `boards_per_page` (of print) are numbers of boards.

            >>> pgn2fen.starts("mixed.pgn").write("gallery.html")
            >>> pgn2fen.starts("mixed.pgn").write("studies.pgn")
            >>> pgn2fen.starts("mixed.pgn").write("others.pgn", invert=True)

        Raises `ValueError` for a wrong format, and `OSError` if a file cannot be read or written.
        """
        given = {
            "max_boards": max_boards,
            "orientation": orientation,
            "numbers": numbers or None,
            "boards_per_row": boards_per_row,
            "boards_per_page": boards_per_page,
        }
        name, boards = _inputs.named(path), _inputs.without_none(given)
        return self._run_of(lambda run, watch: self._plan.write(name, format, header, boards, invert, run, watch))


def starts(
    paths: Paths,
    columns: str | Iterable[str] | None = None,
    *,
    # Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
    kind: str | Iterable[str] = (),
    all: bool = False,
    exact: bool = False,
    tags: str | Iterable[str] = (),
    names: str | os.PathLike[str] | None = None,
    opening: str | Iterable[str] = (),
    reached: str | Iterable[str] = (),
    moves: str | Iterable[str] = (),
    ends: str | Iterable[str] = (),
    commented: bool = False,
    length: str | int | tuple[int | None, int | None] | None = None,
    max_games: int | None = None,
    material: str | Iterable[str] = (),
    pattern: str | Iterable[str] = (),
    pawns: str | Iterable[str] = (),
    colors: Literal["either", "given"] = "either",
    mirror: bool = False,
    ep: Literal["always", "xfen", "legal"] = "always",
    castling: Literal["xfen", "shredder"] = "xfen",
    fields: Literal[4, 6] = 6,
    fen_style: Literal["usual", "lichess"] = "usual",
    lang: str = "en",
    setup: Literal["auto", "strict", "ignore"] = "auto",
    encoding: str = "auto",
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
) -> Starts:
    """Describes the starting positions of games that do not start from the initial position: Chess960, odds, studies.

    Nothing is read yet. Rows are read by `to_polars()`, `to_arrow()`, `to_pandas()`, `rows()`, `to_list()`, `write(path)`, by iteration
    over record batches, or by any package that takes Arrow streams. Moves are not replayed, so this is fast.

        >>> pgn2fen.starts("games.pgn", "count,kind,fen").to_polars()
        >>> pgn2fen.starts("mixed.pgn").write("studies.pgn")

    The starting position of a game follows from its SetUp, FEN and Variant tags. Each one is listed once, in the order of the files;
    `all` lists one for each game. `exact` treats positions as different if any field of their FENs differs, move counters included.

    **Columns** (the default is all of these but tags and openings), as a list or as text with commas:

    | column | type | |
    |---|---|---|
    | `count` | int | the number of games with this starting position; the files are read to their end before the first row comes |
    | `kind` | str | `chess960`; `dfrc` (double Chess960); `odds` (the initial position without some pieces); `position`; `invalid` |
    | `sp` | str | the number of a Chess960 position, 0 to 959, or two such as `518/12` for White and Black |
    | `fen` | str | the position |
    | `file`, `line`, `offset`, `game` | | the first of the games: its path, line (from 1), byte (from 0) and number (from 1) |
    | `odds` | str | the pieces that are missing, and whose they are |
    | `eco`, `opening` | str | the ECO code and the name of the starting position itself, if it has one |
    | `White`, `Date`, … | | any tag of that game, by its name |

    `kind` chooses kinds, such as `"odds"` or `["chess960", "dfrc"]`. The default is all but `invalid`, which are games with a FEN tag
    that cannot be read, or of another variant. `opening` chooses games by their openings, as in `scan`, and so do `reached`, `moves` and
    `length`; for these the moves are played, as far as needed, and `lang` is the language of their piece letters. `material`, `pattern` and
    `pawns` choose starting positions by their shape. All other options are those of `scan`.

    Raises `ValueError` for a wrong option, with the message of the command, and `FileNotFoundError` for a missing file. Files that cannot
    be read raise `OSError` while rows are read.
    """
    options = dict(locals())
    files = _inputs.listed(options.pop("paths"))
    options["kind"] = kind.split(",") if isinstance(kind, str) else kind
    return Starts(files, chosen(options))


Starts._usual = usual(starts)
