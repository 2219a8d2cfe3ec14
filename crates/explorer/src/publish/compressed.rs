//! Blocks are compressed with gzip, whose checksum tells damage.

use std::io::Write;

use flate2::{Compression, Crc, GzBuilder};

/// Compresses a text. The result depends on nothing but the text.
pub(super) fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = encoder.write_all(text.as_bytes());
    encoder.finish().unwrap_or_default()
}

/// Returns the CRC-32 of bytes, in hexadecimal digits.
pub(super) fn checksum(bytes: &[u8]) -> String {
    let mut crc = Crc::new();
    crc.update(bytes);
    format!("{:08x}", crc.sum())
}
