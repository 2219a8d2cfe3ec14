//! Record batches of tables that are made row by row, such as the answers of an index.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pgn2fen_tables::Cell;

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowValue<'v> {
    /// A text.
    Text(&'v str),
    /// A whole number.
    Number(i64),
    /// A number.
    Real(f64),
    /// True or false.
    Flag(bool),
    /// No value.
    Missing,
}

impl<'v> RowValue<'v> {
    /// Converts a count. Counts of games and lines fit into 63 bits.
    pub fn count(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// Converts a number of thousandths, which has at most 53 bits.
    pub fn thousandths(number: u64) -> Self {
        Self::Real(number as f64 / 1000.0)
    }

    /// Converts a text that may be missing. An empty text means that it is missing.
    pub fn text(text: &'v str) -> Self {
        if text.is_empty() { Self::Missing } else { Self::Text(text) }
    }
}

impl<'v> From<Cell<'v>> for RowValue<'v> {
    fn from(cell: Cell<'v>) -> Self {
        match cell {
            Cell::Missing => Self::Missing,
            Cell::Text(text) => Self::text(text),
            Cell::Number(number) | Cell::PerCent(number) => Self::count(number),
            Cell::Thousandths(number) => Self::thousandths(number),
        }
    }
}

/// A column that is being filled.
#[derive(Debug)]
enum Filled {
    Text(StringBuilder),
    Int(Int32Builder),
    Long(Int64Builder),
    Real(Float64Builder),
    Flag(BooleanBuilder),
}

impl Filled {
    fn new(data_type: &DataType) -> Self {
        match data_type {
            DataType::Int32 => Self::Int(Int32Builder::new()),
            DataType::Int64 => Self::Long(Int64Builder::new()),
            DataType::Float64 => Self::Real(Float64Builder::new()),
            DataType::Boolean => Self::Flag(BooleanBuilder::new()),
            _ => Self::Text(StringBuilder::new()),
        }
    }

    fn push(&mut self, value: RowValue<'_>) {
        match (self, value) {
            (Self::Text(column), RowValue::Text(text)) => column.append_value(text),
            (Self::Text(column), _) => column.append_null(),
            (Self::Int(column), RowValue::Number(number)) => column.append_option(i32::try_from(number).ok()),
            (Self::Int(column), _) => column.append_null(),
            (Self::Long(column), RowValue::Number(number)) => column.append_value(number),
            (Self::Long(column), _) => column.append_null(),
            (Self::Real(column), RowValue::Real(number)) => column.append_value(number),
            (Self::Real(column), _) => column.append_null(),
            (Self::Flag(column), RowValue::Flag(flag)) => column.append_value(flag),
            (Self::Flag(column), _) => column.append_null(),
        }
    }

    fn end(&mut self) -> ArrayRef {
        match self {
            Self::Text(column) => Arc::new(column.finish()),
            Self::Int(column) => Arc::new(column.finish()),
            Self::Long(column) => Arc::new(column.finish()),
            Self::Real(column) => Arc::new(column.finish()),
            Self::Flag(column) => Arc::new(column.finish()),
        }
    }
}

/// Record batches that are being filled, row by row. The columns have text (`Utf8`), numbers (`Int32`, `Int64`,
/// `Float64`) or `Boolean` values, each of which may be missing.
#[derive(Debug)]
pub struct RowBatches {
    schema: SchemaRef,
    columns: Vec<Filled>,
    rows: usize,
}

impl RowBatches {
    /// Returns the schema of columns with these names and types.
    pub fn schema_of(columns: impl IntoIterator<Item = (impl Into<String>, DataType)>) -> SchemaRef {
        let fields = columns.into_iter().map(|(name, data_type)| Field::new(name, data_type, true));
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }

    /// Begins the first batch.
    pub fn new(schema: SchemaRef) -> Self {
        let columns = schema.fields().iter().map(|field| Filled::new(field.data_type())).collect();
        Self { schema, columns, rows: 0 }
    }

    /// Returns the schema.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Adds a row, which has a value for each column. Returns the number of rows of the batch.
    pub fn push<'v>(&mut self, row: impl IntoIterator<Item = RowValue<'v>>) -> usize {
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.push(value);
        }
        self.rows += 1;
        self.rows
    }

    /// Ends the batch, and begins the next one. Returns None if the batch has no rows.
    ///
    /// # Errors
    ///
    /// A row has fewer values than there are columns.
    pub fn end(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if std::mem::take(&mut self.rows) == 0 {
            return Ok(None);
        }
        let columns = self.columns.iter_mut().map(Filled::end).collect();
        RecordBatch::try_new(SchemaRef::clone(&self.schema), columns).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;
    use arrow_schema::DataType;

    use super::{RowBatches, RowValue};
    use pgn2fen_tables::Cell;

    #[test]
    fn batches_have_the_rows_between_two_ends() {
        let types = [DataType::Utf8, DataType::Int32, DataType::Int64, DataType::Float64, DataType::Boolean];
        let mut batches = RowBatches::new(RowBatches::schema_of(["a", "b", "c", "d", "e"].into_iter().zip(types)));
        assert!(batches.end().unwrap().is_none());
        let row = [RowValue::Text("x"), RowValue::Number(1), RowValue::count(2), RowValue::thousandths(500)];
        assert_eq!(batches.push(row.into_iter().chain([RowValue::Flag(true)])), 1);
        assert_eq!(batches.push([RowValue::text(""); 5]), 2);
        // A number that does not fit is missing, as is a value of another type.
        assert_eq!(batches.push([RowValue::Number(i64::MAX); 5]), 3);
        let batch = batches.end().unwrap().unwrap();
        let missing: Vec<usize> = batch.columns().iter().map(Array::null_count).collect();
        assert_eq!((batch.num_rows(), missing), (3, vec![2, 2, 1, 2, 2]));
        batches.push([RowValue::Missing; 4]);
        assert!(batches.end().is_err());
    }

    #[test]
    fn cells_are_values() {
        let values = [
            Cell::Missing,
            Cell::Text(""),
            Cell::Text("x"),
            Cell::Number(3),
            Cell::PerCent(9),
            Cell::Thousandths(1500),
        ];
        let expected = [
            RowValue::Missing,
            RowValue::Missing,
            RowValue::Text("x"),
            RowValue::Number(3),
            RowValue::Number(9),
            RowValue::Real(1.5),
        ];
        assert_eq!(values.map(RowValue::from), expected);
    }
}
