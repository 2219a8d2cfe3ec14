"""Boards, against python-chess."""

import random
from xml.etree import ElementTree

import chess
import pytest

from pgn2fen import Position, board_png, board_svg, board_text

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"


def pieces(svg: str, flipped: bool = False) -> dict[int, chess.Piece]:
    """The pieces of a picture by their squares."""
    found = {}
    for use in ElementTree.fromstring(svg).iter(f"{SVG}use"):
        color, role = use.attrib[HREF].removeprefix("#p2f-").removesuffix("-45")
        column, row = float(use.attrib["x"]) / 45, float(use.attrib["y"]) / 45
        square = chess.square(int(7 - column if flipped else column), int(row if flipped else 7 - row))
        assert square not in found
        found[square] = chess.Piece.from_symbol(role.upper() if color == "w" else role.lower())
    return found


def positions():
    chooser = random.Random(15)
    for number in range(0, 960, 96):
        board = chess.Board.from_chess960_pos(number) if number else chess.Board()
        for _ in range(60):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chooser.choice(moves))
            yield board


def test_every_piece_stands_where_python_chess_has_it():
    count = 0
    for board in positions():
        fen = board.fen(shredder=board.chess960)
        assert pieces(board_svg(fen)) == board.piece_map()
        assert pieces(board_svg(Position(fen), orientation="black"), flipped=True) == board.piece_map()
        lines = [line.split()[1:] for line in board_text(fen, ascii=True, last_move=False).splitlines()[:8]]
        assert "\n".join(" ".join(line) for line in lines) == str(board)
        figures = board_text(fen, coordinates=False).replace("·", ".").split()
        assert figures == board.unicode(empty_square=".").split()
        count += 1
    assert count > 300


def test_a_notebook_shows_a_position():
    assert Position("1. e4")._repr_svg_() == board_svg(Position("1. e4"))


@pytest.mark.parametrize("fen", ["8/8/8/4k3/8/8/8/8", "8/8/8/8/8/8/8/8 w - - 0 1", "3KK3/8/8/4k3/8/8/8/7P w - - 0 1"])
def test_a_diagram_that_is_no_legal_position_is_drawn(fen):
    assert pieces(board_svg(fen)) == chess.BaseBoard(fen.split()[0]).piece_map()
    assert board_png(fen).startswith(b"\x89PNG")
    assert len(board_text(fen).splitlines()) == 9
    with pytest.raises(ValueError):
        Position(fen)


def test_a_board_that_is_malformed_is_refused():
    with pytest.raises(ValueError, match="9 ranks"):
        board_svg("8/8/8/8/8/8/8/8/8 w - - 0 1")


def test_a_text_with_moves_shows_the_last_one():
    assert board_svg("1. e4 c5") == board_svg(Position("1. e4 c5"), last_move="c7c5")
    assert board_svg("1. e4 c5", last_move=False) == board_svg(Position("1. e4 c5"))
    assert board_svg("e4 Sf6", lang="de") == board_svg("e4 Nf6")
    assert "Last move: e2 to e4." in board_svg("1. e4")


def test_options_are_those_of_the_command():
    svg = board_svg("startpos")
    changed = [
        board_svg("startpos", orientation="black"),
        board_svg("startpos", last_move="e2e4"),
        board_svg("startpos", arrows="e2e4"),
        board_svg("startpos", arrows=["e2e4:red", "d5"]),
        board_svg("startpos", fill={"e4": "red"}),
        board_svg("startpos", marks="e4,e5"),
        board_svg("startpos", size=100),
        board_svg("startpos", coordinates=False),
        board_svg("startpos", colors="gray"),
    ]
    assert len({svg, *changed}) == 10
    assert board_svg("startpos", arrows="e2e4,d5:red") == board_svg("startpos", arrows=["e2e4", "d5:red"])
    assert board_svg("startpos", fill=[("e4", "red")]) == board_svg("startpos", fill={"e4": "red"})
    assert board_svg("startpos", orientation="turn") == svg
    check = "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"
    assert board_svg(check) != board_svg(check, check=False)
    assert board_text("e4", ansi=True).count("\x1b[0m") == 8
    root = ElementTree.fromstring(board_svg("startpos", size=100))
    assert (root.attrib["width"], root.attrib["height"], root.attrib["viewBox"]) == ("100", "100", "0 0 360 360")


def test_a_png_picture_has_its_size():
    png = board_png("startpos", size=64)
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and png[16:24] == bytes([0, 0, 0, 64] * 2)
    assert board_png("startpos")[16:20] == bytes([0, 0, 1, 104])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"orientation": "up"}, "orientation is 'up', but must be one of white, black, turn"),
        ({"last_move": "Nf3"}, "last_move is 'Nf3', but must be the squares of a move"),
        ({"arrows": "e2e9"}, 'arrows: "e2e9" is not an arrow'),
        ({"arrows": ["e2e4:pink"]}, 'arrows: "pink" is not a colour'),
        ({"fill": {"e9": "red"}}, "fill: 'e9' is not a square"),
        ({"fill": {"e4": "pink"}}, 'fill: "pink" is not a colour'),
        ({"marks": ["e"]}, "marks: 'e' is not a square"),
        ({"size": 0}, "size is 0"),
        ({"size": -1}, "size is -1, which is out of range"),
        ({"size": 5000}, "a PNG picture is 1 to 4096 pixels wide, not 5000"),
        ({"colors": "pink"}, 'colors: "pink" is not a set of colours'),
        ({"lang": "xx"}, "lang is 'xx'"),
    ],
)
def test_a_wrong_option_is_named(options, message):
    with pytest.raises(ValueError, match="^" + message):
        board_png("startpos", **options)


def test_a_wrong_position_is_refused():
    with pytest.raises(ValueError, match="cannot reach e6"):
        board_svg("e4 Ke6")
    with pytest.raises(TypeError):
        board_svg(5)
    with pytest.raises(TypeError, match="^last_move is None, but must be the squares of a move"):
        board_svg("startpos", last_move=None)
