//! The fast ways through movetext: they pass bytes that can decide nothing, and leave all else to the tokens.
//!
//! What a game says is decided by its tokens, in [`Movetext::next_token`] and nowhere else. A fast way gives what the tokens would give, or
//! nothing: then the caller asks for a token. In the table, *blank* is a space, a tab, a CR or an LF, *number* a move number with its
//! periods that is not the first number of the game, and *comment* what stands in braces that are closed.
//!
//! | way | stands | passes | gives | leaves to the tokens |
//! |---|---|---|---|---|
//! | `peek_word` | in the main line, between tokens | blanks, comments, a number | up to seven bytes from a letter to the next byte up to 0x20, which may be a symbol | everything else |
//! | `peek_symbol` | in the main line, between tokens | blanks, a number | a letter and all up to a delimiter | `e`, `ep…`, and symbols before `.`, `(`, 0xC2, 0xE2, 0xEF |
//! | `take_comment` | in the main line, between tokens | blanks, one comment | its text | everything else |
//! | `hop` | in the main line, behind two symbols and a number | all but `{ ; % ( [ < * - / :`, 0xC2, 0xE2, and line breaks behind white space; besides comments, `;` and `%` lines, variations | the token at the first other byte | that token, from the last white space before it on |
//! | `pass_variation` | in a variation | all but `( ) { ; %` and `[` in the first column; besides comments, `;` and `%` lines, variations | the place behind the `)` | nothing: it is the law of where a variation ends |
//!
//! Why `hop` may pass so much: a token that none of its bytes begins or contains neither ends a game nor opens anything in which other bytes
//! mean nothing. Results hold a `*`, or one of `- / :` or a dash (0xE2) or ½ (0xC2) behind a 0, a 1 or a ½. A line break at the end of white
//! space may belong to a blank line, behind which the first number begins another game.

use crate::pgn::lexical::{
    compared, is_blank, is_delimiter, is_line_start, line_end, matters_in_variation, may_end_game,
};
use crate::pgn::movetext::{Ending, Movetext, State};
use crate::pgn::tag_pair::begins_pair;
use crate::pgn::words;

impl<'a> Movetext<'a> {
    /// Passes comments, and shows the word behind them, if it may be a move of the main line: what stands behind white space,
    /// and perhaps a number with its periods, to the next white space, seven bytes at most. It is given as text and as a
    /// number, the first byte lowest, with zeros above. It is a whole token only if no byte in it is a delimiter, which
    /// whoever reads it as a move knows; then [`take_word`](Self::take_word) passes it.
    #[inline(always)]
    pub(crate) fn peek_word(&mut self) -> Option<(&'a [u8], u64)> {
        if !self.is_in_mainline() {
            return None;
        }
        let mut at = pass_plain_blanks(self.text, self.at);
        while let Some((comment, end)) = comment_at(self.text, at) {
            self.look_into(comment);
            self.at = end;
            at = pass_plain_blanks(self.text, end);
        }
        let start = self.next_letter(at)?;
        let word = self.text[start..].first_chunk()?;
        let bytes = u64::from_le_bytes(*word);
        let ends = words::below(bytes, b' ' + 1);
        (ends != 0).then(|| {
            let text = &self.text[start..start + words::before(ends)];
            (text, bytes & (ends ^ (ends - 1)) >> 8)
        })
    }

    /// Passes a word or symbol of the main line that was just looked at.
    #[inline]
    pub(crate) fn take_word(&mut self, word: &'a [u8]) {
        self.start = word.as_ptr().addr() - self.text.as_ptr().addr();
        self.at = self.start + word.len();
        self.symbols += 1;
    }

