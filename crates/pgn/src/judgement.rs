//! Chances to win, accuracy, and judgements of moves, from the evaluations before and behind a move, by the formulas of
//! Lichess.
//!
//! The formulas and numbers are those that Lichess publishes, in `WinPercent`, `AccuracyPercent`, `AccuracyCP` and
//! `Advice` of its server. Evaluations are from White's point of view. A mate counts as ten pawns, and so does every
//! evaluation beyond ten pawns, but for judgements.

use crate::annotation::Eval;
use pgn2fen_chess::piece::Color;

/// The evaluation of a starting position that has none.
pub const START: Eval = Eval::Centipawns(15);

/// The name of a move that is no inaccuracy, no mistake and no blunder.
pub const GOOD: &str = "good";

/// The greatest evaluation that counts, in centipawns.
const MOST: i32 = 1000;

/// A judgement about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The glyph `?!`.
    Inaccuracy,
    /// The glyph `?`.
    Mistake,
    /// The glyph `??`.
    Blunder,
}

impl Judgement {
    /// All judgements.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Returns the name of the judgement: `inaccuracy`, `mistake` or `blunder`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// A move with the evaluations before and behind it.
///
/// ```
/// use pgn2fen_chess::piece::Color;
/// use pgn2fen_pgn::judgement::{Judgement, JudgedMove};
/// use pgn2fen_pgn::annotation::Eval;
///
/// let judged = JudgedMove { player: Color::White, before: Eval::Centipawns(50), after: Eval::Centipawns(-60) };
/// assert_eq!((judged.centipawn_loss(), judged.judgement()), (110, Some(Judgement::Mistake)));
/// assert_eq!((judged.accuracy() * 100.0).round(), 6432.0);
/// assert_eq!(judged.name(), "mistake");
/// assert_eq!(JudgedMove { after: Eval::Centipawns(50), ..judged }.name(), "good");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// The player who made the move.
    pub player: Color,
    /// The evaluation of the position before the move. In `Mate(0)`, White is mated.
    pub before: Eval,
    /// The evaluation of the position behind the move, in the same way.
    pub after: Eval,
}

impl JudgedMove {
    /// Returns by how much the move made the evaluation worse for its player, in centipawns. 0 if it did not.
    pub fn centipawn_loss(self) -> i32 {
        let loss = capped(self.before) - capped(self.after);
        self.player.pick(loss, -loss).max(0)
    }

    /// Returns the accuracy of the move, from 0 to 100.
    pub fn accuracy(self) -> f64 {
        accuracy(self.player, win_chance(self.before), win_chance(self.after))
    }

    /// Returns the name of the judgement about the move, or [`GOOD`] if it is not judged.
    pub fn name(self) -> &'static str {
        self.judgement().map_or(GOOD, Judgement::name)
    }

    /// Returns the judgement about the move; None for a good move. Lichess judges no move that its engine would have
    /// played, whatever the evaluations say.
    pub fn judgement(self) -> Option<Judgement> {
        let of_player = |eval: Eval| if self.player == Color::White { eval } else { eval.reversed() };
        let by_loss = |loss: f64| {
            let judgements = [(0.3, Judgement::Blunder), (0.2, Judgement::Mistake), (0.1, Judgement::Inaccuracy)];
            judgements.into_iter().find(|(least, _)| loss >= *least).map(|(_, judgement)| judgement)
        };
        let by_rest = |centipawns: i32| match centipawns {
            1000.. => Judgement::Inaccuracy,
            701.. => Judgement::Mistake,
            _ => Judgement::Blunder,
        };
        // As with the sign of zero, being mated is not told from mating, if the player is Black: `reversed` keeps 0.
        let mates = |moves: i32| if moves == 0 { self.player == Color::Black } else { moves > 0 };
        match (of_player(self.before), of_player(self.after)) {
            (Eval::Centipawns(before), Eval::Centipawns(after)) => by_loss(chances(before) - chances(after)),
            // A mate of the opponent has become possible.
            (Eval::Centipawns(before), Eval::Mate(moves)) if !mates(moves) => Some(by_rest(-before)),
            // A mate is possible no more.
            (Eval::Mate(moves), Eval::Centipawns(after)) if mates(moves) => Some(by_rest(after)),
            (Eval::Mate(before), Eval::Mate(after)) if mates(before) && !mates(after) => Some(Judgement::Blunder),
            _ => None,
        }
    }
}

