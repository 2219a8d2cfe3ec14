//! What the stages of a walk need to print positions, and the last of them, which does.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result};
use pgn2fen::database::Source;
use pgn2fen::positions::Batch;
use pgn2fen::rows::export::{Assembler, Collector, Encoder, ExportError, Product, begin};
use pgn2fen::rows::{Columns, LeftOut, Shape};

use crate::cli::output::Output;
use crate::cli::walk::{Collect, Deliver, Order, Sink};

/// What the stages need. Rows are collected, encoded and assembled; lines of FEN are printed as they are.
pub(crate) struct Printer {
    pub(crate) collector: Option<Collector>,
    encoder: Option<Encoder>,
    press: Press,
}

/// What prints.
struct Press {
    /// None where nothing is printed.
    output: Option<Output>,
    assembler: Option<Assembler>,
    left_out: LeftOut,
    stop: Option<Stop>,
}

/// Why nothing more can be printed.
enum Stop {
    /// Nobody reads on.
    ClosedPipe,
    CannotWrite(io::Error),
    CannotEncode(ExportError),
}

/// How it ended.
pub(crate) enum End {
    Printed,
    /// Nobody read to the end.
    ClosedPipe,
    /// What is to be said of it.
    Failed(String),
}

impl Printer {
    /// Prints nothing.
    pub(crate) fn none() -> Self {
        let press = Press { output: None, assembler: None, left_out: LeftOut::default(), stop: None };
        Self { collector: None, encoder: None, press }
    }

    /// Whether somebody may look at what is printed while it is.
    pub(crate) fn is_terminal(&self) -> bool {
        self.press.output.as_ref().is_some_and(Output::is_terminal)
    }

    /// Begins to print: lines of FEN, or rows with these columns.
    pub(crate) fn begin(output: Output, shape: &Shape, columns: Option<&Columns>) -> Result<Self> {
        let mut press = Press { output: Some(output), ..Self::none().press };
        let Some(columns) = columns else {
            return Ok(Self { press, ..Self::none() });
        };
        let (collector, encoder, assembler) =
            begin(shape.format, columns, shape.no_header).context("cannot begin the output")?;
        press.write(assembler.head());
        press.assembler = Some(assembler);
        Ok(Self { collector: Some(collector), encoder: Some(encoder), press })
    }

    /// Prints what is left when all has been put in order and collected.
    pub(crate) fn print_last(&mut self, in_order: impl Order) {
        self.press.write(in_order.end(self.collector.as_mut()));
        if let (Some(collector), Some(encoder)) = (self.collector.take(), &self.encoder) {
            let mut last = Product::default();
            collector.end(&mut last);
            encoder.encode(&mut last);
            self.press.print_product(&mut last);
        }
    }

    /// Which positions the format had no use for.
    pub(crate) fn left_out(&self) -> LeftOut {
        self.press.left_out
    }

    /// Ends the output. A file does not appear if there is a reason why it is not whole.
    pub(crate) fn end(self, why_unfinished: Option<&str>) -> Result<End> {
        self.press.end(why_unfinished)
    }
}

impl Sink for Printer {
    fn begin_file(&mut self, path: &Path, source: &Source) -> Result<()> {
        let before = match source {
            Source::Whole(database) => database.before(),
            Source::Stream(_) => &[],
        };
        if let Some(collector) = &mut self.collector {
            collector.begin_file(&path.display().to_string(), before);
        }
        Ok(())
    }

    fn stages(&mut self) -> (impl Collect, impl Fn(&mut Batch) + Sync, impl Deliver) {
        let Self { collector, encoder, press } = self;
        let encoder = &*encoder;
        let collect = move |batch: &mut Batch, line| {
            if let Some(collector) = collector.as_mut() {
                collector.collect(&mut batch.table, batch.count.games, line, &mut batch.product);
            }
        };
        let encode = move |batch: &mut Batch| {
            if let Some(table) = encoder.as_ref().and_then(|encoder| encoder.encode(&mut batch.product)) {
                batch.table = table;
            }
        };
        (collect, encode, |batch: &mut Batch| press.print(batch))
    }

    fn is_stopped(&self) -> bool {
        self.press.is_stopped()
    }
}

impl Press {
    /// Prints what a batch has become.
    fn print(&mut self, batch: &mut Batch) -> ControlFlow<()> {
        match self.assembler {
            None => self.write(&batch.output),
            Some(_) => self.print_product(&mut batch.product),
        }
        if self.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn print_product(&mut self, product: &mut Product) {
        self.left_out += product.left_out();
        // Taken out, so that the bytes in it can be written.
        let Some(mut assembler) = self.assembler.take() else {
            return;
        };
        match assembler.assemble(product) {
            Ok(bytes) => self.write(bytes),
            Err(error) => self.stop = Some(Stop::CannotEncode(error)),
        }
        self.assembler = Some(assembler);
    }

    fn write(&mut self, bytes: &[u8]) {
        if let Some(output) = &mut self.output
            && self.stop.is_none()
            && let Err(error) = output.write(bytes)
        {
            let is_closed = error.kind() == io::ErrorKind::BrokenPipe;
            self.stop = Some(if is_closed { Stop::ClosedPipe } else { Stop::CannotWrite(error) });
        }
    }

    /// Whether nothing more can be printed.
    fn is_stopped(&self) -> bool {
        self.stop.is_some()
    }

    fn end(mut self, why_unfinished: Option<&str>) -> Result<End> {
        match self.assembler.take().map(Assembler::end) {
            Some(Ok(last)) => self.write(&last),
            Some(Err(error)) => self.stop = self.stop.or(Some(Stop::CannotEncode(error))),
            None => {}
        }
        let Some(output) = self.output else {
            return Ok(End::Printed);
        };
        match (self.stop, why_unfinished) {
            (Some(Stop::ClosedPipe), _) => return Ok(End::ClosedPipe),
            (Some(Stop::CannotWrite(error)), _) => {
                return Ok(End::Failed(format!("cannot write {}: {error}", output.name())));
            }
            (Some(Stop::CannotEncode(error)), _) => {
                return Ok(End::Failed(format!("cannot write {}: {error}", output.name())));
            }
            (None, Some(why)) if output.is_unfinished_file() => {
                return Ok(End::Failed(format!("{} is not written, since {why}", output.name())));
            }
            (None, _) => output.finish()?,
        }
        Ok(End::Printed)
    }
}
