//! The error for names that are not those of columns.

use std::error::Error;
use std::fmt;

use crate::columns::column::Column;
use pgn2fen_games::selection::distance;

/// The error for a list of columns that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnError {
    /// The list has no names.
    Empty,
    /// No column and no tag has a name that matches a pattern.
    NoMatch {
        /// The name with wildcards.
        pattern: String,
    },
    /// A pattern stands for tags, where the tags of the games are not known.
    NeedsTags {
        /// The name with wildcards.
        pattern: String,
    },
    /// A name is not that of a column.
    Unknown {
        /// The name as it was given.
        name: String,
        /// The known columns with similar names.
        nearest: Vec<&'static str>,
        /// All known columns.
        known: &'static [Column],
    },
}

impl ColumnError {
    pub(crate) fn unknown(name: &str, known: &'static [Column]) -> Self {
        let names = known.iter().map(Column::name).chain(TAGS);
        let is_near = |known: &&str| {
            let shorter = name.len().min(known.len());
            let begins = shorter >= 3 && (name.starts_with(known) || known.starts_with(name));
            begins || distance(name, known) < shorter.min(3)
        };
        let near: Vec<&str> = names.filter(is_near).collect();
        let least = near.iter().map(|known| distance(name, known)).min();
        let nearest = near.into_iter().filter(|known| Some(distance(name, known)) == least).collect();
        Self::Unknown { name: name.to_owned(), nearest, known }
    }

    /// Whether there are known columns with similar names.
    pub(crate) fn has_nearest(&self) -> bool {
        matches!(self, Self::Unknown { nearest, .. } if !nearest.is_empty())
    }
}

/// Tags that most files have, for suggestions. Any other tag may be a column, too.
const TAGS: [&str; 11] =
    ["Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo", "ECO", "Opening", "TimeControl"];

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no columns are given"),
            Self::NoMatch { pattern } => write!(f, "no column and no tag matches {pattern}"),
            Self::NeedsTags { pattern } => {
                write!(f, "the tags that {pattern} stands for are not known here; name them")
            }
            Self::Unknown { name, nearest, known } => {
                write!(f, "there is no column {name}; ")?;
                match nearest.as_slice() {
                    [] => {
                        let names: Vec<&str> = known.iter().map(Column::name).collect();
                        write!(f, "the columns are {}, and tags by name, such as White", names.join(" "))
                    }
                    names => write!(f, "did you mean {}?", names.join(" or ")),
                }
            }
        }
    }
}

impl Error for ColumnError {}
