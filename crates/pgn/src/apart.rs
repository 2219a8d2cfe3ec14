//! Moves whose parts stand apart: `O - O`, `N c3`, `N(b1)c3`.
//!
//! A part may have the shape of another move: the `c3` of `N(b1)c3` is the move of a pawn. So the parts must be seen
//! together before one of them is skipped or read.

use std::ops::Range;

use crate::diagnostic::count_lines;
use crate::encoding::decode;
use crate::lexical::{blanks, is_blank, is_delimiter, line_end, near, wide_blank};
use crate::result::{glued_result, termination};
use crate::symbol::{dash, is_move_shaped, symbol};
use crate::tag_pair::begins_pair;

/// The greatest length of the text between two parts of a move, in bytes. Comments in braces are not counted.
const WIDEST: usize = 64;

/// The greatest number of parts of a move.
const MOST_PARTS: usize = 8;

/// The text between two parts of a move.
#[derive(Clone, Copy)]
struct Gap {
    length: usize,
    /// Whether it is only white space, periods and commas. Otherwise it holds brackets, glyphs or other marks.
    is_plain: bool,
}

/// Returns the gap with which a text begins, perhaps an empty one. None if it is too wide, or if a comment or a
/// variation is not closed in it. A closing parenthesis belongs to it if it cannot close a variation.
fn gap(text: &[u8], is_in_variation: bool) -> Option<Gap> {
    let mut gap = Gap { length: 0, is_plain: true };
    let mut left = WIDEST;
    loop {
        let rest = &text[gap.length..];
        let (width, is_plain) = match rest {
            [b' ' | b'\t' | b'\n' | b'\r' | b'.' | b',', ..] => (1, true),
            [0xE2, 0x80, 0xA6, ..] => (3, true),
            _ if wide_blank(rest) > 0 => (wide_blank(rest), true),
            [b'{', ..] => {
                gap = Gap { length: gap.length + comment(rest)?, is_plain: false };
                continue;
            }
            [b'(', ..] => (variation(rest)?, false),
            // A tag pair begins another game.
            [b'[', ..] if begins_pair(rest, 0) => return None,
            [b'[', ..] => (bracketed(rest, b']').unwrap_or(1), false),
            [b'<', ..] => (bracketed(rest, b'>').unwrap_or(1), false),
            [b')', ..] if is_in_variation => return Some(gap),
            [b'$', digits @ ..] => (1 + digits.iter().take_while(|byte| byte.is_ascii_digit()).count(), false),
            [b'!' | b'?' | b'"' | b';' | b')' | b'}' | b']' | b'>' | 0..b' ', ..] => (1, false),
            _ => return Some(gap),
        };
        left = left.checked_sub(width)?;
        gap.length += width;
        gap.is_plain &= is_plain;
    }
}

/// Returns the length of the comment with which a text begins.
fn comment(text: &[u8]) -> Option<usize> {
    memchr::memchr(b'}', text).map(|end| end + 1)
}

