"""Measures the package against the command, python-chess and rust-pgn-reader-python-binding.

    python benches/speed.py GAMES.pgn [--threads 2] [--runs 3]

Each task runs in a process of its own. The times are those of the process and its threads: CPU time, and wall-clock time without the
start of the interpreter and the imports. The best of the runs counts. Packages that are not installed are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

COLUMNS = "game,ply,san,fen"

PART = 2_000
"""The number of games that python-chess reads."""


def usage() -> float:
    """Returns the CPU time of this process and of the processes that it has waited for, in seconds."""
    times = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(time.ru_utime + time.ru_stime for time in times)


def batches(path: str, threads: int) -> int:
    import pgn2fen

    return sum(len(batch) for batch in pgn2fen.scan(path, COLUMNS, threads=threads, messages="ignore"))


def arrow(path: str, threads: int) -> int:
    import pyarrow

    import pgn2fen

    scan = pgn2fen.scan(path, COLUMNS, threads=threads, messages="ignore")
    return sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(scan))


def fens(path: str, threads: int) -> int:
    import pgn2fen

    return len(pgn2fen.scan(path, "fen", threads=threads, messages="ignore").to_list())


def polars(path: str, threads: int) -> int:
    import pgn2fen

    return pgn2fen.scan(path, COLUMNS, threads=threads, messages="ignore").to_polars().height


def parquet(path: str, threads: int) -> int:
    import pgn2fen

    with tempfile.TemporaryDirectory() as folder:
        scan = pgn2fen.scan(path, COLUMNS, threads=threads, messages="ignore")
        return scan.write(f"{folder}/rows.parquet").positions


def games(path: str, threads: int) -> int:
    import pgn2fen

    positions = 0
    for game in pgn2fen.games(path, threads=threads, messages="ignore"):
        positions += 1
        for move in game.moves:
            _ = move.san, move.fen
            positions += 1
    return positions


def tags(path: str, threads: int) -> int:
    import pgn2fen

    return sum("White" in game for game in pgn2fen.games(path, threads=threads, messages="ignore"))


def command(*options: str) -> Callable[[str, int], int]:
    """Runs the program that the environment variable PGN2FEN names. It is the command without an interpreter around it."""

    def run(path: str, threads: int) -> int:
        with tempfile.TemporaryDirectory() as folder, open(os.devnull, "wb") as null:
            arguments = [option.replace("FOLDER", folder) for option in options]
            subprocess.run(
                [os.environ["PGN2FEN"], "-q", "--exit-zero", f"-j{threads}", *arguments, path], stdout=null, check=True
            )
        return 0

    return run


def python_chess(path: str, threads: int) -> int:
    import chess.pgn

    fens = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for _ in range(PART):
            game = chess.pgn.read_game(file)
            if game is None:
                break
            board = game.board()
            fens.append(board.fen())
            for move in game.mainline_moves():
                board.push(move)
                fens.append(board.fen())
    return len(fens)


def binding(path: str, threads: int) -> int:
    """Reads the games as text first, since the package takes a column of games; that time counts, as it does for the other tasks."""
    import pyarrow
    import rust_pgn_reader_python_binding as reader

    text = Path(path).read_text(encoding="utf-8", errors="replace")
    parts = text.replace("\r\n", "\n").split("\n\n[Event ")
    whole = [parts[0], *("[Event " + part for part in parts[1:])]
    parsed = reader.parse_games(
        pyarrow.chunked_array([pyarrow.array(whole)]), num_threads=threads, store_legal_moves=False
    )
    return parsed.num_positions


TASKS: dict[str, tuple[Callable[[str, int], int], str | None]] = {
    "command, Arrow stream": (command("-f", "arrow", "-C", COLUMNS), None),
    "record batches": (batches, None),
    "record batches in pyarrow": (arrow, "pyarrow"),
    "Polars frame": (polars, "polars"),
    "command, Parquet file": (command("-o", "FOLDER/rows.parquet", "-C", COLUMNS), None),
    "Parquet file": (parquet, None),
    "command, FEN lines": (command("-f", "fen"), None),
    "list of FENs": (fens, None),
    "games, SAN and FEN of each move": (games, None),
    "games, a tag of each": (tags, None),
    "python-chess, list of FENs": (python_chess, "chess"),
    "rust-pgn-reader-python-binding": (binding, "rust_pgn_reader_python_binding"),
}


def measured(name: str, path: str, threads: int) -> tuple[int, float, float]:
    """Runs a task in this process. Returns the number of positions, and the CPU and wall-clock time in seconds."""
    task, package = TASKS[name]
    importlib.import_module("pgn2fen")
    if package is not None:
        importlib.import_module(package)
    cpu, wall = usage(), time.perf_counter()
    positions = task(path, threads)
    return positions, usage() - cpu, time.perf_counter() - wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--task", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.task:
        print(json.dumps(measured(arguments.task, arguments.path, arguments.threads)))
        return
    best: dict[str, tuple[int, float, float]] = {}
    # The tasks take turns, so that a change of the machine's speed meets all of them.
    for _ in range(arguments.runs):
        for name, (task, package) in TASKS.items():
            if package is not None and importlib.util.find_spec(package) is None:
                continue
            if name.startswith("command") and "PGN2FEN" not in os.environ:
                continue
            own = [sys.executable, __file__, arguments.path, "--threads", str(arguments.threads), "--task", name]
            done = subprocess.run(own, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(f"{name}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
                continue
            positions, cpu, wall = json.loads(done.stdout)
            _, least_cpu, least_wall = best.get(name, (0, cpu, wall))
            best[name] = positions, min(cpu, least_cpu), min(wall, least_wall)
    print(f"{'':34}{'positions':>12}{'CPU s':>9}{'wall s':>9}{'M/s wall':>10}")
    for name, (positions, cpu, wall) in best.items():
        rate = f"{positions / wall / 1e6:10.3f}" if positions else ""
        print(f"{name:34}{positions:12,}{cpu:9.2f}{wall:9.2f}{rate}")


if __name__ == "__main__":
    main()
