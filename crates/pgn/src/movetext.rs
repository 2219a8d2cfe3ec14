//! The movetext section of a game, one element after another (PGN standard §8.2).
//!
//! The reader gets the bytes from the movetext of a game on, to the end of the text in memory. It finds the end of the
//! game by itself: at the termination marker, or where the next game clearly begins. So the end of a game and its moves
//! are found in one pass, and they always agree.

mod fast;
pub(crate) mod nested;
#[doc(hidden)]
pub mod strays;

use std::ops::Range;

use crate::apart::{self, MoveParts, bracketed};
use crate::diagnostic::count_lines;
use crate::lexical::{
    brace_comment, is_blank, is_delimiter, is_line_start, is_plain_blank, line_end, near, wide_blank,
};
use crate::movetext::nested::Nested;
use crate::movetext::strays::{labelled_game, labelled_moves, pair_behind_words};
use crate::result::{double_forfeit, glued_result, termination};
use crate::symbol::{en_passant_mark, is_move_shaped, is_numeric_move, is_stray, number_sign, symbol};
use crate::tag_pair::{begins_pair, pair_line};
use crate::token::{Outcome, Termination, Token, glyph, move_number, nag, suffix};
use pgn2fen_chess::white_space::{may_begin_blank, wide_blank_before};

#[doc(hidden)]
pub use crate::movetext::fast::Word;

/// A reader of the movetext of one game.
#[derive(Clone, Debug)]
pub struct Movetext<'a> {
    text: &'a [u8],
    /// The place where the next token is searched for.
    at: usize,
    /// The start of the last token.
    start: usize,
    /// The number of open variations.
    depth: u64,
    /// The number of symbols outside variations, which is about the number of plies.
    symbols: u32,
    /// The first move number of the game, and whether it is a number of a move of Black.
    first_number: Option<(u32, bool)>,
    /// The end of the last move number.
    number_end: usize,
    /// The place of the last comment in braces.
    comment: Range<usize>,
    /// The place of the result, once the game has ended. Without a result, the place where it is missing.
    result_at: usize,
    /// The length from which comments are searched for a tag pair at the start of a line. It grows with each comment
    /// that is searched, up to [`LONG_COMMENT`].
    long: usize,
    /// Whether such a tag pair was found, or the text ends in a comment.
    may_hold_game: bool,
    /// Whether the moves of the game are written in digits.
    is_numeric: bool,
    /// Whether `0-0` may be the result that both players lose.
    may_be_lost_by_both: bool,
    state: State,
}

/// The greatest length of a clock in brackets, in bytes.
const LONGEST_CLOCK: usize = 16;

/// The greatest length of a comment with a clock and an evaluation, in bytes.
const USUAL_COMMENT: usize = 40;

/// The length in bytes up to which all comments of a movetext are searched. In a longer movetext only comments that
/// this reader found long, and that have a tag pair at the start of a line, are searched. To search all of it for line
/// breaks would take a tenth of the time of a walk through databases in which engines have written much into every
/// comment.
const SHORT_MOVETEXT: usize = 4 * 1024;

/// The length from which comments are always searched, and the length below which they are never searched, in bytes.
const LONG_COMMENT: usize = 1024;
const SHORT_COMMENT: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Moves,
    /// The termination marker has been read. The rest of its line belongs to the game.
    Terminated(Termination),
    Ended(Ending),
}

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The termination marker.
    Marker(Termination),
    /// The next game begins, or the text ends, without a termination marker.
    NoMarker,
    /// The text ends inside a comment.
    InComment {
        /// The start of the comment, in bytes from the start of the text.
        open: usize,
        /// The outcome in the termination marker, if the comment stands behind it on its line.
        behind: Option<Outcome>,
    },
    /// The next game begins, or the text ends, inside a variation that begins at this place.
    InVariation(usize),
}

impl Ending {
    /// Returns the outcome in the termination marker; None if there is no marker.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Marker(marker) => Some(marker.outcome),
            Self::InComment { behind, .. } => behind,
            Self::NoMarker | Self::InVariation(_) => None,
        }
    }
}

impl<'a> Movetext<'a> {
    /// Creates a reader of `text` from the byte `at` on.
    pub fn new(text: &'a [u8], at: usize) -> Self {
        Self {
            text,
            at,
            start: at,
            depth: 0,
            symbols: 0,
            first_number: None,
            number_end: at,
            comment: at..at,
            result_at: at,
            long: SHORT_COMMENT,
            may_hold_game: false,
            is_numeric: false,
            may_be_lost_by_both: false,
            state: State::Moves,
        }
    }

    /// Sets whether the Result tag says that both players lose. Then `0-0` behind the last move is the result and not
    /// castling.
    #[inline]
    pub(crate) fn lost_by_both(self, may_be_lost_by_both: bool) -> Self {
        Self { may_be_lost_by_both, ..self }
    }

