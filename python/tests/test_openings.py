"""Openings are those that python-chess finds by brute force."""

from __future__ import annotations

import csv
import io
from collections import defaultdict

import chess
import chess.pgn
import pytest

import pgn2fen

FILES = [
    "tournaments_2020.pgn",
    "lichess_2012.pgn",
    "opening_book.pgn",
    "fischer_random_2018.pgn",
    "double_fischer_random_starts.pgn",
    "variations_and_glyphs.pgn",
    "annotated_in_prose.pgn",
    "evaluations_on_every_move.pgn",
]


@pytest.fixture(scope="module")
def names(fixtures):
    """The names of positions, by their first four fields."""
    names = {}
    for path in sorted((fixtures.parent / "crates" / "chess" / "src" / "openings").glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as lines:
            for line in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                board = chess.Board()
                for word in line["pgn"].split():
                    if not word.endswith("."):
                        board.push_san(word)
                key = board.epd(en_passant="legal")
                assert key not in names
                names[key] = (line["eco"], line["name"])
    assert len(names) == 3810
    return names


def opening_of(board, names):
    return names.get(board.epd(en_passant="legal"))


def line_names(node, board, last, names, variations):
    """Lists the names of the positions after each move of a line, in the order of the text."""
    listed = []
    while node.variations:
        before, around = board, last
        for number, child in enumerate(node.variations if variations else node.variations[:1]):
            after = before.copy(stack=False)
            after.push(child.move)
            name = opening_of(after, names) or around
            listed.append(name)
            if number == 0:
                board, last = after, name
            else:
                listed += line_names(child, after, name, names, variations)
        node = node.variations[0]
    return listed


@pytest.mark.filterwarnings("ignore::pgn2fen.GameWarning")
@pytest.mark.parametrize("variations", [False, True])
@pytest.mark.parametrize("file", FILES)
def test_names_are_those_that_brute_force_finds(file, variations, fixtures, names, most):
    path = fixtures / "games" / file
    ours = defaultdict(list)
    for offset, eco, name in pgn2fen.scan(path, "offset,eco,opening", variations=variations).rows():
        ours[offset].append(eco and (eco, name))
    text = path.read_bytes()
    compared = []
    for start, end in list(zip(ours, [*list(ours)[1:], len(text)]))[:most]:
        game = chess.pgn.read_game(io.StringIO(text[start:end].decode("utf-8", "replace")))
        assert game is not None
        assert not game.errors
        board = game.board()
        first = opening_of(board, names)
        assert ours[start] == [first, *line_names(game, board, first, names, variations)], (file, start)
        compared.append(start)
    assert compared == list(ours)[:most] != []


@pytest.mark.filterwarnings("ignore::pgn2fen.GameWarning")
def test_a_filter_chooses_by_the_last_name(fixtures):
    path = fixtures / "games" / "opening_book.pgn"
    last = dict(pgn2fen.scan(path, "game,opening", plies=-1).rows())
    sicilian = [game for game, name in last.items() if name and "Sicilian" in name]
    assert len(sicilian) > 100
    assert pgn2fen.scan(path, "game", plies=-1, opening="sicilian").to_list() == sicilian
    assert [game.number for game in pgn2fen.games(path, opening="sicilian")] == sicilian


def test_counts_of_ranges_are_those_of_the_games(fixtures):
    path = fixtures / "games" / "opening_book.pgn"
    chosen = len(pgn2fen.scan(path, "game", plies=-1, opening="B", messages="ignore").to_list())
    parts = pgn2fen.ranges(path, 20_000)
    assert len(parts) > 2
    counts = [pgn2fen.count(part, opening="B") for part in parts]
    assert sum(count.chosen for count in counts) == chosen > 0
    numbered = pgn2fen.ranges(path, 20_000, numbers=True, opening="B")
    assert numbered[-1].before is not None
    assert numbered[-1].before.chosen == sum(count.chosen for count in counts[:-1])


def test_moves_are_counted_in_their_language(tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text("1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n\n1. d4 *\n")
    part = pgn2fen.ranges(path)[0]
    assert pgn2fen.count(part, opening="Ruy Lopez").chosen == 0
    assert pgn2fen.count(part, opening="Ruy Lopez", lang="de").chosen == 1
    assert pgn2fen.scan(path, "game", plies=0, opening="Ruy Lopez", lang="de").to_list() == [1]


def test_a_position_has_a_name_of_its_own():
    assert pgn2fen.Position("1. e4 c5").opening == ("B20", "Sicilian Defense")
    assert pgn2fen.Position("1. Nf3 c5 2. e4").opening == pgn2fen.Position("1. e4 c5 2. Nf3").opening
    assert pgn2fen.Position().opening is None
    assert pgn2fen.Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").opening is None


def test_an_index_of_an_opening_and_its_explorer(fixtures, tmp_path):
    path = fixtures / "games" / "tournaments_2020.pgn"
    games = len(pgn2fen.scan(path, "game", plies=-1, opening="Sicilian").to_list())
    built = pgn2fen.index(path, tmp_path / "games.idx", opening="Sicilian")
    assert built.games == games > 10
    index = pgn2fen.Index(tmp_path / "games.idx")
    assert index.files.to_list("choice") == ["--opening Sicilian"]
    rows = list(index.explore("1. e4 c5 2. Nf3").rows(named=True))
    assert [row["opening"] for row in rows if row["san"] == "d6"] == ["Sicilian Defense: Modern Variations"]
    # From a position without moves, only its own name is known.
    far = "rnbqkbnr/pp1pppp1/8/2p4p/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"
    assert index.explore(far).to_list("opening") == []


def test_wrong_openings_are_refused(fixtures):
    path = fixtures / "games" / "lichess_2012.pgn"
    with pytest.raises(ValueError, match="opening: no opening has this in its name; did you mean Najdorf"):
        pgn2fen.scan(path, opening="Najdrof").to_list()
    with pytest.raises(ValueError, match="has no opening"):
        pgn2fen.starts(path, kind="invalid", opening="B").to_list()
