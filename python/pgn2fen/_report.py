"""Errors and warnings of games: they are collected while files are read, and summed up at the end of the run."""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
import warnings
from typing import TYPE_CHECKING

from pgn2fen import _interrupts

if TYPE_CHECKING:
    from pgn2fen._pgn2fen import Message, Report, Run
    from pgn2fen._progress import Progress

LOGGER = logging.getLogger("pgn2fen")

WAYS = ("warn", "log", "ignore")

MOST_LINES = 8
"""The number of lines of a report that a warning quotes."""


class GameWarning(UserWarning):
    """The warning that sums up the errors and warnings of a run."""


class GameError(ValueError):
    """The error in a game that ended a run with `on_error="raise"`. `message` has its kind and place."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message

    def __reduce__(self) -> tuple[type[GameError], tuple[Message]]:
        return type(self), (self.message,)


class Watch:
    """Follows one run: shows its progress, and sums up its messages when it is closed."""

    def __init__(self, run: Run, way: str, progress: Progress) -> None:
        self.run = run
        self.way = way
        self.progress = progress
        self._closed = threading.Lock()
        self._process = os.getpid()

    def __enter__(self) -> Watch:  # noqa: PYI034, `Self` needs Python 3.11
        return self

    def __exit__(self, kind: object, *exception: object) -> None:
        if kind is not None:
            # The exception says what is wrong. A warning that is turned into an error must not take its place.
            self.way = "ignore"
        self.close()

    def update(self, read: int, total: int | None, games: int, positions: int) -> None:
        self.progress.update(read, total, games, positions)

    def close(self) -> None:
        """Is called when the run has ended or was broken off, once or more often."""
        if not self._closed.acquire(blocking=False):
            return
        if os.getpid() != self._process:
            # The run belongs to the parent of this process.
            return
        _interrupts.forget(self.run)
        if self in _streams:
            _streams.remove(self)
        self.progress.close()
        tell(self.run.report, self.way)


_streams: list[Watch] = []


def keep(watch: Watch) -> None:
    """Remembers the run of a stream, so that its messages are told even if it ends on a thread that cannot call Python."""
    _streams.append(watch)


def tell_ended() -> None:
    """Sums up the messages of all streams that have ended."""
    for watch in _streams.copy():
        if watch.run.is_over:
            watch.close()


atexit.register(tell_ended)
if hasattr(os, "register_at_fork"):
    # The threads of a run do not exist in a child process.
    os.register_at_fork(after_in_child=_streams.clear)


def tell(report: Report, way: str) -> None:
    """Issues a `GameWarning` or logs the messages of a run, if it was completed and has any."""
    if way == "ignore" or not report.is_complete or not report.lines:
        return
    if way == "log":
        for line in report.lines:
            LOGGER.log(logging.ERROR if line.is_error else logging.WARNING, "%s", line)
        return
    lines = [str(line) for line in report.lines[:MOST_LINES]]
    more = len(report.lines) - len(lines) + report.hidden
    if more:
        lines.append(f"… and {more:,} more messages, which are in the report")
    warn("\n".join([report.summary, *lines]))


def tell_lines(lines: list[str], way: str) -> None:
    """Issues a `GameWarning` or logs the messages about an answer, if there are any."""
    if way == "log":
        for line in lines:
            LOGGER.warning("%s", line)
    elif lines and way != "ignore":
        more = len(lines) - MOST_LINES
        said = lines if more <= 0 else [*lines[:MOST_LINES], f"… and {more:,} more messages, which the table has"]
        warn("\n".join(said))


def check_way(way: str) -> None:
    """Raises `ValueError` if messages cannot be told in this way."""
    if way not in WAYS:
        raise ValueError(f"messages is {way!r}, but must be one of {', '.join(WAYS)}")


def warn(text: str) -> None:
    """Issues a `GameWarning` at the line that called this package."""
    level, frame = 1, sys._getframe()
    folder = os.path.dirname(__file__)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == folder:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, GameWarning, stacklevel=level)
