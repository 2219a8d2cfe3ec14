//! The state of the lines around an open variation.

use crate::pgn::movetext::Movetext;
use crate::pgn::movetext::nested::Nested;
use crate::replay::clocks::Clocks;
use crate::replay::limits::MOST_MOVES;
use pgn2fen_chess::openings::Tracker;
use pgn2fen_chess::position::Position;

/// The state of the open variations, with which the replay returns to the lines around them.
#[derive(Clone, Debug)]
pub(super) struct Branches<'a> {
    /// The movetext behind the outermost open variation. None in the main line.
    pub(super) main: Option<Movetext<'a>>,
    /// The lines around the open variations, the main line first.
    pub(super) lines: Vec<Branch>,
    /// The long variations within the outermost open variation.
    pub(super) nested: Nested,
    /// The position before the last move of the current line.
    pub(super) before: Reached,
    /// The number of moves so far, in all lines.
    pub(super) moves: u32,
    /// The number of variations that were entered so far.
    pub(super) entered: u32,
    /// The number of the current line. 0 for the main line.
    pub(super) variation: u32,
    /// The start of the text of the current variation, in bytes of the text that its reader reads.
    pub(super) start: usize,
    /// The variation that contains the current position.
    pub(super) here: u32,
    /// The variation that contains the position in which the current variation begins.
    pub(super) parent: Option<u32>,
    /// The number of errors in the variations so far.
    pub(super) errors: u32,
    /// The number of variations that end at this place because of an error.
    pub(super) ending: usize,
}

impl Branches<'_> {
    /// Whether no more moves in variations are played. The main line has a limit of its own, so that it is the same
    /// with and without variations.
    #[inline]
    pub(super) fn are_full(&self) -> bool {
        self.main.is_some() && self.moves >= MOST_MOVES
    }
}

/// A line that waits for the end of a variation: its position, and the position before its last move.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) here: Reached,
    pub(super) before: Reached,
    pub(super) variation: u32,
    pub(super) start: usize,
    pub(super) parent: Option<u32>,
}

#[derive(Clone, Debug)]
pub(super) struct Reached {
    pub(super) position: Position,
    pub(super) ply: u32,
    pub(super) opening: Tracker,
    pub(super) clocks: Clocks,
    /// The variation that contains the position.
    pub(super) variation: u32,
}
