//! Outputs that write to a file, a pipe or any other `Write`.

use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use crate::boards::BoardOptions;
use crate::collect::Collector;
use crate::columns::Columns;
use crate::encode::{Assemble, Encode, OpenFormat};
use crate::encoded::{Encoded, EncodedRows};
use crate::encoder::Encoder;
use crate::error::{ExportError, WriteError};
use crate::formats::open;
use crate::shape::Shape;
use crate::writing::Close;
use pgn2fen_games::walk::{LeftOut, Output, OutputStages};

/// A writer that keeps its first error and ignores everything after it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Sink<W> {
    writer: W,
    failure: Option<WriteError>,
}

impl<W: Write> Sink<W> {
    pub fn new(writer: W) -> Self {
        Self { writer, failure: None }
    }

    pub fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if self.failure.is_none() {
            self.failure = self.writer.write_all(bytes).err().map(WriteError::Io);
        }
        if self.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn fail(&mut self, error: ExportError) -> ControlFlow<()> {
        self.failure.get_or_insert(WriteError::Encode(error));
        ControlFlow::Break(())
    }

    pub fn is_full(&self) -> bool {
        self.failure.is_some()
    }

    /// Returns the writer, or the first error.
    pub fn end(self) -> Result<W, WriteError> {
        self.failure.map_or(Ok(self.writer), Err)
    }
}

/// Writes bytes that need no encoding.
#[derive(Debug)]
pub(crate) struct Print<W>(Sink<W>);

impl<W: Write> Print<W> {
    pub(crate) fn new(writer: W) -> Self {
        Self(Sink::new(writer))
    }
}

impl<W: Write + Send> Close for Print<W> {
    type Writer = W;

    fn close(self, _: &[u64]) -> Result<(W, LeftOut), WriteError> {
        Ok((self.0.end()?, LeftOut::default()))
    }
}

impl<M: AsRef<[u8]>, W: Write + Send> Output<M> for Print<W> {
    fn stages(&mut self) -> OutputStages<'_, M> {
        OutputStages::deliver(|made: &mut M| self.0.write(made.as_ref()))
    }

    fn is_full(&self) -> bool {
        self.0.is_full()
    }
}

/// Takes encoded rows, in their order.
pub(crate) trait Take: Send {
    /// Takes rows. Breaks if it takes no more.
    fn take(&mut self, encoded: &mut Encoded) -> ControlFlow<()>;

    /// Whether it takes no more.
    fn is_full(&self) -> bool;
}

/// Collects rows into groups, encodes them, and passes them on.
pub(crate) struct RowOutput<T> {
    collector: Collector,
    encoder: Encoder,
    taker: T,
}

impl<T> fmt::Debug for RowOutput<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowOutput").field("columns", &self.encoder.columns).finish_non_exhaustive()
    }
}

impl<T: Take> RowOutput<T> {
    /// Begins to encode rows with these columns. A group has at most `most_rows` rows; `None` means the usual number of
    /// the format. All rows but the first `room` are dropped.
    pub(crate) fn new(
        columns: Columns,
        format: Box<dyn Encode>,
        most_rows: Option<usize>,
        room: Option<u64>,
        taker: T,
    ) -> Self {
        let collector = Collector::new(&columns, format.division().with_rows(most_rows), room);
        Self { collector, encoder: Encoder { columns, format }, taker }
    }

    /// Keeps all rows in memory until the number of games for each row is known, if `is_held`. Memory grows with the
    /// number of rows.
    #[must_use]
    pub(crate) fn held(self, is_held: bool) -> Self {
        Self { collector: self.collector.held(is_held), ..self }
    }

    /// Returns the columns of the rows.
    pub(crate) fn columns(&self) -> &Columns {
        &self.encoder.columns
    }

    /// Passes on the rows that were held, and the last rows, which did not fill a group. `counts` has the number of
    /// occurrences of each row that was held.
    pub(crate) fn end(self, counts: &[u64]) -> T {
        let Self { mut collector, encoder, mut taker } = self;
        collector.count(counts);
        let mut groups = Vec::new();
        collector.end(&mut groups);
        if !taker.is_full() {
            // The taker keeps an error.
            let _ = encoder.deliver(&mut EncodedRows { groups, ..EncodedRows::default() }, |rows| taker.take(rows));
        }
        taker
    }
}

impl<T: Take> Output<EncodedRows> for RowOutput<T> {
    fn begin_file(&mut self, path: &Path) {
        self.collector.begin_file(&path.display().to_string());
    }

    fn stages(&mut self) -> OutputStages<'_, EncodedRows> {
        let Self { collector, encoder, taker } = self;
        let encoder = &*encoder;
        OutputStages::deliver(|made| encoder.deliver(made, |rows| taker.take(rows)))
            .order(|made, position| collector.collect(made, position))
            .encode(|made| encoder.encode(made))
    }

    fn is_full(&self) -> bool {
        self.taker.is_full()
    }
}

/// Joins encoded rows in order and writes them.
pub(crate) struct OrderedWriter<W> {
    assemble: Box<dyn Assemble>,
    left_out: LeftOut,
    sink: Sink<W>,
}

/// Begins to write rows with these columns, or a page of boards with these options.
///
/// # Errors
///
/// The format cannot have these columns.
pub(crate) fn export<W: Write + Send>(
    shape: &Shape,
    columns: &Columns,
    boards: &BoardOptions,
    most_rows: Option<usize>,
    writer: W,
) -> Result<RowOutput<OrderedWriter<W>>, ExportError> {
    let OpenFormat { encode, assemble } = open(shape, columns, boards)?;
    let most = boards.max_boards.filter(|_| shape.format.has_boards());
    let mut sink = Sink::new(writer);
    // The sink keeps an error for later.
    let _ = sink.write(assemble.head());
    let taker = OrderedWriter { assemble, left_out: LeftOut::default(), sink };
    Ok(RowOutput::new(columns.clone(), encode, most_rows, most, taker))
}

impl<W: Write + Send> Take for OrderedWriter<W> {
    fn take(&mut self, encoded: &mut Encoded) -> ControlFlow<()> {
        self.left_out += encoded.left_out;
        if let Some(failure) = encoded.failure.take() {
            return self.sink.fail(failure);
        }
        let Self { assemble, sink, .. } = self;
        // The sink keeps an error, and then writes nothing more.
        let write = &mut |bytes: &[u8]| {
            let _ = sink.write(bytes);
        };
        match assemble.assemble(encoded, write) {
            Ok(()) if sink.is_full() => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => sink.fail(error),
        }
    }

    fn is_full(&self) -> bool {
        self.sink.is_full()
    }
}

impl<W: Write + Send> Close for RowOutput<OrderedWriter<W>> {
    type Writer = W;

    fn close(self, counts: &[u64]) -> Result<(W, LeftOut), WriteError> {
        let OrderedWriter { assemble, left_out, mut sink } = self.end(counts);
        let _ = match assemble.end() {
            Ok(bytes) => sink.write(&bytes),
            Err(error) => sink.fail(error),
        };
        Ok((sink.end()?, left_out))
    }
}