/// Returns the evaluation with a mate on the board as `Mate(1)` or `Mate(-1)`: the side to move is mated.
pub fn settled(eval: Eval, turn: Color) -> Eval {
    if eval == Eval::Mate(0) { Eval::Mate(turn.pick(-1, 1)) } else { eval }
}

/// Returns the chances of White to win, in percent.
///
/// ```
/// use pgn2fen_pgn::judgement::win_chance;
/// use pgn2fen_pgn::annotation::Eval;
///
/// assert_eq!(win_chance(Eval::Centipawns(0)), 50.0);
/// assert_eq!(win_chance(Eval::Mate(3)), win_chance(Eval::Centipawns(1000)));
/// ```
pub fn win_chance(eval: Eval) -> f64 {
    50.0 + 50.0 * chances(capped(eval))
}

/// Returns a number with two decimal places. The functions of the module return what the formulas give, which differs
/// in the last digits from one machine to another.
pub fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// Returns the chances to win, from -1 to 1.
fn chances(centipawns: i32) -> f64 {
    2.0 / (1.0 + (-0.003_682_08 * f64::from(centipawns)).exp()) - 1.0
}

fn capped(eval: Eval) -> i32 {
    match eval {
        Eval::Centipawns(centipawns) => centipawns.clamp(-MOST, MOST),
        Eval::Mate(1..) => MOST,
        Eval::Mate(_) => -MOST,
    }
}

fn accuracy(player: Color, before: f64, after: f64) -> f64 {
    let loss = player.pick(before - after, after - before);
    if loss <= 0.0 {
        return 100.0;
    }
    // One percent more, because evaluations are not exact.
    let raw = 103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * loss).exp() - 3.166_924_740_191_411;
    (raw + 1.0).clamp(0.0, 100.0)
}

/// The accuracy, the average loss and the judged moves of a player in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerReview {
    /// The accuracy, from 0 to 100.
    pub accuracy: f64,
    /// The average loss of centipawns, rounded.
    pub centipawn_loss: u32,
    /// The number of inaccuracies, of mistakes, and of blunders.
    pub judgements: [u32; 3],
}

/// The evaluations of the main line of a game, from which the accuracy of the players follows.
#[derive(Clone, Debug, Default)]
pub struct GameReview {
    /// The positions that have an evaluation, with their plies, and the player who made the move.
    positions: Vec<(u32, Color, Eval)>,
}

impl GameReview {
    /// Removes all positions.
    pub fn clear(&mut self) {
        self.positions.clear();
    }

    /// Adds the evaluation of the position after this number of plies. `turn` is the side to move. A starting position
    /// without an evaluation has [`START`].
    pub fn add(&mut self, ply: u32, turn: Color, eval: Option<Eval>) {
        let eval = if ply == 0 { eval.or(Some(START)) } else { eval };
        if let Some(eval) = eval {
            self.positions.push((ply, !turn, settled(eval, turn)));
        }
    }

