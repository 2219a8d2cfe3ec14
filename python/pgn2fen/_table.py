"""`Table`: rows in memory, such as the answers of an index."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pgn2fen._arrow import ArrowRows
from pgn2fen._pgn2fen import TableData

if TYPE_CHECKING:
    from pgn2fen._pgn2fen import Batch

MOST_ROWS = 20
"""The number of rows that a `repr` shows."""

LONGEST_TEXT = 60
"""The number of characters of a value that a `repr` shows."""


class Table(ArrowRows):
    """A small table in memory. `len` is the number of rows. It can be pickled.

    DuckDB reads it by the name of its variable; Polars, pyarrow and DataFusion by their functions for Arrow streams. Notebooks show it
    as a table.

        >>> table = pgn2fen.Index("games.idx").explore("1. e4 c5")
        >>> table.to_polars()
        >>> for row in table.rows(named=True):
        ...     print(row["san"], row["games"])
    """

    def __init__(self, data: TableData, messages: list[str]) -> None:
        self._data = data
        self._messages = messages

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._data.columns

    @property
    def messages(self) -> list[str]:
        """Messages about the rows: files that could not be used, games that were left out, and repairs of positions. Mostly empty."""
        return list(self._messages)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._data.types, list(self.rows()), self._messages)

    def __len__(self) -> int:
        return len(self._data)

    def __iter__(self) -> Iterator[Batch]:
        """Iterates over the record batches."""
        return iter(self._data.batches)

    def __arrow_c_schema__(self) -> object:
        return self._data.schema()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns a PyCapsule of the Arrow C stream interface."""
        return self._data.open()

    def _first_rows(self) -> list[tuple[Any, ...]]:
        """Returns the rows that a `repr` shows."""
        return [row for _, row in zip(range(MOST_ROWS), self.rows())]

    def _size(self) -> str:
        count = len(self)
        return f"{count:,} row" if count == 1 else f"{count:,} rows"

    def __repr__(self) -> str:
        rows = self._first_rows()
        columns = []
        for at, name in enumerate(self.columns):
            values = [row[at] for row in rows]
            cells = [_shown(value) for value in values]
            width = max(map(len, [name, *cells]))
            is_number = any(isinstance(value, (int, float)) for value in values)
            columns.append([cell.rjust(width) if is_number else cell.ljust(width) for cell in [name, *cells]])
        lines = ["  ".join(line).rstrip() for line in zip(*columns)]
        more = len(self) - len(rows)
        if more:
            lines.append(f"… {more:,} more")
        return "\n".join([f"<pgn2fen.Table of {self._size()}>", *lines])

    def _repr_html_(self) -> str:
        rows = self._first_rows()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join("<tr>" + "".join(map(_html, row)) + "</tr>" for row in rows)
        more = len(self) - len(rows)
        note = f"{self._size()}, of which the first {len(rows)} are shown" if more else self._size()
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{note}</p>"


def _restored(columns: list[tuple[str, str]], rows: list[tuple[Any, ...]], messages: list[str]) -> Table:
    """Makes a table that was pickled."""
    return Table(TableData(columns, rows), messages)


def _shown(value: Any) -> str:
    """Returns a value in a line of text, without characters that act on a terminal."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}"
    text = "".join(char if char.isprintable() else "\ufffd" for char in str(value))
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _html(value: Any) -> str:
    align = ' style="text-align: right"' if isinstance(value, (int, float)) else ""
    return f"<td{align}>{html.escape(_shown(value))}</td>"
