"""Rows and reports of the data source, on each engine that is installed."""

from __future__ import annotations

import collections
import gzip
import itertools
import re
import shutil

import pyarrow
import pytest

import pgn2fen

COLUMNS = "file,game,offset,line,ply,turn,fen,san,uci,next_san,next_uci,eval,depth,time,nodes,clk,key,result,White,WhiteElo,Date,Round,Date_text"

# Each option of the data source that chooses rows or changes them.
OPTIONS = [
    {},
    {"tags": "WhiteElo>=1700"},
    {"tags": ["WhiteElo>=1500", "Result=1-0"]},
    {"start": "nonstandard"},
    {"on_error": "drop"},
    {"plies": 16},
    {"plies": (8, 20)},
    {"plies": -1},
    {"skip_start": True, "every": 3},
    {"sample": 0.2},
    {"sample": 0.2, "seed": 7},
    {"variations": True},
    {"turn": "b"},
    {"pieces": (3, 20)},
    {"skip_checks": True, "skip_captures": True},
    {"max_eval": 50},
    {"eval": "-50..50", "judgement": ["good", "blunder"], "min_loss": 3},
    {"evals": "engine", "max_eval": 90},
    {"ep": "legal", "castling": "shredder", "fields": 4},
    {"ep": "xfen"},
    {"lang": "de"},
    {"setup": "ignore"},
    {"encoding": "windows-1251"},
    {"mmap": False, "threads": 3, "batch_rows": 10},
]

FILES = [
    "games/evaluations_on_every_move.pgn",
    "games/lichess_2012.pgn",
    "games/annotated_in_prose.pgn",
    "games/fischer_random_2018.pgn",
    "games/fishtest_black_begins.pgn",
    "games/illegal_move_late.pgn",
    "games/names_in_many_scripts.pgn",
    "games/variations_and_glyphs.pgn",
    "starts/mixed.pgn",
]


def counted(table: pyarrow.Table) -> collections.Counter:
    """Returns each row with its number."""
    return collections.Counter(zip(*(column.to_pylist() for column in table.columns)))


def check(frame, scan: pgn2fen.Scan) -> None:
    """Compares rows in any order, and their types."""
    table, expected = frame.toArrow(), scan.to_arrow()
    assert table.schema == expected.schema
    assert counted(table) == counted(expected)
    assert expected.num_rows > 0


@pytest.fixture(scope="module")
def files(fixtures):
    return [fixtures / name for name in FILES]


def test_players_are_found_under_all_names(read, fixtures):
    path = fixtures / "players" / "several_names.pgn"
    options = {"tags": "White=Carlsen, Magnus", "names": fixtures / "players" / "names.txt"}
    scan = pgn2fen.scan(path, COLUMNS, messages="ignore", **options)
    check(read(path, columns=COLUMNS, size="1K", **options), scan)
    assert len(set(scan.to_list("White"))) == 5


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_rows_are_those_of_one_pass(options, read, files):
    scan = pgn2fen.scan(files, COLUMNS, messages="ignore", **options)
    check(read(files, columns=COLUMNS, size="4K", **options), scan)


def test_the_usual_columns_are_those_of_a_scan(read, files):
    check(read(files[0], size="4K"), pgn2fen.scan(files[0], messages="ignore"))