    /// Returns what follows for a player. None if no move of the player has an evaluation before and behind it.
    pub fn of(&self, player: Color) -> Option<PlayerReview> {
        let chances: Vec<f64> = self.evaluated().iter().map(|(.., eval)| win_chance(*eval)).collect();
        let window = (chances.len().saturating_sub(1) / 10).clamp(2, 8);
        let (mut moves, mut lost, mut judgements) = (0_u32, 0, [0; 3]);
        let (mut weighted, mut weights, mut inverse) = (0.0, 0.0, 0.0);
        for (nth, pair) in self.evaluated().windows(2).enumerate() {
            let [(ply, _, before), (next, by, after)] = *pair else { continue };
            if by != player || next != ply + 1 {
                continue;
            }
            let judged = JudgedMove { player, before, after };
            let weight = volatility(&chances, nth, window).clamp(0.5, 12.0);
            let accuracy = accuracy(player, chances[nth], chances[nth + 1]);
            moves += 1;
            weighted += accuracy * weight;
            weights += weight;
            inverse += 1.0 / accuracy.max(1.0);
            lost += i64::from(judged.centipawn_loss());
            if let Some(judgement) = judged.judgement() {
                judgements[judgement as usize] += 1;
            }
        }
        let count = i64::from(moves);
        (moves > 0).then(|| PlayerReview {
            accuracy: f64::midpoint(weighted / weights, f64::from(moves) / inverse),
            centipawn_loss: u32::try_from((2 * lost + count) / (2 * count)).unwrap_or(u32::MAX),
            judgements,
        })
    }

    /// The positions from the first that has an evaluation of its own. If that is behind the first move, the starting
    /// position comes before.
    fn evaluated(&self) -> &[(u32, Color, Eval)] {
        match &self.positions[..] {
            [(0, ..), (ply, ..), ..] if *ply > 1 => &self.positions[1..],
            positions => positions,
        }
    }
}

