"""An index of positions that is built by the workers of a Spark cluster."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal

import pgn2fen
from pgn2fen import Before, FileRange, IndexSummary, Report, _report
from pgn2fen._index import Messages, summarized
from pgn2fen._inputs import Path, is_address, listed, named
from pgn2fen._pgn2fen import Assembly, Run, build_run, digest, name_of, sum_reports
from pgn2fen._progress import Progress
from pgn2fen._source import chosen, joined, spelled
from pyspark_pgn2fen._paths import located
from pyspark_pgn2fen._planning import shared_out

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession


def index(
    spark: SparkSession,
    paths: Path | Iterable[Path],
    out: str | os.PathLike[str],
    *,
    size: int = 128 * 1024 * 1024,
    append: bool = False,
    compact: bool = False,
    memory: str | int = "512M",
    plies: str | int | tuple[int | None, int | None] = "..",
    keep_tags: str | Iterable[str] = (),
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
    recursive: bool = False,
    mmap: bool = True,
    threads: int = 1,
    messages: Messages = "warn",
    max_messages: int = 10_000,
    verbose: bool = False,
) -> IndexSummary:
    """Builds an index of all positions of the games in some files on a cluster, or adds them to an index.

        >>> import pyspark_pgn2fen
        >>> pyspark_pgn2fen.index(spark, "/data/*.pgn.zst", "/data/games.idx", plies=(None, 40))
        >>> pgn2fen.Index("/data/games.idx").explore("1. e4 c5")

    The answers of the index are those of an index that `pgn2fen.index` or the command builds of the same files, given by their absolute
    paths. The driver and all workers must see the files and the folder `out` at the same paths, and be allowed to write to `out`. Addresses
    of files in object stores are refused.

    The files are divided into parts of about `size` bytes. One job counts the games of each part. A second job builds a run of the index
    from each part, and computes the hash of each file. Then the driver makes the runs part of the index in one step. It holds the lock of
    `out` all the time. A task that is tried again or speculated adds nothing twice; if a job fails, the older index is unchanged.

    Each part becomes a run, and a look-up asks every run: with 32 runs it takes about 30 times as long as with one. `compact` merges them on
    the driver, which takes as long as one machine needs to read and write the index once; the command `pgn2fen index --compact` does it
    later. Larger parts make fewer runs. When `pgn2fen.index` adds games to an index of more than eight runs, it merges them.

    `memory` is that of each task, and `threads` its number of threads: give each task as many cores by `spark.task.cpus`. What does not
    fit into the memory goes to a temporary file in `out`. All other options are those of `pgn2fen.index`. Errors in games are in
    `IndexSummary.report`, which has the messages of all parts in the order of the files, up to `max_messages` of them. If there are many
    parts, each has only a share of them; the others are counted.

    Works with a session of Spark and with one of Spark Connect, such as that of pysail.

    Raises `ValueError` for a wrong option, and if a file has changed since it was indexed; `OSError` if a file cannot be read by the driver
    or the index cannot be written; and the exception of Spark if a job fails.
    """
    options: dict[str, Any] = {
        "append": append,
        "compact": compact,
        "memory": str(memory),
        "plies": spelled(plies),
        "keep_tags": joined(keep_tags, "keep_tags") or None,
        "tags": tags,
        "names": names,
        "start": start,
        "opening": opening,
        "reached": reached,
        "moves": moves,
        "ends": ends,
        "commented": commented,
        "length": length,
        "max_games": None,
        "on_error": "keep",
        "lang": lang,
        "setup": setup,
        "encoding": encoding,
        "movetext": movetext,
        "recursive": recursive,
        "range": None,
        "mmap": mmap,
        "threads": threads,
        "verbose": verbose,
        "max_messages": max_messages,
    }
    options = chosen(options)
    _report.check_way(messages)
    if size < 1:
        raise ValueError(f"size is {size}, but must be at least 1 byte")
    folder = _local(out)
    assembly = Assembly(_listed(paths), folder, options)
    try:
        try:
            runs, digests, reports = _built(spark, assembly, size, {**options, "recursive": False})
        except Exception as error:
            # Python 3.10 has no notes.
            if hasattr(error, "add_note"):
                error.add_note(f"{folder} is unchanged")
            raise
        numbers = assembly.finish(runs, digests, compact, 0)
    finally:
        assembly.close()
    report = sum_reports(reports, max_messages)
    _report.tell(report, messages)
    return summarized(numbers, report)


def _listed(paths: Path | Iterable[Path]) -> list[Any]:
    """Returns the absolute paths of files. Patterns are replaced by the files that match them."""
    given = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    return [file for path in given for file in listed(_local(path))]


def _local(path: Path) -> str:
    """Returns the absolute path of a file or folder that all workers see. Raises `ValueError` for an address."""
    place = located(named(path))
    if is_address(place):
        raise ValueError(f"{name_of(place)}: is an address, and several processes index local files only")
    return place


def _built(
    spark: SparkSession, assembly: Assembly, size: int, options: dict[str, Any]
) -> tuple[list[str], list[str], list[Report]]:
    """Builds the runs on the cluster. Returns them in the order of their games, with the hashes of the files and the reports of the runs."""
    files = [str(file) for file in assembly.files]
    reading = {name: options[name] for name in ("setup", "encoding", "movetext", "mmap")}
    ranges = pgn2fen.ranges(files, size, **reading) if files else []
    groups = shared_out(ranges, size)
    # An index without games has a run, too.
    counts = [[Before()]] if len(groups) <= 1 and all(part.is_whole for part in ranges) else None
    if counts is None:
        choice = {
            name: options[name]
            for name in (
                "tags",
                "names",
                "start",
                "opening",
                "reached",
                "moves",
                "ends",
                "commented",
                "length",
                "lang",
                "threads",
            )
        }
        counts = _done(spark, [_Count(group, {**reading, **choice}) for group in groups])
        flat = pgn2fen.numbered(ranges, [count for group in counts for count in group])
        numbered = iter(flat)
        groups = [[next(numbered) for _ in group] for group in groups]
    games = [sum(count.chosen for count in group) for group in counts]
    first_games = accumulate(games, initial=assembly.first_game)
    build_folder = str(assembly.build_folder)
    # The driver must have room for the messages of all parts.
    most = min(options["max_messages"], max(_LEAST_MESSAGES, 4 * options["max_messages"] // max(len(groups), 1)))
    options = {**options, "max_messages": most}
    builds = [_Build(build_folder, first, group, options) for first, group in zip(first_games, groups or [[]])]
    # The hashes come first, because that of a large file takes longest.
    results = _done(spark, [*map(_Digest, files), *builds])
    built: list[tuple[str, Report]] = results[len(files) :]
    return [run for run, _ in built], results[: len(files)], [report for _, report in built]


_LEAST_MESSAGES = 100
"""The number of messages that each part may have, however many parts there are."""


@dataclass(frozen=True)
class _Count:
    """Counts the games of some ranges."""

    ranges: list[FileRange]
    options: dict[str, Any]

    def run(self) -> list[Before]:
        return [pgn2fen.count(part, **self.options) for part in self.ranges]


@dataclass(frozen=True)
class _Build:
    """Builds a run from some ranges. Its first game has this number."""

    build_folder: str
    first_game: int
    ranges: list[FileRange]
    options: dict[str, Any]

    def run(self) -> tuple[str, Report]:
        run = Run()
        pieces = [(part.file, part.start, part.end, part) for part in self.ranges]
        with _report.Watch(run, "ignore", Progress(False)) as watch:
            built = build_run(self.build_folder, self.first_game, pieces, self.options, run, watch)
        return built, run.report


@dataclass(frozen=True)
class _Digest:
    """Computes the hash of a file."""

    path: str

    def run(self) -> str:
        return digest(self.path)


def _done(spark: SparkSession, tasks: Sequence[Any]) -> list[Any]:
    """Runs each task on a worker, and returns their results in order."""
    numbers = spark.range(0, len(tasks), 1, len(tasks))
    rows = numbers.mapInArrow(partial(_work, list(tasks)), "number long, result binary").collect()
    results = {row["number"]: pickle.loads(row["result"]) for row in rows}
    return [results[number] for number in range(len(tasks))]


def _work(tasks: list[Any], batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """Runs the tasks with the numbers in the first column. Runs on a worker."""
    import pyarrow

    for batch in batches:
        for number in batch.column(0).to_pylist():
            result = pickle.dumps(tasks[number].run())
            columns = [pyarrow.array([number], pyarrow.int64()), pyarrow.array([result], pyarrow.binary())]
            yield pyarrow.RecordBatch.from_arrays(columns, names=["number", "result"])
