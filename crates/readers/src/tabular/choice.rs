//! The choice of columns: which one has the moves, and which ones become tags.

use crate::games::GameParts;
use crate::puzzle::{NAMES, OF_PUZZLES};
use crate::tabular::error::{TableError, TableFault, TableFormat};
use pgn2fen_pgn::tag_kind::TagKind;

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableColumn {
    pub(crate) name: String,
    pub(crate) kind: ColumnKind,
    /// The name of its type, for messages.
    pub(crate) type_name: String,
}

/// The kind of values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "tables"), allow(dead_code, reason = "columns of text have one kind"))]
pub(crate) enum ColumnKind {
    Text,
    /// Numbers, dates and times.
    Scalar,
    /// Lists of texts.
    Texts,
    /// Lists of numbers.
    Numbers,
    /// Maps from texts to texts.
    Pairs,
    /// Values that cannot be in a tag.
    Other,
}

/// The columns from which the text of a game is made. Columns are numbered in the order of [`columns`](Self::columns).
#[derive(Clone, Debug)]
pub(crate) struct ColumnChoice {
    /// The numbers of the columns in the table, in ascending order.
    pub(crate) columns: Vec<usize>,
    /// The column with the moves. None for a table of positions.
    pub(crate) movetext: Option<usize>,
    /// Whether the moves are lists.
    pub(super) is_list: bool,
    pub(crate) tags: Vec<TagColumn>,
    /// The column with maps of tags.
    pub(super) pairs: Option<usize>,
    /// The columns with lists of evaluations and clocks.
    pub(super) evals: Option<usize>,
    pub(super) clocks: Option<usize>,
    /// Whether the rows are puzzles.
    pub(super) are_puzzles: bool,
}

/// A column that becomes a tag.
#[derive(Clone, Debug)]
pub(crate) struct TagColumn {
    pub(crate) column: usize,
    pub(crate) name: String,
    pub(super) kind: TagKind,
    /// Whether its values are lists of words, as the themes of puzzles are.
    pub(super) is_list: bool,
}

/// The names of columns that have moves, in the order in which they are searched.
const MOVETEXT: [&str; 8] = ["movetext", "pgn", "moves", "movessan", "movesuci", "uci", "transcript", "text"];

/// The names of tags that are recognised in any spelling of a column name.
const TAGS: &str = "
    Event Site Date Round White Black Result WhiteTitle BlackTitle WhiteElo BlackElo WhiteUSCF BlackUSCF WhiteNA
    BlackNA WhiteType BlackType WhiteRatingDiff BlackRatingDiff WhiteFideId BlackFideId WhiteTeam BlackTeam
    EventDate EventSponsor Section Stage Board Opening Variation SubVariation ECO NIC Time UTCTime UTCDate
    TimeControl SetUp FEN Termination Annotator Mode PlyCount Variant";

/// The most columns that become tags. Time would otherwise grow with the square of their number.
pub(crate) const MOST_TAGS: usize = 1000;

/// Names of columns that stand for a tag of another name.
const ALIASES: [(&str, &str); 5] =
    [("start", "FEN"), ("startfen", "FEN"), ("initialfen", "FEN"), ("initialsetup", "FEN"), ("plies", "PlyCount")];

/// Names of columns that stand for a tag of another name in tables without a column of that tag, the best name first.
const FALLBACKS: [(&str, &str); 19] = [
    ("whiteusername", "White"),
    ("whitename", "White"),
    ("whiteplayer", "White"),
    ("whiteid", "White"),
    ("blackusername", "Black"),
    ("blackname", "Black"),
    ("blackplayer", "Black"),
    ("blackid", "Black"),
    ("whiterating", "WhiteElo"),
    ("blackrating", "BlackElo"),
    ("winner", "Result"),
    ("openingeco", "ECO"),
    ("ecocode", "ECO"),
    ("openingname", "Opening"),
    ("variantname", "Variant"),
    ("variantkey", "Variant"),
    // The tables of lichess-org/chess-openings: eco, name, pgn.
    ("name", "Opening"),
    ("epd", "FEN"),
    ("position", "FEN"),
];

