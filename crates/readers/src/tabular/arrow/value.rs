//! The values of Arrow arrays.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType};
use arrow_schema::{DataType, Field, TimeUnit};

use crate::tabular::choice::{ColumnKind, TableColumn};
use crate::tabular::table::Cell;

/// Returns the name and the kind of a column.
pub(super) fn column(field: &Field) -> TableColumn {
    let of = field.data_type();
    let kind = match of {
        _ if is_text(of) => ColumnKind::Text,
        _ if is_scalar(of) => ColumnKind::Scalar,
        _ => match element(of) {
            Some(element) if is_text(element) => ColumnKind::Texts,
            Some(element) if is_number(element) => ColumnKind::Numbers,
            _ if is_map_of_text(of) => ColumnKind::Pairs,
            _ => ColumnKind::Other,
        },
    };
    let type_name = match (kind, element(of)) {
        (ColumnKind::Text, _) => "text".to_owned(),
        (ColumnKind::Texts, _) => "list of text".to_owned(),
        (ColumnKind::Pairs, _) => "map".to_owned(),
        (_, Some(_)) => "list".to_owned(),
        (ColumnKind::Other, _) => "nested".to_owned(),
        _ => of.to_string().to_lowercase().chars().take(40).collect(),
    };
    TableColumn { name: field.name().clone(), kind, type_name }
}

fn is_text(of: &DataType) -> bool {
    match of {
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

fn is_number(of: &DataType) -> bool {
    of.is_integer() || matches!(of, DataType::Float32 | DataType::Float64)
}

fn is_scalar(of: &DataType) -> bool {
    match of {
        DataType::Boolean
        | DataType::Date32
        | DataType::Date64
        | DataType::Time32(_)
        | DataType::Time64(_)
        | DataType::Timestamp(..)
        | DataType::Decimal128(..) => true,
        DataType::Dictionary(_, values) => is_scalar(values),
        _ => is_number(of),
    }
}

/// Returns the type of the elements of a list.
fn element(of: &DataType) -> Option<&DataType> {
    match of {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _) => Some(field.data_type()),
        _ => None,
    }
}

fn is_map_of_text(of: &DataType) -> bool {
    let DataType::Map(entries, _) = of else {
        return false;
    };
    let DataType::Struct(fields) = entries.data_type() else {
        return false;
    };
    fields.len() == 2 && fields.iter().all(|field| is_text(field.data_type()))
}

/// Returns a value; null for a type that cannot be in a tag.
pub(super) fn cell(array: &dyn Array, row: usize) -> Cell<'_> {
    if row >= array.len() || array.is_null(row) {
        return Cell::Null;
    }
    found(array, row).unwrap_or(Cell::Null)
}

/// Returns a number of this type.
fn number<T: ArrowPrimitiveType>(array: &dyn Array, row: usize) -> Option<T::Native> {
    array.as_primitive_opt::<T>().map(|array| array.value(row))
}

