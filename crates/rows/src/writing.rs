//! A job that reads files and writes rows.

use std::fmt;
use std::io;
use std::path::Path;

use crate::error::{RowsError, WriteError};
use pgn2fen_games::database::Source;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::walk::LeftOut;
use pgn2fen_games::walk::{GameTask, Input, Job, Listener, Output, Totals, Walk, read_all};

/// A job that reads files one after another and writes rows or copies of games.
pub struct Writing<'w, W>(Box<dyn End<W> + 'w>);

/// An output that has something to write after the last file.
#[doc(hidden)]
pub trait Close {
    type Writer;

    /// Writes the rest of the output. Returns the writer and the numbers of rows that the format left out. `counts` has
    /// the number of occurrences of each position, if equal positions were counted.
    fn close(self, counts: &[u64]) -> Result<(Self::Writer, LeftOut), WriteError>;
}

trait End<W>: Job {
    fn end(self: Box<Self>) -> Result<(W, LeftOut), WriteError>;
}

impl<M: GameTask, O: Output<M::BlockResult> + Close> End<O::Writer> for Walk<M, O> {
    fn end(self: Box<Self>) -> Result<(O::Writer, LeftOut), WriteError> {
        let (output, counts) = (*self).end();
        output.close(&counts)
    }
}

impl<'w, W> Writing<'w, W> {
    #[doc(hidden)]
    pub fn new<M: GameTask + 'w, O: Output<M::BlockResult> + Close<Writer = W> + 'w>(walk: Walk<M, O>) -> Self {
        Self(Box::new(walk))
    }

    /// Writes the rest of the output. Returns the writer and the numbers of rows that the format left out.
    ///
    /// # Errors
    ///
    /// The output could not be written, now or earlier.
    pub fn end(self) -> Result<(W, LeftOut), WriteError> {
        self.0.end()
    }

    /// Reads databases on all cores, and ends. Returns the writer and the counts of what was read.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or the output cannot be written.
    pub fn read_all_of(self, inputs: impl IntoIterator<Item: Into<Input>>) -> Result<(W, Totals), RowsError> {
        self.read_all(0, inputs, &mut ())
    }

    /// Reads databases with a number of threads, and ends.
    pub(crate) fn read_all(
        mut self,
        threads: usize,
        inputs: impl IntoIterator<Item: Into<Input>>,
        listener: &mut dyn Listener,
    ) -> Result<(W, Totals), RowsError> {
        let workers = Workers::new(threads)?;
        read_all(&mut self, &workers, inputs, listener)?;
        let mut totals = self.totals();
        let writer;
        (writer, totals.left_out) = self.end()?;
        Ok((writer, totals))
    }
}

impl<W> fmt::Debug for Writing<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writing").field("totals", &self.totals()).finish_non_exhaustive()
    }
}

impl<W> Job for Writing<'_, W> {
    fn read(&mut self, workers: &Workers, path: &Path, source: Source, listener: &mut dyn Listener) -> io::Result<()> {
        self.0.read(workers, path, source, listener)
    }

    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    fn totals(&self) -> Totals {
        self.0.totals()
    }

    fn encoding(&self) -> Option<Label> {
        self.0.encoding()
    }

    fn movetext(&self) -> Option<&str> {
        self.0.movetext()
    }
}

/// Defines the methods of a builder that write to an output. The builder has the method `begin`, and a field `read` of
/// the type `ReadChoice`. `?` stands behind calls of `begin` that may fail.
macro_rules! write_methods {
    ($($question:tt)?) => {
        /// Reads databases and writes what was chosen of them to `out`. Returns the writer, and the totals of what was
        /// read.
        ///
        /// # Errors
        ///
        /// A file cannot be read, the output cannot be written, or the format cannot have the columns.
        pub fn write<W: std::io::Write + Send>(
            &self,
            inputs: impl IntoIterator<Item: Into<pgn2fen_games::walk::Input>>,
            out: W,
        ) -> Result<(W, pgn2fen_games::walk::Totals), $crate::RowsError> {
            self.write_with(inputs, out, &mut ())
        }

        /// Reads databases and writes like [`write`](Self::write), and reports problems in the databases to a listener.
        ///
        /// # Errors
        ///
        /// A file cannot be read, the output cannot be written, or the format cannot have the columns.
        pub fn write_with<W: std::io::Write + Send>(
            &self,
            inputs: impl IntoIterator<Item: Into<pgn2fen_games::walk::Input>>,
            out: W,
            listener: &mut dyn pgn2fen_games::walk::Listener,
        ) -> Result<(W, pgn2fen_games::walk::Totals), $crate::RowsError> {
            self.begin(out)$($question)?.read_all(self.read.threads, inputs, listener)
        }
    };
}
pub(crate) use write_methods;
