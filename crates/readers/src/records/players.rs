//! The players of a game in JSON, as Lichess and chess.com name them.

use serde::Deserialize;

use crate::records::json::{Lenient, Object, Value};

/// The two players of a game of Lichess.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Players<'a> {
    #[serde(borrow)]
    pub(super) white: Object<Player<'a>>,
    #[serde(borrow)]
    pub(super) black: Object<Player<'a>>,
}

impl<'de: 'a, 'a> Lenient<'de> for Players<'a> {}

/// A player of either site.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Player<'a> {
    #[serde(borrow)]
    user: Object<User<'a>>,
    #[serde(borrow)]
    name: Value<'a>,
    #[serde(borrow)]
    username: Value<'a>,
    /// The name in lower case, which is all that old exports of Lichess have.
    #[serde(borrow)]
    user_id: Value<'a>,
    #[serde(borrow)]
    pub(super) rating: Value<'a>,
    #[serde(borrow)]
    pub(super) rating_diff: Value<'a>,
    #[serde(borrow)]
    ai_level: Value<'a>,
    #[serde(borrow)]
    pub(super) berserk: Value<'a>,
    #[serde(borrow)]
    pub(super) team: Value<'a>,
    #[serde(borrow)]
    pub(super) analysis: Object<Analysed<'a>>,
    /// The result, for chess.com: `win`, or why the game was not won.
    #[serde(borrow)]
    pub(super) result: Value<'a>,
}

impl<'de: 'a, 'a> Lenient<'de> for Player<'a> {
    fn of_value(name: Value<'de>) -> Self {
        Self { name, ..Self::default() }
    }
}

/// The summary of Lichess's computer analysis for a player.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Analysed<'a> {
    #[serde(borrow)]
    inaccuracy: Value<'a>,
    #[serde(borrow)]
    mistake: Value<'a>,
    #[serde(borrow)]
    blunder: Value<'a>,
    #[serde(borrow)]
    acpl: Value<'a>,
    #[serde(borrow)]
    accuracy: Value<'a>,
}

impl<'de: 'a, 'a> Lenient<'de> for Analysed<'a> {}

impl Analysed<'_> {
    /// Returns the values, with the ends of the names of their tags.
    pub(super) fn tags(&self) -> [(&'static str, &Value<'_>); 5] {
        [
            ("Inaccuracies", &self.inaccuracy),
            ("Mistakes", &self.mistake),
            ("Blunders", &self.blunder),
            ("ACPL", &self.acpl),
            ("Accuracy", &self.accuracy),
        ]
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct User<'a> {
    #[serde(borrow)]
    id: Value<'a>,
    #[serde(borrow)]
    name: Value<'a>,
    #[serde(borrow)]
    title: Value<'a>,
}

impl<'de: 'a, 'a> Lenient<'de> for User<'a> {
    fn of_value(name: Value<'de>) -> Self {
        Self { name, ..Self::default() }
    }
}

impl Player<'_> {
    /// Returns the name, if there is one.
    pub(super) fn name(&self) -> Option<String> {
        let user = &self.user.0;
        let named = [&user.name, &user.id, &self.username, &self.name, &self.user_id].into_iter().find_map(Value::text);
        let engine = self.ai_level.integer().map(|level| format!("lichess AI level {level}"));
        engine.or_else(|| named.map(str::to_owned))
    }

    pub(super) fn title(&self) -> Option<&str> {
        self.user.0.title.text()
    }
}
