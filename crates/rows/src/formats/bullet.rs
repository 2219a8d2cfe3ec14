//! The format `bullet`: `FEN | centipawns | result` on each line, the text format of the bullet trainer.

use std::io::Write;

use crate::columns::Columns;
use crate::encode::Encode;
use crate::encoded::Encoded;
use crate::error::ExportError;
use crate::formats::label::{Label, Mates};
use crate::formats::values::{NEVER_FAILS, append_fen};
use crate::group::{Group, GroupPiece};
use pgn2fen_games::walk::LeftOut;

/// Encodes rows for the trainer, and counts those that it cannot use.
pub(super) struct Bullet;

impl Encode for Bullet {
    fn encode(&self, _: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        for piece in &group.pieces {
            encoded.left_out += rows(piece, &mut encoded.bytes);
        }
        Ok(())
    }
}

/// Appends rows, and returns the numbers of rows that were left out.
fn rows(piece: &GroupPiece, out: &mut Vec<u8>) -> LeftOut {
    let mut left_out = LeftOut::default();
    for index in piece.indices() {
        let Some(label) = Label::of(piece, index, Mates::LeaveOut, &mut left_out) else {
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
    left_out
}
