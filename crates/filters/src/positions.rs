//! The filter for the positions of a game.

use std::num::NonZeroU32;
use std::ops::RangeInclusive;

use crate::range::{EvalRange, NumberRange, PlyRanges};
use crate::sample::{GameSample, Sample};
use crate::shape::ShapeFilter;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_pgn::annotation::Eval;
use pgn2fen_pgn::judgement::{JudgedMove, Judgement};

/// A filter for the positions of a game. A position must meet all conditions. By default all positions pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionFilter {
    /// The ranges of plies to include.
    pub plies: PlyRanges,
    /// The step between plies: the first ply of a range is included, and from there every n-th ply.
    pub every: NonZeroU32,
    /// Whether the starting position is left out.
    pub skip_start: bool,
    /// The random sample to which positions must belong.
    pub sample: Option<Sample>,
    /// The side to move.
    pub turn: Option<Color>,
    /// The number of pieces on the board.
    pub men: Option<NumberRange>,
    /// Whether positions are left out in which the side to move is in check.
    pub skip_checks: bool,
    /// Whether positions are left out whose next move is a capture or a promotion. Positions without a next move pass.
    pub skip_captures: bool,
    /// The greatest evaluation for either side, in centipawns. Mates are left out. Positions without an evaluation
    /// pass.
    pub max_eval: Option<u32>,
    /// The evaluation from White's point of view. Mate in n moves is 32000 − n, and −(32000 − n) if Black mates.
    /// Positions without an evaluation are left out.
    pub eval: Option<EvalRange>,
    /// The judgements about the next move of the line, one of which must fit, if there are any; None is a good move.
    /// Positions are left out whose next move has no evaluation before and behind it.
    pub judgements: Vec<Option<Judgement>>,
    /// The least [loss](JudgedMove::centipawn_loss) by the next move of the line, in centipawns. The same positions are
    /// left out as with `judgements`.
    pub min_loss: Option<u32>,
    /// The shape of the position.
    pub shape: ShapeFilter,
}

impl Default for PositionFilter {
    fn default() -> Self {
        Self {
            plies: PlyRanges::default(),
            every: NonZeroU32::MIN,
            skip_start: false,
            sample: None,
            turn: None,
            men: None,
            skip_checks: false,
            skip_captures: false,
            max_eval: None,
            eval: None,
            judgements: Vec::new(),
            min_loss: None,
            shape: ShapeFilter::default(),
        }
    }
}

impl PositionFilter {
    /// Applies the filter to one game, given by the number of its file in the run and its byte offset in that file.
    /// `last_ply` returns the number of the last ply of the main line. It is called only if plies are counted from the
    /// end.
    #[doc(hidden)]
    pub fn in_game(&self, file: u64, offset: u64, last_ply: impl FnOnce() -> u32) -> InGame {
        let last_ply = if self.plies.count_from_end() { last_ply() } else { 0 };
        let mut ranges = self.plies.ranges().iter().map(|plies| plies.of_game(last_ply));
        InGame {
            plies: ranges.next().unwrap_or(0..=u32::MAX),
            other_plies: ranges.collect(),
            every: self.every,
            skip_start: self.skip_start,
            sample: self.sample.map(|sample| sample.of_game(file, offset)),
        }
    }

    /// Whether there are no conditions on the place of a position in its game.
    #[doc(hidden)]
    pub fn wants_all_places(&self) -> bool {
        let Self { plies, every, skip_start, sample, .. } = self;
        plies.is_all() && *every == NonZeroU32::MIN && !skip_start && sample.is_none()
    }

    /// Whether there are no conditions but those on the place of a position and on its shape.
    #[doc(hidden)]
    pub fn wants_all_others(&self) -> bool {
        let Self { turn, men, skip_checks, skip_captures, .. } = self;
        turn.is_none() && men.is_none() && !skip_checks && !skip_captures && !self.reads_evals()
    }

    /// Whether there are conditions on evaluations.
    #[doc(hidden)]
    pub fn reads_evals(&self) -> bool {
        self.max_eval.is_some() || self.eval.is_some() || self.judges()
    }

    /// Whether there are conditions on the judgement about the next move.
    #[doc(hidden)]
    pub fn judges(&self) -> bool {
        !self.judgements.is_empty() || self.min_loss.is_some()
    }

