//! Options for opening input files.

use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use crate::database::Source;
use crate::pgn::encoding::Label;

/// Options for opening input files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenOptions {
    /// Whether files are mapped into memory, which is the default. Otherwise they are read.
    pub map: bool,
    /// The encoding of text that is not UTF-8; None to guess it.
    pub encoding: Option<Label>,
    /// The bytes in which the games begin that are read; None for all games.
    pub range: Option<Range<u64>>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self { map: true, encoding: None, range: None }
    }
}

impl OpenOptions {
    /// Opens a file, plain or compressed.
    ///
    /// # Errors
    ///
    /// [`Source::open`] fails, or there is a range of bytes and the file is not an uncompressed file of UTF-8 or single bytes.
    /// [`explain`](crate::files::explain) makes a message of the error.
    pub fn open(&self, path: impl AsRef<Path>) -> io::Result<Source> {
        self.within(Source::open(path.as_ref(), self.map, self.encoding)?)
    }

    /// Wraps a stream, such as standard input.
    ///
    /// # Errors
    ///
    /// [`Source::stream`] fails, or there is a range of bytes, which a stream cannot have.
    pub fn stream(&self, reader: Box<dyn Read + Send>) -> io::Result<Source> {
        self.within(Source::stream(reader, self.encoding)?)
    }

    /// Restricts a source to the range of bytes.
    fn within(&self, source: Source) -> io::Result<Source> {
        let Some(range) = &self.range else {
            return Ok(source);
        };
        let what = match (source.compression(), source.transcoded_from()) {
            (Some(format), _) => format!("compressed with {format}"),
            (_, Some(encoding)) => format!("in {encoding}"),
            _ => "not a regular file".to_owned(),
        };
        match source {
            Source::Whole(database) => Ok(Source::Whole(database.within(range.clone()))),
            Source::Stream(_) => {
                let message = format!("is {what}; a range of bytes needs an uncompressed file");
                Err(io::Error::new(io::ErrorKind::InvalidInput, message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::OpenOptions;
    use crate::database::Source;

    #[test]
    fn a_range_is_for_files_that_are_text() {
        let folder = tempfile::tempdir().unwrap();
        let [plain, utf16] = ["a.pgn", "b.pgn"].map(|name| folder.path().join(name));
        std::fs::write(&plain, "1. e4 *\n1. d4 *\n1. c4 *\n").unwrap();
        std::fs::write(&utf16, "\u{feff}1. e4 *".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>())
            .unwrap();
        let options = OpenOptions { range: Some(8..16), ..OpenOptions::default() };
        let Ok(Source::Whole(database)) = options.open(&plain) else { panic!("a plain file is mapped") };
        assert_eq!(database.games().count(), 1);
        let message = |source: std::io::Result<Source>| source.unwrap_err().to_string();
        assert_eq!(message(options.open(&utf16)), "is in UTF-16LE; a range of bytes needs an uncompressed file");
        let stream = options.stream(Box::new(Cursor::new("1. e4 *")));
        assert_eq!(message(stream), "is not a regular file; a range of bytes needs an uncompressed file");
    }
}
