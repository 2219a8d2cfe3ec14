//! What is made of a stretch of a database: lines, rows, postings or copied games, what is wrong with it, and how much it is. All jobs fill
//! the same batches, and what can only be decided in the order of the games is decided on them.

mod notes;
mod tag_names;

use crate::diagnostic::Diagnostic;
use crate::fen::FenWriter;
use crate::parallel;
use crate::pgn::copies::Copies;
use crate::postings::{self, Postings};
use crate::rows::export::Product;
use crate::rows::table::{self, Table};
use crate::selection::Identity;

pub use crate::batch::tag_names::{AskedTags, MissingTag, TagNames};

/// What was found in a stretch of a database.
#[derive(Debug, Default)]
pub struct Batch {
    /// The lines or the games, where rows are not wanted.
    pub output: Vec<u8>,
    /// The rows, where they are.
    pub table: Table,
    /// What becomes of the rows.
    pub product: Product,
    /// The postings, where they are wanted.
    pub postings: Postings,
    /// What is wrong, in the order of the text; games are numbered from 1 within the stretch.
    pub diagnostics: Vec<Diagnostic>,
    /// What the positions are, if only new ones are wanted.
    pub(crate) identities: Vec<Identity>,
    /// Where the wanted games end, if not all of them may be wanted.
    pub(crate) ends: Vec<Mark>,
    /// Which games are in the output, if games are copied.
    pub(crate) copies: Copies,
    /// Which tags were seen, if one that is asked for has not been.
    pub tag_names: TagNames,
    /// How much was read.
    pub count: Count,
    /// Whether an error ended the walk.
    pub is_stopped: bool,
    /// How much of it is certain.
    kept: Mark,
    /// What writes the lines, kept for what the next may have in common with the last.
    pub(crate) writer: Option<FenWriter>,
}

/// How much was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Games, with and without errors, wanted or not.
    pub games: u64,
    /// The games among them that are wanted.
    pub wanted: u64,
    /// Positions.
    pub positions: u64,
}

impl parallel::Batch for Batch {
    fn clear(&mut self) {
        self.table.clear();
        self.product.clear();
        self.go_back_to(Mark::default());
        self.kept = Mark::default();
    }

    fn weight(&self) -> usize {
        let diagnostics = self.diagnostics.len() * size_of::<Diagnostic>();
        self.output.len() + self.product.weight() + self.postings.weight() + diagnostics
    }
}

/// How much there is in a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    output: usize,
    rows: table::Mark,
    postings: postings::Mark,
    identities: usize,
    copies: usize,
    ends: usize,
    diagnostics: usize,
    tag_names: tag_names::Mark,
    count: Count,
    is_stopped: bool,
}

impl Batch {
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            output: self.output.len(),
            rows: self.table.mark(),
            postings: self.postings.mark(),
            identities: self.identities.len(),
            copies: self.copies.len(),
            ends: self.ends.len(),
            diagnostics: self.diagnostics.len(),
            tag_names: self.tag_names.mark(),
            count: self.count,
            is_stopped: self.is_stopped,
        }
    }

    /// All that is in it is certain.
    pub(crate) fn keep(&mut self) {
        self.kept = self.mark();
    }

    /// Forgets what came since it was last kept.
    pub(crate) fn forget(&mut self) {
        self.go_back_to(self.kept);
    }

    /// Forgets what came behind a mark.
    pub(crate) fn go_back_to(&mut self, mark: Mark) {
        self.diagnostics.truncate(mark.diagnostics);
        self.tag_names.truncate(mark.tag_names);
        self.ends.truncate(mark.ends);
        self.is_stopped = mark.is_stopped;
        self.count = mark.count;
        self.drop_positions(mark);
    }

    /// Forgets the positions behind a mark.
    pub(crate) fn drop_positions(&mut self, mark: Mark) {
        self.output.truncate(mark.output);
        self.table.truncate(mark.rows);
        self.postings.truncate(mark.postings);
        self.identities.truncate(mark.identities);
        self.copies.truncate(mark.copies);
        self.count.positions = mark.count.positions;
    }

    /// Takes the games out that come behind the last that is wanted, if only so many are, and counts them down.
    pub(crate) fn take_games(&mut self, left: &mut Option<u64>) {
        if let Some(left) = left {
            if self.count.wanted >= *left {
                let last = self.ends.iter().find(|end| end.count.wanted == *left).copied();
                self.go_back_to(last.filter(|_| *left > 0).unwrap_or_default());
            }
            *left -= self.count.wanted;
        }
    }

    /// Takes out the positions that are not wanted.
    pub(crate) fn retain(&mut self, is_wanted: impl FnMut(Identity) -> bool) {
        let wanted: Vec<bool> = self.identities.drain(..).map(is_wanted).collect();
        let count = wanted.iter().filter(|is_wanted| **is_wanted).count();
        if count == wanted.len() {
            return;
        }
        self.count.positions = count as u64;
        retain_lines(&mut self.output, &wanted);
        if !self.table.is_empty() {
            self.table.retain(|row| wanted[row]);
        }
    }
}

/// Takes out the lines that are not wanted.
fn retain_lines(lines: &mut Vec<u8>, is_wanted: &[bool]) {
    let (mut from, mut to) = (0, 0);
    for is_wanted in is_wanted {
        let Some(length) = memchr::memchr(b'\n', &lines[from..]) else {
            break;
        };
        let end = from + length + 1;
        if *is_wanted {
            lines.copy_within(from..end, to);
            to += end - from;
        }
        from = end;
    }
    lines.truncate(to);
}

#[cfg(test)]
mod tests {
    use super::retain_lines;

    #[test]
    fn lines_are_taken_out_whole() {
        let mut lines = b"a\nbb\n\nccc\n".to_vec();
        retain_lines(&mut lines, &[false, true, false, true]);
        assert_eq!(lines, b"bb\nccc\n");
        retain_lines(&mut lines, &[true, false]);
        assert_eq!(lines, b"bb\n");
    }
}
