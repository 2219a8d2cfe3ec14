//! Chooses the positions of a game, and plays the game to reach them.

use crate::walk::evals::{EvalCount, GameEvals};
use crate::walk::game_task::{OpenGame, Repeats};
use crate::walk::judged::before_judged;
use crate::walk::options::OnError;
use crate::walk::stretches::in_stretches;
use pgn2fen_chess::position::Position;
use pgn2fen_filters::{InGame, PositionFilter, ShapeScan};
use pgn2fen_pgn::annotation::{Annotation, Comments, EngineReport};
use pgn2fen_pgn::diagnostic::Diagnostic;
use pgn2fen_pgn::movetext::Word;
use pgn2fen_pgn::replay::{Observer, PendingMove, Ply, Replay};
use pgn2fen_sources::GameParts;

/// The choice of positions, which is the same for all games.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct PositionChoice {
    pub filter: PositionFilter,
    /// Whether variations are played as well.
    pub variations: bool,
    /// Whether only the first of equal positions of the run is wanted.
    pub unique: bool,
    /// The most memory for different positions, in bytes; None for any.
    pub memory: Option<usize>,
}

impl PositionChoice {
    /// Whether every position of the main lines is wanted, but for repeated ones. The starting positions may be left
    /// out.
    pub fn wants_all(&self) -> bool {
        let skip_start = self.filter.skip_start;
        !self.variations
            && self.filter.shape.is_empty()
            && self.filter == PositionFilter { skip_start, ..PositionFilter::default() }
    }

    /// Returns the parts of games in which positions are looked for, or that decide whether one is wanted.
    pub fn parts(&self) -> GameParts {
        GameParts { comments: self.filter.reads_evals(), variations: self.variations, ..GameParts::NONE }
    }

    /// Returns how repeated positions are handled.
    pub fn repeats(&self) -> Repeats {
        if self.unique { Repeats::Drop { memory: self.memory } } else { Repeats::Keep }
    }

    /// Returns the choice for a game that has not been played yet.
    pub fn in_game(&self, game: &OpenGame<'_, '_>) -> Choice<'_> {
        Choice {
            positions: self,
            in_game: self.filter.in_game(game.file, game.offset(), || game.last_ply()),
            wants_all_places: self.filter.wants_all_places(),
            wants_all_others: self.filter.wants_all_others(),
            shape: self.shape_in_game(game),
            judged: self.filter.judges().then(|| self.judged_in_game(game)),
            wants_all: self.filter.shape.is_empty() && self.filter.wants_all_places() && self.filter.wants_all_others(),
            stops_at_errors: game.on_error == OnError::Stop,
            evals: GameEvals::default(),
        }
    }

    fn judged_in_game(&self, game: &OpenGame<'_, '_>) -> JudgedPositions {
        let wanted = game.ahead().map(|replay| before_judged(&self.filter, replay, self.variations));
        JudgedPositions { wanted: wanted.unwrap_or_default(), next: 0 }
    }

    fn shape_in_game(&self, game: &OpenGame<'_, '_>) -> ShapeCheck<'_> {
        let shape = &self.filter.shape;
        if shape.is_empty() {
            ShapeCheck::Any
        } else if shape.for_plies.get() == 1 {
            ShapeCheck::Each(ShapeScan::new(shape))
        } else {
            let wanted = game.ahead().map(|replay| in_stretches(shape, replay, self.variations));
            ShapeCheck::Stretches { wanted: wanted.unwrap_or_default(), next: 0 }
        }
    }
}

/// The shapes that are wanted in a game.
#[derive(Debug)]
enum ShapeCheck<'j> {
    Any,
    /// The shape of each position.
    Each(ShapeScan<'j>),
    /// A shape for some plies in a row.
    Stretches {
        /// Whether each position belongs to such plies, in the order of the text.
        wanted: Vec<bool>,
        /// The index of the next position.
        next: usize,
    },
}

impl ShapeCheck<'_> {
    /// Takes the next position in the order of the text. Returns whether it may have the shape.
    #[inline]
    fn may_hold(&mut self, replay: &Replay<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::Each(scan) => scan.may_hold(replay.position(), replay.variation()),
            Self::Stretches { wanted, next } => {
                let is_wanted = wanted.get(*next).is_some_and(|is_wanted| *is_wanted);
                *next += 1;
                is_wanted
            }
        }
    }

    /// Whether a position that may have the shape has it.
    #[inline]
    fn holds(&self, position: &Position) -> bool {
        match self {
            Self::Each(scan) => scan.matches(position),
            Self::Any | Self::Stretches { .. } => true,
        }
    }
}

/// The positions whose next moves have the judgement that is wanted.
#[derive(Debug)]
struct JudgedPositions {
    /// Whether each position is one of them, in the order of the text.
    wanted: Vec<bool>,
    /// The index of the next position.
    next: usize,
}

impl JudgedPositions {
    /// Takes the next position in the order of the text. Returns whether it is one of them.
    fn take(&mut self) -> bool {
        let is_wanted = self.wanted.get(self.next).is_some_and(|is_wanted| *is_wanted);
        self.next += 1;
        is_wanted
    }
}

