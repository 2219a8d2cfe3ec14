"""An index answers what the command answers."""

from __future__ import annotations

import csv
import io
import os
import pickle
import shutil
import subprocess
import sys
import textwrap
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import duckdb
import polars
import pyarrow
import pytest

import pgn2fen

FILES = [
    "evaluations_on_every_move.pgn",
    "lichess_2012.pgn",
    "names_in_many_scripts.pgn",
    "tournaments_2020.pgn",
    "opening_book.pgn",
]

SEVERAL = ["startpos", "1. e4 c5", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"]

FILTERS = [[], ["White~a"], ["WhiteElo>=2000", "Result=1-0"], ["Date<2015"], ["ECO!=B20"]]


@pytest.fixture(scope="module")
def desk(tmp_path_factory, fixtures):
    """A folder with games and their index."""
    folder = tmp_path_factory.mktemp("index")
    for name in FILES:
        shutil.copy(fixtures / "games" / name, folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pgn2fen.GameWarning)
        pgn2fen.index([folder / name for name in FILES], folder / "games.idx")
    return folder


@pytest.fixture
def index(desk):
    return pgn2fen.Index(desk / "games.idx")


def read_csv(output: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(output.decode())))


def as_texts(rows) -> list[dict[str, str]]:
    """Rows with the values as the command writes them."""
    return [{name: "" if value is None else str(value) for name, value in row.items()} for row in rows]


def filters(tags):
    return [argument for tag in tags for argument in ("-t", tag)]


def test_an_index_is_that_of_the_command(desk, command, tmp_path):
    command("index", "-q", "-o", tmp_path / "games.idx", *(desk / name for name in FILES))
    ours, theirs = desk / "games.idx", tmp_path / "games.idx"
    names = sorted(path.relative_to(theirs) for path in theirs.rglob("*.parquet"))
    assert names
    assert names == sorted(path.relative_to(ours) for path in ours.rglob("*.parquet"))
    for name in names:
        assert (ours / name).read_bytes() == (theirs / name).read_bytes()


@pytest.mark.parametrize("tags", FILTERS, ids=str)
@pytest.mark.parametrize("positions", [*SEVERAL, SEVERAL], ids=lambda positions: str(positions)[:12])
def test_answers_are_those_of_the_command(index, desk, command, positions, tags):
    def ask(*arguments):
        texts = positions if isinstance(positions, list) else [positions]
        return read_csv(command("find", "-f", "csv", *arguments, *filters(tags), "games.idx", *texts, cwd=desk))

    expected = ask("-M", "-m", 5)
    rows = list(index.explore(positions, tags=tags, max=5).rows(named=True))
    assert [{name: row[name] for name in expected[0]} for row in as_texts(rows)] == expected
    for row in rows:
        assert (row["uci"] is None) == (row["san"] is None)
        if row["uci"] and "fen" not in row:
            assert pgn2fen.Position(positions).san(row["uci"]) == row["san"]
        assert row["first_date"] is None or row["first_date"] <= row["last_date"]

    assert as_texts(index.count(positions, tags=tags).rows(named=True)) == ask("-c")

    found = index.find(positions, tags=tags, max=40)
    rows = as_texts(found.rows(named=True))
    for row in rows:
        row["place"] = f"{row['file']}:{row['line']}"
    expected = ask("-m", 40)
    assert len(rows) == len(expected) > 0
    assert [{name: row[name] for name in expected[0]} for row in rows] == expected


SHAPES = [
    ({"material": "R*:R*"}, ["--material", "R*:R*"]),
    (
        {"material": ["RP+1:RP*", "QP*:QP*"], "colors": "given"},
        ["--material", "RP+1:RP*", "--material", "QP*:QP*", "--shape-colors", "given"],
    ),
    (
        {"pattern": "*/*/*/*/*/*/*/??????K?", "mirror": True, "for_plies": 30},
        ["--pattern", "*/*/*/*/*/*/*/??????K?", "--mirror", "--for-plies", 30],
    ),
    ({"pawns": "8/pp?ppppp/8/8/4P3/8/PPPP?PPP/8"}, ["--pawns", "8/pp?ppppp/8/8/4P3/8/PPPP?PPP/8"]),
]


