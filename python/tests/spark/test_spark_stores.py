"""Files in object stores and behind other addresses, on each engine that is installed."""

from __future__ import annotations

import http.server
import io
import json
import logging
import threading
import zipfile

import pytest
from test_spark_rows import check, counted

import pgn2fen
from pyspark_pgn2fen import DefaultSource, _planning, _reading, _report
from pyspark_pgn2fen._options import parsed

COLUMNS = "game,line,offset,ply,fen,san,White,WhiteElo"


@pytest.fixture(scope="module")
def objects(store, fixtures):
    """The files on the disk that are in the store in `2020/`, by their addresses."""
    paths = {"a.pgn": "lichess_2012.pgn", "b c.pgn": "tournaments_2020.pgn", "deep/d.pgn": "illegal_move_late.pgn"}
    store.put("2020/notes.txt", b"no games")
    return {
        store.put(f"2020/{key}", (fixtures / "games" / name).read_bytes()): fixtures / "games" / name
        for key, name in paths.items()
    }


def test_rows_of_addresses_are_those_of_files_on_the_disk(objects, store, read):
    a, b, d = objects
    for given, expected, options in [
        (a, [a], {}),
        (f"{store.address}/2020/*.pgn", [a, b], {}),
        (f"{store.address}/2020/**.pgn", [a, b, d], {}),
        (f"{store.address}/2020/", [a, b, d], {"recursive": True}),
        ([b, a], [a, b], {}),
        (a, [a], {"tags": "WhiteElo>=1700", "sample": 0.3}),
    ]:
        frame = read(given, columns=f"file,{COLUMNS}", size="10K", **options)
        usual = {"recursive": False, **options, "messages": "ignore"}
        check(frame.drop("file"), pgn2fen.scan([objects[name] for name in expected], COLUMNS, **usual))
        assert {row.file for row in frame.select("file").distinct().collect()} == set(expected)


def test_members_of_an_archive_and_files_on_the_disk_are_read_in_one_query(objects, store, read, tmp_path):
    local = list(objects.values())
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for path in local[:2]:
            opened.writestr(path.name, path.read_bytes())
    (tmp_path / "a.zip").write_bytes(archive.getvalue())
    given = [store.put("a.zip", archive.getvalue()), str(tmp_path / "a.zip"), str(local[2])]
    check(read(given, columns=COLUMNS), pgn2fen.scan([*local[:2], *local], COLUMNS, messages="ignore"))
    parts = _planning.parts(parsed({"paths": json.dumps(given), "columns": COLUMNS}))
    # The sizes of the members in the store are not known, so each has a task.
    assert [len(part.items) for part in parts] == [1, 1, 3]


def test_the_size_of_each_file_is_known_when_a_query_is_planned(objects, store):
    given = {"path": f"{store.address}/2020/**.pgn", "columns": "fen"}
    sizes = [path.stat().st_size for path in objects.values()]
    (part,) = _planning.parts(parsed(given))
    assert [(item.start, item.end) for item in part.items] == [(0, size) for size in sizes]
    assert all(item.is_whole for item in part.items)
    assert len(_planning.parts(parsed({**given, "size": "10K"}))) == 3


def test_errors_of_games_and_files_are_in_the_report(objects, store, read):
    missing = f"{store.address}/none.pgn"
    rows = read([*objects, missing], columns="file,fen", report=True, unreadable="skip").toArrow().to_pylist()
    scan = pgn2fen.scan(list(objects), "file,fen", messages="ignore")
    scan.to_arrow()
    names = ("kind", "file", "line", "column", "game", "ply", "text")
    found = [tuple(row[name] for name in names) for row in rows if row["kind"] not in ("summary", "hint", "unreadable")]
    assert sorted(found) == sorted(tuple(getattr(m, name) for name in names) for m in scan.report.messages)
    assert found
    (unreadable,) = (row for row in rows if row["kind"] == "unreadable")
    assert unreadable["file"] == missing and "does not exist on the server" in unreadable["text"]
    with pytest.raises(Exception, match="none.pgn: does not exist on the server"):
        read(missing, columns="fen").count()


def test_a_file_that_a_worker_cannot_read_is_told_with_the_worker(store):
    address = store.put("passing.pgn", b"1. e4 *\n")
    given = parsed({"path": address, "columns": "fen"})
    (part,) = _planning.parts(given)
    store.client.delete_object(Bucket="games", Key="passing.pgn")
    with pytest.raises(FileNotFoundError, match="does not exist on the server .*; this is the worker .* credentials"):
        list(_reading.rows(part, given))
    with pytest.raises(FileNotFoundError, match="does not exist on the server") as raised:
        DefaultSource({"path": f"{store.address}/none.pgn"}).schema()
    assert "verysecret" not in str(raised.value)


@pytest.fixture
def server(fixtures):
    """A web server with a file, which asks for a name and a password."""
    text = (fixtures / "games" / "illegal_move_late.pgn").read_bytes()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self):
            is_known = self.headers["Authorization"] == "Basic bWU6c2VjcmV0"
            self.send_response(200 if is_known else 401)
            self.send_header("Content-Length", str(len(text) if is_known else 0))
            self.end_headers()
            return is_known

        def do_GET(self):
            if self.do_HEAD():
                self.wfile.write(text)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def test_passwords_and_signatures_reach_the_workers_but_no_row_and_no_log(server, fixtures, read, caplog):
    address = f"http://me:secret@{server}/a.pgn?sign=0123"
    name = f"http://{server}/a.pgn"
    rows = read(address, columns=f"file,{COLUMNS}").toArrow()
    assert set(rows["file"].to_pylist()) == {name}
    local = pgn2fen.scan(fixtures / "games" / "illegal_move_late.pgn", COLUMNS, messages="ignore").to_arrow()
    assert counted(rows.drop_columns("file")) == counted(local)
    given = parsed({"path": address, "columns": "fen", "size": "1"})
    with caplog.at_level(logging.INFO, "pgn2fen"):
        (part,) = _planning.parts(given)
        list(_reading.rows(part, given))
        told = [str(row) for batch in _report.rows(part, given) for row in batch.to_pylist()]
    said = [record.getMessage() for record in caplog.records]
    assert any(name in text for text in said) and any(name in text for text in told)
    assert not any(secret in text for secret in ("secret", "0123") for text in said + told)
    # Those of a scan in one process neither.
    scan = pgn2fen.scan(address, "fen")
    assert scan.files == [name] and "secret" not in repr(scan)