    /// Returns the next element. None at the end of the game.
    pub fn next_token(&mut self) -> Option<Token<'a>> {
        match self.state {
            State::Moves => self.next_in_game(),
            State::Terminated(termination) => self.next_on_line(termination),
            State::Ended(_) => None,
        }
    }

    /// Returns the next element of the main line. Variations are skipped without reading their tokens. Move numbers are
    /// left out.
    #[inline]
    pub fn next_mainline(&mut self) -> Option<Token<'a>> {
        if let Some(symbol) = self.peek_symbol() {
            self.take_word(symbol);
            return Some(Token::San(symbol));
        }
        if let Some(comment) = self.take_comment() {
            return Some(Token::Comment(comment));
        }
        self.unusual_token()
    }

    /// Returns the next element of the main line, if it is not a plain symbol. Not inlined, because saving its
    /// registers would add a fifth to the instructions of the usual case.
    #[inline(never)]
    fn unusual_token(&mut self) -> Option<Token<'a>> {
        loop {
            match self.next_token()? {
                Token::VariationStart => self.pass_variation(),
                Token::MoveNumber { .. } => {}
                token => return Some(token),
            }
        }
    }

    #[inline]
    fn is_in_mainline(&self) -> bool {
        self.state == State::Moves && self.depth == 0
    }

    /// Skips the rest of the game and returns the reason why it ended.
    pub fn finish(&mut self) -> Ending {
        loop {
            if let State::Ended(end) = self.state {
                return end;
            }
            self.skip_to_boundary();
        }
    }

    /// Skips the rest of the game and returns its end, in bytes from the start of the text.
    #[doc(hidden)]
    pub fn end_offset(mut self) -> usize {
        self.finish();
        self.at
    }

    /// Whether a game may begin in a comment that was read: a tag pair was found in a long comment, or the text is
    /// short enough to be searched again.
    #[doc(hidden)]
    pub fn may_hold_game(&self, length: usize) -> bool {
        self.may_hold_game || self.long > USUAL_COMMENT && length <= SHORT_MOVETEXT
    }

    /// Searches a comment for the first tag pair of a game, if the comment is long.
    #[inline(always)]
    pub(super) fn look_into(&mut self, comment: &[u8]) {
        if comment.len() >= self.long {
            self.look_into_long(comment);
        }
    }

    #[cold]
    #[inline(never)]
    fn look_into_long(&mut self, comment: &[u8]) {
        self.long = LONG_COMMENT.min(comment.len() + 1);
        self.may_hold_game |= pair_line(comment, 0).is_some();
    }

    /// Returns the text of the reader.
    pub(crate) fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Returns the marks that close the comment and the variations in which the game ends, whose ending is this one.
    /// None if it ends with a result.
    pub(crate) fn open_marks(&self, end: Ending) -> Option<Vec<u8>> {
        let brace = match end {
            Ending::Marker(_) => return None,
            Ending::InComment { .. } => "}",
            Ending::NoMarker | Ending::InVariation(_) => "",
        };
        let mut marks = brace.as_bytes().to_vec();
        marks.extend((0..self.depth).map(|_| b')'));
        Some(marks)
    }

    /// Whether there was a symbol outside variations.
    pub(super) fn has_symbols(&self) -> bool {
        self.symbols > 0
    }

    /// Returns the range of the last token, in bytes from the start of the text.
    #[inline]
    pub fn span(&self) -> Range<usize> {
        self.start..self.at
    }

    /// Returns the place of the result that ended the game, in bytes from the start of the text. Without a result,
    /// returns the place behind the last token. Known when the game has ended.
    pub fn result_offset(&self) -> usize {
        self.result_at
    }

    /// Returns the place of the reader, in bytes from the start of the text. After the last token it is the end of the
    /// movetext.
    #[inline]
    pub fn offset(&self) -> usize {
        self.at
    }

    #[inline]
    fn next_in_game(&mut self) -> Option<Token<'a>> {
        loop {
            let Some(&byte) = self.text.get(self.at) else {
                return self.end();
            };
            self.start = self.at;
            // The first byte decides which production reads the token. The most frequent bytes come first.
            if matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                self.at += 1;
                continue;
            }
            if byte.is_ascii_alphabetic() {
                if self.begins_label(self.at) {
                    return self.end();
                }
                return Some(self.symbol());
            }
            let token = match byte {
                b'0'..=b'9' => match self.number_or_termination() {
                    Some(token) => token,
                    None => return self.end(),
                },
                b'{' => self.comment()?,
                b'!' | b'?' => self.take(suffix),
                b'$' => self.take(nag),
                b'(' => match self.bracketed_piece().or_else(|| self.bracketed_clock()) {
                    Some(token) => token,
                    None => {
                        self.at += 1;
                        self.depth += 1;
                        Token::VariationStart
                    }
                },
                b')' if self.depth > 0 => {
                    self.at += 1;
                    self.depth -= 1;
                    Token::VariationEnd
                }
                // Markdown prints what is between two stars in bold letters.
                b'*' if self.text[self.at..].starts_with(b"**") => self.skip(2),
                b'*' => self.termination().unwrap_or_else(|| self.skip(1)),
                b'[' if self.begins_game() => return self.end(),
                // Periods may be separate from their number: `38. .. g5`, `2 .Nf3`.
                b'.' if self.is_half() => self.termination().unwrap_or_else(|| self.skip(1)),
                b'.' if self.follows_number() => {
                    self.at += 1;
                    // Then the text before is checked only once, however many periods there are.
                    self.number_end = self.at;
                    continue;
                }
                _ => match self.oddity(byte) {
                    Some(token) => token,
                    None => continue,
                },
            };
            return Some(token);
        }
    }

    /// Returns the next element behind the termination marker. Comments and glyphs up to the end of the line belong to
    /// the game. A bracket or a move number begins the next game. Other text is skipped, up to a tag pair or the end of
    /// the line.
    fn next_on_line(&mut self, termination: Termination) -> Option<Token<'a>> {
        loop {
            let rest = &self.text[self.at..];
            self.start = self.at;
            let token = match rest {
                [] | [b'\n' | b'\r' | b'[', ..] => break,
                [byte, ..] if is_blank(*byte) => {
                    self.at += 1;
                    continue;
                }
                [b'{', ..] => self.comment()?,
                [b';', ..] => self.line_comment(),
                [b'$', ..] => self.take(nag),
                [b'!' | b'?', ..] => self.take(suffix),
                [b'0'..=b'9', ..] if begins_numbered(rest) => break,
                _ => match wide_blank(rest) {
                    0 => {
                        let line = &self.text[..line_end(self.text, self.at)];
                        let skipped = match pair_behind_words(line, self.at) {
                            Some(pair) => line[self.at..pair].trim_ascii_end(),
                            None => &line[self.at..],
                        };
                        self.skip(skipped.len())
                    }
                    width => {
                        self.at += width;
                        continue;
                    }
                },
            };
            return Some(token);
        }
        self.state = State::Ended(Ending::Marker(termination));
        None
    }

    #[cold]
    fn end(&mut self) -> Option<Token<'a>> {
        self.start = self.at;
        self.result_at = before_blanks(self.text, self.at);
        self.state = State::Ended(if self.depth > 0 { Ending::InVariation(self.at) } else { Ending::NoMarker });
        None
    }

    /// Takes the token that a production reads here. If the production reads nothing, one byte is skipped.
    #[inline]
    fn take(&mut self, production: impl Fn(&'a [u8]) -> nom::IResult<&'a [u8], Token<'a>>) -> Token<'a> {
        match production(&self.text[self.at..]) {
            Ok((rest, token)) => {
                self.at = self.text.len() - rest.len();
                token
            }
            Err(_) => self.skip(1),
        }
    }

    fn skip(&mut self, count: usize) -> Token<'a> {
        let from = self.at;
        self.at += count;
        Token::Skipped(&self.text[from..self.at])
    }

    #[inline]
    fn symbol(&mut self) -> Token<'a> {
        let text = &self.text[self.at..];
        let (symbol, _) = symbol(text);
        if matches!(symbol, b"e" | [b'e', b'p' | b'.', ..] | [b'/', ..])
            && let Ok((rest, _)) = en_passant_mark(text)
        {
            self.at = self.text.len() - rest.len();
            return Token::EnPassantMark;
        }
        if apart::may_be_castling(symbol) {
            if let Some(token) = self.termination() {
                return token;
            }
            if let Some(length) = apart::castling(text, self.depth > 0) {
                return self.take_symbol(length);
            }
        }
        self.take_symbol(glued_result(text, symbol.len()).unwrap_or(symbol.len()))
    }

    fn take_symbol(&mut self, length: usize) -> Token<'a> {
        let from = self.at;
        self.at += length;
        self.symbols += u32::from(self.depth == 0);
        Token::San(&self.text[from..self.at])
    }

    /// Reads a piece letter in brackets with the rest of the move behind it, as one symbol. None if there is no such
    /// thing.
    fn bracketed_piece(&mut self) -> Option<Token<'a>> {
        let text = &self.text[self.at..];
        let piece = apart::piece_in_brackets(text)?;
        let behind = &text[piece..];
        let rest = symbol(behind).0.len();
        Some(self.take_symbol(piece + glued_result(behind, rest).unwrap_or(rest)))
    }

    /// Reads a clock or a time in brackets, as servers print behind each move, as a comment: `(0:01)`, `(1:02:03.4)`.
    #[cold]
    fn bracketed_clock(&mut self) -> Option<Token<'a>> {
        let text = &self.text[self.at + 1..];
        let length = text.iter().take(LONGEST_CLOCK).position(|byte| *byte == b')')?;
        let clock = &text[..length];
        let parts: Vec<&[u8]> = clock.split(|byte| matches!(byte, b':' | b'.' | b',')).collect();
        let is_number = |part: &&[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        let is_clock = clock.contains(&b':') && matches!(parts.len(), 2..=4) && parts.iter().all(is_number);
        is_clock.then(|| {
            self.at += length + 2;
            Token::Comment(clock)
        })
    }

    #[inline]
    fn comment(&mut self) -> Option<Token<'a>> {
        match brace_comment(&self.text[self.at..]) {
            Ok((rest, text)) => {
                let from = self.at;
                self.at = self.text.len() - rest.len();
                self.comment = from..self.at;
                self.look_into(text);
                Some(Token::Comment(text))
            }
            Err(_) => {
                self.may_hold_game = true;
                let behind = match self.state {
                    State::Terminated(termination) => Some(termination.outcome),
                    _ => None,
                };
                self.state = State::Ended(Ending::InComment { open: self.at, behind });
                self.at = self.text.len();
                None
            }
        }
    }

    fn line_comment(&mut self) -> Token<'a> {
        let text = &self.text[self.at + 1..line_end(self.text, self.at)];
        self.at += 1 + text.len();
        Token::Comment(text)
    }

    fn termination(&mut self) -> Option<Token<'a>> {
        let (rest, termination) = termination(&self.text[self.at..]).ok()?;
        let after = self.text.len() - rest.len();
        self.at = after;
        // A result inside a variation does not end the game.
        if self.depth == 0 {
            self.state = State::Terminated(termination);
            self.result_at = self.start;
        }
        Some(Token::Termination(termination))
    }

    /// Reads a move number, a result, or castling with zeros, at a digit. None if the number begins another game.
    ///
    /// Digits with a period are always a move number: `0.`, `00.`, `01.`. Digits without a period are a move number
    /// unless all of them are zeros: `1 e4` and `01 e4` are numbered. `00` is a symbol, `00e4` is one symbol that is
    /// not a move, and a single `0` is a mark that is skipped with a warning.
    #[inline]
    fn number_or_termination(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.at..];
        if self.may_be_lost_by_both
            && let Some(token) = self.loss_of_both()
        {
            return Some(token);
        }
        // `1.0-0.0` is a result, and `0.0` is castling. The number 0 stands before nothing.
        if let [b'0' | b'1', b'.' | b',', b'0', ..] = rest {
            if let Some(token) = self.termination() {
                return Some(token);
            }
            if let (b'0', Some(length)) = (rest[0], apart::castling(rest, self.depth > 0)) {
                return Some(self.take_symbol(length));
            }
        }
        let (after, number) = move_number(rest).ok()?;
        let length = rest.len() - after.len();
        // The parts of a result may stand apart: `1 - 0`. A half may be written with a period: `0.5-0.5`.
        let may_be_apart = matches!(rest, [b'0' | b'1', b' ' | b'\t', ..] | [b'0', b'.' | b',', b'5', ..]);
        let may_be_more = matches!(after.first(), Some(b'-' | b'/' | b':' | 0xC2 | 0xE2));
        if (may_be_more || may_be_apart)
            && let Some(token) = self.termination()
        {
            return Some(token);
        }
        let is_of_zeros = rest[..length].iter().all(|byte| *byte == b'0');
        // A sign between a number and its move has no meaning: `1- e4`, `1:e4`.
        let sign = if may_be_more && !is_of_zeros { number_sign(after) } else { None };
        if may_be_more && sign.is_none() && symbol(rest).0.len() > length {
            return Some(self.symbol());
        }
        // A number of zeros without a period is not a move number: `00` is castling, and `0000` is a null move.
        if is_of_zeros || length >= 4 && self.is_move_in_digits(rest) {
            return Some(self.symbol());
        }
        if length >= 4 && is_lost_in_digits(rest) {
            return Some(self.skip(symbol(rest).0.len()));
        }
        if self.depth == 0
            && let Token::MoveNumber { number, black } = number
        {
            let periods = usize::from(rest[..length].ends_with(b".")) + periods_behind(after).0;
            let black = black || periods > 1;
            if self.begins_anew((number, black)) && self.begins_line_of_game((number, black), after) {
                return None;
            }
            self.first_number = self.first_number.or(Some((number, black)));
        }
        self.at += length + sign.unwrap_or(0);
        self.number_end = self.at;
        Some(if sign.is_some() { Token::Skipped(&rest[..self.at - self.start]) } else { number })
    }

    /// Reads `0-0` as the result that both players lose, unless a move or another result follows.
    #[cold]
    fn loss_of_both(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.at..];
        let (behind, ()) = double_forfeit(rest).ok()?;
        let mut ahead = Self::new(near(behind), 0);
        let next = std::iter::from_fn(|| ahead.next_token())
            .find(|token| !matches!(token, Token::Comment(_) | Token::Nag(_) | Token::Skipped(_)));
        let is_last = matches!(next, None | Some(Token::MoveNumber { number: 1, black: false }));
        if !is_last || self.depth > 0 {
            return None;
        }
        // The Result tag has a warning about it.
        let termination = Termination { outcome: Outcome::Unknown, is_standard: true };
        self.at = self.text.len() - behind.len();
        self.state = State::Terminated(termination);
        self.result_at = self.start;
        Some(Token::Termination(termination))
    }

    /// Whether a number of four or five digits is a move. In a game whose first move is written in digits, all of them
    /// are. Such a move stands behind a move number with a period, or before another: other numbers in the place of the
    /// first move are years or ratings.
    #[cold]
    fn is_move_in_digits(&mut self, rest: &[u8]) -> bool {
        let is_move = |text: &[u8]| is_numeric_move(symbol(text).0);
        let (symbol, behind) = symbol(rest);
        if behind.trim_ascii_start().starts_with(b".") || !self.is_numeric && !is_move(rest) {
            return false;
        }
        if !self.is_numeric && self.symbols == 0 && self.depth == 0 {
            let is_numbered = self.number_end > 0 && self.text[self.number_end - 1] == b'.' && self.follows_number();
            self.is_numeric = is_numbered || is_move(near(behind).trim_ascii_start());
        }
        // Later numbers of this length are moves, right or wrong.
        self.is_numeric && symbol.len() <= 6
    }

    /// Whether a draw begins here that is written `.5-.5`.
    #[cold]
    fn is_half(&self) -> bool {
        let rest = &self.text[self.at..];
        rest.starts_with(b".5") && termination(rest).is_ok()
    }

    /// Whether only white space and periods stand between the last move number and this place.
    #[cold]
    fn follows_number(&self) -> bool {
        let between = &self.text[self.number_end..self.at];
        self.number_end > 0
            && matches!(self.text[self.number_end - 1], b'.' | b'0'..=b'9' | b'-' | b'/' | b':')
            && between.iter().all(|byte| is_blank(*byte) || *byte == b'.')
    }

    /// Whether the last symbol stands directly behind a move number. Fast paths skip numbers, so this looks at the
    /// text.
    fn is_numbered(&self) -> bool {
        apart::follows_number(&self.text[..self.start])
    }

    /// Whether the last symbol stands directly behind a move number with a period.
    pub(crate) fn is_behind_period(&self) -> bool {
        self.is_numbered() && self.text[..before_blanks(self.text, self.start)].ends_with(b".")
    }

    /// Returns the parts of the move of which the last symbol, a single letter, may be the first.
    #[cold]
    pub(crate) fn parts(&self) -> Option<MoveParts> {
        let before = before_blanks(self.text, self.start);
        let is_behind_move = !self.is_numbered() && !matches!(self.text[..before], [] | [.., b'(' | b']']);
        apart::parts(self.text, self.span(), self.depth > 0, is_behind_move)
    }

    /// Returns the parts of the move of which the last symbol may be the beginning, if something is missing to it.
    #[cold]
    pub(crate) fn parts_of_begun(&self) -> Option<MoveParts> {
        apart::parts_of_begun(self.text, self.span(), self.depth > 0)
    }

    /// Whether the last symbol stands for a move, and is not an annotation mark.
    #[inline]
    pub(crate) fn is_move(&self, symbol: &[u8]) -> bool {
        !is_stray(symbol) || self.begins_move()
    }

    /// Whether the last symbol, a mark, is certainly the first part of a move or of what should be one, in whatever
    /// position.
    #[cold]
    pub(crate) fn begins_move(&self) -> bool {
        self.parts().is_some_and(|parts| parts.is_shaped && !parts.may_be_mark)
    }

    /// Takes the text up to this place as part of the last symbol.
    #[inline]
    pub(crate) fn extend_to(&mut self, end: usize) {
        self.at = end;
    }

    /// Whether a move number begins another game if it stands at the start of a line: 1 for White, or the first number
    /// of the game again. Then a game without tags stands behind a game without a result.
    #[inline]
    fn begins_anew(&self, number: (u32, bool)) -> bool {
        number == (1, false) || self.first_number == Some(number)
    }

    /// Returns the start of the comment behind which this place is on its line, or this place: `{Line 2} 1. d4`.
    fn before_comment(&self) -> usize {
        let between = &self.text[self.comment.end..self.at];
        let is_behind = between.iter().all(|byte| is_blank(*byte)) && count_lines(between) == 0;
        if is_behind { self.comment.start } else { self.at }
    }

    /// Whether the number here, which [may begin another game](Self::begins_anew), does so. Behind a blank line it
    /// does, if two symbols stand before it. A line that begins with the number 1 for White does so behind any symbol,
    /// unless no game can begin with its move: in `1. e4⏎1. e5`, the numbers are wrong.
    #[cold]
    fn begins_line_of_game(&self, number: (u32, bool), after: &[u8]) -> bool {
        let before = if number == (1, false) { self.before_comment() } else { self.at };
        let blanks = self.text[..before].iter().rev().take_while(|byte| is_blank(**byte)).count();
        let is_anew = || self.symbols > 0 && number == (1, false) && may_begin_with(after);
        match count_lines(&self.text[before - blanks..before]) {
            0 => false,
            1 => is_anew(),
            _ => self.symbols > 1 || is_anew(),
        }
    }

    /// Whether a symbol at the start of a line is the label of another game, behind a game without a result: see
    /// [`labelled_game`].
    #[inline]
    fn begins_label(&self, at: usize) -> bool {
        let may_be = self.depth == 0 && self.symbols > 0 && is_line_start(self.text, at);
        may_be && self.is_label(at)
    }

    #[cold]
    #[inline(never)]
    fn is_label(&self, at: usize) -> bool {
        let line = near(&self.text[at..]);
        let line = &line[..line_end(line, 0)];
        // A label ends with a colon, or a bracket or a tab is behind it, or it is an ECO code. Most lines have none.
        let may_be = memchr::memchr3(b'[', b'\t', b':', line).is_some()
            || matches!(line, [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', ..]);
        self.first_number.is_some()
            && may_be
            && !is_move_shaped(symbol(line).0)
            && (labelled_game(line, 0).is_some() || labelled_moves(line, 0).is_some())
    }

    /// Whether a bracket here begins the tag section of another game. Inside a variation it must stand at the start of
    /// a line.
    fn begins_game(&self) -> bool {
        (self.depth == 0 || is_line_start(self.text, self.at)) && begins_pair(self.text, self.at)
    }

    /// Reads a token that begins with a rare byte. None for white space and escaped lines.
    fn oddity(&mut self, byte: u8) -> Option<Token<'a>> {
        let rest = &self.text[self.at..];
        let token = match byte {
            b';' => self.line_comment(),
            b'%' if is_line_start(self.text, self.at) => {
                self.at = line_end(self.text, self.at);
                return None;
            }
            // Angle brackets are reserved (§7.7), and commands in square brackets should be in comments.
            b'<' | b'[' if let Some(token) = self.bracketed_piece() => token,
            b'<' => self.skip(bracketed(rest, b'>').unwrap_or(1)),
            b'[' => self.skip(bracketed(rest, b']').unwrap_or(1)),
            0xC2 | 0xE2 if rest.starts_with("½".as_bytes()) && self.depth == 0 => {
                self.termination().unwrap_or_else(|| self.symbol())
            }
            b'.' => self.skip(ellipsis(rest)),
            0xE2 if rest.starts_with("…".as_bytes()) => self.skip(ellipsis(rest)),
            _ => match blank_run(rest) {
                (0, _) if is_delimiter(byte) && !may_begin_blank(byte) => self.skip(1),
                (0, _) => self.glyph().unwrap_or_else(|| self.symbol()),
                (length, true) => {
                    self.at += length;
                    return None;
                }
                (length, false) => self.skip(length),
            },
        };
        Some(token)
    }

    /// Reads a sign that stands for a glyph, such as ±. None if the symbol is another one.
    fn glyph(&mut self) -> Option<Token<'a>> {
        let (glyph, length) = glyph(symbol(&self.text[self.at..]).0)?;
        self.at += length;
        Some(Token::Nag(glyph))
    }

    /// Skips the variation that has just been opened, as the main line does, and returns a reader of its text. The
    /// tokens of that reader end with the variation. The last token is the closing parenthesis, if there is one.
    pub(crate) fn take_variation(&mut self) -> Self {
        let inside = self.at;
        self.pass_variation();
        Self { depth: 1, is_numeric: self.is_numeric, ..Self::new(&self.text[..self.at], inside) }
    }

    /// Returns a reader of the current variation from the byte `start` on, at which the variation begins.
    #[doc(hidden)]
    pub fn again_from(&self, start: usize) -> Self {
        Self { at: start, start, number_end: start, comment: start..start, state: State::Moves, ..self.clone() }
    }

    /// Returns the next comment, glyph or other mark of the current line. None before the next move of the line, and at
    /// its end. `begins_move` tells whether the last symbol, a mark, is the first part of a move.
    #[inline(always)]
    pub(crate) fn next_note(
        &mut self,
        nested: &Nested,
        begins_move: impl FnOnce(&Self, &'a [u8]) -> bool,
    ) -> Option<Token<'a>> {
        if let Some(comment) = self.take_comment() {
            return Some(Token::Comment(comment));
        }
        if self.is_before_move() {
            return None;
        }
        let token = self.next_in_line(nested)?;
        (!matches!(token, Token::San(symbol) if !is_stray(symbol) || begins_move(self, symbol))).then_some(token)
    }

    /// Returns the next element of the current line, which is the main line or a variation, and skips the variations in
    /// it. `nested` holds the ends of the long ones. None at the end of the line.
    pub(crate) fn next_in_line(&mut self, nested: &Nested) -> Option<Token<'a>> {
        if self.depth == 0 {
            return self.next_mainline();
        }
        loop {
            match self.next_token()? {
                Token::VariationStart => match nested.end(self.at) {
                    Some(end) => {
                        self.depth -= 1;
                        self.at = end;
                    }
                    None => self.pass_variation(),
                },
                Token::VariationEnd => return None,
                token => return Some(token),
            }
        }
    }
}

