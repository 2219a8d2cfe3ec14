//! The warning about evaluations in comments of another kind than those that were read.

use crate::messages::counts::counted;
use crate::walk::EvalCount;
use pgn2fen_pgn::annotation::EvalSource;

/// Returns what a run says about the kinds of comments in which it found evaluations, and in how many games: `evals:
/// 20 games with {[%eval 0.31]} (lichess), 3 games without`. None if it looked for none.
pub fn found_evals(evals: &EvalCount) -> Option<String> {
    let games = |number| counted(number, "game");
    let kind = |source: EvalSource| {
        let number = evals.games_read_by(source);
        (number > 0).then(|| format!("{} with {} ({})", games(number), source.example(), source.name()))
    };
    let mut kinds: Vec<String> = EvalSource::ALL.into_iter().filter_map(kind).collect();
    if evals.games_without > 0 {
        kinds.push(format!("{} without", games(evals.games_without)));
    }
    (!kinds.is_empty()).then(|| format!("evals: {}", kinds.join(", ")))
}

/// Whether evaluations were found in comments of several kinds.
pub fn has_mixed_evals(evals: &EvalCount) -> bool {
    EvalSource::ALL.into_iter().filter(|source| evals.games_read_by(*source) > 0).count() > 1
}

/// Returns the warning about games without an evaluation whose comments have evaluations that another value of the
/// option `evals` reads; None if there are none.
///
/// ```
/// use pgn2fen_games::messages;
/// use pgn2fen_games::walk::EvalCount;
///
/// // A job that read no evaluations has none to warn about.
/// assert_eq!(messages::other_evals(&EvalCount::default()), None);
/// ```
pub fn other_evals(evals: &EvalCount) -> Option<String> {
    let others = EvalSource::ALL.into_iter().filter_map(|source| {
        let games = evals.games_with(source);
        let have = if games == 1 { "has" } else { "have" };
        let (name, example) = (source.name(), source.example());
        let said =
            || format!("{} {have} comments such as {example}, which `evals={name}` reads", counted(games, "game"));
        (games > 0).then(said)
    });
    let others: Vec<String> = others.collect();
    let none = if evals.found == 0 { "no position has an evaluation" } else { "some games have no evaluation" };
    (!others.is_empty()).then(|| format!("{none}; {}", others.join(", ")))
}
