//! Rows as lines of values. PartValues that all rows of a game share are encoded once for each game.

use std::ops::Range;

use crate::columns::{Cell, Columns};
use crate::encode::encoded::Encoded;
use crate::table::Table;
use crate::table::drafted::Drafted;
use crate::table::group::GroupPiece;
use crate::table::short_text::ShortText;
use crate::table::value::Value;
use pgn2fen_chess::fen::{LineBuffer, LineSpace};
use pgn2fen_tables::Texts;

/// The syntax of a format that has a line for each row.
pub(crate) trait Syntax {
    /// Whether values have [types](Table::typed_value). Otherwise tags are texts.
    const HAS_TYPES: bool;
    /// Whether texts that need no escapes have quotes.
    const HAS_QUOTES: bool;
    /// The text of a missing value.
    const MISSING: &str;
    /// The text of a row that would be empty.
    const EMPTY_ROW: &str;
    /// The end of a row.
    const END: &str;

    /// Appends the text before the value of a column. `nth` counts the columns from 0.
    fn begin_value(nth: usize, name: &str, out: &mut Vec<u8>);

    /// Appends a value.
    fn value(value: Value<'_>, out: &mut Vec<u8>);

    /// Appends a text of a pool, which is a value that needs no escapes: see [`Value::Ascii`].
    fn ascii(texts: &Texts, index: usize, out: &mut Vec<u8>);
}

/// Appends the rows of a piece.
pub(super) fn rows<S: Syntax>(columns: &Columns, piece: &GroupPiece, encoded: &mut Encoded) {
    let out = &mut encoded.bytes;
    let table = &*piece.table;
    let mut parts = parts(columns, table);
    let (mut last, mut text) = (ShortText::default(), Vec::new());
    let Range { start: mut nth, end } = piece.rows;
    while nth < end {
        share::<S>(columns, (&mut parts, &mut last), table, table.index(nth), &mut text);
        let behind = table.end_of_game(nth).min(end);
        let indices = (nth..behind).map(|nth| table.index(nth));
        match &*parts {
            // Most lines have one run of drafted columns behind the values that the rows of a game share.
            [LinePart { before, values: PartValues::Drafted(drafted), .. }] if last.is_empty() => {
                drafted_rows::<S>(before, drafted, indices, out);
            }
            parts => indices.for_each(|index| mixed::<S>(parts, &last, table, index, out)),
        }
        nth = behind;
    }
}

/// Appends rows of a game that have nothing behind a drafted part.
fn drafted_rows<S: Syntax>(
    before: &ShortText,
    drafted: &Drafted,
    indices: impl Iterator<Item = usize>,
    out: &mut Vec<u8>,
) {
    let mut lines = LineSpace::behind(out);
    let short_before = before.short();
    for index in indices {
        if let (Some((before, before_len)), Some((text, len))) = (short_before, drafted.short(index)) {
            let mut line = LineBuffer::new(lines.next_line());
            line.push(before, before_len);
            line.push_long(text, len);
            if line.len() == 0 {
                line.push_all(S::EMPTY_ROW.as_bytes());
            }
            line.push_all(S::END.as_bytes());
            let length = line.len();
            lines.take(length);
        } else {
            let texts = [before.bytes(), drafted.bytes(index)];
            let is_empty = texts.iter().all(|text| text.is_empty());
            let empty_row = if is_empty { S::EMPTY_ROW } else { "" };
            texts.into_iter().chain([empty_row, S::END].map(str::as_bytes)).for_each(|text| lines.append(text));
        }
    }
}

/// Appends a row. `last` is the text behind its own values.
fn mixed<S: Syntax>(parts: &[LinePart<'_>], last: &ShortText, table: &Table, index: usize, out: &mut Vec<u8>) {
    let start = out.len();
    for part in parts {
        part.before.append(out);
        match part.values {
            PartValues::Drafted(drafted) => out.extend_from_slice(drafted.bytes(index)),
            PartValues::Ascii(texts) => S::ascii(texts, index, out),
            PartValues::Other => S::value(value::<S>(part.cell, table, index), out),
        }
    }
    if !last.is_empty() {
        last.append(out);
    }
    end_row::<S>(start, out);
}

/// Appends one row, given as the names and the values of its columns.
pub(crate) fn row<'v, S: Syntax>(row: impl Iterator<Item = (&'v str, Value<'v>)>, out: &mut Vec<u8>) {
    let start = out.len();
    row.enumerate().for_each(|(nth, (name, value))| {
        S::begin_value(nth, name, out);
        S::value(value, out);
    });
    end_row::<S>(start, out);
}

/// Ends the row that began at this length of the output.
#[inline]
fn end_row<S: Syntax>(start: usize, out: &mut Vec<u8>) {
    if out.len() == start {
        out.extend_from_slice(S::EMPTY_ROW.as_bytes());
    }
    out.extend_from_slice(S::END.as_bytes());
}

/// A part of a line that each row has for itself: a column, or several that were written together.
struct LinePart<'t> {
    /// The text before the values, which all rows of a game share.
    before: ShortText,
    /// The first of the columns, and how many others are before it.
    cell: Cell<'t>,
    nth: usize,
    values: PartValues<'t>,
}

/// The values of a part of a line.
enum PartValues<'t> {
    /// A run of columns that was [drafted](crate::table::draft::Draft), with the text before it.
    Drafted(&'t Drafted),
    /// Texts in a pool, which are found faster than values.
    Ascii(&'t Texts),
    Other,
}

/// Returns the parts of a line that each row has for itself.
fn parts<'t>(columns: &'t Columns, table: &'t Table) -> Vec<LinePart<'t>> {
    let drafts = table.drafts();
    let runs = if drafts.is_empty() { Vec::new() } else { columns.drafted() };
    let own = columns.cells().enumerate().filter(|(_, cell)| !cell.column.is_of_game());
    let part = |(nth, cell): (usize, Cell<'t>)| {
        let values = match runs.iter().position(|run| run.contains(&nth)) {
            Some(run) if runs[run].start == nth => PartValues::Drafted(&drafts[run]),
            Some(_) => return None,
            None => table.ascii_texts(cell.column).map_or(PartValues::Other, PartValues::Ascii),
        };
        Some(LinePart { before: ShortText::default(), cell, nth, values })
    };
    own.filter_map(part).collect()
}

/// Sets the texts that all rows of a game have between their own values: separators, and the values of the other
/// columns. `last` becomes the text behind the last own value. `text` is memory that is used again, as that of the
/// parts is, because a game may have a single row.
fn share<S: Syntax>(
    columns: &Columns,
    (parts, last): (&mut [LinePart<'_>], &mut ShortText),
    table: &Table,
    index: usize,
    text: &mut Vec<u8>,
) {
    let mut parts = parts.iter_mut().peekable();
    for (nth, cell) in columns.cells().enumerate() {
        if cell.column.is_of_game() {
            S::begin_value(nth, cell.column.name(), text);
            S::value(value::<S>(cell, table, index), text);
        } else if let Some(part) = parts.next_if(|part| part.nth == nth) {
            if !matches!(part.values, PartValues::Drafted(_)) {
                S::begin_value(nth, cell.column.name(), text);
            }
            part.before.take(text);
        }
    }
    last.take(text);
}

#[inline]
fn value<'t, S: Syntax>(cell: Cell<'_>, table: &'t Table, index: usize) -> Value<'t> {
    if S::HAS_TYPES { table.typed_value(cell, index) } else { table.value(cell, index) }
}
