//! The results that a run counts.

/// The results that a run counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Position,
    Start,
    /// The chosen games, which every summary counts.
    Game,
    /// The games that are written, of those that are chosen.
    Copy,
}
