//! A condition on a tag: `WhiteElo>=2200`.

use std::cmp::Ordering;
use std::str::FromStr;

use crate::pgn::encoding::Fallback;
use crate::pgn::tags::Tags;
use crate::selection::mistake::Mistake;

/// A condition that the tags of a game fulfil or not: a name, an operator, a value, as in `WhiteElo>=2200`,
/// `ECO=C42`, `Date<2000`, `White~carlsen`.
///
/// The name is that of a tag; where the game has none with these capitals, one with others will do. Blanks around the parts
/// do not count; a value may stand in quotes, and then may be empty or have blanks at its ends.
///
/// - `=` and `!=` compare the whole value, capitals and all; whole numbers compare as numbers (`02200` is `2200`).
/// - `<`, `<=`, `>` and `>=` compare numbers as numbers, and anything else as text, byte for byte of UTF-8, which puts dates
///   in order: `Date>=2013`, `Date<1990.05.01`. What does not begin with a digit has no place in an order with a number.
/// - `~` asks whether the value contains the text, whatever the capitals.
///
/// A tag that is missing fulfils `!=` and nothing else. One that says that it does not know (`?`, `????.??.??`, `-`, or
/// nothing) is missing in an order, so that a game without a date is neither old nor new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagFilter {
    name: String,
    operator: Operator,
    /// In small letters, if it is to be contained.
    value: String,
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
    /// Whether a game with these tags is wanted. Values that are not UTF-8 are read with the help of `encoding`.
    pub fn holds(&self, tags: &Tags<'_>, encoding: &Fallback) -> bool {
        let bytes = tags.find_any_case(&self.name).map(|tag| tag.value.unescape());
        self.holds_for_tag(bytes.as_ref().map(|bytes| encoding.decode(bytes)).as_deref())
    }

    /// The name of the tag, as it was typed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a game is wanted whose tag has this value; None if it has no such tag.
    pub fn holds_for_tag(&self, value: Option<&str>) -> bool {
        value.map_or(self.operator == Operator::NotEqual, |value| self.holds_for(value))
    }

    fn holds_for(&self, text: &str) -> bool {
        let order = || compare(text, &self.value);
        match self.operator {
            Operator::Equal => equals(text, &self.value),
            Operator::NotEqual => !equals(text, &self.value),
            Operator::Less => order().is_some_and(Ordering::is_lt),
            Operator::LessOrEqual => order().is_some_and(Ordering::is_le),
            Operator::Greater => order().is_some_and(Ordering::is_gt),
            Operator::GreaterOrEqual => order().is_some_and(Ordering::is_ge),
            Operator::Contains => contains(text, &self.value),
        }
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
                Some(meant) => format!("{sign_text} is no operator; {meant} is"),
                None => format!("{sign_text} is no operator; = != < <= > >= and ~ (contains) are"),
            };
            Mistake::new(text, sign.clone(), reason)
        })?;
        let rest = text[value..].trim_end();
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        if rest.is_empty() {
            return Err(Mistake::new(text, value..value, "there is no value; an empty one is written \"\""));
        }
        let plain = quoted.unwrap_or(rest);
        let value = if operator == Operator::Contains { plain.to_lowercase() } else { plain.to_owned() };
        Ok(Self { name: text[name].to_owned(), operator, value })
    }
}

impl Operator {
    /// The operator that is written so, or the one that may be meant.
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

/// Whether two values are the same: as whole numbers, or else letter for letter. A round 1.1 is not a round 1.10.
fn equals(a: &str, b: &str) -> bool {
    match (number(a), number(b)) {
        (Some(Number::Whole(a)), Some(Number::Whole(b))) => a == b,
        _ => a == b,
    }
}

/// The order of a tag's value and a filter's. None where they have none.
fn compare(value: &str, with: &str) -> Option<Ordering> {
    let as_text = value.cmp(with);
    match (number(value), number(with)) {
        _ if is_unknown(value) => None,
        (Some(Number::Whole(a)), Some(Number::Whole(b))) => Some(a.cmp(&b)),
        (Some(a), Some(b)) => Some(a.size().total_cmp(&b.size()).then(as_text)),
        (None, Some(_)) if !value.starts_with(|first: char| first.is_ascii_digit()) => None,
        _ => Some(as_text),
    }
}

/// Question marks, periods and hyphens stand for what is not known (PGN standard §8.1.1).
fn is_unknown(value: &str) -> bool {
    value.chars().all(|char| matches!(char, '?' | '.' | '-' | ' '))
}

/// Whether the text contains another, which is in small letters, whatever its own capitals.
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

/// `2200`, `-3`, `+12`, `95.5`; nothing else is a number, so that `nan` is text.
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

    /// The values of the tag among these for which the filter holds.
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
        check("Round=1.1", &["1.1", "1.10"], &["1.1"]);
        check("E>1", &["9223372036854775808", "-99999999999999999999"], &["9223372036854775808"]);
    }

    #[test]
    fn dates_are_in_order_as_text() {
        let dates = ["2013.11.16", "2013.01.02", "2012.12.31", "2013.??.??", "2013", "1851.06.21"];
        check("Date>=2013", &dates, &["2013.11.16", "2013.01.02", "2013.??.??", "2013"]);
        check("Date<2013.02.01", &dates, &["2013.01.02", "2012.12.31", "2013", "1851.06.21"]);
        check("Date~2013.11", &dates, &["2013.11.16"]);
        check("ECO<=B99", &["A00", "B99", "C00"], &["A00", "B99"]);
        check("TimeControl=300+3", &["300+3", "300"], &["300+3"]);
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

    /// Whether the filter holds for the tags of a game.
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
        // Of a tag that is given twice the last counts, as everywhere.
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
            => is no operator; >= is
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
            there is no value; an empty one is written ""
                White= 
                       ^"#]],
        );
        check_mistake(
            "White!~x",
            &expect![[r#"
            !~ is no operator; = != < <= > >= and ~ (contains) are
                White!~x
                     ^^"#]],
        );
    }
}
