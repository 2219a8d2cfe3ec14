//! Values of tags as intervals of numbers.
//!
//! A value may be known in part (`2019.??.??`), and a filter may be less precise than a value (`Date<=2019`,
//! `TimeControl>=180`). So both are intervals: the span of a value holds everything that it may be, and the span of a
//! filter holds everything that it stands for.

use pgn2fen_pgn::date::{Date, DateError};
use pgn2fen_pgn::tag_kind::{TagKind, rating_digits};
use pgn2fen_pgn::token::Outcome;

/// An interval with both ends included. Each kind of tag maps its values to numbers in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    first: i128,
    last: i128,
}

/// Whether the value of a tag can be read as its kind. A value that is unknown cannot.
#[doc(hidden)]
pub fn is_readable(kind: TagKind, value: &str) -> bool {
    Span::of_value(kind, value).is_some()
}

impl Span {
    /// Returns the span of a value for a tag of this kind, or `None` if the value is unknown or cannot be parsed.
    pub(super) fn of_value(kind: TagKind, value: &str) -> Option<Self> {
        let value = value.trim();
        match kind {
            TagKind::Date => Date::read(value).map(Self::of_date),
            TagKind::Time => time(value),
            TagKind::TimeControl => time_control(value).map(|(base, increment)| {
                let increment = increment.unwrap_or(0);
                Self::at(base << 64 | increment)
            }),
            TagKind::Rating => decimal(rating_digits(value)).filter(|rating| *rating > 0).map(Self::at),
            TagKind::Number => decimal(value).map(Self::at),
            TagKind::Round => round(value, 0),
            TagKind::Result => result(value),
            TagKind::Text => None,
        }
    }

    /// Returns the span of the value of a filter.
    ///
    /// # Errors
    ///
    /// The text is not a value of this kind. The error is the reason, as a phrase.
    pub(super) fn of_filter(kind: TagKind, text: &str) -> Result<Self, &'static str> {
        match kind {
            TagKind::Date => match Date::parse(text) {
                Ok(Some(date)) => Ok(Self::of_date(date)),
                Err(DateError::NoSuchMonth) => Err("there is no such month"),
                Err(DateError::NoSuchDay) => Err("there is no such day"),
                Ok(None) | Err(DateError::Malformed) => {
                    Err("this tag is a date: a year, a year and month, or a day, as in 2019, 2019.06 and 2019-06-01")
                }
            },
            TagKind::Time => time(text).ok_or("this tag is a time of day, such as 18:30 or 18:30:00"),
            TagKind::TimeControl => match time_control(text) {
                Some((base, None)) => Ok(Self { first: base << 64, last: base << 64 | i128::from(u64::MAX) }),
                Some((base, Some(increment))) => Ok(Self::at(base << 64 | increment)),
                None => Err("this tag is a time control, which is compared by its seconds, such as 180 or 180+2"),
            },
            TagKind::Rating => decimal(text).map(Self::at).ok_or("this tag is a rating, which is a number"),
            TagKind::Number => decimal(text).map(Self::at).ok_or("this tag is a number"),
            TagKind::Round => {
                round(text, MOST_PART).ok_or("this tag is the number of a round, such as 6, or 6.4 for part 4 of it")
            }
            TagKind::Result => {
                result(text).ok_or("this tag is a result: 1-0, 1/2-1/2 or 0-1, which are ordered by White's score")
            }
            TagKind::Text => Err("this tag is a text"),
        }
    }

    fn at(value: i128) -> Self {
        Self { first: value, last: value }
    }

    /// Returns bytes whose order is the order of the beginnings of spans.
    pub(super) fn key(self) -> [u8; 16] {
        (self.first.cast_unsigned() ^ 1 << 127).to_be_bytes()
    }

    fn of_date(date: Date) -> Self {
        Self { first: date.first_day().into(), last: date.last_day().into() }
    }

    /// Whether this span lies before the other as a whole.
    pub(super) fn is_before(self, other: Self) -> bool {
        self.last < other.first
    }

    /// Whether this span ends at or before the end of the other.
    pub(super) fn ends_by(self, other: Self) -> bool {
        self.last <= other.last
    }

    /// Whether this span lies within the other.
    pub(super) fn is_in(self, other: Self) -> bool {
        other.first <= self.first && self.last <= other.last
    }

    /// Whether this span begins at or after the beginning of the other.
    pub(super) fn begins_from(self, other: Self) -> bool {
        self.first >= other.first
    }
}

