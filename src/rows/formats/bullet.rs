//! The format `bullet`: `FEN | centipawns | result` on each line, the text format of the bullet trainer.

use std::io::Write;

use crate::pgn::token::Outcome;
use crate::rows::column::Columns;
use crate::rows::encode::Encode;
use crate::rows::encoded::Encoded;
use crate::rows::error::ExportError;
use crate::rows::formats::values::{NEVER_FAILS, append_fen};
use crate::rows::group::{Group, Piece};
use crate::rows::left_out::LeftOut;

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

/// Appends rows, and returns the numbers of rows that were left out. Mates are left out because they are not centipawns. All other
/// evaluations fit into the 16 bits that the trainer has for them.
fn rows(piece: &Piece, out: &mut Vec<u8>) -> LeftOut {
    let mut left_out = LeftOut::default();
    for index in piece.indices() {
        let result = match piece.table.result(index) {
            Outcome::WhiteWins => Some("1.0"),
            Outcome::Draw => Some("0.5"),
            Outcome::BlackWins => Some("0.0"),
            Outcome::Unknown => None,
        };
        match (piece.table.eval(index), result) {
            (None, _) => left_out.without_evaluation += 1,
            (Some(eval), _) if eval.is_mate => left_out.mates += 1,
            (Some(_), None) => left_out.without_result += 1,
            (Some(eval), Some(result)) => {
                append_fen(piece, index, out);
                writeln!(out, " | {} | {result}", eval.centipawns).expect(NEVER_FAILS);
            }
        }
    }
    left_out
}
