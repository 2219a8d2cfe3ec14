//! What a job makes of one game.

use crate::chess::position::Position;
use crate::diagnostic::{Diagnostic, LineCount};
use crate::pgn::encoding::Fallback;
use crate::pgn::games::Text;
use crate::pgn::movetext::Movetext;
use crate::pgn::tags::Tags;
use crate::replay::Replay;
use crate::walk::batch::{Made, Out};
use crate::walk::options::OnError;

/// Makes something of each game that is wanted. It runs on any thread, and may run again on the same game.
pub(crate) trait Make: Sync {
    /// What is made of the games of a block.
    type Made: Made;

    /// Whether it plays the moves. If not, there is a position but no [replay](OpenGame::replay), and only the tags are looked at for text
    /// that is not UTF-8.
    const PLAYS: bool = true;

    /// What is done with positions that come again.
    fn repeats(&self) -> Repeats {
        Repeats::Keep
    }

    /// The names of the tags that it reads.
    fn tags(&self) -> &[Box<str>] {
        &[]
    }

    /// Makes something of a game.
    fn game<'t>(&self, game: &mut OpenGame<'_, 't>, out: &mut Out<'_, Self::Made>) -> Played;
}

/// What is done with positions that come again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// They are kept.
    Keep,
    /// Only the first of them is kept. An identity must be pushed for every position.
    Drop,
    /// Only the first of them is kept, and they are counted. An identity must be pushed for every position.
    Count,
}

/// A game of which the tags have been read.
pub(crate) struct OpenGame<'w, 't> {
    pub(crate) text: Text<'t>,
    /// Where the game begins, in bytes of the text.
    pub(crate) start: usize,
    /// The number of the game in its block, from 1.
    pub(crate) number: u64,
    /// The number of its file in the run, from 0.
    pub(crate) file: u64,
    pub(crate) tags: &'w Tags<'t>,
    /// The encoding of values that are not UTF-8.
    pub(crate) encoding: &'w Fallback,
    pub(crate) on_error: OnError,
    pub(super) lines: &'w mut LineCount,
    pub(super) begun: Begun<'t>,
}

/// How far a game has been begun.
pub(super) enum Begun<'t> {
    /// It is being played.
    Replay(Replay<'t>),
    /// It starts from this position, and is not played.
    Start(Position, Movetext<'t>),
    /// Its tags give no position that it can start from.
    Refused(Movetext<'t>),
}

/// What came of a game.
#[derive(Debug, Default)]
pub(crate) struct Played {
    /// The errors in its moves.
    pub(crate) errors: Vec<Diagnostic>,
    /// How many positions were made.
    pub(crate) positions: u64,
    /// Whether the job has no use for the game after all. What is wrong with its tags is told nevertheless.
    pub(crate) is_unwanted: bool,
}

impl<'t> OpenGame<'_, 't> {
    /// Where the game begins in its file, in bytes.
    pub(crate) fn offset(&self) -> u64 {
        self.text.offset + self.start as u64
    }

    /// Counts the line on which the game begins, from 0 within the block.
    pub(crate) fn count_line(&mut self) -> u64 {
        self.lines.count_to(self.text.bytes, self.start)
    }

    /// The game to be played; None if its tags give no position to start from.
    #[inline]
    pub(crate) fn replay(&mut self) -> Option<&mut Replay<'t>> {
        match &mut self.begun {
            Begun::Replay(replay) => Some(replay),
            Begun::Start(..) | Begun::Refused(_) => None,
        }
    }

    /// Plays the game; does nothing if its tags give no position to start from. The replay is moved to where the closure runs, which
    /// makes the loop over all moves of all games faster.
    #[inline(always)]
    pub(crate) fn play(&mut self, play: impl FnOnce(&mut Replay<'t>) -> Played) -> Played {
        let begun = std::mem::replace(&mut self.begun, Begun::Refused(Movetext::new(&[], 0)));
        let Begun::Replay(mut replay) = begun else {
            self.begun = begun;
            return Played::default();
        };
        let played = play(&mut replay);
        self.begun = Begun::Replay(replay);
        played
    }

    /// The position reached; None if the tags give none to start from.
    pub(crate) fn position(&self) -> Option<&Position> {
        match &self.begun {
            Begun::Replay(replay) => Some(replay.position()),
            Begun::Start(position, _) => Some(position),
            Begun::Refused(_) => None,
        }
    }

    /// The number of the last ply of the main line; 0 if the game cannot be played.
    pub(super) fn last_ply(&self) -> u32 {
        match &self.begun {
            Begun::Replay(replay) => replay.last_ply(),
            Begun::Start(..) | Begun::Refused(_) => 0,
        }
    }

    /// The rest of the movetext.
    pub(crate) fn movetext(&mut self) -> &mut Movetext<'t> {
        match &mut self.begun {
            Begun::Replay(replay) => replay.movetext_mut(),
            Begun::Start(_, movetext) | Begun::Refused(movetext) => movetext,
        }
    }
}
