//! The choice of games by the methods of a builder.

use crate::walk::options::ReadOptions;
use pgn2fen_filters::{GameFilter, ParseError, Start};
use pgn2fen_pgn::annotation::EvalChoice;

/// The games that a builder chooses, and how they are read. The methods that set them may be called in any order: an
/// option that was set by a method of its own comes before the same option in [`ReadOptions`], and filters add up.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct ReadChoice {
    /// The options of `read_options`.
    pub options: ReadOptions,
    /// The filters of `tags` and `opening`. The other conditions are those of the options.
    pub filters: GameFilter,
    pub start: Option<Start>,
    pub invert: Option<bool>,
    pub max_games: Option<u64>,
    pub evals: Option<EvalChoice>,
    /// The number of threads; 0 for one for each core.
    pub threads: usize,
}

impl ReadChoice {
    /// Adds a filter for games.
    pub fn add_tags(&mut self, filter: &str) -> Result<(), ParseError> {
        self.filters.tags.push(filter.parse()?);
        Ok(())
    }

    /// Adds a filter for the opening of games.
    pub fn add_opening(&mut self, filter: &str) -> Result<(), ParseError> {
        self.filters.openings.push(filter.parse()?);
        Ok(())
    }

    /// Returns the options that were chosen.
    pub fn options(&self) -> ReadOptions {
        let mut read = self.options.clone();
        read.games.tags.extend_from_slice(&self.filters.tags);
        read.games.openings.extend_from_slice(&self.filters.openings);
        read.games.start = self.start.unwrap_or(read.games.start);
        read.invert = self.invert.unwrap_or(read.invert);
        read.max_games = self.max_games.or(read.max_games);
        read.replay.evals = self.evals.unwrap_or(read.replay.evals);
        read
    }
}

/// Defines the methods of a builder that choose games. The builder has a field `read` of the type [`ReadChoice`].
#[doc(hidden)]
#[macro_export]
macro_rules! read_methods {
    () => {
        /// Adds a filter for games, such as `WhiteElo>=2200`: see
        /// [`TagFilter`]($crate::selection::TagFilter). Games must pass all filters.
        ///
        /// # Errors
        ///
        /// The filter cannot be parsed.
        pub fn tags(mut self, filter: &str) -> Result<Self, $crate::selection::ParseError> {
            self.read.add_tags(filter)?;
            Ok(self)
        }

        /// Adds a filter for the opening of games, such as `Najdorf` or `B9`: see
        /// [`OpeningFilter`]($crate::selection::OpeningFilter). With several of these filters, games must pass one of
        /// them. Moves are played as far as names of openings are possible.
        ///
        /// # Errors
        ///
        /// The filter cannot be parsed.
        pub fn opening(mut self, filter: &str) -> Result<Self, $crate::selection::ParseError> {
            self.read.add_opening(filter)?;
            Ok(self)
        }

        /// Sets the condition on the starting position of games.
        #[must_use]
        pub fn start(mut self, start: $crate::selection::Start) -> Self {
            self.read.start = Some(start);
            self
        }

        /// Stops after this many games that pass the filters.
        #[must_use]
        pub fn max_games(mut self, games: u64) -> Self {
            self.read.max_games = Some(games);
            self
        }

        /// Sets which games are read, and how their text is interpreted. Filters that are set by the other methods,
        /// before or afterwards, must hold as well; options that are set by them replace those given here.
        #[must_use]
        pub fn read_options(mut self, read: $crate::walk::ReadOptions) -> Self {
            self.read.options = read;
            self
        }

        /// Sets the number of threads. The default, 0, means one thread for each core.
        #[must_use]
        pub fn threads(mut self, threads: usize) -> Self {
            self.read.threads = threads;
            self
        }
    };
}
