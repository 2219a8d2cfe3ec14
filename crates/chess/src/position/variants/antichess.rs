//! Antichess, and Giveaway and Suicide of FICS: captures are compulsory, kings are ordinary men, and the side without
//! men has won.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use crate::attacks;
use crate::bitboard::Bitboard;
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

/// Giveaway in which the side with fewer men wins if the side to move has no move.
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
            // With the king on its first rank, the rights to castle are captured.
            if let Some((sq, Piece { color, role: Role::King })) = played.captured
                && sq.rank() == color.back_rank()
            {
                position.setup.castling = position.setup.castling.after_king(color);
            }
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

    fn winner_of_stalemate(&self, position: &Position) -> Option<Color> {
        let [white, black] = Color::ALL.map(|color| position.board().by_color(color).count());
        match white.cmp(&black) {
            Ordering::Less => Some(Color::White),
            Ordering::Equal => None,
            Ordering::Greater => Some(Color::Black),
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
