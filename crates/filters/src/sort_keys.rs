//! Orders of games by their tags: `Date,-WhiteElo`.

use std::ops::Range;
use std::str::FromStr;

use crate::parse_error::ParseError;
use crate::span::Span;
use pgn2fen_pgn::encoding::Fallback;
use pgn2fen_pgn::tag_kind::TagKind;
use pgn2fen_pgn::tags::Tags;

/// An order of games by some of their tags, such as `Date,Round` or `-WhiteElo,Date`. Games with equal values of the
/// first tag are ordered by the second, and so on. A `-` before a name means descending order.
///
/// The [kind](TagKind) of a tag decides how values are compared, as for a [`TagFilter`](crate::TagFilter):
/// dates, times, time controls, ratings, numbers and rounds by their size, and a partly known date by its first day. In
/// other tags, whole values that are numbers come before texts, and texts are compared without regard to case. Values
/// that are missing or unknown come last in both directions.
///
/// ```
/// use pgn2fen_filters::SortKeys;
///
/// let keys: SortKeys = "-WhiteElo,Date".parse()?;
/// assert_eq!(keys.tags().collect::<Vec<_>>(), ["WhiteElo", "Date"]);
/// # Ok::<(), pgn2fen_filters::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortKeys(Vec<SortKey>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct SortKey {
    tag: Box<str>,
    kind: TagKind,
    is_descending: bool,
}

/// The first byte of the key of a value. Unknown values come last.
const KNOWN: u8 = 0;
const UNKNOWN: u8 = 1;

/// The greatest length of a text in a key, in bytes.
const MOST_TEXT: usize = 256;

impl SortKeys {
    /// Returns the names of the tags.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|key| &*key.tag)
    }

    /// Appends the key of a game: bytes whose order is the order of the games.
    #[doc(hidden)]
    pub fn append(&self, tags: &Tags<'_>, encoding: &Fallback, out: &mut Vec<u8>) {
        for key in &self.0 {
            key.append(&tags.value(&key.tag).unwrap_or_default().decode_from(encoding), out);
        }
    }
}

impl SortKey {
    fn append(&self, value: &str, out: &mut Vec<u8>) {
        let start = out.len();
        let is_known = !self.kind.is_unknown(value) && append_value(self.kind, value, out);
        if !is_known {
            out.truncate(start);
            out.push(UNKNOWN);
        } else if self.is_descending {
            out[start + 1..].iter_mut().for_each(|byte| *byte = !*byte);
        }
    }
}

/// Appends the key of a value in ascending order. Returns whether the value can be read.
fn append_value(kind: TagKind, value: &str, out: &mut Vec<u8>) -> bool {
    out.push(KNOWN);
    if kind != TagKind::Text {
        let span = Span::of_value(kind, value);
        out.extend(span.map(Span::key).into_iter().flatten());
        return span.is_some();
    }
    match Span::of_value(TagKind::Number, value) {
        Some(number) => {
            out.push(0);
            out.extend(number.key());
        }
        None => {
            out.push(1);
            let small = value.trim().to_lowercase();
            // No text has the byte at its end, which must be less than all bytes of texts.
            out.extend(small.bytes().take(MOST_TEXT).map(|byte| byte.max(1)));
            out.push(0);
        }
    }
    true
}

impl FromStr for SortKeys {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut keys = Vec::new();
        let mut start = 0;
        for part in text.split(',') {
            keys.push(read_key(text, start..start + part.len())?);
            start += part.len() + 1;
        }
        Ok(Self(keys))
    }
}

/// Parses the key in a range of the text.
fn read_key(text: &str, range: Range<usize>) -> Result<SortKey, ParseError> {
    let part = text[range.clone()].trim();
    let (is_descending, tag) = match part.strip_prefix('-') {
        Some(tag) => (true, tag),
        None => (false, part),
    };
    let is_name = |char: char| char.is_ascii_alphanumeric() || char == '_';
    if tag.is_empty() || !tag.chars().all(is_name) {
        let reason = "an order is a list of tags, such as Date,-WhiteElo; - means descending";
        return Err(ParseError::new(text, range, reason));
    }
    Ok(SortKey { tag: tag.into(), kind: TagKind::of(tag), is_descending })
}

#[cfg(test)]
mod tests {
    use super::SortKeys;
    use pgn2fen_pgn::encoding::Fallback;
    use pgn2fen_pgn::tags::Tags;

    /// Sorts the values of a tag, which are given in another order.
    #[track_caller]
    fn check(keys: &str, tag: &str, sorted: &[&str]) {
        let keys: SortKeys = keys.parse().unwrap();
        let key = |value: &&str| {
            let mut key = Vec::new();
            keys.append(&Tags::read(format!("[{tag} \"{value}\"]").as_bytes(), 0), &Fallback::default(), &mut key);
            key
        };
        let mut values: Vec<&str> = sorted.iter().rev().copied().collect();
        values.sort_by_key(key);
        assert_eq!(values, sorted);
        assert!(sorted.windows(2).all(|pair| key(&pair[0]) < key(&pair[1])), "{keys:?}");
    }

    #[test]
    fn values_are_in_the_order_of_their_kind() {
        check("Date", "Date", &["1851.06.21", "2019.??.??", "2019-06-01", "2019.10.01", "?"]);
        check("-Date", "Date", &["2019.10.01", "2019.06.??", "2019.01.31", "????.??.??"]);
        check("WhiteElo", "WhiteElo", &["987", "2650", "10000", "unrated"]);
        check("-WhiteElo", "WhiteElo", &["10000", "2650", "987", "0"]);
        check("Round", "Round", &["6", "6.4", "6.10", "10.1", "Final"]);
        check("TimeControl", "TimeControl", &["60", "180", "180+2", "40/7200:3600", "-"]);
        check("WhiteRatingDiff", "WhiteRatingDiff", &["-7", "0", "+12", "?"]);
    }

    #[test]
    fn other_values_are_numbers_and_then_texts() {
        check("X", "X", &["-3", "9", "10", "10.5", "a", "B", "c", "c d", "\u{e9}", "?"]);
        check("-X", "X", &["\u{e9}", "c d", "c", "B", "a", "10", "9", ""]);
        check("Y", "X", &["a"]);
    }

    #[test]
    fn the_second_tag_decides_between_equals() {
        let keys: SortKeys = "Event, -Round".parse().unwrap();
        let key = |tags: &str| {
            let mut key = Vec::new();
            keys.append(&Tags::read(tags.as_bytes(), 0), &Fallback::default(), &mut key);
            key
        };
        let sorted = [
            "[Event \"a\"] [Round \"3\"]",
            "[Event \"a\"] [Round \"2\"]",
            "[Event \"a\"]",
            "[Event \"a b\"] [Round \"9\"]",
            "[Round \"9\"]",
            "[White \"x\"]",
        ];
        assert!(sorted.windows(2).all(|pair| key(pair[0]) < key(pair[1])));
    }

    #[test]
    fn a_mistake_has_its_place() {
        for (text, place) in [("Date,,White", "         ^"), ("Date,-", "         ^"), ("White Elo", "    ^^^^^^^^^")] {
            let message = text.parse::<SortKeys>().unwrap_err().to_string();
            assert_eq!(message.lines().nth(2), Some(place), "{message}");
        }
    }
}
