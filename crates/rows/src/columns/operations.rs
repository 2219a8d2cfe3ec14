//! EPD operations: those on the lines of lists that were read, and the opcodes of columns (PGN standard §16.2).

use std::collections::HashMap;

use crate::columns::column::Column;
use pgn2fen_chess::fen::{self, OperationFault};
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::pgn::tags::Tags;
use pgn2fen_tables::beginning;

/// The most columns that may lack an opcode of their own. They use the opcodes `c0` to `c8`, since `c9` is the result.
pub(crate) const MOST_COMMENTS: usize = 9;

/// Whether a column has an opcode of its own, or is part of the position.
pub(crate) fn has_opcode(column: &Column) -> bool {
    matches!(
        column,
        Column::Fen
            | Column::Operations
            | Column::NextSan
            | Column::Eval
            | Column::Depth
            | Column::Nodes
            | Column::Result
            | Column::Eco
    ) || own_opcode(column).is_some()
}

/// Returns the name of a tag that is an EPD operation: an opcode of the standard, or a name in lower case.
pub(crate) fn own_opcode(column: &Column) -> Option<&str> {
    let Column::Tag(name) = column else {
        return None;
    };
    let is_opcode = |name: &str| {
        fen::is_known_opcode(name.as_bytes())
            || name.starts_with(|first: char| first.is_ascii_lowercase())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    Some(&**name).filter(|name| is_opcode(name))
}

/// Returns the operations on the line of a list, each as an opcode and operands on a line of its own, in the order of
/// their opcodes. Of several operations with one opcode, the last counts.
pub(crate) fn texts(tags: &Tags<'_>, encoding: &Fallback) -> String {
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for operation in tags.operations().filter(|operation| !operation.opcode.is_empty()) {
        let opcode = String::from_utf8_lossy(operation.opcode).into_owned();
        let mut operands = encoding.decode(operation.operands).into_owned();
        if operation.fault == Some(OperationFault::OpenString) {
            operands = String::from_utf8_lossy(&quoted(operands.replace('"', "").as_bytes())).into_owned();
        }
        match places.get(&opcode) {
            Some(&place) => texts[place].1 = operands,
            None => {
                places.insert(opcode.clone(), texts.len());
                texts.push((opcode, operands));
            }
        }
    }
    let line = |(opcode, operands): (String, String)| {
        let gap = if operands.is_empty() { "" } else { " " };
        format!("{opcode}{gap}{operands}\n")
    };
    texts.into_iter().map(line).collect()
}

/// Returns a string operand, cut to 255 bytes. EPD has no escapes, so `"` becomes `'` and control characters become
/// spaces.
pub(crate) fn quoted(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let plain = |char: char| match char {
        '"' => '\'',
        char if char.is_control() => ' ',
        char => char,
    };
    let plain: String = beginning(&text, 255).chars().map(plain).collect();
    format!("\"{plain}\"").into_bytes()
}
