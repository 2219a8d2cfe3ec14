//! Blocks of columns for programs in the same process, which make typed arrays of their buffers without a conversion:
//! the package for JavaScript does so.
//!
//! # Layout
//!
//! The output is one block after another. A block has the rows of a group, at most 16,384 or as many as the builder
//! sets, and needs no other block to be read. All numbers are little-endian. Every part begins at a multiple of 8
//! bytes from the start of the block, and the length of a block is a multiple of 8, so a buffer can be viewed as an
//! array of its numbers. Bytes between parts are 0.
//!
//! ```text
//! block  = header column…           one column for each column of the rows, in their order
//! header = u32 length               bytes of the whole block, with this header
//!          u32 rows
//!          u32 columns
//!          u32 0
//! column = u32 kind                 see below
//!          u32 missing              bit 0: some rows have no value; bit 1: some elements of lists have none
//!          buffer…                  see below
//! buffer = u32 length               bytes, without this head and without the bytes up to the next part
//!          u32 0
//!          bytes
//! ```
//!
//! | kind | values | buffers, in this order |
//! |---|---|---|
//! | 0 | text | `offsets`, `bytes` |
//! | 1 | integer of 32 bits | `values`: i32 for each row |
//! | 2 | integer of 64 bits | `values`: i64 for each row |
//! | 3 | floating-point number | `values`: f64 for each row |
//! | 4 | date | `values`: i32 for each row, days since 1970-01-01 |
//! | 5 | list of integers of 32 bits | `offsets`, `values`: i32 for each element |
//! | 6 | list of floating-point numbers | `offsets`, `values`: f64 for each element |
//! | 7 | list of texts | `offsets`; `offsets` and `bytes` of all elements |
//! | 8 | map of text to text | `offsets`; `offsets` and `bytes` of all keys; `offsets` and `bytes` of all values |
//! | 9 | text that many rows share | `indices`: u32 for each row; `offsets` and `bytes` of the texts |
//!
//! - If bit 0 of `missing` is set, a buffer `validity` stands before these: a byte for each row, 1 if it has a value
//!   and 0 if it has none. If bit 1 is set, a buffer with a byte for each element follows, or stands first if bit 0 is
//!   not set. Numbers that are missing are 0, and lists that are missing are empty.
//! - `offsets` has an u32 for each row, element or text, and one more. Row `i` has the elements, or the bytes of
//!   `bytes`, from `offsets[i]` up to `offsets[i + 1]`. The first offset is 0.
//! - Texts are in UTF-8. An empty text in a column of texts (0 and 9) is a missing value, and the bits are not set for
//!   these. The row `i` of a column of kind 9 has the text `indices[i]`.
//! - A column of the type text is of kind 9 if rows share its texts, and otherwise of kind 0: a column may have
//!   another kind in another block.
//!
//! The types of the columns and the missing values are those of the format Arrow.

use std::io;
use std::iter::repeat_n;

use crate::columns::{Cell, Columns};
use crate::encode::encoded::Encoded;
use crate::encode::export_error::ExportError;
use crate::encode::formats::text::Bytes;
use crate::encode::{Encode, OpenFormat};
use crate::table::group::{Division, Group};
use crate::table::value::Value;
use pgn2fen_tables::{ColumnType, Texts};

/// The most rows of a block.
const ROWS: usize = 16 * 1024;

/// Parts of a block begin at multiples of this number of bytes.
const ALIGNMENT: usize = 8;

/// The format of blocks.
pub(crate) fn open() -> OpenFormat {
    OpenFormat { encode: Box::new(Blocks), assemble: Box::new(Bytes { head: Vec::new(), end: Vec::new() }) }
}

struct Blocks;

impl Encode for Blocks {
    fn division(&self) -> Division {
        Division::Rows(ROWS)
    }

    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        let out = &mut encoded.bytes;
        // Blocks before it have lengths that are multiples of the alignment.
        let start = out.len();
        append_u32(0, out);
        append_u32(size(group.rows)?, out);
        append_u32(size(columns.iter().len())?, out);
        append_u32(0, out);
        columns.cells().try_for_each(|cell| append_column(cell, group, out))?;
        let length = size(out.len() - start)?;
        out[start..start + 4].copy_from_slice(&length.to_le_bytes());
        Ok(())
    }
}

