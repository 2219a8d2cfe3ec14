"""Engines for the tests of the data source.

- Spark's local mode, with `pip install pyspark` and Java, or else
- pysail, which needs no Java, with `pip install pysail pyspark-client` of a version that it supports.

Without them the tests are skipped. With PGN2FEN_SPARK=1 they also run on a standalone cluster, and nothing is skipped.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cluster
import pytest
from engines import IS_WHOLE, classic, sail
from store import running

if importlib.util.find_spec("pyspark") is None:
    assert not IS_WHOLE, "PGN2FEN_SPARK=1 needs pyspark"
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def has_store() -> bool:
    """Whether the packages for a store with the interface of S3 are installed."""
    return all(importlib.util.find_spec(name) is not None for name in ("boto3", "moto"))


@pytest.fixture(scope="session")
def stores(has_store: bool) -> Iterator[list[Any]]:
    """The store, if there can be one. It begins before all sessions, because the JVM has the environment in which it was started."""
    if not has_store:
        yield []
        return
    for store in running():
        yield [store]


@pytest.fixture(scope="session")
def store(stores: list[Any]) -> Any:
    """A store with the interface of S3."""
    if not stores:
        pytest.skip("needs the packages boto3 and moto")
    return stores[0]


@pytest.fixture(scope="module")
def spark(stores: list[Any]) -> Iterator[Any]:
    """A session of the engine that is installed. One process cannot use both."""
    if cluster.is_possible():
        yield from classic("local[2]")
    else:
        assert not IS_WHOLE, "PGN2FEN_SPARK=1 needs pyspark and Java"
        yield from sail()


@pytest.fixture(scope="module")
def read(spark: Any) -> Callable[..., Any]:
    """Loads files with options, which are values of Python."""

    def load(paths: Path | str | list[Path], **options: Any) -> Any:
        source = spark.read.format("pgn2fen").options(**{name: text(value) for name, value in options.items()})
        if not isinstance(paths, list):
            return source.load(str(paths))
        names = [str(path) for path in paths]
        # pysail does not pass on lists of paths.
        is_sail = type(spark).__module__.startswith("pyspark.sql.connect")
        return source.option("paths", json.dumps(names)).load() if is_sail else source.load(names)

    return load


def text(value: Any) -> str:
    """Returns the value of an option as users write it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        first, last = ("" if end is None else str(end) for end in value)
        return f"{first}..{last}"
    return "\n".join(value) if isinstance(value, list) else str(value)
