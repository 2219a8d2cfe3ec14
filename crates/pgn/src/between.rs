//! The text between games, and where the next game begins.
//!
//! Text that belongs to no game may be endless, for example zeros or a line of prose without an end. It is skipped
//! piece by piece, and what is reported about it does not depend on how the text was cut.

use std::ops::Range;

use crate::apart::variation;
use crate::chunk::{Chunk, LexState, StopPoint};
use crate::form::Form;
use crate::lexical::{LOOKAHEAD, is_blank, is_delimiter, is_plain_blank, line_end, near, wide_blank};
use crate::lists::passed_over::{ListLine, line};
use crate::movetext::behind_periods;
use crate::movetext::strays::{begins_column_of_moves, labelled_game, labelled_moves, pair_behind_marks};
use crate::result::termination;
use crate::symbol::{is_move_shaped, is_numeric_move, number_sign, symbol};
use crate::tag_pair::begins_tags;
use crate::token::move_number;

/// The result of a search for the next game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A game begins here.
    Game(usize),
    /// No game begins in the text. The text before this place need not be read again, whatever follows it.
    Nothing(usize),
}

/// Searches for the next game from `at` on, which must be between games. `skipped` gets the text that belongs to no
/// game, one line or one run of odd white space at a time. A long run is cut.
pub fn next_game(text: Chunk<'_>, at: usize, mut skipped: impl FnMut(Range<usize>)) -> Next {
    let pass = |passed: Passed| {
        if let Passed::Skipped(range) = passed {
            skipped(range);
        }
    };
    match look(text, at, usize::MAX, pass) {
        BetweenGames::Game(start) => Next::Game(start),
        BetweenGames::Nothing(left) => Next::Nothing(left.at),
    }
}

/// A part of the text that was passed on the way to the next game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    /// Text that belongs to no game.
    Skipped(Range<usize>),
    /// The start of a comment, which may belong to the game behind it. If that game has to be read again, so has the
    /// comment.
    Comment(usize),
}

/// The result of a search between games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BetweenGames {
    /// A game begins here, with the comment before it.
    Game(usize),
    /// No game begins in the text, or none before `until`. The text before this place need not be read again.
    Nothing(StopPoint),
}

/// The number of bytes of a run of odd white space that are reported.
const REPORTED: usize = 80;

/// Searches for the next game from `at` on, which must be between games. Stops at the first place behind `until` that
/// is between games.
pub(crate) fn look(text: Chunk<'_>, mut at: usize, until: usize, mut pass: impl FnMut(Passed)) -> BetweenGames {
    let Chunk { bytes, is_last, form, .. } = text;
    // The start of the first comment before a game. It belongs to the game.
    let mut comment = None;
    // Whether the run of odd white space that ends here has been reported.
    let mut is_reported = false;
    if at == 0 {
        is_reported = text.within == LexState::OddBlanks;
        if text.within == LexState::SkippedLine {
            at = line_end(bytes, 0);
            if at == bytes.len() {
                return BetweenGames::Nothing(StopPoint { at, within: LexState::SkippedLine });
            }
        }
    }
    loop {
        if at >= until && comment.is_none() {
            return BetweenGames::Nothing(text.left_at(at));
        }
        // The place where reading goes on when there is more text.
        let wait_at = |at: usize| BetweenGames::Nothing(text.left_at(comment.unwrap_or(at)));
        let Some(&byte) = bytes.get(at) else {
            return wait_at(at);
        };
        if is_blank(byte) || wide_blank(&bytes[at..]) > 0 {
            let Blanks { end, odd } = blanks(bytes, at);
            // The last two bytes may be the beginning of a white space character of three bytes.
            let goes_on = end + 3 > bytes.len() && !is_last;
            if let Some(odd) = odd.filter(|_| !is_reported) {
                if goes_on && end - odd.start < REPORTED {
                    return wait_at(odd.start);
                }
                pass(Passed::Skipped(odd));
                is_reported = true;
            }
            if goes_on {
                let at = before_line_end(&bytes[..end]);
                return match comment {
                    None if is_reported => BetweenGames::Nothing(StopPoint { at, within: LexState::OddBlanks }),
                    _ => wait_at(at),
                };
            }
            at = end;
            continue;
        }
        // A line that is longer than the text is skipped part by part.
        let skip_line = |end: usize| {
            let goes_on = end == bytes.len() && !is_last;
            goes_on.then_some(BetweenGames::Nothing(StopPoint { at: end, within: LexState::SkippedLine }))
        };
        match byte {
            _ if form == Form::Positions => {
                match line(&bytes[at..], is_last) {
                    ListLine::Position => return BetweenGames::Game(at),
                    ListLine::Unclear => return wait_at(at),
                    ListLine::PassedOver => at = line_end(bytes, at),
                }
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
                        // The comment is never closed. It becomes a game of its own, so that the error is reported.
                        None => return BetweenGames::Game(comment.unwrap_or(at)),
                    },
                };
            }
            b'%' if text.is_line_start(at) => {
                at = line_end(bytes, at);
                if let Some(found) = skip_line(at) {
                    return if comment.is_some() { wait_at(at) } else { found };
                }
            }
            _ if begins_game(bytes, at) => return BetweenGames::Game(comment.unwrap_or(at)),
            // With more text behind it, this may become a game.
            _ if !is_last && at + LOOKAHEAD > bytes.len() => {
                return match comment {
                    None if is_reported => BetweenGames::Nothing(StopPoint { at, within: LexState::OddBlanks }),
                    _ => wait_at(at),
                };
            }
            _ => {
                comment = None;
                let end = line_end(bytes, at);
                let line = &bytes[..end.min(at + near(&bytes[at..]).len())];
                let pair = pair_behind_marks(line, at).filter(|pair| begins_tags(bytes, *pair));
                let start = pair
                    .or_else(|| labelled_game(line, at))
                    .or_else(|| labelled_moves(line, at))
                    .or_else(|| quoted_moves(line, at))
                    .or_else(|| behind_brackets(line, at));
                if let Some(start) = start {
                    pass(Passed::Skipped(at..start));
                    return BetweenGames::Game(start);
                }
                pass(Passed::Skipped(at..end));
                if let Some(found) = skip_line(end) {
                    return found;
                }
                at = end;
            }
        }
        is_reported = false;
    }
}

