//! Lists of columns.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use crate::column::{Column, OF_STARTS};
use pgn2fen_games::selection::distance;

/// The columns of a table, in order and without duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    list: Vec<Column>,
    has: ColumnSet,
    tags: Vec<Box<str>>,
}

/// A set of columns, without those of tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColumnSet(u64);

impl ColumnSet {
    /// The columns that need the evaluation of a position.
    pub(crate) const SEARCH: Self = Self::of(&[
        Column::Eval,
        Column::Depth,
        Column::Time,
        Column::Nodes,
        Column::WinChance,
        Column::CpLoss,
        Column::Accuracy,
        Column::Judgement,
    ]);

    /// The columns that need the evaluations before and behind a move.
    pub(crate) const JUDGED: Self = Self::of(&[Column::CpLoss, Column::Accuracy, Column::Judgement]);

    /// The columns that need all evaluations of a game.
    pub(crate) const REVIEW: Self = Self::of(&[
        Column::WhiteAccuracy,
        Column::BlackAccuracy,
        Column::WhiteCpLoss,
        Column::BlackCpLoss,
        Column::WhiteInaccuracies,
        Column::BlackInaccuracies,
        Column::WhiteMistakes,
        Column::BlackMistakes,
        Column::WhiteBlunders,
        Column::BlackBlunders,
    ]);

    /// The columns that need the names of openings.
    pub(crate) const OPENING: Self = Self::of(&[Column::Eco, Column::Opening]);

    pub(crate) const fn of(columns: &[Column]) -> Self {
        let (mut set, mut nth) = (0, 0);
        while nth < columns.len() {
            set |= 1 << columns[nth].number();
            nth += 1;
        }
        Self(set)
    }

    #[inline]
    pub(crate) const fn has(self, column: &Column) -> bool {
        self.0 >> column.number() & 1 != 0
    }

    /// Returns the set with another column.
    pub(crate) const fn with(self, column: &Column) -> Self {
        Self(self.0 | 1 << column.number())
    }

    /// Returns the set without these columns.
    pub(crate) const fn without(self, columns: Self) -> Self {
        Self(self.0 & !columns.0)
    }

    /// Whether one of these columns is in the set.
    #[inline]
    pub(crate) const fn has_any(self, columns: Self) -> bool {
        self.0 & columns.0 != 0
    }
}

impl Columns {
    /// Creates a list of columns and drops duplicates.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        let mut list = Vec::new();
        for column in columns {
            if !list.contains(&column) {
                list.push(column);
            }
        }
        let has = ColumnSet::of(&list);
        let tags = list.iter().filter_map(Column::tag).map(Box::from).collect();
        Self { list, has, tags }
    }

    /// Returns the default columns of rows of starting positions: `count kind sp fen file line offset game odds`.
    pub fn starts() -> Self {
        Self::new(OF_STARTS[..9].iter().cloned())
    }

    /// Returns the default columns of rows of whole games: `game`, the tags Event, Site, Date, Round, White, Black,
    /// WhiteElo and BlackElo, and `result plies start moves evals clocks`.
    pub fn games() -> Self {
        let tags = ["Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo"];
        let course = [Column::Result, Column::Plies, Column::Start, Column::Moves, Column::Evals, Column::Clocks];
        Self::new([Column::Game].into_iter().chain(tags.map(|tag| Column::Tag(tag.into()))).chain(course))
    }

    /// Whether [`Column::Count`] is in the list. Its values are known only when all games have been read.
    pub fn has_count(&self) -> bool {
        self.has.has(&Column::Count)
    }

    /// Returns an iterator over the columns.
    pub fn iter(&self) -> std::slice::Iter<'_, Column> {
        self.list.iter()
    }

    /// Returns the ranges of columns that text formats write at once, without a column of another kind between them.
    pub(crate) fn drafted(&self) -> Vec<Range<usize>> {
        let mut end = 0;
        let runs = self.list.chunk_by(|column, next| column.is_drafted() == next.is_drafted());
        let range = |run: &[Column]| {
            let start = end;
            end += run.len();
            run[0].is_drafted().then_some(start..end)
        };
        runs.filter_map(range).collect()
    }

    pub(crate) fn has(&self) -> ColumnSet {
        self.has
    }

    /// The tags whose values are columns, in the order of the columns.
    pub(crate) fn tags(&self) -> &[Box<str>] {
        &self.tags
    }

    /// Returns the columns in the form that a table needs to look up values.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let mut tags = 0;
        self.list.iter().map(move |column| {
            let tag = tags;
            tags += usize::from(column.tag().is_some());
            Cell { column, tag }
        })
    }
}

