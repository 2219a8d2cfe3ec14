//! All positions of an index in the order of their keys, with the moves played there in a selection of the games.
//!
//! The postings are read once, in pieces of the range of keys, which the workers share. Every piece has about the same
//! number of postings, because keys are hashes. So memory is bounded whatever the size of the index.

use std::ops::{ControlFlow, Range, RangeInclusive};

use crate::error::IndexError;
use crate::game_sides::GameSides;
use crate::lookup::Index;
use crate::open::OpenRun;
use crate::postings_table::result_named;
use crate::progress::Progress;
use crate::record::{GameFacts, PackedDate, Record};
use crate::sort;
use crate::spill::bucket_of;
use crate::table::{Scan, TableReader};
use crate::tally::Results;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_tables::parquet_file::{ByteArrayType, Int32Type, Int64Type};

/// The postings that count.
#[derive(Debug)]
pub(crate) struct PostingChoice {
    /// The plies of the positions.
    pub(crate) plies: RangeInclusive<u32>,
    /// The games, and the side to move in the positions.
    pub(crate) sides: GameSides,
    /// The least number of games that reached a position.
    pub(crate) min_games: u64,
}

/// A position that enough games reached, and the moves played there.
#[derive(Debug)]
pub(crate) struct KeyCount<'c> {
    pub(crate) key: u64,
    /// The side to move.
    pub(crate) turn: Color,
    /// The place where it first occurs among the postings that count.
    pub(crate) place: PostingPlace,
    /// The moves, in the order in which they were first played.
    pub(crate) moves: &'c [PlayedMove],
}

impl KeyCount<'_> {
    /// Returns the results of the games that reached the position. Each game counts once.
    pub(crate) fn results(&self) -> Results {
        let mut results = Results::default();
        for played in self.moves {
            results.add_all(&played.results.without(&played.again));
        }
        results
    }
}

/// The game and the ply of a posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PostingPlace {
    /// The number of the game in the index, from 1.
    pub(crate) game: u64,
    /// The number of moves played before the position.
    pub(crate) ply: u32,
}

/// A move that was played in a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayedMove {
    /// The move; None for the games that ended in the position.
    pub(crate) next: Option<Uci>,
    /// The results of the games in which it was played. A game counts once for a move.
    pub(crate) results: Results,
    /// The results of those games that played another move when they reached the position before.
    again: Results,
    /// The least ply at which it was played.
    pub(crate) least_ply: u32,
}

/// The number of postings in a piece, about.
const PIECE: u64 = 1 << 18;

