"""Options and plans of the data source, without an engine."""

from __future__ import annotations

import gzip
import itertools
import json
import logging
import pickle
import re

import pyarrow
import pytest

import pgn2fen
from pyspark_pgn2fen import DefaultSource, _planning, _reading
from pyspark_pgn2fen._options import parsed
from pyspark_pgn2fen._paths import located


def options(**given):
    return parsed({"path": "/games.pgn", **given})


def test_options_are_text_with_the_names_of_a_scan():
    given = options(
        columns="ply,fen", skip_start="TRUE", every="3", sample="0.5", plies="8..20", size="64M", report="true"
    )
    assert given.scan == {"columns": "ply,fen", "skip_start": True, "every": 3, "sample": 0.5, "plies": "8..20"}
    assert (given.size, given.is_report, given.skips_unreadable, given.paths) == (
        64 << 20,
        True,
        False,
        ("/games.pgn",),
    )
    assert options() == parsed({"paths": '["/games.pgn"]'})
    assert parsed({"paths": '["/a.pgn", "/b.pgn"]'}).paths == ("/a.pgn", "/b.pgn")


@pytest.mark.parametrize("name", ["skip_checks", "skipchecks", "skipChecks", "SKIP-CHECKS"])
def test_names_of_options_may_be_spelled_in_several_ways(name):
    assert options(**{name: "true"}).scan == {"skip_checks": True}


def test_all_options_of_a_scan_are_options_or_refused_with_advice():
    import inspect

    from pyspark_pgn2fen import _options

    names = set(inspect.signature(pgn2fen.scan).parameters) - {"paths"}
    assert names == set(_options._SCAN) | {name for name in names if _options._plain(name) in _options._REFUSED}
    assert not {_options._plain(name) for name in _options._SCAN} & set(_options._REFUSED)


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("WhiteElo>=2200", ["WhiteElo>=2200"]),
        ("WhiteElo>=2200\n  Result=1-0\n\n", ["WhiteElo>=2200", "Result=1-0"]),
        ('["WhiteElo>=2200", "Event=a, b; c & d"]', ["WhiteElo>=2200", "Event=a, b; c & d"]),
        ("Event=a, b; c & d", ["Event=a, b; c & d"]),
    ],
)
def test_filters_are_lines_or_a_json_list(text, filters):
    assert options(tags=text).scan == {"tags": filters}


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1", 1),
        ("1000", 1000),
        ("64K", 64 << 10),
        ("64 m".replace(" ", ""), 64 << 20),
        ("1.5GiB", 3 << 29),
        ("2tb", 2 << 40),
    ],
)
def test_sizes_have_units(text, size):
    assert options(size=text).size == size


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"colums": "fen"}, "unknown option colums; did you mean columns?"),
        ({"skip_check": "true"}, "did you mean skip_checks?"),
        ({"columns": "fen, id"}, "the column id cannot work"),
        ({"columns": "White*"}, "columns has wildcards"),
        ({"zzz": ""}, "the options are batch_rows, castling, colors, columns"),
        ({"every": "x"}, "every is 'x', but must be a whole number"),
        ({"sample": "x"}, "sample is 'x', but must be a number"),
        ({"skip_start": "yes"}, "skip_start is 'yes', but must be one of true, false"),
        ({"size": "0"}, "size is '0'"),
        ({"size": "infM"}, "size is 'infM'"),
        ({"size": ""}, "size is ''"),
        ({"size": "many"}, "size is 'many'"),
        ({"unreadable": "ignore"}, "unreadable is 'ignore', but must be one of fail, skip"),
        ({"tags": "[1]"}, "must be a JSON list of texts"),
        ({"tags": "[a"}, "which is not a JSON list"),
        ({"unique": "true"}, "use dropDuplicates"),
        ({"memory": "1G"}, "memory is not an option, because it limits unique"),
        ({"max_games": "3"}, "use limit"),
        ({"maxGames": "3"}, "use limit"),
        ({"on_error": "stop"}, "use on_error=raise"),
        ({"range": "1..2"}, "of size bytes each"),
        ({"skip_start": "true", "skipStart": "true"}, "the option skip_start is given twice"),
        ({"path": "s3:/bucket/a.pgn"}, "s3: is not supported; files must be on a web server, in an object store"),
        ({"path": "hdfs:///a.pgn"}, "hdfs: is not supported"),
        ({"push_down_predicate": "yes"}, "push_down_predicate is 'yes', but must be one of true, false"),
        ({"path": "file://elsewhere/a.pgn"}, "must not name another computer"),
    ],
)
def test_wrong_options_are_named(given, message):
    with pytest.raises(ValueError) as error:
        options(**given)
    assert message in str(error.value)


