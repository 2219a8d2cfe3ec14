//! The rules of chess: squares, men, positions, moves, and the keys of positions.
//!
//! Nothing here knows how a game or a position is written: FEN is [`crate::fen`]'s matter, SAN is [`crate::san`]'s.
//! Imports run one way, from the square up to the key:
//!
//! ```text
//! square ─► piece, bitboard ─► attacks ─► board ─► castling ─► setup, moves
//!                                                                  │
//!                              start, uci, zobrist, movegen ◄─ position
//! ```
//!
//! A [`Setup`](setup::Setup) is six fields that may be anything; a [`Position`](position::Position) is a setup that
//! passed, and the only thing that moves are played on. Chess960 is no special case: castling rights are kept as the
//! squares of their rooks.
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

pub mod attacks;
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

/// What the tests of the rules share: positions by their FEN, moves by their squares.
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

    /// The legal move with this name in UCI notation.
    #[track_caller]
    pub(crate) fn find(position: &Position, uci: &str) -> Move {
        let found = position.legal_moves().into_iter().find(|m| m.to_uci(position) == uci);
        found.unwrap_or_else(|| panic!("{uci} is not legal in {position:?}"))
    }

    /// The position after moves in UCI notation.
    #[track_caller]
    pub(crate) fn play(start: &Position, moves: &str) -> Position {
        moves
            .split_whitespace()
            .fold(start.clone(), |position, uci| position.play(find(&position, uci)).expect("a legal move"))
    }
}
