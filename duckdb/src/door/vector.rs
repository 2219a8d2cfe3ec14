//! Arrays of Arrow as vectors of DuckDB.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Date32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, GenericStringArray, OffsetSizeTrait};
use arrow_schema::DataType;

use crate::door::api::{Handle, api};

/// A text in a vector, `duckdb_string_t`: its length, and its bytes; or the first bytes and a pointer if it is longer
/// than 12 bytes.
type Text = [u8; 16];

/// The most bytes of a text that stand in the vector itself.
const INLINE: usize = 12;

/// An entry of a list, `duckdb_list_entry`: its first element, and the number of elements.
type Entry = [u64; 2];

/// Fills the first rows of a vector with rows of an array.
///
/// # Safety
///
/// The vector must be empty and writable, of the type for the type of the array, and have room for the rows.
pub(super) unsafe fn fill(vector: Handle, array: &ArrayRef, rows: Range<usize>) -> Result<(), String> {
    // SAFETY: the caller promises what each of these functions needs.
    unsafe {
        match array.data_type() {
            DataType::Boolean => fill_flags(vector, array.as_boolean(), rows.clone()),
            DataType::Int32 => fill_numbers::<Int32Type>(vector, array, rows.clone()),
            DataType::Int64 => fill_numbers::<Int64Type>(vector, array, rows.clone()),
            DataType::Float64 => fill_numbers::<Float64Type>(vector, array, rows.clone()),
            DataType::Date32 => fill_numbers::<Date32Type>(vector, array, rows.clone()),
            DataType::Utf8 => fill_texts(vector, array.as_string::<i32>(), rows.clone()),
            DataType::List(_) => {
                let lists = array.as_list::<i32>();
                let elements = fill_entries(vector, lists.value_offsets(), rows.clone())?;
                fill((api().list_vector_get_child)(vector), lists.values(), elements)?;
            }
            DataType::Map(_, _) => {
                let maps = array.as_map();
                let pairs = fill_entries(vector, maps.value_offsets(), rows.clone())?;
                let child = (api().list_vector_get_child)(vector);
                fill((api().struct_vector_get_child)(child, 0), maps.keys(), pairs.clone())?;
                fill((api().struct_vector_get_child)(child, 1), maps.values(), pairs)?;
            }
            other => return Err(format!("there is no column of the type {other}")),
        }
        fill_nulls(vector, array, rows);
    }
    Ok(())
}

/// Marks the rows that are null.
///
/// # Safety
///
/// As for [`fill`].
unsafe fn fill_nulls(vector: Handle, array: &ArrayRef, rows: Range<usize>) {
    let Some(nulls) = array.nulls().filter(|nulls| nulls.slice(rows.start, rows.len()).null_count() > 0) else {
        return;
    };
    // SAFETY: the mask has a bit for each row that the vector has room for.
    let mask = unsafe {
        (api().vector_ensure_validity_writable)(vector);
        (api().vector_get_validity)(vector)
    };
    for (at, row) in rows.enumerate() {
        if nulls.is_null(row) {
            // SAFETY: as above.
            unsafe { *mask.add(at / 64) &= !(1 << (at % 64)) };
        }
    }
}

/// # Safety
///
/// As for [`fill`].
unsafe fn fill_numbers<T: ArrowPrimitiveType>(vector: Handle, array: &ArrayRef, rows: Range<usize>) {
    let numbers = &array.as_primitive::<T>().values()[rows];
    // SAFETY: the numbers of the vector have the same representation, and there is room for so many.
    unsafe {
        let data = (api().vector_get_data)(vector).cast::<T::Native>();
        data.copy_from_nonoverlapping(numbers.as_ptr(), numbers.len());
    }
}

/// # Safety
///
/// As for [`fill`].
unsafe fn fill_flags(vector: Handle, array: &BooleanArray, rows: Range<usize>) {
    // SAFETY: a boolean of the vector is a byte that is 0 or 1, and there is room for so many.
    unsafe {
        let data = (api().vector_get_data)(vector).cast::<u8>();
        rows.enumerate().for_each(|(at, row)| data.add(at).write(u8::from(array.value(row))));
    }
}

/// # Safety
///
/// As for [`fill`].
unsafe fn fill_texts<O: OffsetSizeTrait>(vector: Handle, array: &GenericStringArray<O>, rows: Range<usize>) {
    // SAFETY: the vector has room for so many texts.
    let data = unsafe { (api().vector_get_data)(vector).cast::<Text>() };
    let mut last: &str = "";
    for (at, row) in rows.enumerate() {
        let text = array.value(row);
        if text.len() <= INLINE {
            // SAFETY: as above.
            unsafe { data.add(at).write(short_text(text)) };
        } else if text == last {
            // Rows of a game have the same tags. Texts of a vector may share their bytes, which belong to the vector.
            // SAFETY: the row before has this text, because `last` is only set where a text is written.
            unsafe { data.add(at).write(*data.add(at - 1)) };
        } else {
            // SAFETY: DuckDB copies so many bytes, and there is room for the row.
            unsafe {
                let length = text.len() as u64;
                (api().vector_assign_string_element_len)(vector, at as u64, text.as_ptr().cast(), length);
            }
        }
        last = text;
    }
}

/// Returns a text of at most 12 bytes as it stands in a vector.
fn short_text(text: &str) -> Text {
    let mut written = [0; 16];
    written[0] = text.len().to_le_bytes()[0];
    written[4..4 + text.len()].copy_from_slice(text.as_bytes());
    if cfg!(target_endian = "big") {
        written[..4].reverse();
    }
    written
}

/// Fills a vector with the places of lists, and makes room for their elements. Returns the elements of all the lists.
///
/// # Safety
///
/// As for [`fill`].
unsafe fn fill_entries(vector: Handle, offsets: &[i32], rows: Range<usize>) -> Result<Range<usize>, String> {
    let offset = |row: usize| usize::try_from(offsets[row]).unwrap_or_default();
    let elements = offset(rows.start)..offset(rows.end);
    // SAFETY: the vector is one of lists, which has no elements. Its entries have room for the rows; they are written
    // before the elements get their place.
    let states = unsafe {
        let data = (api().vector_get_data)(vector).cast::<Entry>();
        for (at, row) in rows.enumerate() {
            let (first, last) = (offset(row), offset(row + 1));
            data.add(at).write([(first - elements.start) as u64, (last - first) as u64]);
        }
        let length = elements.len() as u64;
        [(api().list_vector_reserve)(vector, length), (api().list_vector_set_size)(vector, length)]
    };
    if states == [0, 0] { Ok(elements) } else { Err("there is no memory for lists".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::short_text;

    #[test]
    fn short_texts_stand_in_the_vector() {
        assert_eq!(&short_text("Nf3+")[4..10], b"Nf3+\0\0");
        assert_eq!(short_text("").iter().max(), Some(&0));
        assert_eq!(u32::from_ne_bytes(short_text("twelve bytes")[..4].try_into().expect("four bytes")), 12);
    }
}
