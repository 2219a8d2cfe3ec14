//! All positions of an index in the order of their keys, with the moves played there in a selection of the games.
//!
//! The postings are read once, in pieces of the range of keys, which the workers share. Every piece has about the same
//! number of postings, because keys are hashes. So memory is bounded whatever the size of the index.

use std::ops::{ControlFlow, RangeInclusive};

use crate::books::BookError;
use crate::error::IndexError;
use crate::game_sides::GameSides;
use crate::hit::Hit;
use crate::lookup::Index;
use crate::progress::Progress;
use crate::record::Record;
use crate::sort::Merge;
use crate::tally::{PlayedMove, PositionTally, Results};
use pgn2fen_chess::piece::Color;
use pgn2fen_games::parallel::Workers;

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
    /// The moves, in the order of their bits.
    pub(crate) moves: &'c [PlayedMove],
}

impl KeyCount<'_> {
    /// Returns the results of the games that reached the position. Each game counts once.
    pub(crate) fn results(&self) -> Results {
        self.moves.iter().map(|played| played.count.first_results()).sum()
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

/// What ends the work on all positions: an error, or the function for progress.
#[doc(hidden)]
#[derive(Debug)]
pub enum Ended<E> {
    Failed(E),
    Stopped,
}

impl<E> From<E> for Ended<E> {
    fn from(error: E) -> Self {
        Self::Failed(error)
    }
}

/// The number of postings in a piece, about.
const PIECE: u64 = 1 << 18;

impl Index {
    /// Counts the moves of all positions, in the order of their keys as unsigned numbers. `make` is called for each
    /// position, on any worker, and adds what it makes of it to the result of its piece. The results are given to
    /// `take` in order. `progress` may stop the work.
    pub(crate) fn count_by_key<T: Default + Send>(
        &self,
        workers: &Workers,
        choice: &PostingChoice,
        make: impl Fn(&KeyCount<'_>, &mut T) -> Result<(), IndexError> + Sync,
        mut take: impl FnMut(T) -> Result<(), BookError>,
        progress: &Progress<'_>,
    ) -> Result<(), BookError> {
        let count = |_, keys| {
            let mut made = T::default();
            self.count_piece(keys, choice, &make, &mut made)?;
            Ok(made)
        };
        self.each_piece(workers, count, &mut take, progress).map_err(|ended| match ended {
            Ended::Failed(error) => error,
            Ended::Stopped => BookError::Stopped,
        })
    }

    /// Visits all hits that `counts` takes, in the order of their keys as unsigned numbers, then of games and
    /// plies. `add` is called for each hit with its key, on any worker, and adds it to the result of its piece. The
    /// results are given to `take` in order.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    #[doc(hidden)]
    pub fn visit_by_key<T: Default + Send>(
        &self,
        workers: &Workers,
        counts: impl Fn(&Hit) -> bool + Sync,
        add: impl Fn(&mut T, u64, Hit) + Sync,
        mut take: impl FnMut(T),
    ) -> Result<(), IndexError> {
        let number = |hit: &Hit| counts(hit).then_some(hit.game);
        let visit = |_, keys: RangeInclusive<i64>| {
            let mut made = T::default();
            for record in self.records(&keys, number)? {
                let record = record?;
                add(&mut made, record.key.cast_unsigned(), record.hit());
            }
            Ok(made)
        };
        let mut take = |made| {
            take(made);
            Ok(())
        };
        self.each_piece(workers, visit, &mut take, &|_, _| ControlFlow::Continue(())).map_err(|ended| match ended {
            Ended::Failed(error) => error,
            // Nothing stops the work.
            Ended::Stopped => IndexError::new(self.folder(), "stopped"),
        })
    }

    /// Does something for each piece of the keys, on all workers. The results are given to `take` in order.
    pub(crate) fn each_piece<T: Send, E: Send>(
        &self,
        workers: &Workers,
        work: impl Fn(usize, RangeInclusive<i64>) -> Result<T, E> + Sync,
        take: &mut impl FnMut(T) -> Result<(), E>,
        progress: &Progress<'_>,
    ) -> Result<(), Ended<E>> {
        each_of(pieces_of(self.posting_count()), workers, work, take, progress)
    }

    /// Returns records of the hits with these keys in all runs, in order, without dates and ratings. `number` returns
    /// the number of the game of a hit; None if the hit is left out.
    pub(crate) fn records(
        &self,
        keys: &RangeInclusive<i64>,
        number: impl Fn(&Hit) -> Option<u64> + Copy,
    ) -> Result<impl Iterator<Item = Result<Record, IndexError>>, IndexError> {
        Merge::new(self.runs().iter().map(|run| run.records(keys.clone(), number)).collect())
    }

    /// Counts the moves of the positions with these keys.
    fn count_piece<T>(
        &self,
        keys: RangeInclusive<i64>,
        choice: &PostingChoice,
        make: &impl Fn(&KeyCount<'_>, &mut T) -> Result<(), IndexError>,
        made: &mut T,
    ) -> Result<(), IndexError> {
        let mut tally = PositionTally::default();
        let mut end = |tally: &mut PositionTally| {
            let Some((first, moves)) = tally.end(choice.min_games) else {
                return Ok(());
            };
            let place = PostingPlace { game: first.game(), ply: first.ply() };
            let turn = choice.sides.counted_turn(place.game, place.ply).unwrap_or(Color::White);
            make(&KeyCount { key: first.key.cast_unsigned(), turn, place, moves: moves.as_slice() }, made)
        };
        let counts =
            |hit: &Hit| choice.plies.contains(&hit.ply) && choice.sides.counted_turn(hit.game, hit.ply).is_some();
        let number = |hit: &Hit| counts(hit).then_some(hit.game);
        for record in self.records(&keys, number)? {
            let record = record?;
            if tally.is_over(record) {
                end(&mut tally)?;
            }
            // Dates and ratings are not counted here.
            tally.add(record, |record| record);
        }
        end(&mut tally)
    }
}

/// Does something for each of so many pieces, on all workers. The results are given to `take` in order.
fn each_of<T: Send, E: Send>(
    pieces: usize,
    workers: &Workers,
    work: impl Fn(usize, RangeInclusive<i64>) -> Result<T, E> + Sync,
    take: &mut impl FnMut(T) -> Result<(), E>,
    progress: &Progress<'_>,
) -> Result<(), Ended<E>> {
    let at_once = 4 * workers.count();
    for first in (0..pieces).step_by(at_once) {
        let now = at_once.min(pieces - first);
        let made = workers.share(now, workers.count(), |nth| work(first + nth, piece_of(first + nth, pieces)))?;
        made.into_iter().try_for_each(&mut *take)?;
        if progress((first + at_once).min(pieces), pieces).is_break() {
            return Err(Ended::Stopped);
        }
    }
    Ok(())
}

/// Returns the number of pieces for so many postings: a power of two. There are two at least, because signed keys below
/// zero come behind the others.
pub(crate) fn pieces_of(postings: u64) -> usize {
    let pieces = (postings / PIECE).clamp(2, 1 << 24).next_power_of_two();
    usize::try_from(pieces).unwrap_or(2)
}

/// Returns the signed keys of a piece, if pieces are in the order of unsigned keys. Their number is a power of two, and
/// at least two.
fn piece_of(nth: usize, pieces: usize) -> RangeInclusive<i64> {
    let width = u64::MAX / pieces as u64 + 1;
    let first = width * nth as u64;
    first.cast_signed()..=(first + (width - 1)).cast_signed()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Mutex;

    use super::{Ended, PIECE, each_of, piece_of, pieces_of};
    use crate::hit::Hit;
    use crate::tests::{Desk, FIRST, SECOND};
    use pgn2fen_games::parallel::Workers;

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

    #[test]
    fn all_hits_are_visited_in_the_order_of_unsigned_keys() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        let workers = Workers::new(1).unwrap();
        let visited = |counts: fn(&Hit) -> bool| {
            let mut all: Vec<(u64, u64, u32)> = Vec::new();
            let add = |made: &mut Vec<_>, key, hit: Hit| made.push((key, hit.game, hit.ply));
            desk.index.visit_by_key(&workers, counts, add, |made| all.extend(made)).unwrap();
            assert!(all.is_sorted());
            all
        };
        let all = visited(|_| true);
        assert_eq!(all.len() as u64, desk.index.posting_count());
        let start = crate::key(&pgn2fen_chess::position::Position::initial());
        assert_eq!(all.iter().filter(|hit| hit.0 == start).count(), 5);
        let first = visited(|hit| hit.game == 1);
        assert_eq!(first.len(), 4);
        assert!(first.iter().all(|hit| hit.1 == 1 && all.contains(hit)));
    }

    #[test]
    fn pieces_are_done_once_each_and_in_order() {
        let run = |workers: usize, most_steps: usize| {
            let (mut taken, steps) = (Vec::new(), Mutex::new(Vec::new()));
            let mut take = |made: (usize, i64)| {
                taken.push(made);
                Ok::<(), ()>(())
            };
            let progress = |done: usize, all: usize| {
                let mut steps = steps.lock().unwrap();
                steps.push((done, all));
                if steps.len() < most_steps { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let work = |nth, keys: std::ops::RangeInclusive<i64>| Ok((nth, *keys.start()));
            let ended = each_of(16, &Workers::new(workers).unwrap(), work, &mut take, &progress);
            assert_eq!(matches!(ended, Err(Ended::Stopped)), steps.lock().unwrap().len() == most_steps);
            assert!(taken.iter().enumerate().all(|(nth, made)| *made == (nth, *piece_of(nth, 16).start())));
            (taken.len(), steps.into_inner().unwrap())
        };
        assert_eq!(run(1, 9), (16, vec![(4, 16), (8, 16), (12, 16), (16, 16)]));
        assert_eq!(run(3, 9), (16, vec![(12, 16), (16, 16)]));
        assert_eq!(run(1, 2), (8, vec![(4, 16), (8, 16)]));
    }

    #[test]
    fn the_number_of_pieces_is_a_power_of_two() {
        let pieces = [0, PIECE, 2 * PIECE, 3 * PIECE, 4 * PIECE, 5 * PIECE].map(pieces_of);
        assert_eq!(pieces, [2, 2, 2, 4, 4, 8]);
        assert_eq!(pieces_of(u64::MAX), 1 << 24);
    }
}
