"""Trees have the lines and counts of a merge by python-chess, and are written as by the command."""

from __future__ import annotations

import csv
import gc
import gzip
import io
import pickle
from collections import Counter, defaultdict

import chess
import chess.pgn
import pyarrow.parquet
import pytest

import pgn2fen

RESULTS = {"1-0": "white", "0-1": "black", "1/2-1/2": "draws"}

TEXT = """[White "A"]
[Black "B"]
[Date "2020.01.02"]
[WhiteElo "2500"]

1. e4 c5 2. Nf3 d6 1-0

[White "C"]
[Black "D"]
[Date "2021.??.??"]

1. Nf3 c5 2. e4 e6 1/2-1/2

[White "E"]
[Black "A"]

1. e4 c5 2. Nf3 Nc6 0-1
"""


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(TEXT)
    return path


@pytest.fixture
def master(fixtures):
    return fixtures / "games" / "tournaments_2020.pgn"


def merged(path, depth, root=None):
    """Merges the games of a file with python-chess: the results of each move of each position."""
    counts = defaultdict(Counter)
    reached = Counter()
    with path.open(encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            assert not game.errors
            board = game.board()
            kind = RESULTS.get(game.headers["Result"], "unknown")
            begin = 0 if root is None else None
            seen, played = set(), set()
            for ply, move in enumerate([*game.mainline_moves(), None]):
                if begin is None and board.epd() == root:
                    begin = ply
                if begin is not None and ply - begin <= depth:
                    seen.add(board.epd())
                    if move is not None and ply - begin < depth:
                        played.add((board.epd(), move.uci()))
                if move is not None:
                    board.push(move)
            reached.update(seen)
            for key in played:
                counts[key][kind] += 1
    return counts, reached


def epd(node):
    return chess.Board(node.fen).epd()


def numbers(results):
    return Counter({kind: getattr(results, kind) for kind in ("white", "draws", "black", "unknown")})


@pytest.mark.parametrize("root", [None, "1. e4 c5", "1. d4 d5 2. c4"])
def test_the_counts_are_those_of_a_merge_by_python_chess(root, master):
    depth = 12
    board = chess.Board()
    for san in (root or "").split():
        if not san[0].isdigit():
            board.push_san(san)
    expected, reached = merged(master, depth, None if root is None else board.epd())
    tree = pgn2fen.tree(master, root, depth=depth, min_games=1, messages="ignore")
    moves = list(tree.walk())
    assert len(moves) == len(tree) == len(set(moves)) == len(expected) > 100
    for move in moves:
        key = epd(move.source), move.uci
        assert numbers(move.results) == expected[key], key
        assert move.results.games == sum(expected[key].values())
    nodes = {move.target for move in moves} | {tree.root}
    assert len(nodes) == tree.positions == len(reached)
    for node in nodes:
        assert node.results.games == reached[epd(node)]
    # The most played move comes first, and a position hangs on the shortest line.
    for node in nodes:
        counts = [move.results.games for move in node.moves]
        assert counts == sorted(counts, reverse=True)
        assert node.ply == len(node.line) <= depth


def test_a_tree_as_pgn_has_the_moves_of_the_tree(master):
    tree = pgn2fen.tree(master, depth=10, min_games=3)
    game = chess.pgn.read_game(io.StringIO(tree.to_pgn()))
    assert not game.errors

    def edges(node):
        for child in node.variations:
            yield node.board().epd(), child.move.uci()
            yield from edges(child)

    found = list(edges(game))
    assert len(found) == len(tree) > 50
    assert set(found) == {(epd(move.source), move.uci) for move in tree.walk()}


def test_rows_are_those_of_the_command_and_of_a_walk(master, command):
    written = command("tree", "-q", "-f", "csv", "--side", "b", "-p", "12", "--min-games", "1", master)
    expected = list(csv.DictReader(io.StringIO(written.decode())))
    tree = pgn2fen.tree(master, side="b", depth=12, min_games=1)
    table = tree.rows()
    rows = list(table.rows(named=True))
    assert len(rows) == len(expected) == len(tree) > 100
    for row, line, move in zip(rows, expected, tree.walk()):
        shown = {
            name: "" if value is None else f"{value:.3f}" if name == "score" else str(value)
            for name, value in row.items()
        }
        line["score"] = line["score"] and f"{float(line['score']):.3f}"
        assert shown == line
        assert (row["san"], row["uci"], row["games"]) == (move.san, move.uci, move.results.games)
        assert (row["last_year"], row["transposes_to"] is not None) == (move.last_year, move.transposes)
        if not move.transposes:
            assert (row["path"], row["fen"], row["ply"]) == (move.target.path, move.target.fen, move.target.ply)
        else:
            assert row["transposes_to"] == move.target.path
    assert any(move.transposes for move in tree.walk())
    assert table.to_polars().height == table.to_arrow().num_rows == len(tree)


@pytest.mark.parametrize(
    "name", ["a.pgn", "a.html", "a.dot", "a.mmd", "a.csv", "a.tsv", "a.jsonl", "a.parquet", "a.pgn.gz"]
)
def test_files_are_those_of_the_command(name, master, command, tmp_path):
    (tmp_path / "ours").mkdir()
    theirs = tmp_path / name
    command("tree", "-q", "--min-games", "5", "-p", "14", "-o", theirs, master)
    tree = pgn2fen.tree(str(master), min_games=5, depth=14)
    tree.write(tmp_path / "ours" / name)
    if name.endswith(".parquet"):
        tables = [pyarrow.parquet.read_table(path) for path in (theirs, tmp_path / "ours" / name)]
        assert tables[0].equals(tables[1]) and tables[0].schema.names == tree.rows().columns
        assert tables[0].equals(tree.rows().to_arrow().cast(tables[0].schema))
        return
    ours, theirs = (path.read_bytes() for path in (tmp_path / "ours" / name, theirs))
    if name.endswith(".gz"):
        ours, theirs = map(gzip.decompress, (ours, theirs))
    assert ours == theirs != b""


def test_styles_are_those_of_the_command(master, command, tmp_path):
    path = tmp_path / "a.pgn"
    options = ["--comments", "games,score", "--glyphs", "--transpositions", "write", "--title", "Lines", "--side", "b"]
    command("tree", "-q", "-p", "8", *options, "-o", path, master)
    style = {"comments": ["games", "score"], "glyphs": True, "transpositions": "write", "title": "Lines"}
    tree = pgn2fen.tree(master, depth=8, side="b")
    assert tree.to_pgn(**style) == path.read_text(encoding="utf-8")
    assert tree.to_pgn(**style, side="w") != path.read_text(encoding="utf-8")
    bare = tree.to_pgn(comments=[])
    assert bare == tree.to_pgn(comments="none") and "{" not in bare.replace("{transposes", "")
    assert "<html" in tree.to_html()


def test_a_tree_is_written_to_file_objects(text, tmp_path):
    tree = pgn2fen.tree(text, min_games=1)
    binary, words = io.BytesIO(), io.StringIO()
    tree.write(binary)
    tree.write(words)
    assert binary.getvalue().decode() == words.getvalue() == tree.to_pgn()
    with (tmp_path / "a.csv").open("wb") as file:
        tree.write(file, "csv")
    assert (tmp_path / "a.csv").read_text().startswith("path,ply,san,")


def test_nodes_and_moves_lead_to_each_other(text):
    tree = pgn2fen.tree(text, min_games=1)
    root = tree.root
    assert repr(tree) == "<pgn2fen.Tree 9 moves in 9 positions>"
    assert repr(root) == "<pgn2fen.TreeNode the first position: 3 games, 2 moves>"
    first = root.moves[0]
    assert (str(first), first.san, first.uci, repr(first)) == ("e4", "e4", "e2e4", "<pgn2fen.TreeMove e4: 2 games>")
    assert repr(first.results) == "<pgn2fen.Results 2 games: +1 =0 -1, 0 unknown>"
    assert first.results == root.moves[0].results and first.results.score == 0.5
    assert first == root.moves[0] and hash(first) == hash(root.moves[0]) and first != root.moves[1]
    assert first.source == root and first.target.parent == first and root.parent is None
    node = tree.node("1. Nf3 c5 2. e4")
    assert node is not None and node == tree.node(pgn2fen.Position("1. e4 c5 2. Nf3"))
    assert (node.path, node.ply, node.results.games) == ("1. e4 c5 2. Nf3", 3, 3)
    assert [str(move) for move in node.line] == ["e4", "c5", "Nf3"]
    assert [str(move) for move in node.moves] == ["d6", "e6", "Nc6"]
    assert node.position.fen() == node.fen and node.last_year == 2021
    [model] = node.moves[0].target.models
    assert (model.white, model.black, model.event, model.year, model.result) == ("A", "B", "", 2020, "1-0")
    assert repr(model) == "<pgn2fen.ModelGame A – B, 2020, 1-0>" and node.models == []
    [joined] = [move for move in tree.walk() if move.transposes]
    assert joined.target == node and joined.source != node.line[-1].source
    assert tree.node("1. d4") is None and tree.node(pgn2fen.Position("1. a3")) is None
    # A node keeps the tree alive.
    del tree, root, first
    gc.collect()
    assert node.moves[0].san == "d6"
    with pytest.raises(TypeError):
        pickle.dumps(node)


def test_the_first_position_is_given_in_many_ways(master):
    expected = [(move.uci, move.results) for move in pgn2fen.tree(master, "1. e4 c5").walk()]
    assert expected
    fen = pgn2fen.Position("1. e4 c5").fen()
    for position in [pgn2fen.Position(fen), fen, "1. e4 c5", "e2e4 c7c5"]:
        assert [(move.uci, move.results) for move in pgn2fen.tree(master, position).walk()] == expected
    with pytest.warns(pgn2fen.GameWarning, match="Sicilian Defense, 1. e4 c5"):
        named = pgn2fen.tree(master, "sicilian defense")
    assert [(move.uci, move.results) for move in named.walk()] == expected
    assert named.root.path == "1. e4 c5"
    [message] = named.messages
    assert message == "sicilian defense: Sicilian Defense, 1. e4 c5"


def test_games_come_from_paths_objects_and_several_files(text, tmp_path):
    expected = [(move.uci, move.results) for move in pgn2fen.tree(text, min_games=1).walk()]
    for source in [io.BytesIO(TEXT.encode()), [str(text)], str(tmp_path / "*.pgn")]:
        assert [(move.uci, move.results) for move in pgn2fen.tree(source, min_games=1).walk()] == expected
    twice = pgn2fen.tree([text, io.BytesIO(TEXT.encode())], min_games=1)
    assert [move.results.games for move in twice.walk()] == [2 * results.games for _, results in expected]
    assert twice.report.games == 6 and twice.report.is_complete


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"tags": "Result=1-0"},
        {"player": "a"},
        {"player": "a", "side": "b"},
        {"order": "score"},
        {"max": 2},
        {"models": 3},
    ],
)
def test_the_tree_of_an_index_is_that_of_its_files(options, master, tmp_path):
    pgn2fen.index(master, tmp_path / "games.idx")
    index = pgn2fen.Index(tmp_path / "games.idx")
    ours = [pgn2fen.tree(source, "1. e4", depth=14, **options) for source in (master, index, tmp_path / "games.idx")]
    seen = [[(move.source.path, move.uci, move.results, move.last_year) for move in tree.walk()] for tree in ours]
    assert seen[0] == seen[1] == seen[2] != []
    assert ours[1].report is None and ours[0].report.is_complete


