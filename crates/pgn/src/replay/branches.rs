//! The state of the lines around an open variation.

use crate::annotation::Eval;
use crate::movetext::Movetext;
use crate::movetext::nested::Nested;
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
    pub(super) lines: Vec<(Reached, OpenLine)>,
    /// The long variations within the outermost open variation.
    pub(super) nested: Nested,
    /// The current line.
    pub(super) line: OpenLine,
    /// The number of moves so far, in all lines.
    pub(super) moves: u32,
    /// The number of variations that were entered so far.
    pub(super) entered: u32,
    /// The variation that contains the current position.
    pub(super) here: u32,
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

/// A line that has not ended. While a variation of it is played, its current position stands beside it.
#[derive(Clone, Debug)]
pub(super) struct OpenLine {
    /// The position before its last move.
    pub(super) before: Reached,
    /// Its number. 0 for the main line.
    pub(super) variation: u32,
    /// The start of its text, in bytes of the text that its reader reads.
    pub(super) start: usize,
    /// The variation that contains the position in which it begins.
    pub(super) parent: Option<u32>,
}

#[derive(Clone, Debug)]
pub(super) struct Reached {
    pub(super) position: Position,
    pub(super) ply: u32,
    pub(super) opening: Tracker,
    pub(super) clocks: Clocks,
    pub(super) eval: Option<Eval>,
    /// The variation that contains the position.
    pub(super) variation: u32,
}
