//! The names of the files that games are divided into, such as `players/{White}.pgn`.

use std::error::Error;
use std::fmt;
use std::path::is_separator;
use std::str::FromStr;

use crate::jobs::games::split::{Shares, Split};
use crate::{BraceError, NUMBER, Template, clean, numbered};

/// The names of files of games: a path with placeholders. A placeholder is the name of a tag in braces, such as `{ECO}`
/// or `{White}`, or `{part}`, the number or the name of a part of a [`Split`]. Double braces stand for a brace.
///
/// A value cannot choose another folder: separators and characters that a file name cannot have become `_`, and so does
/// a missing value. Games whose paths differ only in their case go to the same file, because some systems do not
/// distinguish case.
///
/// ```
/// use pgn2fen_rows::games::GameFileNames;
///
/// assert!("players/{White}.pgn".parse::<GameFileNames>().is_ok());
/// let error = "{game}.pgn".parse::<GameFileNames>().unwrap_err();
/// let expected = "{game} is neither {part} nor the name of a tag, such as {ECO}; {{ stands for a brace";
/// assert_eq!(error.to_string(), expected);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFileNames {
    template: Template,
    /// The names of the tags that are read.
    tags: Vec<Box<str>>,
    /// The index of the tag of each placeholder; None for the part.
    values: Vec<Option<usize>>,
}

impl GameFileNames {
    /// Returns the names of the tags that are read.
    pub fn tags(&self) -> &[Box<str>] {
        &self.tags
    }

    /// Whether the names are made of values of tags.
    pub(super) fn has_tags(&self) -> bool {
        !self.tags.is_empty()
    }

    /// Whether there is a placeholder, so that there may be several files.
    pub fn has_placeholder(&self) -> bool {
        !self.values.is_empty()
    }

    /// Returns the path of the only file, if there is no placeholder.
    pub fn only_path(&self) -> Option<String> {
        (!self.has_placeholder()).then(|| self.template.path(&[]))
    }

    /// Checks that the names differ for the parts of a split.
    ///
    /// # Errors
    ///
    /// Games are split, and the names do not have the placeholder `{part}`, or the other way round.
    pub fn check(&self, split: Option<&Split>) -> Result<(), GameNameError> {
        match (split, self.values.contains(&None)) {
            (Some(_), false) => Err(GameNameError::WithoutPart(self.template.text().to_owned())),
            (None, true) => Err(GameNameError::WithoutSplit),
            (Some(_), true) | (None, false) => Ok(()),
        }
    }

    /// Returns the paths of parts with these names.
    ///
    /// # Errors
    ///
    /// The names are made of values of tags, or do not have the placeholder `{part}`.
    pub fn paths_of_parts(&self, parts: &Shares) -> Result<Vec<String>, GameNameError> {
        if let Some(tag) = self.tags.first() {
            return Err(GameNameError::HasTag(tag.to_string()));
        }
        self.check(Some(&Split::Shares(parts.clone())))?;
        Ok(parts.names().map(|part| self.place(|_| String::new(), Some(part))).collect())
    }

    /// Returns the place of a game with these values of its tags: the path of its file. If the part is a number, it is
    /// left open.
    pub(super) fn place(&self, tag: impl Fn(&str) -> String, part: Option<&str>) -> String {
        let value = |value: &Option<usize>| match value {
            Some(at) => clean(&tag(&self.tags[*at])),
            None => part.map_or_else(|| NUMBER.to_string(), clean),
        };
        self.template.path(&self.values.iter().map(value).collect::<Vec<String>>())
    }
}

/// Returns the path of a place, for the part with this number.
pub(super) fn path_of_part(place: &[u8], number: u64) -> String {
    numbered(&String::from_utf8_lossy(place), number)
}

impl FromStr for GameFileNames {
    type Err = GameNameError;

    fn from_str(text: &str) -> Result<Self, GameNameError> {
        let template = Template::parse(text).map_err(|error| match error {
            BraceError::Open => GameNameError::Open,
            BraceError::Close => GameNameError::Close,
        })?;
        let mut tags = Vec::new();
        let mut values = Vec::new();
        for name in template.names() {
            let is_tag = name.starts_with(|first: char| first.is_ascii_uppercase())
                && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
            match &**name {
                "part" => values.push(None),
                name if is_tag => {
                    values.push(Some(tags.len()));
                    tags.push(name.into());
                }
                name => return Err(GameNameError::NoName(name.to_owned())),
            }
        }
        Ok(Self { template, tags, values })
    }
}

/// The error for names of files of games that cannot be parsed, or that do not suffice.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameNameError {
    /// A brace is not closed.
    Open,
    /// A brace is closed that was not opened.
    Close,
    /// A placeholder is neither `part` nor the name of a tag.
    NoName(String),
    /// Games are split, and the names, which are given, have no placeholder `{part}`.
    WithoutPart(String),
    /// The names have the placeholder `{part}`, and games are not split.
    WithoutSplit,
    /// The names of parts of positions have this tag as a placeholder.
    HasTag(String),
}

