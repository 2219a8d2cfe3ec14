//! Reads the symbols that no fast path has read: moves in any spelling, moves in several parts, and marks that are
//! skipped.

use crate::apart::MoveParts;
use crate::diagnostic::{Diagnostic, Kind};
use crate::movetext::Movetext;
use crate::replay::main_line::{Replay, STRAY};
use crate::replay::symbol::{self, Symbol};
use crate::symbol::{is_numeric_move, is_stray};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san::{Resolved, SanError, SanErrorKind, SanRepair};

/// A symbol that stands where a move is expected, and what it means.
pub(super) struct SpelledMove<'a> {
    pub(super) read: Result<Symbol<'a>, SanError>,
    /// The text of the symbol. If its parts stand apart, all of them with the text between.
    pub(super) text: &'a [u8],
}

impl<'a> Replay<'a> {
    /// Reads the symbol that has just been taken. None if it is a mark, of which a warning is added. A move is an error
    /// if the line [is full](Self::is_full).
    pub(super) fn take_spelled(&mut self, symbol: &'a [u8], is_full: bool) -> Option<Result<Symbol<'a>, Diagnostic>> {
        let mut movetext = self.movetext.clone();
        let found = self.read_symbol(&mut movetext, symbol);
        self.movetext = movetext;
        match found {
            Some(SpelledMove { text, .. }) if is_full => Some(Err(self.refuse_more(text))),
            Some(SpelledMove { read: Ok(symbol), .. }) => Some(Ok(symbol)),
            Some(SpelledMove { read: Err(error), text }) => Some(Err(self.refuse(text, &error))),
            None => {
                self.warn(Kind::SkippedText, STRAY, symbol);
                None
            }
        }
    }

    /// Reads the symbol that a reader has just taken in the current position, and takes the other parts of its move.
    /// None if the symbol is a mark that is skipped.
    pub(super) fn read_symbol(&self, movetext: &mut Movetext<'a>, symbol: &'a [u8]) -> Option<SpelledMove<'a>> {
        if is_stray(symbol) {
            return self.read_parts(movetext);
        }
        let mut read = self.read(symbol);
        if read.is_err() && matches!(symbol, [b'(' | b'[' | b'<', ..]) {
            let joined: Vec<u8> = symbol.iter().copied().filter(|byte| !b"()[]<>".contains(byte)).collect();
            if self.read_joined(&joined).is_ok() {
                read = Err(not_together(&joined));
            }
        }
        // Before the first move, a number that is no move may be a year or a rating, unless it stands behind a move
        // number with a period.
        if read.is_err() && self.ply == 0 && is_numeric_move(symbol) && !movetext.is_behind_period() {
            return None;
        }
        if read.is_err()
            && let Some(whole) = self.read_begun(movetext)
        {
            return Some(whole);
        }
        Some(SpelledMove { read, text: symbol })
    }

    /// Whether a mark that a reader has just taken in the current position is the first part of a move. What stands
    /// between the parts does not belong to the move before.
    #[cold]
    #[inline(never)]
    pub(super) fn begins_move(&self, movetext: &Movetext<'a>, symbol: &'a [u8]) -> bool {
        self.read_symbol(&mut movetext.clone(), symbol).is_some()
    }

