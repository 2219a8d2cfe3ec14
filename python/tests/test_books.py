"""Opening books are those of the command, and python-chess reads them."""

from __future__ import annotations

import shutil

import chess
import chess.polyglot
import pytest

import pgn2fen

NAME = "tournaments_2020.pgn"


@pytest.fixture(scope="module")
def desk(tmp_path_factory, fixtures):
    """A folder with games and their index."""
    folder = tmp_path_factory.mktemp("books")
    shutil.copy(fixtures / "games" / NAME, folder)
    pgn2fen.index(folder / NAME, folder / "games.idx", messages="ignore")
    return folder


@pytest.fixture
def index(desk):
    return pgn2fen.Index(desk / "games.idx")


@pytest.mark.parametrize(
    ("name", "options", "arguments"),
    [
        ("a.bin", {}, []),
        ("a.bin.gz", {"plies": (None, 29), "min_games": 2}, ["-p", "..29", "--min-games", "2"]),
        (
            "a.bin",
            {"player": "carlsen", "turn": "b", "min_games": 1, "weight": "games"},
            ["--player", "carlsen", "--turn", "b", "--min-games", "1", "--weight", "games"],
        ),
        (
            "a.bin",
            {"tags": ["WhiteElo>=2600", "Result!=*"], "min_score": 45.5, "max": 2, "threads": 1},
            ["-t", "WhiteElo>=2600", "-t", "Result!=*", "--min-score", "45.5", "-m", "2"],
        ),
        ("a.book", {"format": "polyglot", "weight": "uniform"}, ["-f", "polyglot", "--weight", "uniform"]),
        (
            "a.epd",
            {"plies": 8, "min_games": 2, "balance": (40, 60)},
            ["-p", "8", "--min-games", "2", "--balance", "40..60"],
        ),
        ("a.epd.zst", {"balance": (None, 49.5), "max": 7}, ["--balance", "..49.5", "-m", "7"]),
        ("a.txt", {"format": "epd", "balance": 50, "turn": "w"}, ["-f", "epd", "--balance", "50", "--turn", "w"]),
    ],
    ids=str,
)
def test_books_are_those_of_the_command(index, desk, command, tmp_path, name, options, arguments):
    (tmp_path / "theirs").mkdir()
    summary = index.book(tmp_path / name, **options)
    command("book", "-q", *arguments, "games.idx", "-o", tmp_path / "theirs" / name, cwd=desk)
    written = (tmp_path / name).read_bytes()
    assert written == (tmp_path / "theirs" / name).read_bytes() != b""
    assert summary.messages == []
    if name == "a.bin":
        assert (summary.moves or 0) * 16 == len(written)
        assert str(summary) == f"{summary.moves:,} moves in {summary.positions:,} positions"
    elif name == "a.epd":
        assert (summary.positions, summary.moves) == (written.count(b"\n"), None)
        assert repr(summary) == f"<pgn2fen.BookSummary {summary.positions} positions>"


def test_python_chess_reads_a_book(index, tmp_path):
    index.book(tmp_path / "a.bin", weight="games", min_games=1)
    with chess.polyglot.open_reader(tmp_path / "a.bin") as book:
        for moves in [[], ["e4", "c5"], ["d4", "d5", "c4"]]:
            board = chess.Board()
            for move in moves:
                board.push_san(move)
            found = {board.san(entry.move): entry.weight for entry in book.find_all(board)}
            explored = index.explore(board.fen())
            assert found == dict(zip(explored.to_list("san"), explored.to_list("games"))) != {}


def test_an_empty_book_and_missing_plies_are_told(index, fixtures, tmp_path):
    with pytest.warns(
        pgn2fen.GameWarning, match="the book is empty; no move passes min_games=900, player; moves without a win"
    ):
        summary = index.book(tmp_path / "a.bin", min_games=900, player="x")
    assert (summary.positions, summary.moves, len(summary.messages)) == (0, 0, 1)
    with pytest.warns(pgn2fen.GameWarning, match="no position passes min_games=900, balance"):
        index.book(tmp_path / "a.epd", min_games=900, balance="45..55")
    pgn2fen.index(fixtures / "games" / NAME, tmp_path / "short.idx", plies="..8", messages="ignore")
    short = pgn2fen.Index(tmp_path / "short.idx")
    with pytest.warns(
        pgn2fen.GameWarning,
        match=r"the index has only the plies \.\.8 of each game; build it again for the plies \.\.9",
    ):
        short.book(tmp_path / "b.bin", plies="..9", min_games=1)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("a.txt", {}, "use .bin or .epd, or format='polyglot' or format='epd'"),
        ("a.bin", {"format": "epd"}, "epd"),
        ("a.x", {"format": "ctg"}, "format is 'ctg', but must be one of polyglot, epd"),
        ("a.bin", {"balance": "45..55"}, "balance chooses positions of an opening suite"),
        ("a.epd", {"weight": "games"}, "weight is for moves of a Polyglot book"),
        ("a.epd", {"min_score": 40}, "min_score chooses moves of a Polyglot book"),
        ("a.bin", {"weight": "elo"}, "weight is 'elo', but must be one of score, games, uniform"),
        ("a.bin", {"min_score": 101}, "min_score: a score is a number from 0 to 100, in per cent"),
        ("a.epd", {"balance": (55, 45)}, "balance: the first number is greater than the second"),
        ("a.bin", {"plies": -1}, "plies: a book counts plies from the start of games"),
        ("a.bin", {"plies": "x"}, "plies: "),
        ("a.bin", {"tags": "Elos>2000"}, "does not keep the tag Elos"),
        ("a.bin", {"turn": "white"}, "turn is 'white', but must be w or b"),
        ("a.bin", {"max": 0}, "max is 0, but must be 1 or more"),
        ("a.bin", {"min_games": -1}, "min_games is -1, which is out of range"),
        ("a.bin", {"messages": "loud"}, "messages is 'loud'"),
    ],
)
def test_wrong_books_are_told_and_not_written(index, tmp_path, name, options, message):
    with pytest.raises(ValueError) as error:
        index.book(tmp_path / name, **options)
    assert message in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_a_suite_needs_the_files_of_the_index(tmp_path):
    (tmp_path / "a.pgn").write_text("1. e4 e5 1-0\n")
    pgn2fen.index(tmp_path / "a.pgn", tmp_path / "a.idx", messages="ignore")
    index = pgn2fen.Index(tmp_path / "a.idx")
    assert index.book(tmp_path / "before.epd", min_games=1).positions == 3
    (tmp_path / "a.pgn").write_text("1. d4 *\n")
    with pytest.raises(OSError, match=r"suite\.epd is not written because not all .*\n.*a\.pgn: the file has changed"):
        index.book(tmp_path / "suite.epd", min_games=1)
    assert not (tmp_path / "suite.epd").exists()
    assert index.book(tmp_path / "a.bin", min_games=1).moves == 1
    with pytest.raises(OSError, match="none"):
        index.book(tmp_path / "none" / "a.bin", min_games=1)