/// The choice of positions in one game.
#[doc(hidden)]
#[derive(Debug)]
pub struct Choice<'j> {
    positions: &'j PositionChoice,
    in_game: InGame,
    /// Whether the place in the game does not matter.
    wants_all_places: bool,
    /// Whether only the place in the game and the shape matter.
    wants_all_others: bool,
    shape: ShapeCheck<'j>,
    judged: Option<JudgedPositions>,
    /// Whether every position is wanted.
    wants_all: bool,
    stops_at_errors: bool,
    evals: GameEvals,
}

impl Choice<'_> {
    /// Plays the next move, if there is one, and stores the errors on the way. After the first error there may be moves
    /// in other variations.
    #[inline(always)]
    pub fn next_ply<'t>(&self, replay: &mut Replay<'t>, errors: &mut Vec<Diagnostic>) -> Option<Ply<'t>> {
        let word = self.peek_word(replay);
        self.next_ply_at(word, replay, errors, &mut ())
    }

    /// Does the same as [`Replay::peek_word`]. None if variations are played.
    #[inline(always)]
    pub fn peek_word<'t>(&self, replay: &mut Replay<'t>) -> Option<Word<'t>> {
        if self.positions.variations { None } else { replay.peek_word() }
    }

    /// Does the same as [`next_ply`](Self::next_ply), and shows the move and the position before it to an observer.
    /// `word` must be the result of [`peek_word`](Self::peek_word) since the last move.
    #[inline(always)]
    pub fn next_ply_at<'t>(
        &self,
        word: Option<Word<'t>>,
        replay: &mut Replay<'t>,
        errors: &mut Vec<Diagnostic>,
        observer: &mut impl Observer,
    ) -> Option<Ply<'t>> {
        if !self.positions.variations {
            // Behind an error in the main line nothing is played.
            return replay.next_ply_at(word, |error| errors.push(error), observer);
        }
        loop {
            match replay.next_in_text()? {
                Ok(ply) => {
                    if let Some(before) = replay.before() {
                        observer.see(&PendingMove::new(before, ply.played));
                    }
                    return Some(ply);
                }
                Err(error) => errors.push(error),
            }
            if self.stops_at_errors {
                return None;
            }
        }
    }

    /// Whether every position of the main line is wanted, and no other.
    pub fn wants_main_line(&self) -> bool {
        self.wants_all && !self.positions.variations
    }

    /// Whether the position after this ply of the main line may be wanted. Inlined, it would be computed even where no
    /// column asks for it.
    #[inline(never)]
    pub fn wants_ply(&self, ply: u32) -> bool {
        self.in_game.wants(ply, 0)
    }

    /// Whether the position after this ply is wanted. Must be called once for each position, the starting position
    /// first.
    #[inline(always)]
    pub fn wants(&mut self, replay: &Replay<'_>, ply: u32) -> bool {
        if self.wants_all {
            return true;
        }
        let may_be_judged = self.judged.as_mut().is_none_or(JudgedPositions::take);
        self.shape.may_hold(replay)
            && (self.wants_all_places || self.in_game.wants(ply, replay.branch().unwrap_or(0)))
            && if self.wants_all_others {
                self.shape.holds(replay.position())
            } else {
                // The evaluation is looked for even if the judgement is not wanted, so that it is counted.
                self.wants_others(replay) && may_be_judged
            }
    }

    /// Whether the position has the shape, if it may have it, and passes the filters for more than its place in the
    /// game.
    #[inline(never)]
    fn wants_others(&self, replay: &Replay<'_>) -> bool {
        let filter = &self.positions.filter;
        let position = replay.position();
        // The cheapest tests come first.
        filter.wants_board(position)
            && self.shape.holds(position)
            && (!filter.skip_captures || filter.wants_next(position, replay.next_move().map(|(_, m)| m)))
            && (!filter.reads_evals() || self.wants_eval(replay))
    }

    #[inline(never)]
    fn wants_eval(&self, replay: &Replay<'_>) -> bool {
        self.positions.filter.wants_eval(self.evals.look(replay).eval, replay.position().turn())
    }

    /// Whether evaluations are read and counted by a filter.
    pub fn filters_by_eval(&self) -> bool {
        self.positions.filter.reads_evals()
    }

    /// Counts what the caller has read behind the last move, if there are comments.
    #[inline]
    pub fn count_eval(&self, replay: &Replay<'_>, annotation: &Annotation) {
        if annotation.comments != Comments::None {
            self.evals.count_annotation(replay, annotation);
        }
    }

    /// Returns the clock behind the last move, in seconds, which the caller has read. Reports it if it cannot be read.
    #[inline]
    pub fn check_clock(&self, replay: &Replay<'_>, annotation: &Annotation) -> Option<f64> {
        if annotation.has_doubtful_clock { self.clock(replay) } else { annotation.clock }
    }

    /// Returns the clock behind the last move, in seconds.
    #[inline(never)]
    pub fn clock(&self, replay: &Replay<'_>) -> Option<f64> {
        self.evals.clock(replay)
    }

    /// Counts positions for which the caller has called [`count_eval`](Self::count_eval).
    pub fn count_eval_positions(&self, positions: u64) {
        self.evals.count_positions(positions);
    }

    /// Returns the evaluation of the current position, and the clock if it is wanted.
    pub fn search(&self, replay: &Replay<'_>, wants_clock: bool) -> (EngineReport, Option<f64>) {
        self.evals.take(replay, wants_clock)
    }

    /// Ends the game. Returns the number of evaluations that were looked for, and adds warnings to the replay.
    pub fn end(self, replay: &mut Replay<'_>) -> EvalCount {
        self.evals.end(replay)
    }
}
