//! A game → its copy, or its text written anew.

use crate::export::Exporter;
use crate::games::copying::Copied;
use crate::walk::{Make, OpenGame, Out, Played};

/// Copies each game that passes the filters. Its moves are not played.
#[derive(Debug)]
pub(super) struct GameCopies {
    /// Whether games without a usable starting position are copied.
    pub(super) takes_unusable: bool,
}

impl Make for GameCopies {
    type Made = Copied;
    const PLAYS: bool = false;

    fn needs_offsets(&self) -> bool {
        false
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Copied>) -> Played {
        if game.position().is_none() && !self.takes_unusable {
            return Played::UNWANTED;
        }
        out.made.push(game);
        Played { positions: 1, ..Played::default() }
    }
}

/// Writes each game that passes the filters anew. A game without a usable starting position cannot be written and is left out.
#[derive(Debug)]
pub(super) struct WrittenGames(pub(super) Exporter);

impl Make for WrittenGames {
    type Made = Copied;

    fn needs_offsets(&self) -> bool {
        false
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Copied>) -> Played {
        match out.made.push_written(game, &self.0) {
            Some(errors) => Played { errors, positions: 1, ..Played::default() },
            None => Played::UNWANTED,
        }
    }
}
