//! Classes of bytes: white space, line breaks, escapes, comments and symbols (PGN standard §3.2.2, §5, §6, §7).
//!
//! Every function reads bytes from a place on and returns how far something extends. This module does not know games.

use nom::IResult;
use nom::Parser;
use nom::character::complete::char;
use nom::sequence::delimited;
use pgn2fen_chess::white_space::{self, may_begin_blank};

/// The greatest number of bytes behind a piece of text that may be read to decide what the text is. A decision that
/// takes nothing reads a quarter of it: see [`near`]. A search for a tag pair behind text without a meaning reads half
/// of it, not counting comments and white space, and what it passes is read once more at most. Only a search that takes
/// everything it passes may read more.
///
/// So a reader that holds this many bytes behind the start of a game can read the game before it to its end.
#[doc(hidden)]
pub const LOOKAHEAD: usize = 16 * 1024;

/// Returns the beginning of a text that may be read for a decision that takes nothing.
pub(crate) fn near(text: &[u8]) -> &[u8] {
    &text[..text.len().min(LOOKAHEAD / 4)]
}

const BLANK: u8 = 1;
const DELIMITER: u8 = 2;
const NAME: u8 = 4;
const STRING_END: u8 = 8;
const VARIATION: u8 = 16;
const DECISION: u8 = 32;

/// The classes of each byte. A table, so that the hot loops need one look-up for each byte.
static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    mark(&mut class, b" \t\n\x0B\x0C\r\0\x1A", BLANK | DELIMITER);
    // Every control character ends a symbol, because it ends a word where words are read eight bytes at a time.
    let mut control = 0;
    while control < b' ' {
        class[control as usize] |= DELIMITER;
        control += 1;
    }
    // The last six begin white space and separators of several bytes, which are checked one by one.
    mark(&mut class, b"{}()[]<>;$\"!?,.*\xC2\xD8\xE1\xE2\xE3\xEF", DELIMITER);
    mark(&mut class, b"_+#=:-", NAME);
    mark(&mut class, b"\"\\\n\r", STRING_END);
    mark(&mut class, b"(){;%[", VARIATION);
    mark(&mut class, b"{;%([<*-/:\r\n\xC2\xE2", DECISION);
    mark(&mut class, b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", NAME);
    class
};

const fn mark(class: &mut [u8; 256], bytes: &[u8], bit: u8) {
    let mut i = 0;
    while i < bytes.len() {
        class[bytes[i] as usize] |= bit;
        i += 1;
    }
}

/// Whether the byte may end the content of a string: a quote, an escape or a line break.
#[inline]
pub(crate) fn may_end_string(byte: u8) -> bool {
    CLASS[byte as usize] & STRING_END != 0
}

/// Whether the byte matters when a variation is skipped.
#[inline]
pub(crate) fn matters_in_variation(byte: u8) -> bool {
    CLASS[byte as usize] & VARIATION != 0
}

/// Whether the byte may decide where a game ends, or begins text in which no byte decides that.
#[inline]
pub(crate) fn may_end_game(byte: u8) -> bool {
    CLASS[byte as usize] & DECISION != 0
}

/// Character classes as comparisons, which the compiler can make for many bytes at a time. Bytes that differ in one bit
/// are compared together.
pub(crate) mod compared {
    /// One of `( ) { [ ; %`.
    #[inline(always)]
    pub(crate) const fn matters_in_variation(byte: u8) -> bool {
        (byte & !1 == b'(') | (byte | 0x20 == b'{') | (byte == b';') | (byte == b'%')
    }

    /// One of `{ [ ( * - / : ; < %`, a line break, or the first byte of ½ or a dash.
    #[inline(always)]
    pub(crate) const fn may_end_game(byte: u8) -> bool {
        (byte | 0x20 == b'{')
            | (byte & !2 == b'(')
            | (byte & !2 == b'-')
            | (byte.wrapping_sub(b':') < 3)
            | (byte == b'%')
            | (byte == b'\n')
            | (byte == b'\r')
            | (byte & !0x20 == 0xC2)
    }
}

/// Whether the byte is white space: space, tab, line breaks, vertical tab, form feed, and the bytes NUL and SUB, which
/// occur in real files.
#[inline]
#[doc(hidden)]
pub fn is_blank(byte: u8) -> bool {
    CLASS[byte as usize] & BLANK != 0
}

/// Returns the text without white space at its ends.
pub(crate) fn trimmed(text: &[u8]) -> &[u8] {
    let text = without_blanks_before(text);
    let end = text.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1);
    &text[..end]
}

/// Returns the text without white space at its end, of whatever width.
pub(crate) fn without_blanks_behind(mut text: &[u8]) -> &[u8] {
    while let Some((last, before)) = text.split_last() {
        let width = if is_blank(*last) { 1 } else { white_space::wide_blank_before(text) };
        if width == 0 {
            break;
        }
        text = if width == 1 { before } else { &text[..text.len() - width] };
    }
    text
}

