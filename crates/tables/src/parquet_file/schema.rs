//! The schema of a Parquet file.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::schema::types::{Type, TypePtr};

use crate::ColumnType;

/// Makes a schema of columns with these names and types. All of them are optional, since some readers require it.
pub fn schema<'c>(columns: impl Iterator<Item = (&'c str, ColumnType)>) -> Result<TypePtr, ParquetError> {
    let fields = columns.map(|(name, column_type)| field(name, column_type)).collect::<Result<_, _>>()?;
    Type::group_type_builder("schema").with_fields(fields).build().map(Arc::new)
}

fn field(name: &str, column_type: ColumnType) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match column_type {
        ColumnType::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnType::Int => (PhysicalType::INT32, None),
        ColumnType::Long => (PhysicalType::INT64, None),
        ColumnType::Double => (PhysicalType::DOUBLE, None),
        ColumnType::Date => (PhysicalType::INT32, Some(LogicalType::Date)),
        ColumnType::Ints => return list(name, field("element", ColumnType::Int)?),
        ColumnType::Doubles => return list(name, field("element", ColumnType::Double)?),
        ColumnType::Texts => return list(name, field("element", ColumnType::Text)?),
        ColumnType::TextMap => return map(name),
    };
    let field = Type::primitive_type_builder(name, physical).with_logical_type(logical);
    field.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
}

/// Makes the type of lists of these elements, in the three levels that the format prescribes.
fn list(name: &str, element: TypePtr) -> Result<TypePtr, ParquetError> {
    let repeated = Type::group_type_builder("list").with_repetition(Repetition::REPEATED).with_fields(vec![element]);
    let list = Type::group_type_builder(name).with_logical_type(Some(LogicalType::List));
    let list = list.with_repetition(Repetition::OPTIONAL).with_fields(vec![Arc::new(repeated.build()?)]);
    list.build().map(Arc::new)
}

/// Makes the type of texts with names. A name is never null.
fn map(name: &str) -> Result<TypePtr, ParquetError> {
    let key = Type::primitive_type_builder("key", PhysicalType::BYTE_ARRAY);
    let key = key.with_logical_type(Some(LogicalType::String)).with_repetition(Repetition::REQUIRED).build()?;
    let fields = vec![Arc::new(key), field("value", ColumnType::Text)?];
    let repeated = Type::group_type_builder("key_value").with_repetition(Repetition::REPEATED).with_fields(fields);
    let map = Type::group_type_builder(name).with_logical_type(Some(LogicalType::Map));
    map.with_repetition(Repetition::OPTIONAL).with_fields(vec![Arc::new(repeated.build()?)]).build().map(Arc::new)
}
