//! Checks whether a setup is a valid position, and repairs what can be repaired.

use std::error::Error;
use std::fmt;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingRights, CastlingSide};
use crate::hands::Hands;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::position::variants::rule_set;
use crate::rules::Rules;
use crate::setup::Setup;
use crate::square::Square;

impl Position {
    /// Returns the position of a setup that is completely valid.
    ///
    /// # Errors
    ///
    /// Returns the first fault that was found, including those that [`repaired`](Self::repaired) accepts.
    pub fn new(setup: Setup) -> Result<Self, PositionError> {
        let (position, repairs) = Self::repaired(setup)?;
        match repairs.iter().next() {
            Some(repair) => Err(PositionError::Unreachable(repair)),
            None => Ok(position),
        }
    }

    /// Returns the position of a setup that can be played. Castling rights and an en passant square that contradict the
    /// board are dropped, and so is what only other rules have: men in hand, promoted men, and checks. Impossible
    /// material and impossible checks are accepted. All of these are reported in [`PositionRepairs`].
    ///
    /// Castling rights on both sides with the kings on different files are valid, because Double Fischer Random has
    /// them.
    ///
    /// # Errors
    ///
    /// Returns an error if a side does not have exactly one king, a pawn stands on the first or last rank, or the side
    /// to move could capture the king. The rules of a variant may allow other numbers of kings, and more pawns.
    pub fn repaired(mut setup: Setup) -> Result<(Self, PositionRepairs), PositionError> {
        let is_foreign = drop_foreign(&mut setup);
        let rules = rule_set(setup.rules);
        let board = &setup.board;
        for color in Color::ALL {
            let (kings, allowed) = (board.by_piece(Role::King.of(color)).count(), rules.kings(color));
            if kings < *allowed.start() {
                return Err(PositionError::NoKing(color));
            }
            if kings > *allowed.end() {
                let is_any = *allowed.end() == 0;
                return Err(if is_any {
                    PositionError::NeedlessKing(color)
                } else {
                    PositionError::SeveralKings(color)
                });
            }
        }
        for color in Color::ALL {
            let misplaced = board.by_piece(Role::Pawn.of(color)) - rules.pawn_squares(color);
            if let Some(sq) = misplaced.first() {
                return Err(PositionError::PawnOnBackRank(color, sq));
            }
        }

        let possible = if rules.castle() { possible_rights(&setup) } else { CastlingRights::NONE };
        let impossible_ep = setup.ep.filter(|&ep| !is_possible_ep(&setup, ep));
        let mut repairs = PositionRepairs {
            men: Color::ALL.map(|color| material(board, color).filter(|_| rules.limit_material())),
            impossible_check: false,
            castling: if rules.castle() { setup.castling.rooks() - possible.rooks() } else { Bitboard::EMPTY },
            ep: impossible_ep,
            needless_castling: !rules.castle() && setup.castling != possible,
            is_foreign,
        };
        setup.castling = possible;
        setup.ep = setup.ep.filter(|_| impossible_ep.is_none());

        let position = Self { setup };
        if rules.is_opposite_check(&position) {
            return Err(PositionError::OppositeCheck(!position.turn()));
        }
        repairs.impossible_check = !rules.explains_check(&position);
        Ok((position, repairs))
    }

    /// Whether the side to move is not in check, or some last move can have given the check.
    pub(super) fn has_possible_check(&self) -> bool {
        let board = self.board();
        let king = self.king(self.turn());
        let checkers = self.checkers();
        let (Some(first), Some(last)) = (checkers.first(), checkers.last()) else {
            return true;
        };
        let Some((from, to)) = self.ep().and_then(|ep| double_step_over(ep, !self.turn())) else {
            // One move can give two checks, but not along the same line.
            return first == last || (checkers.count() == 2 && !attacks::line(first, last).contains(king));
        };
        // Either the pawn that made the double step gives the check, or it opened a line to the king.
        let before = board.occupied().without(to).with(from);
        checkers == to.into() || (first == last && board.attackers_to(king, !self.turn(), before).is_empty())
    }
}

