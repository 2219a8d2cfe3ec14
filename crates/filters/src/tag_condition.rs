//! A condition on a tag: `WhiteElo>=2200`.

use std::cmp::Ordering;
use std::ops::Range;

use crate::parse_error::ParseError;
use crate::players::{PlayerSet, Players, fide_id_tag};
use crate::span::Span;
use crate::tag_value::{compared, tag_value};
use pgn2fen_pgn::encoding::Fallback;
use pgn2fen_pgn::movetext::Movetext;
use pgn2fen_pgn::speed::Speed;
use pgn2fen_pgn::tag_kind::TagKind;
use pgn2fen_pgn::tags::Tags;

/// A condition on the value of one tag. A [`TagFilter`](crate::TagFilter) is made of conditions, and
/// explains how values are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagCondition {
    name: String,
    operator: Operator,
    kind: TagKind,
    value: Value,
    /// The players whom the condition means, if there are players under several names.
    players: Option<PlayerSet>,
}

/// The value with which a tag is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    /// A text; in lower case for the operators `~` and `!~`.
    Text(String),
    /// A value of the tag's kind.
    Typed(Span),
    /// An unknown value, such as `?`.
    Unknown,
    /// The speed that follows from a time control; None if it is unknown.
    Speed(Option<Speed>),
}

/// The name that stands for the speed that follows from the tag TimeControl.
const SPEED: &str = "Speed";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
    ContainsNot,
}

impl TagCondition {
    /// Whether the condition holds for these tags. Values that are not UTF-8 are decoded from `encoding`.
    pub fn holds(&self, tags: &Tags<'_>, encoding: &Fallback) -> bool {
        self.holds_in(tags, None, encoding)
    }

    /// Whether the condition holds for these tags, and the result behind these moves.
    pub(super) fn holds_in<'a>(&self, tags: &Tags<'a>, movetext: Option<&Movetext<'a>>, encoding: &Fallback) -> bool {
        let value = |name: &str| tag_value(tags, movetext, name).map(|value| value.decode_from(encoding));
        let fide_id =
            self.players.as_ref().filter(|set| set.has_fide_ids()).and_then(|_| value(fide_id_tag(&self.name)?));
        self.holds_for_player(value(&self.name).as_deref(), fide_id.as_deref())
    }

    /// Returns the name of the tag, as it was given. That of a speed is TimeControl.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the same condition for another tag of the same kind.
    pub(super) fn of(&self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self.clone() }
    }

    /// Whether the whole text of the value is compared by `=`.
    pub(super) fn is_equality_of_text(&self) -> bool {
        self.operator == Operator::Equal && matches!(self.value, Value::Text(_))
    }

    /// Whether the operator is `!=` or `!~`.
    pub(super) fn is_negative(&self) -> bool {
        self.operator.is_negative()
    }

    /// Whether the condition holds for this value of the tag; `None` means that the tag is missing.
    pub fn holds_for_tag(&self, value: Option<&str>) -> bool {
        self.holds_for_player(value, None)
    }

    /// Whether the value of the tag is known and cannot be compared, because it is not a date, a time, a time control,
    /// a rating or a number, as its name says.
    pub(super) fn cannot_read(&self, tags: &Tags<'_>, encoding: &Fallback) -> bool {
        let is_compared = matches!(self.value, Value::Typed(_) | Value::Speed(_))
            && !matches!(self.kind, TagKind::Round | TagKind::Result);
        is_compared
            && tag_value(tags, None, &self.name).is_some_and(|value| {
                let value = value.decode_from(encoding);
                let value = compared(&value);
                !self.kind.is_unknown(value) && Span::of_value(self.kind, value).is_none()
            })
    }

    /// Whether the condition holds for this value of the tag, which may be the name of a player with this FIDE id.
    fn holds_for_player(&self, value: Option<&str>, fide_id: Option<&str>) -> bool {
        let Some(value) = value.map(compared) else {
            return self.is_negative();
        };
        let is_meant = || self.players.as_ref().and_then(|players| players.contains(value, fide_id));
        match self.operator {
            Operator::Equal => is_meant().unwrap_or_else(|| self.holds_for(value)),
            Operator::NotEqual => is_meant().map_or_else(|| self.holds_for(value), |is_meant| !is_meant),
            Operator::Contains => self.holds_for(value) || is_meant() == Some(true),
            Operator::ContainsNot => self.holds_for(value) && is_meant() != Some(true),
            _ => self.holds_for(value),
        }
    }

    /// Returns the condition that finds players under all their names.
    pub(super) fn for_players(&self, players: &Players) -> Self {
        let set = match (&self.value, self.operator) {
            _ if players.is_empty() || fide_id_tag(&self.name).is_none() => None,
            (Value::Text(name), Operator::Equal | Operator::NotEqual) => players.named(name),
            (Value::Text(part), Operator::Contains | Operator::ContainsNot) => Some(players.containing(part)),
            _ => None,
        };
        Self { players: set, ..self.clone() }
    }

    fn holds_for(&self, text: &str) -> bool {
        match &self.value {
            Value::Text(with) => self.holds_for_text(text, compared(with)),
            Value::Typed(with) => match Span::of_value(self.kind, text) {
                Some(span) => self.holds_for_span(span, *with),
                None => self.operator == Operator::NotEqual,
            },
            Value::Unknown => self.kind.is_unknown(text) == (self.operator == Operator::Equal),
            Value::Speed(with) => self.holds_for_speed(Speed::of(text), *with),
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
            Operator::Contains | Operator::ContainsNot => false,
        }
    }

    fn holds_for_speed(&self, speed: Option<Speed>, with: Option<Speed>) -> bool {
        let order = speed.zip(with).map(|(speed, with)| speed.cmp(&with));
        match self.operator {
            Operator::Equal => speed == with,
            Operator::NotEqual => speed != with,
            Operator::Less => order.is_some_and(Ordering::is_lt),
            Operator::LessOrEqual => order.is_some_and(Ordering::is_le),
            Operator::Greater => order.is_some_and(Ordering::is_gt),
            Operator::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
            Operator::Contains | Operator::ContainsNot => false,
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
            Operator::ContainsNot => !contains(text, with),
        }
    }
}

