//! The bytes of the pages of a column. The header of a page is read before the page is decoded, because it says how
//! much memory the page takes.

use std::io::{self, Chain, Cursor, Read};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::tabular::parquet::chunks::{ChunkPlace, Chunks};
use crate::tabular::parquet::held::Held;
use crate::tabular::parquet::thrift::{DEPTH, I32, STRUCT, Thrift};

/// The number of bytes that are read to find a header. Those of pages with long texts in their statistics are longer.
const HEADER: usize = 512;

/// The most bytes of a header.
const LONGEST_HEADER: usize = 16 * 1024 * 1024;

/// The sizes of a page, as its header has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Header {
    is_dictionary: bool,
    /// The size of the page when it is decompressed.
    size: usize,
    compressed: usize,
    /// The bytes at the start that are not compressed.
    plain: usize,
    is_compressed: bool,
}

/// Reads a header. Returns its end, too. None if the bytes end before it does.
fn header(bytes: &[u8]) -> Option<(Header, usize)> {
    let mut thrift = Thrift { rest: bytes };
    let mut header = Header { is_compressed: true, ..Header::default() };
    let size = |thrift: &mut Thrift<'_>| thrift.signed().map(|size| usize::try_from(size).unwrap_or(usize::MAX));
    let mut field = 0;
    while let Some(kind) = thrift.field(&mut field)? {
        match (field, kind) {
            (1, I32) => header.is_dictionary = thrift.signed()? == 2,
            (2, I32) => header.size = size(&mut thrift)?,
            (3, I32) => header.compressed = size(&mut thrift)?,
            // A data page of version 2: its levels are not compressed.
            (8, STRUCT) => {
                let mut field = 0;
                header.plain = 0;
                while let Some(kind) = thrift.field(&mut field)? {
                    match (field, kind) {
                        (5 | 6, I32) => header.plain = header.plain.saturating_add(size(&mut thrift)?),
                        (7, 1 | 2) => header.is_compressed = kind == 1,
                        (_, kind) => thrift.skip(kind, DEPTH)?,
                    }
                }
            }
            (_, kind) => thrift.skip(kind, DEPTH)?,
        }
    }
    Some((header, bytes.len() - thrift.rest.len()))
}

/// The bytes of the pages of a column. They take memory of the row group before they are decoded.
pub(super) struct Pages {
    chunks: Chunks,
    held: Arc<Held>,
    leaf: usize,
    compression: Compression,
    /// The header that was read last, and the place of its page.
    next: Mutex<Option<(u64, Header)>>,
}

impl Pages {
    pub(super) fn new(chunks: Chunks, held: Arc<Held>, leaf: usize, compression: Compression) -> Self {
        Self { chunks, held, leaf, compression, next: Mutex::default() }
    }

    /// Whether the pages are decompressed here. The package would decompress any number of bytes, whatever the header
    /// says.
    pub(super) fn decompresses(compression: Compression) -> bool {
        matches!(compression, Compression::GZIP(_))
    }

    /// Decompresses a page of gzip data.
    fn decompressed(&self, page: &[u8], header: Header) -> Result<Bytes> {
        let failed = |reason: &str| ParquetError::General(reason.to_owned());
        let (levels, data) = page.split_at_checked(header.plain).ok_or_else(|| failed("a page has too few bytes"))?;
        let mut all = Vec::with_capacity(header.size);
        all.extend_from_slice(levels);
        if header.size > levels.len() {
            let most = (header.size - levels.len()) as u64;
            let mut decoder = MultiGzDecoder::new(data).take(most + 1);
            decoder.read_to_end(&mut all).map_err(|error| failed(&error.to_string()))?;
        }
        if all.len() == header.size { Ok(all.into()) } else { Err(failed("a page has another size than it declares")) }
    }
}

impl Length for Pages {
    fn len(&self) -> u64 {
        self.chunks.len()
    }
}

impl ChunkReader for Pages {
    type T = Chain<Cursor<Vec<u8>>, ChunkPlace>;

