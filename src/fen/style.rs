//! What may be chosen about the text of a FEN.

/// How to write a FEN. The default is the PGN standard's of 1994: six fields, the en passant square after every double step,
/// and castling rights that for orthodox games are its `KQkq`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FenStyle {
    /// When the en passant square is given.
    pub ep: EpStyle,
    /// Which letters stand for castling rights.
    pub castling: CastlingStyle,
    /// How many fields there are.
    pub fields: Fields,
}

/// When the en passant square is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EpStyle {
    /// After every double step of a pawn (PGN standard of 1994, §16.1.3.4).
    #[default]
    Always,
    /// If an enemy pawn stands beside the pawn, even if it must not take (X-FEN).
    Xfen,
    /// If taking en passant is a legal move (PGN standard, revision of 2020).
    Legal,
}

/// Which letters stand for castling rights. White's come before Black's and the king side's before the queen side's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingStyle {
    /// `K` and `Q`, or the file of the rook if another rook stands further out (X-FEN).
    #[default]
    Xfen,
    /// Always the file of the rook (Shredder-FEN).
    Shredder,
}

/// How many fields there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fields {
    /// Without the clocks, as in EPD.
    Four,
    /// All of them.
    #[default]
    Six,
}
