//! Copies that wait for their place in another order.

use std::collections::HashMap;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::mem;
use std::path::Path;

/// The number of bytes of copies that are held in memory. If there are more, all are written to a temporary file.
#[cfg(feature = "files")]
const IN_MEMORY: usize = 64 << 20;

/// What holds the text.
#[cfg(feature = "files")]
type HeldText = tempfile::SpooledTempFile;
#[cfg(not(feature = "files"))]
type HeldText = io::Cursor<Vec<u8>>;

/// Creates an empty text. A temporary file is created in `folder`, or else in the folder of the system for temporary
/// files.
#[cfg(feature = "files")]
fn held_text(folder: Option<&Path>) -> HeldText {
    match folder {
        Some(folder) => HeldText::new_in(IN_MEMORY, folder),
        None => HeldText::new(IN_MEMORY),
    }
}

/// Creates an empty text in memory.
#[cfg(not(feature = "files"))]
fn held_text(_: Option<&Path>) -> HeldText {
    HeldText::default()
}

/// Copies that are written in the order of their labels: first those of one file, then those of the next, each in the
/// order of their keys. Copies with equal labels stay in the order in which they came.
///
/// The text is in a temporary file without a name, which the system removes however the run ends. Memory grows with the
/// number of copies: 40 to 80 bytes and a key for each. Without the feature `files`, the text is in memory.
#[derive(Debug)]
pub(super) struct Spool {
    text: BufWriter<HeldText>,
    /// The number of bytes of text.
    length: u64,
    entries: Vec<Entry>,
    /// The keys of all entries.
    keys: Vec<u8>,
    /// The numbers of the files, by their names in lower case. Some systems do not distinguish upper and lower case.
    numbers: HashMap<String, usize>,
    /// The names of the files, in the order in which they first occurred.
    places: Vec<Box<[u8]>>,
}

#[derive(Debug)]
struct Entry {
    /// The number of the file.
    place: usize,
    /// The start and the end of the key.
    key: (usize, usize),
    /// The start of the text.
    at: u64,
    length: usize,
}

impl Entry {
    /// Reads the copy into a buffer.
    fn read(&self, file: &mut HeldText, buffer: &mut Vec<u8>) -> io::Result<()> {
        buffer.resize(self.length, 0);
        file.seek(SeekFrom::Start(self.at)).map_err(named)?;
        file.read_exact(buffer).map_err(named)
    }
}

impl Spool {
    /// Creates an empty spool, with its temporary file in `folder`.
    pub(super) fn new(folder: Option<&Path>) -> Self {
        Self {
            text: BufWriter::with_capacity(1 << 16, held_text(folder)),
            length: 0,
            entries: Vec::new(),
            keys: Vec::new(),
            numbers: HashMap::new(),
            places: Vec::new(),
        }
    }

    /// Adds a copy.
    pub(super) fn push(&mut self, key: &[u8], place: &[u8], text: &[u8]) -> io::Result<()> {
        let name = String::from_utf8_lossy(place).to_lowercase();
        let place = *self.numbers.entry(name).or_insert_with(|| {
            self.places.push(place.into());
            self.places.len() - 1
        });
        let start = self.keys.len();
        self.keys.extend_from_slice(key);
        self.entries.push(Entry { place, key: (start, self.keys.len()), at: self.length, length: text.len() });
        self.length += text.len() as u64;
        self.text.write_all(text).map_err(named)
    }

    /// Keeps only some copies, and passes the others to `put`, in the order in which they came. `kept` has an entry for
    /// each copy.
    pub(super) fn retain<E: From<io::Error>>(
        &mut self,
        kept: &[bool],
        mut put: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.text.flush().map_err(named)?;
        let (entries, file) = (mem::take(&mut self.entries), self.text.get_mut());
        let mut buffer = Vec::new();
        for (entry, is_kept) in entries.into_iter().zip(kept) {
            if *is_kept {
                self.entries.push(entry);
                continue;
            }
            entry.read(file, &mut buffer)?;
            put(&buffer)?;
        }
        Ok(())
    }

    /// Passes the copies, with the names of their files, to `put` in their order.
    pub(super) fn drain<E: From<io::Error>>(self, mut put: impl FnMut(&[u8], &[u8]) -> Result<(), E>) -> Result<(), E> {
        let Self { text, mut entries, keys, places, .. } = self;
        let mut file = text.into_inner().map_err(|error| named(error.into_error()))?;
        let key = |entry: &Entry| &keys[entry.key.0..entry.key.1];
        entries.sort_unstable_by(|a, b| (a.place, key(a), a.at).cmp(&(b.place, key(b), b.at)));
        let mut buffer = Vec::new();
        for entry in &entries {
            entry.read(&mut file, &mut buffer)?;
            put(&places[entry.place], &buffer)?;
        }
        Ok(())
    }
}

/// Returns the error with the file that it is about.
#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
fn named(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("the temporary file for games in another order: {error}"))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::Spool;

    #[test]
    fn copies_come_back_in_the_order_of_their_labels() {
        let mut spool = Spool::new(None);
        for (key, place, text) in
            [("b", "Y", "1"), ("a", "y", "2"), ("b", "x", "3"), ("a", "Y", "4"), ("", "x", "5"), ("a", "Y", "")]
        {
            spool.push(key.as_bytes(), place.as_bytes(), text.as_bytes()).unwrap();
        }
        let mut drained = String::new();
        let put = |place: &[u8], text: &[u8]| {
            drained += &format!("{}{} ", str::from_utf8(place).unwrap(), str::from_utf8(text).unwrap());
            Ok::<_, io::Error>(())
        };
        spool.drain(put).unwrap();
        assert_eq!(drained, "Y2 Y4 Y Y1 x5 x3 ");
    }

    #[test]
    fn much_text_comes_back_from_a_file() {
        let mut spool = Spool::new(None);
        let text = vec![b'x'; 1 << 20];
        for number in (0..70_u8).rev() {
            spool.push(&[number], b"", &text[usize::from(number)..]).unwrap();
        }
        let mut next = 0;
        let put = |_: &[u8], found: &[u8]| {
            assert!(found == &text[next..]);
            next += 1;
            Ok::<_, io::Error>(())
        };
        spool.drain(put).unwrap();
        assert_eq!(next, 70);
    }

    #[cfg(feature = "files")]
    #[test]
    fn a_temporary_file_is_in_the_folder_that_was_chosen() {
        use crate::games::{Copies, Order};
        use crate::testing::games;

        let copies = Copies::new().order(Order::Shuffled { seed: 0 }).temporary_folder("no such folder");
        assert!(copies.write(games("1. e4 *\n"), Vec::new()).is_ok());
        let long = format!("{{{}}} 1. e4 *\n", "x".repeat(super::IN_MEMORY));
        let error = copies.write(games(&long), Vec::new()).unwrap_err().to_string();
        assert!(error.contains("the temporary file for games in another order: "), "{error}");
    }
}
