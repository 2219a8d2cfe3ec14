"""Games that are changed and written as PGN, against `write(san=True)` and python-chess."""

from __future__ import annotations

import io

import chess.pgn
import pytest

import pgn2fen
from pgn2fen import EditedGame, EditedLine, EditedMove


def only(text):
    [game] = pgn2fen.games(io.BytesIO(text.encode()), messages="ignore")
    return game


def movetext(game):
    return game.to_pgn(keep_tags="none", width=0).strip()


def test_games_that_are_not_changed_are_written_as_by_write(fixtures, tmp_path):
    count = 0
    for path in sorted(fixtures.rglob("*.pgn")):
        written = []
        for game in pgn2fen.games(path, messages="ignore"):
            edited = game.edit()
            if edited.start is None:
                with pytest.raises(ValueError):
                    edited.to_pgn()
            else:
                written.append(edited.to_pgn())
                count += 1
        pgn2fen.games(path, messages="ignore").write(tmp_path / "copy.pgn", san=True)
        assert "".join(written) == (tmp_path / "copy.pgn").read_text(encoding="utf-8"), path
    assert count > 1000


def test_a_changed_game_is_read_back_by_python_chess():
    game = only('[White "A"]\n\n{first} 1. e4 $1 {a [%clk 0:01:00]} (1. d4 d5) 1... e5 2. Nf3 *').edit()
    game.tags["White"] = 'B "x"'
    game.result = "1-0"
    game.line.moves[0].variations[0].moves.append(EditedMove("c2c4", comments=["gambit"], nags=[5]))
    game.line.moves[1].variations.append(EditedLine.of("c5 Nf3"))
    del game.line.moves[2]
    theirs = chess.pgn.read_game(io.StringIO(str(game)))
    assert theirs is not None and not theirs.errors
    # python-chess leaves escapes of tags as they are.
    assert (theirs.headers["White"], theirs.headers["Result"]) == (r"B \"x\"", "1-0")
    assert only(str(game)).tags["White"] == 'B "x"'
    expected = "{first} 1. e4 $1 {a [%clk 0:01:00]} (1. d4 d5 2. c4 $5 {gambit}) 1... e5 (1... c5 2. Nf3) 1-0"
    assert movetext(game) == expected
    assert movetext(only(str(game)).edit()) == expected


def test_words_shapes_and_glyphs_change():
    game = only("1. e4 {old [%clk 0:01:00] [%cal Ge2e4]} $1 e5 *").edit()
    first, second = game.line.moves
    first.annotate(words="new", shapes=[("d4", "d4", "red"), ("e2", "e4", "blue")], nags=[3])
    second.annotate(shapes=[("e5", "e5", "green")])
    assert movetext(game) == "1. e4 $3 {new} {[%clk 0:01:00]} {[%csl Rd4][%cal Be2e4]} 1... e5 {[%csl Ge5]} *"
    again = only(str(game)).moves[0]
    assert (again.words, again.clk, again.nags) == ("new", 60, [3])
    assert again.shapes == [("d4", "d4", "red"), ("e2", "e4", "blue")]
    with pytest.raises(ValueError, match="e9"):
        first.annotate(shapes=[("e9", "e4", "red")])


def test_a_variation_becomes_the_main_line_and_back():
    game = only('[A "1"]\n\n1. e4 e5 {main} (1... c5 2. Nf3) ({b} 1... e6 $1 2. d4 (2. d3) d5) 2. f4 exf4 1-0').edit()
    game.line.promote(1, 1)
    expected = "1. e4 e6 $1 {b} (1... e5 {main} 2. f4 exf4) (1... c5 2. Nf3) 2. d4 (2. d3) 2... d5 1-0"
    assert movetext(game) == expected
    game.line.promote(-2)
    game.line.promote(2)
    assert movetext(game) == expected
    with pytest.raises(IndexError):
        game.line.promote(0)


def test_a_game_is_made_of_nothing_and_of_any_start():
    assert str(EditedGame()).endswith('[Result "*"]\n\n*\n\n')
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 39"
    game = EditedGame(line=EditedLine.of(["Kd7", "e4", "--"]), start=fen, result="1/2-1/2")
    assert str(game).endswith(f'[FEN "{fen}"]\n[SetUp "1"]\n\n39... Kd7 40. e4 -- 1/2-1/2\n\n')
    atomic = EditedGame(line=EditedLine.of("Nf3 f6 Nd4"), start=pgn2fen.Position().fen(), variant="atomic")
    assert only(str(atomic)).edit().variant == "atomic"
    assert 'Variant "Atomic"' in str(atomic)


