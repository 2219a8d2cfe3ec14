//! Warnings at the end of a run that printed less than the user probably wanted.

use crate::cli::counts::{counted, grouped};
use crate::rows::LeftOut;
use crate::walk::{Count, MissingTag};

/// The names of the options on the command line that leave out games or positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Restrictions {
    pub(crate) games: Vec<&'static str>,
    pub(crate) positions: Vec<&'static str>,
}

/// Returns the warning about a tag in a filter or a column that no game has.
pub(crate) fn missing_tag(tag: &MissingTag) -> String {
    let MissingTag { name, nearest, others } = tag;
    let suggestion = match (nearest.as_slice(), others.as_slice()) {
        ([], []) => String::new(),
        ([], others) => format!("; the games have {}", others.join(", ")),
        (nearest, _) => format!("; did you mean {}?", nearest.join(" or ")),
    };
    format!("no game has the tag {name}{suggestion}")
}

/// Returns the warning about the positions that the format bullet left out; None if there are none.
pub(crate) fn left_out(left_out: LeftOut, positions: u64) -> Option<String> {
    let LeftOut { without_evaluation, mates, without_result } = left_out;
    let total = left_out.total();
    let reasons = [
        (without_evaluation, "without an evaluation"),
        (mates, "evaluated as mate"),
        (without_result, "without a known result"),
    ];
    let reasons: Vec<String> = reasons
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(
            |(count, reason)| {
                if *count == total { (*reason).to_owned() } else { format!("{} {reason}", grouped(*count)) }
            },
        )
        .collect();
    let reasons = reasons.join(", ");
    if total == 0 {
        return None;
    }
    if total < positions {
        return Some(format!("{} left out: {reasons}", counted(total, "position")));
    }
    let advice = if without_evaluation >= without_result {
        "bullet needs evaluations in comments, such as {[%eval 0.31]}; annotate the games with an engine, or use another format"
    } else {
        "bullet needs games that were won, lost or drawn; use another format"
    };
    Some(format!("all {} were left out: {reasons}; {advice}", counted(total, "position")))
}

/// Returns the warning about a run that read games but printed nothing because of the options; None for other runs.
pub(crate) fn nothing(count: Count, restrictions: &Restrictions) -> Option<String> {
    let Count { games, wanted, positions } = count;
    let Restrictions { games: of_games, positions: of_positions } = restrictions;
    if games > 0 && wanted == 0 && !of_games.is_empty() {
        Some(format!("none of {} satisfies {}", counted(games, "game"), of_games.join(" and ")))
    } else if wanted > 0 && positions == 0 && !of_positions.is_empty() {
        Some(format!("no position of {} satisfies {}", counted(wanted, "game"), of_positions.join(" and ")))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {

    use super::{Restrictions, left_out, missing_tag, nothing};
    use crate::rows::LeftOut;
    use crate::walk::{Count, MissingTag};

    #[test]
    fn near_names_are_suggested_or_those_that_there_are() {
        let tag = |nearest: &[&str], others: &[&str]| {
            let [nearest, others] = [nearest, others].map(|names| names.iter().map(ToString::to_string).collect());
            missing_tag(&MissingTag { name: "Elo".to_owned(), nearest, others })
        };
        assert_eq!(tag(&["WhiteElo", "BlackElo"], &[]), "no game has the tag Elo; did you mean WhiteElo or BlackElo?");
        assert_eq!(tag(&[], &["Event", "Site"]), "no game has the tag Elo; the games have Event, Site");
        assert_eq!(tag(&[], &[]), "no game has the tag Elo");
    }

    #[track_caller]
    fn check_left_out([without_evaluation, mates, without_result]: [u64; 3], positions: u64, expected: Option<&str>) {
        let said = left_out(LeftOut { without_evaluation, mates, without_result }, positions);
        let said = said.map(|said| said.split_once(';').map_or(said.clone(), |(what, _)| what.to_owned()));
        assert_eq!(said.as_deref(), expected);
    }

    #[test]
    fn what_a_format_leaves_out_is_counted_by_the_reason() {
        check_left_out([0, 0, 0], 5, None);
        check_left_out([1, 0, 0], 5, Some("1 position left out: without an evaluation"));
        check_left_out(
            [1200, 3, 1],
            5000,
            Some(
                "1,204 positions left out: 1,200 without an evaluation, 3 evaluated as mate, 1 without a known result",
            ),
        );
        check_left_out([1632, 0, 0], 1632, Some("all 1,632 positions were left out: without an evaluation"));
        check_left_out([0, 0, 7], 7, Some("all 7 positions were left out: without a known result"));
    }

    #[track_caller]
    fn check_nothing(games: u64, wanted: u64, positions: u64, expected: Option<&str>) {
        let restrictions = Restrictions { games: vec!["-t", "--start"], positions: vec!["--ply"] };
        let count = Count { games, wanted, positions };
        assert_eq!(nothing(count, &restrictions).as_deref(), expected);
        assert_eq!(nothing(count, &Restrictions::default()), None);
    }

    #[test]
    fn an_empty_output_is_explained_by_the_options() {
        check_nothing(0, 0, 0, None);
        check_nothing(12, 0, 0, Some("none of 12 games satisfies -t and --start"));
        check_nothing(12, 3, 0, Some("no position of 3 games satisfies --ply"));
        check_nothing(12, 3, 1, None);
    }
}
