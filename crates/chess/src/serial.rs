//! Squares and positions for serde, as text: `"e4"`, and a FEN. Before the FEN of a variant stands the
//! [name of its rules](Rules::name), as in `"atomic 4k3/8/8/8/8/8/8/4K3 w - - 0 1"`. A FEN is read with all spellings
//! that [`fen::read_by`] knows.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error, Unexpected};
use serde::ser::{Serialize, Serializer};

use crate::fen;
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        let no_square = || Error::invalid_value(Unexpected::Str(&name), &"a square such as e4");
        Self::from_ascii(name.as_bytes()).ok_or_else(no_square)
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.rules() {
            Rules::Chess => serializer.collect_str(self),
            rules => serializer.collect_str(&format_args!("{} {self}", rules.name())),
        }
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let named = text.split_once(' ').and_then(|(name, fen)| Some((Rules::named(name)?, fen)));
        let (rules, fen) = named.unwrap_or((Rules::Chess, &text));
        fen::read_by(rules, fen.as_bytes()).map(|reading| reading.position).map_err(Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use crate::moves::Move;
    use crate::position::Position;
    use crate::rules::Rules;
    use crate::square::Square;
    use crate::testing::find;

    #[test]
    fn squares_moves_and_positions_come_back() {
        let position: Position = "r3k2r/8/8/8/8/8/6P1/R3K2R b HAha - 3 40".parse().unwrap();
        let text = serde_json::to_string(&position).unwrap();
        assert_eq!(text, "\"r3k2r/8/8/8/8/8/6P1/R3K2R b KQkq - 3 40\"");
        assert_eq!(serde_json::from_str::<Position>(&text).unwrap(), position);
        let castling = find(&position, "e8g8");
        let text = serde_json::to_string(&castling).unwrap();
        assert_eq!(text, r#"{"castle":{"king":"e8","rook":"h8"}}"#);
        assert_eq!(serde_json::from_str::<Move>(&text).unwrap(), castling);
        assert_eq!(serde_json::to_string(&Square::E4).unwrap(), "\"e4\"");
    }

    #[test]
    fn a_position_keeps_its_rules() {
        for rules in Rules::ALL {
            let position = Position::start(rules);
            let text = serde_json::to_string(&position).unwrap();
            assert_eq!(serde_json::from_str::<Position>(&text).unwrap(), position, "{text}");
        }
        let text = serde_json::to_string(&Position::start(Rules::KingOfTheHill)).unwrap();
        assert!(text.starts_with("\"kingOfTheHill rnbqkbnr/"), "{text}");
    }

    #[test]
    fn what_is_no_square_or_position_is_told() {
        let error = serde_json::from_str::<Square>("\"e9\"").unwrap_err().to_string();
        assert!(error.starts_with("invalid value: string \"e9\", expected a square such as e4"), "{error}");
        let error = serde_json::from_str::<Position>("\"8/8/8 w\"").unwrap_err().to_string();
        assert!(error.contains("rank"), "{error}");
    }
}
