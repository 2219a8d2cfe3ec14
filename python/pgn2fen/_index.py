"""`Index`: the games that reached a position, and the moves that were played there. `index` builds one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pgn2fen import _inputs, _progress, _report
from pgn2fen._inputs import Paths
from pgn2fen._pgn2fen import GameTexts, IndexNumbers, OpenIndex, Position, Report, Run, TableData, build_index
from pgn2fen._progress import Progress, ProgressOption
from pgn2fen._source import chosen, joined, spelled, texts
from pgn2fen._table import Table

PositionText: TypeAlias = "str | Position"
"""A position: a FEN or EPD, moves such as `1. e4 c5`, `startpos`, or a `Position`."""

Messages: TypeAlias = Literal["warn", "log", "ignore"]

Variant: TypeAlias = Literal[
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
]
"""The rules of a question: those of chess, which include Chess960, or of a variant."""


class Index:
    """An open index. It answers which games reached a position, and which moves were played there.

    `index` builds one, and so does the command `pgn2fen index`.

        >>> index = pgn2fen.Index("games.idx")
        >>> index.explore("1. e4 c5")
        <pgn2fen.Table of 2 rows>
        san  uci   games  white  draws  black  unknown  avg_elo  first_date  last_date   eco  opening
        Nf3  g1f3    112     51     29     32        0     2431  1998.??.??  2020.03.07  B27  Sicilian Defense
        d4   d2d4      3      1      0      2        0        -  -           -           B20  Sicilian Defense

    A position is found whatever the order of the moves that led to it. Positions are the same if their pieces, side to move, castling
    rights and legal en passant captures are.

    `len(index)` is the number of games. Several threads can use an index at once; the global interpreter lock is released. It does not
    change while it is open, even if games are added to its folder. It can be pickled, and is opened again by its path.

    All methods that take a position also take a list of positions; their tables then begin with the column `fen`. `tags` are filters
    such as `"WhiteElo>=2600"` on the tags that the index keeps (`Index.tags`); all must hold. `"Speed=blitz"` is the speed that follows from
    TimeControl. `names` is a names file, as in `scan`, with which they find players under all their names.
    `material`, `pattern`, `pawns`, `colors`, `mirror` and `for_plies` are as in `scan`: only games count whose main line had this shape, which are
    read from their files. With a shape, all methods but `explore` also search all games of the index, if no position is given. `verify` replays
    the games and leaves out those that do not reach the position, because their file was changed. `variant` names the rules by which positions
    are read, and of the games that are searched: those of chess, Chess960 included, or of a variant. `lang` is the language of the piece letters
    in positions that are given as moves.

    Messages about files that cannot be used are in `Table.messages`, and are issued as a `GameWarning`, in the logger `pgn2fen`
    (`messages="log"`), or not at all (`"ignore"`).

    Raises `FileNotFoundError` if there is no such folder, and `OSError` if the index is damaged or cannot be read. The methods raise
    `ValueError` for a wrong position or filter, with the message of the command, and `OSError` for damage.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.path.abspath(_inputs.named(path))
        self._index = OpenIndex(self._path)

    def __getstate__(self) -> str:
        return self._path

    def __setstate__(self, path: str) -> None:
        self._path = path
        self._index = OpenIndex(path)

    def __len__(self) -> int:
        return self._index.games

    def __repr__(self) -> str:
        return f"<pgn2fen.Index {self._path!r}: {len(self):,} games, {self.positions:,} positions>"

    @property
    def path(self) -> str:
        """The absolute path of its folder."""
        return self._path

    @property
    def positions(self) -> int:
        """The number of positions. A position counts once for each time that a game reached it."""
        return self._index.positions

    @property
    def bytes(self) -> int:
        """The size of its tables in bytes."""
        return self._index.bytes

    @property
    def plies(self) -> str:
        """The plies of each game that are in the index, such as `..40`; `..` for all."""
        return self._index.plies

    @property
    def tags(self) -> list[str]:
        """The tags that it keeps of each game: those of every index, and those of `index(…, keep_tags=…)`."""
        return self._index.tags

    @property
    def runs(self) -> int:
        """The number of runs. Each addition makes one; `index(…, compact=True)` merges them."""
        return self._index.runs

    @property
    def files(self) -> Table:
        """The files that were indexed, with the columns of `pgn2fen index --info`.

        They are `file`, `games`, `first_game` (its number in the index), `bytes`, `state` (`unchanged`, `grown`, `changed`, `missing`,
        `unreadable` or `piped`), `lang`, `setup`, `encoding`, `choice` (the options that chose games) and `path`. The state is that of
        this moment.
        """
        return Table(self._index.files(), [])

    def explore(
        self,
        position: PositionText | Iterable[PositionText],
        *,
        tags: str | Iterable[str] = (),
        names: str | os.PathLike[str] | None = None,
        material: str | Iterable[str] = (),
        pattern: str | Iterable[str] = (),
        pawns: str | Iterable[str] = (),
        colors: Literal["either", "given"] = "either",
        mirror: bool = False,
        for_plies: int = 1,
        max: int | None = None,
        verify: bool = False,
        variant: Variant = "chess",
        lang: str = "en",
        messages: Messages = "warn",
    ) -> Table:
        """Returns the moves that were played in a position, the most frequent first; at most `max` of them.

        | column | type | |
        |---|---|---|
        | `san`, `uci` | str | the move; None for the games that ended in the position |
        | `games` | int | the number of games in which it was played; a game counts once for a move |
        | `white`, `draws`, `black`, `unknown` | int | their results |
        | `avg_elo` | int | the average rating of the players to move; None if none is known |
        | `first_date`, `last_date` | str | the dates of the earliest and the latest of the games, such as `1972.07.??` |
        | `eco`, `opening` | str | the opening with this move: the last named position on the way; None if there is none |
        | `score` | float | White's mean score: 1 for a win, 0.5 for a draw; None if no result is known |
        """
        return self._ask(self._index.explore, dict(locals()))

    def find(
        self,
        position: PositionText | Iterable[PositionText] | None = None,
        *,
        tags: str | Iterable[str] = (),
        names: str | os.PathLike[str] | None = None,
        material: str | Iterable[str] = (),
        pattern: str | Iterable[str] = (),
        pawns: str | Iterable[str] = (),
        colors: Literal["either", "given"] = "either",
        mirror: bool = False,
        for_plies: int = 1,
        max: int | None = None,
        sort: Literal["rating", "date"] | None = None,
        verify: bool = False,
        variant: Variant = "chess",
        lang: str = "en",
        messages: Messages = "warn",
    ) -> Table:
        """Returns the places where a position occurs, in the order of games and plies; at most `max` of them.

            >>> index.find("1. e4 c5 2. Nf3", tags="White~carlsen", max=10).to_polars()
            >>> index.find("1. e4 c5", sort="rating", max=10)
            >>> index.find(material="KRP:KR", for_plies=20)

        `sort` puts the games with the best mean of both ratings first (`"rating"`), or those of the latest date; games without it come last.
        Then all hits are held in memory, in about 50 bytes each.

        | column | type | |
        |---|---|---|
        | `file` | str | the path, as seen from the current folder |
        | `line` | int | the line of the file where the game begins, from 1 |
        | `game` | int | the number of the game in the index, from 1 |
        | `ply` | int | the number of moves of either side that led to the position; without a position, to the first one with the shape |
        | `White`, `Black`, `Result`, `Date` | str | tags, as they are written; None if missing |
        | `next_san`, `next_uci` | str | the move that was played there; None at the end of the game, and without a position |
        | `link` | str | the tag Site if it is a link, as in games of Lichess; otherwise None |
        """
        return self._ask(self._index.find, dict(locals()))

    def count(
        self,
        position: PositionText | Iterable[PositionText] | None = None,
        *,
        tags: str | Iterable[str] = (),
        names: str | os.PathLike[str] | None = None,
        material: str | Iterable[str] = (),
        pattern: str | Iterable[str] = (),
        pawns: str | Iterable[str] = (),
        colors: Literal["either", "given"] = "either",
        mirror: bool = False,
        for_plies: int = 1,
        verify: bool = False,
        variant: Variant = "chess",
        lang: str = "en",
        messages: Messages = "warn",
    ) -> Table:
        """Counts the games that reached a position. Returns a table with a row for each position.

            >>> index.count(["1. e4", "1. d4"]).to_list("games")
            [1012, 688]

        Its columns are `fen` (str, four fields; None without a position), `games`, `white`, `draws`, `black` and `unknown` (int).
        """
        return self._ask(self._index.count, dict(locals()))

    def games(
        self,
        position: PositionText | Iterable[PositionText] | None = None,
        *,
        tags: str | Iterable[str] = (),
        names: str | os.PathLike[str] | None = None,
        material: str | Iterable[str] = (),
        pattern: str | Iterable[str] = (),
        pawns: str | Iterable[str] = (),
        colors: Literal["either", "given"] = "either",
        mirror: bool = False,
        for_plies: int = 1,
        max: int | None = None,
        verify: bool = False,
        variant: Variant = "chess",
        lang: str = "en",
        messages: Messages = "warn",
    ) -> Iterator[str]:
        """Returns an iterator over the text of the games that reached a position, in the order of the index; each once.

        They are read from their files, some games ahead. `max` is the most games for each position. Games of files that changed since
        they were indexed are left out, with a message. Text that is not UTF-8 is decoded as the file was.

            >>> with open("london.pgn", "w") as file:
            ...     for game in index.games("1. d4 d5 2. Bf4", tags="White~carlsen"):
            ...         print(game, end="\\n\\n", file=file)
        """
        _report.check_way(messages)
        return _told(self._index.texts(_question(dict(locals()))), messages)

    def book(
        self,
        path: str | os.PathLike[str],
        format: Literal["polyglot", "epd"] | None = None,
        *,
        tags: str | Iterable[str] = (),
        names: str | os.PathLike[str] | None = None,
        player: str | None = None,
        plies: str | int | tuple[int | None, int | None] = "..",
        turn: Literal["w", "b"] | None = None,
        min_games: int = 3,
        weight: Literal["score", "games", "uniform"] | None = None,
        min_score: float | str | None = None,
        balance: str | float | tuple[float | None, float | None] | None = None,
        max: int | None = None,
        threads: int = 0,
        messages: Messages = "warn",
    ) -> BookSummary:
        """Writes an opening book, as the command `pgn2fen book` does: a Polyglot book (`.bin`) with the moves that were played in each
        position, for chess engines, or an opening suite (`.epd`) with positions, for matches.

            >>> index.book("book.bin", plies=(None, 29))
            <pgn2fen.BookSummary 241 moves in 196 positions>
            >>> index.book("suite.epd", plies=8, balance=(45, 55))

        The ending of `path` chooses the format, unless `format` names it. A further ending `.zst`, `.gz` or `.bz2` compresses the file. It
        appears when it is complete; an existing file is replaced.

        `tags`, `names`, `plies` and `turn` choose games and positions, and `player` is a part of the name of the player whose moves count. A move must
        have been played in at least `min_games` games; in a suite, a position must have been reached in so many.

        For a Polyglot book, `weight` is `"score"` (two for a win of the player of the move and one for a draw; this is the default), `"games"`
        or `"uniform"`, and `min_score` the least score of a move in per cent. For a suite, `balance` is the score of White in per cent,
        such as `(45, 55)`. `max` is the most moves of a position, or the most positions of a suite.

        Raises `ValueError` for a wrong option, and `OSError` if something cannot be read or written. Then there is no file.
        """
        _report.check_way(messages)
        options = {
            "tags": texts(tags, "tags"),
            "names": _inputs.named_or_none(names),
            "player": player,
            "plies": spelled(plies),
            "turn": turn,
            "min_games": min_games,
            "weight": weight,
            "min_score": None if min_score is None else str(min_score),
            "balance": None if balance is None else spelled(balance),
            "max": max,
            "threads": threads,
        }
        positions, moves, lines = self._index.book(_inputs.named(path), format, options)
        _report.tell_lines(lines, messages)
        return BookSummary(positions, moves, lines)

    def _ask(self, ask: Callable[[dict[str, Any]], tuple[TableData, list[str]]], arguments: dict[str, Any]) -> Table:
        _report.check_way(arguments["messages"])
        data, lines = ask(_question(arguments))
        _report.tell_lines(lines, arguments["messages"])
        return Table(data, lines)


