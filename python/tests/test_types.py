"""A typed program. It is run as a test, and mypy checks it against the installed package."""

from __future__ import annotations

import ast
import datetime
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pgn2fen
from pgn2fen import _pgn2fen

if TYPE_CHECKING:
    import polars

FILE = Path(__file__).parents[2] / "fixtures" / "games" / "evaluations_on_every_move.pgn"


def told(read: int, total: int | None, games: int, positions: int) -> None:
    assert read >= 0 and (total is None or read <= total) and games >= 0 and positions >= 0


def test_the_types_of_a_scan_are_those_of_its_stubs() -> None:
    tell: Callable[[int, int | None, int, int], None] = told
    scan: pgn2fen.Scan = pgn2fen.scan([FILE, str(FILE)], ["White", "Date", "fen"], plies=(None, 8), progress=tell)
    columns: list[str] = scan.columns
    rows: Iterator[Any] = scan.rows()
    day: datetime.date = next(rows)[columns.index("Date")]
    frame: polars.DataFrame = scan.lazy().head(3).collect()
    fens: list[Any] = scan.to_list("fen")
    report: pgn2fen.Report | None = scan.report
    assert report is not None
    messages: list[pgn2fen.Message] = report.messages
    assert day.year == 2024 and frame.height == 3 and isinstance(fens[0], str) and messages == []


def test_the_types_of_games_are_those_of_their_stubs() -> None:
    games: pgn2fen.Games = pgn2fen.games(FILE, max_games=1)
    for game in games:
        tags: dict[str, str] = game.tags
        line: pgn2fen.Line = game.moves
        move: pgn2fen.Move = line[0]
        side: Literal["w", "b"] = move.turn
        evaluation: int | None = move.eval
        clock: float | None = move.clk
        missing: str | None = game.get("Nothing")
        end: pgn2fen.Position | None = line.end
        assert tags["White"] == game["White"] and side == "w" and missing is None and end is not None
        assert isinstance(evaluation, int) and (clock is None or isinstance(clock, float))
        sans: list[str] = [move.san for move in line]
        assert pgn2fen.Position().play(*sans) == end


def test_the_types_of_starts_and_an_index_are_those_of_their_stubs(tmp_path: Path) -> None:
    starts: pgn2fen.Starts = pgn2fen.starts(FILE)
    summary: pgn2fen.IndexSummary = pgn2fen.index(FILE, tmp_path / "games.idx")
    index: pgn2fen.Index = pgn2fen.Index(tmp_path / "games.idx")
    played: pgn2fen.Table = index.explore(pgn2fen.Position())
    found: pgn2fen.Table = index.find(["startpos", "1. e4 c5"], tags="White~a", max=3)
    games: list[str] = list(index.games("startpos"))
    assert starts.columns and summary and len(index) == len(games) and len(played.to_list("san")) > 0
    assert found.columns[0] == "fen"


def test_the_types_of_a_tree_are_those_of_its_stubs() -> None:
    tree: pgn2fen.Tree = pgn2fen.tree(FILE, pgn2fen.Position(), min_games=1, side="w")
    node: pgn2fen.TreeNode = tree.root
    move: pgn2fen.TreeMove = next(tree.walk())
    results: pgn2fen.Results = move.results
    score: float | None = results.score
    models: list[pgn2fen.ModelGame] = node.models
    found: pgn2fen.TreeNode | None = tree.node(move.target.position)
    rows: pgn2fen.Table = tree.rows()
    text: str = tree.to_pgn(comments=["games"])
    assert move.source == node and models == [] and found == move.target and len(rows) == len(tree) and text
    assert score is None or 0 <= score <= 1
    comparison: pgn2fen.Comparison = pgn2fen.compare(FILE, FILE, side="w")
    counts: dict[str, int] = comparison.counts
    games: pgn2fen.Table = comparison.rows("games")
    assert sum(counts.values()) == len(games) == len(comparison)


def test_the_docstrings_are_those_of_the_stubs() -> None:
    stubs = ast.parse((Path(__file__).parents[1] / "pgn2fen" / "_pgn2fen.pyi").read_text(encoding="utf-8"))
    classes = {stub.name: stub for stub in stubs.body if isinstance(stub, ast.ClassDef)}
    public = [classes[name] for name in pgn2fen.__all__ if name in classes]
    for stub in [*public, classes["Batch"]]:
        found = getattr(_pgn2fen, stub.name)
        members = {
            member.name: ast.get_docstring(member) for member in stub.body if isinstance(member, ast.FunctionDef)
        }
        # The text of the constructor is that of its class.
        parts = [ast.get_docstring(stub), members.pop("__new__", None)]
        assert inspect.getdoc(found) == "\n\n".join(filter(None, parts)), stub.name
        for name, text in members.items():
            if text is not None and not name.startswith("__"):
                assert inspect.getdoc(getattr(found, name)) == text, f"{stub.name}.{name}"
    games = {"Game", "Line", "Message", "Move", "Position", "Report"}
    assert {stub.name for stub in public} == games | {"ModelGame", "Results", "TreeMove", "TreeNode"}
