//! Which positions of a game are wanted, and how they are come by.

use crate::diagnostic::Diagnostic;
use crate::pgn::annotation::Annotation;
use crate::positions::{OnError, Positions};
use crate::replay::{Ply, Replay};
use crate::selection::{InGame, PositionFilter};

impl Positions {
    /// Whether every position of the main lines is wanted, but perhaps for the starting positions.
    pub(super) fn wants_all(&self) -> bool {
        let skip_start = self.positions.skip_start;
        !self.variations && !self.unique && self.positions == PositionFilter { skip_start, ..PositionFilter::default() }
    }
}

/// What is wanted of one game.
pub(super) struct Choice<'j> {
    job: &'j Positions,
    in_game: InGame,
}

impl<'j> Choice<'j> {
    /// Of the game that begins at this offset in the file, in bytes, and has not been played yet.
    pub(super) fn new(job: &'j Positions, replay: &Replay<'_>, offset: u64) -> Self {
        Self { job, in_game: job.positions.in_game(job.file, offset, || replay.last_ply()) }
    }

    /// Plays the next move, if there is one, and notes the errors on the way. After the first there may be more to come in
    /// other variations.
    #[inline]
    pub(super) fn next_ply<'t>(&self, replay: &mut Replay<'t>, errors: &mut Vec<Diagnostic>) -> Option<Ply<'t>> {
        loop {
            let next = if self.job.variations { replay.next_in_text() } else { replay.next_ply() };
            match next? {
                Ok(ply) => return Some(ply),
                Err(error) => errors.push(error),
            }
            if self.job.on_error == OnError::Stop {
                return None;
            }
        }
    }

    /// Whether the position after this ply of the main line may be wanted.
    #[inline]
    pub(super) fn wants_ply(&self, ply: u32) -> bool {
        self.in_game.wants(ply, 0)
    }

    /// Whether the position reached after this ply is wanted.
    #[inline]
    pub(super) fn wants(&self, replay: &Replay<'_>, ply: u32) -> bool {
        let filter = &self.job.positions;
        let position = replay.position();
        // What costs least is asked first.
        self.in_game.wants(ply, replay.branch().unwrap_or(0))
            && filter.wants_board(position)
            && (!filter.skip_captures || filter.wants_next(position, replay.next_move().map(|(_, m)| m)))
            && (filter.max_eval.is_none() || filter.wants_eval(Annotation::read(replay.ahead()).eval))
    }
}
