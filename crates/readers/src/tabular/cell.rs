//! Values of tables as the values of PGN tags.

use std::fmt;
use std::io::Write;

use crate::game_text::escape;
use crate::tabular::table::Cell;
use pgn2fen_pgn::date::append_day;
use pgn2fen_pgn::tag_kind::TagKind;
use pgn2fen_pgn::token::Outcome;

/// Appends a value as a tag of this kind has it, without its quotes. Appends nothing for a value that is missing: null,
/// or not a number. Dates are written as `2019.06.01`, times as `18:30:00`, time stamps as both unless the tag is a
/// date or a time.
pub(super) fn write(cell: Cell<'_>, kind: TagKind, out: &mut Vec<u8>) {
    match cell {
        Cell::Null => {}
        Cell::Text(text) => escape(as_tag(text, kind), out),
        Cell::Integer(number) => push(out, format_args!("{number}")),
        Cell::Unsigned(number) => push(out, format_args!("{number}")),
        Cell::Single(number) if number.is_nan() => {}
        Cell::Single(number) => push(out, format_args!("{number}")),
        Cell::Double(number) if number.is_nan() => {}
        Cell::Double(number) => push(out, format_args!("{number}")),
        Cell::Truth(truth) => push(out, format_args!("{truth}")),
        Cell::Decimal(number, scale) => decimal(number, scale, out),
        Cell::Day(day) => append_day(day, out),
        Cell::TimeOfDay(second) => time(second, out),
        Cell::Moment(second) => {
            let (day, second) = (second.div_euclid(DAY), second.rem_euclid(DAY));
            match kind {
                TagKind::Date => append_day(day, out),
                TagKind::Time => time(second, out),
                _ => {
                    append_day(day, out);
                    out.push(b' ');
                    time(second, out);
                }
            }
        }
    }
}

/// The number of seconds of a day.
const DAY: i64 = 24 * 60 * 60;

fn push(out: &mut Vec<u8>, text: fmt::Arguments<'_>) {
    // Writing to memory cannot fail.
    let _ = out.write_fmt(text);
}

/// Returns a text as a tag of this kind has it: the result of a winner, and an integer without the zero behind its
/// point, which programs write that keep a column with empty cells as floating-point numbers.
fn as_tag(text: &[u8], kind: TagKind) -> &[u8] {
    let outcome = |outcome: Outcome| outcome.as_str().as_bytes();
    match kind {
        TagKind::Result if text.eq_ignore_ascii_case(b"white") => outcome(Outcome::WhiteWins),
        TagKind::Result if text.eq_ignore_ascii_case(b"black") => outcome(Outcome::BlackWins),
        TagKind::Result if text.eq_ignore_ascii_case(b"draw") => outcome(Outcome::Draw),
        TagKind::Rating | TagKind::Number => match text.strip_suffix(b".0") {
            Some(integer) if integer.iter().skip(1).all(u8::is_ascii_digit) => integer,
            _ => text,
        },
        _ => text,
    }
}

fn decimal(number: i128, scale: i32, out: &mut Vec<u8>) {
    let Ok(scale @ 1..=38) = usize::try_from(scale) else {
        return push(out, format_args!("{number}"));
    };
    let digits = format!("{:0>width$}", number.unsigned_abs(), width = scale + 1);
    let (whole, part) = digits.split_at(digits.len() - scale);
    let part = part.trim_end_matches('0');
    let (sign, point) = (if number < 0 { "-" } else { "" }, if part.is_empty() { "" } else { "." });
    push(out, format_args!("{sign}{whole}{point}{part}"));
}

fn time(second: i64, out: &mut Vec<u8>) {
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    push(out, format_args!("{hour:02}:{minute:02}:{second:02}"));
}

#[cfg(test)]
mod tests {
    use super::write;
    use crate::tabular::table::Cell;
    use pgn2fen_pgn::tag_kind::TagKind;

    #[track_caller]
    fn check(cell: Cell<'_>, tag: &str, expected: &str) {
        let mut out = Vec::new();
        write(cell, TagKind::of(tag), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected, "{cell:?}");
    }

    #[test]
    fn values_are_written_as_tags_have_them() {
        check(Cell::Null, "White", "");
        check(Cell::Text(br#"a "b" \ c"#), "White", r#"a \"b\" \\ c"#);
        check(Cell::Text(b"a\nb\tc"), "White", "a b c");
        check(Cell::Text(b"1500.0"), "WhiteElo", "1500");
        check(Cell::Text(b"-7.0"), "WhiteRatingDiff", "-7");
        check(Cell::Text(b"1.5.0"), "WhiteElo", "1.5.0");
        check(Cell::Text(b"2.0"), "Version", "2.0");
        check(Cell::Text(b"Black"), "Result", "0-1");
        check(Cell::Text(b"white"), "White", "white");
        check(Cell::Integer(-3), "WhiteRatingDiff", "-3");
        check(Cell::Unsigned(u64::MAX), "Id", "18446744073709551615");
        check(Cell::Double(2500.0), "WhiteElo", "2500");
        check(Cell::Single(0.1), "X", "0.1");
        check(Cell::Double(f64::NAN), "WhiteElo", "");
        check(Cell::Truth(true), "X", "true");
        check(Cell::Decimal(-1250, 3), "X", "-1.25");
        check(Cell::Decimal(5, 3), "X", "0.005");
        check(Cell::Decimal(5000, 3), "X", "5");
        check(Cell::Decimal(7, 0), "X", "7");
    }

    #[test]
    fn dates_are_those_of_the_gregorian_calendar() {
        check(Cell::Day(0), "Date", "1970.01.01");
        check(Cell::Day(-1), "Date", "1969.12.31");
        check(Cell::Day(11_016), "Date", "2000.02.29");
        check(Cell::Day(18_048), "UTCDate", "2019.06.01");
        check(Cell::Day(-719_162), "Date", "0001.01.01");
        check(Cell::Day(2_932_896), "Date", "9999.12.31");
        check(Cell::Day(i64::MAX), "Date", "");
        check(Cell::TimeOfDay(66_600), "UTCTime", "18:30:00");
        check(Cell::Moment(18_048 * 86_400 + 66_600), "UTCDate", "2019.06.01");
        check(Cell::Moment(18_048 * 86_400 + 66_600), "UTCTime", "18:30:00");
        check(Cell::Moment(-1), "Uploaded", "1969.12.31 23:59:59");
    }
}
