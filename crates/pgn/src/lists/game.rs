//! Writes the position of a list as a game in PGN, with a tag for each EPD operation.

use std::collections::HashMap;

use crate::tag_pair::RawValue;
use pgn2fen_chess::fen::{self, Operation, operations};

/// Returns a game that starts from a FEN or an EPD record. Its operations are tags, but `hmvc` and `fmvn` are clocks of
/// the FEN. Text that is not an operation is a comment. A record that cannot be read is the value of the FEN tag as it
/// stands.
pub(super) fn of_record(record: &[u8]) -> Vec<u8> {
    let (fen, operations) = split(record);
    let mut game = b"[SetUp \"1\"]\n".to_vec();
    append_pair(b"FEN", &fen, &mut game);
    let mut unread = Vec::new();
    let last: HashMap<&[u8], usize> =
        operations.iter().enumerate().map(|(nth, operation)| (operation.opcode, nth)).collect();
    for (nth, operation) in operations.iter().enumerate() {
        match operation.opcode {
            b"" => unread.push(operation.operands),
            b"hmvc" | b"fmvn" => {}
            // Of several operations with one opcode, the last counts.
            opcode if last[opcode] != nth => {}
            opcode => append_pair(opcode, &RawValue(operation.value()).unescape(), &mut game),
        }
    }
    game.push(b'\n');
    if !unread.is_empty() {
        game.extend_from_slice(b"; ");
        game.extend_from_slice(&unread.join(&b"; "[..]));
        game.push(b'\n');
    }
    game.push(b'*');
    game
}

/// Returns the fields of a record with its clocks, and its operations. If the fields alone are not the same position,
/// returns the whole record without operations.
fn split(record: &[u8]) -> (Vec<u8>, Vec<Operation<'_>>) {
    let read: Vec<Operation<'_>> = operations(record).collect();
    let whole = || (record.to_vec(), Vec::new());
    // A tag with the name FEN would be another position.
    let Some(first) = read.first().filter(|_| read.iter().all(|operation| operation.opcode != b"FEN")) else {
        return whole();
    };
    let mut fields = record[..first.offset].trim_ascii_end();
    while let Some(before) = fields.strip_suffix(b";") {
        fields = before.trim_ascii_end();
    }
    let mut fen = fields.to_vec();
    let clock = |opcode: &[u8]| {
        let found = read.iter().rev().find(|operation| operation.opcode == opcode && operation.fault.is_none());
        found.map(Operation::value).filter(|value| !value.is_empty() && value.iter().all(u8::is_ascii_digit))
    };
    let (halfmoves, fullmoves) = (clock(b"hmvc"), clock(b"fmvn"));
    let count = fields.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).count();
    if count == 4 {
        fen.push(b' ');
        fen.extend_from_slice(halfmoves.unwrap_or(b"0"));
    }
    if matches!(count, 4 | 5) {
        fen.push(b' ');
        fen.extend_from_slice(fullmoves.unwrap_or(b"1"));
    }
    let position = |text: &[u8]| fen::read(text).map(|reading| reading.position);
    match (position(record), position(&fen)) {
        (Ok(expected), Ok(found)) if expected == found => (fen, read),
        _ => whole(),
    }
}

/// Appends a tag pair on a line.
fn append_pair(name: &[u8], value: &[u8], game: &mut Vec<u8>) {
    game.push(b'[');
    game.extend_from_slice(name);
    game.extend_from_slice(b" \"");
    for &byte in value {
        if matches!(byte, b'"' | b'\\') {
            game.push(b'\\');
        }
        game.push(byte);
    }
    game.extend_from_slice(b"\"]\n");
}

#[cfg(test)]
mod tests {
    use super::of_record;

    /// Compares the game behind its first line, with `/` for line breaks and `…` for the board.
    #[track_caller]
    fn check(record: &str, expected: &str) {
        const BOARD: &str = "4k3/8/8/8/8/8/8/4K3";
        let game = String::from_utf8(of_record(record.replace('…', BOARD).as_bytes())).unwrap();
        let game = game.strip_prefix("[SetUp \"1\"]\n").unwrap().replace(BOARD, "…");
        assert_eq!(game.replace('\n', "/"), expected, "{record}");
    }

    #[test]
    fn operations_are_tags_and_clocks() {
        check("… w - - bm e4; id \"a \\\"b\";", "[FEN \"… w - - 0 1\"]/[bm \"e4\"]/[id \"a \\\"b\"]//*");
        check("… w - - hmvc 5; fmvn 9;", "[FEN \"… w - - 5 9\"]//*");
        check("… w - - fmvn 9;", "[FEN \"… w - - 0 9\"]//*");
        check("… w - - 3 hmvc 5; fmvn 9;", "[FEN \"… w - - 3 9\"]//*");
        check("… w - - 3 7; bm e4;", "[FEN \"… w - - 3 7\"]/[bm \"e4\"]//*");
        // Clocks that are no numbers count for nothing.
        check("… w - - hmvc x; fmvn \"\"; id y;", "[FEN \"… w - - 0 1\"]/[id \"y\"]//*");
    }

    #[test]
    fn the_last_operation_with_an_opcode_counts() {
        check("… w - - id x; bm e4; id y;", "[FEN \"… w - - 0 1\"]/[bm \"e4\"]/[id \"y\"]//*");
        check("… w - - hmvc 5; hmvc 6;", "[FEN \"… w - - 6 1\"]//*");
    }

    #[test]
    fn a_record_that_cannot_be_split_is_the_fen_as_it_stands() {
        check("… w - -", "[FEN \"… w - -\"]//*");
        check("… w - - FEN x;", "[FEN \"… w - - FEN x;\"]//*");
        check("8/8 w - - bm e4;", "[FEN \"8/8 w - - bm e4;\"]//*");
    }
}