def test_an_index_refuses_options_of_files(master, tmp_path):
    pgn2fen.index(master, tmp_path / "games.idx", plies=(None, 6))
    for options in [{"variations": True}, {"opening": "B"}, {"max_games": 3}, {"start": "standard"}, {"length": 3}]:
        with pytest.raises(ValueError, match=f"{next(iter(options))} is for PGN files, and .*games.idx is an index"):
            pgn2fen.tree(tmp_path / "games.idx", **options)
    with pytest.raises(ValueError, match="WhiteTeam"):
        pgn2fen.tree(tmp_path / "games.idx", tags="WhiteTeam=a")
    with pytest.warns(pgn2fen.GameWarning, match=r"the index has only the plies \.\.6 of each game"):
        assert len(pgn2fen.tree(tmp_path / "games.idx")) > 0


def test_variations_count_without_a_result(tmp_path):
    games = io.BytesIO(b"1. e4 (1. d4 d5) e5 (1... c5) 1-0\n")
    tree = pgn2fen.tree(games, variations=True)
    seen = {move.target.path: (move.results.white, move.results.unknown) for move in tree.walk()}
    assert seen == {"1. e4": (1, 0), "1. e4 e5": (1, 0), "1. e4 c5": (0, 1), "1. d4": (0, 1), "1. d4 d5": (0, 1)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "depth is 0, but must be from 1 to 256"),
        ({"depth": 257}, "depth is 257"),
        ({"models": 4}, "models is 4, but must be at most 3"),
        ({"max": 0}, "max is 0"),
        ({"order": "elo"}, "order is 'elo', but must be one of games, score, file"),
        ({"side": "white"}, "side is 'white', but must be one of w, b"),
        ({"player": " "}, "player needs a name"),
        ({"position": "nothing at all"}, "^this is no position, and in no name of an opening\n"),
        ({"tags": "White"}, "tags"),
        ({"messages": "loud"}, "messages is 'loud'"),
    ],
)
def test_wrong_options_are_errors(options, message, text):
    with pytest.raises(ValueError, match=message):
        pgn2fen.tree(text, **options)


