//! The columns of the games table of an index. They depend on the tags that the index keeps.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::games_table::GameColumn;
use crate::kept_tags::KeptTags;
use crate::table::{Coding, ColumnLayout};
use pgn2fen_games::pgn::tag_kind::TagKind;
use pgn2fen_games::selection::TagFinder;
use pgn2fen_tables::ColumnType;

/// The layout of the games table of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GamesLayout(Arc<Parts>);

#[derive(Debug, PartialEq, Eq)]
struct Parts {
    tags: Vec<KeptTag>,
    names: Vec<Box<str>>,
    columns: Vec<(Box<str>, ColumnType, Coding)>,
    finder: TagFinder,
}

/// A tag that the table has columns for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeptTag {
    pub(crate) kind: TagKind,
    /// The type of the column before that of the written text, if the tag has one.
    pub(crate) typed: Option<ColumnType>,
    /// The column of the written text.
    text: u16,
}

/// The version of the format of an index whose games table has this layout.
pub(crate) const VERSION: u64 = 4;

/// The number of tags whose columns stand before the column `sp`. They are the first ones that every index keeps.
pub(crate) const TAGS_BEFORE_SP: usize = 10;

/// The columns before those of tags.
const OF_GAME: [(&str, ColumnType, Coding); 9] = [
    ("game", ColumnType::Long, Coding::Delta),
    ("file", ColumnType::Text, Coding::Dictionary),
    ("offset", ColumnType::Long, Coding::Delta),
    ("length", ColumnType::Long, Coding::Delta),
    ("line", ColumnType::Long, Coding::Delta),
    ("start", ColumnType::Text, Coding::Dictionary),
    ("fen", ColumnType::Text, Coding::Compressed),
    ("plies", ColumnType::Int, Coding::Delta),
    ("result", ColumnType::Text, Coding::Dictionary),
];

/// The column behind those of the first [`TAGS_BEFORE_SP`] tags: the number of the start, as in rows.
const SP: (&str, ColumnType, Coding) = ("sp", ColumnType::Int, Coding::Delta);

/// Tags with few different values.
const OF_FEW_VALUES: [&str; 6] = ["Result", "TimeControl", "Variant", "Termination", "WhiteTitle", "BlackTitle"];

impl GamesLayout {
    /// Returns the layout of a new index that keeps these tags.
    pub(crate) fn new(tags: &KeptTags) -> Self {
        let names = tags.names().to_vec();
        let owned = |(name, column_type, coding): (&str, _, _)| (Box::from(name), column_type, coding);
        let mut columns: Vec<(Box<str>, ColumnType, Coding)> = OF_GAME.into_iter().map(owned).collect();
        let mut tags = Vec::new();
        for (tag, name) in names.iter().enumerate() {
            if tag == TAGS_BEFORE_SP {
                columns.push(owned(SP));
            }
            let kind = TagKind::of(name);
            let typed = Some(ColumnType::of_tag(kind)).filter(|column_type| *column_type != ColumnType::Text);
            let mut free = name.to_string();
            // Readers of Parquet files ignore the case of names.
            let is_taken = |name: &str, columns: &[(Box<str>, _, _)]| {
                columns.iter().any(|(known, ..)| known.eq_ignore_ascii_case(name)) || name.eq_ignore_ascii_case(SP.0)
            };
            while is_taken(&free, &columns) {
                free += "_text";
            }
            if let Some(column_type) = typed {
                columns.push((free.as_str().into(), column_type, Coding::Delta));
                while is_taken(&free, &columns) {
                    free += "_text";
                }
            }
            let coding = if OF_FEW_VALUES.contains(&&**name) { Coding::Dictionary } else { Coding::Compressed };
            let text = u16::try_from(columns.len()).unwrap_or(u16::MAX);
            columns.push((free.into(), ColumnType::Text, coding));
            tags.push(KeptTag { kind, typed, text });
        }
        let finder = TagFinder::new(names.iter().map(|name| &**name));
        Self(Arc::new(Parts { tags, names, columns, finder }))
    }

    /// Returns the names of the tags that are kept.
    pub(crate) fn tag_names(&self) -> &[Box<str>] {
        &self.0.names
    }

    /// Returns the tags that are kept.
    pub(crate) fn tags(&self) -> &[KeptTag] {
        &self.0.tags
    }

    /// Returns the finder of the tags that are kept.
    pub(crate) fn finder(&self) -> &TagFinder {
        &self.0.finder
    }

    /// Whether an index with this layout keeps just these tags, in whatever order.
    pub(crate) fn keeps_just(&self, tags: &KeptTags) -> bool {
        let names = &self.0.names;
        let is_kept = |name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        tags.names().len() == names.len() && tags.names().iter().all(|name| is_kept(name))
    }

