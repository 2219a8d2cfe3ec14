//! The listener of a run, and the counts that it gets.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use crate::walk::batch::Count;
use crate::walk::evals::EvalCount;
use crate::walk::left_out::LeftOut;
use crate::walk::places::Place;
use crate::walk::tag_names::MissingTag;
use pgn2fen_pgn::diagnostic::Diagnostic;
use pgn2fen_sources::Source;

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
    /// that read all their inputs, such as `Rows::write_with` of `pgn2fen-rows`. A [`Job`](crate::walk::Job) whose
    /// files are read one by one does not call it.
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