@pytest.mark.parametrize(("options", "arguments"), SHAPES, ids=lambda value: next(iter(value), ""))
def test_games_are_found_by_their_shape_as_by_the_command(index, desk, command, options, arguments):
    def ask(*more):
        return read_csv(command("find", "-f", "csv", *arguments, "games.idx", *more, cwd=desk))

    def same(table, expected):
        rows = as_texts(table.rows(named=True))
        for row in rows:
            row["place"] = f"{row.get('file')}:{row.get('line')}"
        assert [{name: row[name] for name in expected[0]} for row in rows] == expected

    everything = len(index)
    found = index.find(**options)
    assert 0 < len(found) < everything
    same(found, ask())
    assert set(found.to_list("next_san")) == {None}
    same(index.find(tags="White~a", max=3, **options), ask("-t", "White~a", "-m", 3))
    same(index.count(**options), ask("-c"))
    same(index.count(["e4", "d4"], **options), ask("-c", "e4", "d4"))
    same(index.find("e4", **options), ask("e4"))
    same(index.explore("e4", **options), ask("-M", "e4"))
    for position in [[], ["e4"]]:
        printed = command("find", "-f", "pgn", "-m", 4, *arguments, "games.idx", *position, cwd=desk).decode()
        games = index.games(*position, max=4, **options)
        assert "".join("".join(games).split()) == "".join(printed.split()) != ""


@pytest.mark.parametrize("order", ["rating", "date"])
def test_hits_are_sorted_as_by_the_command(index, desk, command, order):
    for positions in ["e4", ["d4", "e4"]]:
        texts = positions if isinstance(positions, list) else [positions]
        expected = read_csv(command("find", "-f", "csv", "--order", order, "games.idx", *texts, cwd=desk))
        found = index.find(positions, sort=order)
        assert [str(game) for game in found.to_list("game")] == [row["game"] for row in expected]
        assert found.to_list("game") != index.find(positions).to_list("game")
        assert index.find("e4", sort=order, max=7).to_list("game") == index.find("e4", sort=order).to_list("game")[:7]
    dates = [date for date in index.find("e4", sort="date").to_list("Date") if date and "?" not in date]
    assert dates == sorted(dates, reverse=True)


def test_links_and_scores(tmp_path):
    site = "https://lichess.org/abcdefgh"
    games = [(site, "1-0"), ("Berlin GER", "1/2-1/2"), (site, "0-1"), ("?", "*")]
    text = "".join(f'[Site "{site}"]\n[Result "{result}"]\n\n1. e4 e5 {result}\n\n' for site, result in games)
    (tmp_path / "a.pgn").write_text(text + '[Result "1-0"]\n\n1. e4 c5 1-0\n\n1. e4 c6 *\n')
    pgn2fen.index(tmp_path / "a.pgn", tmp_path / "a.idx", messages="ignore")
    index = pgn2fen.Index(tmp_path / "a.idx")
    assert index.find("1. e4 e5").to_list("link") == [site, None, site, None]
    moves = index.explore("1. e4")
    assert dict(zip(moves.to_list("uci"), moves.to_list("score"))) == {"e7e5": 0.5, "c7c5": 1.0, "c7c6": None}
    assert index.explore("startpos").to_list("score") == [0.625]
    assert repr(index.explore("startpos")).splitlines()[-1].endswith("  0.625")


def test_the_next_move_is_that_of_the_game(index):
    rows = list(index.find("1. e4 c5", max=100).rows(named=True))
    after = pgn2fen.Position("1. e4 c5")
    played = {row["next_uci"] for row in rows} - {None}
    assert "g1f3" in played
    assert {after.san(move) for move in played} == {row["next_san"] for row in rows} - {None}
    assert sorted(played) == sorted({move for move in index.explore("1. e4 c5").to_list("uci") if move} & played)


@pytest.mark.parametrize("positions", ["1. e4 c5 2. Nf3", ["1. e4 c5", "1. d4", "1. e4"]], ids=str)
def test_games_are_those_that_the_command_prints(index, desk, command, positions):
    texts = positions if isinstance(positions, list) else [positions]
    games = list(index.games(positions, tags="White~a", max=25))
    printed = command("find", "-f", "pgn", "-t", "White~a", "-m", 25, "games.idx", *texts, cwd=desk).decode()
    assert len(games) > 20
    # The command puts blank lines between games where they would otherwise read as one.
    assert "".join("".join(games).split()) == "".join(printed.split())
    numbers = sorted({number for text in texts for number in first_games(index, text, 25)})
    assert len(numbers) == len(games)


