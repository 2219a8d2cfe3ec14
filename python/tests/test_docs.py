"""The pages about Python: their programs print what the pages show.

The blocks of a page with the language `python` run in order, in one namespace, in a folder of their own in which `fixtures` is a link to
the fixtures of the repository. What a block prints is the `text` block that follows it. Behind the language may stand what a block
needs: `needs=torch` runs it only if that package is there, `needs=spark` only with pyspark and Java, and blocks that need the network
never run. With the environment variable `PGN2FEN_SPARK=1`, those that need Spark must run.

A figure that a page writes is the one in `docs/figures`, and every such figure is written by a page. Tables and figures look different in
other versions of their packages, so they are compared only with the versions of the dependency group `docs`.

With the environment variable `UPDATE_EXPECT=1` the outputs in the pages and the figures are written anew.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import inspect
import io
import os
import re
import shutil
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import pgn2fen

ROOT = Path(__file__).parents[2]

PAGES = [
    "README.md",
    "python/README.md",
    "docs/python.md",
    "docs/questions.md",
    "docs/ranges.md",
    "docs/remote.md",
    "docs/spark.md",
]

FIGURES = ROOT / "docs/figures"

IS_UPDATE = bool(os.environ.get("UPDATE_EXPECT"))


@dataclass
class Block:
    """A code block between fences."""

    language: str
    needs: str | None
    first: int
    """The number of its first line in the page, from 0."""
    end: int
    """The number of the line behind it, which is its closing fence."""


def blocks(lines: list[str]) -> list[Block]:
    fences = [at for at, line in enumerate(lines) if line.startswith("```")]
    assert len(fences) % 2 == 0, "a fence is not closed"
    found = []
    for opening, closing in zip(fences[::2], fences[1::2]):
        language, _, needs = lines[opening].removeprefix("```").partition(" ")
        found.append(Block(language, needs.removeprefix("needs=") or None, opening + 1, closing))
    return found


def has(needed: str | None) -> bool:
    if needed == "spark":
        return has_spark()
    return needed is None or needed != "network" and importlib.util.find_spec(needed) is not None


def has_spark() -> bool:
    """Whether Java and the whole of Spark are installed. The package `pyspark-client` has no jars, and does not suffice."""
    pyspark = importlib.util.find_spec("pyspark")
    has_jars = pyspark is not None and (Path(pyspark.origin).parent / "jars").is_dir()
    found = has_jars and shutil.which("java") is not None and importlib.util.find_spec("pyspark_pgn2fen") is not None
    assert found or os.environ.get("PGN2FEN_SPARK") != "1", "PGN2FEN_SPARK=1 needs pyspark and Java"
    return found


def outputs(lines: list[str], name: str) -> Iterator[tuple[Block, Block | None, str]]:
    """Runs the programs of a page. Yields each with the block of its output, and what it printed."""
    namespace = {"__name__": "__main__"}
    found = blocks(lines)
    for block, following in zip(found, [*found[1:], None]):
        if block.language != "python" or not has(block.needs):
            continue
        # The program has its lines where the page has them, so that a traceback leads to the page.
        program = "\n" * block.first + "\n".join(lines[block.first : block.end])
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(program, name, "exec"), namespace)  # noqa: S102
        shown = following if following is not None and following.language == "text" else None
        if shown is not None and any(line.strip() for line in lines[block.end + 1 : shown.first - 1]):
            shown = None
        yield block, shown, printed.getvalue()


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """The folder in which a page runs."""
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    # Workers of Spark use another Python otherwise.
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    # Ray writes a key into the home folder, and reports its use to its makers otherwise.
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    return tmp_path


@pytest.mark.parametrize("page", PAGES)
def test_the_programs_of_a_page_print_what_it_shows(page, desk):
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    new, copied, ran = [], 0, 0
    with warnings.catch_warnings():
        # A warning about games is a part of what a reader sees, so a page has to show it.
        warnings.simplefilter("error", UserWarning)
        for block, shown, printed in outputs(lines, str(path)):
            ran += 1
            if shown is None:
                assert printed == "", f"{page}:{block.first}: the page does not show what is printed"
                continue
            new += lines[copied : shown.first] + [line.rstrip() for line in printed.splitlines()]
            copied = shown.end
    new += lines[copied:]
    if ran == 0 and all(block.needs for block in blocks(lines) if block.language == "python"):
        pytest.skip("the page needs what is not installed")
    assert ran > 0
    played = "\n".join(new) + "\n"
    figures = list(desk.glob("*.svg"))
    if IS_UPDATE:
        path.write_text(played, encoding="utf-8")
        for figure in figures:
            shutil.copy(figure, FIGURES)
        return
    if other := other_versions():
        pytest.skip(f"the programs run, but their output is not compared: {other}")
    assert played == text, "UPDATE_EXPECT=1 rewrites the page"
    for figure in figures:
        assert figure.read_bytes() == (FIGURES / figure.name).read_bytes(), f"UPDATE_EXPECT=1 draws {figure.name} again"


def other_versions() -> str:
    """Returns the packages whose versions are not those with which the guide was made."""
    project = (ROOT / "python/pyproject.toml").read_text(encoding="utf-8")
    pinned = re.findall(r'"(\w+)==([\w.]+)"', re.search(r"^docs = \[(.*)\]$", project, re.MULTILINE)[1])
    assert pinned
    found = [(name, version, importlib.metadata.version(name)) for name, version in pinned]
    return ", ".join(f"{name} {it}, not {version}" for name, version, it in found if it != version)


def test_every_figure_of_a_page_is_there_and_has_a_program():
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        for name in re.findall(r"\]\((?:\S*/)?figures/(\S+\.svg)\)", text):
            assert (FIGURES / name).exists()
            assert f'"{name}"' in text, f"{page} shows {name}, but does not draw it"


def test_the_guide_knows_every_name():
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n.*?```|`[^`\n]+`", page, re.DOTALL)
    words = set(re.findall(r"\w+", " ".join(code)))
    names = {name for name in pgn2fen.__all__ if name != "__version__"}
    for function in (pgn2fen.scan, pgn2fen.games, pgn2fen.starts, pgn2fen.index):
        names |= set(inspect.signature(function).parameters)
    for name in pgn2fen.__all__:
        kind = getattr(pgn2fen, name)
        if inspect.isclass(kind):
            names |= {member for member in dir(kind) if not member.startswith("_") and not hasattr(Exception, member)}
    assert len(names) > 100
    assert names - words == set()


def test_a_page_that_is_wrong_is_found(desk):
    page = [
        "```python",
        "print(1)",
        "print(2)",
        "```",
        "",
        "```text",
        "1",
        "3",
        "```",
        "",
        "words",
        "```text",
        "4",
        "```",
    ]
    [(block, shown, printed)] = outputs(page, "page")
    assert (block.first, shown.first, printed) == (1, 6, "1\n2\n")
    [(_, shown, _)] = outputs(page[:5] + page[10:], "page")
    assert shown is None
    with pytest.raises(ZeroDivisionError) as told:
        list(outputs(["", "words", "```python", "x = 1", "x / 0", "```"], "page"))
    assert told.traceback[-1].lineno == 4
