"""Positions by their shape and games by their course, against python-chess."""

from __future__ import annotations

from collections import Counter

import chess
import chess.pgn
import pytest

import pgn2fen

NAME = "tournaments_2020.pgn"


@pytest.fixture(scope="module")
def boards(fixtures):
    """The boards of the main line of each game."""
    games = []
    with open(fixtures / "games" / NAME, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors
            line = [game.board()]
            for move in game.mainline_moves():
                after = line[-1].copy(stack=False)
                after.push(move)
                line.append(after)
            games.append(line)
    return games


def men(board, color):
    return Counter(chess.piece_symbol(man.piece_type) for man in board.piece_map().values() if man.color == color)


def is_rook_ending(board, color):
    """Whether both sides have a rook and pawns, and the side of a colour has a pawn more."""
    mine, theirs = men(board, color), men(board, not color)
    pawns = mine.pop("p", 0) - theirs.pop("p", 0)
    return mine == theirs == Counter("kr") and pawns == 1


def places(scan):
    return [(game - 1, ply) for game, ply in scan.rows()]


@pytest.mark.parametrize("colors", ["either", "given"])
def test_material_is_that_of_python_chess(fixtures, boards, colors):
    sides = [chess.WHITE] if colors == "given" else [chess.WHITE, chess.BLACK]
    expected = [
        (game, ply)
        for game, line in enumerate(boards)
        for ply, board in enumerate(line)
        if any(is_rook_ending(board, side) for side in sides)
    ]
    assert expected
    scan = pgn2fen.scan(fixtures / "games" / NAME, "game,ply", material="RP+1:RP*", colors=colors)
    assert places(scan) == expected


def test_a_shape_lasts_for_some_plies(fixtures, boards):
    scan = pgn2fen.scan(fixtures / "games" / NAME, "game,ply", material="RP+1:RP*", for_plies=10)
    expected = []
    for game, line in enumerate(boards):
        run: list[int] = []
        for ply, board in enumerate([*line, None]):
            if board is not None and any(is_rook_ending(board, side) for side in chess.COLORS):
                run.append(ply)
            else:
                expected += [(game, ply) for ply in run] if len(run) >= 10 else []
                run = []
    # A colour that has the pawn more keeps it, or the run would have to be divided by colours.
    assert expected
    assert places(scan) == expected


def test_patterns_and_pawns(fixtures, boards):
    def is_fianchetto(board, color, mirror):
        ranks = (lambda square: square) if color == chess.WHITE else chess.square_mirror
        files = (lambda square: square ^ 7) if mirror else (lambda square: square)
        has = {
            chess.G1: chess.Piece(chess.KING, color),
            chess.G2: chess.Piece(chess.BISHOP, color),
            chess.G3: chess.Piece(chess.PAWN, color),
        }
        return all(board.piece_at(files(ranks(square))) == man for square, man in has.items())

    for mirror in [False, True]:
        expected = [
            (game, ply)
            for game, line in enumerate(boards)
            for ply, board in enumerate(line)
            if any(is_fianchetto(board, color, side) for color in chess.COLORS for side in {False, mirror})
        ]
        assert expected
        pattern = "*/*/*/*/*/??????P?/??????B?/??????K?"
        assert places(pgn2fen.scan(fixtures / "games" / NAME, "game,ply", pattern=pattern, mirror=mirror)) == expected
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    pawns = boards[0][0].pawns
    expected = [
        (game, ply) for game, line in enumerate(boards) for ply, board in enumerate(line) if board.pawns == pawns
    ]
    assert places(pgn2fen.scan(fixtures / "games" / NAME, "game,ply", pawns=start)) == expected


def test_games_by_their_course(fixtures, boards):
    path = fixtures / "games" / NAME
    sicilian = chess.Board()
    for move in ["e4", "c5"]:
        sicilian.push_san(move)
    reached = [
        game
        for game, line in enumerate(boards)
        if any(board.epd(en_passant="legal") == sicilian.epd(en_passant="legal") for board in line)
    ]
    assert 0 < len(reached) < len(boards)
    for position in ["1. e4 c5", sicilian.fen()]:
        assert [game.number - 1 for game in pgn2fen.games(path, reached=position)] == reached
    long = [game for game, line in enumerate(boards) if len(line) - 1 >= 120]
    assert 0 < len(long) < len(boards)
    for length in [(120, None), "120.."]:
        assert [game.number - 1 for game in pgn2fen.games(path, length=length)] == long
    both = pgn2fen.scan(path, "game", reached=["1. e4 c5", "1. d4"], length=(120, None), plies=0)
    assert 0 < len(both.to_list()) < len(long)
    endings = [
        game
        for game, line in enumerate(boards)
        if any(is_rook_ending(board, side) for board in line for side in chess.COLORS)
    ]
    found = [game.number - 1 for game in pgn2fen.games(path, material="RP+1:RP*")]
    assert found == endings


def test_starts_by_their_shape(fixtures):
    path = fixtures / "starts" / "mixed.pgn"
    assert pgn2fen.starts(path, "fen", material="K?:K?", messages="ignore").to_list()
    assert pgn2fen.starts(path, "fen", material="KP:KR", messages="ignore").to_list() == [
        "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1"
    ]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"material": "KXP:K"}, "material: "),
        ({"pattern": "8/8"}, "pattern: "),
        ({"pawns": "x"}, "pawns: "),
        ({"material": "K:K", "colors": "white"}, "colors is 'white', but must be one of either, given"),
        ({"material": "K:K", "mirror": True}, "mirror exchanges left and right, and needs pattern or pawns"),
        ({"colors": "given"}, "colors needs material, pattern or pawns"),
        ({"for_plies": 2}, "for_plies needs material, pattern or pawns"),
        ({"material": "K:K", "for_plies": 0}, "for_plies is 0, but must be 1 or more"),
        ({"reached": "1. e4 e4"}, "reached: "),
        ({"moves": "Bxh7 Kx"}, "moves: "),
        ({"length": "a"}, "length: "),
    ],
)
def test_mistakes_are_refused(games, options, reason):
    with pytest.raises(ValueError) as caught:
        pgn2fen.scan(games, **options)
    assert str(caught.value).startswith(reason)