/// The reason why a setup is not a valid position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// A side has no king.
    NoKing(Color),
    /// A side has two kings or more.
    SeveralKings(Color),
    /// A side has a king although it has none in this game: White in horde.
    NeedlessKing(Color),
    /// A pawn of this color stands on the first or last rank, on this square.
    PawnOnBackRank(Color, Square),
    /// The king of this color could be captured: it is in check, but the other side is to move.
    OppositeCheck(Color),
    /// The setup can be played but cannot arise in a game. [`Position::repaired`] accepts it.
    Unreachable(PositionRepair),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKing(color) => write!(f, "{color} has no king"),
            Self::SeveralKings(color) => write!(f, "{color} has more than one king"),
            Self::NeedlessKing(color) => write!(f, "{color} must have no king in this game"),
            Self::PawnOnBackRank(color, sq) => write!(f, "{color} pawn on {sq}"),
            Self::OppositeCheck(color) => write!(f, "the side not to move ({color}) is in check"),
            Self::Unreachable(repair) => write!(f, "{repair}"),
        }
    }
}

impl Error for PositionError {}

/// A fault in a setup that cannot arise in a game. It was dropped or accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PositionRepair {
    /// A side has more than sixteen pieces and pawns. Accepted.
    TooManyMen(Color),
    /// A side has more than eight pawns. Accepted.
    TooManyPawns(Color),
    /// A side has more promoted pieces than missing pawns. Accepted.
    TooManyPromoted(Color),
    /// No last move can have given the check. Accepted.
    ImpossibleCheck,
    /// The rook on this square cannot have the right to castle. The right is dropped.
    CastlingRight(Square),
    /// No pawn can have passed this square in the last move. The en passant square is dropped.
    EnPassant(Square),
    /// The game has no castling. All rights are dropped.
    NeedlessCastling,
    /// Men in hand, promoted men or checks that the rules do not have. They are dropped.
    Foreign,
}

impl PositionRepair {
    /// Whether the fault was accepted, and nothing was changed.
    pub fn is_accepted(self) -> bool {
        match self {
            Self::TooManyMen(_) | Self::TooManyPawns(_) | Self::TooManyPromoted(_) | Self::ImpossibleCheck => true,
            Self::CastlingRight(_) | Self::EnPassant(_) | Self::NeedlessCastling | Self::Foreign => false,
        }
    }
}

impl fmt::Display for PositionRepair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyMen(color) => write!(f, "{color} has more than 16 men"),
            Self::TooManyPawns(color) => write!(f, "{color} has more than 8 pawns"),
            Self::TooManyPromoted(color) => write!(f, "{color} has too many promoted pieces"),
            Self::ImpossibleCheck => f.write_str("no move can have given this check"),
            Self::CastlingRight(rook) => {
                write!(f, "castling right dropped: no rook on {rook} or no king to castle with it")
            }
            Self::EnPassant(ep) => write!(f, "impossible en passant square {ep}"),
            Self::NeedlessCastling => f.write_str("castling rights dropped: this game has no castling"),
            Self::Foreign => f.write_str("men in hand, promoted men or checks that the rules do not have"),
        }
    }
}

/// The faults that [`Position::repaired`] dropped or accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PositionRepairs {
    men: [Option<PositionRepair>; 2],
    impossible_check: bool,
    castling: Bitboard,
    ep: Option<Square>,
    needless_castling: bool,
    is_foreign: bool,
}

impl PositionRepairs {
    /// Whether there were no faults.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Returns an iterator over the faults, the worst first.
    pub fn iter(self) -> impl Iterator<Item = PositionRepair> {
        let material = self.men.into_iter().flatten();
        material
            .chain(self.impossible_check.then_some(PositionRepair::ImpossibleCheck))
            .chain(self.castling.into_iter().map(PositionRepair::CastlingRight))
            .chain(self.ep.map(PositionRepair::EnPassant))
            .chain(self.needless_castling.then_some(PositionRepair::NeedlessCastling))
            .chain(self.is_foreign.then_some(PositionRepair::Foreign))
    }
}