/// Returns the length of a run of rare white space in bytes, and whether it is skipped without a warning.
fn blank_run(text: &[u8]) -> (usize, bool) {
    let mut length = 0;
    let mut is_plain = true;
    loop {
        let rest = &text[length..];
        let width = match rest {
            // A line break begins no run.
            [b'\n' | b'\r', ..] => break,
            [byte, ..] if is_blank(*byte) => 1,
            _ => wide_blank(rest),
        };
        if width == 0 {
            break;
        }
        is_plain &= is_plain_blank(rest);
        length += width;
    }
    (length, is_plain)
}

/// Returns the length of a run of periods and ellipses, with or without spaces in it. It is one mark.
fn ellipsis(text: &[u8]) -> usize {
    let mut length = 0;
    let mut at = 0;
    loop {
        at += match &text[at..] {
            [b'.', ..] => 1,
            [0xE2, 0x80, 0xA6, ..] => 3,
            [b' ', b'.' | 0xE2, ..] => {
                at += 1;
                continue;
            }
            _ => return length,
        };
        length = at;
    }
}

/// Returns the end of the text before `at` without the white space at its end.
pub(crate) fn before_blanks(text: &[u8], mut at: usize) -> usize {
    loop {
        at -= match &text[..at] {
            [.., byte] if is_blank(*byte) => 1,
            before => match wide_blank_before(before) {
                0 => return at,
                width => width,
            },
        };
    }
}

