"""Descriptions of files that are read as often as one likes: the base of scans, starts and games."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, ClassVar

from pgn2fen import _inputs, _interrupts, _progress, _report
from pgn2fen._arrow import ArrowRows
from pgn2fen._inputs import File
from pgn2fen._pgn2fen import FileObject, Plan, Report, Run, StartsPlan, name_of, option_forms
from pgn2fen._progress import Progress
from pgn2fen._ranges import FileRange

if TYPE_CHECKING:
    from pgn2fen._pgn2fen import Batch


class Source:
    """A description of what is read from files. It can be read as often as one likes, by several threads at once.

    Nothing is read before it is asked for. Objects with paths can be pickled; those with file objects cannot.
    """

    _usual: ClassVar[dict[str, Any]]
    """The usual values of the options, which a `repr` leaves out."""

    def __init__(self, files: list[File], options: dict[str, Any]) -> None:
        _report.check_way(options["messages"])
        _progress.check(options["progress"])
        self._files = files
        self._options = options
        self._plan = self._make()
        self._run: Run | None = None

    def _make(self) -> Any:
        """Checks the files and options, and returns the plan that reads them."""
        raise NotImplementedError

    def __getstate__(self) -> tuple[list[File], dict[str, Any]]:
        for file in self._files:
            if isinstance(file, FileObject):
                raise TypeError(f"a {type(self).__name__} of a file object cannot be pickled; give a path instead")
        return self._files, self._options

    def __setstate__(self, state: tuple[list[File], dict[str, Any]]) -> None:
        Source.__init__(self, *state)

    def __repr__(self) -> str:
        function = type(self).__name__.lower()
        usual = self._usual
        said = [f"{name}={value!r}" for name, value in self._options.items() if usual[name] != value]
        return f"pgn2fen.{function}({', '.join([_inputs.shown(self._files), *said])})"

    @property
    def files(self) -> list[str]:
        """The paths of the files, and the names of the file objects. Addresses have no passwords and no signatures."""
        return [name_of(file.path if isinstance(file, FileRange) else str(file)) for file in self._files]

    @property
    def report(self) -> Report | None:
        """The report of the last run: the numbers of games and positions, and the errors and warnings of games. None before a run."""
        _report.tell_ended()
        return None if self._run is None else self._run.report

    def _watch(self) -> _report.Watch:
        _report.tell_ended()
        self._run = run = Run()
        return _report.Watch(run, self._options["messages"], Progress(self._options["progress"]))


class RowSource(Source, ArrowRows):
    """A description of rows that are read from files."""

    _plan: Plan | StartsPlan

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._plan.columns

    def __arrow_c_schema__(self) -> object:
        _interrupts.prepare()
        return self._plan.schema()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Begins to read the files, and returns a PyCapsule of the Arrow C stream interface."""
        watch = self._watch()
        try:
            batches = self._plan.open(watch.run, watch, False)
            _interrupts.watch(watch.run)
            _report.keep(watch)
            return batches.stream()
        except BaseException:
            watch.close()
            raise

    def __iter__(self) -> Iterator[Batch]:
        """Reads the files, and iterates over record batches. They have at most `batch_rows` rows."""
        return self._batches()

    def _batches(self, has_pauses: bool = False) -> Generator[Batch, None, None]:
        """Iterates over record batches. With pauses, some of them are empty, so that the caller is not kept waiting."""
        with self._watch() as watch, closing(self._plan.open(watch.run, watch, has_pauses)) as batches:
            yield from batches

    def _changed(self, **options: Any) -> RowSource:
        """Returns a description of the same files with other options."""
        return type(self)(self._files, self._options | options)

    def _empty(self) -> ArrowRows:
        """Returns the columns without rows."""
        return NoRows(self._plan)

    def _run_of(self, write: Callable[[Run, _report.Watch], None]) -> Report:
        """Begins a run, in which a function writes files. Returns its report."""
        with self._watch() as watch:
            write(watch.run, watch)
        return watch.run.report


def usual(function: Callable[..., Any]) -> dict[str, Any]:
    """Returns the default values of the parameters of a function, in the form in which plans take them."""
    return chosen({name: parameter.default for name, parameter in inspect.signature(function).parameters.items()})


_FORMS = option_forms()
"""The form in which plans take each option."""


def chosen(options: dict[str, Any]) -> dict[str, Any]:
    """Returns options in the form in which plans take them."""
    return {name: _formed(name, value) for name, value in options.items()}


def _formed(name: str, value: Any) -> Any:
    form = _FORMS.get(name)
    if form == "texts":
        return texts(value, name)
    if value is None:
        return None
    if form == "range":
        return spelled(value)
    if form == "names":
        return joined(value, name)
    if form == "path":
        return _inputs.named(value)
    return str(value) if form == "size" else value


def texts(texts: str | Iterable[str], name: str) -> list[str]:
    """Returns one text or several as a list. `name` is the name of the parameter."""
    if isinstance(texts, str):
        return [texts]
    several = None if isinstance(texts, bytes) or not isinstance(texts, Iterable) else list(texts)
    if several is None or not all(isinstance(text, str) for text in several):
        raise TypeError(f"{name} is {texts!r}; give a str or several")
    return several


def joined(names: str | Iterable[str] | None, name: str) -> str | None:
    """Returns names as text with commas. `name` is the name of the parameter."""
    return None if names is None else ",".join(texts(names, name))


def spelled(value: str | float | tuple[float | None, float | None]) -> str:
    """Returns a range as the command takes it: `8..20`."""
    if isinstance(value, tuple) and len(value) == 2:
        first, last = ("" if end is None else str(end) for end in value)
        return f"{first}..{last}"
    return str(value)


class NoRows(ArrowRows):
    """The columns of a plan, without rows."""

    def __init__(self, plan: Plan | StartsPlan) -> None:
        self._plan = plan

    @property
    def columns(self) -> list[str]:
        return self._plan.columns

    def __arrow_c_schema__(self) -> object:
        return self._plan.schema()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._plan.empty_stream()

    def __iter__(self) -> Iterator[Batch]:
        return iter(())


def tag_value(name: str, value: object) -> str:
    """Returns the value of a tag, which may also be a number."""
    if isinstance(value, (str, int, float)):
        return str(value)
    raise TypeError(f"the value of the tag {name} is {value!r}, but must be a text")
