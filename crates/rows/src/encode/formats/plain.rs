//! The format `plain`: six lines of text for each position, which the tools of Stockfish convert to their binary
//! formats.

use std::io::Write;

use crate::columns::Columns;
use crate::columns::column::Column;
use crate::columns::packed::NO_MOVE;
use crate::encode::encoded::Encoded;
use crate::encode::formats::label::{Label, Mates};
use crate::encode::formats::values::{NEVER_FAILS, append_fen};
use crate::table::group::GroupPiece;

/// Appends rows. The score and the result are those of the side to move.
pub(super) fn rows(_: &Columns, piece: &GroupPiece, encoded: &mut Encoded) {
    let Encoded { bytes: out, left_out, .. } = encoded;
    let table = &*piece.table;
    for index in piece.indices() {
        let Some(label) = Label::of(piece, index, Mates::LeaveOut, left_out) else {
            continue;
        };
        if table.packed_move(index) == NO_MOVE {
            left_out.without_move += 1;
            continue;
        }
        let Some(position) = table.packed_position(index) else {
            continue;
        };
        let Label { score, result } = label.seen_by(position.turn);
        out.extend_from_slice(b"fen ");
        append_fen(piece, index, out);
        out.extend_from_slice(b"\nmove ");
        out.extend_from_slice(table.ascii(&Column::NextUci, index).unwrap_or_default());
        // The tools have 16 bits for the ply.
        let (ply, result) = (position.ply().min(u16::MAX.into()), i16::from(result) - 1);
        writeln!(out, "\nscore {score}\nply {ply}\nresult {result}\ne").expect(NEVER_FAILS);
    }
}
