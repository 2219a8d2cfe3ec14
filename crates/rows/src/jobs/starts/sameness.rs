//! The rule by which two starting positions count as equal.

/// The rule by which two starting positions count as equal. Equal starting positions are listed once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sameness {
    /// Equal pieces, side to move, castling rights and legal en passant capture: see
    /// [`Identity`](pgn2fen_games::selection::Identity).
    #[default]
    Position,
    /// Equal in all six fields of the FEN.
    Exact,
    /// No two starting positions are equal: every game is listed.
    None,
}
