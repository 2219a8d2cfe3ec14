//! Records of other formats that cannot be read as games: the mark that stands for them in PGN text.
//!
//! What reads tables of puzzles or JSON makes PGN text of it. A record that cannot be read becomes a game whose first
//! tag is a FEN tag with a value that says why, and whose second tag may show the record.

use crate::diagnostic::{Diagnostic, Kind};
use crate::tags::Tags;

/// The beginning of the value of a FEN tag that stands for a record that cannot be read. The reason follows.
#[doc(hidden)]
pub const UNREADABLE: &str = "unreadable record: ";

/// Returns the error for a game that stands for a record that cannot be read. `base` is the offset of the text of the
/// tags in the file.
pub(crate) fn unreadable(tags: &Tags<'_>, base: u64) -> Option<Diagnostic> {
    let mut all = tags.iter();
    let fen = all.next().filter(|tag| tag.name == b"FEN")?;
    fen.value.0.strip_prefix(UNREADABLE.as_bytes())?;
    let reason = fen.value.decode()[UNREADABLE.len()..].to_owned();
    let error = Diagnostic::new(Kind::BadRecord, base + fen.offset as u64, reason);
    Some(match all.next().filter(|tag| tag.name == b"Record") {
        Some(record) => error.about(&record.value.unescape()),
        None => error,
    })
}

#[cfg(test)]
mod tests {
    use super::unreadable;
    use crate::tags::Tags;

    /// Compares the place, the reason and the subject of the error for a game with these tags.
    #[track_caller]
    fn check(tags: &str, expected: Option<(u64, &str, &str)>) {
        let found = unreadable(&Tags::read(tags.as_bytes(), 0), 100);
        let found = found.map(|error| {
            assert_eq!(error.kind.as_str(), "bad-record");
            (error.offset, error.reason.into_owned(), String::from_utf8(error.subject.to_vec()).unwrap())
        });
        let expected = expected.map(|(offset, reason, subject)| (offset, reason.to_owned(), subject.to_owned()));
        assert_eq!(found, expected, "{tags}");
    }

    #[test]
    fn a_mark_stands_for_a_record_that_cannot_be_read() {
        check("[FEN \"unreadable record: why\"]\n", Some((100, "why", "")));
        check("\n[FEN \"unreadable record: \"]\n", Some((101, "", "")));
        check("[FEN \"unreadable record: a \\\"b\\\"\"]\n", Some((100, "a \"b\"", "")));
        let fen = "[FEN \"unreadable record: why\"]\n";
        check(&format!("{fen}[Record \"a \\\"b\\\"\"]\n"), Some((100, "why", "a \"b\"")));
        // Only the second tag shows the record.
        check(&format!("{fen}[Site \"x\"]\n[Record \"y\"]\n"), Some((100, "why", "")));
        check(&format!("{fen}[Site \"x\"]\n"), Some((100, "why", "")));
    }

    #[test]
    fn other_tags_are_no_mark() {
        check("", None);
        check("[FEN \"8/8/8/8/8/8/8/8 w - -\"]\n", None);
        check("[Event \"unreadable record: why\"]\n", None);
        check("[Event \"x\"]\n[FEN \"unreadable record: why\"]\n", None);
        check("[FEN \"an unreadable record: why\"]\n", None);
    }
}
