//! The schema of a Parquet file.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::schema::types::{Type, TypePtr};

use crate::tables::ColumnType;

/// Makes a schema of columns with these names and types. All of them are optional, since some readers require it.
pub(crate) fn schema<'c>(columns: impl Iterator<Item = (&'c str, ColumnType)>) -> Result<TypePtr, ParquetError> {
    let field = |(name, column_type)| {
        let (physical, logical) = match column_type {
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
