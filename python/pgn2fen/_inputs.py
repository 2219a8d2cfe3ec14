"""The files that are given to a function, as a list."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias, cast

from pgn2fen._pgn2fen import FileObject


class BinaryFile(Protocol):
    """A file object, such as the result of `open(path, "rb")`, `io.BytesIO` or `sys.stdin.buffer`."""

    def read(self, size: int = ..., /) -> Any: ...


Path: TypeAlias = "str | os.PathLike[str]"
"""A path. A string may be a pattern with `*`, `?`, `[…]` and `**`."""

Paths: TypeAlias = "Path | BinaryFile | Iterable[Path | BinaryFile]"


def listed(paths: Paths) -> list[str | FileObject]:
    """Returns paths and file objects as a list. Patterns are replaced by the files that match them, in alphabetical order.

    Raises `FileNotFoundError` if no file matches a pattern, and `ValueError` if there are no paths.
    """
    is_one = not isinstance(paths, Iterable) or isinstance(paths, (str, bytes, os.PathLike)) or hasattr(paths, "read")
    given: Iterable[Any] = [paths] if is_one else cast("Iterable[Any]", paths)
    found: list[str | FileObject] = []
    objects: list[Any] = []
    for path in given:
        if hasattr(path, "read"):
            if any(path is object for object in objects):
                raise ValueError("a file object is given twice; give a path to read a file twice")
            objects.append(path)
            found.append(FileObject(path))
            continue
        name = named(path)
        if isinstance(path, str) and glob.has_magic(name) and not os.path.exists(name):
            matching = sorted(glob.glob(name, recursive=True))
            if not matching:
                raise FileNotFoundError(f"no file matches {name}")
            found.extend(matching)
        else:
            found.append(name)
    if not found:
        raise ValueError("no files are given")
    return found


def named(path: Path) -> str:
    """Returns a path as text, with the home folder for `~`."""
    name = path if isinstance(path, str) else os.fspath(path) if isinstance(path, os.PathLike) else None
    if not isinstance(name, str):
        raise TypeError(f"a path must be a str, an os.PathLike or a file object, not {type(path).__name__}")
    return os.path.expanduser(name)


def shown(files: list[str | FileObject]) -> str:
    """Describes files for a `repr`: `'a.pgn'`, `'a.pgn', 'b.pgn' and 12 more`."""
    names = [repr(file) for file in files[:2]]
    more = len(files) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")
