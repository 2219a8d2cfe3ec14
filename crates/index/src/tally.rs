//! Counts the moves played in a position and their results, as an opening explorer shows them.

use std::cmp::Reverse;

use crate::record::{PackedDate, Record};
use pgn2fen_chess::notation::uci::Uci;
pub use pgn2fen_games::Results;
use pgn2fen_games::pgn::token::Outcome;

/// The games in which a move was played in a position. A game counts once for a move, even if it reached the position
/// again and repeated the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCount {
    /// The move; None for the games that ended in the position.
    pub next: Option<Uci>,
    /// The results of those games.
    pub results: Results,
    /// The results of those games that are also counted with another move, which they played in the same position
    /// before.
    pub(super) again: Results,
    /// The sum of the known ratings of the players to move.
    pub elo_sum: u64,
    /// The number of games in which that rating is known.
    pub elo_games: u64,
    pub(super) first_date: PackedDate,
    pub(super) last_date: PackedDate,
}

impl MoveCount {
    pub(super) fn new(next: Option<Uci>) -> Self {
        Self {
            next,
            results: Results::default(),
            again: Results::default(),
            elo_sum: 0,
            elo_games: 0,
            first_date: PackedDate::UNKNOWN,
            last_date: PackedDate::UNKNOWN,
        }
    }

    /// Returns the results of the games that played this move first. So each game counts for one move.
    #[doc(hidden)]
    pub fn first_results(&self) -> Results {
        self.results.without(&self.again)
    }

    /// Returns the average rating of the players to move; None if no rating is known.
    pub fn average_elo(&self) -> Option<u64> {
        (self.elo_sum + self.elo_games / 2).checked_div(self.elo_games)
    }

    /// Returns the date of the earliest game as a number of eight digits (year, month, day), such as 19720711. An
    /// unknown month or day is written with zeros. None if no date is known.
    pub fn first_date(&self) -> Option<i32> {
        self.first_date.number()
    }

    /// Returns the date of the latest game, in the format of [`first_date`](Self::first_date).
    pub fn last_date(&self) -> Option<i32> {
        self.last_date.number()
    }

    /// Counts the result of a game that played another move in the same position before.
    fn add_again(&mut self, result: Outcome) {
        self.results.add(result);
        self.again.add(result);
    }

    /// Counts the rating and the date of a game.
    fn add_facts(&mut self, record: Record) {
        if let Some(elo) = record.elo() {
            self.elo_sum += u64::from(elo.get());
            self.elo_games += 1;
        }
        self.add_dates(record.date(), record.date());
    }

    fn add_dates(&mut self, first: PackedDate, last: PackedDate) {
        if first != PackedDate::UNKNOWN && (self.first_date == PackedDate::UNKNOWN || first < self.first_date) {
            self.first_date = first;
        }
        self.last_date = self.last_date.max(last);
    }

    /// Adds the counts of other games.
    #[doc(hidden)]
    pub fn add_all(&mut self, other: &Self) {
        self.results.add_all(&other.results);
        self.again.add_all(&other.again);
        self.elo_sum += other.elo_sum;
        self.elo_games += other.elo_games;
        self.add_dates(other.first_date, other.last_date);
    }
}

/// A move that was played in a position, and the least ply at which it was played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayedMove {
    pub(crate) count: MoveCount,
    pub(crate) least_ply: u32,
}

/// Counts the postings of a position. They must be in the order of their games.
#[derive(Debug, Default)]
pub(super) struct Tally {
    moves: Vec<PlayedMove>,
    /// The game of the previous posting, and where its moves in this position begin.
    game: Option<u64>,
    played: Vec<usize>,
    games: u64,
    /// Whether the rating and the date of a game count only for the move that it played first.
    has_facts_once: bool,
}

impl Tally {
    /// Creates a tally in which the rating and the date of a game count only for the move that it played first. So the
    /// mean rating and the dates of a move are those of its [`first_results`](MoveCount::first_results).
    pub(super) fn with_facts_once() -> Self {
        Self { has_facts_once: true, ..Self::default() }
    }

    pub(super) fn add(&mut self, record: Record) {
        if self.game != Some(record.game()) {
            self.game = Some(record.game());
            self.games += 1;
            self.played.clear();
        }
        let next = record.next();
        let at = self.moves.iter().position(|played| played.count.next == next).unwrap_or_else(|| {
            self.moves.push(PlayedMove { count: MoveCount::new(next), least_ply: record.ply() });
            self.moves.len() - 1
        });
        if !self.played.contains(&at) {
            let is_again = !self.played.is_empty();
            self.played.push(at);
            let PlayedMove { count, least_ply } = &mut self.moves[at];
            match is_again {
                true => count.add_again(record.result()),
                false => count.results.add(record.result()),
            }
            if !(is_again && self.has_facts_once) {
                count.add_facts(record);
            }
            *least_ply = record.ply().min(*least_ply);
        }
    }

    /// Returns the moves in the order of their bits, and starts again at zero.
    pub(super) fn end(&mut self) -> impl Iterator<Item = MoveCount> {
        self.take().map(|played| played.count)
    }

    fn take(&mut self) -> std::vec::Drain<'_, PlayedMove> {
        self.game = None;
        self.games = 0;
        self.moves.sort_unstable_by_key(|played| played.count.next);
        self.moves.drain(..)
    }
}

/// Counts the postings of one position after another. Most positions occur once, so the first posting of a position is
/// counted only if that is needed.
#[derive(Debug, Default)]
pub(super) struct PositionTally {
    pub(super) first: Option<Record>,
    tally: Tally,
}

