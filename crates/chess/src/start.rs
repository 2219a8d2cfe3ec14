//! Classifies starting positions: standard, Chess960, Double Chess960, odds, or any other position.
//!
//! ```
//! use pgn2fen_chess::position::Position;
//! use pgn2fen_chess::start::StartKind;
//!
//! let start = Position::double_chess960(518, 12).unwrap();
//! assert_eq!(StartKind::of(&start), StartKind::DoubleChess960 { white: 518, black: 12 });
//! assert_eq!(StartKind::of(&start).name(), "dfrc");
//! ```

mod odds;

use crate::position::Position;

pub use crate::start::odds::Odds;

/// The kind of a starting position. The counters are ignored. The standard starting position of a variant is its own.
///
/// A starting position has White to move and all its castling rights. Only a game at odds may also start with Black to
/// move. A position without one of these castling rights is not the start of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StartKind {
    /// The standard starting position.
    Standard,
    /// A starting position of Chess960.
    Chess960 {
        /// The number of the starting position, 0 to 959 (Scharnagl's numbering). It is never 518, the standard one.
        sp: u16,
    },
    /// A starting position of Double Chess960: the two sides have different starting positions of Chess960.
    DoubleChess960 {
        /// The number of White's starting position, 0 to 959.
        white: u16,
        /// The number of Black's starting position, 0 to 959.
        black: u16,
    },
    /// The standard starting position with some pieces or pawns removed.
    Odds(Odds),
    /// Any other position.
    Position,
}

/// The Chess960 number of the standard starting position.
const STANDARD: u16 = 518;

impl StartKind {
    /// Returns the kind of a position.
    pub fn of(position: &Position) -> Self {
        // The most common case, which is quick to check.
        if position.is_same_position(&Position::start(position.rules())) {
            return Self::Standard;
        }
        match position.double_chess960_numbers() {
            Some((white, black)) if white == black => Self::Chess960 { sp: white },
            Some((white, black)) => Self::DoubleChess960 { white, black },
            None => Odds::of(position).map_or(Self::Position, Self::Odds),
        }
    }

    /// Returns the name of the kind, as it is typed and printed: `standard`, `chess960`, `dfrc`, `odds` or `position`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Chess960 { .. } => "chess960",
            Self::DoubleChess960 { .. } => "dfrc",
            Self::Odds(_) => "odds",
            Self::Position => "position",
        }
    }

    /// Returns the Chess960 numbers of White's and of Black's starting position, 0 to 959; `None` for odds and other
    /// positions.
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
    use crate::fen;
    use crate::position::Position;
    use crate::rules::Rules;

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
    fn a_side_at_odds_keeps_half_of_its_men() {
        let white = |men: &str| format!("rnbqkbnr/pppppppp/8/8/8/8/{men} w kq - 0 1");
        check(&white("PPPPPPP1/4K3"), "odds", None);
        check(&white("PPPPPP2/4K3"), "position", None);
        // The rights of the rooks that are there belong to it.
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1", "odds", None);
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w kq - 0 1", "position", None);
        check("rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPP1/RNBQKBN1 w Qkq - 0 1", "position", None);
    }

    #[test]
    fn an_array_that_is_not_whole_is_a_position() {
        // In turn: a missing right, Black to move, a moved pawn, two bishops on one color, no rook beside the king.
        check("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQk - 0 1", "position", None);
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "position", None);
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "position", None);
        check("bbqnnrkr/pppppppp/8/8/8/P7/1PPPPPPP/BBQNNRKR w KQkq - 0 1", "position", None);
        check("bnbqkrnr/pppppppp/8/8/8/8/PPPPPPPP/BNBQKRNR w - - 0 1", "position", None);
        check("krrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/KRRNNQBB w - - 0 1", "position", None);
        check("4k3/8/8/8/8/8/4P3/4K3 w - - 5 39", "position", None);
        // A black bishop stands on White's bishop square.
        check("rn1qkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNbQKBNR w KQkq - 0 1", "position", None);
    }

    #[test]
    fn a_variant_has_its_own_start() {
        #[track_caller]
        fn check(rules: Rules, fen: &str, name: &str) {
            let start = fen::read_by(rules, fen.as_bytes()).expect(fen).position;
            assert_eq!(StartKind::of(&start).name(), name, "{rules}: {fen}");
        }
        for rules in Rules::ALL {
            let start = Position::start(rules);
            assert!(start.is_start() && StartKind::of(&start) == StartKind::Standard, "{rules}");
        }
        let array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        check(Rules::Horde, "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1", "position");
        check(Rules::Atomic, array, "standard");
        check(Rules::Atomic, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", "chess960");
        check(Rules::Crazyhouse, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR[] w HFhf - 0 1", "chess960");
        check(Rules::Crazyhouse, &array.replace(" w", "[P] w"), "position");
        check(Rules::ThreeCheck, &array.replace("0 1", "2+3 0 1"), "position");
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
