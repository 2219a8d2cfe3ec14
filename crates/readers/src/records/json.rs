//! JSON: the members at the beginning of a text, and values whose types may differ from what is expected.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use crate::tabular::row::NO_TEXT;
use pgn2fen_pgn::replay::MOST_PLIES;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The members of the first object in a text that may end anywhere, as far as they are seen.
pub(super) struct Sketch<'t> {
    pub(super) opened: Opened,
    /// The names of the members, as they are written, and the first bytes of their values.
    members: Vec<(&'t [u8], u8)>,
    /// Whether the object ends within the text.
    pub(super) is_closed: bool,
    /// The end of the object; or the place behind `"games": [`, or the end of the text.
    pub(super) end: usize,
}

/// What a text begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    Object,
    /// Something else than an object, or a list of objects.
    Other,
}

impl<'t> Sketch<'t> {
    /// Reads the object with which a text, or the list in it, begins.
    pub(super) fn of(text: &'t [u8]) -> Self {
        let mut scan = Scan { text, at: 0 };
        let mut sketch = Self { opened: Opened::Other, members: Vec::new(), is_closed: false, end: text.len() };
        scan.blanks();
        if scan.next_is(b'[') {
            scan.blanks();
        }
        if !scan.next_is(b'{') {
            return sketch;
        }
        sketch.opened = Opened::Object;
        loop {
            scan.blanks();
            if scan.next_is(b'}') {
                (sketch.is_closed, sketch.end) = (true, scan.at);
                return sketch;
            }
            let Some(name) = scan.string() else { return sketch };
            scan.blanks();
            if !scan.next_is(b':') {
                return sketch;
            }
            scan.blanks();
            let Some(first) = text.get(scan.at).copied() else { return sketch };
            sketch.members.push((name, first));
            if name == b"games" && first == b'[' {
                sketch.end = scan.at + 1;
                return sketch;
            }
            if !scan.pass_value() {
                return sketch;
            }
            scan.blanks();
            scan.next_is(b',');
        }
    }

    /// Returns the names of the members, as they are written, and the first bytes of their values.
    pub(super) fn members(&self) -> impl Iterator<Item = (&'t str, u8)> {
        self.members.iter().filter_map(|(name, first)| Some((str::from_utf8(name).ok()?, *first)))
    }

    /// Returns the first byte of the value of a member.
    pub(super) fn value(&self, name: &str) -> Option<u8> {
        self.members.iter().find(|(member, _)| *member == name.as_bytes()).map(|(_, first)| *first)
    }
}

struct Scan<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Scan<'t> {
    fn blanks(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    fn next_is(&mut self, byte: u8) -> bool {
        let is_next = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Passes a string, and returns what stands between its quotes. None if it does not end.
    fn string(&mut self) -> Option<&'t [u8]> {
        if !self.next_is(b'"') {
            return None;
        }
        let start = self.at;
        loop {
            self.at += memchr::memchr2(b'"', b'\\', &self.text[self.at..])?;
            if self.text[self.at] == b'"' {
                self.at += 1;
                return Some(&self.text[start..self.at - 1]);
            }
            self.at = (self.at + 2).min(self.text.len());
        }
    }

    /// Passes a value. Returns false if it does not end.
    fn pass_value(&mut self) -> bool {
        let mut depth = 0usize;
        loop {
            match self.text.get(self.at) {
                None => return false,
                Some(b'"') => {
                    if self.string().is_none() {
                        return false;
                    }
                }
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b'}' | b']') if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b'}' | b']' | b',') if depth == 0 => return true,
                Some(_) => self.at += 1,
            }
            if depth == 0 && matches!(self.text.get(self.at), Some(b',' | b'}' | b']')) {
                return true;
            }
        }
    }
}

/// A value of JSON. Lists and objects are no values here.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Value<'a> {
    #[default]
    Missing,
    Text(Cow<'a, str>),
    Integer(i64),
    Number(f64),
    Truth(bool),
}

impl<'a> Value<'a> {
    /// Returns a text that is not empty.
    pub(super) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text.trim()).filter(|text| !text.is_empty()) } else { None }
    }

    pub(super) fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            #[expect(clippy::cast_possible_truncation, reason = "numbers that are too large become the largest")]
            Self::Number(number) if number.is_finite() => Some(number.round() as i64),
            _ => None,
        }
    }

    pub(super) fn is_true(&self) -> bool {
        *self == Self::Truth(true)
    }

    /// Returns a text or a number as text.
    pub(super) fn shown(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Integer(number) => Some(Cow::Owned(number.to_string())),
            Self::Number(number) if number.is_finite() => Some(Cow::Owned(number.to_string())),
            _ => self.text().map(Cow::Borrowed),
        }
    }
}

