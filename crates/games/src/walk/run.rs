//! Walks through files, one after another, in the stages of the workers. The stages of all jobs are put together here.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::parallel::{Delivery, Stages, Workers};
use crate::walk::batch::{Batch, Count};
use crate::walk::evals::EvalCount;
use crate::walk::game_task::GameTask;
use crate::walk::left_out::LeftOut;
use crate::walk::no_games::NoGames;
use crate::walk::options::{OnError, ReadOptions};
use crate::walk::order::{Different, GameLimit, Seen};
use crate::walk::places::{ContinuityCheck, Place, Preceding, TextPlace};
use crate::walk::reading;
use crate::walk::tag_names::{AskedTags, MissingTag, TagNames};
use pgn2fen_bytes::Damage;
use pgn2fen_pgn::diagnostic::Diagnostic;
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

/// A receiver of diagnostics and progress, in the order of the files. By default it ignores everything.
pub trait Listener: Send {
    /// Takes the path and the source of the next file, before the file is read. The diagnostics that follow are about
    /// this file. The path is empty if a database was given without a path.
    fn begin_file(&mut self, path: &Path, source: &Source) {
        let _ = (path, source);
    }

    /// Called after the last diagnostic about a file, also if the file could not be read to its end.
    fn end_file(&mut self) {}

    /// Takes the counts of the whole run, at its end. Called once, also if the run ends with an error, by the functions
    /// that read all their inputs, such as `Rows::write_with` of `pgn2fen-rows`. A [`Job`] whose files are read one
    /// by one does not call it.
    fn end(&mut self, totals: &Totals) {
        let _ = totals;
    }

    /// Takes the error of an input that cannot be opened, or not be read to its end. Returns whether the run goes on
    /// with the next input. It does not by default, so that an output is never mistaken for a whole one.
    fn unread(&mut self, path: &Path, error: &io::Error) -> bool {
        let _ = (path, error);
        false
    }

    /// Takes a diagnostic. Its game is counted from 1 in the file.
    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        let _ = (diagnostic, place);
    }

    /// Takes the number of bytes that have been read since the last call, and the counts of the whole run. The run ends
    /// if this returns `Break`.
    fn progress(&mut self, bytes: usize, count: Count) -> ControlFlow<()> {
        let _ = (bytes, count);
        ControlFlow::Continue(())
    }
}

impl Listener for () {}

/// The counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// The number of games and positions.
    pub count: Count,
    /// The evaluations that the job looked for in comments.
    pub evals: EvalCount,
    /// The tags that filters or columns name and that were found in no game.
    pub missing_tags: Vec<MissingTag>,
    /// The number of wanted games that an error leaves out.
    pub dropped: u64,
    /// The number of wanted games whose tags were repaired while they were written.
    pub repaired: u64,
    /// The number of games that fail a filter on tags and have a value that the filter
    /// [cannot read](pgn2fen_filters::TagFilter::cannot_read).
    pub unread_tags: u64,
    /// The number of games of variants that were left out because the filter
    /// [`reached`](pgn2fen_filters::CourseFilter::reached) has positions of chess only.
    pub other_rules: u64,
    /// The rows that the format left out. A job that still runs does not count them.
    pub left_out: LeftOut,
    /// Whether an error ended the run: see [`OnError::Stop`](crate::walk::OnError::Stop).
    pub is_stopped: bool,
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

/// The place of a block in its file.
#[doc(hidden)]
#[derive(Debug)]
pub struct BlockPosition<'w> {
    /// The number of games in the block.
    pub games: u64,
    /// The line and the column on which the block begins, counted from 0 at the start of the part of the file that is
    /// read.
    pub(crate) start: (u64, usize),
    before: &'w Arc<Preceding>,
}

