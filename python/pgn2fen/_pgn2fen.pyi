"""The extension module."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, SupportsIndex, final, overload

from pgn2fen._edited import EditedGame
from pgn2fen._inputs import File
from pgn2fen._ranges import FileRange

__version__: str

def run_command(arguments: Sequence[str]) -> int:
    """Runs the command `pgn2fen` and returns its exit status. The first argument is the name of the program."""

@final
class Position:
    """A chess position: standard, Chess960, or of a variant. It does not change: `play` returns another one.

        >>> position = pgn2fen.Position("1. e4 c5")
        >>> position.play("Nf3").fen()
        'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'

    Positions are equal if their rules and all fields of their FENs are. They can be hashed and pickled.
    """

    def __new__(cls, text: str | None = None, *, lang: str = "en", variant: str | None = None) -> Position:
        """Reads a position: a FEN or EPD (also X-FEN and Shredder-FEN), `startpos`, or moves such as `1. e4 c5 2. Nf3`.

        Without a text it is the initial position. `lang` is the language of the piece letters in moves. `variant` is the
        name of the game, as in the column `variant`, such as `crazyhouse` or `chess960`. Without it, the form of a FEN
        tells crazyhouse (`RNBQKBNR[QNp]`) and three-check (`3+3`), and every other text is chess. Raises `ValueError`
        with the place of what is wrong.
        """

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, str]]: ...
    @property
    def variant(self) -> str:
        """The name of the game, as in the column `variant`: `standard`, `chess960`, `crazyhouse`, `threeCheck`, …."""

    @property
    def hand(self) -> str:
        """The men in hand, as in the column `hand`: White's in capital letters, then Black's: `QNPp`. Empty if there are
        none.
        """

    @property
    def remaining_checks(self) -> tuple[int, int] | None:
        """The numbers of checks that White and Black still have to give to win, in three-check. None in other games."""

    @property
    def end(self) -> str | None:
        """The end of the game in words if this position is its end by the rules, such as `checkmate` or `white has given
        the last check`. None if the game goes on. Draws by repetition, by number of moves or by material are not told.
        """

    @property
    def result(self) -> Literal["1-0", "0-1", "1/2-1/2"] | None:
        """The result if this position ends the game: `1-0`, `0-1` or `1/2-1/2`. None if the game goes on."""

    def fen(
        self,
        *,
        ep: Literal["always", "xfen", "legal"] = "always",
        castling: Literal["xfen", "shredder"] = "xfen",
        fields: Literal[4, 6] = 6,
        fen_style: Literal["usual", "lichess"] = "usual",
    ) -> str:
        """Returns the FEN. The options are those of `scan`."""

    @property
    def key(self) -> int:
        """The Polyglot key as a signed 64-bit integer, as in the column `key`. `key % 2**64` is the unsigned number."""

    @property
    def opening(self) -> tuple[str, str] | None:
        """The ECO code and the name of the opening whose position this is, as in the columns `eco` and `opening`. None if
        it has no name.
        """

    @property
    def turn(self) -> Literal["w", "b"]:
        """The side to move."""

    @property
    def fullmove_number(self) -> int:
        """The number of the next move of White, from 1; that of Black has the same number."""

    @property
    def halfmove_clock(self) -> int:
        """The number of plies since the last capture or pawn move."""

    @property
    def pieces(self) -> int:
        """The number of pieces on the board, kings and pawns included."""

    def piece_at(self, square: str) -> str | None:
        """Returns the letter of the piece on a square such as `e4`: `P` or `p`, in upper case for White. None if the
        square is empty.

        Raises `ValueError` if there is no such square.
        """

    @property
    def is_check(self) -> bool:
        """Whether the side to move is in check."""

    @property
    def is_checkmate(self) -> bool:
        """Whether the side to move is in check and has no legal move."""

    @property
    def is_stalemate(self) -> bool:
        """Whether the side to move is not in check and has no legal move, and the game has not ended by the rules of a
        variant.
        """

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves in the notation of UCI engines, such as `e2e4`, `e7e8q` and `N@f3`.

        Castling is the move of the king, such as `e1g1`; in a game of Chess960 it is the king capturing its own rook.
        The position of a game knows which game it is from, and so does one that was played from another. Of any other
        position, its castling rights decide.
        """

    def play(self, *moves: str, lang: str = "en") -> Position:
        """Returns the position after these moves, which are written as SAN or in the notation of UCI engines.

        Raises `ValueError` if a move is not legal.
        """

    def san(self, move: str, *, lang: str = "en") -> str:
        """Returns a legal move as SAN, such as `Nf3+`. Raises `ValueError` if it is not legal."""

    def uci(self, move: str, *, lang: str = "en") -> str:
        """Returns a legal move in the notation of UCI engines, as `legal_moves` has it. Raises `ValueError` if it is not
        legal.
        """

    def is_same(self, other: Position) -> bool:
        """Whether the positions are the same by the rule of repetition: the move counters are not compared."""

    def _repr_svg_(self) -> str:
        """Returns the board as SVG, which a notebook shows."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Message:
    """An error or a warning about a place in a file. `str(message)` is the line of the command, with Python's options."""

    def __new__(
        cls,
        kind: str,
        is_error: bool,
        file: str,
        line: int,
        column: int,
        game: int | None,
        ply: int | None,
        subject: str,
        reason: str,
        text: str,
    ) -> Message: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def kind(self) -> str:
        """The kind, such as `illegal-move`. The guide lists all kinds."""

    @property
    def is_error(self) -> bool:
        """Whether positions of the game are missing because of it. Otherwise it is a warning."""

    @property
    def file(self) -> str:
        """The path of the file."""

    @property
    def line(self) -> int:
        """The line, from 1."""

    @property
    def column(self) -> int:
        """The column in bytes, from 1."""

    @property
    def game(self) -> int | None:
        """The number of the game in its file, from 1. None between games."""

    @property
    def ply(self) -> int | None:
        """The number of the ply, from 1. None if the message is not about a move."""

    @property
    def subject(self) -> str:
        """The text that it is about, such as a move as it is written. May be empty."""

    @property
    def reason(self) -> str:
        """The fault, described in a phrase."""

    @property
    def text(self) -> str:
        """The message in words, without the place and the kind."""

