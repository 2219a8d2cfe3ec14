"""What the tests share: the extension in DuckDB, the command, and the fixtures.

`PGN2FEN` is the path of the command. The extension is that of `duckdb/build`.
"""

import os
import subprocess
from pathlib import Path

import duckdb
import pytest

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
GAMES = sorted((FIXTURES / "games").glob("*.pgn"))
STARTS = sorted((FIXTURES / "starts").glob("*.pgn"))


def connect() -> duckdb.DuckDBPyConnection:
    """Returns a connection to a new database that has loaded the extension."""
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    (platform,) = connection.execute("PRAGMA platform").fetchone()
    connection.execute(f"LOAD '{ROOT}/target/duckdb/{platform}/pgn2fen.duckdb_extension'")
    return connection


def command(*arguments: object, status: tuple[int, ...] = (0, 1)) -> bytes:
    """Runs the command in the root of the repository, and returns what it prints."""
    words = [os.environ["PGN2FEN"], *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, cwd=ROOT, check=False)
    assert done.returncode in status, done.stderr.decode()
    return done.stdout


def quoted(value: object) -> str:
    """Returns a value as a literal of SQL."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(quoted, value)) + "]"
    if isinstance(value, (bool, int, float)):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"


def call(function: str, *arguments: object, **options: object) -> str:
    """Returns a call of a table function. Some names of options are reserved words of SQL."""
    named = [f'"{name}" := {quoted(value)}' for name, value in options.items()]
    return f"{function}({', '.join([*map(quoted, arguments), *named])})"


@pytest.fixture
def con():
    connection = connect()
    yield connection
    connection.close()


def differences(con: duckdb.DuckDBPyConnection, ours: str, theirs: str) -> int:
    """Compares two tables with their types, row by row in order. Returns the number of rows of both."""
    con.execute(f"CREATE OR REPLACE TEMP TABLE a AS FROM {ours}")
    con.execute(f"CREATE OR REPLACE TEMP TABLE b AS FROM {theirs}")
    described = [con.execute(f"SELECT column_name, column_type FROM (DESCRIBE {table})").fetchall() for table in "ab"]
    assert described[0] == described[1]
    counts = [con.execute(f"SELECT count(*) FROM {table}").fetchone() for table in "ab"]
    assert counts[0] == counts[1]
    rows = "(SELECT a AS x FROM a) POSITIONAL JOIN (SELECT b AS y FROM b)"
    assert con.execute(f"SELECT x, y FROM {rows} WHERE x IS DISTINCT FROM y LIMIT 3").fetchall() == []
    return counts[0][0]
