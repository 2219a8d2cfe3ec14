//! Positions that can be played, and playing moves on them.

mod chess960;
mod end;
mod legality;
mod validity;
mod variants;

use std::error::Error;
use std::fmt;
use std::hint::select_unpredictable;

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingRights, CastlingRules, CastlingSide};
use crate::hands::Hands;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::position::variants::{Played, rule_set};
use crate::rules::Rules;
use crate::setup::Setup;
use crate::square::Square;

pub(crate) use crate::position::variants::RuleSet;

pub use crate::position::end::{End, EndReason};
pub use crate::position::validity::{PositionError, PositionRepair, PositionRepairs};

/// A position that can be played: each side has one king, no pawn stands on the first or last rank, the side that just
/// moved is not in check, and neither castling rights nor the en passant square contradict the board. Some variants
/// have other kings and pawns: see [`Rules`].
///
/// Equality compares all fields. [`is_same_position`](Self::is_same_position) compares positions as the repetition
/// rule does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    setup: Setup,
}

impl Position {
    /// Returns the standard starting position.
    #[inline]
    pub fn initial() -> Self {
        const { Self { setup: Setup::initial() } }
    }

    /// Returns the position in which games of these rules start.
    pub fn start(rules: Rules) -> Self {
        Self { setup: rule_set(rules).start(rules) }
    }

