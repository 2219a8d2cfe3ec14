//! A condition on a tag: `WhiteElo>=2200`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::pgn::encoding::Fallback;
use crate::pgn::tag_kind::TagKind;
use crate::pgn::tags::Tags;
use crate::selection::mistake::Mistake;
use crate::selection::span::Span;

/// A condition on the value of a tag, as in `WhiteElo>=2200`, `ECO=C42`, `Date<2000` and `White~carlsen`. It consists of the name of a
/// tag, an operator and a value.
///
/// If a game has no tag with exactly this name, a tag whose name differs only in case is used. White space around the parts is ignored. A
/// value may be quoted; a quoted value may be empty, and may begin and end with white space.
///
/// The [kind](TagKind) of the tag decides how `=`, `!=`, `<`, `<=`, `>` and `>=` compare values:
///
/// - A **date** in a filter is a year, a year and month, or a day: `2019`, `2019.06`, `2019-06-01`, `2019/6/1`. It stands for all of its
///   days, so `Date=2019` and `Date<=2019` hold for 2019.12.31. A date in a game may be known in part, and the known part is compared:
///   `2019.??.??` is before 2020, and is neither before nor after 2019.06.
/// - A **time of day** is compared in the same way: `UTCTime>=18:30`.
/// - A **time control** is compared by its base time in seconds, and then by its increment if the filter has one: `TimeControl>=180`
///   holds for `180+2`. If there are several periods, only the first is compared. If the value of `=` or `!=` contains `/`, `:` or `*`,
///   the texts are compared.
/// - **Ratings and numbers** are compared as numbers. A rating of 0 is unknown, and `2650?` is 2650.
/// - **Rounds** are compared part by part, so 6.4 is before 6.10, and `Round=6` holds for 6.4.
/// - All other tags are **texts**. `=` and `!=` compare the whole value, case included, but compare whole numbers as numbers. The other
///   operators use the order of numbers if both values are numbers, and otherwise the byte order of UTF-8.
///
/// `~` holds if the text of the value contains the text of the filter. It ignores case.
///
/// If the tag is missing, only `!=` holds. A value that is unknown (`?`, `????.??.??`, `-` or empty), or that cannot be read as its kind,
/// is neither less nor greater than any value. `WhiteElo=?` holds for unknown values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagFilter {
    /// The filter as it was given.
    text: String,
    name: String,
    operator: Operator,
    kind: TagKind,
    value: Value,
}

/// The value with which a tag is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    /// A text; in lower case for the operator `~`.
    Text(String),
    /// A value of the tag's kind.
    Typed(Span),
    /// An unknown value, such as `?`.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
}

impl TagFilter {
    /// Whether the filter holds for these tags. Values that are not UTF-8 are decoded from `encoding`.
    pub fn holds(&self, tags: &Tags<'_>, encoding: &Fallback) -> bool {
        let bytes = tags.find_any_case(&self.name).map(|tag| tag.value.unescape());
        self.holds_for_tag(bytes.as_ref().map(|bytes| encoding.decode(bytes)).as_deref())
    }

    /// Returns the name of the tag, as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the filter holds for this value of the tag; `None` means that the tag is missing.
    pub fn holds_for_tag(&self, value: Option<&str>) -> bool {
        value.map_or(self.operator == Operator::NotEqual, |value| self.holds_for(value))
    }

    fn holds_for(&self, text: &str) -> bool {
        match &self.value {
            Value::Text(with) => self.holds_for_text(text, with),
            Value::Typed(with) => match Span::of_value(self.kind, text) {
                Some(span) => self.holds_for_span(span, *with),
                None => self.operator == Operator::NotEqual,
            },
            Value::Unknown => self.kind.is_unknown(text) == (self.operator == Operator::Equal),
        }
    }

    fn holds_for_span(&self, span: Span, with: Span) -> bool {
        match self.operator {
            Operator::Equal => span.is_in(with),
            Operator::NotEqual => !span.is_in(with),
            Operator::Less => span.is_before(with),
            Operator::LessOrEqual => span.ends_by(with),
            Operator::Greater => with.is_before(span),
            Operator::GreaterOrEqual => span.begins_from(with),
            Operator::Contains => false,
        }
    }

