//! Antichess of Lichess, Giveaway of ICC and Suicide of FICS: captures are compulsory, kings are ordinary men, and the
//! side without men has won.
//!
//! The help of ICC (`Giveaway`) has castling without regard to attacks, and a win for the side that has no move. The
//! help of FICS (`suicide_chess`) has no castling, and counts the men if the side to move has no move. Neither says
//! what becomes of castling with several kings: here, the rights stay with the king that has not moved.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::castling_king_among;
use crate::castling::CastlingRights;
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::position::end::{End, EndReason};
use crate::position::variants::{Played, RuleSet};
use crate::rules::Rules;
use crate::setup::Setup;

/// Antichess as on Lichess: no castling, and a side without moves has won.
pub(super) struct Antichess;

/// Antichess with castling.
pub(super) struct Giveaway;

/// Antichess in which the side with fewer men wins if the side to move has no move. There is no castling from the usual
/// start; the rights that a FEN gives are kept.
pub(super) struct Suicide;

/// The methods that antichess, Giveaway and Suicide share.
macro_rules! giving_away {
    () => {
        fn kings(&self, _color: Color) -> RangeInclusive<u32> {
            0..=64
        }

        fn is_opposite_check(&self, _position: &Position) -> bool {
            false
        }

        fn end(&self, position: &Position) -> Option<End> {
            let has_none = |color: &Color| position.board().by_color(*color).is_empty();
            let winner = Color::ALL.into_iter().find(has_none)?;
            Some(End { winner: Some(winner), reason: EndReason::NoMen(winner) })
        }

        fn checkers(&self, _position: &Position) -> Bitboard {
            Bitboard::EMPTY
        }

        fn permits(&self, position: &Position, m: Move) -> bool {
            match m {
                Move::Castle { king, rook } => {
                    !can_capture(position) && position.has_castling_path(king, rook, |_, _| true)
                }
                Move::Null => true,
                _ => m.is_capture(position.board()) || !can_capture(position),
            }
        }

        fn reason(&self, position: &Position, _m: Move) -> Option<&'static str> {
            can_capture(position).then_some("a capture is possible, and captures are compulsory")
        }

        fn promotions(&self) -> &'static [Role] {
            &[Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::King]
        }

        fn finish(&self, position: &mut Position, played: &Played) {
            keep_rights_of_castling_king(position, played);
        }
    };
}

impl RuleSet for Antichess {
    giving_away!();

    fn start(&self, rules: Rules) -> Setup {
        Setup { rules, castling: CastlingRights::NONE, ..Setup::initial() }
    }

    fn castle(&self) -> bool {
        false
    }

    fn winner_of_stalemate(&self, position: &Position) -> Option<Color> {
        Some(position.turn())
    }
}

impl RuleSet for Giveaway {
    giving_away!();

    fn winner_of_stalemate(&self, position: &Position) -> Option<Color> {
        Some(position.turn())
    }
}

impl RuleSet for Suicide {
    giving_away!();

    fn start(&self, rules: Rules) -> Setup {
        Antichess.start(rules)
    }

    fn winner_of_stalemate(&self, position: &Position) -> Option<Color> {
        let [white, black] = Color::ALL.map(|color| position.board().by_color(color).count());
        match white.cmp(&black) {
            Ordering::Less => Some(Color::White),
            Ordering::Equal => None,
            Ordering::Greater => Some(Color::Black),
        }
    }
}

/// Corrects the castling rights after the move or the capture of a king. Only those of the king that may castle are
/// lost.
fn keep_rights_of_castling_king(position: &mut Position, played: &Played) {
    let setup = &mut position.setup;
    if let Move::Normal { role: Role::King, from, to, .. } = played.m {
        let kings = setup.board.by_piece(Role::King.of(played.color)).without(to).with(from);
        if castling_king_among(kings, played.color) != Some(from) {
            setup.castling = CastlingRights::new(setup.castling.rooks() | played.castling.of(played.color).rooks());
        }
    }
    if let Some((sq, Piece { color, role: Role::King })) = played.captured {
        let kings = setup.board.by_piece(Role::King.of(color)).with(sq);
        if castling_king_among(kings, color) == Some(sq) {
            setup.castling = setup.castling.after_king(color);
        }
    }
}

