"""Games one by one, against python-chess."""

from __future__ import annotations

import io
import itertools
import threading

import chess
import chess.pgn
import pytest

import pgn2fen

REAL = [
    "lichess_2012",
    "evaluations_on_every_move",
    "clocks_in_comments",
    "annotated_in_prose",
    "fischer_random_2018",
    "tournaments_2020",
]


def oracle(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield game


@pytest.mark.parametrize("name", REAL)
def test_games_are_those_of_python_chess(name, fixtures, most):
    path = fixtures / "games" / f"{name}.pgn"
    compared = 0
    pairs = itertools.zip_longest(pgn2fen.games(path, messages="ignore"), oracle(path))
    for ours, theirs in itertools.islice(pairs, most):
        assert ours is not None and theirs is not None
        for tag, value in ours.tags.items():
            if tag in theirs.headers and "?" not in value:
                assert theirs.headers[tag] == value
        if theirs.errors:
            continue
        compare(ours.moves, theirs, theirs.board())
        assert ours.result == theirs.headers["Result"]
        assert ours.errors == []
        compared += 1
    assert compared > 0


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"unique": True}, ["--unique"]),
        ({"unique": "White,Black", "keep": "longest"}, ["--unique=White,Black", "--keep", "longest"]),
        ({"unique": "beginnings", "keep": "annotated"}, ["--unique=beginnings", "--keep", "annotated"]),
        ({"sort": "Date,-WhiteElo"}, ["--sort", "Date,-WhiteElo"]),
        ({"sort": ["White", "Black"]}, ["--sort", "White,Black"]),
        ({"shuffle": True, "seed": 7}, ["--shuffle", "--seed", "7"]),
        ({"shuffle": True}, ["--shuffle"]),
        ({"invert": True}, ["--invert"]),
        ({"san": True}, ["--san"]),
        (
            {"comments": False, "variations": False, "nags": False},
            ["--no-comments", "--no-variations", "--no-nags"],
        ),
        ({"keep_tags": "roster", "width": 0}, ["--tags", "roster", "--width", "0"]),
        ({"keep_tags": ["White", "Black"], "add_fen": "last"}, ["--tags", "White,Black", "--add-fen", "last"]),
        ({"san": True, "on_error": "drop"}, ["--san", "--on-error", "drop"]),
        ({"set_tags": {"Event": "Club", "X": ""}}, ["--set-tag", "Event=Club", "--set-tag", "X="]),
        (
            {"set_tags": "Result=*", "remove_tags": ["*Elo", "ECO"]},
            ["--set-tag", "Result=*", "--remove-tag", "*Elo", "--remove-tag", "ECO"],
        ),
        ({"add_opening": True, "san": True}, ["--add-opening", "--san"]),
        ({"repair": True}, ["--repair"]),
        ({"comments": "words"}, ["--comments", "words"]),
        ({"plies": (None, 12)}, ["-p", "..12"]),
    ],
)
@pytest.mark.parametrize("name", ["variations_and_glyphs", "tournaments_2020"])
def test_written_games_are_those_of_the_command(name, options, arguments, fixtures, command, tmp_path):
    path = fixtures / "games" / f"{name}.pgn"
    games = pgn2fen.games(path, tags="White>M", messages="ignore")
    report = games.write(tmp_path / "games.pgn", **options)
    assert report.games > 0
    expected = command("games", "-q", "-t", "White>M", *arguments, path)
    assert expected or name != "tournaments_2020"
    assert (tmp_path / "games.pgn").read_bytes() == expected