    fn holds_for_text(&self, text: &str, with: &str) -> bool {
        let order = || compare(text, with);
        match self.operator {
            Operator::Equal => equals(text, with),
            Operator::NotEqual => !equals(text, with),
            Operator::Less => order().is_some_and(Ordering::is_lt),
            Operator::LessOrEqual => order().is_some_and(Ordering::is_le),
            Operator::Greater => order().is_some_and(Ordering::is_gt),
            Operator::GreaterOrEqual => order().is_some_and(Ordering::is_ge),
            Operator::Contains => contains(text, with),
        }
    }
}

impl Value {
    /// Parses the value of a filter for a tag of this kind.
    fn of_filter(kind: TagKind, operator: Operator, text: &str) -> Result<Self, &'static str> {
        let is_equality = matches!(operator, Operator::Equal | Operator::NotEqual);
        match kind {
            _ if operator == Operator::Contains => Ok(Self::Text(text.to_lowercase())),
            TagKind::Text => Ok(Self::Text(text.to_owned())),
            // Rounds and time controls may be words, too, and `-` is one of them.
            TagKind::TimeControl if is_equality && text.contains(['/', ':', '*']) => Ok(Self::Text(text.to_owned())),
            TagKind::TimeControl | TagKind::Round if is_equality => {
                Ok(Span::of_filter(kind, text).map_or_else(|_| Self::Text(text.to_owned()), Self::Typed))
            }
            _ if is_equality && kind.is_unknown(text) => Ok(Self::Unknown),
            _ => match Span::of_filter(kind, text.trim()) {
                Ok(span) => Ok(Self::Typed(span)),
                Err(_) if kind.is_unknown(text) => Err("an unknown value is neither less nor greater than any value"),
                Err(reason) => Err(reason),
            },
        }
    }
}

/// Writes the filter as it was given.
impl fmt::Display for TagFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for TagFilter {
    type Err = Mistake;

    fn from_str(text: &str) -> Result<Self, Mistake> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let pass = |at: usize, what: &dyn Fn(u8) -> bool| {
            at + text.as_bytes()[at..].iter().take_while(|byte| what(**byte)).count()
        };
        let is_blank = |byte: u8| byte.is_ascii_whitespace();

        let start = pass(0, &is_blank);
        let name = start..pass(start, &is_name);
        let sign = pass(name.end, &is_blank);
        let sign = sign..pass(sign, &|byte| b"=!<>~".contains(&byte));
        let value = pass(sign.end, &is_blank);
        let char = |at: usize| at..at + text[at..].chars().next().map_or(0, char::len_utf8);

        if name.is_empty() {
            return Err(Mistake::new(
                text,
                char(start),
                "a filter begins with the name of a tag, as in WhiteElo>=2200",
            ));
        }
        if sign.is_empty() {
            let reason = "an operator is missing: = != < <= > >= or ~ (contains); quotes keep < and > from the shell";
            return Err(Mistake::new(text, char(sign.start), reason));
        }
        let operator = Operator::named(&text[sign.clone()]).map_err(|meant| {
            let sign_text = &text[sign.clone()];
            let reason = match meant {
                Some(meant) => format!("{sign_text} is not an operator; did you mean {meant}?"),
                None => format!("{sign_text} is not an operator; the operators are = != < <= > >= and ~ (contains)"),
            };
            Mistake::new(text, sign.clone(), reason)
        })?;
        let rest = text[value..].trim_end();
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        if rest.is_empty() {
            return Err(Mistake::new(text, value..value, "the value is missing; an empty value is written \"\""));
        }
        let kind = TagKind::of(&text[name.clone()]);
        match Value::of_filter(kind, operator, quoted.unwrap_or(rest)) {
            Ok(value) => Ok(Self { text: text.trim().to_owned(), name: text[name].to_owned(), operator, kind, value }),
            Err(reason) => {
                let reason = match operator {
                    Operator::Equal | Operator::NotEqual => format!("{reason}; ~ finds any text"),
                    _ => reason.to_owned(),
                };
                Err(Mistake::new(text, value..value + rest.len(), reason))
            }
        }
    }
}

