"""Ranges of files, and the numbers of what stands before them."""

from __future__ import annotations

# `dataclass` looks into the module typing if it is loaded, even while another thread still loads it, and fails on what is not there yet.
import typing  # noqa: F401
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Before:
    """The numbers of what stands in a file before a range of it, or of what stands in the range itself.

    `games` are all games, and `chosen` those that the options of `count` chose. `lines` are line breaks, `text` is the number of bytes of
    (decoded) text, and `column` the number of bytes behind the last line break.
    """

    games: int = 0
    chosen: int = 0
    lines: int = 0
    text: int = 0
    column: int = 0

    def then(self, following: Before) -> Before:
        """Returns the numbers of this text together with the text that follows it."""
        return Before(
            self.games + following.games,
            self.chosen + following.chosen,
            self.lines + following.lines,
            self.text + following.text,
            following.column if following.lines else self.column + following.column,
        )


@dataclass(frozen=True)
class FileRange:
    """A range of a file: the games that begin in the bytes from `start` to `end`. `scan`, `starts` and `games` take it like a path.

    `file` is the number of the file in its list, from 0. For a zstd file the bytes are those of the compressed file, and the games are
    those that begin in the text of the frames that begin in these bytes. `is_whole` says that this is the only range of the file, as for
    small files and for files that can be read only from their start.

    Rows and messages have the numbers of games and lines in the whole file. If `before` is None, what stands before the range is counted
    when its numbers are first needed, which reads the file up to the range. To count from the start of the range, set `before` to
    `Before()` by `range.alone()`.
    """

    path: str
    file: int
    start: int
    end: int
    is_whole: bool
    before: Before | None = None

    def alone(self) -> FileRange:
        """Returns the range with numbers of games and lines that are counted from its own start, so that nothing else is read."""
        return replace(self, before=Before())


def numbered(planned: Sequence[FileRange], counts: Iterable[Before]) -> list[FileRange]:
    """Returns ranges with the numbers of what stands before them: the sums of the counts of the ranges before them in the same file.

    The ranges of a file must follow one another without gaps. `counts` has the result of `count` for each of them.
    """
    result: list[FileRange] = []
    before, file = Before(), None
    for part, counted in zip(planned, counts):
        if part.file != file:
            before, file = Before(), part.file
        result.append(replace(part, before=before))
        before = before.then(counted)
    return result