    fn read_joined<'j>(&self, joined: &'j [u8]) -> Result<Symbol<'j>, SanError> {
        symbol::read(joined, &self.position, &self.letters, self.encoding)
    }

    /// Reads a symbol to which something is missing as the first part of a move: `Nb d7`, `a8 =Q`. None if the parts
    /// are not a legal move. There is only one reading: the beginning is not a move by itself.
    #[cold]
    fn read_begun(&self, movetext: &mut Movetext<'a>) -> Option<SpelledMove<'a>> {
        let parts = movetext.parts_of_begun()?;
        if self.may_be_two_moves(&parts.joined) {
            return None;
        }
        let text = &movetext.text()[movetext.span().start..parts.last.end];
        let read = match self.read_joined(&parts.joined) {
            Ok(joined) if parts.is_plain => Ok(take_joined(movetext, &parts, &joined)),
            Ok(joined) => Err(not_together(joined.san)),
            Err(error) if parts.is_shaped && parts.is_plain => Err(error),
            Err(_) => return None,
        };
        Some(SpelledMove { read, text })
    }

    /// Whether two squares are rather two moves of pawns, of which the first is illegal, than the squares between which
    /// a man moves: `f3 e5`, but not `e2 e4`, because no pawn moves to the first two ranks of its side.
    fn may_be_two_moves(&self, joined: &[u8]) -> bool {
        let [b'a'..=b'h', rank @ b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', ..] = joined else {
            return false;
        };
        match self.position.turn() {
            Color::White => *rank > b'2',
            Color::Black => *rank < b'7',
        }
    }

    /// Reads a letter that is the first part of a move, such as the `N` of `N(b1)c3`. The move that the other parts
    /// would be without the letter is never played instead. None if the letter has nothing to do with the text behind
    /// it.
    #[cold]
    fn read_parts(&self, movetext: &mut Movetext<'a>) -> Option<SpelledMove<'a>> {
        let parts = movetext.parts()?;
        let text = movetext.text();
        let start = movetext.span().start;
        let last = self.read(&text[parts.last.clone()]).ok().map(|symbol| symbol.resolved.mv);
        let read = match self.read_joined(&parts.joined) {
            Ok(joined) if last == Some(joined.resolved.mv) => return None,
            Ok(joined) if parts.may_be_mark && last.is_some() => {
                Err(two_meanings(joined.san, &text[parts.last.clone()]))
            }
            Ok(joined) if !parts.is_plain => Err(not_together(joined.san)),
            Ok(joined) => Ok(take_joined(movetext, &parts, &joined)),
            Err(error) if parts.may_be_mark && error.kind() != SanErrorKind::AmbiguousMove => return None,
            Err(error) if parts.may_be_mark || parts.is_shaped => Err(error),
            Err(_) => return None,
        };
        Some(SpelledMove { read, text: &text[start..parts.last.end] })
    }
}

/// Takes the parts of a move, which is legal if they are joined.
fn take_joined<'a>(movetext: &mut Movetext<'a>, parts: &MoveParts, joined: &Symbol<'_>) -> Symbol<'a> {
    let text = &movetext.text()[movetext.span().start..parts.last.end];
    movetext.extend_to(parts.last.end);
    let (san, marks) = text.split_at(text.len() - joined.marks.len());
    Symbol { resolved: Resolved { repair: Some(SanRepair::Apart), ..joined.resolved }, san, marks }
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

#[cfg(test)]
mod tests {
    use crate::games::Games;

    /// Compares the moves of the main line, the error behind a `!`, and the warnings. `next_move` and the walk through
    /// variations say the same.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let text = format!("[A \"\"]\n\n{text}");
        let game = Games::new(text.as_bytes()).next().unwrap();
        let mut replay = game.replay().unwrap();
        let (mut walk, mut shown) = (replay.clone(), Vec::new());
        loop {
            let ahead = replay.next_move().map(|(_, m)| m);
            let next = replay.next_ply();
            assert_eq!(walk.next_in_text(), next, "{text}");
            match next {
                Some(Ok(ply)) => {
                    assert_eq!(ahead, Some(ply.played), "{text}");
                    shown.push(ply.to_string());
                }
                Some(Err(error)) => {
                    assert_eq!(ahead, None, "{text}");
                    let subject = String::from_utf8_lossy(&error.subject).into_owned();
                    shown.push(format!("!{subject}: {}", error.reason));
                }
                None => break,
            }
        }
        let warnings: Vec<_> = replay.take_warnings().collect();
        assert!(walk.take_warnings().eq(warnings.iter().cloned()), "{text}");
        let warnings = warnings.iter().map(|warning| {
            let subject = String::from_utf8_lossy(&warning.subject);
            format!("{} {subject}", warning.kind.as_str())
        });
        shown.extend(warnings.map(|warning| format!("[{}]", warning.trim_end())));
        assert_eq!(shown.join(" "), expected, "{text}");
    }

    #[test]
    fn parts_that_are_only_separated_are_a_move() {
        check("1. N c3 e5 *", "N c3 e5 [repaired-san N c3]");
        check("1. e4 d5 2. e x d5 Q,d5+- *", "e4 d5 e x d5 Q,d5 [repaired-san e x d5] [repaired-san Q,d5]");
        check("1. e 4 e 5 2. ♘ f3 *", "e 4 e 5 ♘ f3 [repaired-san e 4] [repaired-san e 5] [repaired-san ♘ f3]");
        check("1. e4 B. e7 2. N c31-0", "e4 !B. e7: e7 is occupied by a black pawn");
        check("1. e4 e5 2. N c31-0", "e4 e5 N c3 [repaired-san N c3] [result]");
    }

    #[test]
    fn a_blank_may_stand_at_every_place_of_a_move() {
        for parts in ["Nb d2", "Nbd 2", "N bd2", "N b d 2", "Nb\u{a0}d2", "Nb\nd2"] {
            check(
                &format!("1. d4 d5 2. Nf3 Nf6 3. {parts} *"),
                &format!("d4 d5 Nf3 Nf6 {parts} [repaired-san {parts}]"),
            );
        }
        for parts in ["ex d5", "e xd5", "e x d 5", "e4- d5", "e4x d5", "e4: d5"] {
            check(&format!("1. e4 d5 2. {parts} *"), &format!("e4 d5 {parts} [repaired-san {parts}]"));
        }
        let promotes = |parts: &str, expected: &str| {
            let fen = "[SetUp \"1\"]\n[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]";
            let shown =
                if expected.is_empty() { format!("{parts} Kg7 [repaired-san {parts}]") } else { expected.to_owned() };
            check(&format!("{fen}\n\n1. {parts} Kg7 *"), &shown);
        };
        for parts in ["a8 =Q", "a8 = Q", "a8 (Q)", "a8 ( Q )", "a8= Q", "a8 =(Q)", "a8\n=Q", "a8 Q", "a 8 = Q", "a8 /Q"]
        {
            promotes(parts, "");
        }
        check("1. e4 e5 2. Nb d2 *", "e4 e5 !Nb d2: d2 is occupied by a white pawn");
    }

    #[test]
    fn two_squares_are_no_move_if_they_may_be_two() {
        check("1. e2 e4 e7 e5 *", "e2 e4 e7 e5 [repaired-san e2 e4] [repaired-san e7 e5]");
        check("1. Nf3 d5 2. f3 e5 Nc6 *", "Nf3 d5 !f3: f3 is occupied by a white knight");
        check("1. Nf3 d5 2. f3 - e5 *", "Nf3 d5 f3 - e5 [repaired-san f3 - e5]");
        check("1. e4 d5 2. e4 d5 *", "e4 d5 !e4: e4 is occupied by a white pawn");
        check("1. d4 Nf6 2. c4 f6 e4 *", "d4 Nf6 c4 !f6: f6 is occupied by a black knight");
    }

    #[test]
    fn parts_with_something_between_are_an_error() {
        let together = |parts: &str| format!("!{parts}: the parts of this move should stand together; is it Nc3?");
        for parts in ["N(b1)c3", "N{x}c3", "N[b1]c3", "N<b1>c3", "N?c3", "N$1c3", "N\"c3", "(N)c3", "[N]c3"] {
            check(&format!("1. {parts} e5 *"), &together(parts));
        }
        for parts in ["N{a (b)}c3", "N{x\ny}c3", "N[x(y)]c3", "N[c3", "N<c3", "N(b1 (x))c3"] {
            check(&format!("1. {parts} *"), &together(parts));
        }
        check("1. S f3 *", "!S f3: German, Polish, Swedish, Danish or Norwegian piece letters? try `lang=de`");
        check("1. N c4 *", "!N c4: no white knight can reach c4");
    }

    #[test]
    fn a_letter_behind_a_move_may_be_a_mark() {
        check("1. e4 N e5 2. Nf3 D Nc6 *", "e4 e5 Nf3 Nc6 [skipped-text N] [skipped-text D]");
        check("1. e4 N {new} c6 *", "e4 c6 [skipped-text N]");
        check("1. e4 N c6 *", "e4 !N c6: this may be the move Nc6, or a mark and the move c6");
        check("1. e4 N; c6\ne5 *", "e4 e5 [skipped-text N]");
        check("1. e4 {a {b} c} e5 *", "e4 e5 [skipped-text c] [skipped-text }]");
    }

    #[test]
    fn numbers_before_a_game_are_no_moves() {
        check("2021 2022 1. e4 *", "e4");
        check("1234 5678 1. e4 *", "e4 [skipped-text 1234] [skipped-text 5678]");
        check("1. 5255 *", "!5255: the white pawn on e2 cannot reach e5");
        check(
            "1. 5254 5755 2. 7163 e4 *",
            "5254 5755 7163 !e4: e4 is occupied by a white pawn [repaired-san 5254] [repaired-san 5755] [repaired-san \
             7163]",
        );
    }
}
