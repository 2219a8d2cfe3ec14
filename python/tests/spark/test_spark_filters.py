"""Conditions that Spark pushes down: the rows for which they hold are the same, and fewer others are made."""

from __future__ import annotations

import datetime
import json
import operator
import pickle
import random

import pytest

import pgn2fen
from pyspark_pgn2fen import DefaultSource

sources = pytest.importorskip("pyspark.sql.datasource")
if not hasattr(sources, "EqualTo"):
    pytest.skip("Spark before 4.1 pushes no conditions down", allow_module_level=True)

COLUMNS = "file,game,offset,ply,turn,fen,san,eval,White,WhiteElo,BlackElo,Date,Round,Result,Date_text"

FILES = ["lichess_2012", "illegal_move_late", "variations_and_glyphs"]

SIMPLE = [
    sources.EqualTo(("ply",), 10),
    sources.EqualNullSafe(("ply",), 11),
    sources.LessThan(("ply",), 7),
    sources.LessThanOrEqual(("ply",), 6),
    sources.GreaterThan(("ply",), 30),
    sources.GreaterThanOrEqual(("ply",), -3),
    sources.LessThan(("ply",), -3),
    sources.LessThan(("ply",), 2**31 - 1),
    sources.In(("ply",), (3, None, 9)),
    sources.In(("ply",), ()),
    sources.In(("ply",), (None,)),
    sources.EqualTo(("turn",), "b"),
    sources.In(("turn",), ("b",)),
    sources.In(("turn",), ("w", "b")),
    sources.GreaterThan(("turn",), "b"),
    sources.GreaterThanOrEqual(("WhiteElo",), 1800),
    sources.LessThan(("WhiteElo",), 1500),
    sources.LessThan(("WhiteElo",), 10**10),
    sources.EqualTo(("BlackElo",), 1700),
    sources.In(("WhiteElo",), (1500, 1600, 1800)),
    sources.EqualNullSafe(("WhiteElo",), None),
    sources.IsNull(("WhiteElo",)),
    sources.IsNotNull(("WhiteElo",)),
    sources.Not(sources.GreaterThan(("WhiteElo",), 1800)),
    sources.GreaterThanOrEqual(("Date",), datetime.date(2010, 1, 1)),
    sources.LessThan(("Date",), datetime.date(2010, 1, 1)),
    sources.In(("Date",), (datetime.date(2010, 1, 5), datetime.date(2010, 6, 1))),
    sources.EqualTo(("Date",), datetime.date(1, 1, 1)),
    sources.EqualTo(("Date_text",), "2010.01.05"),
    sources.EqualTo(("Round",), 1),
    sources.EqualTo(("White",), "Naitero_Nagasaki"),
    sources.EqualTo(("White",), "naitero_nagasaki"),
    sources.EqualTo(("White",), "manos68"),
    sources.EqualTo(("White",), "Manos68"),
    sources.EqualTo(("White",), "800"),
    sources.EqualTo(("White",), "Nobody*"),
    sources.EqualTo(("White",), ""),
    sources.GreaterThan(("White",), "M"),
    sources.In(("White",), ("manos68", "Vocaturo, Daniele")),
    sources.StringStartsWith(("White",), "N"),
    sources.StringContains(("White",), "a"),
    sources.EqualTo(("Result",), "1-0"),
    sources.EqualTo(("san",), "Nf3"),
    sources.GreaterThan(("eval",), 100),
    sources.EqualTo(("White", "Title"), "GM"),
    sources.EqualTo(("nothing",), 1),
]

OPTIONS = [
    {},
    {"columns": "ply,WhiteElo,fen"},
    {"on_error": "drop"},
    {"plies": "5..20"},
    {"every": "3"},
    {"turn": "w"},
    {"tags": "WhiteElo<2000\nResult!=*"},
    {"sample": "0.3"},
    {"skip_start": "true", "skip_checks": "true"},
    {"variations": "true"},
    {"length": "..60"},
    {"pattern": "????k???/*/*/*/*/*/*/*", "for_plies": "6"},
    {"per": "game", "columns": "game,White,WhiteElo,Date,Round,result"},
]

COMPARE = {
    "EqualTo": operator.eq,
    "EqualNullSafe": operator.eq,
    "LessThan": operator.lt,
    "LessThanOrEqual": operator.le,
    "GreaterThan": operator.gt,
    "GreaterThanOrEqual": operator.ge,
    "In": lambda value, values: value in values,
    "StringStartsWith": str.startswith,
    "StringContains": lambda value, part: part in value,
}


def holds(filter, row) -> bool:
    """Whether Spark would keep a row."""
    kind = type(filter).__name__
    if kind == "Not":
        value = row[filter.child.attribute[0]]
        return value is not None and not holds(filter.child, row)
    value = row[filter.attribute[0]]
    if kind == "IsNull" or (kind == "EqualNullSafe" and filter.value is None):
        return value is None
    if kind == "IsNotNull":
        return value is not None
    return value is not None and COMPARE[kind](value, filter.value)


def attributes(filter) -> tuple:
    return getattr(filter, "child", filter).attribute


class Query:
    """A source with options."""

    def __init__(self, fixtures, **options):
        paths = json.dumps([str(fixtures / "games" / f"{name}.pgn") for name in FILES])
        given = {"paths": paths, "columns": COLUMNS, "push_down_predicate": "true", "size": "8K", **options}
        self.source = DefaultSource(given)
        self.schema = self.source.schema()

    def reader(self, filters=()):
        reader = self.source.reader(self.schema)
        if filters:
            assert list(reader.pushFilters(list(filters))) == list(filters), "Spark has to apply all of them again"
        return pickle.loads(pickle.dumps(reader))

    def rows(self, filters=()) -> list[dict]:
        reader = self.reader(filters)
        batches = [batch for part in reader.partitions() for batch in reader.read(part)]
        return [row for batch in batches for row in batch.to_pylist()]


