"""`player_stats` and `check_tournament`: tables of what is found in the games of files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, Literal

from pgn2fen import _inputs, _progress, _report
from pgn2fen._index import Messages
from pgn2fen._inputs import Paths
from pgn2fen._pgn2fen import Run, TableData, count_results, find_in_tournaments
from pgn2fen._progress import Progress, ProgressOption
from pgn2fen._source import chosen
from pgn2fen._table import Table


def player_stats(
    paths: Paths,
    player: str,
    *,
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
) -> Table:
    """Counts the results of a player: by opening, speed and rating of the opponent, each with White and with Black.

        >>> stats = pgn2fen.player_stats("games.pgn", "carlsen")
        >>> stats.to_polars().filter(pl.col("by") == "opening")

    `player` is a part of the name. The table has the rows of `pgn2fen players --stats`:

    | column | type | |
    |---|---|---|
    | `by` | str | what the games are divided by: `all`, `opening`, `speed` or `opponent` |
    | `group` | str | such as `Sicilian Defense`, `blitz` or `2400-2599`; `unknown` if a game does not tell |
    | `color` | str | the colour of the player: `white` or `black` |
    | `games` | int | the games of the group |
    | `wins`, `draws`, `losses`, `unknown` | int | their results for the player |
    | `score` | int | the points in hundredths of the games with a known result |
    | `opponents` | int | the mean rating of the opponents |
    | `performance` | int | the mean rating and 400 times the wins less the losses, divided by the games |

    The openings are those of the moves, up to the first colon of their names; the speeds are those of Lichess, by the tag TimeControl. Moves
    behind the opening are not read, so errors in them are not reported. The other options are those of `scan`.

    Raises `ValueError` for a wrong option, and `OSError` if a file cannot be read.
    """
    options: dict[str, Any] = dict(locals())
    files, name = _inputs.listed(options.pop("paths")), options.pop("player")
    return _answered(options, lambda *run: count_results(files, name, *run))


def check_tournament(
    paths: Paths,
    *,
    variations: bool = True,
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
) -> Table:
    """Compares the games of each tournament, and returns a row for each finding: what cannot be right, or should be looked at.

        >>> for row in pgn2fen.check_tournament("club.pgn").rows(named=True):
        ...     print(row["line"], row["kind"], row["text"])

    The columns are `file`, `line`, `column`, `kind` and `text`. The kinds are those of `pgn2fen check --tournament`, which the guide lists:
    `pairing-twice`, `missing-round`, `result-on-board`, `no-result`, `no-moves`, `unreadable-tag`, `spelling` and `possible-spelling`. Games
    are of one tournament if they have the same Event and the same year.

    Errors and warnings of games are told as `messages` says; with `variations=False`, those in variations are not. The other options are those
    of `scan`.

    Raises `ValueError` for a wrong option, and `OSError` if a file cannot be read.
    """
    options: dict[str, Any] = dict(locals())
    files, has_variations = _inputs.listed(options.pop("paths")), options.pop("variations")
    return _answered(options, lambda *run: find_in_tournaments(files, has_variations, *run))


def _answered(options: dict[str, Any], ask: Callable[..., TableData]) -> Table:
    """Reads files, and returns the table of a job."""
    messages, progress = options["messages"], options["progress"]
    _report.check_way(messages)
    _progress.check(progress)
    _report.tell_ended()
    run = Run()
    with _report.Watch(run, messages, Progress(progress)) as watch:
        return Table(ask(chosen(options) | {"on_error": "keep"}, run, watch), [])
