//! Space for lines at the end of a buffer, prepared for many lines at a time.

/// The size of the array in which a line is written, in bytes.
const LINE: usize = 272;

/// A buffer to which lines are appended.
///
/// The bytes behind the last line are slashes, but for the first eight, which may be anything. So a writer of short
/// arrays need not write the slash behind a rank of eight pieces, and each line costs one check of the space instead of
/// a copy of slashes. Lines that do not begin with a board need no slashes, and may leave other bytes behind them.
#[doc(hidden)]
#[derive(Debug)]
pub struct LineSpace<'a> {
    bytes: &'a mut Vec<u8>,
    /// The end of the last line.
    end: usize,
}

impl<'a> LineSpace<'a> {
    /// Creates a writer of lines behind the bytes of a buffer. When it is dropped, the space that is left is removed.
    pub fn behind(bytes: &'a mut Vec<u8>) -> Self {
        Self { end: bytes.len(), bytes }
    }

    /// Returns the place of the next line.
    #[inline(always)]
    pub fn next_line(&mut self) -> &mut [u8; LINE] {
        if self.bytes.len().saturating_sub(self.end) < LINE {
            self.prepare();
        }
        self.bytes[self.end..].first_chunk_mut().expect("there is space for a line, or it was just prepared")
    }

    /// Adds the bytes that were written in the place of the next line.
    #[inline(always)]
    pub fn take(&mut self, length: usize) {
        self.end += length;
    }

    /// Returns the end of the last line, in bytes of the buffer.
    #[inline(always)]
    pub fn end(&self) -> usize {
        self.end
    }

    /// Appends a text of any length.
    pub fn append(&mut self, text: &[u8]) {
        self.bytes.truncate(self.end);
        self.bytes.extend_from_slice(text);
        self.end = self.bytes.len();
    }

    #[inline(never)]
    fn prepare(&mut self) {
        const { assert!(SLASHES.len() >= LINE) };
        self.bytes.truncate(self.end);
        self.bytes.extend_from_slice(&SLASHES);
    }
}

impl Drop for LineSpace<'_> {
    fn drop(&mut self) {
        self.bytes.truncate(self.end);
    }
}

/// The space that is prepared at a time.
static SLASHES: [u8; 1536] = [b'/'; 1536];

#[cfg(test)]
mod tests {
    use super::{LINE, LineSpace};

    /// Writes a line in the place of the next one, whose bytes behind the first eight must be slashes.
    #[track_caller]
    fn write(lines: &mut LineSpace<'_>, text: &str) {
        let place = lines.next_line();
        assert_eq!(place[8..], [b'/'; LINE - 8]);
        place[..text.len()].copy_from_slice(text.as_bytes());
        lines.take(text.len());
    }

    #[test]
    fn lines_follow_one_another_and_the_space_that_is_left_is_removed() {
        let (mut buffer, mut expected) = (b"before\n".to_vec(), "before\n".to_owned());
        let mut lines = LineSpace::behind(&mut buffer);
        for n in 0..1000 {
            let line = format!("{n}\n");
            write(&mut lines, &line);
            expected += &line;
            assert_eq!(lines.end(), expected.len());
            if n % 300 == 0 {
                lines.append(b"a text of any length\n");
                expected += "a text of any length\n";
            }
        }
        drop(lines);
        assert_eq!(String::from_utf8_lossy(&buffer), expected);
    }
}