def test_wrong_options_for_written_games_are_refused(games, tmp_path):
    chosen = pgn2fen.games(games)
    for options, reason in [
        ({"sort": "Date", "shuffle": True}, "sort and shuffle are two orders"),
        ({"seed": 1}, "seed needs shuffle, or shares"),
        ({"split": 10, "seed": 1}, "seed needs shuffle, or shares"),
        ({"split": 10}, r"use a name such as .*games-\{part\}\.pgn"),
        ({"split": "train=0.9"}, "split: the shares add up to 0.9, not to 1"),
        ({"duplicates": tmp_path / "games.pgn"}, "duplicates and path are the same"),
        ({"duplicates": tmp_path / "games.csv"}, "csv"),
        ({"on_error": "drop"}, "on_error needs san=True"),
        ({"san": True, "on_error": "skip"}, "on_error is 'skip'"),
        ({"sort": "-"}, "sort: "),
        ({"keep_tags": "White Elo"}, "keep_tags: "),
        ({"comments": "some"}, "comments is 'some'"),
        ({"add_fen": "all"}, "add_fen is 'all'"),
        ({"set_tags": "FEN=8/8"}, "set_tags: FEN tells where a game starts"),
        ({"remove_tags": ["SetUp"]}, "remove_tags: SetUp tells"),
        ({"rename": True}, "rename=True needs names"),
        ({"plies": "8..20"}, "plies: games are written from their start"),
    ]:
        with pytest.raises(ValueError, match=reason):
            chosen.write(tmp_path / "games.pgn", **options)
    with pytest.raises(ValueError, match="csv"):
        chosen.write(tmp_path / "games.csv")
    for name, reason in [
        ("{part}.pgn", "games are not split"),
        ("{White.pgn", "is not closed"),
        ("{eco}.pgn", "{eco} is"),
    ]:
        with pytest.raises(ValueError, match=reason):
            chosen.write(tmp_path / name)
    with pytest.raises(TypeError, match="shuffle is 7"):
        chosen.write(tmp_path / "games.pgn", shuffle=7)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "options", "arguments", "count"),
    [
        ("players/{White}.pgn", {}, [], 50),
        ("{Result}/{{x}}.pgn.gz", {"sort": "Date"}, ["--sort", "Date"], 3),
        ("games-{part}.pgn", {"split": 100}, ["--split", "100"], 3),
        ("{part}.pgn", {"split": "20kB", "unique": True}, ["--split", "20kB", "--unique"], 5),
        ("{part}.pgn", {"split": "a=0.5,b=50%"}, ["--split", "a=0.5,b=50%"], 2),
        (
            "{part}-{Result}.pgn",
            {"split": "a=0.5,b=0.5", "seed": 3, "shuffle": True},
            ["--split", "a=0.5,b=0.5", "--seed", "3", "--shuffle"],
            6,
        ),
    ],
)
def test_games_are_divided_into_files_as_by_the_command(name, options, arguments, count, fixtures, command, tmp_path):
    path = fixtures / "games" / "tournaments_2020.pgn"
    report = pgn2fen.games(path).write(tmp_path / "ours" / name, **options)
    assert report.is_complete
    command("games", "-q", *arguments, "-o", tmp_path / "theirs" / name, path)

    def files(folder):
        return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}

    ours = files(tmp_path / "ours")
    assert ours == files(tmp_path / "theirs")
    assert len(ours) >= count


@pytest.mark.parametrize("name", ["once.pgn", "{Result}.pgn"])
@pytest.mark.parametrize("options", [{}, {"sort": "-Date"}], ids=str)
def test_duplicates_are_kept_aside_as_by_the_command(name, options, fixtures, command, tmp_path):
    path = fixtures / "games" / "tournaments_2020.pgn"
    games = pgn2fen.games([path, path], max_games=300)
    for folder in ["ours", "theirs"]:
        (tmp_path / folder).mkdir()
    report = games.write(tmp_path / "ours" / name, duplicates=tmp_path / "ours" / "again.pgn.gz", **options)
    assert report.games == 300
    arguments = [argument for option, value in options.items() for argument in [f"--{option}", value]]
    aside = ["--duplicates", tmp_path / "theirs" / "again.pgn.gz"]
    command("games", "-q", "-n", 300, *arguments, *aside, "-o", tmp_path / "theirs" / name, path, path)
    names = sorted(file.name for file in (tmp_path / "ours").iterdir())
    assert names == sorted(file.name for file in (tmp_path / "theirs").iterdir())
    for each in names:
        assert (tmp_path / "ours" / each).read_bytes() == (tmp_path / "theirs" / each).read_bytes()
    again = list(pgn2fen.games(tmp_path / "ours" / "again.pgn.gz"))
    assert len(again) == len(list(pgn2fen.games([path, path], max_games=300))) - 232


