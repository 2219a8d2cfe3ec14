"""Games leave a repertoire where python-chess says so."""

from __future__ import annotations

import csv
import io
import itertools

import chess
import chess.pgn
import pytest


def key(board: chess.Board) -> tuple:
    """What makes two positions the same."""
    passing = board.ep_square if board.has_legal_en_passant() else None
    return board.board_fen(promoted=False), board.turn, board.clean_castling_rights(), passing


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield game


def repertoire(path) -> dict[tuple, set[chess.Move]]:
    """The positions of games with their variations, and the moves in each."""
    moves: dict[tuple, set[chess.Move]] = {}
    for game in read(path):
        nodes = [(game.board(), game)]
        while nodes:
            board, node = nodes.pop()
            here = moves.setdefault(key(board), set())
            for variation in node.variations:
                here.add(variation.move)
                after = board.copy(stack=False)
                after.push(variation.move)
                nodes.append((after, variation))
    return moves


def leaving(moves, side: chess.Color, game: chess.pgn.Game) -> tuple[str, ...]:
    """How a game leaves a repertoire, at which ply, with which move, and how often it had come back."""
    board, line = game.board(), []
    for move in [*game.mainline_moves(), None]:
        line.append((key(board), move))
        if move is not None:
            board.push(move)
    on = [ply for ply, (position, _) in enumerate(line) if position in moves]
    returns = str(sum(after > before + 1 for before, after in itertools.pairwise(on)))
    if not on:
        return "never", "", "", returns
    position, move = line[on[-1]]
    if move is None:
        how = "within"
    elif not moves[position]:
        how = "line_end"
    else:
        how = "player" if position[1] == side else "opponent"
    return how, str(on[-1]), move.uci() if move else "", returns


@pytest.mark.parametrize("side", ["w", "b"])
@pytest.mark.parametrize("games", ["tournaments_2020.pgn", "lichess_2012.pgn", "morphy_ascii_crlf.pgn"])
@pytest.mark.parametrize("lines", ["repertoire", "tree"])
def test_games_leave_a_repertoire_where_python_chess_says(command, fixtures, tmp_path, lines, games, side):
    path = fixtures / "repertoires" / "white_e4.pgn"
    if lines == "tree":
        # The most played lines of other games, with their transpositions.
        path = tmp_path / "tree.pgn"
        command("tree", fixtures / "games" / "tournaments_2020.pgn", "--min-games", "2", "-p", "16", "-o", path)
    file = fixtures / "games" / games
    told = command("games", "--tree", path, "--side", side, "-f", "csv", file).decode()
    rows = [
        tuple(row[name] for name in ("leaving", "ply", "uci", "returns")) for row in csv.DictReader(io.StringIO(told))
    ]
    moves = repertoire(path)
    expected = [leaving(moves, side == "w", game) for game in read(file)]
    assert rows == expected
    assert len(rows) > 30
