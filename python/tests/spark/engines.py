"""Sessions of the engines on which the data source is tested."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest

IS_WHOLE = os.environ.get("PGN2FEN_SPARK") == "1"
"""Whether nothing may be skipped, and a cluster is started."""


def sail() -> Iterator[Any]:
    """A session of pysail, which runs in this process."""
    server_of = pytest.importorskip("pysail.spark").SparkConnectServer
    from pyspark.sql import SparkSession

    from pyspark_pgn2fen import DefaultSource

    server = server_of("127.0.0.1", 0)
    server.start(background=True)
    try:
        spark = SparkSession.builder.remote(f"sc://127.0.0.1:{server.listening_address[1]}").create()
        try:
            spark.version  # noqa: B018, the server checks the version of the client
            spark.dataSource.register(DefaultSource)
            yield spark
        except Exception as error:
            if "unsupported PySpark version" not in str(error):
                raise
            pytest.skip(str(error))
        finally:
            # Otherwise the client would wait for the server for minutes.
            spark.stop()
    finally:
        server.stop()


def classic(master: str, **settings: str) -> Iterator[Any]:
    """A session of Spark itself."""
    from pyspark.sql import SparkSession

    # A process has one session with Spark, and otherwise gets it again whatever the master is.
    if (active := SparkSession.getActiveSession()) is not None:
        active.stop()
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    usual = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.sql.shuffle.partitions": "4"}
    builder = SparkSession.builder.master(master).appName("pgn2fen")
    spark = builder.config(map={**usual, **settings}).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    yield spark
    spark.stop()