/// A column, with what a table needs to look up its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell<'c> {
    pub(crate) column: &'c Column,
    /// For the column of a tag, its index among the tags that are columns.
    pub(crate) tag: usize,
}

impl<'a> IntoIterator for &'a Columns {
    type Item = &'a Column;
    type IntoIter = std::slice::Iter<'a, Column>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Default for Columns {
    /// Returns `game ply san fen`.
    fn default() -> Self {
        Self::new([Column::Game, Column::Ply, Column::San, Column::Fen])
    }
}

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
    pub(super) fn unknown(name: &str, known: &'static [Column]) -> Self {
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

#[cfg(test)]
mod tests {
    use super::{Column, Columns, OF_STARTS};
    use crate::column::OF_POSITIONS;

    #[track_caller]
    fn check(list: &str, expected: &str) {
        let came = match list.parse::<Columns>() {
            Ok(columns) => columns.iter().map(Column::name).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        };
        assert_eq!(came, expected);
    }

    #[test]
    fn columns_are_named_with_commas_or_blanks_between() {
        check("game,fen", "game fen");
        check(" game, White fen,,", "game White fen");
        check("fen,fen,WhiteElo,fen", "fen WhiteElo");
        check("Date,Date_text,White_text,Date", "Date Date_text White_text");
        check(",", "no columns are given");
    }

    #[test]
    fn a_name_that_begins_with_a_capital_is_a_tags() {
        let column = |name| Column::named(name, &OF_POSITIONS);
        assert_eq!(column("ECO"), Ok(Column::Tag("ECO".into())));
        assert_eq!(column("fen"), Ok(Column::Fen));
        assert_eq!(column("FEN"), Ok(Column::Tag("FEN".into())));
        assert_eq!(column("WhiteElo_text"), Ok(Column::TagText("WhiteElo_text".into())));
        // White has no type, so it needs no second column for its text.
        assert_eq!(column("White_text"), Ok(Column::Tag("White_text".into())));
        assert_eq!("Date,White,Date_text".parse::<Columns>().unwrap().tags(), ["Date", "White", "Date"].map(Box::from));
    }

    #[test]
    fn an_unknown_column_is_answered_with_the_nearest() {
        check("game,feen", "there is no column feen; did you mean fen?");
        check("nextsan", "there is no column nextsan; did you mean next_san?");
        check("next", "there is no column next; did you mean next_san or next_uci?");
        check("clock", "there is no column clock; did you mean clk or Black?");
        check("evaluation", "there is no column evaluation; did you mean eval?");
        check("white", "there is no column white; did you mean White?");
        check(
            "x",
            "there is no column x; the columns are file game offset line id ply variation parent plies turn fen \
             material san uci next_san next_uci eval depth time nodes win_chance cp_loss accuracy \
             judgement clk spent comment nags key result eco opening tags, and tags by name, such as White",
        );
    }

    #[test]
    fn rows_of_starts_have_their_own_columns() {
        assert_eq!(
            Columns::of_starts("kind,White,fen"),
            Ok(Columns::new(["kind", "White", "fen"].map(|name| { Column::named(name, &OF_STARTS).unwrap() })))
        );
        assert!(Columns::of_starts("ply").is_err() && "kind".parse::<Columns>().is_err());
    }
}