/// The kind of a column.
#[derive(Clone, Copy)]
enum Kind {
    Text = 0,
    Int = 1,
    Long = 2,
    Double = 3,
    Date = 4,
    Ints = 5,
    Doubles = 6,
    Texts = 7,
    TextMap = 8,
    SharedText = 9,
}

fn append_column(cell: Cell<'_>, group: &Group, out: &mut Vec<u8>) -> Result<(), ExportError> {
    match cell.column.column_type() {
        ColumnType::Text if cell.column.is_of_game() => append_shared_texts(cell, group, out),
        ColumnType::Text => {
            append_head(Kind::Text, Missing::default(), out);
            append_texts(group.texts(cell), out)
        }
        ColumnType::Int => {
            let mut ints = Numbers::with_capacity(group.rows);
            for piece in &group.pieces {
                match piece.ints(cell) {
                    Some(adjacent) => ints.push_all(adjacent),
                    None => piece.values(cell).for_each(|(value, rows)| ints.push(value.int(), rows)),
                }
            }
            ints.append(Kind::Int, i32::to_le_bytes, out)
        }
        ColumnType::Long => numbers(cell, group, Value::number).append(Kind::Long, i64::to_le_bytes, out),
        ColumnType::Double => numbers(cell, group, Value::seconds).append(Kind::Double, f64::to_le_bytes, out),
        ColumnType::Date => numbers(cell, group, Value::days).append(Kind::Date, i32::to_le_bytes, out),
        ColumnType::Ints => append_lists(Kind::Ints, cell, group, Value::numbers, i32::to_le_bytes, out),
        ColumnType::Doubles => append_lists(Kind::Doubles, cell, group, times, f64::to_le_bytes, out),
        ColumnType::Texts => {
            let (mut lists, mut elements) = (Lists::with_capacity(group.rows), Texts::default());
            for value in values(cell, group) {
                let moves = value.moves();
                moves.iter().flat_map(|moves| moves.iter()).for_each(|text| elements.push(text.as_bytes()));
                lists.end(moves.is_some(), elements.len());
            }
            append_head(Kind::Texts, Missing { rows: lists.has.some_missing, elements: false }, out);
            lists.append(out)?;
            append_texts(elements, out)
        }
        ColumnType::TextMap => {
            let mut lists = Lists::with_capacity(group.rows);
            let (mut keys, mut texts) = (Texts::default(), Texts::default());
            for value in values(cell, group) {
                let pairs = value.pairs();
                for (key, text) in pairs.iter().flat_map(|pairs| pairs.iter()) {
                    keys.push(key.as_bytes());
                    texts.push(text.as_bytes());
                }
                lists.end(pairs.is_some(), keys.len());
            }
            append_head(Kind::TextMap, Missing { rows: lists.has.some_missing, elements: false }, out);
            lists.append(out)?;
            append_texts(keys, out)?;
            append_texts(texts, out)
        }
    }
}

/// Returns a list of times.
fn times(value: Value<'_>) -> Option<impl Iterator<Item = Option<f64>>> {
    value.times().map(|times| times.iter().copied())
}

/// Returns the values of a column, one for each row.
fn values<'t>(cell: Cell<'t>, group: &'t Group) -> impl Iterator<Item = Value<'t>> {
    group.values(cell).flat_map(|(value, rows)| repeat_n(value, rows))
}

/// Appends a column of texts that all rows of a game have.
fn append_shared_texts(cell: Cell<'_>, group: &Group, out: &mut Vec<u8>) -> Result<(), ExportError> {
    let (mut indices, mut texts) = (Vec::with_capacity(group.rows), Texts::default());
    for (value, rows) in group.values(cell) {
        indices.extend(repeat_n(texts.len(), rows));
        texts.push(value.text_bytes().unwrap_or_default());
    }
    let are_shared = texts.len() < group.rows;
    append_head(if are_shared { Kind::SharedText } else { Kind::Text }, Missing::default(), out);
    if are_shared {
        append_sizes(indices.into_iter(), out)?;
    }
    append_texts(texts, out)
}

