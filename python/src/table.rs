//! Tables that are held in memory: the answers of an index.

use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use pgn2fen_rows::RowBatches;
pub(crate) use pgn2fen_rows::RowValue as Cell;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::{Bound, FromPyObject, PyErr, PyResult, Python, pyclass, pymethods};
use pyo3::types::PyCapsule;

use crate::batches::Batch;
use crate::capsules::{names, schema_capsule, stream_capsule};
use crate::errors::wrong;

/// The rows of a record batch. A table of many rows has several, so that no column of a batch has too much text.
const BATCH_ROWS: usize = 1 << 16;

/// A table that is being filled, row by row.
pub(crate) struct TableBuilder {
    rows: RowBatches,
    batches: Vec<RecordBatch>,
}

impl TableBuilder {
    /// Begins a table with these columns.
    pub(crate) fn new(columns: impl IntoIterator<Item = (impl Into<String>, DataType)>) -> Self {
        Self { rows: RowBatches::new(RowBatches::schema_of(columns)), batches: Vec::new() }
    }

    /// Adds a row, which has a value for each column.
    pub(crate) fn push<'v>(&mut self, row: impl IntoIterator<Item = Cell<'v>>) -> Result<(), ArrowError> {
        if self.rows.push(row) == BATCH_ROWS {
            self.batches.extend(self.rows.end()?);
        }
        Ok(())
    }

    pub(crate) fn end(mut self) -> Result<TableData, ArrowError> {
        self.batches.extend(self.rows.end()?);
        Ok(TableData { schema: SchemaRef::clone(self.rows.schema()), batches: self.batches })
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