def test_wrong_styles_are_errors(text, tmp_path):
    tree = pgn2fen.tree(text, min_games=1)
    for name, options, message in [
        ("a.txt", {}, "the ending of .*a.txt chooses no format"),
        ("a.svg", {"format": "svg"}, "format is 'svg', but must be one of pgn, html, dot"),
        ("a.dot", {"transpositions": "write"}, "a graph has each position once"),
        ("a.csv", {"glyphs": True}, "a table has no glyphs"),
        ("a.csv", {"comments": "games"}, "a table has all counts in columns"),
        ("a.pgn", {"comments": "elo"}, "elo"),
        ("a.pgn", {"side": "x"}, "side is 'x'"),
    ]:
        with pytest.raises(ValueError, match=message):
            tree.write(tmp_path / name, **options)
    with pytest.raises(ValueError, match="input"):
        tree.write(text)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.pgn"]
    with pytest.raises(OSError):
        tree.write(tmp_path / "none" / "a.pgn")
    with pytest.raises(TypeError, match="a position must be a str"):
        pgn2fen.tree(text, 5)
    with pytest.raises(FileNotFoundError):
        pgn2fen.tree(tmp_path / "none.pgn")


def test_games_with_errors_are_used_up_to_them(tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text("1. e4 e5 2. Ke3 1-0\n")
    with pytest.warns(pgn2fen.GameWarning, match=r"a\.pgn:1:"):
        tree = pgn2fen.tree(path, min_games=1)
    assert [str(move) for move in tree.walk()] == ["e4", "e5"]
    assert (tree.report.errors, tree.report.messages[0].kind) == (1, "illegal-move")
    with pytest.warns(pgn2fen.GameWarning, match="the tree is empty; no game reached its first position"):
        empty = pgn2fen.tree(path, "1. d4")
    assert len(empty) == 0 and empty.root.moves == [] and len(empty.rows()) == 0
    assert empty.to_pgn().endswith("*\n\n")


def test_players_are_found_under_all_names(fixtures, tmp_path):
    games = fixtures / "players" / "several_names.pgn"
    names = fixtures / "players" / "names.txt"
    quiet = {"messages": "ignore"}
    one = "White=Carlsen, Magnus"
    found = [game["White"] for game in pgn2fen.games(games, tags=one, names=names, **quiet)]
    assert set(found) == {"Carlsen, Magnus", "Magnus Carlsen", "DrNykterstein", "CARLSEN, MAGNUS", "Carlsen,M"}
    alone = [game["White"] for game in pgn2fen.games(games, tags=one, **quiet)]
    assert 0 < len(alone) < len(found)
    scan = pgn2fen.scan(games, "White", per="game", tags=one, names=str(names), **quiet)
    assert scan.to_list() == found and f"names={str(names)!r}" in repr(scan)
    assert pickle.loads(pickle.dumps(scan)).to_list() == found
    assert pgn2fen.starts(games, "White", tags=one, names=names, all=True, **quiet).to_list() == []
    tree = pgn2fen.tree(games, player="Carlsen, Magnus", side="w", names=names, min_games=1, **quiet)
    assert tree.root.results.games == len(found)
    pgn2fen.index(games, tmp_path / "a.idx", **quiet)
    index = pgn2fen.Index(tmp_path / "a.idx")
    assert index.count("startpos", tags=one, names=names).to_list("games") == [len(found)]
    assert index.find("startpos", tags=one, names=names).to_list("White") == found
    assert sum(index.explore("startpos", tags=one, names=names).to_list("games")) == len(found)
    assert len(list(index.games("startpos", tags=one, names=names))) == len(found)
    of_index = pgn2fen.tree(index, player="Carlsen, Magnus", side="w", names=names, min_games=1, **quiet)
    assert of_index.root.results == tree.root.results
    summary = pgn2fen.index(games, tmp_path / "b.idx", tags=one, names=names, **quiet)
    assert summary.games == len(found)
    [part] = pgn2fen.ranges(games)
    assert pgn2fen.count(part, tags=one, names=names).chosen == len(found)
    with_names = index.book(tmp_path / "a.bin", player="DrNykterstein", names=names, min_games=1, **quiet)
    without = index.book(tmp_path / "b.bin", player="DrNykterstein", min_games=1, **quiet)
    assert with_names.moves > without.moves
    with pytest.raises(FileNotFoundError, match="names: .*none.txt"):
        pgn2fen.games(games, names=tmp_path / "none.txt")


REPERTOIRE = "1. e4 c5 (1... e5 2. Nf3 Nc6 3. Bb5 a6) 2. Nf3 d6 (2... Nc6 3. Bb5) (2... e6) 3. d4 cxd4 4. Nxd4 *\n"


@pytest.fixture
def repertoire(tmp_path):
    path = tmp_path / "white.pgn"
    path.write_text(REPERTOIRE)
    return path


def lines_of(text):
    """Returns the positions of a repertoire, each with its moves, as python-chess reads it."""
    moves = defaultdict(set)

    def visit(node):
        key = node.board().epd()
        moves[key] |= {child.move.uci() for child in node.variations}
        for child in node.variations:
            visit(child)

    visit(chess.pgn.read_game(io.StringIO(text)))
    return moves


def test_games_leave_a_repertoire_where_python_chess_sees_it(master, repertoire):
    moves = lines_of(REPERTOIRE)
    comparison = pgn2fen.compare(master, repertoire, side="w")
    rows = list(comparison.rows().rows(named=True))
    assert len(rows) == len(comparison) == comparison.report.games == 232
    expected = Counter()
    with master.open(encoding="utf-8") as file:
        for row in rows:
            game = chess.pgn.read_game(file)
            board = game.board()
            line = [(board.epd(), None, board.turn)]
            for move in game.mainline_moves():
                line[-1] = (line[-1][0], move.uci(), line[-1][2])
                board.push(move)
                line.append((board.epd(), None, board.turn))
            ply = max(at for at, (key, _, _) in enumerate(line) if key in moves)
            key, uci, turn = line[ply]
            leaving = "within" if uci is None else "line_end" if not moves[key] else "player" if turn else "opponent"
            expected[leaving] += 1
            assert (row["leaving"], row["ply"], row["uci"]) == (leaving, ply, uci)
            assert chess.Board(row["fen"]).epd() == key
            assert row["white"] == game.headers["White"]
    assert comparison.counts == {name: expected[name] for name in ("never", "within", "line_end", "player", "opponent")}
    assert expected["player"] > 10 and expected["opponent"] > 10 and expected["line_end"] > 5
    departures = list(comparison.rows("departures").rows(named=True))
    assert sum(row["games"] for row in departures) == sum(expected.values()) - expected["within"] - expected["never"]
    counts = [row["games"] for row in departures]
    assert counts == sorted(counts, reverse=True)
    unmet = list(comparison.rows("unmet").rows(named=True))
    total, met = comparison.lines
    assert total == 4 and total - met == sum(row["lines"] for row in unmet)


def test_the_comparison_of_an_index_is_that_of_its_files(master, repertoire, tmp_path):
    pgn2fen.index(master, tmp_path / "games.idx")
    for options in [{}, {"player": "carlsen"}, {"tags": "WhiteElo>=2600"}]:
        ours = [
            pgn2fen.compare(source, repertoire, side="w", **options)
            for source in (master, pgn2fen.Index(tmp_path / "games.idx"), tmp_path / "games.idx")
        ]
        assert len(ours[0]) > 0
        for other in ours[1:]:
            assert other.counts == ours[0].counts and other.lines == ours[0].lines
            for table in ("departures", "unmet"):
                assert list(other.rows(table).rows()) == list(ours[0].rows(table).rows())
            columns = ["white", "black", "leaving", "ply", "path", "uci", "expected", "fen", "returns"]
            assert [other.rows().to_list(name) for name in columns] == [
                ours[0].rows().to_list(name) for name in columns
            ]


def test_a_comparison_is_written(master, repertoire, tmp_path):
    comparison = pgn2fen.compare(master, [repertoire, io.BytesIO(b"1. d4 d5 2. c4 *")], side="w", max_games=50)
    assert repr(comparison) == "<pgn2fen.Comparison 50 games with 5 lines>"
    comparison.write(tmp_path / "a.csv", table="departures")
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    # The path of the first position is empty, which is None in a table.
    assert [row["path"] or None for row in rows] == comparison.rows("departures").to_list("path") != []
    comparison.write(tmp_path / "a.parquet", table="unmet")
    assert pyarrow.parquet.read_table(tmp_path / "a.parquet").num_rows == len(comparison.rows("unmet"))
    comparison.write(tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text() == comparison.to_text()
    comparison.write(tmp_path / "a.html", title="Mine & yours")
    assert (tmp_path / "a.html").read_text() == comparison.to_html(title="Mine & yours")
    words, binary = io.StringIO(), io.BytesIO()
    comparison.write(words)
    comparison.write(binary, "csv")
    assert words.getvalue() == comparison.to_text()
    assert binary.getvalue().count(b"\n") == 51
    with pytest.raises(ValueError, match="table is for csv"):
        comparison.write(tmp_path / "b.html", table="games")
    with pytest.raises(ValueError, match="table is 'left', but must be one of games, departures, unmet"):
        comparison.rows("left")
    with pytest.raises(ValueError, match="b.doc"):
        comparison.write(tmp_path / "b.doc")
    with pytest.raises(ValueError, match="input"):
        comparison.write(repertoire, "csv")


def test_the_side_of_a_repertoire(tmp_path):
    games = io.BytesIO(b"1. e4 e5 *")
    white = tmp_path / "white.pgn"
    white.write_text("1. e4 e5 (1... c5) *")
    assert pgn2fen.compare(games, white).side == "w"
    black = io.BytesIO(b'[Orientation "black"]\n\n1. e4 e5 (1... c5) *')
    assert pgn2fen.compare(io.BytesIO(b"1. e4 e5 *"), black).side == "b"
    with pytest.raises(ValueError, match="both sides have equally many choices"):
        pgn2fen.compare(io.BytesIO(b"1. e4 e5 *"), io.BytesIO(b"1. e4 e5 *"))
    with pytest.raises(ValueError, match="the repertoire has no moves"):
        pgn2fen.compare(io.BytesIO(b"1. e4 e5 *"), io.BytesIO(b""))
    (tmp_path / "bad.pgn").write_text("1. e4 e5 (1... c5) 2. Ke3 *")
    with pytest.warns(pgn2fen.GameWarning, match="bad.pgn:1:"):
        pgn2fen.compare(io.BytesIO(b"1. e4 e5 *"), tmp_path / "bad.pgn")
    with pytest.raises(FileNotFoundError):
        pgn2fen.compare(io.BytesIO(b"1. e4 e5 *"), tmp_path / "none.pgn")


def test_chapters_of_a_study_are_those_of_the_command(master, command, tmp_path):
    (tmp_path / "ours").mkdir()
    (tmp_path / "theirs").mkdir()
    names = "{White} - {Black}, {opening}"
    split = ["--split", "study", "--chapter-name", names]
    command("games", "-q", *split, master, "-o", tmp_path / "theirs" / "study-{part}.pgn")
    pgn2fen.games(master).write(tmp_path / "ours" / "study-{part}.pgn", split="study", chapter_name=names)
    files = sorted(path.name for path in (tmp_path / "ours").iterdir())
    assert len(files) == 4 and files == sorted(path.name for path in (tmp_path / "theirs").iterdir())
    for name in files:
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    with pytest.raises(ValueError, match="chapter_name needs split='study'"):
        pgn2fen.games(master).write(tmp_path / "{part}.pgn", split=10, chapter_name=names)


def test_a_repertoire_keeps_words_and_has_gaps(tmp_path):
    (tmp_path / "a.pgn").write_text("1. e4! {best by test [%clk 0:01:00]} c5 (1... e6) 2. Nf3 (2. c3) *\n")
    tree = pgn2fen.tree(tmp_path / "a.pgn", variations=True)
    assert "1. e4 $1 {best by test} 1... c5 (1... e6) 2. Nf3 (2. c3)" in tree.to_pgn().replace("\n", " ")
    assert "best" not in tree.to_pgn(comments="games")
    assert "{1 game}" in tree.to_pgn(comments="games")
    rows = tree.gaps("w").rows(named=True)
    assert [(row["gap"], row["path"], row["moves"]) for row in rows] == [
        ("choice", "1. e4 c5", "Nf3 c3"),
        ("no_answer", "1. e4 e6", ""),
    ]
    with pytest.raises(ValueError, match="gaps are those of one side"):
        tree.gaps()
