//! A range of a file of plain text that is read and not mapped: the games that begin in the range.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use crate::open_stream::OpenStream;
use crate::section::{FIRST, MARGIN, REACH, no_place};
use pgn2fen_bytes::{Meter, Metered, PositionedFile, RandomAccess, RandomReader};
use pgn2fen_pgn::chunk::{Chunk, LexState};
use pgn2fen_pgn::lists::Form;
use pgn2fen_pgn::ranges::{Edge, Sought, seek_place};

/// A range of a file. Its text begins and ends between games.
pub(crate) struct Stretch {
    file: Arc<dyn RandomAccess>,
    length: u64,
    bytes: Range<u64>,
}

impl Stretch {
    /// Opens a range of bytes of a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or no place between games is found at an end of the range.
    pub(crate) fn open(file: File, form: Form, range: Range<u64>) -> io::Result<Self> {
        let file = PositionedFile::from(file);
        let length = file.length()?;
        // The text before the first game belongs to the range with the first byte.
        let start = if range.start == 0 { 0 } else { place(&file, length, form, range.start)? };
        let end = place(&file, length, form, range.end)?.max(start);
        Ok(Self { file: Arc::new(file), length, bytes: start..end })
    }

    /// Returns the offset of the first byte.
    pub(crate) fn offset(&self) -> u64 {
        self.bytes.start
    }

    /// Returns the text of the file before the range.
    pub(crate) fn before(&self) -> Self {
        Self { file: Arc::clone(&self.file), length: self.length, bytes: 0..self.bytes.start }
    }

    /// Begins to read the text.
    pub(crate) fn text(&self, meter: &Meter) -> io::Result<OpenStream> {
        let Range { start, end } = self.bytes;
        let last = start.checked_sub(1).map(|last| part(&*self.file, last..start)).transpose()?;
        let within = LexState::after(last.and_then(|last| last.first().copied()));
        let behind = part(&*self.file, end..self.length.min(end + MARGIN as u64))?;
        let mut reader = RandomReader::new(Arc::clone(&self.file))?;
        reader.seek(SeekFrom::Start(start))?;
        let text = Box::new(Metered::new(reader, meter.clone()).take(end - start));
        Ok(OpenStream { text, first: start, within, behind })
    }
}

/// Returns the first place between games from an offset on, or the end of the file.
fn place(file: &dyn RandomAccess, length: u64, form: Form, offset: u64) -> io::Result<u64> {
    if offset >= length {
        return Ok(length);
    }
    let (mut lead, mut behind) = (FIRST as u64, FIRST as u64);
    loop {
        let start = offset.saturating_sub(lead);
        let end = length.min(offset + behind);
        let bytes = part(file, start..end)?;
        let edge = if start == 0 { Edge::First } else { Edge::Earlier };
        let text = Chunk { form, is_last: end == length, ..Chunk::whole(&bytes) };
        match seek_place(text, edge, usize::try_from(offset - start).map_err(io::Error::other)?) {
            Sought::At(place) => return Ok(start + place as u64),
            Sought::Earlier if lead < REACH as u64 => lead *= 8,
            Sought::Later if behind < REACH as u64 => behind *= 4,
            Sought::Earlier | Sought::Later => return Err(no_place(usize::try_from(offset).unwrap_or(usize::MAX))),
        }
    }
}

/// Reads a part of a file.
fn part(file: &dyn RandomAccess, range: Range<u64>) -> io::Result<Vec<u8>> {
    let length = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, range.start)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Read;
    use std::ops::Range;

    use super::Stretch;
    use crate::database::Database;
    use crate::source::Source;
    use pgn2fen_bytes::Meter;
    use pgn2fen_pgn::lists::Form;

    /// A file in the folder of temporary files, which is removed at the end.
    struct Written(std::path::PathBuf);

    impl Written {
        fn new(name: &str, text: &[u8]) -> Self {
            let path = std::env::temp_dir().join(format!("pgn2fen-stretch-{name}-{}.pgn", std::process::id()));
            fs::write(&path, text).unwrap();
            Self(path)
        }

        fn within(&self, range: Range<u64>) -> Source {
            Source::open(&self.0, false, None).unwrap().within(range).unwrap()
        }

        /// Returns the first byte and the text of a range.
        fn text(&self, range: Range<u64>) -> (u64, Vec<u8>) {
            let stretch = Stretch::open(File::open(&self.0).unwrap(), Form::Games, range).unwrap();
            let mut open = stretch.text(&Meter::default()).unwrap();
            let mut text = Vec::new();
            open.text.read_to_end(&mut text).unwrap();
            (open.first, text)
        }
    }

    impl Drop for Written {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    #[test]
    fn ranges_that_are_read_have_the_games_of_mapped_ones() {
        let comment = "{ [Event \"x\"] } ".repeat(20);
        let game = |n: u32| format!("[Event \"{n}\"]\n\n1. e4 {comment}e5 {n}. Nf3 1-0\n\n{n}. d4 *\n");
        let text: String = (0..60).map(game).collect();
        let file = Written::new("mapped", text.as_bytes());
        let length = text.len() as u64;
        for cuts in
            [[0, 1, 2], [100, 101, 700], [length / 2, length / 2 + 37, length - 1], [length, length, length + 9]]
        {
            let mut starts = vec![0];
            starts.extend(cuts);
            let mut whole = Vec::new();
            for (nth, start) in starts.iter().enumerate() {
                let end = starts.get(nth + 1).copied().unwrap_or(u64::MAX);
                let (first, read) = file.text(*start..end);
                let database = Database::from(text.clone().into_bytes()).within(*start..end);
                let games = Database::from(read.clone()).games().count();
                assert_eq!(games, database.games().count(), "{start}..{end}");
                assert_eq!(first, whole.len() as u64, "{start}..{end}");
                whole.extend(read);
            }
            assert_eq!(String::from_utf8(whole).unwrap(), text);
        }
    }

    #[test]
    fn a_long_comment_before_a_range_is_read() {
        let text = format!(
            "[Event \"a\"]\n\n1. e4 {{{}}} e5 *\n\n[Event \"b\"]\n\n1. d4 *\n",
            "[Event \"x\"]\n".repeat(90_000)
        );
        let file = Written::new("comment", text.as_bytes());
        // A range begins behind the game before it.
        let second = text.rfind("\n\n[Event \"b").unwrap() as u64;
        assert_eq!(file.text(700_000..u64::MAX).0, second);
        assert_eq!(file.text(0..700_000), (0, text.as_bytes()[..usize::try_from(second).unwrap()].to_vec()));
    }

    #[test]
    fn a_range_that_is_read_knows_what_stands_before_it() {
        let text = "1. e4 *\n1. d4 *\n1. c4 *\n";
        let file = Written::new("before", text.as_bytes());
        assert_eq!(Source::open(&file.0, false, None).unwrap().seams(), None);
        let source = file.within(3..9);
        assert!(!source.is_whole() && source.known_offset() == Some(7));
        assert!(source.before_section().is_some_and(|before| before.known_offset() == Some(0)));
        assert!(file.within(0..9).before_section().is_none());
    }
}
