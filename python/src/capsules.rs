//! Schemas and streams as capsules of the Arrow `PyCapsule` interface.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatchIterator, RecordBatchReader};
use arrow_schema::SchemaRef;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::{Bound, PyResult, Python};
use pyo3::types::PyCapsule;

/// Returns the names of the columns.
pub(crate) fn names(schema: &SchemaRef) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().clone()).collect()
}

/// Returns a schema as a capsule of the Arrow `PyCapsule` interface.
pub(crate) fn schema_capsule<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(&**schema).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// Returns batches as a capsule of the Arrow `PyCapsule` interface.
pub(crate) fn stream_capsule<'py>(
    py: Python<'py>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
}

/// Returns a stream without rows, with the schema of a description of rows.
pub(crate) fn empty_stream<'py>(py: Python<'py>, schema: SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    stream_capsule(py, Box::new(RecordBatchIterator::new(std::iter::empty(), schema)))
}