def test_words_and_bounds_are_checked_by_the_scan(games):
    for given, message in [
        ({"turn": "x"}, "turn is 'x', but must be w or b"),
        ({"columns": "fen,no name"}, "columns: "),
        ({"tags": "WhiteElo"}, "tags: "),
        ({"plies": "a..b"}, "plies: "),
        ({"every": "0"}, "every is 0"),
        ({"evals": "uci"}, "evals is 'uci', but must be one of auto, lichess, engine, tcec"),
        ({"threads": "-1"}, "threads is -1"),
    ]:
        with pytest.raises(ValueError, match=message):
            DefaultSource({"path": str(games), **given}).schema()


def test_no_files_are_an_error():
    with pytest.raises(ValueError, match="no files are given"):
        parsed({"columns": "fen"})


def test_paths_are_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/me")
    strange = tmp_path / "s3:" / "a%20b.pgn"
    strange.parent.mkdir()
    strange.touch()
    for path, expected in [
        ("a.pgn", tmp_path / "a.pgn"),
        ("a/../*.pgn", tmp_path / "*.pgn"),
        ("~/a.pgn", "/home/me/a.pgn"),
        ("file:/a/b.pgn", "/a/b.pgn"),
        ("file:///a/b%20c?.pgn", "/a/b c?.pgn"),
        ("FILE://localhost/a/#1.pgn", "/a/#1.pgn"),
        (f"file:{strange}", strange),
        ("s3:/a%20b.pgn", strange),
        ("12:30.pgn", tmp_path / "12:30.pgn"),
        ("s3://bucket/2024-*.pgn.zst", "s3://bucket/2024-*.pgn.zst"),
        ("s3a://bucket/a b/", "s3a://bucket/a b/"),
        ("https://me:secret@example.org/a.pgn?b#c", "https://me:secret@example.org/a.pgn?b#c"),
    ]:
        assert located(path) == str(expected)


def plan(paths, **given):
    """Plans a query, and sends the parts to another process."""
    parts = _planning.parts(parsed({"paths": json.dumps(list(map(str, paths))), **given}))
    return [pickle.loads(pickle.dumps(part)).items for part in parts]


def test_small_files_share_a_part_and_large_files_are_cut(tmp_path, big, games):
    small = [tmp_path / f"{at}.pgn" for at in range(50)]
    for path in small:
        path.write_bytes(games.read_bytes())
    assert [len(items) for items in plan(small)] == [50]
    cut = plan([small[0], big, small[1]], size="16M")
    assert [[item.file for item in items] for items in cut] == [[0], [1], [1], [1], [2]]
    ranges = [item for items in cut for item in items if item.file == 1]
    assert ranges[0].start == 0 and ranges[-1].end == big.stat().st_size
    assert all(one.end == other.start for one, other in itertools.pairwise(ranges))


def test_numbers_are_counted_for_rows_that_have_them(big, monkeypatch):
    counted = []
    ranges = pgn2fen.ranges

    def spy(*arguments, **how):
        counted.append(how.get("numbers", False))
        return ranges(*arguments, **how)

    monkeypatch.setattr(pgn2fen, "ranges", spy)
    for given, is_counted in [
        ({"columns": "offset,ply,fen"}, False),
        ({"columns": "fen", "sample": "0.1"}, False),
        ({"columns": "ply , line"}, True),
        ({}, True),
        ({"columns": "fen", "report": "true"}, True),
        ({"size": "1G"}, False),
    ]:
        counted.clear()
        plan([big], **{"size": "16M", **given})
        assert any(counted) == is_counted, given


