//! Files with text in which no game and no position was found: the error that says so.

use crate::walk::resemblance::resembles;
use pgn2fen_pgn::diagnostic::{self, Diagnostic, Kind};

/// The number of bytes of text that are kept to say what it seems to be.
const SAMPLE: usize = 4096;

/// The beginning of the text of a file, as long as no game was found in it.
#[derive(Debug, Default)]
pub(super) struct NoGames {
    /// The first bytes from the first byte on that is not white space.
    sample: Vec<u8>,
    /// The offset, the line and the column of the first of these bytes. Lines and columns are counted from 0.
    place: (u64, u64, usize),
}

impl NoGames {
    /// Takes the next part of the text. `offset`, `line` and `column` are those of its first byte.
    pub(super) fn see(&mut self, text: &[u8], (offset, line, column): (u64, u64, usize)) {
        if self.sample.len() == SAMPLE {
            return;
        }
        let mut text = text;
        if self.sample.is_empty() {
            let rest = text.trim_ascii_start();
            let blanks = &text[..text.len() - rest.len()];
            let on_line = diagnostic::column(blanks);
            let column = if on_line < blanks.len() { on_line } else { column + on_line };
            self.place = (offset + blanks.len() as u64, line + diagnostic::count_lines(blanks), column);
            text = rest;
        }
        self.sample.extend_from_slice(&text[..text.len().min(SAMPLE - self.sample.len())]);
    }

    /// Returns the error for a text that has ended without a game, with its line and column. None if there is nothing
    /// but white space.
    pub(super) fn error(&self) -> Option<(Diagnostic, u64, usize)> {
        let what = resembles(&self.sample)?;
        let (offset, line, column) = self.place;
        let reason = format!("there is no game and no position in this text; {what}");
        Some((Diagnostic::new(Kind::NoGames, offset, reason), line, column))
    }
}

#[cfg(test)]
mod tests {
    use super::NoGames;
    use pgn2fen_pgn::diagnostic;

    #[track_caller]
    fn check(text: &str, expected: Option<(u64, u64, usize)>) {
        for cut in 0..=text.len() {
            let mut seen = NoGames::default();
            let (first, second) = text.as_bytes().split_at(cut);
            seen.see(first, (0, 0, 0));
            let (lines, column) = (diagnostic::count_lines(first), diagnostic::column(first));
            seen.see(second, (cut as u64, lines, column));
            let place = seen.error().map(|(error, line, column)| (error.offset, line, column));
            assert_eq!(place, expected, "cut at {cut}");
        }
    }

    #[test]
    fn the_error_stands_at_the_first_text() {
        check("Dear Bob", Some((0, 0, 0)));
        check("\n \n\t Dear Bob\n", Some((5, 2, 2)));
        check("   Dear Bob\n", Some((3, 0, 3)));
    }

    #[test]
    fn white_space_is_no_text() {
        check("", None);
        check(" \r\n\t\n", None);
        check("\u{feff}\n\u{a0}\n", None);
    }
}
