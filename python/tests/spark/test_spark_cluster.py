"""The data source on a standalone cluster: a master and two workers on this computer. With PGN2FEN_SPARK=1.

PGN2FEN_CORPUS is a PGN file of at least 27 MB. Without it, games of the repository are repeated.
"""

from __future__ import annotations

import gzip
import os
import re
import threading
import time
import zipfile
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
def spark(cluster: Cluster, stores):
    settings = {"spark.executor.memory": "800m", "spark.driver.maxResultSize": "2g"}
    # The workers have no credentials of their own.
    for store in stores:
        settings |= {f"spark.executorEnv.{name}": value for name, value in store.environment.items()}
    yield from classic(cluster.address, **settings)


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


def killed(spark, cluster, frame) -> tuple:
    """Returns the digest of a frame. Its job loses a worker before it ends."""
    context = spark.sparkContext
    tracker = context.statusTracker()
    group = f"killed {len(cluster.workers)}"
    found = []

    def work():
        context.setJobGroup(group, "a worker is killed in mid-job")
        found.append(digest(frame))

    def stages():
        jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
        infos = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
        return [info for info in infos if info and info.numTasks > 20]

    executors = context._jsc.sc().getExecutorMemoryStatus
    end = time.monotonic() + 120
    while executors().size() < 3:
        assert time.monotonic() < end, "the driver and two executors"
        time.sleep(0.05)
    thread = threading.Thread(target=work)
    thread.start()
    while not any(stage.numCompletedTasks >= 4 for stage in stages()):
        assert time.monotonic() < end and thread.is_alive()
        time.sleep(0.05)
    cluster.workers[-1].kill()
    (stage,) = stages()
    assert stage.numCompletedTasks < stage.numTasks, "the job is not over"
    while executors().size() == 3 and time.monotonic() < end:
        time.sleep(0.05)
    assert executors().size() == 2 and thread.is_alive(), "an executor was lost in mid-job"
    thread.join(240)
    cluster.add_worker().wait_for("(Successfully registered with master)")
    (result,) = found
    return result


def test_a_killed_worker_loses_nothing_and_doubles_nothing(spark, cluster, files, expected):
    assert killed(spark, cluster, load(spark, files)) == expected


@pytest.fixture(scope="module")
def objects(text, store, tmp_path_factory) -> list[Path]:
    """Files on the disk that are in the store, too: 27 zstd files of about a megabyte of text, and an archive with one of them."""
    folder = tmp_path_factory.mktemp("objects")
    ends = [0, *(start(text, len(text) * nth // 26) for nth in range(1, 26)), len(text)]
    paths = [folder / f"{nth:02}.pgn.zst" for nth in range(26)]
    for path, begin, end in zip(paths, ends, ends[1:]):
        path.write_bytes(framed(text[begin:end], [(end - begin) // 2]))
    archive = folder / "26.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("26.pgn", text[: ends[1]])
    for path in [*paths, archive]:
        store.put(f"large/{path.name}", path.read_bytes())
    return [*paths, archive]


def test_a_killed_worker_loses_nothing_of_the_files_in_a_store(spark, cluster, objects, store, tmp_path):
    columns = COLUMNS.removeprefix("file,")
    path = tmp_path / "rows.parquet"
    report = pgn2fen.scan(objects, columns, messages="ignore").write(path)
    expected = digest(spark.read.parquet(str(path)))
    assert expected[0] == report.positions > 1_000_000
    # Their patterns are matched by the driver, and their bytes are read by the workers.
    frame = spark.read.format("pgn2fen").options(columns=COLUMNS, size="100K")
    frame = frame.load([f"{store.address}/large/*.pgn.zst", f"{store.address}/large/26.zip"])
    assert frame.rdd.getNumPartitions() == len(objects)
    assert killed(spark, cluster, frame.drop("file")) == expected
    names = {row.file for row in frame.select("file").distinct().collect()}
    assert names == {f"{store.address}/large/{path.name}" for path in objects[:-1]} | {
        f"{store.address}/large/26.zip/26.pgn"
    }


def test_conditions_are_pushed_down_to_the_workers(spark, objects, store):
    setting = "spark.sql.python.filterPushdown.enabled"
    spark.conf.set(setting, "true")
    condition = "WhiteElo >= 1800 and ply between 10 and 12"

    def found(**options):
        frame = spark.read.format("pgn2fen").options(columns=COLUMNS, **options).load(f"{store.address}/large/*.zst")
        return digest(frame.where(condition))

    assert found(push_down_predicate="true") == found()
    spark.conf.unset(setting)


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
