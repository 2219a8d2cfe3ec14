//! The values that filters on tags compare. Filters of games and filters of an index take them from here, so both give
//! the same answer.

use crate::pgn::movetext::Movetext;
use crate::pgn::tag_kind::TagKind;
use crate::pgn::tags::{RawValue, Tags};
use crate::pgn::token::Outcome;

/// The tags that an index stores. Their names mean the same in any capitals, and of their values at most [`LONGEST`]
/// bytes are compared.
#[doc(hidden)]
pub const STORED: [&str; 10] =
    ["Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo", "ECO", "Result"];

/// The greatest length of the value of a [stored](STORED) tag, in bytes of UTF-8. Longer values are cut to this length.
const LONGEST: usize = 4096;

/// Returns the name of the stored tag that a name means.
pub(super) fn stored(name: &str) -> Option<&'static str> {
    STORED.into_iter().find(|stored| stored.eq_ignore_ascii_case(name))
}

/// Returns the value that a filter on a tag compares; None if the game does not have the tag.
///
/// A tag is found by its exact name, or else by a name that differs only in upper and lower case. If the date is
/// missing or unknown, the value of Date is that of UTCDate, which some files of Lichess have instead. If the tag
/// Result is missing or does not tell who won, its value is the result behind the moves, if there is one. It is not
/// searched for if there is no movetext.
#[doc(hidden)]
pub fn tag_value<'a>(tags: &Tags<'a>, movetext: Option<&Movetext<'a>>, name: &str) -> Option<RawValue<'a>> {
    let stored = stored(name);
    let find = |name| tags.find_any_case(name).map(|tag| tag.value);
    let value = find(stored.unwrap_or(name));
    match stored {
        Some("Date") if value.is_none_or(|value| TagKind::Date.is_unknown(&value.decode())) => {
            find("UTCDate").or(value)
        }
        Some("Result") if value.and_then(|value| decided(Outcome::from_ascii(value.0.trim_ascii()))).is_none() => {
            let marker = movetext.and_then(|movetext| decided(movetext.clone().finish().outcome()));
            marker.map(|outcome| RawValue(outcome.as_str().as_bytes())).or(value)
        }
        _ => value,
    }
}

/// Returns an outcome that tells who won, or that nobody did.
fn decided(outcome: Option<Outcome>) -> Option<Outcome> {
    outcome.filter(|outcome| *outcome != Outcome::Unknown)
}

/// Returns the part of a value of a stored tag that is compared: at most [`LONGEST`] bytes.
#[doc(hidden)]
pub fn compared(text: &str) -> &str {
    &text[..boundary(text, LONGEST)]
}

/// Returns the last boundary of characters that is not behind an offset. An offset behind the text counts as its end.
pub(super) fn boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, compared, tag_value};
    use crate::pgn::movetext::Movetext;
    use crate::pgn::tags::Tags;

    #[track_caller]
    fn check(game: &str, name: &str, expected: Option<&str>) {
        let tags = Tags::read(game.as_bytes(), 0);
        let movetext = Movetext::new(game.as_bytes(), tags.end());
        assert_eq!(
            tag_value(&tags, Some(&movetext), name).map(crate::pgn::tag_pair::RawValue::decode).as_deref(),
            expected,
            "{game}"
        );
    }

    #[test]
    fn an_unknown_result_is_that_behind_the_moves() {
        check("[Result \"1/2\"] 1. e4 1-0", "Result", Some("1/2"));
        for unknown in ["[Result \"*\"]", "[Result \"\"]", "[RESULT \"?\"]", "[Result \"0-0\"]", ""] {
            check(&format!("{unknown} 1. e4 (1. d4 1/2-1/2) ½-½"), "result", Some("1/2-1/2"));
        }
        check("[Result \"0-0\"] 1. e4 *", "Result", Some("0-0"));
        check("[Result \"\"] 1. e4", "Result", Some(""));
        check("1. e4 *", "Result", None);
        check("[Result \"*\"] 1. e4 { 0-1", "Result", Some("*"));
        let tags = Tags::read(b"[Result \"*\"]", 0);
        assert_eq!(tag_value(&tags, None, "Result").map(|value| value.0), Some(&b"*"[..]));
    }

    #[test]
    fn an_unknown_date_is_that_of_utc_date() {
        check("[Date \"2019.01.02\"] [UTCDate \"2019.01.01\"]", "Date", Some("2019.01.02"));
        check("[Date \"2019.??.??\"] [UTCDate \"2019.01.01\"]", "Date", Some("2019.??.??"));
        for unknown in ["[Date \"????.??.??\"]", "[Date \"\"]", "[date \"?\"]", ""] {
            check(&format!("{unknown} [UTCDate \"2019.01.01\"]"), "date", Some("2019.01.01"));
        }
        check("[Date \"????.??.??\"]", "Date", Some("????.??.??"));
        check("[Date \"\"]", "Date", Some(""));
        check("[UTCDate \"2019.01.01\"]", "EventDate", None);
        check("", "Date", None);
    }

    #[test]
    fn the_names_of_stored_tags_mean_the_same_in_any_capitals() {
        for name in ["White", "white", "WHITE"] {
            check("[white \"b\"] [White \"A\"]", name, Some("A"));
            check("[white \"b\"]", name, Some("b"));
        }
        check("[odd \"b\"] [Odd \"A\"]", "odd", Some("b"));
    }

    #[test]
    fn a_character_is_not_cut() {
        let text = format!("a{}", "é".repeat(LONGEST));
        assert_eq!(compared(&text).len(), LONGEST - 1);
        assert_eq!([compared(""), compared("aé")], ["", "aé"]);
    }
}
