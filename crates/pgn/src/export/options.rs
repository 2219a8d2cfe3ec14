//! The options for writing games anew.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::annotation::CommentParts;
use crate::tag_pair::is_read_name;
use pgn2fen_chess::fen::FenStyle;

/// The options for writing games anew. The default writes all of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The tags that are written.
    pub tags: TagChoice,
    /// The comments that are written.
    pub comments: CommentChoice,
    /// Whether variations are written. If not, their moves are not played, and errors in them are not found.
    pub variations: bool,
    /// Whether numeric annotation glyphs are written.
    pub nags: bool,
    /// The moves behind which a comment with the FEN of the position is added.
    pub add_fen: FenComments,
    /// The style of the FENs in these comments, and of a FEN tag that is written anew.
    pub fen_style: FenStyle,
    /// The greatest length of a line of movetext, in characters. A word that is longer has a line of its own. 0 puts
    /// the movetext on one line.
    pub width: usize,
    /// The last ply that is written; None writes all moves. Behind it, moves are not played, and errors in them are not
    /// found. The result stays.
    pub last_ply: Option<u32>,
}

impl ExportOptions {
    /// The length of a line in the export format of the standard: less than 80 characters (§8.2.1).
    pub const STANDARD_WIDTH: usize = 79;
}

impl ExportOptions {
    /// Sets an option by its name in the doors of other languages: `comments`, `variations`, `nags`, `keep_tags` or
    /// `width`.
    ///
    /// # Errors
    ///
    /// There is no such option, or it cannot have this value: the message says what it may be.
    #[doc(hidden)]
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        fn one_of<T: Copy>(name: &str, value: &str, known: &[(&str, T)]) -> Result<T, String> {
            known.iter().find(|(word, _)| *word == value).map(|(_, choice)| *choice).ok_or_else(|| {
                let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
                format!("{name} is '{value}', but must be one of {}", words.join(", "))
            })
        }
        const FLAGS: [(&str, bool); 2] = [("true", true), ("false", false)];
        match name {
            "comments" => self.comments = one_of(name, value, &CommentChoice::NAMES)?,
            "variations" => self.variations = one_of(name, value, &FLAGS)?,
            "nags" => self.nags = one_of(name, value, &FLAGS)?,
            "keep_tags" => self.tags = value.parse().map_err(|error: WrongTagName| error.to_string())?,
            "width" => {
                self.width =
                    value.parse().map_err(|_| format!("width is '{value}', but must be a number of characters"))?;
            }
            _ => return Err(format!("there is no option '{name}'")),
        }
        Ok(())
    }
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            tags: TagChoice::All,
            comments: CommentChoice::All,
            variations: true,
            nags: true,
            add_fen: FenComments::None,
            fen_style: FenStyle::default(),
            width: Self::STANDARD_WIDTH,
            last_ply: None,
        }
    }
}

/// A choice of the comments that are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommentChoice {
    /// All comments.
    #[default]
    All,
    /// The words of people: [`CommentParts::words`].
    Words,
    /// The commands of programs: [`CommentParts::commands`].
    Commands,
    /// No comments.
    None,
}

impl CommentChoice {
    /// The choices with their names.
    pub const NAMES: [(&'static str, Self); 4] =
        [("all", Self::All), ("words", Self::Words), ("commands", Self::Commands), ("none", Self::None)];

    /// Returns what is written of a comment. None if it is left out.
    pub(super) fn of(self, comment: Cow<'_, str>) -> Option<Cow<'_, str>> {
        let part = match self {
            Self::All => return Some(comment),
            Self::Words => CommentParts::of(&comment).words,
            Self::Commands => CommentParts::of(&comment).commands,
            Self::None => return None,
        };
        (!part.is_empty()).then(|| part.into())
    }
}

/// A choice of the tags that are written.
///
/// Whatever the choice, a game that does not start from the initial position has the tags `SetUp` and `FEN`, and one
/// that can only be read as Chess960 or as a variant has `Variant`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TagChoice {
    /// The roster and all tags of the game.
    #[default]
    All,
    /// The seven tags of the roster: Event, Site, Date, Round, White, Black, Result (§8.1.1).
    Roster,
    /// No tags.
    None,
    /// These tags, if the game has them. They are written in the order of the standard. Upper and lower case are equal.
    Names(Vec<Box<str>>),
}

/// Reads `all`, `roster`, `none`, or the names of tags with commas between them.
impl FromStr for TagChoice {
    type Err = WrongTagName;

    fn from_str(text: &str) -> Result<Self, WrongTagName> {
        match text.to_ascii_lowercase().as_str() {
            "all" => return Ok(Self::All),
            "roster" => return Ok(Self::Roster),
            "none" => return Ok(Self::None),
            _ => {}
        }
        let names = text.split(',').map(str::trim);
        let checked = names.map(|name| match name {
            "all" | "roster" | "none" => Err(WrongTagName { name: name.to_owned() }),
            _ if is_read_name(name.as_bytes()) => Ok(name.into()),
            _ => Err(WrongTagName { name: name.to_owned() }),
        });
        checked.collect::<Result<_, _>>().map(Self::Names)
    }
}

/// An error: a text is not the name of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongTagName {
    pub(super) name: String,
}

impl fmt::Display for WrongTagName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" => f.write_str("the name of a tag is missing"),
            name @ ("all" | "roster" | "none") => write!(f, "`{name}` stands alone, without names of tags"),
            name => write!(
                f,
                "`{name}` is not the name of a tag; names have letters, digits and `_`, as in White,Black,ECO"
            ),
        }
    }
}

impl std::error::Error for WrongTagName {}

/// The moves behind which a comment with the FEN of the position is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FenComments {
    /// No moves.
    #[default]
    None,
    /// The last move of the main line: a comment before the result. A game without moves has one, too.
    Last,
    /// Every move that is written, also in variations. The FEN stands before the other comments on the move.
    Every,
}

#[cfg(test)]
mod tests {
    use super::TagChoice;

    #[track_caller]
    fn check(text: &str, expected: Result<TagChoice, &str>) {
        assert_eq!(text.parse::<TagChoice>().map_err(|error| error.to_string()), expected.map_err(str::to_owned));
    }

    #[test]
    fn tags_are_chosen_by_a_word_or_by_names() {
        check("all", Ok(TagChoice::All));
        check("roster", Ok(TagChoice::Roster));
        check("none", Ok(TagChoice::None));
        check("Roster", Ok(TagChoice::Roster));
        check("White, ECO", Ok(TagChoice::Names(vec!["White".into(), "ECO".into()])));
        check("White,,ECO", Err("the name of a tag is missing"));
        check("", Err("the name of a tag is missing"));
        check("White,roster", Err("`roster` stands alone, without names of tags"));
        check(
            "White Elo",
            Err("`White Elo` is not the name of a tag; names have letters, digits and `_`, as in White,Black,ECO"),
        );
    }
}
