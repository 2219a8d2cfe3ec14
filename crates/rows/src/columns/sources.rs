//! What the values of a row are made of.

use std::cell::OnceCell;

use crate::columns::last_move::LastMove;
use crate::columns::packed::{NO_MOVE, packed_move};
use crate::table::buffer::Evaluation;
use pgn2fen_chess::fen::FenWriter;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::openings::Opening;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::Spelled;
use pgn2fen_games::judgement::{JudgedMove, rounded, settled, win_chance};
use pgn2fen_games::pgn::annotation::EngineReport;
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::replay::{Notes, Replay};

/// A position that has been reached.
pub(crate) struct Reached<'p> {
    pub(crate) ply: u32,
    pub(crate) position: &'p Position,
    /// The move that led here from the position whose FEN was written last, if there is one.
    pub(crate) after: Option<Move>,
    pub(crate) last_move: &'p LastMove,
    pub(crate) eval: Option<Evaluation>,
    pub(crate) clk: Option<f64>,
}

impl Reached<'_> {
    /// Appends the position.
    #[inline(never)]
    pub(crate) fn append_fen(&self, writer: &mut FenWriter, out: &mut Vec<u8>) {
        match self.after {
            Some(m) => writer.append_after(m, self.position, out),
            None => writer.append(self.position, out),
        }
    }

    /// Returns the key; 0 if no column needs it.
    pub(crate) fn key(&self) -> u64 {
        self.last_move.key.unwrap_or_default()
    }
}

/// A replay at a position that has a row.
pub(crate) struct Replayed<'r> {
    pub(crate) replay: &'r Replay<'r>,
    /// The search that gave the evaluation, if a column needs it.
    pub(crate) search: EngineReport,
    /// The last move with the evaluations before and behind it, if a column needs them.
    pub(crate) judged: Option<JudgedMove>,
    /// The time that was used for the last move, in seconds.
    pub(crate) spent: Option<f64>,
    /// The encoding of comments that are not UTF-8.
    pub(crate) encoding: &'r Fallback,
    pub(crate) notes: OnceCell<Notes<'r>>,
}

impl<'r> Replayed<'r> {
    /// Returns the comments and glyphs behind the last move.
    pub(crate) fn notes(&self) -> &Notes<'r> {
        self.notes.get_or_init(|| self.replay.notes())
    }

    /// Returns the chances of White to win, in percent.
    pub(crate) fn win_chance(&self) -> Option<f64> {
        let turn = self.replay.position().turn();
        self.search.eval.map(|eval| rounded(win_chance(settled(eval, turn))))
    }

    pub(crate) fn opening(&self) -> Option<Opening> {
        self.replay.opening().opening()
    }
}

/// The move that is played in a position. Without a move, both texts are empty.
pub(crate) struct Next<'p> {
    pub(crate) san: Spelled,
    pub(crate) uci: &'p [u8],
    pub(crate) played: Option<Move>,
}

impl Next<'_> {
    /// Returns the move in few bytes.
    pub(crate) fn packed(&self) -> u16 {
        self.played.map_or(NO_MOVE, packed_move)
    }
}
