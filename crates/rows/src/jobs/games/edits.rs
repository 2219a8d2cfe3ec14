//! Changes of games while they are written: their tags and results.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::columns::patterns::matches;
use pgn2fen_games::pgn::edit::GameEdit;
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::pgn::repaired_tags;
use pgn2fen_games::pgn::tag_pair::is_tag_name;
use pgn2fen_games::pgn::tags::Tags;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::players::Players;
use pgn2fen_games::replay::Replay;

/// Changes of games while they are written. Everything else of a copy keeps its bytes.
///
/// Filters and [`unique`](crate::games::Copies::unique) see the games as they were; the order and the names of files,
/// as they are written.
///
/// ```
/// use pgn2fen_games::database::Database;
/// use pgn2fen_rows::games::{Copies, GameEdits};
///
/// let edits = GameEdits { set_tags: vec!["Event=Club".parse()?], add_opening: true, ..GameEdits::default() };
/// let games = b"[Event \"?\"]\n\n1. e4 c5 {mine} *\n".to_vec();
/// let (copies, _) = Copies::new().edits(edits).write([Database::from(games)], Vec::new())?;
/// let expected = "[Event \"Club\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n\n1. e4 c5 {mine} *\n";
/// assert_eq!(String::from_utf8(copies)?, expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameEdits {
    /// The tags that get a value.
    pub set_tags: Vec<TagSetting>,
    /// The tags that are removed. If one of them gets a value as well, it has that value. A copy without other tags
    /// gets the tag Event with the value `?`, by which its start is found.
    pub remove_tags: Vec<TagRemoval>,
    /// Whether the tags ECO, Opening and Variation tell the opening of the main line: that of its last position that
    /// has a name. A SubVariation tag is removed. The game is played as far as needed. A game whose opening has no name
    /// keeps its tags.
    pub add_opening: bool,
    /// Whether the tags White and Black get the main names of the
    /// [players](pgn2fen_games::selection::GameFilter::players) of the filter.
    pub rename: bool,
    /// Whether dates and results that can be read are written in the form of the standard. If the tag and the end of
    /// the moves have different results, or both none, the game is played: a mate or a stalemate decides.
    pub repair: bool,
}

/// The tags that tell where a game starts and how it castles. Without them, or with others, its moves are others.
const START_TAGS: [&str; 3] = ["FEN", "SetUp", "Variant"];

fn is_start_tag(name: &str) -> bool {
    START_TAGS.iter().any(|start| start.eq_ignore_ascii_case(name))
}

/// The usual names of tags. A tag is written so, however its name is typed.
const USUAL_NAMES: [&str; 19] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteElo",
    "BlackElo",
    "WhiteTitle",
    "BlackTitle",
    "ECO",
    "Opening",
    "Variation",
    "EventDate",
    "TimeControl",
    "Termination",
    "PlyCount",
    "Annotator",
];

/// A tag and its new value: `Event=Club championship`. The value may be empty.
///
/// The tag Result takes a result of the standard, which is also written at the end of the moves. The tags FEN, SetUp
/// and Variant cannot change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagSetting {
    name: Box<str>,
    value: Box<str>,
}

impl FromStr for TagSetting {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(EditError(format!("'{text}' has no equals sign; write Event=Club or Annotator= (no value)")));
        };
        let name = name.trim();
        if !is_tag_name(name.as_bytes()) {
            return Err(no_name(name));
        }
        let is_result = name.eq_ignore_ascii_case("Result");
        let outcomes = [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown];
        match value {
            _ if is_start_tag(name) => Err(start_tag(name)),
            value if is_result && outcomes.iter().all(|outcome| outcome.as_str() != value) => Err(EditError(format!(
                "'{value}' is not a result; Result is 1-0, 0-1, 1/2-1/2 or *, and the moves end with it, too"
            ))),
            value if value.chars().any(char::is_control) => {
                Err(EditError(format!("the value of {name} has a line break or another control character")))
            }
            value => {
                let usual = USUAL_NAMES.into_iter().find(|usual| usual.eq_ignore_ascii_case(name));
                Ok(Self { name: usual.unwrap_or(name).into(), value: value.into() })
            }
        }
    }
}

/// The name of tags that are removed. `*` stands for any text, and `?` for one character; such names do not stand for
/// FEN, SetUp and Variant, which cannot be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagRemoval {
    /// The pattern, in lower case.
    pattern: Box<str>,
}

impl FromStr for TagRemoval {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let text = text.trim();
        let is_name =
            |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '*' | '?' | '+' | '#' | ':' | '-');
        match text {
            _ if is_start_tag(text) => Err(start_tag(text)),
            text if text.is_empty() || !text.chars().all(is_name) => Err(no_name(text)),
            text => Ok(Self { pattern: text.to_ascii_lowercase().into() }),
        }
    }
}

impl TagRemoval {
    fn is_of(&self, name: &str) -> bool {
        matches(&self.pattern, &name.to_ascii_lowercase())
    }
}

/// The error for a change of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError(String);

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for EditError {}

