//! An occurrence of a position in a game.

use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_games::pgn::token::Outcome;

/// An occurrence of a position in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The number of the game in the index, from 1.
    pub game: u64,
    /// The number of moves played before the position.
    pub ply: u32,
    /// The move played in the position; None at the end of the game.
    pub next: Option<Uci>,
    /// The result of the game.
    pub result: Outcome,
}
