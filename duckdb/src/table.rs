//! Tables that are made row by row.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use pgn2fen_games::walk::{Background, ResultSender};
use pgn2fen_rows::RowBatches;
pub(crate) use pgn2fen_rows::RowValue as Cell;

use crate::door::Scan;

/// The rows of a record batch.
const BATCH_ROWS: usize = 2048;

/// The most record batches that wait until DuckDB takes them.
const WAITING: usize = 4;

/// The result of a job: rows, or the error of the query.
type Item = Result<RecordBatch, String>;

/// A table that a background job makes row by row.
pub(crate) struct TableWriter {
    rows: RowBatches,
    /// The numbers of the columns that are wanted.
    wanted: Vec<usize>,
    sender: ResultSender<Item>,
    /// Whether nobody wants more rows.
    is_over: bool,
}

impl TableWriter {
    /// Adds a row, which has a value for each column of the schema.
    pub(crate) fn push<'v>(&mut self, row: impl IntoIterator<Item = Cell<'v>>) -> Result<(), String> {
        if self.rows.push(row) == BATCH_ROWS { self.send() } else { Ok(()) }
    }

    /// Whether nobody wants more rows.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    fn send(&mut self) -> Result<(), String> {
        let projected = |batch: RecordBatch| batch.project(&self.wanted);
        let batch = self.rows.end().and_then(|batch| batch.map(projected).transpose());
        if let Some(batch) = batch.map_err(|error| error.to_string())? {
            self.is_over |= self.sender.send(Ok(batch)).is_break();
        }
        Ok(())
    }
}

/// Rows that a background job makes.
pub(crate) struct Written(Mutex<Background<Item>>);

impl Written {
    /// Starts a job, which adds rows to the table. Its error is that of the query. Of the rows, only some columns are
    /// wanted.
    pub(crate) fn start(
        schema: SchemaRef,
        wanted: &[usize],
        work: impl FnOnce(&mut TableWriter, &ResultSender<Item>) -> Result<(), String> + Send + 'static,
    ) -> Result<Arc<dyn Scan>, String> {
        let wanted = if wanted.is_empty() { vec![0] } else { wanted.to_vec() };
        let work = move |sender: &ResultSender<Item>| {
            let rows = RowBatches::new(schema);
            let mut table = TableWriter { rows, wanted, sender: sender.clone(), is_over: false };
            if let Err(error) = work(&mut table, sender).and_then(|()| table.send()) {
                // The query may have ended.
                let _ = sender.send(Err(error));
            }
        };
        let started = Background::start(WAITING, work).map_err(|error| error.to_string())?;
        Ok(Arc::new(Self(Mutex::new(started))))
    }
}

impl Scan for Written {
    fn next(&self) -> Result<Option<RecordBatch>, String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next().transpose()
    }

    fn threads(&self) -> usize {
        1
    }
}
