"""`ranges` and `count`: large files are divided, and each range is read on its own, by any process or machine that has the file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Literal

from pgn2fen import _inputs, _pgn2fen
from pgn2fen._inputs import Path
from pgn2fen._ranges import Before, FileRange, numbered
from pgn2fen._source import chosen


def ranges(
    paths: Path | Iterable[Path],
    size: int = 128 * 1024 * 1024,
    *,
    numbers: bool = False,
    tags: str | Iterable[str] = (),
    names: str | os.PathLike[str] | None = None,
    start: Literal["any", "standard", "nonstandard"] = "any",
    opening: str | Iterable[str] = (),
    reached: str | Iterable[str] = (),
    moves: str | Iterable[str] = (),
    ends: str | Iterable[str] = (),
    commented: bool = False,
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
    or a `sample`. `tags`, `names`, `start`, `opening`, `reached`, `moves` and `length` choose the games for `Before.chosen`. The other options are those of `scan`.

    Raises `FileNotFoundError` and other kinds of `OSError` for files that cannot be read.
    """
    if size < 1:
        raise ValueError(f"size is {size}, but must be 1 or more bytes")
    planned: list[FileRange] = []
    for file, path in enumerate(_inputs.found(paths, recursive)):
        parts = _pgn2fen.plan_file(path, size, encoding, movetext, mmap)
        planned.extend(FileRange(path, file, first, end, is_whole) for first, end, is_whole in parts)
    if not numbers:
        return planned
    options: dict[str, Any] = {
        "tags": tags,
        "names": names,
        "start": start,
        "opening": opening,
        "reached": reached,
        "moves": moves,
        "ends": ends,
        "commented": commented,
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
    names: str | os.PathLike[str] | None = None,
    start: Literal["any", "standard", "nonstandard"] = "any",
    opening: str | Iterable[str] = (),
    reached: str | Iterable[str] = (),
    moves: str | Iterable[str] = (),
    ends: str | Iterable[str] = (),
    commented: bool = False,
    length: str | int | tuple[int | None, int | None] | None = None,
    lang: str = "en",
    setup: Literal["auto", "strict", "ignore"] = "auto",
    encoding: str = "auto",
    movetext: str | None = None,
    mmap: bool = True,
    threads: int = 0,
) -> Before:
    """Counts the games, lines and bytes of text in a range of a file. No move is played: about 1 GB of text is counted in a second. Only
    `opening`, `reached`, `moves` and `length` need moves, and these are played as far as they need.

    Together with `numbered`, this does on many machines what `ranges(…, numbers=True)` does on one.

    Raises `OSError` if the file cannot be read.
    """
    options: dict[str, Any] = {
        "tags": tags,
        "names": names,
        "start": start,
        "opening": opening,
        "reached": reached,
        "moves": moves,
        "ends": ends,
        "commented": commented,
        "length": length,
        "lang": lang,
        "setup": setup,
        "encoding": encoding,
        "movetext": movetext,
        "mmap": mmap,
        "threads": threads,
    }
    return Before(*_pgn2fen.count_range(part, chosen(options)))
