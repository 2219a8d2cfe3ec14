//! Passing over what is left of a game, without looking at its moves.
//!
//! Where a game ends is decided by the tokens, in [`Movetext`](super::Movetext) and nowhere else. Here only bytes are passed that
//! can decide nothing, and the reader is put down where a token has to be looked at. Once the game has two moves and a move
//! number, these can decide something, outside comments and variations:
//!
//! - what opens something in which other bytes mean nothing: `{ ; % ( [ <`;
//! - a result: `*`, or a 0, 1 or ½ with what stands between two of them behind it, `- / :` or a dash;
//! - a line end at the end of white space, which may hold a blank line, behind which the first move number comes again.
//!
//! A token that is none of these is passed whether or not it is a move, so its bytes need not be told apart.

use crate::pgn::lexical::{compared, is_blank, is_line_start, line_end, may_end_game};
use crate::pgn::movetext::{Movetext, State, find_brace};
use crate::pgn::words;

impl Movetext<'_> {
    /// Passes what can decide nothing, and the next token that may end the game.
    pub(super) fn hop(&mut self) {
        let may_hop = self.is_in_mainline() && self.symbols >= 2 && self.first_number.is_some();
        // A line end before may belong to white space that holds a blank line.
        if may_hop && !is_blank(self.text[self.at - 1]) {
            let place = self.hop_to_decision();
            // The token there may have begun before, but not before white space.
            let back = self.text[self.at..place].iter().rev().position(|byte| is_blank(*byte));
            self.at = back.map_or(self.at, |back| place - back);
            while self.at < place && self.state == State::Moves {
                self.next_mainline();
            }
        }
        self.next_mainline();
    }

    /// The next byte that has to be looked at as part of a token. The reader is moved on to some place before, between tokens.
    fn hop_to_decision(&mut self) -> usize {
        let text = self.text;
        let mut at = self.at;
        loop {
            let Some(found) = words::find(text, at, may_end_game, compared::may_end_game) else {
                return text.len();
            };
            at = found;
            let before = text[at - 1];
            match text[at] {
                b'{' => match find_brace(&text[at + 1..]) {
                    Some(length) => {
                        self.look_into(&text[at + 1..at + 1 + length]);
                        at += 1 + length + 1;
                        self.at = at;
                    }
                    None => return at,
                },
                // A piece in parentheses may belong to a pawn that promotes: `e8(Q)`.
                b'(' if !matches!(before, b'1' | b'8') => {
                    self.start = at;
                    self.at = at + 1;
                    self.depth = 1;
                    self.pass_variation();
                    at = self.at;
                    if self.state != State::Moves {
                        return at;
                    }
                }
                byte @ (b';' | b'%') if byte == b';' || is_line_start(text, at) => {
                    at = line_end(text, at);
                    self.at = at;
                }
                b'%' => at += 1,
                b'-' | b'/' | b':' if !matches!(before, b'0' | b'1') => at += 1,
                b'\r' | b'\n' if !is_blank(before) => at += if text[at..].starts_with(b"\r\n") { 2 } else { 1 },
                _ => return at,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pgn::movetext::{End, Movetext};

    /// A reader after so many tokens, and what its other tokens tell: how the game ends, and where.
    fn ends(text: &[u8], tokens: usize) -> (Movetext<'_>, (End, usize)) {
        let mut movetext = Movetext::new(text, 0);
        for _ in 0..tokens {
            movetext.next_token();
        }
        let mut slow = movetext.clone();
        while slow.next_mainline().is_some() {}
        let end = slow.finish();
        (movetext, (end, slow.offset()))
    }

    /// The game ends where its tokens end, wherever the hop begins, and before this rest.
    #[track_caller]
    fn check(text: &str, rest: &str) {
        for tokens in 0..12 {
            let (mut movetext, expected) = ends(text.as_bytes(), tokens);
            assert_eq!((movetext.finish(), movetext.offset()), expected, "{text} after {tokens} tokens");
            assert_eq!(&text[movetext.offset()..], rest);
        }
    }

    #[test]
    fn a_result_is_told_from_moves() {
        check("1. e4 e5 2. O-O 0-0-0 e1-e2 Q-K2 3/4 1-0 | 1-0\n", "\n");
        check("1. e4 e5 2. d4 x1-0 1-0x $1-0 1--0 1-00 0-1\n", "\n");
        check("1. e4 e5 2. d4{c}1-0\n", "\n");
        check("1. e4 e5 2. d4! 1/2-1/2\n", "\n");
        check("1. e4 e5 ½-½\n", "\n");
        check("1. e4 e5 x½ 1\u{2013}0\n", "\n");
        check("1. e4 e5 2. d4*\n", "\n");
        check("1. e4 e5 (2. d4 1-0 *) {*} ; *\n <*> 1:0 [Event \"2\"]", "[Event \"2\"]");
    }

    #[test]
    fn a_blank_line_and_the_first_number_begin_another_game() {
        check("1. e4 e5 2. d4\n\n1. d4", "1. d4");
        check("1. e4 e5 2. d4\r\n\r\n1. d4", "1. d4");
        check("1. e4 e5 2. d4 \n \u{b}\n1. d4", "1. d4");
        check("1. e4 e5 2. d4\n\n\u{b}1. d4", "1. d4");
        check("1. e4 e5 2. d4\n\n2. c4\n1. d4\n", "");
        check("1. e4 e5 2. d4 {c}\n\n1. d4", "1. d4");
        check("1. e4 e5 2. d4 (c4)\n\n1. d4", "1. d4");
        check("1. e4 e5 2. d4 ; c \n\n1. d4", "1. d4");
        check("1. e4 e5 2. d4\n% c\n1. d4\n\n1. d4", "1. d4");
        check("1. e4 e5 2. d4\r1. d4\r\r1. d4", "1. d4");
    }

    #[test]
    fn what_opens_something_is_passed_as_a_whole() {
        check("1. e4 e5 {\n\n1. *} ({)} 1-0) ;*(\n%1-0 *(\n<1-0> [%x *] e8(Q) e1(e2) % 1-0 rest\n", "\n");
        check("1. e4 e5 2. d4 {never", "");
        check("1. e4 e5 2. d4 (never", "");
        check("1. e4 e5 2. d4 (never\n[Event \"2\"]", "[Event \"2\"]");
        check("1. e4 e5 2. d4\n[Event \"2\"]", "[Event \"2\"]");
        check("1. e4 e5 2. d4 ;never", "");
    }
}
