//! An iterator of Arrow record batches.

use std::fmt;
use std::ops::ControlFlow;
use std::task::Poll;
use std::time::Duration;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::columns::Columns;
use crate::encode::encoded::{Encoded, EncodedRows};
use crate::encode::formats::arrow::{self, Batches};
use crate::error::{RowsError, WriteError};
use crate::jobs::builder::Rows;
use crate::jobs::output::RowOutput;
use crate::jobs::position_rows::PositionRows;
use crate::jobs::take::Take;
use crate::jobs::writing::Close as _;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{Background, GameTask, Input, LeftOut, Listener, ReadChoice, ResultSender, Walk};

/// The most record batches that wait in the channel until the caller takes them.
const WAITING: usize = 2;

/// Defines the methods of a builder that make record batches, with the documentation of the first. The builder has the
/// method `batching`, which returns the task of the job and its options.
macro_rules! batch_methods {
    ($(#[$documentation:meta])*) => {
        $(#[$documentation])*
        pub fn batches<I>(&self, inputs: I) -> Result<$crate::RecordBatches, $crate::RowsError>
        where
            I: IntoIterator<Item: Into<pgn2fen_games::walk::Input>, IntoIter: Send + 'static>,
        {
            self.batches_with(inputs, ())
        }

        /// Reads databases like [`batches`](Self::batches), and reports problems in the databases and progress to a
        /// listener. The listener moves to the thread that reads. It is called while the caller waits for batches or
        /// works on them, and for the last time before the iterator ends. The iterator ends early if
        /// [`progress`](pgn2fen_games::walk::Listener::progress) breaks.
        ///
        /// # Errors
        ///
        /// The threads cannot be started. The error of a file that cannot be read comes as an item of the iterator.
        pub fn batches_with<I>(
            &self,
            inputs: I,
            listener: impl pgn2fen_games::walk::Listener + 'static,
        ) -> Result<$crate::RecordBatches, $crate::RowsError>
        where
            I: IntoIterator<Item: Into<pgn2fen_games::walk::Input>, IntoIter: Send + 'static>,
        {
            let (task, batching) = self.batching();
            batching.start(task, inputs, listener)
        }

        /// Returns the schema of the record batches: the names and types of the columns.
        pub fn schema(&self) -> arrow_schema::SchemaRef {
            self.batching().1.schema()
        }
    };
}
pub(crate) use batch_methods;

impl Rows {
    batch_methods! {
        /// Reads databases on background threads and returns their rows as an iterator of record batches. The format
        /// that was set is ignored. If no columns were set, there is one column, `fen`.
        ///
        /// A batch has at most 16,384 rows, or the number set by [`group`](Rows::group). The threads read only a few
        /// batches ahead. They stop when the iterator is dropped.
        ///
        /// ```
        /// use pgn2fen_games::database::Database;
        /// use pgn2fen_rows::Rows;
        ///
        /// let games = Database::from(b"1. e4 e5 1-0\n".repeat(1000));
        /// let mut rows = 0;
        /// for batch in Rows::columns("key,game,ply")?.batches([games])? {
        ///     let batch = batch?;
        ///     assert_eq!(batch.schema().fields().len(), 3);
        ///     rows += batch.num_rows();
        /// }
        /// assert_eq!(rows, 3000);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        ///
        /// # Errors
        ///
        /// The threads cannot be started. The error of a file that cannot be read comes as an item of the iterator.
    }

    fn batching(&self) -> (PositionRows, Batching) {
        let columns = self.block_columns();
        let task = PositionRows::new(columns.clone(), self.style, self.position_choice(), None);
        (task, Batching { columns, group: self.group, is_held: false, read: self.read.clone() })
    }
}

/// The options of a job that makes record batches.
pub(crate) struct Batching {
    pub(crate) columns: Columns,
    /// The most rows of a batch. None for the usual number.
    pub(crate) group: Option<usize>,
    /// Whether all rows are kept in memory until the number of games for each row is known.
    pub(crate) is_held: bool,
    pub(crate) read: ReadChoice,
}

impl Batching {
    pub(crate) fn schema(&self) -> SchemaRef {
        arrow::schema(&self.columns)
    }

    /// Starts to read the inputs on background threads.
    pub(crate) fn start<M, I>(
        self,
        make: M,
        inputs: I,
        mut listener: impl Listener + 'static,
    ) -> Result<RecordBatches, RowsError>
    where
        M: GameTask<BlockResult = EncodedRows> + Send + 'static,
        I: IntoIterator<Item: Into<Input>, IntoIter: Send + 'static>,
    {
        let schema = self.schema();
        let Self { columns, group, is_held, read } = self;
        let workers = Workers::new(read.threads)?;
        let format = Box::new(Batches(SchemaRef::clone(&schema)));
        let inputs = inputs.into_iter();
        let work = move |outlet: &ResultSender<Batch>| {
            let sending = Sending { outlet: outlet.clone(), is_over: false };
            let output = RowOutput::new(columns, format, group, None, sending).held(is_held);
            let mut walk = Walk::new(make, output, read.options());
            let read = outlet.read_all(&mut walk, &workers, inputs, &mut listener);
            let (output, counts) = walk.end();
            // A channel takes all that is sent.
            let _ = Box::new(output).close(&counts);
            if let Err(error) = read {
                // The iterator may have been dropped.
                let _ = outlet.send(Err(error.into()));
            }
        };
        let batches = Background::start(WAITING, work).map_err(RowsError::Thread)?;
        Ok(RecordBatches { schema, batches })
    }
}

type Batch = Result<RecordBatch, RowsError>;

/// An iterator of record batches, in the order of the databases: see [`Rows::batches`].
///
/// If it is dropped, its threads end with the blocks that they are reading, and the drop waits for them.
pub struct RecordBatches {
    schema: SchemaRef,
    batches: Background<Batch>,
}

impl fmt::Debug for RecordBatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordBatches").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl RecordBatches {
    /// Returns the schema: the names and types of the columns.
    pub fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }

    /// Waits for the next batch, but not longer than `timeout`. Returns `Pending` if there is none by then, and
    /// `Ready(None)` after the last batch. So a caller can look for interrupts while it waits.
    ///
    /// ```
    /// use std::task::Poll;
    /// use std::time::Duration;
    ///
    /// use pgn2fen_games::database::Database;
    /// use pgn2fen_rows::Rows;
    ///
    /// let mut batches = Rows::new().batches([Database::from(b"1. e4 *".to_vec())])?;
    /// let batch = loop {
    ///     match batches.next_within(Duration::from_millis(100)) {
    ///         Poll::Ready(batch) => break batch,
    ///         Poll::Pending => { /* Has the user pressed Ctrl-C? */ }
    ///     }
    /// };
    /// assert_eq!(batch.expect("there are rows")?.num_rows(), 2);
    /// # Ok::<(), pgn2fen_rows::RowsError>(())
    /// ```
    pub fn next_within(&mut self, timeout: Duration) -> Poll<Option<Result<RecordBatch, RowsError>>> {
        self.batches.next_within(timeout)
    }
}

