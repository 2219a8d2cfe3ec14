//! Dates in the format of the Date tag (PGN standard §8.1.1.3): `1972.07.11`. The day, or the day and the month, may be
//! unknown.

use std::fmt;
use std::ops::RangeInclusive;

/// A date: a year, with a month and a day if they are known.
///
/// ```
/// use pgn2fen_pgn::date::Date;
///
/// let date = Date::read("2019.06.??").unwrap();
/// assert_eq!((date.first_day(), date.last_day()), (20190601, 20190630));
/// assert_eq!(Date::read("????.??.??"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    /// 0 if unknown.
    month: u8,
    /// 0 if unknown.
    day: u8,
}

/// The reason why a text is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateError {
    /// The text does not begin with a year, or a part is not a number.
    Malformed,
    /// There is no such month.
    NoSuchMonth,
    /// The month has no such day.
    NoSuchDay,
}

/// A part of a date, between two separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DatePart {
    /// Nothing, question marks, or zeros.
    Unknown,
    Number(u16),
    Malformed,
}

impl Date {
    /// Reads the value of a tag. Periods, hyphens or slashes may separate the parts. If a part is unknown or
    /// impossible, it and the parts behind it are unknown. None if the year is unknown. The text behind white space or
    /// a `T` is a time and is ignored.
    ///
    /// A date whose year comes last is read if it can mean only one day: `16.11.2013` and `11/16/2013`, but not
    /// `03/04/2013`. With periods, the day comes first: `03.04.2013` is the third of April.
    pub fn read(text: &str) -> Option<Self> {
        let [year, month, day] = parts(text);
        let DatePart::Number(year @ 1..) = year else {
            return None;
        };
        let month = match month {
            DatePart::Number(month @ 1..=12) => u8::try_from(month).unwrap_or(0),
            _ => 0,
        };
        let date = Self { year, month, day: 0 };
        let day = match day {
            DatePart::Number(day) if month > 0 => u8::try_from(day).unwrap_or(0),
            _ => 0,
        };
        Some(if day <= date.days_in_month() { Self { day, ..date } } else { date })
    }

    /// Reads a date whose parts must all be valid: `2019`, `2019.06`, `2019-6-1`. None if the date is written as
    /// unknown.
    ///
    /// # Errors
    ///
    /// The text is not a date.
    pub fn parse(text: &str) -> Result<Option<Self>, DateError> {
        match parts(text) {
            [DatePart::Malformed, ..] | [_, DatePart::Malformed, _] | [.., DatePart::Malformed] => {
                Err(DateError::Malformed)
            }
            [DatePart::Unknown, DatePart::Number(_), _] | [_, DatePart::Unknown, DatePart::Number(_)] => {
                Err(DateError::Malformed)
            }
            [_, DatePart::Number(13..), _] => Err(DateError::NoSuchMonth),
            [.., day] => {
                let date = Self::read(text);
                let is_lost = matches!(day, DatePart::Number(_)) && date.is_none_or(|date| date.day == 0);
                if is_lost { Err(DateError::NoSuchDay) } else { Ok(date) }
            }
        }
    }