impl Operator {
    /// Returns the operator with this sign. The error is the operator that was probably meant.
    fn named(sign: &str) -> Result<Self, Option<&'static str>> {
        match sign {
            "=" => Ok(Self::Equal),
            "!=" => Ok(Self::NotEqual),
            "<" => Ok(Self::Less),
            "<=" => Ok(Self::LessOrEqual),
            ">" => Ok(Self::Greater),
            ">=" => Ok(Self::GreaterOrEqual),
            "~" => Ok(Self::Contains),
            "==" | "===" => Err(Some("=")),
            "<>" | "!==" | "~=!" => Err(Some("!=")),
            "=<" => Err(Some("<=")),
            "=>" => Err(Some(">=")),
            "=~" | "~=" | "~~" => Err(Some("~")),
            _ => Err(None),
        }
    }
}

/// Whether two values are equal: as whole numbers if both are, and otherwise as texts. So 1.1 is not equal to 1.10.
fn equals(a: &str, b: &str) -> bool {
    match (number(a), number(b)) {
        (Some(Number::Whole(a)), Some(Number::Whole(b))) => a == b,
        _ => a == b,
    }
}

/// Returns the order of a tag's value and a filter's, or `None` if they cannot be ordered.
fn compare(value: &str, with: &str) -> Option<Ordering> {
    let as_text = value.cmp(with);
    match (number(value), number(with)) {
        _ if TagKind::Text.is_unknown(value) => None,
        (Some(Number::Whole(a)), Some(Number::Whole(b))) => Some(a.cmp(&b)),
        (Some(a), Some(b)) => Some(a.size().total_cmp(&b.size()).then(as_text)),
        (None, Some(_)) if !value.starts_with(|first: char| first.is_ascii_digit()) => None,
        _ => Some(as_text),
    }
}

/// Whether the text contains another text, which is in lower case. Ignores the case of the first.
fn contains(text: &str, small: &str) -> bool {
    text.to_lowercase().contains(small)
}

enum Number {
    Whole(i64),
    Decimal(f64),
}

impl Number {
    #[expect(clippy::cast_precision_loss, reason = "numbers so great are no ratings")]
    fn size(self) -> f64 {
        match self {
            Self::Whole(number) => number as f64,
            Self::Decimal(number) => number,
        }
    }
}

