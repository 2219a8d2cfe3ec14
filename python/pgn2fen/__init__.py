"""Chess games in PGN as rows of positions: FEN, moves, evaluations, clocks and tags.

| you want | use |
|---|---|
| rows of positions, as a data frame or a file | `scan` |
| the games, one by one, with moves, comments and variations | `games` |
| the starting positions that are not the initial one | `starts` |
| the games that reached a position, and what was played there | `index`, `Index` |
| the rules of chess | `Position` |

Everything is computed by the Rust library pgn2fen, on all cores, without the global interpreter lock. No other package is needed. Rows
are Arrow record batches, which DuckDB, Polars, pyarrow, pandas and DataFusion take without a copy.
"""

from pgn2fen._games import Games, games
from pgn2fen._index import Index, IndexSummary, index
from pgn2fen._pgn2fen import Game, Line, Message, Move, Position, Report, __version__
from pgn2fen._report import GameError, GameWarning
from pgn2fen._scan import Scan, scan
from pgn2fen._starts import Starts, starts
from pgn2fen._table import Table

__all__ = [
    "Game",
    "GameError",
    "GameWarning",
    "Games",
    "Index",
    "IndexSummary",
    "Line",
    "Message",
    "Move",
    "Position",
    "Report",
    "Scan",
    "Starts",
    "Table",
    "__version__",
    "games",
    "index",
    "scan",
    "starts",
]
