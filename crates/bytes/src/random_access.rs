//! Bytes that are read at any offset, by several threads at once: a local file, or an object of a store.
//!
//! A file is not mapped for this: if another program truncated a mapped file, or its disk failed, the next access would
//! end the process. Here that is an error, and the cost is a few per cent of a look-up.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

/// Bytes that can be read at any offset, by several threads at once.
pub trait RandomAccess: fmt::Debug + Send + Sync {
    /// Returns the number of bytes now.
    ///
    /// # Errors
    ///
    /// The system does not tell.
    fn length(&self) -> io::Result<u64>;

    /// Reads bytes from this offset on, and returns their number. It is 0 only behind the last byte, or if the buffer
    /// is empty.
    ///
    /// # Errors
    ///
    /// The bytes cannot be read.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Fills the buffer with the bytes from this offset.
    ///
    /// # Errors
    ///
    /// The bytes cannot be read, or end too early (`UnexpectedEof`).
    fn read_exact_at(&self, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
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
}

/// A local file that is read at any offset.
#[derive(Debug)]
pub struct PositionedFile(File);

impl PositionedFile {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        File::open(path).map(Self)
    }
}

impl From<File> for PositionedFile {
    fn from(file: File) -> Self {
        Self(file)
    }
}

impl RandomAccess for PositionedFile {
    fn length(&self) -> io::Result<u64> {
        self.0.metadata().map(|metadata| metadata.len())
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

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, _: &mut [u8], _: u64) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// A reader of bytes from an offset on, which can seek. Clones share the bytes and have a place of their own.
#[derive(Clone, Debug)]
pub struct RandomReader {
    bytes: Arc<dyn RandomAccess>,
    length: u64,
    at: u64,
}

impl RandomReader {
    /// Begins at the first byte.
    ///
    /// # Errors
    ///
    /// The number of bytes is not known.
    pub fn new(bytes: Arc<dyn RandomAccess>) -> io::Result<Self> {
        let length = bytes.length()?;
        Ok(Self { bytes, length, at: 0 })
    }
}

impl Read for RandomReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for RandomReader {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        let (from, distance) = match place {
            SeekFrom::Start(offset) => (offset, 0),
            SeekFrom::End(distance) => (self.length, distance),
            SeekFrom::Current(distance) => (self.at, distance),
        };
        self.at = from
            .checked_add_signed(distance)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a place before the first byte"))?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::ErrorKind;

    use super::{PositionedFile, RandomAccess, RandomReader};

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

    #[test]
    fn a_reader_seeks_from_the_start_the_end_and_its_place() {
        use std::io::{Read, Seek, SeekFrom};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"0123456789").unwrap();
        let mut reader = RandomReader::new(std::sync::Arc::new(PositionedFile::open(&path).unwrap())).unwrap();
        let mut read = |place: SeekFrom| {
            let mut text = [0; 2];
            reader.seek(place)?;
            reader.read_exact(&mut text).map(|()| text)
        };
        assert_eq!(read(SeekFrom::End(-3)).unwrap(), *b"78");
        assert_eq!(read(SeekFrom::Current(-4)).unwrap(), *b"56");
        assert_eq!(read(SeekFrom::Start(1)).unwrap(), *b"12");
        assert_eq!(read(SeekFrom::Start(9)).unwrap_err().kind(), ErrorKind::UnexpectedEof);
        assert_eq!(read(SeekFrom::End(-11)).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}
