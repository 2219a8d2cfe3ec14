//! Plans of ranges: files are divided into ranges of about the same size, which are read one by one, on any machine
//! that has the files.

use std::error::Error;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::find::length;
use crate::open::OpenOptions;
use pgn2fen_games::database::{Before, Source, remote};

/// A range of a file: the games that begin in some of its bytes. For a zstd file, these are the games that begin in the
/// text of the frames that begin in these bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileRange {
    /// The path of the file.
    pub path: PathBuf,
    /// The number of the file in the list, counted from 0.
    pub file: u64,
    /// The bytes of the file, which are compressed bytes for a compressed file.
    pub bytes: Range<u64>,
    /// Whether this is the only range of the file. So it is for small files, and for files that can be read only from
    /// their start: files compressed with gzip or bzip2, zstd files of a single frame, members of zip
    /// archives, text in UTF-16, pipes, and files behind addresses.
    pub is_whole: bool,
    /// The numbers of what stands in the file before the range, if they have been counted: see [`number`].
    pub before: Option<Before>,
}

impl FileRange {
    /// Divides a file into ranges of about `size` bytes. Together they have all games of the file. `file` is its number
    /// in the list of files. Only the beginning of the file is read, and of a zstd file a few bytes of each frame.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, or is a file of another kind.
    pub fn of_file(path: impl Into<PathBuf>, file: u64, size: u64, options: &OpenOptions) -> io::Result<Vec<Self>> {
        let path = path.into();
        let length = length(&path)?.unwrap_or(0);
        if remote::address(&path).is_some() {
            return Ok(vec![Self { path, file, bytes: 0..length, is_whole: true, before: None }]);
        }
        let ends = if length > size {
            let source = Source::open_with(&path, &options.source())?;
            ends(source.seams(), length, size.max(1))
        } else {
            vec![length]
        };
        let is_whole = ends.len() == 1;
        let starts = [0].into_iter().chain(ends.clone());
        let range = |bytes: Range<u64>| Self { path: path.clone(), file, bytes, is_whole, before: None };
        Ok(starts.zip(ends).map(|(start, end)| range(start..end)).collect())
    }

    /// Returns the options that open the range, which are otherwise these.
    #[must_use]
    pub fn options(&self, options: &OpenOptions) -> OpenOptions {
        let range = (!self.is_whole).then(|| self.bytes.clone());
        OpenOptions { range, before: self.before, file: Some(self.file), ..options.clone() }
    }
}

/// Returns the ends of ranges of a file.
fn ends(seams: Option<Vec<u64>>, length: u64, size: u64) -> Vec<u64> {
    let mut ends = Vec::new();
    match seams {
        None => {
            let count = u128::from(length.div_ceil(size));
            // The quotient is not greater than the length.
            let end = |nth| u64::try_from(u128::from(length) * nth / count).unwrap_or(length);
            ends.extend((1..count).map(end));
        }
        Some(seams) => {
            let mut start = 0;
            for seam in seams {
                if seam - start >= size {
                    ends.push(seam);
                    start = seam;
                }
            }
        }
    }
    ends.push(length);
    ends
}

/// The error when a file cannot be divided into ranges.
#[derive(Debug)]
pub struct PlanError {
    /// The path of the file.
    pub path: PathBuf,
    error: io::Error,
}

impl PlanError {
    /// Returns the error of the operating system, or the reason why the file is refused.
    pub fn error(&self) -> &io::Error {
        &self.error
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", self.path.display(), self.error)
    }
}

impl Error for PlanError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

