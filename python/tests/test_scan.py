"""Scans give what the command writes, with every filter and format."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import os
import pickle

import pyarrow
import pyarrow.parquet
import pytest

import pgn2fen

COLUMNS = "game,offset,line,ply,turn,fen,san,uci,next_san,next_uci,eval,clk,key,result,eco,opening,White,WhiteElo,Date,Round,Date_text"

# The options of the function, and those of the command.
OPTIONS = [
    ({}, []),
    ({"plies": 16}, ["-p", "16"]),
    ({"plies": (8, 20)}, ["-p", "8..20"]),
    ({"plies": (None, 5)}, ["-p", "..5"]),
    ({"plies": -1}, ["-p", "-1"]),
    ({"plies": "3.."}, ["-p", "3.."]),
    ({"skip_start": True, "every": 3}, ["--no-start", "-e", "3"]),
    ({"sample": 0.2}, ["-s", "0.2"]),
    ({"sample": 0.2, "seed": 7}, ["-s", "0.2", "--seed", "7"]),
    ({"unique": True}, ["-u"]),
    ({"unique": True, "memory": "1G"}, ["-u", "--memory", "1G"]),
    ({"unique": True, "memory": 10**9}, ["-u", "--memory", "1000000000"]),
    ({"variations": True}, ["--variations"]),
    ({"turn": "b"}, ["--turn", "b"]),
    ({"pieces": (3, 20)}, ["--pieces", "3..20"]),
    ({"pieces": 32}, ["--pieces", "32"]),
    ({"skip_checks": True, "skip_captures": True}, ["--skip-checks", "--skip-captures"]),
    ({"max_eval": 50}, ["--max-eval", "50"]),
    ({"eval": (-50, 50)}, ["--eval=-50..50"]),
    (
        {"judgement": ["blunder", "good"], "min_loss": 3},
        ["--judgement", "blunder", "--judgement", "good", "--min-loss", "3"],
    ),
    ({"ends": ["mate", "stalemate"]}, ["--ends", "mate", "--ends", "stalemate"]),
    ({"commented": True}, ["--commented"]),
    (
        {"ep": "legal", "castling": "shredder", "fields": 4},
        ["--ep", "legal", "--castling", "shredder", "--fields", "4"],
    ),
    ({"ep": "xfen"}, ["--ep", "xfen"]),
    ({"tags": "WhiteElo>=1700"}, ["-t", "WhiteElo>=1700"]),
    ({"tags": ["WhiteElo>=1500", "Result=1-0"]}, ["-t", "WhiteElo>=1500", "-t", "Result=1-0"]),
    ({"opening": "Sicilian"}, ["--opening", "Sicilian"]),
    ({"opening": ["B", "queen's pawn"], "plies": -1}, ["--opening", "B", "--opening", "queen's pawn", "-p", "-1"]),
    ({"start": "nonstandard"}, ["--start", "nonstandard"]),
    ({"start": "standard", "max_games": 3}, ["--start", "standard", "-n", "3"]),
    ({"on_error": "drop"}, ["--on-error", "drop"]),
    ({"setup": "ignore"}, ["--setup", "ignore"]),
    ({"setup": "strict"}, ["--setup", "strict"]),
    ({"encoding": "windows-1251"}, ["--encoding", "windows-1251"]),
    ({"mmap": False, "threads": 3}, ["--no-mmap", "-j", "3"]),
    ({"threads": 1, "batch_rows": 10}, ["-j", "1"]),
]

FILES = [
    "games/evaluations_on_every_move.pgn",
    "games/lichess_2012.pgn",
    "games/clocks_in_comments.pgn",
    "games/annotated_in_prose.pgn",
    "games/fischer_random_2018.pgn",
    "games/illegal_move_late.pgn",
    "games/names_in_many_scripts.pgn",
    "starts/mixed.pgn",
]


@pytest.mark.filterwarnings("ignore::pgn2fen.GameWarning")
@pytest.mark.parametrize(("options", "arguments"), OPTIONS, ids=lambda value: str(value)[:40])
def test_rows_are_those_of_the_command(options, arguments, fixtures, command):
    files = [fixtures / name for name in FILES]
    written = command("-q", "-f", "arrow", "-C", COLUMNS, *arguments, *files, statuses=(0, 1))
    expected = pyarrow.ipc.open_stream(written).read_all()
    scan = pgn2fen.scan(files, COLUMNS, **options)
    table = scan.to_arrow()
    assert table.schema == expected.schema
    assert table.equals(expected)
    assert scan.columns == COLUMNS.split(",")
    assert scan.report.positions == expected.num_rows


@pytest.mark.parametrize(("lang", "text"), [("de", "1. Sf3 Sf6 2. Lg2"), ("fr", "1. Cf3 Cf6"), ("ru", "1. Кf3 Кf6")])
def test_moves_are_read_in_other_languages(lang, text, command, tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text("1. g3 g6 *\n\n" + text.replace("2. Lg2", "2. g3 g6 3. Lg2") + " *\n", encoding="utf-8")
    expected = command("--lang", lang, path).decode().splitlines()
    assert pgn2fen.scan(path, "fen", lang=lang).to_list() == expected


@pytest.mark.parametrize("columns", [None, "White,ply,san,eval,eco,opening,fen"])
@pytest.mark.parametrize(
    "format",
    [
        "fen",
        "epd",
        "tsv",
        "csv",
        "jsonl",
        "uci",
        "bullet",
        "viri",
        "binpack",
        "bulletformat",
        "plain",
        "html",
        "arrow",
        "parquet",
    ],
)
def test_every_format_is_written_as_the_command_writes_it(format, columns, games, command, tmp_path):
    expected, written = tmp_path / f"expected.{format}", tmp_path / f"written.{format}"
    scan = pgn2fen.scan(games, columns, skip_start=True, messages="ignore")
    if columns is not None and format in ("fen", "uci", "bullet", "viri", "binpack", "bulletformat", "plain"):
        with pytest.raises(ValueError, match=f"the format {format} has no columns to choose"):
            scan.write(written)
        return
    command("-q", "-o", expected, *(["-C", columns] if columns else []), "--no-start", games)
    report = scan.write(written)
    assert written.read_bytes() == expected.read_bytes()
    assert report.games == 1 and report.is_complete


@pytest.mark.parametrize("format", ["viri", "binpack", "bulletformat", "plain"])
def test_engine_games_become_training_data_as_by_the_command(format, fixtures, command, tmp_path):
    path = fixtures / "games" / "fishtest_black_begins.pgn"
    expected, written = tmp_path / "expected.bin", tmp_path / "written.bin"
    scan = pgn2fen.scan(path, evals="engine", plies=(2, None), max_eval=500, messages="ignore")
    if format == "plain":
        expected, written = expected.with_suffix(".txt.gz"), written.with_suffix(".txt.gz")
    scan.write(written, format)
    arguments = ["--evals", "engine", "-p", "2..", "--max-eval", 500]
    command("-q", *arguments, "-f", format, "-o", expected, path)
    assert written.read_bytes() == expected.read_bytes() != b""


def test_options_that_do_not_go_with_training_data_are_refused(games, tmp_path):
    for options, name, message in [
        (
            {"skip_checks": True, "unique": True},
            "a.viri",
            "the format viri stores games.* divided by skip_checks, unique;",
        ),
        ({"material": "K?:K?", "variations": True}, "a.viri", "divided by material, variations;"),
        ({"fields": 4}, "a.bulletformat", "the format bulletformat has no FENs, whose style .* leave out fields"),
        ({"ep": "legal"}, "a.viri", "leave out ep"),
        ({}, "a.bin", r"\.bin"),
    ]:
        with pytest.raises(ValueError, match=message):
            pgn2fen.scan(games, messages="ignore", **options).write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    for name in ["a.bulletformat", "a.plain"]:
        pgn2fen.scan(games, skip_checks=True, unique=True, messages="ignore").write(tmp_path / name)
    scan = pgn2fen.scan(games)
    with pytest.warns(pgn2fen.GameWarning, match="positions left out: 1 without an evaluation, 1 without a next move"):
        scan.write(tmp_path / "a.viri")


def test_a_page_has_as_many_boards_as_are_asked_for(games, command, tmp_path):
    written, expected = tmp_path / "written.html", tmp_path / "expected.html"
    scan = pgn2fen.scan(games, messages="ignore")
    scan.write(written, max_boards=3, orientation="turn")
    assert "at most 3 are drawn; max_boards=0 draws all" in scan.report.lines[-1].text
    command("-q", "-o", expected, "--max-boards", "3", "--orientation", "turn", games)
    assert written.read_bytes() == expected.read_bytes()
    assert written.read_text(encoding="utf-8").count("<figure>") == 3
    for options in ({"max_boards": 3}, {"orientation": "turn"}):
        with pytest.raises(
            ValueError, match="has no effect on the format csv; only html, anki, svg and png draw boards"
        ):
            scan.write(tmp_path / "a.csv", **options)
    with pytest.raises(ValueError, match="orientation is 'left', but must be one of white, black, turn"):
        scan.write(tmp_path / "a.html", orientation="left")


def test_a_sheet_of_puzzles_is_that_of_the_command(fixtures, command, tmp_path):
    puzzles = fixtures / "records/puzzles.csv"
    written, expected = tmp_path / "written.html", tmp_path / "expected.html"
    scan = pgn2fen.scan(puzzles, plies=0)
    scan.write(written, solutions=True, boards_per_row=3, boards_per_page=12, comment_arrows=False)
    options = ["--solutions", "--boards-per-row", "3", "--boards-per-page", "12", "--no-comment-arrows"]
    command("-q", "-p", "0", "-o", expected, *options, puzzles)
    assert written.read_bytes() == expected.read_bytes()
    assert "18. Be6+ Kd8 19. Qf8#" in written.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="solutions has no effect on the format svg; only html is a page of boards"):
        scan.write(tmp_path / "{ply}.svg", solutions=True)


@pytest.mark.parametrize("name", ["{ply}.svg", "{White}/{number}.png"])
def test_pictures_are_those_of_the_command(name, games, command, tmp_path):
    scan = pgn2fen.scan(games, plies=(3, 8), messages="ignore")
    report = scan.write(tmp_path / "ours" / name, max_boards=4, orientation="turn")
    assert report.is_complete
    options = ["-p", "3..8", "--max-boards", "4", "--orientation", "turn"]
    command("-q", *options, "-o", tmp_path / "theirs" / name, games)
    ours, theirs = (
        {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*.*")}
        for folder in (tmp_path / "ours", tmp_path / "theirs")
    )
    assert len(ours) == 4 and ours == theirs
    scan.write(tmp_path / "ours" / name.replace("svg", "SVG"), name[-3:], max_boards=0)
    assert len([*(tmp_path / "ours").rglob("*.*")]) >= 6


@pytest.mark.parametrize(
    ("name", "columns", "options", "reason"),
    [
        ("{eval}.svg", "ply,fen", {}, "the format svg has no columns to choose; html has boards with captions"),
        ("{ply}.png", None, {"header": False}, "the format png has no header row"),
        ("{ply}.svg.gz", None, {}, "pictures are not compressed|compress"),
        ("{pyl}.svg", None, {}, "there is no column pyl; did you mean ply"),
        ("{ply}.html", None, {"format": "svg"}, r"html|ends in \.svg"),
        ("one.svg", None, {}, "has no placeholder; use a name such as .*one-{number}.svg"),
    ],
)
def test_names_of_pictures_that_cannot_be_meant_are_refused(name, columns, options, reason, games, tmp_path):
    with pytest.raises(ValueError, match=reason):
        pgn2fen.scan(games, columns, messages="ignore").write(tmp_path / name, **options)
    with pytest.raises(ValueError, match="per='game' writes no pictures such as svg"):
        pgn2fen.scan(games, per="game").write(tmp_path / "{ply}.svg")
    assert [file.name for file in tmp_path.iterdir()] in ([], ["one.svg"])


@pytest.mark.parametrize("columns", ["ply,eval,depth,time,nodes,next_san", "ply"])
def test_evaluations_of_engines_are_those_of_the_command(columns, fixtures, command, tmp_path):
    path = fixtures / "games" / "fishtest_black_begins.pgn"
    scan = pgn2fen.scan(path, columns, evals="engine", max_eval=80, messages="ignore")
    scan.write(tmp_path / "ours.csv")
    command("-q", "--evals", "engine", "--max-eval", 80, "-C", columns, "-o", tmp_path / "theirs.csv", path)
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()
    games = pgn2fen.scan(path, "evals", per="game", evals="engine").to_list()
    rows = pgn2fen.scan(path, "eval", evals="engine", skip_start=True).to_list()
    assert [eval for evals in games for eval in evals] == rows and any(rows)
    assert pgn2fen.scan(path, "eval", evals="tcec", messages="ignore").to_list().count(None) > len(rows)


def test_evaluations_that_are_not_read_are_told(fixtures, tmp_path):
    path = fixtures / "games" / "fishtest_black_begins.pgn"
    scan = pgn2fen.scan(path, "eval", evals="lichess")
    with pytest.warns(
        pgn2fen.GameWarning, match=r"no position has an evaluation; 4 games have .* which evals='engine' reads"
    ):
        assert set(scan.to_list()) == {None}
    with pytest.raises(ValueError, match="evals is 'uci', but must be one of auto, lichess, engine, tcec"):
        pgn2fen.scan(path, evals="uci")
    with pytest.warns(pgn2fen.GameWarning, match="annotate the games"):
        pgn2fen.scan(io.BytesIO(b"1. e4 e5 1-0")).write(tmp_path / "a.plain")
    unread = pgn2fen.scan(io.BytesIO(b"1. e4 {+0.31/x} e5 *"), "eval", evals="engine", messages="ignore")
    assert unread.to_list() == [None] * 3
    assert [message.kind for message in unread.report.messages] == ["unread-eval"]


@pytest.mark.parametrize("ending", ["csv.zst", "csv.gz", "csv.bz2", "txt"])
def test_the_ending_chooses_compression(ending, games, command, tmp_path):
    expected, written = tmp_path / f"expected.{ending}", tmp_path / f"written.{ending}"
    command("-q", "-o", expected, games)
    pgn2fen.scan(games).write(written)
    assert written.read_bytes() == expected.read_bytes()


def test_a_header_row_is_left_out_and_a_format_is_named(games, tmp_path):
    pgn2fen.scan(games, "ply,san", plies=(1, 2)).write(tmp_path / "a.txt", "csv", header=False)
    assert (tmp_path / "a.txt").read_text() == "1,e4\n2,g6\n"


def test_files_are_given_in_many_ways(fixtures, tmp_path, monkeypatch):
    one = fixtures / "games" / "lichess_2012.pgn"
    expected = pgn2fen.scan(one).to_list("fen")
    assert pgn2fen.scan(str(one)).to_list("fen") == expected
    assert pgn2fen.scan([one, one]).to_list("fen") == expected * 2
    assert pgn2fen.scan(io.BytesIO(one.read_bytes())).to_list("fen") == expected
    assert pgn2fen.scan(io.StringIO(one.read_text())).to_list("fen") == expected
    with open(one, "rb") as file:
        scan = pgn2fen.scan(file)
        assert scan.to_list("fen") == scan.to_list("fen") == expected
    for name in ("b.pgn", "a.pgn", "c.txt"):
        (tmp_path / name).write_text(f'[Event "{name}"]\n\n1. e4 *\n')
    monkeypatch.chdir(tmp_path)
    assert pgn2fen.scan("*.pgn", "file", plies=0).to_list() == ["a.pgn", "b.pgn"]
    assert pgn2fen.scan(".", "Event", plies=0, recursive=True).to_list() == ["a.pgn", "b.pgn"]
    assert pgn2fen.scan([tmp_path / "c.txt"], "Event", plies=0).to_list() == ["c.txt"]


def test_compressed_files_are_read(fixtures, command, tmp_path):
    import bz2
    import gzip

    one = fixtures / "games" / "lichess_2012.pgn"
    expected = pgn2fen.scan(one).to_list("fen")
    (tmp_path / "a.pgn.gz").write_bytes(gzip.compress(one.read_bytes()))
    (tmp_path / "a.pgn.bz2").write_bytes(bz2.compress(one.read_bytes()))
    for name in ("a.pgn.gz", "a.pgn.bz2"):
        assert pgn2fen.scan(tmp_path / name).to_list("fen") == expected
    assert pgn2fen.scan(io.BytesIO((tmp_path / "a.pgn.gz").read_bytes())).to_list("fen") == expected


def test_ranges_of_bytes_share_a_file_out(fixtures):
    one = fixtures / "games" / "lichess_2012.pgn"
    size = one.stat().st_size
    parts = [
        pgn2fen.scan(one, "fen", range=(first, first + size // 3 + 1)).to_list()
        for first in range(0, size, size // 3 + 1)
    ]
    assert len(parts) == 3 and all(parts)
    whole = pgn2fen.scan(one, "fen").to_list()
    assert list(itertools.chain(*parts)) == whole
    half = pgn2fen.scan(one, "fen", range=(size // 2, None)).to_list()
    assert half == whole[-len(half) :]


def test_rows_are_python_values(games):
    scan = pgn2fen.scan(games, "White,Date,ply,san,eval,clk,Round", plies=(0, 1))
    import datetime

    white, day = "Gaponenko, Inna", datetime.date(2024, 1, 21)
    assert list(scan.rows()) == [(white, day, 0, None, None, None, 6), (white, day, 1, "e4", 20, None, 6)]
    assert next(scan.rows(named=True)) == {
        "White": white,
        "Date": day,
        "ply": 0,
        "san": None,
        "eval": None,
        "clk": None,
        "Round": 6,
    }
    assert scan.to_list("san") == [None, "e4"]
    with pytest.raises(ValueError, match="give the name of a column: one of White, Date"):
        scan.to_list()
    with pytest.raises(ValueError, match="there is no column fen"):
        scan.to_list("fen")


def test_text_in_csv_is_the_text_of_the_columns(fixtures, command):
    games = fixtures / "games" / "clocks_in_comments.pgn"
    written = command("-q", "-f", "csv", "-C", "game,ply,san,clk,White", games).decode()
    rows = list(csv.DictReader(io.StringIO(written)))
    ours = list(pgn2fen.scan(games, ["game", "ply", "san", "clk", "White"], messages="ignore").rows(named=True))
    assert len(rows) == len(ours)
    for row, our in zip(rows, ours):
        assert (row["game"], row["ply"], row["san"]) == (str(our["game"]), str(our["ply"]), our["san"] or "")
        assert (row["White"], float(row["clk"] or -1)) == (our["White"] or "", -1 if our["clk"] is None else our["clk"])


def test_a_scan_can_be_pickled_and_describes_itself(games):
    scan = pgn2fen.scan(str(games), ["ply", "fen"], tags="Result=1-0", plies=(1, 4))
    assert repr(scan) == f"pgn2fen.scan({str(games)!r}, columns='ply,fen', tags=['Result=1-0'], plies='1..4')"
    again = pickle.loads(pickle.dumps(scan))
    assert repr(again) == repr(scan) and list(again.rows()) == list(scan.rows())
    with pytest.raises(TypeError, match="a Scan of a file object cannot be pickled"):
        pickle.dumps(pgn2fen.scan(io.BytesIO(b"1. e4 *")))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": "feen"}, "columns: there is no column feen; did you mean fen?"),
        ({"columns": ""}, "columns: no columns are given"),
        (
            {"tags": "WhiteElo=>2200"},
            "tags: => is not an operator; did you mean >=?\n    WhiteElo=>2200\n            ^^",
        ),
        ({"plies": "x"}, "plies: "),
        ({"plies": (5, 3)}, "plies: "),
        ({"pieces": "many"}, "pieces: "),
        ({"sample": 2.0}, "sample: a share is a number from 0 to 1, such as 0.01"),
        ({"every": 0}, "every is 0, but must be 1 or more"),
        ({"turn": "x"}, "turn is 'x', but must be w or b"),
        ({"start": "here"}, "start is 'here', but must be one of any, standard, nonstandard"),
        ({"on_error": "cry"}, "on_error is 'cry', but must be one of keep, drop, stop, raise"),
        ({"lang": "tlh"}, "lang is 'tlh', but must be one of en, de"),
        ({"encoding": "klingon"}, "unknown encoding 'klingon'"),
        ({"range": (5, 2)}, "the end of the range is before its start"),
        ({"messages": "shout"}, "messages is 'shout', but must be one of warn, log, ignore"),
        ({"batch_rows": 0}, "batch_rows is 0, but must be 1 or more"),
    ],
)
def test_a_wrong_option_is_a_value_error(options, message, games):
    with pytest.raises(ValueError) as error:
        pgn2fen.scan(games, **options)
    assert str(error.value).startswith(message)


def test_wrong_types_and_names_are_type_errors(games):
    for options in ({"columns": 5}, {"every": "often"}, {"sample": "some"}, {"colour": "w"}):
        with pytest.raises((TypeError, OverflowError)):
            pgn2fen.scan(games, **options)


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda folder: pgn2fen.scan(folder / "none.pgn"), FileNotFoundError, "none.pgn: No such file"),
        (lambda folder: pgn2fen.scan(f"{folder}/*.none"), FileNotFoundError, "no file matches"),
        (lambda folder: pgn2fen.scan(folder / "games", names=folder / "names.txt"), FileNotFoundError, "names.txt"),
        (lambda folder: pgn2fen.scan(folder / "games", tags="foo"), ValueError, "!~\n    foo"),
        (lambda folder: pgn2fen.scan(folder), IsADirectoryError, "is a directory; use recursive=True"),
        (lambda folder: pgn2fen.scan(folder, recursive=True), FileNotFoundError, "the folder contains no PGN files"),
        (lambda folder: pgn2fen.scan([]), ValueError, "no files are given"),
        (
            lambda folder: pgn2fen.scan(folder / "zip").to_list("fen"),
            OSError,
            "is a zip archive that is cut short",
        ),
        (
            lambda folder: pgn2fen.scan(folder / "games").write(folder / "a.xlsx"),
            ValueError,
            "a.xlsx has the ending of a spreadsheet",
        ),
        (
            lambda folder: pgn2fen.scan(folder / "games").write(folder / "a.csv", "parquet"),
            ValueError,
            "the format is parquet, but",
        ),
        (
            lambda folder: pgn2fen.scan(folder / "games").write(folder / "a.csv", "cvs"),
            ValueError,
            "format is 'cvs', but must be one of",
        ),
        (lambda folder: pgn2fen.scan(folder / "games").write(folder / "games"), ValueError, "is both input and output"),
        (
            lambda folder: pgn2fen.scan(folder / "games").write(folder / "no" / "a.csv"),
            FileNotFoundError,
            "cannot write",
        ),
        (
            lambda folder: pgn2fen.scan(folder / "games").write(folder / "a.fen", header=False),
            ValueError,
            "the format fen has no header row",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)[:30]),
)
def test_files_that_cannot_be_read_or_written_are_os_errors(make, kind, message, tmp_path):
    (tmp_path / "zip").write_bytes(b"PK\x03\x04" + bytes(100))
    (tmp_path / "games").write_text("1. e4 *\n")
    with pytest.raises(kind) as error:
        make(tmp_path)
    assert message in str(error.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games", "zip"]


def test_a_file_cut_short_gives_its_games_and_an_error(fixtures, tmp_path):
    import gzip

    whole = gzip.compress((fixtures / "games" / "lichess_2012.pgn").read_bytes() * 40)
    (tmp_path / "cut.pgn.gz").write_bytes(whole[: len(whole) // 2])
    scan = pgn2fen.scan(tmp_path / "cut.pgn.gz", "fen", batch_rows=100)
    rows = 0
    with pytest.raises(OSError, match="cut.pgn.gz: "):
        for batch in scan:
            rows += len(batch)
    assert rows > 1000 and not scan.report.is_complete
    with pytest.raises(OSError, match="cut.pgn.gz: "):
        scan.write(tmp_path / "a.csv")
    assert not (tmp_path / "a.csv").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["cut.pgn.gz"]


def test_parquet_files_are_tables(games, tmp_path):
    scan = pgn2fen.scan(games, "game,ply,san,eval,WhiteElo")
    scan.write(tmp_path / "rows.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "rows.parquet").to_pylist() == scan.to_arrow().to_pylist()


def test_puzzles_evaluations_and_json_are_read(fixtures, command, tmp_path):
    records = fixtures / "records"
    for name, columns in [
        ("puzzles.csv", "PuzzleId,Rating,Themes,LastMove,ply,san,fen"),
        ("evaluations.jsonl", "fen,eval,depth,Knodes"),
        ("lichess.ndjson", "White,WhiteElo,ply,san,eval,clk"),
        ("chesscom.json", "White,ply,san,clk,fen"),
    ]:
        pgn2fen.scan(records / name, columns=columns, messages="ignore").write(tmp_path / "out.csv", "csv")
        expected = command("-q", "-C", columns, "-f", "csv", records / name)
        assert (tmp_path / "out.csv").read_bytes() == expected, name
    strong = pgn2fen.scan(records / "puzzles.csv", tags="Rating>=1900", plies=0, columns="PuzzleId").to_arrow()
    assert strong.to_pydict() == {"PuzzleId": ["own02", "own04"]}
    with open(records / "lichess.ndjson", "rb") as file:
        assert next(game.tags["GameId"] for game in pgn2fen.games(file)) == "q7ZvsdUF"


def test_names_with_other_characters_are_read(tmp_path):
    path = tmp_path / "Käse é 象.pgn"
    path.write_text("1. e4 *\n")
    assert pgn2fen.scan(path, "file", plies=0).to_list() == [str(path)]


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"max_games": -1}, ValueError, "max_games is -1, which is out of range"),
        ({"seed": 2**70}, ValueError, f"seed is {2**70}, which is out of range"),
        ({"fields": 300}, ValueError, "fields is 300, but must be 4 or 6"),
        ({"max_games": "x"}, TypeError, "max_games is 'x': 'str' object cannot be interpreted as an integer"),
        ({"unique": 1}, TypeError, "unique is 1: 'int' object is not an instance of 'bool'"),
        ({"memory": "1G"}, ValueError, "memory limits unique, which is not chosen; add unique=True"),
        (
            {"per": "game", "memory": "1G"},
            ValueError,
            "per='game' gives whole games and has no options for positions; leave out memory",
        ),
        ({"unique": True, "memory": "much"}, ValueError, "memory: not a size; write 256M or 2G"),
        ({"range": [0, 5]}, TypeError, "range is [0, 5]: 'list' object is not an instance of 'tuple'"),
        ({"lang": None}, TypeError, "lang is None: 'None' is not an instance of 'str'"),
        ({"progress": "yes"}, TypeError, "progress is 'yes', but must be True, False, None or a function"),
        (
            {"plies": (8,)},
            ValueError,
            "plies: a ply is a number, such as 16, 8..20, ..30, 30.. or -1\n    (8,)\n    ^^",
        ),
    ],
)
def test_a_wrong_value_is_named(options, kind, message, games):
    with pytest.raises(kind) as raised:
        pgn2fen.scan(games, **options)
    assert str(raised.value) == message


@pytest.mark.parametrize("path", [b"games.pgn", 5, None, [b"games.pgn"], [None]])
def test_a_path_is_text(path):
    with pytest.raises(TypeError, match="a path must be a str, an os.PathLike, a file object or a FileRange, not"):
        pgn2fen.scan(path)


@pytest.mark.parametrize("name", ["tags", "opening", "material", "columns"])
@pytest.mark.parametrize("value", [5, b"White=A", [None], [["White=A"]]])
def test_texts_are_texts(name, value, games):
    with pytest.raises(TypeError, match=f"^{name} is .*; give a str or several$"):
        pgn2fen.scan(games, **{name: value})


def test_an_output_is_a_path(games):
    for source in (pgn2fen.scan(games), pgn2fen.games(games)):
        with pytest.raises(TypeError, match="^a path must be a str or an os.PathLike, not BytesIO$"):
            source.write(io.BytesIO())
    with pytest.raises(ValueError, match="^out is empty"):
        pgn2fen.index(games, out="")


def test_files_are_written_under_any_name(games, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    scan = pgn2fen.scan(games, max_games=1)
    scan.write("~/rows.csv")
    assert (tmp_path / "rows.csv").exists()
    name = os.fsencode(tmp_path) + b"/\xff.csv"
    scan.write(os.fsdecode(name))
    assert os.path.exists(name)


def test_a_file_object_is_not_read_twice_in_a_run(games):
    with open(games, "rb") as file, pytest.raises(ValueError, match="a file object is given twice"):
        pgn2fen.scan([file, file])


def test_many_threads_are_only_some(games):
    # Thousands of threads would wait for each other for minutes.
    assert pgn2fen.scan(games, "fen", threads=10**6).to_list() == pgn2fen.scan(games, "fen", threads=1).to_list()


def test_a_scan_ends_where_unique_positions_take_more_than_memory(fixtures, tmp_path):
    path = fixtures / "games/opening_book.pgn"
    scan = pgn2fen.scan(path, "fen", unique=True, memory="16K", messages="ignore")
    message = "different positions take more than 16384 bytes of memory; allow more with memory, or leave out unique"
    with pytest.raises(MemoryError, match=message):
        scan.to_list()
    with pytest.raises(MemoryError, match=message):
        scan.write(tmp_path / "fens.csv")
    with pytest.raises(MemoryError, match=message):
        pyarrow.RecordBatchReader.from_stream(scan).read_all()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "columns", "evals"), [("rows.csv", "White,ply,fen", "auto"), ("rows.viri.zst", None, "engine")]
)
def test_rows_are_shuffled_as_by_the_command(name, columns, evals, fixtures, command, tmp_path):
    path = fixtures / "games" / "fishtest_black_begins.pgn"
    scan = pgn2fen.scan(path, columns, seed=7, evals=evals, messages="ignore")
    scan.write(tmp_path / f"ours-{name}", shuffle=True, memory="1M")
    chosen = ["-C", columns] if columns else []
    command("-q", "--evals", evals, "--shuffle", "--seed", 7, *chosen, "-o", tmp_path / f"theirs-{name}", path)
    assert (tmp_path / f"ours-{name}").read_bytes() == (tmp_path / f"theirs-{name}").read_bytes()
    assert sorted(tmp_path.iterdir()) == [tmp_path / f"ours-{name}", tmp_path / f"theirs-{name}"]


def test_rows_are_split_as_by_the_command(fixtures, command, tmp_path):
    path, shares = fixtures / "games" / "tournaments_2020.pgn", "train=0.8,valid=0.2"
    pgn2fen.scan(path, "game,fen", seed=3, messages="ignore").write(tmp_path / "ours-{part}.csv", split=shares)
    options = ["--split", shares, "--seed", 3, "-C", "game,fen"]
    command("-q", *options, "-o", tmp_path / "theirs-{part}.csv", path)
    for part in ["train", "valid"]:
        ours, theirs = ((tmp_path / f"{whose}-{part}.csv").read_bytes() for whose in ["ours", "theirs"])
        assert ours == theirs != b""


@pytest.mark.parametrize(
    ("name", "options", "scan", "message"),
    [
        ("a.html", {"shuffle": True}, {}, "html"),
        ("a.jsonl", {"shuffle": True}, {"per": "game"}, "shuffle does not go with whole games"),
        ("{game}.svg", {"split": "a=1"}, {}, "split does not go with pictures, each of which is a file"),
        ("{part}.csv", {"split": "1000"}, {}, "split takes shares of the games, such as train=0.95,valid=0.05"),
        ("a.csv", {"split": "a=0.5,b=0.5"}, {}, "part"),
        ("a.csv", {"memory": "1G"}, {}, "memory limits shuffle, which is not chosen; add shuffle=True"),
        ("a.csv", {"shuffle": True, "memory": "much"}, {}, "memory: not a size; write 256M or 2G"),
    ],
)
def test_what_is_not_shuffled_or_split_is_refused(name, options, scan, message, games, tmp_path):
    with pytest.raises(ValueError, match=message):
        pgn2fen.scan(games, messages="ignore", **scan).write(tmp_path / name, **options)
    assert list(tmp_path.iterdir()) == []


def test_files_that_cannot_be_read_are_left_out_if_that_is_wanted(fixtures, games, tmp_path):
    broken, missing = tmp_path / "broken.pgn.gz", tmp_path / "missing.pgn"
    broken.write_bytes(b"\x1f\x8b\x08\x00no gzip")
    expected = pgn2fen.scan(games, "fen").to_list()
    for paths in [[broken, games], [games, missing, broken]]:
        with pytest.raises(OSError, match="broken.pgn.gz|missing.pgn"):
            pgn2fen.scan(paths, "fen").to_list()
        scan = pgn2fen.scan(paths, "fen", skip_unreadable=True, messages="ignore")
        assert scan.to_list() == expected
        lines = [line.text for line in scan.report.lines if line.is_error]
        assert len(lines) == len(paths) - 1 and any("broken.pgn.gz: " in line for line in lines)
        (hint,) = [line.text for line in scan.report.lines if line.text.startswith("warning: of ")]
        assert f"of {len(paths)} files, {'1 was' if len(paths) == 2 else '2 were'} not read" in hint
    scan = pgn2fen.scan([broken, games], skip_unreadable=True, messages="ignore")
    assert scan.write(tmp_path / "rows.fen").games == 1
    assert (tmp_path / "rows.fen").read_text().splitlines() == expected
    with pytest.raises(OSError, match=r"broken.pgn.gz"):
        pgn2fen.scan(broken, "fen", skip_unreadable=True).to_list()
    copies = pgn2fen.games([games, missing], skip_unreadable=True, messages="ignore")
    assert len(list(copies)) == len(list(pgn2fen.games(games)))
    whole = (fixtures / "games" / "tournaments_2020.pgn").read_bytes()
    cut = tmp_path / "cut.pgn.gz"
    cut.write_bytes(gzip.compress(whole)[:-200])
    scan = pgn2fen.scan([cut, games], "game,fen", skip_unreadable=True, messages="ignore")
    assert len(list(scan.rows())) > 1000
    assert any("1 was read only in part" in line.text for line in scan.report.lines)
