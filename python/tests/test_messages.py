"""Errors and warnings of games: reports, warnings, logs and exceptions."""

from __future__ import annotations

import gc
import logging
import pickle
import threading
import warnings

import duckdb
import pyarrow
import pytest

import pgn2fen

TEXT = """[White "Morphy"]
[Black "Amateur"]

1. e4 e5 2. Nf3 1-0

[White "Carlsen"]
[Black "Anand"]
[Date "2013.11.16"]

1. e4 e5 2. Ke4 *

1. 0-0-0 *

1. ♘f3 d5 *
"""


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(TEXT, encoding="utf-8")
    return "games.pgn"


def test_a_report_has_the_kind_and_place_of_every_message(path, command):
    scan = pgn2fen.scan(path, messages="ignore")
    assert scan.report is None
    assert len(scan.to_list("fen")) == 4 + 3 + 1 + 3
    report = scan.report
    assert (report.games, report.chosen, report.positions, report.errors) == (4, 4, 11, 2)
    first, second, third = report.messages
    assert (first.kind, first.is_error, first.file, first.line, first.column) == ("illegal-move", True, path, 10, 13)
    assert (first.game, first.ply, first.subject) == (2, 3, "Ke4")
    assert first.reason == "e4 is occupied by a white pawn"
    assert (
        str(first) == f"{path}:10:13: illegal-move: Ke4 in game 2 (Carlsen – Anand 2013.11.16), ply 3: {first.reason}"
    )
    assert (second.kind, second.line, third.kind, third.is_error) == ("illegal-move", 12, "repaired-san", False)
    assert report.is_complete and not report.is_stopped and report.hidden == 0
    assert pickle.loads(pickle.dumps(first)) == first
    assert (
        repr(report) == f"<pgn2fen.Report {report.summary}>"
        and report.summary == "4 games, 11 positions, 2 errors, 1 warning"
    )


def test_the_lines_are_those_of_the_command(path):
    import subprocess
    import sys
    from pathlib import Path

    program = str(Path(sys.executable).with_name("pgn2fen"))
    said = subprocess.run(
        [program, "--color=never", path], capture_output=True, text=True, check=False
    ).stderr.splitlines()
    scan = pgn2fen.scan(path, messages="ignore")
    scan.to_list("fen")
    assert [str(line) for line in scan.report.lines] == said
    assert [line.is_error for line in scan.report.lines] == [True, True, False]


def test_a_warning_sums_a_run_up_where_it_was_asked_for(path):
    scan = pgn2fen.scan(path)
    with pytest.warns(pgn2fen.GameWarning) as told:
        scan.to_arrow()
    assert len(told) == 1 and told[0].filename == __file__
    lines = str(told[0].message).splitlines()
    assert lines[0] == scan.report.summary and lines[1:] == [str(line) for line in scan.report.lines]
    for read in (
        lambda: list(scan),
        lambda: pyarrow.table(scan),
        lambda: scan.write("a.csv"),
        lambda: scan.lazy().collect(),
        lambda: scan.to_list("fen"),
    ):
        with pytest.warns(pgn2fen.GameWarning):
            read()


def test_many_messages_are_cut_to_some_lines(tmp_path):
    path = tmp_path / "bad.pgn"
    path.write_text("1. e4 e4 *\n" * 5000)
    scan = pgn2fen.scan(path, max_messages=10)
    with pytest.warns(pgn2fen.GameWarning) as told:
        scan.to_list("fen")
    lines = str(told[0].message).splitlines()
    assert len(lines) == 10 and lines[-1].startswith("… and ")
    report = scan.report
    assert (report.errors, len(report.messages), len(report.lines)) == (5000, 10, 1000)
    assert report.hidden > 0


def test_a_run_that_another_package_pulls_is_told_too(path):
    scan = pgn2fen.scan(path)
    with pytest.warns(pgn2fen.GameWarning):  # noqa: PT031, the warning may come with any of these lines
        assert duckdb.sql("select count(*) from scan").fetchall() == [(11,)]
        gc.collect()
        assert scan.report.errors == 2 and scan.report.is_complete


def test_messages_go_to_a_logger(path, caplog):
    with warnings.catch_warnings(), caplog.at_level(logging.WARNING, logger="pgn2fen"):
        warnings.simplefilter("error")
        pgn2fen.scan(path, messages="log").to_list("fen")
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR", "WARNING"]
    assert "e4 is occupied" in caplog.text


