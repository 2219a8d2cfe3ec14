//! Options for opening input files.

use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use pgn2fen_games::database::{Before, Source, SourceOptions, remote};
use pgn2fen_games::pgn::encoding::Label;

/// Options for opening input files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenOptions {
    /// Whether files are mapped into memory, which is the default. Otherwise they are read.
    pub map: bool,
    /// The encoding of text that is not UTF-8; None to guess it.
    pub encoding: Option<Label>,
    /// The name of the column with the moves of the games, for tables; None to find it by its name.
    pub movetext: Option<String>,
    /// The bytes in which the games begin that are read; None for all games. See [`Source::within`].
    pub range: Option<Range<u64>>,
    /// The numbers of what stands in the file before the range. If they are None, they are counted when they are first
    /// needed: for the numbers of games and lines in rows and messages, for offsets in the text of compressed files,
    /// and for samples of those.
    pub before: Option<Before>,
    /// The number of the file among the files of the run, counted from 0; None for the number of files that were read
    /// before. It decides, together with the offset of a game, which positions belong to a sample.
    pub file: Option<u64>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self { map: true, encoding: None, movetext: None, range: None, before: None, file: None }
    }
}

impl OpenOptions {
    /// Opens a file, plain or compressed.
    ///
    /// # Errors
    ///
    /// [`Source::open`] or [`Source::within`] fails. [`explain`](crate::explain) makes a message of the error.
    pub fn open(&self, path: impl AsRef<Path>) -> io::Result<Source> {
        let path = path.as_ref();
        if self.range.is_some() && remote::address(path).is_some() {
            let reason = "is an address, and a range of bytes needs a local file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        self.within(Source::open_with(path, &self.source())?)
    }

    /// Wraps a stream, such as standard input.
    ///
    /// # Errors
    ///
    /// [`Source::stream`] fails, or there is a range of bytes, which a stream cannot have.
    pub fn stream(&self, reader: Box<dyn Read + Send>) -> io::Result<Source> {
        self.within(Source::stream_with(reader, &self.source())?)
    }

    /// Returns the options for the source of a file.
    pub(super) fn source(&self) -> SourceOptions {
        SourceOptions { map: self.map, encoding: self.encoding, movetext: self.movetext.clone() }
    }

    /// Restricts a source to the range of bytes.
    fn within(&self, source: Source) -> io::Result<Source> {
        let mut source = match &self.range {
            Some(range) => source.within(range.clone())?,
            None => source,
        };
        let part = source.part_mut();
        (part.file, part.before) = (self.file, self.before);
        Ok(source)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::OpenOptions;
    use pgn2fen_games::database::Source;

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
        assert_eq!(
            message(options.open(&utf16)),
            "is in UTF-16LE; a range of bytes needs an uncompressed file, or a zstd file with many frames"
        );
        let twice = folder.path().join("c.pgn.zst.zst");
        let pack = |text: &[u8]| zstd::encode_all(text, 1).unwrap();
        std::fs::write(&twice, pack(&pack(b"1. e4 *"))).unwrap();
        assert_eq!(
            message(options.open(&twice)),
            "is compressed more than once; a range of bytes needs an uncompressed file, or a zstd file with many frames"
        );
        let stream = options.stream(Box::new(Cursor::new("1. e4 *")));
        assert_eq!(
            message(stream),
            "is not a regular file; a range of bytes needs an uncompressed file, or a zstd file with many frames"
        );
    }
}
