//! Diagnostics about the text of games, which are the same for all jobs.

use std::ops::Range;

use crate::walk::batch::Found;
use pgn2fen_pgn::diagnostic::{Diagnostic, Kind, line_below, push_in_game};
use pgn2fen_pgn::games::Chunk;
use pgn2fen_pgn::movetext::Movetext;
use pgn2fen_pgn::tags::lost_brace::lost_braces;
use pgn2fen_pgn::tags::{TagRepair, Tags};

impl Found {
    /// Adds a warning about the game whose diagnostics begin at `since`. If the game has very many, it is only counted.
    pub(super) fn note(&mut self, since: usize, warning: Diagnostic) {
        push_in_game(&mut self.diagnostics, since, warning);
    }

    /// Adds a warning for each repair in the tags of a game, whose diagnostics begin at `since`.
    pub(super) fn note_repairs(&mut self, since: usize, text: Chunk<'_>, tags: &Tags<'_>) {
        for &(at, repair) in tags.repairs() {
            let offset = text.offset + at as u64;
            let warning = match repair {
                TagRepair::StrayText(length) => {
                    Diagnostic::new(Kind::SkippedText, offset, repair.as_str()).about(&text.bytes[at..at + length])
                }
                TagRepair::Operation(_) | TagRepair::RepeatedOperation | TagRepair::TooManyOperations => {
                    let line = &text.bytes[at..tags.end()];
                    let end = line.iter().position(|byte| *byte == b';').unwrap_or(line.len());
                    Diagnostic::new(Kind::EpdOperation, offset, repair.as_str()).about(line[..end].trim_ascii_end())
                }
                _ => Diagnostic::new(Kind::RepairedTag, offset, repair.as_str()),
            };
            self.note(since, warning);
        }
    }

    /// Adds a warning for each comment of a game in which another game seems to begin, except for the comment at the
    /// offset `reported`, about which an error is reported. `movetext` has been read to its end.
    pub(super) fn note_lost_braces(
        &mut self,
        text: Chunk<'_>,
        start: usize,
        tags: &Tags<'_>,
        movetext: &Movetext<'_>,
        reported: Option<u64>,
    ) {
        let (from, end) = (tags.end(), movetext.offset());
        let in_movetext =
            if movetext.may_hold_game(end - from) { lost_braces(text.bytes, start, from, end) } else { Vec::new() };
        for lost in tags.lost_braces().iter().chain(&in_movetext) {
            let offset = text.offset + lost.comment as u64;
            if reported != Some(offset) {
                let reason = "a game seems to begin in this comment; a } may be missing before it";
                let line = line_below(text.bytes, lost.comment, lost.pair);
                self.diagnostics.push(Diagnostic::new(Kind::SkippedText, offset, reason).about(line.as_bytes()));
            }
        }
    }

    /// Adds a warning about text that is not UTF-8.
    pub(super) fn note_encoding(&mut self, text: Chunk<'_>, range: Range<usize>) {
        let bytes = &text.bytes[range.clone()];
        if bytes.is_ascii() {
            return;
        }
        let Err(error) = str::from_utf8(bytes) else {
            return;
        };
        let offset = text.offset + (range.start + error.valid_up_to()) as u64;
        self.diagnostics.push(Diagnostic::new(Kind::Encoding, offset, "the text is not UTF-8"));
    }

    /// Adds a warning about text that belongs to no game.
    pub(super) fn note_skipped(&mut self, text: Chunk<'_>, range: Range<usize>) {
        let offset = text.offset + range.start as u64;
        let diagnostic = Diagnostic::new(Kind::SkippedText, offset, "it belongs to no game and was skipped");
        self.diagnostics.push(diagnostic.about(&text.bytes[range]));
    }

    /// Sets the number of the last game in all diagnostics from `since` on.
    pub(super) fn number_notes(&mut self, since: usize) {
        for diagnostic in &mut self.diagnostics[since..] {
            diagnostic.game = Some(self.sums.count.games);
        }
    }
}