/// A type that is read from an object, or from another value.
pub(super) trait Lenient<'de>: Default {
    /// Returns what a value that is no object means.
    fn of_value(_: Value<'de>) -> Self {
        Self::default()
    }
}

/// An object, or what another value in its place means.
#[derive(Clone, Debug, Default)]
pub(super) struct Object<T>(pub(super) T);

/// The most elements of a list that are kept: one for each ply of the longest game, and one for the position before it.
const MOST_ELEMENTS: usize = MOST_PLIES as usize + 1;

/// The first elements of a list, up to [`MOST_ELEMENTS`]; the others are read over, because no move is read there.
/// There are none if it is no list.
#[derive(Clone, Debug)]
pub(super) struct List<T>(pub(super) Vec<T>);

impl<'de, T: Deserialize<'de>> List<T> {
    /// Reads the elements that are kept.
    pub(super) fn read<A: SeqAccess<'de>>(mut list: A) -> Result<Vec<T>, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = list.next_element()? {
            elements.push(element);
            if elements.len() == MOST_ELEMENTS {
                drain_list(list)?;
                break;
            }
        }
        Ok(elements)
    }
}

/// The text of a list whose elements are read only if they are wanted. Another value is an empty list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RawList<'a>(&'a str);

impl<'a> RawList<'a> {
    fn inside(self) -> &'a str {
        self.0.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or_default()
    }

    pub(super) fn is_empty(self) -> bool {
        self.inside().trim_ascii().is_empty()
    }

    /// Returns the first elements, up to [`MOST_ELEMENTS`]. There are none if one cannot be read.
    pub(super) fn elements<T: Deserialize<'a>>(self) -> Vec<T> {
        if self.is_empty() {
            return Vec::new();
        }
        serde_json::from_str(self.0).map(|List(elements)| elements).unwrap_or_default()
    }

    /// Returns the elements that are whole numbers and not negative, in their places.
    pub(super) fn numbers(self) -> Vec<Option<u64>> {
        let inside = self.inside().as_bytes();
        let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b',' | b' ');
        if self.is_empty() {
            return Vec::new();
        }
        if !inside.iter().fold(true, |are_plain, byte| are_plain & is_plain(*byte)) {
            let number = |value: &Value<'a>| value.integer().and_then(|number| u64::try_from(number).ok());
            return self.elements().iter().map(number).collect();
        }
        let mut numbers = Vec::with_capacity((inside.len() / 4).min(MOST_ELEMENTS));
        let mut number = 0u64;
        for byte in inside {
            match byte {
                b',' => numbers.push(Some(std::mem::take(&mut number))),
                b' ' => {}
                digit => number = number.saturating_mul(10).saturating_add(u64::from(digit - b'0')),
            }
        }
        numbers.push(Some(number));
        numbers
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for RawList<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|text| Self(text.get()))
    }
}

/// Text, or a list of words, which are joined by blanks.
#[derive(Clone, Debug, Default)]
pub(super) enum Words<'a> {
    #[default]
    Missing,
    Text(Cow<'a, str>),
    List(String),
}

impl Words<'_> {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Missing => None,
            Self::Text(text) => Some(text),
            Self::List(words) => Some(words),
        }
    }
}

macro_rules! scalars {
    ($lifetime:lifetime, $self:ident, $make:expr) => {
        fn visit_bool<E>($self, truth: bool) -> Result<Self::Value, E> {
            Ok($make(Value::Truth(truth)))
        }

        fn visit_i64<E>($self, number: i64) -> Result<Self::Value, E> {
            Ok($make(Value::Integer(number)))
        }

        fn visit_u64<E>($self, number: u64) -> Result<Self::Value, E> {
            // A greater number is an identifier rather than a count.
            let text = || Value::Text(Cow::Owned(number.to_string()));
            Ok($make(i64::try_from(number).map_or_else(|_| text(), Value::Integer)))
        }

        fn visit_f64<E>($self, number: f64) -> Result<Self::Value, E> {
            Ok($make(Value::Number(number)))
        }

        fn visit_str<E>($self, text: &str) -> Result<Self::Value, E> {
            Ok($make(Value::Text(Cow::Owned(text.to_owned()))))
        }

        fn visit_borrowed_str<E>($self, text: &$lifetime str) -> Result<Self::Value, E> {
            Ok($make(Value::Text(Cow::Borrowed(text))))
        }

        fn visit_unit<E>($self) -> Result<Self::Value, E> {
            Ok($make(Value::Missing))
        }
    };
}
pub(super) use scalars;

