//! What makes two games the same: their moves, tags, or both.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use pgn2fen_games::pgn::tags::RawValue;
use pgn2fen_games::players::Players;
use pgn2fen_games::selection::Identity;
use pgn2fen_games::walk::OpenGame;

/// What makes two games the same: their starting position and moves, the values of some tags, or all of these.
///
/// ```
/// use pgn2fen_rows::games::UniqueKeys;
///
/// let keys: UniqueKeys = "moves,players".parse()?;
/// assert!(keys.moves());
/// assert_eq!(keys.tags(), ["White", "Black"].map(Box::from));
/// # Ok::<(), pgn2fen_rows::games::UniqueKeysError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniqueKeys {
    moves: bool,
    /// Whether a game is the same as one with whose moves it begins.
    beginnings: bool,
    tags: Vec<Box<str>>,
}

impl UniqueKeys {
    /// The starting position and the moves.
    pub const MOVES: Self = Self { moves: true, beginnings: false, tags: Vec::new() };

    /// Whether the starting position and the moves must be the same.
    pub fn moves(&self) -> bool {
        self.moves
    }

    /// Whether a game is the same as another with whose moves it begins.
    pub fn beginnings(&self) -> bool {
        self.beginnings
    }

    /// Returns the names of the tags whose values must be the same.
    pub fn tags(&self) -> &[Box<str>] {
        &self.tags
    }

    /// Returns the identity of a game by these keys. `of_moves` is that of its moves; None if it has none. Returns None
    /// for a game that is the same as no other: one without an identity of its moves, if they count, or otherwise one
    /// in which all tags are missing or unknown. Of `players`, the main name counts.
    pub(super) fn identity(
        &self,
        game: &OpenGame<'_, '_>,
        of_moves: Option<Identity>,
        players: &Players,
    ) -> Option<Identity> {
        let mut identity = if self.moves { of_moves? } else { Identity::of_place(u64::MAX, u64::MAX) };
        let mut is_known = self.moves;
        for tag in &self.tags {
            let value = game.tags.value(tag).map(RawValue::unescape).unwrap_or_default();
            let value = game.encoding.decode(&value);
            let main = players.name_in_tag(tag, &value, game.tags, game.encoding);
            let value = main.unwrap_or(&value).trim().to_lowercase();
            is_known |= !value.chars().all(|char| matches!(char, '?' | '.' | '-' | '*'));
            identity = identity.and_text(value.as_bytes());
        }
        is_known.then_some(identity)
    }
}

impl FromStr for UniqueKeys {
    type Err = UniqueKeysError;

    /// Parses names that are separated by commas: `moves`, or `beginnings` if a game is also the same as one with
    /// whose moves it begins; `players` for the tags White and Black; and any tag.
    fn from_str(text: &str) -> Result<Self, UniqueKeysError> {
        let mut keys = Self { moves: false, beginnings: false, tags: Vec::new() };
        for word in text.split(',').map(str::trim) {
            let is_name = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            match word {
                "moves" => keys.moves = true,
                "beginnings" => (keys.moves, keys.beginnings) = (true, true),
                "players" => keys.tags.extend(["White", "Black"].map(Box::from)),
                word if is_name && word.starts_with(|char: char| char.is_ascii_alphabetic()) => {
                    keys.tags.push(word.into());
                }
                _ => return Err(UniqueKeysError { word: word.to_owned() }),
            }
        }
        Ok(keys)
    }
}

/// The error for a word that is no key of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniqueKeysError {
    word: String,
}

impl fmt::Display for UniqueKeysError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is neither moves, beginnings nor players nor the name of a tag, as in moves,players,Date",
            self.word
        )
    }
}

impl Error for UniqueKeysError {}

#[cfg(test)]
mod tests {
    use super::UniqueKeys;
    use crate::games::Copies;
    use crate::testing::games;

    #[test]
    fn keys_are_moves_and_tags() {
        let read = |text: &str| text.parse::<UniqueKeys>().map_err(|error| error.to_string());
        let keys = |text: &str| {
            let keys = read(text).unwrap();
            (keys.moves(), keys.beginnings(), keys.tags().join(" "))
        };
        assert_eq!(keys("moves"), (true, false, String::new()));
        assert_eq!(keys("Event, beginnings"), (true, true, "Event".to_owned()));
        assert_eq!(keys("players,my_Tag1"), (false, false, "White Black my_Tag1".to_owned()));
        for word in ["", "_x", "1st", "White Elo", "Weiß"] {
            let expected = format!(
                "'{word}' is neither moves, beginnings nor players nor the name of a tag, as in moves,players,Date"
            );
            assert_eq!(read(&format!("moves,{word}")), Err(expected));
        }
    }

    /// Compares the numbers of the games that are copied, in their tag Round.
    #[track_caller]
    fn check(keys: &str, expected: &str) {
        let text = [
            ("1", "Tal", "1. e4 e5"),
            ("2", "TAL ", "1. e4 e5"),
            ("3", "Tal", "1. d4"),
            ("4", "?", "1. d4"),
            ("5", "?", "1. e4 e5"),
            ("6", "", ""),
            ("7", "", ""),
            ("8", "Tal", "1. e4 e5 2. Ke3"),
            ("9", "Tal", "1. e4"),
        ]
        .map(|(round, white, moves)| format!("[Round \"{round}\"]\n[White \"{white}\"]\n\n{moves} *\n\n"))
        .concat();
        let copies = Copies::new().unique_by(keys.parse().unwrap());
        let (copied, _) = copies.write(games(&text), Vec::new()).unwrap();
        let copied = String::from_utf8(copied).unwrap();
        let rounds = copied.split("[Round \"").skip(1).map(|game| &game[..1]);
        assert_eq!(rounds.collect::<Vec<_>>().join(" "), expected, "{keys}");
    }

    #[test]
    fn games_are_the_same_if_all_keys_are() {
        // Games without moves, and those that cannot be played, are the same as no other.
        check("moves", "1 3 6 7 8 9");
        // Values are compared without regard to case. What is unknown is the same as nothing.
        check("White", "1 4 5 6 7");
        check("moves,White", "1 3 4 5 6 7 8 9");
        check("beginnings", "1 3 6 7 8");
        check("Event", "1 2 3 4 5 6 7 8 9");
    }
}
