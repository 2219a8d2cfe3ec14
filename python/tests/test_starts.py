"""Starting positions are those that the command lists."""

from __future__ import annotations

import pickle

import duckdb
import pyarrow
import pyarrow.parquet
import pytest

import pgn2fen

OPTIONS = [
    ({}, []),
    ({"all": True}, ["--all"]),
    ({"exact": True}, ["--exact"]),
    ({"kind": "odds"}, ["--kind", "odds"]),
    ({"kind": "chess960,dfrc"}, ["--kind", "chess960,dfrc"]),
    ({"kind": ["position", "invalid"]}, ["--kind", "position,invalid"]),
    ({"tags": "White~a"}, ["-t", "White~a"]),
    ({"opening": "B"}, ["--opening", "B"]),
    ({"opening": "B9", "lang": "de"}, ["--opening", "B9", "--lang", "de"]),
    ({"max_games": 9}, ["-n", "9"]),
    ({"setup": "strict"}, ["--setup", "strict"]),
    (
        {"ep": "legal", "castling": "shredder", "fields": 4},
        ["--ep", "legal", "--castling", "shredder", "--fields", "4"],
    ),
    ({"mmap": False, "threads": 3}, ["--no-mmap", "-j", "3"]),
    ({"encoding": "windows-1251", "threads": 1}, ["--encoding", "windows-1251", "-j", "1"]),
]

COLUMNS = ["count,kind,sp,fen,file,line,offset,game,odds", "game,kind,fen,White,Date,WhiteElo", "eco,opening", "fen"]


@pytest.fixture
def files(fixtures):
    paths = sorted((fixtures / "starts").glob("*.pgn"))
    paths += [fixtures / "games" / name for name in ["fischer_random_2018.pgn", "double_fischer_random_starts.pgn"]]
    assert len(paths) >= 3
    return paths


@pytest.mark.filterwarnings("ignore::pgn2fen.GameWarning")
@pytest.mark.parametrize("columns", COLUMNS, ids=lambda columns: columns[:9])
@pytest.mark.parametrize(("options", "arguments"), OPTIONS, ids=lambda value: str(value)[:40])
def test_rows_are_those_of_the_command(options, arguments, columns, files, command):
    written = command("starts", "-q", "-f", "arrow", "-C", columns, *arguments, *files)
    expected = pyarrow.ipc.open_stream(written).read_all()
    starts = pgn2fen.starts(files, columns, **options)
    table = starts.to_arrow()
    assert table.schema == expected.schema
    assert table.equals(expected)
    assert starts.columns == columns.split(",")
    assert list(starts.rows()) == [tuple(row.values()) for row in expected.to_pylist()]


@pytest.mark.filterwarnings("ignore::pgn2fen.GameWarning")
def test_the_fixtures_have_starts_of_all_kinds(files):
    kinds = pgn2fen.starts(files, kind=["chess960", "dfrc", "odds", "position", "invalid"]).to_list("kind")
    assert set(kinds) == {"chess960", "dfrc", "odds", "position", "invalid"}


@pytest.mark.filterwarnings("ignore::pgn2fen.GameWarning")
def test_the_usual_columns_are_those_of_the_command(files, command):
    written = command("starts", "-q", "-f", "arrow", *files)
    expected = pyarrow.ipc.open_stream(written).read_all()
    starts = pgn2fen.starts(files)
    assert starts.to_arrow().equals(expected)
    assert duckdb.sql("select sum(count) from starts").fetchall() == [(sum(expected["count"].to_pylist()),)]
    assert duckdb.sql("select count(*) from starts where kind = 'odds'").fetchall()[0][0] > 0


@pytest.mark.filterwarnings("ignore::pgn2fen.GameWarning")
@pytest.mark.parametrize(
    "name",
    [
        "a.fen",
        "a.epd",
        "a.tsv",
        "a.csv",
        "a.jsonl",
        "a.uci",
        "a.html",
        "a.arrow",
        "a.parquet",
        "a.txt",
        "a.pgn",
        "a.csv.gz",
        "a.pgn.zst",
    ],
)
def test_files_are_those_of_the_command(name, files, command, tmp_path):
    command("starts", "-q", "-o", tmp_path / name, *files)
    (tmp_path / "ours").mkdir()
    report = pgn2fen.starts(files).write(tmp_path / "ours" / name)
    assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / name).read_bytes()
    assert report.is_complete


@pytest.mark.filterwarnings("ignore::pgn2fen.GameWarning")
@pytest.mark.parametrize("name", ["a.epd", "a.csv", "a.html"])
def test_columns_are_written_as_by_the_command(name, files, command, tmp_path):
    command("starts", "-q", "-C", "kind,White,count", "-o", tmp_path / name, *files)
    (tmp_path / "ours").mkdir()
    pgn2fen.starts(files, "kind,White,count").write(tmp_path / "ours" / name)
    assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / name).read_bytes()


