//! The rules of chess, Chess960 and the variants of Lichess: positions, legal moves, FEN, SAN and UCI, and the names of
//! openings.
//!
//! This crate reads no files and no games. Its only dependency is `nom`. The feature `variants`, a default, plays the
//! variants. The feature `serde` makes squares, moves and positions serializable: a position is its FEN, behind the
//! name of its rules if they are not those of chess.
//!
//! ```
//! use pgn2fen_chess::Position;
//!
//! let position: Position = "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1".parse()?;
//! let moves: Vec<String> = position.legal_moves().iter().map(|m| m.to_san(&position)).collect();
//! assert_eq!(moves.len(), 6);
//! assert!(moves.contains(&"e4+".to_owned()));
//!
//! let position = position.play_san("e4+")?;
//! assert_eq!(position.to_string(), "8/8/8/3k4/4P3/8/8/4K3 b - e3 0 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Position`] leads to everything: [`Color`](piece::Color) and [`Role`](piece::Role) of a piece, the
//! [`Board`](board::Board), and the [`Square`](square::Square)s. [`fen`] reads and writes positions, [`san`] and
//! [`notation`] moves; [`openings`] names positions.
//!
//! # Other crates
//!
//! | for | take |
//! |---|---|
//! | games in PGN: their tags, moves, comments and variations | `pgn2fen-games` |
//! | pictures of positions | `pgn2fen-board` |
//! | the games of a collection that reached a position | `pgn2fen-index` |
//!
//! [The library](https://github.com/pgn2fen/pgn2fen/blob/main/docs/library.md) lists all crates, with a program
//! for each.
//!
//! # Inside
//!
//! The modules of the rules depend on each other in one direction, from the square to the key:
//!
//! ```text
//! square ─► piece, bitboard ─► attacks ─► board ─► castling ─► rules, hands ─► setup, moves
//!                                                                  │
//!                                   start, zobrist, movegen ◄─ position
//! ```
//!
//! A [`Setup`](setup::Setup) holds the six fields of a FEN with any values. A [`Position`] is a
//! setup that passed the checks; moves can be played only on a position. Chess960 needs no special case, because
//! castling rights are stored as the squares of the rooks. A position of a variant answers by its
//! [`Rules`](rules::Rules), each of which has a file in `position/variants`; chess pays one comparison for that.
//!
//! ```
//! use pgn2fen_chess::{moves::Move, piece::Role, position::Position, square::Square};
//!
//! let mut position = Position::initial();
//! let e4 = Move::Normal { role: Role::Pawn, from: Square::E2, to: Square::E4, promotion: None };
//! assert!(position.is_legal(e4));
//! position.play_unchecked(e4);
//! assert_eq!(position.ep(), Some(Square::E3));
//! ```

#[doc(hidden)]
pub mod attacks;
pub mod bitboard;
pub mod board;
pub mod castling;
pub mod fen;
pub mod hands;
pub mod movegen;
pub mod moves;
pub mod notation;
pub mod openings;
#[cfg(test)]
mod perft_tests;
pub mod piece;
pub mod position;
pub mod rules;
pub mod san;
#[cfg(feature = "serde")]
mod serial;
pub mod setup;
pub mod square;
pub mod start;
#[doc(hidden)]
pub mod white_space;
pub mod zobrist;

pub use crate::moves::Move;
pub use crate::position::Position;

/// Helpers for the tests of this module: positions by their FEN, moves by their UCI notation.
#[doc(hidden)]
pub mod testing {
    use crate::fen;
    use crate::moves::Move;
    use crate::position::Position;
    use crate::setup::Setup;

    #[doc(hidden)]
    #[track_caller]
    pub fn setup(fen: &str) -> Setup {
        fen::read_setup(fen.as_bytes()).expect(fen).0
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn position(fen: &str) -> Position {
        Position::new(setup(fen)).expect(fen)
    }

    /// Returns the legal move with this UCI notation.
    #[doc(hidden)]
    #[track_caller]
    pub fn find(position: &Position, uci: &str) -> Move {
        let found = position.legal_moves().into_iter().find(|m| m.to_uci(position) == uci);
        found.unwrap_or_else(|| panic!("{uci} is not legal in {position:?}"))
    }

    /// Returns the position after moves in UCI notation.
    #[doc(hidden)]
    #[track_caller]
    pub fn play(start: &Position, moves: &str) -> Position {
        moves
            .split_whitespace()
            .fold(start.clone(), |position, uci| position.play(find(&position, uci)).expect("a legal move"))
    }
}
