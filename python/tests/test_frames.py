"""Scans in the packages that read Arrow streams."""

from __future__ import annotations

import datetime
import io
import itertools
import random

import datafusion
import duckdb
import pandas
import polars
import polars.testing
import pyarrow
import pytest

import pgn2fen

pytestmark = pytest.mark.filterwarnings("ignore::pgn2fen.GameWarning")

COLUMNS = "game,ply,turn,san,fen,eval,clk,White,WhiteElo,BlackElo,Date,Round,Result,ECO"


@pytest.fixture
def scan(fixtures):
    names = ["lichess_2012", "tournaments_2020", "clocks_in_comments", "evaluations_on_every_move"]
    return pgn2fen.scan([fixtures / "games" / f"{name}.pgn" for name in names], COLUMNS)


@pytest.fixture
def table(scan):
    return scan.to_arrow()


def test_the_types_are_those_of_the_columns(table):
    types = {field.name: str(field.type) for field in table.schema}
    assert (types["game"], types["ply"], types["san"], types["clk"]) == ("int64", "int32", "string", "double")
    assert (types["WhiteElo"], types["Date"], types["White"]) == ("int32", "date32[day]", "string")
    assert table.num_rows > 10_000


def test_duckdb_queries_a_scan_by_the_name_of_its_variable_twice(scan, table):
    for _ in range(2):
        [(count, plies)] = duckdb.sql("select count(*), sum(ply) from scan").fetchall()
        assert (count, plies) == (table.num_rows, sum(table["ply"].to_pylist()))
    limited = duckdb.sql("select san, fen from scan where ply = 3 and WhiteElo > 1500 limit 5").fetchall()
    assert len(limited) == 5


def test_duckdb_joins_a_scan_with_itself_and_with_another(scan, fixtures):
    other = pgn2fen.scan(fixtures / "games" / "lichess_2012.pgn", "game,ply,fen")
    mine = other.to_arrow().num_rows
    assert duckdb.sql("select count(*) from other a join other b using (game, ply)").fetchall() == [(mine,)]
    both = duckdb.sql("select count(distinct fen) from (select fen from scan union all select fen from other)")
    assert both.fetchall()[0][0] > 1000


def test_pyarrow_reads_a_stream_batch_by_batch(scan, table):
    reader = pyarrow.RecordBatchReader.from_stream(scan)
    assert reader.schema == table.schema
    assert sum(batch.num_rows for batch in reader) == table.num_rows
    assert pyarrow.table(scan).equals(table)
    assert pyarrow.schema(scan) == table.schema
    batch = next(iter(scan))
    assert pyarrow.record_batch(batch).num_rows == len(batch) and batch.columns == scan.columns


def test_polars_and_pandas_and_datafusion_give_the_same_rows(scan, table):
    frame = scan.to_polars()
    polars.testing.assert_frame_equal(frame, polars.from_arrow(table))
    polars.testing.assert_frame_equal(polars.DataFrame(scan), frame)
    pandas.testing.assert_frame_equal(scan.to_pandas(), table.to_pandas())
    context = datafusion.SessionContext()
    assert context.from_arrow(scan, name="rows").count() == table.num_rows


def test_a_scan_without_rows_has_its_columns(fixtures):
    scan = pgn2fen.scan(fixtures / "games" / "lichess_2012.pgn", COLUMNS, tags="White=Nobody", messages="ignore")
    assert scan.to_polars().shape == (0, 14) and scan.to_polars().schema["WhiteElo"] == polars.Int32
    assert scan.to_arrow().num_rows == 0 and list(scan.to_pandas().columns) == scan.columns
    assert scan.lazy().collect().shape == (0, 14)
    assert duckdb.sql("select count(*) from scan").fetchall() == [(0,)]


def test_a_lazy_frame_gives_the_rows_of_the_scan(scan):
    polars.testing.assert_frame_equal(scan.lazy().collect(), scan.to_polars())
    assert scan.lazy().collect_schema() == scan.to_polars().schema


DATE = datetime.date(2020, 1, 1)

