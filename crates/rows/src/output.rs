//! Outputs that write to a file, a pipe or any other `Write`.

use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use crate::boards::BoardOptions;
use crate::collect::Collector;
use crate::columns::Columns;
use crate::encode::{Assemble, OpenFormat};
use crate::encoded::{Encoded, EncodedRows};
use crate::encoder::Encoder;
use crate::error::{ExportError, WriteError};
use crate::formats::open;
use crate::shape::Shape;
use crate::writing::Close;
use pgn2fen_games::walk::LeftOut;
use pgn2fen_games::walk::{BlockPosition, Deliver, Output};

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
#[doc(hidden)]
#[derive(Debug)]
pub struct Print<W>(Sink<W>);

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
    fn stages(&mut self) -> (impl FnMut(&mut M, &BlockPosition<'_>) + Send, impl Fn(&mut M) + Sync, impl Deliver<M>) {
        (|_: &mut M, _: &BlockPosition<'_>| {}, |_: &mut M| {}, |made: &mut M| self.0.write(made.as_ref()))
    }

    fn is_full(&self) -> bool {
        self.0.is_full()
    }
}

/// Writes rows in a format.
#[doc(hidden)]
#[derive(Debug)]
pub struct Export<W> {
    collector: Collector,
    encoder: Encoder,
    press: OrderedWriter<W>,
}

/// Joins encoded rows in order and writes them.
struct OrderedWriter<W> {
    assemble: Box<dyn Assemble>,
    left_out: LeftOut,
    sink: Sink<W>,
}

impl<W: fmt::Debug> fmt::Debug for OrderedWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Press").field("sink", &self.sink).finish_non_exhaustive()
    }
}

impl<W: Write> OrderedWriter<W> {
    fn print(&mut self, encoded: &mut Encoded) -> ControlFlow<()> {
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
}

impl<W: Write> Export<W> {
    /// Begins to write rows with these columns, or a page of boards with these options. A group has at most `most_rows`
    /// rows; `None` means the usual number of the format.
    ///
    /// # Errors
    ///
    /// The format cannot have these columns.
    pub(crate) fn begin(
        shape: &Shape,
        columns: &Columns,
        boards: &BoardOptions,
        most_rows: Option<usize>,
        writer: W,
    ) -> Result<Self, ExportError> {
        let OpenFormat { encode, assemble } = open(shape, columns, boards)?;
        let division = encode.division().with_rows(most_rows);
        let most = boards.max_boards.filter(|_| shape.format.has_boards());
        let collector = Collector::new(columns, division).limited(most);
        let mut sink = Sink::new(writer);
        // The sink keeps an error for later.
        let _ = sink.write(assemble.head());
        let encoder = Encoder { columns: columns.clone(), format: encode };
        Ok(Self { collector, encoder, press: OrderedWriter { assemble, left_out: LeftOut::default(), sink } })
    }

    /// Keeps all rows in memory until the number of games for each row is known. Memory grows with the number of rows.
    #[must_use]
    pub(crate) fn held(self) -> Self {
        Self { collector: self.collector.held(), ..self }
    }
}

impl<W: Write + Send> Close for Export<W> {
    type Writer = W;

    fn close(self, counts: &[u64]) -> Result<(W, LeftOut), WriteError> {
        let Self { mut collector, encoder, mut press } = self;
        collector.count(counts);
        let mut groups = Vec::new();
        collector.end(&mut groups);
        // The sink keeps an error.
        let _ = encoder.deliver(&mut EncodedRows { groups, ..EncodedRows::default() }, |encoded| press.print(encoded));
        let OrderedWriter { assemble, left_out, mut sink } = press;
        let _ = match assemble.end() {
            Ok(bytes) => sink.write(&bytes),
            Err(error) => sink.fail(error),
        };
        Ok((sink.end()?, left_out))
    }
}

impl<W: Write + Send> Output<EncodedRows> for Export<W> {
    fn begin_file(&mut self, path: &Path) {
        self.collector.begin_file(&path.display().to_string());
    }

    fn stages(
        &mut self,
    ) -> (
        impl FnMut(&mut EncodedRows, &BlockPosition<'_>) + Send, // In order.
        impl Fn(&mut EncodedRows) + Sync,
        impl Deliver<EncodedRows>,
    ) {
        let Self { collector, encoder, press } = self;
        let collect = |made: &mut EncodedRows, stretch: &BlockPosition<'_>| collector.collect(made, stretch);
        let encode = |made: &mut EncodedRows| encoder.encode(made);
        let deliver = |made: &mut EncodedRows| encoder.deliver(made, |encoded| press.print(encoded));
        (collect, encode, deliver)
    }

    fn is_full(&self) -> bool {
        self.press.sink.is_full()
    }
}
