//! The result of reading a comment: nothing, or the report of a program about its search.

use crate::annotation::Eval;

/// The report of a program about its search of a position: the evaluation, the depth, the time and the nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EngineReport {
    /// The evaluation. None if the comment has none, as for the moves of an opening book.
    pub eval: Option<Eval>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The time of the search, in seconds.
    pub time: Option<f64>,
    /// The number of nodes of the search.
    pub nodes: Option<u64>,
}

/// The result of reading a comment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CommentReading<T = EngineReport> {
    /// The comment is of another kind.
    Other,
    /// The comment was read.
    Read(T),
    /// The comment looks like one of the kind, and cannot be read.
    Unread,
}

impl<T> CommentReading<T> {
    pub(crate) fn value(self) -> Option<T> {
        if let Self::Read(value) = self { Some(value) } else { None }
    }
}
