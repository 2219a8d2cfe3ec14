//! The values of a column in the memory of Arrow (Arrow Columnar Format, section "Physical Memory Layout").

use std::iter::{self, repeat_n};

use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, NullBufferBuilder};
use arrow_schema::ArrowError;

use crate::columns::Cell;
use crate::table::group::Group;
use crate::table::value::Value;
use pgn2fen_tables::{ColumnType, Texts};

/// The values of a column, of the elements of its lists, or of the names and texts of its maps.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) rows: usize,
    pub(super) nulls: Option<NullBuffer>,
    /// Where texts and lists begin and end: one offset more than rows.
    pub(super) offsets: Option<Buffer>,
    /// Numbers, or the bytes of texts.
    pub(super) data: Option<Buffer>,
    pub(super) children: Vec<Self>,
}

impl Values {
    /// Returns the values of a column.
    pub(super) fn of(cell: Cell<'_>, group: &Group) -> Result<Self, ArrowError> {
        // A list is appended for each row that has it.
        let lists = || group.values(cell).flat_map(|(value, rows)| repeat_n(value, rows));
        Ok(match cell.column.column_type() {
            ColumnType::Text => Self::texts(group.texts(cell))?,
            ColumnType::Int => {
                let mut numbers = Numbers::with_capacity(group.rows);
                group.pieces.iter().for_each(|piece| match piece.ints(cell) {
                    Some(ints) => numbers.extend_from_slice(ints),
                    None => piece.values(cell).for_each(|(value, rows)| numbers.push(value.int(), rows)),
                });
                numbers.finish()
            }
            ColumnType::Long => Self::numbers(cell, group, Value::number),
            ColumnType::Double => Self::numbers(cell, group, Value::seconds),
            ColumnType::Date => Self::numbers(cell, group, Value::days),
            ColumnType::Ints => {
                let (mut ends, mut numbers) = (Ends::default(), Numbers::<i32>::default());
                for value in lists() {
                    let list = value.numbers();
                    let is_present = list.is_some();
                    list.into_iter().flatten().for_each(|number| numbers.push(number, 1));
                    ends.push(is_present, numbers.numbers.len());
                }
                ends.lists(numbers.finish())
            }
            ColumnType::Doubles => {
                let (mut ends, mut numbers) = (Ends::default(), Numbers::<f64>::default());
                for value in lists() {
                    let list = value.times();
                    list.iter().flat_map(|list| list.iter()).for_each(|number| numbers.push(*number, 1));
                    ends.push(list.is_some(), numbers.numbers.len());
                }
                ends.lists(numbers.finish())
            }
            ColumnType::Texts => {
                let (mut ends, mut texts) = (Ends::default(), Texts::default());
                for value in lists() {
                    let list = value.moves();
                    list.iter().flat_map(|list| list.iter()).for_each(|text| texts.push(text.as_bytes()));
                    ends.push(list.is_some(), texts.len());
                }
                ends.lists(Self::present_texts(texts)?)
            }
            ColumnType::TextMap => {
                let (mut ends, mut names, mut texts) = (Ends::default(), Texts::default(), Texts::default());
                for value in lists() {
                    let pairs = value.pairs();
                    for (name, text) in pairs.iter().flat_map(|pairs| pairs.iter()) {
                        names.push(name.as_bytes());
                        texts.push(text.as_bytes());
                    }
                    ends.push(pairs.is_some(), texts.len());
                }
                let children = vec![Self::present_texts(names)?, Self::present_texts(texts)?];
                let rows = children[0].rows;
                ends.lists(Self { rows, nulls: None, offsets: None, data: None, children })
            }
        })
    }

    fn numbers<'t, T: ArrowNativeType>(
        cell: Cell<'t>,
        group: &'t Group,
        number: impl Fn(Value<'t>) -> Option<T>,
    ) -> Self {
        let mut numbers = Numbers::with_capacity(group.rows);
        group.values(cell).for_each(|(value, rows)| numbers.push(number(value), rows));
        numbers.finish()
    }

    /// Returns texts, of which an empty one is a null.
    pub(super) fn texts(texts: Texts) -> Result<Self, ArrowError> {
        let (bytes, ends) = texts.into_parts();
        let offsets = offsets(&bytes, &ends)?;
        let are_texts = offsets.windows(2).map(|ends| ends[0] < ends[1]);
        let is_full = are_texts.clone().filter(|is_text| *is_text).count() == ends.len();
        let nulls = if is_full { None } else { Some(are_texts.collect()) };
        Ok(Self { nulls, ..Self::of_texts(bytes, offsets) })
    }

    /// Returns texts, of which none is a null.
    fn present_texts(texts: Texts) -> Result<Self, ArrowError> {
        let (bytes, ends) = texts.into_parts();
        let offsets = offsets(&bytes, &ends)?;
        Ok(Self::of_texts(bytes, offsets))
    }

    fn of_texts(bytes: Vec<u8>, offsets: Vec<i32>) -> Self {
        let (rows, offsets) = (offsets.len() - 1, Some(Buffer::from_vec(offsets)));
        Self { rows, nulls: None, offsets, data: Some(Buffer::from_vec(bytes)), children: Vec::new() }
    }
}

/// Returns the offsets of texts by their ends.
fn offsets(bytes: &[u8], ends: &[usize]) -> Result<Vec<i32>, ArrowError> {
    // No text ends behind the last.
    let most = i32::try_from(bytes.len()).map_err(|_| ArrowError::OffsetOverflowError(bytes.len()))?;
    Ok(iter::once(0).chain(ends.iter().map(|end| i32::try_from(*end).unwrap_or(most))).collect())
}

/// Numbers, of which some are missing.
struct Numbers<T> {
    numbers: Vec<T>,
    nulls: NullBufferBuilder,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl<T> Numbers<T> {
    fn with_capacity(rows: usize) -> Self {
        Self { numbers: Vec::with_capacity(rows), nulls: NullBufferBuilder::new(rows) }
    }
}

impl<T: ArrowNativeType> Numbers<T> {
    /// Appends a number that successive rows have.
    fn push(&mut self, number: Option<T>, rows: usize) {
        self.numbers.extend(repeat_n(number.unwrap_or_default(), rows));
        match number {
            Some(_) => self.nulls.append_n_non_nulls(rows),
            None => self.nulls.append_n_nulls(rows),
        }
    }

    fn extend_from_slice(&mut self, numbers: &[T]) {
        self.numbers.extend_from_slice(numbers);
        self.nulls.append_n_non_nulls(numbers.len());
    }

    fn finish(mut self) -> Values {
        let (rows, nulls) = (self.numbers.len(), self.nulls.finish());
        Values { rows, nulls, offsets: None, data: Some(Buffer::from_vec(self.numbers)), children: Vec::new() }
    }
}

/// The ends of lists, of which some are missing: for each, the number of elements before it and in it.
struct Ends {
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
}

impl Default for Ends {
    fn default() -> Self {
        Self { offsets: vec![0], nulls: NullBufferBuilder::new(0) }
    }
}

impl Ends {
    fn push(&mut self, is_present: bool, end: usize) {
        // Elements behind the greatest offset would have been refused as texts, or not fit into memory.
        self.offsets.push(i32::try_from(end).unwrap_or(i32::MAX));
        self.nulls.append(is_present);
    }

    /// Returns lists of these elements.
    fn lists(mut self, elements: Values) -> Values {
        let (rows, nulls) = (self.offsets.len() - 1, self.nulls.finish());
        let offsets = Some(Buffer::from_vec(self.offsets));
        Values { rows, nulls, offsets, data: None, children: vec![elements] }
    }
}
