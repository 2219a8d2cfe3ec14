//! Values as arrays of a record batch.

use std::sync::Arc;

use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{ArrayRef, ListArray, MapArray, PrimitiveArray, RecordBatch, StringArray, StructArray};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Fields, SchemaRef};

use crate::encode::formats::arrow::values::Values;

/// Returns a record batch with these columns.
pub(super) fn record_batch(schema: &SchemaRef, columns: Vec<Values>) -> Result<RecordBatch, ArrowError> {
    RecordBatch::try_new(Arc::clone(schema), arrays(schema.fields(), columns)?)
}

fn arrays(fields: &Fields, columns: Vec<Values>) -> Result<Vec<ArrayRef>, ArrowError> {
    fields.iter().zip(columns).map(|(field, values)| array(field.data_type(), values)).collect()
}

fn array(data_type: &DataType, values: Values) -> Result<ArrayRef, ArrowError> {
    let Values { rows, nulls, offsets, data, children } = values;
    let data = data.unwrap_or_default();
    let offsets = || OffsetBuffer::new(offsets.map_or_else(ScalarBuffer::default, ScalarBuffer::from));
    Ok(match data_type {
        DataType::Int32 => Arc::new(PrimitiveArray::<Int32Type>::try_new(ScalarBuffer::new(data, 0, rows), nulls)?),
        DataType::Int64 => Arc::new(PrimitiveArray::<Int64Type>::try_new(ScalarBuffer::new(data, 0, rows), nulls)?),
        DataType::Float64 => Arc::new(PrimitiveArray::<Float64Type>::try_new(ScalarBuffer::new(data, 0, rows), nulls)?),
        DataType::Date32 => Arc::new(PrimitiveArray::<Date32Type>::try_new(ScalarBuffer::new(data, 0, rows), nulls)?),
        DataType::Utf8 => Arc::new(StringArray::try_new(offsets(), data, nulls)?),
        DataType::List(field) => Arc::new(ListArray::try_new(
            Arc::clone(field),
            offsets(),
            array(field.data_type(), child(children)?)?,
            nulls,
        )?),
        DataType::Map(field, is_sorted) => {
            let DataType::Struct(fields) = field.data_type() else { return Err(not_written(field.data_type())) };
            let entries = StructArray::try_new(fields.clone(), arrays(fields, child(children)?.children)?, None)?;
            Arc::new(MapArray::try_new(Arc::clone(field), offsets(), entries, nulls, *is_sorted)?)
        }
        _ => return Err(not_written(data_type)),
    })
}

/// Returns the elements of lists.
fn child(mut children: Vec<Values>) -> Result<Values, ArrowError> {
    children.pop().ok_or_else(|| ArrowError::InvalidArgumentError("a list has no elements".to_owned()))
}

fn not_written(data_type: &DataType) -> ArrowError {
    ArrowError::NotYetImplemented(data_type.to_string())
}