impl Value {
    /// Parses the value of a filter for a tag of this kind.
    fn of_filter(kind: TagKind, operator: Operator, text: &str) -> Result<Self, &'static str> {
        let is_equality = matches!(operator, Operator::Equal | Operator::NotEqual);
        let typed_or_text = || Span::of_filter(kind, text).map_or_else(|_| Self::Text(text.to_owned()), Self::Typed);
        match kind {
            _ if operator.is_of_parts() => Ok(Self::Text(text.to_lowercase())),
            TagKind::Text => Ok(Self::Text(text.to_owned())),
            // Rounds and time controls may be words, too, and `-` is one of them.
            TagKind::TimeControl if is_equality && text.contains(['/', ':', '*']) => Ok(Self::Text(text.to_owned())),
            TagKind::TimeControl | TagKind::Round if is_equality => Ok(typed_or_text()),
            _ if is_equality && kind.is_unknown(text) => Ok(Self::Unknown),
            // Some games have another result, such as `0-0` if both players lost.
            TagKind::Result if is_equality => Ok(typed_or_text()),
            _ => match Span::of_filter(kind, text.trim()) {
                Ok(span) => Ok(Self::Typed(span)),
                Err(_) if kind.is_unknown(text) => Err("an unknown value is neither less nor greater than any value"),
                Err(reason) => Err(reason),
            },
        }
    }

    /// Parses the value of a filter on the speed.
    fn of_speed_filter(operator: Operator, text: &str) -> Result<Self, &'static str> {
        let is_equality = matches!(operator, Operator::Equal | Operator::NotEqual);
        match Speed::named(text.trim()) {
            _ if operator.is_of_parts() => Err("a speed is not a text; it is compared by = != < <= > and >="),
            Some(speed) => Ok(Self::Speed(Some(speed))),
            None if !TagKind::Text.is_unknown(text) => {
                Err("a speed is ultraBullet, bullet, blitz, rapid, classical or correspondence")
            }
            None if is_equality => Ok(Self::Speed(None)),
            None => Err("an unknown value is neither less nor greater than any value"),
        }
    }
}

