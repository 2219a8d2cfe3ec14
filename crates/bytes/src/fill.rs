//! Reads as much as is wanted into a buffer, whose memory may have been used before.

use std::io::{self, ErrorKind, Read};

/// The number of bytes by which a buffer grows at least.
const STEP: usize = 64 * 1024;

/// Reads on behind the first `kept` bytes until there are so many, or to the end. What was read before an error stays.
/// Other bytes of the buffer are only memory.
///
/// [`Read::read_to_end`] sets all memory that it may read into to zero first, if the reader is not one of the standard
/// library.
///
/// # Errors
///
/// The reader fails.
pub fn fill(reader: &mut (impl Read + ?Sized), bytes: &mut Vec<u8>, kept: usize, wanted: usize) -> io::Result<()> {
    let mut filled = kept;
    let read = loop {
        if filled >= wanted {
            break Ok(());
        }
        if filled == bytes.len() {
            bytes.resize(wanted.min(filled + filled.max(STEP)), 0);
        }
        let end = bytes.len().min(wanted);
        match reader.read(&mut bytes[filled..end]) {
            Ok(0) => break Ok(()),
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => break Err(error),
        }
    };
    bytes.truncate(filled);
    read
}

#[cfg(test)]
mod tests {
    use std::io::{self, ErrorKind, Read};

    use super::{STEP, fill};

    /// A reader of bytes that are counted up, a few at a time, which is interrupted before each and fails behind them.
    struct Few {
        left: usize,
        next: u8,
        is_interrupted: bool,
    }

    impl Read for Few {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.is_interrupted = !self.is_interrupted;
            if self.is_interrupted {
                return Err(ErrorKind::Interrupted.into());
            }
            if self.left == 0 {
                return Err(ErrorKind::TimedOut.into());
            }
            let count = buffer.len().min(self.left).min(1000);
            for byte in &mut buffer[..count] {
                *byte = self.next;
                self.next = self.next.wrapping_add(1);
            }
            self.left -= count;
            Ok(count)
        }
    }

    #[track_caller]
    fn check(left: usize, wanted: usize, expected: usize, error: Option<ErrorKind>) {
        for used in [0, 1, 7000, 10 * STEP] {
            let mut reader = Few { left, next: 3, is_interrupted: false };
            let mut bytes = [&[0, 1, 2][..], &vec![9; used]].concat();
            let read = fill(&mut reader, &mut bytes, 3, wanted);
            assert_eq!(read.err().map(|error| error.kind()), error);
            let counted = (0..expected).map(|at| at.to_le_bytes()[0]);
            assert!(bytes.into_iter().eq(counted), "{left} {wanted} {used}");
        }
    }

    #[test]
    fn a_buffer_is_filled_up_to_its_end_an_error_or_what_is_wanted() {
        check(10_000, 0, 3, None);
        check(10_000, 3, 3, None);
        check(10_000, 5000, 5000, None);
        check(10_000, 20_000, 10_003, Some(ErrorKind::TimedOut));
        check(5 * STEP, 4 * STEP + 1, 4 * STEP + 1, None);
        let mut bytes = b"ab".to_vec();
        fill(&mut &b"cd"[..], &mut bytes, 2, 9).unwrap();
        assert_eq!(bytes, b"abcd");
        assert!(bytes.capacity() < 1 << 20);
    }
}
