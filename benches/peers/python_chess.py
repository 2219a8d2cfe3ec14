#!/usr/bin/env python3
"""A FEN for every position of every game, by python-chess, as its users write it.

An oracle for `peers compare --against python-chess` and a peer of `peers bench`. python-chess is
GPL-3.0-or-later and is not installed by anything here: `pip install chess`.

A game whose FEN tag cannot be read gives no line; a move that cannot be played ends its game, and the
positions before it stay. Games of other variants than Chess960 are skipped. Exit code 2 says that
python-chess itself failed.
"""

import argparse
import logging
import sys
import traceback

import chess
import chess.pgn

EN_PASSANT = {"always": "fen", "xfen": "xfen", "legal": "legal"}


class MainLine(chess.pgn.GameBuilder):
    """Skips variations. GameBuilder follows them, and an illegal move in one can end the main line, or the program."""

    def begin_variation(self):
        return chess.pgn.SKIP

    def end_variation(self):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ep", choices=EN_PASSANT, default="always", help="when to name the e.p. square")
    parser.add_argument("--castling", choices=["xfen", "shredder"], default="xfen", help="how to write castling rights")
    parser.add_argument("--separate", action="store_true", help="an empty line after each game")
    parser.add_argument("file", help="the PGN file")
    args = parser.parse_args()

    # Errors are part of the oracle's answer, not news.
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    # The files have every encoding; the moves are ASCII.
    with open(args.file, encoding="utf-8", errors="replace") as pgn:
        while (game := chess.pgn.read_game(pgn, Visitor=MainLine)) is not None:
            for board in positions(game):
                print(board.fen(shredder=args.castling == "shredder", en_passant=EN_PASSANT[args.ep]))
            if args.separate:
                print()


def positions(game):
    """The board before the first move and after each move of the main line (one board, changed in place)."""
    try:
        board = game.board()
    except ValueError:
        return
    if board.uci_variant != "chess":
        return
    yield board
    for move in game.mainline_moves():
        board.push(move)
        yield board


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.stderr.close()
    except Exception:
        traceback.print_exc()
        sys.exit(2)
