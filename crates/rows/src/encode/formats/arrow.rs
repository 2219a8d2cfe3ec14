//! The format `arrow`: rows as Arrow record batches, and as messages of an IPC stream.

mod arrays;
mod message;
mod values;

use std::sync::Arc;

use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::columns::{Cell, Columns};
use crate::encode::encoded::Encoded;
use crate::encode::export_error::ExportError;
use crate::encode::formats::arrow::arrays::record_batch;
use crate::encode::formats::arrow::message::append_message;
use crate::encode::formats::arrow::values::Values;
use crate::encode::formats::text::Bytes;
use crate::encode::{Encode, OpenFormat};
use crate::table::group::{Division, Group};
use pgn2fen_tables::ColumnType;

/// The most rows of a record batch: enough to make its fixed costs small, and few enough to stay in the processor's
/// cache.
const ROWS: usize = 16 * 1024;

/// Begins an IPC stream.
pub(super) fn open(columns: &Columns) -> Result<OpenFormat, ExportError> {
    let schema = schema(columns);
    let (mut head, mut end) = (Vec::new(), Vec::new());
    stream_header(&schema, &mut head).map_err(ExportError::new)?;
    stream_end(&mut end);
    Ok(OpenFormat { encode: Box::new(Stream), assemble: Box::new(Bytes { head, end }) })
}

/// Encodes groups as messages of an IPC stream.
struct Stream;

impl Encode for Stream {
    fn division(&self) -> Division {
        Division::Rows(ROWS)
    }

    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        let values = all_values(columns, group).map_err(ExportError::new)?;
        append_message(group.rows, &values, &mut encoded.buffers).map_err(ExportError::new)
    }
}

/// Makes record batches and does not encode them further.
pub(crate) struct Batches(pub(crate) SchemaRef);

impl Encode for Batches {
    fn division(&self) -> Division {
        Division::Rows(ROWS)
    }

    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        let batch = all_values(columns, group).and_then(|values| record_batch(&self.0, values));
        encoded.record_batches.push(batch.map_err(ExportError::new)?);
        Ok(())
    }
}

/// Returns the values of all columns.
fn all_values(columns: &Columns, group: &Group) -> Result<Vec<Values>, ArrowError> {
    columns.cells().map(|cell| Values::of(cell, group)).collect()
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
    use arrow_array::RecordBatch;
    use arrow_ipc::reader::StreamReader;
    use arrow_ipc::writer::StreamWriter;

    use crate::testing::games;
    use crate::{Format, GameRows, Rows};

    /// Games with every kind of missing values, in several batches.
    const GAMES: &str = "[White \"A\"]\n[Date \"2024.02.03\"]\n\n1. e4 {[%clk 0:01:00][%eval 0.3]} (1. d4 d5) \
         1... e5 *\n\n[Black \"B\"]\n[TimeControl \"60+1\"]\n\n1. d4 {a} 1... d5 {b} *\n\n[White \"\"]\n\n*\n";

    /// Compares a stream of rows with what the crate arrow-ipc writes of the batches of these rows.
    macro_rules! check_stream {
        ($rows:expr) => {
            let rows = $rows.format(Format::Arrow);
            let (bytes, _) = rows.write(games(GAMES), Vec::new()).unwrap();
            let schema = rows.schema();
            let batches: Vec<RecordBatch> = rows.batches(games(GAMES)).unwrap().map(Result::unwrap).collect();
            assert!(!batches.is_empty());
            let mut writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap();
            assert!(bytes == writer.into_inner().unwrap(), "{schema}");
            let stream = StreamReader::try_new(&*bytes, None).unwrap();
            assert_eq!(stream.map(Result::unwrap).collect::<Vec<_>>(), batches);
        };
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
    fn a_stream_has_the_bytes_of_the_library() {
        for rows in [1, 2, 100] {
            for columns in ["ply,san,White,comment,clk,eval,key,Date,nags,tags", "ply", "comment"] {
                check_stream!(Rows::columns(columns).unwrap().group(rows));
            }
            for columns in ["moves,evals,clocks,White,tags,plies,line", "clocks"] {
                check_stream!(GameRows::columns(columns).unwrap().group(rows));
            }
        }
    }
}