fn material(board: &Board, color: Color) -> Option<PositionRepair> {
    let count = |role: Role, among: Bitboard| (board.by_piece(role.of(color)) & among).count();
    let pawns = count(Role::Pawn, Bitboard::FULL);
    let promoted = count(Role::Queen, Bitboard::FULL).saturating_sub(1)
        + count(Role::Rook, Bitboard::FULL).saturating_sub(2)
        + count(Role::Knight, Bitboard::FULL).saturating_sub(2)
        + count(Role::Bishop, LIGHT).saturating_sub(1)
        + count(Role::Bishop, !LIGHT).saturating_sub(1);
    if board.by_color(color).count() > 16 {
        Some(PositionRepair::TooManyMen(color))
    } else if pawns > 8 {
        Some(PositionRepair::TooManyPawns(color))
    } else if pawns + promoted > 8 {
        Some(PositionRepair::TooManyPromoted(color))
    } else {
        None
    }
}

const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

/// Returns the castling rights that the board allows. They need a king on its first rank with a rook beside it on each
/// side that has a right. If several rooks on a side claim a right, only the outermost keeps it.
fn possible_rights(setup: &Setup) -> CastlingRights {
    let mut possible = CastlingRights::NONE;
    for color in Color::ALL {
        let Some(king) = setup.board.castling_king(color) else {
            continue;
        };
        let rooks = setup.castling.of(color).rooks() & setup.board.by_piece(Role::Rook.of(color));
        let outermost = [rooks.first(), rooks.last()].into_iter().flatten();
        for (rook, side) in outermost.zip([CastlingSide::Queen, CastlingSide::King]) {
            if CastlingSide::of(king, rook) == side {
                possible = possible.with(rook);
            }
        }
    }
    possible
}

/// Drops what the rules of a setup do not have: men in hand and promoted men, but for crazyhouse, and checks, but for
/// three-check. Returns whether there was any.
fn drop_foreign(setup: &mut Setup) -> bool {
    // Nearly every setup has nothing of the kind, and is known by less than is written below.
    if setup.promoted.is_empty() && setup.checks == Setup::CHECKS && setup.hands.are_empty() {
        return false;
    }
    let given = (setup.hands, setup.promoted, setup.checks);
    if setup.rules == Rules::Crazyhouse {
        setup.promoted &= setup.board.occupied();
    } else {
        (setup.hands, setup.promoted) = (Hands::EMPTY, Bitboard::EMPTY);
    }
    let most = Setup::CHECKS;
    let is_counted =
        setup.rules == Rules::ThreeCheck && setup.checks.iter().zip(most).all(|(checks, most)| *checks <= most);
    if !is_counted {
        setup.checks = most;
    }
    given != (setup.hands, setup.promoted, setup.checks)
}

/// Whether the last move can have been a double step of a pawn over `ep`.
fn is_possible_ep(setup: &Setup, ep: Square) -> bool {
    let color = !setup.turn;
    let Some((from, to)) = double_step_over(ep, color) else {
        return false;
    };
    let occupied = setup.board.occupied();
    setup.board.piece_at(to) == Some(Role::Pawn.of(color)) && !occupied.contains(ep) && !occupied.contains(from)
}

/// Returns the origin and the target of a double step of this color over `ep`; `None` if no double step passes there.
fn double_step_over(ep: Square, color: Color) -> Option<(Square, Square)> {
    let from = ep.offset(0, -color.forward())?;
    let to = ep.offset(0, color.forward())?;
    (from.rank() == color.pawn_rank()).then_some((from, to))
}

#[cfg(test)]
mod tests {
    use crate::bitboard::Bitboard;
    use crate::castling::CastlingRights;
    use crate::fen;
    use crate::hands::Hands;
    use crate::piece::{Color, Role};
    use crate::position::{Position, PositionError, PositionRepair};
    use crate::rules::Rules;
    use crate::setup::Setup;
    use crate::square::Square;
    use crate::testing::setup;

    /// Checks the faults of a setup with both constructors.
    #[track_caller]
    fn check(fen: &str, expected: &str) {
        let faults = match Position::repaired(setup(fen)) {
            Err(error) => format!("error: {error}"),
            Ok((_, repairs)) => repairs.iter().map(|repair| repair.to_string()).collect::<Vec<_>>().join(", "),
        };
        assert_eq!(faults, expected, "{fen}");
        let strict = Position::new(setup(fen)).err().map(|error| error.to_string());
        let first = expected.trim_start_matches("error: ").split(", ").next().filter(|fault| !fault.is_empty());
        assert_eq!(strict.as_deref(), first, "{fen}");
    }

