"""The positions of a part, and the log of what was wrong in it."""

from __future__ import annotations

import logging
import socket
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pgn2fen
from pgn2fen import Before, FileRange, GameError, Report, Scan
from pgn2fen._inputs import is_address
from pgn2fen._pgn2fen import name_of
from pyspark_pgn2fen._options import Options
from pyspark_pgn2fen._planning import Part, Unreadable

if TYPE_CHECKING:
    import pyarrow

LOGGER = logging.getLogger("pgn2fen")

MOST_LINES = 20
"""The number of messages of a range that are logged."""


def rows(part: Part, options: Options) -> Iterator[pyarrow.RecordBatch]:
    """Reads a part, and logs the errors and warnings of its games.

    Raises `OSError` for a file that cannot be read to its end, unless such files are skipped, and `GameError` with `on_error=raise`.
    """
    for item in part.items:
        if isinstance(item, Unreadable):
            LOGGER.error("%s", item.text)
            continue
        report, error = yield from read(item, options)
        if report is not None and (report.games or error is None):
            log(item, report)
        if error is not None:
            LOGGER.error("%s", error)


def read(item: FileRange, options: Options) -> Generator[pyarrow.RecordBatch, None, tuple[Report | None, str | None]]:
    """Iterates over the rows of a range. Returns its report, and the message of the error if files that cannot be read are skipped."""
    import pyarrow

    scan: Scan | None = None
    try:
        scan = scanned(item, options)
        for batch in scan:
            yield pyarrow.record_batch(batch)
    except GameError:
        if not is_counted(item):
            # The message must have the line and the game of the file. This scan counts them, and comes to the same error.
            for _ in scanned(replace(item, before=None), options):
                pass
        raise
    except OSError as error:
        if not options.skips_unreadable:
            raise on_worker(error, item.path) from None
        return None if scan is None else scan.report, str(error)
    return scan.report, None


def scanned(item: FileRange, options: Options) -> Scan:
    """Returns the scan of a range."""
    usual = {"threads": 1, "messages": "ignore", "progress": False}
    return pgn2fen.scan(item, **{**usual, **options.scan})


def is_counted(item: FileRange) -> bool:
    """Whether the numbers of games and lines in the range are those of the file."""
    return item.is_whole or item.start == 0 or item.before != Before()


def on_worker(error: OSError, path: str) -> OSError:
    """Returns the error with the name of the computer if another computer may be able to open the file."""
    host = socket.gethostname()
    if is_address(path):
        return type(error)(f"{error}; this is the worker {host}, which takes credentials from its own environment")
    if not isinstance(error, (FileNotFoundError, PermissionError)):
        return error
    return type(error)(f"{error}; this is the worker {host}, and all workers must see the file at this path")


def log(item: FileRange, report: Report) -> None:
    """Logs the counts of a range and the first of its messages: as warnings if there are messages."""
    name = name_of(item.path)
    place = name if item.is_whole else f"{name}, bytes {item.start} to {item.end}"
    if not report.lines:
        LOGGER.info("%s: %s", place, report.summary)
        return
    numbers = "" if is_counted(item) else "; lines and games are counted from the start of this range"
    LOGGER.warning("%s: %s%s", place, report.summary, numbers)
    for line in report.lines[:MOST_LINES]:
        LOGGER.log(logging.ERROR if line.is_error else logging.WARNING, "%s", line)
    more = len(report.lines) - MOST_LINES
    if more > 0:
        LOGGER.warning("… and %d more lines; report=true gives all messages", more)