impl EditError {
    pub(super) fn of(reason: &dyn fmt::Display) -> Self {
        Self(reason.to_string())
    }
}

fn no_name(name: &str) -> EditError {
    EditError(format!("'{name}' is not the name of a tag; names have letters, digits and `_`, as in WhiteTeam"))
}

fn start_tag(name: &str) -> EditError {
    EditError(format!("{name} tells where a game starts and which moves are legal, so it cannot change"))
}

impl GameEdits {
    /// Whether games stay as they are.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the names of the tags that games may get.
    pub fn new_tags(&self) -> impl Iterator<Item = &str> {
        let of_opening: &[&str] = if self.add_opening { &["ECO", "Opening", "Variation"] } else { &[] };
        self.set_tags.iter().map(|setting| &*setting.name).chain(of_opening.iter().copied())
    }

    /// Whether games are played.
    pub(super) fn needs_moves(&self) -> bool {
        self.add_opening || self.repair
    }

    /// Returns the changes of a game, which has not been played yet, and whether it is repaired.
    pub(super) fn of(
        &self,
        tags: &Tags<'_>,
        encoding: &Fallback,
        players: &Players,
        replay: Option<&Replay<'_>>,
    ) -> (GameEdit, bool) {
        let mut edit = GameEdit::new();
        if self.repair {
            repaired_tags::repair(tags, encoding, replay, &mut edit);
        }
        let is_repaired = !edit.is_empty();
        let set = |edit: &mut GameEdit, name: &str, value: &str| {
            // Another tag than the usual ones keeps the name that it has in the game.
            let old = tags.find_any_case(name).filter(|_| !USUAL_NAMES.contains(&name));
            let name = old.and_then(|tag| str::from_utf8(tag.name).ok()).unwrap_or(name);
            let same = |tag: &str| tags.value(tag).is_some_and(|old| old.decode_from(encoding) == value);
            let is_alone = tags.iter().filter(|tag| tag.name.eq_ignore_ascii_case(name.as_bytes())).count() == 1;
            if !(is_alone && same(name)) {
                edit.set(name, value);
            }
        };
        if self.rename {
            for name in ["White", "Black"] {
                let Some(tag) = tags.find_any_case(name) else {
                    continue;
                };
                let value = tag.value.decode_from(encoding);
                if let Some(main) = players.name_in_tag(name, &value, tags, encoding) {
                    set(&mut edit, name, main);
                }
            }
        }
        if !self.remove_tags.is_empty() {
            for name in tags.iter().filter_map(|tag| str::from_utf8(tag.name).ok()) {
                if !is_start_tag(name) && self.remove_tags.iter().any(|removed| removed.is_of(name)) {
                    edit.remove(name);
                }
            }
        }
        let opening = replay.filter(|_| self.add_opening).and_then(|replay| replay.clone().into_opening().opening());
        if let Some(opening) = opening {
            set(&mut edit, "ECO", opening.eco);
            let (family, variation) = opening.name.split_once(": ").unwrap_or((opening.name, ""));
            set(&mut edit, "Opening", family);
            for (name, value) in [("Variation", variation), ("SubVariation", "")] {
                if !value.is_empty() {
                    set(&mut edit, name, value);
                } else if tags.find_any_case(name).is_some() {
                    edit.remove(name);
                }
            }
        }
        for TagSetting { name, value } in &self.set_tags {
            match Outcome::from_ascii(value.as_bytes()) {
                Some(outcome) if name.eq_ignore_ascii_case("Result") => edit.set_result(outcome),
                _ => set(&mut edit, name, value),
            }
        }
        (edit, is_repaired)
    }
}

#[cfg(test)]
mod tests {
    use super::{GameEdits, TagRemoval, TagSetting};
    use crate::games::Copies;
    use crate::testing::games;
    use pgn2fen_games::selection::GameFilter;
    use pgn2fen_games::walk::ReadOptions;

    #[test]
    fn what_would_change_the_moves_is_refused() {
        let set = |text: &str| text.parse::<TagSetting>().map(|_| ()).map_err(|error| error.to_string());
        let start = |name: &str| {
            Err(format!("{name} tells where a game starts and which moves are legal, so it cannot change"))
        };
        assert_eq!(set("FEN=8/8"), start("FEN"));
        assert_eq!(set("setup=1"), start("setup"));
        assert_eq!(set("Variant="), start("Variant"));
        assert_eq!(set("Annotator="), Ok(()));
        assert_eq!(set("Event=a=b \"c\" \\"), Ok(()));
        assert_eq!(set("Result=1/2-1/2"), Ok(()));
        for text in ["Event", "=x", "_x=y", "White Elo=3", "Weiß=x", "Result=draw", "Result=", "Event=a\nb"] {
            assert!(set(text).is_err(), "{text}");
        }
        let removal = |text: &str| text.parse::<TagRemoval>().map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(removal("FEN"), start("FEN"));
        assert_eq!(removal("*Elo"), Ok(()));
        assert!(removal("").is_err() && removal("White Elo").is_err());
    }

