//! Tables that are held in memory: the answers of an index.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pgn2fen_index::AnswerValue;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::{Bound, FromPyObject, PyErr, PyResult, Python, pyclass, pymethods};
use pyo3::types::PyCapsule;

use crate::batches::Batch;
use crate::capsules::{names, schema_capsule, stream_capsule};
use crate::errors::wrong;

/// The rows of a record batch. A table of many rows has several, so that no column of a batch has too much text.
const BATCH_ROWS: usize = 1 << 16;

/// A value of a row.
#[derive(Clone, Copy)]
pub(crate) enum Cell<'v> {
    Text(&'v str),
    Number(i64),
    Real(f64),
    Missing,
}

impl<'v> Cell<'v> {
    /// Converts a count. Counts of games fit into 63 bits.
    pub(crate) fn count(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// Converts a number of thousandths, which has at most 53 bits.
    #[expect(clippy::cast_precision_loss, reason = "the number is exact")]
    pub(crate) fn thousandths(number: u64) -> Self {
        Self::Real(number as f64 / 1000.0)
    }

    /// Converts a text that may be missing. An empty text means that it is missing.
    pub(crate) fn text(text: &'v str) -> Self {
        if text.is_empty() { Self::Missing } else { Self::Text(text) }
    }
}

impl<'v> From<AnswerValue<'v>> for Cell<'v> {
    fn from(value: AnswerValue<'v>) -> Self {
        match value {
            AnswerValue::Missing => Self::Missing,
            AnswerValue::Text(text) => Self::Text(text),
            AnswerValue::Number(number) => Self::count(number),
            AnswerValue::Thousandths(number) => Self::thousandths(number),
        }
    }
}

/// The values of a column that is being filled.
enum Column {
    Text(StringBuilder),
    Int(Int32Builder),
    Long(Int64Builder),
    Real(Float64Builder),
}

impl Column {
    fn new(data_type: &DataType) -> Self {
        match data_type {
            DataType::Int32 => Self::Int(Int32Builder::new()),
            DataType::Int64 => Self::Long(Int64Builder::new()),
            DataType::Float64 => Self::Real(Float64Builder::new()),
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
        }
    }

    fn end(&mut self) -> ArrayRef {
        match self {
            Self::Text(column) => Arc::new(column.finish()),
            Self::Int(column) => Arc::new(column.finish()),
            Self::Long(column) => Arc::new(column.finish()),
            Self::Real(column) => Arc::new(column.finish()),
        }
    }
}

/// A table that is being filled, row by row.
pub(crate) struct TableBuilder {
    schema: SchemaRef,
    columns: Vec<Column>,
    rows: usize,
    batches: Vec<RecordBatch>,
}

impl TableBuilder {
    /// Begins a table with these columns.
    pub(crate) fn new(columns: impl IntoIterator<Item = (impl Into<String>, DataType)>) -> Self {
        let fields = columns.into_iter().map(|(name, data_type)| Field::new(name, data_type, true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let columns = schema.fields().iter().map(|field| Column::new(field.data_type())).collect();
        Self { schema, columns, rows: 0, batches: Vec::new() }
    }

    /// Adds a row, which has a value for each column.
    pub(crate) fn push<'v>(&mut self, row: impl IntoIterator<Item = Cell<'v>>) -> Result<(), ArrowError> {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.push(cell);
        }
        self.rows += 1;
        if self.rows == BATCH_ROWS { self.end_batch() } else { Ok(()) }
    }

    fn end_batch(&mut self) -> Result<(), ArrowError> {
        if std::mem::take(&mut self.rows) > 0 {
            let columns = self.columns.iter_mut().map(Column::end).collect();
            self.batches.push(RecordBatch::try_new(SchemaRef::clone(&self.schema), columns)?);
        }
        Ok(())
    }

    pub(crate) fn end(mut self) -> Result<TableData, ArrowError> {
        self.end_batch()?;
        Ok(TableData { schema: self.schema, batches: self.batches })
    }
}

/// Rows in memory.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct TableData {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

/// A value of a row, as Python has it.
#[derive(FromPyObject)]
enum PyCell {
    Number(i64),
    Real(f64),
    Text(String),
}

impl PyCell {
    fn cell(cell: &Option<Self>) -> Cell<'_> {
        match cell {
            Some(Self::Number(number)) => Cell::Number(*number),
            Some(Self::Real(number)) => Cell::Real(*number),
            Some(Self::Text(text)) => Cell::Text(text),
            None => Cell::Missing,
        }
    }
}

#[pymethods]
impl TableData {
    /// Makes a table of the names and types of its columns, and its rows. It is for pickled tables.
    #[new]
    fn new(columns: Vec<(String, String)>, rows: Vec<Vec<Option<PyCell>>>) -> PyResult<Self> {
        let column = |(name, data_type): (String, String)| match &*data_type {
            "int32" => Ok((name, DataType::Int32)),
            "int64" => Ok((name, DataType::Int64)),
            "float64" => Ok((name, DataType::Float64)),
            "str" => Ok((name, DataType::Utf8)),
            other => Err(wrong(format!("unknown type {other}"))),
        };
        let mut table = TableBuilder::new(columns.into_iter().map(column).collect::<PyResult<Vec<_>>>()?);
        for row in &rows {
            table.push(row.iter().map(PyCell::cell)).map_err(|error| unstored(&error))?;
        }
        table.end().map_err(|error| unstored(&error))
    }

    /// The names and types of the columns.
    #[getter]
    fn types(&self) -> Vec<(String, &'static str)> {
        let name = |data_type: &DataType| match data_type {
            DataType::Int32 => "int32",
            DataType::Int64 => "int64",
            DataType::Float64 => "float64",
            _ => "str",
        };
        self.schema.fields().iter().map(|field| (field.name().clone(), name(field.data_type()))).collect()
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        names(&self.schema)
    }

    #[getter]
    fn batches(&self) -> Vec<Batch> {
        self.batches.iter().cloned().map(Batch).collect()
    }

    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    fn open<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let batches = self.batches.clone().into_iter().map(Ok);
        stream_capsule(py, Box::new(RecordBatchIterator::new(batches, SchemaRef::clone(&self.schema))))
    }
}

/// Returns the exception for rows that cannot be stored, which does not happen.
pub(crate) fn unstored(error: &ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}
