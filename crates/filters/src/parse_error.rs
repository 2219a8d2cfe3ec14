//! The error for filters and ranges that do not parse.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use crate::tag_value::boundary;

/// The error for a filter or a range that does not parse. It is displayed with the text, and with carets under the
/// wrong part:
///
/// ```text
/// => is not an operator; did you mean >=?
///     WhiteElo=>2200
///             ^^
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    reason: String,
    /// The line of the text with the wrong part, or the part around it.
    text: String,
    /// The wrong part, as a range of bytes of the text that is shown.
    place: Range<usize>,
}

impl ParseError {
    /// Makes a mistake in a range of bytes of a text. Of the text, the line with the fault is shown, and of a long line
    /// the part around the fault. Control characters are shown as blanks.
    #[doc(hidden)]
    pub fn new(text: &str, place: Range<usize>, reason: impl Into<String>) -> Self {
        let boundary = |at| boundary(text, at);
        let start = boundary(place.start);
        let line_start = text[..start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let line_end = text[start..].find(['\n', '\r']).map_or(text.len(), |length| start + length);
        let from = line_start.max(boundary(start.saturating_sub(NEAR)));
        let until = line_end.min(boundary(start + NEAR).max(start));
        let end = boundary(place.end).clamp(start, until);
        // An ellipsis (three bytes) marks each end where the line is cut.
        let before = if from > line_start { "…" } else { "" };
        let behind = if until < line_end { "…" } else { "" };
        let shown: String = text[from..until].chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        let moved = |at: usize| {
            before.len()
                + text[from..at].chars().map(|char| if char.is_control() { 1 } else { char.len_utf8() }).sum::<usize>()
        };
        let place = moved(start)..moved(end);
        Self { reason: reason.into(), text: format!("{before}{shown}{behind}"), place }
    }
}

/// The greatest number of bytes of a line that are shown before the start of a fault, and from its start on.
const NEAR: usize = 60;

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, text, place } = self;
        if text.is_empty() {
            return f.write_str(reason);
        }
        let count = |range: Range<usize>| text.get(range).map_or(0, |text| text.chars().count());
        let (before, width) = (count(0..place.start), count(place.clone()).max(1));
        write!(f, "{reason}\n    {text}\n    {}{}", " ".repeat(before), "^".repeat(width))
    }
}

impl Error for ParseError {}

#[cfg(test)]
mod tests {
    use super::ParseError;

    #[track_caller]
    fn check(text: &str, place: std::ops::Range<usize>, shown: &str, under: &str) {
        let mistake = ParseError::new(text, place, "wrong").to_string();
        assert_eq!(mistake, format!("wrong\n    {shown}\n    {under}"));
    }

    #[test]
    fn of_a_text_of_any_length_what_is_near_is_shown() {
        check("abc", 1..2, "abc", " ^");
        check("abc", 3..3, "abc", "   ^");
        for length in [62, 1000, 65_536, 1 << 20] {
            let text = "x".repeat(length);
            let near = "x".repeat(60);
            check(&text, 0..length, &format!("{near}…"), &"^".repeat(60));
            check(&text, length..length, &format!("…{near}"), &format!("{}^", " ".repeat(61)));
            check(&text, length - 1..length, &format!("…{near}x"), &format!("{}^", " ".repeat(61)));
        }
        // A character is not cut.
        let text = "é".repeat(50_000);
        check(&text, 0..text.len(), &format!("{}…", "é".repeat(30)), &"^".repeat(30));
    }

    #[test]
    fn the_line_with_the_fault_is_shown_without_control_characters() {
        check("one\ntwo\tx\u{1b}[31m\nthree", 4..7, "two x [31m", "^^^");
        check("one\r\ntwo", 5..8, "two", "^^^");
    }
}
