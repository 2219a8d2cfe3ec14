//! What bytes are: white space, line ends, escapes, comments and symbols (PGN standard §3.2.2, §5, §6, §7).
//!
//! Every function looks at bytes from a place on and says how far something reaches. Nothing here knows games.

use nom::IResult;
use nom::Parser;
use nom::bytes::complete::take_while;
use nom::character::complete::char;
use nom::sequence::delimited;

/// No decision about what a piece of text is looks further ahead than this many bytes past where it ends, except a
/// search that takes everything it passes.
///
/// So a reader that holds this much text after the start of a game knows all about the game before it.
pub const LOOKAHEAD: usize = 16 * 1024;

/// The beginning of a text, as far as a decision may look at it that takes nothing.
pub(crate) fn near(text: &[u8]) -> &[u8] {
    &text[..text.len().min(LOOKAHEAD / 4)]
}

const BLANK: u8 = 1;
const DELIMITER: u8 = 2;
const NAME: u8 = 4;
const STRING_END: u8 = 8;
const VARIATION: u8 = 16;
const DECISION: u8 = 32;

/// What each byte may be. One table, so that the hot loops ask one question a byte.
static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    mark(&mut class, b" \t\n\x0B\x0C\r\0\x1A", BLANK | DELIMITER);
    // Any control character ends a word where words are looked at eight bytes at a time, so it ends a symbol, too.
    let mut control = 0;
    while control < b' ' {
        class[control as usize] |= DELIMITER;
        control += 1;
    }
    // Multi-byte blanks and separators hide behind the last three: they are looked at one by one.
    mark(&mut class, b"{}()[]<>;$\"!?,.*\xC2\xE2\xEF", DELIMITER);
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

/// A byte that may end the content of a string: its quote, an escape, a line end.
#[inline]
pub(crate) fn may_end_string(byte: u8) -> bool {
    CLASS[byte as usize] & STRING_END != 0
}

/// A byte that means something to whoever passes over a variation.
#[inline]
pub(crate) fn matters_in_variation(byte: u8) -> bool {
    CLASS[byte as usize] & VARIATION != 0
}

/// A byte that may decide where a game ends, or open something in which no byte does.
#[inline]
pub(crate) fn may_end_game(byte: u8) -> bool {
    CLASS[byte as usize] & DECISION != 0
}

/// What the class says of one byte, as comparisons, of which many can be made at a time. Bytes that differ in one bit are
/// compared together.
pub(crate) mod compared {
    /// One of `( ) { [ ; %`.
    #[inline(always)]
    pub(crate) const fn matters_in_variation(byte: u8) -> bool {
        (byte & !1 == b'(') | (byte | 0x20 == b'{') | (byte == b';') | (byte == b'%')
    }

    /// One of `{ [ ( * - / : ; < %`, a line end, or the first byte of ½ or a dash.
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

/// White space of one byte: space, tab, line ends, vertical tab, form feed, and the NUL and SUB bytes found in the wild.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    CLASS[byte as usize] & BLANK != 0
}

/// A byte that may end a symbol. The lead bytes of multi-byte blanks are among them and have to be looked at.
#[inline]
pub(crate) fn is_delimiter(byte: u8) -> bool {
    CLASS[byte as usize] & DELIMITER != 0
}

/// A byte of a tag name: the standard's letters, digits and underscore, and the other bytes of a symbol (§7).
#[inline]
pub(crate) fn is_name(byte: u8) -> bool {
    CLASS[byte as usize] & NAME != 0
}

/// A line ends with LF, CRLF or CR.
#[inline]
pub(crate) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// White space that spans several bytes, or counts only where a token could begin: its length in bytes, else 0.
#[inline]
pub(crate) fn wide_blank(text: &[u8]) -> usize {
    match text {
        [0xC2, 0xA0, ..] => 2,
        [0xEF, 0xBB, 0xBF, ..] => 3,
        [0xA0, ..] => 1,
        _ => 0,
    }
}

/// The blank that is never odd: space, tab, line ends, and U+FEFF, which marks where files were joined.
pub(crate) fn is_plain_blank(text: &[u8]) -> bool {
    matches!(text, [b' ' | b'\t' | b'\n' | b'\r', ..] | [0xEF, 0xBB, 0xBF, ..])
}

/// Where the line that holds `from` ends: the place of its line end, or the end of the text.
#[inline]
pub(crate) fn line_end(text: &[u8], from: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text[from..]).map_or(text.len(), |at| from + at)
}

/// Whether `at` stands in the first column. The first byte of a text counts as if a line began there.
#[inline]
pub(crate) fn is_line_start(text: &[u8], at: usize) -> bool {
    at == 0 || is_line_end(text[at - 1])
}

/// Any white space.
pub(crate) fn blanks(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while(is_blank).parse(input)
}

/// A commentary in braces: to the first closing brace; braces do not nest (§5). Gives the text between them.
pub(crate) fn brace_comment(input: &[u8]) -> IResult<&[u8], &[u8]> {
    delimited(char('{'), until_brace, char('}')).parse(input)
}

fn until_brace(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let end = memchr::memchr(b'}', input).unwrap_or(input.len());
    Ok((&input[end..], &input[..end]))
}

/// The escape mechanism: a line that begins with `%` (§6), or the rest of a line behind `;` (§5). Gives the text behind
/// the mark; the line end is left.
pub(crate) fn to_line_end(input: &[u8]) -> &[u8] {
    &input[..line_end(input, 0)]
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
