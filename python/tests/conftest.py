"""Files and programs for the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture(autouse=True, scope="session")
def elsewhere() -> None:
    """Leaves the folder of the package, whose source would hide the installed package from programs that the tests run."""
    os.chdir(FIXTURES.parent)


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder of games in the repository."""
    return FIXTURES


@pytest.fixture(scope="session")
def most() -> int | None:
    """How many games of a file are compared with those of another program: all of them with PGN2FEN_SWEEP=1."""
    return None if "PGN2FEN_SWEEP" in os.environ else 40


@pytest.fixture(scope="session")
def command():
    """Runs the command that the package installs, and returns its standard output as bytes."""
    program = Path(sys.executable).with_name("pgn2fen")
    found = str(program) if program.exists() else shutil.which("pgn2fen")
    assert found, "the package installs the command"

    def run(*arguments: object, statuses: tuple[int, ...] = (0, 1), **options) -> bytes:
        done = subprocess.run([found, *map(str, arguments)], capture_output=True, check=False, **options)
        assert done.returncode in statuses, done.stderr.decode()
        return done.stdout

    return run


@pytest.fixture
def games(fixtures: Path) -> Path:
    """A file with ratings, evaluations and clocks."""
    return fixtures / "games" / "evaluations_on_every_move.pgn"


@pytest.fixture
def big(tmp_path_factory, fixtures: Path) -> Path:
    """A database of 50 MB, which takes some seconds to read."""
    path = tmp_path_factory.getbasetemp() / "big.pgn"
    if not path.exists():
        text = (fixtures / "games" / "lichess_2012.pgn").read_bytes()
        path.write_bytes(text * (50_000_000 // len(text)))
    return path
