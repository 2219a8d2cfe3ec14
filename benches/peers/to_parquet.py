#!/usr/bin/env python3
"""Reads and writes Parquet files with the packages that people use for tables: peers of `peers formats`.

    to_parquet.py versions                       the packages that are installed, a line for each
    to_parquet.py duckdb games.csv out.parquet   converts csv to Parquet with zstd; also polars, pyarrow
    to_parquet.py rows out.parquet               the number of rows of a Parquet file
    to_parquet.py rows out.arrows                the number of rows of an Arrow stream
"""

import importlib
import sys

PACKAGES = ["duckdb", "polars", "pyarrow"]


def installed():
    for name in PACKAGES:
        try:
            yield name, importlib.import_module(name).__version__
        except ImportError:
            pass


def convert(package, source, target):
    if package == "duckdb":
        import duckdb

        duckdb.sql(f"COPY (FROM read_csv('{source}')) TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
    elif package == "polars":
        import polars

        polars.scan_csv(source).sink_parquet(target, compression="zstd")
    elif package == "pyarrow":
        import pyarrow.csv
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.csv.read_csv(source), target, compression="zstd")
    else:
        sys.exit(f"unknown package: {package}")


def rows(path):
    if path.endswith(".parquet"):
        import pyarrow.parquet

        return pyarrow.parquet.ParquetFile(path).metadata.num_rows
    import pyarrow.ipc

    with pyarrow.ipc.open_stream(path) as stream:
        return sum(batch.num_rows for batch in stream)


match sys.argv[1:]:
    case ["versions"]:
        for name, version in installed():
            print(name, version)
    case ["rows", path]:
        print(rows(path))
    case [package, source, target]:
        convert(package, source, target)
    case _:
        sys.exit(__doc__)