@final
class ReportLine:
    """A line of a report: an error, warnings of a kind summed up, or a hint about the whole run."""

    def __new__(cls, is_error: bool, text: str) -> ReportLine: ...
    @property
    def is_error(self) -> bool: ...
    @property
    def text(self) -> str: ...

@final
class Report:
    """The report of a run: what was read, and what was wrong with it."""

    def __new__(
        cls,
        counts: list[int],
        messages: list[Message],
        lines: list[ReportLine],
        is_complete: bool,
        is_stopped: bool,
        summary: str,
    ) -> Report: ...
    @property
    def games(self) -> int:
        """The number of games that were read."""

    @property
    def chosen(self) -> int:
        """The number of games that passed the filters."""

    @property
    def positions(self) -> int:
        """The number of rows."""

    @property
    def errors(self) -> int:
        """The number of errors of games."""

    @property
    def warnings(self) -> int:
        """The number of warnings of games."""

    @property
    def messages(self) -> list[Message]:
        """The errors and warnings one by one, in the order of the files, up to `max_messages` of them."""

    @property
    def lines(self) -> list[ReportLine]:
        """The lines that the command would print: each error, and the warnings of a file summed up. At most 1000."""

    @property
    def hidden(self) -> int:
        """The number of messages and lines that are not in the lists, because there were too many."""

    @property
    def is_complete(self) -> bool:
        """Whether the run came to its end. False if it goes on, failed, or was broken off."""

    @property
    def is_stopped(self) -> bool:
        """Whether an error in a game ended the run, by `on_error="stop"` or `"raise"`."""

    @property
    def summary(self) -> str:
        """The counts in a line: `4 games, 11 positions, 2 errors, 1 warning`."""

