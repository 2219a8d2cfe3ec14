//! A file that is read at any offset, by several threads at once.
//!
//! It is not mapped: if another program truncated a mapped file, or its disk failed, the next access would end the
//! process. Here that is an error, and the cost is a few per cent of a look-up.

use std::fs::File;
use std::io;
use std::path::Path;

/// A file that is read at any offset.
#[derive(Debug)]
pub(super) struct PositionedFile(File);

impl PositionedFile {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        File::open(path).map(Self)
    }

    /// Returns the length of the file now, in bytes.
    ///
    /// # Errors
    ///
    /// The system does not tell.
    pub(super) fn length(&self) -> io::Result<u64> {
        self.0.metadata().map(|metadata| metadata.len())
    }

    /// Fills the buffer with the bytes from this offset.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or ends too early (`UnexpectedEof`).
    pub(super) fn read_exact_at(&self, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !buffer.is_empty() {
            match self.read_at(buffer, offset) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => {
                    buffer = &mut buffer[read..];
                    offset += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.0, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // This moves the place from which the file would be read next, but it is read here only.
        std::os::windows::fs::FileExt::seek_read(&self.0, buffer, offset)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::ErrorKind;

    use super::PositionedFile;

    #[test]
    fn bytes_are_read_anywhere_and_a_file_that_becomes_shorter_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"0123456789").unwrap();
        let file = PositionedFile::open(&path).unwrap();
        let read = |length: usize, offset| {
            let mut buffer = vec![0; length];
            file.read_exact_at(&mut buffer, offset).map(|()| buffer).map_err(|error| error.kind())
        };
        assert_eq!(file.length().unwrap(), 10);
        assert_eq!(read(3, 4), Ok(b"456".to_vec()));
        assert_eq!(read(10, 0), Ok(b"0123456789".to_vec()));
        assert_eq!(read(0, 99), Ok(Vec::new()));
        assert_eq!(read(3, 8), Err(ErrorKind::UnexpectedEof));
        fs::File::options().write(true).open(&path).unwrap().set_len(5).unwrap();
        assert_eq!(read(3, 4), Err(ErrorKind::UnexpectedEof));
        assert_eq!(read(3, 0), Ok(b"012".to_vec()));
    }
}
