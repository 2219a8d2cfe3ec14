"""The options of the data source: text by name, as Spark passes them on."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pyspark_pgn2fen._paths import located


@dataclass(frozen=True)
class Options:
    """What a query reads, and how."""

    paths: tuple[str, ...]
    """Paths, folders and patterns."""
    scan: dict[str, Any]
    """The arguments of `pgn2fen.scan` that were given."""
    size: int
    """The size of a part in bytes of the files. It is at least 1."""
    is_report: bool
    """Whether the rows are those of the report, not positions."""
    skips_unreadable: bool
    """Whether files that cannot be read are left out and reported. Otherwise they are errors."""
    takes_filters: bool
    """Whether Spark may push conditions down, so that fewer rows are made."""

    @property
    def columns(self) -> str:
        """The names of the columns, with commas."""
        return str(self.scan.get("columns", "game,ply,san,fen"))


def parsed(options: Mapping[str, str]) -> Options:
    """Parses the options of a query.

    Upper and lower case, `_` and `-` make no difference in names: `skip_checks`, `skipChecks` and `skip-checks` are the same option.

    Raises `ValueError` for an option that is unknown, that has a wrong value, or that cannot work on parts of files.
    """
    given: dict[str, str] = {}
    for name, text in options.items():
        plain = _plain(name)
        if plain in given:
            raise ValueError(f"the option {_NAMES.get(plain, name)} is given twice")
        given[plain] = text
    for plain, advice in _REFUSED.items():
        if plain in given and not (plain == "unique" and given[plain].lower() == "false"):
            raise ValueError(advice)
    unknown = [name for name in options if _plain(name) not in _NAMES]
    if unknown:
        near = difflib.get_close_matches(_plain(unknown[0]), [*_NAMES], n=1)
        advice = f"did you mean {_NAMES[near[0]]}?" if near else f"the options are {', '.join(sorted(_NAMES.values()))}"
        raise ValueError(f"unknown option {unknown[0]}; {advice}")
    values = {_NAMES[plain]: text for plain, text in given.items()}
    columns = values.get("columns", "")
    if "*" in columns or "?" in columns:
        raise ValueError("columns has wildcards, which stand for other tags in each file; name the columns")
    if "id" in map(str.strip, columns.split(",")):
        raise ValueError("the column id cannot work, because each task is a run of its own; use file and game")
    paths = [*_paths(values.pop("paths", "[]")), *([values.pop("path")] if "path" in values else [])]
    if not paths:
        raise ValueError("no files are given; give paths to load(…)")
    return Options(
        paths=tuple(map(located, paths)),
        size=_size(values.pop("size", "128M")),
        is_report=_is_true("report", values.pop("report", "false")),
        skips_unreadable=_word("unreadable", values.pop("unreadable", "fail"), ("fail", "skip")) == "skip",
        takes_filters=_is_true("push_down_predicate", values.pop("push_down_predicate", "false")),
        scan={name: _SCAN[name](name, text) for name, text in values.items()},
    )


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _text(name: str, text: str) -> str:
    return text


def _word(name: str, text: str, words: tuple[str, ...]) -> str:
    if text.lower() not in words:
        raise ValueError(f"{name} is '{text}', but must be one of {', '.join(words)}")
    return text.lower()


def _is_true(name: str, text: str) -> bool:
    return _word(name, text, ("true", "false")) == "true"


def _whole(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{name} is '{text}', but must be a whole number") from None


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{name} is '{text}', but must be a number") from None


def _on_error(name: str, text: str) -> str:
    if text.lower() == "stop":
        raise ValueError(
            "on_error=stop cannot work: parts of files are read at the same time, so there is no first error; "
            "use on_error=raise to end the job at an error, or on_error=drop to leave out games with errors"
        )
    return _word(name, text, ("keep", "drop", "raise"))


def _filters(name: str, text: str) -> list[str]:
    """Returns the filters of a text: one on each line, or a JSON list. Neither can be mistaken for a part of a filter."""
    return _list(name, text) if text.lstrip().startswith("[") else _lines(name, text)


def _lines(name: str, text: str) -> list[str]:
    """Returns the lines of a text, without those that are empty. A pattern may begin with a bracket, so it cannot be in a JSON list."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _paths(text: str) -> list[str]:
    return _list("paths", text)


def _list(name: str, text: str) -> list[str]:
    try:
        texts = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{name} is '{text}', which is not a JSON list: {error}") from None
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{name} is '{text}', but must be a JSON list of texts")
    return texts


def _size(text: str) -> int:
    """Parses a size in bytes: `1000000`, `64M`, `1.5GiB`. Units are powers of 1024, as in Spark's own options."""
    number = text.strip().lower().removesuffix("b").removesuffix("i")
    power = "kmgt".find(number[-1:]) + 1 if number else 0
    try:
        size = int(float(number[:-1] if power else number) * 1024**power)
    except (ValueError, OverflowError):
        size = 0
    if size < 1:
        raise ValueError(f"size is '{text}', but must be a number of bytes such as 64M")
    return size


_SCAN: dict[str, Callable[[str, str], Any]] = {
    # Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
    "columns": _text,
    "per": _text,
    "batch_rows": _whole,
    "tags": _filters,
    "names": _text,
    "start": _text,
    "opening": _filters,
    "reached": _filters,
    "moves": _filters,
    "ends": _filters,
    "commented": _is_true,
    "length": _text,
    "on_error": _on_error,
    "plies": _text,
    "skip_start": _is_true,
    "skip_checks": _is_true,
    "skip_captures": _is_true,
    "every": _whole,
    "sample": _number,
    "seed": _whole,
    "variations": _is_true,
    "turn": _text,
    "pieces": _text,
    "max_eval": _whole,
    "eval": _text,
    "judgement": _filters,
    "min_loss": _whole,
    "material": _filters,
    "pattern": _lines,
    "pawns": _lines,
    "colors": _text,
    "mirror": _is_true,
    "for_plies": _whole,
    "ep": _text,
    "castling": _text,
    "fields": _whole,
    "fen_style": _text,
    "lang": _text,
    "setup": _text,
    "encoding": _text,
    "evals": _text,
    "movetext": _text,
    "verbose": _is_true,
    "recursive": _is_true,
    "mmap": _is_true,
    "threads": _whole,
    "max_messages": _whole,
    # The end of the options.
}
"""The options that are arguments of `pgn2fen.scan`, with their parsers. The scan itself checks words and bounds."""

_REASONS = {
    # Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
    "max_games": "parts of files are read at the same time; use limit(…) on the rows",
    "unique": "equal positions may be in different parts; use dropDuplicates(['fen']) on the rows",
    "memory": "it limits unique and shuffle",
    "range": "Spark chooses the ranges, of size bytes each",
    "skip_unreadable": "unreadable=skip leaves such files out, and reports them",
    # The end of the options.
    "messages": "messages are in the log of each task, and in the rows of report=true",
    "progress": "Spark shows the progress of jobs",
    "header": "columns chooses the columns",
}
"""The options of `pgn2fen.scan` that do not exist here, with the reasons."""

_REFUSED = {_plain(name): f"{name} is not an option, because {reason}" for name, reason in _REASONS.items()}

_NAMES = {
    _plain(name): name for name in [*_SCAN, "path", "paths", "size", "report", "unreadable", "push_down_predicate"]
}