def _question(arguments: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments of a method of an index in the form in which the index takes them."""
    position = arguments["position"]
    several = None if isinstance(position, (str, Position, type(None))) else list(position)
    one = None if position is None else [position]
    lists = {name: texts(arguments[name], name) for name in ("tags", "material", "pattern", "pawns")}
    usual = {"max": None, "sort": None}
    return (
        usual
        | arguments
        | lists
        | {
            "names": _inputs.named_or_none(arguments["names"]),
            "positions": one if several is None else several,
            "has_several": several is not None,
        }
    )


def _told(games: GameTexts, messages: Messages) -> Iterator[str]:
    """Iterates over texts of games, and tells the messages between them."""
    try:
        for text, message in games:
            if message is not None:
                _report.tell_lines([message], messages)
            if text is not None:
                yield text
    finally:
        games.close()


@dataclass(frozen=True)
class BookSummary:
    """The size of an opening book that was written."""

    positions: int
    """The number of positions that have a move in a Polyglot book, or of the positions of a suite."""
    moves: int | None
    """The number of moves of a Polyglot book. None for a suite."""
    messages: list[str]
    """Messages about moves that were left out, or about an empty book. Mostly empty."""

    def __str__(self) -> str:
        positions = _counted(self.positions, "position")
        return positions if self.moves is None else f"{_counted(self.moves, 'move')} in {positions}"

    def __repr__(self) -> str:
        return f"<pgn2fen.BookSummary {self}>"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


@dataclass(frozen=True)
class IndexSummary:
    """The result of building an index."""

    games: int
    """The number of games that were added."""
    positions: int
    """The number of their positions."""
    all_games: int
    """The number of games in the whole index."""
    all_positions: int
    """The number of positions in the whole index."""
    bytes: int
    """The size of the index in bytes."""
    runs: int
    """The number of runs that it has now."""
    skipped: list[str]
    """Files that were not read because their games are in the index already, or are given twice: a message for each."""
    report: Report
    """The errors and warnings of games."""
    text: str
    """The numbers in a line."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        skipped = f"; {len(self.skipped)} files skipped" if self.skipped else ""
        return f"<pgn2fen.IndexSummary {self.text}{skipped}>"


def index(
    paths: Paths | None,
    out: str | os.PathLike[str],
    *,
    append: bool = False,
    compact: bool = False,
    memory: str | int | None = None,
    plies: str | int | tuple[int | None, int | None] = "..",
    keep_tags: str | Iterable[str] = (),
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
    recursive: bool = False,
    mmap: bool = True,
    skip_unreadable: bool = False,
    threads: int = 0,
    messages: Messages = "warn",
    max_messages: int = 10_000,
    verbose: bool = False,
    progress: ProgressOption = None,
) -> IndexSummary:
    """Builds an index of all positions of the games in some files, or adds them to an index.

        >>> pgn2fen.index("games/*.pgn.zst", "games.idx", plies=(None, 40))
        <pgn2fen.IndexSummary 1,842 games, 71,004 positions; 812,334 bytes, 11.4 bytes a position>
        >>> pgn2fen.Index("games.idx").explore("1. e4 c5")

    The index is the folder `out` of Parquet files. It appears, and replaces an older index, when it is complete; if the run fails or is
    interrupted, the older index is unchanged.

    `append` adds the games to the index in `out`. Files that it already contains, and copies of them, are skipped; see
    `IndexSummary.skipped`. `compact` merges what was added at different times, which makes look-ups faster; `paths` may be None then.
    `memory` is used for sorting, such as `"256M"`, `"2G"` or a number of bytes (default 1 GiB); what does not fit goes to temporary files
    in `out`. `plies` are the positions that are indexed, such as `(None, 40)` for openings. `keep_tags` are further tags that the index keeps,
    such as `"WhiteFideId,Annotator"` or a list, so that its filters know them; an index to which games are added keeps its tags. All other options are those of `scan`.

    Raises `ValueError` for a wrong option, and if a file has changed since it was indexed; `FileNotFoundError` for a missing file; and
    `OSError` if a file cannot be read or the index cannot be written.
    """
    options: dict[str, Any] = {
        "append": append,
        "compact": compact,
        "memory": None if memory is None else str(memory),
        "plies": spelled(plies),
        "keep_tags": joined(keep_tags, "keep_tags") or None,
        "tags": tags,
        "names": names,
        "start": start,
        "opening": opening,
        "reached": reached,
        "moves": moves,
        "ends": ends,
        "commented": commented,
        "length": length,
        "max_games": max_games,
        "on_error": "keep",
        "lang": lang,
        "setup": setup,
        "encoding": encoding,
        "movetext": movetext,
        "recursive": recursive,
        "range": None,
        "mmap": mmap,
        "skip_unreadable": skip_unreadable,
        "threads": threads,
        "verbose": verbose,
        "max_messages": max_messages,
    }
    _report.check_way(messages)
    _progress.check(progress)
    if paths is None and not compact:
        raise ValueError("no files are given")
    files = [] if paths is None else _inputs.listed(paths)
    folder = _inputs.named(out)
    if not folder:
        raise ValueError("out is empty; give the path of a folder")
    _report.tell_ended()
    run = Run()
    with _report.Watch(run, messages, Progress(progress)) as watch:
        numbers = build_index(files, folder, chosen(options), run, watch)
    return summarized(numbers, run.report)


def summarized(numbers: IndexNumbers, report: Report) -> IndexSummary:
    """Returns the summary of a build."""
    return IndexSummary(
        games=numbers.games,
        positions=numbers.positions,
        all_games=numbers.all_games,
        all_positions=numbers.all_positions,
        bytes=numbers.bytes,
        runs=numbers.runs,
        skipped=numbers.skipped,
        report=report,
        text=str(numbers),
    )
