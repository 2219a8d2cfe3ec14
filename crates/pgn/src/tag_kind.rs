//! Kinds of tags: the type of the value of a tag, known from its name.
//!
//! Filters compare values by their kind, and typed formats have columns of the kind.

use crate::date::Date;
use crate::token::Outcome;

/// The type of the value of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagKind {
    /// A [`Date`]: the tag Date, and tags whose names end with Date, such as EventDate and UTCDate.
    Date,
    /// A time of day, `18:30:00`: Time, UTCTime, StartTime and EndTime.
    Time,
    /// A time control, which is compared by its base time in seconds: TimeControl.
    TimeControl,
    /// A rating: tags whose names end with Elo, such as WhiteElo, and also WhiteUSCF and BlackUSCF. 0 means unknown.
    Rating,
    /// An integer: PlyCount, tags whose names end with RatingDiff, and some others, among them the EPD operations acd,
    /// acs, ce, dm, hmvc and fmvn.
    Number,
    /// The number of a round, which may have parts: `6.4`.
    Round,
    /// The result of the game, in any spelling: Result. `*` means unknown. Ordered by White's score.
    Result,
    /// Any other text.
    Text,
}

/// Names of tags with their kinds. Upper and lower case are equal.
const KNOWN: [(&str, TagKind); 7] = [
    ("Date EventDate EndDate UTCDate SourceDate", TagKind::Date),
    ("Time UTCTime StartTime EndTime", TagKind::Time),
    ("TimeControl", TagKind::TimeControl),
    ("WhiteElo BlackElo WhiteUSCF BlackUSCF", TagKind::Rating),
    (
        "WhiteRatingDiff BlackRatingDiff WhiteFideId BlackFideId PlyCount Board EventRounds EventCategory \
         acd acs ce dm hmvc fmvn",
        TagKind::Number,
    ),
    ("Round", TagKind::Round),
    ("Result", TagKind::Result),
];

/// Ends of names that decide the kind of a tag.
const ENDINGS: [(&str, TagKind); 3] =
    [("Date", TagKind::Date), ("Elo", TagKind::Rating), ("RatingDiff", TagKind::Number)];

impl TagKind {
    /// Returns the kind of the tag with this name.
    ///
    /// ```
    /// use pgn2fen_pgn::tag_kind::TagKind;
    ///
    /// assert_eq!(TagKind::of("WhiteElo"), TagKind::Rating);
    /// assert_eq!(TagKind::of("White"), TagKind::Text);
    /// ```
    pub fn of(name: &str) -> Self {
        let is_name = |known: &str| known.eq_ignore_ascii_case(name);
        let known = KNOWN.iter().find(|(names, _)| names.split(' ').any(is_name));
        let kind = known.or_else(|| ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)));
        kind.map_or(Self::Text, |(_, kind)| *kind)
    }

    /// Returns the value as an integer: a rating, a number, or the first part of a round. None if the value is unknown
    /// or cannot be read, if it has more than 32 bits, or if the kind is another one.
    pub fn number(self, value: &str) -> Option<i32> {
        match self {
            Self::Rating => whole(rating_digits(value)).filter(|rating| *rating > 0),
            Self::Number => whole(value.trim()),
            Self::Round => {
                let part = value.trim().split('.').next()?;
                part.bytes().all(|byte| byte.is_ascii_digit()).then(|| whole(part))?
            }
            _ => None,
        }
    }

    /// Whether a value of this kind means "unknown": question marks, hyphens and the like (PGN standard §8.1.1), a
    /// rating of 0, or the result `*`.
    pub fn is_unknown(self, value: &str) -> bool {
        let is_filler = |char: char| matches!(char, '?' | '.' | '-' | '/' | ':') || char.is_whitespace();
        match self {
            _ if value.chars().all(is_filler) => true,
            Self::Rating => value.trim().bytes().all(|byte| byte == b'0'),
            Self::Date => Date::parse(value) == Ok(None),
            Self::Result => Outcome::from_ascii(value.trim().as_bytes()) == Some(Outcome::Unknown),
            _ => false,
        }
    }
}

/// Returns a rating without the question mark at its end, which marks it as provisional.
#[doc(hidden)]
pub fn rating_digits(value: &str) -> &str {
    let value = value.trim();
    value.strip_suffix('?').unwrap_or(value)
}

/// Reads an integer. Digits behind a period are cut off.
fn whole(text: &str) -> Option<i32> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    if is_digits(digits) && is_digits(fraction) { whole.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::TagKind;

    #[test]
    fn a_name_tells_the_kind() {
        for (name, kind) in [
            ("Date", TagKind::Date),
            ("LinkedDate", TagKind::Date),
            ("eventdate", TagKind::Date),
            ("whiteelo", TagKind::Rating),
            ("WhiteTeamElo", TagKind::Rating),
            ("BlackRatingDiff", TagKind::Number),
            ("Candidate", TagKind::Text),
            ("result", TagKind::Result),
            ("ECO", TagKind::Text),
        ] {
            assert_eq!(TagKind::of(name), kind, "{name}");
        }
    }

    #[track_caller]
    fn check(kind: TagKind, values: &[(&str, Option<i32>)]) {
        for (value, number) in values {
            assert_eq!(kind.number(value), *number, "{value:?}");
        }
    }

    #[test]
    fn numbers_are_null_where_they_are_unknown() {
        let unknown = ["", "?", "-", "0", "000", "GM 2500", "2500-2600", "-5", "99999999999", "1.2.3", "nan", "2500x"];
        check(TagKind::Rating, &unknown.map(|value| (value, None)));
        check(
            TagKind::Rating,
            &[("2650", Some(2650)), (" 987 ", Some(987)), ("2650?", Some(2650)), ("2200.5", Some(2200))],
        );
        check(TagKind::Number, &[("+12", Some(12)), ("-7", Some(-7)), ("0", Some(0)), ("?", None), ("12a", None)]);
        check(
            TagKind::Round,
            &[
                ("6", Some(6)),
                ("6.4", Some(6)),
                ("6.?", Some(6)),
                ("?", None),
                ("-", None),
                ("?.4", None),
                ("Final", None),
            ],
        );
        check(TagKind::Text, &[("12", None)]);
    }

    #[test]
    fn what_is_unknown_says_so() {
        for value in ["?", "????.??.??", "-", "", "--", "??:??:??", " ?\t"] {
            assert!(TagKind::Text.is_unknown(value), "{value}");
        }
        assert!(TagKind::Rating.is_unknown("0") && !TagKind::Number.is_unknown("0"));
        assert!(TagKind::Date.is_unknown("0000.00.00") && !TagKind::Date.is_unknown("2019.??.??"));
        assert!(!TagKind::Rating.is_unknown("unrated"));
        assert!(TagKind::Result.is_unknown(" * ") && !TagKind::Text.is_unknown("*"));
        assert!(!TagKind::Result.is_unknown("1/2") && !TagKind::Result.is_unknown("0-0"));
    }
}