/// Returns the length of the variation with which a text begins. None if it is too long, not counting comments.
pub(super) fn variation(text: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0);
    for _ in 0..WIDEST {
        match text.get(at)? {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'{' => at += comment(&text[at..])? - 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Returns the length of castling with which a text begins, if its parts stand apart: `O - O`, `0-0 -0`, `O.O`,
/// `O-O!-O`. None if they do not, and if a blank line or a longer comment stands between them. A closing parenthesis
/// between them ends a variation, if the castling is in one.
#[cold]
pub(super) fn castling(text: &[u8], is_in_variation: bool) -> Option<usize> {
    let first = castling_letter(text)?;
    let second = castling_step(&text[first..], is_in_variation)?;
    let mut at = first + second.length;
    let third = castling_step(&text[at..], is_in_variation).filter(|third| {
        // `O O O` has a part more than `O O`, but `O.O O.O` is castling by both sides.
        third.has_dash == second.has_dash && (third.has_dash || third.before == second.before)
    });
    // `O-O O` lacks a dash, if no castling begins with the last letter.
    let lacks_dash = || {
        let blanks = text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let end = at + blanks + castling_letter(&text[at + blanks..])?;
        let behind = text[end..].trim_ascii_start();
        let is_alike = text[at + blanks..].first() == text.first();
        (second.has_dash && blanks > 0 && is_alike && dash(behind).is_err()).then_some(end - at)
    };
    let lost = if third.is_none() { lacks_dash() } else { None };
    at += third.as_ref().map(|third| third.length).or(lost).unwrap_or(0);
    at += text[at..].iter().take_while(|byte| matches!(byte, b'+' | b'#')).count();
    let is_apart = second.is_apart || third.is_some_and(|third| third.is_apart) || lost.is_some();
    (is_apart && symbol(&text[at..]).0.is_empty()).then_some(at)
}

/// The text from one letter of castling to the next.
struct Step<'a> {
    length: usize,
    /// The text before the dash.
    before: &'a [u8],
    has_dash: bool,
    is_apart: bool,
}

/// The longest comment within castling whose parts stand apart, in bytes with its braces. It is too short to hold a
/// game, so it is not searched for one.
pub(super) const LONGEST_COMMENT: usize = 10;

fn castling_step(text: &[u8], is_in_variation: bool) -> Option<Step<'_>> {
    let narrow = |text: &[u8]| {
        let length = gap(text, is_in_variation)?.length;
        let between = &text[..length];
        let has_other = between.iter().any(|byte| matches!(byte, b';' | b'*'));
        let is_short = length <= LONGEST_COMMENT || length <= WIDEST && !between.contains(&b'{');
        (!has_other && is_short && count_lines(between) <= 1).then_some(length)
    };
    let before = narrow(text)?;
    let (rest, has_dash) = dash(&text[before..]).map_or((&text[before..], false), |(rest, _)| (rest, true));
    let behind = narrow(rest)?;
    let has_break = count_lines(&text[..before]) + count_lines(&rest[..behind]) > 0;
    let rest = &rest[behind..];
    let before = &text[..before];
    let is_apart = !before.is_empty() || behind > 0;
    // Zeros that are only separated by blanks may be anything, and so may letters on different lines.
    let may_be_bare = is_apart && !has_break && (rest.first() != Some(&b'0') || matches!(before, b"." | b","));
    let length = text.len() - rest.len() + castling_letter(rest)?;
    (has_dash || may_be_bare).then_some(Step { length, before, has_dash, is_apart })
}
/// Returns the length of an `O`, also as a zero or from the Cyrillic or Greek alphabet.
fn castling_letter(text: &[u8]) -> Option<usize> {
    match text {
        [b'O' | b'o' | b'0', ..] => Some(1),
        [0xD0, 0x9E | 0xBE, ..] | [0xCE, 0x9F | 0xBF, ..] => Some(2),
        _ => None,
    }
}

/// Whether a symbol may begin castling whose parts stand apart.
#[inline]
pub(super) fn may_be_castling(symbol: &[u8]) -> bool {
    matches!(symbol, [b'O' | b'o' | b'0' | 0xCE | 0xD0, ..])
}

/// Returns the length of a piece letter in brackets that stands directly before the rest of a move: `(N)c3`.
pub(super) fn piece_in_brackets(text: &[u8]) -> Option<usize> {
    let close = match text.first()? {
        b'(' => b')',
        b'[' => b']',
        b'<' => b'>',
        _ => return None,
    };
    let length = text[1..].iter().take(4).position(|byte| *byte == close)?;
    let is_piece = match &text[1..=length] {
        // `D` is the mark of a diagram.
        [letter] => letter.is_ascii_uppercase() && *letter != b'D',
        letter => is_letter(letter) && !letter.is_ascii(),
    };
    let goes_on = matches!(text[length + 2..], [b'a'..=b'h' | b'x', ..] | [b'1'..=b'8', b'a'..=b'h' | b'x', ..]);
    (is_piece && goes_on).then_some(length + 2)
}