    /// Whether the judgement about the next move is wanted.
    #[doc(hidden)]
    pub fn wants_judged(&self, next: JudgedMove) -> bool {
        (self.judgements.is_empty() || self.judgements.contains(&next.judgement()))
            && self.min_loss.is_none_or(|least| next.centipawn_loss().unsigned_abs() >= least)
    }

    /// Whether the position meets the conditions for the board: side to move, number of pieces, check.
    #[doc(hidden)]
    #[inline]
    pub fn wants_board(&self, position: &Position) -> bool {
        self.turn.is_none_or(|turn| turn == position.turn())
            && self.men.is_none_or(|men| men.contains(position.board().occupied().count()))
            && !(self.skip_checks && position.is_check())
    }

    /// Whether the next move meets the condition for captures and promotions.
    #[doc(hidden)]
    #[inline]
    pub fn wants_next(&self, position: &Position, next: Option<Move>) -> bool {
        let is_loud = |next: Move| next.is_capture(position.board()) || next.promotion().is_some();
        !(self.skip_captures && next.is_some_and(is_loud))
    }

    /// Whether the evaluation of a position with this side to move is in the range, and small enough.
    #[doc(hidden)]
    #[inline]
    pub fn wants_eval(&self, eval: Option<Eval>, turn: Color) -> bool {
        let is_small = match (self.max_eval, eval) {
            (None, _) | (_, None) => true,
            (Some(most), Some(Eval::Centipawns(centipawns))) => centipawns.unsigned_abs() <= most,
            (Some(_), Some(Eval::Mate(_))) => false,
        };
        is_small && self.eval.is_none_or(|range| eval.is_some_and(|eval| range.contains(eval.centipawns(turn))))
    }
}

/// The part of a [`PositionFilter`] that depends only on the place of a position in one game.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct InGame {
    plies: RangeInclusive<u32>,
    /// Further ranges; usually there are none.
    other_plies: Vec<RangeInclusive<u32>>,
    every: NonZeroU32,
    skip_start: bool,
    sample: Option<GameSample>,
}

impl InGame {
    /// Whether the position after this ply is wanted; ply 0 is the start. `branch` is 0 in the main line. In a
    /// variation it is the byte offset of the move.
    #[inline]
    #[doc(hidden)]
    pub fn wants(&self, ply: u32, branch: u64) -> bool {
        let is_in = |plies: &RangeInclusive<u32>| {
            plies.contains(&ply) && (ply - plies.start()).is_multiple_of(self.every.get())
        };
        (is_in(&self.plies) || self.other_plies.iter().any(is_in))
            && !(self.skip_start && ply == 0)
            && self.sample.is_none_or(|sample| sample.contains(ply, branch))
    }
}

#[cfg(test)]
mod tests {
    use super::PositionFilter;
    use pgn2fen_chess::piece::Color;
    use pgn2fen_chess::testing::{find, position};
    use pgn2fen_pgn::annotation::Eval;
    use pgn2fen_pgn::judgement::{JudgedMove, Judgement};
    use std::num::NonZeroU32;

    /// Compares the plies that are wanted in a game with ten plies.
    #[track_caller]
    fn check(plies: &str, every: u32, skip_start: bool, expected: &[u32]) {
        let every = NonZeroU32::new(every).unwrap();
        let filter = PositionFilter { plies: plies.parse().unwrap(), every, skip_start, ..PositionFilter::default() };
        let game = filter.in_game(0, 0, || 10);
        assert_eq!((0..=10).filter(|ply| game.wants(*ply, 0)).collect::<Vec<_>>(), expected, "{plies} {every}");
    }

    #[test]
    fn every_so_many_plies_are_counted_from_the_first_of_the_range() {
        check("..", 4, false, &[0, 4, 8]);
        check("..", 4, true, &[4, 8]);
        check("3..", 4, false, &[3, 7]);
        check("3..7", 2, false, &[3, 5, 7]);
        check("-4..", 2, false, &[7, 9]);
        check("-1", 9, false, &[10]);
        check("5,9,7..8", 1, false, &[5, 7, 8, 9]);
        check("..4,-1", 2, true, &[2, 4, 10]);
    }