/// A run of white space.
struct Blanks {
    end: usize,
    /// The range from the first odd byte to the last odd byte within [`REPORTED`] bytes.
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
            if end - odd.start < REPORTED {
                odd.end = end + width;
            }
        }
        end += width;
    }
    Blanks { end, odd }
}

/// Returns the end of a text, or the start of the line break at its end. So CR and LF are not separated, and the place
/// is never at the start of a line.
fn before_line_end(text: &[u8]) -> usize {
    let ends = [&b"\r\n"[..], b"\n", b"\r"];
    text.len() - ends.into_iter().find(|end| text.ends_with(end)).map_or(0, <[u8]>::len)
}

/// Returns the start of the movetext in a line, behind text in square brackets that is no tag pair: `[x] 1. e4`.
fn behind_brackets(line: &[u8], at: usize) -> Option<usize> {
    let close = at + memchr::memchr(b']', line[at..].strip_prefix(b"[")?)? + 2;
    let start = line.len() - line[close..].trim_ascii_start().len();
    (line.get(start) != Some(&b'[') && begins_game(line, start)).then_some(start)
}

/// Returns the start of the moves in a line behind marks of a quotation: `> 1. e4 e5`, `| 1. e4`.
fn quoted_moves(line: &[u8], at: usize) -> Option<usize> {
    let marks = line[at..].iter().take_while(|byte| matches!(byte, b'>' | b'|' | b' ' | b'\t')).count();
    let start = at + marks;
    (matches!(line[at], b'>' | b'|') && begins_column_of_moves(&line[start..])).then_some(start)
}

/// Whether a game begins with this token: a tag, a move number, a result, a move, or what may stand before the first
/// move, a variation or a glyph with a move behind it.
fn begins_game(bytes: &[u8], at: usize) -> bool {
    let text = near(&bytes[at..]);
    match text {
        [b'[', ..] => begins_tags(bytes, at),
        [b'(', inner @ ..] => {
            let behind = variation(text).map_or(&[][..], |length| text[length..].trim_ascii_start());
            begins_column_of_moves(inner) && begins_column_of_moves(behind)
        }
        [b'$', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            digits > 0
                && rest[digits..].first().is_some_and(|byte| is_blank(*byte))
                && begins_column_of_moves(rest[digits..].trim_ascii_start())
        }
        [b'0'..=b'9' | 0xC2 | b'*', ..] if let Ok((behind, _)) = termination(text) => is_lone_result(behind),
        [b'0'..=b'9', ..] => begins_numbered(text) || is_move(text),
        _ => is_move(text),
    }
}

