//! The values of a column of a Parquet file, a few rows at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::basic::{ConvertedType, Encoding, LogicalType, TimeUnit, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type, Int96Type,
};
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use crate::tabular::parquet::held::Held;
use crate::tabular::parquet::levels::{Lists, MOST_ELEMENTS};
use crate::tabular::parquet::prefixes;
use crate::tabular::table::Cell;

/// The values of a column that are read together.
pub(super) trait Leaf: Send {
    /// Reads exactly this number of rows.
    fn load(&mut self, rows: usize) -> Result<()>;

    /// Returns the value of a row; null for a list.
    fn cell(&self, row: usize) -> Cell<'_>;

    /// Passes each element of the list in a row.
    fn each<'a>(&'a self, row: usize, take: &mut dyn FnMut(Cell<'a>));
}

/// The meaning of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Plain,
    Unsigned,
    Day,
    /// A time of day, in units of which a second has this number.
    TimeOfDay(i64),
    Moment(i64),
    /// The number of digits behind the decimal point.
    Decimal(i32),
    /// Bytes that cannot be written as text.
    Opaque,
}

impl Meaning {
    /// Returns the meaning of the values of a column.
    pub(super) fn of(column: &ColumnDescriptor) -> Self {
        let per_second = |unit: TimeUnit| match unit {
            TimeUnit::MILLIS => 1_000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        };
        let is_bytes = matches!(column.physical_type(), Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY);
        match (column.logical_type_ref(), column.converted_type()) {
            (Some(LogicalType::Date), _) | (None, ConvertedType::DATE) => Self::Day,
            (Some(LogicalType::Time(time)), _) => Self::TimeOfDay(per_second(time.unit)),
            (None, ConvertedType::TIME_MILLIS) => Self::TimeOfDay(1_000),
            (None, ConvertedType::TIME_MICROS) => Self::TimeOfDay(1_000_000),
            (Some(LogicalType::Timestamp(time)), _) => Self::Moment(per_second(time.unit)),
            (None, ConvertedType::TIMESTAMP_MILLIS) => Self::Moment(1_000),
            (None, ConvertedType::TIMESTAMP_MICROS) => Self::Moment(1_000_000),
            (Some(LogicalType::Decimal(decimal)), _) => Self::Decimal(decimal.scale),
            (None, ConvertedType::DECIMAL) => Self::Decimal(column.type_scale()),
            (Some(LogicalType::Integer(integer)), _) if !integer.is_signed => Self::Unsigned,
            (
                None,
                ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64,
            ) => Self::Unsigned,
            (Some(LogicalType::Bson), _) | (_, ConvertedType::BSON | ConvertedType::INTERVAL) if is_bytes => {
                Self::Opaque
            }
            _ if column.physical_type() == Type::FIXED_LEN_BYTE_ARRAY => Self::Opaque,
            _ => Self::Plain,
        }
    }

    fn integer(self, number: i64) -> Cell<'static> {
        match self {
            Self::Day => Cell::Day(number),
            Self::TimeOfDay(unit) => Cell::TimeOfDay((number / unit).clamp(0, 86_399)),
            Self::Moment(unit) => Cell::Moment(number.div_euclid(unit)),
            Self::Decimal(scale) => Cell::Decimal(number.into(), scale),
            Self::Unsigned => Cell::Unsigned(number.cast_unsigned()),
            Self::Plain => Cell::Integer(number),
            Self::Opaque => Cell::Null,
        }
    }

    /// Returns the value of a decimal number whose bytes are big-endian, or text.
    fn bytes(self, bytes: &[u8]) -> Cell<'_> {
        match self {
            Self::Plain => Cell::Text(bytes),
            Self::Decimal(scale) if bytes.len() <= 16 && !bytes.is_empty() => {
                let fill = if bytes[0] & 0x80 == 0 { 0 } else { 0xFF };
                let mut whole = [fill; 16];
                whole[16 - bytes.len()..].copy_from_slice(bytes);
                Cell::Decimal(i128::from_be_bytes(whole), scale)
            }
            _ => Cell::Null,
        }
    }
}

