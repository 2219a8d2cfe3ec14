//! What kind of start a position is: the initial array, a shuffled one, one with men left out, or none of these.
//!
//! ```
//! use pgn2fen::chess::position::Position;
//! use pgn2fen::chess::start::StartKind;
//!
//! let start = Position::double_chess960(518, 12).unwrap();
//! assert_eq!(StartKind::of(&start), StartKind::DoubleChess960 { white: 518, black: 12 });
//! assert_eq!(StartKind::of(&start).name(), "dfrc");
//! ```

mod odds;

use crate::chess::position::Position;

pub use crate::chess::start::odds::Odds;

/// What kind of start a position is. The counters never matter.
///
/// An array of pieces is a start only with White to move (but for odds, where either side may be) and with all the rights to
/// castle that it begins with: who may not castle is not at the start of that game, but in a position of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StartKind {
    /// The initial array.
    Standard,
    /// A start of Chess960.
    Chess960 {
        /// Its number, 0 to 959 (Scharnagl's numbering), and never 518.
        sp: u16,
    },
    /// A start of Chess960 for each side, and not the same.
    DoubleChess960 {
        /// White's number, 0 to 959.
        white: u16,
        /// Black's number.
        black: u16,
    },
    /// The initial array less some men.
    Odds(Odds),
    /// Any other position.
    Position,
}

/// The number of the initial array among those of Chess960.
const STANDARD: u16 = 518;

impl StartKind {
    /// The kind of a position.
    pub fn of(position: &Position) -> Self {
        // Most are, and are told at a glance.
        if position.is_same_position(&Position::initial()) {
            return Self::Standard;
        }
        match position.double_chess960_numbers() {
            Some((white, black)) if white == black => Self::Chess960 { sp: white },
            Some((white, black)) => Self::DoubleChess960 { white, black },
            None => Odds::of(position).map_or(Self::Position, Self::Odds),
        }
    }

    /// The name that is typed and printed: `standard`, `chess960`, `dfrc`, `odds` or `position`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Chess960 { .. } => "chess960",
            Self::DoubleChess960 { .. } => "dfrc",
            Self::Odds(_) => "odds",
            Self::Position => "position",
        }
    }

    /// The numbers of White's and of Black's array, 0 to 959, if both have all their pieces.
    pub fn numbers(self) -> Option<(u16, u16)> {
        match self {
            Self::Standard => Some((STANDARD, STANDARD)),
            Self::Chess960 { sp } => Some((sp, sp)),
            Self::DoubleChess960 { white, black } => Some((white, black)),
            Self::Odds(_) | Self::Position => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StartKind;
    use crate::chess::position::Position;
    use crate::fen;

    #[track_caller]
    fn check(fen: &str, name: &str, numbers: Option<(u16, u16)>) {
        let start = fen::read(fen.as_bytes()).expect(fen).position;
        let kind = StartKind::of(&start);
        assert_eq!((kind.name(), kind.numbers()), (name, numbers), "{fen}");
    }

    #[test]
    fn an_array_is_known_by_its_pieces_whatever_the_counters_say() {
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 9", "standard", Some((518, 518)));
        check("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", "chess960", Some((0, 0)));
        check("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "dfrc", Some((518, 0)));
    }

    #[test]
    fn an_array_that_is_not_whole_is_a_position() {
        // A right is missing, Black is to move, a pawn has moved, two bishops on one colour, no rook beside the king.
        check("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQk - 0 1", "position", None);
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "position", None);
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "position", None);
        check("bbqnnrkr/pppppppp/8/8/8/P7/1PPPPPPP/BBQNNRKR w KQkq - 0 1", "position", None);
        check("bnbqkrnr/pppppppp/8/8/8/8/PPPPPPPP/BNBQKRNR w - - 0 1", "position", None);
        check("krrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/KRRNNQBB w - - 0 1", "position", None);
        check("4k3/8/8/8/8/8/4P3/4K3 w - - 5 39", "position", None);
        // Black's bishop stands where White's should.
        check("rn1qkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNbQKBNR w KQkq - 0 1", "position", None);
    }

    #[test]
    fn every_pair_of_numbers_comes_back() {
        for white in 0..960 {
            let black = (white * 7 + 13) % 960;
            let start = Position::double_chess960(white, black).expect("two numbers below 960");
            assert_eq!(StartKind::of(&start).numbers(), Some((white, black)));
        }
    }
}
