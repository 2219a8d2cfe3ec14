//! The rules of chess: squares, pieces, positions, moves, and hash keys of positions.
//!
//! This module does not know the text formats: see [`crate::fen`] for positions and [`crate::san`] for moves.
//! Its modules depend on each other in one direction, from the square to the key:
//!
//! ```text
//! square ─► piece, bitboard ─► attacks ─► board ─► castling ─► setup, moves
//!                                                                  │
//!                                   start, zobrist, movegen ◄─ position
//! ```
//!
//! A [`Setup`](setup::Setup) holds the six fields of a FEN with any values. A [`Position`](position::Position) is a setup that
//! passed the checks; moves can be played only on a position. Chess960 needs no special case, because castling rights are stored
//! as the squares of the rooks.
//!
//! ```
//! use pgn2fen::chess::{moves::Move, piece::Role, position::Position, square::Square};
//!
//! let mut position = Position::initial();
//! let e4 = Move::Normal { role: Role::Pawn, from: Square::E2, to: Square::E4, promotion: None };
//! assert!(position.is_legal(e4));
//! position.play_unchecked(e4);
//! assert_eq!(position.ep(), Some(Square::E3));
//! ```

pub(crate) mod attacks;
pub mod bitboard;
pub mod board;
pub mod castling;
pub mod movegen;
pub mod moves;
pub mod piece;
pub mod position;
pub mod setup;
pub mod square;
pub mod start;
pub mod zobrist;

/// Helpers for the tests of this module: positions by their FEN, moves by their UCI notation.
#[cfg(test)]
pub(crate) mod testing {
    use crate::chess::moves::Move;
    use crate::chess::position::Position;
    use crate::chess::setup::Setup;
    use crate::fen;

    #[track_caller]
    pub(crate) fn setup(fen: &str) -> Setup {
        fen::read_setup(fen.as_bytes()).expect(fen).0
    }

    #[track_caller]
    pub(crate) fn position(fen: &str) -> Position {
        Position::new(setup(fen)).expect(fen)
    }

    /// Returns the legal move with this UCI notation.
    #[track_caller]
    pub(crate) fn find(position: &Position, uci: &str) -> Move {
        let found = position.legal_moves().into_iter().find(|m| m.to_uci(position) == uci);
        found.unwrap_or_else(|| panic!("{uci} is not legal in {position:?}"))
    }

    /// Returns the position after moves in UCI notation.
    #[track_caller]
    pub(crate) fn play(start: &Position, moves: &str) -> Position {
        moves
            .split_whitespace()
            .fold(start.clone(), |position, uci| position.play(find(&position, uci)).expect("a legal move"))
    }
}
