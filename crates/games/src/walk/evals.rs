//! Counts of the evaluations that a job looked for, and of the comments that it could not read.

use std::cell::{Cell, RefCell};
use std::ops::AddAssign;

use pgn2fen_pgn::annotation::{Annotation, Comments, EngineReport, EvalSource};
use pgn2fen_pgn::diagnostic::{Diagnostic, Kind, push_in_game};
use pgn2fen_pgn::replay::Replay;

/// The numbers of evaluations that a job looked for in comments. All are 0 if it needed none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EvalCount {
    /// The positions whose evaluation was looked for.
    pub positions: u64,
    /// Those that have an evaluation.
    pub found: u64,
    /// Those without an evaluation that have a comment which looks like one and cannot be read.
    pub unread: u64,
    /// The games in which evaluations were looked for and none was found.
    pub games_without: u64,
    /// The games with an evaluation, by the source that has it.
    games: [u64; SOURCES],
    /// The games without an evaluation that have comments of another source, by source.
    others: [u64; SOURCES],
}

const SOURCES: usize = EvalSource::ALL.len();

/// The number of counts in [`EvalCount::to_numbers`].
const NUMBERS: usize = 4 + 2 * SOURCES;

impl EvalCount {
    /// The counts of a job that needs no evaluations.
    pub(super) const NONE: Self =
        Self { positions: 0, found: 0, unread: 0, games_without: 0, games: [0; SOURCES], others: [0; SOURCES] };

    /// Returns all counts, for a program that adds up those of several processes.
    #[doc(hidden)]
    pub fn to_numbers(self) -> [u64; NUMBERS] {
        let mut numbers = [0; NUMBERS];
        numbers[..4].copy_from_slice(&[self.positions, self.found, self.unread, self.games_without]);
        numbers[4..4 + SOURCES].copy_from_slice(&self.games);
        numbers[4 + SOURCES..].copy_from_slice(&self.others);
        numbers
    }

    /// Returns the counts that [`to_numbers`](Self::to_numbers) gave.
    #[doc(hidden)]
    pub fn from_numbers(numbers: [u64; NUMBERS]) -> Self {
        let [positions, found, unread, games_without, g0, g1, g2, others @ ..] = numbers;
        Self { positions, found, unread, games_without, games: [g0, g1, g2], others }
    }

    /// Returns the number of games in which this source has an evaluation that was found.
    pub fn games_read_by(&self, source: EvalSource) -> u64 {
        self.games[place(source)]
    }

    /// Returns the number of games in which no evaluation was found, but comments with evaluations that this source
    /// reads. In each game only some positions are searched for such comments.
    pub fn games_with(&self, source: EvalSource) -> u64 {
        self.others[place(source)]
    }
}

fn place(source: EvalSource) -> usize {
    EvalSource::ALL.iter().position(|other| *other == source).unwrap_or_default()
}

impl AddAssign for EvalCount {
    fn add_assign(&mut self, more: Self) {
        self.positions += more.positions;
        self.found += more.found;
        self.unread += more.unread;
        self.games_without += more.games_without;
        for place in 0..SOURCES {
            self.games[place] += more.games[place];
            self.others[place] += more.others[place];
        }
    }
}

/// Looks for the evaluations of the positions of a game, and counts them.
#[derive(Debug, Default)]
pub(super) struct GameEvals {
    positions: Cell<u64>,
    found: Cell<u64>,
    unread: Cell<u64>,
    /// The number of positions without an evaluation, of those that have comments if
    /// [`count_annotation`](Self::count_annotation) counts.
    missing: Cell<u64>,
    /// The value of `missing` behind which comments of another source are looked for next. The greatest for never.
    next_look: Cell<u64>,
    /// The source of the comments in a game without evaluations.
    other: Cell<Option<EvalSource>>,
    /// The evaluation that was read last, to be taken by [`take`](Self::take).
    last: Cell<Option<EngineReport>>,
    warnings: RefCell<Vec<Diagnostic>>,
}

impl GameEvals {
    /// Looks for the evaluation of the current position, and keeps it for [`take`](Self::take).
    pub(super) fn look(&self, replay: &Replay<'_>) -> EngineReport {
        let search = replay.search(|warning| self.note(warning));
        self.count_positions(1);
        self.count(replay, search.eval.is_some());
        self.last.set(Some(search));
        search
    }

    /// Looks for the evaluation of the current position, and for the clock if it is wanted.
    #[inline(never)]
    pub(super) fn take(&self, replay: &Replay<'_>, wants_clock: bool) -> (EngineReport, Option<f64>) {
        if let Some(search) = self.last.take() {
            return (search, if wants_clock { self.clock(replay) } else { None });
        }
        let (search, clock) = if wants_clock {
            replay.search_and_clock(|warning| self.note(warning))
        } else {
            (replay.search(|warning| self.note(warning)), None)
        };
        self.count_positions(1);
        self.count(replay, search.eval.is_some());
        (search, clock)
    }

    /// Counts the evaluation of the current position, which the caller has read. The positions are counted by
    /// [`count_positions`](Self::count_positions).
    #[inline]
    pub(super) fn count_annotation(&self, replay: &Replay<'_>, annotation: &Annotation) {
        if annotation.comments == Comments::UnreadEval {
            replay.search(|warning| self.note(warning));
        }
        self.count(replay, annotation.eval.is_some());
    }

    pub(super) fn count_positions(&self, positions: u64) {
        self.positions.set(self.positions.get() + positions);
    }

    #[inline]
    fn count(&self, replay: &Replay<'_>, is_found: bool) {
        if is_found {
            self.found.set(self.found.get() + 1);
        } else if self.found.get() == 0 {
            let missing = self.missing.replace(self.missing.get() + 1);
            if missing == self.next_look.get() {
                self.look_for_others(replay);
            }
        }
    }

    /// Looks for comments of another source in a few positions: the first without an evaluation, the second, the fifth,
    /// the 14th and so on. To look in every position would take time in the many games without any evaluation.
    #[cold]
    fn look_for_others(&self, replay: &Replay<'_>) {
        self.other.set(replay.source_of_comments());
        let next = self.missing.get() * 3 - 2;
        self.next_look.set(if self.other.get().is_some() { u64::MAX } else { next });
    }

    /// Returns the clock behind the last move, in seconds.
    pub(super) fn clock(&self, replay: &Replay<'_>) -> Option<f64> {
        replay.clock(|warning| self.note(warning))
    }

    #[cold]
    fn note(&self, warning: Diagnostic) {
        if warning.kind == Kind::UnreadEval {
            self.unread.set(self.unread.get() + 1);
        }
        push_in_game(&mut self.warnings.borrow_mut(), 0, warning);
    }

    /// Ends the game. Adds the warnings to the replay.
    pub(super) fn end(self, replay: &mut Replay<'_>) -> EvalCount {
        let warnings = self.warnings.into_inner();
        if !warnings.is_empty() {
            replay.add_warnings(warnings);
        }
        let (positions, found) = (self.positions.get(), self.found.get());
        let mut count = EvalCount { positions, found, unread: self.unread.get(), ..EvalCount::NONE };
        if found > 0 {
            count.games[place(replay.eval_source())] = u64::from(!replay.has_stated_eval());
        } else if positions > 0 {
            count.games_without = 1;
            if let Some(other) = self.other.get() {
                count.others[place(other)] = 1;
            }
        }
        count
    }
}
