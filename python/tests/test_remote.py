"""Files in object stores and behind addresses, and file objects of other packages."""

from __future__ import annotations

import http.server
import io
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from store import running

import pgn2fen

GAMES = Path(__file__).parents[2] / "fixtures/games/tournaments_2020.pgn"
TABLE = Path(__file__).parents[2] / "fixtures/tables/pyarrow_row_groups_gzip.parquet"


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """The address of a bucket with files."""
    for store in running():
        for key in ("2020/a.pgn", "2020/sub folder/b.pgn", "2020/.hidden.pgn", "2020/notes.txt"):
            store.put(key, GAMES.read_bytes())
        # Programs that show folders mark them by an empty file.
        store.put("2020/marker.pgn/", b"")
        store.put("table.parquet", TABLE.read_bytes())
        yield store.address


def rows(paths: Any, **options: Any) -> list[dict[str, Any]]:
    columns = options.pop("columns", "game,ply,san,fen")
    return pgn2fen.scan(paths, columns=columns, **options).to_arrow().to_pylist()


def test_files_of_a_store_have_the_rows_of_local_files(bucket: str) -> None:
    assert rows(f"{bucket}/2020/a.pgn") == rows(GAMES)
    assert rows(f"{bucket}/table.parquet") == rows(TABLE)
    assert len(list(pgn2fen.games(f"{bucket}/2020/a.pgn"))) == len(list(pgn2fen.games(GAMES)))


def test_patterns_and_folders_are_listed(bucket: str) -> None:
    def names(path: str, **options: Any) -> set[str]:
        return {row["file"] for row in rows(path, columns="file", plies="0", **options)}

    a, b = f"{bucket}/2020/a.pgn", f"{bucket}/2020/sub folder/b.pgn"
    assert names(f"{bucket}/2020/a*.pgn") == {a}
    assert names(f"{bucket}/2020/**/b.pgn") == {b}
    assert names(f"{bucket}/2020/", recursive=True) == {a, b}
    with pytest.raises(OSError, match="no file matches the pattern"):
        names(f"{bucket}/*.zst")


def test_missing_files_are_told_at_once_and_without_secrets(bucket: str) -> None:
    with pytest.raises(FileNotFoundError, match="does not exist on the server") as raised:
        pgn2fen.scan(f"{bucket}/none.pgn")
    assert "verysecret" not in str(raised.value)
    with pytest.raises(OSError, match="has the scheme ftp"):
        pgn2fen.scan("ftp://example.org/a.pgn")


def test_outputs_are_local_files(bucket: str) -> None:
    with pytest.raises(OSError, match="outputs are local files"):
        pgn2fen.scan(GAMES).write(f"{bucket}/a.csv")


def test_ranges_of_a_file_of_a_store_are_the_file(bucket: str) -> None:
    [range] = pgn2fen.ranges(f"{bucket}/2020/a.pgn", 1000)
    assert (range.start, range.end) == (0, GAMES.stat().st_size)
    assert rows(range) == rows(GAMES)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked")
def test_forked_processes_make_connections_of_their_own(bucket: str) -> None:
    expected = len(rows(f"{bucket}/2020/a.pgn"))
    with multiprocessing.get_context("fork").Pool(2) as pool:
        jobs = pool.map_async(_count, [f"{bucket}/2020/a.pgn"] * 4)
        assert jobs.get(60) == [expected] * 4


def _count(path: str) -> int:
    return len(rows(path))


def test_a_local_path_may_look_like_an_address(tmp_path: Path) -> None:
    folder = tmp_path / "s3:" / "2020"
    folder.mkdir(parents=True)
    (folder / "a.pgn").write_bytes(GAMES.read_bytes())
    assert rows(f"{tmp_path}/s3://2020/*.pgn") == rows(GAMES)


def test_passwords_and_signatures_are_not_shown() -> None:
    address = "http://me:secret@127.0.0.1:9/a.pgn?sign=0123"
    with pytest.raises(OSError) as raised:
        pgn2fen.scan(address)
    scan = pgn2fen.scan(pgn2fen.FileRange(address, 0, 0, 10, True))
    for text in (str(raised.value), str(scan.files), repr(scan)):
        assert "http://127.0.0.1:9/a.pgn" in text and "secret" not in text and "0123" not in text


def test_files_of_fsspec_are_read() -> None:
    fsspec = pytest.importorskip("fsspec")
    with fsspec.open("memory://a.pgn", "wb") as file:
        file.write(GAMES.read_bytes())
    with fsspec.open("memory://a.pgn", "rb") as file:
        # The second run goes back to where the file stood.
        scan = pgn2fen.scan(file, columns="game,ply,san,fen")
        assert scan.to_arrow().to_pylist() == scan.to_arrow().to_pylist() == rows(GAMES)
    assert rows(fsspec.open("memory://a.pgn")) == rows(GAMES)


def test_files_of_obstore_are_read() -> None:
    obstore = pytest.importorskip("obstore")
    from obstore.store import MemoryStore

    store = MemoryStore()
    obstore.put(store, "a.pgn", GAMES.read_bytes())
    assert rows(obstore.open_reader(store, "a.pgn")) == rows(GAMES)
    with pytest.raises(OSError, match="asynchronous"):
        rows(_Awaited())


class _Awaited:
    async def read(self, size: int) -> bytes:
        return b""


class _Short:
    """Returns few bytes at once, as a `memoryview`, and cannot tell its place."""

    def __init__(self, text: bytes) -> None:
        self.file = io.BytesIO(text)

    def read(self, size: int) -> memoryview:
        return memoryview(self.file.read(min(size, 1000)))

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return self.file.seek(offset, whence)


def test_objects_may_return_few_bytes_of_any_kind() -> None:
    file = _Short(GAMES.read_bytes())
    scan = pgn2fen.scan(file, columns="game,ply,san,fen")
    assert scan.to_arrow().to_pylist() == scan.to_arrow().to_pylist() == rows(GAMES)


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Python handles interrupts, even if the shell that began the tests told its programs to ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_ends_the_wait_for_a_server() -> None:
    import _thread
    import time

    class Slow(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()

        def do_GET(self) -> None:
            threading.Timer(0.3, _thread.interrupt_main).start()
            time.sleep(5)

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            rows(f"http://127.0.0.1:{server.server_port}/a.pgn")
        assert time.monotonic() - begun < 3
        server.block_on_close = False
        server.shutdown()
