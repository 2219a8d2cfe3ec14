"""The parts of a query: ranges of files, each of which one task reads."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pyspark.sql.datasource import InputPartition

import pgn2fen
from pgn2fen import FileRange
from pgn2fen._inputs import is_address, listed
from pgn2fen._pgn2fen import find_files, name_of
from pyspark_pgn2fen._options import Options

LOGGER = logging.getLogger("pgn2fen")

COST_OF_FILE = 1 << 16
"""The bytes for which the opening of a file counts, so that no task gets thousands of tiny files."""

ZSTD = 0xFD2FB528
SKIPPABLE = 0x184D2A50
"""The first four bytes of a frame of zstd, and of a frame to skip without its last four bits, as numbers with the low byte first."""


@dataclass(frozen=True)
class Unreadable:
    """A file that cannot be read, and the message that says so."""

    name: str
    text: str


_Item = TypeVar("_Item", bound="FileRange | Unreadable")


class Part(InputPartition):
    """The work of one task: ranges of files, and files that were found to be unreadable."""

    def __init__(self, items: Sequence[FileRange | Unreadable]) -> None:
        super().__init__(None)
        self.items = tuple(items)


def parts(options: Options) -> list[Part]:
    """Plans a query. Small files share a task. A file of more than `size` bytes is cut into ranges where its format allows it.

    Raises `OSError` for a file that cannot be read, unless such files are skipped.
    """
    groups = shared_out(_items(options), options.size)
    return [Part(group) for group in groups] or [Part([])]


def shared_out(items: Iterable[_Item], size: int) -> list[list[_Item]]:
    """Shares out ranges to tasks, in order. Each task gets one range, or several small ones of about `size` bytes together.

    The size of a member of an archive behind an address is not known, so each is read by a task of its own.
    """
    groups: list[list[_Item]] = []
    room = 0
    for item in items:
        cost = COST_OF_FILE
        if isinstance(item, FileRange):
            is_unknown = item.end == 0 and is_address(item.path)
            cost += size if is_unknown else item.end - item.start
        if not groups or cost > room:
            groups.append([])
            room = size
        groups[-1].append(item)
        room -= cost
    return groups


def found(options: Options) -> list[str | Unreadable]:
    """Returns the files of a query, in the order in which one pass reads them.

    Raises `OSError` for a file that does not exist, unless such files are skipped.
    """
    files: list[str | Unreadable] = []
    for path in options.paths:
        try:
            paths = [str(path) for path in listed(path)]
        except FileNotFoundError as error:
            files.append(_unreadable(path, error, options))
            continue
        for given in paths:
            for file, fault in find_files(given, options.scan.get("recursive", False)):
                files.append(file if fault is None else _unreadable(file, fault, options))
    return files


def _items(options: Options) -> Iterator[FileRange | Unreadable]:
    """Iterates over the ranges of all files, in the order of the files."""
    for number, file in enumerate(found(options)):
        if isinstance(file, Unreadable):
            yield file
            continue
        try:
            ranges = _ranges(file, options)
        except OSError as error:
            yield _unreadable(file, error, options)
            continue
        for range in ranges:
            # Samples depend on the number of the file.
            yield replace(range, file=number)


def _ranges(file: str, options: Options) -> list[FileRange]:
    """Returns the ranges of a file, with the numbers before them if the rows need these."""
    how = {name: options.scan[name] for name in ("encoding", "movetext", "mmap", "setup") if name in options.scan}
    ranges = pgn2fen.ranges(file, options.size, **how)
    need = len(ranges) > 1 and _rows_need_numbers(file, options)
    if need or (len(ranges) > 1 and options.is_report):
        LOGGER.info("%s: the games and lines before %d ranges are counted", name_of(file), len(ranges))
        try:
            ranges = pgn2fen.ranges(file, options.size, numbers=True, **how)
        except OSError as error:
            # The file is damaged somewhere.
            if not options.skips_unreadable:
                raise
            LOGGER.warning("%s", error)
            if need:
                return pgn2fen.ranges(file, sys.maxsize, **how)
    elif len(ranges) == 1 and ranges[0].end > options.size:
        LOGGER.warning("%s: one task reads all of it, because the file cannot be cut into ranges", name_of(file))
    return [range if range.before is not None else range.alone() for range in ranges]


def _rows_need_numbers(file: str, options: Options) -> bool:
    """Whether rows depend on the text before a range: on its games, its lines, or, in a compressed file, its size."""
    columns = [name.strip() for name in options.columns.split(",")]
    if not {"game", "line"}.isdisjoint(columns):
        return True
    return ("offset" in columns or "sample" in options.scan) and _is_compressed(file)


def _is_compressed(file: str) -> bool:
    with open(file, "rb") as opened:
        first = int.from_bytes(opened.read(4), "little")
    return first == ZSTD or first & ~0xF == SKIPPABLE


def _unreadable(path: str, error: OSError, options: Options) -> Unreadable:
    """Returns a file that is skipped. Raises the error if none are."""
    if not options.skips_unreadable:
        raise error
    return Unreadable(name_of(path), str(error))
