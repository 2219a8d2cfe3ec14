"""The data source on a standalone cluster: a master and two workers on this computer. With PGN2FEN_SPARK=1.

PGN2FEN_CORPUS is a PGN file of at least 27 MB. Without it, games of the repository are repeated.
"""

from __future__ import annotations

import gzip
import os
import re
import threading
import time
from pathlib import Path

import pyarrow
import pytest
from cluster import Cluster, is_possible, running
from engines import IS_WHOLE, classic
from test_spark_rows import framed

import pgn2fen

pytestmark = pytest.mark.skipif(not IS_WHOLE, reason="needs PGN2FEN_SPARK=1")

COLUMNS = "file,game,line,offset,ply,san,eval,fen,White,WhiteElo,Date,result"

SIZE = 27_000_000
"""The bytes of text of the largest file."""


@pytest.fixture(scope="module")
def cluster():
    assert is_possible(), "PGN2FEN_SPARK=1 needs pyspark and Java"
    with running(workers=2) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def spark(cluster: Cluster):
    yield from classic(cluster.address, **{"spark.executor.memory": "800m", "spark.driver.maxResultSize": "2g"})


@pytest.fixture(scope="module")
def text(fixtures) -> bytes:
    """Games with many positions, and with errors."""
    if corpus := os.environ.get("PGN2FEN_CORPUS"):
        with open(corpus, "rb") as opened:
            text = opened.read(SIZE)
        assert len(text) == SIZE, "PGN2FEN_CORPUS must have at least 27 MB"
        return text[: start(text, SIZE - 100_000)]
    names = (
        "lichess_2012",
        "tournaments_2020",
        "morphy_ascii_crlf",
        "illegal_move_late",
        "en_passant_suffix",
        "quotes_not_escaped",
    )
    once = b"".join((fixtures / "games" / f"{name}.pgn").read_bytes() + b"\n\n" for name in names)
    return once * (SIZE // len(once))


def start(text: bytes, behind: int) -> int:
    """Returns the start of a game behind a place."""
    found = re.compile(rb"\n\r?\n(?=\[Event )").search(text, behind)
    assert found
    return found.end()


@pytest.fixture(scope="module")
def files(text, tmp_path_factory) -> list[Path]:
    """A plain file, a zstd file with many frames that end anywhere, one with a single frame, and a gzip file."""
    folder = tmp_path_factory.mktemp("corpus")
    names = ("plain.pgn", "frames.pgn.zst", "one.pgn.zst", "zipped.pgn.gz")
    plain, frames, one, zipped = paths = [folder / name for name in names]
    plain.write_bytes(text)
    part = text[: start(text, len(text) // 3)]
    frames.write_bytes(framed(part, list(range(1_000_000, len(part), 1_234_567))))
    one.write_bytes(framed(part, []))
    zipped.write_bytes(gzip.compress(part, 1))
    return paths


def load(spark, paths, **options):
    source = spark.read.format("pgn2fen").options(columns=COLUMNS, size="1M", **options)
    return source.load([str(path) for path in paths])


def digest(frame) -> tuple:
    """Returns the number of rows and two sums of their hashes, which are the same for the same rows in any order."""
    from pyspark.sql import functions as f

    hashed = frame.select(f.xxhash64(*frame.columns).alias("h"))
    sums = hashed.agg(
        f.count("h"), f.sum(f.col("h").cast("decimal(38,0)")), f.sum((f.col("h") % 1000003) * (f.col("h") % 999983))
    )
    return tuple(sums.first())


@pytest.fixture(scope="module")
def expected(spark, files, tmp_path_factory) -> tuple:
    """The digest of the rows of one pass over all files, which the package writes without Spark."""
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    report = pgn2fen.scan(files, COLUMNS, messages="ignore").write(path)
    found = digest(spark.read.parquet(str(path)))
    assert found[0] == report.positions > 5_000_000
    return found


def test_rows_are_those_of_one_pass(spark, files, expected):
    frame = load(spark, files)
    assert frame.rdd.getNumPartitions() > 20
    assert digest(frame) == expected


def test_a_killed_worker_loses_nothing_and_doubles_nothing(spark, cluster, files, expected):
    context = spark.sparkContext
    tracker = context.statusTracker()
    found = []

    def work():
        context.setJobGroup("killed", "a worker is killed in mid-job")
        found.append(digest(load(spark, files)))

    def stages():
        jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup("killed")]
        infos = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
        return [info for info in infos if info and info.numTasks > 20]

    executors = context._jsc.sc().getExecutorMemoryStatus
    assert executors().size() == 3, "the driver and two executors"
    thread = threading.Thread(target=work)
    thread.start()
    end = time.monotonic() + 120
    while not any(stage.numCompletedTasks >= 4 for stage in stages()):
        assert time.monotonic() < end and thread.is_alive()
        time.sleep(0.05)
    cluster.workers[0].kill()
    (stage,) = stages()
    assert stage.numCompletedTasks < stage.numTasks, "the job is not over"
    while executors().size() == 3 and time.monotonic() < end:
        time.sleep(0.05)
    assert executors().size() == 2 and thread.is_alive(), "an executor was lost in mid-job"
    thread.join(240)
    assert found == [expected]
    cluster.add_worker().wait_for("(Successfully registered with master)")


def test_a_bad_file_in_the_list_fails_or_is_reported(spark, cluster, files, tmp_path):
    bad = tmp_path / "bad.pgn.gz"
    bad.write_bytes(files[-1].read_bytes()[:1_000_000])
    few = [files[1], bad, tmp_path / "none.pgn"]
    with pytest.raises(Exception, match="bad.pgn.gz: damaged at byte"):
        load(spark, few[:2]).count()
    with pytest.raises(Exception, match="none.pgn: No such file"):
        load(spark, few).count()
    report = load(spark, few, unreadable="skip", report="true").cache()
    unreadable = {row.file: row.text for row in report.where("kind = 'unreadable'").collect()}
    assert set(unreadable) == {str(path) for path in few[1:]}
    (positions,) = report.selectExpr("sum(positions)").first()
    assert positions == load(spark, few, unreadable="skip").count()
    # Each task wrote to the standard error of its executor.
    assert "bad.pgn.gz: damaged at byte" in cluster.executor_logs()


def test_a_million_rows_have_the_values_and_types_of_a_scan(spark, text, tmp_path):
    path = tmp_path / "a.pgn"
    path.write_bytes(text[: start(text, len(text) // 2)])
    order = [("offset", "ascending"), ("ply", "ascending")]
    scan = pgn2fen.scan(path, COLUMNS, messages="ignore").to_arrow().sort_by(order)
    rows = load(spark, [path]).toArrow().sort_by(order)
    assert scan.num_rows > 1_000_000
    assert rows.schema == scan.schema and rows.equals(scan)
    assert pyarrow.types.is_date32(rows.schema.field("Date").type)


def test_errors_of_games_are_all_in_the_report(spark, files):
    files = [files[1], files[3]]
    scan = pgn2fen.scan(files, COLUMNS, messages="ignore", max_messages=10_000_000)
    scan.write(os.devnull, "csv")
    report = load(spark, files, report="true", max_messages="10000000")
    counts = report.selectExpr(
        *(f"sum({name})" for name in ("games", "positions", "errors", "warnings", "hidden"))
    ).first()
    found = scan.report
    assert tuple(counts) == (found.games, found.positions, found.errors, found.warnings, 0)
    messages = report.where("kind not in ('summary', 'hint')").select(
        "file", "line", "column", "game", "ply", "kind", "text"
    )
    expected = sorted((m.file, m.line, m.column, m.game or 0, m.ply or 0, m.kind, m.text) for m in found.messages)
    assert sorted((*row[:3], row.game or 0, row.ply or 0, *row[5:]) for row in messages.collect()) == expected
