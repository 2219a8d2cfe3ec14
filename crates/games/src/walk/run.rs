//! Walks through files, one after another, in the stages of the workers. The stages of all jobs are put together here.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::parallel::{Delivery, Stages, Workers};
use crate::walk::batch::{Batch, Sums};
use crate::walk::game_task::GameTask;
use crate::walk::left_out::LeftOut;
use crate::walk::listener::{Listener, Totals};
use crate::walk::options::{OnError, ReadOptions};
use crate::walk::order::{Different, GameLimit, Seen};
use crate::walk::places::Preceding;
use crate::walk::reading;
use crate::walk::report::{BlockPosition, FileReport, Progress};
use crate::walk::tag_names::AskedTags;
use pgn2fen_bytes::Damage;
use pgn2fen_pgn::encoding::Label;
use pgn2fen_pgn::games::Chunk;
use pgn2fen_sources::{GameParts, Source};

/// A job that reads files one after another.
pub trait Job {
    /// Reads a file. `path` is its name in messages and rows.
    ///
    /// # Errors
    ///
    /// The file cannot be read to its end. The games before the error have been read. A game that is cut short is left
    /// out.
    fn read(&mut self, workers: &Workers, path: &Path, source: Source, listener: &mut dyn Listener) -> io::Result<()>;

    /// Whether the job is over: there were enough games, an error ended the run, or the output takes no more.
    fn is_over(&self) -> bool;

    /// Returns the counts of what has been read so far.
    fn totals(&self) -> Totals;

    /// Returns the encoding in [`ReadOptions::encoding`], with which the files of this job should be
    /// [opened](Source::open).
    fn encoding(&self) -> Option<Label>;

    /// Returns the column in [`ReadOptions::movetext`], with which the files of this job should be
    /// [opened](Source::open_with).
    fn movetext(&self) -> Option<&str>;
}

/// Defines the methods of a [`Job`] that are those of the job in a field.
#[doc(hidden)]
#[macro_export]
macro_rules! job_methods {
    ($field:tt) => {
        fn read(
            &mut self,
            workers: &$crate::parallel::Workers,
            path: &std::path::Path,
            source: $crate::database::Source,
            listener: &mut dyn $crate::walk::Listener,
        ) -> std::io::Result<()> {
            self.$field.read(workers, path, source, listener)
        }

        fn is_over(&self) -> bool {
            self.$field.is_over()
        }

        fn totals(&self) -> $crate::walk::Totals {
            self.$field.totals()
        }

        fn encoding(&self) -> Option<$crate::pgn::encoding::Label> {
            self.$field.encoding()
        }

        fn movetext(&self) -> Option<&str> {
            self.$field.movetext()
        }
    };
}

/// The part of a job that takes the results in the order of the games.
#[doc(hidden)]
pub trait Output<M>: Send {
    /// Starts a new file. The results that follow are from this file.
    fn begin_file(&mut self, path: &Path) {
        let _ = path;
    }

    /// Returns the work on the results of each block.
    fn stages(&mut self) -> OutputStages<'_, M>;

    /// Whether the output takes no more.
    fn is_full(&self) -> bool {
        false
    }
}

/// The work of an output on the results of each block, one stage after another.
#[doc(hidden)]
#[allow(missing_debug_implementations, reason = "closures have none")]
pub struct OutputStages<'o, M> {
    pub order: OrderResults<'o, M>,
    pub encode: Box<dyn Fn(&mut M) + Sync + 'o>,
    pub deliver: DeliverResults<'o, M>,
}

/// Takes the results of a block in the order of the games.
type OrderResults<'o, M> = Box<dyn FnMut(&mut M, &BlockPosition<'_>) + Send + 'o>;

/// Takes the results of a block in the order of the games, until it breaks.
type DeliverResults<'o, M> = Box<dyn FnMut(&mut M) -> ControlFlow<()> + Send + 'o>;

impl<'o, M> OutputStages<'o, M> {
    /// Creates the stages of which only the last does something: it takes the results in the order of the games, until
    /// it breaks.
    pub fn deliver(deliver: impl FnMut(&mut M) -> ControlFlow<()> + Send + 'o) -> Self {
        Self { order: Box::new(|_, _| {}), encode: Box::new(|_| {}), deliver: Box::new(deliver) }
    }

    /// Sets the stage that runs in the order of the games.
    #[must_use]
    pub fn order(self, order: impl FnMut(&mut M, &BlockPosition<'_>) + Send + 'o) -> Self {
        Self { order: Box::new(order), ..self }
    }

    /// Sets the stage that runs on any worker.
    #[must_use]
    pub fn encode(self, encode: impl Fn(&mut M) + Sync + 'o) -> Self {
        Self { encode: Box::new(encode), ..self }
    }
}

/// A job that walks through files.
#[doc(hidden)]
#[derive(Debug)]
pub struct Walk<M, O> {
    make: M,
    output: O,
    options: ReadOptions,
    asked: AskedTags,
    limit: GameLimit,
    different: Option<Different>,
    seen: Seen,
    /// The number of files that have been started.
    files: u64,
    progress: Progress,
    /// The error that ended the run in the order of the games. It is returned once.
    failure: Option<io::Error>,
}

impl<M: GameTask, O: Output<M::BlockResult>> Walk<M, O> {
    pub fn new(make: M, output: O, mut options: ReadOptions) -> Self {
        options.games.find_players();
        // The job decides, because it knows what its output can hold.
        options.replay.variants = make.variants();
        let asked = AskedTags::new(&options.games.tags, make.tags());
        let repeats = make.repeats();
        Self {
            make,
            output,
            asked,
            limit: GameLimit::new(options.max_games),
            different: Different::new(repeats),
            seen: Seen::new(repeats),
            options,
            files: 0,
            progress: Progress::default(),
            failure: None,
        }
    }

