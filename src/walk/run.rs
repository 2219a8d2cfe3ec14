//! The walk through files, one after another, in the stages of the workers. This is the only place where the stages are put together.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use crate::database::Source;
use crate::diagnostic::Diagnostic;
use crate::parallel::{Delivery, Stages, Workers};
use crate::pgn::games::Text;
use crate::walk::batch::{Batch, Count};
use crate::walk::make::Make;
use crate::walk::options::ReadOptions;
use crate::walk::order::InOrder;
use crate::walk::places::{Before, Place, TextPlace};
use crate::walk::reading;
use crate::walk::tag_names::{AskedTags, MissingTag, TagNames};

/// A job that reads files one after another.
pub trait Job {
    /// Reads a file. `path` is its name in messages and rows.
    ///
    /// # Errors
    ///
    /// The file cannot be read to its end. The games before that have been read; one that is cut short is left out.
    fn read(&mut self, workers: &Workers, path: &Path, source: Source, listener: &mut dyn Listener) -> io::Result<()>;

    /// Whether nothing more is wanted: there were enough games, an error ended the run, or the output takes no more.
    fn is_over(&self) -> bool;

    /// What has been read so far.
    fn totals(&self) -> Totals;
}

/// Listens to what happens on a walk, in the order of the files. By default it does nothing.
pub trait Listener: Send {
    /// Something is wrong at this place. Games are numbered from 1 in their file.
    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        let _ = (diagnostic, place);
    }

    /// So many bytes more have been read. `count` is that of the whole run. The run ends if this breaks off.
    fn progress(&mut self, bytes: usize, count: Count) -> ControlFlow<()> {
        let _ = (bytes, count);
        ControlFlow::Continue(())
    }
}

impl Listener for () {}

/// What has been read in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// How much it is.
    pub count: Count,
    /// The tags that filters or columns name and that no game has.
    pub missing_tags: Vec<MissingTag>,
    /// Whether an error ended the run: see [`OnError::Stop`](crate::walk::OnError::Stop).
    pub is_stopped: bool,
}

/// What becomes of what was made of games.
pub(crate) trait Output<M>: Send {
    /// What comes now is of this file.
    fn begin_file(&mut self, path: &Path) {
        let _ = path;
    }

    /// What is done with the batches: in the order of the games, then on any worker, then in order again until it breaks off.
    fn stages(&mut self) -> (impl FnMut(&mut M, &Stretch<'_>) + Send, impl Fn(&mut M) + Sync, impl Deliver<M>);

    /// Whether it takes no more.
    fn is_full(&self) -> bool {
        false
    }
}

/// Takes what was made, and may break off.
pub(crate) trait Deliver<M>: FnMut(&mut M) -> ControlFlow<()> + Send {}
impl<M, F: FnMut(&mut M) -> ControlFlow<()> + Send> Deliver<M> for F {}

/// Where a block lies in its file.
pub(crate) struct Stretch<'w> {
    /// How many games it has.
    pub(crate) games: u64,
    line: u64,
    before: &'w Before,
}

impl Stretch<'_> {
    /// How many lines of the file stand before it.
    pub(crate) fn line(&self) -> u64 {
        self.before.lines() + self.line
    }
}

/// A job on its way through files.
#[derive(Debug)]
pub(crate) struct Walk<M, O> {
    make: M,
    output: O,
    options: ReadOptions,
    asked: AskedTags,
    in_order: InOrder,
    /// How many files have been begun.
    files: u64,
    count: Count,
    tag_names: TagNames,
    is_stopped: bool,
    /// Whether the listener wants no more.
    is_broken_off: bool,
}

impl<M: Make, O: Output<M::Made>> Walk<M, O> {
    pub(crate) fn new(make: M, output: O, options: ReadOptions) -> Self {
        let asked = AskedTags::new(&options.games.tags, make.tags());
        let in_order = InOrder::new(options.max_games, make.repeats());
        Self {
            make,
            output,
            options,
            asked,
            in_order,
            files: 0,
            count: Count::default(),
            tag_names: TagNames::default(),
            is_stopped: false,
            is_broken_off: false,
        }
    }

    fn read_file(&mut self, workers: &Workers, source: Source, listener: &mut dyn Listener) -> io::Result<()> {
        let Self { make, output, options, asked, in_order, files, count, tag_names, is_stopped, is_broken_off } = self;
        let file = *files;
        *files += 1;
        let before = Before::of(&source);
        let mut seam = before.seam();
        let mut column = 0;
        let mut games = 0;
        let (mut collect, encode, mut deliver) = output.stages();
        let read = |text: Text<'_>, until: usize, batch: &mut Batch<M::Made>| {
            reading::read(make, options, asked, file, (text, until), batch)
        };
        let order = |delivery: Delivery<'_, Batch<M::Made>>| {
            let Delivery { batch, text, offset, line } = delivery;
            seam.pass(offset, line, text);
            in_order.take(batch);
            batch.diagnostics.sort_by_key(|diagnostic| diagnostic.offset);
            let mut place = TextPlace::start(line, column);
            for diagnostic in &mut batch.diagnostics {
                let at = usize::try_from(diagnostic.offset - offset).map_or(text.len(), |at| at.min(text.len()));
                place.go_to(text, at);
                if let Some(game) = &mut diagnostic.game {
                    *game += games;
                }
                listener.diagnostic(diagnostic, before.place(place.line, place.column));
            }
            place.pass(text, text.len());
            column = place.column;
            count.games += batch.count.games;
            count.wanted += batch.count.wanted;
            count.positions += batch.count.positions;
            tag_names.add(&batch.tag_names);
            *is_broken_off |= listener.progress(text.len(), *count).is_break();
            *is_stopped |= batch.is_stopped;
            collect(&mut batch.made, &Stretch { games: batch.count.games, line, before: &before });
            games += batch.count.games;
            if *is_stopped || *is_broken_off || in_order.is_over() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let encode = |batch: &mut Batch<M::Made>| encode(&mut batch.made);
        let deliver = |batch: &mut Batch<M::Made>| deliver(&mut batch.made);
        workers.walk(source, Stages { read, order, encode, deliver })
    }

    /// Ends the walk, and gives the output and how often each position was met that was kept once.
    pub(crate) fn end(self) -> (O, Vec<u64>) {
        (self.output, self.in_order.into_counts())
    }
}

impl<M: Make, O: Output<M::Made>> Job for Walk<M, O> {
    fn read(&mut self, workers: &Workers, path: &Path, source: Source, listener: &mut dyn Listener) -> io::Result<()> {
        if self.is_over() {
            return Ok(());
        }
        self.output.begin_file(path);
        if self.output.is_full() {
            return Ok(());
        }
        let walked = self.read_file(workers, source, listener);
        // What lies behind the last game that is wanted does not matter, even if a worker has seen it.
        if self.is_over() { Ok(()) } else { walked }
    }

    fn is_over(&self) -> bool {
        self.is_stopped || self.is_broken_off || self.in_order.is_over() || self.output.is_full()
    }

    fn totals(&self) -> Totals {
        let missing_tags = if self.count.games > 0 { self.tag_names.missing(&self.asked) } else { Vec::new() };
        Totals { count: self.count, missing_tags, is_stopped: self.is_stopped }
    }
}
