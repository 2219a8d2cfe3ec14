//! What lies between games, and where the next game begins.
//!
//! Text that belongs to no game may be endless: zeros, a line of prose without an end. It is passed over piece by piece, in
//! whatever pieces it comes, and what is told of it does not depend on them.

use std::ops::Range;

use crate::pgn::lexical::{LOOKAHEAD, is_blank, is_delimiter, is_name, is_plain_blank, line_end, near, wide_blank};
use crate::pgn::lists::{Form, is_comment};
use crate::pgn::movetext::strays::pair_behind_marks;
use crate::pgn::text::{Left, Text, Within};
use crate::pgn::token::{is_move_shaped, move_number, symbol, termination};

/// What lies ahead between games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A game begins here.
    Game(usize),
    /// No game begins in the text. Up to here it needs no second look, whatever may follow it.
    Nothing(usize),
}

/// Looks for the next game from `at` on, which must lie between games. What belongs to none is told to `skipped`, a line or
/// a run of odd white space at a time, of a long one its beginning.
pub fn next_game(text: Text<'_>, at: usize, mut skipped: impl FnMut(Range<usize>)) -> Next {
    let pass = |passed: Passed| {
        if let Passed::Skipped(range) = passed {
            skipped(range);
        }
    };
    match look(text, at, usize::MAX, pass) {
        Found::Game(start) => Next::Game(start),
        Found::Nothing(left) => Next::Nothing(left.at),
    }
}

/// What was passed on the way to the next game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    /// It belongs to no game.
    Skipped(Range<usize>),
    /// A comment begins here, which may belong to the game that follows. If that has to be looked at again, so has the comment.
    Comment(usize),
}

/// What was found between games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A game begins here, with the comment before it.
    Game(usize),
    /// No game begins in the text, or none before a place that was passed. Up to here it needs no second look.
    Nothing(Left),
}

/// How much of a run of odd white space is told.
const TOLD: usize = 80;

/// Looks for the next game from `at` on, which must lie between games, and gives up at the first place behind `until` that does.
pub(crate) fn look(text: Text<'_>, mut at: usize, until: usize, mut pass: impl FnMut(Passed)) -> Found {
    let Text { bytes, is_last, form, .. } = text;
    // A comment belongs to the game that follows it.
    let mut comment = None;
    // Whether the white space that ends here has been told to be odd.
    let mut is_told = false;
    if at == 0 {
        is_told = text.within == Within::OddBlanks;
        if text.within == Within::SkippedLine {
            at = line_end(bytes, 0);
            if at == bytes.len() {
                return Found::Nothing(Left { at, within: Within::SkippedLine });
            }
        }
    }
    loop {
        if at >= until && comment.is_none() {
            return Found::Nothing(text.left_at(at));
        }
        // Where reading goes on when there is more text.
        let wait_at = |at: usize| Found::Nothing(text.left_at(comment.unwrap_or(at)));
        let Some(&byte) = bytes.get(at) else {
            return wait_at(at);
        };
        if is_blank(byte) || wide_blank(&bytes[at..]) > 0 {
            let Blanks { end, odd } = blanks(bytes, at);
            // The last two bytes may be the beginning of a blank of three.
            let goes_on = end + 3 > bytes.len() && !is_last;
            if let Some(odd) = odd.filter(|_| !is_told) {
                if goes_on && end - odd.start < TOLD {
                    return wait_at(odd.start);
                }
                pass(Passed::Skipped(odd));
                is_told = true;
            }
            if goes_on {
                let at = before_line_end(&bytes[..end]);
                return match comment {
                    None if is_told => Found::Nothing(Left { at, within: Within::OddBlanks }),
                    _ => wait_at(at),
                };
            }
            at = end;
            continue;
        }
        // A long line is skipped as it comes.
        let skip_line = |end: usize| {
            let goes_on = end == bytes.len() && !is_last;
            goes_on.then_some(Found::Nothing(Left { at: end, within: Within::SkippedLine }))
        };
        match byte {
            _ if form == Form::Positions => {
                if !is_comment(byte) {
                    return Found::Game(at);
                }
                at = line_end(bytes, at);
                if let Some(found) = skip_line(at) {
                    return found;
                }
            }
            b'{' | b';' => {
                if comment.is_none() {
                    comment = Some(at);
                    pass(Passed::Comment(at));
                }
                at = match byte {
                    b';' => line_end(bytes, at),
                    _ => match memchr::memchr(b'}', &bytes[at..]) {
                        Some(length) => at + length + 1,
                        // A game that is nothing but an open comment, so that it is heard of.
                        None => return Found::Game(comment.unwrap_or(at)),
                    },
                };
            }
            b'%' if text.is_line_start(at) => {
                at = line_end(bytes, at);
                if let Some(found) = skip_line(at) {
                    return if comment.is_some() { wait_at(at) } else { found };
                }
            }
            _ if begins_game(&bytes[at..]) => return Found::Game(comment.unwrap_or(at)),
            // Behind the end of the text it may become a game.
            _ if !is_last && at + LOOKAHEAD > bytes.len() => {
                return match comment {
                    None if is_told => Found::Nothing(Left { at, within: Within::OddBlanks }),
                    _ => wait_at(at),
                };
            }
            _ => {
                comment = None;
                let end = line_end(bytes, at);
                let line = &bytes[..end.min(at + near(&bytes[at..]).len())];
                if let Some(pair) = pair_behind_marks(line, at) {
                    pass(Passed::Skipped(at..pair));
                    return Found::Game(pair);
                }
                pass(Passed::Skipped(at..end));
                if let Some(found) = skip_line(end) {
                    return found;
                }
                at = end;
            }
        }
        is_told = false;
    }
}

