"""Positions and the rules of chess, against python-chess."""

import pickle
import random

import chess
import chess.polyglot
import chess.variant
import pytest

from pgn2fen import Position


def test_the_initial_position_is_the_default():
    position = Position()
    assert position.fen() == chess.STARTING_FEN == str(position)
    assert repr(position) == f"Position('{chess.STARTING_FEN}')"
    assert len(position.legal_moves) == 20
    assert (position.turn, position.pieces, position.fullmove_number, position.halfmove_clock) == ("w", 32, 1, 0)


@pytest.mark.parametrize("fen", ["4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "1rkr4/8/8/8/8/8/8/RRKR4 w BDbd - 0 1"])
def test_a_key_covers_the_side_of_a_castling_right_and_not_its_rook(fen):
    board = chess.Board(fen, chess960=True)
    assert Position(fen, variant="chess960").key % 2**64 == chess.polyglot.zobrist_hash(board)


@pytest.mark.parametrize("seed", range(20))
def test_random_games_are_played_as_python_chess_plays_them(seed):
    chooser = random.Random(seed)
    board, position = chess.Board(), Position()
    for _ in range(150):
        assert sorted(position.legal_moves) == sorted(move.uci() for move in board.legal_moves)
        assert position.fen(ep="legal") == board.fen(en_passant="legal")
        assert position.fen(ep="always") == board.fen(en_passant="fen")
        assert position.fen(ep="xfen") == board.fen(en_passant="xfen")
        assert position.fen(castling="shredder") == board.fen(shredder=True, en_passant="fen")
        assert position.fen(fields=4, ep="legal") == board.epd()
        assert position.key % 2**64 == chess.polyglot.zobrist_hash(board)
        assert position.is_check == board.is_check()
        assert position.is_checkmate == board.is_checkmate()
        assert position.is_stalemate == board.is_stalemate()
        if board.is_game_over(claim_draw=False) and not any(board.legal_moves):
            break
        move = chooser.choice(list(board.legal_moves))
        san = board.san(move)
        assert (position.san(move.uci()), position.uci(move=san)) == (san, move.uci())
        assert position.play(san) == position.play(move.uci())
        board.push(move)
        position = position.play(san)


def test_pieces_are_found_by_their_squares():
    position = Position("1. e4 c5")
    assert [position.piece_at(square) for square in ("e4", "c5", "a1", "e8", "e2")] == ["P", "p", "R", "k", None]
    board = chess.Board(position.fen())
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        assert position.piece_at(chess.square_name(square)) == (piece.symbol() if piece else None)
    for wrong in ("e9", "E4", "", "e44", "é4"):
        with pytest.raises(ValueError, match=f"'{wrong}' is not a square, such as e4"):
            position.piece_at(wrong)


def test_several_moves_are_played_at_once():
    assert (
        Position().play("e4", "c7c5", "Nf3").fen(fields=4)
        == "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -"
    )
    assert Position().play("Sf3", lang="de") == Position().play("Nf3")


def test_positions_are_read_as_people_write_them():
    assert Position("1. e4 c5 2. Nf3") == Position().play("e4", "c5", "Nf3")
    assert Position("startpos moves e2e4") == Position().play("e4")
    assert Position("8/8/8/3k4/8/8/4P3/4K3 w - -").play("e4").fen() == "8/8/8/3k4/4P3/8/8/4K3 b - e3 0 1"


def test_chess960_castles_by_capturing_the_rook():
    position = Position("4k3/8/8/8/8/8/8/5KR1 w G - 0 1")
    assert "f1g1" in position.legal_moves
    assert position.play("O-O").fen() == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"


BOARDS = {
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "threeCheck": chess.variant.ThreeCheckBoard,
    "kingOfTheHill": chess.variant.KingOfTheHillBoard,
    "antichess": chess.variant.AntichessBoard,
    "giveaway": chess.variant.GiveawayBoard,
    # python-chess starts with castling rights, which FICS does not have.
    "suicide": lambda: chess.variant.SuicideBoard(chess.STARTING_FEN.replace("KQkq", "-")),
    "atomic": chess.variant.AtomicBoard,
    "horde": chess.variant.HordeBoard,
    "racingKings": chess.variant.RacingKingsBoard,
}


def _fields(fen):
    """The fields of a FEN without the halfmove clock, which python-chess counts on after the drop of a pawn."""
    fields = fen.split()
    return fields[:-2] + fields[-1:]


@pytest.mark.parametrize("variant", BOARDS)
def test_variants_are_played_as_python_chess_plays_them(variant):
    chooser = random.Random(variant)
    for _ in range(4):
        board, position = BOARDS[variant](), Position(variant=variant)
        for _ in range(120):
            fen = board.fen(en_passant="fen")
            over = board.is_variant_end()
            assert position.variant == variant
            assert _fields(position.fen()) == _fields(fen)
            assert sorted(position.legal_moves) == ([] if over else sorted(move.uci() for move in board.legal_moves))
            assert (position.end is None) == (not over and any(board.legal_moves))
            assert position.is_checkmate == board.is_checkmate()
            assert position.is_stalemate == board.is_stalemate()
            assert Position(position.fen(), variant=variant) == position == pickle.loads(pickle.dumps(position))
            if position.end:
                won = board.is_variant_win()
                lost = board.is_variant_loss() or board.is_checkmate()
                winner = board.turn if won else (not board.turn) if lost else None
                assert position.result == {True: "1-0", False: "0-1", None: "1/2-1/2"}[winner]
                break
            move = chooser.choice(list(board.legal_moves))
            san = board.san(move)
            assert (position.san(move.uci()), position.uci(san)) == (san, move.uci())
            board.push(move)
            position = position.play(san)


def test_the_form_of_a_fen_tells_hands_and_checks():
    house = Position("4k3/8/8/8/8/8/8/4K2Q~/QNp w - - 0 1")
    assert (house.variant, house.hand, house.remaining_checks) == ("crazyhouse", "QNp", None)
    assert house.fen() == "4k3/8/8/8/8/8/8/4K2Q~[QNp] w - - 0 1"
    assert house.fen(fen_style="lichess") == "4k3/8/8/8/8/8/8/4K2Q~/NQp w - - 0 1"
    assert repr(house) == f"Position('{house.fen()}', variant='crazyhouse')"
    checks = Position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 +0+2")
    assert (checks.variant, checks.remaining_checks, checks.hand) == ("threeCheck", (3, 1), "")
    assert checks.fen() == "4k3/8/8/8/8/8/8/R3K3 w Q - 3+1 0 1"
    assert Position(variant="chess960").variant == "chess960" and Position().variant == "standard"
    assert Position(variant="atomic") != Position()


def test_equal_positions_have_equal_hashes_and_survive_pickling():
    first, second = Position().play("Nf3", "Nf6", "Ng1", "Ng8"), Position()
    assert first != second and first.is_same(second)
    for position in (first, second, Position("r3k2r/8/8/8/8/8/8/RR2K3 w A - 3 7")):
        again = pickle.loads(pickle.dumps(position))
        assert again == position and hash(again) == hash(position)
        assert again in {position}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Position("1. e4 Ke6"), "the black king on e8 cannot reach e6"),
        (lambda: Position("8/8/8/8/8/8/8/4K3 w - - 0 1"), "black has no king"),
        (lambda: Position().play("e5"), "e5: no white pawn can reach e5"),
        (lambda: Position().play("e4", "e4"), "in rnbqkbnr/pppppppp/8/8/4P3"),
        (lambda: Position().fen(ep="never"), "ep is 'never', but must be one of always, xfen, legal"),
        (lambda: Position().fen(fields=5), "fields is 5, but must be 4 or 6"),
        (
            lambda: Position(variant="bughouse"),
            "variant is 'bughouse', but must be one of standard, chess960, crazyhouse",
        ),
        (lambda: Position(variant="crazyhouse").play("N@e4"), "white has no knight in hand"),
        (lambda: Position("e4", lang="xx"), "lang is 'xx', but must be one of en, de, fr"),
    ],
)
def test_mistakes_are_value_errors_with_the_reason(make, message):
    with pytest.raises(ValueError, match="(?s)" + message.replace("/", "/")):
        make()
