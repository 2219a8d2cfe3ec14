"""The report: a row for each error and warning, and a row of counts for each range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pgn2fen import FileRange, Report
from pgn2fen._pgn2fen import name_of
from pyspark_pgn2fen import _reading
from pyspark_pgn2fen._options import Options
from pyspark_pgn2fen._planning import Part, Unreadable

if TYPE_CHECKING:
    import pyarrow

UNCOUNTED = "games are counted from the start of this range"

HINT = "warning: "
"""The start of a line about all games of a range. Other lines start with the path of a file."""


def schema() -> pyarrow.Schema:
    """Returns the columns of the report, which `DefaultSource` describes."""
    import pyarrow

    text, number, short = pyarrow.string(), pyarrow.int64(), pyarrow.int32()
    columns = [
        ("kind", text),
        ("is_error", pyarrow.bool_()),
        ("file", text),
        ("start", number),
        ("end", number),
        ("line", number),
        ("column", number),
        ("game", number),
        ("ply", short),
        ("subject", text),
        ("reason", text),
        ("text", text),
        ("games", number),
        ("chosen", number),
        ("positions", number),
        ("errors", number),
        ("warnings", number),
        ("hidden", number),
    ]
    return pyarrow.schema(columns)


def rows(part: Part, options: Options) -> Iterator[pyarrow.RecordBatch]:
    """Reads a part, and iterates over the rows of the report."""
    import pyarrow

    for item in part.items:
        if isinstance(item, Unreadable):
            found = [{"kind": "unreadable", "is_error": True, "file": item.name, "text": item.text}]
        else:
            report, error = _read(item, options)
            found = [
                *_rows(report, _reading.is_counted(item)),
                *([] if error is None else [{"kind": "unreadable", "is_error": True, "text": error}]),
            ]
            place = {"file": name_of(item.path), "start": item.start, "end": item.end}
            found = [place | row for row in found]
        yield pyarrow.RecordBatch.from_pylist(found, schema())


def _read(item: FileRange, options: Options) -> tuple[Report | None, str | None]:
    """Reads a range for its report alone."""
    rows = _reading.read(item, options)
    while True:
        try:
            next(rows)
        except StopIteration as end:
            result: tuple[Report | None, str | None] = end.value
            return result


def _rows(report: Report | None, is_counted: bool) -> Iterator[dict[str, Any]]:
    if report is None:
        return
    names = ("kind", "is_error", "line", "column", "game", "ply", "subject", "reason", "text")
    for message in report.messages:
        row = {name: getattr(message, name) for name in names}
        # In a range of a damaged file, the numbers are not known.
        yield row if is_counted else row | {"line": None, "game": None, "text": f"{message.text}; {UNCOUNTED}"}
    for line in report.lines:
        if line.text.startswith(HINT):
            yield {"kind": "hint", "is_error": False, "text": line.text.removeprefix(HINT)}
    counts = {name: getattr(report, name) for name in ("games", "chosen", "positions", "errors", "warnings")}
    hidden = report.errors + report.warnings - len(report.messages)
    yield {"kind": "summary", "is_error": False, "text": report.summary, **counts, "hidden": hidden}