/// Whether a symbol is a single letter or figurine. Bytes that are not UTF-8 are read as Windows-1252.
fn is_letter(symbol: &[u8]) -> bool {
    let text = if symbol.len() <= 4 { decode(symbol) } else { return false };
    let mut chars = text.chars();
    chars.next().is_some_and(|char| char.is_alphabetic() || matches!(char, '♔'..='♟')) && chars.next().is_none()
}

/// Whether a text ends with a move number, with its periods and white space. They are not searched for beyond
/// [`WIDEST`] bytes, because they may also be many null moves, such as `-- -- --`.
pub(super) fn follows_number(before: &[u8]) -> bool {
    let without = |text: &[u8], is_passed: fn(u8) -> bool| {
        text.iter().rev().take(WIDEST).take_while(|byte| is_passed(**byte)).count()
    };
    let sign = without(before, |byte| is_blank(byte) || b".-:/)".contains(&byte));
    let before = &before[..before.len() - sign];
    let digits = without(before, |byte| byte.is_ascii_digit());
    // `$1` and the `4` of `e4` are no numbers of moves.
    digits > 0 && before[..before.len() - digits].last().is_none_or(|byte| *byte != b'$' && is_delimiter(*byte))
}

/// The parts of a move, of which the first is not a whole move: `N c3`, `Nb d7`, `a8 =Q`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoveParts {
    /// The parts without the text between them.
    pub(crate) joined: Vec<u8>,
    /// The range of the last part, which would be read as a move by itself.
    pub(crate) last: Range<usize>,
    /// Whether only white space, periods and commas stand between the parts.
    pub(crate) is_plain: bool,
    /// Whether the parts have the shape of a move in some language.
    pub(crate) is_shaped: bool,
    /// Whether the letter may also be an annotation mark of the move before it: `N` for a novelty, `D` for a diagram.
    pub(crate) may_be_mark: bool,
}

/// Returns the parts of a move whose first part is the symbol in this range, if that is a single letter.
/// `is_behind_move` tells whether a mark may stand here.
pub(super) fn parts(
    text: &[u8],
    first: Range<usize>,
    is_in_variation: bool,
    is_behind_move: bool,
) -> Option<MoveParts> {
    let letter = &text[first.clone()];
    if !is_letter(letter) {
        return None;
    }
    let may_be_mark = is_behind_move && matches!(letter, b"N" | b"D");
    // `e4 N {better than before} c5`, `e4 N; c5 was known`: the mark is not part of what follows.
    let is_before_comment = match &text[first.end..] {
        [b' ' | b'\t', rest @ ..] => matches!(rest.trim_ascii_start(), [b'{' | b'(' | b';', ..]),
        rest => rest.starts_with(b";"),
    };
    if may_be_mark && is_before_comment {
        return None;
    }
    let parts = MoveParts { joined: letter.to_vec(), last: first, is_plain: true, is_shaped: false, may_be_mark };
    with_next_parts(text, parts, is_in_variation)
}

/// Returns the parts of a move whose first part is the symbol in this range, if that is the beginning of a move to
/// which something is missing: `Nb`, `Qx`, `exd`, `Ng1-`, or a pawn on its last rank.
pub(super) fn parts_of_begun(text: &[u8], first: Range<usize>, is_in_variation: bool) -> Option<MoveParts> {
    let begun = &text[first.clone()];
    let parts = MoveParts { joined: begun.to_vec(), last: first, is_plain: true, is_shaped: false, may_be_mark: false };
    if lacks_piece(begun) {
        return with_promotion(text, parts);
    }
    let [_, rest @ ..] = begun else { return None };
    let is_begun = match rest {
        // `Nbd7` and `R1d1` are whole moves. `Ng1-` is none.
        [.., b'a'..=b'h', b'1'..=b'8'] | [] => false,
        rest => rest.iter().all(|byte| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'X' | b':' | b'-')),
    };
    let is_first = matches!(begun[0], b'A'..=b'Z' | b'a'..=b'h');
    if is_begun && is_first { with_next_parts(text, parts, is_in_variation) } else { None }
}