def first_games(index, position, most):
    numbers = sorted(set(index.find(position, tags="White~a").to_list("game")))
    return numbers[:most]


def test_text_is_decoded_as_its_file_was(tmp_path):
    text = '[White "Петросян"]\n\n1. e4 e5 1/2-1/2'
    (tmp_path / "a.pgn").write_bytes(text.encode("windows-1251"))
    pgn2fen.index(tmp_path / "a.pgn", tmp_path / "a.idx", encoding="windows-1251", messages="ignore")
    index = pgn2fen.Index(tmp_path / "a.idx")
    assert list(index.games("e4")) == [text]
    assert index.find("e4").to_list("White") == ["Петросян"]


def test_a_table_is_read_by_other_packages(index):
    table = index.explore("startpos")
    rows = list(table.rows())
    assert len(table) == len(rows) > 5
    assert table.columns == [
        "san", "uci", "games", "white", "draws", "black", "unknown", "avg_elo", "first_date", "last_date",
        "eco", "opening", "score",
    ]  # fmt: skip
    assert table.to_polars().rows() == rows
    assert polars.DataFrame(table).rows() == rows
    assert [tuple(row.values()) for row in table.to_arrow().to_pylist()] == rows
    assert table.to_pandas()["games"].tolist() == table.to_list("games")
    answer = table  # noqa: F841 (DuckDB reads it by its name)
    assert duckdb.sql("select sum(games) from answer").fetchall() == [(sum(table.to_list("games")),)]
    assert duckdb.sql("select sum(games) from answer").fetchall() == [(sum(table.to_list("games")),)]
    assert pyarrow.schema(table).field("games").type == pyarrow.int64()
    assert pyarrow.schema(table).field("san").type == pyarrow.string()


def test_a_table_without_rows_has_its_columns(index):
    table = index.find("1. a4 h5 2. a5 h4 3. Ra4 Rh5")
    assert len(table) == 0
    assert list(table.rows()) == []
    assert table.to_polars().columns == table.columns
    assert table.to_arrow().num_rows == 0
    assert repr(table).splitlines()[0] == "<pgn2fen.Table of 0 rows>"


def test_tables_show_themselves(tmp_path):
    (tmp_path / "a.pgn").write_text('[White "<b>\x1b[31m & co"]\n[Black "B"]\n\n1. e4 e5 1-0\n' * 30)
    pgn2fen.index(tmp_path / "a.pgn", tmp_path / "a.idx", messages="ignore")
    index = pgn2fen.Index(tmp_path / "a.idx")
    assert repr(index.explore("e4")) == textwrap.dedent("""\
        <pgn2fen.Table of 1 row>
        san  uci   games  white  draws  black  unknown  avg_elo  first_date  last_date  eco  opening           score
        e5   e7e5     30     30      0      0        0  -        -           -          C20  King's Pawn Game  1.000""")
    found = index.find("e4")
    assert "\x1b" not in repr(found)
    assert repr(found).endswith("… 10 more")
    html = found._repr_html_()
    assert "<b>" not in html and "&lt;b&gt;" in html and "&amp; co" in html and "\x1b" not in html
    assert html.count("<tr>") == 21
    assert "30 rows, of which the first 20 are shown" in html


def test_an_index_tells_what_it_is(index, desk, command):
    assert len(index) == sum(index.files.to_list("games"))
    assert index.positions > 30_000
    assert (index.plies, index.runs) == ("..", 1)
    assert (
        repr(index)
        == f"<pgn2fen.Index {str(desk / 'games.idx')!r}: {len(index):,} games, {index.positions:,} positions>"
    )
    expected = read_csv(command("index", "--info", "-f", "csv", desk / "games.idx"))
    assert as_texts(index.files.rows(named=True)) == expected
    assert index.files.to_list("state") == ["unchanged"] * len(FILES)


