//! All games of an index that pass a query.

use crate::error::IndexError;
use crate::games_table::GameColumn;
use crate::heading::GameHeading;
use crate::query::{Query, count_down};
use pgn2fen_games::pgn::token::Outcome;

/// A game that passes a query without a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundGame {
    /// The number of the game in the index, from 1.
    pub game: u64,
    /// The ply of the first position of the stretch in which the game has the [shape](Query::shape). 0 if games may
    /// have any shape.
    pub ply: u32,
    /// The result of the game.
    pub result: Outcome,
}

/// An iterator over all games of an index that pass a query, in ascending order of their numbers. It ends after an
/// error.
#[derive(Debug)]
pub struct AllGames<'q, 'i> {
    query: &'q mut Query<'i>,
    /// The number of the last game, from 1.
    last: u64,
    /// The number of further games.
    left: u64,
}

impl<'i> Query<'i> {
    /// Returns all games of the [rules](Self::rules) that pass, whatever positions they reached.
    pub fn all_games<'q>(&'q mut self) -> AllGames<'q, 'i> {
        let left = self.max;
        AllGames { query: self, last: 0, left }
    }

    /// Returns the game if it passes.
    fn pass(&mut self, game: u64) -> Result<Option<FoundGame>, IndexError> {
        if self.index.rules()?.of(game) != self.rules || !self.wants(game)? {
            return Ok(None);
        }
        let Some(ply) = self.find_shape(game)? else {
            return Ok(None);
        };
        let result = self.headings.games.text(game, GameColumn::Result)?;
        let result = result.and_then(|result| Outcome::from_ascii(result.as_bytes())).unwrap_or(Outcome::Unknown);
        Ok(Some(FoundGame { game, ply, result }))
    }
}

impl AllGames<'_, '_> {
    /// Returns the place of a game and the tags by which people know it.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn heading(&mut self, game: u64) -> Result<GameHeading, IndexError> {
        self.query.heading(game)
    }

    /// Returns the text of a game: see [`Query::text`].
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn text(&mut self, game: u64) -> Result<Option<Vec<u8>>, IndexError> {
        self.query.text(game)
    }
}

impl Iterator for AllGames<'_, '_> {
    type Item = Result<FoundGame, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.left > 0 && self.last < self.query.index.game_count() && !(self.query.stop)() {
            self.last += 1;
            let found = self.query.pass(self.last);
            if let Some(found) = count_down(&mut self.left, found) {
                return Some(found);
            }
        }
        None
    }
}