/// Appends a column of lists of numbers.
fn append_lists<'t, T: Copy + Default, const N: usize, L: Iterator<Item = Option<T>>>(
    kind: Kind,
    cell: Cell<'t>,
    group: &'t Group,
    list: impl Fn(Value<'t>) -> Option<L>,
    to_bytes: fn(T) -> [u8; N],
    out: &mut Vec<u8>,
) -> Result<(), ExportError> {
    let (mut lists, mut elements) = (Lists::with_capacity(group.rows), Numbers::with_capacity(0));
    for value in values(cell, group) {
        let list = list(value);
        let is_there = list.is_some();
        list.into_iter().flatten().for_each(|number| elements.push(number, 1));
        lists.end(is_there, elements.values.len());
    }
    append_head(kind, Missing { rows: lists.has.some_missing, elements: elements.has.some_missing }, out);
    lists.has.append(out)?;
    elements.has.append(out)?;
    append_sizes(lists.offsets.into_iter(), out)?;
    elements.append_values(to_bytes, out)
}

/// Whether some rows, and some elements of lists, have no value.
#[derive(Clone, Copy, Default)]
struct Missing {
    rows: bool,
    elements: bool,
}

/// A byte for each row or element: whether it has a value.
struct Validity {
    bytes: Vec<u8>,
    some_missing: bool,
}

impl Validity {
    fn with_capacity(rows: usize) -> Self {
        Self { bytes: Vec::with_capacity(rows), some_missing: false }
    }

    fn push(&mut self, has_value: bool, rows: usize) {
        self.bytes.extend(repeat_n(u8::from(has_value), rows));
        self.some_missing |= !has_value;
    }

    /// Appends the buffer, if some values are missing.
    fn append(&self, out: &mut Vec<u8>) -> Result<(), ExportError> {
        if self.some_missing { append_buffer(out, |out| out.extend_from_slice(&self.bytes)) } else { Ok(()) }
    }
}

/// The numbers of rows, or of the elements of lists.
struct Numbers<T> {
    values: Vec<T>,
    has: Validity,
}

impl<T: Copy + Default> Numbers<T> {
    fn with_capacity(rows: usize) -> Self {
        Self { values: Vec::with_capacity(rows), has: Validity::with_capacity(rows) }
    }

    fn push(&mut self, number: Option<T>, rows: usize) {
        self.values.extend(repeat_n(number.unwrap_or_default(), rows));
        self.has.push(number.is_some(), rows);
    }

    fn push_all(&mut self, numbers: &[T]) {
        self.values.extend_from_slice(numbers);
        self.has.push(true, numbers.len());
    }

    /// Appends a column of these numbers.
    fn append<const N: usize>(
        self,
        kind: Kind,
        to_bytes: fn(T) -> [u8; N],
        out: &mut Vec<u8>,
    ) -> Result<(), ExportError> {
        append_head(kind, Missing { rows: self.has.some_missing, elements: false }, out);
        self.has.append(out)?;
        self.append_values(to_bytes, out)
    }

    fn append_values<const N: usize>(self, to_bytes: fn(T) -> [u8; N], out: &mut Vec<u8>) -> Result<(), ExportError> {
        append_buffer(out, |out| self.values.into_iter().for_each(|value| out.extend_from_slice(&to_bytes(value))))
    }
}

/// Returns the numbers of a column.
fn numbers<'t, T: Copy + Default>(
    cell: Cell<'t>,
    group: &'t Group,
    number: impl Fn(Value<'t>) -> Option<T>,
) -> Numbers<T> {
    let mut numbers = Numbers::with_capacity(group.rows);
    group.values(cell).for_each(|(value, rows)| numbers.push(number(value), rows));
    numbers
}

/// The ends of lists, one for each row.
struct Lists {
    offsets: Vec<usize>,
    has: Validity,
}

impl Lists {
    fn with_capacity(rows: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Self { offsets, has: Validity::with_capacity(rows) }
    }

    /// Ends the list of a row, if it has one. There are so many elements now.
    fn end(&mut self, is_there: bool, elements: usize) {
        self.offsets.push(elements);
        self.has.push(is_there, 1);
    }

    fn append(self, out: &mut Vec<u8>) -> Result<(), ExportError> {
        self.has.append(out)?;
        append_sizes(self.offsets.into_iter(), out)
    }
}

/// Appends the start of a column.
fn append_head(kind: Kind, missing: Missing, out: &mut Vec<u8>) {
    append_u32(kind as u32, out);
    append_u32(u32::from(missing.rows) | u32::from(missing.elements) << 1, out);
}

