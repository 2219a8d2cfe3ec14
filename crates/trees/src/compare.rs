//! Compares games with a repertoire: which follow it, where each of them leaves it, and who left it.

mod annotate;
mod games;
#[cfg(feature = "index")]
mod indexed;
mod judge;
mod summary;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;
use std::sync::Arc;

use crate::names::Names;
use crate::repertoire::Repertoire;
use crate::summary::Summary;
use crate::tree::{NONE, TreeNode};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_games::pgn::token::Outcome;

pub use crate::compare::annotate::{AnnotateGames, Annotator};
pub use crate::compare::games::CompareGames;
#[cfg(feature = "index")]
pub use crate::compare::indexed::{annotate_index, compare_index, why_games_are_left_out};
pub use crate::compare::summary::{Departure, UnmetLine};
pub use crate::compare::write::{CompareFormat, CompareStyle, CompareTable, CompareValue};

/// How a game leaves a repertoire.
///
/// A game is on the repertoire in each position that the repertoire has, whatever moves led to it. It leaves the
/// repertoire behind the last of these positions: a game that transposes back has not left it before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaving {
    /// The game never was in a position of the repertoire.
    Never,
    /// The game ended on the repertoire.
    Within,
    /// The repertoire ended, and the game went on.
    LineEnd,
    /// The player who has the side of the repertoire played a move that it does not have.
    Player,
    /// The opponent played a move that the repertoire does not have.
    Opponent,
}

impl Leaving {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Never, Self::Within, Self::LineEnd, Self::Player, Self::Opponent];

    /// Returns the name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Within => "within",
            Self::LineEnd => "line_end",
            Self::Player => "player",
            Self::Opponent => "opponent",
        }
    }
}

/// The comparison of games with a repertoire.
///
/// It is made by a [`CompareGames`] from files, or by [`compare_index`] from an index. Memory grows with the number of
/// games, about 80 bytes each.
pub struct Comparison {
    pub(crate) repertoire: Arc<Repertoire>,
    pub(crate) side: Color,
    pub(crate) games: Vec<Record>,
    /// Departures from which games came back, in the order of the games.
    pub(crate) returns: Vec<Left>,
    /// The number of games that reached each position of the repertoire.
    pub(crate) met: Vec<u32>,
    pub(crate) names: Names,
}

/// A game that was compared. Its texts are numbers of names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) file: u32,
    pub(crate) texts: [u32; TEXTS],
    pub(crate) summary: Summary,
    pub(crate) number: u64,
    pub(crate) line: u64,
    pub(crate) left: Left,
    /// The end of its departures from which it came back.
    pub(crate) returns: usize,
}

/// The texts of a game: White, Black, Event, Date, Site.
pub(crate) const TEXTS: usize = 5;

/// How and where a game left the repertoire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) leaving: Leaving,
    /// The number of the last position on the repertoire; `NONE` if there is none.
    pub(crate) node: u32,
    /// The bits of the move that was played there; 0 if there is none.
    pub(crate) next: u16,
    /// The ply of this position.
    pub(crate) ply: u32,
}

impl Left {
    pub(crate) const NEVER: Self = Self { leaving: Leaving::Never, node: NONE, next: 0, ply: 0 };
}

/// A game that was compared with a repertoire.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ComparedGame<'c> {
    /// The name of the file.
    pub file: &'c str,
    /// The number of the game in its file, or in the index, from 1.
    pub number: u64,
    /// The line of the file on which the game begins, from 1.
    pub line: u64,
    /// The tag White.
    pub white: &'c str,
    /// The tag Black.
    pub black: &'c str,
    /// The tag Event. Empty for a game of an index.
    pub event: &'c str,
    /// The tag Date, or UTCDate if the date is unknown.
    pub date: &'c str,
    /// The tag Site.
    pub site: &'c str,
    /// The result.
    pub result: Outcome,
    /// How it leaves the repertoire.
    pub leaving: Leaving,
    /// The number of plies that were played when it was on the repertoire for the last time.
    pub ply: u32,
    /// The last position on the repertoire.
    pub node: Option<TreeNode<'c>>,
    /// The move that was played in this position; None if the game ended there.
    pub played: Option<Uci>,
    /// How often it left the repertoire before and came back by a transposition.
    pub returns: usize,
}

impl Comparison {
    fn new(repertoire: Arc<Repertoire>, side: Color) -> Self {
        let met = vec![0; repertoire.end()];
        Self { repertoire, side, games: Vec::new(), returns: Vec::new(), met, names: Names::default() }
    }

    /// Returns the repertoire.
    pub fn repertoire(&self) -> &Repertoire {
        &self.repertoire
    }

    /// Returns the side for which the repertoire is.
    pub fn side(&self) -> Color {
        self.side
    }

    /// Returns the games, in the order in which they were read.
    pub fn games(&self) -> impl ExactSizeIterator<Item = ComparedGame<'_>> {
        (0..self.games.len()).map(|at| self.game(at))
    }

    /// Returns the number of games that left the repertoire in this way.
    pub fn count(&self, leaving: Leaving) -> usize {
        self.games.iter().filter(|game| game.left.leaving == leaving).count()
    }

    /// Returns the number of games that reached a position of the repertoire. Each game counts once.
    pub fn games_in(&self, node: TreeNode<'_>) -> u64 {
        let number = self.repertoire.find(node.key());
        number.map_or(0, |number| self.met[number as usize].into())
    }

    pub(crate) fn game(&self, at: usize) -> ComparedGame<'_> {
        let Record { file, texts, summary, number, line, left, returns } = self.games[at];
        let [white, black, event, date, site] = texts.map(|text| self.names.text(text));
        let before = at.checked_sub(1).map_or(0, |at| self.games[at].returns);
        ComparedGame {
            file: self.names.text(file),
            number,
            line,
            white,
            black,
            event,
            date,
            site,
            result: summary.result(),
            leaving: left.leaving,
            ply: left.ply,
            node: (left.node != NONE).then(|| self.repertoire.node_of(left.node)),
            played: Uci::from_bits(left.next),
            returns: returns - before,
        }
    }
}

impl fmt::Debug for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparison").field("side", &self.side).field("games", &self.games.len()).finish_non_exhaustive()
    }
}