@pytest.mark.filterwarnings("ignore::pgn2fen.GameWarning")
def test_copies_and_the_others_are_those_of_the_command(files, command, tmp_path):
    for invert, arguments in [(False, []), (True, ["--invert"])]:
        theirs, ours = tmp_path / f"theirs{invert}.pgn", tmp_path / f"ours{invert}.pgn"
        command("starts", "-q", "-t", "White~a", "--kind", "odds,position", *arguments, "-o", theirs, *files)
        starts = pgn2fen.starts(files, tags="White~a", kind=["odds", "position"])
        starts.write(ours, invert=invert)
        assert ours.read_bytes() == theirs.read_bytes()
        assert ours.stat().st_size > 0
    assert (tmp_path / "oursTrue.pgn").read_bytes() != (tmp_path / "oursFalse.pgn").read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "studies"}, "kind: studies is not a kind of starting position; the kinds are chess960, dfrc"),
        ({"columns": "ply"}, "columns: "),
        ({"all": True, "exact": True}, "leave one of them out"),
        ({"fields": 5}, "fields is 5"),
        ({"tags": "White"}, "tags: "),
    ],
)
def test_wrong_options_are_told(files, options, message):
    with pytest.raises(ValueError, match=message):
        pgn2fen.starts(files, **options)


@pytest.mark.parametrize(
    ("name", "options", "arguments", "message"),
    [
        ("a.csv", {}, {"invert": True}, "needs a file that ends in .pgn"),
        ("a.fen", {"kind": "invalid"}, {}, "has no FEN"),
        ("a.json", {}, {}, "JSON document"),
        ("a.bin", {}, {"format": "bullet"}, "format is 'bullet', but must be one of fen, .*, svg, png"),
        ("{number}.svg", {}, {"invert": True}, "needs a file that ends in .pgn"),
        ("{number}.svg", {"kind": "invalid"}, {}, "has no FEN"),
        ("{ply}.svg", {}, {}, "ply"),
        ("a.parquet.gz", {}, {}, "compression of their own"),
    ],
)
def test_wrong_files_are_told_and_not_written(files, tmp_path, name, options, arguments, message):
    with pytest.raises(ValueError, match=message):
        pgn2fen.starts(files, **options).write(tmp_path / name, **arguments)
    assert list(tmp_path.iterdir()) == []


def test_pictures_of_starts_are_those_of_the_command(fixtures, command, tmp_path):
    path = fixtures / "starts" / "mixed.pgn"
    for name in ["ours", "theirs"]:
        target = tmp_path / name / "{number}-{kind}.svg"
        if name == "ours":
            pgn2fen.starts(path, material="K?:K?", messages="ignore").write(target, orientation="black")
        else:
            command("starts", "-q", "--material", "K?:K?", "--orientation", "black", "-o", target, path)
    ours, theirs = (
        {file.name: file.read_text() for file in (tmp_path / name).iterdir()} for name in ["ours", "theirs"]
    )
    assert ours == theirs and "1-position.svg" in ours and len(ours) == 3


@pytest.mark.filterwarnings("ignore::pgn2fen.GameWarning")
def test_starts_are_pickled_and_tell_what_they_are(fixtures):
    path = str(fixtures / "games" / "fischer_random_2018.pgn")
    starts = pgn2fen.starts(path, ["kind", "fen"], kind="chess960", tags="White~a", all=True)
    assert (
        repr(starts) == f"pgn2fen.starts({path!r}, columns='kind,fen', kind=['chess960'], all=True, tags=['White~a'])"
    )
    assert repr(pgn2fen.starts(path)) == f"pgn2fen.starts({path!r})"
    copy = pickle.loads(pickle.dumps(starts))
    assert repr(copy) == repr(starts)
    assert copy.to_list("fen") == starts.to_list("fen") != []


def test_a_bad_fen_is_told(tmp_path):
    (tmp_path / "a.pgn").write_text('[SetUp "1"]\n[FEN "8/8/8 w - - 0 1"]\n\n1. e4 *\n')
    starts = pgn2fen.starts(tmp_path / "a.pgn", "kind,fen")
    with pytest.warns(pgn2fen.GameWarning, match=r"a\.pgn:"):
        assert list(starts.rows()) == []
    assert (starts.report.errors, starts.report.messages[0].is_error) == (1, True)
    with pytest.warns(pgn2fen.GameWarning):
        assert pgn2fen.starts(tmp_path / "a.pgn", "kind,FEN", kind="invalid").to_list("FEN") == ["8/8/8 w - - 0 1"]