impl ColumnChoice {
    /// Chooses the columns of a table. `wanted` is the name of the column with the moves, if one was given.
    ///
    /// A table without moves that has a FEN is one of positions. Rows with the number of a game and a ply are positions
    /// of games, as pgn2fen writes them: such a table is refused. A table with a FEN, moves and another column of
    /// Lichess's puzzles is one of puzzles, unless the column with the moves is given.
    pub(crate) fn new(format: TableFormat, columns: &[TableColumn], wanted: Option<&str>) -> Result<Self, TableError> {
        let names: Vec<String> = columns.iter().map(|column| plain(&column.name)).collect();
        let has = |wanted: &str| names.iter().any(|name| name == wanted);
        let has_fen = ["fen", "startfen", "initialfen", "epd"].into_iter().any(has);
        let movetext = match wanted {
            Some(name) => Some(named(format, columns, name)?),
            None => {
                let is_named = |name: &&str, at: usize| holds_moves(columns[at].kind) && names[at] == **name;
                let found = MOVETEXT.iter().find_map(|name| (0..columns.len()).find(|at| is_named(name, *at)));
                found.filter(|_| !(has_fen && has("ply")))
            }
        };
        if movetext.is_none() && (!has_fen || has("game") && has("ply")) {
            return Err(TableError::new(format, TableFault::NoMovetext(listed(columns))));
        }
        let is_list = movetext.is_some_and(|movetext| columns[movetext].kind == ColumnKind::Texts);
        let find = |name: &str, kind: ColumnKind| {
            columns.iter().position(|column| column.kind == kind && column.name.eq_ignore_ascii_case(name))
        };
        let pairs = find("tags", ColumnKind::Pairs);
        let evals = find("evals", ColumnKind::Numbers).filter(|_| is_list);
        let clocks = find("clocks", ColumnKind::Numbers).filter(|_| is_list);
        let are_puzzles = wanted.is_none()
            && has("fen")
            && movetext.is_some_and(|movetext| names[movetext] == "moves")
            && OF_PUZZLES.into_iter().any(has);
        let is_tag = |at: usize| {
            let is_list = are_puzzles && columns[at].kind == ColumnKind::Texts;
            Some(at) != movetext && (is_list || matches!(columns[at].kind, ColumnKind::Text | ColumnKind::Scalar))
        };
        let fallbacks = fallbacks(&names, movetext.is_some(), is_tag);
        let mut tags: Vec<TagColumn> = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            if tags.len() == MOST_TAGS {
                break;
            }
            if !is_tag(at) {
                continue;
            }
            let fallback = fallbacks.iter().find(|(column, _)| *column == at).map(|(_, tag)| (*tag).to_owned());
            let of_puzzles = NAMES.iter().find(|name| are_puzzles && name.eq_ignore_ascii_case(&names[at]));
            let name = of_puzzles.map(|name| (*name).to_owned()).or(fallback).or_else(|| tag_name(&column.name));
            // The first of two columns for the same tag counts.
            if let Some(name) = name.filter(|name| tags.iter().all(|tag| tag.name != *name)) {
                let is_list = column.kind == ColumnKind::Texts;
                tags.push(TagColumn { column: at, kind: TagKind::of(&name), name, is_list });
            }
        }
        let mut choice = Self { columns: Vec::new(), movetext, is_list, tags, pairs, evals, clocks, are_puzzles };
        choice.number();
        Ok(choice)
    }

    /// Returns the choice of the columns that have these parts of games.
    pub(crate) fn of_parts(mut self, parts: GameParts) -> Self {
        self.tags.retain(|tag| parts.has_tag(&tag.name));
        if !parts.comments {
            (self.evals, self.clocks) = (None, None);
        }
        let columns = std::mem::take(&mut self.columns);
        self.used().for_each(|column| *column = columns[*column]);
        self.number();
        self
    }

    /// Lists the columns that are used, and numbers them in this order.
    fn number(&mut self) {
        let mut columns: Vec<usize> = self.used().map(|column| *column).collect();
        columns.sort_unstable();
        self.used().for_each(|column| *column = columns.partition_point(|other| other < column));
        self.columns = columns;
    }

    /// Returns the columns that are used.
    fn used(&mut self) -> impl Iterator<Item = &mut usize> {
        let Self { movetext, tags, pairs, evals, clocks, .. } = self;
        let single = [movetext, pairs, evals, clocks].into_iter().flatten();
        single.chain(tags.iter_mut().map(|tag| &mut tag.column))
    }
}

