//! Starting positions as Arrow record batches.

use arrow_schema::SchemaRef;

use crate::starts::builder::Starts;
use crate::starts::start_rows::StartRows;
use crate::{Batching, Columns, RecordBatches, RowsError, schema};
use pgn2fen_games::walk::{Input, Listener};

impl Starts {
    /// Reads databases on background threads and returns their starting positions as an iterator of record batches. The
    /// format that was set is ignored. If no columns were set, they are those of [`Columns::starts`].
    ///
    /// A batch has at most 16,384 rows. If equal starting positions are [counted](Columns::has_count), all rows are
    /// held in memory until the last file has been read; otherwise the threads read only a few batches ahead. They stop
    /// when the iterator is dropped.
    ///
    /// ```
    /// use pgn2fen_games::database::Database;
    /// use pgn2fen_rows::Columns;
    /// use pgn2fen_rows::starts::Starts;
    ///
    /// let games = b"1. e4 * [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] 1. e4 *".repeat(2);
    /// let mut batches = Starts::columns(Columns::of_starts("count,kind,fen")?).batches([Database::from(games)])?;
    /// let batch = batches.next().expect("there is a starting position")?;
    /// assert_eq!((batch.num_rows(), batch.num_columns()), (1, 3));
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
        let columns = self.batch_columns();
        let is_held = self.is_held(&columns);
        let make = StartRows { listed: self.listed(), style: self.style, columns: columns.clone() };
        let batching =
            Batching { columns, group: None, is_held, read: self.read.options(), threads: self.read.threads };
        batching.start(make, inputs, listener)
    }

    /// Returns the schema of the record batches: the names and types of the columns.
    pub fn schema(&self) -> SchemaRef {
        schema(&self.batch_columns())
    }

    fn batch_columns(&self) -> Columns {
        self.list_columns().cloned().unwrap_or_else(Columns::starts)
    }
}