def test_positions_are_given_as_one_likes(index):
    games = index.count("1. e4 c5").to_list("games")
    position = pgn2fen.Position("1. e4 c5")
    for given in [position, position.fen(), "e4 c5", "1.e4 c5", "  e2e4 c7c5 "]:
        assert index.count(given).to_list("games") == games
    assert index.count("1. e4 c5 2. Sf3", lang="de").rows(named=True).__next__() == next(
        index.count("e4 c5 Nf3").rows(named=True)
    )
    assert index.count([position, "e4", "e4 c5"]).to_list("games")[::2] == games * 2
    assert index.count(iter(["e4"])).to_list("fen") == ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"]
    assert len(index.count([])) == 0


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda index: index.explore("1. e4 e6 2. Nf4"), "Nf4"),
        (lambda index: index.find("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq -"), "rank"),
        (lambda index: index.count(["e4", "xyz"]), "position 1: "),
        (lambda index: index.games("e9"), "e9"),
        (
            lambda index: index.find("e4", tags="Elos>2000"),
            "does not keep the tag Elos",
        ),
        (lambda index: index.explore("e4", tags=["White=>x"]), "not an operator"),
        (lambda index: index.count("e4", lang="xx"), "lang is 'xx'"),
        (lambda index: index.count("e4", messages="loud"), "messages is 'loud'"),
        (lambda index: index.find(), "give a position, or a shape: material, pattern or pawns"),
        (lambda index: index.games(tags="White~a"), "give a position, or a shape"),
        (lambda index: index.explore(None, material="K:K"), "explore lists the moves"),
        (lambda index: index.find(material="K:K", sort="date"), "sort orders the hits of a position"),
        (lambda index: index.find("e4", sort="elo"), "sort is 'elo', but must be one of rating, date"),
        (lambda index: index.count("e4", material="KXP:K"), "material: "),
        (lambda index: index.count("e4", for_plies=3), "for_plies needs material, pattern or pawns"),
    ],
)
def test_wrong_arguments_are_told(index, ask, message):
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        ask(index)


def test_a_wrong_position_has_the_message_of_the_command(index, desk):
    for text in ["1. e4 e6 2. Nf4", "8/8/8/8/8/8/8/8 w - - 0 1", "xyz"]:
        done = subprocess.run(
            [*program(), "find", desk / "games.idx", text], capture_output=True, text=True, check=False
        )
        with pytest.raises(ValueError) as error:
            index.count(text)
        assert done.stderr == f"pgn2fen: {error.value}\n"


def test_what_is_no_position_is_a_type_error(index):
    with pytest.raises(TypeError, match="must be a str or a pgn2fen.Position, not int"):
        index.count([3])