    /// Reads a whole date with the English name of its month: `Sun Jul 09 2023`, `9 July 2023`, `July 9th, 2023`. None
    /// for other texts, such as those with a time.
    pub fn in_words(text: &str) -> Option<Self> {
        let words = text.split(|char: char| char.is_whitespace() || matches!(char, ',' | '.' | '-'));
        let mut words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
        if words.len() == 4 {
            let day = words.remove(0);
            DAYS.iter().any(|name| is_short_for(&day, name)).then_some(())?;
        }
        let [first, second, year] = words.as_slice() else {
            return None;
        };
        let month_of = |word: &str| MONTHS.iter().position(|name| is_short_for(word, name));
        let (month, day) = match (month_of(first), month_of(second)) {
            (Some(month), None) => (month, second),
            (None, Some(month)) => (month, first),
            _ => return None,
        };
        let digits = day.trim_end_matches(|char: char| char.is_ascii_lowercase());
        matches!(&day[digits.len()..], "" | "st" | "nd" | "rd" | "th").then_some(())?;
        let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u16>().ok())?;
        let (year, day) = (number(year).filter(|_| year.len() == 4)?, u8::try_from(number(digits)?).ok()?);
        let date = Self { year, month: u8::try_from(month + 1).ok()?, day };
        (year > 0 && (1..=date.days_in_month()).contains(&day)).then_some(date)
    }

    /// Returns the year, counted from 1.
    pub fn year(self) -> u16 {
        self.year
    }

    /// Returns the month, counted from 1, if it is known.
    pub fn month(self) -> Option<u8> {
        Some(self.month).filter(|month| *month > 0)
    }

    /// Returns the day, counted from 1, if it is known.
    pub fn day(self) -> Option<u8> {
        Some(self.day).filter(|day| *day > 0)
    }

    /// Returns the first possible day of the date, as a number of eight digits: 20190601.
    pub fn first_day(self) -> u32 {
        self.number(self.month.max(1), self.day.max(1))
    }

    /// Returns the last possible day of the date, as a number of eight digits: 20190630.
    pub fn last_day(self) -> u32 {
        let last = Self { month: if self.month == 0 { 12 } else { self.month }, ..self };
        self.number(last.month, if self.day == 0 { last.days_in_month() } else { self.day })
    }

    /// Returns the date as the standard has it: `2019.06.01`, `2019.06.??`.
    pub(crate) fn standard(self) -> String {
        let part = |part: Option<u8>| part.map_or("??".to_owned(), |part| format!("{part:02}"));
        format!("{:04}.{}.{}", self.year, part(self.month()), part(self.day()))
    }

    fn number(self, month: u8, day: u8) -> u32 {
        u32::from(self.year) * 10_000 + u32::from(month) * 100 + u32::from(day)
    }

    /// Returns the number of days from 1970-01-01 to the date, in the Gregorian calendar. None if the day is unknown.
    pub fn days_since_1970(self) -> Option<i32> {
        let day = i32::from(self.day()?);
        // Years are counted from March, so that the leap day is the last day of a year.
        let (year, month) = match self.month {
            month @ ..=2 => (i32::from(self.year) - 1, month + 9),
            month => (i32::from(self.year), month - 3),
        };
        let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        let days_before_month = (153 * i32::from(month) + 2) / 5;
        Some(year * 365 + leap_days + days_before_month + day - 1 - DAYS_TO_1970)
    }

    fn days_in_month(self) -> u8 {
        let is_leap = self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        match self.month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Whether a word is a name, or its first letters, of which there are at least three.
fn is_short_for(word: &str, name: &str) -> bool {
    word.len() >= 3 && name.starts_with(word)
}

/// The number of days from 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: i32 = 719_468;

impl fmt::Display for Date {
    /// Writes the known parts of the date in ISO 8601: `2019-06-01`, `2019-06`, `2019`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        for part in [self.month(), self.day()].into_iter().map_while(|part| part) {
            write!(f, "-{part:02}")?;
        }
        Ok(())
    }
}

/// Reads the year, the month and the day, without checking their ranges.
fn parts(text: &str) -> [DatePart; 3] {
    let text = text.trim();
    let text = text.split(|c: char| c.is_whitespace() || c == 'T').next().unwrap_or(text);
    let mut parts = text.splitn(3, ['.', '-', '/']).map(|part| DatePart::of(part.trim()));
    let mut next = || parts.next().unwrap_or(DatePart::Unknown);
    let year = next();
    let has_few_digits = text.bytes().take_while(u8::is_ascii_digit).count() < 3;
    if !matches!(year, DatePart::Number(_)) || !has_few_digits {
        return [year, next(), next()];
    }
    year_last(text).unwrap_or([DatePart::Malformed, next(), next()])
}

/// Returns the year, the month and the day of a date whose year comes last, if it can mean only one day. A date with a
/// year of two digits never can.
fn year_last(text: &str) -> Option<[DatePart; 3]> {
    let mut parts = text.split(['.', '-', '/']);
    let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
    let is_number = |text: &str, digits: RangeInclusive<usize>| {
        digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_date = is_number(first, 1..=2) && is_number(second, 1..=2) && is_number(year, 4..=4);
    if !is_date || parts.next().is_some() {
        return None;
    }
    let [first, second, year]: [u16; 3] = [first.parse().ok()?, second.parse().ok()?, year.parse().ok()?];
    let is_possible = |month: u16, day: u16| {
        let month = u8::try_from(month).unwrap_or(0);
        (1..=12).contains(&month) && (1..=Date { year, month, day: 0 }.days_in_month().into()).contains(&day)
    };
    let (month, day) = match (is_possible(second, first), is_possible(first, second)) {
        (true, false) => (second, first),
        (false, true) => (first, second),
        (true, true) if first == second || text.contains('.') => (second, first),
        _ => return None,
    };
    (year > 0).then_some([year, month, day].map(DatePart::Number))
}

impl DatePart {
    fn of(text: &str) -> Self {
        if text.bytes().all(|byte| byte == b'?') || text.bytes().all(|byte| byte == b'0') {
            return Self::Unknown;
        }
        let is_number = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_number).map_or(Self::Malformed, Self::Number)
    }
}