def test_clean_games_are_not_mentioned(games):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scan = pgn2fen.scan(games)
        scan.to_arrow()
    assert scan.report.lines == [] and scan.report.errors == 0


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"tags": "Whit=Morphy"}, "no game has the tag Whit; did you mean White?"),
        ({"tags": "White=Nobody"}, "none of 4 games satisfies tags"),
        ({"plies": (50, 60)}, "no position of 4 games satisfies plies"),
        ({"columns": "fen,Wite"}, "no game has the tag Wite; did you mean White?"),
    ],
)
def test_hints_name_the_options_of_python(options, hint, path):
    scan = pgn2fen.scan(path, messages="ignore", **options)
    scan.to_arrow()
    assert any(str(line).startswith(f"warning: {hint}") for line in scan.report.lines)


def test_the_format_bullet_says_what_it_left_out(path):
    report = pgn2fen.scan(path, messages="ignore").write("a.bullet")
    assert str(report.lines[-1]).startswith("warning: all 11 positions were left out: without an evaluation")


def test_an_error_is_raised_on_demand(path):
    scan = pgn2fen.scan(path, on_error="raise")
    reads = [lambda: list(scan), lambda: scan.to_list("fen"), lambda: scan.write("a.csv"), lambda: list(scan.rows())]
    for read in reads:
        with pytest.raises(pgn2fen.GameError, match="games.pgn:10:13: illegal-move: Ke4 in game 2") as error:
            read()
        assert (error.value.message.line, error.value.message.kind) == (10, "illegal-move")
        assert isinstance(pickle.loads(pickle.dumps(error.value)), pgn2fen.GameError)
    for read in (lambda: pyarrow.table(scan), lambda: scan.to_polars()):
        with pytest.raises(Exception, match="e4 is occupied"):
            read()
    with pytest.raises(duckdb.Error, match="e4 is occupied"):
        duckdb.sql("select * from scan").fetchall()


@pytest.mark.parametrize("max_messages", [0, 1])
def test_an_error_ends_a_run_even_if_it_is_not_kept(max_messages, tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text("1. ♘f3 d5 *\n\n1. e4 e4 *\n\n1. d4 *\n", encoding="utf-8")
    scan = pgn2fen.scan(path, on_error="raise", max_messages=max_messages)
    for read in (
        lambda: scan.to_list("fen"),
        lambda: scan.write(tmp_path / "a.fen", "csv"),
        lambda: pyarrow.table(scan),
    ):
        with pytest.raises(Exception, match="a.pgn:3:7: illegal-move"):
            read()
    with pytest.raises(pgn2fen.GameError):
        pgn2fen.scan(path, on_error="stop", max_messages=max_messages).write(tmp_path / "a.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["a.pgn"]


def test_a_run_is_stopped_behind_an_error(path):
    scan = pgn2fen.scan(path, on_error="stop", messages="ignore")
    assert len(scan.to_list("fen")) == 4 + 3
    assert scan.report.is_stopped
    with pytest.raises(pgn2fen.GameError):
        scan.write("a.csv")
    import os

    assert sorted(os.listdir(".")) == ["games.pgn"]


def test_repeated_warnings_of_a_game_are_kept_on_demand(tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text("1. ♘f3 ♞f6 2. ♘c3 ♞c6 *\n", encoding="utf-8")
    few, all = pgn2fen.scan(path, messages="ignore"), pgn2fen.scan(path, messages="ignore", verbose=True)
    few.to_list("fen"), all.to_list("fen")
    assert (few.report.warnings, all.report.warnings) == (1, 4)


def test_reports_and_messages_are_sent_to_other_processes(path):
    scan = pgn2fen.scan(path, messages="ignore")
    scan.to_list("fen")
    copied = pickle.loads(pickle.dumps(scan.report))
    assert repr(copied) == repr(scan.report) and copied.messages == scan.report.messages
    assert list(map(str, copied.lines)) == list(map(str, scan.report.lines)) and copied.errors == 2
    assert len({*copied.messages, *scan.report.messages}) == len(scan.report.messages)


def test_a_warning_belongs_to_the_thread_that_reads(path, tmp_path):
    def write(number):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                pgn2fen.scan(path, messages="log").write(tmp_path / f"{number}.csv")
            except pgn2fen.GameWarning as warning:
                told.append(warning)

    told = []
    batches = iter(pgn2fen.scan(path))
    next(batches)
    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == []
    with pytest.warns(pgn2fen.GameWarning) as warned:
        assert list(batches) == []
    assert [warning.filename for warning in warned] == [__file__]


def test_an_error_is_raised_even_if_warnings_are_errors(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(pgn2fen.GameError, match="e4 is occupied"):
            pgn2fen.scan(path, on_error="raise").to_list("fen")
