"""Runs: threads, interrupts, memory, progress, and the command."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import duckdb
import pytest

import pgn2fen
from pgn2fen import _pgn2fen

ROOT = Path(__file__).parents[2]


def python(code: str, *arguments: object, **options) -> subprocess.CompletedProcess:
    program = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    # Not in the folder of the package, whose source would hide the installed package.
    return subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False, **options)


def test_two_scans_are_read_at_once(fixtures):
    first = pgn2fen.scan(fixtures / "games" / "lichess_2012.pgn", "fen")
    second = pgn2fen.scan(fixtures / "games" / "tournaments_2020.pgn", "fen", messages="ignore")
    alone = first.to_list(), second.to_list()
    together = [], []
    for pair in zip(first, second, strict=False):
        for rows, batch in zip(together, pair):
            rows.extend(batch.to_list(0))
    assert all(mine[: len(rows)] == rows for mine, rows in zip(alone, together))


def test_a_scan_is_read_by_several_threads_at_once(fixtures):
    scan = pgn2fen.scan(fixtures / "games" / "lichess_2012.pgn", "fen")
    expected, results = scan.to_list(), []
    threads = [threading.Thread(target=lambda: results.append(scan.to_list())) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 6


def count(scan):
    return len(scan.to_list("fen"))


def test_scans_are_sent_to_other_processes(fixtures):
    path = str(fixtures / "games" / "lichess_2012.pgn")
    size = os.path.getsize(path)
    parts = [pgn2fen.scan(path, "fen", range=(size * part // 4, size * (part + 1) // 4)) for part in range(4)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert sum(pool.map(count, parts)) == count(pgn2fen.scan(path, "fen"))


def test_other_threads_run_while_games_are_read(big):
    ticks = []
    over = threading.Event()

    def tick():
        while not over.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    for batch in pgn2fen.scan(big, "ply", sample=0.0001):
        pass
    over.set()
    thread.join()
    assert len(ticks) > 10


def test_a_scan_that_is_broken_off_stops_its_threads(big):
    def threads():
        return len(os.listdir("/proc/self/task"))

    if not os.path.exists("/proc/self/task"):
        pytest.skip("needs /proc")
    # The first stream starts a thread that waits for interrupts, and goes on.
    pgn2fen.scan(big).__arrow_c_schema__()
    before = threads()
    for _ in range(5):
        batches = iter(pgn2fen.scan(big, "fen", threads=4))
        next(batches)
        assert threads() > before
        batches.close()
        stream = pgn2fen.scan(big, "fen", threads=4).__arrow_c_stream__()
        del stream
    # The threads of a pool end by themselves soon after the pool.
    deadline = time.monotonic() + 10
    while threads() > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert threads() <= before


INTERRUPTED = """
    import sys, threading, time, signal, os
    import pgn2fen
    scan = pgn2fen.scan(sys.argv[1:2] * 200, "fen", **eval(sys.argv[3]))
    print("ready", flush=True)
    begun = time.monotonic()
    try:
        exec(sys.argv[2])
        print("finished")
    except KeyboardInterrupt:
        print("interrupted", time.monotonic() - begun)