    /// Does not report tags that only the job reads and that no game has: nobody has asked for them.
    #[must_use]
    pub fn with_optional_tags(self) -> Self {
        Self { asked: AskedTags::new(&self.options.games.tags, &[]), ..self }
    }

    fn read_file(&mut self, workers: &Workers, mut source: Source, listener: &mut dyn Listener) -> io::Result<()> {
        let Self { make, output, options, asked, limit, different, seen, files, progress, failure } = self;
        let file = source.part().file.unwrap_or(*files);
        *files += 1;
        let before = Arc::new(Preceding::of(&source, workers.count()));
        // Counting takes time, so it is put off if nothing may come of it.
        let has_offsets = before.knows_text() || make.needs_offsets();
        if has_offsets {
            source.set_offset(before.text());
        }
        if !make.needs_offsets() {
            let tags = !make.tags().is_empty() || !options.games.tags.is_empty();
            let commented = options.games.commented;
            let of_filters = GameParts { tags, comments: commented, variations: commented, spelling: false };
            source.set_parts(make.parts().with(of_filters));
        }
        if let Some(error) = before.take_failure() {
            return Err(error);
        }
        let encoding = source.fallback(options.encoding);
        let mut report = FileReport::new(&source, &before, has_offsets, progress, listener);
        let OutputStages { order: mut collect, encode, mut deliver } = output.stages();
        let read = |text: Chunk<'_>, until: usize, batch: &mut Batch<M::BlockResult>| {
            reading::read(make, options, asked, (file, encoding), (text, until), batch)
        };
        let order = |delivery: Delivery<'_, Batch<M::BlockResult>>| {
            let Delivery { batch, text, offset, line } = delivery;
            if let Err(error) = seen.take(batch) {
                *failure = Some(error);
            }
            let position = report.take(&mut batch.found, text, offset, line);
            collect(&mut batch.made, &position);
            if report.is_over() || seen.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let encode = |batch: &mut Batch<M::BlockResult>| encode(&mut batch.made);
        let deliver = |batch: &mut Batch<M::BlockResult>| deliver(&mut batch.made);
        let mut stages =
            Stages::read(read).admit(|batch| limit.admit(batch)).order(order).encode(encode).deliver(deliver);
        if let Some(different) = different {
            stages = stages.sift(different);
        }
        let walked = workers.walk(source, stages);
        let shift = |error| if has_offsets { error } else { Damage::shifted(error, || before.text()) };
        let walked = walked.map_err(shift);
        let read = before.take_failure().map_or(walked, Err);
        // A walk that was ended may have come to no game yet.
        if read.is_ok() && failure.is_none() && !limit.is_reached() && !seen.is_full() {
            report.end(options.on_error == OnError::Stop);
        }
        read
    }

    /// Ends the walk. Returns the output, and how often each position was met if repeated positions are counted.
    pub fn end(self) -> (O, Vec<u64>) {
        (self.output, self.seen.into_counts())
    }
}

impl<M: GameTask, O: Output<M::BlockResult>> Job for Walk<M, O> {
    fn read(&mut self, workers: &Workers, path: &Path, source: Source, listener: &mut dyn Listener) -> io::Result<()> {
        if self.is_over() {
            return Ok(());
        }
        self.output.begin_file(path);
        if self.output.is_full() {
            return Ok(());
        }
        listener.begin_file(path, &source);
        let walked = self.read_file(workers, source, listener);
        listener.end_file();
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        // An error behind the last wanted game does not matter, even if a worker has read that far.
        if self.is_over() { Ok(()) } else { walked }
    }

    fn is_over(&self) -> bool {
        self.progress.is_over() || self.limit.is_reached() || self.seen.is_full() || self.output.is_full()
    }

    fn totals(&self) -> Totals {
        let Progress { sums, tag_names, is_stopped, .. } = &self.progress;
        let Sums { count, dropped, repaired, unread, other_rules, evals } = *sums;
        let missing_tags = if count.games > 0 { tag_names.missing(&self.asked) } else { Vec::new() };
        Totals {
            count,
            dropped,
            repaired,
            unread_tags: unread,
            other_rules,
            evals,
            missing_tags,
            left_out: LeftOut::default(),
            is_stopped: *is_stopped,
        }
    }

    fn encoding(&self) -> Option<Label> {
        self.options.encoding
    }

    fn movetext(&self) -> Option<&str> {
        self.options.movetext.as_deref()
    }
}
