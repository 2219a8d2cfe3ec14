//! The inputs that a run could not read, and went on without.

use std::path::PathBuf;

use crate::messages::counts::{counted, grouped};
use crate::messages::shown;

/// The most names in a sentence.
const MOST_NAMES: usize = 10;

/// The inputs that a run could not read at all, and those that it could read only in part.
#[derive(Clone, Debug, Default)]
pub struct Skipped {
    /// The number of all inputs so far.
    all: u64,
    unread: Vec<PathBuf>,
    damaged: Vec<PathBuf>,
}

impl Skipped {
    /// Counts an input, whether or not it can be read.
    pub fn count(&mut self) {
        self.all += 1;
    }

    /// Adds an input that was counted and could not be read to its end. `has_games` says whether games of it were read.
    pub fn add(&mut self, path: PathBuf, has_games: bool) {
        if has_games { &mut self.damaged } else { &mut self.unread }.push(path);
    }

    /// Whether every input was read to its end.
    pub fn is_empty(&self) -> bool {
        self.unread.is_empty() && self.damaged.is_empty()
    }

    /// Whether no input could be read.
    pub fn is_all(&self) -> bool {
        self.all == self.unread.len() as u64
    }

    /// Returns the warning that names the inputs. None if every one was read to its end.
    pub fn warning(&self) -> Option<String> {
        let all = counted(self.all, "file");
        let unread = in_words(&self.unread).map(|(count, names)| format!("{count} not read ({names})"));
        let damaged = in_words(&self.damaged).map(|(count, names)| format!("{count} read only in part ({names})"));
        let missing: Vec<String> = unread.into_iter().chain(damaged).collect();
        (!missing.is_empty()).then(|| format!("of {all}, {}", missing.join(", and ")))
    }
}

/// Returns a number of files in words, and their names. None if there are no files.
pub fn in_words(files: &[PathBuf]) -> Option<(String, String)> {
    let count = match files.len() {
        0 => return None,
        1 => "1 was".to_owned(),
        count => format!("{} were", grouped(count as u64)),
    };
    let mut names: Vec<String> = files.iter().take(MOST_NAMES).map(|path| shown(path)).collect();
    if files.len() > MOST_NAMES {
        names.push(format!("and {} more", grouped((files.len() - MOST_NAMES) as u64)));
    }
    Some((count, names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::Skipped;

    #[test]
    fn inputs_that_were_not_read_are_named() {
        let mut skipped = Skipped::default();
        assert!(skipped.is_empty() && skipped.is_all());
        assert_eq!(skipped.warning(), None);
        skipped.count();
        skipped.add("a.pgn".into(), false);
        assert_eq!(skipped.warning().as_deref(), Some("of 1 file, 1 was not read (a.pgn)"));
        assert!(!skipped.is_empty() && skipped.is_all());
        skipped.count();
        skipped.count();
        skipped.add("b.gz".into(), true);
        let expected = "of 3 files, 1 was not read (a.pgn), and 1 was read only in part (b.gz)";
        assert_eq!(skipped.warning().as_deref(), Some(expected));
        assert!(!skipped.is_all());
        for number in 0..12 {
            skipped.count();
            skipped.add(format!("{number}").into(), false);
        }
        let warning = skipped.warning().expect("some were not read");
        assert!(warning.starts_with("of 15 files, 13 were not read (a.pgn, 0, 1, 2, 3, 4, 5, 6, 7, 8, and 3 more)"));
    }
}