/// Returns the columns that stand for a tag because the table has no column of the tag, with the tag.
fn fallbacks(names: &[String], has_moves: bool, is_tag: impl Fn(usize) -> bool) -> Vec<(usize, &'static str)> {
    let find = |wanted: &str| (0..names.len()).find(|at| is_tag(*at) && names[*at] == wanted);
    let mut found: Vec<(usize, &'static str)> = Vec::new();
    for (name, tag) in FALLBACKS {
        // The position of an opening is where its moves end, and a name may be that of anything.
        let is_meant = match name {
            "epd" | "position" => !has_moves,
            "name" => find("eco").is_some(),
            _ => true,
        };
        let is_of_tag = |(alias, of): &(&str, &str)| *of == tag && find(alias).is_some();
        let is_given = find(&tag.to_ascii_lowercase()).is_some()
            || ALIASES.iter().any(is_of_tag)
            || found.iter().any(|(_, given)| *given == tag);
        if let Some(at) = find(name).filter(|_| is_meant && !is_given) {
            found.push((at, tag));
        }
    }
    found
}

/// Returns the column of this name: in exactly this spelling, or in upper and lower case otherwise.
fn named(format: TableFormat, columns: &[TableColumn], name: &str) -> Result<usize, TableError> {
    let exact = columns.iter().position(|column| column.name == name);
    let found = exact.or_else(|| columns.iter().position(|column| column.name.eq_ignore_ascii_case(name)));
    let found = found.ok_or_else(|| TableError::new(format, TableFault::NoColumn(name.to_owned(), listed(columns))))?;
    match &columns[found] {
        column if holds_moves(column.kind) => Ok(found),
        TableColumn { name, type_name, .. } => {
            Err(TableError::new(format, TableFault::NotMoves(name.clone(), type_name.clone())))
        }
    }
}

/// Whether the column of a name has moves.
#[cfg(feature = "records")]
pub(crate) fn is_of_moves(name: &str) -> bool {
    MOVETEXT.contains(&plain(name).as_str())
}

/// Whether the columns of these names have a FEN of which it is not known whether the moves lead from it or to it.
#[cfg(feature = "records")]
pub(crate) fn has_unclear_fen<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let names: Vec<String> = names.map(plain).collect();
    let is_start = |name: &str| ALIASES.contains(&(name, "FEN")) || OF_PUZZLES.contains(&name);
    names.iter().any(|name| name == "fen") && !names.iter().any(|name| is_start(name))
}

fn holds_moves(kind: ColumnKind) -> bool {
    matches!(kind, ColumnKind::Text | ColumnKind::Texts)
}

/// Returns the name of a column in lower case and without separators.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|char| !matches!(char, '_' | '-' | ' ' | '.')).map(|char| char.to_ascii_lowercase()).collect()
}

/// Returns the name of the tag for a column: a well-known tag in its own spelling, otherwise the name of the column as
/// a tag may be named. A tag name begins with a capital letter and has letters, digits and underscores (PGN standard,
/// section 8.1).
fn tag_name(column: &str) -> Option<String> {
    let plain = plain(column);
    if let Some(known) = TAGS.split_whitespace().find(|tag| tag.eq_ignore_ascii_case(&plain)) {
        return Some(known.to_owned());
    }
    if let Some((_, tag)) = ALIASES.iter().find(|(alias, _)| *alias == plain) {
        return Some((*tag).to_owned());
    }
    if column.len() > 100 || !column.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return None;
    }
    let mut name: String = column.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '_' }).collect();
    name[..1].make_ascii_uppercase();
    Some(name)
}

