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
    let Some(nulls) = array.nulls().map(|nulls| nulls.slice(rows.start, rows.len())) else { return };
    if nulls.null_count() == 0 {
        return;
    }
    // SAFETY: the mask has a bit for each row that the vector has room for, in words of 64 rows. As in an array, a bit
    // is set if the row has a value. Behind the last row nobody reads them.
    unsafe {
        (api().vector_ensure_validity_writable)(vector);
        let mask = (api().vector_get_validity)(vector);
        let words = nulls.inner().bit_chunks();
        words.iter_padded().take(rows.len().div_ceil(64)).enumerate().for_each(|(at, word)| *mask.add(at) = word);
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
    let (offsets, bytes) = (&array.value_offsets()[rows.start..=rows.end], array.value_data());
    // Offsets of an array are not negative.
    let texts = || offsets.windows(2).map(|ends| (ends[0] as usize, (ends[1] - ends[0]) as usize));
    let (first, last) = (offsets[0] as usize, offsets[rows.len()] as usize);
    // SAFETY: the vector has room for so many texts.
    let data = unsafe { (api().vector_get_data)(vector).cast::<Text>() };
    let copied = if texts().any(|(_, length)| length > INLINE) {
        let all = &bytes[first..last];
        // SAFETY: there is a row, and DuckDB copies so many bytes. They are more than 12, so the last 8 bytes of the
        // text in the first row are a pointer to the copy. Another text is written there afterwards.
        unsafe {
            (api().vector_assign_string_element_len)(vector, 0, all.as_ptr().cast(), all.len() as u64);
            data.cast::<u8>().add(8).cast::<*const u8>().read()
        }
    } else {
        null()
    };
    for (at, (start, length)) in texts().enumerate() {
        // Only a long text needs its copy, and then there is one.
        let written = text(length, &bytes[start..], copied.wrapping_add(start - first));
        // SAFETY: as above.
        unsafe { data.add(at).write(written) };
    }
}

/// Returns a text as it stands in a vector. `behind` begins with the text, and has more bytes if others follow it.
/// `copy` is where a long text has been copied to.
#[inline]
fn text(length: usize, behind: &[u8], copy: *const u8) -> Text {
    let chunk: Text = behind.first_chunk().copied().unwrap_or_else(|| {
        let (mut chunk, most) = ([0; 16], behind.len().min(16));
        chunk[..most].copy_from_slice(&behind[..most]);
        chunk
    });
    // All platforms of DuckDB store the lowest byte of a number first.
    let bytes = u128::from_le_bytes(chunk) << 32;
    let written = if length > INLINE {
        bytes & u128::from(u64::MAX) | (copy.expose_provenance() as u128) << 64
    } else {
        bytes & (u128::MAX >> (8 * (INLINE - length)))
    };
    // A text of an Arrow array has less than 2³¹ bytes.
    (written | length as u128).to_le_bytes()
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
    use std::ptr::{null, without_provenance};

    use super::text;

    #[test]
    fn short_texts_stand_in_the_vector() {
        for behind in ["", "Nf6 and more moves"] {
            let all = ["Nf3+", behind].concat();
            let written = text(4, all.as_bytes(), null());
            assert_eq!(written[..4], 4_u32.to_le_bytes());
            assert_eq!(&written[4..], b"Nf3+\0\0\0\0\0\0\0\0");
            assert_eq!(text(0, all.as_bytes(), null()), [0; 16]);
        }
        let written = text(12, b"twelve bytes", null());
        assert_eq!(written[..4], 12_u32.to_le_bytes());
        assert_eq!(&written[4..], b"twelve bytes");
    }

    #[test]
    fn long_texts_stand_behind_a_pointer() {
        let written = text(13, b"more than twelve", without_provenance(1000));
        assert_eq!(written[..4], 13_u32.to_le_bytes());
        assert_eq!(&written[4..8], b"more");
        assert_eq!(written[8..], 1000_u64.to_le_bytes());
    }
}
