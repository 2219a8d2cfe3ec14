//! Outputs that write copies in another order, or to several files.

use std::io::{BufWriter, Write};
use std::ops::ControlFlow;

use crate::games::copying::Copied;
use crate::games::spool::Spool;
use crate::{Close, WriteError};
use pgn2fen_games::walk::{LeftOut, Output, OutputStages};

/// The last stage of an output: takes one copy after another.
pub(super) trait Route: Send {
    type Writer;

    /// Writes a copy to the file with this name.
    fn put(&mut self, place: &[u8], text: &[u8]) -> Result<(), WriteError>;

    /// Writes the rest, and returns the writer.
    fn end(self) -> Result<Self::Writer, WriteError>;
}

/// Writes copies by their labels.
#[derive(Debug)]
pub(super) struct Arranged<R> {
    /// The copies, until all are known; None if they are written in the order in which they come.
    spool: Option<Spool>,
    route: R,
    failure: Option<WriteError>,
}

impl<R: Route> Arranged<R> {
    pub(super) fn new(spool: Option<Spool>, route: R) -> Self {
        Self { spool, route, failure: None }
    }

    fn take(&mut self, made: &Copied) -> ControlFlow<()> {
        for (text, (key, place)) in made.labelled() {
            let taken = match &mut self.spool {
                Some(spool) => spool.push(key, place, text).map_err(WriteError::Io),
                None => self.route.put(place, text),
            };
            if let Err(error) = taken {
                self.failure = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

impl<R: Route> Close for Arranged<R> {
    type Writer = R::Writer;

    fn close(self, _: &[u64]) -> Result<(R::Writer, LeftOut), WriteError> {
        let Self { spool, mut route, failure } = self;
        if let Some(failure) = failure {
            return Err(failure);
        }
        if let Some(spool) = spool {
            spool.drain(|place, text| route.put(place, text))?;
        }
        Ok((route.end()?, LeftOut::default()))
    }
}

impl<R: Route> Output<Copied> for Arranged<R> {
    fn stages(&mut self) -> OutputStages<'_, Copied> {
        OutputStages::deliver(|made| self.take(made))
    }

    fn is_full(&self) -> bool {
        self.failure.is_some()
    }
}

/// Writes all copies to one writer.
#[derive(Debug)]
pub(super) struct OneFile<W: Write>(BufWriter<W>);

impl<W: Write> OneFile<W> {
    pub(super) fn new(writer: W) -> Self {
        Self(BufWriter::with_capacity(1 << 16, writer))
    }
}

impl<W: Write + Send> Route for OneFile<W> {
    type Writer = W;

    fn put(&mut self, _: &[u8], text: &[u8]) -> Result<(), WriteError> {
        self.0.write_all(text).map_err(WriteError::Io)
    }

    fn end(self) -> Result<W, WriteError> {
        self.0.into_inner().map_err(|error| WriteError::Io(error.into_error()))
    }
}
