//! When two starts are the same.

/// Which starts are the same, and so listed once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sameness {
    /// The same men, side to move, castling rights and legal capture en passant: see [`Identity`](crate::selection::Identity).
    #[default]
    Position,
    /// The same in all six fields of the FEN.
    Exact,
    /// None: every game is listed.
    None,
}