/// A run of white space.
struct Blanks {
    end: usize,
    /// From the first odd blank to the last that is near it.
    odd: Option<Range<usize>>,
}

fn blanks(text: &[u8], from: usize) -> Blanks {
    let mut end = from;
    let mut odd: Option<Range<usize>> = None;
    while let Some(&byte) = text.get(end) {
        let width = if is_blank(byte) { 1 } else { wide_blank(&text[end..]) };
        if width == 0 {
            break;
        }
        if !is_plain_blank(&text[end..]) {
            let odd = odd.get_or_insert(end..end);
            if end - odd.start < TOLD {
                odd.end = end + width;
            }
        }
        end += width;
    }
    Blanks { end, odd }
}

/// The end of a text, or where its last line end begins: CR and LF are not torn apart, and the place behind is never the first
/// column of a line.
fn before_line_end(text: &[u8]) -> usize {
    let ends = [&b"\r\n"[..], b"\n", b"\r"];
    text.len() - ends.into_iter().find(|end| text.ends_with(end)).map_or(0, <[u8]>::len)
}

/// Whether a game begins with this token: a tag, a move number, a result, or a move.
fn begins_game(text: &[u8]) -> bool {
    let text = near(text);
    match text {
        [b'[', rest @ ..] => {
            let name = rest.iter().position(|byte| !is_blank(*byte)).unwrap_or(rest.len().min(1));
            rest.get(name).is_some_and(|byte| is_name(*byte))
        }
        [b'0'..=b'9' | 0xC2 | b'*', ..] if termination(text).is_ok() => true,
        [b'0'..=b'9', ..] => begins_numbered(text) || is_move(text),
        _ => is_move(text),
    }
}

/// Whether a move number begins here: one with its period, or one with a move behind it.
fn begins_numbered(text: &[u8]) -> bool {
    let Ok((rest, _)) = move_number(text) else {
        return false;
    };
    let number = &text[..text.len() - rest.len()];
    number.contains(&b'.') || rest.first().is_none_or(|byte| is_delimiter(*byte)) && is_move(rest.trim_ascii_start())
}

fn is_move(text: &[u8]) -> bool {
    is_move_shaped(symbol(text).0)
}