@final
class Run:
    """One run through files."""

    def __new__(cls) -> Run: ...
    def cancel(self) -> None: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def report(self) -> Report: ...

@final
class Batch:
    """A record batch: some consecutive rows. It has the methods of the Arrow PyCapsule interface; `len` is the number of
    rows.
    """

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""

    def __len__(self) -> int: ...
    def to_list(self, column: int) -> list[Any]:
        """Returns the values of a column, which is given by its number from 0."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...

@final
class Batches:
    """An iterator over the record batches of a run."""

    def __iter__(self) -> Batches: ...
    def __next__(self) -> Batch: ...
    def close(self) -> None: ...
    def stream(self) -> object: ...

@final
class GamesPlan:
    """The description of a stream of games."""

    def __new__(cls, files: list[File], options: dict[str, Any]) -> GamesPlan: ...
    def open(self, run: Run, watch: Any) -> GameIterator: ...
    def write(self, path: str, options: dict[str, Any], run: Run, watch: Any) -> None: ...

@final
class GameIterator:
    """An iterator over games."""

    def __iter__(self) -> GameIterator: ...
    def __next__(self) -> Game: ...
    def close(self) -> None: ...

@final
class Game:
    """A game. `game["White"]` and `game.get("White")` give the value of a tag."""

    @property
    def tags(self) -> dict[str, str]:
        """The tags in the order of the file. If a tag is there twice, the last value counts."""

    def __getitem__(self, name: str, /) -> str:
        """Returns the value of a tag. Raises `KeyError` if there is no such tag."""

    @overload
    def get(self, name: str, default: None = None) -> str | None: ...
    @overload
    def get(self, name: str, default: str) -> str: ...
    def __contains__(self, name: str, /) -> bool: ...
    @property
    def moves(self) -> Line:
        """The main line, up to the first error in it. It is played when it is first asked for."""

    @property
    def result(self) -> Literal["1-0", "0-1", "1/2-1/2", "*"]:
        """The result: that of the Result tag, or of the end of the moves if the tag is missing or `*`."""

    @property
    def errors(self) -> list[Message]:
        """The errors in the starting position and the moves, those in variations included."""

    @property
    def file(self) -> str:
        """The path of the file."""

    @property
    def number(self) -> int:
        """The number of the game in its file, from 1. Games that filters leave out count."""

    @property
    def line(self) -> int:
        """The line of the file on which the game begins, from 1."""

    @property
    def offset(self) -> int:
        """The byte at which the game begins, from 0, in the file or its decoded text."""

    @property
    def text(self) -> str:
        """The game as PGN, as it is written in the file."""

    @property
    def _preface(self) -> list[str]:
        """The comments before and between the tags, for `Game.edit`."""

    def edit(self) -> EditedGame:
        """Returns the game as one that can be changed and written as PGN."""

@final
class Line:
    """A sequence of moves: the main line of a game, or a variation."""

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> Move: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[Move]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Move]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def start(self) -> Position | None:
        """The position before the first move. None if the game has no usable starting position; then there are no moves."""

    @property
    def end(self) -> Position | None:
        """The position after the last move. None if the game has no usable starting position."""

    @property
    def _order(self) -> str:
        """The order of the notes before the first move, and the text behind an error, for `Game.edit`."""

    @property
    def _is_chess960(self) -> bool:
        """Whether castling follows the rules of Chess960, for `Game.edit`."""

    @property
    def _unread(self) -> list[str]: ...
    @property
    def positions(self) -> list[Position]:
        """The position before the first move, and that after each move."""

    @property
    def ends(
        self,
    ) -> list[
        Literal["mate", "stalemate", "insufficient", "threefold", "fivefold", "fifty-moves", "seventy-five-moves"]
    ]:
        """The rules by which the last position ends the game on the board, such as mate or a repetition.

        A repetition and the fifty moves end it by a claim.

        Variants end by their own rules: see `Position.end`."""

    @property
    def fens(self) -> list[str]:
        """The FENs of the positions."""

    @property
    def sans(self) -> list[str]:
        """The moves as SAN."""

    @property
    def ucis(self) -> list[str]:
        """The moves in the notation of UCI engines."""

    @property
    def comments(self) -> list[str]:
        """The comments before the first move."""

    @property
    def words(self) -> str:
        """The words of people in the comments before the first move: see `Move.words`."""

    @property
    def shapes(self) -> list[tuple[str, str, Literal["green", "red", "yellow", "blue"]]]:
        """The arrows and circles in the comments before the first move: see `Move.shapes`."""

    @property
    def nags(self) -> list[int]:
        """The glyphs before the first move: numbers from 0 to 255 (PGN standard §10)."""

    @property
    def eval(self) -> int | None:
        """The evaluation of the position before the first move: see `Move.eval`."""

    @property
    def depth(self) -> int | None:
        """The depth of the search that gave the evaluation: see `Move.depth`."""

    @property
    def time(self) -> float | None:
        """The time of the search that gave the evaluation: see `Move.time`."""

    @property
    def nodes(self) -> int | None:
        """The nodes of the search that gave the evaluation: see `Move.nodes`."""

    @property
    def clk(self) -> float | None:
        """The clock in the comments before the first move: see `Move.clk`."""

    @property
    def variations(self) -> list[Line]:
        """The variations before the first move."""

@final
class Move:
    """A move of a game. `str(move)` is its SAN."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def san(self) -> str:
        """The move as SAN, such as `Nf3+`, however it is written in the file."""

    @property
    def uci(self) -> str:
        """The move in the notation of UCI engines, such as `g1f3`."""

    @property
    def text(self) -> str:
        """The move as it is written in the file."""

    @property
    def ply(self) -> int:
        """The number of the ply in the game, from 1."""

    @property
    def number(self) -> int:
        """The number of the move, as in `12. Nf3` and `12... Nf6`."""

    @property
    def turn(self) -> Literal["w", "b"]:
        """The side that plays the move."""

    @property
    def before(self) -> Position:
        """The position before the move."""

    @property
    def after(self) -> Position:
        """The position after the move."""

    @property
    def fen(self) -> str:
        """The FEN of the position after the move."""

    @property
    def comment(self) -> str:
        """The comments behind the move as one text."""

    @property
    def comments(self) -> list[str]:
        """The comments behind the move, as they are written, commands such as `[%clk 0:01:00]` included."""

    @property
    def words(self) -> str:
        """The words of people in the comments behind the move, without commands such as `[%clk 0:01:00]` and the reports
        of engines.
        """

    @property
    def shapes(self) -> list[tuple[str, str, Literal["green", "red", "yellow", "blue"]]]:
        """The arrows and circles in the comments behind the move, `[%cal Ge2e4]` and `[%csl Rd5]`: the square where an
        arrow begins, that of its head (the same for a circle), and `green`, `red`, `yellow` or `blue`.
        """

    @property
    def nags(self) -> list[int]:
        """The glyphs behind the move: numbers from 0 to 255 (PGN standard §10). `! ? !! ?? !? ?!` are 1 to 6."""

    @property
    def eval(self) -> int | None:
        """The evaluation of the position after the move, in centipawns from White's side. Mate in n moves is 32000 − n or
        −(32000 − n).

        It is read from the comments of the kind that `games(evals=…)` names. Those of engine matches are behind the
        next move.
        """

    @property
    def depth(self) -> int | None:
        """The depth of the search that gave the evaluation, in plies."""

    @property
    def time(self) -> float | None:
        """The time of the search that gave the evaluation, in seconds."""

    @property
    def nodes(self) -> int | None:
        """The number of nodes of the search that gave the evaluation."""

    @property
    def clk(self) -> float | None:
        """The clock in the comments: the time that is left to the side that played the move, in seconds."""

    @property
    def _order(self) -> str:
        """The order of the notes behind the move, for `Game.edit`."""

    @property
    def variations(self) -> list[Line]:
        """The variations that replace the move."""

