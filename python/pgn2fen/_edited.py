"""Games that are made or changed, and written as PGN."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from pgn2fen._pgn2fen import Game, Line, annotate_comments, write_game
from pgn2fen._source import tag_value

Shape = tuple[str, str, Literal["green", "red", "yellow", "blue"]]


@dataclass
class _Notes:
    """What is written at a place of a game: behind a move, or before the first one."""

    comments: list[str] = field(default_factory=list, kw_only=True)
    nags: list[int] = field(default_factory=list, kw_only=True)
    variations: list[EditedLine] = field(default_factory=list, kw_only=True)
    # The order of the notes in the text, if it is not the usual one: `n` a glyph, `c` a comment, `v` a variation.
    _order: str = field(default="", kw_only=True, repr=False)

    def annotate(
        self, *, words: str | None = None, shapes: Iterable[Shape] | None = None, nags: Iterable[int] | None = None
    ) -> None:
        """Changes the words of people, the arrows and circles, or the glyphs. The other parts of the comments stay.

        Raises `ValueError` if a shape is wrong.
        """
        texts = [f"c{_text('a comment', comment)}" for comment in self.comments]
        if words is not None:
            texts.append(f"w{words}")
        if shapes is not None:
            texts.append("d")
            texts += [f"s{start} {end} {color}" for start, end, color in shapes]
        self.comments = annotate_comments(texts)
        if nags is not None:
            self.nags = list(nags)
        self._order = ""

    def _note_events(self) -> Iterator[str | EditedLine]:
        """The texts of the notes, and the variations."""
        if isinstance(self.comments, str):
            raise TypeError(f"comments is a list of texts, and not {self.comments!r}")
        notes: dict[str, list[Any]] = {"n": self.nags, "c": self.comments, "v": self.variations}
        taken = dict.fromkeys(notes, 0)
        usual = "n" * len(self.nags) + "c" * len(self.comments) + "v" * len(self.variations)
        for kind in self._order + usual:
            at = taken[kind]
            if at == len(notes[kind]):
                continue
            taken[kind] += 1
            note = notes[kind][at]
            if kind == "v":
                if not isinstance(note, EditedLine):
                    raise TypeError(f'a variation is an EditedLine, such as EditedLine.of("e4 e5"), and not {note!r}')
                yield note
            elif kind == "c":
                yield f"c{_text('a comment', note)}"
            else:
                yield f"${note}"


@dataclass
class EditedMove(_Notes):
    """A move: in SAN or in the notation of UCI engines. It is checked when the game is written."""

    san: str


@dataclass
class EditedLine(_Notes):
    """A sequence of moves: the main line of a game, or a variation, which replaces the move in whose list it is."""

    moves: list[EditedMove] = field(default_factory=list)
    _unread: list[str] = field(default_factory=list, kw_only=True, repr=False)

    @classmethod
    def of(cls, moves: str | Iterable[str]) -> EditedLine:
        """Returns a line of moves, such as `EditedLine.of("e4 e5 Nf3")`."""
        return cls([EditedMove(san) for san in (moves.split() if isinstance(moves, str) else moves)])

    def promote(self, at: int, number: int = 0) -> None:
        """Makes a variation of a move the continuation of this line. What followed becomes the first variation.

        Raises `IndexError` if there is no such move, or no such variation with moves.
        """
        replaced = self.moves[at]
        variation = replaced.variations[number]
        first = variation.moves[0]
        others = [other for other in replaced.variations if other is not variation]
        at %= len(self.moves)
        old = EditedLine(self.moves[at:], _unread=self._unread)
        replaced.variations = []
        first.comments = variation.comments + first.comments
        first.nags = variation.nags + first.nags
        first.variations = [old, *others, *variation.variations, *first.variations]
        replaced._order = first._order = ""
        self.moves[at:] = variation.moves
        self._unread = variation._unread

    def _events(self) -> Iterator[str | EditedLine]:
        yield from self._note_events()
        for move in self.moves:
            if not isinstance(move, EditedMove):
                raise TypeError(f'a move is an EditedMove, such as EditedMove("e4"), and not {move!r}')
            yield f"m{_text('a move', move.san)}"
            yield from move._note_events()
        for text in self._unread:
            yield f"u{text}"

    def _texts(self) -> Iterator[str]:
        # Variations may be nested more deeply than Python's functions.
        open_lines = [self._events()]
        while open_lines:
            event = next(open_lines[-1], None)
            if event is None:
                open_lines.pop()
                if open_lines:
                    yield ")"
            elif isinstance(event, EditedLine):
                yield "("
                open_lines.append(event._events())
            else:
                yield event


@dataclass
class EditedGame:
    """A game that can be changed and written as PGN. `Game.edit` makes one of a game that was read.

    >>> game = next(iter(pgn2fen.games("games.pgn"))).edit()
    >>> game.tags["Annotator"] = "Me"
    >>> game.line.moves[4].annotate(words="The point.", shapes=[("c4", "f7", "red")], nags=[1])
    >>> game.line.moves[2].variations.append(pgn2fen.EditedLine.of("f4 exf4 Nf3"))
    >>> text = game.to_pgn()

    `start` is a FEN, or `startpos`. Without it, the game starts from the position of the tag FEN, or from the initial position of the game that
    `variant` names. Without `variant`, the tag Variant names it. The tags Result, FEN, SetUp and Variant are written by `result`, `start` and
    `variant`, whatever `tags` has.
    """

    tags: dict[str, str] = field(default_factory=dict)
    line: EditedLine = field(default_factory=EditedLine)
    result: str = "*"
    # The FEN of the position before the first move, or `startpos`.
    start: str | None = None
    # The name of the game, as in the column `variant`, such as `atomic`. Without it, the tag Variant tells it.
    variant: str | None = None
    # The comments before and between the tags.
    preface: list[str] = field(default_factory=list)

    def to_pgn(
        self,
        *,
        comments: Literal["all", "words", "commands", "none"] = "all",
        variations: bool = True,
        nags: bool = True,
        keep_tags: str | Iterable[str] = "all",
        width: int = 79,
    ) -> str:
        """Returns the game in the export format of the PGN standard, as `games(…).write(san=True)` writes it.

        Raises `ValueError` if a move is not legal; the message has its ply. Raises `TypeError` for a variation that is not an `EditedLine`, and for
        values of other types.
        """
        for name, value in {"variations": variations, "nags": nags}.items():
            if not isinstance(value, bool):
                raise TypeError(f"{name} is {value!r}, but must be True or False")
        kept = keep_tags if isinstance(keep_tags, str) else ",".join(keep_tags)
        options: dict[str, object] = {"comments": comments, "keep_tags": kept, "width": width}
        options |= {"variations": str(variations).lower(), "nags": str(nags).lower()}
        texts = [text for name, value in options.items() for text in (f"n{name}", f"o{value}")]
        texts += [text for name, value in self.tags.items() for text in (f"n{name}", f"t{tag_value(name, value)}")]
        if self.start is not None:
            texts.append(f"f{self.start}")
        if self.variant is not None:
            texts.append(f"g{self.variant}")
        texts.append(f"r{self.result}")
        texts += [f"p{_text('a comment', comment)}" for comment in self.preface]
        texts += self.line._texts()
        return write_game(texts)

    def __str__(self) -> str:
        return self.to_pgn()


def edited(game: Game) -> EditedGame:
    """Returns a game that was read as one that can be changed."""
    start = game.moves.start
    # The tag Variant tells a variant that starts as Chess960 does.
    is_mixed = start is not None and game.moves._is_chess960 and start.variant != "chess960"
    return EditedGame(
        tags=game.tags,
        line=_line(game.moves),
        result=game.result,
        start=None if start is None else start.fen(castling="shredder"),
        variant=None if start is None or is_mixed else start.variant,
        preface=game._preface,
    )


def _text(what: str, value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(f"{what} is a text, and not {value!r}")


def _line(line: Line) -> EditedLine:
    # Variations may be nested more deeply than Python's functions.
    lines: list[tuple[Line, EditedLine]] = []

    def begun(read: Line) -> EditedLine:
        made = EditedLine(comments=read.comments, nags=read.nags, _order=read._order, _unread=read._unread)
        lines.append((read, made))
        return made

    whole = begun(line)
    while lines:
        read, made = lines.pop()
        made.variations = [begun(variation) for variation in read.variations]
        for move in read:
            variations = [begun(variation) for variation in move.variations]
            notes = EditedMove(
                move.san, comments=move.comments, nags=move.nags, variations=variations, _order=move._order
            )
            made.moves.append(notes)
    return whole
