//! The format `arrow`: rows as Arrow record batches, and as messages of an IPC stream.

use std::iter::{self, repeat_n};
use std::sync::Arc;

use arrow_array::builder::{
    Float64Builder, Int32Builder, ListBuilder, MapBuilder, MapFieldNames, PrimitiveBuilder, StringBuilder,
};
use arrow_array::types::{ArrowPrimitiveType, Date32Type, Float64Type, Int64Type};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_ipc::writer::{StreamEncoder, StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::columns::{Cell, Columns};
use crate::encode::encoded::Encoded;
use crate::encode::export_error::ExportError;
use crate::encode::formats::text::Bytes;
use crate::encode::{Encode, OpenFormat};
use crate::table::group::{Division, Group};
use crate::table::value::Value;
use pgn2fen_tables::{ColumnType, Texts};

/// The most rows of a record batch: enough to make its fixed costs small, and few enough to stay in the processor's
/// cache.
const ROWS: usize = 16 * 1024;

/// Begins an IPC stream.
pub(super) fn open(columns: &Columns) -> Result<OpenFormat, ExportError> {
    let schema = schema(columns);
    let (mut head, mut end) = (Vec::new(), Vec::new());
    stream_header(&schema, &mut head).map_err(ExportError::new)?;
    stream_end(&mut end);
    let encode = Stream { schema, head: head.len() };
    Ok(OpenFormat { encode: Box::new(encode), assemble: Box::new(Bytes { head, end }) })
}

/// Encodes groups as messages of an IPC stream.
struct Stream {
    schema: SchemaRef,
    /// The size of the schema message, in bytes.
    head: usize,
}

impl Encode for Stream {
    fn division(&self) -> Division {
        Division::Rows(ROWS)
    }

    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        let batch = record_batch(&self.schema, columns, group).map_err(ExportError::new)?;
        encoded.buffers.extend(self.message(&batch).map_err(ExportError::new)?);
        Ok(())
    }
}

impl Stream {
    /// Returns the message of a record batch, which shares its buffers.
    fn message(&self, batch: &RecordBatch) -> Result<impl Iterator<Item = Buffer> + use<>, ArrowError> {
        let mut buffers = StreamEncoder::try_new(&self.schema)?.encode(batch)?.into_iter();
        // The schema message comes first, and the stream has it already.
        let mut ahead = self.head;
        while ahead > 0 {
            let left = buffers.next().and_then(|buffer| ahead.checked_sub(buffer.len()));
            ahead = left.ok_or_else(|| ArrowError::IpcError("no buffer ends where the schema ends".to_owned()))?;
        }
        Ok(buffers)
    }
}

/// Makes record batches and does not encode them further.
pub(crate) struct Batches(pub(crate) SchemaRef);

impl Encode for Batches {
    fn division(&self) -> Division {
        Division::Rows(ROWS)
    }

    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        encoded.record_batches.push(record_batch(&self.0, columns, group).map_err(ExportError::new)?);
        Ok(())
    }
}

/// Returns the schema. Integers are signed, because not every reader supports unsigned integers.
pub(crate) fn schema(columns: &Columns) -> SchemaRef {
    let field = |cell: Cell<'_>| Field::new(cell.column.name(), data_type(cell.column.column_type()), true);
    Arc::new(Schema::new(columns.cells().map(field).collect::<Vec<_>>()))
}

/// Returns the Arrow type of the values of a column. Integers are signed.
pub fn data_type(column_type: ColumnType) -> DataType {
    match column_type {
        ColumnType::Text => DataType::Utf8,
        ColumnType::Int => DataType::Int32,
        ColumnType::Long => DataType::Int64,
        ColumnType::Double => DataType::Float64,
        ColumnType::Date => DataType::Date32,
        ColumnType::Ints => DataType::List(Arc::new(element(DataType::Int32))),
        ColumnType::Doubles => DataType::List(Arc::new(element(DataType::Float64))),
        ColumnType::Texts => DataType::List(Arc::new(element(DataType::Utf8))),
        ColumnType::TextMap => {
            let [name, text] = pair();
            let entries = DataType::Struct([name, text].into_iter().collect());
            DataType::Map(Arc::new(Field::new(ENTRIES, entries, false)), false)
        }
    }
}

