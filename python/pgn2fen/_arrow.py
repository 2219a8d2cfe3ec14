"""Rows that can be read as Arrow record batches: conversions to data frames and to Python values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pgn2fen import _interrupts

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from pgn2fen._pgn2fen import Batch


class ArrowRows:
    """The base of everything that has rows.

    It has the methods of the Arrow PyCapsule interface, so that DuckDB, Polars, pyarrow, DataFusion and other packages read it directly.
    """

    def __arrow_c_schema__(self) -> object:
        raise NotImplementedError

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Batch]:
        raise NotImplementedError

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        raise NotImplementedError

    def to_arrow(self) -> pyarrow.Table:
        """Returns all rows as a `pyarrow.Table`. Needs the package pyarrow."""
        import pyarrow

        return pyarrow.Table.from_batches([pyarrow.record_batch(batch) for batch in self], pyarrow.schema(self))

    def to_polars(self) -> polars.DataFrame:
        """Returns all rows as a `polars.DataFrame`. Needs the package polars."""
        import polars

        try:
            return polars.DataFrame(self)
        except Exception:
            # Polars has an error of its own for a run that was interrupted. The interrupt itself is raised here.
            _interrupts.look()
            raise

    def to_pandas(self) -> pandas.DataFrame:
        """Returns all rows as a `pandas.DataFrame`. Needs the packages pandas and pyarrow.

        Columns of numbers with missing values have the type float64, and dates are `datetime.date` objects. For Arrow types use
        `to_arrow().to_pandas(types_mapper=pandas.ArrowDtype)`.
        """
        return self.to_arrow().to_pandas()

    def rows(self, named: bool = False) -> Iterator[Any]:
        """Returns an iterator over the rows: tuples, or dicts if `named` is true. Needs no other package.

        Text is `str`, numbers are `int` or `float`, dates are `datetime.date`, lists are `list`, maps are `dict`, and missing values are
        `None`.
        """
        names = self.columns
        for batch in self:
            values = zip(*(batch.to_list(at) for at in range(len(names))))
            if named:
                for row in values:
                    yield dict(zip(names, row))
            else:
                yield from values

    def to_list(self, column: str | None = None) -> list[Any]:
        """Returns the values of a column as a list. Without a name, there must be only one column. Needs no other package."""
        names = self.columns
        if column is None and len(names) != 1:
            raise ValueError(f"give the name of a column: one of {', '.join(names)}")
        if column is not None and column not in names:
            raise ValueError(f"there is no column {column}; the columns are {', '.join(names)}")
        at = 0 if column is None else names.index(column)
        values: list[Any] = []
        for batch in self:
            values.extend(batch.to_list(at))
        return values
