//! The values of a column of a Parquet file, a few rows at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type, Int96Type,
};
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use crate::tabular::table::Cell;

/// The values of a column that are read together.
pub(super) trait Leaf: Send {
    /// Reads exactly this number of rows.
    fn load(&mut self, rows: usize) -> Result<()>;

    /// Returns the value of a row; null for a list.
    fn cell(&self, row: usize) -> Cell<'_>;

    /// Passes each element of the list in a row.
    fn each(&self, row: usize, take: &mut dyn FnMut(Cell<'_>));
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

/// Creates the reader of a column whose pages are given.
pub(super) fn leaf(column: ColumnDescPtr, pages: impl PageReader + 'static) -> Box<dyn Leaf> {
    match column.physical_type() {
        Type::BOOLEAN => Values::<BoolType>::boxed(column, pages, |value, _| Cell::Truth(*value)),
        Type::INT32 => Values::<Int32Type>::boxed(column, pages, |value, meaning| match meaning {
            Meaning::Unsigned => Cell::Unsigned(value.cast_unsigned().into()),
            _ => meaning.integer((*value).into()),
        }),
        Type::INT64 => Values::<Int64Type>::boxed(column, pages, |value, meaning| meaning.integer(*value)),
        Type::INT96 => Values::<Int96Type>::boxed(column, pages, |value, _| match value.data() {
            // Nanoseconds of the day, and the number of the Julian day; 1970-01-01 is number 2440588.
            [low, high, day] => {
                let nanos = u64::from(*high) << 32 | u64::from(*low);
                let second = i64::try_from(nanos / 1_000_000_000).unwrap_or(0);
                Cell::Moment((i64::from(*day) - 2_440_588) * 86_400 + second)
            }
            _ => Cell::Null,
        }),
        Type::FLOAT => Values::<FloatType>::boxed(column, pages, |value, _| Cell::Single(*value)),
        Type::DOUBLE => Values::<DoubleType>::boxed(column, pages, |value, _| Cell::Double(*value)),
        Type::BYTE_ARRAY => Values::<ByteArrayType>::boxed(column, pages, |value, meaning| meaning.bytes(value.data())),
        Type::FIXED_LEN_BYTE_ARRAY => {
            Values::<FixedLenByteArrayType>::boxed(column, pages, |value, meaning| meaning.bytes(value.data()))
        }
    }
}

struct Values<T: DataType> {
    reader: ColumnReaderImpl<T>,
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
        cell: fn(&T::T, Meaning) -> Cell<'_>,
    ) -> Box<dyn Leaf>
    where
        Self: Leaf + 'static,
    {
        let paged = Arc::new(AtomicU64::new(0));
        let pages = Box::new(Limited { pages, paged: Arc::clone(&paged) });
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
            reader: ColumnReaderImpl::new(column, pages),
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

    fn each(&self, row: usize, take: &mut dyn FnMut(Cell<'_>)) {
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

/// A reader of pages that limits the number of values.
struct Limited<P> {
    pages: P,
    paged: Arc<AtomicU64>,
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
