"""A data source of Apache Spark 4 for chess games in PGN: rows of positions, read by all workers of a cluster.

Spark finds the package by its name, so it need not be registered:

    positions = (
        spark.read.format("pgn2fen")
        .option("columns", "file,ply,san,fen")
        .option("tags", "WhiteElo>=2200")
        .load("/data/*.pgn.zst")
    )

The package must be installed for the Python of the driver and of all workers (`pip install pgn2fen[spark]`), and all of them must see the
files at the same paths. `help(pyspark_pgn2fen.DefaultSource)` lists the options.
"""

from pyspark_pgn2fen._source import DefaultSource

__all__ = ["DefaultSource"]
