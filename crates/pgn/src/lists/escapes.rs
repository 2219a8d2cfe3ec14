//! Undoes what web pages, addresses, JSON and word processors do to a FEN.

use crate::lists::board::{boards, is_board_byte};

/// Returns the text with escapes replaced by what they stand for: `&#47;`, `%20`, `\/`, the blanks and dashes of
/// typesetters. Blanks beside the slashes of a board are left out. `None` if the text has none of these.
#[doc(hidden)]
pub fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut pluses = Vec::new();
    while let Some(&byte) = rest.first() {
        let (length, meant) = escape(rest).unwrap_or((1, Meant::Byte(byte)));
        pluses.extend((byte == b'+').then_some(plain.len()));
        plain.extend(meant.byte());
        rest = &rest[length..];
    }
    // The query of an address has `+` for blanks, and `%2B` for the sign.
    if !plain.contains(&b' ') && [&b"://"[..], b"fen="].iter().any(|part| memchr::memmem::find(&plain, part).is_some())
    {
        pluses.into_iter().for_each(|at| plain[at] = b' ');
    }
    if boards(&plain).next().is_none() {
        plain = without_blanks_at_slashes(&plain);
    }
    (plain != text).then_some(plain)
}

/// What an escape stands for.
#[derive(Clone, Copy)]
enum Meant {
    Byte(u8),
    /// A character without a width.
    Nothing,
}

impl Meant {
    fn byte(self) -> Option<u8> {
        match self {
            Self::Byte(byte) => Some(byte),
            Self::Nothing => None,
        }
    }

    /// Returns what a character stands for in a FEN, if that is one byte.
    fn of(char: char) -> Option<Self> {
        Some(match char {
            '\t' | '\n' | '\r' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
                Self::Byte(b' ')
            }
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => Self::Nothing,
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => Self::Byte(b'-'),
            '\u{2044}' | '\u{2215}' | '\u{ff0f}' => Self::Byte(b'/'),
            _ if char.is_ascii() && !char.is_ascii_control() => Self::Byte(u8::try_from(u32::from(char)).ok()?),
            _ => return None,
        })
    }
}

/// Returns the length of the escape that a text begins with, and what it stands for.
fn escape(text: &[u8]) -> Option<(usize, Meant)> {
    match text {
        [b'%', high, low, ..] => Some((3, Meant::of(char::from(hex(&[*high, *low])?))?)),
        [b'\\', b'u', digits @ ..] => Some((6, Meant::of(char::from_u32(number(digits.get(..4)?, 16)?)?)?)),
        [b'\\', b't' | b'n' | b'r', ..] => Some((2, Meant::Byte(b' '))),
        [b'\\', byte @ (b'/' | b'"' | b'\\' | b'\'' | b'-' | b'_'), ..] => Some((2, Meant::Byte(*byte))),
        [b'&', rest @ ..] => {
            let length = rest.iter().take(10).position(|byte| *byte == b';')?;
            let meant = match &rest[..length] {
                [b'#', b'x' | b'X', digits @ ..] => Meant::of(char::from_u32(number(digits, 16)?)?)?,
                [b'#', digits @ ..] => Meant::of(char::from_u32(number(digits, 10)?)?)?,
                b"sol" => Meant::Byte(b'/'),
                b"nbsp" | b"ensp" | b"emsp" | b"thinsp" => Meant::Byte(b' '),
                b"ndash" | b"mdash" | b"minus" | b"hyphen" | b"dash" => Meant::Byte(b'-'),
                b"quot" => Meant::Byte(b'"'),
                b"apos" => Meant::Byte(b'\''),
                b"lowbar" => Meant::Byte(b'_'),
                b"amp" => Meant::Byte(b'&'),
                b"lt" => Meant::Byte(b'<'),
                b"gt" => Meant::Byte(b'>'),
                _ => return None,
            };
            Some((length + 2, meant))
        }
        [0xC0..=0xFF, ..] => {
            let end = (2..=text.len().min(4)).find(|end| str::from_utf8(&text[..*end]).is_ok())?;
            let char = str::from_utf8(&text[..end]).ok()?.chars().next()?;
            Some((end, Meant::of(char)?))
        }
        _ => None,
    }
}

fn hex(digits: &[u8]) -> Option<u8> {
    u8::try_from(number(digits, 16)?).ok()
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    u32::from_str_radix(str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?, radix).ok()
}

/// Returns the text without blanks between a slash and another byte of a board.
fn without_blanks_at_slashes(text: &[u8]) -> Vec<u8> {
    let mut plain: Vec<u8> = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let blanks = text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let (before, behind) = (plain.last(), text.get(at + blanks));
        let is_slash = before == Some(&b'/') || behind == Some(&b'/');
        let is_board = |byte: Option<&u8>| byte.is_some_and(|byte| is_board_byte(*byte));
        if blanks == 0 || !(is_slash && is_board(before) && is_board(behind)) {
            plain.extend_from_slice(&text[at..at + blanks]);
        }
        at += blanks;
        plain.extend(text.get(at));
        at += 1;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let plain = unescaped(text.as_bytes()).map(|plain| String::from_utf8(plain).unwrap());
        assert_eq!(plain.as_deref(), expected, "{text}");
    }

    #[test]
    fn escapes_are_what_they_stand_for() {
        check("4k3&#x2F;8&#47;8&sol;8 w&nbsp;&ndash; -", Some("4k3/8/8/8 w - -"));
        check("4k3%2F8%20w%20-", Some("4k3/8 w -"));
        check(r"4k3\/8\/8\u002f8 w \u002d", Some("4k3/8/8/8 w -"));
        check("4k3\u{2215}8 w \u{2013} \u{200b}\u{2014}\u{a0}0", Some("4k3/8 w - - 0"));
        check("https://a.b/?fen=4k3/8+w+-+-", Some("https://a.b/?fen=4k3/8 w - -"));
        check("fen=4k3%2F8+w+-+-+3%2B1", Some("fen=4k3/8 w - - 3+1"));
        check("4k3 / 8 /8/ 8 w - - / x", Some("4k3/8/8/8 w - - / x"));
    }

    #[test]
    fn other_text_stays_as_it_is() {
        for text in
            ["", "4k3/8/8/8 w - - 0 1", "100% & more; 5 %zz", r"a \x \u12", "Müller", "a+b", "&unknown;", "%C3%BC"]
        {
            check(text, None);
        }
    }

    #[test]
    fn every_escape_of_a_web_page_or_of_json_is_read() {
        check(r"4k3/8\tw\n-\r-", Some("4k3/8 w - -"));
        check(r#"\"4k3\/8\\ \'x\' \-\_"#, Some("\"4k3/8\\ 'x' -_"));
        check("&quot;&apos;&lowbar;&amp;&lt;&gt;", Some("\"'_&<>"));
        check("a&ensp;b&emsp;c&thinsp;d", Some("a b c d"));
        check("&mdash;&minus;&hyphen;&dash;", Some("----"));
    }
}
