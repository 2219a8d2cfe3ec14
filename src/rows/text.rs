//! Rows as lines of text: csv, tsv, jsonl, epd, uci and bullet.

use std::io::Write;

use crate::chess::piece::Color;
use crate::pgn::token::Outcome;
use crate::rows::column::{Cell, Column, Columns};
use crate::rows::group::Piece;
use crate::rows::left_out::LeftOut;
use crate::rows::table::Value;
use crate::tables::beginning;

/// Writing to memory does not fail.
const NEVER_FAILS: &str = "memory takes what is written to it";

/// Values with commas between them; those with commas, quotes or line ends in them stand in quotes.
pub(crate) fn csv(columns: &Columns, piece: &Piece, out: &mut Vec<u8>) {
    for index in piece.indices() {
        csv_row(columns.cells().map(|cell| piece.table.value(cell, index)), out);
    }
}

/// A row of csv.
pub(crate) fn csv_row<'v>(values: impl Iterator<Item = Value<'v>>, out: &mut Vec<u8>) {
    let writer = csv_core::Writer::new();
    let start = out.len();
    for value in values {
        match value {
            Value::Text(text) => append_field(&writer, text, out),
            value => append_plain(value, out),
        }
        out.push(b',');
    }
    end_row(start, out);
}

/// The names of the columns.
pub(crate) fn csv_header(columns: &Columns, out: &mut Vec<u8>) {
    csv_names(columns.iter().map(Column::name), out);
}

/// Names of columns.
pub(crate) fn csv_names<'n>(names: impl Iterator<Item = &'n str>, out: &mut Vec<u8>) {
    let writer = csv_core::Writer::new();
    for name in names {
        append_field(&writer, name.as_bytes(), out);
        out.push(b',');
    }
    end_line(out);
}

fn append_field(writer: &csv_core::Writer, text: &[u8], out: &mut Vec<u8>) {
    if !writer.should_quote(text) {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    let start = out.len();
    out.resize(start + 2 * text.len(), 0);
    let (_, _, written) = csv_core::quote(text, &mut out[start..], b'"', b'"', true);
    out.truncate(start + written);
    out.push(b'"');
}

/// Ends a row of csv. One that would be an empty line is written as an empty text, since readers pass over empty lines.
fn end_row(start: usize, out: &mut Vec<u8>) {
    if out.len() == start + 1 {
        out.truncate(start);
        out.extend_from_slice(b"\"\",");
    }
    end_line(out);
}

/// Values with tabs between them. In a value, a tab is written `\t`, line ends `\n` and `\r`, and a backslash `\\`.
pub(crate) fn tsv(columns: &Columns, piece: &Piece, out: &mut Vec<u8>) {
    for index in piece.indices() {
        tsv_row(columns.cells().map(|cell| piece.table.value(cell, index)), out);
    }
}

/// A row of tsv.
pub(crate) fn tsv_row<'v>(values: impl Iterator<Item = Value<'v>>, out: &mut Vec<u8>) {
    for value in values {
        match value {
            Value::Text(text) => append_escaped(text, out),
            value => append_plain(value, out),
        }
        out.push(b'\t');
    }
    end_line(out);
}

/// The names of the columns.
pub(crate) fn tsv_header(columns: &Columns, out: &mut Vec<u8>) {
    tsv_names(columns.iter().map(Column::name), out);
}

/// Names of columns.
pub(crate) fn tsv_names<'n>(names: impl Iterator<Item = &'n str>, out: &mut Vec<u8>) {
    for name in names {
        append_escaped(name.as_bytes(), out);
        out.push(b'\t');
    }
    end_line(out);
}

/// What separates the values ends the line behind the last.
fn end_line(out: &mut Vec<u8>) {
    out.pop();
    out.push(b'\n');
}

fn append_escaped(text: &[u8], out: &mut Vec<u8>) {
    for &byte in text {
        match byte {
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\\' => out.extend_from_slice(b"\\\\"),
            byte => out.push(byte),
        }
    }
}

/// An object a line: numbers as numbers, dates as ISO 8601 has them, what is missing as null.
pub(crate) fn jsonl(columns: &Columns, piece: &Piece, out: &mut Vec<u8>) {
    let names: Vec<Vec<u8>> = columns.iter().map(|column| json_name(column.name())).collect();
    for index in piece.indices() {
        let values = columns.cells().map(|cell| piece.table.typed_value(cell, index));
        jsonl_row(names.iter().map(Vec::as_slice).zip(values), out);
    }
}

/// The name of a column, quoted.
pub(crate) fn json_name(name: &str) -> Vec<u8> {
    serde_json::to_vec(name).expect(NEVER_FAILS)
}

/// A row of jsonl, with quoted names.
pub(crate) fn jsonl_row<'v>(row: impl Iterator<Item = (&'v [u8], Value<'v>)>, out: &mut Vec<u8>) {
    let mut separator = b'{';
    for (name, value) in row {
        out.push(separator);
        separator = b',';
        out.extend_from_slice(name);
        out.push(b':');
        match value {
            Value::Missing => out.extend_from_slice(b"null"),
            Value::Text(text) => serde_json::to_writer(&mut *out, &str::from_utf8(text).ok()).expect(NEVER_FAILS),
            value @ (Value::Ascii(_) | Value::Key(_) | Value::Date(_)) => {
                out.push(b'"');
                append_plain(value, out);
                out.push(b'"');
            }
            value => append_plain(value, out),
        }
    }
    out.extend_from_slice(b"}\n");
}

