"""`compare`: games are compared with a repertoire."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pgn2fen import _inputs, _progress, _report
from pgn2fen._index import Index, Messages
from pgn2fen._inputs import Paths
from pgn2fen._pgn2fen import ComparisonData, Run, compare_games, compare_games_of_index, read_repertoire
from pgn2fen._progress import Progress, ProgressOption
from pgn2fen._source import chosen, usual
from pgn2fen._table import Table
from pgn2fen._tree import index_of, refuse_options_of_files

if TYPE_CHECKING:
    from pgn2fen._inputs import BinaryFile
    from pgn2fen._pgn2fen import Report

ComparisonTable: TypeAlias = Literal["games", "departures", "unmet"]
"""The tables of a comparison."""

ComparisonFormat: TypeAlias = Literal["text", "html", "csv", "tsv", "jsonl", "parquet"]
"""The formats of a comparison."""


class Comparison:
    """The comparison of games with a repertoire. Made by `compare`. `len` is the number of games.

    A game is on the repertoire in each position that the repertoire has, whatever moves led to it. It leaves the repertoire behind the last
    of these positions: a game that transposes back has not left it before.
    """

    def __init__(self, data: ComparisonData, messages: list[str], report: Report | None) -> None:
        self._data = data
        self._messages = messages
        self._report = report

    @property
    def side(self) -> Literal["w", "b"]:
        """The side that has the repertoire."""
        return self._data.side

    @property
    def counts(self) -> dict[str, int]:
        """The number of games by the way in which they leave the repertoire.

        `never`: the game never was on it. `within`: the game ended on it. `line_end`: the repertoire ended. `player`, `opponent`: the player
        who has the repertoire, or the opponent, played a move that it does not have.
        """
        return dict(self._data.counts)

    @property
    def lines(self) -> tuple[int, int]:
        """The number of lines of the repertoire, and how many of them a game met to their end."""
        return self._data.lines

    @property
    def messages(self) -> list[str]:
        """Messages about the comparison. Mostly empty."""
        return list(self._messages)

    @property
    def report(self) -> Report | None:
        """The numbers of games and positions that were read, and the errors and warnings of games. None for the games of an index."""
        return self._report

    def __len__(self) -> int:
        return sum(self.counts.values())

    def __repr__(self) -> str:
        games, lines = len(self), self.lines[0]
        return (
            f"<pgn2fen.Comparison {games:,} {'game' if games == 1 else 'games'} with "
            f"{lines:,} {'line' if lines == 1 else 'lines'}>"
        )

    def rows(self, table: ComparisonTable = "games") -> Table:
        """Returns a table: of the games, the places where they left the repertoire, or the lines that no game met.

            >>> comparison.rows("departures").to_polars()

        `games`, in the order in which they were read:

        | column | type | |
        |---|---|---|
        | `file`, `line`, `game` | str, int, int | the place of the game |
        | `white`, `black`, `date`, `result`, `site` | str | tags |
        | `leaving` | str | how it leaves the repertoire, as in `counts` |
        | `ply` | int | the number of plies when it was on the repertoire for the last time |
        | `path`, `fen` | str | the moves of the repertoire that lead to this position, and the position |
        | `san`, `uci` | str | the move that was played there |
        | `expected` | str | the moves that the repertoire has there |
        | `returns` | int | how often it left the repertoire before and came back |

        `departures`, the most frequent first: `leaving`, `games`, `white`, `draws`, `black`, `unknown`, `score` (of the side of the
        repertoire), `returned` (times that a game came back), `path`, `san`, `uci`, `expected` and `fen`.

        `unmet`, those that stand for most lines first: `path`, `mover` (who plays its last move), `lines`, `positions` and `fen`.
        """
        return Table(self._data.rows(table), [])

    def to_text(self, *, title: str | None = None) -> str:
        """Returns the report with boards as text."""
        return self._data.text("text", None, title).decode()

    def to_html(self, *, title: str | None = None) -> str:
        """Returns the report with boards as a page."""
        return self._data.text("html", None, title).decode()

    def write(
        self,
        file: str | os.PathLike[str] | BinaryFile | io.IOBase,
        format: ComparisonFormat | None = None,
        *,
        table: ComparisonTable | None = None,
        title: str | None = None,
    ) -> None:
        """Writes the comparison to a file, or to a file object that is open for writing.

        `format` is a report with boards (`text`, `html`), or that of a table: `csv`, `tsv`, `jsonl`, `parquet`. If it is not given, the
        ending of a path chooses it (`.txt` is text), and a file object gets `text`. `table` is that of `rows`: `"games"` if it is not given.

        Raises `ValueError` for a wrong option, and `OSError` if the file cannot be written.
        """
        write = _inputs.writer(file)
        if write is None:
            path: Any = file
            self._data.write(_inputs.named(path), format, table, title)
            return
        write(self._data.text(format or "text", table, title))


def compare(
    paths: Paths | Index,
    repertoire: Paths,
    *,
    side: Literal["w", "b"] | None = None,
    player: str | None = None,
    # Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
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
    messages: Messages = "warn",
    progress: ProgressOption = None,
) -> Comparison:
    """Compares games with a repertoire: where each of them leaves it, who did, and which of its lines no game met.

        >>> comparison = pgn2fen.compare("my-games.pgn", "white.pgn", player="smith")
        >>> comparison.counts
        {'never': 3, 'within': 2, 'line_end': 14, 'player': 6, 'opponent': 21}
        >>> comparison.rows("departures").to_polars()

    `paths` are the games: files, as in `scan`; or an `Index`, or the path of its folder. `repertoire` is one file or several: all moves of
    their games are the repertoire, those of variations included.

    `side` is the side that has the repertoire. If it is not given, it is that of the Orientation tags in the repertoire, if they agree, and
    otherwise the side that has less choice in it. `player` is a part of the name of a player, of whom only games with this side count. The other
    options are those of `scan`, for the games.

    Raises `ValueError` for a wrong option, a repertoire without moves, or one whose side is unclear; and `OSError` if a file cannot be read.
    """
    options: dict[str, Any] = dict(locals())
    given, lines = options.pop("paths"), options.pop("repertoire")
    _report.check_way(messages)
    _progress.check(progress)
    options = chosen(options) | {"on_error": "keep"}
    index = index_of(given, recursive)
    if index is not None:
        refuse_options_of_files(index, options, _usual)
    # Both are looked for before one is read.
    files = [] if index is not None else _inputs.listed(given)
    _report.tell_ended()
    plain = {name: _usual[name] for name in _usual if name not in ("paths", "repertoire")}
    reading = plain | {
        name: options[name] for name in ("mmap", "skip_unreadable", "threads", "verbose", "max_messages")
    }
    run = Run()
    with _report.Watch(run, messages, Progress(False)) as watch:
        data = read_repertoire(_inputs.listed(lines), chosen(reading) | {"on_error": "keep"}, run, watch)
    if index is not None:
        compared, told = compare_games_of_index(index._index, index.path, data, options)
        _report.tell_lines(told, messages)
        return Comparison(compared, told, None)
    run = Run()
    with _report.Watch(run, messages, Progress(progress)) as watch:
        compared = compare_games(files, data, options, run, watch)
    return Comparison(compared, [], run.report)


_usual = usual(compare)