impl PositionTally {
    /// Whether a record belongs to another position than those before it.
    #[inline]
    pub(super) fn is_over(&self, next: Record) -> bool {
        self.first.is_some_and(|first| first.key != next.key)
    }

    /// Adds a record. If it is counted, `complete` adds the facts of its game, unless the record has them already.
    #[inline]
    pub(super) fn add(&mut self, record: Record, complete: impl Fn(Record) -> Record) {
        match self.first {
            None => self.first = Some(record),
            Some(first) => {
                if self.tally.games == 0 {
                    self.tally.add(complete(first));
                }
                self.tally.add(complete(record));
            }
        }
    }

    /// Ends the position, and starts again. Returns the first record and the moves, in the order of their bits, if at
    /// least so many games reached the position.
    pub(super) fn end(&mut self, least: u64) -> Option<(Record, std::vec::Drain<'_, PlayedMove>)> {
        let first = self.first.take()?;
        if least <= 1 && self.tally.games == 0 {
            self.tally.add(first);
        }
        let is_enough = self.tally.games >= least;
        let moves = self.tally.take();
        is_enough.then_some((first, moves))
    }
}

/// The moves played in a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    moves: Vec<MoveCount>,
}

impl Explored {
    /// Returns the moves, the most frequent first. The entry for games that ended there comes after moves that were
    /// played as often.
    pub fn moves(&self) -> &[MoveCount] {
        &self.moves
    }

    /// Returns the results of the games that reached the position. Each game counts once.
    pub fn results(&self) -> Results {
        self.moves.iter().map(MoveCount::first_results).sum()
    }

    /// Adds up counts. Several of them may be for the same move in different games.
    pub(super) fn of(counts: impl IntoIterator<Item = MoveCount>) -> Self {
        let mut moves: Vec<MoveCount> = Vec::new();
        for count in counts {
            match moves.iter_mut().find(|known| known.next == count.next) {
                Some(known) => known.add_all(&count),
                None => moves.push(count),
            }
        }
        moves.sort_by_key(|count| (Reverse(count.results.games()), count.next.is_none(), count.next));
        Self { moves }
    }
}

#[cfg(test)]
mod tests {
    use super::{Explored, MoveCount, Results, Tally};
    use crate::record::{GameFacts, PackedDate, Record};
    use pgn2fen_chess::notation::uci::Uci;
    use pgn2fen_games::pgn::token::Outcome;

    /// Counts postings: game, result, rating of the player to move, date, move.
    fn explore(postings: &[(u64, Outcome, u16, &str, &str)]) -> Explored {
        explore_by(Tally::default(), postings)
    }

    fn explore_by(mut tally: Tally, postings: &[(u64, Outcome, u16, &str, &str)]) -> Explored {
        for (ply, (number, result, elo, date, next)) in (0..).zip(postings) {
            let game = GameFacts { number: *number, result: *result, date: PackedDate::read(date), elo: [*elo, 0] };
            tally.add(Record::new(0, &game, ply, 0, Uci::from_ascii(next.as_bytes())));
        }
        Explored::of(tally.end())
    }

    fn counts(explored: &Explored) -> Vec<(String, u64)> {
        let name = |count: &MoveCount| count.next.map_or_else(String::new, |next| next.to_string());
        explored.moves().iter().map(|count| (name(count), count.results.games())).collect()
    }

    #[test]
    fn a_game_that_comes_back_is_one_game() {
        let (win, draw) = (Outcome::WhiteWins, Outcome::Draw);
        let explored = explore(&[
            (1, win, 0, "", "e2e4"),
            (1, win, 0, "", "e2e4"),
            (2, draw, 0, "", "d2d4"),
            (2, draw, 0, "", "e2e4"),
            (2, draw, 0, "", "d2d4"),
            (3, Outcome::Unknown, 0, "", ""),
        ]);
        let expected = [("e2e4", 2), ("d2d4", 1), ("", 1)].map(|(name, games)| (name.to_owned(), games));
        assert_eq!(counts(&explored), expected);
        assert_eq!(explored.results(), Results { white: 1, draws: 1, black: 0, unknown: 1 });
    }

    #[test]
    fn a_survey_counts_the_rating_and_the_date_of_a_game_once() {
        let (win, loss) = (Outcome::WhiteWins, Outcome::BlackWins);
        let postings =
            [(1, win, 3000, "2020", "g1f3"), (1, win, 3000, "2020", "e2e4"), (2, loss, 1000, "1990", "e2e4")];
        let facts = |explored: &Explored| {
            let e4 = explored.moves()[0];
            (e4.results.games(), e4.first_results().games(), e4.average_elo(), e4.last_date())
        };
        assert_eq!(facts(&explore(&postings)), (2, 1, Some(2000), Some(20_200_000)));
        let survey = explore_by(Tally::with_facts_once(), &postings);
        assert_eq!(facts(&survey), (2, 1, Some(1000), Some(19_900_000)));
    }

    #[test]
    fn ratings_and_dates_that_are_not_known_do_not_count() {
        let (win, loss) = (Outcome::WhiteWins, Outcome::BlackWins);
        let explored = explore(&[
            (1, win, 2500, "2001.05.??", "e2e4"),
            (2, loss, 0, "????.??.??", "e2e4"),
            (3, loss, 2401, "1999.12.31", "e2e4"),
            (4, win, 0, "", "d2d4"),
        ]);
        let [e4, d4] = explored.moves() else { panic!("{explored:?}") };
        assert_eq!(
            (e4.average_elo(), e4.first_date(), e4.last_date()),
            (Some(2451), Some(19_991_231), Some(20_010_500))
        );
        assert_eq!((d4.average_elo(), d4.first_date(), d4.last_date()), (None, None, None));
    }
}