/// The places of the parts of a condition in a text, as far as they are there.
pub(super) struct ConditionParts {
    pub(super) name: Range<usize>,
    pub(super) sign: Range<usize>,
    /// The start of the value.
    pub(super) value: usize,
}

impl ConditionParts {
    /// Finds the parts of the condition that begins in a text at `start`, perhaps with white space.
    pub(super) fn find(text: &str, start: usize) -> Self {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let pass = |at: usize, what: &dyn Fn(u8) -> bool| {
            at + text.as_bytes()[at..].iter().take_while(|byte| what(**byte)).count()
        };
        let is_blank = |byte: u8| byte.is_ascii_whitespace();

        let start = pass(start, &is_blank);
        let name = start..pass(start, &is_name);
        let sign = pass(name.end, &is_blank);
        let sign = sign..pass(sign, &|byte| b"=!<>~".contains(&byte));
        let value = pass(sign.end, &is_blank);
        Self { name, sign, value }
    }
}

impl TagCondition {
    /// Parses the condition in a range of a text.
    pub(super) fn read(whole: &str, range: Range<usize>) -> Result<Self, ParseError> {
        let text = &whole[..range.end];
        let ConditionParts { name, sign, value } = ConditionParts::find(text, range.start);
        let char = |at: usize| at..at + text[at..].chars().next().map_or(0, char::len_utf8);
        if name.is_empty() {
            return Err(ParseError::new(
                whole,
                char(name.start),
                "a filter begins with the name of a tag, as in WhiteElo>=2200",
            ));
        }
        if sign.is_empty() {
            let reason =
                "an operator is missing: = != < <= > >= ~ (contains) or !~; quotes keep < and > from the shell";
            return Err(ParseError::new(whole, char(sign.start), reason));
        }
        let operator = Operator::named(&text[sign.clone()]).map_err(|meant| {
            let sign_text = &text[sign.clone()];
            let quoted = if sign_text.len() <= 3 { sign_text } else { "this" };
            let reason = match meant {
                Some(meant) => format!("{quoted} is not an operator; did you mean {meant}?"),
                None => format!("{quoted} is not an operator; the operators are = != < <= > >= ~ (contains) and !~"),
            };
            ParseError::new(whole, sign.clone(), reason)
        })?;
        let rest = text[value..].trim_end();
        // Single quotes are those of SQL.
        let quoted =
            ['"', '\''].iter().find_map(|quote| rest.strip_prefix(*quote).and_then(|rest| rest.strip_suffix(*quote)));
        if rest.is_empty() {
            return Err(ParseError::new(whole, value..value, "the value is missing; an empty value is written \"\""));
        }
        let (tag, filter) = (&text[name], quoted.unwrap_or(rest));
        let is_speed = tag.eq_ignore_ascii_case(SPEED);
        let tag = if is_speed { "TimeControl" } else { tag };
        let kind = TagKind::of(tag);
        let value_of = |filter| match is_speed {
            true => Value::of_speed_filter(operator, filter),
            false => Value::of_filter(kind, operator, filter),
        };
        match value_of(filter) {
            Ok(value) => Ok(Self { name: tag.to_owned(), operator, kind, value, players: None }),
            Err(reason) => {
                let reason = match operator {
                    Operator::Equal | Operator::NotEqual if !is_speed => format!("{reason}; ~ finds any text"),
                    _ => reason.to_owned(),
                };
                Err(ParseError::new(whole, value..value + rest.len(), reason))
            }
        }
    }
}

impl Operator {
    /// Whether a missing tag satisfies a condition with the operator.
    fn is_negative(self) -> bool {
        matches!(self, Self::NotEqual | Self::ContainsNot)
    }

    /// Whether the operator looks for a part of the text.
    fn is_of_parts(self) -> bool {
        matches!(self, Self::Contains | Self::ContainsNot)
    }

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
            "!~" => Ok(Self::ContainsNot),
            "==" | "===" => Err(Some("=")),
            "<>" | "!==" | "~=!" => Err(Some("!=")),
            "~!" | "!=~" | "!~=" => Err(Some("!~")),
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
