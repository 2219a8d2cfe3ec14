"""Progress of long runs: a bar of tqdm if that is installed, or else a line on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TypeAlias

ProgressOption: TypeAlias = "bool | None | Callable[[int, int | None, int, int], object]"
"""`True`, `False`, `None` for interactive sessions only, or a function of (bytes read, bytes in all, games, positions)."""

PATIENCE = 0.5
"""The time in seconds before a bar appears. Short runs show none."""


def check(option: object) -> None:
    """Raises `TypeError` if progress cannot be shown in this way."""
    if not (option is None or isinstance(option, bool) or callable(option)):
        raise TypeError(f"progress is {option!r}, but must be True, False, None or a function")


def is_interactive() -> bool:
    """Whether Python runs in a notebook, in IPython or in the interactive interpreter."""
    return hasattr(sys, "ps1") or "IPython" in sys.modules and _in_ipython()


def _in_ipython() -> bool:
    from IPython.core.getipython import get_ipython  # type: ignore[import-not-found,unused-ignore]

    return get_ipython() is not None


class Progress:
    """Shows how much of the files has been read."""

    def __init__(self, option: ProgressOption) -> None:
        self.call = option if callable(option) else None
        self.is_shown = option is True or option is None and is_interactive()
        self.begun = time.monotonic()
        self.bar: Any = None

    @property
    def is_wanted(self) -> bool:
        return self.call is not None or self.is_shown

    def update(self, read: int, total: int | None, games: int, positions: int) -> None:
        if self.call is not None:
            self.call(read, total, games, positions)
        elif self.is_shown:
            if self.bar is None:
                if time.monotonic() - self.begun < PATIENCE:
                    return
                self.bar = _bar(total)
            self.bar.set_postfix_str(f"{games:,} games, {positions:,} positions", refresh=False)
            self.bar.update(read - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def _bar(total: int | None) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line(total)
    return tqdm(total=total, unit="B", unit_scale=True)


class _Line:
    """A line on standard error that is written again and again. It has the methods of a bar of tqdm that are used here."""

    def __init__(self, total: int | None) -> None:
        self.total = total
        self.n = 0
        self.text = ""

    def set_postfix_str(self, text: str, refresh: bool = True) -> None:
        self.text = text

    def update(self, count: int) -> None:
        self.n += count
        share = f"{self.n / self.total:4.0%}" if self.total else f"{self.n / 1e6:,.0f} MB"
        print(f"\r{share}  {self.text} ", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print(file=sys.stderr)