/// Whether a game may begin with the move behind a number, as far as its square tells: White's first move from the
/// initial position leads to the third or fourth rank. Text without a square may be anything.
fn may_begin_with(behind_number: &[u8]) -> bool {
    let behind = near(behind_number);
    let behind = behind_periods(behind).unwrap_or(behind);
    let behind = number_sign(behind).map_or(behind, |sign| &behind[sign..]).trim_ascii_start();
    let symbol = symbol(behind).0;
    let rank = symbol.windows(2).rev().find_map(|pair| match pair {
        [b'a'..=b'h', rank @ b'1'..=b'8'] => Some(*rank),
        _ => None,
    });
    rank.is_none_or(|rank| matches!(rank, b'3' | b'4'))
}

/// Whether a number is a move in digits and no move number, in a game whose moves are not written in digits.
#[cold]
fn is_lost_in_digits(text: &[u8]) -> bool {
    let (symbol, behind) = symbol(text);
    is_numeric_move(symbol) && periods_behind(behind).0 == 0
}

/// Returns how many periods stand behind a move number and white space, as in `1 . e4` and `38. .. g5`, and the text
/// behind them. An ellipsis is three.
fn periods_behind(text: &[u8]) -> (usize, &[u8]) {
    let mut rest = near(text).trim_ascii_start();
    let mut periods = 0;
    loop {
        let (count, behind) = match rest {
            [b'.', behind @ ..] => (1, behind),
            [0xE2, 0x80, 0xA6, behind @ ..] => (3, behind),
            _ => return (periods, rest),
        };
        periods += count;
        rest = behind.trim_ascii_start();
    }
}

