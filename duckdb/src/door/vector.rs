//! Arrays of Arrow as vectors of DuckDB.

use std::ops::Range;
use std::ptr::null;

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Date32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, StringArray};
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
            DataType::Utf8 => fill_texts(vector, array.as_string(), rows.clone()),
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

/// Fills a vector with texts. DuckDB copies the bytes of all rows at once, to memory that belongs to the vector, and
/// the texts point there: a call for each text would take a tenth of the time of a query.
///
/// # Safety
///
/// As for [`fill`].
unsafe fn fill_texts(vector: Handle, array: &StringArray, rows: Range<usize>) {
    // SAFETY: the vector has room for so many texts.
    let data = unsafe { (api().vector_get_data)(vector).cast::<Text>() };
    let offset = |row: usize| usize::try_from(array.value_offsets()[row]).unwrap_or_default();
    let first = offset(rows.start);
    let all = &array.value_data()[first..offset(rows.end)];
    let has_long = rows.clone().any(|row| offset(row + 1) - offset(row) > INLINE);
    let copied = if has_long {
        // SAFETY: there is a row, and DuckDB copies so many bytes. They are more than 12, so the last 8 bytes of the
        // text in the first row are a pointer to the copy. Another text is written there afterwards.
        unsafe {
            (api().vector_assign_string_element_len)(vector, 0, all.as_ptr().cast(), all.len() as u64);
            data.cast::<u8>().add(8).cast::<*const u8>().read()
        }
    } else {
        null()
    };
    for (at, row) in rows.enumerate() {
        let (start, end) = (offset(row) - first, offset(row + 1) - first);
        let text = &all[start..end];
        let written = match text.len() <= INLINE {
            true => short_text(text, &all[start..]),
            // SAFETY: the copy has all bytes.
            false => long_text(text, unsafe { copied.add(start) }),
        };
        // SAFETY: as above.
        unsafe { data.add(at).write(written) };
    }
}

/// Returns a text of more than 12 bytes as it stands in a vector: the length, the first four bytes, and a pointer to a
/// copy of it.
fn long_text(text: &[u8], copy: *const u8) -> Text {
    let mut written = [0; 16];
    // A text of an Arrow array has less than 2³¹ bytes.
    written[..4].copy_from_slice(&u32::try_from(text.len()).unwrap_or_default().to_ne_bytes());
    written[4..8].copy_from_slice(&text[..4]);
    let pointer = copy.expose_provenance().to_ne_bytes();
    written[8..8 + pointer.len()].copy_from_slice(&pointer);
    written
}

/// Returns a text of at most 12 bytes as it stands in a vector: the length, and the text. `behind` begins with the
/// text: if it has 12 bytes, they are copied at once.
fn short_text(text: &[u8], behind: &[u8]) -> Text {
    let mut written = [0; 16];
    match behind.first_chunk::<INLINE>() {
        Some(behind) => {
            written[..INLINE].copy_from_slice(behind);
            let kept = u128::from_le_bytes(written) & ((1 << (8 * text.len())) - 1);
            written = (kept << 32).to_le_bytes();
        }
        None => written[4..4 + text.len()].copy_from_slice(text),
    }
    written[..4].copy_from_slice(&u32::try_from(text.len()).unwrap_or_default().to_ne_bytes());
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
        for behind in ["", "Nf6 and more moves"] {
            let all = ["Nf3+", behind].concat();
            let written = short_text(b"Nf3+", all.as_bytes());
            assert_eq!(&written[4..], b"Nf3+\0\0\0\0\0\0\0\0");
            assert_eq!(short_text(b"", all.as_bytes()), [0; 16]);
        }
        let written = short_text(b"twelve bytes", b"twelve bytes");
        assert_eq!(u32::from_ne_bytes(written[..4].try_into().expect("four bytes")), 12);
        assert_eq!(&written[4..], b"twelve bytes");
    }
}