"""


@pytest.mark.parametrize("options", ["{}", "{'tags': 'White=Nobody'}"])
@pytest.mark.parametrize(
    "read",
    [
        "for batch in scan: pass",
        "scan.write(sys.argv[4])",
        "import pyarrow; [None for _ in pyarrow.RecordBatchReader.from_stream(scan)]",
        "import polars; polars.DataFrame(scan)",
        "scan.lazy().select('fen').filter(__import__('polars').col('fen') == 'x').collect()",
        "import duckdb; duckdb.sql('select count(*) from scan').fetchall()",
    ],
    ids=["iterate", "write", "pyarrow", "polars", "lazy", "duckdb"],
)
def test_an_interrupt_ends_a_run(read, options, big, tmp_path):
    out = tmp_path / "out.csv"
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(INTERRUPTED), str(big), read, options, str(out)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.5)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=60)
    took = time.monotonic() - sent
    assert "finished" not in said
    assert "interrupted" in said or "KeyboardInterrupt" in errors or "nterrupt" in errors, (said, errors)
    assert took < 15
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("text", ["", "1. e4 e5 *\n" * 200_000], ids=["nothing", "games"])
@pytest.mark.parametrize(
    "read",
    [
        "pgn2fen.scan(file, 'fen').to_list()",
        "[None for _ in pgn2fen.games(file)]",
        "pgn2fen.scan(file, 'fen').write(sys.argv[2])",
        "pgn2fen.index(file, sys.argv[2])",
        "pgn2fen.starts(file).to_list('fen')",
    ],
)
def test_an_interrupt_ends_the_wait_for_a_file_object(read, text, tmp_path):
    code = """
        import io, os, signal, sys, threading, time
        import pgn2fen
        signal.signal(signal.SIGINT, signal.default_int_handler)
        class Stalled(io.RawIOBase):
            text = sys.stdin.read().encode()
            def read(self, size=-1):
                piece, self.text = self.text[:size], self.text[size:]
                if not piece:
                    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
                    time.sleep(3600)
                return piece
        file = Stalled()
        try:
            exec(sys.argv[1])
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """
    done = python(code, read, tmp_path / "out.csv", input=text, timeout=30)
    assert (done.stdout, done.stderr) == ("interrupted\n", "")


def test_a_file_that_is_unfinished_at_the_end_of_the_program_is_removed(big, tmp_path):
    code = """
        import sys, threading, time
        import pgn2fen
        run = lambda: pgn2fen.scan(sys.argv[1:2] * 500, "fen", messages="ignore").write(sys.argv[2])
        threading.Thread(target=run, daemon=True).start()
        time.sleep(1)
    """
    done = python(code, big, tmp_path / "out.csv", timeout=60)
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (0, "", [])


def test_an_interrupt_is_not_an_error_of_polars(big):
    code = """
        import os, signal, sys, threading
        import pgn2fen
        signal.signal(signal.SIGINT, signal.default_int_handler)
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            pgn2fen.scan(sys.argv[1:2] * 200, "fen", messages="ignore").to_polars()
        except Exception as error:
            print("an error", error)
        except KeyboardInterrupt:
            print("interrupted")
    """
    done = python(code, big, timeout=60)
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr


def test_memory_is_bounded(big):
    code = """
        import resource, sys, pgn2fen
        def peak():
            with open("/proc/self/status") as status:
                return next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))
        rows = 0
        most = 0
        for batch in pgn2fen.scan(sys.argv[1:2] * int(sys.argv[2]), ["game", "ply", "san", "fen"]):
            rows += len(batch)
            most = max(most, peak())
        print(rows, most)
    """
    if not os.path.exists("/proc/self/status"):
        pytest.skip("needs /proc")
    times = 8 if "PGN2FEN_SWEEP" in os.environ else 4
    small, large = (python(code, big, count) for count in (1, times))
    assert small.stdout and large.stdout, small.stderr + large.stderr
    (few, little), (many, much) = (map(int, done.stdout.split()) for done in (small, large))
    assert many == times * few
    assert much < little + 20_000, f"kB of memory for 50 MB and for {50 * times} MB of games"


def test_progress_is_told_to_a_function(big):
    calls = []
    scan = pgn2fen.scan([big] * 8, "ply", progress=lambda *counts: calls.append(counts))
    for _ in scan:
        pass
    assert len(calls) >= 2
    size = 8 * os.path.getsize(big)
    # The last call has the totals.
    assert calls[-1] == (size, size, scan.report.games, scan.report.positions)
    assert all(0 <= read <= size and total == size for read, total, _, _ in calls)
    assert [call[0] for call in calls] == sorted(call[0] for call in calls)


def test_an_exception_in_the_function_for_progress_ends_the_run(big):
    def cry(*counts):
        raise ZeroDivisionError("enough")

    for read in (lambda scan: list(scan), lambda scan: scan.write(os.devnull, "csv")):
        with pytest.raises(ZeroDivisionError, match="enough"):
            read(pgn2fen.scan([big] * 20, "ply", progress=cry))


@pytest.mark.parametrize("has_tqdm", [True, False])
def test_progress_is_shown_on_demand_and_not_in_scripts(has_tqdm, big):
    code = """
        import sys, pgn2fen
        if sys.argv[2] == "False":
            sys.modules["tqdm"] = sys.modules["tqdm.auto"] = None
        for batch in pgn2fen.scan(sys.argv[1:2] * 6, "ply", progress=eval(sys.argv[3])): pass
    """
    shown = python(code, big, has_tqdm, True)
    assert shown.returncode == 0 and "games" in shown.stderr and "%" in shown.stderr
    silent = python(code, big, has_tqdm, None)
    assert silent.returncode == 0 and silent.stderr == ""


def test_a_script_that_ends_early_ends_cleanly(big):
    code = """
        import sys, pgn2fen, duckdb
        scan = pgn2fen.scan(sys.argv[1], "fen")
        batches = iter(scan)
        next(batches)
        relation = duckdb.sql("select fen from scan limit 3").fetchall()
        stream = scan.__arrow_c_stream__()
        print("done")
    """
    done = python(code, big, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


def test_a_text_file_may_be_read_behind_lines_of_a_loop(fixtures):
    text = fixtures.joinpath("games/tournaments_2020.pgn").read_text()
    file = fixtures.joinpath("games/tournaments_2020.pgn").open()
    first = next(file)
    rows = pgn2fen.scan(file, "fen").to_list()
    assert rows == pgn2fen.scan(io.StringIO(text[len(first) :]), "fen").to_list()


def test_a_file_object_is_read_by_one_run_at_a_time(fixtures):
    file = io.BytesIO((fixtures / "games" / "lichess_2012.pgn").read_bytes() * 50)
    scan = pgn2fen.scan(file, "fen", batch_rows=10)
    batches = iter(scan)
    next(batches)
    with pytest.raises(ValueError, match="another run reads this file object"):
        list(scan)
    batches.close()
    assert len(scan.to_list()) > 1000


def test_a_pipe_is_read_once(fixtures):
    reader, writer = os.pipe()
    os.write(writer, b"1. e4 e5 *\n")
    os.close(writer)
    with open(reader, "rb") as file:
        scan = pgn2fen.scan(file, "san")
        assert scan.to_list() == [None, "e4", "e5"]
        with pytest.raises(ValueError, match="has been read and cannot go back"):
            scan.to_list()


def broken(error):
    """Returns a file object that cannot be read."""

    class Broken:
        name = "broken"

        def read(self, size):
            raise error

    return Broken()


def test_an_error_of_a_file_object_is_the_cause_of_an_os_error(tmp_path):
    cut = RuntimeError("the wire is cut")
    for run in [
        lambda: pgn2fen.scan(broken(cut), "fen").to_list(),
        lambda: pgn2fen.scan(broken(cut)).write(tmp_path / "out.csv"),
        lambda: list(pgn2fen.games(broken(cut))),
        lambda: pgn2fen.games(broken(cut)).write(tmp_path / "out.pgn"),
        lambda: pgn2fen.tree(broken(cut)),
    ]:
        with pytest.raises(OSError, match="broken: RuntimeError: the wire is cut") as raised:
            run()
        assert raised.value.__cause__ is cut


@pytest.mark.parametrize("end", [KeyboardInterrupt(), SystemExit(3)])
def test_what_ends_a_program_in_a_file_object_ends_it(end):
    with pytest.raises(type(end)) as raised:
        pgn2fen.scan(broken(end), "fen").to_list()
    assert raised.value is end


def panic(*arguments):
    """Panics in the extension module, as a fault of the package would."""
    _pgn2fen._panic("a fault")


class Panicking:
    """A file object whose first piece is read and whose second one panics, on a thread that reads ahead."""

    name = "panicking"

    def __init__(self):
        self.pieces = 0

    def read(self, size):
        self.pieces += 1
        return b"1. e4 e5 *\n" * 1000 if self.pieces == 1 else panic()


@pytest.mark.skipif(not hasattr(_pgn2fen, "_panic"), reason="only a build for tests can panic on demand")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_panic_is_a_runtime_error(threads, tmp_path, big):
    with pytest.raises(RuntimeError, match="a fault"):
        panic()
    options = {"threads": threads, "messages": "ignore"}
    for read in (
        lambda: panic(),
        lambda: pgn2fen.scan(Panicking(), "fen", **options).to_list(),
        lambda: list(pgn2fen.scan(Panicking(), "fen", **options)),
        lambda: pgn2fen.scan(Panicking(), "fen", **options).write(tmp_path / "rows.csv"),
        lambda: pgn2fen.scan(Panicking(), "fen", **options).to_arrow(),
        lambda: pgn2fen.scan(Panicking(), "fen", **options).to_polars(),
        lambda: pgn2fen.scan(Panicking(), "fen", **options).lazy().collect(),
        lambda: list(pgn2fen.games(Panicking(), **options)),
        lambda: pgn2fen.starts(Panicking(), **options).to_list(),
        lambda: list(pgn2fen.scan([big] * 20, "ply", progress=panic, **options)),
    ):
        # `Exception` is what programs catch. Other packages have exceptions of their own.
        with pytest.raises(Exception):  # noqa: B017
            read()
    assert issubclass(RuntimeError, Exception) and not (tmp_path / "rows.csv").exists()
    scan = pgn2fen.scan(io.BytesIO(b"1. e4 *"), "san")
    assert scan.to_list() == [None, "e4"]


def test_other_packages_read_a_file_object(fixtures):
    scan = pgn2fen.scan(io.BytesIO((fixtures / "games" / "lichess_2012.pgn").read_bytes()), "fen,ply")
    rows = len(scan.to_list("fen"))
    assert scan.to_polars().height == rows and scan.lazy().collect().height == rows
    assert duckdb.sql("select count(*) from scan").fetchall() == [(rows,)]
    assert scan.to_arrow().num_rows == rows


def test_the_command_is_on_the_path(fixtures, command, tmp_path):
    games = fixtures / "games" / "lichess_2012.pgn"
    assert command("--version").decode().split()[:2] == ["pgn2fen", pgn2fen.__version__]
    assert command(games).decode().splitlines() == pgn2fen.scan(games, "fen").to_list()
    assert command("starts", "-q", fixtures / "starts" / "mixed.pgn")
    command("none.pgn", statuses=(2,))
    command("--none", statuses=(2,))
    command("check", fixtures / "games" / "illegal_move_late.pgn", statuses=(1,))


def test_the_command_starts_without_the_rest_of_the_package():
    done = python("import sys, pgn2fen._command; print([name for name in sys.modules if 'pgn2fen' in name])")
    assert done.stdout.strip() == "['pgn2fen', 'pgn2fen._pgn2fen', 'pgn2fen._command']", done.stderr
    names = python(
        "import pgn2fen; print(set(pgn2fen.__all__) == set(dir(pgn2fen)) == {n for n in dir(pgn2fen) if hasattr(pgn2fen, n)})"
    )
    assert names.stdout == "True\n", names.stderr
    assert "has no attribute 'scam'" in python("import pgn2fen; pgn2fen.scam").stderr


def test_no_other_package_is_needed(fixtures):
    code = """
        import sys
        class Refuse:
            def find_spec(self, name, path=None, target=None):
                if name.split(".")[0] in ("numpy", "pandas", "polars", "pyarrow", "duckdb", "tqdm", "IPython"):
                    raise ImportError(name)
        sys.meta_path.insert(0, Refuse())
        import pgn2fen
        scan = pgn2fen.scan(sys.argv[1], ["san", "fen"])
        print(len(list(scan.rows())), len(scan.to_list("fen")))
    """
    done = python(code, fixtures / "games" / "lichess_2012.pgn")
    assert done.returncode == 0, done.stderr


SLOW = """
    import io, sys, time
    import pgn2fen

    class Slow(io.RawIOBase):
        def __init__(self, path):
            self.file = open(path, "rb")

        def read(self, size=-1):
            time.sleep(0.01)
            return self.file.read(60_000)
