//! The header of a zstd frame (RFC 8878 §3.1.1.1).

/// The most bytes of the magic number and the frame header.
pub(crate) const FRAME_HEADER: usize = 18;

/// Returns the length of the magic number and the frame header, and the window size of the frame (§3.1.1.1).
pub(crate) fn frame_header(bytes: &[u8]) -> Option<(usize, u64)> {
    let descriptor = *bytes.get(4)?;
    let is_single_segment = descriptor & 0b10_0000 != 0;
    let dictionary_length = [0, 1, 2, 4][usize::from(descriptor & 0b11)];
    let size_length = [usize::from(is_single_segment), 2, 4, 8][usize::from(descriptor >> 6)];
    let at = 5 + usize::from(!is_single_segment) + dictionary_length;
    let window = if is_single_segment {
        let mut size = [0; 8];
        size[..size_length].copy_from_slice(bytes.get(at..at + size_length)?);
        u64::from_le_bytes(size)
    } else {
        let &byte = bytes.get(5)?;
        let base = 1u64 << (10 + (byte >> 3));
        base + base / 8 * u64::from(byte & 0b111)
    };
    Some((at + size_length, window))
}