/// Whether the side to move can capture.
fn can_capture(position: &Position) -> bool {
    let (board, turn) = (position.board(), position.turn());
    let (occupied, theirs) = (board.occupied(), board.by_color(!turn));
    let captures = |role: Role| {
        let piece = role.of(turn);
        board.by_piece(piece).into_iter().any(|from| !(attacks::of(piece, from, occupied) & theirs).is_empty())
    };
    Role::ALL.into_iter().any(captures) || position.pseudo_legal_ep().is_some()
}

#[cfg(test)]
mod tests {
    use crate::fen;
    use crate::piece::Color;
    use crate::position::{End, EndReason, Position};
    use crate::rules::Rules;
    use crate::testing::play;

    fn position(rules: Rules, fen: &str) -> Position {
        fen::read_by(rules, fen.as_bytes()).expect(fen).position
    }

    #[test]
    fn only_the_castling_king_loses_the_rights() {
        let after = |fen: &str, moves: &str| play(&position(Rules::Giveaway, fen), moves).to_string();
        // A promoted king moves, or the king that may castle.
        let kings = "8/1K4p1/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert_eq!(after(kings, "b7b6 g7g6 e1g1"), "8/8/1K4p1/8/8/8/8/R4RK1 b - - 1 2");
        assert_eq!(after(kings, "e1e2"), "8/1K4p1/8/8/8/8/4K3/R6R b - - 1 1");
        // A promoted king is captured on the first rank, or the king that may castle.
        assert_eq!(after("7k/8/8/8/8/1b6/8/R2KK2R b KQ - 0 1", "b3d1"), "7k/8/8/8/8/8/8/R2bK2R w KQ - 0 2");
        assert_eq!(after("7k/8/8/8/7b/8/8/R2KK2R b KQ - 0 1", "h4e1"), "7k/8/8/8/8/8/8/R2Kb2R w - - 0 2");
        // Attacks do not prevent it.
        assert_eq!(after("k3r3/8/8/8/8/4p3/4P3/4K2R w K - 0 1", "e1g1"), "k3r3/8/8/8/8/4p3/4P3/5RK1 b - - 1 1");
    }

    #[test]
    fn a_capture_comes_before_castling() {
        let position = position(Rules::Giveaway, "7k/8/8/8/8/8/7r/4K2R w K - 0 1");
        let moves: Vec<String> = position.legal_moves().iter().map(|m| m.to_uci(&position)).collect();
        assert_eq!(moves, ["h1h2"]);
    }

    #[test]
    fn suicide_starts_without_castling_rights_and_keeps_those_of_a_fen() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
        assert_eq!(Position::start(Rules::Suicide).to_string(), start);
        let given = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert_eq!(position(Rules::Suicide, given).to_string(), given);
        assert_eq!(position(Rules::Antichess, given).to_string(), given.replace("KQ", "-"));
    }

    #[test]
    fn a_stalemate_is_won_by_the_side_to_move_or_by_the_fewer_men() {
        for (fen, fewer) in [
            ("8/8/8/8/8/p7/P7/8 w - - 0 1", None),
            ("7n/8/8/8/8/p7/P7/8 w - - 0 1", Some(Color::White)),
            ("8/8/8/8/p7/P7/P7/8 w - - 0 1", Some(Color::Black)),
        ] {
            let end = |winner| Some(End { winner, reason: EndReason::Stalemate });
            assert_eq!(position(Rules::Suicide, fen).end(), end(fewer), "{fen}");
            for rules in [Rules::Antichess, Rules::Giveaway] {
                assert_eq!(position(rules, fen).end(), end(Some(Color::White)), "{fen} in {rules}");
            }
        }
    }
}
