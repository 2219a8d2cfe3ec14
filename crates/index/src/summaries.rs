//! Summaries of all games in memory, so that games can be compared without reading the games table.

use std::ops::Range;

use crate::error::IndexError;
use crate::games_table::GameColumn;
use crate::postings_table::outcome_named;
use crate::record::{DATE_BITS, ELO_BITS, GameFacts, PackedDate, Record, bits16, bits32, elo, first_to_move, mover};
use crate::table::{Scan, TableReader};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_tables::parquet_file::ByteArrayType;

/// The result, the date and the ratings of a game, the side to move first, and whether it starts from another position
/// than the initial one, in eight bytes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary(u64);

const DATE: u32 = 2;
const ELOS: [u32; 2] = [23, 37];
const FIRST: u32 = 51;
const OTHER_START: u32 = 52;
const RESULTS: [Outcome; 4] = [Outcome::Unknown, Outcome::WhiteWins, Outcome::Draw, Outcome::BlackWins];

impl Summary {
    /// The columns of the games table that are summarized, besides the result.
    pub(super) const COLUMNS: [GameColumn; 4] =
        [GameColumn::DateText, GameColumn::WhiteEloText, GameColumn::BlackEloText, GameColumn::Fen];

    /// Makes the summary of a game with this result and these texts of [`COLUMNS`](Self::COLUMNS).
    #[doc(hidden)]
    pub fn of(result: Outcome, [date, white, black, fen]: [Option<&str>; 4]) -> Self {
        let first = fen.map_or(Color::White, first_to_move).index() as u64;
        let elos = [white, black].map(|text| text.map_or(0, elo));
        let summary = Self::new(result, date.map_or(PackedDate::UNKNOWN, PackedDate::read), elos, first);
        Self(summary.0 | u64::from(fen.is_some()) << OTHER_START)
    }

    fn new(result: Outcome, date: PackedDate, elos: [u16; 2], first: u64) -> Self {
        let result = RESULTS.iter().position(|known| *known == result).unwrap_or(0) as u64;
        let elos = u64::from(elos[0]) << ELOS[0] | u64::from(elos[1]) << ELOS[1];
        Self(result | u64::from(date.bits()) << DATE | elos | first << FIRST)
    }

    /// Makes the summary of a game without a result, for tests.
    #[doc(hidden)]
    pub fn made(date: &str, elos: [u16; 2]) -> Self {
        Self::new(Outcome::Unknown, PackedDate::read(date), elos, 0)
    }

    /// Returns the result of the game.
    pub fn result(self) -> Outcome {
        RESULTS[(self.0 & 3) as usize]
    }

    /// Returns the ratings of White and Black; None if unknown.
    pub fn ratings(self) -> [Option<u16>; 2] {
        self.elos().map(|elo| Some(elo).filter(|elo| *elo > 0))
    }

    /// Returns twice the mean of the ratings. If one rating is unknown, the other one is the mean; None if both are.
    pub fn double_mean(self) -> Option<u32> {
        match self.ratings() {
            [Some(white), Some(black)] => Some(u32::from(white) + u32::from(black)),
            [one, other] => one.or(other).map(|elo| 2 * u32::from(elo)),
        }
    }

    /// Returns the rank of the game by its ratings: games with two of them come before those with one, and these before
    /// those with none. Among them, the mean of the ratings counts.
    pub fn rating_rank(self) -> u32 {
        let known = self.ratings().iter().flatten().count() as u64;
        // Twice the mean has one bit more than a rating.
        bits32(known << (ELO_BITS + 1) | u64::from(self.double_mean().unwrap_or(0)), 0, ELO_BITS + 3)
    }

    /// Whether the game does not start from the initial position.
    pub fn has_other_start(self) -> bool {
        self.0 >> OTHER_START & 1 == 1
    }

    /// Returns the year and the month; None if the year is unknown, and month 0 if the month is unknown.
    pub fn month(self) -> Option<(u32, u32)> {
        let number = self.date().number()?.cast_unsigned();
        Some((number / 10_000, number / 100 % 100))
    }

    /// Returns the date as a number that grows with time; 0 if the date is unknown.
    pub fn age(self) -> u32 {
        self.date().bits()
    }

    /// Returns the ratings of White and Black; 0 if unknown.
    pub(super) fn elos(self) -> [u16; 2] {
        ELOS.map(|from| bits16(self.0, from, ELO_BITS))
    }

    pub(super) fn date(self) -> PackedDate {
        PackedDate::from_bits(bits32(self.0, DATE, DATE_BITS))
    }

    /// Returns the side to move after so many plies: 0 for White, 1 for Black.
    pub(super) fn mover(self, ply: u32) -> usize {
        mover(if self.0 >> FIRST & 1 == 1 { Color::Black } else { Color::White }, ply)
    }

    /// Returns the eight bytes.
    pub(super) fn to_bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }

    /// Returns the summary with these bytes.
    pub(super) fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(u64::from_le_bytes(bytes))
    }

    /// Makes a record of a posting of the game, to be counted. `mover` is the side to move: 0 for White, 1 for Black.
    pub(super) fn record(self, game: u64, mover: usize, next: Option<Uci>) -> Record {
        let facts = GameFacts { number: game, result: self.result(), date: self.date(), elo: self.elos() };
        Record::new(0, &facts, 0, mover, next)
    }

    /// Reads the summaries of the games in some rows of a games table.
    pub(super) fn read_all(
        table: &TableReader,
        rows: &Range<u64>,
        mut take: impl FnMut(Self) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        let [date, white, black, fen] = Self::COLUMNS;
        let mut columns = [GameColumn::Result, date, white, black, fen]
            .map(|column| table.scan::<ByteArrayType>(column.at(), rows.clone()));
        loop {
            for column in &mut columns {
                if !column.read()? {
                    return Ok(());
                }
            }
            for at in 0..columns[0].values().len() {
                let [result, texts @ ..] = columns.each_ref().map(|column| text_at(column, at));
                take(Self::of(result.map_or(Outcome::Unknown, |name| outcome_named(name.as_bytes())), texts))?;
            }
        }
    }
}

