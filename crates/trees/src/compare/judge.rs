//! Decides where a game leaves a repertoire, and who left it.

use crate::compare::{Leaving, Left};
use crate::repertoire::Repertoire;
use pgn2fen_chess::piece::Color;

/// A position of a game that the repertoire has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    pub(crate) ply: u32,
    /// The number of the position in the repertoire.
    pub(crate) node: u32,
    /// The bits of the move that was played there; 0 if the game ended there.
    pub(crate) next: u16,
}

/// Returns how a game left the repertoire, from its visits in the order of the plies. Departures from which the game
/// came back are added to `returns`.
pub(crate) fn judge(repertoire: &Repertoire, side: Color, visits: &[Visit], returns: &mut Vec<Left>) -> Left {
    let left = |visit: &Visit| {
        let leaving = if visit.next == 0 {
            Leaving::Within
        } else if repertoire.is_end(visit.node) {
            Leaving::LineEnd
        } else if repertoire.turn(visit.node) == side {
            Leaving::Player
        } else {
            Leaving::Opponent
        };
        Left { leaving, node: visit.node, next: visit.next, ply: visit.ply }
    };
    for pair in visits.windows(2) {
        if pair[1].ply > pair[0].ply + 1 {
            returns.push(left(&pair[0]));
        }
    }
    visits.last().map_or(Left::NEVER, left)
}
