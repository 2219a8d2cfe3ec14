//! Reads the symbols that no fast path has read: moves in any spelling, moves in several parts, and marks that are skipped.

use crate::diagnostic::{Diagnostic, Kind};
use crate::pgn::movetext::Movetext;
use crate::pgn::symbol::{is_numeric_move, is_stray};
use crate::replay::main_line::{Replay, STRAY};
use crate::replay::symbol::{self, Symbol};
use crate::san::{Resolved, SanError, SanErrorKind, SanRepair};

/// A symbol that stands where a move is expected, and what it means.
pub(super) struct Found<'a> {
    pub(super) read: Result<Symbol<'a>, SanError>,
    /// The text of the symbol. If its parts stand apart, all of them with the text between.
    pub(super) text: &'a [u8],
}

impl<'a> Replay<'a> {
    /// Reads the symbol that has just been taken. None if it is a mark, of which a warning is added. A move is an error if the line
    /// [is full](Self::is_full).
    pub(super) fn take_spelled(&mut self, symbol: &'a [u8], is_full: bool) -> Option<Result<Symbol<'a>, Diagnostic>> {
        let mut movetext = self.movetext.clone();
        let found = self.read_symbol(&mut movetext, symbol);
        self.movetext = movetext;
        match found {
            Some(Found { text, .. }) if is_full => Some(Err(self.refuse_more(text))),
            Some(Found { read: Ok(symbol), .. }) => Some(Ok(symbol)),
            Some(Found { read: Err(error), text }) => Some(Err(self.refuse(text, &error))),
            None => {
                self.warn(Kind::SkippedText, STRAY, symbol);
                None
            }
        }
    }

    /// Reads the symbol that a reader has just taken in the current position, and takes the other parts of its move. None if the symbol is
    /// a mark that is skipped.
    pub(super) fn read_symbol(&self, movetext: &mut Movetext<'a>, symbol: &'a [u8]) -> Option<Found<'a>> {
        if is_stray(symbol) {
            return self.read_parts(movetext);
        }
        let read = self.read(symbol);
        // Before the first move, a number that is no move may be a year or a rating, unless it stands behind a move number.
        if read.is_err() && self.ply == 0 && is_numeric_move(symbol) && !movetext.is_numbered() {
            return None;
        }
        Some(Found { read, text: symbol })
    }

    /// Reads a letter that is the first part of a move, such as the `N` of `N(b1)c3`. The move that the other parts would be without the
    /// letter is never played instead. None if the letter has nothing to do with the text behind it.
    #[cold]
    fn read_parts(&self, movetext: &mut Movetext<'a>) -> Option<Found<'a>> {
        let parts = movetext.parts()?;
        let text = movetext.text();
        let start = movetext.span().start;
        let last = self.read(&text[parts.last.clone()]).ok().map(|symbol| symbol.resolved.mv);
        let read = match symbol::read(&parts.joined, &self.position, &self.letters, self.encoding) {
            Ok(joined) if last == Some(joined.resolved.mv) => return None,
            Ok(joined) if parts.may_be_mark && last.is_some() => {
                Err(two_meanings(joined.san, &text[parts.last.clone()]))
            }
            Ok(joined) if !parts.is_plain => Err(not_together(joined.san)),
            Ok(joined) => {
                let resolved = Resolved { repair: Some(SanRepair::Apart), ..joined.resolved };
                movetext.extend_to(parts.last.end);
                let (san, marks) = text[start..parts.last.end].split_at(parts.last.end - start - joined.marks.len());
                Ok(Symbol { resolved, san, marks })
            }
            Err(error) if parts.may_be_mark && error.kind() != SanErrorKind::AmbiguousMove => return None,
            Err(error) if parts.may_be_mark || parts.is_shaped => Err(error),
            Err(_) => return None,
        };
        Some(Found { read, text: &text[start..parts.last.end] })
    }
}

fn two_meanings(joined: &[u8], last: &[u8]) -> SanError {
    let [joined, last] = [joined, last].map(String::from_utf8_lossy);
    let reason = format!("this may be the move {joined}, or a mark and the move {last}");
    SanError::new(SanErrorKind::AmbiguousMove, reason)
}

fn not_together(joined: &[u8]) -> SanError {
    let joined = String::from_utf8_lossy(joined);
    let reason = format!("the parts of this move should stand together; is it {joined}?");
    SanError::new(SanErrorKind::BadSan, reason)
}
