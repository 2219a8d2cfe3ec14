//! The text of a game that is made of a record or a row: tag pairs, movetext, and what stands for a record that cannot
//! be read.

use pgn2fen_pgn::copies::missing_end;
#[cfg(feature = "records")]
use pgn2fen_pgn::unreadable::UNREADABLE;

/// What stands between the parts of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spacing {
    /// The game is one line.
    OneLine,
    /// The game has a line for each tag pair, as in files of PGN.
    Lines,
}

impl Spacing {
    /// Returns what stands behind a tag pair.
    pub(crate) fn byte(self) -> u8 {
        if self == Self::OneLine { b' ' } else { b'\n' }
    }

    /// Appends what stands between the tags and the moves.
    pub(crate) fn before_moves(self, out: &mut Vec<u8>) {
        if self == Self::Lines {
            out.push(b'\n');
        }
    }

    /// Appends what stands behind a game.
    pub(crate) fn after_game(self, out: &mut Vec<u8>) {
        out.push(b'\n');
        self.before_moves(out);
    }
}

/// Appends a tag pair.
pub(crate) fn pair(out: &mut Vec<u8>, name: &[u8], value: &[u8], spacing: Spacing) {
    out.push(b'[');
    out.extend_from_slice(name);
    out.extend_from_slice(b" \"");
    escape(value, out);
    out.extend_from_slice(&[b'"', b']', spacing.byte()]);
}

/// Appends a tag pair whose name and value have several parts.
#[cfg(feature = "records")]
pub(crate) fn pair_of(out: &mut Vec<u8>, name: [&[u8]; 2], value: &[&[u8]], spacing: Spacing) {
    out.push(b'[');
    name.iter().for_each(|part| out.extend_from_slice(part));
    out.extend_from_slice(b" \"");
    value.iter().for_each(|part| escape(part, out));
    out.extend_from_slice(&[b'"', b']', spacing.byte()]);
}

/// Appends a value with `"` and `\` escaped (PGN standard, section 7). Control characters become blanks, because a tag
/// value is on one line.
pub(crate) fn escape(text: &[u8], out: &mut Vec<u8>) {
    let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    // Without an early end, many bytes are compared at once.
    if text.iter().fold(true, |are_plain, byte| are_plain & is_plain(*byte)) {
        return out.extend_from_slice(text);
    }
    for byte in text {
        match byte {
            b'"' | b'\\' => out.extend([b'\\', *byte]),
            0..b' ' => out.push(b' '),
            _ => out.push(*byte),
        }
    }
}

/// Appends a number with at least so many digits.
pub(crate) fn digits(out: &mut Vec<u8>, number: u64, least: usize) {
    // Digits fit in bytes.
    let digit = |number: u64| b'0' + (number % 10) as u8;
    match (number, least) {
        (0..10, 1) => return out.push(digit(number)),
        (0..100, 2) | (10..100, _) => return out.extend([digit(number / 10), digit(number)]),
        (100..1000, _) => return out.extend([digit(number / 100), digit(number / 10), digit(number)]),
        _ => {}
    }
    let mut text = [b'0'; 20];
    let (mut rest, mut start) = (number, text.len());
    while rest > 0 {
        start -= 1;
        text[start] = digit(rest);
        rest /= 10;
    }
    out.extend_from_slice(&text[start.min(text.len() - least)..]);
}

/// Appends a game that stands for a record that cannot be read.
#[cfg(feature = "records")]
pub(crate) fn unreadable(out: &mut Vec<u8>, reason: &str, record: &[u8], spacing: Spacing) {
    pair(out, b"FEN", format!("{UNREADABLE}{reason}").as_bytes(), spacing);
    let shown = &record[..record.len().min(80)];
    pair(out, b"Record", String::from_utf8_lossy(shown).trim_end_matches('\u{fffd}').as_bytes(), spacing);
    spacing.before_moves(out);
    out.push(b'*');
    spacing.after_game(out);
}

/// Appends movetext that somebody else has written, which may have tag pairs. `start` is the start of the game in the
/// text. A game without a result ends with this one.
pub(crate) fn movetext(out: &mut Vec<u8>, start: usize, text: &[u8], result: &str, spacing: Spacing) {
    let text = text.trim_ascii();
    match spacing {
        Spacing::Lines => out.extend_from_slice(text),
        Spacing::OneLine if is_one_line(text) => out.extend_from_slice(text),
        Spacing::OneLine => join_lines(text, out),
    }
    if let Some(marks) = missing_end(&out[start..]) {
        out.push(spacing.byte());
        out.extend_from_slice(&marks);
        out.extend_from_slice(result.as_bytes());
    }
    spacing.after_game(out);
}

fn is_one_line(text: &[u8]) -> bool {
    memchr::memchr3(b'\n', b'\r', b';', text).is_none() && !text.starts_with(b"%")
}