impl BlockPosition<'_> {
    /// Returns the number of lines of the file before the block.
    pub fn line(&self) -> u64 {
        self.before.lines() + self.start.0
    }

    /// Returns the text of the file before the part that is read.
    pub fn before(&self) -> &Arc<Preceding> {
        self.before
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
    count: Count,
    dropped: u64,
    repaired: u64,
    unread_tags: u64,
    other_rules: u64,
    evals: EvalCount,
    tag_names: TagNames,
    is_stopped: bool,
    /// Whether the listener has ended the run.
    is_broken_off: bool,
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
            count: Count::default(),
            dropped: 0,
            repaired: 0,
            unread_tags: 0,
            other_rules: 0,
            evals: EvalCount::default(),
            tag_names: TagNames::default(),
            is_stopped: false,
            is_broken_off: false,
            failure: None,
        }
    }

    /// Does not report tags that only the job reads and that no game has: nobody has asked for them.
    #[must_use]
    pub fn with_optional_tags(self) -> Self {
        Self { asked: AskedTags::new(&self.options.games.tags, &[]), ..self }
    }

    fn read_file(&mut self, workers: &Workers, mut source: Source, listener: &mut dyn Listener) -> io::Result<()> {
        let Self {
            make,
            output,
            options,
            asked,
            limit,
            different,
            seen,
            files,
            count,
            dropped,
            repaired,
            unread_tags,
            other_rules,
            evals,
            tag_names,
            failure,
            ..
        } = self;
        let (is_stopped, is_broken_off) = (&mut self.is_stopped, &mut self.is_broken_off);
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
            let of_filters = GameParts { tags, comments: options.games.commented, variations: options.games.commented };
            source.set_parts(make.parts().with(of_filters));
        }
        if let Some(error) = before.take_failure() {
            return Err(error);
        }
        let encoding = source.fallback(options.encoding);
        let mut no_games = source.is_whole().then(NoGames::default);
        let mut seam = ContinuityCheck::of(&source);
        let mut column = 0;
        let mut games = 0;
        let OutputStages { order: mut collect, encode, mut deliver } = output.stages();
        let read = |text: Chunk<'_>, until: usize, batch: &mut Batch<M::BlockResult>| {
            reading::read(make, options, asked, (file, encoding), (text, until), batch)
        };
        let order = |delivery: Delivery<'_, Batch<M::BlockResult>>| {
            let Delivery { batch, text, offset, line } = delivery;
            seam.pass(offset, line, text);
            if let Err(error) = seen.take(batch) {
                *failure = Some(error);
            }
            batch.diagnostics.sort_by_key(|diagnostic| diagnostic.offset);
            let start = (line, column);
            if games + batch.count.games > 0 {
                no_games = None;
            } else if let Some(no_games) = &mut no_games {
                no_games.see(text, (offset, line, column));
            }
            let mut place = TextPlace::start(line, column);
            for diagnostic in &mut batch.diagnostics {
                let at = usize::try_from(diagnostic.offset - offset).map_or(text.len(), |at| at.min(text.len()));
                place.go_to(text, at);
                if let Some(game) = &mut diagnostic.game {
                    *game += games + before.games();
                }
                if !has_offsets {
                    diagnostic.offset += before.text();
                }
                listener.diagnostic(diagnostic, before.place(place.line, place.column));
            }
            place.pass(text, text.len());
            column = place.column;
            count.games += batch.count.games;
            count.wanted += batch.count.wanted;
            count.positions += batch.count.positions;
            *dropped += batch.dropped;
            *repaired += batch.repaired;
            *unread_tags += batch.unread;
            *other_rules += batch.other_rules;
            *evals += batch.evals;
            tag_names.add(&batch.tag_names);
            *is_broken_off |= listener.progress(text.len(), *count).is_break();
            *is_stopped |= batch.is_stopped;
            collect(&mut batch.made, &BlockPosition { games: batch.count.games, start, before: &before });
            games += batch.count.games;
            if *is_stopped || *is_broken_off || seen.is_full() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
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
        let is_whole = read.is_ok() && failure.is_none() && !*is_broken_off && !limit.is_reached() && !seen.is_full();
        if let Some((error, line, column)) = no_games.filter(|_| is_whole).and_then(|it| it.error()) {
            *is_stopped |= options.on_error == OnError::Stop;
            listener.diagnostic(&error, before.place(line, column));
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
        self.is_stopped || self.is_broken_off || self.limit.is_reached() || self.seen.is_full() || self.output.is_full()
    }

    fn totals(&self) -> Totals {
        let missing_tags = if self.count.games > 0 { self.tag_names.missing(&self.asked) } else { Vec::new() };
        Totals {
            count: self.count,
            dropped: self.dropped,
            repaired: self.repaired,
            unread_tags: self.unread_tags,
            other_rules: self.other_rules,
            evals: self.evals,
            missing_tags,
            left_out: LeftOut::default(),
            is_stopped: self.is_stopped,
        }
    }

    fn encoding(&self) -> Option<Label> {
        self.options.encoding
    }

    fn movetext(&self) -> Option<&str> {
        self.options.movetext.as_deref()
    }
}