/// Appends the offsets and the bytes of texts.
fn append_texts(texts: Texts, out: &mut Vec<u8>) -> Result<(), ExportError> {
    let (bytes, ends) = texts.into_parts();
    append_sizes([0].into_iter().chain(ends), out)?;
    append_buffer(out, |out| out.extend_from_slice(&bytes))
}

/// Appends a buffer of offsets or indices.
fn append_sizes(mut sizes: impl Iterator<Item = usize>, out: &mut Vec<u8>) -> Result<(), ExportError> {
    let mut all = Ok(());
    append_buffer(out, |out| {
        all = sizes.try_for_each(|offset| size(offset).map(|offset| append_u32(offset, out)));
    })?;
    all
}

/// Appends a buffer, whose bytes `write` appends.
fn append_buffer(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) -> Result<(), ExportError> {
    let head = out.len();
    append_u32(0, out);
    append_u32(0, out);
    write(out);
    let length = size(out.len() - head - 2 * size_of::<u32>())?;
    out[head..head + 4].copy_from_slice(&length.to_le_bytes());
    // The head is aligned and has the size of the alignment.
    out.resize(head + (out.len() - head).next_multiple_of(ALIGNMENT), 0);
    Ok(())
}

fn append_u32(number: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(&number.to_le_bytes());
}

