//! The format `bullet`: `FEN | centipawns | result` on each line, the text format of the bullet trainer.

use std::io::Write;

use crate::columns::Columns;
use crate::encode::encoded::Encoded;
use crate::encode::formats::label::{Label, Mates};
use crate::encode::formats::values::{NEVER_FAILS, append_fen};
use crate::table::group::GroupPiece;

/// Appends rows.
pub(super) fn rows(_: &Columns, piece: &GroupPiece, encoded: &mut Encoded) {
    let Encoded { bytes: out, left_out, .. } = encoded;
    for index in piece.indices() {
        let Some(label) = Label::of(piece, index, Mates::LeaveOut, left_out) else {
            continue;
        };
        let result = match label.result {
            0 => "0.0",
            1 => "0.5",
            _ => "1.0",
        };
        append_fen(piece, index, out);
        writeln!(out, " | {} | {result}", label.score).expect(NEVER_FAILS);
    }
}
