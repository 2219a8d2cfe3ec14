//! Lists of columns.

pub(crate) mod column;
pub(crate) mod comment;
pub(crate) mod continuation;
pub(crate) mod course;
pub(crate) mod last_move;
pub(crate) mod material;
pub(crate) mod operations;
pub(crate) mod packed;
pub(crate) mod patterns;
pub(crate) mod sources;

use std::ops::Range;

use crate::columns::column::set::ColumnSet;
use crate::columns::column::{Column, OF_STARTS};
use pgn2fen_games::walk::GameParts;

/// The columns of a table, in order and without duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    list: Vec<Column>,
    has: ColumnSet,
    tags: Vec<Box<str>>,
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

    /// Returns the parts of games from which the columns have their values, apart from main lines.
    pub(crate) fn parts(&self) -> GameParts {
        // Lines count in a text that has all parts.
        if self.has.has(&Column::Line) {
            return GameParts::ALL;
        }
        let comments = self.has.has_any(ColumnSet::COMMENTS);
        // Clocks need the time control.
        let tags = comments || self.has.has_any(ColumnSet::TAGS) || !self.tags.is_empty();
        GameParts { tags, comments, ..GameParts::NONE }
    }

    /// Returns the default columns of rows of starting positions: `count kind sp fen file line offset game odds`.
    pub fn starts() -> Self {
        Self::new(OF_STARTS[..9].iter().cloned())
    }

    /// Returns the default columns of rows of whole games: `game`, the tags Event, Site, Date, Round, White, Black,
    /// WhiteElo and BlackElo, and `result plies variant start moves evals clocks`.
    pub fn games() -> Self {
        let tags = ["Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo"];
        let start = [Column::Result, Column::Plies, Column::Variant, Column::Start];
        let course = [Column::Moves, Column::Evals, Column::Clocks];
        Self::new([Column::Game].into_iter().chain(tags.map(|tag| Column::Tag(tag.into()))).chain(start).chain(course))
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

#[cfg(test)]
mod tests {
    use super::{Column, Columns, OF_STARTS};
    use crate::columns::column::OF_POSITIONS;

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
        assert!("ePGN".parse::<Columns>().is_ok());
        check("nextSan", "there is no column nextSan; did you mean next_san?");
        check("nextsan", "there is no column nextsan; did you mean next_san?");
        check("next", "there is no column next; did you mean next_san or next_uci?");
        check("clock", "there is no column clock; did you mean clk or Black?");
        check("evaluation", "there is no column evaluation; did you mean eval?");
        check("white", "there is no column white; did you mean White?");
        check(
            "x",
            "there is no column x; the columns are file game offset line id variant ply variation parent plies turn \
             fen hand material san uci next_san next_uci eval depth time nodes win_chance cp_loss accuracy \
             judgement clk spent comment words nags key result eco opening tags, and tags by name, such as White",
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

    #[test]
    fn only_the_parts_of_games_that_columns_need_are_read() {
        for (list, tags, comments) in [
            ("ply,fen,san,result", false, false),
            ("White", true, false),
            ("tags", true, false),
            ("comment", true, true),
            ("nags", true, true),
            ("eval", true, true),
        ] {
            let parts = list.parse::<Columns>().unwrap().parts();
            assert_eq!((parts.tags, parts.comments, parts.variations), (tags, comments, false), "{list}");
        }
        let all = "line".parse::<Columns>().unwrap().parts();
        assert!(all.tags && all.comments && all.variations);
    }

    #[test]
    fn only_a_list_with_the_column_needs_counts() {
        assert!(Columns::starts().has_count());
        assert!(!Columns::of_starts("fen,game").unwrap().has_count());
    }

    #[test]
    fn columns_of_games_have_one_value_in_all_rows_of_a_game() {
        let of_games = |list: &str| list.parse::<Columns>().unwrap().iter().map(Column::is_of_game).collect::<Vec<_>>();
        assert_eq!(of_games("file,game,offset,line,White,Date_text,tags,result"), [true; 8]);
        assert_eq!(of_games("ply,fen,san,next_san,eval,comment,turn,material"), [false; 8]);
    }
}
