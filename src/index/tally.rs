//! What was played in a position, and how it went: an explorer's table.

use std::cmp::Reverse;

use crate::index::record::{PackedDate, Record};
use crate::notation::uci::Uci;
use crate::pgn::token::Outcome;

/// How games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// White won.
    pub white: u64,
    /// Nobody won.
    pub draws: u64,
    /// Black won.
    pub black: u64,
    /// It is not known, or the game goes on (`*`).
    pub unknown: u64,
}

impl Results {
    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.white + self.draws + self.black + self.unknown
    }

    pub(super) fn add(&mut self, result: Outcome) {
        *match result {
            Outcome::WhiteWins => &mut self.white,
            Outcome::Draw => &mut self.draws,
            Outcome::BlackWins => &mut self.black,
            Outcome::Unknown => &mut self.unknown,
        } += 1;
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.unknown += other.unknown;
    }

    /// Takes away what is part of it.
    pub(super) fn without(&self, other: &Self) -> Self {
        Self {
            white: self.white.saturating_sub(other.white),
            draws: self.draws.saturating_sub(other.draws),
            black: self.black.saturating_sub(other.black),
            unknown: self.unknown.saturating_sub(other.unknown),
        }
    }
}

/// The games in which a move was played in a position. A game counts once, however often it came back and played it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCount {
    /// The move; None for the games that ended there.
    pub next: Option<Uci>,
    /// How those games ended.
    pub results: Results,
    /// Those among them that are counted with another move, too, which they played in the same position before.
    pub(super) again: Results,
    /// The sum of the known ratings of who was to move.
    pub elo_sum: u64,
    /// In how many games they were known.
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

    /// The average rating of who was to move; None if none is known.
    pub fn average_elo(&self) -> Option<u64> {
        (self.elo_sum + self.elo_games / 2).checked_div(self.elo_games)
    }

    /// The date of the first of the games, as a number of eight digits, such as 19720711; zeros stand for a month or day that is
    /// not known. None if no date is known.
    pub fn first_date(&self) -> Option<i32> {
        self.first_date.number()
    }

    /// The date of the last of the games.
    pub fn last_date(&self) -> Option<i32> {
        self.last_date.number()
    }

    fn add(&mut self, record: Record, is_again: bool) {
        self.results.add(record.result());
        if is_again {
            self.again.add(record.result());
        }
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

    /// Adds what other games did.
    pub(super) fn add_all(&mut self, other: &Self) {
        self.results.add_all(&other.results);
        self.again.add_all(&other.again);
        self.elo_sum += other.elo_sum;
        self.elo_games += other.elo_games;
        self.add_dates(other.first_date, other.last_date);
    }
}

/// Counts the postings of a position. They must come in the order of their games.
#[derive(Debug, Default)]
pub(super) struct Tally {
    moves: Vec<MoveCount>,
    /// The game of the posting before, and where the moves are that it played here.
    game: Option<u64>,
    played: Vec<usize>,
    games: u64,
}

impl Tally {
    /// How many games there were.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    pub(super) fn add(&mut self, record: Record) {
        if self.game != Some(record.game()) {
            self.game = Some(record.game());
            self.games += 1;
            self.played.clear();
        }
        let next = record.next();
        let at = match self.moves.iter().position(|count| count.next == next) {
            Some(at) => at,
            None => {
                self.moves.push(MoveCount::new(next));
                self.moves.len() - 1
            }
        };
        if !self.played.contains(&at) {
            let is_again = !self.played.is_empty();
            self.played.push(at);
            self.moves[at].add(record, is_again);
        }
    }

    /// Gives the moves in the order of their bits, and begins anew.
    pub(super) fn end(&mut self) -> std::vec::Drain<'_, MoveCount> {
        self.game = None;
        self.games = 0;
        self.moves.sort_unstable_by_key(|count| count.next);
        self.moves.drain(..)
    }
}

/// What was played in a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    moves: Vec<MoveCount>,
}

impl Explored {
    /// The moves, the most played first; where a game ended there, that stands behind moves as often played.
    pub fn moves(&self) -> &[MoveCount] {
        &self.moves
    }

    /// How the games ended that reached the position. Each counts once.
    pub fn results(&self) -> Results {
        let mut results = Results::default();
        for count in &self.moves {
            results.add_all(&count.results.without(&count.again));
        }
        results
    }

    /// What was played, of which several counts may be about the same move in different games.
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
    use crate::index::record::{GameFacts, PackedDate, Record};
    use crate::notation::uci::Uci;
    use crate::pgn::token::Outcome;

    /// What comes of postings: game, result, rating of the mover, date, move.
    fn explore(postings: &[(u64, Outcome, u16, &str, &str)]) -> Explored {
        let mut tally = Tally::default();
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