def test_a_file_that_cannot_be_cut_is_read_by_one_task_and_named(tmp_path, big, caplog):
    path = tmp_path / "a.pgn.gz"
    path.write_bytes(gzip.compress(big.read_bytes(), 1))
    with caplog.at_level(logging.WARNING, "pgn2fen"):
        (items,) = plan([path], size="64K")
    assert len(items) == 1 and f"{path}: one task reads all of it" in caplog.text


def test_files_that_cannot_be_read_are_found_when_a_query_is_planned(tmp_path, games):
    for paths, message in [
        ([games, tmp_path / "none.pgn"], "none.pgn: No such file"),
        ([tmp_path / "*.pgn", games], r"no file matches .*\*.pgn"),
        ([tmp_path], "recursive=True"),
    ]:
        with pytest.raises(OSError, match=message):
            DefaultSource({"paths": json.dumps(list(map(str, paths)))}).schema()
        (items,) = plan(paths, unreadable="skip")
        assert [type(item).__name__ for item in items].count("Unreadable") == 1


def test_each_part_logs_what_was_wrong(tmp_path, caplog):
    path = tmp_path / "a.pgn"
    path.write_text("1. e4 e4 *\n\n" * 30 + "1. d4 *\n")
    archive = tmp_path / "b.pgn"
    archive.write_bytes(b"7z\xbc\xaf\x27\x1c")
    given = {"paths": f'["{path}", "{archive}", "{tmp_path}/c.pgn"]', "columns": "fen", "unreadable": "skip"}
    with caplog.at_level(logging.INFO, "pgn2fen"):
        for part in _planning.parts(parsed(given)):
            rows = pyarrow.Table.from_batches(_reading.rows(part, parsed(given)))
    assert rows.num_rows == 30 * 2 + 2
    said = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert said[0] == ("WARNING", f"{path}: 31 games, 62 positions, 30 errors, 0 warnings")
    assert said[1] == ("ERROR", f"{path}:1:7: illegal-move: e4 in game 1, ply 2: e4 is occupied by a white pawn")
    assert said[21] == ("WARNING", "… and 10 more lines; report=true gives all messages")
    assert [level for level, text in said[22:]] == ["ERROR", "ERROR"]
    assert "b.pgn" in said[22][1] and "is a 7z archive" in said[22][1] and "c.pgn: No such file" in said[23][1]


def test_messages_of_a_range_without_numbers_say_so(tmp_path, caplog):
    path = tmp_path / "a.pgn"
    path.write_text("".join(f'[White "{at}"]\n\n1. e4 e4 *\n\n' for at in range(100)))
    given = parsed({"path": str(path), "columns": "fen", "size": "1K"})
    with caplog.at_level(logging.INFO, "pgn2fen"):
        for part in _planning.parts(given):
            list(_reading.rows(part, given))
    said = [record.getMessage() for record in caplog.records if ", bytes " in record.getMessage()]
    assert "counted from the start" not in said[0]
    assert re.match(rf"{path}, bytes \d{{3,4}} to \d{{4}}: \d+ games", said[1])
    assert said[1].endswith("; lines and games are counted from the start of this range")


def test_an_error_that_is_raised_has_the_place_in_the_file(tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text("".join(f'[White "{at}"]\n\n1. e4 e5 *\n\n' for at in range(100)) + "1. e4 e4 *\n")
    given = parsed({"path": str(path), "columns": "fen", "size": "1K", "on_error": "raise"})
    *others, last = _planning.parts(given)
    assert len(others) > 1
    for part in others:
        list(_reading.rows(part, given))
    with pytest.raises(pgn2fen.GameError, match="a.pgn:401:7: illegal-move: e4 in game 101, ply 2"):
        list(_reading.rows(last, given))


def test_a_schema_of_other_columns_is_refused(games):
    source = DefaultSource({"path": str(games), "columns": "ply,fen"})
    assert source.schema().simpleString() == "struct<ply:int,fen:string>"
    source.reader(source.schema())
    other = DefaultSource({"path": str(games), "columns": "ply"}).schema()
    with pytest.raises(ValueError, match="leave out the schema"):
        source.reader(other)


def test_pgn2fen_does_not_import_spark():
    import subprocess
    import sys

    program = (
        "import sys, pgn2fen; pgn2fen.scan; pgn2fen.ranges; assert not any('spark' in name for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
