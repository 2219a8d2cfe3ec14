//! Surveys of a position: the moves that were played there in a selection of the games, and the most important of these
//! games.
//!
//! A survey reads the hits of the position once, and only their games and moves. Everything else about a game is in its
//! [summary](Summary).

use std::ops::ControlFlow;

use crate::error::IndexError;
use crate::lookup::Index;
use crate::summaries::{GameSummaries, Summary};
use crate::tally::{MoveCount, Results, Tally};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_games::pgn::token::Outcome;

/// A game that reached a position, and the move that it played there first.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameHit {
    /// The number of the game in the index, from 1.
    pub game: u64,
    /// The move that was played; None if the game ended there.
    pub next: Option<Uci>,
    pub summary: Summary,
}

/// A move that was played in a position.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct SurveyedMove {
    /// The counts of all games in which the move was played. Ratings and dates are those of the games of `results`.
    pub count: MoveCount,
    /// The results of the games that played this move when they reached the position for the first time. So each game
    /// counts for one move.
    pub results: Results,
    /// The first of these games.
    pub first: Option<GameHit>,
    /// The ratings of White and of Black in these games.
    pub ratings: [Ratings; 2],
}

/// The known ratings of one side in games that have a result, and these results.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratings {
    /// The sum of the ratings.
    pub sum: u64,
    /// The results of the games in which the rating is known.
    pub results: Results,
}

impl Ratings {
    fn add(&mut self, rating: u16, result: Outcome) {
        if rating > 0 && result != Outcome::Unknown {
            self.sum += u64::from(rating);
            self.results.add(result);
        }
    }

    /// Adds other games.
    pub fn add_all(&mut self, other: &Self) {
        self.sum += other.sum;
        self.results.add_all(&other.results);
    }
}

/// The moves played in a position, in no particular order, and some of the games.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Survey {
    pub moves: Vec<SurveyedMove>,
    /// Games that played on.
    pub played: Listed,
    /// Games that ended in the position.
    pub ended: Listed,
}

/// Lists of games.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Listed {
    /// The games in which both ratings are known, those in which one is, and the others, each by the mean of the
    /// ratings, best first; of equal ones the latest.
    pub best: Ranked,
    /// The latest games, latest first; of equal ones the best rated.
    pub recent: Ranked,
}

/// The games that a survey lists.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lists {
    /// The number of best rated games.
    pub best: usize,
    /// The number of latest games.
    pub recent: usize,
}

/// What is known of the games that play a move first.
struct First {
    hit: GameHit,
    ratings: [Ratings; 2],
}

/// A filter on games: whether a game with this number and summary is counted.
pub(crate) type Passes<'f> = dyn FnMut(u64, Summary) -> Result<bool, IndexError> + 'f;

/// The number of hits after which a survey looks whether it is still wanted.
const PATIENCE: u32 = 4096;

