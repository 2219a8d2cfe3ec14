//! The table `games`: one row for each game, in the order of their numbers.

mod layout;
mod page_texts;
mod read;
mod write;

pub(super) use crate::games_table::layout::{GamesLayout, TAGS_BEFORE_SP, VERSION};
pub(super) use crate::games_table::read::{GamePages, TextPage};
pub(super) use crate::games_table::write::GamesWriter;

/// The name of the table in the folder of a run.
pub(super) const FILE: &str = "games.parquet";

/// The columns by which the rows are sorted.
pub(super) const SORTED_BY: &[usize] = &[0];

/// A column of the table `games`. An index may lack some of those behind [`ResultText`](Self::ResultText), and
/// [`Index::columns`](crate::Index::columns) lists those that it has.
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
    /// The [kind](pgn2fen_chess::start::StartKind::name) of the starting position of a game of chess, or the
    /// [rules](pgn2fen_chess::rules::Rules::name) of a game of a variant; null if it is unknown.
    Start,
    /// The FEN of the starting position, if it is not the one in which games of these rules start.
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
    /// The Chess960 number of the starting position, 0 to 959, which is 518 for the initial one; null for any other
    /// position. An index of an older pgn2fen lacks it.
    Sp,
    /// The tag TimeControl. An index of an older pgn2fen lacks it.
    TimeControl,
    /// The tag Variant. An index of an older pgn2fen lacks it.
    Variant,
    /// A column of a further tag that the index keeps, by its place in the table:
    /// [`Index::column_of_tag`](crate::Index::column_of_tag) returns it.
    Further(u16),
}

impl GameColumn {
    /// The columns before those of further tags, in the order of the table.
    const NAMED: [Self; 26] = [
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
        Self::Sp,
        Self::TimeControl,
        Self::Variant,
    ];

    /// Returns the column at this place of the table.
    pub(super) fn of(at: u16) -> Self {
        Self::NAMED.get(usize::from(at)).copied().unwrap_or(Self::Further(at))
    }

    /// Returns the place of the column in the table.
    #[inline]
    pub(super) fn at(self) -> usize {
        match self {
            Self::Game => 0,
            Self::File => 1,
            Self::Offset => 2,
            Self::Length => 3,
            Self::Line => 4,
            Self::Start => 5,
            Self::Fen => 6,
            Self::Plies => 7,
            Self::Result => 8,
            Self::Event => 9,
            Self::Site => 10,
            Self::Date => 11,
            Self::DateText => 12,
            Self::Round => 13,
            Self::RoundText => 14,
            Self::White => 15,
            Self::Black => 16,
            Self::WhiteElo => 17,
            Self::WhiteEloText => 18,
            Self::BlackElo => 19,
            Self::BlackEloText => 20,
            Self::Eco => 21,
            Self::ResultText => 22,
            Self::Sp => 23,
            Self::TimeControl => 24,
            Self::Variant => 25,
            Self::Further(at) => usize::from(at),
        }
    }
}
