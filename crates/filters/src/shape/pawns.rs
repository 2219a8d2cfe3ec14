//! A pawn structure: `8/pp3ppp/4p3/3p4/3P4/4P3/PP3PPP/8`.

use std::fmt;
use std::str::FromStr;

use crate::parse_error::ParseError;
use crate::shape::board_pattern::{Pattern, Symbols};
use crate::shape::contents::Contents;
use pgn2fen_chess::piece::{Piece, Role};

/// A pawn structure: the squares of all pawns. The other pieces do not matter.
///
/// It is written like the piece placement of a FEN. `P` and `p` are pawns. Digits, `_` and the letters of other pieces
/// stand for squares without a pawn, so the board of any FEN is its pawn structure. `?` is a square with or without a
/// pawn, `*` any number of such squares, and sets are written as in a [`BoardPattern`](crate::BoardPattern):
/// `[Pp]` is a pawn of either color, `[P_]` a white pawn or none.
///
/// ```
/// use pgn2fen_chess::fen;
/// use pgn2fen_filters::{PawnStructure, ShapeFilter};
///
/// let carlsbad: PawnStructure = "8/pp3ppp/2p5/3p4/3P4/4P3/PP3PPP/8".parse()?;
/// let filter = ShapeFilter { pawns: vec![carlsbad], ..ShapeFilter::default() };
/// let game = fen::read(b"r1bqr1k1/pp1nbppp/2p2n2/3p2B1/3P4/2NBP3/PPQ1NPPP/R4RK1 b - - 8 10")?.position;
/// assert!(filter.holds(&game));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PawnStructure(pub(super) Pattern);

/// Writes the structure as it was given.
impl fmt::Display for PawnStructure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl FromStr for PawnStructure {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Pattern::read(text, &SYMBOLS).map(Self)
    }
}

const SYMBOLS: Symbols = Symbols {
    contents: |symbol| {
        Some(match symbol {
            '_' => Contents::NO_PAWN,
            '?' => Contents::ANYTHING,
            _ => match Piece::from_char(symbol)? {
                pawn @ Piece { role: Role::Pawn, .. } => Contents::of_piece(pawn),
                _ => Contents::NO_PAWN,
            },
        })
    },
    empty: Contents::NO_PAWN,
    unknown: "this is not a symbol of a pawn structure; they are P, p, 1 to 8, ? _ * [...], [^...] and the letters of \
        other pieces, which do not matter",
};
