//! An object of JSON that no site has made: a row, whose columns are its members.
//!
//! They mean what columns mean in tables (`tabular/choice`). Members of an object within it have the names of both:
//! `{"white": {"name": "Tal"}}` has the column `white_name`.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::game_text::Spacing;
use crate::records::json::{List, Value, reason, scalars};
use crate::tabular::choice::{ColumnChoice, ColumnKind, MOST_TAGS, TableColumn, has_unclear_fen, is_of_moves};
use crate::tabular::error::TableFormat;
use crate::tabular::row::RowWriter;
use crate::tabular::table::{Cell, Row};

/// The reason why an object is no game.
pub(super) const NO_MOVES: &str = "the object has neither pgn nor moves";

/// Appends an object as a game. The error is the reason why it cannot be read; then a part of the game may have been
/// appended.
pub(super) fn append(json: &[u8], spacing: Spacing, out: &mut Vec<u8>) -> Result<(), Cow<'static, str>> {
    let Columns(object) = serde_json::from_slice(json).map_err(|error| reason(&error))?;
    let columns: Vec<TableColumn> = object.iter().map(Column::described).collect();
    let choice = ColumnChoice::new(TableFormat::Text, &columns, None).ok();
    let choice = choice.filter(|choice| choice.movetext.is_some()).ok_or(NO_MOVES)?;
    if has_unclear_fen(columns.iter().map(|column| column.name.as_str())) {
        return Err("fen may be the position before the moves or behind them; the former is named start".into());
    }
    let row = ObjectRow { object: &object, columns: choice.columns.clone() };
    RowWriter::new(choice, spacing).append(&row, out).map_err(Cow::Borrowed)
}

/// The members of an object and of those within it.
#[derive(Default)]
struct Columns<'a>(Vec<Column<'a>>);

struct Column<'a> {
    name: String,
    content: Content<'a>,
}

enum Content<'a> {
    Value(Value<'a>),
    List(Vec<Value<'a>>),
    Tags(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl<'a> Columns<'a> {
    fn push(&mut self, name: String, content: Content<'a>) {
        // Time would otherwise grow with the square of their number.
        if self.0.len() < MOST_TAGS || is_of_moves(&name) {
            self.0.push(Column { name, content });
        }
    }
}

impl Column<'_> {
    fn described(&self) -> TableColumn {
        let is_number = |value: &Value<'_>| matches!(value, Value::Integer(_) | Value::Number(_));
        let kind = match &self.content {
            Content::Value(Value::Text(_)) => ColumnKind::Text,
            Content::Value(Value::Missing) => ColumnKind::Other,
            Content::Value(_) => ColumnKind::Scalar,
            Content::List(list)
                if list.iter().any(is_number)
                    && list.iter().all(|value| is_number(value) || *value == Value::Missing) =>
            {
                ColumnKind::Numbers
            }
            Content::List(_) => ColumnKind::Texts,
            Content::Tags(_) => ColumnKind::Pairs,
        };
        TableColumn { name: self.name.clone(), kind, type_name: String::new() }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Columns<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut columns = Self::default();
        deserializer.deserialize_map(Within { columns: &mut columns, path: "" })?;
        Ok(columns)
    }
}

/// Reads the members of an object. `path` has the names of the objects around them.
struct Within<'c, 'a> {
    columns: &'c mut Columns<'a>,
    path: &'c str,
}

impl<'de: 'a, 'a> Visitor<'de> for Within<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(name) = object.next_key::<Cow<'de, str>>()? {
            let name = if self.path.is_empty() { name.into_owned() } else { format!("{}_{name}", self.path) };
            object.next_value_seed(Member { columns: self.columns, name })?;
        }
        Ok(())
    }
}

/// Reads a member.
struct Member<'c, 'a> {
    columns: &'c mut Columns<'a>,
    name: String,
}

impl<'de: 'a, 'a> DeserializeSeed<'de> for Member<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de: 'a, 'a> Visitor<'de> for Member<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    scalars!('de, self, |value| self.columns.push(self.name, Content::Value(value)));

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        let list = List::read(list)?;
        self.columns.push(self.name, Content::List(list));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let Self { columns, name } = self;
        if !name.eq_ignore_ascii_case("tags") {
            // They only group members.
            let path = if name == "players" { "" } else { name.strip_suffix("_user").unwrap_or(&name) };
            return Within { columns, path }.visit_map(object);
        }
        let mut tags = Vec::new();
        while let Some(tag) = object.next_entry()? {
            if tags.len() < MOST_TAGS {
                tags.push(tag);
            }
        }
        columns.push(name, Content::Tags(tags));
        Ok(())
    }
}

/// An object as a row. Its columns are those of a choice.
struct ObjectRow<'o> {
    object: &'o [Column<'o>],
    columns: Vec<usize>,
}

impl ObjectRow<'_> {
    fn content(&self, column: usize) -> &Content<'_> {
        &self.object[self.columns[column]].content
    }
}

