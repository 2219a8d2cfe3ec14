//! The end of a run, and the exit status that reports it.

/// The end of a run. Its number is the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything was read.
    Clean,
    /// Some games had errors.
    Errors,
    /// A file could not be read or written, or the command line is wrong.
    Failed,
}