/// Returns the text without white space at its start.
#[inline]
pub(crate) fn without_blanks_before(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_blank(*byte)).unwrap_or(text.len());
    &text[start..]
}

/// Whether the byte may end a symbol. The first bytes of white space of several bytes are included, and need another
/// check.
#[inline]
pub(crate) fn is_delimiter(byte: u8) -> bool {
    CLASS[byte as usize] & DELIMITER != 0
}

/// Whether the byte may be part of a tag name: letters, digits and underscore, as in the standard, and the other bytes
/// of a symbol (§7).
#[inline]
pub(crate) fn is_name(byte: u8) -> bool {
    CLASS[byte as usize] & NAME != 0
}

/// Whether the byte is LF or CR. Lines end with LF, CRLF or CR.
#[inline]
pub(crate) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns the length in bytes of white space of several bytes, or of a byte that is white space only where a token may
/// begin. Otherwise 0.
#[inline]
pub(crate) fn wide_blank(text: &[u8]) -> usize {
    match text {
        [0xA0, ..] => 1,
        [byte, ..] if may_begin_blank(*byte) => white_space::wide_blank(text),
        _ => 0,
    }
}

/// Whether white space begins here that is never reported as odd: space, tab, line breaks, and U+FEFF, which stands
/// where files were joined.
pub(crate) fn is_plain_blank(text: &[u8]) -> bool {
    matches!(text, [b' ' | b'\t' | b'\n' | b'\r', ..] | [0xEF, 0xBB, 0xBF, ..])
}

/// Returns the end of the line that contains `from`: the start of its line break, or the end of the text.
#[inline]
#[doc(hidden)]
pub fn line_end(text: &[u8], from: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text[from..]).map_or(text.len(), |at| from + at)
}

/// Returns the line break that a text uses, judged by its last one.
pub(crate) fn line_break(text: &[u8]) -> &'static [u8] {
    match memchr::memrchr2(b'\n', b'\r', text).map(|at| &text[..=at]) {
        Some([.., b'\r', b'\n']) => b"\r\n",
        Some([.., b'\r']) => b"\r",
        _ => b"\n",
    }
}

/// Whether `at` is the first column of a line. The first byte of a text counts as the start of a line.
#[inline]
pub(crate) fn is_line_start(text: &[u8], at: usize) -> bool {
    at == 0 || is_line_end(text[at - 1])
}

/// Any white space.
pub(crate) fn blanks(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let mut end = 0;
    while let Some(byte) = input.get(end) {
        let width = if is_blank(*byte) { 1 } else { wide_blank(&input[end..]) };
        if width == 0 {
            break;
        }
        end += width;
    }
    Ok((&input[end..], &input[..end]))
}

/// A comment in braces. It ends at the first closing brace, because braces do not nest (§5). Returns the text between
/// the braces.
pub(crate) fn brace_comment(input: &[u8]) -> IResult<&[u8], &[u8]> {
    delimited(char('{'), until_brace, char('}')).parse(input)
}

fn until_brace(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let end = memchr::memchr(b'}', input).unwrap_or(input.len());
    Ok((&input[end..], &input[..end]))
}

#[cfg(test)]
mod tests {
    use super::{brace_comment, compared, is_line_start, line_end, matters_in_variation, may_end_game, wide_blank};

    #[test]
    fn comparisons_say_what_the_class_says() {
        for byte in 0..=255 {
            assert_eq!(compared::matters_in_variation(byte), matters_in_variation(byte), "{byte}");
            assert_eq!(compared::may_end_game(byte), may_end_game(byte), "{byte}");
        }
    }

    #[test]
    fn a_brace_comment_ends_at_the_first_closing_brace() {
        assert_eq!(brace_comment(b"{a {b} c}"), Ok((&b" c}"[..], &b"a {b"[..])));
        assert!(brace_comment(b"{a").is_err());
    }

    #[test]
    fn lines_end_with_lf_crlf_or_cr() {
        assert_eq!(line_end(b"ab\r\ncd", 0), 2);
        assert_eq!(line_end(b"ab\rcd", 0), 2);
        assert_eq!(line_end(b"ab", 0), 2);
        assert!(is_line_start(b"a\rb", 2));
        assert!(!is_line_start(b"a b", 2));
    }

    #[test]
    fn nbsp_and_bom_are_blanks() {
        assert_eq!(wide_blank("\u{a0}x".as_bytes()), 2);
        assert_eq!(wide_blank("\u{feff}x".as_bytes()), 3);
        assert_eq!(wide_blank(b"\xA0x"), 1);
        assert_eq!(wide_blank("é".as_bytes()), 0);
    }
}