/// The summaries of all games of an index. They take eight bytes a game.
#[doc(hidden)]
#[derive(Debug)]
pub struct GameSummaries {
    first: u64,
    games: Vec<Summary>,
}

impl GameSummaries {
    pub(crate) fn new(first: u64, games: Vec<Summary>) -> Self {
        Self { first, games }
    }

    /// Returns the summary of a game.
    #[inline]
    pub fn of(&self, game: u64) -> Summary {
        let at = usize::try_from(game.wrapping_sub(self.first)).unwrap_or(usize::MAX);
        self.games.get(at).copied().unwrap_or(Summary(0))
    }

    /// Returns an iterator over the summaries of all games, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Summary> {
        self.games.iter().copied()
    }
}

fn text_at<'s>(scan: &'s Scan<'_, ByteArrayType>, at: usize) -> Option<&'s str> {
    scan.values().get(at)?.as_ref().and_then(|value| str::from_utf8(value.data()).ok())
}

#[cfg(test)]
mod tests {
    use super::Summary;
    use crate::record::{MAX_ELO, PackedDate};
    use crate::tests::{Desk, FIRST, SECOND};
    use pgn2fen_games::pgn::token::Outcome;

    #[track_caller]
    fn check(result: Outcome, date: &str, elos: [u16; 2], month: Option<(u32, u32)>, double_mean: Option<u32>) {
        let summary = Summary::new(result, PackedDate::read(date), elos, 0);
        assert_eq!((summary.result(), summary.month(), summary.double_mean()), (result, month, double_mean), "{date}");
        assert_eq!(summary.ratings(), elos.map(|elo| Some(elo).filter(|elo| *elo > 0)));
        let record = summary.record(7, 1, None);
        assert_eq!((record.result(), record.date()), (result, PackedDate::read(date)));
        assert_eq!(record.elo().map_or(0, u16::from), elos[1]);
    }

    #[test]
    fn eight_bytes_hold_what_is_known_of_a_game() {
        check(Outcome::WhiteWins, "1972.07.11", [2785, 2660], Some((1972, 7)), Some(5445));
        check(Outcome::Draw, "1972.??.??", [2785, 0], Some((1972, 0)), Some(5570));
        check(Outcome::BlackWins, "4095.12.31", [MAX_ELO, MAX_ELO], Some((4095, 12)), Some(2 * u32::from(MAX_ELO)));
        check(Outcome::Unknown, "????.??.??", [0, 0], None, None);
        check(Outcome::Unknown, "????.??.??", [0, 1], None, Some(2));
    }

    #[test]
    fn the_start_of_a_game_tells_who_moves() {
        let of = |fen| Summary::of(Outcome::Draw, [Some("2001.02.03"), Some("2500"), None, fen]);
        let initial = of(None);
        assert_eq!([initial.mover(0), initial.mover(1), initial.mover(2)], [0, 1, 0]);
        assert!(!initial.has_other_start());
        for (fen, first) in [("8/8/8/8/8/8/8/K1k5 w - - 0 1", 0), ("8/8/8/8/8/8/8/K1k5 b - - 0 1", 1)] {
            let other = of(Some(fen));
            assert!(other.has_other_start());
            assert_eq!([other.mover(0), other.mover(1), other.mover(2)], [first, 1 - first, first]);
            assert_eq!(
                (other.result(), other.month(), other.ratings()),
                (Outcome::Draw, Some((2001, 2)), [Some(2500), None])
            );
            assert_eq!(Summary::from_bytes(other.to_bytes()), other);
        }
    }

    #[test]
    fn games_with_more_ratings_rank_before_those_with_greater_ones() {
        let rank = |elos| Summary::made("????.??.??", elos).rating_rank();
        assert!(
            rank([0, 0]) < rank([0, 1000]) && rank([0, 1000]) < rank([0, 1001]) && rank([0, 1001]) == rank([1001, 0])
        );
        assert!(
            rank([MAX_ELO, 0]) < rank([1, 1]) && rank([1, 1]) < rank([1, 2]) && rank([1, 2]) < rank([MAX_ELO, MAX_ELO])
        );
        assert!(Summary::made("2001.02.03", [0; 2]).age() < Summary::made("2001.02.04", [0; 2]).age());
        assert_eq!(Summary::made("????.??.??", [0; 2]).age(), 0);
    }

    #[test]
    fn all_games_of_all_runs_have_a_summary() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        let summaries = desk.index.summaries().unwrap();
        let all: Vec<Summary> = summaries.iter().collect();
        let results: Vec<&str> = all.iter().map(|summary| summary.result().as_str()).collect();
        assert_eq!(results, ["1-0", "0-1", "1/2-1/2", "*", "1-0", "1-0"]);
        assert_eq!(all.iter().map(|summary| summary.has_other_start()).filter(|is_other| *is_other).count(), 1);
        assert_eq!((1..7).map(|game| summaries.of(game)).collect::<Vec<_>>(), all);
        assert_eq!(
            (all[3].mover(0), all[0].ratings(), all[1].ratings()),
            (1, [Some(2500), Some(2400)], [Some(2300), None])
        );
        assert_eq!([0, 7].map(|game| summaries.of(game)), [Summary::default(); 2]);
    }
}