impl Index {
    /// Surveys a position. Returns None if `is_stopped` was true at some time: it is called before the first hit and
    /// then every few thousand hits.
    #[doc(hidden)]
    pub fn survey(
        &self,
        position: &Position,
        summaries: &GameSummaries,
        passes: &mut Passes<'_>,
        lists: Lists,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Survey>, IndexError> {
        let mover = position.turn().index();
        let mut tally = Tally::with_facts_once();
        let mut firsts: Vec<First> = Vec::new();
        let [mut played, mut ended] = [Listed::new(lists), Listed::new(lists)];
        let mut last = None;
        let mut until_look = 0;
        let flow = self.visit_moves(position, |game, next| {
            if until_look == 0 {
                if is_stopped() {
                    return Ok(ControlFlow::Break(()));
                }
                until_look = PATIENCE;
            }
            until_look -= 1;
            let is_first = last.is_none_or(|(known, _)| known != game);
            let passing = match last {
                Some((known, passing)) if known == game => passing,
                _ => {
                    let summary = summaries.of(game);
                    passes(game, summary)?.then_some(summary)
                }
            };
            last = Some((game, passing));
            let Some(summary) = passing else {
                return Ok(ControlFlow::Continue(()));
            };
            tally.add(summary.record(game, mover, next));
            if is_first {
                let hit = GameHit { game, next, summary };
                let at = firsts.iter().position(|first| first.hit.next == next).unwrap_or_else(|| {
                    firsts.push(First { hit, ratings: Default::default() });
                    firsts.len() - 1
                });
                for (ratings, rating) in firsts[at].ratings.iter_mut().zip(summary.elos()) {
                    ratings.add(rating, summary.result());
                }
                if next.is_some() { &mut played } else { &mut ended }.add(hit);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if flow.is_break() {
            return Ok(None);
        }
        let surveyed = |count: MoveCount| {
            let first = firsts.iter().find(|first| first.hit.next == count.next);
            SurveyedMove {
                count,
                results: count.first_results(),
                first: first.map(|first| first.hit),
                ratings: first.map_or_else(Default::default, |first| first.ratings),
            }
        };
        let moves = tally.end().map(surveyed).collect();
        Ok(Some(Survey { moves, played, ended }))
    }
}

/// The rank of a game in a list; greater ranks come first.
#[doc(hidden)]
pub type Rank = (u32, u32, u64);

impl GameHit {
    /// Returns the rank of the game by the number of its ratings, by their mean, and then by date.
    pub fn rating_rank(&self) -> Rank {
        (self.summary.rating_rank(), self.summary.age(), self.game)
    }

    /// Returns the rank of the game by date, and then by its ratings.
    pub fn date_rank(&self) -> Rank {
        (self.summary.age(), self.summary.rating_rank(), self.game)
    }
}

impl Listed {
    fn new(lists: Lists) -> Self {
        Self { best: Ranked::by_rating(lists.best), recent: Ranked::by_date(lists.recent) }
    }

    fn add(&mut self, game: GameHit) {
        self.best.add(game);
        self.recent.add(game);
    }
}

/// The games with the greatest ranks, greatest first, up to a number.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Ranked {
    most: usize,
    rank: fn(&GameHit) -> Rank,
    list: Vec<GameHit>,
}

impl Ranked {
    /// Creates an empty list of at most so many games by their ratings; of equal ones, the latest comes first.
    pub fn by_rating(most: usize) -> Self {
        Self { most, rank: GameHit::rating_rank, list: Vec::new() }
    }

    /// Creates an empty list of at most so many games by date, the latest first; of equal ones, the best rated comes
    /// first.
    pub fn by_date(most: usize) -> Self {
        Self { most, rank: GameHit::date_rank, list: Vec::new() }
    }

    /// Adds a game if it is among the first.
    pub fn add(&mut self, game: GameHit) {
        let rank = (self.rank)(&game);
        if self.list.len() == self.most {
            match self.list.last() {
                Some(last) if (self.rank)(last) < rank => self.list.pop(),
                _ => return,
            };
        }
        let at = self.list.partition_point(|known| (self.rank)(known) > rank);
        self.list.insert(at, game);
    }

    /// Returns the games in order.
    pub fn games(&self) -> &[GameHit] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{GameHit, Lists, PATIENCE, Ranked, Ratings};
    use crate::summaries::Summary;
    use crate::tally::Results;
    use crate::tests::{Desk, FIRST, SECOND};
    use pgn2fen_chess::notation::uci::Uci;
    use pgn2fen_chess::position::Position;
    use pgn2fen_games::pgn::token::Outcome;

    #[test]
    fn the_first_games_are_listed_in_whatever_order_they_come() {
        let game = |game, date: &str, elos| GameHit { game, next: None, summary: Summary::made(date, elos) };
        let games = [
            game(1, "2001.01.01", [2500, 2400]),
            game(2, "2003.01.01", [2400, 2500]),
            game(3, "????.??.??", [2450, 2451]),
            game(4, "2004.05.??", [0, 0]),
            game(5, "2004.05.01", [2800, 0]),
        ];
        for turn in 0..games.len() {
            let [mut rated, mut dated] = [Ranked::by_rating(3), Ranked::by_date(2)];
            for game in games.iter().cycle().skip(turn).take(games.len()) {
                rated.add(*game);
                dated.add(*game);
            }
            let numbers = |ranked: &Ranked| ranked.games().iter().map(|game| game.game).collect::<Vec<_>>();
            assert_eq!((numbers(&rated), numbers(&dated)), (vec![3, 2, 1], vec![5, 4]));
        }
        let mut rated = Ranked::by_rating(5);
        games.iter().for_each(|game| rated.add(*game));
        assert_eq!(rated.games().iter().map(|game| game.game).collect::<Vec<_>>(), [3, 2, 1, 5, 4]);
        let mut none = Ranked::by_date(0);
        none.add(games[0]);
        assert!(none.games().is_empty());
    }

    #[test]
    fn a_filter_sees_each_game_once() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        let summaries = desk.index.summaries().unwrap();
        let mut seen = Vec::new();
        let mut passes = |game, summary| {
            seen.push((game, summary));
            Ok(true)
        };
        let lists = Lists { best: 9, recent: 9 };
        let survey =
            desk.index.survey(&Position::initial(), &summaries, &mut passes, lists, &|| false).unwrap().unwrap();
        // Game 6 reaches the position twice.
        assert_eq!(seen, [1, 2, 3, 6].map(|game| (game, summaries.of(game))));
        let e4 = survey.moves.iter().find(|played| played.count.next == Uci::from_ascii(b"e2e4")).unwrap();
        assert_eq!((e4.results.white, e4.results.draws, e4.first.map(|hit| hit.game)), (1, 1, Some(1)));
        assert_eq!(e4.ratings.map(|of| (of.sum, of.results.games())), [(2500, 1), (2400, 1)]);
        assert_eq!((survey.played.best.games().len(), survey.ended.best.games().len()), (4, 0));
        let end = crate::tests::after("1. e4 e5 2. Nf3");
        let survey = desk.index.survey(&end, &summaries, &mut |_, _| Ok(true), lists, &|| false).unwrap().unwrap();
        assert_eq!((survey.played.best.games().len(), survey.ended.recent.games().len()), (0, 2));
    }

    #[test]
    fn ratings_count_in_games_with_a_result() {
        let mut ratings = Ratings::default();
        ratings.add(2500, Outcome::WhiteWins);
        ratings.add(2400, Outcome::Unknown);
        ratings.add(0, Outcome::Draw);
        let results = Results { white: 1, ..Results::default() };
        assert_eq!(ratings, Ratings { sum: 2500, results });
        let mut sum = ratings;
        sum.add_all(&ratings);
        assert_eq!((sum.sum, sum.results.white), (5000, 2));
    }

    #[test]
    fn a_survey_looks_now_and_then_whether_it_is_wanted() {
        let most = usize::try_from(PATIENCE).unwrap();
        let desk = Desk::of(&[("a.pgn", "1. e4 *\n\n".repeat(most + 1))]);
        let summaries = desk.index.summaries().unwrap();
        let looks = Cell::new(0);
        let survey = |stop_at| {
            looks.set(0);
            let is_stopped = || {
                looks.set(looks.get() + 1);
                looks.get() == stop_at
            };
            let lists = Lists { best: 0, recent: 0 };
            let survey = desk.index.survey(&Position::initial(), &summaries, &mut |_, _| Ok(true), lists, &is_stopped);
            (survey.unwrap().is_some(), looks.get())
        };
        assert_eq!([survey(3), survey(2), survey(1)], [(true, 2), (false, 2), (false, 1)]);
    }
}
