//! A job that reads files and writes rows.

use std::fmt;
use std::path::Path;

use crate::error::{RowsError, WriteError};
use pgn2fen_games::job_methods;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::LeftOut;
use pgn2fen_games::walk::{GameTask, Input, Job, Listener, Output, OutputStages, ReadOptions, Totals, Walk, read_all};

/// A job that reads files one after another and writes rows or copies of games.
pub struct Writing<'w, W> {
    job: Box<dyn End + 'w>,
    give_back: Box<dyn FnOnce() -> W + 'w>,
}

/// An output that has something to write after the last file.
#[doc(hidden)]
pub trait Close<M>: Output<M> {
    /// Writes the rest of the output. Returns the numbers of rows that the format left out. `counts` has the number of
    /// occurrences of each position, if equal positions were counted.
    fn close(self: Box<Self>, counts: &[u64]) -> Result<LeftOut, WriteError>;
}

/// An output of any type.
pub(crate) type AnyOutput<'w, M> = Box<dyn Close<M> + 'w>;

impl<M> Output<M> for AnyOutput<'_, M> {
    fn begin_file(&mut self, path: &Path) {
        (**self).begin_file(path);
    }

    fn stages(&mut self) -> OutputStages<'_, M> {
        (**self).stages()
    }

    fn is_full(&self) -> bool {
        (**self).is_full()
    }
}

/// A job that has an end.
#[doc(hidden)]
pub trait End: Job {
    /// Writes the rest of the output, and returns the numbers of rows that the format left out.
    fn end(self: Box<Self>) -> Result<LeftOut, WriteError>;
}

impl<M: GameTask> End for Walk<M, AnyOutput<'_, M::BlockResult>> {
    fn end(self: Box<Self>) -> Result<LeftOut, WriteError> {
        let (output, counts) = (*self).end();
        output.close(&counts)
    }
}

/// Returns a walk with an output of any type, so that the walk is compiled once for each task.
pub(crate) fn walk<'w, M: GameTask>(
    make: M,
    output: impl Close<M::BlockResult> + 'w,
    read: ReadOptions,
) -> Walk<M, AnyOutput<'w, M::BlockResult>> {
    Walk::new(make, Box::new(output), read)
}

/// Returns a job that walks through files.
#[doc(hidden)]
pub fn job<'w, M: GameTask + 'w>(
    make: M,
    output: impl Close<M::BlockResult> + 'w,
    read: ReadOptions,
) -> Box<dyn End + 'w> {
    Box::new(walk(make, output, read))
}

impl<'w, W> Writing<'w, W> {
    /// Creates a job of another one. `give_back` returns the writer after the end of that one.
    #[doc(hidden)]
    pub fn new(job: Box<dyn End + 'w>, give_back: impl FnOnce() -> W + 'w) -> Self {
        Self { job, give_back: Box::new(give_back) }
    }

    /// Writes the rest of the output. Returns the writer and the numbers of rows that the format left out.
    ///
    /// # Errors
    ///
    /// The output could not be written, now or earlier.
    pub fn end(self) -> Result<(W, LeftOut), WriteError> {
        let left_out = self.job.end()?;
        Ok(((self.give_back)(), left_out))
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
    job_methods!(job);
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
