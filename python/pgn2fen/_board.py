"""`board_svg`, `board_png` and `board_text`: pictures of positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pgn2fen._pgn2fen import Position, draw_png, draw_svg, draw_text


def board_svg(
    position: Position | str,
    *,
    orientation: Literal["white", "black", "turn"] = "white",
    last_move: str | bool = True,
    check: bool = True,
    arrows: str | Iterable[str] = (),
    fill: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    marks: str | Iterable[str] = (),
    size: int | None = None,
    coordinates: bool = True,
    colors: str = "brown",
    lang: str = "en",
    variant: str | None = None,
) -> str:
    """Draws the board of a position as an SVG document.

    `position` is a `Position`, or a text that `Position` reads: a FEN, an EPD, `startpos`, or moves. The FEN may be one from which no game can
    be played, such as a board without kings.

        >>> pgn2fen.board_svg("1. e4 c5 2. Nf3", arrows=["b8c6:red", "e4"], size=400)

    | option | |
    |---|---|
    | `orientation` | the side at the bottom; `turn` is the side to move |
    | `last_move` | the squares of a move that are coloured, such as `"e2e4"`; `True` is the last move of a text with moves; `False` is none |
    | `check` | whether a king in check is marked |
    | `arrows` | arrows such as `"e2e4"` and circles such as `"e4"`, as a list or as text with commas; `"e2e4:red"` has a colour |
    | `fill` | colours of squares, such as `{"d4": "red", "e5": "#0080ff80"}` |
    | `marks` | squares with a cross, such as `["a3", "b4"]` |
    | `size` | the width and height in pixels, 360 if it is not given |
    | `coordinates` | whether there are letters and digits at the edges |
    | `colors` | `brown`, `green`, `blue`, `gray`, or single colours, such as `"green,last-move=#ff08"` |
    | `lang` | the language of the piece letters in a text with moves |
    | `variant` | the game of a text, such as `"crazyhouse"`, as `Position` has it |

    A colour is `green`, `red`, `yellow`, `blue`, or one as in CSS: `#c33`, `#cc3333`, `#cc333380`. The picture needs no font and no other file,
    and contains the position in words. Men in hand (crazyhouse) and checks (three-check) stand beside the board. A notebook shows a `Position` as such a picture.

    Raises `ValueError` for a wrong option or text.
    """
    return draw_svg(position, _options(locals()))


def board_png(
    position: Position | str,
    *,
    orientation: Literal["white", "black", "turn"] = "white",
    last_move: str | bool = True,
    check: bool = True,
    arrows: str | Iterable[str] = (),
    fill: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    marks: str | Iterable[str] = (),
    size: int | None = None,
    coordinates: bool = True,
    colors: str = "brown",
    lang: str = "en",
    variant: str | None = None,
) -> bytes:
    """Draws the board of a position as a PNG picture, and returns the bytes of the file.

    The options are those of `board_svg`; `size` is at most 4096.

        >>> pathlib.Path("start.png").write_bytes(pgn2fen.board_png("startpos", size=800))

    Raises `ValueError` for a wrong option or text.
    """
    return draw_png(position, _options(locals()))


def board_text(
    position: Position | str,
    *,
    orientation: Literal["white", "black", "turn"] = "white",
    last_move: str | bool = True,
    check: bool = True,
    coordinates: bool = True,
    colors: str = "brown",
    ascii: bool = False,
    ansi: bool = False,
    lang: str = "en",
    variant: str | None = None,
) -> str:
    """Draws the board of a position as lines of text, with the chess figures of Unicode.

    `ascii` writes the piece letters of a FEN instead. `ansi` colours the squares for a terminal that knows 256 colours, with `colors` and
    a mark on a king in check; otherwise, the squares of the last move are in brackets. The other options are those of `board_svg`.

        >>> print(pgn2fen.board_text("1. e4"))

    Raises `ValueError` for a wrong option or text.
    """
    return draw_text(position, _options(locals() | {"arrows": (), "fill": (), "marks": (), "size": None}))


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    fill = given["fill"]
    options = dict(given)
    del options["position"]
    options["arrows"] = _items(given["arrows"])
    options["marks"] = _items(given["marks"])
    options["fill"] = list(fill.items() if isinstance(fill, Mapping) else fill)
    return options


def _items(given: str | Iterable[str]) -> list[str]:
    return given.split(",") if isinstance(given, str) else list(given)
