//! Rows of whole games as Arrow record batches.

use arrow_schema::SchemaRef;

use crate::batches::{Batching, RecordBatches, schema};
use crate::error::RowsError;
use crate::game_rows::GameRows;
use crate::whole_games::WholeGames;
use pgn2fen_games::walk::{Input, Listener};

impl GameRows {
    /// Reads databases on background threads and returns their games as an iterator of record batches. The format that
    /// was set is ignored.
    ///
    /// A batch has at most 8,192 rows, or the number set by [`group`](GameRows::group). The threads read only a few
    /// batches ahead. They stop when the iterator is dropped.
    ///
    /// ```
    /// use pgn2fen_games::database::Database;
    /// use pgn2fen_rows::GameRows;
    ///
    /// let games = Database::from(b"1. e4 e5 1-0\n".repeat(1000));
    /// let mut batches = GameRows::columns("moves,result")?.batches([games])?;
    /// let batch = batches.next().expect("there are games")?;
    /// assert_eq!((batch.num_rows(), batch.num_columns()), (1000, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The threads cannot be started. The error of a file that cannot be read comes as an item of the iterator.
    pub fn batches<I>(&self, inputs: I) -> Result<RecordBatches, RowsError>
    where
        I: IntoIterator<Item: Into<Input>, IntoIter: Send + 'static>,
    {
        self.batches_with(inputs, ())
    }

    /// Reads databases like [`batches`](Self::batches), and reports problems in the databases and progress to a
    /// listener: see [`Rows::batches_with`](crate::Rows::batches_with).
    ///
    /// # Errors
    ///
    /// The threads cannot be started. The error of a file that cannot be read comes as an item of the iterator.
    pub fn batches_with<I>(&self, inputs: I, listener: impl Listener + 'static) -> Result<RecordBatches, RowsError>
    where
        I: IntoIterator<Item: Into<Input>, IntoIter: Send + 'static>,
    {
        let columns = self.row_columns();
        let make = WholeGames { columns: columns.clone(), style: self.style };
        let group = Some(self.most_rows());
        let batching =
            Batching { columns, group, is_held: false, read: self.read.options(), threads: self.read.threads };
        batching.start(make, inputs, listener)
    }

    /// Returns the schema of the record batches: the names and types of the columns.
    pub fn schema(&self) -> SchemaRef {
        schema(&self.row_columns())
    }
}