/// Adds the parts of a move that stand behind the first one. None if they are no move.
fn with_next_parts(text: &[u8], mut parts: MoveParts, is_in_variation: bool) -> Option<MoveParts> {
    let first = parts.joined.len();
    for _ in 1..MOST_PARTS {
        let end = parts.last.end;
        let gap = gap(&text[end..], is_in_variation)?;
        let from = end + gap.length;
        let symbol = symbol(&text[from..]).0.len();
        let (part, rest) = text[from..].split_at(glued_result(&text[from..], symbol).unwrap_or(symbol));
        let is_result = part.len() == 1 && termination(&text[from..]).is_ok();
        if is_result || !continues(part, rest, &parts.joined, parts.joined.len() == first) {
            return None;
        }
        parts.joined.extend_from_slice(part);
        parts.last = from..from + part.len();
        parts.is_plain &= gap.is_plain;
        if lacks_piece(&parts.joined)
            && let Some(whole) = with_promotion(text, parts.clone())
        {
            return Some(whole);
        }
        let goes_on = part.iter().all(|byte| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'X' | b':' | b'-'));
        let is_square = matches!(parts.joined[..], [.., b'a'..=b'h', b'1'..=b'8']);
        if !goes_on || is_square {
            let letter = parts.joined.iter().take_while(|byte| !byte.is_ascii()).count().max(1);
            // Any piece letter will do, of whatever language.
            let file = matches!(parts.joined[0], b'a'..=b'h' | b'x');
            let shape = if file { parts.joined.clone() } else { [b"N", &parts.joined[letter..]].concat() };
            // Behind a bracket that closes nothing, a small letter is the rest of a comment: `c} e5`.
            let is_shaped = is_move_shaped(&shape) || is_move_shaped(&parts.joined);
            parts.is_shaped = (parts.is_plain || !file) && is_shaped;
            return Some(parts);
        }
    }
    None
}

/// Whether the parts so far are the move of a pawn to its last rank, without the piece that it becomes: `a8`, `bxa1=`.
fn lacks_piece(joined: &[u8]) -> bool {
    let pawn = joined.strip_suffix(b"=").unwrap_or(joined);
    matches!(pawn, [b'a'..=b'h', .., b'1' | b'8']) && is_move_shaped(pawn)
}

/// Adds the piece that a pawn becomes, which stands apart from its move: ` =Q`, ` = Q`, ` (Q)`, ` Q`. None if no piece
/// stands there, or if it may belong to the move of a piece, as in `a8 Q xf7`.
fn with_promotion(text: &[u8], mut parts: MoveParts) -> Option<MoveParts> {
    let from = parts.last.end;
    let blanks = |at: usize| at + blanks(near(&text[at..])).map_or(0, |(_, blanks)| blanks.len().min(WIDEST));
    let mut at = blanks(from);
    let has_sign = parts.joined.ends_with(b"=") || matches!(text.get(at), Some(b'=' | b'/'));
    if matches!(text.get(at), Some(b'=' | b'/')) {
        at = blanks(at + 1);
    }
    let has_bracket = text.get(at) == Some(&b'(');
    if has_bracket {
        at = blanks(at + 1);
    }
    let piece = *text.get(at)?;
    if !matches!(piece, b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n') {
        return None;
    }
    at += 1;
    if has_bracket {
        at = blanks(at);
        at += text.get(at).filter(|byte| **byte == b')').map(|_| 1)?;
    }
    let marks = symbol(&text[at..]).0;
    let marks = &marks[..glued_result(&text[at..], marks.len()).unwrap_or(marks.len())];
    if marks.first().is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let next = &text[blanks(at)..];
    let is_of_next = marks.is_empty() && continues(symbol(next).0, &next[symbol(next).0.len()..], b"Q", true);
    if !has_sign && !has_bracket && (is_of_next || piece.is_ascii_lowercase()) {
        return None;
    }
    if !parts.joined.ends_with(b"=") {
        parts.joined.push(b'=');
    }
    parts.joined.push(piece);
    parts.joined.extend_from_slice(marks);
    parts.last = from..at + marks.len();
    parts.is_shaped = true;
    Some(parts)
}