/// Appends a number of days since 1970-01-01 as `2019.06.01`: a date of the years 1 to 9999 of the Gregorian
/// calendar; nothing for other dates.
#[doc(hidden)]
pub fn append_day(day: i64, out: &mut Vec<u8>) {
    // The days of 400 years are a cycle, which is counted from 1 March of year 0 (Hinnant, chrono-compatible low-level
    // date algorithms).
    if !(-719_162..=2_932_896).contains(&day) {
        return;
    }
    let day = day + 719_468;
    let (cycle, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = 400 * cycle + year + next;
    #[expect(clippy::cast_sign_loss, reason = "it is a digit")]
    let digit = |number: i64| b'0' + (number % 10) as u8;
    out.extend([year / 1000, year / 100, year / 10, year].map(digit));
    for number in [month, day] {
        out.extend([b'.', digit(number / 10), digit(number)]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Date, DateError, append_day};

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(Date::read(text).map(|date| date.to_string()).as_deref(), expected, "{text}");
    }

    #[test]
    fn a_date_is_read_as_far_as_it_is_known() {
        check("2013.11.16", Some("2013-11-16"));
        check("2013.11.??", Some("2013-11"));
        check("2013.??.??", Some("2013"));
        check("2013.??.16", Some("2013"));
        check("1851", Some("1851"));
        check("851.6.1", Some("0851-06-01"));
        check("2013-11-16", Some("2013-11-16"));
        check("2013/1/6", Some("2013-01-06"));
        check(" 2013.11.16 18:00", Some("2013-11-16"));
        check("2013.11.16\t18:00", Some("2013-11-16"));
        check("2013-11-16T18:00:00Z", Some("2013-11-16"));
        check("2019.02.30", Some("2019-02"));
        check("2019.13.01", Some("2019"));
        check("2019.00.00", Some("2019"));
        check("2020.02.29", Some("2020-02-29"));
        check("1900.02.29", Some("1900-02"));
        for text in ["????.??.??", "", "?", "-", "0000.00.00", "12013.01.01", "+201.01.01", "16.11.13", "next week"] {
            check(text, None);
        }
    }

    #[test]
    fn a_year_may_come_last_if_only_one_day_is_possible() {
        check("16.11.2013", Some("2013-11-16"));
        check("12.03.2024", Some("2024-03-12"));
        check("1.6.2019 18:00", Some("2019-06-01"));
        check("16/11/2013", Some("2013-11-16"));
        check("11/16/2013", Some("2013-11-16"));
        check("11-16-2013", Some("2013-11-16"));
        check("05/05/2013", Some("2013-05-05"));
        check("02.29.2024", Some("2024-02-29"));
        for text in ["03/04/2013", "3-4-2013", "31.02.2024", "0.3.2024", "1.1.0000", "1.1.2024.5", "1.2/24", "1.13.13"]
        {
            check(text, None);
        }
    }

    #[test]
    fn a_month_may_have_its_name() {
        let date = |text: &str| Date::in_words(text).map(|date| date.to_string());
        for text in ["Sun Jul 09 2023", "9 July 2023", "July 9th, 2023", "9-Jul-2023", "Sunday, 9. july 2023"] {
            assert_eq!(date(text).as_deref(), Some("2023-07-09"), "{text}");
        }
        for text in [
            "Jul 2023",
            "9 July 23",
            "31 June 2023",
            "Jul 9 2023 18:00",
            "x Jul 9 2023",
            "9 Ju 2023",
            "July May 2023",
            "th July 2023",
            "0 July 2023",
            "July 9x 2023",
            "",
            "2023 July 9",
        ] {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[track_caller]
    fn check_typed(text: &str, expected: Result<Option<&str>, DateError>) {
        let date = Date::parse(text).map(|date| date.map(|date| date.to_string()));
        assert_eq!(date.as_ref().map(Option::as_deref).map_err(|error| *error), expected, "{text}");
    }

    #[test]
    fn a_date_that_is_typed_must_be_right_in_every_part() {
        check_typed("2019", Ok(Some("2019")));
        check_typed("2019-6", Ok(Some("2019-06")));
        check_typed("2019/6/1", Ok(Some("2019-06-01")));
        check_typed("2019.06.??", Ok(Some("2019-06")));
        check_typed("????.??.??", Ok(None));
        check_typed("?", Ok(None));
        check_typed("2019.13", Err(DateError::NoSuchMonth));
        check_typed("2019.06.31", Err(DateError::NoSuchDay));
        check_typed("2019.02.29", Err(DateError::NoSuchDay));
        check_typed("1.6.2019", Ok(Some("2019-06-01")));
        for text in ["yesterday", "1/6/2019", "19", "2019.??.01", "2019.06.01.", "20190601", "2019.June", "????.06.01"]
        {
            check_typed(text, Err(DateError::Malformed));
        }
    }

    #[test]
    fn days_are_counted_from_1970() {
        let days = |text: &str| Date::read(text).unwrap().days_since_1970();
        assert_eq!(days("1970.01.01"), Some(0));
        assert_eq!(days("1969.12.31"), Some(-1));
        assert_eq!(days("2000.03.01"), Some(11_017));
        assert_eq!(days("2024.02.29"), Some(19_782));
        assert_eq!(days("0001.01.01"), Some(-719_162));
        assert_eq!(days("9999.12.31"), Some(2_932_896));
        assert_eq!(days("2024.02.??"), None);
        let mut expected = days("1899.12.31").unwrap();
        for (year, month, day) in (1900..2101).flat_map(|y| (1..13).flat_map(move |m| (1..32).map(move |d| (y, m, d))))
        {
            if let Some(days) = days(&format!("{year}.{month}.{day}")) {
                expected += 1;
                assert_eq!(days, expected, "{year}.{month}.{day}");
            }
        }
    }

    #[test]
    fn a_day_is_written_as_the_date_from_which_it_was_counted() {
        let written = |day| {
            let mut out = Vec::new();
            append_day(day, &mut out);
            String::from_utf8(out).unwrap()
        };
        let years = [1, 4, 100, 400, 1899, 1900, 1999, 2000, 2001, 2023, 2024, 2100, 2399, 2400, 9999];
        for (year, month, day) in
            years.into_iter().flat_map(|y| (1..13).flat_map(move |m| (1..32).map(move |d| (y, m, d))))
        {
            let text = format!("{year:04}.{month:02}.{day:02}");
            if let Some(days) = Date::read(&text).unwrap().days_since_1970() {
                assert_eq!(written(days.into()), text);
            }
        }
        assert_eq!([written(-719_163), written(2_932_897)], ["", ""]);
    }

    #[test]
    fn the_standard_has_question_marks_for_what_is_not_known() {
        let standard = |text| Date::read(text).unwrap().standard();
        assert_eq!(standard("851-6-1"), "0851.06.01");
        assert_eq!(standard("2019.6"), "2019.06.??");
        assert_eq!(standard("2019"), "2019.??.??");
    }

    #[test]
    fn a_partly_known_date_spans_its_days() {
        let span = |text| Date::read(text).map(|date| (date.first_day(), date.last_day()));
        assert_eq!(span("2019"), Some((20_190_101, 20_191_231)));
        assert_eq!(span("2020.02.??"), Some((20_200_201, 20_200_229)));
        assert_eq!(span("2020.02.03"), Some((20_200_203, 20_200_203)));
    }

    #[test]
    fn the_parts_of_a_date_are_told_as_far_as_they_are_known() {
        let parts = |text| Date::read(text).map(|date| (date.year(), date.month(), date.day()));
        assert_eq!(parts("2019.06.01"), Some((2019, Some(6), Some(1))));
        assert_eq!(parts("1972-12-31"), Some((1972, Some(12), Some(31))));
        assert_eq!(parts("2019.06.??"), Some((2019, Some(6), None)));
        assert_eq!(parts("16.11.2013"), Some((2013, Some(11), Some(16))));
        assert_eq!([parts("16.11.0000"), parts("16.11.13")], [None; 2]);
        // The day of a month that is not known is none.
        assert_eq!(parts("2019.??.05"), Some((2019, None, None)));
        assert_eq!(parts("2019.13.05"), Some((2019, None, None)));
        assert_eq!(Date::in_words("1 January 0000"), None);
        assert_eq!(Date::in_words("1 January 0001").map(Date::year), Some(1));
    }
}
