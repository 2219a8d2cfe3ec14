//! Fast paths through movetext. They skip bytes that cannot change how the text is read, and leave everything else to
//! the tokens.
//!
//! The tokens of [`Movetext::next_token`] define the meaning of movetext. A fast path returns the same result as the
//! tokens, or nothing, and then the caller reads a token. The exception is `peek_word`, whose result counts only if it
//! is read as a move. In this list, a *blank* is a space, a tab, a CR or an LF. A *number* is a move number with its
//! periods, other than the first number of the game and those that begin another game at the start of a line: the same
//! number of the same side, and 1 for White. A *comment* is text in braces that are closed.
//!
//! In the main line, between tokens, these functions leave everything that they do not name to the tokens:
//!
//! | function | skips | returns |
//! |---|---|---|
//! | `peek_word` | blanks, comments, a number | at most seven bytes up to a byte of 0x20 or less: perhaps a symbol |
//! | `is_before_move` | blanks, comments, a number | whether a word in the shape of most moves comes next |
//! | `take_first_number` | blanks | before the first number: whether `1.` stands before a letter |
//! | `take_result` | blanks | whether a result in standard spelling ends its line, and with it the game |
//! | `take_suffix` | nothing | whether one of the suffixes `! ? !! !? ?! ??` and white space stand here |
//! | `peek_symbol` | blanks, a number | the text from a letter up to a delimiter |
//! | `take_comment` | blanks, one comment | the text of the comment |
//!
//! `peek_symbol` also leaves to the tokens: `e`, `ep…`, `O…`, symbols that may end with a result, and symbols before
//! `.`, `(`, 0xC2, 0xD8, 0xE1 to 0xE3, 0xEF, and labels at the start of a line, behind which another game begins.
//!
//! `skip_to_boundary` works in the main line, behind two symbols and a number. It skips comments, `;` and `%` lines,
//! variations, and all bytes except `{ ; % ( [ < * - / :`, 0xC2, 0xE2, and line breaks behind white space or before a
//! line with which another game may begin. It returns
//! the token at the first other byte, and leaves that token to the tokens, from the last white space before it on.
//!
//! `pass_variation` works in a variation. It skips comments, `;` and `%` lines, variations, and all bytes except
//! `( ) { ; %` and `[` in the first column. It returns the place behind the `)`, and leaves nothing to the tokens: this
//! function defines where a variation ends.
//!
//! Why `skip_to_boundary` may skip so many bytes: a token without any of the bytes at which it stops neither ends a
//! game nor begins text in which other bytes have no meaning. A result contains a `*`, or one of `- / :` or a dash
//! (0xE2) or ½ (0xC2) behind a score: a 0, a 1, an O before a 1, a ½, 0.5 or 0,5. Spaces and tabs may stand between the
//! score and the sign; the token then begins at the score. At the start of a line, the number 1, the first number and a
//! label begin another game.
//!
//! `Movetext::finish` skips the rest of a game by `skip_to_boundary`: for a filter on tags, and for lists of starting
//! positions, which play nothing. It stops at a byte that may matter, goes back to the last white space, and has tokens
//! read from there.

use crate::apart;
use crate::eight_bytes;
use crate::lexical::{compared, is_blank, is_delimiter, is_line_start, line_end, matters_in_variation, may_end_game};
use crate::movetext::{Ending, Movetext, State};
use crate::result::{is_space, may_be_score};
use crate::symbol::may_continue_symbol;
use crate::tag_pair::begins_pair;
use crate::token::{Outcome, Termination, Token, is_suffix_mark, move_number, suffix};

/// A word of the main line: the text up to the next byte of 0x20 or less, at most seven bytes, perhaps none. If it is
/// read as a move, it contains no delimiter and is a whole token. Otherwise it may be anything.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    pub(crate) text: &'a [u8],
    /// The text as an integer, with the first byte lowest and zeros above the last.
    pub(crate) bytes: u64,
}