    /// Returns the name of the variant that the position alone shows: see [`Rules::game_name`].
    pub fn variant_name(&self) -> &'static str {
        self.rules().game_name(self.castling_rules())
    }

    /// Whether this is the position in which games of its rules start, with its counters.
    pub fn is_start(&self) -> bool {
        match self.variant() {
            None => *self == Self::initial(),
            Some(_) => *self == Self::start(self.rules()),
        }
    }

    /// Returns the position with the same fields in a game of other rules, without men in hand, and with all checks to
    /// be given. `None` if it is impossible there.
    #[doc(hidden)]
    pub fn by_rules(&self, rules: Rules) -> Option<Self> {
        let Setup { board, turn, castling, ep, halfmoves, fullmoves, .. } = self.setup.clone();
        let setup = Setup { board, turn, castling, ep, halfmoves, fullmoves, rules, ..Setup::initial() };
        Self::new(setup).ok()
    }

    /// Returns what only variants have as words for a hash: rules and remaining checks, both hands, and promoted men.
    /// `None` in chess.
    #[doc(hidden)]
    #[inline]
    pub fn additions(&self) -> Option<[u64; 4]> {
        self.variant().map(|_| {
            let Setup { rules, hands, promoted, checks: [white, black], .. } = &self.setup;
            let rest = u64::from_le_bytes([*rules as u8, *white, *black, 0, 0, 0, 0, 0]);
            let [white, black] = Color::ALL.map(|color| {
                Hands::ROLES.iter().fold(0, |word, role| word << 8 | u64::from(hands.count(color, *role)))
            });
            [rest, white, black, promoted.0]
        })
    }

    /// Returns the rules of the game.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.setup.rules
    }

    /// Returns what the rules of a variant change, or `None` in chess. In chess, the one comparison is all that it
    /// costs.
    #[inline(always)]
    pub(crate) fn variant(&self) -> Option<&'static dyn RuleSet> {
        if !Rules::HAVE_VARIANTS || self.setup.rules == Rules::Chess { None } else { Some(rule_set(self.setup.rules)) }
    }

    /// Returns the men in hand. The hands are empty unless the game is crazyhouse.
    #[inline]
    pub fn hands(&self) -> &Hands {
        &self.setup.hands
    }

    /// Returns the squares of promoted men, in crazyhouse.
    #[inline]
    pub fn promoted(&self) -> Bitboard {
        self.setup.promoted
    }

    /// Returns the number of checks that a side still has to give to win, in three-check.
    pub fn remaining_checks(&self, color: Color) -> Option<u8> {
        self.setup.rules.count_checks().then_some(self.setup.checks[color.index()])
    }

    /// Returns the fields.
    #[inline]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.setup.board
    }

    /// Returns the side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.setup.turn
    }

    /// Returns the castling rights.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.setup.castling
    }

    /// Returns the rules of castling that the position alone shows: those of Chess960 if it has castling rights that
    /// standard chess cannot have.
    ///
    /// The game in which the position arose may be Chess960 all the same: it may have lost such rights, or never have
    /// had any.
    pub fn castling_rules(&self) -> CastlingRules {
        if self.castling().are_orthodox(self.board()) { CastlingRules::Standard } else { CastlingRules::Chess960 }
    }

    /// Returns the position without the castling rights that standard chess cannot have.
    #[doc(hidden)]
    #[must_use]
    pub fn with_orthodox_castling(mut self) -> Self {
        self.setup.castling = self.castling().orthodox(self.board());
        self
    }

    /// Returns the square that a pawn passed over in the last move, whether or not an en passant capture is possible.
    #[inline]
    pub fn ep(&self) -> Option<Square> {
        self.setup.ep
    }

    /// Returns the halfmove clock: the number of plies since the last capture or pawn move.
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        self.setup.halfmoves
    }

    /// Returns the fullmove number.
    #[inline]
    pub fn fullmoves(&self) -> u32 {
        self.setup.fullmoves
    }

    /// Returns the square of the king of a color. If it has none, as in some variants, the result has no meaning: see
    /// [`Board::king_of`].
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.board().by_piece(Role::King.of(color)).lowest()
    }

    /// Returns the squares of the pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        match self.variant() {
            None => self.attackers_of_king(),
            Some(rules) => rules.checkers(self),
        }
    }

    /// Returns the enemy pieces that attack the king of the side to move.
    #[inline]
    fn attackers_of_king(&self) -> Bitboard {
        let board = self.board();
        board.attackers_to(self.king(self.turn()), !self.turn(), board.occupied())
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        match self.variant() {
            None => self.is_check_in_chess(),
            Some(rules) => !rules.checkers(self).is_empty(),
        }
    }

    #[inline]
    fn is_check_in_chess(&self) -> bool {
        !self.is_safe(self.king(self.turn()), self.board().occupied(), Bitboard::EMPTY)
    }

    /// Whether two positions are the same under the repetition rule: the same rules, pieces, hands, checks, side to
    /// move, castling rights and legal en passant capture. The counters are not compared.
    pub fn is_same_position(&self, other: &Self) -> bool {
        let extras = |setup: &Setup| (setup.rules, setup.hands, setup.promoted, setup.checks);
        self.board() == other.board()
            && self.turn() == other.turn()
            && self.castling() == other.castling()
            && extras(&self.setup) == extras(&other.setup)
            && self.legal_ep() == other.legal_ep()
    }

    /// Returns the position after a move.
    ///
    /// # Errors
    ///
    /// Returns an error if the move is not legal in this position.
    pub fn play(&self, m: Move) -> Result<Self, IllegalMove> {
        if !self.is_legal(m) {
            return Err(IllegalMove(m));
        }
        let mut next = self.clone();
        next.play_unchecked(m);
        Ok(next)
    }

    /// Plays a move that the caller knows to be legal.
    ///
    /// An illegal move never causes undefined behavior, but the position may become inconsistent, and a later call may
    /// panic.
    #[inline(always)]
    pub fn play_unchecked(&mut self, m: Move) {
        match self.variant() {
            None => self.play_unchecked_in_chess(m),
            Some(rules) => self.play_in_variant(m, rules),
        }
    }

    /// Plays a move by the rules of a variant.
    #[inline(never)]
    fn play_in_variant(&mut self, m: Move, rules: &dyn RuleSet) {
        let played = Played::new(self, m);
        self.play_unchecked_in_chess(m);
        rules.finish(self, &played);
    }

    /// Plays a move as [`play_unchecked`](Self::play_unchecked) does, if the rules are those of chess.
    #[doc(hidden)]
    #[inline(always)]
    pub fn play_unchecked_in_chess(&mut self, m: Move) {
        let Setup { board, turn, castling, ep, halfmoves, fullmoves, .. } = &mut self.setup;
        let color = *turn;
        *turn = !color;
        *fullmoves = fullmoves.saturating_add(color as u32);

        if let Move::Normal { role, from, to, promotion } = m {
            let captures = board.relocate(from, to, role.of(color), promotion.unwrap_or(role));
            let is_pawn = role == Role::Pawn;
            *halfmoves = select_unpredictable(captures | is_pawn, 0, halfmoves.saturating_add(1));
            *ep = if is_pawn { passed_square(from, to) } else { None };
            // Most positions have no castling rights.
            if !castling.is_empty() {
                *castling = castling.after(color, role, from, to);
            }
        } else {
            *halfmoves = halfmoves.saturating_add(1);
            *ep = None;
            self.place_special(m, color);
        }
    }

    /// Updates the board and the castling rights for the rarer kinds of move.
    #[inline(never)]
    fn place_special(&mut self, m: Move, color: Color) {
        let Setup { board, castling, halfmoves, hands, .. } = &mut self.setup;
        match m {
            Move::EnPassant { from, to } => {
                board.clear(captured_en_passant(to));
                board.relocate(from, to, Role::Pawn.of(color), Role::Pawn);
                *halfmoves = 0;
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::of(king, rook);
                // Both pieces leave before either arrives: in Chess960, one may arrive on the square that the other
                // left.
                board.clear(king);
                board.clear(rook);
                board.put(side.king_target(color), Role::King.of(color));
                board.put(side.rook_target(color), Role::Rook.of(color));
                *castling = castling.after_king(color);
            }
            Move::Drop { role, to } => {
                hands.remove(color, role);
                board.set(to, role.of(color));
                // A drop of a pawn counts as a move of a pawn.
                if role == Role::Pawn {
                    *halfmoves = 0;
                }
            }
            Move::Normal { .. } | Move::Null => {}
        }
    }
}

