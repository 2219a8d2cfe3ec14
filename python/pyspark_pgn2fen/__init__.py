"""Chess games in PGN on Apache Spark 4: a data source with rows of positions, and an index that all workers of a cluster build.

Spark finds the package by its name, so it need not be registered:

    positions = (
        spark.read.format("pgn2fen")
        .option("columns", "file,ply,san,fen")
        .option("tags", "WhiteElo>=2200")
        .load("/data/*.pgn.zst")
    )

`index` builds an index on the workers, and `pgn2fen.Index` answers from it:

    pyspark_pgn2fen.index(spark, "/data/*.pgn.zst", "/data/games.idx")
    pgn2fen.Index("/data/games.idx").explore("1. e4 c5")

The package must be installed for the Python of the driver and of all workers (`pip install pgn2fen[spark]`), and all of them must see local
files at the same paths. Files in object stores (`s3://bucket/*.pgn.zst`) are read with the credentials in the environment of each. `help(pyspark_pgn2fen.DefaultSource)` lists the options.
"""

from pyspark_pgn2fen._index import index
from pyspark_pgn2fen._source import DefaultSource

__all__ = ["DefaultSource", "index"]