def test_the_name_of_a_game_tells_its_initial_position_and_its_tag():
    explosion = EditedGame(variant="atomic", line=EditedLine.of("Nf3 a6 Ng5 b6 Nxf7"))
    assert 'Variant "Atomic"' in str(explosion) and "3. Nxf7# *" in str(explosion)
    house = EditedGame(variant="crazyhouse", line=EditedLine.of("e4 d5 exd5 Qxd5 P@d4"))
    assert [move.san for move in only(str(house)).moves][-1] == "@d4"
    assert '[Variant "Chess960"]' in str(EditedGame(variant="chess960", line=EditedLine.of("e4")))
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert f'[FEN "{fen}"]' in str(EditedGame(tags={"FEN": fen}, variant="standard", line=EditedLine.of("e4")))
    with pytest.raises(ValueError, match="foo: the games that are played are standard"):
        EditedGame(variant="foo", line=EditedLine.of("e4")).to_pgn()


def test_the_name_of_a_game_decides_over_its_tag():
    tags = {"Variant": "Atomic"}
    assert 'Variant "Atomic"' in str(EditedGame(tags=tags, line=EditedLine.of("e4")))
    assert 'Variant "Crazyhouse"' in str(EditedGame(tags=tags, variant="crazyhouse", line=EditedLine.of("e4")))
    assert "Variant" not in str(EditedGame(tags=tags, variant="standard", line=EditedLine.of("e4")))


@pytest.mark.parametrize("variant", ["standard", "atomic", "horde", None])
def test_startpos_is_the_initial_position(variant):
    game = EditedGame(start="startpos", variant=variant, line=EditedLine.of([]))
    assert str(game) == str(EditedGame(variant=variant))
    assert only(str(game)).moves.start == pgn2fen.Position(variant=variant)


def test_tags_of_games_that_were_read_are_written(tmp_path):
    names = ["_foo", "a-b", "a+b", "a:b", "__proto__", "x" * 300]
    text = "".join(f'[{name} "{value}"]\n' for value, name in enumerate(names)) + "\n1. e4 *\n"
    path = tmp_path / "a.pgn"
    path.write_text(text)
    pgn2fen.games(path).write(tmp_path / "copy.pgn", san=True)
    assert str(only(text).edit()) == (tmp_path / "copy.pgn").read_text()
    assert set(names) <= set(only(str(only(text).edit())).tags)


def test_variations_may_be_nested_as_deeply_as_they_are_read():
    text = "1. e4 " + "(1. d4 " * 256 + ")" * 256 + " *"
    assert movetext(only(text).edit()).count("(") == 256


def test_values_of_other_types_are_errors():
    def check(change, message):
        game = only("1. e4 (1. d4) 1... e5 *").edit()
        change(game)
        with pytest.raises(TypeError, match=message):
            game.to_pgn()

    check(lambda game: game.line.moves[1].variations.append("Nc6"), "a variation is an EditedLine, .* and not 'Nc6'")
    check(lambda game: game.line.moves[1].variations.append(["e6", "d4"]), "a variation is an EditedLine")
    check(lambda game: game.line.moves[0].variations.append(None), "a variation is an EditedLine, .* and not None")
    check(lambda game: game.line.moves.append("Nf3"), "a move is an EditedMove, .* and not 'Nf3'")
    check(lambda game: game.line.moves.append(EditedMove(None)), "a move is a text, and not None")
    check(lambda game: game.line.moves[0].comments.append(None), "a comment is a text, and not None")
    check(lambda game: setattr(game.line.moves[0], "comments", "ab"), "comments is a list of texts, and not 'ab'")
    check(lambda game: game.preface.append(None), "a comment is a text, and not None")
    check(lambda game: game.tags.update(White=None), "the value of the tag White is None")
    with pytest.raises(TypeError, match="variations is None, but must be True or False"):
        EditedGame().to_pgn(variations=None)
    with pytest.raises(TypeError, match="the value of the tag Event is None"):
        pgn2fen.games(io.BytesIO(b"1. e4 *")).write("never.pgn", set_tags={"Event": None})
    assert 'WhiteElo "2500"' in str(EditedGame(tags={"WhiteElo": 2500}))


def test_illegal_moves_and_wrong_values_are_errors():
    game = only("1. e4 (1. d4 d5 2. c4) 1... e5 *").edit()
    game.line.moves[0].variations[0].moves.append(EditedMove("Ke6"))
    with pytest.raises(ValueError, match=r"^ply 4: Ke6: the black king on e8 cannot reach e6$"):
        game.to_pgn()
    with pytest.raises(ValueError, match="result is '2-0'"):
        EditedGame(result="2-0").to_pgn()
    with pytest.raises(ValueError, match="White Elo"):
        EditedGame(tags={"White Elo": "1"}).to_pgn()
    with pytest.raises(ValueError, match="comments is 'some'"):
        EditedGame().to_pgn(comments="some")  # type: ignore[arg-type]
