"""The end of the interpreter while file objects are read, and processes that are forked during a run."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

# Objects whose `read` takes its time. Each gives games for ever, unless it says otherwise.
OBJECTS = """
import collections, io, os, socket, sys, threading, time
import pgn2fen

GAMES = b'[White "A"]\\n\\n1. e4 e5 *\\n\\n[SetUp "1"]\\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\\n\\n1. e4 *\\n\\n' * 200

class Slow:
    "Sleeps in each call."
    pause = 0.05
    def read(self, size=-1):
        time.sleep(self.pause)
        return GAMES

class Quick(Slow):
    "Gives the lock away in each call, for no time."
    pause = 0

class Lazy(Slow):
    "Takes much longer than the program."
    pause = 30
    def __init__(self):
        self.is_first = True
    def read(self, size=-1):
        if self.is_first:
            self.is_first = False
            return GAMES * 20
        return super().read(size)

class Stuck(Lazy):
    "Waits for ever in the second call."
    def read(self, size=-1):
        if self.is_first:
            return super().read(size)
        threading.Event().wait()

class Small(Slow):
    "Gives few bytes, as text, after a little computing in Python."
    def __init__(self):
        self.place = 0
    def read(self, size=-1):
        self.place = (self.place + sum(range(100))) % 7
        return GAMES[:len(GAMES) // 200].decode()

class Busy(Slow):
    "Computes in Python most of the time."
    def read(self, size=-1):
        begun = time.monotonic()
        while time.monotonic() - begun < 0.01:
            pass
        return bytearray(GAMES)

class Raw(io.RawIOBase):
    "A file as Python has them, with a buffer around it."
    def readable(self):
        return True
    def readinto(self, buffer):
        time.sleep(0.01)
        buffer[:len(GAMES)] = GAMES[:len(buffer)]
        return min(len(GAMES), len(buffer))

def Buffered():
    return io.BufferedReader(Raw())

def Socket():
    "A connection over which nothing comes any more."
    ours, theirs = Socket.kept = socket.socketpair()
    threading.Thread(target=ours.sendall, args=(GAMES * 20,), daemon=True).start()
    return theirs.makefile("rb", buffering=0)

def Pipe():
    "A pipe through which nothing comes, behind a buffer with a lock."
    ours, theirs = os.pipe()
    return os.fdopen(ours, "rb")

class Failing(Lazy):
    "Raises an exception while nobody waits for it."
    def read(self, size=-1):
        if self.is_first:
            return super().read(size)
        time.sleep(0.05)
        raise RuntimeError("the wire is cut")
"""

KINDS = ["Slow", "Quick", "Lazy", "Stuck", "Small", "Busy", "Buffered", "Socket", "Pipe", "Failing"]

# What a program has begun when it ends. `thread` runs something that blocks on a thread that nobody waits for.
JOBS = {
    "batches": "kept = iter(pgn2fen.scan(source, 'fen', batch_rows=100)); next(kept)",
    "rows": "kept = pgn2fen.scan(source, 'fen', batch_rows=100).rows(); next(kept)",
    "games": "kept = iter(pgn2fen.games(source)); next(kept)",
    "starts on a thread": "thread(lambda: pgn2fen.starts(source).to_list())",
    "whole games": "kept = iter(pgn2fen.scan(source, per='game', batch_rows=100)); next(kept)",
    "progress": "kept = iter(pgn2fen.scan(source, 'fen', progress=lambda *counts: time.sleep(0.001), batch_rows=100)); next(kept)",
    "a stream": "kept = pgn2fen.scan(source, 'fen', batch_rows=100).__arrow_c_stream__()",
    "a loop on a thread": "thread(lambda: collections.deque(pgn2fen.scan(source, 'fen', batch_rows=10), 0))",
    "games on a thread": "thread(lambda: collections.deque(pgn2fen.games(source, progress=lambda *counts: None), 0))",
    "a list on a thread": "thread(lambda: pgn2fen.scan(source, 'fen').to_list())",
    "writing": "thread(lambda: pgn2fen.scan(source, 'fen').write(folder + '/out.csv'))",
    "writing games": "thread(lambda: pgn2fen.games(source).write(folder + '/out.pgn'))",
    "an index": "thread(lambda: pgn2fen.index(source, folder + '/games.idx'))",
    "a run that was left": "kept = iter(pgn2fen.scan(source, 'fen', batch_rows=100)); next(kept); thread(kept.close)",
}

THREAD = """
def thread(work):
    def run():
        try:
            work()
        except (OSError, ValueError):
            # Either the wire is cut, or Python ends.
            pass
    threading.Thread(target=run, daemon=True).start()
"""


def run(program: str, *arguments: object, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(program), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout)


# Every kind in some jobs, and every job with some kinds.
PAIRS = sorted(
    {(kind, job) for kind in KINDS for job in ("batches", "a loop on a thread") if (kind, job) != ("Pipe", "batches")}
    | {(kind, job) for kind in ("Slow", "Stuck") for job in JOBS}
)


@pytest.mark.parametrize(("kind", "job"), PAIRS)
def test_the_interpreter_ends_cleanly_whatever_is_read(kind: str, job: str, tmp_path) -> None:
    program = f"{OBJECTS}{THREAD}\nfolder, pause = sys.argv[1], float(sys.argv[2])\nsource = {kind}()\n{JOBS[job]}\ntime.sleep(pause)"
    for pause in (0, 0.15):
        done = run(program, tmp_path, pause)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), (done.returncode, done.stderr)


@pytest.mark.parametrize(
    "end", ["sys.exit(3)", "raise SystemExit(3)", "kept = None; sys.exit(3)", "del kept; sys.exit(3)"]
)
def test_the_exit_status_is_that_of_the_program(end: str, tmp_path) -> None:
    program = f"{OBJECTS}\nsource = Slow()\n{JOBS['batches']}\n{end}"
    done = run(program)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "")


def test_a_program_may_end_while_its_standard_input_is_read() -> None:
    program = f"{OBJECTS}{THREAD}\nsource = sys.stdin.buffer\n{JOBS['games on a thread']}\ntime.sleep(0.3)"
    command = [sys.executable, "-X", "faulthandler", "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        # Its standard input stays open.
        assert (process.wait(60), process.stderr and process.stderr.read()) == (0, "")


def test_a_program_may_read_at_its_end(tmp_path) -> None:
    # This function is called before the one that ends the runs, because it was registered later.
    program = """
        import atexit, io
        import pgn2fen, pgn2fen._inputs
        atexit.register(lambda: print(pgn2fen.scan(io.BytesIO(b"1. e4 e5 *"), "san").to_list()))
    """
    done = run(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[None, 'e4', 'e5']\n", "")


def test_file_objects_may_give_bytes_of_any_kind() -> None:
    program = f"""{OBJECTS}
import array

class Once:
    def __init__(self, piece):
        self.pieces = [piece, b""]
    def read(self, size=-1):
        return self.pieces.pop(0)

text = b"1. e4 e5 *"
for piece in (text, text.decode(), bytearray(text), memoryview(text), memoryview(text + text)[::1][:10], array.array("B", text)):
    assert pgn2fen.scan(Once(piece), "san").to_list() == [None, "e4", "e5"], piece
for piece in (None, 5, [49, 46], object(), "\\udc80"):
    try:
        pgn2fen.scan(Once(piece), "san").to_list()
    except OSError as error:
        print(type(piece).__name__, error)
"""
    done = run(program)
    assert done.returncode == 0, done.stderr
    kinds = [line.split()[0] for line in done.stdout.splitlines()]
    assert kinds == ["NoneType", "int", "list", "object", "str"]
    assert "Once has no bytes yet; give a file object that waits for them" in done.stdout
    assert "the method read of Once must return bytes, not list" in done.stdout


def test_pieces_of_any_size_are_read_in_order() -> None:
    program = f"""{OBJECTS}
import random
text = b"".join(b'[Round "%d"]\\n\\n1. e4 e5 *\\n\\n' % number for number in range(60_000))

class Pieces:
    def __init__(self, most):
        self.file, self.most, self.random = io.BytesIO(text), most, random.Random(most)
    def read(self, size=-1):
        return self.file.read(self.random.randint(1, self.most))

for most in (2_000, 100_000, 5_000_000):
    rounds = pgn2fen.scan(Pieces(most), "Round,ply", plies=0).to_list("Round")
    assert [str(found) for found in rounds] == [str(number) for number in range(60_000)], most
"""
    done = run(program)
    assert (done.returncode, done.stderr) == (0, "")


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked")

ITERATORS = {
    "batches": "iter(pgn2fen.scan(source, 'fen', batch_rows=10))",
    "rows": "pgn2fen.scan(source, 'fen', batch_rows=10).rows()",
    "games": "iter(pgn2fen.games(source))",
    "starts": "iter(pgn2fen.starts(source))",
    "whole games": "iter(pgn2fen.scan(source, per='game', batch_rows=10))",
}

FORK = """
import os, sys
import pgn2fen

path, is_object = sys.argv[1], sys.argv[2] == "object"
source = open(path, "rb") if is_object else path
kept = ITERATOR
first = next(kept)
child = os.fork()
if child == 0:
    try:
        for _ in kept: pass
        print("no error")
    except RuntimeError as error:
        print(type(error).__name__, error)
    # What is begun in the child works.
    print(len(pgn2fen.scan(path, "fen", max_games=3).to_list("fen")) > 3)
    sys.stdout.flush()
else:
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    rest = sum(1 for _ in kept)
    print("parent", status, rest > 0)
"""


@needs_fork
@pytest.mark.parametrize("source", ["path", "object"])
@pytest.mark.parametrize("iterator", ITERATORS)
def test_a_forked_process_does_not_go_on_with_an_iterator(iterator: str, source: str, fixtures, tmp_path) -> None:
    path = tmp_path / "games.pgn"
    names = ["games/lichess_2012.pgn", "starts/mixed.pgn"]
    path.write_bytes(b"\n\n".join((fixtures / name).read_bytes() for name in names) * 10)
    done = run(FORK.replace("ITERATOR", ITERATORS[iterator]), path, source)
    assert (done.returncode, done.stderr.replace("\n", "")) == (0, "") or "GameWarning" in done.stderr, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("RuntimeError this iterator was begun before the process was forked"), lines
    # The starting positions of a small file are one batch.
    assert lines[1:] == ["True", f"parent 0 {iterator != 'starts'}"]


@needs_fork
def test_what_is_not_an_iterator_is_used_in_forked_processes(fixtures, tmp_path) -> None:
    program = """
        import multiprocessing, sys
        import pgn2fen

        path, folder = sys.argv[1:]
        scan, games = pgn2fen.scan(path, "fen"), pgn2fen.games(path)
        summary = pgn2fen.index(path, folder + "/games.idx", messages="ignore")
        index = pgn2fen.Index(folder + "/games.idx")
        expected = len(scan.to_list("fen")), sum(1 for _ in games), index.explore("e4").to_list("games")
        running = iter(scan)
        next(running)

        def ask(number):
            return len(scan.to_list("fen")), sum(1 for _ in games), index.explore("e4").to_list("games")

        with multiprocessing.get_context("fork").Pool(3) as pool:
            print(pool.map(ask, range(6)) == [expected] * 6)
    """
    done = run(program, fixtures / "games/lichess_2012.pgn", tmp_path)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