def test_empty_results_name_the_options(games):
    with pytest.warns(pgn2fen.GameWarning, match="material"):
        assert pgn2fen.scan(games, "fen", material="Q9:K").to_list() == []


def test_annotations_are_those_of_python_chess(fixtures):
    path = fixtures / "games" / "variations_and_glyphs.pgn"
    rows = pgn2fen.scan(path, "game,ply,comment,nags,tags", messages="ignore").rows()
    compared = 0
    with open(path, encoding="utf-8") as file:
        for number, game in enumerate(iter(lambda: chess.pgn.read_game(file), None), 1):
            for node in [game, *game.mainline()]:
                row = next(rows)
                assert row[:2] == (number, node.ply() - game.ply())
                assert (row[3] or []) == sorted(node.nags)
                assert row[4].items() <= dict(game.headers).items()
                compared += bool(row[3])
    assert compared > 0 and next(rows, None) is None


def test_rows_of_games(fixtures, tmp_path):
    path = fixtures / "games" / "blitz_evaluations_and_clocks.pgn"
    scan = pgn2fen.scan(path, ["game", "White", "moves", "evals", "clocks", "plies"], per="game")
    rows = pgn2fen.scan(path, "game,ply,uci,eval,clk", skip_start=True).rows()
    lists: dict[int, tuple[list, list, list]] = {}
    for game, _, uci, evaluation, clock in rows:
        for values, value in zip(lists.setdefault(game, ([], [], [])), (uci, evaluation, clock)):
            values.append(value)
    for game, _, moves, evals, clocks, plies in scan.rows():
        assert (moves, evals, clocks) == lists.pop(game)
        assert plies == len(moves)
    assert not lists
    scan.write(tmp_path / "games.parquet")
    again = pgn2fen.scan(tmp_path / "games.parquet", "fen", messages="ignore")
    assert again.to_list() == pgn2fen.scan(path, "fen").to_list()
    with pytest.raises(ValueError, match="per='game': "):
        scan.write(tmp_path / "games.csv")
    with pytest.raises(ValueError, match="leave out plies, material, variations"):
        pgn2fen.scan(path, per="game", plies=3, variations=True, material="K:K")


def test_wildcards_stand_for_the_tags_of_the_first_games(fixtures):
    path = fixtures / "games" / NAME
    scan = pgn2fen.scan(path, "ply,next_*,White*")
    assert scan.columns[:4] == ["ply", "next_san", "next_uci", "White"] and "WhiteElo" in scan.columns
    with path.open("rb") as file, pytest.raises(ValueError, match="file object can be read only once"):
        pgn2fen.scan(file, "White*")


def test_games_in_parquet_files(fixtures):
    pgn = pgn2fen.scan(
        fixtures / "tables" / "pyarrow_moves_uci.parquet", "san,fen", movetext="moves_uci", messages="ignore"
    )
    assert pgn.to_list("fen")
    with pytest.raises(OSError, match="Event"):
        pgn2fen.scan(fixtures / "tables" / "duckdb.parquet", movetext="plays").to_list("fen")
