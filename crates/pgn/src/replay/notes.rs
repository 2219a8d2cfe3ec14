//! The comments and glyphs behind a move.

use crate::movetext::Movetext;
use crate::movetext::nested::Nested;
use crate::replay::clocks::ClockRules;
use crate::replay::main_line::Replay;
use crate::replay::searched::{FirstRead, UNREAD_CLOCK, UNREAD_TIME};
use crate::token::Token;

/// The comments and glyphs that belong to a move, in the order of the text.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Notes<'a> {
    /// The text of the comments, without braces.
    pub comments: Vec<&'a [u8]>,
    /// The glyphs, without those that are repeated.
    pub nags: Vec<u8>,
}

impl<'a> Notes<'a> {
    /// Adds what stands before the next move of the line. The replay is in the position before that move.
    fn add(&mut self, mut movetext: Movetext<'a>, nested: &Nested, replay: &Replay<'a>) {
        while let Some(token) = movetext.next_note(nested, |movetext, symbol| replay.begins_move(movetext, symbol)) {
            match token {
                Token::Comment(comment) => self.comments.push(comment),
                Token::Nag(nag) if !self.nags.contains(&nag) => self.nags.push(nag),
                _ => {}
            }
        }
    }
}

impl<'a> Replay<'a> {
    /// Reads the comments and glyphs behind the last move, up to the next move of its line. Before the first move of
    /// the game, reads those that stand there. What stands before the first move of a variation belongs to that move.
    #[doc(hidden)]
    pub fn notes(&self) -> Notes<'a> {
        let mut notes = Notes::default();
        self.with_nested(|nested| {
            if let Some(start) = self.start_of_first_move() {
                notes.add(self.ahead().again_from(start), nested, &self.before_last());
            }
            notes.add(self.ahead(), nested, self);
        });
        notes
    }

    /// Returns the start of the text of the current variation, if the last move is its first.
    fn start_of_first_move(&self) -> Option<usize> {
        let line = &self.branches.as_ref()?.line;
        (line.before.variation != line.variation).then_some(line.start)
    }

    /// Reads the clock behind the last move. Returns the time that was used for the move, in seconds. The clocks before
    /// it must have been read in the same way. Adds warnings about what cannot be read.
    #[doc(hidden)]
    pub fn see_clock(&mut self, rules: &ClockRules) -> Option<f64> {
        if self.ply == 0 {
            return None;
        }
        let (mut clock, mut elapsed) = (FirstRead::default(), FirstRead::default());
        let start = self.movetext.text().as_ptr().addr();
        for comment in self.notes().comments {
            // The brace or the semicolon stands before the text.
            let place = comment.as_ptr().addr() - start - 1;
            clock.add(self.read_clock(comment), comment, place);
            elapsed.add(self.read_elapsed(comment), comment, place);
        }
        let mut unread = Vec::new();
        let time = self.read_or_warn(&elapsed, UNREAD_TIME, |warning| unread.push(warning));
        if rules.warns_of_clocks {
            self.read_or_warn(&clock, UNREAD_CLOCK, |warning| unread.push(warning));
        }
        self.add_warnings(unread);
        let is_running = rules.are_running(|| self.first_clocks());
        let spent = self.clocks.see(rules, &self.position, self.ply, clock.value, is_running);
        time.or(spent)
    }
}

#[cfg(test)]
mod tests {
    use crate::games::Games;

    /// Compares the notes of each move: `move comment,comment $nag`.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut replay = Games::new(text.as_bytes()).next().unwrap().replay().unwrap();
        let mut shown = Vec::new();
        let mut san = String::new();
        loop {
            let notes = replay.notes();
            let comments: Vec<_> = notes.comments.iter().map(|comment| String::from_utf8_lossy(comment)).collect();
            let nags: String = notes.nags.iter().map(|nag| format!("${nag}")).collect();
            shown.push(format!("{san}[{}]{nags}", comments.join(",")));
            match replay.next_in_text() {
                Some(Ok(ply)) => san = ply.to_string(),
                _ => break,
            }
        }
        assert_eq!(shown.join(" "), expected, "{text}");
    }

    #[test]
    fn notes_belong_to_the_move_before_them() {
        check("1. e4! {a} $14 {b} e5 $1 $1 {c} *", "[] e4[a,b]$1$14 e5[c]$1");
        check("[A \"\"]\n{start} $7 1. e4 e5?? ; d\n *", "[start]$7 e4[] e5[ d]$4");
        check("1. e4 (1. d4 {a} d5 (1... c5 {b}) $3 {c}) {d} 1... e5 *", "[] e4[d] d4[a] d5[c]$3 c5[b] e5[]");
        check("1. e4 1-0 {time}", "[] e4[time]");
        check("1. e4 {a} Ke6 {b} *", "[] e4[a]");
        check("1. e4 {a} e5 2. N {b} f3 {c} *", "[] e4[a] e5[]");
        check("1. e4 O - {[%eval 0.3]} O-O *", "[] e4[]");
        // Whether a letter is a part of a move, or of nothing, depends on the position.
        check("1. e4 e{a}5 *", "[] e4[]");
        check("1. e4 e{a}3 *", "[] e4[a]");
        check("1. e4 (1. e{a}4 e{b}5) *", "[] e4[]");
        check("1. e4 (c{a}5 1. d4 e{b}3) *", "[] e4[] d4[a,b]");
    }

    #[test]
    fn notes_before_a_variation_belong_to_its_first_move() {
        check("1. e4 ({a} 1. d4 {b} ({c} 1. c4 {d}) d5 {e}) e5 *", "[] e4[] d4[a,b] c4[c,d] d5[e] e5[]");
        // A period before the first move follows no number.
        check("1. e4 (. {a} 1. d4) e5 *", "[] e4[] d4[a] e5[]");
        check("1. e4 ({a} (1. c4) $2 {b} 1. d4 {c}) e5 *", "[] e4[] c4[] d4[a,b,c]$2 e5[]");
    }
}
