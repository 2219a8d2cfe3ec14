"""The rows are those of `pgn2fen -f parquet`, read by DuckDB."""

import random

import pytest
from conftest import FIXTURES, GAMES, STARTS, call, command, differences

FILES = [*GAMES, *STARTS]
EVERYTHING = (
    "file,game,offset,line,id,ply,variation,parent,plies,turn,fen,san,uci,next_san,next_uci,eval,depth,time,nodes,win_chance,cp_loss,accuracy,judgement,clk,spent,"
    "comment,words,nags,key,result,eco,opening,material,tags,White,WhiteElo,Date,Date_text,Round,Missing"
)

# Each set: the options of the function, and those of the command.
SETS = [
    ({}, []),
    ({"columns": EVERYTHING}, ["-C", EVERYTHING]),
    ({"columns": "*"}, ["-C", "*"]),
    ({"columns": "game,White*,*Elo"}, ["-C", "game,White*,*Elo"]),
    ({"columns": ["game", "ply", "eval", "clk"], "max_eval": 300}, ["-C", "game,ply,eval,clk", "--max-eval", "300"]),
    ({"tags": "WhiteElo>=2000"}, ["-t", "WhiteElo>=2000"]),
    ({"tags": ["WhiteElo>=1500", "Result=1-0"]}, ["-t", "WhiteElo>=1500", "-t", "Result=1-0"]),
    ({"start": "nonstandard"}, ["--start", "nonstandard"]),
    ({"start": "standard", "skip_start": True}, ["--start", "standard", "--no-start"]),
    ({"opening": "Sicilian"}, ["--opening", "Sicilian"]),
    ({"opening": ["B9", "C4"], "columns": "eco,opening,ply"}, ["--opening", "B9", "--opening", "C4", "-C", "eco,opening,ply"]),
    ({"reached": "1. e4 e5"}, ["--reached", "1. e4 e5"]),
    ({"ends": "mate"}, ["--ends", "mate"]),
    ({"commented": True}, ["--commented"]),
    ({"eval": "-50..50"}, ["--eval=-50..50"]),
    ({"judgement": ["blunder", "good"], "min_loss": 3}, ["--judgement", "blunder", "--judgement", "good", "--min-loss", "3"]),
    ({"moves": "exd5 Qxd5"}, ["--moves", "exd5 Qxd5"]),
    ({"length": "40..80"}, ["--length", "40..80"]),
    ({"max_games": 30}, ["-n", "30"]),
    ({"on_error": "drop"}, ["--on-error", "drop"]),
    ({"on_error": "stop"}, ["--on-error", "stop"]),
    ({"plies": "8..20"}, ["-p", "8..20"]),
    ({"plies": -1, "columns": "file,game,plies,fen,result"}, ["-p=-1", "-C", "file,game,plies,fen,result"]),
    ({"every": 7}, ["-e", "7"]),
    ({"sample": 0.1, "seed": 3}, ["-s", "0.1", "--seed", "3"]),
    ({"unique": True}, ["-u"]),
    ({"unique": True, "memory": "64M", "columns": "key,ply"}, ["-u", "--memory", "64M", "-C", "key,ply"]),
    ({"variations": True, "columns": "game,ply,variation,parent,san,nags,comment"},
     ["--variations", "-C", "game,ply,variation,parent,san,nags,comment"]),
    ({"turn": "b", "pieces": "3..12"}, ["--turn", "b", "--pieces", "3..12"]),
    ({"skip_checks": True, "skip_captures": True}, ["--skip-checks", "--skip-captures"]),
    ({"material": "KRP+:KRP+"}, ["--material", "KRP+:KRP+"]),
    ({"material": "KRP+:KRP+", "colors": "given", "for_plies": 3},
     ["--material", "KRP+:KRP+", "--shape-colors", "given", "--for-plies", "3"]),
    ({"ep": "legal", "castling": "shredder", "fields": 4}, ["--ep", "legal", "--castling", "shredder", "--fields", "4"]),
    ({"evals": "engine", "columns": "game,ply,eval,depth,time"}, ["--evals", "engine", "-C", "game,ply,eval,depth,time"]),
    ({"setup": "ignore", "lang": "de"}, ["--setup", "ignore", "--lang", "de"]),
    ({"encoding": "windows-1251", "columns": "White,Black,ply"}, ["--encoding", "windows-1251", "-C", "White,Black,ply"]),
    ({"per": "game", "columns": "*"}, ["--per", "game", "-C", "*"]),
    ({"mmap": True, "threads": 3, "verbose": True, "batch_rows": 100}, ["-j", "3"]),
]


def parquet(tmp_path, *arguments):
    path = tmp_path / "rows.parquet"
    # With `--on-error stop`, the command writes no file, but it prints the rows.
    path.write_bytes(command("-q", "-f", "parquet", *arguments))
    return f"read_parquet('{path}')"


