//! The footer of a Parquet file, checked before the package `parquet` reads it.
//!
//! The package builds the tree of columns by recursion and reserves memory for as many children as a node declares. So
//! a small file could exhaust the stack or the memory. The check reads only the numbers of children, in Thrift's
//! compact protocol.

use std::io;

use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use crate::tabular::parquet::chunks::Chunks;
use crate::tabular::parquet::thrift::{DEPTH, I32, LIST, STRUCT, Thrift};

/// The length of the footer's length and the magic number behind it.
const TAIL: usize = 8;

/// Reads the description of the file: its columns and row groups. The error is the reason why it cannot be read.
pub(super) fn read(chunks: &Chunks, length: u64) -> Result<ParquetMetaData, String> {
    let is_short = |_: io::Error| "the file ends too early".to_owned();
    let tail = length.checked_sub(TAIL as u64).ok_or("the file ends too early")?;
    let tail_bytes = chunks.read(tail, TAIL).map_err(|error| error.to_string())?;
    let (size, magic) = tail_bytes.split_first_chunk::<4>().ok_or("the file ends too early")?;
    match magic {
        b"PAR1" => {}
        b"PARE" => return Err("it is encrypted".to_owned()),
        _ => return Err("it has no footer; the file ends too early".to_owned()),
    }
    let size = u32::from_le_bytes(*size);
    let start = tail.checked_sub(size.into()).ok_or("its footer is longer than the file")?;
    let footer = chunks.read(start, usize::try_from(size).unwrap_or(usize::MAX)).map_err(is_short)?;
    let counts = children(&footer).ok_or("its footer cannot be read")?;
    if !is_tree(&counts) {
        return Err("its columns are no tree, or are nested too deeply".to_owned());
    }
    ParquetMetaDataReader::decode_metadata(&footer).map_err(|error| error.to_string())
}

/// Whether nodes with these numbers of children, in depth-first order, are one tree of a limited depth.
fn is_tree(counts: &[u64]) -> bool {
    // The numbers of children that are still to come, of each node on the way.
    let mut open: Vec<u64> = Vec::new();
    for (at, count) in counts.iter().enumerate() {
        match open.last_mut() {
            Some(left) => *left -= 1,
            None if at > 0 => return false,
            None => {}
        }
        open.push(*count);
        while open.last() == Some(&0) {
            open.pop();
        }
        if open.len() > DEPTH {
            return false;
        }
    }
    open.is_empty() && !counts.is_empty()
}

/// Returns the number of children of each element of the schema: field 5 of the structures in the list that is field 2.
fn children(footer: &[u8]) -> Option<Vec<u64>> {
    let mut thrift = Thrift { rest: footer };
    let mut field = 0;
    while let Some(kind) = thrift.field(&mut field)? {
        if field != 2 {
            thrift.skip(kind, DEPTH)?;
            continue;
        }
        let (size, kind) = (kind == LIST).then(|| thrift.list())??;
        let mut counts = Vec::new();
        for _ in 0..size {
            let (mut field, mut count) = (0, 0);
            while let Some(of) = (kind == STRUCT).then(|| thrift.field(&mut field))?? {
                if field == 5 && of == I32 {
                    count = u64::try_from(thrift.signed()?).ok()?;
                } else {
                    thrift.skip(of, DEPTH)?;
                }
            }
            counts.push(count);
        }
        return Some(counts);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{DEPTH, children, is_tree};

    #[test]
    fn a_tree_has_the_children_that_it_declares() {
        assert!(is_tree(&[0]));
        assert!(is_tree(&[2, 0, 0]));
        assert!(is_tree(&[2, 1, 0, 2, 0, 0]));
        assert!(!is_tree(&[]));
        assert!(!is_tree(&[2, 0]));
        assert!(!is_tree(&[1, 0, 0]));
        assert!(!is_tree(&[u64::MAX, 0]));
        let chain = |depth: usize| [vec![1; depth], vec![0]].concat();
        assert!(is_tree(&chain(DEPTH)));
        assert!(!is_tree(&chain(DEPTH + 1)));
        assert!(!is_tree(&chain(1_000_000)));
    }

    #[test]
    fn bytes_that_are_no_footer_are_refused() {
        // A version, then a list of two elements, one with a name and a child, one with a name.
        let footer = b"\x15\x02\x19\x2c\x48\x01a\x15\x02\x00\x48\x01b\x00\x00";
        assert_eq!(children(footer), Some(vec![1, 0]));
        for length in 0..footer.len() - 2 {
            assert_eq!(children(&footer[..length]), None, "{length}");
        }
        assert_eq!(children(b"\x19\xff\xff\xff\xff\xff\xff\x7f"), None);
        assert_eq!(children(&[0x1C; 10_000]), None);
    }
}