/// Creates the reader of a column whose pages are given. They take the memory of a leaf of the row group.
pub(super) fn leaf(column: ColumnDescPtr, pages: impl PageReader + 'static, account: Account) -> Box<dyn Leaf> {
    match column.physical_type() {
        Type::BOOLEAN => Values::<BoolType>::boxed(column, pages, account, |value, _| Cell::Truth(*value)),
        Type::INT32 => Values::<Int32Type>::boxed(column, pages, account, |value, meaning| match meaning {
            Meaning::Unsigned => Cell::Unsigned(value.cast_unsigned().into()),
            _ => meaning.integer((*value).into()),
        }),
        Type::INT64 => Values::<Int64Type>::boxed(column, pages, account, |value, meaning| meaning.integer(*value)),
        Type::INT96 => Values::<Int96Type>::boxed(column, pages, account, |value, _| match value.data() {
            // Nanoseconds of the day, and the number of the Julian day; 1970-01-01 is number 2440588.
            [low, high, day] => {
                let nanos = u64::from(*high) << 32 | u64::from(*low);
                let second = i64::try_from(nanos / 1_000_000_000).unwrap_or(0);
                Cell::Moment((i64::from(*day) - 2_440_588) * 86_400 + second)
            }
            _ => Cell::Null,
        }),
        Type::FLOAT => Values::<FloatType>::boxed(column, pages, account, |value, _| Cell::Single(*value)),
        Type::DOUBLE => Values::<DoubleType>::boxed(column, pages, account, |value, _| Cell::Double(*value)),
        Type::BYTE_ARRAY => {
            Values::<ByteArrayType>::boxed(column, pages, account, |value, meaning| meaning.bytes(value.data()))
        }
        Type::FIXED_LEN_BYTE_ARRAY => {
            Values::<FixedLenByteArrayType>::boxed(column, pages, account, |value, meaning| meaning.bytes(value.data()))
        }
    }
}

/// The place of a leaf in the account of its row group.
#[derive(Clone)]
pub(super) struct Account {
    pub(super) held: Arc<Held>,
    pub(super) leaf: usize,
}

struct Values<T: DataType> {
    reader: ColumnReaderImpl<T>,
    account: Account,
    /// The number of values in pages that were read for the rows, which is limited.
    paged: Arc<AtomicU64>,
    values: Vec<T::T>,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    /// The levels of each row, and the number of its first value; one more at the end.
    rows: Vec<(usize, usize)>,
    /// The definition level of a value that is not null.
    full: i16,
    /// The definition level of an element of a list, which may be null.
    element: i16,
    is_list: bool,
    meaning: Meaning,
    cell: fn(&T::T, Meaning) -> Cell<'_>,
}

impl<T: DataType> Values<T>
where
    ColumnReaderImpl<T>: Send,
{
    fn boxed(
        column: ColumnDescPtr,
        pages: impl PageReader + 'static,
        account: Account,
        cell: fn(&T::T, Meaning) -> Cell<'_>,
    ) -> Box<dyn Leaf>
    where
        Self: Leaf + 'static,
    {
        let paged = Arc::new(AtomicU64::new(0));
        let pages = Limited {
            pages,
            paged: Arc::clone(&paged),
            account: account.clone(),
            value: size_of::<T::T>(),
            has_definitions: column.max_def_level() > 0,
            lists: (column.max_rep_level() > 0).then(Lists::default),
        };
        Box::new(Self {
            paged,
            values: Vec::new(),
            definitions: Vec::new(),
            repetitions: Vec::new(),
            rows: Vec::new(),
            full: column.max_def_level(),
            element: column.repeated_ancestor_def_level(),
            is_list: column.max_rep_level() > 0,
            meaning: Meaning::of(&column),
            cell,
            reader: ColumnReaderImpl::new(column, Box::new(pages)),
            account,
        })
    }

    /// Finds the levels and the first value of each row.
    fn find_rows(&mut self, levels: usize) {
        let mut value = 0;
        for level in 0..levels {
            if !self.is_list || self.repetitions.get(level) == Some(&0) {
                self.rows.push((level, value));
            }
            value += usize::from(self.is_full(level));
        }
        self.rows.push((levels, value));
    }

    fn is_full(&self, level: usize) -> bool {
        self.full == 0 || self.definitions.get(level) == Some(&self.full)
    }

    fn value(&self, at: usize) -> Cell<'_> {
        self.values.get(at).map_or(Cell::Null, |value| (self.cell)(value, self.meaning))
    }
}