/// The rules that the position alone shows: see [`Position::castling_rules`].
impl From<&Position> for CastlingRules {
    fn from(position: &Position) -> Self {
        position.castling_rules()
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::initial()
    }
}

/// The error of [`Position::play`] for a move that is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Move::Normal { role, from, to, .. } => {
                write!(f, "the {role} on {from} cannot go to {to}")
            }
            Move::EnPassant { from, to } => {
                write!(f, "the pawn on {from} cannot capture en passant on {to}")
            }
            Move::Castle { king, rook } => {
                write!(f, "the king on {king} cannot castle with a rook on {rook}")
            }
            Move::Drop { role, to } => write!(f, "no {role} can be dropped on {to}"),
            Move::Null => f.write_str("a side in check cannot pass"),
        }
    }
}

impl Error for IllegalMove {}

/// Returns the square that a pawn passes over when it moves two ranks from `from` to `to`; `None` for any other move.
#[inline]
pub(crate) fn passed_square(from: Square, to: Square) -> Option<Square> {
    // A pawn moves two ranks only from the second to the fourth or from the seventh to the fifth. No other pawn move
    // changes exactly bit 4 of the square number.
    let (from, to) = (from.number(), to.number());
    (from ^ to == 16).then(|| Square::wrapping((from + to) / 2))
}

/// Returns the square of the pawn that is captured by an en passant capture with the target `to`.
#[inline]
pub(crate) fn captured_en_passant(to: Square) -> Square {
    // The captured pawn is on the fourth rank for a target on the third, on the fifth for one on the sixth: the numbers
    // differ in bit 3.
    Square::wrapping(to.number() ^ 8)
}

#[cfg(test)]
mod tests {
    use crate::fen::{self, FenStyle};
    use crate::moves::Move;
    use crate::piece::{Color, Role};
    use crate::position::Position;
    use crate::rules::Rules;
    use crate::square::Square;
    use crate::testing::{play, position};

    #[track_caller]
    fn check(fen: &str, moves: &str, expected: &str) {
        let after = play(&position(fen), moves);
        assert_eq!(fen::to_string(&after, FenStyle::default()), expected);
    }

    #[test]
    fn captures_and_pawn_moves_restart_the_halfmove_clock() {
        check("4k3/8/8/3p4/8/4P3/8/3QK3 w - - 7 9", "d1d4", "4k3/8/8/3p4/3Q4/4P3/8/4K3 b - - 8 9");
        check("4k3/8/8/3p4/8/4P3/8/3QK3 w - - 7 9", "d1d5", "4k3/8/8/3Q4/8/4P3/8/4K3 b - - 0 9");
        check("4k3/8/8/3p4/4P3/8/8/4K3 w - - 7 9", "e4d5", "4k3/8/8/3P4/8/8/8/4K3 b - - 0 9");
        check("4k3/8/8/3p4/8/4P3/8/3QK3 w - - 7 9", "e3e4", "4k3/8/8/3p4/4P3/8/8/3QK3 b - - 0 9");
        check("4k3/8/8/3p4/8/4P3/8/3QK3 b - - 7 9", "e8e7", "8/4k3/8/3p4/8/4P3/8/3QK3 w - - 8 10");
    }

