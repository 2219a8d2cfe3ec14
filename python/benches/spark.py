"""Measures the data source for Spark and its index against the command and against Python without Spark, on the same files.

    PGN2FEN=target/release/pgn2fen python benches/spark.py GAMES.pgn … [--rounds 2] [--size BYTES]

Each task runs on one core and on two: the command with `-j1` and `-j2`, Python in one and two processes, and Spark on a standalone
cluster on this computer with one and two workers of one core each. Needs pyspark and Java. Prints the tables of `docs/inside/spark.md`.

A time is that of the best round. The CPU time is that of all processes together: of the command, of the interpreters, and of the JVMs of
the driver, the master, the workers and the executors. The start of the cluster and of the session is not part of it, and a first job warms
them up. All rows go to Spark's format `noop`, which drops them, or to Parquet files.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pgn2fen

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "spark"))

COLUMNS = "ply,san,fen,result"

EXPLORER = "key,next_san,result"

GROUPS = "select key, next_san, count(*), count_if(result = '1-0'), count_if(result = '0-1') from rows group by all"

CORES = (1, 2)

# A year of Lichess: what `docs/inside/spark.md` says about each number.
MONTHS, FILE, RATIO, GAME, POSITIONS = 12, 30e9, 7.1, 2313, 67

PARQUET, INDEX = 12.8, 11.9
"""The bytes of a position of such games in a Parquet file of the columns, and in an index."""

LICHESS = 0.15
"""The CPU time in seconds that a million positions take longer in zstd files of games with clocks than in plain files of bare games."""

COUNTING = 0.1
"""The CPU time in seconds for the games of a million positions to be counted in such files, before they are indexed."""

CLUSTER = 64
"""The cores of the cluster of the plan."""

PRICE = 0.05
"""The price in dollars of an hour of a core, with its memory."""


@dataclass
class Job:
    """The input of all tasks."""

    paths: list[str]
    size: int
    """The bytes of a range."""
    folder: Path
    """A folder for output."""

    def out(self, name: str) -> str:
        """Returns the path of an output that does not exist yet."""
        path = self.folder / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        return str(path)


def command(job: Job, cores: int, *options: str) -> None:
    """Runs the command on `cores` threads."""
    program = os.environ.get("PGN2FEN") or shutil.which("pgn2fen", path=str(Path(sys.executable).parent)) or "pgn2fen"
    done = subprocess.run([program, *options, "-q", f"-j{cores}", *job.paths], stdout=subprocess.DEVNULL, check=False)
    # A status of 1 says that games have errors.
    assert done.returncode in (0, 1), done


def read(part: pgn2fen.FileRange, columns: str) -> int:
    """Reads the rows of a range as record batches of pyarrow, as a task of Spark does."""
    import pyarrow

    scan = pgn2fen.scan(part.alone(), columns, threads=1, messages="ignore")
    return sum(pyarrow.record_batch(batch).num_rows for batch in scan)


def processes(job: Job, cores: int) -> None:
    """Reads the ranges in Python alone."""
    parts = pgn2fen.ranges(job.paths, job.size)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(cores, mp_context=context) as pool:
        assert sum(pool.map(read, parts, [COLUMNS] * len(parts))) > 0


def count(job: Job, cores: int) -> None:
    """Counts the games and lines before each range."""
    pgn2fen.ranges(job.paths, job.size, numbers=True, threads=cores)


def rows(spark: Any, job: Job, columns: str) -> Any:
    return spark.read.format("pgn2fen").options(columns=columns, size=str(job.size)).load(job.paths)


def dropped(spark: Any, job: Job, columns: str = COLUMNS) -> None:
    rows(spark, job, columns).write.format("noop").mode("overwrite").save()


def parquet(spark: Any, job: Job) -> None:
    rows(spark, job, COLUMNS).write.parquet(job.out("parquet"))


def grouped(spark: Any, job: Job) -> None:
    rows(spark, job, EXPLORER).createOrReplaceTempView("rows")
    spark.sql(GROUPS).write.format("noop").mode("overwrite").save()


def indexed(spark: Any, job: Job, compact: bool = False) -> None:
    import pyspark_pgn2fen

    out = job.out("spark.idx")
    pyspark_pgn2fen.index(spark, job.paths, out, size=job.size, memory="512M", compact=compact, messages="ignore")


def index(job: Job, cores: int) -> None:
    command(job, cores, "index", "--memory", "512M", "-o", job.out("command.idx"))


ALONE: dict[str, Callable[[Job, int], None]] = {
    "command: Arrow stream": lambda job, cores: command(job, cores, "-f", "arrow", "-C", COLUMNS),
    "Python: record batches of ranges": processes,
    "command: Parquet file": lambda job, cores: command(job, cores, "-C", COLUMNS, "-o", job.out("rows.parquet")),
    "command: Arrow stream of the explorer": lambda job, cores: command(job, cores, "-f", "arrow", "-C", EXPLORER),
    "command: index": index,
    "Python: games and lines before ranges": count,
}

ON_SPARK: dict[str, Callable[[Any, Job], None]] = {
    "Spark: rows, dropped": dropped,
    "Spark: Parquet files": parquet,
    "Spark: rows of the explorer, dropped": lambda spark, job: dropped(spark, job, EXPLORER),
    "Spark: the explorer, grouped": grouped,
    "Spark: index": indexed,
    "Spark: index of one run": lambda spark, job: indexed(spark, job, compact=True),
}

ORDER = [
    "command: Arrow stream",
    "Python: record batches of ranges",
    "Spark: rows, dropped",
    "command: Parquet file",
    "Spark: Parquet files",
    "command: Arrow stream of the explorer",
    "Spark: rows of the explorer, dropped",
    "Spark: the explorer, grouped",
    "command: index",
    "Spark: index",
    "Spark: index of one run",
    "Python: games and lines before ranges",
]


def tree() -> list[int]:
    """Returns the numbers of this process and of all processes that it started, or that these started."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int(fields(int(folder.name))[1])
            children.setdefault(parent, []).append(int(folder.name))
    found = [os.getpid()]
    for process in found:
        found += children.get(process, [])
    return found