    /// Passes the comment in braces that comes next in the main line, if one does, and gives its text.
    #[inline]
    pub(crate) fn take_comment(&mut self) -> Option<&'a [u8]> {
        if !self.is_in_mainline() {
            return None;
        }
        let start = pass_plain_blanks(self.text, self.at);
        let (comment, end) = comment_at(self.text, start)?;
        self.look_into(comment);
        self.start = start;
        self.at = end;
        Some(comment)
    }

    /// The usual symbol, if that is what comes next: white space, perhaps a number with its periods, and a symbol of ASCII.
    /// [`next_token`](Self::next_token) would take the same, in several calls and three times the instructions. Rows with
    /// evaluations and clocks, which read what stands behind each move, would cost 6 % more instructions without it.
    #[inline]
    pub(super) fn peek_symbol(&self) -> Option<&'a [u8]> {
        if !self.is_in_mainline() {
            return None;
        }
        let start = self.next_letter(pass_plain_blanks(self.text, self.at))?;
        let rest = &self.text[start..];
        let length = rest.iter().position(|byte| is_delimiter(*byte)).unwrap_or(rest.len());
        let symbol = &rest[..length];
        let may_go_on = matches!(rest.get(length), Some(b'.' | b'(' | 0xC2 | 0xE2 | 0xEF));
        let is_mark = matches!(symbol, b"e" | [b'e', b'p', ..]);
        (!may_go_on && !is_mark).then_some(symbol)
    }

    /// Where the letter stands that comes next, here or behind a move number. None where anything else comes next, or where the
    /// number might begin another game.
    #[inline]
    fn next_letter(&self, mut at: usize) -> Option<usize> {
        let text = self.text;
        let mut first = *text.get(at)?;
        if matches!(first, b'1'..=b'9') {
            let mut number = u32::from(first - b'0');
            at += 1;
            while let Some(digit @ b'0'..=b'9') = text.get(at) {
                number = number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
                at += 1;
            }
            if text.get(at) != Some(&b'.') || self.first_number.is_none_or(|(first, _)| first == number) {
                return None;
            }
            while text.get(at) == Some(&b'.') {
                at += 1;
            }
            at = pass_plain_blanks(text, at);
            first = *text.get(at)?;
        }
        first.is_ascii_alphabetic().then_some(at)
    }

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

    /// Passes from behind an opening parenthesis, or from anywhere behind it, to behind the one that closes it.
    pub(crate) fn pass_variation(&mut self) {
        let open = self.start;
        let text = self.text;
        let outside = self.depth - 1;
        let mut at = self.at;
        while self.depth > outside {
            let Some(found) = words::find(text, at, matters_in_variation, compared::matters_in_variation) else {
                at = text.len();
                self.state = State::Ended(Ending::InVariation(open));
                break;
            };
            at = found;
            match text[at] {
                b'(' => self.depth += 1,
                b')' => self.depth -= 1,
                b'{' => match memchr::memchr(b'}', &text[at..]) {
                    Some(length) => {
                        self.look_into(&text[at + 1..at + length]);
                        at += length;
                    }
                    None => {
                        self.may_hold_game = true;
                        self.state = State::Ended(Ending::InComment { open: at, behind: None });
                        at = text.len();
                        break;
                    }
                },
                b';' => at = line_end(text, at) - 1,
                b'%' if is_line_start(text, at) => at = line_end(text, at) - 1,
                b'[' if is_line_start(text, at) && begins_pair(text, at) => {
                    self.state = State::Ended(Ending::InVariation(open));
                    break;
                }
                _ => {}
            }
            at += 1;
        }
        self.at = at;
    }
}

/// The place of the next byte that is no space, tab or line end.
#[inline]
fn pass_plain_blanks(text: &[u8], mut at: usize) -> usize {
    // Usually it is one space, or none.
    at += usize::from(text.get(at) == Some(&b' '));
    if text.get(at).is_some_and(|&byte| byte > b' ') {
        return at;
    }
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = text.get(at) {
        at += 1;
    }
    at
}

/// The comment in braces that begins here, if one does and is closed, and where it ends.
#[inline]
fn comment_at(text: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let [b'{', rest @ ..] = text.get(at..)? else { return None };
    let length = find_brace(rest)?;
    Some((&rest[..length], at + 1 + length + 1))
}

/// The place of the first closing brace. Most comments are clocks and evaluations, too short for a search that has to warm
/// up.
#[inline]
fn find_brace(text: &[u8]) -> Option<usize> {
    const SOON: usize = 48;
    let near = text.first_chunk::<SOON>().map_or(text, |near| near);
    let before = words::before_first(near, |word| words::equal(word, b'}'));
    if text.get(before) == Some(&b'}') {
        return Some(before);
    }
    memchr::memchr(b'}', &text[before..]).map(|at| before + at)
}

#[cfg(test)]
mod tests {
    use crate::pgn::movetext::{Ending, Movetext};

    /// A reader after so many tokens, and what its other tokens tell: how the game ends, and where.
    fn ends(text: &[u8], tokens: usize) -> (Movetext<'_>, (Ending, usize)) {
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

    #[test]
    fn the_closing_brace_is_found_however_far_it_is() {
        for length in 0..200 {
            let text = format!("{}}}..}}", "|".repeat(length));
            assert_eq!(super::find_brace(text.as_bytes()), Some(length));
            assert_eq!(super::find_brace(&text.as_bytes()[..length]), None);
        }
    }
}
