//! The comments of a game, which stand behind its moves.
//!
//! A mark behind a move, or at the beginning of a line, says that the next comment belongs there. The marks of the last
//! comments may be missing: then a comment belongs to each move and to each beginning of a variation behind the last
//! mark, and one without text says that there is none.

use crate::database::words::Words;
use crate::scid::record::{Record, until_zero};

/// The comments that have not been written.
#[derive(Debug)]
pub(super) struct Comments<'r> {
    bytes: &'r [u8],
    /// The number of marks that are still to come.
    marks: usize,
    /// Whether the next comment belongs to the last move, although it has no mark.
    is_due: bool,
    /// Whether there was no comment for a mark.
    are_missing: bool,
    is_cut: bool,
}

impl<'r> Comments<'r> {
    pub(super) fn new(record: &Record<'r>) -> Self {
        Self { bytes: record.comments, marks: record.marks, is_due: false, are_missing: false, is_cut: false }
    }

    /// Passes the beginning of a line, or a move.
    pub(super) fn pass_node(&mut self) {
        self.is_due = self.marks == 0 && !self.bytes.is_empty();
    }

    /// Writes the comment of a mark, or leaves it out with its line.
    pub(super) fn write_marked(&mut self, words: &mut Words, is_lost: bool) {
        self.marks -= 1;
        match self.next() {
            None => self.are_missing = true,
            Some(comment) if !is_lost => words.comment(comment),
            Some(_) => {}
        }
    }

    /// Writes the comment of the last move, if it has no mark.
    pub(super) fn write_due(&mut self, words: &mut Words, is_lost: bool) {
        if std::mem::take(&mut self.is_due)
            && let Some(comment) = self.next()
            && !is_lost
        {
            words.comment(comment);
        }
    }

    /// Writes the comments that belong to no move. Returns a word for messages that says what is wrong.
    pub(super) fn end(mut self, words: &mut Words) -> Option<&'static str> {
        let mut are_left = false;
        while let Some(comment) = self.next() {
            are_left |= !comment.is_empty();
            words.comment(comment);
        }
        match () {
            () if self.are_missing => Some("comments-are-missing"),
            () if self.is_cut => Some("its-last-comment-has-no-end"),
            () if are_left => Some("comments-belong-to-no-move"),
            () => None,
        }
    }

    fn next(&mut self) -> Option<&'r [u8]> {
        if self.bytes.is_empty() {
            return None;
        }
        let (comment, rest) = until_zero(self.bytes).unwrap_or_else(|| {
            self.is_cut = true;
            (self.bytes, &[])
        });
        self.bytes = rest;
        Some(comment)
    }
}