@pytest.mark.parametrize("options,words", SETS, ids=[" ".join(words) or "none" for _, words in SETS])
def test_rows_are_those_of_the_command(con, tmp_path, options, words):
    theirs = parquet(tmp_path, *words, *FILES)
    rows = differences(con, call("read_pgn", FILES, **options), theirs)
    assert rows > 0


def test_games_are_those_of_the_command(con, tmp_path):
    usual = "game,Event,Site,Date,Round,White,Black,WhiteElo,BlackElo,result,plies,variant,start,moves,evals,clocks"
    theirs = parquet(tmp_path, "--per", "game", "-C", f"{usual},eco,opening", *FILES)
    assert differences(con, call("read_pgn_games", FILES), theirs) > 1000


@pytest.mark.parametrize("options,words", [
    ({}, []),
    ({"all": True}, ["--all"]),
    ({"exact": True, "kind": ["chess960", "dfrc"]}, ["--exact", "--kind", "chess960,dfrc"]),
    ({"kind": "invalid", "all": True}, ["--kind", "invalid", "--all"]),
    ({"columns": "fen,game,White", "tags": "White!=x"}, ["-C", "fen,game,White", "-t", "White!=x"]),
])
def test_starts_are_those_of_the_command(con, tmp_path, options, words):
    path = tmp_path / "starts.parquet"
    command("starts", "-q", "-o", path, *words, *FILES)
    assert differences(con, call("read_pgn_starts", FILES, **options), f"read_parquet('{path}')") > 0


def test_every_fixture_is_read_alike(con, tmp_path):
    """Also the hostile ones, on which the command reports errors."""
    for file in sorted(FIXTURES.glob("cases/*.pgn")):
        path = tmp_path / "rows.parquet"
        command("-q", "-o", path, "-C", "*", file)
        differences(con, call("read_pgn", file, columns="*"), f"read_parquet('{path}')")


def test_compressed_files_and_patterns(con, tmp_path):
    import gzip

    for name in ["b.pgn", "a.pgn"]:
        (tmp_path / name).write_text('[White "x"]\n\n1. e4 *\n')
    (tmp_path / "c.pgn.gz").write_bytes(gzip.compress(b"1. d4 d5 *\n"))
    rows = con.execute(f"SELECT file[-5:], ply FROM read_pgn('{tmp_path}/?.pgn', columns := 'file,ply')").fetchall()
    assert rows == [("a.pgn", 0), ("a.pgn", 1), ("b.pgn", 0), ("b.pgn", 1)]
    assert con.execute(f"SELECT count(*) FROM '{tmp_path}/c.pgn.gz'").fetchone() == (3,)
    assert con.execute(f"SELECT count(*) FROM '{tmp_path}/*.pgn'").fetchone() == (4,)
    assert con.execute(f"SELECT count(*) FROM read_pgn(['{tmp_path}/*.pgn', '{tmp_path}/c.pgn.gz'])").fetchone() == (7,)
    assert con.execute(f"SELECT count(*) FROM read_pgn('{tmp_path}', recursive := true)").fetchone() == (7,)
    # As in DuckDB, a pattern finds no folders, and `**` finds the files in all of them.
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "e.pgn").write_text("1. c4 c5 2. Nc3 *\n")
    for pattern, positions in [("*", 7), ("**", 11), ("**/*", 11), ("d/**", 4)]:
        found = con.execute("SELECT count(*) FROM " + call("read_pgn", f"{tmp_path}/{pattern}")).fetchone()
        assert found == (positions,), pattern


def test_rows_are_in_order_where_duckdb_keeps_it(con):
    query = "SELECT id, ply FROM " + call("read_pgn", [*GAMES] * 5, columns="id,ply")
    for threads in [1, 4]:
        con.execute(f"SET threads = {threads}")
        rows = con.execute(query).fetchall()
        assert rows == sorted(rows)
    con.execute("SET preserve_insertion_order = false")
    assert sorted(con.execute(query).fetchall()) == rows


def test_names_that_differ_in_case_are_numbered(con):
    query = call("read_pgn", GAMES, columns="result,Result,RESULT", plies=0)
    described = con.execute(f"SELECT column_name FROM (DESCRIBE FROM {query})").fetchall()
    assert described == [("result",), ("Result_1",), ("RESULT_2",)]
    assert con.execute(f"SELECT count(*) FROM {query} WHERE result IS DISTINCT FROM Result_1").fetchone()[0] < 50


# The parts of random queries.
NUMBERS = ["game", "ply", "eval", "clk", "WhiteElo", "key", "id"]
TEXTS = ["file", "san", "next_san", "turn", "fen", "White", "result", "eco", "material"]
CONDITIONS = [
    "ply > 12", "ply BETWEEN 4 AND 9", "eval > 50", "eval IS NULL", "turn = 'b'", "san LIKE 'N%'", "WhiteElo >= 2400",
    "result <> '1-0'", "eco IN ('B01', 'C42', 'B90')", "Date >= DATE '2012-01-01'", "list_contains(nags, 1)",
    "tags['White'] = White", "clk < 60", "key % 7 = 0", "next_san IS NULL", "material LIKE 'KR%:K%'", "id % 3 = 1",
]


