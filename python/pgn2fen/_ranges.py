"""Ranges of files: large files are divided, and each range is read on its own, by any process or machine that has the file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pgn2fen import _pgn2fen

if TYPE_CHECKING:
    from pgn2fen._inputs import Path


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


def ranges(
    paths: Path | Iterable[Path],
    size: int = 128 * 1024 * 1024,
    *,
    numbers: bool = False,
    tags: str | Iterable[str] = (),
    start: Literal["any", "standard", "nonstandard"] = "any",
    opening: str | Iterable[str] = (),
    reached: str | Iterable[str] = (),
    length: str | int | tuple[int | None, int | None] | None = None,
    lang: str = "en",
    recursive: bool = False,
    setup: Literal["auto", "strict", "ignore"] = "auto",
    encoding: str = "auto",
    movetext: str | None = None,
    mmap: bool = True,
    threads: int = 0,
) -> list[FileRange]:
    """Divides files into ranges of about `size` bytes. Together they have all games of the files, each game once.

    Only the beginning of each file is read, and of zstd files a few bytes of each frame. Files that are smaller than `size`, files
    compressed with gzip or bzip2, zstd files of a single frame and files in UTF-16 have one range.

        >>> for part in pgn2fen.ranges("games/*.pgn"):
        ...     queue.put(pgn2fen.scan(part, ["White", "fen"], threads=1))

    With `numbers`, what stands before each range is counted at once, on `threads` threads: about 1 GB of text a second, and a third of that
    in zstd files. Otherwise each reader of a range counts it when it needs the columns `game` or `line`, or, in a compressed file, `offset`
    or a `sample`. `tags`, `start`, `opening`, `reached` and `length` choose the games for `Before.chosen`. The other options are those of `scan`.

    Raises `FileNotFoundError` and other kinds of `OSError` for files that cannot be read.
    """
    from pgn2fen import _inputs

    planned: list[FileRange] = []
    for file, path in enumerate(_inputs.found(paths, recursive)):
        parts = _pgn2fen.plan_file(path, size, encoding, movetext, mmap)
        planned.extend(FileRange(path, file, first, end, is_whole) for first, end, is_whole in parts)
    if not numbers:
        return planned
    options: dict[str, Any] = {
        "tags": tags,
        "start": start,
        "opening": opening,
        "reached": reached,
        "length": length,
        "lang": lang,
        "setup": setup,
        "encoding": encoding,
        "movetext": movetext,
        "mmap": mmap,
    }
    counts = []
    for part, following in zip(planned, [*planned[1:], None]):
        # What stands in the last range of a file is not needed.
        is_last = following is None or following.file != part.file
        counts.append(Before() if is_last else count(part, threads=threads, **options))
    return numbered(planned, counts)


def count(
    part: FileRange,
    *,
    tags: str | Iterable[str] = (),
    start: Literal["any", "standard", "nonstandard"] = "any",
    opening: str | Iterable[str] = (),
    reached: str | Iterable[str] = (),
    length: str | int | tuple[int | None, int | None] | None = None,
    lang: str = "en",
    setup: Literal["auto", "strict", "ignore"] = "auto",
    encoding: str = "auto",
    movetext: str | None = None,
    mmap: bool = True,
    threads: int = 0,
) -> Before:
    """Counts the games, lines and bytes of text in a range of a file. No move is played: about 1 GB of text is counted in a second. Only
    `opening`, `reached` and `length` need moves, and these are played as far as they need.

    Together with `numbered`, this does on many machines what `ranges(…, numbers=True)` does on one.

    Raises `OSError` if the file cannot be read.
    """
    from pgn2fen._source import chosen

    options: dict[str, Any] = {
        "tags": tags,
        "start": start,
        "opening": opening,
        "reached": reached,
        "length": length,
        "lang": lang,
        "setup": setup,
        "encoding": encoding,
        "movetext": movetext,
        "mmap": mmap,
        "threads": threads,
    }
    return Before(*_pgn2fen.count_range(part, chosen(options)))


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
