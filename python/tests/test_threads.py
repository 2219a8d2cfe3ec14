"""Objects that many threads use at the same time, as they do in free-threaded Python. These tests need no other package than pytest."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import pgn2fen

THREADS = 8


def at_once(function):
    """Calls the function on many threads, which begin at the same moment. Returns the results."""
    barrier = threading.Barrier(THREADS)

    def call():
        barrier.wait()
        return function()

    with ThreadPoolExecutor(THREADS) as pool:
        calls = [pool.submit(call) for _ in range(THREADS)]
        return [call.result() for call in calls]


def check(function):
    """Checks that a function gives the same on many threads as on one."""
    expected = function()
    assert all(result == expected for result in at_once(function))


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python always has the lock")
def test_the_lock_stays_off(fixtures):
    program = "import pgn2fen, sys; list(pgn2fen.scan(sys.argv[1], 'fen').rows()); print(sys._is_gil_enabled())"
    # Python warns of a module that turns the lock on.
    command = [sys.executable, "-W", "error", "-c", program, fixtures / "games" / "lichess_2012.pgn"]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "False\n"


def test_the_package_is_first_used_by_many_threads(fixtures):
    # Names of the package are imported when they are first used.
    program = """
import sys, threading
import pgn2fen
names = [name for name in pgn2fen.__all__] * 4
barrier, found = threading.Barrier(len(names)), []
def use(name):
    barrier.wait()
    found.append(getattr(pgn2fen, name))
threads = [threading.Thread(target=use, args=(name,)) for name in names]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(found) == len(names))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=fixtures, check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_ranges_are_first_used_while_another_thread_loads_typing():
    # The thread of the program that loads typing waits in the middle of it.
    program = """
import sys, threading, time
from importlib.machinery import PathFinder, SourceFileLoader
import pgn2fen
begun = threading.Event()
class Slow(SourceFileLoader):
    def exec_module(self, module):
        begun.set()
        time.sleep(0.5)
        super().exec_module(module)
class Finder:
    def find_spec(name, path=None, target=None):
        if name == "typing":
            spec = PathFinder.find_spec(name)
            spec.loader = Slow(name, spec.origin)
            return spec
sys.modules.pop("typing", None)
sys.meta_path.insert(0, Finder)
thread = threading.Thread(target=lambda: __import__("typing"))
thread.start()
begun.wait()
print(pgn2fen.Before(games=1).games)
thread.join()
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_a_scan(fixtures, tmp_path):
    scan = pgn2fen.scan(fixtures / "games" / "lichess_2012.pgn", "White,ply,san,fen,eval", threads=2)
    check(lambda: list(scan.rows()))

    def write():
        path = tmp_path / f"{threading.get_ident()}.csv"
        return scan.write(path).summary, path.read_bytes()

    check(write)


def test_columns_of_one_batch(fixtures):
    for batch in pgn2fen.scan(fixtures / "games" / "lichess_2012.pgn", "White,ply,san,fen"):
        check(lambda batch=batch: [batch.to_list(column) for column in range(len(batch.columns))])


def test_games_whose_moves_are_first_asked_for_by_many_threads(fixtures):
    path = fixtures / "games" / "evaluations_on_every_move.pgn"

    def read(games):
        moves = [[(move.san, move.uci, move.eval, move.comment) for move in game.moves] for game in games]
        return moves, [(game.tags, game.result, game.moves.fens) for game in games]

    expected = read(list(pgn2fen.games(path)))
    for _ in range(5):
        games = list(pgn2fen.games(path))
        assert all(result == expected for result in at_once(lambda games=games: read(games)))


def test_one_iterator_gives_each_game_once(fixtures):
    path = fixtures / "games" / "lichess_2012.pgn"
    expected = [game.number for game in pgn2fen.games(path)] * 20
    games = pgn2fen.games([path] * 20)
    # Each thread waits for its turn, as Python wants it of generators.
    iterator, turn, numbers = iter(games), threading.Lock(), []

    def take():
        while True:
            with turn:
                game = next(iterator, None)
            if game is None:
                return
            numbers.append((game.moves.end.key, game.number))

    at_once(take)
    assert len(numbers) == len(expected)
    assert sorted(number for _, number in numbers) == sorted(expected)


def test_positions():
    position = pgn2fen.Position("1. e4 c5 2. Nf3 d6 3. d4 cxd4")

    def play():
        after = [position.play(move) for move in position.legal_moves]
        return [(one, one.fen(), one.key, hash(one), one.opening, pgn2fen.board_svg(one)) for one in after]

    check(play)


def test_an_index(fixtures, tmp_path):
    folder = tmp_path / "games.idx"
    pgn2fen.index([fixtures / "games" / name for name in ("lichess_2012.pgn", "opening_book.pgn")], folder)
    index = pgn2fen.Index(folder)

    def ask():
        found = index.find("1. e4 c5"), index.explore(["startpos", "1. e4"]), index.count("1. d4")
        return [list(table.rows()) for table in found], list(index.games("1. e4 c5"))

    check(ask)


def test_an_index_is_built_by_one_of_many_threads(fixtures, tmp_path):
    folder = tmp_path / "games.idx"

    def build():
        try:
            return pgn2fen.index(fixtures / "games" / "lichess_2012.pgn", folder).games
        except (OSError, ValueError, RuntimeError) as error:
            return type(error).__name__

    at_once(build)
    assert len(pgn2fen.Index(folder)) == 32


def test_a_file_object_is_read_by_one_thread_at_a_time(fixtures):
    with open(fixtures / "games" / "tournaments_2020.pgn", "rb") as file:
        scan = pgn2fen.scan(file, "fen", messages="ignore")
        expected = scan.to_list()

        def read():
            try:
                return scan.to_list()
            except ValueError as error:
                assert "another run" in str(error)
                return None

        results = [result for result in at_once(read) if result is not None]
        assert results
        assert all(result == expected for result in results)
