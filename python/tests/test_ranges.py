"""Ranges of files: together they give what the files give."""

from __future__ import annotations

import copy
import io
import itertools
import pathlib
import pickle
import random
import subprocess
import sys

import pytest
import zstandard

import pgn2fen
from pgn2fen import Before, FileRange

COLUMNS = ["file", "game", "line", "offset", "ply", "san", "White", "fen"]


def rows(source) -> list[tuple]:
    return list(source.rows())


def frames(text: bytes, count: int, seed: int) -> bytes:
    """A zstd file of a text, in frames that are cut anywhere, each with its size in a skippable frame before it, as pzstd writes them."""
    numbers = random.Random(seed)
    cuts = [0, *sorted(numbers.randrange(len(text)) for _ in range(count - 1)), len(text)]
    file = b""
    for start, end in itertools.pairwise(cuts):
        frame = zstandard.ZstdCompressor().compress(text[start:end])
        file += b"\x50\x2a\x4d\x18\x04\0\0\0" + len(frame).to_bytes(4, "little") + frame
    return file


@pytest.fixture
def files(fixtures, tmp_path) -> list[str]:
    """A plain file, and compressed files of many frames, of one frame, and of gzip."""
    import gzip

    text = b"\n".join(
        (fixtures / "games" / name).read_bytes()
        for name in ("tournaments_2020.pgn", "illegal_king_move_first_game.pgn")
    )
    contents = {
        "plain.pgn": text,
        "frames.pgn.zst": frames(text, 17, 1),
        "one.pgn.zst": zstandard.ZstdCompressor().compress(text),
        "old.pgn.gz": gzip.compress(text),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return [str(tmp_path / name) for name in contents]


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("size", [3_000, 50_000, 10**9])
def test_ranges_give_together_the_rows_of_the_files(files, size, numbers):
    parts = pgn2fen.ranges(files, size, numbers=numbers)
    whole = pgn2fen.scan(files, COLUMNS, messages="ignore")
    expected = rows(whole)
    parted = [row for part in parts for row in rows(pgn2fen.scan(part, COLUMNS, messages="ignore"))]
    assert parted == expected and len(parted) > 4_000
    sample = [row for part in parts for row in rows(pgn2fen.scan(part, COLUMNS, sample=0.1, seed=3, messages="ignore"))]
    assert sample == rows(pgn2fen.scan(files, COLUMNS, sample=0.1, seed=3, messages="ignore"))
    # Several ranges are read by one scan as well.
    several = pgn2fen.scan(parts, COLUMNS, messages="ignore")
    assert rows(several) == expected
    assert several.report.errors == whole.report.errors > 0
    place = [(message.file, message.line, message.column, message.game) for message in whole.report.messages]
    assert [(message.file, message.line, message.column, message.game) for message in several.report.messages] == place


def test_ranges_cover_each_file_once(files):
    parts = pgn2fen.ranges(files, 10_000)
    for number, path in enumerate(files):
        of_file = [part for part in parts if part.file == number]
        ends = [(part.start, part.end) for part in of_file]
        assert {part.path for part in of_file} == {path}
        assert ends[0][0] == 0 and ends[-1][1] == pathlib.Path(path).stat().st_size
        assert all(end == start for (_, end), (start, _) in itertools.pairwise(ends))
        is_divided = "plain" in path or "frames" in path
        assert (len(of_file) > 1) == is_divided and all(part.is_whole != is_divided for part in of_file)


def test_counting_on_many_machines_is_counting_on_one(files):
    parts = pgn2fen.ranges(files, 20_000)
    filters = {"tags": ["WhiteElo>=2400"], "start": "standard"}
    counts = [pgn2fen.count(part, **filters) for part in parts]
    numbered = pgn2fen.numbered(parts, counts)
    assert numbered == pgn2fen.ranges(files, 20_000, numbers=True, **filters)
    last = numbered[-1]
    whole = last.before.then(counts[-1])
    assert whole.games == pgn2fen.count(FileRange(files[-1], 0, 0, 1, True)).games
    chosen = rows(pgn2fen.scan(files[0], ["game"], tags="WhiteElo>=2400", plies=0, start="standard", messages="ignore"))
    of_first = [count for part, count in zip(parts, counts) if part.file == 0]
    assert sum(count.chosen for count in of_first) == len(chosen) > 0


def test_a_range_alone_is_numbered_from_its_start(files):
    part = pgn2fen.ranges(files[:1], 30_000)[2]
    alone = rows(pgn2fen.scan(part.alone(), ["game", "line", "ply"], messages="ignore"))
    file = rows(pgn2fen.scan(part, ["game", "line", "ply"], messages="ignore"))
    games, lines = file[0][0] - 1, file[0][1] - alone[0][1]
    assert alone[0][0] == 1 and games > 1 and lines > 10
    assert [(game + games, line + lines, ply) for game, line, ply in alone] == file


def test_starts_and_games_take_ranges(fixtures):
    path = str(fixtures / "starts" / "mixed.pgn")
    parts = pgn2fen.ranges(path, 300)
    assert len(parts) > 2
    parted = [row for part in parts for row in rows(pgn2fen.starts(part, "kind,fen,game,line,offset", all=True))]
    assert parted == rows(pgn2fen.starts(path, "kind,fen,game,line,offset", all=True))
    places = [(game.number, game.line, game.offset) for part in parts for game in pgn2fen.games(part)]
    assert places == [(game.number, game.line, game.offset) for game in pgn2fen.games(path)]


def test_ranges_and_scans_of_them_can_be_sent_to_other_processes(files):
    part = pgn2fen.ranges(files[1:2], 5_000, numbers=True)[1]
    scan = pickle.loads(pickle.dumps(pgn2fen.scan(part, "game,fen", messages="ignore")))
    assert scan.files == [files[1]] and pickle.loads(pickle.dumps(part)) == part == copy.copy(part)
    program = f"import pickle, sys; print(len(list(pickle.loads({pickle.dumps(scan)!r}).rows())))"
    printed = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert int(printed) == len(rows(scan)) > 0


def test_folders_and_patterns_are_planned(files, tmp_path):
    by_pattern = pgn2fen.ranges(str(tmp_path / "*.zst"), 10**9)
    assert [part.path for part in by_pattern] == sorted(path for path in files if path.endswith(".zst"))
    in_folder = pgn2fen.ranges(tmp_path, 10**9, recursive=True)
    assert [part.path for part in in_folder] == sorted(files)
    assert [part.file for part in in_folder] == [0, 1, 2, 3]


def test_what_cannot_be_divided_is_refused(tmp_path, files):
    with pytest.raises(FileNotFoundError, match="none.pgn"):
        pgn2fen.ranges(tmp_path / "none.pgn")
    with pytest.raises(OSError, match="recursive=True"):
        pgn2fen.ranges(tmp_path)
    with pytest.raises(TypeError, match="only files with paths"):
        pgn2fen.ranges(io.BytesIO(b"1. e4 *"))
    with pytest.raises(ValueError, match="before its start"):
        rows(pgn2fen.scan(FileRange(files[0], 0, 5, 2, False)))
    with pytest.raises(ValueError, match="exactly one file"):
        pgn2fen.scan(pgn2fen.ranges(files), range=(0, 10))
    with pytest.raises(ValueError, match="whole files"):
        pgn2fen.index(pgn2fen.ranges(files), tmp_path / "games.idx")
    assert not (tmp_path / "games.idx").exists()


def test_a_range_of_a_single_frame_says_so(files):
    scan = pgn2fen.scan(FileRange(files[2], 0, 100, 200, False), "fen", messages="ignore")
    assert scan.to_list() == []
    assert "single zstd frame, so it has one range" in "\n".join(line.text for line in scan.report.lines)
    assert Before(games=1).then(Before(lines=2, column=3)) == Before(games=1, lines=2, column=3)


@pytest.mark.parametrize("numbers", [False, True])
def test_ranges_of_plain_files_need_no_mapping(files, numbers):
    [path, *_] = files
    expected = rows(pgn2fen.scan(path, COLUMNS, messages="ignore"))
    parts = pgn2fen.ranges(path, size=20_000, numbers=numbers, mmap=False)
    assert len(parts) > 5 and parts == pgn2fen.ranges(path, size=20_000, numbers=numbers)
    found = [row for part in parts for row in rows(pgn2fen.scan(part, COLUMNS, mmap=False, messages="ignore"))]
    assert found == expected
    for cut in (1, 3_000, 77_777):
        halves = [
            pgn2fen.scan(path, COLUMNS, range=it, mmap=False, messages="ignore") for it in ((0, cut), (cut, None))
        ]
        assert rows(halves[0]) + rows(halves[1]) == expected


def test_ranges_of_compressed_files_need_mapping(files):
    with pytest.raises(
        OSError, match=r"is compressed with zstd; a range of its bytes needs a file that is mapped \(mmap\)"
    ):
        pgn2fen.scan(files[1], "fen", range=(0, 3000), mmap=False).to_list()


def test_a_range_needs_the_path_of_one_file(files):
    with pytest.raises(ValueError, match="a range needs the path of a file, and not a file object"):
        pgn2fen.scan(io.BytesIO(b"1. e4 *"), range=(0, 5))
    with pytest.raises(ValueError, match="a FileRange is a range already"):
        pgn2fen.scan(pgn2fen.ranges(files[0])[0], range=(0, 5))
    with pytest.raises(ValueError, match="a range needs exactly one file"):
        pgn2fen.scan(files, range=(0, 5))
    for size in (0, -1):
        with pytest.raises(ValueError, match=f"size is {size}, but must be 1 or more bytes"):
            pgn2fen.ranges(files[0], size=size)