def test_paths_are_patterns_folders_lists_and_uris(read, fixtures, tmp_path):
    for name in ["a b.pgn", "deep/c.pgn", "deep/er/d.pgn"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(fixtures / "games" / "evaluations_on_every_move.pgn", path)
    all = [tmp_path / "a b.pgn", tmp_path / "deep/c.pgn", tmp_path / "deep/er/d.pgn"]
    for paths, expected, options in [
        (tmp_path / "*.pgn", all[:1], {}),
        (tmp_path / "**/*.pgn", all, {}),
        (tmp_path / "deep", all[1:], {"recursive": True}),
        ([all[1], all[0]], [all[1], all[0]], {}),
        ([all[0], tmp_path / "d*" / "*.pgn"], all[:2], {}),
        (all[0].as_uri(), all[:1], {}),
        (f"file:{all[0]}", all[:1], {}),
        ([all[0], all[0]], [all[0], all[0]], {}),
    ]:
        check(
            read(paths, columns="file,ply,fen", sample=0.5, **options),
            pgn2fen.scan(expected, "file,ply,fen", sample=0.5),
        )


def framed(text: bytes, cuts: list[int]) -> bytes:
    """Compresses parts of a text, each as a zstd frame."""
    codec = pyarrow.Codec("zstd")
    ends = [0, *cuts, len(text)]
    return b"".join(codec.compress(text[begin:end], asbytes=True) for begin, end in itertools.pairwise(ends))


@pytest.mark.parametrize("columns", ["file,ply,fen", "file,offset,ply,fen", COLUMNS])
@pytest.mark.parametrize("sample", [None, 0.3])
def test_compressed_files_are_read_like_others(columns, sample, read, files, tmp_path):
    text = b"\n\n".join(files[at].read_bytes() for at in (0, 1, 3))
    frames, one, zipped = paths = [tmp_path / name for name in ("frames.pgn.zst", "one.pgn.zst", "games.pgn.gz")]
    frames.write_bytes(framed(text, [at * len(text) // 12 for at in range(1, 12)]))
    one.write_bytes(framed(text, []))
    zipped.write_bytes(gzip.compress(text))
    options = {} if sample is None else {"sample": sample}
    frame = read(paths, columns=columns, size="2K", **options)
    check(frame, pgn2fen.scan(paths, columns, messages="ignore", **options))
    # Each of the others is one range, of more than `size` bytes.
    ranges = pgn2fen.ranges(paths, 2048)
    assert [range.path for range in ranges].count(str(frames)) > 3 and len({range.path for range in ranges}) == 3


def test_the_report_has_every_message_and_the_counts(read, files):
    scan = pgn2fen.scan(files, COLUMNS, messages="ignore")
    scan.to_arrow()
    rows = read(files, columns=COLUMNS, report=True, size="4K").toArrow().to_pylist()
    messages = [row for row in rows if row["kind"] not in ("summary", "hint")]
    names = ["kind", "is_error", "file", "line", "column", "game", "ply", "subject", "reason", "text"]
    expected = [tuple(getattr(message, name) for name in names) for message in scan.report.messages]
    assert sorted(tuple(row[name] for name in names) for row in messages) == sorted(expected)
    assert len(expected) > 1
    summaries = [row for row in rows if row["kind"] == "summary"]
    assert len(summaries) > len(files) and {row["file"] for row in summaries} == set(map(str, files))
    for name in ("games", "chosen", "positions", "errors", "warnings"):
        assert sum(row[name] for row in summaries) == getattr(scan.report, name), name
    assert {row["hidden"] for row in summaries} == {0}


def test_the_report_counts_what_it_does_not_list(read, tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text("1. e4 e4 *\n\n" * 30)
    rows = read(path, columns="Whit", report=True, max_messages=3).toArrow().to_pylist()
    assert [row["kind"] for row in rows] == ["illegal-move"] * 3 + ["hint", "summary"]
    assert rows[3]["text"].startswith("no game has the tag Whit")
    assert (rows[4]["errors"], rows[4]["hidden"], rows[4]["end"]) == (30, 27, path.stat().st_size)


def test_a_file_that_cannot_be_read_ends_the_job_or_is_reported(read, files, tmp_path):
    good = files[1]
    archive, damaged, missing = tmp_path / "a.pgn", tmp_path / "b.pgn.gz", tmp_path / "c.pgn"
    archive.write_bytes(b"7z\xbc\xaf\x27\x1c")
    damaged.write_bytes(gzip.compress(good.read_bytes() * 3)[:-3000])
    for path, message in [(archive, "is a 7z archive"), (damaged, "damaged at byte"), (missing, "No such file")]:
        with pytest.raises(Exception, match=f"{re.escape(str(path))}.*{message}"):
            read([good, path], columns="file,fen").toArrow()
    paths = [archive, good, damaged, missing]
    table = read(paths, columns="file,fen", unreadable="skip").toArrow()
    counts = collections.Counter(table["file"].to_pylist())
    assert counts[str(good)] == pgn2fen.scan(good, "fen").to_arrow().num_rows and counts[str(damaged)] > 0
    assert set(counts) == {str(good), str(damaged)}
    rows = read(paths, columns="file,fen", unreadable="skip", report=True).toArrow().to_pylist()
    found = {row["file"]: row["text"] for row in rows if row["kind"] == "unreadable"}
    assert set(found) == {str(archive), str(damaged), str(missing)} and "damaged at byte" in found[str(damaged)]
    positions = {row["file"]: row["positions"] for row in rows if row["kind"] == "summary" and row["positions"]}
    assert positions == dict(counts)


@pytest.mark.parametrize("columns", ["ply,fen", COLUMNS])
def test_what_can_be_read_of_a_damaged_file_is_kept(columns, read, files, tmp_path):
    text = files[1].read_bytes() * 3
    frames = [framed(text[at : at + 9000], []) for at in range(0, len(text), 9000)]
    path = tmp_path / "a.pgn.zst"
    path.write_bytes(b"".join([*frames[:5], frames[5][:-500], *frames[6:]]))
    with pytest.raises(Exception, match="a.pgn.zst: damaged at byte"):
        read(path, columns=columns, size="2K").toArrow()
    scan = pgn2fen.scan(path, columns, messages="ignore")
    before = collections.Counter()
    with pytest.raises(OSError, match="damaged at byte"):
        for row in scan.rows():
            before[row] += 1
    rows = counted(read(path, columns=columns, size="2K", unreadable="skip").toArrow())
    whole = tmp_path / "whole.pgn"
    whole.write_bytes(text)
    everything = collections.Counter(pgn2fen.scan(whole, columns, messages="ignore").rows())
    report = read(path, columns=columns, size="2K", unreadable="skip", report=True).toArrow().to_pylist()
    unreadable = [row for row in report if row["kind"] == "unreadable"]
    assert all("damaged at byte" in row["text"] and row["start"] < row["end"] for row in unreadable)
    assert sum(row["positions"] for row in report if row["kind"] == "summary") == rows.total()
    if "game" in columns:
        # The numbers of the games behind the damage are unknown, so one task reads the file up to there.
        assert rows == before and len(unreadable) == 1
    else:
        assert rows <= everything and rows.total() > 0 and len(unreadable) >= 1


def test_an_error_in_a_game_ends_the_job_on_demand(read, files):
    # Only one of them has an error. Of several, any may come first.
    faulty = next(file for file in files if file.name == "illegal_move_late.pgn")
    with pytest.raises(Exception, match=r"illegal_move_late.pgn:14:551: illegal-move: Kg2 in game 1 "):
        read([files[0], faulty, files[1]], columns="fen", on_error="raise", size="4K").toArrow()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colums": "fen"}, "unknown option colums; did you mean columns?"),
        ({"turn": "x"}, "turn is 'x', but must be w or b"),
        ({"unique": True}, "use dropDuplicates"),
        ({"max_games": 3}, "use limit"),
    ],
)
def test_wrong_options_are_reported_when_a_query_is_made(options, message, read, files):
    with pytest.raises(Exception, match=re.escape(message)):
        read(files[0], **options).printSchema()


def test_sql_and_filters_of_the_engine_work_on_rows(read, spark, files):
    read(files, columns="ply,san,next_san", size="4K").createOrReplaceTempView("moves")
    rows = spark.sql(
        "select san, count(*) as n from moves where ply = 1 group by san order by n desc, san limit 3"
    ).collect()
    expected = collections.Counter(pgn2fen.scan(files, "san", plies=1, messages="ignore").to_list())
    assert [(row.san, row.n) for row in rows] == sorted(expected.items(), key=lambda item: (-item[1], item[0]))[:3]
    assert read(files, columns="fen", size="4K").limit(5).count() == 5


def test_a_view_is_made_in_sql(spark, files):
    if type(spark).__module__.startswith("pyspark.sql.connect"):
        pytest.skip("pysail has no such views")
    options = f"path '{files[0]}', columns 'ply,fen', tags 'White~a\\nResult!=*', skip_start 'true'"
    spark.sql(f"create temporary view positions using pgn2fen options ({options})")
    scan = pgn2fen.scan(files[0], "ply,fen", tags=["White~a", "Result!=*"], skip_start=True)
    check(spark.sql("select * from positions"), scan)