/// Returns the names and types of columns, for a message.
fn listed(columns: &[TableColumn]) -> String {
    const SHOWN: usize = 12;
    if columns.is_empty() {
        return "no columns".to_owned();
    }
    let shown = columns.iter().take(SHOWN).map(|TableColumn { name, type_name, .. }| {
        let name: String = name.chars().take(40).collect();
        format!("{name} ({type_name})")
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    match columns.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnChoice, ColumnKind, GameParts, TableColumn, tag_name};
    use crate::tabular::error::TableFormat;

    fn columns(columns: &[(&str, ColumnKind)]) -> Vec<TableColumn> {
        let column = |(name, kind): &(&str, ColumnKind)| TableColumn {
            name: (*name).to_owned(),
            kind: *kind,
            type_name: format!("{kind:?}").to_lowercase(),
        };
        columns.iter().map(column).collect()
    }

    #[track_caller]
    fn check(given: &[(&str, ColumnKind)], wanted: Option<&str>, expected: &str) {
        let chosen = ColumnChoice::new(TableFormat::Parquet, &columns(given), wanted);
        let chosen = chosen.map(|choice| match choice.movetext {
            Some(movetext) => given[choice.columns[movetext]].0.to_owned(),
            None => "positions".to_owned(),
        });
        assert_eq!(chosen.unwrap_or_else(|error| error.to_string()), expected);
    }

    #[test]
    fn the_column_with_moves_is_found_by_its_name() {
        check(&[("text", ColumnKind::Text), ("Moves", ColumnKind::Text), ("a", ColumnKind::Text)], None, "Moves");
        check(&[("moves", ColumnKind::Other), ("moves_uci", ColumnKind::Texts)], None, "moves_uci");
        check(&[("moves", ColumnKind::Text), ("MoveText", ColumnKind::Text)], None, "MoveText");
        check(&[("moves", ColumnKind::Text), ("line", ColumnKind::Text)], Some("LINE"), "line");
        check(
            &[("game", ColumnKind::Scalar), ("ply", ColumnKind::Scalar), ("fen", ColumnKind::Text)],
            None,
            "is a Parquet file without a column of games; it has game (scalar), ply (scalar), fen (text); if one of \
             them has the moves, name it with the option movetext",
        );
        let positions = [("ply", ColumnKind::Scalar), ("uci", ColumnKind::Text), ("fen", ColumnKind::Text)];
        check(&positions, None, "positions");
        check(&positions, Some("uci"), "uci");
        check(&[("a", ColumnKind::Text)], Some("b"), "is a Parquet file without a column b; it has a (text)");
        check(
            &[("a", ColumnKind::Scalar)],
            Some("a"),
            "is a Parquet file whose column a (scalar) is neither text nor a list of moves",
        );
    }

    #[test]
    fn columns_are_numbered_as_they_are_read() {
        let given = [
            ("b", ColumnKind::Other),
            ("White", ColumnKind::Text),
            ("moves", ColumnKind::Texts),
            ("evals", ColumnKind::Numbers),
        ];
        let choice = ColumnChoice::new(TableFormat::Arrow, &columns(&given), None).unwrap();
        assert_eq!(choice.columns, [1, 2, 3]);
        assert_eq!((choice.movetext, choice.tags[0].column, choice.evals), (Some(1), 0, Some(2)));
    }

    #[test]
    fn a_table_may_have_any_number_of_columns() {
        let many = (0..1_000_000).map(|number| TableColumn {
            name: format!("c{number}"),
            kind: ColumnKind::Text,
            type_name: "text".to_owned(),
        });
        let mut all: Vec<TableColumn> = many.collect();
        all[999_999].name = "movetext".to_owned();
        let choice = ColumnChoice::new(TableFormat::Parquet, &all, None).unwrap();
        assert_eq!(
            (choice.columns.len(), choice.columns[choice.movetext.unwrap()], choice.tags.len()),
            (1001, 999_999, 1000)
        );
    }

    #[cfg(feature = "records")]
    #[test]
    fn columns_stand_for_tags_that_no_other_column_has() {
        #[track_caller]
        fn check(names: &str, expected: &str) {
            let given: Vec<(&str, ColumnKind)> = names.split(' ').map(|name| (name, ColumnKind::Text)).collect();
            let choice = ColumnChoice::new(TableFormat::Text, &columns(&given), None).unwrap();
            let tags: Vec<&str> = choice.tags.iter().map(|tag| tag.name.as_str()).collect();
            assert_eq!(tags.join(" "), expected);
        }
        check("eco name pgn", "ECO Opening");
        check("eco name pgn uci epd", "ECO Opening Uci Epd");
        check("eco name opening pgn", "ECO Name Opening");
        check("name moves", "Name");
        check("id winner white_id white_rating moves opening_eco opening_name", "Id Result White WhiteElo ECO Opening");
        check("white_id white_username winner result pgn", "White_id White Winner Result");
        check("epd Evaluation", "FEN Evaluation");
        check("epd fen", "Epd FEN");
        check("start position moves", "FEN Position");
    }

    #[test]
    fn columns_are_named_as_tags() {
        for (column, tag) in [
            ("white_elo", Some("WhiteElo")),
            ("utcdate", Some("UTCDate")),
            ("start", Some("FEN")),
            ("end_type", Some("End_type")),
            ("WhiteRating/16", Some("WhiteRating_16")),
            ("été", None),
            ("1st", None),
            ("", None),
        ] {
            assert_eq!(tag_name(column).as_deref(), tag, "{column}");
        }
    }

    #[test]
    fn columns_of_parts_that_are_not_read_are_not_chosen() {
        let given = [
            ("Event", ColumnKind::Text),
            ("clocks", ColumnKind::Numbers),
            ("White", ColumnKind::Text),
            ("moves", ColumnKind::Texts),
            ("WhiteElo", ColumnKind::Scalar),
            ("fen", ColumnKind::Text),
        ];
        let choice = ColumnChoice::new(TableFormat::Parquet, &columns(&given), None).unwrap();
        let names =
            |choice: &ColumnChoice| -> Vec<&str> { choice.columns.iter().map(|column| given[*column].0).collect() };
        assert_eq!(names(&choice), ["Event", "clocks", "White", "moves", "WhiteElo", "fen"]);
        assert_eq!(names(&choice.clone().of_parts(GameParts::ALL)), names(&choice));
        let chosen = choice.of_parts(GameParts::NONE);
        assert_eq!(names(&chosen), ["White", "moves", "fen"]);
        assert_eq!((chosen.movetext, chosen.clocks), (Some(1), None));
        let tags: Vec<_> = chosen.tags.iter().map(|tag| (tag.name.as_str(), tag.column)).collect();
        assert_eq!(tags, [("White", 0), ("FEN", 2)]);
    }
}
