"""The server as `berserk` sees it, the client of the public opening explorer for Python."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import berserk
import pytest
from conftest import COMMAND

ROOT = Path(__file__).parents[2]
RUY_LOPEZ = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]


@pytest.fixture
def explorer(server: str) -> berserk.clients.OpeningExplorer:
    """A client that asks the server instead of the public one."""
    return berserk.Client(explorer_url=server).opening_explorer


@pytest.fixture
def found(index_folder: Path) -> "Iterator[Finder]":
    yield Finder(index_folder)


class Finder:
    """The answers of `pgn2fen find`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def moves(self, position: str) -> dict[str, tuple[int, int, int]]:
        """Returns the numbers of games that White won, that were drawn, and that Black won, for each move."""
        command = [COMMAND, "find", "-M", "-f", "tsv", self.folder, position]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        names = lines[0].split("\t")
        rows = [dict(zip(names, line.split("\t"))) for line in lines[1:]]
        return {row["san"]: (int(row["white"]), int(row["draws"]), int(row["black"])) for row in rows if row["san"]}


def counts(answer: dict) -> tuple[int, int, int]:
    return answer["white"], answer["draws"], answer["black"]


@pytest.mark.parametrize("play", [[], ["e2e4"], ["d2d4", "g8f6", "c2c4"], RUY_LOPEZ])
def test_masters_games_are_those_of_the_index(explorer, found, play):
    answer = explorer.get_masters_games(play=play, moves=100)
    position = "startpos moves " + " ".join(play) if play else "startpos"
    assert {move["san"]: counts(move) for move in answer["moves"]} == found.moves(position)
    assert counts(answer) == tuple(map(sum, zip(*map(counts, answer["moves"]))))
    assert "recentGames" not in answer
    assert len(answer["topGames"]) <= 15
    ratings = [game["white"]["rating"] + game["black"]["rating"] for game in answer["topGames"]]
    assert ratings == sorted(ratings, reverse=True)


def test_the_limits_of_a_client_hold(explorer):
    answer = explorer.get_masters_games(moves=2, top_games=3)
    assert (len(answer["moves"]), len(answer["topGames"])) == (2, 3)
    answer = explorer.get_lichess_games(moves=2, top_games=1, recent_games=2)
    assert (len(answer["moves"]), len(answer["topGames"]), len(answer["recentGames"])) == (2, 1, 2)


def test_a_position_is_the_same_however_it_is_given(explorer):
    fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    by_moves, by_fen = explorer.get_masters_games(play=RUY_LOPEZ), explorer.get_masters_games(position=fen)
    assert by_moves == by_fen
    assert by_fen["opening"] == {"eco": "C60", "name": "Ruy Lopez"}


def test_lichess_games_are_filtered(explorer):
    everything = explorer.get_lichess_games()
    by_rating = [explorer.get_lichess_games(ratings=[group]) for group in ["0", "1600", "1800", "2000", "2200", "2500"]]
    assert 0 < sum(sum(counts(answer)) for answer in by_rating) < sum(counts(everything))
    assert sum(counts(explorer.get_lichess_games(since="2020-01"))) < sum(counts(everything))
    assert sum(counts(explorer.get_lichess_games(since="2100-01"))) == 0
    months = {game["month"] for game in explorer.get_lichess_games(until="2013-12")["recentGames"]}
    assert months and all(month <= "2013-12" for month in months)


@pytest.mark.parametrize("color", ["white", "black"])
def test_the_games_of_a_player_are_streamed(explorer, color):
    other = "black" if color == "white" else "white"
    best = explorer.get_masters_games()["topGames"][0]
    name = best[color]["name"]
    answer = explorer.get_player_games(name.upper(), color, moves=100)
    assert answer["queuePosition"] == 0
    assert list(explorer.stream_player_games(name, color, moves=100)) == [answer]
    assert all(game[color]["name"] == name for game in answer["recentGames"])
    assert best["id"] in {game["id"] for game in answer["recentGames"]} or len(answer["recentGames"]) == 8
    assert counts(answer) == tuple(map(sum, zip(*map(counts, answer["moves"]))))
    for move in answer["moves"]:
        wins, losses = move[color], move[other]
        gained = 400 * (wins - losses) / sum(counts(move))
        if move["game"] and move["averageOpponentRating"]:
            assert move["performance"] == move["averageOpponentRating"] + gained
            assert move["game"][other]["rating"] == move["averageOpponentRating"]
    assert explorer.get_player_games("Nobody at all", color)["moves"] == []


def test_a_game_is_read_as_pgn(explorer):
    game = explorer.get_masters_games(play=["e2e4"])["topGames"][0]
    pgn = explorer.get_otb_master_game(game["id"])
    assert f'[White "{game["white"]["name"]}"]' in pgn
    assert f'[WhiteElo "{game["white"]["rating"]}"]' in pgn


@pytest.mark.parametrize(
    ("ask", "status", "line"),
    [
        (lambda explorer: explorer.get_masters_games(play=["e2e5"]), 400, "move 1 is not legal"),
        (lambda explorer: explorer.get_masters_games(position="x"), 400, "fen: "),
        (lambda explorer: explorer.get_lichess_games(variant="draughts"), 400, "variant: draughts is not a variant"),
        (lambda explorer: explorer.get_otb_master_game("00000000"), 404, "no game"),
        (lambda explorer: explorer.get_player_games("", "white"), 400, "player: it is missing"),
    ],
)
def test_a_mistake_is_an_error_with_a_line(explorer, ask, status, line):
    with pytest.raises(berserk.exceptions.ResponseError) as raised:
        ask(explorer)
    assert raised.value.status_code == status
    assert line in raised.value.response.text
    assert raised.value.response.text.count("\n") == 1


@pytest.mark.skipif(os.environ.get("PGN2FEN_CLIENTS") != "1", reason="PGN2FEN_CLIENTS=1 compiles a client in Rust")
def test_a_typed_client_reads_the_answers(server):
    manifest = ROOT / "tests/explorer/client/Cargo.toml"
    command = ["cargo", "run", "--quiet", "--manifest-path", manifest, "--target-dir", ROOT / "target", "--", server]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