    /// Returns the columns.
    pub(crate) fn columns(&self) -> Vec<ColumnLayout<'_>> {
        let columns = self.0.columns.iter();
        columns
            .map(|(name, column_type, coding)| ColumnLayout { name, column_type: *column_type, coding: *coding })
            .collect()
    }

    /// Returns the number of columns.
    pub(crate) fn column_count(&self) -> usize {
        self.0.columns.len()
    }

    /// Returns the name of a column; None if there is no such column.
    pub(crate) fn name_of(&self, column: GameColumn) -> Option<&str> {
        self.0.columns.get(column.at()).map(|(name, ..)| &**name)
    }

    /// Returns the column with the written text of this tag, in any capitals.
    pub(crate) fn column_of_tag(&self, name: &str) -> Option<GameColumn> {
        let at = self.0.names.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        Some(GameColumn::of(self.0.tags[at].text))
    }

    /// Writes the layout as text for another process.
    pub(crate) fn to_json(&self) -> String {
        json!({ "version": VERSION, "tags": self.0.names }).to_string()
    }

    /// Reads a layout written by [`to_json`](Self::to_json); None if the text is something else.
    pub(crate) fn from_json(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        if value.get("version")?.as_u64()? == VERSION { Self::read(&value) } else { None }
    }

    /// Reads the layout of an index from an object with its member `tags`.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let name = |name: &Value| name.as_str().map(Box::from);
        let names = value.get("tags")?.as_array()?.iter().map(name).collect::<Option<_>>()?;
        KeptTags::of_names(names).map(|tags| Self::new(&tags))
    }
}

impl Default for GamesLayout {
    fn default() -> Self {
        Self::new(&KeptTags::default())
    }
}

#[cfg(test)]
mod tests {
    use super::GamesLayout;
    use crate::games_table::GameColumn;
    use crate::kept_tags::KeptTags;
    use pgn2fen_tables::ColumnType;

    fn layout(tags: &str) -> GamesLayout {
        GamesLayout::new(&tags.parse::<KeptTags>().unwrap())
    }

    #[test]
    fn the_columns_that_have_names_in_the_code_stand_where_the_code_says() {
        let names = [
            "game",
            "file",
            "offset",
            "length",
            "line",
            "start",
            "fen",
            "plies",
            "result",
            "Event",
            "Site",
            "Date",
            "Date_text",
            "Round",
            "Round_text",
            "White",
            "Black",
            "WhiteElo",
            "WhiteElo_text",
            "BlackElo",
            "BlackElo_text",
            "ECO",
            "Result_text",
            "sp",
            "TimeControl",
            "Variant",
        ];
        let layout = GamesLayout::default();
        assert_eq!(layout.column_count(), 26);
        for (at, name) in names.into_iter().enumerate() {
            let column = GameColumn::of(u16::try_from(at).unwrap());
            assert!(column.at() == at && !matches!(column, GameColumn::Further(_)), "{column:?}");
            assert_eq!(layout.name_of(column), Some(name));
        }
        assert_eq!(layout.column_of_tag("whiteelo"), Some(GameColumn::WhiteEloText));
        assert_eq!(layout.column_of_tag("Result"), Some(GameColumn::ResultText));
        assert_eq!(layout.column_of_tag("variant"), Some(GameColumn::Variant));
        assert_eq!(layout.column_of_tag("Date"), Some(GameColumn::DateText));
        for none in ["Date_text", "file", "sp", "Annotator"] {
            assert_eq!(layout.column_of_tag(none), None);
        }
    }

    /// Compares the columns behind those that every index has.
    #[track_caller]
    fn check(tags: &str, expected: &[(&str, ColumnType)]) {
        let layout = layout(tags);
        let columns = layout.columns();
        let found: Vec<_> = columns[26..].iter().map(|column| (column.name, column.column_type)).collect();
        assert_eq!(found, expected);
        for tag in tags.split(',') {
            let column = layout.column_of_tag(tag).unwrap();
            assert!(columns[column.at()].column_type == ColumnType::Text, "{tag}");
        }
        assert_eq!(GamesLayout::from_json(&layout.to_json()), Some(layout));
    }

    #[test]
    fn further_tags_have_columns_of_their_type_and_names_of_their_own() {
        const TEXT: ColumnType = ColumnType::Text;
        check("Annotator,Opening", &[("Annotator", TEXT), ("Opening", TEXT)]);
        check(
            "EventDate,WhiteFideId",
            &[
                ("EventDate", ColumnType::Date),
                ("EventDate_text", TEXT),
                ("WhiteFideId", ColumnType::Int),
                ("WhiteFideId_text", TEXT),
            ],
        );
        check(
            "FEN,Start,SP,Game,Date_Text",
            &[
                ("FEN_text", TEXT),
                ("Start_text", TEXT),
                ("SP_text", TEXT),
                ("Game_text", TEXT),
                ("Date_Text_text", TEXT),
            ],
        );
        check(
            "BoardElo_text,BoardElo",
            &[("BoardElo_text", TEXT), ("BoardElo", ColumnType::Int), ("BoardElo_text_text", TEXT)],
        );
    }

    #[test]
    fn what_is_no_layout_is_not_read() {
        let text = layout("A").to_json();
        for (old, new) in [("\"version\":4", "\"version\":5"), ("tags", "tag"), ("\"A\"", "\"a b\""), ("{", "")] {
            assert_eq!(GamesLayout::from_json(&text.replace(old, new)), None, "{new}");
        }
    }
}
