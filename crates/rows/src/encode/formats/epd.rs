//! The format `epd`: the first four fields of the FEN and operations on each line (PGN standard §16.2).

use std::borrow::Cow;

use crate::columns::column::Column;
use crate::columns::operations::{MOST_COMMENTS, has_opcode, own_opcode, quoted};
use crate::columns::{Cell, Columns};
use crate::encode::encoded::Encoded;
use crate::encode::formats::values::append_plain;
use crate::table::group::GroupPiece;
use crate::table::value::Value;
use pgn2fen_chess::piece::Color;

/// Appends rows: the first four fields of the FEN, then operations for the two move counters, if the FEN has them, the
/// operations on the line of a list that was read, and operations for the columns.
pub(super) fn rows(columns: &Columns, piece: &GroupPiece, encoded: &mut Encoded) {
    let out = &mut encoded.bytes;
    for index in piece.indices() {
        let fen = piece.table.ascii(&Column::Fen, index).unwrap_or_default();
        // The counters are found from the end, because the board is long. Without them the last field is the en passant
        // square, which does not begin with a digit.
        // In three-check, checks stand there.
        let (fen, given) = split_given_checks(fen);
        let mut fields = fen.rsplitn(3, |byte| *byte == b' ');
        match (fields.next(), fields.next(), fields.next()) {
            (Some(fullmoves), Some(halfmoves), Some(position)) if fullmoves.iter().all(u8::is_ascii_digit) => {
                out.extend_from_slice(position);
                out.extend_from_slice(given);
                append_operation(b"hmvc", halfmoves, out);
                append_operation(b"fmvn", fullmoves, out);
            }
            _ => out.extend_from_slice(&[fen, given].concat()),
        }
        let own = piece.table.value(OPERATIONS, index).text().unwrap_or_default();
        let mut written = Written { own, comments: 0 };
        for operation in own.lines().filter(|text| !matches!(opcode(text), "hmvc" | "fmvn")) {
            out.push(b' ');
            out.extend_from_slice(operation.as_bytes());
            out.push(b';');
        }
        let is_column = |cell: &Cell<'_>| !matches!(cell.column, Column::Fen | Column::Operations);
        for cell in columns.cells().filter(is_column) {
            append_column(cell, piece, index, &mut written, out);
        }
        out.push(b'\n');
    }
}

/// Divides a FEN before the checks that were given in three-check, which stand at its end in the form of Lichess.
fn split_given_checks(fen: &[u8]) -> (&[u8], &[u8]) {
    let last = fen.iter().rposition(|byte| *byte == b' ').filter(|blank| fen.get(blank + 1) == Some(&b'+'));
    fen.split_at(last.unwrap_or(fen.len()))
}

/// The column of the operations, to look up its values.
const OPERATIONS: Cell<'static> = Cell { column: &Column::Operations, tag: 0 };

/// The operations that a line has already.
struct Written<'o> {
    /// The operations on the line of the list that was read, each on a line.
    own: &'o str,
    /// The number of comments that were used for columns, or passed over.
    comments: u8,
}

impl Written<'_> {
    fn has(&self, wanted: &str) -> bool {
        self.own.lines().any(|text| opcode(text) == wanted)
    }

    /// Returns the opcode of the next comment that the line does not have; `None` if it has all of them.
    fn next_comment(&mut self) -> Option<String> {
        loop {
            let number = self.comments;
            if usize::from(number) == MOST_COMMENTS {
                return None;
            }
            self.comments += 1;
            let opcode = format!("c{number}");
            if !self.has(&opcode) {
                return Some(opcode);
            }
        }
    }
}

/// Returns the opcode of an operation.
fn opcode(operation: &str) -> &str {
    operation.split(' ').next().unwrap_or_default()
}

/// Appends the operation of a column, unless the line has an operation with its opcode. `sm` is the move that was
/// played. `ce` is the evaluation from the point of view of the side to move, `acd` and `acn` are the depth and the
/// nodes of the search (§16.2.5). `eco` is the code of the opening. `c9` is the result, as in many sets of training
/// positions. A tag with the name of an operation is that operation. The other columns are the comments `c0` to `c8`,
/// in order, as far as the line does not have them.
fn append_column(cell: Cell<'_>, piece: &GroupPiece, index: usize, written: &mut Written<'_>, out: &mut Vec<u8>) {
    let comment = if has_opcode(cell.column) { None } else { written.next_comment() };
    let (opcode, operand): (&str, Cow<'_, [u8]>) = match (cell.column, piece.table.value(cell, index)) {
        (_, Value::Missing) => return,
        (Column::NextSan, Value::Ascii(san)) => ("sm", san.into()),
        (Column::Eval, Value::Number(eval)) => {
            let eval = if piece.table.turn(index) == Color::White { eval } else { -eval };
            ("ce", eval.to_string().into_bytes().into())
        }
        (Column::Depth, Value::Number(depth)) => ("acd", depth.to_string().into_bytes().into()),
        (Column::Nodes, Value::Number(nodes)) => ("acn", nodes.to_string().into_bytes().into()),
        (Column::Eco, Value::Text(eco)) => ("eco", quoted(eco).into()),
        (Column::Result, Value::Ascii(result)) => ("c9", quoted(result).into()),
        (column, Value::Text(text)) => match (own_opcode(column), &comment) {
            (Some(_), _) if text.is_empty() => return,
            (Some(opcode), _) if is_bare(opcode, text) => (opcode, text.into()),
            (Some(opcode), _) => (opcode, quoted(text).into()),
            (None, Some(comment)) => (comment, quoted(text).into()),
            (None, None) => return,
        },
        (_, value) => {
            let mut plain = Vec::new();
            append_plain(value, &mut plain);
            match &comment {
                Some(comment) => (comment, quoted(&plain).into()),
                None => return,
            }
        }
    };
    if !written.has(opcode) {
        append_operation(opcode.as_bytes(), &operand, out);
    }
}

/// Whether the value of an operation is written without quotes: moves and numbers.
fn is_bare(opcode: &str, value: &[u8]) -> bool {
    !matches!(opcode.as_bytes(), b"id" | b"eco" | b"nic" | [b'c' | b'v', b'0'..=b'9'])
        && value.iter().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b';' | b'"') || *byte == b' ')
}

fn append_operation(opcode: &[u8], operand: &[u8], out: &mut Vec<u8>) {
    out.push(b' ');
    out.extend_from_slice(opcode);
    out.push(b' ');
    out.extend_from_slice(operand);
    out.push(b';');
}