    /// Compares the copy of a game with changes.
    #[track_caller]
    fn check(edits: GameEdits, game: &str, expected: &str) {
        let (copied, _) = Copies::new().edits(edits).write(games(game), Vec::new()).unwrap();
        assert_eq!(String::from_utf8(copied).unwrap(), expected);
    }

    fn tags(set: &[&str], remove: &[&str]) -> GameEdits {
        GameEdits {
            set_tags: set.iter().map(|text| text.parse().unwrap()).collect(),
            remove_tags: remove.iter().map(|text| text.parse().unwrap()).collect(),
            ..GameEdits::default()
        }
    }

    const GAME: &str = "[Event \"Cup\"]\n[WhiteElo \"2400\"]\n[whiteelo \"1\"]\n\
        [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";
    const START: &str = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4";

    #[test]
    fn tags_get_values_and_are_removed() {
        assert!(GameEdits::default().is_empty() && !tags(&["Event=x"], &[]).is_empty());
        check(tags(&["Event=Cup"], &[]), GAME, GAME);
        let elo = "[WhiteElo \"2400\"]\n[whiteelo \"1\"]\n";
        check(tags(&["Event=A \"b\" \\"], &[]), GAME, &format!("[Event \"A \\\"b\\\" \\\\\"]\n{elo}{START} *\n"));
        check(tags(&[], &["whiteELO"]), GAME, &format!("[Event \"Cup\"]\n{START} *\n"));
        check(tags(&[], &["*e*", "SetU?"]), GAME, &format!("{START} *\n"));
        // Without any tag, the start of the game would be lost.
        check(tags(&[], &["White"]), "[White \"A\"]\n\n1. e4 *\n", "[Event \"?\"]\n\n1. e4 *\n");
        check(
            tags(&["Result=1-0"], &["W*"]),
            GAME,
            "[Event \"Cup\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n",
        );
        // The names of tags may be typed in upper or lower case.
        check(tags(&["event=x", "DATE=y"], &[]), "[Event \"?\"]\n\n*\n", "[Event \"x\"]\n[Date \"y\"]\n\n*\n");
        check(tags(&["whiteteam=x"], &[]), "[WhiteTeam \"?\"]\n\n*\n", "[WhiteTeam \"x\"]\n\n*\n");
        // Only the tag Result gives the result.
        check(tags(&["Round=1-0"], &["W*"]), "[Round \"1\"]\n\n1. e4 *\n", "[Round \"1-0\"]\n\n1. e4 *\n");
        // Of two tags with one name, one is left.
        check(tags(&["WhiteElo=2400"], &[]), GAME, &format!("[Event \"Cup\"]\n[WhiteElo \"2400\"]\n{START} *\n"));
    }

    #[test]
    fn openings_are_told_by_their_tags() {
        let opening = || GameEdits { add_opening: true, ..GameEdits::default() };
        let moves = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *\n";
        let najdorf = "[ECO \"B90\"]\n[Opening \"Sicilian Defense\"]\n[Variation \"Najdorf Variation\"]\n";
        let tags = "[Event \"?\"]\n";
        check(opening(), &format!("{tags}\n{moves}"), &format!("{tags}{najdorf}\n{moves}"));
        let old = "[ECO \"A00\"]\n[SubVariation \"x\"]\n";
        check(opening(), &format!("{tags}{old}\n{moves}"), &format!("{tags}{najdorf}\n{moves}"));
        check(
            opening(),
            "[Event \"?\"]\n[Variation \"old\"]\n\n1. e4 c5 *\n",
            "[Event \"?\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n\n1. e4 c5 *\n",
        );
        check(opening(), GAME, GAME);
        assert_eq!(opening().new_tags().collect::<Vec<_>>(), ["ECO", "Opening", "Variation"]);
        assert_eq!(super::GameEdits::default().new_tags().count(), 0);
    }

    #[test]
    fn dates_and_results_are_repaired() {
        let repair = || GameEdits { repair: true, ..GameEdits::default() };
        let game = "[Date \"2.3.1999\"]\n[Result \"?\"]\n\n1. f3 e5 2. g4 Qh4# *\n";
        let expected = "[Date \"1999.03.02\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let (copied, totals) = Copies::new().edits(repair()).write(games(game), Vec::new()).unwrap();
        assert_eq!(String::from_utf8(copied).unwrap(), expected);
        assert_eq!(totals.repaired, 1);
        check(repair(), expected, expected);
    }

    #[test]
    fn players_get_their_main_names() {
        let read = ReadOptions {
            games: GameFilter { players: "Tal, Mikhail\n  Misha\n".parse().unwrap(), ..GameFilter::default() },
            ..ReadOptions::default()
        };
        let edits = GameEdits { rename: true, ..GameEdits::default() };
        let game = "[White \"Misha\"]\n[Black \"Tal, Mikhail\"]\n[Annotator \"Misha\"]\n\n1. e4 *\n";
        let (copied, _) = Copies::new().read_options(read).edits(edits).write(games(game), Vec::new()).unwrap();
        assert_eq!(String::from_utf8(copied).unwrap(), game.replacen("Misha", "Tal, Mikhail", 1));
    }
}
