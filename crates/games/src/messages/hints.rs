//! Warnings at the end of a run that printed less than the user probably wanted.

use crate::messages::counts::counted;
use crate::walk::{Count, MissingTag, Totals};

/// The [options](pgn2fen_spec::OPTIONS), by their names, that leave out games or positions in this run.
#[derive(Clone, Debug, Default)]
pub struct Restrictions {
    /// The options that leave out games, such as `tags`.
    pub games: Vec<&'static str>,
    /// The options that leave out positions of the chosen games, such as `plies`.
    pub positions: Vec<&'static str>,
}

/// Returns the warning about a tag in a filter or a column that no game has.
pub fn missing_tag(tag: &MissingTag) -> String {
    let MissingTag { name, nearest, others } = tag;
    let has_capital = name.contains(|char: char| char.is_ascii_uppercase());
    let suggestion = match (nearest.as_slice(), others.as_slice()) {
        ([], _) if !has_capital => {
            "; columns of rows such as ply and eval are no tags, which begin with a capital".into()
        }
        ([], []) => String::new(),
        ([], others) => format!("; the games have {}", others.join(", ")),
        (nearest, _) => format!("; did you mean {}?", nearest.join(" or ")),
    };
    format!("no game has the tag {name}{suggestion}")
}

/// Returns the warning about games whose values of tags the filters could not read; None if there are none.
pub fn unread_tags(totals: &Totals) -> Option<String> {
    let games = totals.unread_tags;
    let advice = "such a value is neither less nor greater than any other";
    (games > 0).then(|| format!("`tags` could not read a value of {}; {advice}", counted(games, "game")))
}

/// Returns the warning about games of variants that a filter for positions of chess left out; None if there are none.
pub fn other_rules(totals: &Totals) -> Option<String> {
    let games = totals.other_rules;
    let verb = if games == 1 { "is" } else { "are" };
    (games > 0).then(|| {
        format!(
            "{} of variants {verb} left out, because `reached` is a position of chess; for a variant, write its tag \
             before the moves: [Variant \"Atomic\"] 1. e4",
            counted(games, "game")
        )
    })
}

/// Returns references to options for a message, with `separator` between them. Names with hyphens, those of options
/// that only the command has, are written as they are.
pub fn references(names: &[&str], separator: &str) -> String {
    let reference = |name: &&str| if name.starts_with('-') { (*name).to_owned() } else { format!("`{name}`") };
    names.iter().map(reference).collect::<Vec<_>>().join(separator)
}

/// Returns the warning about a run that read games but printed nothing because of the options; None for other runs.
pub fn nothing(count: Count, restrictions: &Restrictions) -> Option<String> {
    let Count { games, wanted, positions } = count;
    let Restrictions { games: of_games, positions: of_positions } = restrictions;
    if games > 0 && wanted == 0 && !of_games.is_empty() {
        Some(format!("none of {} satisfies {}", counted(games, "game"), references(of_games, " and ")))
    } else if wanted > 0 && positions == 0 && !of_positions.is_empty() {
        Some(format!("no position of {} satisfies {}", counted(wanted, "game"), references(of_positions, " and ")))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Restrictions, missing_tag, nothing};
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
    fn check_nothing(games: u64, wanted: u64, positions: u64, expected: Option<&str>) {
        let restrictions = Restrictions { games: vec!["tags", "start"], positions: vec!["plies"] };
        let count = Count { games, wanted, positions };
        assert_eq!(nothing(count, &restrictions).as_deref(), expected);
        assert_eq!(nothing(count, &Restrictions::default()), None);
    }

    #[test]
    fn an_empty_output_is_explained_by_the_options() {
        check_nothing(0, 0, 0, None);
        check_nothing(12, 0, 0, Some("none of 12 games satisfies `tags` and `start`"));
        check_nothing(12, 3, 0, Some("no position of 3 games satisfies `plies`"));
        check_nothing(12, 3, 1, None);
    }
}
