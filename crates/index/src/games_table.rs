//! The table `games`: one row for each game, in the order of their numbers.

mod page_texts;
mod read;
mod write;

pub(super) use crate::games_table::read::{GamePages, TextPage};
pub(super) use crate::games_table::write::GamesWriter;

use crate::table::{Coding, ColumnLayout, Layout};
use pgn2fen_tables::ColumnType;

/// The name of the table in the folder of a run.
pub(super) const FILE: &str = "games.parquet";

pub(super) const LAYOUT: Layout = Layout {
    columns: &[
        ColumnLayout { name: "game", column_type: ColumnType::Long, coding: Coding::Delta },
        ColumnLayout { name: "file", column_type: ColumnType::Text, coding: Coding::Dictionary },
        ColumnLayout { name: "offset", column_type: ColumnType::Long, coding: Coding::Delta },
        ColumnLayout { name: "length", column_type: ColumnType::Long, coding: Coding::Delta },
        ColumnLayout { name: "line", column_type: ColumnType::Long, coding: Coding::Delta },
        ColumnLayout { name: "start", column_type: ColumnType::Text, coding: Coding::Dictionary },
        text("fen"),
        ColumnLayout { name: "plies", column_type: ColumnType::Int, coding: Coding::Delta },
        ColumnLayout { name: "result", column_type: ColumnType::Text, coding: Coding::Dictionary },
        text("Event"),
        text("Site"),
        ColumnLayout { name: "Date", column_type: ColumnType::Date, coding: Coding::Delta },
        text("Date_text"),
        number("Round"),
        text("Round_text"),
        text("White"),
        text("Black"),
        number("WhiteElo"),
        text("WhiteElo_text"),
        number("BlackElo"),
        text("BlackElo_text"),
        text("ECO"),
        ColumnLayout { name: "Result_text", column_type: ColumnType::Text, coding: Coding::Dictionary },
    ],
    sorted_by: &[0],
};

const fn text(name: &'static str) -> ColumnLayout {
    ColumnLayout { name, column_type: ColumnType::Text, coding: Coding::Compressed }
}

const fn number(name: &'static str) -> ColumnLayout {
    ColumnLayout { name, column_type: ColumnType::Int, coding: Coding::Delta }
}

/// A column of the table `games`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameColumn {
    /// The number of the game in the index, from 1.
    Game,
    /// The name of the file, as it was given.
    File,
    /// The byte offset of the game in its file; for a compressed or transcoded file, in the decoded text.
    Offset,
    /// The length of the game in bytes.
    Length,
    /// The line on which the game begins, from 1.
    Line,
    /// The [kind](pgn2fen_chess::start::StartKind::name) of the starting position; null if it is unknown.
    Start,
    /// The FEN of the starting position, if it is not the initial one.
    Fen,
    /// The number of moves that could be played.
    Plies,
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result,
    /// The tag Event.
    Event,
    /// The tag Site.
    Site,
    /// The tag Date as days since 1970-01-01; null if the day is unknown.
    Date,
    /// The tag Date as it is written, or UTCDate if the date is unknown.
    DateText,
    /// The tag Round as a number; of a round with several parts, the first one. Null if it is unknown.
    Round,
    /// The tag Round as it is written.
    RoundText,
    /// The tag White.
    White,
    /// The tag Black.
    Black,
    /// The tag WhiteElo as a number; null if it is unknown.
    WhiteElo,
    /// The tag WhiteElo as it is written.
    WhiteEloText,
    /// The tag BlackElo as a number; null if it is unknown.
    BlackElo,
    /// The tag BlackElo as it is written.
    BlackEloText,
    /// The tag ECO.
    Eco,
    /// The tag Result as it is written, or the result behind the moves if the tag does not tell who won.
    ResultText,
}

impl GameColumn {
    /// All columns, in the order of the table.
    pub const ALL: [Self; 23] = [
        Self::Game,
        Self::File,
        Self::Offset,
        Self::Length,
        Self::Line,
        Self::Start,
        Self::Fen,
        Self::Plies,
        Self::Result,
        Self::Event,
        Self::Site,
        Self::Date,
        Self::DateText,
        Self::Round,
        Self::RoundText,
        Self::White,
        Self::Black,
        Self::WhiteElo,
        Self::WhiteEloText,
        Self::BlackElo,
        Self::BlackEloText,
        Self::Eco,
        Self::ResultText,
    ];

    /// Returns the name of the column.
    pub fn name(self) -> &'static str {
        LAYOUT.columns[self as usize].name
    }

    /// Returns the column with the written text of this tag. Upper and lower case are treated alike.
    pub fn of_tag(name: &str) -> Option<Self> {
        let mut columns = Self::ALL[Self::Event as usize..].iter().copied();
        columns.find(|column| column.tag().is_some_and(|tag| tag.eq_ignore_ascii_case(name)))
    }

    /// Returns the tag whose written text is in this column.
    fn tag(self) -> Option<&'static str> {
        let is_text = self >= Self::Event && self.column_type() == ColumnType::Text;
        is_text.then(|| self.name().strip_suffix("_text").unwrap_or(self.name()))
    }

    fn column_type(self) -> ColumnType {
        LAYOUT.columns[self as usize].column_type
    }
}

#[cfg(test)]
mod tests {
    use super::GameColumn;
    use crate::postings::TAGS;
    use pgn2fen_games::pgn::tag_kind::TagKind;
    use pgn2fen_tables::ColumnType;

    #[test]
    fn every_tag_that_is_kept_has_its_column() {
        for tag in TAGS {
            let column = GameColumn::of_tag(tag).unwrap();
            let is_typed = ColumnType::of_tag(TagKind::of(tag)) != ColumnType::Text || tag == "Result";
            assert_eq!(column.name(), if is_typed { format!("{tag}_text") } else { tag.to_owned() });
            assert_eq!(column.column_type(), ColumnType::Text);
        }
        assert_eq!(GameColumn::of_tag("whiteelo"), Some(GameColumn::WhiteEloText));
        assert_eq!(GameColumn::of_tag("Date_text"), None);
        assert_eq!(GameColumn::of_tag("Result"), Some(GameColumn::ResultText));
        assert_eq!(GameColumn::of_tag("file"), None);
        for (nth, column) in GameColumn::ALL.into_iter().enumerate() {
            assert_eq!(column as usize, nth);
        }
    }
}
