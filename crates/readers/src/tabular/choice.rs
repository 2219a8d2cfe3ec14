//! The choice of columns: which one has the moves, and which ones become tags.

use crate::tabular::error::{TableError, TableFault, TableFormat};
use pgn2fen_pgn::tag_kind::TagKind;

/// A column of a table.
#[derive(Clone, Debug)]
pub(super) struct TableColumn {
    pub(super) name: String,
    pub(super) kind: ColumnKind,
    /// The name of its type, for messages.
    pub(super) type_name: String,
}

/// The kind of values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnKind {
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
pub(super) struct ColumnChoice {
    /// The numbers of the columns in the table, in ascending order.
    pub(super) columns: Vec<usize>,
    pub(super) movetext: usize,
    /// Whether the moves are lists.
    pub(super) is_list: bool,
    pub(super) tags: Vec<TagColumn>,
    /// The column with maps of tags.
    pub(super) pairs: Option<usize>,
    /// The columns with lists of evaluations and clocks.
    pub(super) evals: Option<usize>,
    pub(super) clocks: Option<usize>,
}

/// A column that becomes a tag.
#[derive(Clone, Debug)]
pub(super) struct TagColumn {
    pub(super) column: usize,
    pub(super) name: String,
    pub(super) kind: TagKind,
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
const MOST_TAGS: usize = 1000;

/// Names of columns that stand for a tag of another name.
const ALIASES: [(&str, &str); 4] =
    [("start", "FEN"), ("startfen", "FEN"), ("initialfen", "FEN"), ("plies", "PlyCount")];

impl ColumnChoice {
    /// Chooses the columns of a table. `wanted` is the name of the column with the moves, if one was given.
    pub(super) fn new(format: TableFormat, columns: &[TableColumn], wanted: Option<&str>) -> Result<Self, TableError> {
        let movetext = match wanted {
            Some(name) => named(format, columns, name)?,
            None => {
                let found = MOVETEXT.iter().find_map(|name| {
                    columns.iter().position(|column| holds_moves(column.kind) && plain(&column.name) == *name)
                });
                found.ok_or_else(|| TableError::new(format, TableFault::NoMovetext(listed(columns))))?
            }
        };
        let is_list = columns[movetext].kind == ColumnKind::Texts;
        let find = |name: &str, kind: ColumnKind| {
            columns.iter().position(|column| column.kind == kind && column.name.eq_ignore_ascii_case(name))
        };
        let pairs = find("tags", ColumnKind::Pairs);
        let evals = find("evals", ColumnKind::Numbers).filter(|_| is_list);
        let clocks = find("clocks", ColumnKind::Numbers).filter(|_| is_list);
        let mut tags: Vec<TagColumn> = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            if tags.len() == MOST_TAGS {
                break;
            }
            if at == movetext || !matches!(column.kind, ColumnKind::Text | ColumnKind::Scalar) {
                continue;
            }
            // The first of two columns for the same tag counts.
            if let Some(name) = tag_name(&column.name).filter(|name| tags.iter().all(|tag| tag.name != *name)) {
                tags.push(TagColumn { column: at, kind: TagKind::of(&name), name });
            }
        }
        let mut choice = Self { columns: Vec::new(), movetext, is_list, tags, pairs, evals, clocks };
        choice.number();
        Ok(choice)
    }

    /// Lists the columns that are used, and numbers them in this order.
    fn number(&mut self) {
        let Self { columns, movetext, tags, pairs, evals, clocks, .. } = self;
        let single = [Some(&mut *movetext), pairs.as_mut(), evals.as_mut(), clocks.as_mut()].into_iter().flatten();
        let mut used: Vec<&mut usize> = single.chain(tags.iter_mut().map(|tag| &mut tag.column)).collect();
        columns.extend(used.iter().map(|column| **column));
        columns.sort_unstable();
        for column in &mut used {
            **column = columns.partition_point(|other| other < column);
        }
    }
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

fn holds_moves(kind: ColumnKind) -> bool {
    matches!(kind, ColumnKind::Text | ColumnKind::Texts)
}

/// Returns the name of a column in lower case and without separators.
fn plain(name: &str) -> String {
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
    use super::{ColumnChoice, ColumnKind, TableColumn, tag_name};
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
        let chosen = chosen.map(|choice| given[choice.columns[choice.movetext]].0.to_owned());
        assert_eq!(chosen.unwrap_or_else(|error| error.to_string()), expected);
    }

    #[test]
    fn the_column_with_moves_is_found_by_its_name() {
        check(&[("text", ColumnKind::Text), ("Moves", ColumnKind::Text), ("a", ColumnKind::Text)], None, "Moves");
        check(&[("moves", ColumnKind::Other), ("moves_uci", ColumnKind::Texts)], None, "moves_uci");
        check(&[("moves", ColumnKind::Text), ("MoveText", ColumnKind::Text)], None, "MoveText");
        check(&[("moves", ColumnKind::Text), ("line", ColumnKind::Text)], Some("LINE"), "line");
        check(
            &[("ply", ColumnKind::Scalar), ("fen", ColumnKind::Text)],
            None,
            "is a Parquet file without a column of games; it has ply (scalar), fen (text); if one of them has the \
             moves, name it with the option movetext",
        );
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
        assert_eq!((choice.movetext, choice.tags[0].column, choice.evals), (1, 0, Some(2)));
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
        assert_eq!((choice.columns.len(), choice.columns[choice.movetext], choice.tags.len()), (1001, 999_999, 1000));
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
}
