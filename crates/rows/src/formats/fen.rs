//! The formats `fen` and `uci`: one position on each line, as FEN or as a command for engines.

use crate::columns::Columns;
use crate::formats::values::append_fen;
use crate::group::GroupPiece;

/// Appends each position as FEN.
pub(super) fn fen(_: &Columns, piece: &GroupPiece, out: &mut Vec<u8>) {
    for index in piece.indices() {
        append_fen(piece, index, out);
        out.push(b'\n');
    }
}

/// Appends each position as a command `position fen …`.
pub(super) fn uci(_: &Columns, piece: &GroupPiece, out: &mut Vec<u8>) {
    for index in piece.indices() {
        out.extend_from_slice(b"position fen ");
        append_fen(piece, index, out);
        out.push(b'\n');
    }
}
