"""Conditions of a query that Spark pushes down, as options with which fewer rows are made."""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pgn2fen
from pgn2fen._conditions import narrowing
from pyspark_pgn2fen._options import Options

# Spark before 4.1 has no such classes, so they are known by their names.
COMPARISONS = {
    "EqualTo": "Eq",
    "EqualNullSafe": "Eq",
    "LessThan": "Lt",
    "LessThanOrEqual": "LtEq",
    "GreaterThan": "Gt",
    "GreaterThanOrEqual": "GtEq",
}


def narrowed(options: Options, filters: Iterable[Any]) -> Options:
    """Returns options that give all rows for which the filters hold, and possibly others. Filters that no option expresses are left out."""
    scan = pgn2fen.scan(io.BytesIO(), **options.scan)
    return replace(options, scan={**options.scan, **narrowing(scan, comparisons(filters, set(scan.columns)))})


def comparisons(filters: Iterable[Any], columns: set[str]) -> Iterator[tuple[str, str, Any]]:
    """Yields the comparisons of a column with a value that must all hold, as (column, operator, value)."""
    for filter in filters:
        path: tuple[str, ...] = getattr(filter, "attribute", ())
        if len(path) != 1 or path[0] not in columns:
            continue
        kind = type(filter).__name__
        if kind in COMPARISONS and is_value(filter.value):
            yield path[0], COMPARISONS[kind], filter.value
        elif kind == "In":
            # No row has a value that equals null.
            values = [value for value in filter.value if value is not None]
            if len({type(value) for value in values}) == 1 and is_value(values[0]):
                yield path[0], "GtEq", min(values)
                yield path[0], "LtEq", max(values)


def is_value(value: Any) -> bool:
    """Whether a value is a whole number, a text or a date: neither a truth value nor a time, which Python takes for these."""
    return type(value) in (int, str, datetime.date)
