//! Tables that are made row by row.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pgn2fen_games::walk::{Background, ResultSender};
use pgn2fen_index::AnswerValue;

use crate::door::Scan;

/// The rows of a record batch.
const BATCH_ROWS: usize = 2048;

/// The most record batches that wait until DuckDB takes them.
const WAITING: usize = 4;

/// A value of a row.
#[derive(Clone, Copy)]
pub(crate) enum Cell<'v> {
    Text(&'v str),
    Number(i64),
    Real(f64),
    Flag(bool),
    Missing,
}

impl<'v> From<AnswerValue<'v>> for Cell<'v> {
    #[expect(clippy::cast_precision_loss, reason = "scores are at most 1000")]
    fn from(value: AnswerValue<'v>) -> Self {
        match value {
            AnswerValue::Missing => Self::Missing,
            AnswerValue::Text(text) => Self::Text(text),
            AnswerValue::Number(number) => Self::count(number),
            AnswerValue::Thousandths(number) => Self::Real(number as f64 / 1000.0),
        }
    }
}

impl<'v> Cell<'v> {
    /// Converts a count. Counts of games and lines fit into 63 bits.
    pub(crate) fn count(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// Converts a text that may be missing. An empty text means that it is missing.
    pub(crate) fn text(text: &'v str) -> Self {
        if text.is_empty() { Self::Missing } else { Self::Text(text) }
    }

    /// Converts a text that may be missing.
    pub(crate) fn optional(text: Option<&'v str>) -> Self {
        text.map_or(Self::Missing, Self::Text)
    }
}

/// A column that is being filled.
enum Column {
    Text(StringBuilder),
    Int(Int32Builder),
    Long(Int64Builder),
    Real(Float64Builder),
    Flag(BooleanBuilder),
}

impl Column {
    fn new(data_type: &DataType) -> Self {
        match data_type {
            DataType::Int32 => Self::Int(Int32Builder::new()),
            DataType::Int64 => Self::Long(Int64Builder::new()),
            DataType::Float64 => Self::Real(Float64Builder::new()),
            DataType::Boolean => Self::Flag(BooleanBuilder::new()),
            _ => Self::Text(StringBuilder::new()),
        }
    }

    fn push(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (Self::Text(column), Cell::Text(text)) => column.append_value(text),
            (Self::Text(column), _) => column.append_null(),
            (Self::Int(column), Cell::Number(number)) => column.append_option(i32::try_from(number).ok()),
            (Self::Int(column), _) => column.append_null(),
            (Self::Long(column), Cell::Number(number)) => column.append_value(number),
            (Self::Long(column), _) => column.append_null(),
            (Self::Real(column), Cell::Real(number)) => column.append_value(number),
            (Self::Real(column), _) => column.append_null(),
            (Self::Flag(column), Cell::Flag(flag)) => column.append_value(flag),
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

/// Returns the schema of a table.
pub(crate) fn schema(columns: impl IntoIterator<Item = (&'static str, DataType)>) -> SchemaRef {
    let fields = columns.into_iter().map(|(name, data_type)| Field::new(name, data_type, true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// The result of a job: rows, or the error of the query.
type Item = Result<RecordBatch, String>;

/// A table that a background job makes row by row.
pub(crate) struct TableWriter {
    schema: SchemaRef,
    columns: Vec<Column>,
    rows: usize,
    /// The numbers of the columns that are wanted.
    wanted: Vec<usize>,
    sender: ResultSender<Item>,
    /// Whether nobody wants more rows.
    is_over: bool,
}

impl TableWriter {
    /// Adds a row, which has a value for each column of the schema.
    pub(crate) fn push<'v>(&mut self, row: impl IntoIterator<Item = Cell<'v>>) -> Result<(), String> {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.push(cell);
        }
        self.rows += 1;
        if self.rows == BATCH_ROWS { self.send() } else { Ok(()) }
    }

    /// Whether nobody wants more rows.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    fn send(&mut self) -> Result<(), String> {
        if std::mem::take(&mut self.rows) > 0 {
            let arrays = self.columns.iter_mut().map(Column::end).collect();
            let batch = RecordBatch::try_new(SchemaRef::clone(&self.schema), arrays);
            let batch = batch.and_then(|batch| batch.project(&self.wanted)).map_err(|error| error.to_string())?;
            self.is_over |= self.sender.send(Ok(batch)).is_break();
        }
        Ok(())
    }
}

/// Rows that a background job makes.
pub(crate) struct Written(Mutex<Background<Item>>);

impl Written {
    /// Starts a job, which adds rows to the table. Its error is that of the query. Of the rows, only some columns are
    /// wanted.
    pub(crate) fn start(
        schema: SchemaRef,
        wanted: &[usize],
        work: impl FnOnce(&mut TableWriter, &ResultSender<Item>) -> Result<(), String> + Send + 'static,
    ) -> Result<Arc<dyn Scan>, String> {
        let wanted = if wanted.is_empty() { vec![0] } else { wanted.to_vec() };
        let work = move |sender: &ResultSender<Item>| {
            let columns = schema.fields().iter().map(|field| Column::new(field.data_type())).collect();
            let sender = sender.clone();
            let mut table = TableWriter { schema, columns, rows: 0, wanted, sender: sender.clone(), is_over: false };
            if let Err(error) = work(&mut table, &sender).and_then(|()| table.send()) {
                // The query may have ended.
                let _ = sender.send(Err(error));
            }
        };
        let started = Background::start(WAITING, work).map_err(|error| error.to_string())?;
        Ok(Arc::new(Self(Mutex::new(started))))
    }
}

impl Scan for Written {
    fn next(&self) -> Result<Option<RecordBatch>, String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next().transpose()
    }

    fn threads(&self) -> usize {
        1
    }
}
