//! The values that filters on tags compare. Filters of games and filters of an index take them from here, so both give
//! the same answer.

use pgn2fen_pgn::movetext::Movetext;
use pgn2fen_pgn::tag_kind::TagKind;
use pgn2fen_pgn::tags::{RawValue, Tags};
use pgn2fen_pgn::token::Outcome;

/// The tags that every new index keeps. Their names mean the same in any capitals.
#[doc(hidden)]
pub const STORED: [&str; 12] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "WhiteElo",
    "BlackElo",
    "ECO",
    "Result",
    "TimeControl",
    "Variant",
];

/// The greatest length of the value of a tag that is compared, in bytes of UTF-8. Longer values are cut to this length.
const LONGEST: usize = 4096;

/// Returns the name of the stored tag that a name means.
fn stored(name: &str) -> Option<&'static str> {
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
        Some("Date") => known_date(value, || find("UTCDate")),
        Some("Result") => known_result(value, movetext),
        _ => value,
    }
}

/// Returns the value of the tag Date, or else of UTCDate if the date is missing or unknown.
fn known_date<'a>(date: Option<RawValue<'a>>, utc_date: impl FnOnce() -> Option<RawValue<'a>>) -> Option<RawValue<'a>> {
    let is_known = date.is_some_and(|date| !TagKind::Date.is_unknown(&date.decode()));
    if is_known { date } else { utc_date().or(date) }
}

/// Returns the value of the tag Result, or else the result behind the moves if the tag does not tell who won.
fn known_result<'a>(result: Option<RawValue<'a>>, movetext: Option<&Movetext<'a>>) -> Option<RawValue<'a>> {
    if result.and_then(|result| decided(Outcome::from_ascii(result.0.trim_ascii()))).is_some() {
        return result;
    }
    let marker = movetext.and_then(|movetext| decided(movetext.clone().finish().outcome()));
    marker.map(|outcome| RawValue(outcome.as_str().as_bytes())).or(result)
}

/// Finds the values of several tags in one pass over the tags of a game. They are those of [`tag_value`].
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagFinder {
    /// The names, with UTCDate at the end if it is not one of them in exactly these capitals.
    names: Vec<Box<str>>,
    /// The number of names that were given.
    count: usize,
    /// The positions of some names that are asked for by their meaning.
    date: Option<usize>,
    utc_date: usize,
    result: Option<usize>,
    /// For each [slot](slot_of), the number of the first name in it, counted from 1; 0 if there is none.
    first: [u8; SLOTS],
    /// For each name, the number of the next one in the same slot.
    next: Vec<u8>,
}

/// The number of slots for names.
const SLOTS: usize = 64;

/// Returns the slot of a name, which is the same in any capitals.
fn slot_of(name: &[u8]) -> usize {
    let (Some(first), Some(last)) = (name.first(), name.last()) else {
        return 0;
    };
    (usize::from(first | 32) * 7 + usize::from(last | 32) * 3 + name.len() * 5) % SLOTS
}

impl TagFinder {
    /// The greatest number of names.
    pub const MOST: usize = 62;

    /// Creates a finder of the tags with these names, no two of which may differ only in upper and lower case. Names
    /// beyond [`MOST`](Self::MOST) are ignored. The names of stored tags must be spelled as those.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut names: Vec<Box<str>> = names.into_iter().take(Self::MOST).map(Box::from).collect();
        let count = names.len();
        let position = |names: &[Box<str>], name: &str| names.iter().position(|known| &**known == name);
        let (date, result) = (position(&names, "Date"), position(&names, "Result"));
        let utc_date = position(&names, "UTCDate").unwrap_or_else(|| {
            names.push("UTCDate".into());
            count
        });
        let (mut first, mut next) = ([0; SLOTS], vec![0; names.len()]);
        for (number, name) in (0u8..).zip(&names) {
            next[usize::from(number)] = std::mem::replace(&mut first[slot_of(name.as_bytes())], number + 1);
        }
        Self { names, count, date, utc_date, result, first, next }
    }

    /// Calls a function with the value of each tag, in the order of their names; None if the game does not have it.
    pub fn find<'a>(
        &self,
        tags: &Tags<'a>,
        movetext: Option<&Movetext<'a>>,
        mut take: impl FnMut(usize, Option<RawValue<'a>>),
    ) {
        let mut found = [None; Self::MOST + 1];
        // One bit for each name that was found exactly so.
        let mut exact = 0u64;
        for tag in tags.iter() {
            let mut number = self.first[slot_of(tag.name)];
            while let Some(at) = usize::from(number).checked_sub(1) {
                let name = self.names[at].as_bytes();
                if name == tag.name {
                    found[at] = Some(tag.value);
                    exact |= 1 << at;
                } else if exact >> at & 1 == 0 && name.eq_ignore_ascii_case(tag.name) {
                    found[at] = Some(tag.value);
                }
                number = self.next[at];
            }
        }
        for at in 0..self.count {
            take(
                at,
                match () {
                    () if Some(at) == self.date => known_date(found[at], || found[self.utc_date]),
                    () if Some(at) == self.result => known_result(found[at], movetext),
                    () => found[at],
                },
            );
        }
    }
}

/// Returns an outcome that tells who won, or that nobody did.
fn decided(outcome: Option<Outcome>) -> Option<Outcome> {
    outcome.filter(|outcome| *outcome != Outcome::Unknown)
}

/// Returns the part of a value that is compared: at most [`LONGEST`] bytes.
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
    use super::{LONGEST, STORED, TagFinder, compared, tag_value};
    use pgn2fen_pgn::movetext::Movetext;
    use pgn2fen_pgn::tags::Tags;

    #[track_caller]
    fn check(game: &str, name: &str, expected: Option<&str>) {
        let tags = Tags::read(game.as_bytes(), 0);
        let movetext = Movetext::new(game.as_bytes(), tags.end());
        assert_eq!(
            tag_value(&tags, Some(&movetext), name).map(pgn2fen_pgn::tag_pair::RawValue::decode).as_deref(),
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
    fn a_finder_finds_what_is_found_one_by_one() {
        // Each name is asked for in the capitals in which it is given.
        let names: Vec<&str> = STORED.into_iter().chain(["Annotator", "x", "UTCdate", "_", "Elo", "B"]).collect();
        let written = ["White", "white", "WHITE", "Date", "date", "UTCDate", "UTCdate", "Result", "X", "x", "y", "B"];
        let values = ["", "?", "1-0", "*", "2019.01.01", "????.??.??", "a"];
        let mut seed = 1usize;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for count in (0..names.len()).chain([names.len(); 2000]) {
            let names = &names[..count];
            let mut game = String::new();
            for _ in 0..next(9) {
                game += &format!("[{} \"{}\"]\n", written[next(written.len())], values[next(values.len())]);
            }
            game += ["\n1. e4 1-0", "\n*", ""][next(3)];
            let tags = Tags::read(game.as_bytes(), 0);
            let movetext = Movetext::new(game.as_bytes(), tags.end());
            let finder = TagFinder::new(names.iter().copied());
            let mut found = Vec::new();
            finder.find(&tags, Some(&movetext), |at, value| found.push((names[at], value)));
            let expected = names.iter().map(|name| (*name, tag_value(&tags, Some(&movetext), name)));
            assert!(expected.eq(found), "{game}");
        }
    }

    #[test]
    fn a_character_is_not_cut() {
        let text = format!("a{}", "é".repeat(LONGEST));
        assert_eq!(compared(&text).len(), LONGEST - 1);
        assert_eq!([compared(""), compared("aé")], ["", "aé"]);
    }
}
