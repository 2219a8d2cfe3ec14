//! An iterator of Arrow record batches.

use std::fmt;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::parallel::Workers;
use crate::rows::builder::Rows;
use crate::rows::collect::Collector;
use crate::rows::column::Columns;
use crate::rows::encode::Encode;
use crate::rows::encoded::EncodedRows;
use crate::rows::encoder::Encoder;
use crate::rows::error::{RowsError, WriteError};
use crate::rows::formats::arrow::{self, Batches};
use crate::rows::make::PositionRows;
use crate::walk::{Deliver, Input, Output, Stretch, Walk, read_all};

/// The most record batches that wait in the channel until the caller takes them.
const WAITING: usize = 2;

impl Rows {
    /// Reads databases on background threads and returns their rows as an iterator of record batches. The format that was set is ignored.
    /// If no columns were set, there is one column, `fen`.
    ///
    /// A batch has at most 16,384 rows, or the number set by [`group`](Rows::group). The threads read only a few batches ahead. They stop
    /// when the iterator is dropped.
    ///
    /// ```
    /// use pgn2fen::database::Database;
    /// use pgn2fen::rows::Rows;
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
    pub fn batches<I>(&self, inputs: I) -> Result<RecordBatches, RowsError>
    where
        I: IntoIterator<Item: Into<Input>, IntoIter: Send + 'static>,
    {
        let columns = self.shape.columns.clone().unwrap_or_else(|| Columns::new([crate::rows::Column::Fen]));
        let schema = arrow::schema(&columns);
        let workers = Workers::new(self.threads)?;
        let format = Box::new(Batches(SchemaRef::clone(&schema)));
        let rows = format.most_rows().map(|usual| self.group.unwrap_or(usual));
        let (sender, receiver) = sync_channel(WAITING);
        let output = Sending {
            collector: Collector::new(&columns, rows),
            encoder: Encoder { columns: columns.clone(), format },
            sender: sender.clone(),
            is_over: false,
        };
        let make = PositionRows { columns, style: self.style, positions: self.positions };
        let mut walk = Walk::new(make, output, self.read.clone());
        let inputs = inputs.into_iter();
        let work = move || {
            let read = read_all(&mut walk, &workers, inputs, &mut ());
            let (output, _) = walk.end();
            output.end();
            if let Err(error) = read {
                // The iterator may have been dropped.
                let _ = sender.send(Err(error.into()));
            }
        };
        let thread = thread::Builder::new().spawn(work).map_err(RowsError::Thread)?;
        Ok(RecordBatches { schema, receiver: Some(receiver), thread: Some(thread) })
    }
}

/// An iterator of record batches, in the order of the databases: see [`Rows::batches`].
pub struct RecordBatches {
    schema: SchemaRef,
    receiver: Option<Receiver<Result<RecordBatch, RowsError>>>,
    thread: Option<JoinHandle<()>>,
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
}

impl Iterator for RecordBatches {
    type Item = Result<RecordBatch, RowsError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.receiver.as_ref()?.recv().ok();
        if next.is_none() {
            self.receiver = None;
            if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
                resume_unwind(panic);
            }
        }
        next
    }
}

impl Drop for RecordBatches {
    fn drop(&mut self) {
        // Closing the channel makes the thread end.
        self.receiver = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The output of a job that sends record batches through a channel.
struct Sending {
    collector: Collector,
    encoder: Encoder,
    sender: SyncSender<Result<RecordBatch, RowsError>>,
    /// Whether the receiver has been dropped.
    is_over: bool,
}

fn send(rows: &mut EncodedRows, sender: &SyncSender<Result<RecordBatch, RowsError>>) -> ControlFlow<()> {
    let failure = rows.encoded.failure.take().map(|error| Err(RowsError::Write(WriteError::Encode(error))));
    let mut batches = rows.encoded.record_batches.drain(..).map(Ok).chain(failure);
    if batches.all(|batch| sender.send(batch).is_ok()) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

impl Sending {
    /// Sends the last rows, which did not fill a batch.
    fn end(self) {
        let Self { collector, encoder, sender, is_over } = self;
        if !is_over {
            let mut last = EncodedRows::default();
            collector.end(&mut last.groups);
            encoder.encode(&mut last);
            // The iterator may have been dropped.
            let _ = send(&mut last, &sender);
        }
    }
}

impl Output<EncodedRows> for Sending {
    fn begin_file(&mut self, path: &Path) {
        self.collector.begin_file(&path.display().to_string());
    }

    fn stages(
        &mut self,
    ) -> (impl FnMut(&mut EncodedRows, &Stretch<'_>) + Send, impl Fn(&mut EncodedRows) + Sync, impl Deliver<EncodedRows>)
    {
        let Self { collector, encoder, sender, is_over } = self;
        let collect = |made: &mut EncodedRows, stretch: &Stretch<'_>| {
            collector.collect(&mut made.table, stretch, &mut made.groups);
        };
        let deliver = |made: &mut EncodedRows| {
            let flow = send(made, sender);
            *is_over |= flow.is_break();
            flow
        };
        (collect, |made: &mut EncodedRows| encoder.encode(made), deliver)
    }

    fn is_full(&self) -> bool {
        self.is_over
    }
}