impl Row for ObjectRow<'_> {
    fn cell(&self, column: usize) -> Cell<'_> {
        if let Content::Value(value) = self.content(column) { cell(value) } else { Cell::Null }
    }

    fn each(&self, column: usize, take: &mut dyn FnMut(Cell<'_>)) {
        if let Content::List(list) = self.content(column) {
            list.iter().for_each(|value| take(cell(value)));
        }
    }

    fn each_pair(&self, column: usize, take: &mut dyn FnMut(Cell<'_>, Cell<'_>)) {
        if let Content::Tags(tags) = self.content(column) {
            tags.iter().for_each(|(name, value)| take(Cell::Text(name.as_bytes()), cell(value)));
        }
    }
}

fn cell<'v>(value: &'v Value<'_>) -> Cell<'v> {
    match value {
        Value::Text(text) if !text.is_empty() => Cell::Text(text.as_bytes()),
        Value::Text(_) | Value::Missing => Cell::Null,
        Value::Integer(number) => Cell::Integer(*number),
        Value::Number(number) => Cell::Double(*number),
        Value::Truth(truth) => Cell::Truth(*truth),
    }
}

#[cfg(test)]
mod tests {
    use super::{Spacing, append};

    fn made(json: &str) -> String {
        let mut out = Vec::new();
        match append(json.as_bytes(), Spacing::OneLine, &mut out) {
            Ok(()) => String::from_utf8(out).unwrap().trim_end().to_owned(),
            Err(reason) => reason.into_owned(),
        }
    }

    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    #[test]
    fn members_are_the_columns_of_a_table() {
        assert_eq!(
            made(r#"{"White":"Tal","white_elo":2600,"rated":true,"winner":"white","Round":null,"moves":["e4","e5"]}"#),
            r#"[White "Tal"] [WhiteElo "2600"] [Rated "true"] [Result "1-0"] e4 e5 1-0"#,
        );
        assert_eq!(
            made(r#"{"moves":["e4"],"evals":[31999,null],"clocks":[180.5],"tags":{"Event":"x","Round":3}}"#),
            r#"[Event "x"] [Round "3"] e4 {[%eval #1][%clk 0:03:00.50]} *"#,
        );
    }

    #[test]
    fn members_within_objects_have_the_names_of_both() {
        assert_eq!(
            made(
                r#"{"players":{"white":{"user":{"name":"A"},"rating":1500},"black":{"name":"B"}},
                 "opening":{"eco":"B00","name":"x"},"variant":{"key":"atomic","name":"Atomic"},"pgn":"1. e4"}"#
            ),
            "[White \"A\"] [WhiteElo \"1500\"] [Black \"B\"] [ECO \"B00\"] [Opening \"x\"] [Variant_key \"atomic\"] \
             [Variant \"Atomic\"] 1. e4 *",
        );
    }

    #[test]
    fn a_game_begins_at_its_start_by_any_name() {
        for name in ["start", "start_fen", "startFen", "initial_fen", "initialFen", "initial_setup", "Start"] {
            let expected = format!(r#"[FEN "{FEN}"] [SetUp "1"] e4 *"#);
            assert_eq!(made(&format!(r#"{{"moves":["e4"],"{name}":"{FEN}"}}"#)), expected);
            assert_eq!(made(&format!(r#"{{"moves":["e4"],"{name}":null}}"#)), r#"[Event "?"] e4 *"#);
        }
        for name in ["fen", "FEN", "Fen"] {
            let made = made(&format!(r#"{{"moves":["e4"],"{name}":"{FEN}"}}"#));
            assert!(made.starts_with("fen may be"), "{made}");
        }
    }

    #[test]
    fn what_is_no_text_is_no_move() {
        assert_eq!(made(r#"{"moves":["e4",null,"e5"]}"#), r#"[Event "?"] e4 no-text e5 *"#);
        assert_eq!(made(r#"{"moves":[{"san":"e4"}]}"#), r#"[Event "?"] no-text *"#);
        assert_eq!(made(r#"{"moves":[1,2]}"#), "the object has neither pgn nor moves");
        assert_eq!(made(r#"{"white":"A"}"#), "the object has neither pgn nor moves");
    }

    #[test]
    fn a_puzzle_without_moves_is_no_game() {
        let puzzle = |moves: &str| made(&format!(r#"{{"PuzzleId":"a","FEN":"{FEN}","Moves":"{moves}"}}"#));
        assert_eq!(puzzle(""), "the puzzle has no moves");
        let start = r#"[FEN "4k3/8/8/8/8/4P3/8/4K3 b - - 0 1"] [SetUp "1"] [LastMove "e2e3"]"#;
        assert_eq!(puzzle("e2e3 e8e7"), format!(r#"[PuzzleId "a"] {start} 1... Ke7 *"#));
    }

    #[test]
    fn great_numbers_keep_their_digits() {
        for number in ["9223372036854775807", "9223372036854775808", "18446744073709551615", "-9223372036854775808"] {
            assert_eq!(made(&format!(r#"{{"moves":"e4","Id":{number}}}"#)), format!(r#"[Id "{number}"] e4 *"#));
        }
    }

    #[test]
    fn an_object_may_have_any_number_of_members() {
        let many: Vec<String> = (0..100_000).map(|number| format!(r#""c{number}":1,"#)).collect();
        let made = made(&format!(r#"{{{}"moves":"e4"}}"#, many.concat()));
        assert!(made.ends_with("[C999 \"1\"] e4 *"), "{}", &made[made.len() - 80..]);
    }
}
