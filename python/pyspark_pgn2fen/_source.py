"""The data source: its schema, its partitions, and the rows of each."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

import pgn2fen
from pyspark_pgn2fen import _filters, _planning, _reading, _report
from pyspark_pgn2fen._options import Options, parsed

if TYPE_CHECKING:
    import pyarrow


class DefaultSource(DataSource):
    """Rows of positions of chess games: `spark.read.format("pgn2fen").option(…).load(paths)`.

    The rows are those of `pgn2fen.scan`, with its columns and types, in any order. `paths` are paths, folders, and patterns such as
    `/data/*.pgn.zst`, on a file system that the driver and all workers see at the same path; and addresses such as `s3://bucket/*.pgn.zst`,
    which the driver and the workers read with the credentials in their environment.

    **Rows.** These options have the names, values and defaults of the arguments of `pgn2fen.scan`, as text: `columns`, `names`, `start`, `plies`,
    `skip_start`, `every`, `sample`, `seed`, `variations`, `turn`, `pieces`, `skip_checks`, `skip_captures`, `max_eval`, `ep`, `castling`,
    `fields`, `lang`, `setup`, `encoding`, `movetext`, `recursive`, `mmap`, `batch_rows`, `max_messages`, `verbose`, `length`, `colors`,
    `mirror` and `for_plies`. `tags`, `opening`, `reached`, `moves`, `ends`, `judgement` and `material` are one on each line, or a JSON list; `pattern` and `pawns` are one
    on each line. `on_error` is `keep`, `drop`, or `raise`, which ends the job. `threads` is the number of threads of each task (1).

    Upper and lower case, `_` and `-` make no difference in names: `skipChecks` is `skip_checks`.

    **Parts.** A task reads about `size` bytes of files (`128M`). Files without compression and zstd files with many frames are cut into
    ranges, unless `mmap` is false; each other file is read by one task. If the rows have the columns `game` or `line`, and for `offset` and
    `sample` in compressed files that are cut, the driver counts the games and lines before each range, which reads these files once.

    A file behind an address is read by one task.

    **Conditions.** With `push_down_predicate=true` and Spark's setting `spark.sql.python.filterPushdown.enabled`, conditions of a query on tags,
    `ply` and `turn` leave out games and positions where they are read. Spark applies them again, so the rows are the same. A frame that is
    loaded so is for one query: Spark would use its conditions for the next query with the same frame.

    **Files that cannot be read.** With `unreadable=fail`, a file that cannot be opened or read to its end ends the job. With
    `unreadable=skip` it is logged and reported, and the ranges that can be read are kept: of a damaged file whose games are counted, those
    before the damage.

    **Errors of games** do not end the job, unless `on_error` is `raise`. Each task logs them to the logger `pgn2fen`, on the standard error
    of its executor. With `report=true`, the rows are those of a report, not positions. It has the same options, and these columns:

    | column | |
    |---|---|
    | `kind` | the kind of the error or warning, such as `illegal-move`; or `unreadable` for a file, `hint`, `summary` |
    | `is_error` | whether positions are missing because of it |
    | `file`, `start`, `end` | the file, and the bytes of the range that was read; null if the file could not be opened |
    | `line`, `column`, `game`, `ply` | the place, as in `pgn2fen.Message`; null where there is none |
    | `subject`, `reason`, `text` | the text that it is about, the fault, and the message in words |
    | `games`, `chosen`, `positions`, `errors`, `warnings` | the counts of a range, as in `pgn2fen.Report`, in rows of the kind `summary` |
    | `hidden` | the errors and warnings of the range that have no row, because there are more than `max_messages` |
    """

    @classmethod
    def name(cls) -> str:
        """The name of the format."""
        return "pgn2fen"

    def schema(self) -> StructType:
        """Returns the columns. Raises `ValueError` for a wrong option, and `OSError` for a file that does not exist."""
        options = parsed(self.options)
        _planning.found(options)
        return _schema(options)

    def reader(self, schema: StructType) -> DataSourceReader:
        """Returns a reader of the positions, or of the report. The schema must be that of the options."""
        options = parsed(self.options)
        if not isinstance(schema, StructType):
            # pysail passes the schema of Arrow.
            schema = from_arrow_schema(schema)
        expected = _schema(options)
        if [(field.name, field.dataType) for field in schema] != [(field.name, field.dataType) for field in expected]:
            raise ValueError(
                f"the schema is {schema.simpleString()}, but the columns make it {expected.simpleString()}; "
                "choose columns by the option columns, and leave out the schema"
            )
        # Messages of games that are skipped would be missing in the report.
        return NarrowingReader(options) if options.takes_filters and not options.is_report else Reader(options)


class Reader(DataSourceReader):
    """Reads positions, or the report."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def partitions(self) -> Sequence[InputPartition]:
        """Plans the tasks."""
        return _planning.parts(self._options)

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        """Iterates over the rows of a partition."""
        assert isinstance(partition, _planning.Part)
        rows = _report.rows if self._options.is_report else _reading.rows
        return rows(partition, self._options)


class NarrowingReader(Reader):
    """Reads positions. Games and positions for which conditions of the query do not hold may be left out.

    It is a class of its own because Spark refuses a reader with this method unless its setting allows filters.
    """

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._given = options

    def pushFilters(self, filters: list[Any]) -> Iterable[Any]:
        """Notes conditions that must all hold. Returns all of them, because Spark must apply them to the rows in any case."""
        self._options = _filters.narrowed(self._given, filters)
        return filters


def _schema(options: Options) -> StructType:
    if options.is_report:
        return from_arrow_schema(_report.schema())
    import pyarrow

    # A scan of no text checks the options.
    return from_arrow_schema(pyarrow.schema(pgn2fen.scan(io.BytesIO(), **options.scan)))
