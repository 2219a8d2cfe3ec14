//! The options for writing a FEN.

/// The options for writing a FEN. The default is that of the PGN standard of 1994: six fields, the en passant square
/// after every double step, and castling rights that are written `KQkq` in orthodox games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FenStyle {
    /// The condition for writing the en passant square.
    pub ep: EpStyle,
    /// The letters for castling rights.
    pub castling: CastlingStyle,
    /// The number of fields.
    pub fields: Fields,
    /// The form of the parts that only variants have.
    pub variant: VariantStyle,
}

/// The condition for writing the en passant square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EpStyle {
    /// After every double step of a pawn (PGN standard of 1994, §16.1.3.4).
    #[default]
    Always,
    /// Only if an enemy pawn stands beside the pawn, even if capturing would be illegal (X-FEN).
    Xfen,
    /// Only if an en passant capture is legal (PGN standard, revision of 2020).
    Legal,
}

/// The letters for castling rights. White's come before Black's, and the king side before the queen side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingStyle {
    /// `K` and `Q`, or the file of the rook if another rook stands further out (X-FEN).
    #[default]
    Xfen,
    /// The file of the rook, always (Shredder-FEN).
    Shredder,
}

/// The form of the parts of a FEN that only variants have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VariantStyle {
    /// Men in hand in brackets, as in `RNBQKBNR[QNp]`, and the checks that remain behind the en passant square (`3+3`).
    /// This is the form of UCI engines, python-chess and shakmaty.
    #[default]
    Usual,
    /// Men in hand as a ninth rank, as in `RNBQKBNR/QNp`, and the checks that were given behind the clocks (`+0+0`).
    /// This is the form of Lichess.
    Lichess,
}

impl VariantStyle {
    /// The names of the forms, as options have them.
    pub const NAMES: [(&str, Self); 2] = [("usual", Self::Usual), ("lichess", Self::Lichess)];
}

/// The number of fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fields {
    /// Four fields: no clocks, as in EPD.
    Four,
    /// All six fields.
    #[default]
    Six,
}