@final
class Pieces:
    """The pieces of a file object, on their way from the thread that reads them to the thread of a run."""

    def add(self, piece: bytes) -> bool: ...
    def fail(self, error: BaseException) -> None: ...

@final
class FileObject:
    """A file object, with the place from which it is read."""

    def __new__(cls, file: Any) -> FileObject: ...

def write_game(texts: Sequence[str]) -> str:
    """Writes a game that is given as texts: see `pgn2fen_games::export::write_given`. Raises `ValueError` if a move, the start, a tag or an option is wrong."""

def annotate_comments(texts: Sequence[str]) -> list[str]:
    """Returns changed comments: see `pgn2fen_games::export::annotate_given`. Raises `ValueError` if a shape is wrong."""

def find_files(path: str, recursive: bool) -> list[tuple[str, OSError | None]]:
    """Returns the path of a file, or with `recursive` the paths of the PGN files in a folder. Each comes with the `OSError` if the search
    found that it cannot be read."""

def name_of(path: str) -> str:
    """Returns the name of a file in rows and messages: its path, or its address without what may be secret."""

def plan_file(path: str, size: int, encoding: str, movetext: str | None, mmap: bool) -> list[tuple[int, int, bool]]:
    """Divides a file into ranges of about `size` bytes."""

def count_range(range: FileRange, options: dict[str, Any]) -> tuple[int, int, int, int, int]:
    """Counts the games, the chosen games, the line breaks, the bytes of text, and the bytes behind the last line break of a range."""