/// The name of the field for the entries of a map.
const ENTRIES: &str = "entries";

/// Returns the field for the elements of a list.
fn element(of: DataType) -> Field {
    Field::new("element", of, true)
}

/// Returns the fields for the names and the texts of a map.
fn pair() -> [Field; 2] {
    [Field::new("key", DataType::Utf8, false), Field::new("value", DataType::Utf8, true)]
}

/// Converts a group of rows to a record batch.
fn record_batch(schema: &SchemaRef, columns: &Columns, group: &Group) -> Result<RecordBatch, ArrowError> {
    let arrays = columns.cells().map(|cell| array(cell, group)).collect::<Result<_, _>>()?;
    RecordBatch::try_new(Arc::clone(schema), arrays)
}

fn array(cell: Cell<'_>, group: &Group) -> Result<ArrayRef, ArrowError> {
    // A list is appended for each row that has it.
    let lists = || group.values(cell).flat_map(|(value, rows)| repeat_n(value, rows));
    Ok(match cell.column.column_type() {
        ColumnType::Text => Arc::new(text_array(group.texts(cell))?),
        ColumnType::Int => {
            let mut builder = Int32Builder::with_capacity(group.rows);
            group.pieces.iter().for_each(|piece| match piece.ints(cell) {
                Some(ints) => builder.append_slice(ints),
                None => append_runs(&mut builder, piece.values(cell).map(|(value, rows)| (value.int(), rows))),
            });
            Arc::new(builder.finish())
        }
        ColumnType::Long => numbers::<Int64Type>(cell, group, Value::number),
        ColumnType::Double => numbers::<Float64Type>(cell, group, Value::seconds),
        ColumnType::Date => numbers::<Date32Type>(cell, group, Value::days),
        ColumnType::Ints => {
            let mut builder = ListBuilder::new(Int32Builder::new()).with_field(element(DataType::Int32));
            lists().for_each(|value| builder.append_option(value.numbers()));
            Arc::new(builder.finish())
        }
        ColumnType::Doubles => {
            let mut builder = ListBuilder::new(Float64Builder::new()).with_field(element(DataType::Float64));
            lists().for_each(|value| builder.append_option(value.times().map(|times| times.iter().copied())));
            Arc::new(builder.finish())
        }
        ColumnType::Texts => {
            let mut builder = ListBuilder::new(StringBuilder::new()).with_field(element(DataType::Utf8));
            lists().for_each(|value| builder.append_option(value.moves().map(|moves| moves.iter().map(Some))));
            Arc::new(builder.finish())
        }
        ColumnType::TextMap => {
            let names = MapFieldNames { entry: ENTRIES.to_owned(), key: "key".to_owned(), value: "value".to_owned() };
            let mut builder = MapBuilder::new(Some(names), StringBuilder::new(), StringBuilder::new());
            for value in lists() {
                let pairs = value.pairs();
                for (name, text) in pairs.iter().flat_map(|pairs| pairs.iter()) {
                    builder.keys().append_value(name);
                    builder.values().append_value(text);
                }
                builder.append(pairs.is_some())?;
            }
            Arc::new(builder.finish())
        }
    })
}

/// Converts pooled texts. An empty text becomes a null.
fn text_array(texts: Texts) -> Result<StringArray, ArrowError> {
    let (bytes, ends) = texts.into_parts();
    // No text ends behind the last.
    let most = i32::try_from(bytes.len()).map_err(|_| ArrowError::OffsetOverflowError(bytes.len()))?;
    let offsets = iter::once(0).chain(ends.iter().map(|end| i32::try_from(*end).unwrap_or(most)));
    let offsets: Vec<i32> = offsets.collect();
    let are_texts = offsets.windows(2).map(|ends| ends[0] < ends[1]);
    let is_full = are_texts.clone().filter(|is_text| *is_text).count() == ends.len();
    let nulls = if is_full { None } else { Some(are_texts.collect::<NullBuffer>()) };
    StringArray::try_new(OffsetBuffer::new(offsets.into()), Buffer::from_vec(bytes), nulls)
}

