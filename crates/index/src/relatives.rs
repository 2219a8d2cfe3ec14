//! Positions on the same board that may have been meant instead: with other castling rights, with or without an en
//! passant square, or with the other side to move.

use pgn2fen_chess::board::Board;
use pgn2fen_chess::castling::{CastlingRights, CastlingSide};
use pgn2fen_chess::fen::{self, EpStyle, FenStyle};
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::setup::Setup;
use pgn2fen_chess::square::{File, Rank, Square};

/// A position that differs from another only in castling rights, en passant square or side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relative {
    /// The position.
    pub position: Position,
    /// The difference to the other position, as a phrase: `with KQkq`, `with Black to move`.
    pub difference: String,
}

/// Returns the different positions on the same board. Those with the same side to move come first.
pub fn relatives(position: &Position) -> Vec<Relative> {
    let setup = position.setup();
    let mut found: Vec<Relative> = Vec::new();
    for turn in [position.turn(), !position.turn()] {
        let other_side = turn != position.turn();
        let passed = match turn {
            Color::White => Rank::Sixth,
            Color::Black => Rank::Third,
        };
        let squares = File::ALL.into_iter().map(|file| Some(Square::new(file, passed)));
        for castling in possible_rights(&setup.board) {
            for ep in [None].into_iter().chain(squares.clone()) {
                let Ok((other, _)) = Position::repaired(Setup { turn, castling, ep, ..setup.clone() }) else {
                    continue;
                };
                let is_as_wanted = other.castling() == castling && other.legal_ep() == ep;
                let is_known = position.is_same_position(&other)
                    || found.iter().any(|relative| relative.position.is_same_position(&other));
                // A position that differs in both side to move and castling rights is not a likely slip, unless the
                // text is a board alone, for which both are guessed.
                let is_likely = !other_side || position.castling().is_empty() || castling == position.castling();
                if is_as_wanted && !is_known && is_likely {
                    found.push(Relative { difference: difference(position, &other), position: other });
                }
            }
        }
    }
    found
}

/// Returns all castling rights that the kings and rooks on their back ranks allow. Of several rooks on one side, the
/// outermost has the right.
fn possible_rights(board: &Board) -> Vec<CastlingRights> {
    let mut rooks = Vec::new();
    for color in Color::ALL {
        let back_rank = color.back_rank();
        let Some(king) = board.king_of(color).filter(|king| king.rank() == back_rank) else { continue };
        let on_rank = board.by_piece(Role::Rook.of(color)) & back_rank.into();
        let beside = |side| move |rook: &Square| CastlingSide::of(king, *rook) == side;
        rooks.extend(on_rank.into_iter().filter(beside(CastlingSide::Queen)).min_by_key(|rook| rook.file()));
        rooks.extend(on_rank.into_iter().filter(beside(CastlingSide::King)).max_by_key(|rook| rook.file()));
    }
    let subset = |chosen: u32| {
        let is_chosen = |i: &usize| chosen >> i & 1 == 1;
        (0..rooks.len()).filter(is_chosen).fold(CastlingRights::NONE, |rights, i| rights.with(rooks[i]))
    };
    (0..1 << rooks.len()).map(subset).collect()
}

fn difference(from: &Position, to: &Position) -> String {
    let field = |position: &Position, at: usize| {
        let fen = fen::to_string(position, FenStyle { ep: EpStyle::Legal, ..FenStyle::default() });
        fen.split(' ').nth(at).unwrap_or_default().to_owned()
    };
    let mut parts = Vec::new();
    let from_other_side = from.turn() != to.turn();
    if from_other_side {
        parts.push(format!("with {} to move", to.turn().pick("White", "Black")));
    }
    match (field(from, 2), field(to, 2)) {
        (from, to) if from == to => {}
        (_, to) if to == "-" => parts.push("without castling rights".to_owned()),
        (_, to) => parts.push(format!("with {to}")),
    }
    match (field(from, 3), field(to, 3)) {
        // The en passant square goes with the side to move, so its loss is not mentioned.
        (_, to) if to == "-" && from_other_side => {}
        (from, to) if from == to => {}
        (from, to) if to == "-" => parts.push(format!("without the e.p. square {from}")),
        (_, to) => parts.push(format!("with the e.p. square {to}")),
    }
    parts.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::relatives;
    use pgn2fen_chess::testing::position;

    #[track_caller]
    fn check(fen: &str, expected: &[&str]) {
        let differences: Vec<String> = relatives(&position(fen)).into_iter().map(|it| it.difference).collect();
        assert_eq!(differences, expected, "{fen}");
    }

    #[test]
    fn castling_rights_are_those_of_kings_and_rooks_in_their_places() {
        check("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &["without castling rights", "with Black to move"]);
        check(
            "4k2r/8/8/8/8/8/8/4K2R w K - 0 1",
            &["without castling rights", "with k", "with Kk", "with Black to move"],
        );
        check("4k3/8/8/8/8/8/4K3/7R w - - 0 1", &["with Black to move"]);
        check("6k1/8/8/8/8/8/8/5RK1 w - - 0 1", &["with Q", "with Black to move", "with Black to move and with Q"]);
    }

    #[test]
    fn of_a_board_alone_both_side_and_castling_rights_are_guesses() {
        check("4k3/8/8/8/8/8/8/4K2R w - - 0 1", &["with K", "with Black to move", "with Black to move and with K"]);
        let king_pawn = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 1";
        let differences: Vec<String> = relatives(&position(king_pawn)).into_iter().map(|it| it.difference).collect();
        assert!(differences.iter().any(|it| it == "with Black to move and with KQkq"), "{differences:?}");
        check("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &["without castling rights", "with Black to move"]);
    }

    #[test]
    fn en_passant_is_a_difference_where_it_can_be_played() {
        check("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", &["with the e.p. square d6", "with Black to move"]);
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &["without the e.p. square d6", "with Black to move"]);
        check("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", &["with Black to move"]);
    }

    #[test]
    fn whoever_is_in_check_is_to_move() {
        check("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", &[]);
    }
}