    #[test]
    fn the_counters_stop_at_their_greatest_number() {
        let max = u32::MAX;
        let fen = format!("4k3/8/8/8/8/8/8/4K3 b - - {max} {max}");
        check(&fen, "e8e7", &format!("8/4k3/8/8/8/8/8/4K3 w - - {max} {max}"));
    }

    #[test]
    fn a_double_step_leaves_its_square_behind_for_one_ply() {
        let start = "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1";
        check(start, "a2a4", "4k3/p7/8/8/P7/8/8/4K3 b - a3 0 1");
        check(start, "a2a4 a7a5", "4k3/8/8/p7/P7/8/8/4K3 w - a6 0 2");
        check(start, "a2a3 a7a6", "4k3/8/p7/8/8/P7/8/4K3 w - - 0 2");
        check(start, "a2a4 e8e7", "8/p3k3/8/8/P7/8/8/4K3 w - - 1 2");
    }

    #[test]
    fn a_pawn_taken_in_passing_stands_beside_the_taker() {
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2");
        check("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 2", "e4d3", "4k3/8/8/8/8/3p4/8/4K3 w - - 0 3");
    }

    #[test]
    fn castling_rights_go_with_the_king_and_with_each_rook() {
        let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        check(start, "e1e2", "r3k2r/8/8/8/8/8/4K3/R6R b kq - 1 1");
        check(start, "h1g1", "r3k2r/8/8/8/8/8/8/R3K1R1 b Qkq - 1 1");
        check(start, "a1a8", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1");
        check(start, "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
    }

    #[test]
    fn a_castling_king_of_chess960_may_stay_or_change_places_with_his_rook() {
        check("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
        check("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
        check("1rk5/8/8/8/8/8/8/4K3 b b - 0 1", "c8b8", "2kr4/8/8/8/8/8/8/4K3 w - - 1 2");
        check("4k3/8/8/8/8/8/8/1KR5 w C - 0 1", "b1c1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    }

    #[test]
    fn passing_changes_the_turn_and_forgets_the_double_step() {
        let mut position = play(&Position::initial(), "e2e4");
        position.play_unchecked(Move::Null);
        let passed = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2";
        assert_eq!(fen::to_string(&position, FenStyle::default()), passed);
    }

    #[test]
    fn a_repetition_is_told_by_what_can_be_played_next() {
        let start = Position::initial();
        assert!(play(&start, "g1f3 g8f6 f3g1 f6g8").is_same_position(&start));
        assert!(!play(&start, "g1f3").is_same_position(&start));
        // No pawn can capture on e3, so e2-e4 leads to the same position as e2-e3-e4.
        let black = play(&start, "e2e4 b8c6 g1f3 c6b8 f3g1");
        assert!(play(&start, "e2e4").is_same_position(&black));
        // A rook that has moved loses its castling right.
        let moved = "g1f3 g8f6 h1g1 h8g8 g1h1 g8h8 f3g1 f6g8";
        assert!(!play(&start, moved).is_same_position(&start));
    }

    #[test]
    fn a_game_is_named_by_its_rules_and_rooks() {
        assert_eq!(Position::initial().variant_name(), "standard");
        assert_eq!(position("4k3/8/8/8/8/8/8/4KR2 w F - 0 1").variant_name(), "chess960");
        assert_eq!(Position::start(Rules::Horde).variant_name(), "horde");
    }

    #[test]
    fn rooks_that_only_chess960_has_lose_their_rights() {
        let orthodox = position("r3k2r/8/8/8/8/8/8/R3KR2 w FAkq - 5 9").with_orthodox_castling();
        assert_eq!(orthodox.to_string(), "r3k2r/8/8/8/8/8/8/R3KR2 w Qkq - 5 9");
    }

    #[test]
    fn a_start_is_that_of_its_rules() {
        for rules in Rules::ALL {
            let start = Position::start(rules);
            assert!(start.is_start(), "{rules}");
            assert!(!start.play(start.legal_moves()[0]).unwrap().is_start(), "{rules}");
        }
        assert!(!position("4k3/8/8/8/8/8/8/4K3 w - - 0 1").is_start());
    }

    #[test]
    fn fields_go_over_to_other_rules_if_they_allow_them() {
        let given = position("4k3/8/8/8/3pP3/8/8/4K2R b K e3 5 9");
        let other = given.by_rules(Rules::ThreeCheck).expect("a position");
        assert_eq!(other.to_string(), "4k3/8/8/8/3pP3/8/8/4K2R b K e3 3+3 5 9");
        assert_eq!(other.by_rules(Rules::Chess), Some(given.clone()));
        assert_eq!(given.by_rules(Rules::Horde), None);
    }

    #[test]
    fn what_only_variants_have_is_told_in_words() {
        let additions = |rules, fen: &str| fen::read_by(rules, fen.as_bytes()).expect(fen).position.additions();
        assert_eq!(additions(Rules::Chess, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"), None);
        let crazyhouse = additions(Rules::Crazyhouse, "4k3/8/8/8/8/8/8/Q~3K3[PPNqr] w - - 0 1");
        assert_eq!(crazyhouse, Some([0x03_03_01, 0x02_01_00_00_00, 0x00_00_00_01_01, 1]));
        let three_check = additions(Rules::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 1+2 0 1");
        assert_eq!(three_check, Some([0x02_01_02, 0, 0, 0]));
    }

    #[test]
    fn checks_remain_where_they_are_counted() {
        let start = Position::start(Rules::ThreeCheck);
        assert_eq!(start.remaining_checks(Color::White), Some(3));
        let checked = play(&start, "e2e4 f7f6 d1h5");
        assert_eq!([Color::White, Color::Black].map(|color| checked.remaining_checks(color)), [Some(2), Some(3)]);
        assert_eq!(Position::initial().remaining_checks(Color::White), None);
    }

    #[test]
    fn promoted_men_are_told_by_their_squares() {
        let reading = fen::read_by(Rules::Crazyhouse, b"4k3/8/8/8/8/8/8/Q~Q2K3[] w - - 0 1").expect("a position");
        assert_eq!(reading.position.promoted(), Square::A1.into());
        assert!(Position::start(Rules::Crazyhouse).promoted().is_empty());
    }

    #[test]
    fn what_differs_makes_another_position() {
        let position = |rules, fen: &str| fen::read_by(rules, fen.as_bytes()).expect(fen).position;
        let hands = |hands| position(Rules::Crazyhouse, &format!("4k3/8/8/8/8/8/8/Q3K3[{hands}] w - - 0 1"));
        assert!(hands("").is_same_position(&hands("")));
        assert!(!hands("").is_same_position(&hands("p")));
        let promoted = position(Rules::Crazyhouse, "4k3/8/8/8/8/8/8/Q~3K3[] w - - 0 1");
        assert!(!hands("").is_same_position(&promoted));
        let kings = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
        let same = |rules, other| position(rules, kings).is_same_position(&position(other, kings));
        assert!(same(Rules::Chess, Rules::Chess) && !same(Rules::Chess, Rules::KingOfTheHill));
        assert!(!position(Rules::Chess, kings).is_same_position(&position(Rules::Chess, &kings.replace('w', "b"))));
    }

    #[test]
    fn an_illegal_move_is_refused_at_the_border() {
        let castle = Move::Castle { king: Square::E1, rook: Square::H1 };
        let refused = Position::initial().play(castle).expect_err("knight and bishop are in the way");
        assert_eq!(refused.to_string(), "the king on e1 cannot castle with a rook on h1");
        for (m, message) in [
            (
                Move::Normal { role: Role::Knight, from: Square::G1, to: Square::E2, promotion: None },
                "the knight on g1 cannot go to e2",
            ),
            (Move::EnPassant { from: Square::E5, to: Square::D6 }, "the pawn on e5 cannot capture en passant on d6"),
            (Move::Drop { role: Role::Queen, to: Square::E4 }, "no queen can be dropped on e4"),
        ] {
            assert_eq!(Position::initial().play(m).unwrap_err().to_string(), message);
        }
        let check = position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
        assert_eq!(check.play(Move::Null).unwrap_err().to_string(), "a side in check cannot pass");
    }
}