    #[test]
    fn each_side_has_one_king() {
        check("8/8/8/8/8/8/8/8 w - - 0 1", "error: white has no king");
        check("8/8/8/8/8/8/8/4K3 w - - 0 1", "error: black has no king");
        check("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "error: white has more than one king");
    }

    #[test]
    fn no_pawn_stands_on_a_back_rank() {
        check("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "error: white pawn on h8");
        check("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "error: black pawn on a1");
    }

    #[test]
    fn the_side_that_moved_is_not_in_check() {
        check("4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "error: the side not to move (white) is in check");
        check("8/8/8/4k3/4K3/8/8/8 w - - 0 1", "error: the side not to move (black) is in check");
        check("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "");
    }

    #[test]
    fn there_is_no_more_material_than_a_game_can_have() {
        check("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "");
        check("4k3/8/8/8/8/P7/PPPPPPPP/RNBQKBNR w - - 0 1", "white has more than 16 men");
        check("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "white has more than 8 pawns");
        check("3qk3/pppppppp/8/7q/8/8/8/4K3 w - - 0 1", "black has too many promoted pieces");
        check("3qk3/1ppppppp/8/7q/8/8/8/4K3 w - - 0 1", "");
        for extra in ["1QQ1K3", "RRR1K3", "NNN1K3", "B1B1K3", "1B1BK3"] {
            for (pawns, fault) in [("PPPPPPPP", "white has too many promoted pieces"), ("PPPPPPP1", "")] {
                check(&format!("4k3/8/8/8/8/8/{pawns}/{extra} w - - 0 1"), fault);
            }
        }
        // Two bishops on squares of one color: one of them is a promoted pawn.
        check("4k3/8/8/8/8/8/PPPPPPPP/2B1K3 w - - 0 1", "");
        check("4k3/8/8/8/5B2/8/PPPPPPPP/2B1K3 w - - 0 1", "white has too many promoted pieces");
    }

    #[test]
    fn the_material_of_variants_is_not_limited() {
        let fen = "4k3/8/8/8/8/QQQQ4/PPPPPPPP/RNBQKBNR w - - 0 1";
        for rules in [Rules::KingOfTheHill, Rules::Atomic] {
            let reading = fen::read_by(rules, fen.as_bytes()).expect(fen);
            assert!(reading.repairs.is_empty(), "{rules}: {}", reading.repairs);
        }
    }

    #[test]
    fn a_check_can_have_been_given() {
        const IMPOSSIBLE: &str = "no move can have given this check";
        check("4k3/8/8/8/4r3/2n5/8/3K4 w - - 0 1", "");
        check("4k3/8/8/8/1b6/8/4n3/r3K3 w - - 0 1", "");
        check("4k3/8/8/8/1b2r3/8/8/r3K3 w - - 0 1", IMPOSSIBLE);
        check("4k3/8/8/8/8/8/8/r3K2r w - - 0 1", IMPOSSIBLE);
        check("4k3/8/8/8/8/2b5/3K4/4b3 w - - 0 1", IMPOSSIBLE);
    }

    #[test]
    fn a_check_fits_the_double_step_before_it() {
        const IMPOSSIBLE: &str = "no move can have given this check";
        // The pawn gives the check, or opened the line by leaving the seventh rank.
        check("4k3/8/8/3p4/4K3/8/8/8 w - d6 0 1", "");
        check("4k3/7b/8/5p2/4K3/8/8/8 w - f6 0 1", "");
        check("4kb2/8/8/4p3/1K6/8/8/8 w - e6 0 1", "");
        check("4k3/8/8/3p4/8/8/4r3/4K3 w - d6 0 1", IMPOSSIBLE);
        check("4k3/8/8/3p4/4K3/2n5/8/8 w - d6 0 1", IMPOSSIBLE);
    }

    #[test]
    fn castling_rights_need_king_and_rook_at_home() {
        check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "");
        check("4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", "castling right dropped: no rook on h1 or no king to castle with it");
        check(
            "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1",
            "castling right dropped: no rook on a1 or no king to castle with it, castling right dropped: no rook on h1 \
             or no king to castle with it",
        );
        check("4k2R/8/8/8/8/8/8/4K3 b k - 0 1", "castling right dropped: no rook on h8 or no king to castle with it");
    }

    #[test]
    fn kings_with_rights_may_stand_on_different_files() {
        check("1r1k1r2/5p2/8/8/8/8/3N4/R5KR b KQkq - 0 1", "");
    }

    #[test]
    fn of_several_rights_to_one_side_the_outermost_is_kept() {
        let mut setup = setup("4k3/8/8/8/8/8/8/RR2KRR1 w - - 0 1");
        setup.castling = [Square::A1, Square::B1, Square::F1, Square::G1]
            .into_iter()
            .fold(CastlingRights::NONE, CastlingRights::with);
        let (position, repairs) = Position::repaired(setup).expect("a position");
        assert_eq!(position.castling(), CastlingRights::NONE.with(Square::A1).with(Square::G1));
        let dropped = [Square::B1, Square::F1].map(PositionRepair::CastlingRight);
        assert_eq!(repairs.iter().collect::<Vec<_>>(), dropped);
    }

    #[test]
    fn an_e_p_square_lies_behind_a_pawn_that_can_have_passed_it() {
        check("4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1", "");
        check("4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", "impossible en passant square e6");
        check("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "impossible en passant square e6");
        check("4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1", "impossible en passant square e6");
        check("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "impossible en passant square e6");
        check("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "impossible en passant square e6");
    }

    #[test]
    fn a_position_without_a_fault_has_no_repairs() {
        let repairs = |fen| Position::repaired(setup(fen)).expect(fen).1;
        assert!(repairs("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").is_empty());
        assert!(!repairs("4k3/8/8/8/8/8/8/R3K3 w K - 0 1").is_empty());
    }

    #[test]
    fn what_only_other_rules_have_is_dropped() {
        let mut hands = Hands::EMPTY;
        hands.add(Color::White, Role::Knight);
        let promoted = Bitboard::from(Square::D1) | Square::D5.into();
        let given = Setup { hands, promoted, checks: [9, 1], ..Setup::initial() };
        for (rules, kept) in [
            (Rules::Chess, Setup::initial()),
            (Rules::Atomic, Setup { rules: Rules::Atomic, ..Setup::initial() }),
            (Rules::ThreeCheck, Setup { rules: Rules::ThreeCheck, ..Setup::initial() }),
            (
                Rules::Crazyhouse,
                Setup { rules: Rules::Crazyhouse, hands, promoted: Square::D1.into(), ..Setup::initial() },
            ),
        ] {
            let setup = Setup { rules, ..given.clone() };
            let (position, repairs) = Position::repaired(setup.clone()).expect("a position");
            assert_eq!(*position.setup(), kept, "{rules}");
            assert_eq!(repairs.iter().collect::<Vec<_>>(), [PositionRepair::Foreign], "{rules}");
            assert_eq!(Position::new(setup), Err(PositionError::Unreachable(PositionRepair::Foreign)), "{rules}");
            assert_eq!(Position::new(kept), Ok(position), "{rules}");
        }
        let checks = Setup { rules: Rules::ThreeCheck, checks: [0, 2], ..Setup::initial() };
        assert_eq!(Position::new(checks.clone()).map(|position| position.setup().checks), Ok([0, 2]));
    }

    #[test]
    fn a_fault_is_accepted_if_nothing_is_changed() {
        let first = |fen| Position::repaired(setup(fen)).expect(fen).1.iter().next().expect("a fault");
        assert!(first("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1").is_accepted());
        assert!(first("4k3/8/8/8/8/8/8/r3K2r w - - 0 1").is_accepted());
        assert!(!first("4k3/8/8/8/8/8/8/R3K3 w K - 0 1").is_accepted());
        assert!(!first("4k3/8/8/8/8/8/8/4K3 w - e6 0 1").is_accepted());
    }

    #[test]
    fn a_strict_reader_names_what_a_lenient_one_mends() {
        let error = Position::new(setup("4k3/8/8/8/8/8/8/R3K3 w K - 0 1"));
        assert_eq!(error, Err(PositionError::Unreachable(PositionRepair::CastlingRight(Square::H1))));
        let error = Position::new(setup("8/8/8/8/8/8/8/4K3 w - - 0 1"));
        assert_eq!(error, Err(PositionError::NoKing(Color::Black)));
    }
}