impl Word<'_> {
    /// Returns the word up to the first `!` or `?` in it. None if it contains neither.
    pub(crate) fn before_suffix(self) -> Option<Self> {
        let length = self.text.iter().position(|byte| is_suffix_mark(*byte))?;
        Some(Self { text: &self.text[..length], bytes: self.bytes & !(!0 << (8 * length)) })
    }
}

impl<'a> Movetext<'a> {
    /// Skips comments and returns the word of the main line behind them without taking it. A number with its periods
    /// may stand before it. If the word is read as a move, [`take_word`](Self::take_word) takes it.
    #[inline(always)]
    pub(crate) fn peek_word(&mut self) -> Option<Word<'a>> {
        if !self.is_in_mainline() {
            return None;
        }
        let (mut at, mut first) = behind_blanks(self.text, self.at)?;
        while first == b'{' {
            let (comment, end) = comment_at(self.text, at)?;
            self.look_into(comment);
            self.comment = at..end;
            self.at = end;
            (at, first) = behind_blanks(self.text, end)?;
        }
        let start = self.behind_number(at, first)?;
        let word: &[u8; 8] = self.text[start..].first_chunk()?;
        let bytes = u64::from_le_bytes(*word);
        let ends = eight_bytes::below(bytes, b' ' + 1);
        (ends != 0).then(|| Word { text: &word[..eight_bytes::before(ends)], bytes: bytes & (ends ^ (ends - 1)) >> 8 })
    }

    /// Skips comments, and returns whether a word in the shape of most moves comes next, such as `Nbxd7+`. It may be
    /// false before a move.
    #[inline]
    pub(crate) fn is_before_move(&mut self) -> bool {
        self.peek_word().is_some_and(|word| {
            matches!(word.text, [.., b'a'..=b'h', b'1'..=b'8'] | [.., b'a'..=b'h', b'1'..=b'8', b'+' | b'#'])
                && word.text[..word.text.len() - 1].iter().all(u8::is_ascii_alphanumeric)
        })
    }

    /// Takes the first number of the game if it is `1.` before a letter and no move stands before it, and returns
    /// whether it was taken. Behind it, [`peek_word`](Self::peek_word) returns the first move.
    #[inline]
    pub(crate) fn take_first_number(&mut self) -> bool {
        let is_first = self.is_in_mainline() && self.first_number.is_none() && self.symbols == 0;
        if is_first
            && let Some((at, b'1')) = behind_blanks(self.text, self.at)
            && self.text.get(at + 1) == Some(&b'.')
            && let Some((_, b'A'..=b'Z' | b'a'..=b'z')) = behind_blanks(self.text, at + 2)
        {
            self.first_number = Some((1, false));
            self.start = at;
            self.at = at + 2;
            self.number_end = self.at;
            return true;
        }
        false
    }

    /// Takes a suffix that stands here before white space, and returns whether it was taken. A replay ignores suffixes.
    pub(crate) fn take_suffix(&mut self) -> bool {
        if self.is_in_mainline()
            && let Ok((rest @ [behind, ..], Token::Nag(_))) = suffix(&self.text[self.at..])
            && is_blank(*behind)
        {
            self.start = self.at;
            self.at = self.text.len() - rest.len();
            return true;
        }
        false
    }

    /// Takes the result if it has its standard spelling and ends its line, and returns whether it was taken. Then the
    /// game is over.
    #[inline]
    pub(crate) fn take_result(&mut self) -> bool {
        if self.is_in_mainline()
            && let Some((at, _)) = behind_blanks(self.text, self.at)
            && let Some(outcome) = Outcome::at_start_of(&self.text[at..])
        {
            let end = at + outcome.as_str().len();
            if matches!(self.text[end..], [] | [b'\n' | b'\r', ..]) {
                self.result_at = at;
                self.start = end;
                self.at = end;
                self.state = State::Ended(Ending::Marker(Termination { outcome, is_standard: true }));
                return true;
            }
        }
        false
    }

    /// Takes a word or symbol of the main line that one of the functions above has returned.
    #[inline]
    pub(crate) fn take_word(&mut self, word: &'a [u8]) {
        self.start = word.as_ptr().addr() - self.text.as_ptr().addr();
        self.at = self.start + word.len();
        self.symbols += 1;
    }

    /// Whether a word that is castling is a whole token. Otherwise its other parts stand behind it, as in `O-O -O`, or
    /// it may be a result.
    pub(crate) fn is_whole_castling(&self, word: &'a [u8]) -> bool {
        if self.may_be_lost_by_both && word.starts_with(b"0") {
            return false;
        }
        let start = word.as_ptr().addr() - self.text.as_ptr().addr();
        // Castling goes on with a dash or another `O`.
        let ends = match self.text[start + word.len()..] {
            [b' ', b'{', ref comment @ ..] => !comment.iter().take(apart::LONGEST_COMMENT).any(|byte| *byte == b'}'),
            [b' ' | b'\n', next, ..] | [b'\r', b'\n', next, ..] => {
                next.is_ascii_alphanumeric() && !matches!(next, b'O' | b'o' | b'0')
            }
            _ => false,
        };
        ends || apart::castling(&self.text[start..], self.depth > 0).is_none()
    }

    /// Takes the next comment in braces of the main line and returns its text. None if something else comes next.
    #[inline]
    pub(crate) fn take_comment(&mut self) -> Option<&'a [u8]> {
        if !self.is_in_mainline() {
            return None;
        }
        let (start, first) = behind_blanks(self.text, self.at)?;
        if first != b'{' {
            return None;
        }
        let (comment, end) = comment_at(self.text, start)?;
        self.look_into(comment);
        self.start = start;
        self.at = end;
        self.comment = start..end;
        Some(comment)
    }

    /// Returns the next symbol of the main line without taking it, if it is an ASCII symbol behind white space and
    /// perhaps a number with its periods. [`next_token`](Self::next_token) would take the same symbol with several
    /// calls and three times the instructions.
    #[inline]
    pub(super) fn peek_symbol(&self) -> Option<&'a [u8]> {
        if !self.is_in_mainline() {
            return None;
        }
        let (at, first) = behind_blanks(self.text, self.at)?;
        let rest = &self.text[self.behind_number(at, first)?..];
        if !rest[0].is_ascii_alphabetic() {
            return None;
        }
        let length = rest.iter().position(|byte| is_delimiter(*byte)).unwrap_or(rest.len());
        let symbol = &rest[..length];
        let may_go_on = rest.get(length).is_some_and(|byte| may_continue_symbol(*byte));
        // An en passant mark, castling, and a result at the end of a symbol.
        let is_rare = matches!(symbol, b"e" | [b'e', b'p', ..] | [b'O' | b'o', ..] | [.., b'-' | b'/' | b':', _])
            || matches!(symbol, [.., b'0' | b'1']) && may_be_score(&rest[length..]);
        let start = symbol.as_ptr().addr() - self.text.as_ptr().addr();
        (!may_go_on && !is_rare && !self.begins_label(start)).then_some(symbol)
    }

    /// Returns the place behind a move number that begins with the byte `first`, and behind the white space that
    /// follows. Without a number, it is the place of the byte. None if no period follows the number, if it is or
    /// repeats the first number of the game and its side, if it is very long, or if nothing follows.
    #[inline(always)]
    fn behind_number(&self, mut at: usize, first: u8) -> Option<usize> {
        // So many digits fit into the integer.
        const MOST_DIGITS: usize = 9;
        if !matches!(first, b'1'..=b'9') {
            return Some(at);
        }
        let (text, start) = (self.text, at);
        let mut number = u32::from(first - b'0');
        at += 1;
        while let Some(digit @ b'0'..=b'9') = text.get(at) {
            number = number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
            at += 1;
        }
        let periods = at;
        while text.get(at) == Some(&b'.') {
            at += 1;
        }
        let is_number = at > periods && periods <= start + MOST_DIGITS;
        let is_of_black = at > periods + 1;
        let (first, _) = self.first_number?;
        if !is_number || (number == 1 || number == first) && self.begins_anew((number, is_of_black)) {
            return None;
        }
        behind_blanks(text, at).map(|(at, _)| at)
    }

    /// Skips bytes that cannot end the game, and takes the next token that may end it.
    pub(super) fn skip_to_boundary(&mut self) {
        let may_skip = self.is_in_mainline() && self.symbols >= 2 && self.first_number.is_some();
        // A line break before this place may belong to white space with a blank line.
        if may_skip && !is_blank(self.text[self.at - 1]) {
            let place = self.skip_to_decision();
            // The token may begin before that byte, but not before the white space in front of it.
            let back = self.text[self.at..place].iter().rev().position(|byte| is_blank(*byte));
            self.at = back.map_or(self.at, |back| place - back);
            while self.at < place && self.state == State::Moves {
                self.next_mainline();
            }
        }
        self.next_mainline();
    }

    /// Returns the next byte that must be read as part of a token. Moves the reader to a place before it that is
    /// between tokens.
    fn skip_to_decision(&mut self) -> usize {
        let text = self.text;
        let mut at = self.at;
        // Behind a comment that begins a line, the number 1 may begin another game.
        let is_before_1 = |at: usize| {
            let blanks = text[at..].iter().take_while(|byte| is_blank(**byte)).count();
            let number = &text[at + blanks..];
            number.starts_with(b"1") && !number.get(1).is_some_and(u8::is_ascii_digit)
        };
        if self.comment.end == at && is_before_1(at) {
            return at;
        }
        loop {
            let Some(found) = eight_bytes::find(text, at, may_end_game, compared::may_end_game) else {
                return text.len();
            };
            at = found;
            let before = text[at - 1];
            match text[at] {
                b'{' => match find_brace(&text[at + 1..]) {
                    Some(length) => {
                        self.look_into(&text[at + 1..at + 1 + length]);
                        self.comment = at..at + 1 + length + 1;
                        at = self.comment.end;
                        self.at = at;
                        if is_before_1(at) {
                            return at;
                        }
                    }
                    None => return at,
                },
                // `e8(Q)`: the parenthesis may belong to a promotion.
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
                b'-' | b'/' | b':' if !matches!(before, b'0' | b'1') && !self.is_behind_score(at) => at += 1,
                b'\r' | b'\n' if !is_blank(before) => {
                    let line = at + if text[at..].starts_with(b"\r\n") { 2 } else { 1 };
                    if self.may_begin_anew(line) {
                        return at;
                    }
                    at = line;
                }
                _ => return self.start_of_score(at),
            }
        }
    }

    /// Whether another game may begin at the start of a line: the number 1, a label, or white space, which may be a
    /// blank line before the first number of the game.
    #[inline]
    fn may_begin_anew(&self, line: usize) -> bool {
        let rest = &self.text[line..];
        match rest.first() {
            None => false,
            Some(b'0'..=b'9') => match move_number(rest) {
                Ok((_, Token::MoveNumber { number, .. })) => number == 1,
                _ => true,
            },
            Some(byte) if byte.is_ascii_alphabetic() => self.begins_label(line),
            Some(byte) => is_blank(*byte),
        }
    }

    /// Whether a sign that is not glued to a 0 or a 1 stands behind a score, as in `1 - 0`, `0.5-0.5` and `O-1`.
    #[inline]
    fn is_behind_score(&self, at: usize) -> bool {
        match self.text[..at] {
            [.., b'.' | b',', b'5'] => true,
            [.., b'O' | b'o'] => matches!(self.text.get(at + 1), Some(b'1' | b' ' | b'\t')),
            [.., b' ' | b'\t'] => self.start_of_score(at) < at,
            _ => false,
        }
    }

    /// Returns the last byte of the score, or of the letter of castling, before the spaces in front of a sign. Without
    /// one, returns the place of the sign.
    fn start_of_score(&self, at: usize) -> usize {
        let before = &self.text[self.at..at];
        let spaces = before.iter().rev().take_while(|byte| is_space(**byte)).count();
        match before[..before.len() - spaces] {
            [.., b'0' | b'1' | b'5' | b'O' | b'o'] if spaces > 0 => at - spaces - 1,
            _ => at,
        }
    }

    /// Skips the rest of the innermost open variation, up to the place behind its closing parenthesis.
    pub(crate) fn pass_variation(&mut self) {
        let open = self.start;
        let text = self.text;
        let outside = self.depth - 1;
        let mut at = self.at;
        while self.depth > outside {
            let Some(found) = eight_bytes::find(text, at, matters_in_variation, compared::matters_in_variation) else {
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

/// Returns the next byte that is not a space, a tab or a line break, and its place.
#[inline(always)]
fn behind_blanks(text: &[u8], mut at: usize) -> Option<(usize, u8)> {
    // In most cases there is one space or none.
    if let Some(&second) = text.get(at + 1) {
        let first = text[at];
        let is_space = first == b' ';
        let byte = if is_space { second } else { first };
        if byte > b' ' {
            return Some((at + usize::from(is_space), byte));
        }
    }
    loop {
        match *text.get(at)? {
            b' ' | b'\n' | b'\r' | b'\t' => at += 1,
            byte => return Some((at, byte)),
        }
    }
}

/// Returns the text and the end of the comment in braces that begins at this brace. None if it is not closed.
#[inline(always)]
fn comment_at(text: &[u8], brace: usize) -> Option<(&[u8], usize)> {
    let rest = &text[brace + 1..];
    let length = find_brace(rest)?;
    Some((&rest[..length], brace + 1 + length + 1))
}

/// Returns the place of the first closing brace. Most comments are clocks and evaluations, which are too short for the
/// start-up cost of `memchr`.
#[inline(always)]
fn find_brace(text: &[u8]) -> Option<usize> {
    match text.first_chunk::<48>().and_then(|near| eight_bytes::find_in_boxes(near, b'}')) {
        Some(place) => Some(place),
        None => memchr::memchr(b'}', text),
    }
}

#[cfg(test)]
mod tests {
    use crate::movetext::nested::Nested;
    use crate::movetext::{Ending, Movetext};
    use crate::symbol::is_stray;
    use crate::token::Token;

    /// Returns a reader after some tokens, and the result of reading its other tokens: the ending of the game, and the
    /// place.
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

    /// Checks that the game ends where its tokens end, wherever the skipping begins, and with this text behind it.
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
        check("1... e5 2. d4 d5\n\n1... c5", "1... c5");
        check("1. e4 e5 2. d4\n\n1... d5", "");
        check("1. e4 e5 2. d4\r\n\r\n1. d4", "1. d4");
        check("1. e4 e5 2. d4 \n \u{b}\n1. d4", "1. d4");
        check("1. e4 e5 2. d4\n\n\u{b}1. d4", "1. d4");
        check("1. e4 e5 2. d4\n\n2. c4\n1. d4\n", "1. d4\n");
        check("1. e4 e5 2. d4\n2. c4\n1. d5\n", "");
        check("1. e4 e5 2. d4\n 1. d4\n", "1. d4\n");
        check("1. e4 e5 2. d4 {c}\n% c\n1. d4\n", "1. d4\n");
        check("3. e4 e5 4. d4\n1. d4\n", "1. d4\n");
        check("1. e4 e5 2. d4\nA00\tAmar\t1. Nh3\n", "A00\tAmar\t1. Nh3\n");
        check("1. e4 e5 2. d4\nGame 2: [Event \"b\"]\n1. Nh3\n", "Game 2: [Event \"b\"]\n1. Nh3\n");
        check("1. e4 e5 2. d4 {c}\n\n1. d4", "1. d4");
        check("1. e4 e5 2. d4 (c4)\n\n1. d4", "1. d4");
        check("1. e4 e5 2. d4 ; c \n\n1. d4", "1. d4");
        check("1. e4 e5 2. d4\n% c\n1. d5\n\n1. d4", "1. d4");
        check("1. e4 e5 2. d4\r1. d5\r\r1. d4", "1. d4");
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
    fn a_symbol_behind_a_number_is_told_unless_the_number_begins_another_game() {
        for (text, tokens, expected) in [
            ("1. e4 e5\n\n2. d4", 3, Some("d4")),
            ("1. e4 e5\n\n1. d4", 3, None),
            ("12. e4 e5\n\n13. d4", 3, Some("d4")),
            ("12. e4 e5\n\n12. d4", 3, None),
            ("12. e4 e5\n\n12... d4", 3, Some("d4")),
            ("1. e4 e5 2 d4", 3, None),
            ("1. e4 e5 123456789. d4", 3, Some("d4")),
            ("1. e4 e5 1234567890. d4", 3, None),
            ("1. e4 e5 2.", 3, None),
            ("1. e4 e5 2. O-O", 3, None),
            ("1. e4 e5 {c}", 3, None),
            ("1. e4 (1. d4 d5", 4, None),
        ] {
            let (movetext, _) = ends(text.as_bytes(), tokens);
            assert_eq!(movetext.peek_symbol(), expected.map(str::as_bytes), "{text}");
        }
    }

    type Take<'t> = fn(&mut Movetext<'t>) -> bool;

    /// Checks that a fast path behind the first tokens of each text takes so many more, and leaves the reader as
    /// reading them leaves it.
    #[track_caller]
    fn takes<'t>(texts: &[&'t str], before: usize, take: Take<'t>, tokens: usize) {
        for text in texts {
            let (mut fast, _) = ends(text.as_bytes(), before);
            let (slow, _) = ends(text.as_bytes(), before + tokens);
            assert_eq!(take(&mut fast), tokens > 0, "{text}");
            assert_eq!(format!("{fast:?}"), format!("{slow:?}"));
        }
    }

    #[test]
    fn a_usual_first_number_is_taken() {
        takes(&["1. e4 e5", "1.e4", "\r\n1.  Nf3", " 1.\nO-O", "1. e.p."], 0, Movetext::take_first_number, 1);
        takes(&["{c} 1. e4"], 1, Movetext::take_first_number, 1);
        takes(&["", "1", "1.", "1. ", "1 e4", "2. e4", "1.5", "1-0"], 0, Movetext::take_first_number, 0);
        takes(&["1... e5", "1. ... e5", "1.… e5", "1. {c} e4", "{c} 1. e4"], 0, Movetext::take_first_number, 0);
        takes(&["1. e4 1. d4"], 2, Movetext::take_first_number, 0);
        takes(&["(1. e4)"], 1, Movetext::take_first_number, 0);
        takes(&["* 1. e4"], 1, Movetext::take_first_number, 0);
    }

    /// Reads the notes before the next move of the line without fast paths.
    fn notes_by_tokens<'t>(mut movetext: Movetext<'t>, nested: &Nested) -> Vec<Token<'t>> {
        let mut notes = Vec::new();
        while let Some(token) = movetext.next_in_line(nested) {
            match token {
                Token::San(symbol) if !is_stray(symbol) || movetext.begins_move() => break,
                note => notes.push(note),
            }
        }
        notes
    }

    /// Reads the notes behind the tokens of all texts of three of these pieces.
    #[test]
    fn notes_end_before_a_move() {
        const PIECES: [&str; 36] = [
            "e4", "Nf3+", "axb8", "R1a3#", "ee4", "epa4", "Da4", "e8=Q", "O-O", "--", "D", "TN", "+=", "1.", "2...",
            "3.Nc3", "1. e5", "$1", "!", "{c}", "{", "(d4 {x})", ")", "; c\n", "\n% c\n", "\n\n", "[A \"\"]", "*",
            "1-0", "a4{c}", "O - O", "N c3", "5254", "e40-1", "(N)c3", "1 - 0",
        ];
        let nested = Nested::default();
        for (first, second, third) in PIECES
            .iter()
            .flat_map(|a| PIECES.iter().map(move |b| (a, b)))
            .flat_map(|(a, b)| PIECES.iter().map(move |c| (a, b, c)))
        {
            for text in [format!("1. d4 {first} {second} {third} h5"), format!("1. d4{first}{second}{third} {{z}}")] {
                for tokens in 0..6 {
                    let (mut movetext, _) = ends(text.as_bytes(), tokens);
                    let expected = notes_by_tokens(movetext.clone(), &nested);
                    let notes: Vec<_> = {
                        let next = || movetext.next_note(&nested, |movetext, _| movetext.begins_move());
                        std::iter::from_fn(next).collect()
                    };
                    assert_eq!(notes, expected, "{text} after {tokens} tokens");
                }
            }
        }
    }

    #[test]
    fn a_suffix_is_taken_before_white_space() {
        takes(&["! ", "?! {c}", "??\n", "!? 1-0", "!!\t", "?\r\n"], 0, Movetext::take_suffix, 1);
        takes(&["1. e4! e5"], 2, Movetext::take_suffix, 1);
        takes(&["", "!", "!!", " ! ", "!!! ", "!$1", "?{c}", "?)", "e4! ", "?x "], 0, Movetext::take_suffix, 0);
        takes(&["(d4! )"], 2, Movetext::take_suffix, 0);
        takes(&["1-0! \n"], 1, Movetext::take_suffix, 0);
    }

    #[test]
    fn a_usual_result_is_taken_with_the_end_of_its_line() {
        takes(&["1-0", "1-0\n\n[A \"2\"]", " 0-1\r\n", "\n1/2-1/2\r", "*\n", " *"], 0, Movetext::take_result, 2);
        takes(&["1. e4 {c} 1-0\n"], 3, Movetext::take_result, 2);
        takes(&["", "1", "1-0 ", "1-0 {c}\n", "1-0x", "1-00\n", "01-0\n", "1/2\n"], 0, Movetext::take_result, 0);
        takes(&["1–0\n", "½-½", "**\n", "*{c}\n", "1. e4"], 0, Movetext::take_result, 0);
        takes(&["(d4 *\n)"], 2, Movetext::take_result, 0);
        takes(&["1-0 *\n"], 1, Movetext::take_result, 0);
    }

    #[test]
    fn a_word_ends_before_its_suffix() {
        let before_suffix = |text: &str| {
            let text = format!("{text} ........");
            let word = Movetext::new(text.as_bytes(), 0).peek_word().unwrap();
            word.before_suffix().map(|word| (String::from_utf8_lossy(word.text).into_owned(), word.bytes.to_le_bytes()))
        };
        assert_eq!(before_suffix("Nf3?!"), Some(("Nf3".into(), *b"Nf3\0\0\0\0\0")));
        assert_eq!(before_suffix("Qh1xh8!"), Some(("Qh1xh8".into(), *b"Qh1xh8\0\0")));
        assert_eq!(before_suffix("e4!x"), Some(("e4".into(), *b"e4\0\0\0\0\0\0")));
        assert_eq!(before_suffix("!"), Some((String::new(), [0; 8])));
        assert_eq!(before_suffix("Nf3+"), None);
        // Nothing is left of the text behind the word.
        let bytes = |text: &str| Movetext::new(text.as_bytes(), 0).peek_word().unwrap().bytes.to_le_bytes();
        assert_eq!(["e4 d5 ....", "e4 é é é", "e4 éé x x"].map(bytes), [*b"e4\0\0\0\0\0\0"; 3]);
    }

    #[test]
    fn a_number_is_skipped_unless_it_is_that_of_the_first_move() {
        let word = |text: &'static str, tokens| {
            let (mut movetext, _) = ends(text.as_bytes(), tokens);
            movetext.peek_word().map(|word| String::from_utf8_lossy(word.text).into_owned())
        };
        assert_eq!(word("1. e4 {c} 1... e5 ......", 2), Some("e5".into()));
        assert_eq!(word("1. e4 {c} 1. e5 ......", 2), None);
        assert_eq!(word("1... e5 {c} 1... e5 ......", 2), None);
        assert_eq!(word("1. e4 999999999. e5 ......", 2), Some("e5".into()));
        assert_eq!(word("1. e4 4294967297. e5 ......", 2), None);
    }

    #[test]
    fn the_closing_brace_is_found_however_far_it_is() {
        for length in 0..200 {
            let text = format!("{}}}..}}", "|".repeat(length));
            assert_eq!(super::find_brace(text.as_bytes()), Some(length));
            assert_eq!(super::find_brace(&text.as_bytes()[..length]), None);
        }
    }

    #[test]
    fn castling_is_whole_unless_a_part_of_it_or_a_result_may_follow() {
        let is_whole = |text: &str, word: usize, may_be_lost_by_both: bool| {
            Movetext::new(text.as_bytes(), 0)
                .lost_by_both(may_be_lost_by_both)
                .is_whole_castling(&text.as_bytes()[..word])
        };
        for text in [
            "O-O",
            "O-O ",
            "O-O e5",
            "O-O\ne5",
            "O-O\r\ne5",
            "O-O 12. e4",
            "O-O {a long comment} -O",
            "O-O\n\n-O",
            "O-O O-O",
            "O-O 0-1",
            "O-O o",
            "O-O +",
            "O-O $1",
            "O-O  e5",
            "O-O *",
            "O-O -+",
            "O-O {c",
        ] {
            assert!(is_whole(text, 3, false), "{text:?}");
        }
        for text in [
            "O-O O",
            "O-O O d6",
            "O-O -O",
            "O-O - O",
            "O-O\n-O",
            "O-O\r\n-O",
            "O-O\t-O",
            "O-O {c} -O",
            "O-O {c}- O",
            "O-O {}-O",
            "O-O.-O",
            "O-O)-O",
        ] {
            assert!(!is_whole(text, 3, false), "{text:?}");
        }
        assert!(is_whole("O-O-O -O", 5, false));
        // `0-0` may be the result.
        assert!(is_whole("0-0 e5", 3, false) && !is_whole("0-0 e5", 3, true) && is_whole("O-O e5", 3, true));
    }

    #[test]
    fn a_result_whose_parts_stand_apart_is_found() {
        for result in ["1 - 0", "0\t-\t1", "1/2 - 1/2", "0.5-0.5", "0,5 : 0,5", "O-1", "1-O", "o - 1", "1 : 0", "½ - ½"]
        {
            check(&format!("1. e4 e5 2. d4 {result}\n"), "\n");
            check(&format!("1. e4 e5 2. d4 d5 3. c4{{c}}{result}\n"), "\n");
        }
        check("1. e4 e5 2. d4 1  -  0\n", "\n");
        check("1. e4 e5 2. d4 d5 3. c4 1 \t - 0\n", "\n");
        check("1. e4 e5 2. d4 1 - x 5 - 3 O - O 0 - 0 d5 1-0\n", "\n");
    }

    #[test]
    fn an_escaped_line_holds_no_result() {
        check("1. e4 e5 2. d4\n% x 1-0 y\n1-0\n", "\n");
        check("1. e4 e5 2. d4 % 1-0\n", "\n");
        check("1. e4 e5 2. d4 d5 3. c4 ; x 1-0 y\n1-0\n", "\n");
    }

    #[test]
    fn lines_and_brackets_in_a_variation_hide_its_end_or_not() {
        check("1. e4 e5 2. d4 (c4\n% x )\n) c5 1-0\n", "\n");
        check("1. e4 e5 2. d4 (c4 ; x )\n) c5 1-0\n", "\n");
        check("1. e4 e5 2. d4 (c4 ; x\r\n) c5 1-0\r\n", "\r\n");
        check("1. e4 e5 2. d4 (c4 [x] 1-0\n[y] ) 1-0\n", "\n");
        check("1. e4 e5 2. d4 (c4 [A \"2\"] ) 1-0\n", "\n");
        check("1. e4 e5 2. d4 (c4 ; never", "");
        check("1. e4 e5 2. d4 (c4\n% never", "");
    }
}