@final
class Plan:
    """The description of rows of positions."""

    def __new__(cls, files: list[File], options: dict[str, Any]) -> Plan: ...
    @property
    def columns(self) -> list[str]: ...
    def schema(self) -> object: ...
    def empty_stream(self) -> object: ...
    def open(self, run: Run, watch: Any, has_pauses: bool) -> Batches: ...
    def write(
        self,
        path: str,
        format: str | None,
        header: bool,
        boards: dict[str, Any],
        records: dict[str, Any],
        run: Run,
        watch: Any,
    ) -> None: ...

@final
class StartsPlan:
    """The description of starting positions."""

    def __new__(cls, files: list[Any], options: dict[str, Any]) -> StartsPlan: ...
    @property
    def columns(self) -> list[str]: ...
    def schema(self) -> object: ...
    def empty_stream(self) -> object: ...
    def open(self, run: Run, watch: Any, has_pauses: bool) -> Batches: ...
    def write(
        self,
        path: str,
        format: str | None,
        header: bool,
        boards: dict[str, Any],
        invert: bool,
        run: Run,
        watch: Any,
    ) -> None: ...

@final
class TableData:
    """Rows in memory. `len` is the number of rows."""

    def __new__(cls, columns: list[tuple[str, str]], rows: list[tuple[str | int | float | None, ...]]) -> TableData: ...
    @property
    def types(self) -> list[tuple[str, str]]: ...
    def __len__(self) -> int: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def batches(self) -> list[Batch]: ...
    def schema(self) -> object: ...
    def open(self) -> object: ...

