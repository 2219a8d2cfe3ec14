//! The builder for copies of games.

use std::io::Write;

use crate::export::{ExportOptions, Exporter};
use crate::games::copying::Bind;
use crate::games::make::{GameCopies, WrittenGames};
use crate::rows::{RowsError, Writing};
use crate::selection::{Mistake, Start};
use crate::walk::{Input, Listener, ReadOptions, Totals, Walk};

/// A builder for copies of the games that pass the filters, byte for byte, in the order of the files.
///
/// A copy begins with the comment before the tags, if there is one, and ends with the line of the result and the blank lines after it. Text
/// that belongs to no game is not copied. Games that were not neighbours are separated by a blank line; a game without a result gets a `*` if
/// it would otherwise run into the next. So a copy of all games of a file of nothing but games is the file.
#[derive(Clone, Debug, Default)]
pub struct Games {
    read: ReadOptions,
    threads: usize,
    export: Option<ExportOptions>,
}

impl Games {
    /// Creates a builder for copies of all games.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a filter for games, such as `WhiteElo>=2200`: see [`TagFilter`](crate::selection::TagFilter). Games must pass all filters.
    ///
    /// # Errors
    ///
    /// The filter cannot be parsed.
    pub fn tags(mut self, filter: &str) -> Result<Self, Mistake> {
        self.read.games.tags.push(filter.parse()?);
        Ok(self)
    }

    /// Adds a filter for the opening of games, such as `Najdorf` or `B9`: see [`OpeningFilter`](crate::selection::OpeningFilter). With
    /// several of these filters, games must pass one of them.
    ///
    /// # Errors
    ///
    /// The filter cannot be parsed.
    pub fn opening(mut self, filter: &str) -> Result<Self, Mistake> {
        self.read.games.openings.push(filter.parse()?);
        Ok(self)
    }

    /// Sets the condition on the starting position of games.
    #[must_use]
    pub fn start(mut self, start: Start) -> Self {
        self.read.games.start = start;
        self
    }

    /// Selects the other games instead: those that do not pass all filters.
    #[must_use]
    pub fn invert(mut self, invert: bool) -> Self {
        self.read.invert = invert;
        self
    }

    /// Writes the games anew in the export format of the PGN standard, instead of copying them byte for byte: see
    /// [`export`](crate::export). Moves are played, and errors in them are reported. [`ReadOptions::on_error`] decides what is written of a
    /// game with an error. A game without a usable starting position is left out.
    #[must_use]
    pub fn export(self, options: ExportOptions) -> Self {
        Self { export: Some(options), ..self }
    }

    /// Sets which games are read, and how their text is interpreted. This replaces all filters that were set before.
    #[must_use]
    pub fn read_options(self, read: ReadOptions) -> Self {
        Self { read, ..self }
    }

    /// Sets the number of threads. The default, 0, means one thread for each core.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Begins to write to `out`, and returns a job that reads files one after another.
    pub fn begin<'w, W: Write + Send + 'w>(&self, out: W) -> Writing<'w, W> {
        if let Some(options) = &self.export {
            let make = WrittenGames(Exporter::new(options.clone()));
            return Writing::new(Walk::new(make, Bind::new(out), self.read.clone()));
        }
        let takes_unusable = self.read.invert || self.read.games.start == Start::Any;
        Writing::new(Walk::new(GameCopies { takes_unusable }, Bind::new(out), self.read.clone()))
    }

    /// Reads databases and writes their games to `out`. Returns the writer, and the totals of what was read.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or the output cannot be written.
    pub fn write<W: Write + Send>(
        &self,
        inputs: impl IntoIterator<Item: Into<Input>>,
        out: W,
    ) -> Result<(W, Totals), RowsError> {
        self.write_with(inputs, out, &mut ())
    }

    /// Reads databases and writes to `out` like [`write`](Self::write), and reports problems in the databases to a listener.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or the output cannot be written.
    pub fn write_with<W: Write + Send>(
        &self,
        inputs: impl IntoIterator<Item: Into<Input>>,
        out: W,
        listener: &mut dyn Listener,
    ) -> Result<(W, Totals), RowsError> {
        self.begin(out).read_all(self.threads, inputs, listener)
    }
}
