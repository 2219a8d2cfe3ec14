//! The format `epd`: the first four fields of the FEN and operations on each line (PGN standard §16.2).

use crate::column::Column;
use crate::columns::{Cell, Columns};
use crate::encoded::Encoded;
use crate::formats::values::append_plain;
use crate::group::GroupPiece;
use crate::table::Value;
use pgn2fen_chess::piece::Color;
use pgn2fen_tables::beginning;

/// Appends rows: the first four fields of the FEN, then operations for the two move counters, if the FEN has them, and
/// for the columns.
pub(super) fn rows(columns: &Columns, piece: &GroupPiece, encoded: &mut Encoded) {
    let out = &mut encoded.bytes;
    for index in piece.indices() {
        let fen = piece.table.ascii(&Column::Fen, index).unwrap_or_default();
        // The counters are found from the end, because the board is long. Without them the last field is the en passant
        // square, which does not begin with a digit.
        let mut fields = fen.rsplitn(3, |byte| *byte == b' ');
        match (fields.next(), fields.next(), fields.next()) {
            (Some(fullmoves @ [b'0'..=b'9', ..]), Some(halfmoves), Some(position)) => {
                out.extend_from_slice(position);
                append_operation(b"hmvc", halfmoves, out);
                append_operation(b"fmvn", fullmoves, out);
            }
            _ => out.extend_from_slice(fen),
        }
        let mut comments = 0;
        for cell in columns.cells().filter(|cell| *cell.column != Column::Fen) {
            append_column(cell, piece, index, &mut comments, out);
        }
        out.push(b'\n');
    }
}

/// The most columns that may lack an opcode of their own. They use the opcodes `c0` to `c8`, since `c9` is the result.
pub(crate) const MOST_COMMENTS: usize = 9;

/// Whether a column has an opcode of its own, or is part of the position.
pub(crate) fn has_opcode(column: &Column) -> bool {
    matches!(
        column,
        Column::Fen | Column::NextSan | Column::Eval | Column::Depth | Column::Nodes | Column::Result | Column::Eco
    )
}

/// Appends the operation of a column. `sm` is the move that was played. `ce` is the evaluation from the point of view
/// of the side to move, `acd` and `acn` are the depth and the nodes of the search (§16.2.5). `eco` is the code of the
/// opening. `c9` is the result, as in many sets of training positions. The other columns are the comments `c0` to `c8`,
/// in order.
fn append_column(cell: Cell<'_>, piece: &GroupPiece, index: usize, comments: &mut usize, out: &mut Vec<u8>) {
    let comment = [b'c', b'0' + u8::try_from(*comments).unwrap_or(0)];
    *comments += usize::from(!has_opcode(cell.column));
    match (cell.column, piece.table.value(cell, index)) {
        (_, Value::Missing) => {}
        (Column::NextSan, Value::Ascii(san)) => append_operation(b"sm", san, out),
        (Column::Eval, Value::Number(eval)) => {
            let eval = if piece.table.turn(index) == Color::White { eval } else { -eval };
            append_operation(b"ce", eval.to_string().as_bytes(), out);
        }
        (Column::Depth, Value::Number(depth)) => append_operation(b"acd", depth.to_string().as_bytes(), out),
        (Column::Nodes, Value::Number(nodes)) => append_operation(b"acn", nodes.to_string().as_bytes(), out),
        (Column::Eco, Value::Text(eco)) => append_operation(b"eco", &quoted(eco), out),
        (Column::Result, Value::Ascii(result)) => append_operation(b"c9", &quoted(result), out),
        (_, Value::Text(text)) => append_operation(&comment, &quoted(text), out),
        (_, value) => {
            let mut plain = Vec::new();
            append_plain(value, &mut plain);
            append_operation(&comment, &quoted(&plain), out);
        }
    }
}

fn append_operation(opcode: &[u8], operand: &[u8], out: &mut Vec<u8>) {
    out.push(b' ');
    out.extend_from_slice(opcode);
    out.push(b' ');
    out.extend_from_slice(operand);
    out.push(b';');
}

/// Returns a string operand, cut to 255 bytes. EPD has no escapes, so `"` becomes `'` and control characters become
/// spaces.
fn quoted(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let plain = |char: char| match char {
        '"' => '\'',
        char if char.is_control() => ' ',
        char => char,
    };
    let plain: String = beginning(&text, 255).chars().map(plain).collect();
    format!("\"{plain}\"").into_bytes()
}