/// Whether the text behind a result allows that the result is a game without moves: the end of the line, a comment, a
/// glyph, a tag pair, or the number of another game. Words do not, because a list in a text may begin with a star.
fn is_lone_result(behind: &[u8]) -> bool {
    let blanks = behind.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match behind[blanks..] {
        [] | [b'\n' | b'\r' | b'{' | b';' | b'[' | b'(' | b'$' | b'!' | b'?', ..] => true,
        [b'0'..=b'9', ..] => begins_numbered(&behind[blanks..]),
        _ => wide_blank(&behind[blanks..]) > 0,
    }
}

/// Whether a move number begins here: a number with a period, or a number with a move behind it.
fn begins_numbered(text: &[u8]) -> bool {
    let Ok((rest, _)) = move_number(text) else {
        return false;
    };
    let number = &text[..text.len() - rest.len()];
    number.contains(&b'.') && !is_fraction(rest) && !is_prose(rest)
        || rest.first().is_none_or(|byte| is_delimiter(*byte))
            && is_move(rest.strip_prefix(b")").unwrap_or(rest).trim_ascii_start())
        || behind_periods(rest).is_some_and(is_move)
        || number_sign(rest).is_some_and(|sign| is_move(rest[sign..].trim_ascii_start()))
        || rest.strip_prefix(b")").is_some_and(|rest| is_list_of_digits(rest.trim_ascii_start(), 2))
        || is_list_of_digits(text, 3)
}

/// Whether the text behind a number and its period is the rest of a number or a date: the `5` of `0.5`, the `06.01` of
/// `2019.06.01`.
fn is_fraction(rest: &[u8]) -> bool {
    let [b'0'..=b'9', ..] = rest else {
        return false;
    };
    !is_move(rest) && !is_numeric_move(symbol(rest).0) && termination(rest).is_err() && !begins_numbered(rest)
}

/// Whether the text behind a number and its period is prose, as in a numbered list of a text, or a tag pair: a word of
/// three or more letters that is neither a move nor an annotation word.
fn is_prose(rest: &[u8]) -> bool {
    let word = rest.trim_ascii_start();
    let letters = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let ends = |byte: &u8| is_delimiter(*byte) || matches!(byte, b'-' | b':' | b'\'' | b'/');
    word.starts_with(b"[") || letters >= 3 && word.get(letters).is_none_or(ends) && !is_move(word)
}

/// Whether so many moves in digits begin here, without numbers. Two might be a telephone number.
fn is_list_of_digits(mut text: &[u8], count: usize) -> bool {
    (0..count).all(|_| {
        let (symbol, rest) = symbol(text);
        text = rest.trim_ascii_start();
        is_numeric_move(symbol)
    })
}

fn is_move(text: &[u8]) -> bool {
    is_move_shaped(symbol(text).0)
}

#[cfg(test)]
mod tests {
    use super::{BetweenGames, Next, Passed, before_line_end, look, next_game};
    use crate::chunk::{Chunk, LexState, StopPoint};
    use crate::lexical::LOOKAHEAD;

    /// Compares the text before the first game and the text that is skipped, `|` between its parts.
    #[track_caller]
    fn check(text: &str, before: Option<&str>, skipped: &str) {
        let mut parts = Vec::new();
        let next = next_game(Chunk::whole(text.as_bytes()), 0, |range| parts.push(&text[range]));
        let found = if let Next::Game(start) = next { Some(&text[..start]) } else { None };
        assert_eq!((found, parts.join("|").as_str()), (before, skipped), "{text:?}");
    }

    #[test]
    fn a_game_begins_with_a_tag_a_number_a_move_or_a_result() {
        for game in
            ["[Event \"x\"]", "1. e4", "1.e4", "1 e4", "12... e5", "e4 e5", "*", "1-0", "1/2-1/2 {x}", "1) e4 e5"]
        {
            check(&format!("\n\n{game}"), Some("\n\n"), "");
            check(&format!("some prose\n{game}"), Some("some prose\n"), "some prose");
        }
    }

    #[test]
    fn a_numbered_list_a_number_or_a_date_is_no_game() {
        for text in ["1. White to play", "2. The end", "3. Don't", "4. [x]", "0.5", "2019.06.01", "* a list", "12"] {
            check(text, None, text);
        }
        // A word of two letters may be a move in another language.
        check("1. Sf", Some(""), "");
        check("1. e4", Some(""), "");
    }

