//! Rows as row groups of a Parquet file.
//!
//! The columns of a row group are encoded and compressed on any thread; what they became is then appended to the file in
//! order.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::column::page::PageWriter;
use parquet::column::writer::{ColumnCloseResult, ColumnWriterImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnPath, SchemaDescPtr, SchemaDescriptor, Type, TypePtr};

use crate::rows::column::{Cell, Columns, Kind};
use crate::rows::group::Group;
use crate::rows::table::Value;

/// A row group has at most so many rows. Readers work on groups in parallel and skip those that do not concern them, so they
/// should be large; but a group is encoded in memory.
pub(crate) const ROWS: usize = 64 * 1024;

/// So many values are given to a column at a time.
const BATCH: usize = 4096;

/// Encodes row groups.
pub(crate) struct RowGroups {
    schema: SchemaDescPtr,
    properties: WriterPropertiesPtr,
}

/// An encoded row group.
pub(crate) struct RowGroup {
    columns: Vec<(Bytes, ColumnCloseResult)>,
}

/// A file in the making; the bytes that are ready are taken out of it.
pub(crate) struct File(SerializedFileWriter<Vec<u8>>);

/// Begins a file.
pub(crate) fn begin(columns: &Columns) -> Result<(RowGroups, File), ParquetError> {
    let schema = schema(columns)?;
    // No two positions of a game are alike, so that a dictionary of them is work in vain.
    let unlike = ["fen", "key"].map(ColumnPath::from);
    let properties = WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk);
    let properties = unlike
        .into_iter()
        .fold(properties, |properties, column| properties.set_column_dictionary_enabled(column, false));
    let properties = Arc::new(properties.build());
    let file = SerializedFileWriter::new(Vec::new(), Arc::clone(&schema), Arc::clone(&properties))?;
    Ok((RowGroups { schema: Arc::new(SchemaDescriptor::new(schema)), properties }, File(file)))
}

/// The columns with their types. Integers are signed, since not every reader has others.
fn schema(columns: &Columns) -> Result<TypePtr, ParquetError> {
    schema_of(columns.iter().map(|column| {
        let kind = match column.kind() {
            Kind::Text => ColumnType::Text,
            Kind::Integer => ColumnType::Int,
            Kind::Long => ColumnType::Long,
            Kind::Seconds => ColumnType::Double,
            Kind::Date => ColumnType::Date,
        };
        (column.name(), kind)
    }))
}

/// Types of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnType {
    /// UTF-8.
    Text,
    /// 32 bits, signed.
    Int,
    /// 64 bits, signed.
    Long,
    /// 64 bits, floating.
    Double,
    /// Days since 1970, in 32 bits.
    Date,
}

/// A schema of columns that may be null, since some readers insist on it.
pub(crate) fn schema_of<'c>(columns: impl Iterator<Item = (&'c str, ColumnType)>) -> Result<TypePtr, ParquetError> {
    let field = |(name, kind)| {
        let (physical, logical) = match kind {
            ColumnType::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnType::Int => (PhysicalType::INT32, None),
            ColumnType::Long => (PhysicalType::INT64, None),
            ColumnType::Double => (PhysicalType::DOUBLE, None),
            ColumnType::Date => (PhysicalType::INT32, Some(LogicalType::Date)),
        };
        let field = Type::primitive_type_builder(name, physical).with_logical_type(logical);
        field.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
    };
    let fields = columns.map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("schema").with_fields(fields).build().map(Arc::new)
}

/// What made a file, as it is written there.
pub(crate) const CREATED_BY: &str = concat!("pgn2fen ", env!("CARGO_PKG_VERSION"));

impl RowGroups {
    /// Encodes a row group.
    pub(crate) fn encode(&self, columns: &Columns, group: &Group) -> Result<RowGroup, ParquetError> {
        let encode = |(number, cell)| self.encode_column(number, cell, group);
        Ok(RowGroup { columns: columns.cells().enumerate().map(encode).collect::<Result<_, _>>()? })
    }

    fn encode_column(
        &self,
        number: usize,
        cell: Cell<'_>,
        group: &Group,
    ) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
        let values =
            || group.pieces.iter().flat_map(|piece| piece.indices().map(|index| piece.table.typed_value(cell, index)));
        let mut sink = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut sink));
        let close = match cell.column.kind() {
            Kind::Text => self.write::<ByteArrayType>(number, pages, texts(values()))?,
            Kind::Integer => {
                // Plies, evaluations and numbers of tags have 32 bits, and the table holds them so.
                let small = |value: Value<'_>| value.number().and_then(|number| i32::try_from(number).ok());
                self.write::<Int32Type>(number, pages, values().map(small))?
            }
            Kind::Long => self.write::<Int64Type>(number, pages, values().map(Value::number))?,
            Kind::Seconds => self.write::<DoubleType>(number, pages, values().map(Value::seconds))?,
            Kind::Date => self.write::<Int32Type>(number, pages, values().map(Value::days))?,
        };
        Ok((sink.into_inner()?.into(), close))
    }

    fn write<T: DataType>(
        &self,
        number: usize,
        pages: Box<dyn PageWriter + '_>,
        values: impl Iterator<Item = Option<T::T>>,
    ) -> Result<ColumnCloseResult, ParquetError> {
        let mut writer = ColumnWriterImpl::<T>::new(self.schema.column(number), Arc::clone(&self.properties), pages);
        let mut present = Vec::with_capacity(BATCH);
        // Whether there is a value in each row, as Parquet has it.
        let mut levels = Vec::with_capacity(BATCH);
        let mut values = values.peekable();
        while values.peek().is_some() {
            present.clear();
            levels.clear();
            for value in values.by_ref().take(BATCH) {
                levels.push(i16::from(value.is_some()));
                present.extend(value);
            }
            writer.write_batch(&present, Some(&levels), None)?;
        }
        writer.close()
    }
}

/// Texts as shares of a pool, of which each batch has its own.
fn texts<'t>(mut values: impl Iterator<Item = Value<'t>>) -> impl Iterator<Item = Option<ByteArray>> {
    let batch = move || {
        let mut pool = Vec::new();
        let place = |value: Value<'_>| {
            let start = pool.len();
            pool.extend_from_slice(value.text()?.as_bytes());
            Some(start..pool.len())
        };
        let places: Vec<_> = values.by_ref().take(BATCH).map(place).collect();
        let pool = Bytes::from(pool);
        let text = move |place: Option<Range<usize>>| place.map(|place| pool.slice(place).into());
        (!places.is_empty()).then(|| places.into_iter().map(text))
    };
    std::iter::from_fn(batch).flatten()
}

impl RowGroup {
    /// In bytes.
    pub(crate) fn weight(&self) -> usize {
        self.columns.iter().map(|(bytes, _)| bytes.len()).sum()
    }
}

impl File {
    /// Appends a row group.
    pub(crate) fn append(&mut self, group: RowGroup) -> Result<(), ParquetError> {
        let mut writer = self.0.next_row_group()?;
        for (bytes, close) in group.columns {
            writer.append_column(&bytes, close)?;
        }
        writer.close()?;
        Ok(())
    }

    /// Takes the bytes that are ready.
    pub(crate) fn take(&mut self, out: &mut Vec<u8>) -> Result<(), ParquetError> {
        self.0.flush()?;
        out.append(self.0.inner_mut());
        Ok(())
    }

    /// The last bytes: what readers read first.
    pub(crate) fn end(self, out: &mut Vec<u8>) -> Result<(), ParquetError> {
        out.extend_from_slice(&self.0.into_inner()?);
        Ok(())
    }
}
