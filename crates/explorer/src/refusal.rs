//! Answers other than 200: a status and a line of text for people.

use pgn2fen_index::IndexError;

/// A request that is not answered, with the status and a line that says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) line: String,
    /// What is to be reported to the person who runs the server.
    pub(super) report: Option<String>,
}

impl Refusal {
    pub(super) fn new(status: u16, line: impl Into<String>) -> Self {
        Self { status, line: line.into(), report: None }
    }

    /// The request makes no sense. Only the first line of the reason is used; the others show the text that was sent.
    pub(super) fn senseless(reason: impl std::fmt::Display) -> Self {
        let reason = reason.to_string();
        Self::new(400, reason.lines().next().unwrap_or_default())
    }

    /// No answer was found in time, or nobody waits for it any more.
    pub(super) fn late() -> Self {
        Self::new(503, "the answer takes too long; ask for a rarer position or use fewer filters")
    }
}

impl From<IndexError> for Refusal {
    fn from(error: IndexError) -> Self {
        let line = "the index cannot be read; the server has printed the reason";
        Self { status: 500, line: line.to_owned(), report: Some(error.to_string()) }
    }
}
