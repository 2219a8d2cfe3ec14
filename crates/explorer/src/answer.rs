//! Answers: the moves that were played in a position, and some of the games, from all indexes together.

use std::cmp::Reverse;

use crate::database::Database;
use crate::filter::Filter;
use crate::open_index::OpenIndex;
use crate::performance::Opponents;
use crate::refusal::Refusal;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_index::{GameHit, Listed, Lists, MoveCount, Rank, Ratings, Results, SurveyedMove};

/// A game of one of several indexes.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundGame {
    /// The number of the index.
    pub(super) index: usize,
    pub(super) game: GameHit,
}

/// A move that was played in a position.
#[derive(Clone, Debug)]
pub(super) struct PlayedMove {
    pub(super) next: Uci,
    /// The results of the games. Each game counts for the move that it played first in the position.
    pub(super) results: Results,
    /// The counts of all games in which the move was played. Ratings and dates are those of the games of `results`.
    count: MoveCount,
    /// The ratings of White and of Black in the games of `results`.
    ratings: [Ratings; 2],
    /// The game, if there is exactly one.
    pub(super) game: Option<FoundGame>,
}

/// The moves that were played in a position, and some of the games.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    /// The moves, the most frequent first.
    pub(super) moves: Vec<PlayedMove>,
    /// The number of games that ended in the position.
    pub(super) ended: u64,
    /// The games that played on.
    pub(super) played: GameLists,
    /// The games that ended in the position.
    ended_games: GameLists,
}

/// Lists of games.
#[derive(Clone, Debug, Default)]
pub(super) struct GameLists {
    /// The best rated games.
    pub(super) best: Vec<FoundGame>,
    /// The latest games.
    pub(super) recent: Vec<FoundGame>,
}

impl PlayedMove {
    /// Returns the rounded mean of the ratings of the players to move; None if none is known.
    pub(super) fn average_rating(&self) -> Option<u64> {
        self.count.average_elo()
    }

    /// Returns the year of the latest game.
    pub(super) fn last_year(&self) -> Option<u32> {
        self.count.last_date().map(|date| date.cast_unsigned() / 10_000)
    }

    /// Returns the opponents of the player with this colour.
    pub(super) fn opponents_of(&self, color: Color) -> Opponents {
        Opponents::of(color, &self.ratings)
    }

    /// Adds the games of another index.
    fn add(&mut self, surveyed: &SurveyedMove) {
        self.results.add_all(&surveyed.results);
        self.count.add_all(&surveyed.count);
        for (ratings, others) in self.ratings.iter_mut().zip(&surveyed.ratings) {
            ratings.add_all(others);
        }
        self.game = None;
    }
}

impl Answer {
    /// Asks the indexes of a database.
    ///
    /// # Errors
    ///
    /// Fails if an index cannot be read, or if `is_stopped` returned true.
    pub(super) fn find(
        indexes: &[impl AsRef<OpenIndex>],
        database: Database,
        position: &Position,
        filter: &Filter,
        lists: Lists,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Self, Refusal> {
        let [mut played, mut ended_games] = [GameLists::default(), GameLists::default()];
        let mut answer = Self::default();
        for (index, opened) in indexes.iter().enumerate().filter(|(index, _)| database.has(*index)) {
            let survey = opened.as_ref().survey(position, filter, lists, is_stopped)?;
            let survey = survey.ok_or_else(Refusal::late)?;
            for surveyed in &survey.moves {
                // Games that reached the position again and played another move there count for their first move only.
                match surveyed.count.next {
                    _ if surveyed.results.games() == 0 => {}
                    None => answer.ended += surveyed.results.games(),
                    Some(next) => answer.add(index, next, surveyed),
                }
            }
            played.extend(index, &survey.played);
            ended_games.extend(index, &survey.ended);
        }
        answer.played = played.first(lists);
        answer.ended_games = ended_games.first(lists);
        answer.moves.sort_by_key(|played| (Reverse(played.results.games()), played.next));
        Ok(answer)
    }

    fn add(&mut self, index: usize, next: Uci, surveyed: &SurveyedMove) {
        if let Some(played) = self.moves.iter_mut().find(|played| played.next == next) {
            return played.add(surveyed);
        }
        let SurveyedMove { count, results, first, ratings } = *surveyed;
        let game = first.filter(|_| results.games() == 1).map(|game| FoundGame { index, game });
        self.moves.push(PlayedMove { next, results, count, ratings, game });
    }

    /// Returns the results of all games, each counted once. Games that ended in the position are not counted.
    pub(super) fn results(&self) -> Results {
        self.moves.iter().map(|played| played.results).sum()
    }

    /// Returns the opponents of the player with this colour in the games of [`results`](Self::results).
    pub(super) fn opponents_of(&self, color: Color) -> Opponents {
        self.moves.iter().map(|played| played.opponents_of(color)).sum()
    }

    /// Returns lists of at most so many games, with those that ended in the position.
    pub(super) fn all_games(&self, lists: Lists) -> GameLists {
        let mut all = self.played.clone();
        all.best.extend(&self.ended_games.best);
        all.recent.extend(&self.ended_games.recent);
        all.first(lists)
    }

    /// Returns the size in memory, about, in bytes.
    pub(super) fn weight(&self) -> usize {
        size_of::<Self>()
            + self.moves.capacity() * size_of::<PlayedMove>()
            + self.played.weight()
            + self.ended_games.weight()
    }
}

impl GameLists {
    /// Adds the games of an index.
    fn extend(&mut self, index: usize, listed: &Listed) {
        let found = |game: &GameHit| FoundGame { index, game: *game };
        self.best.extend(listed.best.games().iter().map(found));
        self.recent.extend(listed.recent.games().iter().map(found));
    }

    /// Returns at most so many games, the first ones in order.
    fn first(mut self, lists: Lists) -> Self {
        keep_first(&mut self.best, lists.best, GameHit::rating_rank);
        keep_first(&mut self.recent, lists.recent, GameHit::date_rank);
        self
    }

    fn weight(&self) -> usize {
        (self.best.capacity() + self.recent.capacity()) * size_of::<FoundGame>()
    }
}

/// Sorts games by their ranks, the greatest first, and drops all but the first ones. The lists of several indexes
/// become one.
fn keep_first(games: &mut Vec<FoundGame>, most: usize, rank: fn(&GameHit) -> Rank) {
    games.sort_by_key(|found| Reverse((rank(&found.game), Reverse(found.index))));
    games.truncate(most);
}