/// Returns the numbers of a column.
fn numbers<'t, T: ArrowPrimitiveType>(
    cell: Cell<'t>,
    group: &'t Group,
    number: impl Fn(Value<'t>) -> Option<T::Native>,
) -> ArrayRef {
    let mut builder = PrimitiveBuilder::<T>::with_capacity(group.rows);
    append_runs(&mut builder, group.values(cell).map(|(value, rows)| (number(value), rows)));
    Arc::new(builder.finish())
}

/// Appends numbers, each of which a number of successive rows have.
fn append_runs<T: ArrowPrimitiveType>(
    builder: &mut PrimitiveBuilder<T>,
    runs: impl Iterator<Item = (Option<T::Native>, usize)>,
) {
    runs.for_each(|(number, rows)| match number {
        Some(number) => builder.append_value_n(number, rows),
        None => builder.append_nulls(rows),
    });
}

/// Appends the schema message, which begins a stream.
fn stream_header(schema: &Schema, out: &mut Vec<u8>) -> Result<(), ArrowError> {
    StreamWriter::try_new(out, schema).map(drop)
}

/// Appends the end of a stream: a message of length zero.
fn stream_end(out: &mut Vec<u8>) {
    out.extend_from_slice(&[0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{Array, RecordBatch};
    use arrow_ipc::reader::StreamReader;
    use arrow_ipc::writer::StreamWriter;
    use arrow_schema::{DataType, Field, Schema};

    use crate::encode::formats::arrow::{Stream, stream_header, text_array};
    use pgn2fen_tables::Texts;

    #[test]
    fn a_message_begins_where_the_schema_ends() {
        let schema = Arc::new(Schema::new(vec![Field::new("san", DataType::Utf8, true)]));
        let mut texts = Texts::default();
        ["e4", "", "Nf3"].iter().for_each(|text| texts.push(text.as_bytes()));
        let texts = Arc::new(text_array(texts).unwrap());
        let batch = RecordBatch::try_new(Arc::clone(&schema), vec![texts]).unwrap();
        let mut expected = Vec::new();
        StreamWriter::try_new(&mut expected, &schema).unwrap().write(&batch).unwrap();
        let mut stream = Vec::new();
        stream_header(&schema, &mut stream).unwrap();
        let head = stream.len();
        let message =
            |head| Stream { schema: Arc::clone(&schema), head }.message(&batch).map(Iterator::collect::<Vec<_>>);
        message(head).unwrap().iter().for_each(|buffer| stream.extend_from_slice(buffer));
        assert!(stream == expected);
        for wrong in [head - 1, head + 1, usize::MAX / 2] {
            message(wrong).unwrap_err();
        }
    }

    #[test]
    fn a_stream_has_the_batches_of_the_rows() {
        let games = || crate::testing::games("[White \"A\"]\n\n1. e4 e5 *\n");
        let rows = crate::Rows::columns("ply,san,White,comment").unwrap().format(crate::Format::Arrow).group(2);
        let (bytes, _) = rows.write(games(), Vec::new()).unwrap();
        assert!(bytes.ends_with(&[0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]));
        let stream = StreamReader::try_new(&*bytes, None).unwrap();
        let read: Vec<RecordBatch> = stream.map(Result::unwrap).collect();
        let batches: Vec<RecordBatch> = rows.batches(games()).unwrap().map(Result::unwrap).collect();
        assert_eq!(read, batches);
        assert_eq!(read.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn an_empty_text_is_missing() {
        let array = |texts: &[&str]| {
            let mut pool = Texts::default();
            texts.iter().for_each(|text| pool.push(text.as_bytes()));
            text_array(pool).unwrap()
        };
        let texts: Vec<Option<String>> = array(&["", "e4", ""]).iter().map(|text| text.map(str::to_owned)).collect();
        assert_eq!(texts, [None, Some("e4".to_owned()), None]);
        assert!(array(&["a", "bc"]).nulls().is_none());
        assert_eq!(array(&["a", ""]).null_count(), 1);
    }
}
