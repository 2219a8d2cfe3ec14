//! The times in `[%clk …]` and `[%emt …]`.
//!
//! The supplement to the PGN standard has only hours, minutes and seconds, `1:30:00`. Programs leave out the hours or
//! the seconds, so `1:30` has two readings, and so has `1:30.45`.

use crate::decimal::{number, with_fraction};

/// A time as it is written, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ClockTime {
    /// The reading in which the last number is seconds, with a fraction behind a point.
    pub(crate) usual: f64,
    /// The other reading, if there is one: `H:MM`, `H:MM.SS`, `MM.SS`.
    pub(crate) hours: Option<f64>,
    /// The numbers that are written.
    pub(crate) form: TimeForm,
}

/// The numbers that a time is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeForm {
    /// `H:MM:SS`, `S`.
    Sure,
    /// `A:BB`, `A:BB.CC`.
    Colon,
    /// `A.BB`.
    Point,
}

impl ClockTime {
    /// Returns a time that has one reading.
    #[inline]
    pub(super) fn sure(seconds: f64) -> Self {
        Self { usual: seconds, hours: None, form: TimeForm::Sure }
    }

    /// Reads `H:MM:SS`, `MM:SS`, `S`, each with a fraction behind a point or a comma.
    pub(super) fn read(operand: &[u8]) -> Option<Self> {
        if let Some(seconds) = full_time(operand) {
            return Some(Self::sure(seconds));
        }
        let operand = operand.trim_ascii_end();
        let point = operand.iter().position(|byte| matches!(byte, b'.' | b','));
        let (whole, fraction) = match point {
            Some(at) => (&operand[..at], &operand[at + 1..]),
            None => (operand, &b""[..]),
        };
        let has_comma = point.is_some_and(|at| operand[at] == b',');
        if has_comma && fraction.is_empty() || !fraction.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let mut numbers = whole.split(|byte| *byte == b':');
        let (last, before) = (numbers.next_back()?, [numbers.next(), numbers.next(), numbers.next()]);
        let (first, second) = match before {
            [Some(first), Some(second), None] => (Some(number(first)?), Some(number(second)?)),
            [Some(first), None, None] => (Some(number(first)?), None),
            [None, ..] => (None, None),
            _ => return None,
        };
        if last.is_empty() && fraction.is_empty() {
            return None;
        }
        let last = if last.is_empty() { 0.0 } else { number(last)? };
        let minutes = match (first, second) {
            (Some(hours), Some(minutes)) => hours * 60.0 + minutes,
            (minutes, _) => minutes.unwrap_or(0.0),
        };
        let usual = with_fraction(minutes * 60.0 + last, fraction);
        if !usual.is_finite() {
            return None;
        }
        // In the other reading, what stands behind the point are seconds.
        let seconds = match (point, fraction) {
            (None, _) => Some(0.0),
            (Some(_), [_, _]) if !has_comma => number(fraction).filter(|seconds| *seconds < 60.0),
            _ => None,
        };
        let (form, hours) = match (first, second) {
            (Some(hours), None) => {
                (TimeForm::Colon, seconds.filter(|_| last < 60.0).map(|seconds| hours * 3600.0 + last * 60.0 + seconds))
            }
            (None, None) if point.is_some() => (TimeForm::Point, seconds.map(|seconds| last * 60.0 + seconds)),
            _ => (TimeForm::Sure, None),
        };
        Some(Self { usual, hours: hours.filter(|hours| *hours != usual), form })
    }
}

/// Reads `H:MM:SS`, the form that most clocks have.
#[inline]
pub(super) fn full_time(operand: &[u8]) -> Option<f64> {
    if let [h, b':', m, n, b':', s, t] = operand
        && [h, m, n, s, t].into_iter().all(u8::is_ascii_digit)
    {
        let [h, m, n, s, t] = [h, m, n, s, t].map(|digit| u32::from(digit - b'0'));
        return Some(f64::from(3600 * h + 60 * (10 * m + n) + 10 * s + t));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{ClockTime, TimeForm};

    #[track_caller]
    fn check(text: &str, usual: &str, hours: Option<f64>, form: TimeForm) {
        let time = ClockTime::read(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((time.usual.to_string().as_str(), time.hours, time.form), (usual, hours, form), "{text}");
    }

    #[test]
    fn two_numbers_are_hours_and_minutes_or_minutes_and_seconds() {
        check("1:30", "90", Some(5400.0), TimeForm::Colon);
        check("1:30.45", "90.45", Some(5445.0), TimeForm::Colon);
        check("1:30.60", "90.6", None, TimeForm::Colon);
        check("1:30.4", "90.4", None, TimeForm::Colon);
        check("1:30,45", "90.45", None, TimeForm::Colon);
        check("1:75", "135", None, TimeForm::Colon);
        check("0:00", "0", None, TimeForm::Colon);
        check("0.45", "0.45", Some(45.0), TimeForm::Point);
        check("90.00", "90", Some(5400.0), TimeForm::Point);
        check("1.748", "1.748", None, TimeForm::Point);
        check("1:30:00", "5400", None, TimeForm::Sure);
        check("0:01:02.45", "62.45", None, TimeForm::Sure);
        check("180", "180", None, TimeForm::Sure);
    }

    #[test]
    fn fractions_are_exact() {
        // Every hundredth of three minutes, and the limits of the fast way.
        for hundredths in 0..18_000 {
            let (minutes, seconds, rest) = (hundredths / 6000, hundredths / 100 % 60, hundredths % 100);
            let time = ClockTime::read(format!("0:0{minutes}:{seconds:02}.{rest:02}").as_bytes()).unwrap();
            let expected: f64 = format!("{}.{rest:02}", hundredths / 100).parse().unwrap();
            assert_eq!(time.usual.to_string(), expected.to_string());
        }
        check("0:04:52.91", "292.91", None, TimeForm::Sure);
        check("0:00:45,6", "45.6", None, TimeForm::Sure);
        check("277777:46:39.123456", "999999999.123456", None, TimeForm::Sure);
        check("0:00:00.1234567890123", "0.1234567890123", None, TimeForm::Sure);
        check("0:00:07.", "7", None, TimeForm::Sure);
        check(".5", "0.5", None, TimeForm::Point);
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in ["", ":", ":30", "1:", "1:2:3:4", "1.5:00", "1,", "0:01,", "-1", "x", "1:x", "1:00.x", "1..2", "."]
        {
            assert_eq!(ClockTime::read(text.as_bytes()), None, "{text}");
        }
        assert_eq!(ClockTime::read("9".repeat(400).as_bytes()), None);
    }
}