    #[test]
    fn periods_may_stand_apart_from_the_first_number() {
        for game in ["1 . e4 e5", "1 .e4", "1\n.e4", "1… e4", "1 .. e5"] {
            check(&format!("prose\n{game}"), Some("prose\n"), "prose");
        }
        check("1 . White to play", None, "1 . White to play");
    }

    #[test]
    fn a_game_may_begin_with_a_variation_or_a_glyph() {
        for game in ["(1. d4) 1. c4", "(1. d4 (1. c4) d5)1. c4", "$1 1. c4"] {
            check(&format!("prose\n{game}"), Some("prose\n"), "prose");
        }
        for text in ["(1. d4) is best", "(1. d4 1. c4", "(see 1) 1. c4", "$1", "$ 1. c4", "$100 prize"] {
            check(text, None, text);
        }
    }

    #[test]
    fn a_game_may_begin_behind_a_label_or_marks_of_a_quotation() {
        for label in ["A00 ", "Game 2: ", "Moves: ", "> ", ">>", "| > "] {
            check(&format!("{label}1. c4"), Some(label), label);
        }
        for text in ["He played this here: 1. c4", "2: 1. c4", "A00 1. x", "A00b 1. c4", "> 1. White", "Game 2: c4"] {
            check(text, None, text);
        }
    }

    #[test]
    fn a_game_may_begin_behind_brackets() {
        check("[x] 1. e4", Some("[x] "), "[x] ");
        check("[x] [y] 1. e4", None, "[x] [y] 1. e4");
        check("[x] prose", None, "[x] prose");
    }

    #[test]
    fn comments_before_a_game_belong_to_it() {
        check("prose\n{a} ; b\n1. e4", Some("prose\n"), "prose");
        check("{a} prose\n1. e4", Some("{a} prose\n"), "prose");
        check("{never closed", Some(""), "");
        check("% escaped\n1. e4", Some("% escaped\n"), "");
        check(" % not escaped\n1. e4", Some(" % not escaped\n"), "% not escaped");
    }

    #[test]
    fn odd_white_space_is_told_up_to_a_length() {
        check(" \0\0 \n1. e4", Some(" \0\0 \n"), "\0\0");
        check("\u{a0}1. e4", Some("\u{a0}"), "\u{a0}");
        let long = "\0".repeat(200);
        check(&format!("{long}1. e4"), Some(&long), &long[..80]);
    }

    #[test]
    fn a_text_is_left_before_the_line_break_at_its_end() {
        for (text, expected) in [("ab\r\n", 2), ("ab\n", 2), ("ab\r", 2), ("ab", 2), ("\n", 0), ("", 0), ("a\n\n", 2)] {
            assert_eq!(before_line_end(text.as_bytes()), expected, "{text:?}");
        }
    }

    /// Compares where reading stops in the middle of a database, and the lengths of the parts that are skipped. The
    /// text follows a place of this kind.
    #[track_caller]
    fn check_cut(within: LexState, text: &str, stop: (usize, LexState), skipped: &[usize]) {
        let chunk = Chunk { is_last: false, within, ..Chunk::whole(text.as_bytes()) };
        let mut lengths = Vec::new();
        let found = look(chunk, 0, usize::MAX, |passed| {
            if let Passed::Skipped(range) = passed {
                lengths.push(range.len());
            }
        });
        let stop = BetweenGames::Nothing(StopPoint { at: stop.0, within: stop.1 });
        let shown = &text[..text.len().min(40)];
        assert_eq!((found, &lengths[..]), (stop, skipped), "{shown:?} behind {within:?}");
    }

    #[test]
    fn a_line_that_is_longer_than_the_text_is_skipped_part_by_part() {
        use LexState::{Line, LineStart, SkippedLine};
        let prose = "x y z ".repeat(LOOKAHEAD / 6 + 1);
        let long = prose.len();
        check_cut(LineStart, &prose, (long, SkippedLine), &[long]);
        check_cut(SkippedLine, &prose, (long, SkippedLine), &[]);
        check_cut(SkippedLine, &format!("rest\n{prose}"), (long + 5, SkippedLine), &[long]);
        // A line that ends is skipped as a whole.
        check_cut(LineStart, &format!("{prose}\nx"), (long, Line), &[long]);
        check_cut(LineStart, &format!("% {prose}"), (long + 2, SkippedLine), &[]);
        check_cut(Line, &format!("% {prose}"), (long + 2, SkippedLine), &[long + 2]);
        check_cut(LineStart, &format!("% {prose}\n"), (long + 2, Line), &[]);
        // More text may make a game of a short text.
        check_cut(LineStart, "x y z", (0, LineStart), &[]);
        check_cut(LineStart, "{c} x", (0, LineStart), &[]);
        check_cut(LineStart, "\n{c}\n% x", (1, LineStart), &[]);
        check_cut(LineStart, "", (0, LineStart), &[]);
    }

