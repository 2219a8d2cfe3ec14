//! Which filters of a query left out games.

use crate::error::IndexError;
use crate::query::Query;
use pgn2fen_chess::position::Position;

/// The number of games, and how many of them satisfy each filter on tags alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilterCounts {
    /// The number of games, whatever their tags.
    pub games: u64,
    /// For each filter on tags, in the order in which they were given, the number of games that satisfy it.
    pub passing: Vec<u64>,
    /// The number of games that satisfy all filters on tags.
    pub passing_all: u64,
}

impl Query<'_> {
    /// Counts the games that reached a position, or all games of the index, and how many of them satisfy each filter on
    /// tags alone. This explains an answer without games. The tags of all these games are read.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn count_by_filter(&mut self, position: Option<&Position>) -> Result<FilterCounts, IndexError> {
        let mut counts = FilterCounts { passing: vec![0; self.tags.len()], ..FilterCounts::default() };
        let Some(position) = position else {
            let rules = self.index.rules()?;
            for game in 1..=self.index.game_count() {
                if rules.of(game) == self.rules {
                    self.add(game, &mut counts)?;
                }
            }
            return Ok(counts);
        };
        let mut last = 0;
        for hit in self.index.hits(position)? {
            let game = hit?.game;
            if game != last {
                self.add(game, &mut counts)?;
            }
            last = game;
        }
        Ok(counts)
    }

    fn add(&mut self, game: u64, counts: &mut FilterCounts) -> Result<(), IndexError> {
        let Self { tags, headings, .. } = self;
        let mut passes_all = true;
        for ((filter, columns), passing) in tags.iter().zip(&mut counts.passing) {
            let passes = headings.games.satisfies(game, [(filter, columns)])?;
            *passing += u64::from(passes);
            passes_all &= passes;
        }
        counts.games += 1;
        counts.passing_all += u64::from(passes_all);
        Ok(())
    }
}