impl<T: DataType> Leaf for Values<T>
where
    ColumnReaderImpl<T>: Send,
    T::T: Send,
{
    fn load(&mut self, rows: usize) -> Result<()> {
        self.values.clear();
        self.definitions.clear();
        self.repetitions.clear();
        self.rows.clear();
        self.paged.store(0, Ordering::Relaxed);
        self.account.held.begin_rows(self.account.leaf)?;
        let (definitions, repetitions) = (Some(&mut self.definitions), Some(&mut self.repetitions));
        let (_, _, levels) = self.reader.read_records(rows, definitions, repetitions, &mut self.values)?;
        self.find_rows(levels);
        if self.rows.len() != rows + 1 {
            return Err(ParquetError::General("the column has fewer rows than the row group".to_owned()));
        }
        Ok(())
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        match self.rows.get(row) {
            Some((level, value)) if !self.is_list && self.is_full(*level) => self.value(*value),
            _ => Cell::Null,
        }
    }

    fn each<'a>(&'a self, row: usize, take: &mut dyn FnMut(Cell<'a>)) {
        let Some([(start, first), (end, _)]) = self.rows.get(row..row + 2) else {
            return;
        };
        let mut value = *first;
        for level in *start..*end {
            if self.is_full(level) {
                take(self.value(value));
                value += 1;
            } else if self.definitions.get(level).is_some_and(|definition| *definition >= self.element) {
                take(Cell::Null);
            }
        }
    }
}

/// The most values in the pages from which a few rows are read. A page of a few bytes may declare billions of values.
const VALUES: u64 = 16 * 1024 * 1024;

/// A reader of pages that limits the number of values, the lengths of lists, and what is decoded of a page at once.
struct Limited<P> {
    pages: P,
    paged: Arc<AtomicU64>,
    account: Account,
    /// The size of a value in memory, without the bytes of a text.
    value: usize,
    has_definitions: bool,
    /// The lists of the column, if it has lists.
    lists: Option<Lists>,
}

impl<P> Limited<P> {
    /// Takes the memory of what is decoded of a page at once, beside its bytes.
    fn take(&mut self, page: &Page) -> Result<()> {
        let count = page.num_values() as usize;
        let Account { held, leaf } = &self.account;
        if let Page::DictionaryPage { .. } = page {
            return held.take_more(*leaf, true, count.saturating_mul(self.value));
        }
        let (levels, values) = self.parts(page);
        let is_short = match (&mut self.lists, levels) {
            (Some(lists), Some(levels)) => lists.see(levels, count as u64),
            (Some(lists), None) => lists.see_any(count as u64),
            (None, _) => true,
        };
        if !is_short {
            return Err(ParquetError::General(format!("a list has more than {MOST_ELEMENTS} elements")));
        }
        let more = match page.encoding() {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => count.saturating_mul(4),
            Encoding::DELTA_BYTE_ARRAY => count.saturating_mul(8).saturating_add(prefixes::shared(values)),
            _ => return Ok(()),
        };
        held.take_more(*leaf, false, more)
    }

    /// Returns the repetition levels of a data page, if they are in runs, and its values.
    fn parts<'p>(&self, page: &'p Page) -> (Option<&'p [u8]>, &'p [u8]) {
        let buffer: &[u8] = page.buffer();
        match page {
            Page::DataPageV2 { rep_levels_byte_len, def_levels_byte_len, .. } => {
                let (repetitions, definitions) = (*rep_levels_byte_len as usize, *def_levels_byte_len as usize);
                let values = repetitions.saturating_add(definitions);
                (buffer.get(..repetitions), buffer.get(values..).unwrap_or_default())
            }
            Page::DataPage { rep_level_encoding: Encoding::RLE, .. } if self.lists.is_some() => {
                let (repetitions, rest) = sized(buffer).unwrap_or_default();
                let values = if self.has_definitions { sized(rest).unwrap_or_default().1 } else { rest };
                (Some(repetitions), values)
            }
            _ if self.lists.is_some() => (None, buffer),
            _ if self.has_definitions => (None, sized(buffer).unwrap_or_default().1),
            _ => (None, buffer),
        }
    }
}

/// Splits bytes behind a part that begins with its length.
fn sized(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)
}

impl<P: PageReader> Iterator for Limited<P> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<P: PageReader> PageReader for Limited<P> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        let count = page.as_ref().map_or(0, |page| u64::from(page.num_values()));
        if self.paged.fetch_add(count, Ordering::Relaxed) + count > VALUES {
            return Err(ParquetError::General(format!("a few rows have more than {VALUES} values")));
        }
        if let Some(page) = &page {
            self.take(page)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}