    #[test]
    fn odd_white_space_that_is_cut_is_told_once() {
        use LexState::{Line, LineStart, OddBlanks};
        let odd = "\0".repeat(200);
        check_cut(LineStart, &odd, (200, OddBlanks), &[80]);
        check_cut(OddBlanks, &odd, (200, OddBlanks), &[]);
        check_cut(OddBlanks, "\0\0\n", (2, OddBlanks), &[]);
        check_cut(OddBlanks, "\0\0x", (2, OddBlanks), &[]);
        // A short run may go on, and is told with what follows.
        check_cut(LineStart, " \0\0", (1, Line), &[]);
        check_cut(LineStart, "\n\n", (1, LineStart), &[]);
    }

    #[test]
    fn reading_stops_behind_a_place_that_is_between_games() {
        let found = |until| look(Chunk::whole(b"x\n{c}\n1. e4"), 0, until, |_| {});
        let stop = |at, within| BetweenGames::Nothing(StopPoint { at, within });
        assert_eq!(found(0), stop(0, LexState::LineStart));
        assert_eq!(found(1), stop(1, LexState::Line));
        assert_eq!(found(2), stop(2, LexState::LineStart));
        // The comment belongs to the game behind it.
        assert_eq!(found(3), BetweenGames::Game(2));
        assert_eq!(found(9), BetweenGames::Game(2));
    }

    #[test]
    fn a_result_alone_on_its_line_is_a_game() {
        for behind in
            ["", " ", "\t\n", "\u{a0}", " \u{2003}x", " {c}", ";c", " [A \"\"]", " (x)", " $1", " !", " 1. d4"]
        {
            let text = format!("1-0{behind}");
            check(&text, Some(""), "");
        }
        for behind in [" x", " 12", " e4", " - 1", "é"] {
            let text = format!("1-0{behind}");
            check(&text, None, &text);
        }
    }

    #[test]
    fn moves_in_digits_begin_a_game_if_there_are_enough() {
        for text in ["5254 5755 7163", "1) 5254 5755", "1. 5254", "52541 5755+ 7163"] {
            check(text, Some(""), "");
        }
        // Two may be a telephone number.
        for text in ["5254 5755", "1) 5254", "5254 5755 9999"] {
            check(text, None, text);
        }
    }

    #[test]
    fn white_space_at_the_end_of_the_text_may_go_on() {
        use LexState::{Line, LineStart, OddBlanks};
        let odd = |count| "\0".repeat(count);
        check_cut(LineStart, &odd(79), (0, LineStart), &[]);
        check_cut(LineStart, &odd(80), (80, OddBlanks), &[80]);
        // Behind three more bytes, no character of white space is torn.
        check_cut(LineStart, &format!("{}x y", odd(5)), (5, OddBlanks), &[5]);
        check_cut(LineStart, &format!("{}xyz", odd(5)), (5, OddBlanks), &[5]);
        check_cut(Line, &format!("{}x", odd(5)), (0, Line), &[]);
    }

    #[test]
    fn a_number_behind_a_number_may_be_a_move_or_a_result() {
        for text in ["1.1-0", "1.5254 5755", "1.2.e4", "1.0-0"] {
            check(text, Some(""), "");
        }
        for text in ["1.5", "2019.06", "1.1"] {
            check(text, None, text);
        }
    }

    #[test]
    fn a_line_is_judged_when_enough_of_it_is_there() {
        use LexState::{LineStart, SkippedLine};
        let prose = "x y z ".repeat(LOOKAHEAD);
        check_cut(LineStart, &prose[..LOOKAHEAD - 1], (0, LineStart), &[]);
        check_cut(LineStart, &prose[..LOOKAHEAD], (LOOKAHEAD, SkippedLine), &[LOOKAHEAD]);
    }

    #[test]
    fn odd_white_space_is_told_wherever_it_stands() {
        let (prose, odd) = ("x y ".repeat(50), "\0".repeat(50));
        check(&format!("{prose}\n{odd}1. e4"), Some(&format!("{prose}\n{odd}")), &format!("{prose}|{odd}"));
    }
}
