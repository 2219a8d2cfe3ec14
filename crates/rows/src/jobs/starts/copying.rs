//! Copies the games with their starting positions, byte for byte.

use crate::jobs::games::Copied;
use crate::jobs::starts::start_rows::Sought;
use pgn2fen_games::walk::{GameTask, OpenGame, Out, Played};

/// Copies the games that pass the filter.
#[derive(Debug)]
pub(super) struct CopiesOfStarts(pub(super) Sought);

impl GameTask for CopiesOfStarts {
    type BlockResult = Copied;
    const PLAYS: bool = false;

    fn needs_offsets(&self) -> bool {
        false
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Copied>) -> Played {
        if !self.0.holds(game) {
            return Played::UNWANTED;
        }
        out.made.push(game);
        Played { positions: 1, ..Played::default() }
    }
}
