"""Chess games in PGN as rows of positions: FEN, moves, evaluations, clocks and tags.

| you want | use |
|---|---|
| rows of positions, as a data frame or a file | `scan` |
| the games, one by one, with moves, comments and variations | `games` |
| a game that is changed and written as PGN | `Game.edit`, `EditedGame` |
| the starting positions that are not the initial one | `starts` |
| the games that reached a position, and what was played there | `index`, `Index` |
| one tree of many games: the lines that were played, with counts and results | `tree` |
| games compared with a repertoire: where they leave it | `compare` |
| the results of a player by opening, speed and opponents | `player_stats` |
| what cannot be right in a tournament | `check_tournament` |
| the rules of chess | `Position` |
| a picture of a position | `board_svg`, `board_png`, `board_text` |
| large files shared out to processes or machines | `ranges` |

Everything is computed by the Rust library pgn2fen, on all cores, without the global interpreter lock. No other package is needed. Rows
are Arrow record batches, which DuckDB, Polars, pyarrow, pandas and DataFusion take without a copy.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pgn2fen._answers import check_tournament, player_stats
    from pgn2fen._board import board_png, board_svg, board_text
    from pgn2fen._comparison import Comparison, compare
    from pgn2fen._dividing import count, ranges
    from pgn2fen._edited import EditedGame, EditedLine, EditedMove
    from pgn2fen._games import Games, games
    from pgn2fen._index import BookSummary, Index, IndexSummary, index
    from pgn2fen._pgn2fen import (
        Game,
        Line,
        Message,
        ModelGame,
        Move,
        Position,
        Report,
        Results,
        TreeMove,
        TreeNode,
        __version__,
    )
    from pgn2fen._ranges import Before, FileRange, numbered
    from pgn2fen._report import GameError, GameWarning
    from pgn2fen._scan import Scan, scan
    from pgn2fen._starts import Starts, starts
    from pgn2fen._table import Table
    from pgn2fen._tree import Tree, tree

__all__ = [
    "Before",
    "BookSummary",
    "Comparison",
    "EditedGame",
    "EditedLine",
    "EditedMove",
    "FileRange",
    "Game",
    "GameError",
    "GameWarning",
    "Games",
    "Index",
    "IndexSummary",
    "Line",
    "Message",
    "ModelGame",
    "Move",
    "Position",
    "Report",
    "Results",
    "Scan",
    "Starts",
    "Table",
    "Tree",
    "TreeMove",
    "TreeNode",
    "__version__",
    "board_png",
    "board_svg",
    "board_text",
    "check_tournament",
    "compare",
    "count",
    "games",
    "index",
    "numbered",
    "player_stats",
    "ranges",
    "scan",
    "starts",
    "tree",
]

_MODULES = {
    "_answers": ["check_tournament", "player_stats"],
    "_board": ["board_png", "board_svg", "board_text"],
    "_comparison": ["Comparison", "compare"],
    "_dividing": ["count", "ranges"],
    "_edited": ["EditedGame", "EditedLine", "EditedMove"],
    "_games": ["Games", "games"],
    "_index": ["BookSummary", "Index", "IndexSummary", "index"],
    "_pgn2fen": [
        "Game",
        "Line",
        "Message",
        "ModelGame",
        "Move",
        "Position",
        "Report",
        "Results",
        "TreeMove",
        "TreeNode",
        "__version__",
    ],
    "_ranges": ["Before", "FileRange", "numbered"],
    "_report": ["GameError", "GameWarning"],
    "_scan": ["Scan", "scan"],
    "_starts": ["Starts", "starts"],
    "_table": ["Table"],
    "_tree": ["Tree", "tree"],
}


def __getattr__(name: str) -> object:
    """Imports the module that has a name of the package. So the command, which needs none of them, starts in a third of the time."""
    for module, names in _MODULES.items():
        if name in names:
            import importlib

            value = getattr(importlib.import_module(f"pgn2fen.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'pgn2fen' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