fn found(array: &dyn Array, row: usize) -> Option<Cell<'_>> {
    let integer = |number: Option<i64>| number.map(Cell::Integer);
    let unsigned = |number: Option<u64>| number.map(Cell::Unsigned);
    match array.data_type() {
        DataType::Utf8 => array.as_string_opt::<i32>().map(|array| Cell::Text(array.value(row).as_bytes())),
        DataType::LargeUtf8 => array.as_string_opt::<i64>().map(|array| Cell::Text(array.value(row).as_bytes())),
        DataType::Utf8View => array.as_string_view_opt().map(|array| Cell::Text(array.value(row).as_bytes())),
        DataType::Binary => array.as_binary_opt::<i32>().map(|array| Cell::Text(array.value(row))),
        DataType::LargeBinary => array.as_binary_opt::<i64>().map(|array| Cell::Text(array.value(row))),
        DataType::BinaryView => array.as_binary_view_opt().map(|array| Cell::Text(array.value(row))),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary_opt()?;
            let at = match cell(dictionary.keys(), row) {
                Cell::Integer(at) => usize::try_from(at).ok()?,
                Cell::Unsigned(at) => usize::try_from(at).ok()?,
                _ => return None,
            };
            Some(cell(dictionary.values().as_ref(), at))
        }
        DataType::Boolean => array.as_boolean_opt().map(|array| Cell::Truth(array.value(row))),
        DataType::Int8 => integer(number::<Int8Type>(array, row).map(i64::from)),
        DataType::Int16 => integer(number::<Int16Type>(array, row).map(i64::from)),
        DataType::Int32 => integer(number::<Int32Type>(array, row).map(i64::from)),
        DataType::Int64 => integer(number::<Int64Type>(array, row)),
        DataType::UInt8 => unsigned(number::<UInt8Type>(array, row).map(u64::from)),
        DataType::UInt16 => unsigned(number::<UInt16Type>(array, row).map(u64::from)),
        DataType::UInt32 => unsigned(number::<UInt32Type>(array, row).map(u64::from)),
        DataType::UInt64 => unsigned(number::<UInt64Type>(array, row)),
        DataType::Float32 => number::<Float32Type>(array, row).map(Cell::Single),
        DataType::Float64 => number::<Float64Type>(array, row).map(Cell::Double),
        DataType::Decimal128(_, scale) => {
            number::<Decimal128Type>(array, row).map(|number| Cell::Decimal(number, i32::from(*scale)))
        }
        DataType::Date32 => number::<Date32Type>(array, row).map(|day| Cell::Day(i64::from(day))),
        DataType::Date64 => number::<Date64Type>(array, row).map(|milli| Cell::Day(milli.div_euclid(86_400_000))),
        DataType::Time32(TimeUnit::Second) => time_of_day(number::<Time32SecondType>(array, row)?.into(), 1),
        DataType::Time32(_) => time_of_day(number::<Time32MillisecondType>(array, row)?.into(), 1_000),
        DataType::Time64(TimeUnit::Microsecond) => time_of_day(number::<Time64MicrosecondType>(array, row)?, 1_000_000),
        DataType::Time64(_) => time_of_day(number::<Time64NanosecondType>(array, row)?, 1_000_000_000),
        DataType::Timestamp(unit, _) => {
            let (number, per_second) = match unit {
                TimeUnit::Second => (number::<TimestampSecondType>(array, row), 1),
                TimeUnit::Millisecond => (number::<TimestampMillisecondType>(array, row), 1_000),
                TimeUnit::Microsecond => (number::<TimestampMicrosecondType>(array, row), 1_000_000),
                TimeUnit::Nanosecond => (number::<TimestampNanosecondType>(array, row), 1_000_000_000),
            };
            number.map(|number| Cell::Moment(number.div_euclid(per_second)))
        }
        _ => None,
    }
}

fn time_of_day(number: i64, per_second: i64) -> Option<Cell<'static>> {
    Some(Cell::TimeOfDay((number / per_second).clamp(0, 86_399)))
}

/// Passes each element of a list; none if it is no list, or null.
pub(super) fn each(array: &dyn Array, row: usize, take: &mut dyn FnMut(Cell<'_>)) {
    if row >= array.len() || array.is_null(row) {
        return;
    }
    if let Some(list) = list(array, row) {
        for at in 0..list.len() {
            take(cell(list.as_ref(), at));
        }
    }
}

/// Returns the elements of a list.
fn list(array: &dyn Array, row: usize) -> Option<ArrayRef> {
    match array.data_type() {
        DataType::List(_) => array.as_list_opt::<i32>().map(|list| list.value(row)),
        DataType::LargeList(_) => array.as_list_opt::<i64>().map(|list| list.value(row)),
        DataType::ListView(_) => array.as_list_view_opt::<i32>().map(|list| list.value(row)),
        DataType::LargeListView(_) => array.as_list_view_opt::<i64>().map(|list| list.value(row)),
        DataType::FixedSizeList(..) => array.as_fixed_size_list_opt().map(|list| list.value(row)),
        _ => None,
    }
}

/// Passes each key and value of a map; none if it is no map, or null.
pub(super) fn each_pair(array: &dyn Array, row: usize, take: &mut dyn FnMut(Cell<'_>, Cell<'_>)) {
    if row >= array.len() || array.is_null(row) {
        return;
    }
    let Some(entries) = array.as_map_opt().map(|map| map.value(row)) else {
        return;
    };
    if let [keys, values] = entries.columns() {
        for at in 0..entries.len() {
            take(cell(keys, at), cell(values, at));
        }
    }
}
