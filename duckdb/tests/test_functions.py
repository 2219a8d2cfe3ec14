"""Functions of an index, of messages and of positions; errors, interrupts, NULLs and names."""

import csv
import io
import os
import threading
import time
from pathlib import Path

import duckdb
import pytest
from conftest import GAMES, call, command, connect


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index") / "games.idx"
    command("index", "-q", "-o", folder, *GAMES)
    return folder


def texts(rows):
    return [[("" if cell is None else str(cell)) for cell in row] for row in rows]


@pytest.mark.parametrize("options,words", [
    ({}, []),
    ({"tags": "WhiteElo>=1500"}, ["-t", "WhiteElo>=1500"]),
    ({"sort": "rating", "max": 20}, ["--order", "rating", "-m", "20"]),
])
@pytest.mark.parametrize("position", ["1. e4 e5", "startpos", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"])
def test_hits_are_those_of_find(con, index, position, options, words):
    printed = command("find", "-f", "csv", *words, index, position, status=(0,)).decode()
    header, *expected = csv.reader(io.StringIO(printed))
    wanted = ", ".join("file || ':' || line" if name == "place" else f'"{name}"' for name in header)
    rows = con.execute(f"SELECT {wanted} FROM " + call("pgn_find", index, position, **options)).fetchall()
    assert texts(rows) == expected
    assert rows


def test_moves_are_those_of_find(con, index):
    for position in ["startpos", "1. e4 e5 2. Nf3", "1. d4"]:
        printed = command("find", "-M", "-f", "csv", index, position, status=(0,)).decode()
        header, *expected = csv.reader(io.StringIO(printed))
        wanted = ", ".join(f'"{name}"' for name in header)
        assert texts(con.execute(f"SELECT {wanted} FROM " + call("pgn_explore", index, position)).fetchall()) == expected
    several = con.execute("SELECT DISTINCT fen FROM " + call("pgn_explore", index, ["1. e4", "1. d4"])).fetchall()
    assert len(several) == 2


def test_questions_that_have_no_answer_are_errors(con, index):
    def error(query):
        with pytest.raises(duckdb.Error) as raised:
            con.execute(query).fetchall()
        return str(raised.value)

    assert "give a position" in error(f"FROM pgn_explore('{index}', NULL)")
    assert "    1. e4 e6 2. Nd6" in error(f"FROM pgn_find('{index}', '1. e4 e6 2. Nd6')")
    assert "none.idx" in error("FROM pgn_find('none.idx', 'startpos')")
    assert "the list has an element that is NULL" in error(f"FROM pgn_find('{index}', ['startpos', NULL])")
    assert "tags has an element that is NULL" in error(f"FROM pgn_find('{index}', 'startpos', tags := ['a=1', NULL])")
    assert "the list has an element that is NULL" in error(f"FROM read_pgn(['{GAMES[0]}', NULL])")
    shaped = con.execute(f"SELECT count(*) FROM pgn_find('{index}', NULL, material := 'KRP+:KRP+')").fetchone()
    assert shaped[0] > 0


def test_messages_are_those_of_check(con):
    rows = con.execute("SELECT file, line, col, kind, is_error, text, count FROM " + call("pgn_messages", GAMES)).fetchall()
    printed = command("check", "-q", "--max-messages", "100000", *GAMES)
    assert printed == b""
    errors = [row for row in rows if row[4]]
    assert len(errors) >= 3 and all(row[6] >= 1 for row in rows)
    places = {(Path(row[0]).name, row[3]) for row in errors}
    assert ("illegal_move_late.pgn", "illegal-move") in places
    hints = con.execute("SELECT text FROM " + call("pgn_messages", GAMES, tags="WhitElo>=2000") + " WHERE kind = 'hint'")
    assert "WhitElo" in hints.fetchall()[0][0]


def test_messages_tell_errors_in_variations_unless_they_are_left_out(con, tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text("1. e4 e5 (1... c5 2. Ke3) *")
    query = "SELECT col, kind FROM " + call("pgn_messages", str(path))
    assert con.execute(query).fetchall() == [(22, "illegal-move")]
    assert con.execute("SELECT col FROM " + call("pgn_messages", str(path), variations=False)).fetchall() == []


def test_messages_tell_what_tournaments_show_if_it_is_asked_for(con, tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text('[Date "1960.02.30"]\n[Result "1-0"]\n\n1. f3 e5 (1... e6 2. Ke3) 2. g4 Qh4# 1-0\n')
    columns = "SELECT line, col, kind, is_error, game FROM "
    found = con.execute(columns + call("pgn_messages", str(path), tournament=True, variations=False)).fetchall()
    assert found == [(1, 1, "unreadable-tag", False, None), (2, 1, "result-on-board", False, None)]
    kinds = con.execute("SELECT kind FROM " + call("pgn_messages", str(path), tournament=True)).fetchall()
    assert kinds == [("illegal-move",), ("unreadable-tag",), ("result-on-board",)]
    assert con.execute(columns + call("pgn_messages", str(path), variations=False)).fetchall() == []


@pytest.mark.parametrize("query,kind,text", [
    ("read_pgn('none.pgn')", duckdb.BinderException, "none.pgn: No such file"),
    ("'none.pgn'", duckdb.BinderException, "none.pgn: No such file"),
    ("'none-*.pgn.zst'", duckdb.BinderException, "no file matches 'none-*.pgn.zst'"),
    ("read_pgn(NULL)", duckdb.BinderException, "give a file"),
    ("read_pgn([])", duckdb.BinderException, "give a file"),
    ("read_pgn({games}, tags := 'White')", duckdb.BinderException, "tags: "),
    ("read_pgn({games}, reached := '1. e4 c5 2. Nf6')", duckdb.BinderException, "\n    1. e4 c5 2. Nf6\n                ^^^"),
    ("read_pgn({games}, plies := [1, 2])", duckdb.BinderException, "plies has one value, and not a list"),
    ("read_pgn({games}, columns := 'fem')", duckdb.BinderException, "columns: "),
    ("read_pgn({games}, sampel := 0.5)", duckdb.BinderException, "sample"),
    ("read_pgn({games}, memory := '1G')", duckdb.BinderException, 'add "unique" := true'),
    ("read_pgn({games}, threads := -1)", duckdb.BinderException, "threads is '-1', but must be a whole number from 0"),
    ("read_pgn({games}, tags := 'foo')", duckdb.BinderException, "!~\n    foo"),
    ("read_pgn({games}, range := '5')", duckdb.BinderException, "must be a range of bytes"),
    ("read_pgn({games}, on_error := 'raise')", duckdb.InvalidInputException, "illegal"),
    ("read_pgn_games({games}, plies := 3)", duckdb.BinderException, "plies"),
    ("read_pgn_starts({games}, \"all\" := true, exact := true)", duckdb.BinderException, "leave one of them out"),
])
def test_errors_say_what_is_wrong(con, query, kind, text):
    games = "[" + ", ".join(f"'{path}'" for path in GAMES) + "]"
    with pytest.raises(kind) as raised:
        con.execute("SELECT * FROM " + query.replace("{games}", games)).fetchall()
    assert text in str(raised.value)


def test_a_file_that_ends_early_is_an_error_of_the_query(con, tmp_path):
    import gzip

    path = tmp_path / "cut.pgn.gz"
    path.write_bytes(gzip.compress(GAMES[-1].read_bytes())[:-500])
    with pytest.raises(duckdb.InvalidInputException, match="cut.pgn.gz"):
        con.execute(f"SELECT count(*) FROM '{path}'").fetchall()
    assert con.execute("SELECT 1").fetchone() == (1,)


def test_files_that_cannot_be_read_are_left_out_if_that_is_wanted(con, tmp_path):
    (tmp_path / "a.pgn").write_text("1. e4 e5 *\n")
    (tmp_path / "b.pgn.gz").write_bytes(b"\x1f\x8b\x08\x00no gzip")
    files = f"['{tmp_path}/a.pgn', '{tmp_path}/b.pgn.gz', '{tmp_path}/none.pgn']"
    for query in ["read_pgn({})", "read_pgn_games({})", "pgn_messages({})"]:
        with pytest.raises(Exception, match="none.pgn"):
            con.sql(f"from {query.format(files)}").fetchall()
    skipping = f"{files}, skip_unreadable := true"
    assert con.sql(f"select count(*) from read_pgn({skipping})").fetchall() == [(3,)]
    assert con.sql(f"select count(*) from read_pgn_games({skipping})").fetchall() == [(1,)]
    rows = con.sql(f"select file, kind, is_error, text from pgn_messages({skipping}) where is_error").fetchall()
    assert [(file.rsplit("/")[-1], kind) for file, kind, _, _ in rows] == [("b.pgn.gz", "unreadable"), ("none.pgn", "unreadable")]
    assert all(text.startswith(f"{file}: ") for file, _, _, text in rows)
    with pytest.raises(Exception, match="b.pgn.gz"):
        con.sql(f"from read_pgn('{tmp_path}/b.pgn.gz', skip_unreadable := true)").fetchall()


@pytest.mark.parametrize("name", ["a'b.pgn", "new\nline.pgn", "[x]*?.pgn", "Zürich 棋.pgn", "-.pgn", "a;--.pgn"])
def test_hostile_names(con, tmp_path, name):
    path = tmp_path / name
    path.write_text("1. e4 *\n")
    rows = con.execute("SELECT ply FROM " + call("read_pgn", path, columns="file,ply")).fetchall()
    assert rows == [(0,), (1,)]


def test_hostile_texts(con, tmp_path):
    path = tmp_path / "a.pgn"
    long = "x" * 4000
    path.write_bytes(f'[White "{long}"]\n[Black "\\"q\\" \0 é"]\n[Event "\'; DROP TABLE t;--"]\n[Odd "'.encode() + b'\xff\xfe"]\n\n1. e4 e5 *\n')
    query = call("read_pgn", path, columns="White,Black,Event,Odd,ply,tags")
    rows = con.execute(f"SELECT White, Black, Event, Odd IS NOT NULL, tags['White'] = White FROM {query}").fetchall()
    assert len(rows) == 3 and {len(row[0]) for row in rows} == {4000}
    assert rows[0] == rows[1] == rows[2] and rows[0][2:] == ("'; DROP TABLE t;--", True, True)


def test_nulls_and_many_rows_of_functions(con):
    con.execute("CREATE TABLE t AS SELECT CASE WHEN i % 3 > 0 THEN '1. e4' END AS fen FROM range(5000) r(i)")
    keys = con.execute("SELECT count(*), count(fen_key(fen)), count(DISTINCT fen_key(fen)), count(opening_eco(fen)) FROM t")
    assert keys.fetchone() == (5000, 3333, 1, 3333)
    assert con.execute("SELECT fen_legal_moves(NULL), fen_play('startpos', NULL), fen_valid(NULL)").fetchone() == (None,) * 3
    functions = "fen_matches('startpos', 'material', NULL), fen_board_svg('startpos', 'size', NULL), fen_legal_moves('startpos', NULL)"
    assert con.execute(f"SELECT {functions}").fetchone() == (None,) * 3
    lists = con.execute("SELECT sum(len(fen_legal_moves(fen))), count(*) FROM t").fetchone()
    assert lists == (3333 * 20, 5000)


def test_functions_of_positions_are_those_of_rows(con):
    query = call("read_pgn", GAMES, columns="fen,key,material,next_uci,eco,ply", max_games=300)
    wrong = con.execute(f"SELECT count(*) FROM {query} WHERE key <> fen_key(fen) OR material <> fen_material(fen)")
    assert wrong.fetchone() == (0,)
    wrong = con.execute(f"SELECT count(*) FROM {query} WHERE NOT fen_valid(fen) AND ply > 0 AND fen_problem(fen) IS NULL")
    assert wrong.fetchone() == (0,)
    played = f"SELECT fen, lead(fen) OVER () AS after, next_uci, lead(ply) OVER () AS ply FROM {query}"
    wrong = con.execute(f"SELECT count(*) FROM ({played}) WHERE ply > 0 AND fen_play(fen, next_uci) <> after")
    assert wrong.fetchone() == (0,)


def test_wrong_positions_are_errors(con):
    for query in ["fen_key('rubbish')", "fen_play('startpos', 'Nf6')", "fen_matches('startpos', 'material')",
                  "fen_board_svg('startpos', 'size', '0')", "fen_legal_moves('startpos', 'x')"]:
        with pytest.raises(duckdb.InvalidInputException, match=query.split("(")[0]):
            con.execute(f"SELECT {query}").fetchall()
    reason = con.execute("SELECT fen_problem('8/8/8/8/8/8/8/8 w - - 0 1')").fetchone()
    assert "king" in reason[0]
    assert con.execute("SELECT fen_board_svg('startpos', 'size', '99')").fetchone()[0].startswith("<svg")


def threads():
    return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else threading.active_count()


# Gigabytes of rows, which take minutes.
MANY = call("read_pgn", [GAMES[-2]] * 20000, columns="fen,san")


def test_an_interrupt_ends_a_query_and_its_threads():
    con = connect()
    con.execute("SELECT count(*) FROM read_pgn('" + str(GAMES[0]) + "')").fetchall()
    before, begun = threads(), time.monotonic()
    timer = threading.Timer(0.5, con.interrupt)
    timer.start()
    with pytest.raises(duckdb.InterruptException):
        con.execute(f"SELECT max(fen) FROM {MANY}").fetchall()
    timer.join()
    assert time.monotonic() - begun < 30
    assert wait_for(lambda: threads() <= before)
    assert con.execute("SELECT count(*) > 0 FROM read_pgn('" + str(GAMES[0]) + "')").fetchone() == (True,)


def wait_for(condition):
    for _ in range(100):
        if condition():
            return True
        time.sleep(0.1)
    return False


def test_a_limit_ends_the_walk():
    con = connect()
    con.execute("SELECT count(*) FROM read_pgn('" + str(GAMES[0]) + "')").fetchall()
    before, begun = threads(), time.monotonic()
    assert len(con.execute(f"FROM {MANY} LIMIT 5").fetchall()) == 5
    assert time.monotonic() - begun < 20
    assert wait_for(lambda: threads() <= before)


def test_queries_side_by_side_and_prepared_ones(con):
    query = "SELECT count(*), max(fen) FROM " + call("read_pgn", GAMES[-2:])
    expected = con.execute(query).fetchall()
    answers = []
    runners = [threading.Thread(target=lambda: answers.append(con.cursor().execute(query).fetchall())) for _ in range(6)]
    [runner.start() for runner in runners]
    [runner.join() for runner in runners]
    assert answers == [expected] * 6
    con.execute("PREPARE p AS " + query)
    assert [con.execute("EXECUTE p").fetchall() for _ in range(3)] == [expected] * 3
    assert con.execute(f"{query} UNION ALL {query}").fetchall() == expected * 2
