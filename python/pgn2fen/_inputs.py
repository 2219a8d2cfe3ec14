"""The files that are given to a function, as a list."""

from __future__ import annotations

import glob
import inspect
import io
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Protocol, TypeAlias, cast

from pgn2fen import _process  # noqa: F401, it prepares the end of the process
from pgn2fen._pgn2fen import FileObject, Pieces, find_files, name_of
from pgn2fen._ranges import FileRange


class BinaryFile(Protocol):
    """A file object, such as the result of `open(path, "rb")`, `io.BytesIO` or `sys.stdin.buffer`.

    So are the files of fsspec and obstore. What the method `read` returns may be any object with the bytes, and fewer
    than were asked for.
    """

    def read(self, size: int = ..., /) -> Any: ...


Path: TypeAlias = "str | os.PathLike[str]"
"""A path. A string may be a pattern with `*`, `?`, `[…]` and `**`, or an address such as `https://…` and `s3://…`."""

Paths: TypeAlias = "Path | BinaryFile | FileRange | Iterable[Path | BinaryFile | FileRange]"

File: TypeAlias = "str | FileObject | FileRange"
"""A file to read: a path, a file object, or a range of a file."""


def listed(paths: Paths) -> list[File]:
    """Returns paths and file objects as a list. Patterns are replaced by the files that match them, in alphabetical order.

    Raises `FileNotFoundError` if no file matches a pattern, and `ValueError` if there are no paths.
    """
    is_one = not isinstance(paths, Iterable) or isinstance(paths, (str, bytes, os.PathLike)) or hasattr(paths, "read")
    given: Iterable[Any] = [paths] if is_one else cast("Iterable[Any]", paths)
    files: list[File] = []
    objects: list[Any] = []
    for path in given:
        if isinstance(path, FileRange):
            files.append(path)
            continue
        path = opened(path)
        if hasattr(path, "read"):
            if any(path is object for object in objects):
                raise ValueError("a file object is given twice; give a path to read a file twice")
            objects.append(path)
            files.append(FileObject(path))
            continue
        name = named(path, "a str, an os.PathLike, a file object or a FileRange")
        if isinstance(path, str) and not is_address(name) and glob.has_magic(name) and not os.path.exists(name):
            matching = sorted(glob.glob(name, recursive=True))
            if not matching:
                raise FileNotFoundError(f"no file matches {name}")
            files.extend(matching)
        else:
            files.append(name)
    if not files:
        raise ValueError("no files are given")
    return files


def is_address(path: str) -> bool:
    """Whether a path is an address, such as `s3://bucket/games.pgn`. Patterns in it are replaced where it is read."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", path) is not None


def opened(path: Any) -> Any:
    """Returns the file object of an object that has a method to open it and is no path of this machine.

    Such objects are `fsspec.open("memory://games.pgn")` and the paths of universal-pathlib.
    """
    if (
        isinstance(path, (str, bytes, os.PathLike))
        or hasattr(path, "read")
        or not callable(getattr(path, "open", None))
    ):
        return path
    # An `OpenFile` of fsspec has a mode already.
    return path.open() if hasattr(path, "fs") and hasattr(path, "mode") else path.open("rb")


def read_pieces(file: BinaryFile, size: int, pieces: Pieces) -> None:
    """Reads a file object until enough pieces wait, its end, or an exception. Runs on a thread of its own.

    Only Python knows of the thread, so the interpreter may end it in the method `read`, which may wait for any time.
    """
    is_wanted = True
    try:
        while is_wanted:
            piece = file.read(size)
            if isinstance(piece, str):
                piece = piece.encode()
            elif not isinstance(piece, bytes):
                piece = content(file, piece)
            is_wanted = pieces.add(piece)
    except BaseException as error:  # noqa: BLE001, the run raises it
        pieces.fail(error)


def content(file: BinaryFile, piece: Any) -> bytes:
    """Returns the bytes of what the method `read` returned. They have the interface of a buffer."""
    kind = type(file).__name__
    if inspect.isawaitable(piece):
        if inspect.iscoroutine(piece):
            piece.close()
        raise TypeError(f"the method read of {kind} is asynchronous; give a file object that is read without await")
    if piece is None:
        raise BlockingIOError(f"{kind} has no bytes yet; give a file object that waits for them")
    try:
        return memoryview(piece).tobytes()
    except TypeError:
        raise TypeError(f"the method read of {kind} must return bytes, not {type(piece).__name__}") from None


def found(paths: Path | Iterable[Path], recursive: bool) -> list[str]:
    """Returns the paths of files. Patterns are replaced by the files that match them, and with `recursive` folders by the files in them."""
    files = []
    for path in listed(paths):
        if not isinstance(path, str):
            raise TypeError(f"only files with paths can be divided into ranges, not {path!r}")
        for file, error in find_files(path, recursive):
            if error is not None:
                raise error
            files.append(file)
    return files


def named(path: Path, kinds: str = "a str or an os.PathLike") -> str:
    """Returns a path as text, with the home folder for `~`. `kinds` are the types that may stand there."""
    name = path if isinstance(path, str) else os.fspath(path) if isinstance(path, os.PathLike) else None
    if not isinstance(name, str):
        raise TypeError(f"a path must be {kinds}, not {type(path).__name__}")
    return os.path.expanduser(name)


def writer(file: Any) -> Callable[[bytes], Any] | None:
    """Returns the function that writes UTF-8 to a file object; None if the file is a path."""
    write = getattr(file, "write", None)
    if isinstance(file, (str, os.PathLike)) or not callable(write):
        return None
    return (lambda text: write(text.decode())) if isinstance(file, io.TextIOBase) else write


def named_or_none(path: Path | None) -> str | None:
    """Returns a path as text, and None for None."""
    return None if path is None else named(path)


def without_none(options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options that are given."""
    return {name: value for name, value in options.items() if value is not None}


def shown(files: list[File]) -> str:
    """Describes files for a `repr`: `'a.pgn'`, `'a.pgn', 'b.pgn' and 12 more`."""
    names = [repr(without_secrets(file)) for file in files[:2]]
    more = len(files) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def without_secrets(file: File) -> File:
    """Returns a file, or a path or a range with an address without passwords and signatures."""
    if isinstance(file, FileRange):
        return replace(file, path=name_of(file.path))
    return name_of(file) if isinstance(file, str) else file