/// Returns a number of rows, elements or bytes, if it has 32 bits.
fn size(size: usize) -> Result<u32, ExportError> {
    u32::try_from(size).map_err(|_| ExportError::new(io::Error::other("a block of rows is larger than 4 GiB")))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::ALIGNMENT;
    use crate::jobs::starts::Starts;
    use crate::{Columns, Format, GameRows, Rows};
    use pgn2fen_games::database::Database;
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_games::pgn::date::Date;
    use pgn2fen_games::walk::read_all;

    /// A block that is being read.
    struct Reader<'b> {
        block: &'b [u8],
        at: usize,
    }

    impl<'b> Reader<'b> {
        fn number(&mut self) -> usize {
            let bytes = self.block[self.at..self.at + 4].try_into().unwrap();
            self.at += 4;
            u32::from_le_bytes(bytes).try_into().unwrap()
        }

        fn buffer(&mut self) -> &'b [u8] {
            let length = self.number();
            assert_eq!(self.number(), 0);
            assert_eq!(self.at % ALIGNMENT, 0);
            let buffer = &self.block[self.at..self.at + length];
            let end = (self.at + length).next_multiple_of(ALIGNMENT);
            assert!(self.block[self.at + length..end].iter().all(|byte| *byte == 0));
            self.at = end;
            buffer
        }

        /// Reads a buffer of numbers.
        fn array<const N: usize, T>(&mut self, number: fn([u8; N]) -> T) -> Vec<T> {
            let (numbers, rest) = self.buffer().as_chunks();
            assert!(rest.is_empty());
            numbers.iter().copied().map(number).collect()
        }

        fn offsets(&mut self) -> Vec<usize> {
            self.array(|bytes| u32::from_le_bytes(bytes).try_into().unwrap())
        }

        /// Reads numbers as JSON. A number is null if `validity` says that it is missing.
        fn numbers<const N: usize, T: Into<Value>>(
            &mut self,
            validity: Option<&[u8]>,
            number: fn([u8; N]) -> T,
        ) -> Vec<Value> {
            let numbers = self.array(number).into_iter().enumerate();
            numbers.map(|(nth, number)| if has(validity, nth) { number.into() } else { Value::Null }).collect()
        }

        fn texts(&mut self) -> Vec<&'b str> {
            let (offsets, bytes) = (self.offsets(), self.buffer());
            assert_eq!((offsets[0], offsets.last()), (0, Some(&bytes.len())));
            offsets.windows(2).map(|ends| str::from_utf8(&bytes[ends[0]..ends[1]]).unwrap()).collect()
        }

        /// Reads a column as JSON.
        fn column(&mut self, rows: usize) -> Vec<Value> {
            let (kind, missing) = (self.number(), self.number());
            let of_rows = (missing & 1 != 0).then(|| self.buffer());
            let of_elements = (missing & 2 != 0).then(|| self.buffer());
            // A buffer is there only if something is missing.
            for validity in of_rows.into_iter().chain(of_elements) {
                assert!(validity.contains(&0) && validity.iter().all(|byte| *byte < 2));
            }
            assert!(of_rows.is_none_or(|validity| validity.len() == rows));
            let text = |text: &str| if text.is_empty() { Value::Null } else { text.into() };
            let values: Vec<Value> = match kind {
                0 => self.texts().into_iter().map(text).collect(),
                1 => self.numbers(of_rows, i32::from_le_bytes),
                2 => self.numbers(of_rows, i64::from_le_bytes),
                3 => self.numbers(of_rows, f64::from_le_bytes),
                4 => self.numbers(of_rows, i32::from_le_bytes),
                5 => self.lists(of_rows, |reader| reader.numbers(of_elements, i32::from_le_bytes)),
                6 => self.lists(of_rows, |reader| reader.numbers(of_elements, f64::from_le_bytes)),
                7 => self.lists(of_rows, |reader| reader.texts().into_iter().map(Value::from).collect()),
                8 => {
                    let maps = self.lists(of_rows, |reader| {
                        let keys = reader.texts();
                        keys.into_iter().zip(reader.texts()).map(|(key, text)| json!([key, text])).collect()
                    });
                    let map = |pairs: Vec<Value>| -> Map<String, Value> {
                        pairs.into_iter().map(|pair| (pair[0].as_str().unwrap().to_owned(), pair[1].clone())).collect()
                    };
                    maps.into_iter()
                        .map(|value| match value {
                            Value::Array(pairs) => map(pairs).into(),
                            missing => missing,
                        })
                        .collect()
                }
                9 => {
                    let indices = self.offsets();
                    let texts = self.texts();
                    assert!(texts.len() < rows);
                    indices.into_iter().map(|index| text(texts[index])).collect()
                }
                kind => panic!("there is no kind {kind}"),
            };
            assert_eq!(values.len(), rows);
            values
        }

        fn lists(&mut self, validity: Option<&[u8]>, elements: impl FnOnce(&mut Self) -> Vec<Value>) -> Vec<Value> {
            let offsets = self.offsets();
            let elements = elements(self);
            assert_eq!((offsets[0], offsets.last()), (0, Some(&elements.len())));
            let list = |(nth, ends): (usize, &[usize])| {
                let list = &elements[ends[0]..ends[1]];
                assert!(has(validity, nth) || list.is_empty());
                if has(validity, nth) { list.into() } else { Value::Null }
            };
            offsets.windows(2).enumerate().map(list).collect()
        }
    }

    fn has(validity: Option<&[u8]>, nth: usize) -> bool {
        validity.is_none_or(|validity| validity[nth] == 1)
    }

    /// Reads blocks of these columns. Returns the rows as JSON objects, and the number of rows of each block.
    fn read(columns: &Columns, mut blocks: &[u8]) -> (Vec<Value>, Vec<usize>) {
        let (mut read, mut counts) = (Vec::new(), Vec::new());
        while !blocks.is_empty() {
            let mut reader = Reader { block: blocks, at: 0 };
            let (length, rows) = (reader.number(), reader.number());
            assert_eq!((length % ALIGNMENT, reader.number(), reader.number()), (0, columns.iter().len(), 0));
            reader.block = &blocks[..length];
            let values: Vec<Vec<Value>> = columns.iter().map(|_| reader.column(rows)).collect();
            assert_eq!(reader.at, length);
            let value =
                |row: usize, nth: usize| (columns.iter().nth(nth).unwrap().name().into(), values[nth][row].clone());
            read.extend((0..rows).map(|row| Value::Object((0..values.len()).map(|nth| value(row, nth)).collect())));
            counts.push(rows);
            blocks = &blocks[length..];
        }
        (read, counts)
    }

    /// Reads lines of JSON. Keys and dates become the numbers of blocks.
    fn lines(jsonl: &[u8]) -> Vec<Value> {
        let line = |line: &str| {
            let mut row: Value = serde_json::from_str(line).unwrap();
            for (name, value) in row.as_object_mut().unwrap() {
                match (name.as_str(), &*value) {
                    ("key", Value::String(hex)) => *value = u64::from_str_radix(hex, 16).unwrap().cast_signed().into(),
                    ("Date", Value::String(date)) => {
                        *value = Date::read(date).unwrap().days_since_1970().into();
                    }
                    _ => {}
                }
            }
            row
        };
        str::from_utf8(jsonl).unwrap().lines().map(line).collect()
    }

    const GAMES: &str = "\
[Event \"Übung\"]\n[White \"Tal, M\"]\n[WhiteElo \"2705\"]\n[Date \"1960.03.15\"]\n[Round \"?\"]\n\n\
1. e4 { [%eval 0.3] [%clk 0:03:00] sharp } e5 $1 $14 2. Nf3 (2. f4 { the gambit } exf4 $6) 2... Nc6 1-0\n\n\
[White \"\"]\n[WhiteElo \"?\"]\n[Date \"1960.??.??\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
1. e4 { [%eval #-3] } Kd7 { [%clk 0:00:01.5] } 2. Kd2 *\n\n\
1. d4 { +0.31/14 0.5s } *\n\n[White \"Nobody\"]\n\n*\n\n";

    fn games(times: usize) -> [Database; 1] {
        [Database::from(GAMES.repeat(times).into_bytes())]
    }

    const OF_POSITIONS: &str = "file game offset line id ply variation parent plies turn fen material san uci \
        next_san next_uci eval depth time nodes win_chance cp_loss accuracy judgement clk spent comment words nags \
        key result eco opening tags White WhiteElo Date Date_text Event Round Black";

    /// Compares the rows of blocks with lines of JSON.
    #[track_caller]
    fn check_positions(rows: &Rows, counts: &[usize]) {
        let (jsonl, _) = rows.clone().format(Format::Jsonl).write(games(5), Vec::new()).unwrap();
        let (blocks, _) = rows.begin_blocks(Vec::new()).read_all_of(games(5)).unwrap();
        let (read, of_blocks) = read(&rows.block_columns(), &blocks);
        assert_eq!(read, lines(&jsonl));
        assert_eq!(of_blocks, counts);
    }

    #[test]
    fn blocks_have_the_rows_of_jsonl() {
        let rows = Rows::columns(OF_POSITIONS).unwrap().variations(true);
        check_positions(&rows, &[70]);
        check_positions(&rows.clone().group(10), &[10; 7]);
        check_positions(&rows.clone().group(1).unique(true), &[1; 12]);
        check_positions(&rows.clone().plies("3..").unwrap(), &[25]);
        check_positions(&rows.tags("White=Petrosian").unwrap(), &[]);
    }

    #[test]
    fn blocks_of_games_have_the_rows_of_jsonl() {
        let columns = "file game offset line id start moves evals clocks white_accuracy black_cp_loss \
             white_mistakes plies result eco opening tags White WhiteElo Date";
        for rows in [GameRows::columns(columns).unwrap(), GameRows::new()] {
            let (jsonl, _) = rows.write(games(3), Vec::new()).unwrap();
            for (group, counts) in [(8192, vec![12]), (5, vec![5, 5, 2])] {
                let rows = rows.clone().group(group);
                let (blocks, _) = rows.begin_blocks(Vec::new()).read_all_of(games(3)).unwrap();
                assert_eq!(read(&rows.block_columns(), &blocks), (lines(&jsonl), counts));
            }
        }
    }

    #[test]
    fn blocks_of_starting_positions_have_the_rows_of_jsonl() {
        let starts = Starts::columns(Columns::of_starts("count kind sp fen file game odds White tags").unwrap());
        let (jsonl, _) = starts.clone().format(Format::Jsonl).write(games(2), Vec::new()).unwrap();
        let (blocks, _) = starts.begin_blocks(Vec::new()).read_all_of(games(2)).unwrap();
        assert_eq!(read(&starts.block_columns(), &blocks), (lines(&jsonl), vec![1]));
    }

    #[test]
    fn blocks_are_the_same_for_every_number_of_threads() {
        let rows = Rows::columns("game White ply fen comment").unwrap().group(1000);
        let written = [1, 3].map(|threads| {
            let mut writing = rows.begin_blocks(Vec::new());
            read_all(&mut writing, &Workers::new(threads).unwrap(), games(5000), &mut ()).unwrap();
            writing.end().unwrap().0
        });
        assert!(written[0] == written[1]);
        assert_eq!(read(&rows.block_columns(), &written[0]).0.len(), 60_000);
    }

    #[test]
    fn a_text_that_rows_of_a_game_share_stands_once_in_a_block() {
        let rows = Rows::columns("ply,White").unwrap();
        let (block, _) = rows.begin_blocks(Vec::new()).read_all_of(games(2)).unwrap();
        assert_eq!(block.windows(6).filter(|text| text == b"Tal, M").count(), 2);
    }
}
