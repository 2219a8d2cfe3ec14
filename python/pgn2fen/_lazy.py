"""Scans as lazy frames of Polars, with columns, limits and conditions that are applied while games are read."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import polars
from polars.io.plugins import register_io_source

from pgn2fen._conditions import OPERATORS, narrowing
from pgn2fen._source import RowSource

MIRRORED = {"Eq": "Eq", "Lt": "Gt", "LtEq": "GtEq", "Gt": "Lt", "GtEq": "LtEq"}

EPOCH = datetime.date(1970, 1, 1).toordinal()


def lazy_frame(scan: RowSource) -> polars.LazyFrame:
    """Returns a lazy frame that reads a scan."""
    schema = scan._empty().to_polars().schema

    def source(
        with_columns: list[str] | None, predicate: polars.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[polars.DataFrame]:
        names = list(schema) if with_columns is None else with_columns
        needed = list(names)
        options: dict[str, Any] = {}
        if predicate is not None:
            needed += [name for name in predicate.meta.root_names() if name not in needed]
            # A limit is counted before the condition is applied, so the rows before the condition are needed.
            if n_rows is None:
                options = narrowed(scan, predicate)
        # A scan needs a column to count its rows by.
        options["columns"] = ",".join(needed or [next(iter(schema))])
        if batch_size is not None and batch_size > 0 and scan._options["batch_rows"] is None:
            options["batch_rows"] = min(batch_size, 1 << 16)
        part = scan._changed(**options)
        left = n_rows
        with closing(part._batches(has_pauses=True)) as batches:
            for batch in batches:
                # The report of the scan is that of the last part that was read.
                scan._run = part._run
                frame = polars.DataFrame(batch)
                if left is not None:
                    frame = frame.head(left)
                    left -= len(frame)
                if predicate is not None:
                    frame = frame.filter(predicate)
                yield frame.select(names)
                if left == 0:
                    break
        scan._run = part._run

    return register_io_source(source, schema=schema)


def narrowed(scan: RowSource, predicate: polars.Expr) -> dict[str, Any]:
    """Returns options for a scan that gives all rows for which a condition holds, and possibly others."""
    try:
        tree = json.loads(predicate.meta.serialize(format="json"))
    except (ValueError, polars.exceptions.PolarsError):
        return {}
    return narrowing(scan, comparisons(tree))


def comparisons(tree: Any) -> Iterator[tuple[str, str, Any]]:
    """Yields the comparisons of a column with a value that must all hold, as (column, operator, value)."""
    expression = tree.get("BinaryExpr") if isinstance(tree, dict) else None
    if not isinstance(expression, dict):
        return
    operator, left, right = expression.get("op"), expression.get("left"), expression.get("right")
    if operator == "And":
        yield from comparisons(left)
        yield from comparisons(right)
    elif operator in OPERATORS:
        if isinstance(right, dict) and "Column" in right:
            operator, left, right = MIRRORED[operator], right, left
        if isinstance(left, dict) and isinstance(left.get("Column"), str):
            value = literal(right)
            if value is not None:
                yield left["Column"], operator, value


def literal(tree: Any) -> int | str | datetime.date | None:
    """Returns the value of a literal, if it is a whole number, a text or a date."""
    value = tree.get("Literal") if isinstance(tree, dict) else None
    value = value.get("Scalar", value.get("Dyn")) if isinstance(value, dict) else None
    if not isinstance(value, dict) or len(value) != 1:
        return None
    kind, value = next(iter(value.items()))
    if kind in ("Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64") and type(value) is int:
        return value
    if kind in ("String", "Str") and isinstance(value, str):
        return value
    if kind == "Date" and type(value) is int:
        # Polars has more years than Python.
        day = EPOCH + value
        return datetime.date.fromordinal(day) if 1 <= day <= datetime.date.max.toordinal() else None
    return None