def check(query, whole, filters) -> int:
    """Compares the rows for which filters hold. Returns the number of other rows that were made."""
    known = [
        filter for filter in filters if attributes(filter)[0] in query.schema.names and len(attributes(filter)) == 1
    ]
    rows = query.rows(filters)
    kept = [row for row in rows if all(holds(filter, row) for filter in known)]
    assert kept == [row for row in whole if all(holds(filter, row) for filter in known)], filters
    return len(rows) - len(kept)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_rows_for_which_conditions_hold_are_the_same_whether_or_not_they_are_pushed_down(options, fixtures):
    query = Query(fixtures, **options)
    whole = query.rows()
    assert whole
    chooser = random.Random(5)
    for filters in [*([filter] for filter in SIMPLE), *(chooser.sample(SIMPLE, 3) for _ in range(20))]:
        check(query, whole, filters)


def test_games_and_positions_are_left_out(fixtures):
    query = Query(fixtures)
    whole = query.rows()
    for filters in [
        [sources.GreaterThanOrEqual(("WhiteElo",), 1800)],
        [sources.LessThan(("ply",), 7), sources.GreaterThan(("ply",), 2), sources.IsNotNull(("ply",))],
        [sources.EqualTo(("turn",), "b")],
        [sources.EqualTo(("White",), "manos68")],
        [sources.EqualTo(("White",), "Vocaturo, Daniele")],
        [
            sources.GreaterThan(("Date",), datetime.date(2009, 12, 31)),
            sources.LessThan(("Date",), datetime.date(2011, 1, 1)),
        ],
    ]:
        assert check(query, whole, filters) == 0, filters
    assert 0 < check(query, whole, [sources.In(("ply",), (3, 9))]) < len(whole) / 2
    assert check(query, whole, [sources.EqualTo(("san",), "Nf3")]) > len(whole) / 2


@pytest.mark.parametrize("given", [{"report": "true"}, {"push_down_predicate": "false"}])
def test_the_report_and_other_queries_take_no_conditions(given, fixtures):
    # Spark refuses a reader with a method of its own, unless its setting allows filters.
    reader = Query(fixtures, **given).reader()
    assert reader.pushFilters.__func__ is sources.DataSourceReader.pushFilters


def test_an_error_that_ends_the_job_is_found_in_games_that_would_be_left_out(fixtures):
    query = Query(fixtures, on_error="raise")
    with pytest.raises(pgn2fen.GameError, match="illegal_move_late.pgn:14:551"):
        query.rows([sources.EqualTo(("White",), "manos68")])


def test_conditions_replace_those_that_were_pushed_before(fixtures):
    query = Query(fixtures)
    reader = query.source.reader(query.schema)
    reader.pushFilters([sources.EqualTo(("ply",), 1)])
    reader.pushFilters([sources.EqualTo(("ply",), 2)])
    assert {row["ply"] for part in reader.partitions() for batch in reader.read(part) for row in batch.to_pylist()} == {
        2
    }


CONDITIONS = [
    "ply = 10 and WhiteElo >= 1800",
    "ply between 3 and 6 and turn = 'w'",
    "whiteelo in (1500, 1600, 1800) or ply = 0",
    "White = 'manos68' and san is not null",
    "Date >= '2010-01-01' and Date < date '2010-02-01' and not ply > 5",
    "WhiteElo > 1799.5 and ply < 3.5",
]


@pytest.fixture(scope="module")
def pushing(spark):
    """A session that pushes conditions down."""
    setting = "spark.sql.python.filterPushdown.enabled"
    spark.conf.set(setting, "true")
    yield spark
    spark.conf.unset(setting)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_in_sql_give_the_rows_of_frames_without_them(condition, pushing, read, fixtures):
    from test_spark_rows import counted

    files = [fixtures / "games" / f"{name}.pgn" for name in FILES]
    found = read(files, columns=COLUMNS, size="8K", push_down_predicate=True).where(condition).toArrow()
    assert counted(found) == counted(read(files, columns=COLUMNS, size="8K").where(condition).toArrow())
    assert found.num_rows > 0


def test_a_frame_with_conditions_is_for_one_query_only_in_spark(pushing, read, fixtures):
    frame = read(fixtures / "games" / "lichess_2012.pgn", columns="ply", push_down_predicate=True)
    assert frame.where("ply = 1").count() > 0
    is_sail = type(pushing).__module__.startswith("pyspark.sql.connect")
    # Spark up to 4.3 remembers the reader of the last query with conditions. If it does no longer, conditions can be
    # pushed down without the option.
    whole = read(fixtures / "games" / "lichess_2012.pgn", columns="ply").count()
    assert (frame.count() == whole) == is_sail


def test_spark_says_which_setting_is_missing(spark, read, fixtures):
    if type(spark).__module__.startswith("pyspark.sql.connect"):
        pytest.skip("pysail needs no setting")
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "false")
    games = fixtures / "games" / "lichess_2012.pgn"
    with pytest.raises(Exception, match="spark.sql.python.filterPushdown.enabled"):
        read(games, columns="ply", push_down_predicate=True).where("ply = 1").count()
    assert read(games, columns="ply").where("ply = 1").count() > 0