/// Whether a symbol may be a part of a move behind the parts `before`, which are one or more.
fn continues(part: &[u8], rest: &[u8], before: &[u8], is_second: bool) -> bool {
    match part {
        [] => false,
        // A number with a period is a move number.
        [b'1'..=b'8'] => rest.first() != Some(&b'.'),
        // `N 1c3`, `R 8xd8`, `Nbd 7+`, `bxa 8=Q`.
        [b'1'..=b'8', ..] => is_move_shaped(&[before, part].concat()),
        [b'0'..=b'9', ..] => false,
        [b'a'..=b'h' | b'x' | b'X' | b':' | b'-', ..] | [b'A'..=b'H', b'1'..=b'8', ..] => true,
        _ => !is_second,
    }
}

/// Returns the length of text in brackets, if they are closed on the same line within 256 bytes and no tag pair stands
/// in them.
pub(super) fn bracketed(text: &[u8], close: u8) -> Option<usize> {
    let near = &text[..text.len().min(256)];
    let line = &near[..line_end(near, 0)];
    let length = memchr::memchr(close, line)? + 1;
    let inner = memchr::memchr(b'[', &line[1..length]).map(|at| at + 1);
    (!inner.is_some_and(|at| begins_pair(text, at))).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::{bracketed, castling, continues, follows_number, parts, parts_of_begun, piece_in_brackets};
    use crate::symbol::symbol;

    /// Compares the castling with which the text begins. It ends at `|`.
    #[track_caller]
    fn castles(marked: &str) {
        assert_eq!(castling(marked.replace('|', "").as_bytes(), false), marked.find('|'), "{marked}");
    }

    #[test]
    fn castling_may_stand_apart() {
        for text in [
            "O - O| ",
            "O -O|",
            "O- O+| x",
            "O-O -O|",
            "O-O - O#|",
            "0 - 0|!",
            "0-0 -0|",
            "O – O|",
            "O O|",
            "O O O| x",
            "O.O|",
            "O. O. O|",
            "o - o|",
            "О - О|",
            "O-O!-O|",
            "O-O$1-O|",
            "O(x)-O|",
            "O - O - O| O",
            "O.O| O.O",
            "0.0|",
            "0.0.0|",
            "0,0|",
            "O-O{x}-O|",
            "O {x} -O|",
            "O-O\n-O|",
            "O-O O| d6",
            "0-0 0+|",
            "O-\r\nO|",
            "O-O{12345678}-O|",
            "O-O                    -O|",
        ] {
            castles(text);
        }
        for text in [
            "O-O",
            "O-O-O",
            "0-0 0-0",
            "O-O O-O",
            "O-O O-O-O",
            "0 0",
            "0 - 1",
            "1 - 0",
            "O",
            "O e4",
            "O - e4",
            "O-O - e4",
            "O\n\n-O",
            "O-O\nO",
            "O\nO",
            "O-O{123456789}-O",
            "O-O ; -O",
            "O - Ox",
            "00 0",
            "O-O O -O",
            "0-0 0-1",
            "O-O\nO",
        ] {
            castles(text);
        }
    }

    #[test]
    fn a_move_number_stands_before_a_move() {
        for text in ["1.", "1. ", "x 12 ", "3...\n", "(2.", "{c}4) ", "1 - "] {
            assert!(follows_number(text.as_bytes()), "{text}");
        }
        for text in ["", "e4 ", "e4. ", "$1 ", "1. e4 ", "{1} ", "...", "1. {c} ", "(2. e4)"] {
            assert!(!follows_number(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_piece_in_brackets_is_part_of_the_move_behind_it() {
        for text in ["(N)c3", "[N]c3", "<R>1d1", "(S)f3", "(♘)f3", "(K)xe4"] {
            assert!(piece_in_brackets(text.as_bytes()).is_some(), "{text}");
        }
        for text in ["(N) c3", "(D)e4", "(e4)e5", "(N c3)", "[a]e4", "()e4", "(N)", "{N}c3", "(N)1/2", "(±)e4"] {
            assert!(piece_in_brackets(text.as_bytes()).is_none(), "{text}");
        }
    }

    /// Compares the joined parts: `?` behind them stands for an unclear gap, `!` for no shape of a move.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let first = 0..symbol(text.as_bytes()).0.len();
        let shown = parts(text.as_bytes(), first, false, true).map(|parts| {
            let signs = [(!parts.is_plain).then_some("?"), (!parts.is_shaped).then_some("!")];
            let joined = String::from_utf8(parts.joined).unwrap();
            joined + &signs.into_iter().flatten().collect::<String>()
        });
        assert_eq!(shown.unwrap_or_default(), expected, "{text}");
    }

    #[test]
    fn the_parts_of_a_move_are_joined() {
        check("N c3 e5", "Nc3");
        check("N. c3", "Nc3");
        check("N(b1)c3", "Nc3?");
        check("N{x}c3", "Nc3?");
        check(&format!("N{{{}}}c3", "x ".repeat(100)), "Nc3?");
        check("N{a (b) [c] <d>\n; e}c3", "Nc3?");
        check("N(b1 (x) {)})c3", "Nc3?");
        check("N(b1 {)} x)c3", "Nc3?");
        check("N[x(y)]c3", "Nc3?");
        check("N … c3", "Nc3");
        check("s f3", "sf3");
        check("N[c3", "Nc3?");
        check("N<b1><c3", "Nc3?");
        check("R$1d1", "Rd1?");
        check("K x e4", "Kxe4");
        check("e x d 5 c6", "exd5");
        check("e 4 e 5", "e4");
        check("N b d 7", "Nbd7");
        check("♘ f3", "♘f3");
        check("К f3", "Кf3");
        check("a e5", "ae5");
        check("N bogus", "Nbogus!");
    }

    #[test]
    fn what_does_not_continue_a_move_is_no_part() {
        for text in [
            "N 1. c3",
            "N Bc4",
            "D Nf3",
            "N 12 c3",
            "N {better} c3",
            "N (c3) c3",
            "N *",
            "N",
            "Nf c3",
            "+ e4",
            "N 2. d4",
            "± e4",
            "e 1 - 0",
        ] {
            check(text, "");
        }
        check(&format!("K({})c3", "x".repeat(100)), "");
        check("N{x", "");
        check("N(x", "");
        check(&"a ".repeat(100), "");
    }

    /// Compares the joined parts of the move that the first symbol begins, `-` if it begins none, and their end, which
    /// is at `|`.
    #[track_caller]
    fn check_begun(texts: &[(&str, &str)], is_in_variation: bool) {
        for (marked, expected) in texts {
            let text = marked.replace('|', "");
            let first = 0..symbol(text.as_bytes()).0.len();
            let parts = parts_of_begun(text.as_bytes(), first, is_in_variation);
            assert_eq!(parts.as_ref().map(|parts| parts.last.end), marked.find('|'), "{marked}");
            let joined = parts.map(|parts| {
                assert!(parts.is_shaped && !parts.may_be_mark, "{marked}");
                String::from_utf8(parts.joined).unwrap()
            });
            assert_eq!(joined.as_deref().unwrap_or("-"), *expected, "{marked}");
        }
    }

    #[test]
    fn a_move_that_is_begun_goes_on_behind_a_gap() {
        let texts = [
            ("Nb d7| e5", "Nbd7"),
            ("N1 f3|", "N1f3"),
            ("Qx e5|", "Qxe5"),
            ("Q: e5|", "Q:e5"),
            ("Ng1- f3|", "Ng1-f3"),
            ("Ng1x f3+|", "Ng1xf3+"),
            ("e2 e4|", "e2e4"),
            ("exd 5|", "exd5"),
            ("ex d 5|", "exd5"),
            ("Nb. d7|", "Nbd7"),
            ("Nb {c} d7|", "Nbd7"),
            ("Nb d7|1-0", "Nbd7"),
        ];
        check_begun(&texts, false);
        // These are whole moves, single letters, marks or numbers.
        check_begun(&["Nbd7 e5", "R1d1 e5", "N c3", "D e4", "+= e5", "1 e4"].map(|text| (text, "-")), false);
        // What stands behind the gap is no part of a move.
        check_begun(
            &["Nb", "Nb 1. d7", "Nb 12", "Qx *", "Qx Nf3", "exd 1-0", "Nb {d7", "Qx [A \"\"] e5"]
                .map(|text| (text, "-")),
            false,
        );
    }

    #[test]
    fn the_end_of_a_variation_ends_its_moves() {
        check_begun(&[("Qx) e5|", "Qxe5"), ("a8) =Q", "-")], false);
        check_begun(&[("Qx) e5", "-"), ("a8) =Q", "-"), ("Qx e5|) e4", "Qxe5")], true);
    }

    #[test]
    fn the_piece_that_a_pawn_becomes_may_stand_apart() {
        let texts = [
            ("a8 =Q|", "a8=Q"),
            ("a8 = Q|", "a8=Q"),
            ("a8 =q| e5", "a8=q"),
            ("a8= Q|", "a8=Q"),
            ("a8 /N+|", "a8=N+"),
            ("bxa1 (R)#| Kf7", "bxa1=R#"),
            ("bxa1 ( r )| Kf7", "bxa1=r"),
            ("a8 Q|", "a8=Q"),
            ("a8 Q| Kf7", "a8=Q"),
            ("a8 Q+| xf7", "a8=Q+"),
            ("bxa 8 =Q|", "bxa8=Q"),
        ];
        check_begun(&texts, false);
        // The piece moves itself, or there is none.
        let others = ["a8 Q xf7", "a8 Qxf7", "a8 q", "a8 (Q", "a8 (Q xf7)", "a8 =K", "a8 =", "a8", "a7 =Q"];
        check_begun(&others.map(|text| (text, "-")), false);
    }

    #[test]
    fn a_part_goes_on_with_the_parts_before_it() {
        for (part, rest, before, is_second, expected) in [
            ("", "", "N", true, false),
            ("", "", "Nb", false, false),
            ("1", "", "N", true, true),
            ("8", "x", "Nb", false, true),
            ("1", ". e4", "N", true, false),
            ("1c3", "", "N", true, true),
            ("7+", "", "Nbd", false, true),
            ("12", "", "N", true, false),
            ("9", "", "N", true, false),
            ("0", "", "Nb", false, false),
            ("9x", "", "Nb", false, false),
            ("0-0", "", "Nb", false, false),
            ("c3", "", "N", true, true),
            ("xc3", "", "N", true, true),
            (":", "", "N", true, true),
            ("-", "", "Ng1", false, true),
            ("C3", "", "N", true, true),
            ("Bc4", "", "N", true, false),
            ("+", "", "Nc3", false, true),
            ("Q", "", "a8=", false, true),
        ] {
            let found = continues(part.as_bytes(), rest.as_bytes(), before.as_bytes(), is_second);
            assert_eq!(found, expected, "{part:?} behind {before:?}");
        }
        check("N b 9x", "");
        check("N b 0", "");
    }

    #[test]
    fn brackets_close_on_their_line() {
        for (text, expected) in [
            ("[x] y", Some(3)),
            ("[]", Some(2)),
            ("[x", None),
            ("[x\n]", None),
            ("[x[y] z]", Some(5)),
            ("[x [Event \"y\"]", None),
        ] {
            assert_eq!(bracketed(text.as_bytes(), b']'), expected, "{text:?}");
        }
        assert_eq!(bracketed(format!("[{}]", "x".repeat(254)).as_bytes(), b']'), Some(256));
        assert_eq!(bracketed(format!("[{}]", "x".repeat(255)).as_bytes(), b']'), None);
    }
}
