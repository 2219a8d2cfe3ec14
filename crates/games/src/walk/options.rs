//! Options for the choice of games and for how they are read.

use pgn2fen_chess::position::Position;
use pgn2fen_filters::{CourseFilter, GameFilter};
use pgn2fen_pgn::encoding::{Fallback, Label};
use pgn2fen_pgn::movetext::Movetext;
use pgn2fen_pgn::replay::{Replay, ReplayOptions};
use pgn2fen_pgn::tags::Tags;

/// Options for the choice of games and for how they are read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The filter for games. Nothing is reported about games that do not pass it, whatever faults they have.
    pub games: GameFilter,
    /// Whether the games that do not pass the filter are wanted instead of those that do.
    pub invert: bool,
    /// The greatest number of games in the run. None for all games.
    pub max_games: Option<u64>,
    /// Options for moves, results and starting positions.
    pub replay: ReplayOptions,
    /// The encoding of text that is not UTF-8; None to [guess](pgn2fen_sources::Source::guess) it for each file.
    pub encoding: Option<Label>,
    /// The name of the column with the moves of the games, with which Parquet and Arrow files are opened; None to find
    /// it by its name.
    pub movetext: Option<String>,
    /// The handling of a game with an error.
    pub on_error: OnError,
}

impl ReadOptions {
    /// Whether a game with these tags and moves passes the filters for openings, comments and the course of a game.
    /// `base` is the offset in the file of the text that the movetext reads, in bytes. The game is played only if there
    /// are such filters, and only as far as they need it.
    #[inline]
    pub(super) fn wants_moves<'a>(
        &self,
        tags: &Tags<'a>,
        movetext: &Movetext<'a>,
        base: u64,
        encoding: &Fallback,
    ) -> Verdict {
        if !self.games.reads_moves() {
            Verdict::Passes
        } else if !self.games.wants_comments(movetext, encoding) {
            Verdict::Fails
        } else if self.games.plays() {
            self.wants_played(tags, movetext, base)
        } else {
            Verdict::Passes
        }
    }

    fn wants_played<'a>(&self, tags: &Tags<'a>, movetext: &Movetext<'a>, base: u64) -> Verdict {
        let GameFilter { openings, course, .. } = &self.games;
        let Ok(replay) = Replay::begin(tags, movetext.clone(), base, &self.replay) else {
            return Verdict::Fails;
        };
        if course.wants_other_rules(replay.position().rules()) {
            return Verdict::HasOtherRules;
        }
        let passes = (openings.is_empty() || self.games.wants_opening(replay.clone().into_opening()))
            && (course.is_empty() || passes(course, replay));
        if passes { Verdict::Passes } else { Verdict::Fails }
    }
}

/// The outcome of the filters that read the moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Passes,
    Fails,
    /// The game is of a variant, and the filters are for positions of chess.
    HasOtherRules,
}

/// Whether a game passes a filter. Plays it until that is known.
fn passes(filter: &CourseFilter, mut replay: Replay<'_>) -> bool {
    let start = filter.counts_repetitions().then(|| replay.clone());
    let mut course = filter.begin();
    let (mut ply, mut played) = (0, None);
    loop {
        if let Some(passes) = course.see(ply, played, replay.position()) {
            return passes;
        }
        match replay.next_ply() {
            Some(Ok(next)) => (ply, played) = (next.number, Some(next.played)),
            Some(Err(_)) | None => {
                let last = replay.position();
                return course.end(last, start.map_or(1, |start| occurrences(start, last)));
            }
        }
    }
}

/// Returns how often a position occurs in a game. The game is played once more, so that positions need no memory.
fn occurrences(mut replay: Replay<'_>, wanted: &Position) -> usize {
    let mut times = 0;
    loop {
        times += usize::from(replay.position().is_same_position(wanted));
        if !matches!(replay.next_ply(), Some(Ok(_))) {
            return times;
        }
    }
}

/// The handling of a game that cannot be read to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// The positions before the error are kept.
    #[default]
    Keep,
    /// All positions of the game are dropped.
    Drop,
    /// The positions before the error are kept, and the run ends.
    Stop,
}
