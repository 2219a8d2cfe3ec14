"""Indexes that a cluster builds: they answer like those that the command builds, or are not written at all."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cluster import Cluster, is_possible, running
from conftest import IS_WHOLE, classic
from test_spark_rows import framed

import pgn2fen
import pyspark_pgn2fen
from pgn2fen._pgn2fen import Assembly
from pyspark_pgn2fen._planning import shared_out

POSITIONS = ["startpos", "e4", "e4 e5 Nf3", "d4 Nf6 c4", "e4 c5", "Nf3 d5", "c4"]


def tables(folder: Path) -> dict[str, bytes]:
    """The tables of an index of one run."""
    (run,) = folder.glob("run-*")
    return {table.name: table.read_bytes() for table in run.iterdir()}


def runs(folder: Path) -> int:
    return len(json.loads((folder / "manifest.json").read_text())["runs"])


def answers(command, index: Path, positions: list[str]) -> list[bytes]:
    """What the command says of an index and of positions in it."""
    options = (["-M"], ["-c"], ["-f", "jsonl", "-m", "2000"], ["-f", "pgn", "-m", "20"], ["-M", "-t", "WhiteElo>=2300"])
    said = [command("find", *option, index, position) for position in positions for option in options]
    return [command("index", "--info", "-f", "tsv", index), *said]


@pytest.fixture(scope="session")
def files(fixtures: Path, tmp_path_factory) -> list[Path]:
    """Games of all kinds, also of Chess960 and with errors; plain, in zstd files of many frames and of one, in a gzip file, and no game."""
    folder = tmp_path_factory.mktemp("games")
    names = [
        "lichess_2012",
        "fischer_random_2018",
        "double_fischer_random_starts",
        "illegal_move_late",
        "names_in_many_scripts",
    ]
    texts = {
        name: (fixtures / "games" / f"{name}.pgn").read_bytes() for name in [*names, "opening_book", "tournaments_2020"]
    }
    for name in names:
        (folder / f"{name}.pgn").write_bytes(texts[name])
    book = texts["opening_book"]
    (folder / "frames.pgn.zst").write_bytes(framed(book, list(range(20_000, len(book), 23_456))))
    (folder / "one.pgn.zst").write_bytes(framed(texts["lichess_2012"] + b"\n1. a3 h6 *\n", []))
    (folder / "zipped.pgn.gz").write_bytes(gzip.compress(texts["tournaments_2020"]))
    (folder / "empty.pgn").write_bytes(b"")
    return sorted(folder.iterdir())


@pytest.fixture(scope="session")
def one(command, files, tmp_path_factory) -> Path:
    """The index that the command builds of the files."""
    folder = tmp_path_factory.mktemp("one") / "games.idx"
    command("index", "-q", "-o", folder, *files)
    return folder


@pytest.fixture(scope="session")
def chess960(fixtures: Path) -> list[str]:
    """Starting positions of Chess960."""
    text = (fixtures / "games" / "double_fischer_random_starts.pgn").read_text()
    return re.findall(r'\[FEN "(.*?)"\]', text)[:3]


class Workshop:
    """An engine that does each task more often than once, as Spark may do, and takes the result of any of them."""

    def __init__(self, times: int = 3) -> None:
        self.times = times
        self.jobs: list[list[Any]] = []

    def range(self, start: int, end: int, step: int, partitions: int) -> Workshop:
        assert (start, end, step) == (0, partitions, 1)
        self.numbers = list(range(end))
        return self

    def mapInArrow(self, work: Any, schema: str) -> Workshop:
        import pyarrow

        batches = [pyarrow.RecordBatch.from_pydict({"id": [number]}) for number in self.numbers]
        self.rows = []
        for batch in batches:
            (number,) = batch["id"].to_pylist()
            tries = [row for _ in range(self.times) for made in work(iter([batch])) for row in made.to_pylist()]
            self.rows.append(tries[number % self.times])
        self.jobs.append(self.rows)
        return self

    def collect(self) -> list[Any]:
        return self.rows[::-1]


def test_an_index_of_a_cluster_answers_like_one_of_the_command(spark, command, files, one, chess960, tmp_path):
    out = tmp_path / "games.idx"
    built = pyspark_pgn2fen.index(spark, files, out, size=50_000, messages="ignore")
    assert runs(out) == built.runs > 8
    positions = [*POSITIONS, *chess960]
    assert answers(command, out, positions) == answers(command, one, positions)
    assert command("index", "--check", out).endswith(b"\n")
    index, expected = pgn2fen.Index(out), pgn2fen.Index(one)
    assert (built.games, built.positions) == (len(expected), expected.positions) == (len(index), index.positions)
    for position in positions:
        assert index.explore(position).to_arrow() == expected.explore(position).to_arrow()
        assert index.find(position).to_arrow() == expected.find(position).to_arrow()
    command("index", "-q", "-o", out, "--compact")
    assert tables(out) == tables(one)


def test_runs_are_merged_and_games_are_appended(spark, command, files, one, tmp_path):
    out = tmp_path / "games.idx"
    few, others = files[:4], files[4:]
    command("index", "-q", "-o", out, *few)
    with pytest.warns(pgn2fen.GameWarning) as warned:
        built = pyspark_pgn2fen.index(spark, files, out, size=100_000, append=True, compact=True, memory="64M")
    assert [text.split(":")[0] for text in built.skipped] == [str(path) for path in few]
    assert (built.runs, built.all_games) == (1, len(pgn2fen.Index(one)))
    assert tables(out) == tables(one)
    # The report is that of one run over the same files.
    scan = pgn2fen.scan(others, messages="ignore")
    for _ in scan:
        pass
    expected = scan.report
    assert built.report.summary == expected.summary and expected.errors > 0
    assert [str(message) for message in built.report.messages] == [str(message) for message in expected.messages]
    (told,) = [str(warning.message) for warning in warned if warning.category is pgn2fen.GameWarning]
    assert told.startswith(expected.summary)
    again = pyspark_pgn2fen.index(spark, files, out, append=True)
    assert (again.games, again.runs, len(again.skipped)) == (0, 1, len(files))


def test_filters_and_plies_are_those_of_the_command(spark, command, files, tmp_path):
    out, expected = tmp_path / "games.idx", tmp_path / "one.idx"
    options = ("-p", "..12", "-t", "WhiteElo>=1500", "--start", "standard")
    command("index", "-q", "-o", expected, *options, *files)
    chosen = {"plies": (None, 12), "tags": "WhiteElo>=1500", "start": "standard"}
    built = pyspark_pgn2fen.index(spark, files, out, size=60_000, compact=True, messages="ignore", **chosen)
    assert built.report.chosen == built.games < built.report.games
    assert answers(command, out, POSITIONS) == answers(command, expected, POSITIONS)
    assert tables(out) == tables(expected)


def test_a_file_that_cannot_be_read_leaves_the_old_index(spark, command, files, one, tmp_path):
    out, bad = tmp_path / "games.idx", tmp_path / "bad.pgn.gz"
    command("index", "-q", "-o", out, files[0])
    old = {path.name for path in out.iterdir()}, answers(command, out, POSITIONS)
    bad.write_bytes(gzip.compress(b"1. e4 e5 *\n\n" * 10_000)[:-100])
    with pytest.raises(Exception, match="bad.pgn.gz: damaged at byte"):
        pyspark_pgn2fen.index(spark, [*files, bad], out, size=100_000)
    with pytest.raises(FileNotFoundError, match="none.pgn"):
        pyspark_pgn2fen.index(spark, [tmp_path / "none.pgn"], out)
    assert ({path.name for path in out.iterdir()}, answers(command, out, POSITIONS)) == old
    with pytest.raises(Exception, match="bad.pgn.gz"):
        pyspark_pgn2fen.index(spark, bad, tmp_path / "new.idx")
    assert not (tmp_path / "new.idx").exists()


def test_a_task_that_is_done_more_than_once_adds_nothing_twice(command, files, one, tmp_path):
    out, engine = tmp_path / "games.idx", Workshop()
    built = pyspark_pgn2fen.index(engine, files, out, size=50_000, messages="ignore")
    assert len(engine.jobs) == 2 and built.runs > 8
    assert len([*out.iterdir()]) == built.runs + 2, "the lock, the manifest and the runs"
    command("index", "-q", "-o", out, "--compact")
    assert tables(out) == tables(one)


def test_wrong_options_and_a_second_build_are_refused(files, tmp_path):
    out, engine = tmp_path / "games.idx", Workshop(1)
    for options, reason in [
        ({"memory": "1M"}, "memory: too small"),
        ({"size": 0}, "size is 0"),
        ({"plies": "x"}, "plies"),
        ({"messages": "shout"}, "messages"),
        ({"tags": "White"}, "tags"),
    ]:
        with pytest.raises(ValueError, match=reason):
            pyspark_pgn2fen.index(engine, files, out, **options)
    with pytest.raises(ValueError, match="not supported"):
        pyspark_pgn2fen.index(engine, "hdfs://host/games.pgn", out)
    for paths, folder in [("s3://bucket/games.pgn", out), (files, "s3://bucket/games.idx")]:
        with pytest.raises(ValueError, match="games.*: is an address, and several processes index local files only"):
            pyspark_pgn2fen.index(engine, paths, folder)
    assert not out.exists() and not engine.jobs
    pgn2fen.index(files[0], out, messages="ignore")
    usual = {
        **_index_options(),
        "append": True,
    }
    assembly = Assembly([str(files[1])], str(out), usual)
    try:
        with pytest.raises(OSError, match="another pgn2fen is writing"):
            pyspark_pgn2fen.index(engine, files, out)
    finally:
        assembly.close()
    with files[0].open("ab") as grown, _restored(files[0]):
        grown.write(b"1. e4 *\n")
        grown.flush()
        with pytest.raises(ValueError, match="has grown since it was indexed"):
            pyspark_pgn2fen.index(engine, files[0], out, append=True)


def test_small_files_share_a_task():
    parts = [pgn2fen.FileRange(f"{n}.pgn", n, 0, size, True) for n, size in enumerate([10, 10, 500_000, 2_000_000, 10])]
    groups = shared_out(parts, 1_000_000)
    assert [[part.file for part in group] for group in groups] == [[0, 1, 2], [3], [4]]


def _index_options() -> dict[str, Any]:
    return {
        "compact": False,
        "memory": None,
        "plies": "..",
        "keep_tags": None,
        "tags": [],
        "names": None,
        "start": "any",
        "opening": [],
        "reached": [],
        "moves": [],
        "ends": [],
        "commented": False,
        "length": None,
        "max_games": None,
        "on_error": "keep",
        "lang": "en",
        "setup": "auto",
        "encoding": "auto",
        "movetext": None,
        "recursive": False,
        "range": None,
        "mmap": True,
        "threads": 1,
        "verbose": False,
        "max_messages": 10,
    }


@contextlib.contextmanager
def _restored(path: Path) -> Iterator[None]:
    """Restores a file that is changed."""
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    text = path.read_bytes()
    try:
        yield
    finally:
        path.write_bytes(text)
        os.utime(path, ns=times)


needs_cluster = pytest.mark.skipif(not IS_WHOLE, reason="needs PGN2FEN_SPARK=1")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    assert is_possible(), "PGN2FEN_SPARK=1 needs pyspark and Java"
    with running(workers=2) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def corpus(fixtures: Path, tmp_path_factory) -> Path:
    """The file PGN2FEN_CORPUS, or games of the repository, which are repeated."""
    if given := os.environ.get("PGN2FEN_CORPUS"):
        return Path(given)
    path = tmp_path_factory.mktemp("corpus") / "games.pgn"
    once = (fixtures / "games" / "lichess_2012.pgn").read_bytes() + (
        fixtures / "games" / "opening_book.pgn"
    ).read_bytes()
    path.write_bytes(once * (20_000_000 // len(once)))
    return path


@needs_cluster
def test_a_killed_worker_loses_nothing_and_doubles_nothing(cluster, command, corpus, files, tmp_path):
    paths, out, one = [corpus, *files], tmp_path / "games.idx", tmp_path / "one.idx"
    begun = time.monotonic()
    command("index", "-q", "-o", one, *paths)
    alone = time.monotonic() - begun
    for spark in classic(cluster.address, **{"spark.executor.memory": "800m", "spark.speculation": "true"}):
        context = spark.sparkContext
        executors = context._jsc.sc().getExecutorMemoryStatus
        found = []

        def work(spark=spark, found=found):
            found.append(pyspark_pgn2fen.index(spark, paths, out, size=4_000_000, messages="ignore"))

        begun = time.monotonic()
        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive() and len([*out.glob(".run-*/run-*/games.parquet")]) < 4:
            time.sleep(0.02)
        assert thread.is_alive() and executors().size() == 3, "the driver and two executors build runs"
        cluster.workers[0].kill()
        thread.join(500)
        (built,) = found
        print(f"the command {alone:.1f} s, the cluster with a worker killed {time.monotonic() - begun:.1f} s, {built}")
    assert built.runs == runs(out) == len([*out.glob("run-*")]) > 4
    assert not [*out.glob(".*")], "nothing else is left"
    assert answers(command, out, POSITIONS) == answers(command, one, POSITIONS)
    command("index", "-q", "-o", out, "--compact")
    assert tables(out) == tables(one)
