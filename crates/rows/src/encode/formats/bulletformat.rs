//! The format `bulletformat`: a record of 32 bytes for each position, as the bullet trainer reads it (crate
//! bulletformat 1.8, `ChessBoard`).

use crate::columns::Columns;
use crate::encode::encoded::Encoded;
use crate::encode::formats::label::{Label, Mates};
use crate::table::group::GroupPiece;

/// Appends records. Everything is from the point of view of the side to move. For Black the board is turned upside
/// down: the square a8 becomes a1.
pub(super) fn records(_: &Columns, piece: &GroupPiece, encoded: &mut Encoded) {
    let Encoded { bytes: out, left_out, .. } = encoded;
    for index in piece.indices() {
        let Some(label) = Label::of(piece, index, Mates::LeaveOut, left_out) else {
            continue;
        };
        let position = piece.table.packed_position(index);
        let Some((position, men)) = position.and_then(|position| Some((position, position.men_of_mover()?))) else {
            left_out.too_many_men += 1;
            continue;
        };
        let turn = position.turn;
        let Label { score, result } = label.seen_by(turn);
        // Each king as its own side sees the board.
        let king = |color| position.king(color) ^ turn.pick(0, 56);
        out.extend_from_slice(&men.occupied.to_le_bytes());
        out.extend_from_slice(&men.codes);
        out.extend_from_slice(&score.to_le_bytes());
        out.extend_from_slice(&[result, king(turn), king(!turn) ^ 56, 0, 0, 0]);
    }
}
