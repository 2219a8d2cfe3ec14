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

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::{Array, StringArray};
    use arrow_schema::DataType;

    use super::array;
    use crate::encode::formats::arrow::values::Values;
    use pgn2fen_tables::Texts;

    #[test]
    fn an_empty_text_is_missing() {
        let array = |texts: &[&str]| -> StringArray {
            let mut pool = Texts::default();
            texts.iter().for_each(|text| pool.push(text.as_bytes()));
            array(&DataType::Utf8, Values::texts(pool).unwrap()).unwrap().as_string().clone()
        };
        let texts: Vec<Option<String>> = array(&["", "e4", ""]).iter().map(|text| text.map(str::to_owned)).collect();
        assert_eq!(texts, [None, Some("e4".to_owned()), None]);
        assert!(array(&["a", "bc"]).nulls().is_none());
        assert_eq!(array(&["a", ""]).null_count(), 1);
    }
}