/// Reads over the rest of a list.
fn drain_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<(), A::Error> {
    while list.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

/// Reads over the rest of an object.
fn drain_object<'de, A: MapAccess<'de>>(mut object: A) -> Result<(), A::Error> {
    while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}

impl<'de: 'a, 'a> Deserialize<'de> for Value<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Value<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            scalars!('de, self, std::convert::identity);

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                drain_list(list).map(|()| Value::Missing)
            }

            fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
                drain_object(object).map(|()| Value::Missing)
            }
        }

        deserializer.deserialize_any(Any)
    }
}

impl<'de, T: Deserialize<'de> + Lenient<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de> + Lenient<'de>> Visitor<'de> for Any<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            scalars!('de, self, |value| Object(T::of_value(value)));

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                drain_list(list).map(|()| Object(T::default()))
            }

            fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(object)).map(Object)
            }
        }

        deserializer.deserialize_any(Any(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Elements<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Elements<T> {
            type Value = List<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                List::read(list).map(List)
            }
        }

        deserializer.deserialize_seq(Elements(PhantomData))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Words<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Words<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text")
            }

            scalars!('de, self, |value| if let Value::Text(text) = value { Words::Text(text) } else { Words::Missing });

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let (mut words, mut others) = (String::new(), 0);
                while let Some(word) = list.next_element::<Value<'de>>()? {
                    words.push_str(if words.is_empty() { "" } else { " " });
                    words.push_str(word.text().unwrap_or(NO_TEXT));
                    others += usize::from(word.text().is_none());
                    if others == MOST_ELEMENTS {
                        // The longest game has ended before.
                        drain_list(list)?;
                        break;
                    }
                }
                Ok(Words::List(words))
            }

            fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
                drain_object(object).map(|()| Words::Missing)
            }
        }

        deserializer.deserialize_any(Any)
    }
}

/// Returns the reason why a text cannot be read as JSON of a type, with the place in the record.
pub(super) fn reason(error: &serde_json::Error) -> String {
    // Between backticks, the name of a member would be taken for an option.
    let text = error.to_string().replace('`', "\"");
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = text.strip_suffix(&place).unwrap_or(&text);
    let not = if error.is_data() { "" } else { "not JSON: " };
    match error.line() {
        0 => format!("{not}{what}"),
        1 => format!("{not}{what} at byte {} of the record", error.column()),
        line => format!("{not}{what} at byte {} of line {line} of the record", error.column()),
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_ELEMENTS, Object, RawList, Value};
    use crate::records::game::Analysis;

    fn list(json: &str) -> RawList<'_> {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn numbers_of_a_list_keep_their_places() {
        for (json, expected) in [
            ("[]", &[][..]),
            (" [ ] ", &[]),
            ("[0]", &[Some(0)]),
            ("[100,2,30003]", &[Some(100), Some(2), Some(30_003)]),
            ("[ 1 , 20 ]", &[Some(1), Some(20)]),
            ("[1,null,3]", &[Some(1), None, Some(3)]),
            ("[-1,2.6,\"3\"]", &[None, Some(3), None]),
            ("[99999999999999999999999]", &[Some(u64::MAX)]),
            ("null", &[]),
            ("7", &[]),
            ("{\"a\":1}", &[]),
            ("\"[1]\"", &[]),
        ] {
            assert_eq!(list(json).numbers(), expected, "{json}");
        }
    }

    #[test]
    fn a_list_is_empty_if_it_is_another_value() {
        for (json, is_empty) in
            [("[]", true), ("[ ]", true), ("{}", true), ("null", true), ("[0]", false), ("[[]]", false)]
        {
            assert_eq!(list(json).is_empty(), is_empty, "{json}");
        }
    }

    #[test]
    fn elements_are_read_up_to_the_longest_game() {
        let elements: Vec<Object<Analysis<'_>>> = list("[{\"eval\":-20},{\"mate\":3},5]").elements();
        let evals: Vec<_> = elements.iter().map(|Object(analysis)| analysis.eval.integer()).collect();
        assert_eq!(evals, [Some(-20), None, Some(5)]);
        let many = format!("[{}0]", "true,".repeat(MOST_ELEMENTS + 5));
        assert_eq!(list(&many).elements::<Value<'_>>(), vec![Value::Truth(true); MOST_ELEMENTS]);
    }
}