/// Divides files into ranges of about `size` bytes, in the order of the files. Each game of the files is in exactly one
/// range.
///
/// ```
/// use pgn2fen_files::{OpenOptions, plan};
/// use pgn2fen_games::parallel::Workers;
/// use pgn2fen_rows::{Format, Rows};
/// use pgn2fen_games::walk::Input;
///
/// # let file = "../../fixtures/games/tournaments_2020.pgn";
/// let options = OpenOptions::default();
/// let ranges = plan([file], 100_000, &options)?;
/// let mut fens = Vec::new();
/// // Here the ranges are read one after another. They may as well be read by different threads, processes or machines.
/// for range in ranges {
///     let (path, options) = (range.path.clone(), range.options(&options));
///     let input = Input::opening(&range.path, move || options.open(path));
///     (fens, _) = Rows::new().format(Format::Fen).write([input], fens)?;
/// }
/// let (whole, _) = Rows::new().format(Format::Fen).write([file], Vec::new())?;
/// assert_eq!(fens, whole);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// A file cannot be opened, or is a file of another kind.
pub fn plan(
    paths: impl IntoIterator<Item: AsRef<Path>>,
    size: u64,
    options: &OpenOptions,
) -> Result<Vec<FileRange>, PlanError> {
    let mut ranges = Vec::new();
    for (file, path) in (0..).zip(paths) {
        let path = path.as_ref();
        let planned = FileRange::of_file(path, file, size, options);
        ranges.extend(planned.map_err(|error| PlanError { path: path.to_owned(), error })?);
    }
    Ok(ranges)
}

/// Sets the numbers before each range. `counts` are the numbers of the ranges themselves, as
/// [`census`](pgn2fen_games::walk::census) counts them. The ranges of a file must follow one another without gaps.
pub fn number(ranges: &mut [FileRange], counts: impl IntoIterator<Item = Before>) {
    let mut last: Option<(u64, Before)> = None;
    for (range, count) in ranges.iter_mut().zip(counts) {
        let before = last.filter(|(file, _)| *file == range.file).map_or(Before::default(), |(_, before)| before);
        range.before = Some(before);
        last = Some((range.file, before.then(count)));
    }
}

#[cfg(test)]
mod tests {
    use super::{FileRange, ends, number};
    use crate::OpenOptions;
    use pgn2fen_games::database::Before;

    #[test]
    fn ranges_have_about_the_same_size() {
        assert_eq!(ends(None, 100, 30), [25, 50, 75, 100]);
        assert_eq!(ends(None, 100, 50), [50, 100]);
        assert_eq!(ends(None, 3, 1), [1, 2, 3]);
        assert_eq!(ends(None, u64::MAX, u64::MAX - 1), [u64::MAX / 2, u64::MAX]);
        assert_eq!(ends(Some(vec![10, 20, 50, 60, 95]), 100, 30), [50, 95, 100]);
        assert_eq!(ends(Some(vec![]), 100, 30), [100]);
    }

    #[test]
    fn each_file_is_numbered_from_its_start() {
        let range = |file, bytes| FileRange { path: "a".into(), file, bytes, is_whole: false, before: None };
        let mut ranges = [range(0, 0..10), range(0, 10..20), range(0, 20..30), range(1, 0..10), range(1, 10..20)];
        let count = |games| Before { games, chosen: 1, lines: 0, text: 10, column: 10 };
        number(&mut ranges, [3, 4, 5, 6, 7].map(count));
        let games: Vec<u64> = ranges.iter().map(|range| range.before.unwrap().games).collect();
        assert_eq!(games, [0, 3, 7, 0, 6]);
    }

    #[test]
    fn files_that_are_read_from_their_start_have_one_range() {
        let folder = tempfile::tempdir().unwrap();
        let text = b"1. e4 e5 1-0\n".repeat(1000);
        let utf16: Vec<u8> = text.iter().flat_map(|byte| [*byte, 0]).collect();
        let frame = |text: &[u8]| zstd::encode_all(text, 1).unwrap();
        let frames = [frame(&text), frame(&text), frame(&text)];
        for (name, bytes, count) in [
            ("a.pgn", text.clone(), 13_000usize.div_ceil(30)),
            ("b.pgn", utf16, 1),
            ("c.pgn.zst", frame(&text), 1),
            ("d.pgn.zst", frames.concat(), 3),
            ("empty.pgn", Vec::new(), 1),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            let ranges = FileRange::of_file(&path, 7, 30, &OpenOptions::default()).unwrap();
            assert_eq!((ranges.len(), ranges[0].is_whole), (count, count == 1), "{name}");
            assert_eq!(ranges[0].options(&OpenOptions::default()).range.is_none(), count == 1);
        }
    }
}