impl Index {
    /// Counts the moves of all positions, in the order of their keys as unsigned numbers. `make` is called for each
    /// position, on any worker, and adds what it makes of it to the result of its piece. The results are given to
    /// `take` in order. Returns `Break` if `progress` stopped the work.
    pub(crate) fn count_by_key<T: Default + Send, E: From<IndexError>>(
        &self,
        workers: &Workers,
        choice: &PostingChoice,
        make: impl Fn(&KeyCount<'_>, &mut T) -> Result<(), IndexError> + Sync,
        mut take: impl FnMut(T) -> Result<(), E>,
        progress: &Progress<'_>,
    ) -> Result<ControlFlow<()>, E> {
        // Two pieces at least: signed keys below zero come behind the others.
        let pieces = (self.posting_count() / PIECE).clamp(2, 1 << 24).next_power_of_two();
        let pieces = usize::try_from(pieces).unwrap_or(2);
        let at_once = 4 * workers.count();
        for first in (0..pieces).step_by(at_once) {
            let made = workers.share(at_once.min(pieces - first), workers.count(), |nth| {
                let mut made = T::default();
                self.count_piece(piece_of(first + nth, pieces), choice, &make, &mut made)?;
                Ok::<_, IndexError>(made)
            })?;
            for made in made {
                take(made)?;
            }
            if progress((first + at_once).min(pieces), pieces).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Counts the moves of the positions with these keys.
    fn count_piece<T>(
        &self,
        keys: RangeInclusive<i64>,
        choice: &PostingChoice,
        make: &impl Fn(&KeyCount<'_>, &mut T) -> Result<(), IndexError>,
        made: &mut T,
    ) -> Result<(), IndexError> {
        let mut tally = KeyTally::default();
        let mut end = |tally: &mut KeyTally| {
            if let Some(first) = tally.first.filter(|_| tally.games >= choice.min_games) {
                let place = PostingPlace { game: first.game(), ply: first.ply() };
                let turn = choice.sides.counted_turn(place.game, place.ply).unwrap_or(Color::White);
                make(&KeyCount { key: first.key.cast_unsigned(), turn, place, moves: tally.moves() }, made)?;
            }
            tally.clear();
            Ok(())
        };
        let sources = self.runs().iter().map(|run| records(run, keys.clone(), choice)).collect();
        sort::merge(sources, |record| {
            if tally.first.is_some_and(|first| first.key != record.key) {
                end(&mut tally)?;
            }
            tally.add(record);
            Ok(())
        })?;
        end(&mut tally)
    }

    /// Whether a position with this key occurs in the index.
    pub(crate) fn has_key(&self, key: u64) -> Result<bool, IndexError> {
        let key = key.cast_signed();
        for run in self.runs() {
            if !run.postings(run.part_of(bucket_of(key)))?.find(key)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns the signed keys of a piece, if pieces are in the order of unsigned keys. Their number is a power of two, and
/// at least two.
fn piece_of(nth: usize, pieces: usize) -> RangeInclusive<i64> {
    let width = u64::MAX / pieces as u64 + 1;
    let first = width * nth as u64;
    first.cast_signed()..=(first + (width - 1)).cast_signed()
}

/// Returns the postings of a run with these keys that count, in order.
fn records<'r>(
    run: &'r OpenRun,
    keys: RangeInclusive<i64>,
    choice: &'r PostingChoice,
) -> impl Iterator<Item = Result<Record, IndexError>> + 'r {
    let parts = run.part_of(bucket_of(*keys.start()))..run.part_of(bucket_of(*keys.end())) + 1;
    let ranges = parts.map(move |part| rows_of(run, part, &keys));
    sort::chained(ranges, move |table, rows| Records::new(table, rows, choice))
}

/// Returns the rows of a part with these keys.
fn rows_of<'r>(
    run: &'r OpenRun,
    part: usize,
    keys: &RangeInclusive<i64>,
) -> Result<(&'r TableReader, Range<u64>), IndexError> {
    let table = run.postings(part)?;
    let end = keys.end().checked_add(1).map_or(Ok(table.rows()), |next| table.first_from(next))?;
    Ok((table, table.first_from(*keys.start())?..end))
}

/// An iterator over the postings in some rows that count.
struct Records<'r> {
    keys: Scan<'r, Int64Type>,
    games: Scan<'r, Int64Type>,
    plies: Scan<'r, Int32Type>,
    moves: Scan<'r, ByteArrayType>,
    results: Scan<'r, ByteArrayType>,
    at: usize,
    choice: &'r PostingChoice,
}

impl<'r> Records<'r> {
    fn new(table: &'r TableReader, rows: &Range<u64>, choice: &'r PostingChoice) -> Self {
        Self {
            keys: table.scan(0, rows.clone()),
            games: table.scan(1, rows.clone()),
            plies: table.scan(2, rows.clone()),
            moves: table.scan(3, rows.clone()),
            results: table.scan(4, rows.clone()),
            at: 0,
            choice,
        }
    }

    fn read(&mut self) -> Result<Option<Record>, IndexError> {
        loop {
            if self.at == self.games.values().len() {
                let more = self.games.read()?;
                if !(more && self.keys.read()? && self.plies.read()? && self.moves.read()? && self.results.read()?) {
                    return Ok(None);
                }
                self.at = 0;
            }
            let at = self.at;
            self.at += 1;
            let number = self.games.values()[at].map_or(0, i64::cast_unsigned);
            let ply = self.plies.values()[at].map_or(0, i32::cast_unsigned);
            if !self.choice.plies.contains(&ply) || self.choice.sides.counted_turn(number, ply).is_none() {
                continue;
            }
            let key = self.keys.values()[at].unwrap_or(0).cast_unsigned();
            let next = self.moves.values()[at].as_ref().and_then(|name| Uci::from_ascii(name.data()));
            let result = self.results.values()[at].as_ref().map_or(Outcome::Unknown, result_named);
            // Dates and ratings are not counted here.
            let game = GameFacts { number, result, date: PackedDate::UNKNOWN, elo: [0; 2] };
            return Ok(Some(Record::new(key, &game, ply, 0, next)));
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// Counts the moves of a position, as [`Tally`](crate::tally::Tally) does, from postings in the order of games and
/// plies.
#[derive(Default)]
struct KeyTally {
    first: Option<Record>,
    /// Whether the first posting has been counted. Most positions have only one, which is counted only if it is wanted.
    is_first_counted: bool,
    games: u64,
    moves: Vec<PlayedMove>,
    /// The last game, and its moves in this position.
    game: u64,
    played: Vec<usize>,
}

impl KeyTally {
    #[inline]
    fn add(&mut self, record: Record) {
        match self.first {
            None => {
                self.first = Some(record);
                self.games = 1;
            }
            Some(_) => {
                self.count_first();
                self.count(record);
            }
        }
    }

    fn count_first(&mut self) {
        if let Some(first) = self.first.filter(|_| !self.is_first_counted) {
            self.is_first_counted = true;
            self.games = 0;
            self.game = 0;
            self.count(first);
        }
    }

    fn count(&mut self, record: Record) {
        if self.game != record.game() {
            self.game = record.game();
            self.games += 1;
            self.played.clear();
        }
        let next = record.next();
        let at = match self.moves.iter().position(|played| played.next == next) {
            Some(at) => at,
            None => {
                let none = Results::default();
                self.moves.push(PlayedMove { next, results: none, again: none, least_ply: record.ply() });
                self.moves.len() - 1
            }
        };
        let played = &mut self.moves[at];
        played.least_ply = played.least_ply.min(record.ply());
        if !self.played.contains(&at) {
            played.results.add(record.result());
            if !self.played.is_empty() {
                played.again.add(record.result());
            }
            self.played.push(at);
        }
    }

    /// Returns the moves, in the order in which they were first played.
    fn moves(&mut self) -> &[PlayedMove] {
        self.count_first();
        &self.moves
    }

    fn clear(&mut self) {
        self.first = None;
        self.is_first_counted = false;
        self.games = 0;
        self.moves.clear();
        self.played.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::piece_of;

    #[test]
    fn pieces_cover_all_keys_in_the_order_of_unsigned_numbers() {
        for pieces in [2, 4, 1 << 24] {
            assert_eq!(*piece_of(0, pieces).start(), 0);
            assert_eq!(*piece_of(pieces / 2, pieces).start(), i64::MIN);
            assert_eq!(*piece_of(pieces - 1, pieces).end(), -1);
            for nth in 1..pieces.min(1000) {
                let behind = piece_of(nth - 1, pieces).end().wrapping_add(1);
                assert_eq!(behind, *piece_of(nth, pieces).start());
            }
        }
    }
}
