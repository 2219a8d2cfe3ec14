"""Measures queries against the command: `python duckdb/bench.py EXTENSION COMMAND FILE` prints CPU seconds.

Each measurement is a process of its own, and the least of three runs. The command writes an Arrow stream that nobody
reads. EXTENSION must be an optimised build.
"""

import os
import resource
import subprocess
import sys

COLUMNS = {
    "four usual": "game,ply,san,fen",
    "two": "ply,san",
    "with tags": "White,WhiteElo,ply,san,eval,fen",
}


def cpu(words: list[str]) -> float:
    """Runs a program three times. Returns the least CPU time in seconds."""
    least = float("inf")
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least


def query(extension: str, sql: str) -> float:
    """Measures a query, without the time that DuckDB needs to start."""
    start = f"import duckdb; con = duckdb.connect(config={{'allow_unsigned_extensions': 'true'}}); con.execute(\"LOAD '{extension}'\")"
    return cpu([sys.executable, "-c", f"{start}; con.execute({sql!r}).fetchall()"]) - cpu([sys.executable, "-c", start])


def main() -> None:
    extension, command, file = sys.argv[1:]
    for name, columns in COLUMNS.items():
        theirs = cpu([command, "-q", "--exit-zero", "-f", "arrow", "-C", columns, file])
        used = ", ".join(f"count({column})" for column in columns.split(","))
        rows = f"read_pgn('{file}', columns := '{columns}')"
        ours = query(extension, f"SELECT {used} FROM {rows}")
        counted = query(extension, f"SELECT count(*) FROM {rows}")
        print(f"{name}: command {theirs:.2f}, query {ours:.2f} ({ours / theirs:.2f}), count {counted:.2f}", flush=True)
    every = ",".join(["file", "game", "line", "ply", "san", "uci", "next_san", "fen", "key", "material", "comment", "tags"])
    two = query(extension, f"SELECT count(ply), count(san) FROM read_pgn('{file}', columns := '{every}')")
    print(f"two of twelve columns: {two:.2f}")
    walk = query(extension, f"SELECT count(ply), count(san) FROM read_pgn('{file}', columns := 'ply,san')")
    share = query(extension, f"SELECT count(ply), count(san) FROM read_pgn('{file}', columns := 'ply,san', tags := 'WhiteElo>=2780')")
    print(f"all games {walk:.2f}, few games {share:.2f} ({share / walk:.2f})")
    files = [file] * 10
    begin = f"import duckdb, resource; con = duckdb.connect(config={{'allow_unsigned_extensions': 'true'}}); con.execute(\"LOAD '{extension}'\")"
    run = f"con.execute(\"SELECT count(fen), count(White) FROM read_pgn({files}, columns := 'fen,White')\").fetchall()"
    peak = "print('ten times the file: peak', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, 'MB')"
    subprocess.run([sys.executable, "-c", f"{begin}; {run}; {peak}"], check=True)


if __name__ == "__main__":
    main()