def test_files_of_games_appear_together(tmp_path):
    path = tmp_path / "bad.pgn"
    path.write_bytes(b"1. e4 e5 1-0\n\n1. d4 e6 2. Ke5 *\n")
    games = pgn2fen.games(path, messages="ignore")
    with pytest.raises(pgn2fen.GameError, match="Ke5"):
        games.write(tmp_path / "{Result}.pgn", san=True, on_error="raise", duplicates=tmp_path / "again.pgn")
    assert [file.name for file in tmp_path.iterdir()] == ["bad.pgn"]
    with pytest.raises(OSError, match="bad.pgn"):
        games.write(path / "{Result}.pgn")
    before = path.read_bytes()
    for target in [{"path": path}, {"path": tmp_path / "{part}.pgn", "split": "bad=1"}]:
        with pytest.raises((ValueError, OSError), match="bad.pgn"):
            games.write(**target)
    with pytest.raises(ValueError, match="bad.pgn"):
        games.write(tmp_path / "good.pgn", duplicates=path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["bad.pgn"]
    report = games.write(tmp_path / "{{}}.pgn", san=True, on_error="drop")
    assert (report.games, report.errors) == (2, 1)
    assert [game.moves.sans for game in pgn2fen.games(tmp_path / "{}.pgn")] == [["e4", "e5"]]


def compare(line, node, board):
    """Compares a line with the main line behind a node, and their variations with one another."""
    assert line.start.fen(ep="legal") == board.fen(en_passant="legal")
    parent = node
    for move in line:
        theirs = parent.variations[0]
        assert (move.san, move.turn) == (parent.board().san(theirs.move), "wb"[not parent.turn()])
        assert move.number == parent.board().fullmove_number
        assert move.before.fen(ep="legal") == parent.board().fen(en_passant="legal")
        assert move.fen == move.after.fen()
        assert move.after.fen(ep="legal") == theirs.board().fen(en_passant="legal")
        assert set(move.nags) == set(theirs.nags)
        assert move.clk == theirs.clock()
        if theirs.eval() is not None and not theirs.eval().white().is_mate():
            assert move.eval == theirs.eval().white().score()
        comment = theirs.comment if isinstance(theirs.comment, str) else " ".join(theirs.comments)
        assert " ".join(move.comment.split()) == " ".join(comment.split())
        assert len(move.variations) == len(parent.variations) - 1
        for variation, other in zip(move.variations, parent.variations[1:]):
            assert variation.sans[0] == parent.board().san(other.move)
            assert variation.ucis == [node.move.uci() for node in mainline(other)]
        parent = theirs
    assert parent.variations == []


def mainline(node):
    while node is not None:
        yield node
        node = node.variations[0] if node.variations else None


TEXT = """[Event "A"]
[White "Müller, Jörg"]
[Result "1-0"]

{first} 1. e4! {best by test} $14 (1. d4 d5 {solid [%eval 0.31]} (1... Nf6 2. c4)) (1. c4) 1... e5 {[%eval -1.5] [%clk 0:01:30.5]} 2. Nf3 1-0

[Event "B"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 Ke7 2. e6 *

[Event "C"]
[FEN "nonsense"]

1. e4 *
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_the_comment_of_a_move_is_that_of_its_row(tmp_path):
    path = tmp_path / "a.pgn"
    variation = b"(1... c5 {\r\nfive\r\n})"
    path.write_bytes(b"1. e4 {one\r\ntwo\rthree } { } { four} e5 " + variation + b" {[%clk 0:01:00] six\r\nseven} *\n")
    [game] = pgn2fen.games(path)
    moves = [*game.moves, game.moves[1].variations[0][0]]
    rows = pgn2fen.scan(path, "san,comment,words", variations=True, skip_start=True).rows()
    assert sorted((move.san, move.comment, move.words) for move in moves) == sorted(rows)
    assert game.moves[0].comment == "one\ntwo\nthree four"


def test_comments_are_words_and_shapes():
    text = b"{Look: [%csl Yd4]} 1. e4 {[%cal Ge2e4,Rd1h5] Strong. [%clk 0:01:00]} {really} e5 {+0.31/14 0.5s} *"
    (game,) = pgn2fen.games(io.BytesIO(text))
    assert (game.moves.words, game.moves.shapes) == ("Look:", [("d4", "d4", "yellow")])
    first, second = game.moves
    assert (first.words, first.shapes) == ("Strong. really", [("e2", "e4", "green"), ("d1", "h5", "red")])
    assert (second.words, second.shapes) == ("", [])


def test_a_game_has_tags_moves_comments_and_variations(path):
    first = next(iter(pgn2fen.games(path)))
    assert first.tags == {"Event": "A", "White": "Müller, Jörg", "Result": "1-0"} and list(first.tags)[1] == "White"
    assert (first["White"], first.get("Black"), first.get("Black", "?"), "White" in first, "Black" in first) == (
        "Müller, Jörg",
        None,
        "?",
        True,
        False,
    )
    with pytest.raises(KeyError, match="Black"):
        first["Black"]
    moves = first.moves
    assert (moves.sans, moves.ucis) == (["e4", "e5", "Nf3"], ["e2e4", "e7e5", "g1f3"])
    assert (len(moves), str(moves), moves.comments) == (3, "1. e4 e5 2. Nf3", ["first"])
    assert (moves[0].comment, moves[0].nags, moves[0].text, moves[-1].san, moves[1].number) == (
        "best by test",
        [1, 14],
        "e4",
        "Nf3",
        1,
    )
    assert (moves[1].eval, moves[1].clk, moves[0].eval) == (-150, 90.5, None)
    assert [move.san for move in moves[1:]] == ["e5", "Nf3"] and [move.san for move in moves[::-1]] == [
        "Nf3",
        "e5",
        "e4",
    ]
    queen, english = moves[0].variations
    assert (queen.sans, english.sans, queen[1].eval) == (["d4", "d5"], ["c4"], 31)
    assert queen[1].variations[0].sans == ["Nf6", "c4"] and str(queen[1].variations[0]) == "1... Nf6 2. c4"
    assert moves.fens == [position.fen() for position in moves.positions] and len(moves.fens) == 4
    assert moves.end == pgn2fen.Position("1. e4 e5 2. Nf3") and moves.start == pgn2fen.Position()
    with pytest.raises(IndexError, match="there is no move 3; the line has 3"):
        moves[3]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("1. e4 *", []),
        ("1. f3 e5 2. g4 Qh4# 0-1", ["mate"]),
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *", ["threefold"]),
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *", []),
        ('[FEN "k7/8/8/8/8/8/8/K6R w - - 99 90"]\n\n1. Rh2 *', ["fifty-moves"]),
        ('[FEN "7k/5K2/8/8/8/8/8/6Q1 w - - 0 1"]\n\n1. Qg6 *', ["stalemate"]),
        ('[FEN "7k/8/8/8/8/8/8/Kq6 w - - 0 1"]\n\n1. Kxb1 *', ["insufficient"]),
        ('[Variant "King of the Hill"]\n[FEN "7k/8/8/8/8/8/8/Kq6 w - - 0 1"]\n\n1. Kxb1 *', []),
        ('[FEN "8/8"]\n\n1. e4 *', []),
    ],
)
def test_the_end_of_a_game_on_the_board_is_told(text: str, ends: list[str]) -> None:
    (game,) = pgn2fen.games(io.BytesIO(text.encode()), messages="ignore")
    assert game.moves.ends == ends


def test_a_game_knows_its_place(path):
    games = list(pgn2fen.games(path, messages="ignore"))
    assert [(game.number, game.line) for game in games] == [(1, 1), (2, 7), (3, 12)]
    text = path.read_bytes()
    for game in games:
        assert text[game.offset :].startswith(b'[Event "')
        assert game.file == str(path) and text.decode().count(game.text.strip()) == 1
    assert repr(games[0]) == f"<pgn2fen.Game 1 of {path}: Müller, Jörg – ?>"


def test_errors_belong_to_their_game(path):
    games = pgn2fen.games(path, messages="ignore")
    first, second, third = games
    assert first.errors == [] and first.result == "1-0"
    [error] = second.errors
    assert (error.kind, error.game, error.line, error.column, error.ply, error.subject) == (
        "illegal-move",
        2,
        10,
        14,
        3,
        "e6",
    )
    assert second.moves.sans == ["e4", "Ke7"] and second.result == "*"
    assert [error.kind for error in third.errors] == ["bad-fen"]
    assert (third.moves.start, third.moves.end, len(third.moves), third.moves.positions) == (None, None, 0, [])
    assert games.report.games == 3 and games.report.errors == 1


def test_the_errors_are_those_of_a_scan(fixtures):
    files = sorted((fixtures / "games").glob("*.pgn"))
    scan = pgn2fen.scan(files, "fen", messages="ignore", variations=True)
    scan.to_list()
    theirs = [message for message in scan.report.messages if message.is_error]
    ours = [error for game in pgn2fen.games(files, messages="ignore") for error in game.errors]
    assert len(ours) >= 3 and sorted(map(place, ours)) == sorted(map(place, theirs))
    assert sorted(map(str, ours)) == sorted(map(str, theirs))


def place(message):
    return message.file, message.line, message.column, message.kind, message.game, message.ply or 0


def test_filters_choose_games(fixtures):
    path = fixtures / "games" / "lichess_2012.pgn"
    rows = pgn2fen.scan(path, "game", tags="WhiteElo>=1700", plies=0).to_list()
    assert [game.number for game in pgn2fen.games(path, tags="WhiteElo>=1700")] == rows and rows
    assert len(list(pgn2fen.games(path, max_games=3))) == 3
    assert len(list(pgn2fen.games(fixtures / "starts" / "mixed.pgn", start="nonstandard", messages="ignore"))) == 4
    assert repr(pgn2fen.games(path, max_games=3)).endswith("lichess_2012.pgn', max_games=3)")


def test_positions_are_those_of_a_scan(fixtures):
    files = [fixtures / "games" / f"{name}.pgn" for name in REAL] + [fixtures / "starts" / "mixed.pgn"]
    fens = [fen for game in pgn2fen.games(files, messages="ignore") for fen in game.moves.fens]
    assert fens == pgn2fen.scan(files, "fen", messages="ignore").to_list()


MATCH = b"""[Result "1-0"]

1. e4 {book} f6 {-0.50/9 1.5s, n=1234} (1... g5 {-0.70/8 1s} 2. d4 {+0.80/7 2s})
2. d4 {+0.75/10 0.02s} g5 {-M2/2 0s} 3. Qh5# {+M1/1 0s, White mates} 1-0
"""


def test_evaluations_of_engines_are_those_of_the_position_after_the_move():
    [game] = pgn2fen.games(io.BytesIO(MATCH), evals="engine")
    line = game.moves
    assert [line.eval, *[move.eval for move in line]] == [None, 50, 75, 31999, 31999, None]
    assert [(move.depth, move.time, move.nodes) for move in line][:2] == [(9, 1.5, 1234), (10, 0.02, None)]
    assert (line.depth, line.time, line.nodes, line[-1].depth) == (None, None, None, None)
    [variation] = line[1].variations
    assert [variation.eval, *[move.eval for move in variation]] == [70, 80, None]
    assert (variation.depth, variation.time, variation.nodes) == (8, 1.0, None)
    for evals in ["lichess", "tcec"]:
        [game] = pgn2fen.games(io.BytesIO(MATCH), evals=evals)
        assert {move.eval for move in game.moves} == {None}


@pytest.mark.parametrize(
    ("name", "evals"),
    [
        ("fishtest_black_begins", "engine"),
        ("evaluations_and_times", "lichess"),
        ("evaluations_on_every_move", "lichess"),
    ],
)
def test_evaluations_of_moves_are_those_of_a_scan(name, evals, fixtures):
    path = fixtures / "games" / f"{name}.pgn"
    rows = list(pgn2fen.scan(path, "eval,depth,time,nodes", evals=evals, messages="ignore").rows())
    found = [
        (place.eval, place.depth, place.time, place.nodes)
        for game in pgn2fen.games(path, evals=evals, messages="ignore")
        for place in [game.moves, *game.moves]
    ]
    assert found == rows
    assert sum(row[0] is not None for row in rows) > len(rows) / 2


def test_every_source_of_games_will_do(fixtures, tmp_path):
    import gzip

    path = fixtures / "games" / "lichess_2012.pgn"
    expected = [game.text for game in pgn2fen.games(path)]
    assert "".join("".join(expected).split()) == "".join(path.read_text().split())
    (tmp_path / "a.pgn.gz").write_bytes(gzip.compress(path.read_bytes()))
    for other in (tmp_path / "a.pgn.gz", io.BytesIO(path.read_bytes())):
        assert [game.text for game in pgn2fen.games(other, threads=1)] == expected
    (tmp_path / "list.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n8/8/8/3k4/8/8/4P3/4K3 b - -\n")
    assert [game.moves.start.fen(fields=4) for game in pgn2fen.games(tmp_path / "list.epd")] == (
        tmp_path / "list.epd"
    ).read_text().splitlines()


def test_old_encodings_are_decoded(tmp_path):
    path = tmp_path / "a.pgn"
    path.write_bytes('[White "Карпов"]\n\n1. e4 {ход} *\n'.encode("windows-1251"))
    game = next(iter(pgn2fen.games(path, encoding="windows-1251", messages="ignore")))
    assert (game["White"], game.moves[0].comment) == ("Карпов", "ход")


def test_old_text_is_guessed_alike_in_games_rows_and_messages(tmp_path):
    path = tmp_path / "a.pgn"
    text = '[White "Спасский, Борис"]\n\n1. e4 {Хороший ход} *\n\n[White "Р"]\n\n1. e4 {Ж} Ke5 *\n'
    path.write_bytes(text.encode("windows-1251"))
    games = list(pgn2fen.games(path, messages="ignore"))
    assert [game["White"] for game in games] == ["Спасский, Борис", "Р"]
    assert [game.moves[0].comment for game in games] == ["Хороший ход", "Ж"]
    assert "(Р – )" in str(games[1].errors[0])
    rows = pgn2fen.scan(path, columns="White,comment", messages="ignore").rows()
    assert list(rows)[1] == ("Спасский, Борис", "Хороший ход")


def test_a_loop_that_is_broken_off_stops_the_threads(big):
    for game in itertools.islice(pgn2fen.games(big), 10):
        assert game.moves
    games = pgn2fen.games([big] * 50)
    for game in games:
        break
    assert not games.report.is_complete


def test_a_move_is_found_in_its_line(fixtures):
    game = next(iter(pgn2fen.games(fixtures / "games" / "lichess_2012.pgn")))
    assert game.moves == game.moves and game.moves[3] == game.moves[3] != game.moves[4]
    assert game.moves[3] in game.moves and list(game.moves).index(game.moves[3]) == 3
    assert len({*game.moves, *reversed(game.moves)}) == len(game.moves)


def test_deep_variations_need_no_large_stack(tmp_path):
    (tmp_path / "deep.pgn").write_text("1. e4 " + "(1. d4 " * 250 + ")" * 250 + " e5 *\n")

    def read():
        [game] = pgn2fen.games(tmp_path / "deep.pgn", messages="ignore")
        line, depth = game.moves, 0
        while line[0].variations:
            [line] = line[0].variations
            depth += 1
        found.append((depth, len(game.moves), game.errors))

    found = []
    before = threading.stack_size(128 << 10)
    try:
        thread = threading.Thread(target=read)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert found == [(250, 2, [])]


def test_positions_are_joined_to_games(fixtures, tmp_path):
    pgn2fen.scan(fixtures / "games" / "tournaments_2020.pgn").write(tmp_path / "a.fen")
    pgn2fen.games(tmp_path / "a.fen").write(tmp_path / "a.pgn", join=True)
    moves = lambda path: [[str(move) for move in game.moves] for game in pgn2fen.games(path)]
    assert moves(tmp_path / "a.pgn") == moves(fixtures / "games" / "tournaments_2020.pgn")
    with pytest.raises(ValueError, match="sort is for copies of games"):
        pgn2fen.games(tmp_path / "a.fen").write(tmp_path / "b.pgn", join=True, sort="Date")


@pytest.mark.parametrize("ending", ["cbh", "cbv"])
def test_databases_of_chessbase_are_read_like_pgn(ending, fixtures):
    database, pgn = (fixtures / "chessbase" / f"games.{it}" for it in (ending, "pgn"))
    ours, theirs = (list(pgn2fen.games(path, messages="ignore")) for path in (database, pgn))
    assert [(game.tags, game.result) for game in ours] == [(game.tags, game.result) for game in theirs]
    assert len(ours) == 3
