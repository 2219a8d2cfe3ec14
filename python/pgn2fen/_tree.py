"""`tree`: many games as one tree of the lines that were played."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pgn2fen import _inputs, _progress, _report
from pgn2fen._index import Index, Messages, PositionText
from pgn2fen._inputs import Paths
from pgn2fen._pgn2fen import Run, TreeData, TreeMove, TreeNode, grow_index_tree, grow_tree
from pgn2fen._progress import Progress, ProgressOption
from pgn2fen._source import chosen, joined, usual
from pgn2fen._table import Table

if TYPE_CHECKING:
    from pgn2fen._inputs import BinaryFile
    from pgn2fen._pgn2fen import Report

TreeFormat: TypeAlias = Literal["pgn", "html", "dot", "mermaid", "csv", "tsv", "jsonl", "parquet", "anki"]
"""The formats of a tree."""


class Tree:
    """A tree of the positions that games reached from a root, with the moves that were played there. Made by `tree`.

    A position is one node, whatever moves led to it. It hangs on the shortest line; a move that leads to it on another line transposes.

        >>> tree = pgn2fen.tree("games.pgn", "1. e4 c5")
        >>> for move in tree.root.moves:
        ...     print(move.san, move.results.games, move.results.score)
        >>> tree.node("1. e4 c5 2. Nf3 d6").moves[0].target.fen

    `len(tree)` is the number of moves. Nodes and moves keep the tree alive. A tree cannot be pickled; write it as PGN or rows instead.
    """

    def __init__(self, data: TreeData, messages: list[str], way: Messages, report: Report | None) -> None:
        self._data = data
        self._messages = messages
        self._way = way
        self._report = report

    @property
    def root(self) -> TreeNode:
        """The node of the position in which the tree begins."""
        return self._data.root

    def node(self, position: PositionText, *, lang: str = "en") -> TreeNode | None:
        """Returns the node of a position, whatever moves lead to it. None if the tree does not have it.

        The position is given as in `tree`. Raises `ValueError` for a text that is no position.
        """
        return self._data.node(position, lang)

    def walk(self) -> Iterator[TreeMove]:
        """Iterates over all moves, each once, in the order of the rows: behind a move come those of the position after it.

        Moves behind a move that transposes come where the position hangs.
        """
        lines = [iter(self.root.moves)]
        while lines:
            move = next(lines[-1], None)
            if move is None:
                lines.pop()
                continue
            yield move
            if not move.transposes:
                lines.append(iter(move.target.moves))

    @property
    def positions(self) -> int:
        """The number of positions, the root included."""
        return self._data.positions

    @property
    def messages(self) -> list[str]:
        """Messages about the tree: the opening that was meant, a repair of the position, or why the tree is empty. Mostly empty."""
        return list(self._messages)

    @property
    def report(self) -> Report | None:
        """The numbers of games and positions that were read, and the errors and warnings of games. None for a tree of an index."""
        return self._report

    def __len__(self) -> int:
        return self._data.moves

    def __repr__(self) -> str:
        moves, positions = len(self), self.positions
        return (
            f"<pgn2fen.Tree {moves:,} {'move' if moves == 1 else 'moves'} in "
            f"{positions:,} {'position' if positions == 1 else 'positions'}>"
        )

    def to_pgn(
        self,
        *,
        # Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
        side: Literal["w", "b"] | None = None,
        transpositions: Literal["join", "write"] = "join",
        comments: str | Iterable[str] | None = None,
        glyphs: bool = False,
        title: str | None = None,
        # The end of the options.
    ) -> str:
        """Returns the tree as one game with variations. The options are those of `write`."""
        return self._text("pgn", _style(dict(locals()))).decode()

    def to_html(
        self,
        *,
        # Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
        side: Literal["w", "b"] | None = None,
        transpositions: Literal["join", "write"] = "join",
        comments: str | Iterable[str] | None = None,
        glyphs: bool = False,
        title: str | None = None,
        # The end of the options.
    ) -> str:
        """Returns the tree as a page that unfolds. The options are those of `write`."""
        return self._text("html", _style(dict(locals()))).decode()

    def write(
        self,
        file: str | os.PathLike[str] | BinaryFile | io.IOBase,
        format: TreeFormat | None = None,
        *,
        # Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
        side: Literal["w", "b"] | None = None,
        transpositions: Literal["join", "write"] = "join",
        comments: str | Iterable[str] | None = None,
        glyphs: bool = False,
        title: str | None = None,
        front: Literal["board", "fen"] | None = None,
        # The end of the options.
    ) -> None:
        """Writes the tree to a file, as the command `pgn2fen tree -o` does, or to a file object that is open for writing.

        `format` is `pgn`, `html` (a page that unfolds), `dot` (Graphviz), `mermaid`, `anki` (cards to learn), or that of a table: `csv`, `tsv`,
        `jsonl`, `parquet`.
        If it is not given, the ending of a path chooses it, and a file object gets `pgn`. A further ending `.zst`, `.gz` or `.bz2`
        compresses the file. It appears when it is complete; an existing file is replaced.

        `title` is that of the game or the page. `side` is the side whose scores are told: that of `tree` if it is not given, and otherwise
        White. `transpositions` says what becomes of a line that comes to a position of another line: it ends with a remark that names where it
        goes on (`"join"`), or it goes on, so that moves are written again, at most 200,000 of them (`"write"`). `comments` are what comments
        contain: `"all"`, `"none"`, or some of `games`, `results`, `score`, `year`, `models` and `words`, the comments and glyphs of the files. For
        a tree with variations it is `words`, if it is not given, and otherwise all but `words`. `glyphs` adds `!`, `?!` and `?` by score.

            >>> tree.write("repertoire.pgn", comments=["games", "score"])
            >>> tree.write("tree.html.gz")

        Raises `ValueError` for a wrong option or a tree that is too large for one game or page, and `OSError` if the file cannot be written.
        """
        options = _style(dict(locals()))
        write = _inputs.writer(file)
        if write is None:
            path: Any = file
            self._tell(self._data.write(_inputs.named(path), format, options))
            return
        write(self._text(format or "pgn", options))

    def rows(
        self, *, side: Literal["w", "b"] | None = None, transpositions: Literal["join", "write"] = "join"
    ) -> Table:
        """Returns a row for each move, in the order of `walk`. The options are those of `write`.

            >>> tree.rows().to_polars()

        | column | type | |
        |---|---|---|
        | `path` | str | the moves from the start to this one: `1. e4 c5 2. Nf3` |
        | `ply` | int | the number of plies behind the root |
        | `san`, `uci` | str | the move |
        | `fen` | str | the position after the move |
        | `games`, `white`, `draws`, `black`, `unknown` | int | the games in which it was played, and their results |
        | `score` | float | the mean score of the side: 1 for a win, 0.5 for a draw; None if no result is known |
        | `last_year` | int | the year of the latest game; None if it is unknown |
        | `transposes_to` | str | the path on which the position stands, if it is another one |
        """
        data, messages = self._data.rows(dict(locals()))
        self._tell(messages)
        return Table(data, messages)

    def gaps(self, side: Literal["w", "b"] | None = None) -> Table:
        """Returns the gaps of a repertoire of one side, that of `tree` if it is not given: a row for each position in which it has several moves
        (`gap` is `choice`), and for each line that ends with a move of the opponent (`no_answer`). Other columns are `path`, `fen` and
        `moves`, those of the repertoire there.

            >>> pgn2fen.tree("white.pgn", variations=True).gaps("w").to_polars()
        """
        return Table(self._data.gaps(side), [])

    def _text(self, format: str, options: dict[str, Any]) -> bytes:
        text, messages = self._data.text(format, options)
        self._tell(messages)
        return text

    def _tell(self, messages: list[str]) -> None:
        _report.tell_lines(messages, self._way)


def _style(arguments: dict[str, Any]) -> dict[str, Any]:
    """Returns the options for writing a tree in the form in which it takes them."""
    comments = arguments["comments"]
    return arguments | {"comments": None if comments is None else joined(comments, "comments") or "none"}


def tree(
    paths: Paths | Index,
    position: PositionText | None = None,
    *,
    # Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
    variations: bool = False,
    player: str | None = None,
    side: Literal["w", "b"] | None = None,
    variant: Literal[
        "chess",
        "crazyhouse",
        "threeCheck",
        "kingOfTheHill",
        "antichess",
        "giveaway",
        "suicide",
        "atomic",
        "horde",
        "racingKings",
    ] = "chess",
    depth: int | None = None,
    min_games: int | None = None,
    order: Literal["games", "score", "file"] = "games",
    max: int | None = None,
    models: int = 1,
    tags: str | Iterable[str] = (),
    names: str | os.PathLike[str] | None = None,
    start: Literal["any", "standard", "nonstandard"] = "any",
    opening: str | Iterable[str] = (),
    reached: str | Iterable[str] = (),
    moves: str | Iterable[str] = (),
    ends: str | Iterable[str] = (),
    commented: bool = False,
    length: str | int | tuple[int | None, int | None] | None = None,
    max_games: int | None = None,
    lang: str = "en",
    setup: Literal["auto", "strict", "ignore"] = "auto",
    encoding: str = "auto",
    movetext: str | None = None,
    verbose: bool = False,
    recursive: bool = False,
    range: tuple[int, int | None] | None = None,
    mmap: bool = True,
    skip_unreadable: bool = False,
    threads: int = 0,
    max_messages: int = 10000,
    # The end of the options.
    messages: Messages = "warn",
    progress: ProgressOption = None,
) -> Tree:
    """Makes one tree of many games, as the command `pgn2fen tree` does: the lines that were played, with counts and results.

        >>> tree = pgn2fen.tree("games.pgn", "1. e4 c5", player="carlsen", side="w", min_games=5)
        >>> tree.write("carlsen.pgn")
        >>> pgn2fen.tree("games.idx", "najdorf").rows().to_polars()
        >>> pgn2fen.tree(["white.pgn", "black.pgn"], variations=True).to_pgn()

    `paths` are files, as in `scan`; or an `Index`, or the path of its folder, which is much faster. `position` is where the tree begins: a
    FEN, moves, a `Position`, or the name or the ECO code of an opening. A game counts from where it first reaches this position; one with an
    error is used up to the error. Transpositions are joined: a position is one node of the tree.

    | option | |
    |---|---|
    | `player` | only games of this player: a part of the name; with `side`, only those with this side |
    | `side` | the side whose scores are told when the tree is written, `"w"` or `"b"` |
    | `depth` | the number of plies behind the position: 30 if it is not given, 100 with `variations`, at most 256 |
    | `min_games` | only moves that were played in at least so many games: 3 if it is not given, and 1 with `variations` |
    | `max` | the most moves of a position: the first ones |
    | `order` | the most played moves first (`"games"`), those with the best score for the side to move (`"score"`), or as in the files (`"file"`) |
    | `variations` | whether moves of variations count, too, as in a repertoire; they have no result, and come after those of main lines |
    | `models` | the number of model games at the end of a line, at most 3: those with the best rated players |
    | `tags`, `names` | filters on tags, and a names file for players under several names, as in `scan` |

    The other options are those of `scan`. Those that choose or read the text of games are for files only; an index has no variations.

    Memory is needed for 16 bytes a ply and 20 bytes a game; the tree itself takes less than 200 bytes a move.

    Raises `ValueError` for a wrong option, with the message of the command; `FileNotFoundError` for a missing file; and `OSError` if a file
    or the index cannot be read.
    """
    options: dict[str, Any] = dict(locals())
    given = options.pop("paths")
    root = options.pop("position")
    _report.check_way(messages)
    _progress.check(progress)
    options = chosen(options) | {"on_error": "keep"}
    index = index_of(given, recursive)
    if index is not None:
        refuse_options_of_files(index, options, _usual)
        data, lines = grow_index_tree(index._index, index.path, root, options)
        _report.tell_lines(lines, messages)
        return Tree(data, lines, messages, None)
    files = _inputs.listed(given)
    _report.tell_ended()
    run = Run()
    with _report.Watch(run, messages, Progress(progress)) as watch:
        data, lines = grow_tree(files, root, options, run, watch)
    _report.tell_lines(lines, messages)
    return Tree(data, lines, messages, run.report)


def index_of(given: Any, recursive: bool) -> Index | None:
    """Returns the index that is given, or whose folder is given."""
    if isinstance(given, Index):
        return given
    if not isinstance(given, (str, os.PathLike)):
        return None
    path = _inputs.named(given)
    return Index(path) if os.path.isdir(path) and not recursive else None


def refuse_options_of_files(index: Index, options: dict[str, Any], usual: dict[str, Any]) -> None:
    """Raises `ValueError` if an option is not the usual one that an index does not have."""
    for name in _FILES_ONLY:
        if name in usual and options[name] != usual[name]:
            raise ValueError(f"{name} is for PGN files, and {index.path} is an index")


_FILES_ONLY = (
    "variations",
    "start",
    "opening",
    "reached",
    "moves",
    "ends",
    "commented",
    "length",
    "max_games",
    "movetext",
    "encoding",
    "setup",
    "recursive",
    "range",
)
"""The options that an index does not have."""

_usual = usual(tree)