CONDITIONS = {
    "ply == 10": polars.col("ply") == 10,
    "ply range": (polars.col("ply") > 3) & (polars.col("ply") <= 12),
    "ply mirrored": (polars.lit(7) > polars.col("ply")),
    "ply between": polars.col("ply").is_between(5, 9),
    "ply negative": polars.col("ply") >= -3,
    "ply contradiction": (polars.col("ply") > 10) & (polars.col("ply") < 5),
    "ply fraction": polars.col("ply") > 3.5,
    "ply beyond": polars.col("ply") > 10**10,
    "ply below all": polars.col("ply") < 10**10,
    "ply beyond 64 bits": polars.col("ply") < 2**63 - 1,
    "ply far negative": polars.col("ply") > -(10**12),
    "ply mirrored beyond": polars.lit(10**10) >= polars.col("ply"),
    "ply between beyond": polars.col("ply").is_between(5, 10**11),
    "ply in beyond": polars.col("ply").is_in([3, 10**11, -1]),
    "ply beyond fraction": polars.col("ply") > 1e30,
    "elo beyond": polars.col("WhiteElo") > 10**10,
    "elo below all": (polars.col("WhiteElo") <= 10**18) & (polars.col("WhiteElo") > -(10**10)),
    "elo fraction": polars.col("WhiteElo") >= 1799.5,
    "turn": polars.col("turn") == "b",
    "turns": (polars.col("turn") == "b") & (polars.col("turn") == "w"),
    "turn not": polars.col("turn") != "b",
    "elo": polars.col("WhiteElo") >= 1800,
    "elo exact": polars.col("WhiteElo") == polars.col("BlackElo"),
    "elo unknown": polars.col("WhiteElo").is_null(),
    "elo or": (polars.col("WhiteElo") >= 1800) | (polars.col("ply") == 0),
    "elo not": ~(polars.col("WhiteElo") >= 1800),
    "date": polars.col("Date") >= DATE,
    "date less": polars.col("Date") < DATE,
    "date text": polars.col("Date").cast(polars.String) == "2020-05-20",
    "round": polars.col("Round") == 1,
    "name": polars.col("White") == "Naitero_Nagasaki",
    "name with comma": polars.col("White") == "Gaponenko, Inna",
    "name part": polars.col("White").str.contains("a"),
    "name of none": polars.col("White") == "Nobody",
    "result": polars.col("Result") == "1-0",
    "san": polars.col("san") == "Nf3",
    "san null": polars.col("san").is_null(),
    "eval": polars.col("eval") > 100,
    "in": polars.col("ECO").is_in(["C20", "B01"]),
    "all": (polars.col("WhiteElo") > 1500)
    & (polars.col("ply") < 30)
    & (polars.col("turn") == "w")
    & polars.col("clk").is_not_null(),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_of_polars_hold_whether_or_not_a_filter_expresses_them(name, scan):
    condition = CONDITIONS[name]
    whole = scan.to_polars()
    polars.testing.assert_frame_equal(scan.lazy().filter(condition).collect(), whole.filter(condition))
    polars.testing.assert_frame_equal(
        scan.lazy().filter(condition).select("fen", "game").head(7).collect(),
        whole.filter(condition).select("fen", "game").head(7),
    )
    polars.testing.assert_frame_equal(
        scan.lazy().head(500).filter(condition).collect(), whole.head(500).filter(condition)
    )
    counted = scan.lazy().filter(condition).select(polars.len()).collect().item()
    assert counted == len(whole.filter(condition))


def test_conditions_hold_for_numbers_with_decimals(tmp_path):
    ratings = ["2699.5", "2700", "2700.5", "0", "0.5", "-0.5", "-1", "2701", "x", ""]
    path = tmp_path / "decimals.pgn"
    path.write_text("".join(f'[WhiteElo "{rating}"]\n[Round "{rating}"]\n\n1. e4 *\n\n' for rating in ratings))
    scan = pgn2fen.scan(path, "game,WhiteElo,Round", messages="ignore")
    whole = scan.to_polars()
    for name, value in itertools.product(["WhiteElo", "Round"], [0, 1, 2699, 2700, 2701]):
        column = polars.col(name)
        for condition in (column == value, column < value, column <= value, column > value, column >= value):
            polars.testing.assert_frame_equal(scan.lazy().filter(condition).collect(), whole.filter(condition))


@pytest.mark.parametrize(
    "options",
    [
        {"plies": (5, 20)},
        {"every": 3},
        {"unique": True},
        {"max_games": 20},
        {"tags": "WhiteElo<2000"},
        {"turn": "w"},
        {"sample": 0.3},
        {"variations": True},
    ],
    ids=str,
)
def test_conditions_hold_beside_other_options(options, fixtures):
    files = [fixtures / "games" / "lichess_2012.pgn", fixtures / "games" / "clocks_in_comments.pgn"]
    scan = pgn2fen.scan(files, COLUMNS, messages="ignore", **options)
    whole = scan.to_polars()
    for name in ("ply range", "turn", "elo", "ply == 10", "all", "name"):
        polars.testing.assert_frame_equal(
            scan.lazy().filter(CONDITIONS[name]).collect(), whole.filter(CONDITIONS[name])
        )


def test_random_conditions_hold(scan):
    chooser = random.Random(3)
    whole = scan.to_polars()
    simple = [
        CONDITIONS[name]
        for name in (
            "ply range",
            "turn",
            "elo",
            "date",
            "round",
            "result",
            "san null",
            "name with comma",
            "ply mirrored",
        )
    ]
    for _ in range(25):
        first, second, third = chooser.sample(simple, 3)
        condition = chooser.choice(
            [first & second & third, first & (second | third), first & ~second, (first & second) | third]
        )
        polars.testing.assert_frame_equal(scan.lazy().filter(condition).collect(), whole.filter(condition))


@pytest.mark.parametrize("number", [2**31, 2**32, 10**10, 2**63 - 1, 2**63, 2**64, 10**30])
@pytest.mark.parametrize("column", ["ply", "WhiteElo", "Round"])
def test_numbers_of_any_size_become_options_that_a_scan_takes(number, column, scan):
    from pgn2fen._lazy import narrowed

    whole = scan.to_polars()
    for value in (number, -number):
        of_column = polars.col(column)
        for condition in (
            of_column == value,
            of_column < value,
            of_column <= value,
            of_column > value,
            of_column >= value,
            (of_column > value) & (of_column < 2 * value),
            polars.lit(value) > of_column,
        ):
            # Some versions of Polars compute such conditions before they ask for rows.
            rows = scan._changed(**narrowed(scan, condition)).to_polars()
            # Some cannot compare a column with numbers of more than 64 bits.
            if abs(value) < 2**63:
                polars.testing.assert_frame_equal(rows.filter(condition), whole.filter(condition))


def test_what_a_filter_expresses_is_pushed_down(scan):
    from pgn2fen._lazy import narrowed

    condition = (
        CONDITIONS["all"]
        & (polars.col("Date") >= DATE)
        & (polars.col("Result") == "1-0")
        & (polars.lit(4) <= polars.col("ply"))
    )
    assert narrowed(scan, condition) == {
        "plies": "4..29",
        "turn": "w",
        "tags": ["WhiteElo>1500", "Date>=2020.01.01"],
    }
    assert narrowed(scan, polars.col("White") == "Gaponenko, Inna") == {"tags": ["White=Gaponenko, Inna"]}
    assert narrowed(scan, CONDITIONS["elo or"]) == narrowed(scan, CONDITIONS["san"]) == {}


def test_only_the_columns_that_are_needed_are_made(scan, monkeypatch):
    opened = []
    changed = type(scan)._changed
    monkeypatch.setattr(
        type(scan), "_changed", lambda self, **options: opened.append(options) or changed(self, **options)
    )
    scan.lazy().filter(polars.col("eval") > 0).select("san").collect()
    assert opened[-1]["columns"] == "san,eval"
    scan.lazy().select(polars.len()).collect()
    assert len(opened[-1]["columns"].split(",")) == 1


def test_batches_come_while_the_walk_goes_on(big):
    scan = pgn2fen.scan(big, "fen")
    for batch in itertools.islice(iter(scan), 3):
        assert 0 < len(batch) <= 16_384
    assert not scan.report.is_complete
    # A limit ends the run early, too.
    assert scan.lazy().head(10).collect().shape == (10, 1)
    assert duckdb.sql("select fen from scan limit 10").fetchall().__len__() == 10


@pytest.mark.parametrize("day", [10**7, -(10**6)])
def test_a_date_that_python_does_not_have_is_left_to_polars(day, games):
    scan = pgn2fen.scan(games, "Date,ply")
    condition = polars.col("Date") < polars.lit(day).cast(polars.Date)
    assert scan.lazy().filter(condition).collect().equals(scan.to_polars().filter(condition))


def test_an_arrow_file_of_polars_needs_its_path(tmp_path):
    path = tmp_path / "games.arrow"
    polars.DataFrame({"movetext": ["1. e4 e5", "1. d4"]}).write_ipc(path)
    assert pgn2fen.scan(path, "ply").to_list() == [0, 1, 2, 0, 1]
    with pytest.raises(
        OSError, match="without a schema at its start, so its end is read first; give the name of a file"
    ):
        pgn2fen.scan(io.BytesIO(path.read_bytes()), "ply").to_list()