def test_a_missing_or_damaged_index_is_an_os_error(desk, tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no such folder"):
        pgn2fen.Index(tmp_path / "none.idx")
    with pytest.raises(OSError, match="there is no index in this folder"):
        pgn2fen.Index(tmp_path)
    shutil.copytree(desk / "games.idx", tmp_path / "games.idx")
    for path in (tmp_path / "games.idx").rglob("postings-*.parquet"):
        data = bytearray(path.read_bytes())
        for at in range(0, len(data), 100):
            data[at] ^= 255
        path.write_bytes(data)
    index = pgn2fen.Index(tmp_path / "games.idx")
    with pytest.raises(OSError, match="postings-"):
        index.find("e4")
    with pytest.raises(OSError, match="postings-"):
        list(index.games("e4"))


def test_games_of_files_that_changed_are_left_out_and_told(tmp_path):
    for name, move in [("a.pgn", "e5"), ("b.pgn", "c5")]:
        (tmp_path / name).write_text(f"1. e4 {move} 1-0\n")
    pgn2fen.index(sorted(tmp_path.glob("*.pgn")), tmp_path / "ab.idx")
    index = pgn2fen.Index(tmp_path / "ab.idx")
    assert index.count("e4", verify=True).to_list("games") == [2]
    (tmp_path / "a.pgn").write_text("1. d4 d5 2. c4 *\n")
    assert index.count("e4").to_list("games") == [2]
    with pytest.warns(pgn2fen.GameWarning, match=r"a\.pgn: the file has changed since it was indexed") as warned:
        table = index.count(["e4", "startpos"], verify=True)
    assert table.to_list("games") == [1, 1]
    assert len(table.messages) == len(warned) == 1
    assert warned[0].filename == __file__
    with pytest.warns(pgn2fen.GameWarning, match=r"a\.pgn"):
        assert list(index.games("e4")) == ["1. e4 c5 1-0"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(index.games("e4", messages="ignore")) == ["1. e4 c5 1-0"]
    assert index.files.to_list("state") == ["changed", "unchanged"]


def test_messages_go_to_a_logger(tmp_path, caplog):
    (tmp_path / "a.pgn").write_text("1. e4 e5 1-0\n")
    pgn2fen.index(tmp_path / "a.pgn", tmp_path / "a.idx")
    (tmp_path / "a.pgn").unlink()
    assert list(pgn2fen.Index(tmp_path / "a.idx").games("e4", messages="log")) == []
    assert "a.pgn: the file is missing" in caplog.text


def test_an_index_is_pickled_by_its_path(index, desk, monkeypatch, tmp_path):
    relative = pgn2fen.Index(os.path.relpath(desk / "games.idx"))
    monkeypatch.chdir(tmp_path)
    for original in [index, relative]:
        copy = pickle.loads(pickle.dumps(original))
        assert (copy.path, len(copy)) == (index.path, len(index))
        assert list(copy.explore("e4").rows()) == list(index.explore("e4").rows())


def test_tables_are_sent_to_other_processes(index):
    for table in [
        index.explore("e4"),
        index.find(["e4", "startpos"], max=3),
        index.count([]),
        index.files,
        index.explore(["e4", "d4"]),
        index.find(material="R*:R*"),
    ]:
        copy = pickle.loads(pickle.dumps(table))
        assert copy.to_arrow().equals(table.to_arrow())
        assert (copy.messages, repr(copy)) == (table.messages, repr(table))


def test_many_threads_are_answered_like_one(index):
    questions = [(text, tags) for text in ["startpos", "e4", "d4", "e4 c5", "e4 e5 Nf3"] for tags in FILTERS]

    def ask(question):
        text, tags = question
        games = list(index.games(text, tags=tags, max=3))
        return list(index.explore(text, tags=tags).rows()), index.find(text, tags=tags).to_list("game"), games

    expected = [ask(question) for question in questions]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, questions * 2)) == expected * 2


def test_a_reader_of_games_that_is_broken_off_stops_its_thread(index):
    before = threading.active_count()
    tasks = "/proc/self/task"
    if not os.path.exists(tasks):
        pytest.skip("needs /proc")
    count = len(os.listdir(tasks))
    for _ in range(20):
        games = index.games("startpos")
        next(games)
        games.close()
        index.games("startpos")
    del games
    for _ in range(100):
        if len(os.listdir(tasks)) <= count:
            break
        threading.Event().wait(0.05)
    assert len(os.listdir(tasks)) <= count
    assert threading.active_count() == before


@pytest.fixture(scope="module")
def long(tmp_path_factory, fixtures):
    """An index of 40,000 games, which take seconds to verify."""
    folder = tmp_path_factory.mktemp("long")
    text = (fixtures / "games" / "opening_book.pgn").read_bytes()
    (folder / "long.pgn").write_bytes((text.rstrip() + b"\n\n") * 20)
    pgn2fen.index(folder / "long.pgn", folder / "long.idx", plies=0, messages="ignore")
    return folder / "long.idx"