/// The position and nothing else.
pub(crate) fn fen(_: &Columns, piece: &Piece, out: &mut Vec<u8>) {
    for index in piece.indices() {
        append_fen(piece, index, out);
        out.push(b'\n');
    }
}

/// `position fen …`
pub(crate) fn uci(_: &Columns, piece: &Piece, out: &mut Vec<u8>) {
    for index in piece.indices() {
        out.extend_from_slice(b"position fen ");
        append_fen(piece, index, out);
        out.push(b'\n');
    }
}

/// `FEN | centipawns | result`, and how many rows are left out. A mate is no number of centipawns; all other evaluations fit into the 16
/// bits that the trainer has for them.
pub(crate) fn bullet(piece: &Piece, out: &mut Vec<u8>) -> LeftOut {
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

fn append_fen(piece: &Piece, index: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(piece.table.fens.get(index).unwrap_or_default());
}

/// Four fields of the position, and operations: the clocks, if the positions have them, and the columns.
pub(crate) fn epd(columns: &Columns, piece: &Piece, out: &mut Vec<u8>) {
    for index in piece.indices() {
        let fen = piece.table.fens.get(index).unwrap_or_default();
        let mut fields = fen.splitn(6, |byte| *byte == b' ');
        let position = fields.by_ref().take(4).map(<[u8]>::len).sum::<usize>() + 3;
        out.extend_from_slice(&fen[..position.min(fen.len())]);
        for (opcode, clock) in [b"hmvc", b"fmvn"].into_iter().zip(fields) {
            append_operation(opcode, clock, out);
        }
        let mut comments = 0;
        for cell in columns.cells().filter(|cell| *cell.column != Column::Fen) {
            append_column(cell, piece, index, &mut comments, out);
        }
        out.push(b'\n');
    }
}

/// How many columns of an EPD may have no opcode of their own: `c9` is the result.
pub(crate) const MOST_COMMENTS: usize = 9;

/// Whether a column has an opcode of its own, or stands in the position.
pub(crate) fn has_opcode(column: &Column) -> bool {
    matches!(column, Column::Fen | Column::NextSan | Column::Eval | Column::Result)
}

/// `sm` is the move that was played, `ce` the evaluation, from the mover's point of view here (§16.2.5), `c9` the result as in
/// many sets of training positions. The others take the comments `c0` to `c8` in their order.
fn append_column(cell: Cell<'_>, piece: &Piece, index: usize, comments: &mut usize, out: &mut Vec<u8>) {
    let comment = [b'c', b'0' + u8::try_from(*comments).unwrap_or(0)];
    *comments += usize::from(!has_opcode(cell.column));
    match (cell.column, piece.table.value(cell, index)) {
        (_, Value::Missing) => {}
        (Column::NextSan, Value::Ascii(san)) => append_operation(b"sm", san, out),
        (Column::Eval, Value::Number(eval)) => {
            let eval = if piece.table.turn(index) == Color::White { eval } else { -eval };
            append_operation(b"ce", eval.to_string().as_bytes(), out);
        }
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

/// A string operand: 255 bytes at most, and as EPD knows no escapes, `'` for `"` and blanks for control characters.
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

/// A value that no format has to quote or escape: numbers in digits, keys in 16 hex digits.
#[inline]
fn append_plain(value: Value<'_>, out: &mut Vec<u8>) {
    match value {
        Value::Missing => {}
        Value::Text(text) | Value::Ascii(text) => out.extend_from_slice(text),
        Value::Number(number) => append_number(number, out),
        // With a period always, so that whoever guesses types from the first rows guesses right.
        Value::Seconds(seconds) => write!(out, "{seconds:?}").expect(NEVER_FAILS),
        Value::Date(date) => write!(out, "{date}").expect(NEVER_FAILS),
        Value::Key(key) => {
            let digit = |at: u32| b"0123456789abcdef"[(key >> (60 - 4 * at) & 15) as usize];
            out.extend_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map(digit));
        }
    }
}

/// Every row has numbers in it: a quarter of the time of `write!`.
fn append_number(number: i64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::{append_number, append_plain};
    use crate::rows::table::Value;

    #[test]
    fn numbers_are_written_in_digits() {
        for number in [0, 7, -1, 10, 99, 100, -32_000, i64::MAX, i64::MIN] {
            let mut digits = Vec::new();
            append_number(number, &mut digits);
            assert_eq!(digits, number.to_string().into_bytes());
        }
    }

    #[test]
    fn keys_have_sixteen_hex_digits() {
        let mut digits = Vec::new();
        append_plain(Value::Key(0x0756_b944_61c5_0fb0), &mut digits);
        assert_eq!(digits, b"0756b94461c50fb0");
    }
}
