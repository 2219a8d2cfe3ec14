//! The part of a job that handles one game.

use crate::walk::batch::{BlockResult, Out};
use crate::walk::evals::EvalCount;
use crate::walk::options::OnError;
use pgn2fen_chess::position::Position;
use pgn2fen_pgn::diagnostic::{Diagnostic, LineCount, column};
use pgn2fen_pgn::encoding::Fallback;
use pgn2fen_pgn::games::Chunk;
use pgn2fen_pgn::movetext::Movetext;
use pgn2fen_pgn::replay::{Replay, VariantPolicy};
use pgn2fen_pgn::tags::Tags;
use pgn2fen_sources::GameParts;

/// Makes the results of each wanted game. Runs on any thread, and may run again on the same game.
#[doc(hidden)]
pub trait GameTask: Sync {
    /// The results for the games of a block.
    type BlockResult: BlockResult;

    /// Whether the job plays the moves. If it does not, games have a starting position but no
    /// [replay](OpenGame::replay), and only their tags are checked for text that is not UTF-8.
    const PLAYS: bool = true;

    /// Returns whether the job takes games of variants, as most do. A job whose output cannot hold such games refuses
    /// them: each is an error, and is counted.
    fn variants(&self) -> VariantPolicy {
        VariantPolicy::Play
    }

    /// Returns how repeated positions are handled.
    fn repeats(&self) -> Repeats {
        Repeats::Keep
    }

    /// Whether the job uses the offsets of games. Otherwise the offset of a range in the text of a compressed file,
    /// which takes time to count, is not set before the games are read.
    fn needs_offsets(&self) -> bool {
        true
    }

    /// Returns the parts of games that the job reads beside main lines, apart from the [tags](Self::tags) that it
    /// names, and from what filters for games read. Text that is made of records may be without other parts, unless the
    /// job uses the offsets of games.
    fn parts(&self) -> GameParts {
        GameParts::ALL
    }

    /// Returns the names of the tags that the job reads.
    fn tags(&self) -> &[Box<str>] {
        &[]
    }

    /// Adds the results of a game to `out`.
    fn game<'t>(&self, game: &mut OpenGame<'_, 't>, out: &mut Out<'_, Self::BlockResult>) -> Played;
}

/// The handling of repeated positions.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// All positions are kept.
    Keep,
    /// Only the first of equal positions is kept. The job must push an identity for every position. The run ends with
    /// an error if the different positions take more memory, in bytes.
    Drop { memory: Option<usize> },
    /// Only the first of equal positions is kept, with a count of all. The job must push an identity for every
    /// position.
    Count,
}

/// A game whose tags have been read.
#[doc(hidden)]
#[derive(Debug)]
pub struct OpenGame<'w, 't> {
    pub text: Chunk<'t>,
    /// The start of the game, in bytes of the text.
    pub start: usize,
    /// The number of the game in its block, counted from 1.
    pub number: u64,
    /// The number of the file in the run, counted from 0.
    pub file: u64,
    pub tags: &'w Tags<'t>,
    /// The encoding of tag values that are not UTF-8.
    pub encoding: &'w Fallback,
    pub(crate) on_error: OnError,
    pub(super) lines: &'w mut LineCount,
    pub(super) state: &'w mut GameState<'t>,
}

/// The state of a game.
#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "it lives on the stack, one for each worker; without features, it is reported"
)]
pub(super) enum GameState<'t> {
    /// The game is being played.
    Replay(Replay<'t>),
    /// The game starts from this position and is not played.
    Start(Position, Movetext<'t>),
    /// The tags give no usable starting position.
    Refused(Movetext<'t>),
}

impl GameState<'_> {
    /// A placeholder where no game is open.
    pub(super) fn none() -> Self {
        Self::Refused(Movetext::new(&[], 0))
    }
}

/// The outcome of the work on a game.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Played {
    /// The errors in its moves.
    pub errors: Vec<Diagnostic>,
    /// The number of positions in the results.
    pub positions: u64,
    /// The evaluations that were looked for.
    pub evals: EvalCount,
    /// Whether the job does not want the game after all. Faults in its tags are reported nevertheless.
    pub is_unwanted: bool,
    /// Whether the game has no results because of an error, although it is wanted.
    pub is_left_out: bool,
    /// Whether tags of the game were repaired.
    pub is_repaired: bool,
}

impl Played {
    /// The outcome for a game that the job does not want.
    pub const UNWANTED: Self = Self {
        errors: Vec::new(),
        positions: 0,
        evals: EvalCount::NONE,
        is_unwanted: true,
        is_left_out: false,
        is_repaired: false,
    };
}

impl<'t> OpenGame<'_, 't> {
    /// Returns the offset of the game in its file, in bytes.
    pub fn offset(&self) -> u64 {
        self.text.offset + self.start as u64
    }

    /// Returns the line on which the game begins, counted from 0 within the block.
    pub fn count_line(&mut self) -> u64 {
        self.lines.count_to(self.text.bytes, self.start)
    }

    /// Returns the line of a byte of the text, counted from 0 within the block, and its column, from 0. The bytes must
    /// be asked for in ascending order, from the start of the game on.
    pub(crate) fn place_of(&mut self, at: usize) -> (u64, usize) {
        (self.lines.count_to(self.text.bytes, at), column(&self.text.bytes[..at]))
    }

    /// Returns the replay of the game. None if its tags give no usable starting position.
    #[inline]
    pub fn replay(&mut self) -> Option<&mut Replay<'t>> {
        if let GameState::Replay(replay) = self.state { Some(replay) } else { None }
    }

    /// Plays the game. Does nothing if its tags give no usable starting position. The closure gets the replay as a
    /// local value, which makes the loop over all moves of all games faster.
    #[inline(always)]
    pub fn play(&mut self, play: impl FnOnce(&mut Replay<'t>) -> Played) -> Played {
        let state = std::mem::replace(self.state, GameState::none());
        let GameState::Replay(mut replay) = state else {
            *self.state = state;
            return Played::default();
        };
        let played = play(&mut replay);
        *self.state = GameState::Replay(replay);
        played
    }

    /// Returns the current position. None if the tags give no usable starting position.
    pub fn position(&self) -> Option<&Position> {
        match &*self.state {
            GameState::Replay(replay) => Some(replay.position()),
            GameState::Start(position, _) => Some(position),
            GameState::Refused(_) => None,
        }
    }

    /// Returns a copy of the replay. None if the game cannot be played.
    pub(super) fn ahead(&self) -> Option<Replay<'t>> {
        if let GameState::Replay(replay) = &*self.state { Some(replay.clone()) } else { None }
    }

    /// Returns the number of the last ply of the main line. 0 if the game cannot be played.
    pub(super) fn last_ply(&self) -> u32 {
        if let GameState::Replay(replay) = &*self.state { replay.last_ply() } else { 0 }
    }

    /// Returns the reader of the rest of the movetext.
    pub fn movetext(&mut self) -> &mut Movetext<'t> {
        match self.state {
            GameState::Replay(replay) => replay.movetext_mut(),
            GameState::Start(_, movetext) | GameState::Refused(movetext) => movetext,
        }
    }
}