/// Returns the text behind the periods that stand behind a move number and white space. None if there is no period.
pub(crate) fn behind_periods(text: &[u8]) -> Option<&[u8]> {
    let (periods, rest) = periods_behind(text);
    (periods > 0).then_some(rest)
}

/// Whether a move number with a period begins here.
fn begins_numbered(text: &[u8]) -> bool {
    let digits = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    text.get(digits) == Some(&b'.')
}

#[cfg(test)]
mod tests {
    use super::{Ending, Movetext};
    use crate::chunk::Chunk;
    use crate::token::{Outcome, Token};

    fn show(token: Token<'_>) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match token {
            Token::MoveNumber { number, black } => {
                format!("{number}{}", if black { "..." } else { "." })
            }
            Token::San(san) => text(san),
            Token::Nag(glyph) => format!("${glyph}"),
            Token::Comment(comment) => format!("{{{}}}", text(comment)),
            Token::VariationStart => "(".to_owned(),
            Token::VariationEnd => ")".to_owned(),
            Token::EnPassantMark => "e.p.".to_owned(),
            Token::Termination(termination) => termination.outcome.as_str().to_owned(),
            Token::Skipped(skipped) => format!("<{}>", text(skipped)),
        }
    }

    /// Compares all tokens, and then the text behind the game.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut movetext = Movetext::new(text.as_bytes(), 0);
        let mut shown = Vec::new();
        while let Some(token) = movetext.next_token() {
            shown.push(show(token));
        }
        let rest = &text[movetext.offset()..];
        if !rest.is_empty() {
            shown.push(format!("| {rest}"));
        }
        assert_eq!(shown.join(" "), expected);
        let mut mainline = Movetext::new(text.as_bytes(), 0);
        let mut shown = Vec::new();
        while let Some(token) = mainline.next_mainline() {
            shown.push(show(token));
        }
        let mut full = Movetext::new(text.as_bytes(), 0);
        let mut expected = Vec::new();
        while let Some(token) = full.next_token() {
            match token {
                _ if full.depth > 0 => {}
                Token::VariationEnd | Token::MoveNumber { .. } => {}
                token => expected.push(show(token)),
            }
        }
        assert_eq!(shown, expected, "the main line is what is outside variations");
        let mut framed = Movetext::new(text.as_bytes(), 0);
        framed.finish();
        assert_eq!(framed.offset(), movetext.offset(), "passing over a game and reading it end alike");
    }

    #[test]
    fn moves_numbers_and_results() {
        check("1.e4 e5 2 .Nf3 2...Nc6 *", "1. e4 e5 2. Nf3 2... Nc6 *");
        check("1. 0-0 0-0-0 1-0", "1. 0-0 0-0-0 1-0");
        check("e4*", "e4 *");
        check("1. e4 ½-½", "1. e4 1/2-1/2");
        check("1. e4 0000 2. --", "1. e4 0000 2. --");
    }

    #[test]
    fn clocks_in_brackets_are_comments() {
        check("1. e4 (0:01) e5 (1:02:03.4) (1. d4 (0:00)) *", "1. e4 {0:01} e5 {1:02:03.4} ( 1. d4 {0:00} ) *");
        check("1. e4 (0:) (:1) (12) *", "1. e4 ( 0: ) ( :1 ) ( 12. ) *");
    }

    #[test]
    fn stars_of_bold_letters_are_no_results() {
        check("1. **e4** e5 *", "1. <**> e4 <**> e5 *");
        check("1. e4 **\n2. Nf3 *", "1. e4 <**> 2. Nf3 *");
    }

    #[test]
    fn a_line_in_brackets_is_no_tag() {
        check(
            "1. e4 e5\n[see diagram]\n2. Nf3 (2. f4\n[Time 0:05]\nd6) *",
            "1. e4 e5 <[see diagram]> 2. Nf3 ( 2. f4 <[Time 0:05]> d6 ) *",
        );
        check("1. e4\n[White x]\n1. d4 *", "1. e4 | [White x]\n1. d4 *");
    }

    #[test]
    fn zeros_without_a_period_are_no_number() {
        check("1. 00 000+ 2. 00! *", "1. 00 000+ 2. 00 $1 *");
        check("1.00 000\u{a0}0 *", "1. 00 000 <\u{a0}> 0 *");
        check("0. e4 e5 00. d4 000... d5 *", "0. e4 e5 0. d4 0... d5 *");
        check("01 e4 e5 02 d4 10 d5 *", "1. e4 e5 2. d4 10. d5 *");
        check("00e4 0Nf3 00000 0-00 00-0 *", "00e4 0Nf3 00000 0-00 00-0 *");
        check("1. e4 (00) 00)", "1. e4 ( 00 ) 00 <)>");
    }

    #[test]
    fn results_may_stand_apart_or_be_glued() {
        check("e4 e5 1 - 0", "e4 e5 1-0");
        check("e4 e5 0.5 - 0.5\n1. d4", "e4 e5 1/2-1/2 | \n1. d4");
        check("e4 .5-.5 x", "e4 1/2-1/2 <x>");
        check("1. Nf3 O-1", "1. Nf3 0-1");
        check("Qxe5#1-0 {c}", "Qxe5# 1-0 {c}");
        check("1. e4 Nc61/2 - 1/2\n", "1. e4 Nc6 1/2-1/2 | \n");
        check("(Nf30-1) O-O1-0", "( Nf3 0-1 ) O-O 1-0");
        check("1 - e4 1 0 *", "1. - e4 1. 0 *");
    }

    #[test]
    fn castling_may_stand_apart() {
        check("4. O - O O-O-O 5. O -O -O 0 - 0! *", "4. O - O O-O-O 5. O -O -O 0 - 0 $1 *");
        check("4. 0.0 0.0.0 *", "4. 0.0 0.0.0 *");
    }

    #[test]
    fn a_piece_in_brackets_belongs_to_the_move_behind_it() {
        check("(N)c3 [N]c6 <R>1d1 (D)e4 *", "(N)c3 [N]c6 <R>1d1 ( D ) e4 *");
        check("(N)f31-0", "(N)f3 1-0");
    }

    #[test]
    fn moves_may_be_numbered_with_other_signs() {
        check("1- e4 e5 2:Nf3 3.-d4 4/ *", "<1-> e4 e5 <2:> Nf3 <3.-> d4 <4/> *");
        check("1) e4 1.-- 1-x 12-34 *", "1. <)> e4 1. -- 1-x 12-34 *");
        check("1- e4 e5\n\n1- d4 d5", "<1-> e4 e5 | 1- d4 d5");
    }

    #[test]
    fn a_number_is_a_move_in_a_game_of_such_moves() {
        check("1. 5254 5755 2. 7163 28361 9999 12 (3. 6134) *", "1. 5254 5755 2. 7163 28361 9999 12. ( 3. 6134 ) *");
        check("5254 5755 1-0", "5254 5755 1-0");
        check("1. 5254. e4 *", "1. 5254. e4 *");
        check("1. 2021 e4 *", "1. 2021. e4 *");
    }

    #[test]
    fn a_number_that_would_be_a_move_is_skipped_in_other_games() {
        check("1. e4 5254 5755 *", "1. e4 <5254> <5755> *");
        check("1. e4 e5 2. 5254+ 57581 2... Nc6 *", "1. e4 e5 2. <5254+> <57581> 2... Nc6 *");
        check("2224 1. e4 *", "<2224> 1. e4 *");
        check("(1. 5254) e4 *", "( 1. <5254> ) e4 *");
        check("1. e4 5254 . e5 1111... e5 1234… d4 2019 *", "1. e4 5254. e5 1111... e5 1234. <…> d4 2019. *");
    }

    #[test]
    fn brace_comments_do_not_nest() {
        check("e4 {a {b} e5 *", "e4 {a {b} e5 *");
        check("e4 {a {b} c} e5 *", "e4 {a {b} c <}> e5 *");
    }

    #[test]
    fn line_comments_and_escapes_end_with_the_line() {
        check("e4 ; nice { move\ne5 *", "e4 { nice { move} e5 *");
        check("e4\n% e5 {\nd5 *", "e4 d5 *");
        check("e4 %e5 *", "e4 %e5 *");
        check("e4 ;x\re5 *", "e4 {x} e5 *");
    }

    #[test]
    fn a_bracket_in_a_comment_begins_nothing() {
        check("e4 {a\n\n[Event \"x\"]\n} e5 *", "e4 {a\n\n[Event \"x\"]\n} e5 *");
        check("e4 ;\n;[Event \"x\"]\ne5 *", "e4 {} {[Event \"x\"]} e5 *");
    }

    #[test]
    fn the_next_tag_section_ends_a_game() {
        check("e4 e5\n[Event \"2\"]", "e4 e5 | [Event \"2\"]");
        check("e4 [Event \"2\"]", "e4 | [Event \"2\"]");
        check("e4 [%clk 0:01] e5 *", "e4 <[%clk 0:01]> e5 *");
        check("e4 (d4\n[Event \"2\"]", "e4 ( d4 | [Event \"2\"]");
        check("e4 [[Event \"2\"]]", "e4 <[> | [Event \"2\"]]");
        check("e4 <[Event \"2\"]>", "e4 <<> | [Event \"2\"]>");
    }

    #[test]
    fn variations_are_counted_not_nested() {
        check("e4 (d4 (c4) 1-0) e5 *", "e4 ( d4 ( c4 ) 1-0 ) e5 *");
        check("e4 ) e5 *", "e4 <)> e5 *");
        let deep = "(".repeat(1_000_000);
        assert_eq!(Movetext::new(deep.as_bytes(), 0).finish(), Ending::InVariation(0));
    }

    #[test]
    fn what_follows_the_result_on_its_line_belongs_to_the_game() {
        check("e4 1-0 {time}\n\n1. d4", "e4 1-0 {time} | \n\n1. d4");
        check("e4 1-0 White wins\n[Event", "e4 1-0 <White wins> | \n[Event");
        check("e4 * 1. d4 *", "e4 * | 1. d4 *");
        check("e4 * $1 [Event \"2\"]", "e4 * $1 | [Event \"2\"]");
        check("e4 * 1-0\n", "e4 * <1-0> | \n");
        check("e4 * ] drawn [Event \"2\"] x\n", "e4 * <] drawn> | [Event \"2\"] x\n");
        check("e4 * e5 [Event \"2\"]\n", "e4 * <e5 [Event \"2\"]> | \n");
    }

    #[test]
    fn the_first_number_after_a_blank_line_begins_another_game() {
        check("1. e4 e5\n\n1. d4", "1. e4 e5 | 1. d4");
        check("1. e4 e5\r\n\r\n1. d4", "1. e4 e5 | 1. d4");
        check("1. e4 e5\n\n2. d4", "1. e4 e5 2. d4");
        check("1. e4 e5\n\n1... d4", "1. e4 e5 1... d4");
        check("1. e4\n\n1. e5", "1. e4 1. e5");
        check("5. O-O O-O\n\n5. d3", "5. O-O O-O | 5. d3");
    }

    #[test]
    fn a_line_that_begins_with_1_begins_another_game() {
        for end in ["\n", "\r\n", "\r", " \n ", "\n\t", "\n\n"] {
            check(&format!("1. e4 e5{end}1. d4 d5"), "1. e4 e5 | 1. d4 d5");
            check(&format!("1. e4{end}1. d4"), "1. e4 | 1. d4");
        }
        for line in
            ["1.d4", "1 d4", "1. d2-d4", "1.\nd4", "1. Nf3", "1. Sf3", "1. ♘f3", "1- d4", "1. {c} d4", "1. P-Q4"]
        {
            let mut movetext = Movetext::new(b"1. e4 e5 2. Nf3\n", 0);
            let text = ["1. e4 e5 2. Nf3\n", line].concat();
            movetext.text = text.as_bytes();
            assert_eq!(&text[movetext.end_offset()..], line);
        }
        check("e4 e5\n1. d4", "e4 e5 | 1. d4");
        check("38... g5 39. Qe4\n1. d4", "38... g5 39. Qe4 | 1. d4");
        check("1. e4 {c}\n1. d4", "1. e4 {c} | 1. d4");
        check("1. e4 e5 1. d4", "1. e4 e5 1. d4");
        for end in ["\n", "\n\n"] {
            check(&format!("1. e4 e5{end}1 . d4 d5"), "1. e4 e5 | 1 . d4 d5");
            check(&format!("1. e4 e5{end}1\n.d4"), "1. e4 e5 | 1\n.d4");
            check(&format!("1. e4 e5{end}{{d}} 1. d4"), "1. e4 e5 {d} | 1. d4");
        }
        check("1. e4 e5 {d} 1. d4", "1. e4 e5 {d} 1. d4");
        check("1. e4\n1 .. e5\n1 … Nf6", "1. e4 1. e5 1. <…> Nf6");
        check("1. e4 {c} d} 1. d4", "1. e4 {c} d <}> 1. d4");
        check("1. e4\n1... e5\n2. d4", "1. e4 1... e5 2. d4");
        check("1. e4\n1. ... e5\n2. d4", "1. e4 1. e5 2. d4");
        // The game itself says that its numbers are wrong.
        check("1. e4\n1. e5\n1. Nf6", "1. e4 1. e5 1. Nf6");
        check("{c}\n1. e4 (\n1. d4 {\n1. c4}) e5", "{c} 1. e4 ( 1. d4 {\n1. c4} ) e5");
        check("1. e4 e5 2. d4 exd4 10.\nc3 1-0\n", "1. e4 e5 2. d4 exd4 10. c3 1-0 | \n");
    }

    /// Compares the moves and the end of a game with this Result tag.
    #[track_caller]
    fn check_with_result(result: &str, movetext: &str, expected: &str) {
        let text = format!("[Result \"{result}\"]\n\n{movetext}");
        let chunk = Chunk::whole(text.as_bytes());
        let mut movetext = chunk.movetext(&chunk.tags(0));
        let shown: Vec<_> = std::iter::from_fn(|| movetext.next_mainline()).map(show).collect();
        assert_eq!(shown.join(" ") + &text[movetext.offset()..], expected);
    }

    #[test]
    fn both_players_lose_if_the_tag_says_so() {
        check_with_result("0-0", "1. e4 e5 0-0\n", "e4 e5 *\n");
        check_with_result("0-0", "0-0\n\n[Event \"B\"]", "*\n\n[Event \"B\"]");
        check_with_result("0 - 0", "1. e4 e5 0:0 {x}\n1. d4", "e4 e5 * {x}\n1. d4");
        check_with_result("0-0", "1. e4 e5 2. 0-0 d5 0-0", "e4 e5 0-0 d5 *");
        check_with_result("0-0", "1. e4 e5 2. 0-0-0 0-0 {x} 3. d4 0-0", "e4 e5 0-0-0 0-0 {x} d4 *");
        check_with_result("1-0", "1. e4 e5 2. 0-0", "e4 e5 0-0");
        check_with_result("0-1", "1. e4 e5 2. 0-0 1-0", "e4 e5 0-0 1-0");
        check_with_result("0.5-0.5", "1. e4 e5 2. 0-0", "e4 e5 0-0");
    }

    #[test]
    fn a_label_begins_another_game() {
        check("1. e4 e5\nGame 2: [Event \"b\"]\n*", "1. e4 e5 | Game 2: [Event \"b\"]\n*");
        check("1. e4 e5\nPGN: [Event \"b\"] 1. d4 *", "1. e4 e5 | PGN: [Event \"b\"] 1. d4 *");
        check("1. e4\nA00\tAmar\t1. Nh3\n", "1. e4 | A00\tAmar\t1. Nh3\n");
        check("1. e4\nA01 1. b3\n", "1. e4 | A01 1. b3\n");
        check("1. e4\nGame 2: 1. b3\n", "1. e4 | Game 2: 1. b3\n");
        check("1. e4 e5\nsee [x] and\n2. d4", "1. e4 e5 see <[x]> and 2. d4");
        check("1. e4 e5\nsee [Event \"b\"] there", "1. e4 e5 see | [Event \"b\"] there");
    }

    #[test]
    fn marks_that_mean_nothing_are_skipped_one_by_one() {
        check("e4, e5. … < x > >", "e4 <,> e5 <. …> << x >> <>>");
        check("e4 ... e5 .... d4 …… c4 . . . f4 ....e5", "e4 <...> e5 <....> d4 <……> c4 <. . .> f4 <....> e5");
        check("1. ... e5 2.… d4 1... … a6", "1. e5 2. <…> d4 1... <…> a6");
        check("e4 $999 !? !!! $", "e4 <$999> $5 <!!!> <$>");
        check("e4\u{a0}e5\u{b}d4 *", "e4 <\u{a0}> e5 <\u{b}> d4 *");
        check("\u{feff}e4 *", "e4 *");
    }

    #[test]
    fn an_en_passant_mark_may_stand_apart() {
        check("exd6 e.p. Nc6 *", "exd6 e.p. Nc6 *");
        check("exd6 ep *", "exd6 e.p. *");
        check("exd6 e.p.+ Ke7 exd6 ep# *", "exd6 e.p. Ke7 exd6 e.p. *");
        check("exd6e.p. e5 *", "exd6e.p. e5 *");
    }

    #[track_caller]
    fn ends(text: &str, expected: Ending) {
        assert_eq!(Movetext::new(text.as_bytes(), 0).finish(), expected, "{text}");
    }

    #[test]
    fn an_open_comment_or_variation_is_named_by_its_start() {
        ends("e4 {never", Ending::InComment { open: 3, behind: None });
        ends("e4 (d4 {never", Ending::InComment { open: 7, behind: None });
        ends("e4 1-0 {never", Ending::InComment { open: 7, behind: Some(Outcome::WhiteWins) });
        ends("e4 (d4 (c4)", Ending::InVariation(3));
        ends("e4", Ending::NoMarker);
    }

    /// Compares the place of the result, or the place where it is missing, which is at `|`.
    #[track_caller]
    fn result_stands(text: &str) {
        let at = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        for passes in [true, false] {
            let mut movetext = Movetext::new(text.as_bytes(), 0);
            while !passes && movetext.next_token().is_some() {}
            movetext.finish();
            assert_eq!(movetext.result_offset(), at, "{text}");
        }
    }

    #[test]
    fn the_place_of_a_result_is_its_own() {
        result_stands("1. e4 e5 2. d4 |1:0 {c} ; d\n\n[A \"2\"]");
        result_stands("1. e4 e5 2. d4 d5|\n\n\n[A \"2\"]");
        result_stands("1. e4 e5 2. d4 {c}| \n\u{feff}\n[A \"2\"]");
        result_stands("1. e4 e5 2. d4 ; c|\n\n1. d4");
        result_stands("1. e4 e5 2. d4 (2. c4 *)|");
        result_stands("|\n[A \"2\"]");
    }

    #[test]
    fn a_result_inside_an_open_variation_ends_nothing() {
        ends("e4 (d4 d5 e5 *\n\n[Event \"2\"]", Ending::InVariation(3));
    }

    #[test]
    fn a_long_comment_may_hold_a_game() {
        let pair = "x\n[Event \"2\"]\n";
        let long = "x".repeat(super::LONG_COMMENT);
        for (text, length, expected) in [
            // Comments that are too short for a clock and an evaluation are never searched.
            ("1. e4 {a} e5 {[%clk 1]} *".to_owned(), 10, false),
            (format!("1. e4 {{{pair}}} *"), 10, true),
            (format!("1. e4 {{{}}} *", "x".repeat(39)), 10, false),
            (format!("1. e4 {{{}}} *", "x".repeat(40)), 10, true),
            // In a long movetext only what was found counts.
            (format!("1. e4 {{{}}} *", "x".repeat(40)), super::SHORT_MOVETEXT, true),
            (format!("1. e4 {{{}}} *", "x".repeat(40)), super::SHORT_MOVETEXT + 1, false),
            (format!("1. e4 {{{pair}}} *"), super::SHORT_MOVETEXT + 1, true),
            (format!("1. e4 {{{long}}} {{{pair}}} *"), super::SHORT_MOVETEXT + 1, false),
            (format!("1. e4 {{{long}}} {{{long}{pair}}} *"), super::SHORT_MOVETEXT + 1, true),
            (format!("1. e4 {{{}}} {{{pair}{pair}{pair}}} *", "x".repeat(30)), super::SHORT_MOVETEXT + 1, true),
            // Comments that are passed together with the moves around them count as well.
            (format!("1. e4 e5 2. d4 {{{}}} d5 *", "x".repeat(39)), 10, false),
            (format!("1. e4 e5 2. d4 {{{}}} d5 *", "x".repeat(40)), 10, true),
            (format!("1. e4 e5 2. d4 (2. c4 {{{}}}) d5 *", "x".repeat(39)), 10, false),
            (format!("1. e4 e5 2. d4 (2. c4 {{{}}}) d5 *", "x".repeat(40)), 10, true),
            // A comment without an end may hold anything.
            ("1. e4 {a".to_owned(), super::SHORT_MOVETEXT + 1, true),
            ("1. e4 (1. d4 {a".to_owned(), super::SHORT_MOVETEXT + 1, true),
        ] {
            let shown = &text[..text.len().min(60)];
            let may_hold = |read: fn(&mut Movetext<'_>)| {
                let mut movetext = Movetext::new(text.as_bytes(), 0);
                read(&mut movetext);
                movetext.may_hold_game(length)
            };
            let by_tokens = may_hold(|movetext| while movetext.next_token().is_some() {});
            let by_mainline = may_hold(|movetext| while movetext.next_mainline().is_some() {});
            let by_passing = may_hold(|movetext| {
                movetext.finish();
            });
            assert_eq!([by_tokens, by_mainline, by_passing], [expected; 3], "{shown:?} of {length}");
        }
    }

    /// Returns a reader behind the last symbol of some tokens.
    fn behind(text: &str, tokens: usize) -> Movetext<'_> {
        let mut movetext = Movetext::new(text.as_bytes(), 0);
        for _ in 0..tokens {
            movetext.next_token();
        }
        movetext
    }

    #[test]
    fn the_parts_of_a_move_end_with_its_variation() {
        let parts = |text, tokens| {
            let movetext = behind(text, tokens);
            let parts = movetext.parts().or_else(|| movetext.parts_of_begun());
            parts.map(|parts| (String::from_utf8(parts.joined).unwrap(), parts.may_be_mark))
        };
        let found = |text: &str, may_be_mark| Some((text.to_owned(), may_be_mark));
        assert_eq!(parts("1. Nb c3", 2), found("Nbc3", false));
        assert_eq!(parts("1. Nb ) c3", 2), found("Nbc3", false));
        assert_eq!(parts("1. e4 (1. Nb) c3", 5), None);
        assert_eq!(parts("1. e4 (1. Nb c3) e5", 5), found("Nbc3", false));
        assert_eq!(parts("1. N c3", 2), found("Nc3", false));
        assert_eq!(parts("1. N ) c3", 2), found("Nc3", false));
        assert_eq!(parts("1. e4 (1. N) c3", 5), None);
        // Behind a move, but not behind a number or where a line begins, the letter may be a mark.
        assert_eq!(parts("1. e4 N c3", 3), found("Nc3", true));
        assert_eq!(parts("1. e4 (N c3)", 4), found("Nc3", false));
        assert_eq!(parts("N c3", 1), found("Nc3", false));
        assert_eq!(parts("1. e4 S c3", 3), found("Sc3", false));
    }

    #[test]
    fn a_line_is_read_again_from_its_start() {
        let text = "1. e4 (1. {a} d4) e5 {b} *";
        let mut movetext = behind(text, 4);
        while movetext.next_token().is_some() {}
        let mut again = movetext.again_from(6);
        assert_eq!((again.offset(), again.span(), again.next_token()), (6, 6..6, Some(Token::VariationStart)));
        // No number stands before the place.
        let text = "1. e4 (1. d4 .";
        let again = behind(text, 5).again_from(13);
        assert!(!again.follows_number() && again.clone().next_token().is_some());
    }

    #[test]
    fn a_line_comment_behind_the_result_belongs_to_the_game() {
        check("e4 1-0 ; drawn\n1. d4", "e4 1-0 { drawn} | \n1. d4");
        check("e4 1-0 {a};b\r\n;c", "e4 1-0 {a} {b} | \r\n;c");
    }

    #[test]
    fn castling_ends_with_its_variation() {
        check("1. O-O)-O e5 *", "1. O-O)-O e5 *");
        check("e4 (4. O-O) O-O *", "e4 ( 4. O-O ) O-O *");
        check("e4 (4. O) -O *", "e4 ( 4. O ) -O *");
    }

    #[test]
    fn a_label_within_a_line_is_none() {
        check("1. e4 e5 PGN: [Event \"b\"]", "1. e4 e5 PGN: | [Event \"b\"]");
        check("PGN: [Event \"b\"]", "PGN: | [Event \"b\"]");
        check("1. e4 (1. d4\nA00\tAmar\t1. Nh3)", "1. e4 ( 1. d4 A00 Amar 1. Nh3 )");
    }

    #[test]
    fn a_run_of_odd_white_space_is_one_mark() {
        check("e4 \u{b}\u{c} \u{a0}e5 *", "e4 <\u{b}\u{c} \u{a0}> e5 *");
        check("e4\u{a0}\u{b}\n\u{b}e5 *", "e4 <\u{a0}\u{b}> <\u{b}> e5 *");
        check("\u{feff}\u{feff} e4 *", "e4 *");
    }

    #[test]
    fn white_space_and_suffixes_may_stand_behind_the_result() {
        check("e4 1-0 !? \u{a0}{c}\u{2003}\n", "e4 1-0 $5 {c} | \n");
        check("e4 * \u{a0}x", "e4 * <x>");
    }

    #[test]
    fn a_period_before_a_number_means_nothing() {
        check("1. e4 e5 2 .5 d4 *", "1. e4 e5 2. 5. d4 *");
        check("1. e4 .5-.5", "1. e4 1/2-1/2");
        check("1. {c} . e4 *", "1. {c} <.> e4 *");
    }

    #[test]
    fn only_a_number_directly_before_it_makes_a_number_a_move() {
        check("1. {c} 5254 e4 *", "1. {c} <5254> e4 *");
        check("1. 5254 {c} 5755 *", "1. 5254 {c} 5755 *");
    }

    #[test]
    fn no_label_begins_a_game_before_a_move_and_its_number() {
        check("1.\nPGN: [Event \"b\"]", "1. PGN: | [Event \"b\"]");
        check("e4 e5\nPGN: [Event \"b\"]", "e4 e5 PGN: | [Event \"b\"]");
    }

    #[test]
    fn a_word_that_begins_like_a_mark_of_en_passant_is_another() {
        check("exd6 epa4 ep. /epx *", "exd6 epa4 e.p. <.> /epx *");
    }

    #[test]
    fn a_game_that_ends_within_a_variation_says_so_in_any_reading() {
        for (text, expected) in [
            ("e4 (d4 (c4)", Ending::InVariation(11)),
            ("e4 (d4) e5", Ending::NoMarker),
            ("e4 (d4 *", Ending::InVariation(8)),
            ("e4 (d4) *", Ending::Marker(crate::token::Termination { outcome: Outcome::Unknown, is_standard: true })),
        ] {
            let mut movetext = Movetext::new(text.as_bytes(), 0);
            while movetext.next_token().is_some() {}
            assert_eq!(movetext.finish(), expected, "{text}");
        }
    }

    #[test]
    fn both_players_lose_only_in_the_main_line() {
        for (text, expected) in
            [("1. e4 (1. d4 0-0) e5 0-0", "1. e4 ( 1. d4 0-0 ) e5 *"), ("1. e4 (1. d4 0-0)", "1. e4 ( 1. d4 0-0 )")]
        {
            let mut movetext = Movetext::new(text.as_bytes(), 0).lost_by_both(true);
            let shown: Vec<_> = std::iter::from_fn(|| movetext.next_token()).map(show).collect();
            assert_eq!(shown.join(" "), expected);
        }
    }

    #[test]
    fn a_game_has_moves_if_a_symbol_stands_in_its_main_line() {
        for (text, expected) in [("e4", true), ("{c} 1. *", false), ("(e4)", false), ("", false)] {
            let mut movetext = Movetext::new(text.as_bytes(), 0);
            movetext.finish();
            assert_eq!(movetext.has_symbols(), expected, "{text}");
        }
    }

    #[test]
    fn a_letter_begins_a_move_if_it_is_certainly_no_mark() {
        for (text, tokens, expected) in
            [("1. N c3", 2, true), ("1. e4 N c3", 3, false), ("1. N bogus", 2, false), ("1. e4 S c3", 3, true)]
        {
            let movetext = behind(text, tokens);
            assert_eq!(movetext.is_move(&text.as_bytes()[movetext.span()]), expected, "{text}");
        }
    }

    #[test]
    fn a_variation_is_written_in_digits_if_its_game_is() {
        let text = "1. 5254 (1. 5755 9999 5254) 5755 *";
        let mut movetext = behind(text, 3);
        let mut inside = movetext.take_variation();
        let shown: Vec<_> = std::iter::from_fn(|| inside.next_token()).map(show).collect();
        assert_eq!(shown.join(" "), "1. 5755 9999 5254 )");
        assert_eq!(movetext.next_mainline().map(show).as_deref(), Some("5755"));
    }
}