impl fmt::Display for GameNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => {
                f.write_str("a brace { is not closed; write {ECO} for the value of a tag, and {{ for a brace")
            }
            Self::Close => f.write_str("a brace } was not opened; write }} for a brace"),
            Self::NoName(name) => write!(
                f,
                "{{{name}}} is neither {{part}} nor the name of a tag, such as {{ECO}}; {{{{ stands for a brace"
            ),
            Self::WithoutPart(name) => {
                // A period in the name of a folder begins no ending.
                let from = name.rfind(is_separator).unwrap_or(0);
                let dot = name[from..].find('.').map_or(name.len(), |at| from + at);
                let (stem, ending) = name.split_at(dot);
                let ending = if ending.is_empty() { ".pgn" } else { ending };
                write!(f, "the parts of a split need different names; use a name such as {stem}-{{part}}{ending}")
            }
            Self::WithoutSplit => f.write_str("{part} is the part of a split, and games are not split"),
            Self::HasTag(name) => write!(f, "{{{name}}} names files of games; files of positions have only {{part}}"),
        }
    }
}

impl Error for GameNameError {}

#[cfg(test)]
mod tests {
    use super::{GameFileNames, path_of_part};

    #[track_caller]
    fn check(names: &str, value: &str, part: Option<&str>, expected: &str) {
        let names: GameFileNames = names.parse().unwrap();
        let place = names.place(|_| value.to_owned(), part);
        assert_eq!(path_of_part(place.as_bytes(), 3), expected);
    }

    #[test]
    fn a_value_stays_in_the_folder() {
        check("players/{White}.pgn", "Carlsen, Magnus", None, "players/Carlsen, Magnus.pgn");
        check("players/{White}.pgn", "../../etc/passwd", None, "players/_._.._etc_passwd.pgn");
        check("players/{White}/{Black}.pgn", "..", None, "players/__/_..pgn");
        check("{ECO}-{part}.pgn.zst", "", None, "_-3.pgn.zst");
        check("{part}/{ECO}.pgn", "B90", Some("../x"), "_._x/B90.pgn");
        check("a{{{part}}}.pgn", "", None, "a{3}.pgn");
        check("com{part}.pgn", "", None, "_com3.pgn");
        check("lpt{part}/nul{part}.pgn", "", None, "_lpt3/nul3.pgn");
        check("{part}.pgn", "", Some("nul"), "_nul.pgn");
        let long = "x".repeat(100);
        check("{White}{Black}{Site}-{part}.pgn", &long, None, &format!("{long}{long}3.pgn"));
    }

    #[track_caller]
    fn check_refused(names: &str, expected: &str) {
        assert!(names.parse::<GameFileNames>().unwrap_err().to_string().starts_with(expected));
    }

    #[test]
    fn a_name_that_cannot_be_meant_is_refused() {
        check_refused("{White.pgn", "a brace { is not closed");
        check_refused("White}.pgn", "a brace } was not opened");
        check_refused("{eco}.pgn", "{eco} is neither {part} nor the name of a tag");
        check_refused("{}.pgn", "{} is neither");
        check_refused("{White-x}.pgn", "{White-x} is neither");
        let names: GameFileNames = "a.pgn.zst".parse().unwrap();
        let error = names.check(Some(&"100".parse().unwrap())).unwrap_err().to_string();
        assert!(error.ends_with("use a name such as a-{part}.pgn.zst"), "{error}");
        assert_eq!(names.only_path().as_deref(), Some("a.pgn.zst"));
        let in_folder: GameFileNames = "x.y/a".parse().unwrap();
        let error = in_folder.check(Some(&"100".parse().unwrap())).unwrap_err().to_string();
        assert!(error.ends_with("use a name such as x.y/a-{part}.pgn"), "{error}");
    }

    #[test]
    fn names_tell_which_placeholders_they_have() {
        let check = |names: &str, has_tags: bool, has_placeholder: bool| {
            let names: GameFileNames = names.parse().unwrap();
            assert_eq!((names.has_tags(), names.has_placeholder()), (has_tags, has_placeholder), "{names:?}");
            assert_eq!(names.only_path().is_none(), has_placeholder, "{names:?}");
        };
        check("a.pgn", false, false);
        check("{part}.pgn", false, true);
        check("{White}.pgn", true, true);
        check("{Board_2}.pgn", true, true);
        let names: GameFileNames = "{White}/{part}-{ECO}.pgn".parse().unwrap();
        assert_eq!(names.tags(), ["White", "ECO"].map(Box::from));
    }
}