    #[test]
    fn a_position_is_wanted_for_its_mover_its_men_and_its_quiet() {
        let quiet = position("4k3/8/8/8/8/8/P6r/4K2R b K - 0 1");
        let check = position("4k3/8/8/8/8/8/8/r3K3 w - - 0 1");
        let filter = |turn, men: &str, skip_checks| PositionFilter {
            turn,
            men: men.parse().ok(),
            skip_checks,
            ..PositionFilter::default()
        };
        assert!(filter(Some(Color::Black), "5", true).wants_board(&quiet));
        assert!(!filter(Some(Color::White), "5", true).wants_board(&quiet));
        assert!(!filter(Some(Color::Black), "..4", true).wants_board(&quiet));
        assert!(filter(None, "..4", false).wants_board(&check) && !filter(None, "..4", true).wants_board(&check));
    }

    #[test]
    fn an_evaluation_must_not_be_greater_for_either_side() {
        let filter = PositionFilter { max_eval: Some(1000), ..PositionFilter::default() };
        for (eval, is_wanted) in [(-1000, true), (1000, true), (1001, false), (-1001, false), (i32::MIN, false)] {
            assert_eq!(filter.wants_eval(Some(Eval::Centipawns(eval)), Color::White), is_wanted, "{eval}");
        }
        assert!(filter.wants_eval(None, Color::White) && !filter.wants_eval(Some(Eval::Mate(1)), Color::White));
        assert!(PositionFilter::default().wants_eval(Some(Eval::Mate(-1)), Color::White));
    }

    #[test]
    fn an_evaluation_is_in_a_range_from_whites_side() {
        let wants = |range: &str, eval, turn| {
            let filter = PositionFilter { eval: range.parse().ok(), ..PositionFilter::default() };
            filter.wants_eval(eval, turn)
        };
        for (range, eval, is_wanted) in [
            ("70..130", Eval::Centipawns(70), true),
            ("70..130", Eval::Centipawns(131), false),
            ("70..130", Eval::Centipawns(-100), false),
            ("-130..-70", Eval::Centipawns(-100), true),
            ("..-70", Eval::Mate(-3), true),
            ("..-70", Eval::Mate(3), false),
            ("31000..", Eval::Mate(3), true),
            ("70..130", Eval::Mate(3), false),
            ("0", Eval::Centipawns(0), true),
            ("..", Eval::Centipawns(i32::MIN), true),
        ] {
            assert_eq!(wants(range, Some(eval), Color::Black), is_wanted, "{range} {eval:?}");
            assert!(!wants(range, None, Color::Black));
        }
        // The side to move is mated.
        assert!(wants("31000..", Some(Eval::Mate(0)), Color::Black));
        assert!(!wants("31000..", Some(Eval::Mate(0)), Color::White));
    }

    #[test]
    fn a_next_move_is_wanted_for_its_judgement_and_its_loss() {
        let judged = |before, after| JudgedMove {
            player: Color::White,
            before: Eval::Centipawns(before),
            after: Eval::Centipawns(after),
        };
        let wants = |judgements: &[Option<Judgement>], min_loss, next| {
            let filter = PositionFilter { judgements: judgements.to_vec(), min_loss, ..PositionFilter::default() };
            assert!(filter.judges() && filter.reads_evals());
            filter.wants_judged(next)
        };
        let blunder = Some(Judgement::Blunder);
        assert!(wants(&[blunder], None, judged(50, -300)));
        assert!(!wants(&[blunder], None, judged(50, 40)));
        assert!(wants(&[blunder, None], None, judged(50, 40)));
        assert!(wants(&[None], None, judged(50, 80)));
        assert!(wants(&[], Some(100), judged(50, -50)) && !wants(&[], Some(101), judged(50, -50)));
        assert!(!wants(&[blunder], Some(400), judged(50, -300)));
    }

    #[test]
    fn a_next_move_that_captures_or_promotes_is_not_quiet() {
        let filter = PositionFilter { skip_captures: true, ..PositionFilter::default() };
        let position = position("1r2k3/P7/8/3pP3/8/8/8/4K3 w - d6 0 1");
        for (uci, is_wanted) in [("a7b8q", false), ("a7a8n", false), ("e5d6", false), ("e5e6", true), ("e1d2", true)] {
            assert_eq!(filter.wants_next(&position, Some(find(&position, uci))), is_wanted, "{uci}");
        }
        assert!(filter.wants_next(&position, None));
    }
}
