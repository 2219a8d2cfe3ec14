//! The table `games`: a row for each game, in the order of their numbers.

mod read;
mod write;

pub(super) use crate::index::games_table::read::GamePages;
pub(super) use crate::index::games_table::write::GamesWriter;

use crate::index::table::{Coding, Column, Kind, Layout};

pub(super) const LAYOUT: Layout = Layout {
    columns: &[
        Column { name: "game", kind: Kind::Long, coding: Coding::Delta },
        Column { name: "file", kind: Kind::Text, coding: Coding::Dictionary },
        Column { name: "offset", kind: Kind::Long, coding: Coding::Delta },
        Column { name: "length", kind: Kind::Long, coding: Coding::Delta },
        Column { name: "line", kind: Kind::Long, coding: Coding::Delta },
        Column { name: "start", kind: Kind::Text, coding: Coding::Dictionary },
        text("fen"),
        Column { name: "plies", kind: Kind::Int, coding: Coding::Delta },
        Column { name: "result", kind: Kind::Text, coding: Coding::Dictionary },
        text("Event"),
        text("Site"),
        text("Date"),
        text("Round"),
        text("White"),
        text("Black"),
        text("WhiteElo"),
        text("BlackElo"),
        text("ECO"),
    ],
    sorted_by: &[0],
};

const fn text(name: &'static str) -> Column {
    Column { name, kind: Kind::Text, coding: Coding::Compressed }
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameColumn {
    /// The number of the game in the index, from 1.
    Game,
    /// The file as it was named.
    File,
    /// Where the game begins, in bytes from the start of the file; of a compressed or transcoded file, of its text.
    Offset,
    /// How many bytes it has.
    Length,
    /// The line on which it begins, from 1.
    Line,
    /// Where it starts: a [kind](crate::chess::start::StartKind::name); none if that could not be told.
    Start,
    /// The position that it starts from, if that is not the initial one.
    Fen,
    /// How many moves could be played.
    Plies,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result,
    /// The tag of this name.
    Event,
    /// The tag of this name.
    Site,
    /// The tag of this name.
    Date,
    /// The tag of this name.
    Round,
    /// The tag of this name.
    White,
    /// The tag of this name.
    Black,
    /// The tag of this name.
    WhiteElo,
    /// The tag of this name.
    BlackElo,
    /// The tag of this name.
    Eco,
}

impl GameColumn {
    /// Every column, in the order of the table.
    pub const ALL: [Self; 18] = [
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
        Self::Round,
        Self::White,
        Self::Black,
        Self::WhiteElo,
        Self::BlackElo,
        Self::Eco,
    ];

    /// The name of the column.
    pub fn name(self) -> &'static str {
        LAYOUT.columns[self as usize].name
    }

    /// The column that holds the tag of this name; another one's capitals will do.
    pub fn of_tag(name: &str) -> Option<Self> {
        Self::ALL[Self::Result as usize..].iter().copied().find(|column| column.name().eq_ignore_ascii_case(name))
    }

    fn kind(self) -> Kind {
        LAYOUT.columns[self as usize].kind
    }
}

#[cfg(test)]
mod tests {
    use super::GameColumn;
    use crate::postings::TAGS;

    #[test]
    fn every_tag_that_is_kept_has_its_column() {
        for tag in TAGS {
            assert_eq!(GameColumn::of_tag(tag).map(GameColumn::name), Some(tag));
        }
        assert_eq!(GameColumn::of_tag("Result"), Some(GameColumn::Result));
        assert_eq!(GameColumn::of_tag("file"), None);
        for (nth, column) in GameColumn::ALL.into_iter().enumerate() {
            assert_eq!(column as usize, nth);
        }
    }
}