impl Iterator for RecordBatches {
    type Item = Result<RecordBatch, RowsError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.next()
    }
}

/// Sends record batches to another thread.
struct Sending {
    outlet: ResultSender<Batch>,
    /// Whether the receiver has been dropped.
    is_over: bool,
}

impl Take for Sending {
    fn take(&mut self, encoded: &mut Encoded) -> ControlFlow<()> {
        let failure = encoded.failure.take().map(|error| Err(RowsError::Write(WriteError::Encode(error))));
        let mut batches = encoded.record_batches.drain(..).map(Ok).chain(failure);
        let flow = batches.try_for_each(|batch| self.outlet.send(batch));
        self.is_over |= flow.is_break();
        flow
    }

    fn is_full(&self) -> bool {
        self.is_over
    }

    fn end(self: Box<Self>) -> Result<LeftOut, WriteError> {
        Ok(LeftOut::default())
    }
}

#[cfg(test)]
mod tests {
    use std::task::Poll;
    use std::time::Duration;

    use arrow_array::cast::AsArray;
    use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type};
    use arrow_array::{Array, RecordBatch};

    use crate::starts::Starts;
    use crate::testing::games;
    use crate::{Columns, GameRows, Rows};

    const GAMES: &str = "[White \"Tal\"]\n[WhiteElo \"2700\"]\n[Date \"1960.03.15\"]\n\n\
        1. e4 {[%clk 0:01:00]} e5 $1 *\n\n[White \"\"]\n\n1. d4 *\n\n";

    /// Returns the texts of a column of all batches; a missing one as `-`.
    fn texts(batches: &[RecordBatch], column: usize) -> String {
        let of = |batch: &RecordBatch| {
            batch
                .column(column)
                .as_string::<i32>()
                .iter()
                .map(|text| text.unwrap_or("-").to_owned())
                .collect::<Vec<_>>()
        };
        batches.iter().flat_map(of).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn batches_have_the_rows_of_the_games() {
        let rows = Rows::columns("san,ply,game,White,WhiteElo,Date,clk,nags").unwrap();
        let batches: Vec<RecordBatch> = rows.batches(games(GAMES)).unwrap().map(Result::unwrap).collect();
        assert_eq!(batches.len(), 1);
        assert_eq!(rows.schema(), batches[0].schema());
        assert_eq!(texts(&batches, 0), "- e4 e5 - d4");
        assert_eq!(texts(&batches, 3), "Tal Tal Tal - -");
        let batch = &batches[0];
        assert_eq!(batch.column(1).as_primitive::<Int32Type>().values(), &[0, 1, 2, 0, 1]);
        assert_eq!(batch.column(2).as_primitive::<Int64Type>().values(), &[1, 1, 1, 2, 2]);
        let elo: Vec<Option<i32>> = batch.column(4).as_primitive::<Int32Type>().iter().collect();
        assert_eq!(elo, [Some(2700), Some(2700), Some(2700), None, None]);
        let date: Vec<Option<i32>> = batch.column(5).as_primitive::<Date32Type>().iter().collect();
        assert_eq!(date, [Some(-3579), Some(-3579), Some(-3579), None, None]);
        let clk: Vec<Option<f64>> = batch.column(6).as_primitive::<Float64Type>().iter().collect();
        assert_eq!(clk, [None, Some(60.0), None, None, None]);
        assert_eq!(batch.column(7).null_count(), 4);
        // A column without a missing text has no bits for them.
        let turns = Rows::columns("turn").unwrap().batches(games(GAMES)).unwrap().next().unwrap().unwrap();
        assert!(turns.column(0).nulls().is_none());
    }

    #[test]
    fn batches_have_a_number_of_rows() {
        let sizes = |rows: &Rows| {
            let batches = rows.batches(games(GAMES)).unwrap();
            batches.map(|batch| batch.unwrap().num_rows()).collect::<Vec<_>>()
        };
        let rows = Rows::columns("fen,White").unwrap();
        assert_eq!(sizes(&rows.clone().group(2)), [2, 2, 1]);
        assert_eq!(sizes(&rows.clone().group(2).unique(true)), [2, 2]);
        assert_eq!(sizes(&rows.plies("9").unwrap()), [0; 0]);
        let games_of = GameRows::columns("moves,White").unwrap().group(1).batches(games(GAMES)).unwrap();
        assert_eq!(games_of.map(|batch| batch.unwrap().num_rows()).collect::<Vec<_>>(), [1, 1]);
        let starts = Starts::columns(Columns::of_starts("fen,count").unwrap());
        let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n*\n\n".repeat(3);
        let batches: Vec<RecordBatch> = starts.batches(games(&text)).unwrap().map(Result::unwrap).collect();
        assert_eq!(batches[0].column(1).as_primitive::<Int64Type>().values(), &[3]);
    }

    #[test]
    fn a_batch_is_waited_for() {
        let mut batches = Rows::columns("ply").unwrap().batches(games(GAMES)).unwrap();
        assert_eq!(batches.schema().field(0).name(), "ply");
        let mut next = || loop {
            match batches.next_within(Duration::from_secs(1)) {
                Poll::Ready(batch) => break batch.map(|batch| batch.unwrap().num_rows()),
                Poll::Pending => {}
            }
        };
        assert_eq!((next(), next()), (Some(5), None));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error_of_the_iterator() {
        let mut batches = Rows::new().batches(["/no such file.pgn"]).unwrap();
        assert!(batches.next().is_some_and(|batch| batch.is_err()));
        assert!(batches.next().is_none());
        // Threads end if nothing is taken.
        drop(Rows::new().group(1).batches(games(&GAMES.repeat(100))).unwrap());
    }
}