/// Appends a text on one line: line breaks become blanks, comments up to the end of a line become comments in braces,
/// and escaped lines are left out.
fn join_lines(text: &[u8], out: &mut Vec<u8>) {
    let has_escaped = [&b"\n%"[..], b"\r%"].iter().any(|mark| memchr::memmem::find(text, mark).is_some());
    if memchr::memchr(b';', text).is_none() && !has_escaped && !text.starts_with(b"%") {
        let start = out.len();
        out.extend_from_slice(text);
        for byte in &mut out[start..] {
            *byte = if matches!(*byte, b'\n' | b'\r') { b' ' } else { *byte };
        }
        return;
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Within {
        Movetext,
        Value,
        Braces,
        Semicolon,
        Escaped,
    }
    let mut within = Within::Movetext;
    let (mut is_line_start, mut is_escaped) = (true, false);
    for byte in text {
        let ends_line = matches!(byte, b'\n' | b'\r');
        match (within, byte) {
            (Within::Movetext, b'%') if is_line_start => within = Within::Escaped,
            (Within::Movetext, b';') => {
                within = Within::Semicolon;
                out.push(b'{');
            }
            (Within::Semicolon, _) if ends_line => {
                within = Within::Movetext;
                out.extend_from_slice(b"} ");
            }
            (Within::Escaped, _) if ends_line => within = Within::Movetext,
            (Within::Semicolon, b'}') => out.push(b')'),
            (Within::Escaped, _) => {}
            (Within::Movetext, b'{') => {
                within = Within::Braces;
                out.push(b'{');
            }
            (Within::Braces, b'}') => {
                within = Within::Movetext;
                out.push(b'}');
            }
            (Within::Movetext, b'"') => {
                within = Within::Value;
                out.push(b'"');
            }
            (Within::Value, b'"') if !is_escaped => {
                within = Within::Movetext;
                out.push(b'"');
            }
            (Within::Value, _) if ends_line => {
                within = Within::Movetext;
                out.push(b' ');
            }
            _ if ends_line => out.push(b' '),
            _ => out.push(*byte),
        }
        is_escaped = *byte == b'\\' && !is_escaped;
        is_line_start = ends_line;
    }
    if within == Within::Semicolon {
        out.push(b'}');
    }
}

#[cfg(all(test, feature = "records"))]
mod tests {
    use super::{Spacing, digits, join_lines, movetext, pair, unreadable};

    #[test]
    fn tag_values_are_escaped() {
        let mut out = Vec::new();
        pair(&mut out, b"White", b"a \"b\" \\ c\nd", Spacing::Lines);
        assert_eq!(out, b"[White \"a \\\"b\\\" \\\\ c d\"]\n");
    }

    #[test]
    fn a_record_that_cannot_be_read_is_one_line() {
        let mut out = Vec::new();
        unreadable(&mut out, "no FEN", b"a,\"b\"\nc", Spacing::OneLine);
        let expected = "[FEN \"unreadable record: no FEN\"] [Record \"a,\\\"b\\\" c\"] *\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn numbers_have_leading_zeros() {
        let written = |number, least| {
            let mut out = Vec::new();
            digits(&mut out, number, least);
            String::from_utf8(out).unwrap()
        };
        assert_eq!([written(0, 1), written(7, 2), written(120, 2)], ["0", "07", "120"]);
        assert_eq!(written(u64::MAX, 1), u64::MAX.to_string());
    }

    #[test]
    fn lines_are_joined() {
        let joined = |text: &str| {
            let mut out = Vec::new();
            join_lines(text.as_bytes(), &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(joined("[White \"A\"]\r\n\r\n1. e4\ne5 *"), "[White \"A\"]    1. e4 e5 *");
        assert_eq!(joined("1. e4 ; good {1}\ne5 *"), "1. e4 { good {1)} e5 *");
        assert_eq!(joined("[White \"A; \\\"B\"]\n{a;\nb} 1. e4 ; c"), "[White \"A; \\\"B\"] {a; b} 1. e4 { c}");
        assert_eq!(joined("1. e4 {[%eval 1]}\ne5"), "1. e4 {[%eval 1]} e5");
        assert_eq!(joined("%x\n1. e4 %\n%y\n*"), "1. e4 % *");
        assert_eq!(joined("[White \"A]\n1. e4 ; b\n*"), "[White \"A] 1. e4 { b} *");
    }

    #[test]
    fn a_game_ends_with_a_result() {
        let written = |text: &str| {
            let mut out = b"[White \"A\"] ".to_vec();
            movetext(&mut out, 0, text.as_bytes(), "1-0", Spacing::OneLine);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written("1. e4 e5 0-1"), "[White \"A\"] 1. e4 e5 0-1\n");
        assert_eq!(written("1. e4 e5"), "[White \"A\"] 1. e4 e5 1-0\n");
        assert_eq!(written("1. e4 (1. d4 {x"), "[White \"A\"] 1. e4 (1. d4 {x })1-0\n");
        assert_eq!(written(""), "[White \"A\"]  1-0\n");
    }
}