/// Parses a number such as `2200`, `-3`, `+12` and `95.5`. Everything else is a text, even `nan`.
fn number(text: &str) -> Option<Number> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_digits(digits) {
        return text.parse().map(Number::Whole).or_else(|_| text.parse().map(Number::Decimal)).ok();
    }
    let (whole, fraction) = digits.split_once('.')?;
    (is_digits(whole) && is_digits(fraction)).then(|| text.parse().ok().map(Number::Decimal))?
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::TagFilter;
    use crate::pgn::encoding::{Fallback, Label};
    use crate::pgn::tags::Tags;

    /// Compares the values for which the filter holds.
    #[track_caller]
    fn check(filter: &str, values: &[&str], wanted: &[&str]) {
        let filter: TagFilter = filter.parse().expect(filter);
        let held: Vec<&str> = values.iter().copied().filter(|value| filter.holds_for(value)).collect();
        assert_eq!(held, wanted, "{filter:?}");
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        let elos = ["2200", "900", "02200", "12000", "+2200", "2200.5"];
        check("E=2200", &elos, &["2200", "02200", "+2200"]);
        check("E!=2200", &elos, &["900", "12000", "2200.5"]);
        check("E<2200", &elos, &["900"]);
        check("E<=2200", &elos, &["2200", "900", "02200", "+2200"]);
        check("E>2200", &elos, &["12000", "2200.5"]);
        check("E>=2200", &elos, &["2200", "02200", "12000", "+2200", "2200.5"]);
        check("D>=-7", &["-12", "-7", "3", "+5"], &["-7", "3", "+5"]);
        check("A>=95.5", &["9.6", "95.5", "95.49", "100.0"], &["95.5", "100.0"]);
        check("E=1.1", &["1.1", "1.10"], &["1.1"]);
        check("E>1", &["9223372036854775808", "-99999999999999999999"], &["9223372036854775808"]);
    }

    #[test]
    fn dates_are_compared_however_they_are_written() {
        let dates = ["2019.05.31", "2019.06.01", "2019-06-02", "2020/1/1", "1851.06.21"];
        for filter in ["Date>=2019.06.01", "Date>=2019-06-01", "Date>=2019/6/1", "EventDate >= \"2019-6-1\""] {
            check(filter, &dates, &["2019.06.01", "2019-06-02", "2020/1/1"]);
        }
        check("Date<2019-06-01", &dates, &["2019.05.31", "1851.06.21"]);
        check("UTCDate=2019/6/1", &dates, &["2019.06.01"]);
        check("Date!=2019/6/1", &dates, &["2019.05.31", "2019-06-02", "2020/1/1", "1851.06.21"]);
        check("Date~2019.06", &dates, &["2019.06.01"]);
    }

    #[test]
    fn a_year_means_all_its_days_and_a_month_too() {
        let dates = ["2018.12.31", "2019.01.01", "2019.06.15", "2019.12.31", "2020.01.01"];
        check("Date=2019", &dates, &dates[1..4]);
        check("Date=2019.??.??", &dates, &dates[1..4]);
        check("Date!=2019", &dates, &[dates[0], dates[4]]);
        check("Date<=2019", &dates, &dates[..4]);
        check("Date<2019", &dates, &dates[..1]);
        check("Date>2019", &dates, &dates[4..]);
        check("Date>=2019", &dates, &dates[1..]);
        check("Date=2019.06", &dates, &["2019.06.15"]);
        check("Date<=2019-06", &dates, &dates[..3]);
        check("Date>2019/6", &dates, &dates[3..]);
    }

    #[test]
    fn what_is_not_known_of_a_date_decides_nothing() {
        let dates = ["2019.??.??", "2019.06.??", "????.??.??", "?", "2019"];
        let known = ["2019.??.??", "2019.06.??", "2019"];
        for filter in ["Date=2019", "Date<=2019", "Date>=2019", "Date<2020", "Date>2018.12.31", "Date>=2019.01.01"] {
            check(filter, &dates, &known);
        }
        for filter in ["Date>=2019.06.01", "Date<=2019.06.30", "Date=2019.06", "Date<2019.07.01", "Date>2019.05"] {
            check(filter, &dates, &["2019.06.??"]);
        }
        for filter in ["Date>2019", "Date<2019", "Date>=2019.06.02", "Date<2019.06.30", "Date=2019.06.15"] {
            check(filter, &dates, &[]);
        }
        check("Date!=2019", &dates, &["????.??.??", "?"]);
        check("Date=?", &dates, &["????.??.??", "?"]);
        check("Date=????.??.??", &dates, &["????.??.??", "?"]);
        check("Date!=?", &dates, &known);
    }

    #[test]
    fn times_of_day_are_compared_as_far_as_they_are_known() {
        let times = ["18:29:59", "18:30:00", "18:??:??", "??:??:??", "9:00", "23:11:04 GMT+0000"];
        check("UTCTime>=18:30", &times, &["18:30:00", "23:11:04 GMT+0000"]);
        check("Time<18:30", &times, &["18:29:59", "9:00"]);
        check("UTCTime=18", &times, &["18:29:59", "18:30:00", "18:??:??"]);
    }

    #[test]
    fn time_controls_are_compared_by_their_seconds() {
        let controls = ["60", "180", "180+2", "300+0", "40/7200:3600", "*180", "-", "?", "1/259200", "blitz", "60+0.6"];
        check("TimeControl>=180", &controls, &["180", "180+2", "300+0", "40/7200:3600", "*180", "1/259200"]);
        check("TimeControl>180", &controls, &["300+0", "40/7200:3600", "1/259200"]);
        check("TimeControl<=180", &controls, &["60", "180", "180+2", "*180", "60+0.6"]);
        check("TimeControl=180", &controls, &["180", "180+2", "*180"]);
        check("TimeControl=180+2", &controls, &["180+2"]);
        check("TimeControl=180+0", &controls, &["180", "*180"]);
        check("TimeControl=300", &controls, &["300+0"]);
        check("TimeControl>=60.5", &controls, &["180", "180+2", "300+0", "40/7200:3600", "*180", "1/259200"]);
        check("TimeControl=40/7200:3600", &controls, &["40/7200:3600"]);
        check("TimeControl=-", &controls, &["-"]);
        check("TimeControl=blitz", &controls, &["blitz"]);
    }

    #[test]
    fn ratings_are_numbers_and_may_be_unknown() {
        let elos = ["2650", "2650?", "987", "?", "-", "", "0", "unrated", "10000"];
        check("WhiteElo>=2600", &elos, &["2650", "2650?", "10000"]);
        check("BlackElo<2600", &elos, &["987"]);
        check("WhiteElo=2650", &elos, &["2650", "2650?"]);
        check("WhiteElo>0", &elos, &["2650", "2650?", "987", "10000"]);
        for filter in ["WhiteElo=?", "WhiteElo=-", "WhiteElo=\"\"", "WhiteElo=0"] {
            check(filter, &elos, &["?", "-", "", "0"]);
        }
        check("whiteelo!=2650", &elos, &["987", "?", "-", "", "0", "unrated", "10000"]);
        check("WhiteElo~unr", &elos, &["unrated"]);
        check("WhiteRatingDiff>=0", &["+7", "-7", "0", "?"], &["+7", "0"]);
        check("PlyCount<=100", &["99", "100", "101", "?"], &["99", "100"]);
    }

    #[test]
    fn rounds_are_compared_part_by_part() {
        let rounds = ["6", "6.4", "6.10", "7", "10.1", "?", "-", "Final", "6.?"];
        check("Round<6.10", &rounds, &["6", "6.4"]);
        check("Round>=6.4", &rounds, &["6.4", "6.10", "7", "10.1"]);
        check("Round=6", &rounds, &["6", "6.4", "6.10", "6.?"]);
        check("Round<=6", &rounds, &["6", "6.4", "6.10", "6.?"]);
        check("Round>6", &rounds, &["7", "10.1"]);
        check("Round=6.1", &["6.1", "6.10", "6.1.2", "6.01"], &["6.1", "6.1.2", "6.01"]);
        check("Round=Final", &rounds, &["Final"]);
        check("Round=?", &rounds, &["?"]);
    }

    #[test]
    fn other_tags_are_texts() {
        check("ECO<=B99", &["A00", "B99", "C00", "E60/10", "?"], &["A00", "B99"]);
        check("Result=1-0", &["1-0", "0-1"], &["1-0"]);
    }

    #[test]
    fn what_is_not_known_is_neither_less_nor_more() {
        let unknown = ["?", "????.??.??", "-", "", "unrated", "GM 2500"];
        for filter in ["X>=0", "X<9999"] {
            check(filter, &unknown, &[]);
        }
        for filter in ["X>=A", "X<=z"] {
            check(filter, &unknown, &["unrated", "GM 2500"]);
        }
        check("X!=2200", &unknown, &unknown);
        check("X=?", &unknown, &["?"]);
        check("X=\"\"", &unknown, &[""]);
        check("X~?", &unknown, &["?", "????.??.??"]);
    }

    #[test]
    fn text_is_the_same_letter_for_letter_and_contained_in_any_letters() {
        let names = ["Carlsen, Magnus", "CARLSEN", "Müller, Karl", "Карпов"];
        check("White=Carlsen, Magnus", &names, &["Carlsen, Magnus"]);
        check(" White = \"Carlsen, Magnus\" ", &names, &["Carlsen, Magnus"]);
        check("White~carlsen", &names, &["Carlsen, Magnus", "CARLSEN"]);
        check("White~MÜLL", &names, &["Müller, Karl"]);
        check("White~карп", &names, &["Карпов"]);
        check("White~\"\"", &names, &names);
        check("Event=\"=x\"", &["=x"], &["=x"]);
    }

    /// Checks whether the filter holds for the tags of a game.
    #[track_caller]
    fn check_game(filter: &str, tags: &[u8], encoding: Option<&str>, expected: bool) {
        let encoding = Fallback::new(encoding.and_then(Label::find));
        let filter: TagFilter = filter.parse().expect(filter);
        assert_eq!(filter.holds(&Tags::read(tags, 0), &encoding), expected, "{filter:?}");
    }

    #[test]
    fn a_missing_tag_is_unlike_any_value() {
        let tags = b"[White \"A\"] [White \"B\"]";
        for (filter, expected) in [("Elo!=1", true), ("Elo=1", false), ("Elo<1", false), ("Elo~\"\"", false)] {
            check_game(filter, tags, None, expected);
        }
        // If a tag is given twice, the last one counts, as everywhere.
        check_game("White=B", tags, None, true);
    }

    #[test]
    fn a_name_in_other_capitals_is_found_if_there_is_none_in_these() {
        check_game("whiteelo>=2200", b"[WhiteElo \"2300\"]", None, true);
        check_game("white=b", b"[white \"b\"] [White \"A\"]", None, true);
    }

    #[test]
    fn values_are_compared_as_text_in_whatever_encoding() {
        check_game("White=M\u{fc}ller \"K\"", b"[White \"M\xfcller \\\"K\\\"\"]", None, true);
        check_game("White~\u{43a}\u{430}\u{440}\u{43f}", b"[White \"\xca\xe0\xf0\xef\xee\xe2\"]", Some("cp1251"), true);
    }

    #[track_caller]
    fn check_mistake(filter: &str, expected: &Expect) {
        let mistake = filter.parse::<TagFilter>().expect_err(filter);
        expected.assert_eq(&mistake.to_string());
    }

    #[test]
    fn a_caret_stands_under_what_is_wrong() {
        check_mistake(
            "WhiteElo=>2200",
            &expect![[r#"
                => is not an operator; did you mean >=?
                    WhiteElo=>2200
                            ^^"#]],
        );
        check_mistake(
            "WhiteElo",
            &expect![[r#"
                an operator is missing: = != < <= > >= or ~ (contains); quotes keep < and > from the shell
                    WhiteElo
                            ^"#]],
        );
        check_mistake(
            "White Elo>=2200",
            &expect![[r#"
                an operator is missing: = != < <= > >= or ~ (contains); quotes keep < and > from the shell
                    White Elo>=2200
                          ^"#]],
        );
        check_mistake(
            "Größe>=3",
            &expect![[r#"
                an operator is missing: = != < <= > >= or ~ (contains); quotes keep < and > from the shell
                    Größe>=3
                      ^"#]],
        );
        check_mistake(
            ">=2200",
            &expect![[r#"
            a filter begins with the name of a tag, as in WhiteElo>=2200
                >=2200
                ^"#]],
        );
        check_mistake("", &expect!["a filter begins with the name of a tag, as in WhiteElo>=2200"]);
        check_mistake(
            "White= ",
            &expect![[r#"
            the value is missing; an empty value is written ""
                White= 
                       ^"#]],
        );
        check_mistake(
            "WhiteElo>=abc",
            &expect![[r#"
                this tag is a rating, which is a number
                    WhiteElo>=abc
                              ^^^"#]],
        );
        check_mistake(
            "Date >= yesterday",
            &expect![[r#"
                this tag is a date: a year, a year and month, or a day, as in 2019, 2019.06 and 2019-06-01
                    Date >= yesterday
                            ^^^^^^^^^"#]],
        );
        check_mistake(
            "Date=2019.02.30",
            &expect![[r#"
            there is no such day; ~ finds any text
                Date=2019.02.30
                     ^^^^^^^^^^"#]],
        );
        check_mistake(
            "EventDate<2019.13",
            &expect![[r#"
            there is no such month
                EventDate<2019.13
                          ^^^^^^^"#]],
        );
        check_mistake(
            "Date>=?",
            &expect![[r#"
            an unknown value is neither less nor greater than any value
                Date>=?
                      ^"#]],
        );
        check_mistake(
            "TimeControl>=fast",
            &expect![[r#"
            this tag is a time control, which is compared by its seconds, such as 180 or 180+2
                TimeControl>=fast
                             ^^^^"#]],
        );
        check_mistake(
            "UTCTime>=noon",
            &expect![[r#"
            this tag is a time of day, such as 18:30 or 18:30:00
                UTCTime>=noon
                         ^^^^"#]],
        );
        check_mistake(
            "Round>QF",
            &expect![[r#"
            this tag is the number of a round, such as 6, or 6.4 for part 4 of it
                Round>QF
                      ^^"#]],
        );
        check_mistake(
            "WhiteElo=GM",
            &expect![[r#"
            this tag is a rating, which is a number; ~ finds any text
                WhiteElo=GM
                         ^^"#]],
        );
        check_mistake(
            "White!~x",
            &expect![[r#"
                !~ is not an operator; the operators are = != < <= > >= and ~ (contains)
                    White!~x
                         ^^"#]],
        );
    }
}