def fields(process: int) -> list[str]:
    """Returns the fields of a process behind its name. The first is its state."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def usage() -> float:
    """Returns the CPU time of this process and of the processes that it has waited for, in seconds."""
    times = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(time.ru_utime + time.ru_stime for time in times)


class Meter:
    """Measures the CPU time of all processes of the tree, from `start` to `stop`.

    It looks at each process four times a second, since nobody waits for the Python processes of Spark, and their times are lost with them.
    """

    def start(self) -> None:
        """Begins to measure."""
        self.last: dict[int, int] = {}
        self._look()
        self.first = dict(self.last)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> float:
        """Returns the CPU time of all processes since the start, in seconds."""
        self._is_over.set()
        self._thread.join()
        self._look()
        used = sum(ticks - self.first.get(process, 0) for process, ticks in self.last.items())
        return used / os.sysconf("SC_CLK_TCK")

    def _watch(self) -> None:
        while not self._is_over.wait(0.25):
            self._look()

    def _look(self) -> None:
        for process in tree():
            with contextlib.suppress(OSError):
                # In user and in system mode.
                self.last[process] = sum(map(int, fields(process)[11:13]))


def peak_of_workers() -> int:
    """Returns the largest resident size in bytes that a Python process of an executor has had, or 0 if there is none."""
    peaks = [0]
    for process in tree():
        with contextlib.suppress(OSError):
            folder = Path(f"/proc/{process}")
            if b"pyspark.daemon" in (folder / "cmdline").read_bytes():
                status = (folder / "status").read_text()
                peaks += [int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")]
    return max(peaks)


Times = dict[tuple[str, int], tuple[float, float]]
"""The CPU time and the wall-clock time in seconds of tasks, by their names and numbers of cores."""


def measured(times: Times, name: str, cores: int, cpu: float, wall: float) -> None:
    """Keeps the best times of a task."""
    least_cpu, least_wall = times.get((name, cores), (cpu, wall))
    times[name, cores] = min(cpu, least_cpu), min(wall, least_wall)
    print(f"{name}, {cores}: {cpu:.2f} s of CPU time, {wall:.2f} s", file=sys.stderr, flush=True)


def measure(times: Times, job: Job, cores: int, spark: Any) -> None:
    """Runs each task once."""
    for name, task in ALONE.items():
        before, start = usage(), time.perf_counter()
        task(job, cores)
        measured(times, name, cores, usage() - before, time.perf_counter() - start)
    for name, on_spark in ON_SPARK.items():
        meter = Meter()
        meter.start()
        start = time.perf_counter()
        on_spark(spark, job)
        wall = time.perf_counter() - start
        measured(times, name, cores, meter.stop(), wall)


@contextlib.contextmanager
def session(workers: int) -> Iterator[Any]:
    """A session of Spark on a cluster."""
    from cluster import running
    from pyspark.sql import SparkSession

    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.executor.memory": "800m",
        "spark.sql.shuffle.partitions": "8",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    with running(workers) as cluster:
        spark = SparkSession.builder.master(cluster.address).appName("pgn2fen").config(map=settings).getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus
        while executors().size() != workers + 1:
            time.sleep(0.1)
        try:
            yield spark
        finally:
            spark.stop()


def table(times: Times, positions: int) -> Iterator[str]:
    """Yields the lines of the table of all tasks."""
    yield "| | one core: CPU time, s | time, s | two cores: CPU time, s | time, s | positions/s |"
    yield "|---|---:|---:|---:|---:|---:|"
    for name in ORDER:
        one, two = (times[name, cores] for cores in CORES)
        rate = "" if "before ranges" in name else f"{positions / two[1] / 1e6:.1f} million"
        yield f"| {name} | {one[0]:.1f} | {one[1]:.1f} | {two[0]:.1f} | {two[1]:.1f} | {rate} |"


def costs(times: Times, positions: int) -> Iterator[str]:
    """Yields the lines of the table of what each stage adds, in CPU time on one core."""
    stages = [
        ("the rows, as the command makes them", "command: Arrow stream", None),
        ("Python, pyarrow and ranges", "Python: record batches of ranges", "command: Arrow stream"),
        ("the way into the JVM, and Spark", "Spark: rows, dropped", "Python: record batches of ranges"),
        ("Parquet files by Spark", "Spark: Parquet files", "Spark: rows, dropped"),
        ("the rows of the explorer in the JVM", "Spark: rows of the explorer, dropped", None),
        (
            "`group by`: the shuffle and both sums",
            "Spark: the explorer, grouped",
            "Spark: rows of the explorer, dropped",
        ),
        ("the index, as the command makes it", "command: index", None),
        ("the index in runs, by Spark", "Spark: index", "command: index"),
        ("merging the runs", "Spark: index of one run", "Spark: index"),
    ]
    yield "| stage | CPU time for a million positions, s |"
    yield "|---|---:|"
    for what, name, without in stages:
        seconds = times[name, 1][0] - (times[without, 1][0] if without else 0)
        yield f"| {what} | {'+' if without and seconds >= 0 else ''}{seconds / positions * 1e6:.2f} |"


def year(times: Times, positions: int) -> Iterator[str]:
    """Yields the lines of the plan of a year of Lichess, by the rates of this run."""
    files = MONTHS * FILE
    text = files * RATIO
    games = text / GAME
    rows = games * POSITIONS
    yield "| | | |"
    yield "|---|---|---:|"
    yield f"| files | {MONTHS} months × {FILE / 1e9:.0f} GB | {files / 1e9:,.0f} GB |"
    yield f"| text | {files / 1e9:,.0f} GB × {RATIO} | {text / 1e9:,.0f} GB |"
    yield f"| games | {text / 1e9:,.0f} GB ÷ {GAME:,} bytes | {games / 1e9:.2f} billion |"
    yield f"| positions | {games / 1e9:.2f} billion × {POSITIONS} | {rows / 1e9:.0f} billion |"
    yield ""
    yield f"| job | CPU time for a million positions | of {rows / 1e9:.0f} billion | on {CLUSTER} cores | result | cost |"
    yield "|---|---:|---:|---:|---:|---:|"
    for what, name, size, more in [
        ("rows in Parquet files", "Spark: Parquet files", PARQUET, LICHESS),
        ("the explorer, not stored", "Spark: the explorer, grouped", None, LICHESS),
        ("the index, in runs", "Spark: index", INDEX, LICHESS + COUNTING),
    ]:
        million = times[name, 1][0] / positions * 1e6
        hours = (million + more) * rows / 1e6 / 3600
        disk = f"{size} bytes each: {size * rows / 1e9:,.0f} GB" if size else ""
        yield (
            f"| {what} | {million:.2f} s + {more:.2f} s | {hours:,.0f} core hours | {hours / CLUSTER:.1f} h | {disk} "
            f"| {hours * PRICE:,.0f} $ |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--size", type=int, help="the bytes of a range; by default a sixteenth of all files")
    arguments = parser.parse_args()
    # Otherwise the cluster would outlive a benchmark that is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    paths = [os.path.abspath(path) for path in arguments.paths]
    size = arguments.size or max(1, sum(os.path.getsize(path) for path in paths) // 16)
    times: Times = {}
    peak = 0
    with tempfile.TemporaryDirectory() as folder:
        job = Job(paths, size, Path(folder))
        parts = pgn2fen.ranges(paths, size)
        scan = pgn2fen.scan(paths, "ply", messages="ignore")
        positions = sum(len(batch) for batch in scan)
        for cores in CORES:
            # The tasks take turns, so that a change of the machine's speed meets all of them.
            with session(cores) as spark:
                dropped(spark, job)
                for _ in range(arguments.rounds):
                    measure(times, job, cores, spark)
                    peak = max(peak, peak_of_workers())
    text = sum(os.path.getsize(path) for path in paths)
    print(
        f"\n{scan.report.games:,} games, {positions:,} positions, {text / 1e6:.0f} MB of files in {len(parts)} ranges\n"
    )
    print(*table(times, positions), "", *costs(times, positions), "", *year(times, positions), sep="\n")
    print(f"\nlargest Python process of an executor: {peak / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