def random_query(chance):
    """Returns a query with `{rows}` for its table, whose answer is determined but for the order of rows."""
    conditions = chance.sample(CONDITIONS, chance.randint(0, 3))
    where = f" WHERE {chance.choice([' AND ', ' OR ']).join(conditions)}" if conditions else ""
    kind = chance.choice(["plain", "aggregate", "limit", "join", "distinct", "window"])
    columns = chance.sample(NUMBERS + TEXTS, chance.randint(1, 5))
    if kind == "plain":
        return f"SELECT {', '.join(columns)} FROM {{rows}}{where}"
    if kind == "distinct":
        return f"SELECT DISTINCT {', '.join(columns[:2])} FROM {{rows}}{where}"
    if kind == "limit":
        order = chance.choice(["ASC", "DESC"])
        limit = f"LIMIT {chance.randint(1, 3000)} OFFSET {chance.choice([0, 5, 2100])}"
        return f"SELECT {', '.join(columns)} FROM {{rows}}{where} ORDER BY id {order}, ply {limit}"
    if kind == "aggregate":
        number, by = chance.choice(NUMBERS), chance.choice(TEXTS)
        having = chance.choice(["", " HAVING count(*) > 3"])
        aggregates = f"count(*), count({number}), min({number}), max({number}), count(DISTINCT san)"
        return f"SELECT {by}, {aggregates} FROM {{rows}}{where} GROUP BY {by}{having}"
    if kind == "join":
        on = "a.id = b.id AND a.ply = b.ply + 1"
        joined = f"{{rows}} a JOIN (SELECT * FROM {{rows}}{where}) b ON {on}"
        return f"SELECT count(*), count(DISTINCT b.{columns[0]}), max(a.{columns[-1]}) FROM {joined}"
    return f"SELECT id, ply, eval - lag(eval) OVER (PARTITION BY id ORDER BY ply) FROM {{rows}}{where}"


def test_two_hundred_random_queries(con, tmp_path):
    chance = random.Random(39)
    columns = "file,game,id,ply,turn,fen,san,next_san,eval,clk,nags,key,result,eco,material,tags,White,WhiteElo,Date"
    theirs = parquet(tmp_path, "-C", columns, *FILES)
    ours = call("read_pgn", FILES, columns=columns)
    for number in range(200):
        query = random_query(chance)
        answers = [
            sorted(map(repr, con.execute(query.format(rows=rows)).fetchall())) for rows in [ours, theirs]
        ]
        assert answers[0] == answers[1], (number, query)


@pytest.mark.parametrize("name, columns", [
    ("puzzles.csv", "PuzzleId,Rating,Themes,LastMove,ply,san,fen"),
    ("evaluations.jsonl", "fen,eval,depth,Knodes,tags"),
    ("lichess.ndjson", "White,WhiteElo,ply,san,eval,clk"),
    ("chesscom.json", "White,ply,san,clk,fen"),
])
def test_puzzles_evaluations_and_json_are_read(name, columns, con, tmp_path):
    path = f"{FIXTURES}/records/{name}"
    theirs = parquet(tmp_path, "-C", columns, path)
    assert differences(con, call("read_pgn", [path], columns=columns), theirs) > 0


def test_csv_and_json_behind_from_are_those_of_duckdb(con):
    count = con.execute(f"SELECT count(*) FROM '{FIXTURES}/records/puzzles.csv'").fetchone()
    assert count == (5,)


@pytest.mark.parametrize("ending", ["cbh", "cbv"])
def test_databases_of_chessbase_are_read_like_pgn(con, ending):
    database, pgn = (FIXTURES / "chessbase" / f"games.{it}" for it in (ending, "pgn"))
    ours, theirs = (con.sql(f"SELECT game, ply, fen FROM '{path}' ORDER BY ALL").fetchall() for path in (database, pgn))
    assert ours == theirs
    assert ours


def test_ranges_of_a_file_that_is_not_mapped_give_its_rows(con):
    path = FIXTURES / "games" / "lichess_2012.pgn"
    columns = "game,line,offset,ply,fen"
    whole = con.execute("FROM " + call("read_pgn", path, columns=columns)).fetchall()
    parts = [
        con.execute("FROM " + call("read_pgn", path, columns=columns, range=part, mmap=mapped)).fetchall()
        for part in ("..3000", "3000..")
        for mapped in (False, True)
    ]
    assert parts[0] == parts[1] and parts[2] == parts[3]
    assert parts[0] + parts[2] == whole and parts[0] and parts[2]