/// The number that stands for 1, where there are fractions: they are counted in millionths.
const ONE: i128 = 1_000_000;

/// Parses a number such as `2200`, `-3`, `+12` and `95.5`, in millionths. Everything else is not a number.
fn decimal(text: &str) -> Option<i128> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let millionths = fraction.bytes().chain(std::iter::repeat(b'0')).take(6);
    let millionths = millionths.fold(0, |sum, digit| sum * 10 + i128::from(digit - b'0'));
    let value = i128::from(whole) * ONE + millionths;
    Some(if is_negative { -value } else { value })
}

/// Parses a time of day such as `18:30:05`, in seconds since midnight. A part that is missing or unknown may be
/// anything. Text after a space, a period or a `Z` is ignored.
fn time(text: &str) -> Option<Span> {
    let text = text.split([' ', '.', 'Z']).next().unwrap_or(text);
    let (mut first, mut last) = (0, 0);
    let mut is_open = false;
    let mut parts = text.split(':');
    for (most, seconds) in [(23, 3600), (59, 60), (59, 1)] {
        let part = parts.next().unwrap_or("");
        let is_unknown = part.bytes().all(|byte| byte == b'?');
        if is_unknown || is_open {
            is_open = true;
            // A known part after an unknown part adds no information.
            last += most * seconds;
            continue;
        }
        let is_number = part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        let part: i128 = part.parse().ok().filter(|part| is_number && *part <= most)?;
        first += part * seconds;
        last += part * seconds;
    }
    let is_known = text.starts_with(|first: char| first.is_ascii_digit());
    (is_known && parts.next().is_none()).then_some(Span { first, last })
}

/// Parses a time control such as `180`, `180+2`, `40/7200:3600` (7200 seconds for the first 40 moves) and `*180`.
/// Returns the base time of the first period and the increment for each move, if there is one, in millionths of a
/// second.
fn time_control(text: &str) -> Option<(i128, Option<i128>)> {
    let period = text.split(':').next().unwrap_or(text);
    let period = period.strip_prefix('*').unwrap_or(period);
    let period = match period.split_once('/') {
        Some((moves, period)) if !moves.is_empty() && moves.bytes().all(|byte| byte.is_ascii_digit()) => period,
        Some(_) => return None,
        None => period,
    };
    let seconds = |text| decimal(text).filter(|seconds| (0..1 << 62).contains(seconds));
    match period.split_once('+') {
        Some((base, increment)) => Some((seconds(base)?, Some(seconds(increment)?))),
        None => Some((seconds(period)?, None)),
    }
}

/// The greatest part of a round: parts have 31 bits.
const MOST_PART: u32 = u32::MAX >> 1;

/// Parses a round such as `6` and `6.4`, with up to four parts. A part that is not written is between 0 and `greatest`.
/// A part that is unknown may be anything.
fn round(text: &str, greatest: u32) -> Option<Span> {
    let (mut first, mut last) = (0, 0);
    let mut parts = text.split('.');
    let mut is_open = false;
    for nth in 0..4 {
        let part = if is_open { None } else { parts.next() };
        let (least, most) = match part {
            None => (0, if is_open { MOST_PART } else { greatest }),
            Some("?" | "-" | "") if nth > 0 => {
                is_open = true;
                (0, MOST_PART)
            }
            Some(part) => {
                let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
                let number = part.parse().ok().filter(|part| is_number && *part <= MOST_PART)?;
                (number, number)
            }
        };
        first = first << 31 | i128::from(least);
        last = last << 31 | i128::from(most);
    }
    Some(Span { first, last })
}

/// Reads a result in any known spelling, as White's score in half points. None if it is unknown.
fn result(text: &str) -> Option<Span> {
    let half_points = match Outcome::from_ascii(text.trim().as_bytes())? {
        Outcome::BlackWins => 0,
        Outcome::Draw => 1,
        Outcome::WhiteWins => 2,
        Outcome::Unknown => return None,
    };
    Some(Span::at(half_points))
}