def test_a_look_up_can_be_interrupted(long):
    code = """
        import _thread, sys, threading, time, pgn2fen
        index = pgn2fen.Index(sys.argv[1])
        for ask in [lambda: index.count(["startpos"] * 100, verify=True),
                    lambda: list(index.games(["startpos"] * 1000, tags="White~x")),
                    lambda: index.find("startpos", material="Q9:K", messages="ignore"),
                    lambda: [index.count(material="Q9:K") for _ in range(100)],
                    lambda: index.find(["startpos"] * 1000, tags="White~x")]:
            threading.Timer(0.1, _thread.interrupt_main).start()
            begun = time.monotonic()
            try:
                ask()
                print("finished")
            except KeyboardInterrupt:
                print(f"interrupted after {time.monotonic() - begun:.1f} s", file=sys.stderr)
                print("interrupted")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(long)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "interrupted\n" * 5, done.stderr


def test_other_threads_run_during_a_look_up(long):
    index = pgn2fen.Index(long)
    ticks, over = [], threading.Event()

    def tick():
        while not over.wait(0.002):
            ticks.append(None)

    thread = threading.Thread(target=tick)
    thread.start()
    assert index.count("startpos", verify=True).to_list("games") == [len(index)]
    over.set()
    thread.join()
    assert len(ticks) > 20


def test_a_build_gives_its_numbers_and_its_report(desk, fixtures, tmp_path):
    files = [desk / "opening_book.pgn", fixtures / "games" / "illegal_move_late.pgn"]
    out = tmp_path / "games.idx"
    with pytest.warns(pgn2fen.GameWarning):
        summary = pgn2fen.index(files, out)
    said = subprocess.run(
        [*program(), "index", "-v", "-o", tmp_path / "other.idx", *files], capture_output=True, text=True, check=False
    ).stderr
    assert f"index: {summary}" in said
    index = pgn2fen.Index(out)
    assert (summary.games, summary.positions, summary.bytes) == (len(index), index.positions, index.bytes)
    assert (summary.all_games, summary.runs, summary.skipped) == (len(index), 1, [])
    assert summary.report.is_complete
    assert summary.report.errors == sum(message.is_error for message in summary.report.messages) > 0
    assert repr(summary) == f"<pgn2fen.IndexSummary {summary}>"


def program():
    return [sys.executable, "-c", "import sys; from pgn2fen._command import main; sys.exit(main())"]


def test_games_are_chosen_as_by_the_command(desk, command, tmp_path):
    choices = [
        ({"plies": (None, 10)}, ["-p", "..10"]),
        ({"tags": ["WhiteElo>=1500", "Result=1-0"]}, ["-t", "WhiteElo>=1500", "-t", "Result=1-0"]),
        ({"start": "standard", "max_games": 7}, ["--start", "standard", "-n", "7"]),
        ({"setup": "strict", "lang": "de", "encoding": "windows-1251", "threads": 1, "memory": "64M"},
         ["--setup", "strict", "--lang", "de", "--encoding", "windows-1251", "-j", "1", "--memory", "64M"]),
    ]  # fmt: skip
    for at, (options, arguments) in enumerate(choices):
        ours, theirs = tmp_path / f"ours{at}.idx", tmp_path / f"theirs{at}.idx"
        pgn2fen.index(desk / "lichess_2012.pgn", ours, messages="ignore", **options)
        command("index", "-q", *arguments, "-o", theirs, desk / "lichess_2012.pgn")
        ours, theirs = pgn2fen.Index(ours), pgn2fen.Index(theirs)
        assert (len(ours), ours.positions, ours.plies) == (len(theirs), theirs.positions, theirs.plies)
        assert list(ours.files.rows()) == list(theirs.files.rows())
        assert list(ours.explore("startpos").rows()) == list(theirs.explore("startpos").rows())


def test_tags_of_choice_are_kept_and_asked_for(tmp_path):
    tags = '[White "A"]\n[WhiteFideId "{}"]\n[TimeControl "{}"]\n'
    games = [tags.format(number, control) + "\n1. e4 1-0\n" for number, control in [(1, "180+2"), (2, "-")]]
    (tmp_path / "games.pgn").write_text("\n".join(games))
    folder = tmp_path / "games.idx"
    pgn2fen.index(tmp_path / "games.pgn", folder, keep_tags=["WhiteFideId", "Annotator"])
    index = pgn2fen.Index(folder)
    assert index.tags[-4:] == ["TimeControl", "Variant", "WhiteFideId", "Annotator"]
    for filters, found in [(["WhiteFideId=2"], 1), (["Speed=blitz"], 1), (["Annotator=x"], 0), (["White=A"], 2)]:
        assert index.count("1. e4", tags=filters).to_list("games") == [found], filters
    (tmp_path / "other.pgn").write_text("1. d4 1-0\n")
    with pytest.raises(OSError, match="keeps the tags .*WhiteFideId"):
        pgn2fen.index(tmp_path / "other.pgn", folder, append=True, keep_tags="EventDate")


def test_files_are_added_once(tmp_path):
    for name, move in [("a.pgn", "e5"), ("b.pgn", "c5"), ("copy.pgn", "e5")]:
        (tmp_path / name).write_text(f"1. e4 {move} 1-0\n")
    a, b, copy, out = (tmp_path / name for name in ["a.pgn", "b.pgn", "copy.pgn", "games.idx"])
    pgn2fen.index(a, out)
    summary = pgn2fen.index([a, b, copy, b], out, append=True)
    assert (summary.games, summary.all_games, summary.runs) == (1, 2, 2)
    assert [line.removeprefix(f"{tmp_path}/") for line in summary.skipped] == [
        "a.pgn: is already in the index",
        f"copy.pgn: is already in the index as {a}",
        "b.pgn: is given twice and read once",
    ]
    summary = pgn2fen.index(None, out, compact=True)
    assert (summary.games, summary.all_games, summary.runs) == (0, 2, 1)
    a.write_text("1. e4 e5 1-0\n1. d4 *\n")
    with pytest.raises(ValueError, match=r"a\.pgn: has grown since it was indexed.*\n.*games\.idx is unchanged"):
        pgn2fen.index([a], out, append=True)
    assert len(pgn2fen.Index(out)) == 2


def test_a_build_reads_file_objects(tmp_path):
    pgn2fen.index(io.BytesIO(b"1. e4 e5 1-0\n"), tmp_path / "a.idx")
    index = pgn2fen.Index(tmp_path / "a.idx")
    assert index.count("e4").to_list("games") == [1]
    assert index.files.to_list("games") == [1]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"memory": "1M"}, ValueError, "memory: too small; the minimum is 64M"),
        ({"memory": "lots"}, ValueError, "memory: not a size"),
        ({"plies": "x"}, ValueError, "plies: "),
        ({"tags": "White"}, ValueError, "tags: "),
        ({"messages": "loud"}, ValueError, "messages is 'loud'"),
        ({"paths": None}, ValueError, "no files are given"),
        ({"paths": "none.pgn"}, FileNotFoundError, "none.pgn"),
        ({"paths": None, "compact": True}, FileNotFoundError, "no such folder"),
    ],
)
def test_wrong_builds_are_told_and_leave_nothing(games, tmp_path, options, error, message):
    options = {"paths": games, **options}
    with pytest.raises(error, match=message):
        pgn2fen.index(out=tmp_path / "games.idx", **options)
    assert list(tmp_path.iterdir()) == []


def test_another_folder_is_not_written_to(games, tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(OSError, match=str(tmp_path)):
        pgn2fen.index(games, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_file_that_cannot_be_read_leaves_the_index(games, tmp_path):
    out = tmp_path / "games.idx"
    pgn2fen.index(games, out)
    before = len(pgn2fen.Index(out))
    (tmp_path / "a.pgn.zst").write_bytes(b"\x28\xb5\x2f\xfd garbage")
    with pytest.raises(OSError, match=r"games\.idx is unchanged: .*a\.pgn\.zst"):
        pgn2fen.index(tmp_path / "a.pgn.zst", out)
    assert len(pgn2fen.Index(out)) == before


def test_an_interrupt_leaves_the_index(games, big, tmp_path):
    out = tmp_path / "games.idx"
    pgn2fen.index(games, out)
    before = len(pgn2fen.Index(out))
    code = """
        import _thread, sys, threading, pgn2fen
        seen = threading.Event()
        def interrupt():
            seen.wait()
            _thread.interrupt_main()
        threading.Thread(target=interrupt, daemon=True).start()
        try:
            pgn2fen.index(sys.argv[1], sys.argv[2], progress=lambda *counts: seen.set(), messages="ignore")
        except KeyboardInterrupt:
            print("interrupted")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(big), str(out)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == "interrupted\n"
    assert len(pgn2fen.Index(out)) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.idx"]


def test_progress_of_a_build_is_given_to_a_function(big, tmp_path):
    calls = []
    pgn2fen.index(
        big, tmp_path / "big.idx", plies="..4", messages="ignore", progress=lambda *counts: calls.append(counts)
    )
    assert calls
    assert calls == sorted(calls)
    assert {counts[1] for counts in calls} == {big.stat().st_size}