    /// Returns a reader of the header of a page.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        // The package asks for a page whose header it has, and reads nothing.
        if next.is_some_and(|(place, _)| place == start) {
            return Ok(Cursor::new(Vec::new()).chain(self.chunks.place(start)));
        }
        let mut size = HEADER;
        loop {
            let mut bytes = Vec::new();
            let mut place = self.chunks.place(start);
            place.by_ref().take(size as u64).read_to_end(&mut bytes).map_err(|error| general(&error))?;
            let found = header(&bytes);
            let is_whole = bytes.len() < size || size >= LONGEST_HEADER;
            if found.is_some() || is_whole {
                // The package says what is wrong with a header that cannot be read.
                *next = found.map(|(header, end)| (start + end as u64, header));
                return Ok(Cursor::new(bytes).chain(place));
            }
            size *= 8;
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let next = self.next.lock().unwrap_or_else(PoisonError::into_inner).take();
        let header = next.filter(|(place, header)| *place == start && header.compressed == length);
        let (_, header) = header.ok_or_else(|| ParquetError::General("the header of a page is odd".to_owned()))?;
        let bytes = self.chunks.read(start, length).map_err(|error| general(&error))?;
        let is_compressed = header.is_compressed && self.compression != Compression::UNCOMPRESSED;
        let size = if is_compressed { header.size } else { length };
        let size = size.max(if self.compression == Compression::LZ4 { frames(&bytes) } else { 0 });
        self.held.take(self.leaf, header.is_dictionary, size, length)?;
        if is_compressed && Self::decompresses(self.compression) {
            return self.decompressed(&bytes, header);
        }
        Ok(bytes.into())
    }
}

fn general(error: &io::Error) -> ParquetError {
    ParquetError::General(error.to_string())
}

/// Returns the most bytes that LZ4 frames decompress to: as many blocks of the greatest size as there are. 0 if the
/// bytes are no frames. Old writers wrote frames, for which the package does not look at the size in the header.
fn frames(bytes: &[u8]) -> usize {
    const MAGIC: [u8; 4] = [0x04, 0x22, 0x4D, 0x18];
    let worst = bytes.len().saturating_mul(256);
    let (mut rest, mut most) = (bytes, 0usize);
    while let Some(frame) = rest.strip_prefix(&MAGIC) {
        let [flags, size, ..] = frame else { return worst };
        let block = match size >> 4 & 0b111 {
            size @ 4..=7 => 1usize << (8 + 2 * usize::from(size)),
            _ => return worst,
        };
        let set = |bit: u8| usize::from(flags >> bit & 1);
        let Some(mut blocks) = frame.get(3 + 8 * set(3) + 4 * set(0)..) else { return worst };
        loop {
            let Some((size, behind)) = blocks.split_first_chunk::<4>() else { return worst };
            let size = u32::from_le_bytes(*size);
            if size == 0 {
                rest = behind.get(4 * set(2)..).unwrap_or_default();
                break;
            }
            most = most.saturating_add(block);
            let length = usize::try_from(size & 0x7FFF_FFFF).unwrap_or(usize::MAX).saturating_add(4 * set(4));
            let Some(behind) = behind.get(length..) else { return worst };
            blocks = behind;
        }
    }
    if rest.len() < bytes.len() && !rest.is_empty() { worst } else { most }
}

#[cfg(test)]
mod tests {
    use super::{Header, frames, header};

    #[test]
    fn sizes_are_read_from_headers() {
        // A dictionary page of 100 bytes in 40, and something in a field that is not read.
        let page = b"\x15\x04\x15\xc8\x01\x15\x50\x4c\x15\x02\x15\x00\x00\x00";
        let expected = Header { is_dictionary: true, size: 100, compressed: 40, plain: 0, is_compressed: true };
        assert_eq!(header(page), Some((expected, page.len())));
        for length in 0..page.len() {
            assert_eq!(header(&page[..length]), None, "{length}");
        }
        // A data page of version 2 with levels of 3 and 2 bytes, whose values are not compressed.
        let page = b"\x15\x06\x15\x14\x15\x14\x5c\x55\x06\x15\x04\x12\x00\x00";
        let expected = Header { is_dictionary: false, size: 10, compressed: 10, plain: 5, is_compressed: false };
        assert_eq!(header(page), Some((expected, page.len())));
    }

    #[test]
    fn the_blocks_of_frames_are_counted() {
        let block = |size: u32| [&size.to_le_bytes()[..], &vec![0; size as usize]].concat();
        let frame = |blocks: usize| [&b"\x04\x22\x4d\x18\x60\x40\x82"[..], &block(9).repeat(blocks), &[0; 4]].concat();
        assert_eq!(frames(b""), 0);
        assert_eq!(frames(b"\0\0\0\x10no frames"), 0);
        assert_eq!(frames(&frame(3)), 3 * 64 * 1024);
        assert_eq!(frames(&frame(2).repeat(2)), 4 * 64 * 1024);
        let cut = &frame(3)[..30];
        assert_eq!(frames(cut), 30 * 256);
    }
}
