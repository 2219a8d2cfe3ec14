"""Conditions on rows as options of a scan, which then makes fewer rows for which the conditions do not hold."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from typing import Any

from pgn2fen._source import RowSource

OPERATORS = {"Eq": "=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
"""The operators of comparisons, as a filter of `tags` writes them."""


def narrowing(scan: RowSource, comparisons: Iterable[tuple[str, str, Any]]) -> dict[str, Any]:
    """Returns options for a scan that gives all rows for which comparisons of a column with a value hold, and possibly others.

    Comparisons that no option expresses are left out. So are all of them if other options depend on which games and positions are read.
    """
    options = scan._options
    depends = options["unique"] or options["max_games"] is not None or options["on_error"] in ("stop", "raise")
    if depends:
        return {}
    tags: list[str] = []
    plies: list[tuple[int, int | None]] = []
    turns: list[str] = []
    for column, operator, value in comparisons:
        if column == "ply" and type(value) is int:
            plies.append(interval(operator, value))
        elif column == "turn" and operator == "Eq" and value in ("w", "b"):
            turns.append(value)
        elif column[:1].isupper() and column.isascii() and not column.endswith("_text"):
            tags += filter_texts(column, operator, value)
    changes: dict[str, Any] = {}
    if plies and options["plies"] == ".." and options["every"] == 1:
        first = max(0, *(first for first, _ in plies), 0)
        lasts = [last for _, last in plies if last is not None]
        last = min(lasts) if lasts else None
        if last is None or 0 <= first <= last:
            changes["plies"] = f"{first}.." if last is None else f"{first}..{last}"
    if turns and options["turn"] is None:
        changes["turn"] = turns[0]
    known = [text for text in tags if is_filter(scan, text)]
    if known:
        changes["tags"] = [*options["tags"], *known]
    return changes


def interval(operator: str, value: int) -> tuple[int, int | None]:
    """Returns the numbers for which a comparison holds: the first, and the last if there is one."""
    match operator:
        case "Eq":
            return value, value
        case "Lt":
            return 0, value - 1
        case "LtEq":
            return 0, value
        case "Gt":
            return value + 1, None
        case _:
            return value, None


def filter_texts(tag: str, operator: str, value: int | str | datetime.date) -> list[str]:
    """Returns filters that all rows pass for which a comparison of a tag holds. There are none if a filter could mean something else.

    Text is compared by a filter as numbers if it can be, so only equality of plain words carries over.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", tag):
        return []
    if isinstance(value, datetime.date):
        return [f"{tag}{OPERATORS[operator]}{value:%Y.%m.%d}"] if value.year >= 1000 else []
    if isinstance(value, int):
        return number_filters(tag, operator, value) if value >= 0 else []
    is_plain = re.fullmatch(r"[A-Za-z](?:[A-Za-z0-9 ,.'-]*[A-Za-z0-9.])?", value) is not None
    return [f"{tag}={value}"] if operator == "Eq" and is_plain else []


def number_filters(tag: str, operator: str, value: int) -> list[str]:
    """Returns filters for a comparison with an integer. A column of integers has no decimals, but the tag that a filter compares may have."""
    below, above = f"{tag}<{value + 1}", [f"{tag}>={value}"] if value > 0 else []
    match operator:
        case "Eq":
            return [*above, below]
        case "LtEq":
            return [below]
        case "GtEq":
            return above
        case _:
            return [f"{tag}{OPERATORS[operator]}{value}"]


def is_filter(scan: RowSource, text: str) -> bool:
    """Whether a text is a filter for tags, as `scan` takes it."""
    try:
        scan._changed(tags=[text])
    except ValueError:
        return False
    return True
