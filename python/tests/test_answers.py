"""Tables of what is found in games: the findings in tournaments, and the results of a player."""

from __future__ import annotations

import csv
import io
import pickle

import pytest

import pgn2fen


@pytest.fixture
def played(fixtures):
    """Games of players with ratings."""
    return fixtures / "games" / "tournaments_2020.pgn"


def rows(table):
    """The rows of a table as the command writes them."""
    return [["" if value is None else str(value) for value in row] for row in table.rows()]


def test_results_of_a_player_are_those_of_the_command(played, command):
    stats = pgn2fen.player_stats(played, "carlsen")
    written = list(csv.reader(io.StringIO(command("players", "--stats", "carlsen", "-f", "csv", played).decode())))
    assert [stats.columns, *rows(stats)] == written
    assert len(stats) > 10
    total = [row for row in stats.rows(named=True) if row["by"] == "all"]
    assert [(row["color"], row["games"], row["score"]) for row in total] == [("white", 8, 69), ("black", 6, 50)]
    assert rows(pickle.loads(pickle.dumps(stats))) == rows(stats)


def test_options_choose_games_of_the_player(played, command):
    stats = pgn2fen.player_stats(played, "carlsen", tags="Result=1-0", opening="Ruy Lopez")
    chosen = ("-t", "Result=1-0", "--opening", "Ruy Lopez")
    written = list(
        csv.reader(io.StringIO(command("players", "--stats", "carlsen", "-f", "csv", *chosen, played).decode()))
    )
    assert [stats.columns, *rows(stats)] == written
    with pytest.warns(pgn2fen.GameWarning, match="player"):
        assert len(pgn2fen.player_stats(played, "nobody")) == 0
    for name in ["", '"']:
        with pytest.raises(ValueError, match="player needs a name"):
            pgn2fen.player_stats(played, name)


TOURNAMENT = """[Event "Open"]
[Date "2020.02.30"]
[Round "1"]
[White "Tal"]
[Black "Fine"]
[Result "1-0"]

1. f3 e5 (1... e6 2. Ke3) 2. g4 Qh4# 1-0
"""


def test_findings_in_a_tournament_are_those_of_the_command(tmp_path, command):
    path = tmp_path / "open.pgn"
    path.write_text(TOURNAMENT)
    findings = pgn2fen.check_tournament(path, messages="ignore")
    written = list(csv.reader(io.StringIO(command("check", "--tournament", "-f", "csv", path).decode())))
    assert [findings.columns, *rows(findings)] == written
    assert [(row["line"], row["kind"]) for row in findings.rows(named=True)] == [
        (2, "unreadable-tag"),
        (6, "result-on-board"),
    ]


def test_errors_in_variations_are_told_unless_they_are_left_out(tmp_path):
    path = tmp_path / "open.pgn"
    path.write_text(TOURNAMENT)
    with pytest.warns(pgn2fen.GameWarning, match="Ke3"):
        pgn2fen.check_tournament(path)
    findings = pgn2fen.check_tournament(path, variations=False)
    assert len(findings) == 2


def test_a_file_that_is_missing_is_an_error():
    with pytest.raises(FileNotFoundError):
        pgn2fen.check_tournament("missing.pgn")
    with pytest.raises(FileNotFoundError):
        pgn2fen.player_stats("missing.pgn", "tal")