@final
class OpenIndex:
    """An open index. The methods take a question and return rows, and messages about them."""

    def __new__(cls, folder: str) -> OpenIndex: ...
    @property
    def games(self) -> int: ...
    @property
    def positions(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def plies(self) -> str: ...
    @property
    def tags(self) -> list[str]: ...
    @property
    def runs(self) -> int: ...
    def files(self) -> TableData: ...
    def explore(self, question: dict[str, Any]) -> tuple[TableData, list[str]]: ...
    def find(self, question: dict[str, Any]) -> tuple[TableData, list[str]]: ...
    def count(self, question: dict[str, Any]) -> tuple[TableData, list[str]]: ...
    def book(self, path: str, format: str | None, options: dict[str, Any]) -> tuple[int, int | None, list[str]]: ...
    def texts(self, question: dict[str, Any]) -> GameTexts: ...

@final
class GameTexts:
    """An iterator over the text of games, or messages about them."""

    def __iter__(self) -> GameTexts: ...
    def __next__(self) -> tuple[str | None, str | None]: ...
    def close(self) -> None: ...

@final
class IndexNumbers:
    """The numbers of a build. `str` is the line that the command prints."""

    @property
    def games(self) -> int: ...
    @property
    def positions(self) -> int: ...
    @property
    def all_games(self) -> int: ...
    @property
    def all_positions(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def runs(self) -> int: ...
    @property
    def skipped(self) -> list[str]: ...
    @property
    def text(self) -> str: ...

def build_index(files: list[Any], folder: str, options: dict[str, Any], run: Run, watch: Any) -> IndexNumbers:
    """Builds an index, adds games to it, or merges its runs."""

def draw_svg(position: Position | str, options: dict[str, Any]) -> str:
    """Returns the SVG document of a position."""

def draw_png(position: Position | str, options: dict[str, Any]) -> bytes:
    """Returns the PNG picture of a position."""

def draw_text(position: Position | str, options: dict[str, Any]) -> str:
    """Returns the board of a position as text."""

def sum_reports(reports: list[Report], max_messages: int) -> Report:
    """Adds up the reports of the parts of a job, in the order of the parts. Hints are kept if every part has them. At most `max_messages`
    messages are kept, and the others are counted.
    """

@final
class Assembly:
    """The coordinator of an index whose runs are built by several processes. It holds the lock of the folder until it is finished or closed."""

    def __new__(cls, files: list[Any], folder: str, options: dict[str, Any]) -> Assembly: ...
    @property
    def files(self) -> list[Path]: ...
    @property
    def skipped(self) -> list[str]: ...
    @property
    def build_folder(self) -> Path: ...
    @property
    def first_game(self) -> int: ...
    def finish(self, runs: list[str], digests: list[str], compact: bool, threads: int) -> IndexNumbers:
        """Makes the runs part of the index, and merges all runs if `compact` is set."""

    def close(self) -> None:
        """Ends the build, and removes its runs if it is not finished."""

def build_run(
    build_folder: str,
    first_game: int,
    pieces: list[tuple[int, int, int, Any]],
    options: dict[str, Any],
    run: Run,
    watch: Any,
) -> str:
    """Builds a run from ranges of files, and returns it as text. Each piece is the number of a file, the start and the end of a range of its
    bytes, and the same range as it is given to a scan.
    """

def digest(path: str) -> str:
    """Returns a hash of all bytes of a file as text, by which an index recognises the file wherever it is moved."""

def end_process() -> None:
    """Stops all calls of Python by threads of runs. Is called before the interpreter ends."""

def begin_child() -> None:
    """Leaves the runs of the parent alone. Is called in each forked process."""

@final
class RepertoireData:
    """A repertoire, and the files from which it was read."""

def read_repertoire(files: list[File], options: dict[str, Any], run: Run, watch: Any) -> RepertoireData: ...
def compare_games(
    files: list[File], repertoire: RepertoireData, options: dict[str, Any], run: Run, watch: Any
) -> ComparisonData: ...
def compare_games_of_index(
    index: OpenIndex, folder: str, repertoire: RepertoireData, options: dict[str, Any]
) -> tuple[ComparisonData, list[str]]: ...

@final
class ComparisonData:
    """A comparison, and what its outputs need besides it."""

    @property
    def side(self) -> Literal["w", "b"]: ...
    @property
    def counts(self) -> list[tuple[str, int]]: ...
    @property
    def lines(self) -> tuple[int, int]: ...
    def rows(self, table: str) -> TableData: ...
    def text(self, format: str, table: str | None, title: str | None) -> bytes: ...
    def write(self, path: str, format: str | None, table: str | None, title: str | None) -> None: ...

def option_forms() -> dict[str, str]: ...
def count_results(files: list[File], player: str, options: dict[str, Any], run: Run, watch: Any) -> TableData: ...
def find_in_tournaments(
    files: list[File], variations: bool, options: dict[str, Any], run: Run, watch: Any
) -> TableData: ...
def grow_tree(
    files: list[File], position: Any, options: dict[str, Any], run: Run, watch: Any
) -> tuple[TreeData, list[str]]: ...
def grow_index_tree(
    index: OpenIndex, folder: str, position: Any, options: dict[str, Any]
) -> tuple[TreeData, list[str]]: ...

@final
class TreeData:
    """A tree, and what its outputs need besides it."""

    @property
    def root(self) -> TreeNode: ...
    def node(self, position: Any, lang: str) -> TreeNode | None: ...
    @property
    def positions(self) -> int: ...
    @property
    def moves(self) -> int: ...
    def text(self, format: str, options: dict[str, Any]) -> tuple[bytes, list[str]]: ...
    def write(self, path: str, format: str | None, options: dict[str, Any]) -> list[str]: ...
    def gaps(self, side: str | None) -> TableData: ...
    def rows(self, options: dict[str, Any]) -> tuple[TableData, list[str]]: ...

@final
class TreeNode:
    """A position of a tree, whatever moves led to it.

    Nodes are equal if they are the same node of the same tree. They can be hashed.
    """

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def moves(self) -> list[TreeMove]:
        """The moves that the tree has of the position: the most played first, or those with the best score."""

    @property
    def results(self) -> Results:
        """The results of the games that reached the position. Each game counts once."""

    @property
    def last_year(self) -> int | None:
        """The year of the latest of these games. None if no year is known."""

    @property
    def ply(self) -> int:
        """The number of plies behind the root, on the shortest line."""

    @property
    def line(self) -> list[TreeMove]:
        """The moves from the root to the position: the line on which it hangs."""

    @property
    def path(self) -> str:
        """The moves of this line as text, those before the root included: `1. e4 c5 2. Nf3`."""

    @property
    def parent(self) -> TreeMove | None:
        """The last move of this line. None for the root."""

    @property
    def models(self) -> list[ModelGame]:
        """The model games, at the end of a line. Other positions have none."""

    @property
    def position(self) -> Position:
        """The position, with the move counters of this line."""

    @property
    def fen(self) -> str:
        """The FEN of the position."""

@final
class TreeMove:
    """A move that was played in a position of a tree. `str(move)` is its SAN.

    Moves are equal if they are the same move of the same tree. They can be hashed.
    """

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def san(self) -> str:
        """The move as SAN, such as `Nf3+`."""

    @property
    def uci(self) -> str:
        """The move in the notation of UCI engines, such as `g1f3`."""

    @property
    def results(self) -> Results:
        """The results of the games in which the move was played. Each game counts once."""

    @property
    def last_year(self) -> int | None:
        """The year of the latest of these games. None if no year is known."""

    @property
    def source(self) -> TreeNode:
        """The position before the move."""

    @property
    def target(self) -> TreeNode:
        """The position after the move."""

    @property
    def transposes(self) -> bool:
        """Whether the position after the move hangs on another move, to which this one transposes. A walk that goes on
        only behind other moves visits each position once.
        """

@final
class Results:
    """The number of games by result."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def games(self) -> int:
        """All games."""

    @property
    def white(self) -> int:
        """Games won by White."""

    @property
    def draws(self) -> int:
        """Drawn games."""

    @property
    def black(self) -> int:
        """Games won by Black."""

    @property
    def unknown(self) -> int:
        """Games without a known result."""

    @property
    def score(self) -> float | None:
        """White's mean score: 1 for a win, 0.5 for a draw. None if no result is known."""

@final
class ModelGame:
    """A model game at the end of a line: one of the games with the best rated players."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def white(self) -> str:
        """The tag White."""

    @property
    def black(self) -> str:
        """The tag Black."""

    @property
    def event(self) -> str:
        """The tag Event. In a tree of an index, it is empty if a player is known."""

    @property
    def year(self) -> int | None:
        """The year. None if it is unknown."""

    @property
    def result(self) -> Literal["1-0", "0-1", "1/2-1/2", "*"]:
        """The result: `1-0`, `0-1`, `1/2-1/2` or `*`."""