/// Returns how much the chances vary around a move: their standard deviation in a window that ends with the move, or in
/// the first window for the first moves.
fn volatility(chances: &[f64], nth: usize, window: usize) -> f64 {
    let size = window.min(chances.len());
    let start = (nth + 2).saturating_sub(size);
    let values = &chances[start..start + size];
    #[expect(clippy::cast_precision_loss, reason = "a window is small")]
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{GameReview, JudgedMove, Judgement, START, rounded, settled, win_chance};
    use crate::annotation::Eval;
    use pgn2fen_chess::piece::Color;

    fn eval(text: &str) -> Eval {
        match text.strip_prefix('#') {
            Some(moves) => Eval::Mate(moves.parse().unwrap()),
            None => Eval::Centipawns(text.parse().unwrap()),
        }
    }

    /// Compares the judgement about a move of White, and about the same move of Black.
    #[track_caller]
    fn check(before: &str, after: &str, expected: Option<Judgement>) {
        let (before, after) = (eval(before), eval(after));
        assert_eq!(JudgedMove { player: Color::White, before, after }.judgement(), expected);
        let (before, after) = (before.reversed(), after.reversed());
        assert_eq!(JudgedMove { player: Color::Black, before, after }.judgement(), expected);
    }

    #[test]
    fn a_move_is_judged_by_the_chances_that_it_loses() {
        check("0", "-54", None);
        check("0", "-55", Some(Judgement::Inaccuracy));
        check("0", "-110", Some(Judgement::Inaccuracy));
        check("0", "-111", Some(Judgement::Mistake));
        check("0", "-168", Some(Judgement::Mistake));
        check("0", "-169", Some(Judgement::Blunder));
        check("0", "300", None);
        // Beyond ten pawns, evaluations still differ.
        check("1300", "900", None);
        check("2000", "700", Some(Judgement::Inaccuracy));
    }

    #[test]
    fn mates_are_judged_by_what_is_left() {
        check("-1000", "#-3", Some(Judgement::Inaccuracy));
        check("-999", "#-3", Some(Judgement::Mistake));
        check("-700", "#-3", Some(Judgement::Blunder));
        check("500", "#-3", Some(Judgement::Blunder));
        check("#3", "1000", Some(Judgement::Inaccuracy));
        check("#3", "999", Some(Judgement::Mistake));
        check("#3", "700", Some(Judgement::Blunder));
        check("#3", "#-1", Some(Judgement::Blunder));
        check("#3", "#9", None);
        check("#-3", "#-1", None);
        check("#-3", "-900", None);
        check("-300", "#2", None);
    }

    #[test]
    fn a_mate_on_the_board_is_a_mate_of_the_player_who_made_the_move() {
        assert_eq!(settled(Eval::Mate(0), Color::White), Eval::Mate(-1));
        assert_eq!(settled(Eval::Mate(0), Color::Black), Eval::Mate(1));
        assert_eq!(settled(START, Color::Black), START);
    }

    #[test]
    fn chances_and_accuracy_follow_the_formulas() {
        let chances = [0, 100, -100, 1000, 5000].map(|cp| rounded(win_chance(Eval::Centipawns(cp))));
        assert_eq!(chances, [50.0, 59.1, 40.9, 97.54, 97.54]);
        assert_eq!(rounded(win_chance(Eval::Mate(-9))), 2.46);
        let judged = |before, after| JudgedMove { player: Color::White, before: eval(before), after: eval(after) };
        assert_eq!(rounded(judged("100", "0").accuracy()), 67.24);
        assert_eq!(rounded(judged("0", "100").accuracy()), 100.0);
        assert_eq!(rounded(judged("#1", "#-1").accuracy()), 0.0);
        assert_eq!(judged("#1", "#-1").centipawn_loss(), 2000);
        assert_eq!(judged("-30", "20").centipawn_loss(), 0);
    }

    fn review(evals: &[(u32, &str)]) -> GameReview {
        let mut review = GameReview::default();
        let first = evals.iter().find(|(ply, _)| *ply == 0);
        review.add(0, Color::White, first.map(|(_, text)| eval(text)));
        for (ply, text) in evals.iter().filter(|(ply, _)| *ply > 0) {
            let turn = if ply % 2 == 0 { Color::White } else { Color::Black };
            review.add(*ply, turn, Some(eval(text)));
        }
        review
    }

    #[test]
    fn a_game_is_reviewed_for_each_player() {
        let game = review(&[(1, "20"), (2, "30"), (3, "-200"), (4, "-190"), (5, "#-3"), (6, "#-2")]);
        let white = game.of(Color::White).unwrap();
        assert_eq!((white.centipawn_loss, white.judgements), (347, [0, 0, 2]));
        let black = game.of(Color::Black).unwrap();
        assert_eq!((black.centipawn_loss, black.judgements), (7, [0; 3]));
        assert!(black.accuracy > 95.0 && white.accuracy < 60.0, "{white:?} {black:?}");
        assert_eq!(review(&[]).of(Color::White), None);
        assert_eq!(review(&[(1, "20")]).of(Color::Black), None);
    }

    #[test]
    fn moves_without_evaluations_are_left_out() {
        // Behind moves of a book the first evaluation is not compared with that of the starting position.
        let game = review(&[(9, "300"), (10, "300"), (11, "290"), (14, "0")]);
        assert_eq!(game.of(Color::White).unwrap().centipawn_loss, 10);
        let black = game.of(Color::Black).unwrap();
        assert_eq!((black.centipawn_loss, black.accuracy), (0, 100.0));
    }

    /// The figures are computed by the formulas of Lichess, in another language.
    #[test]
    fn a_move_weighs_as_much_as_the_chances_vary_around_it() {
        for (plies, expected) in [(12, [70.84, 78.12]), (33, [78.35, 78.14]), (101, [86.08, 85.45])] {
            let evals: Vec<i32> = (0..plies).map(|n| n * n * 7 % 211 - 105).collect();
            check_accuracies(Color::White, &evals, Some(expected), [0.005; 2]);
        }
    }

    /// Compares the accuracies of a game with these evaluations, White's and Black's, with those of a table.
    #[track_caller]
    fn check_accuracies(first: Color, evals: &[i32], expected: Option<[f64; 2]>, tolerances: [f64; 2]) {
        let mut review = GameReview::default();
        review.add(0, first, None);
        for (ply, eval) in (1..).zip(evals) {
            let turn = if ply % 2 == 0 { first } else { !first };
            review.add(ply, turn, Some(Eval::Centipawns(*eval)));
        }
        let found = [Color::White, Color::Black].map(|player| review.of(player).map(|of| of.accuracy));
        let Some(expected) = expected else {
            return assert!(found.contains(&None), "{evals:?}");
        };
        for ((found, expected), tolerance) in found.into_iter().zip(expected).zip(tolerances) {
            let found = found.unwrap();
            assert!((found - expected).abs() <= tolerance, "{found}, not {expected} ± {tolerance}: {evals:?}");
        }
    }

    /// The figures are those of `AccuracyPercentTest` of lichess-org/lila (commit 0cb3e7c19cf0), by which Lichess tests
    /// its server.
    #[test]
    fn games_have_the_accuracies_of_lichess() {
        let (good, bad) = ((100.0, 1.0), (10.0, 5.0));
        let table = |first: Color, evals: &[i32], white: (f64, f64), black: (f64, f64)| {
            check_accuracies(first, evals, Some([white.0, black.0]), [white.1, black.1]);
        };
        for first in [Color::White, Color::Black] {
            check_accuracies(first, &[], None, [0.0; 2]);
            check_accuracies(first, &[15], None, [0.0; 2]);
            table(first, &[15, 15], good, good);
        }
        table(Color::White, &[-900, -900], bad, good);
        table(Color::White, &[15, 900], good, bad);
        table(Color::White, &[-900, 0], bad, bad);
        table(Color::Black, &[900, 900], good, bad);
        table(Color::Black, &[15, -900], bad, good);
        table(Color::Black, &[900, 0], bad, bad);
        let perfect = |count: usize, last: &[i32]| [vec![15; count], last.to_vec()].concat();
        table(Color::White, &perfect(20, &[]), good, good);
        table(Color::White, &perfect(20, &[-900]), (50.0, 5.0), good);
        table(Color::White, &perfect(21, &[900]), good, (50.0, 5.0));
        for (count, lower, expected) in [(5, -50, 76.0), (50, -50, 76.0), (50, -135, 54.0), (50, -435, 20.0)] {
            table(Color::White, &[lower, 15].repeat(count), (expected, 8.0), (expected, 8.0));
        }
    }

    #[test]
    fn judgements_have_the_names_of_lichess() {
        assert_eq!(Judgement::ALL.map(Judgement::name), ["inaccuracy", "mistake", "blunder"]);
        let judged = |after| JudgedMove { player: Color::White, before: eval("0"), after: eval(after) }.name();
        assert_eq!(["0", "-60", "-120", "-200"].map(judged), ["good", "inaccuracy", "mistake", "blunder"]);
    }

    #[test]
    fn a_mate_on_the_board_is_judged_as_a_mate_of_white_or_of_black() {
        let judged =
            |player, before, after| JudgedMove { player, before: eval(before), after: eval(after) }.judgement();
        // White is mated.
        assert_eq!(judged(Color::White, "0", "#0"), Some(Judgement::Blunder));
        assert_eq!(judged(Color::Black, "0", "#0"), None);
        assert_eq!(judged(Color::White, "#3", "#0"), Some(Judgement::Blunder));
    }

    #[test]
    fn a_review_begins_anew_when_it_is_cleared() {
        let mut review = GameReview::default();
        review.add(0, Color::White, None);
        review.add(1, Color::Black, Some(eval("-200")));
        assert_eq!(review.of(Color::White).map(|review| review.centipawn_loss), Some(215));
        review.clear();
        assert_eq!(review.of(Color::White), None);
    }

    #[test]
    fn a_game_whose_first_moves_have_no_evaluation_begins_behind_them() {
        let mut review = GameReview::default();
        // With one position more, the window would be a larger one.
        for ply in 2..32 {
            let turn = if ply % 2 == 0 { Color::White } else { Color::Black };
            review.add(ply, turn, Some(Eval::Centipawns(i32::try_from(ply * 37 % 200).unwrap() - 100)));
        }
        let mut from_start = GameReview::default();
        from_start.add(0, Color::White, None);
        from_start.positions.extend(&review.positions);
        for player in [Color::White, Color::Black] {
            assert!(review.of(player).is_some());
            assert_eq!(from_start.of(player), review.of(player));
        }
    }
}