"""


def test_a_stream_of_a_file_object_may_be_dropped_at_any_time(big):
    # The thread that reads the file object needs the global interpreter lock, which the thread that drops the stream holds.
    code = (
        SLOW
        + """
    scan = pgn2fen.scan(Slow(sys.argv[1]), "fen")
    stream = scan.__arrow_c_stream__()
    time.sleep(0.1)
    del stream
    print("ended")
    """
    )
    assert python(code, big, timeout=60).stdout == "ended\n"


def test_an_exception_in_the_function_for_progress_ends_a_run_of_a_file_object(big):
    code = (
        SLOW
        + """
    def progress(*counts):
        raise RuntimeError("enough")

    try:
        for batch in pgn2fen.scan(Slow(sys.argv[1]), "fen", batch_rows=10, progress=progress):
            pass
    except RuntimeError as error:
        print(error)
    """
    )
    assert python(code, big, timeout=60).stdout == "enough\n"


def test_a_file_object_can_be_read_again_when_a_run_was_broken_off(big):
    with open(big, "rb") as file:
        scan = pgn2fen.scan(file, "ply")  # noqa: F841, DuckDB finds it by its name
        for _ in range(3):
            assert duckdb.sql("select ply from scan limit 3").fetchall() == [(0,), (1,), (2,)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked")
def test_an_interrupt_of_a_forked_process_leaves_the_runs_of_its_parent_alone(big):
    code = """
    import os, signal, sys, time
    import pgn2fen, pyarrow

    reader = pyarrow.RecordBatchReader.from_stream(pgn2fen.scan(sys.argv[1], "ply", max_games=2000))
    child = os.fork()
    if child == 0:
        try:
            count = len(pgn2fen.scan(sys.argv[1], "ply", max_games=10).to_list())
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        except KeyboardInterrupt:
            os._exit(7 if count > 10 else 8)
        os._exit(9)
    _, status = os.waitpid(child, 0)
    time.sleep(0.2)
    print(os.waitstatus_to_exitcode(status), reader.read_all().num_rows > 2000)
    """
    done = python(code, big, timeout=60)
    assert done.stdout == "7 True\n", done.stderr
