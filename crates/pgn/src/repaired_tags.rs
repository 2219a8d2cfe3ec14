//! Dates and results that can be read and are not in the form of the standard (§8.1.1.3, §8.1.1.7), as changes of a
//! game.

use crate::date::Date;
use crate::edit::GameEdit;
use crate::encoding::Fallback;
use crate::movetext::Ending;
use crate::replay::Replay;
use crate::tag_kind::TagKind;
use crate::tags::Tags;
use crate::token::{Outcome, Termination};

/// Adds the repairs of a game, which has not been played yet, to its changes.
///
/// - A tag with a date gets the form `2023.07.09`, if the date can mean only one day, a month or a year. A date with a
///   time behind it is kept.
/// - The Result tag and the termination marker get the spelling of the standard. If one of them is unknown or missing,
///   it gets the value of the other one; a game without a Result tag does not get one. If they differ, or if both are
///   unknown, a mate or a stalemate at the end of the main line decides. Otherwise both are kept.
pub fn repair(tags: &Tags<'_>, encoding: &Fallback, replay: Option<&Replay<'_>>, edit: &mut GameEdit) {
    for tag in tags.iter() {
        let Some(name) = str::from_utf8(tag.name).ok().filter(|name| TagKind::of(name) == TagKind::Date) else {
            continue;
        };
        let is_last = tags.value(name) == Some(tag.value);
        let value = tag.value.decode_from(encoding);
        if let Some(date) = standard_date(&value).filter(|date| is_last && *date != value) {
            edit.set(name, &date);
        }
    }
    if let Some(replay) = replay {
        repair_result(tags, encoding, replay, edit);
    }
}

/// Returns a date in the form of the standard. None if it is none, or if it could mean several days.
fn standard_date(value: &str) -> Option<String> {
    if let Some(date) = Date::in_words(value) {
        return Some(date.standard());
    }
    if value.trim().contains(|char: char| char.is_whitespace() || char == 'T') {
        return None;
    }
    match Date::parse(value) {
        Ok(Some(date)) => Some(date.standard()),
        Ok(None) => Some("????.??.??".to_owned()),
        Err(_) => None,
    }
}

fn repair_result(tags: &Tags<'_>, encoding: &Fallback, replay: &Replay<'_>, edit: &mut GameEdit) {
    let end = replay.ahead().finish();
    let tag = tags.find_any_case("Result").map(|tag| tag.value.decode_from(encoding));
    let stated = match tag.as_deref().map(str::trim) {
        None | Some("") => Some(Outcome::Unknown),
        Some(text) => Outcome::from_ascii(text.as_bytes()),
    };
    // A result such as 0-0 is none of the standard, and is kept.
    let Some(stated) = stated else {
        return;
    };
    let played = end.outcome().unwrap_or(Outcome::Unknown);
    let outcome = match (stated, played) {
        (Outcome::Unknown, Outcome::Unknown) => on_board(replay).unwrap_or(Outcome::Unknown),
        (Outcome::Unknown, known) | (known, Outcome::Unknown) => known,
        (stated, played) if stated == played => stated,
        _ => match on_board(replay) {
            Some(outcome) => outcome,
            None => return,
        },
    };
    let is_tag_right = tag.as_deref().is_none_or(|text| text == outcome.as_str());
    let is_marker_right = match end {
        Ending::Marker(Termination { outcome: marker, is_standard }) => is_standard && marker == outcome,
        // A game may end without a result.
        _ => played == outcome,
    };
    if !is_tag_right {
        edit.set("Result", outcome.as_str());
    }
    if !is_marker_right {
        edit.set_marker(outcome);
    }
}

/// Returns the outcome that the last position of the main line has by the rules: a mate or a stalemate. None if there
/// are legal moves, or if a move cannot be played.
fn on_board(replay: &Replay<'_>) -> Option<Outcome> {
    let mut replay = replay.clone();
    while let Some(ply) = replay.next_ply() {
        ply.ok()?;
    }
    Outcome::on_board(replay.position())
}

#[cfg(test)]
mod tests {
    use super::repair;
    use crate::edit::GameEdit;
    use crate::encoding::Fallback;
    use crate::games::Games;

    /// Compares a game after its repairs.
    #[track_caller]
    fn check(game: &str, expected: &str) {
        let read = Games::new(game.as_bytes()).next().expect(game);
        let mut edit = GameEdit::new();
        repair(read.tags(), &Fallback::default(), read.replay().ok().as_ref(), &mut edit);
        let edited = edit.text(game.as_bytes());
        assert_eq!(edited.as_deref().map_or(game.into(), String::from_utf8_lossy), expected, "{game:?}");
    }

    #[test]
    fn a_date_gets_the_form_of_the_standard_if_it_can_mean_one_day() {
        for (date, expected) in [
            ("2019-6-1", "2019.06.01"),
            ("16/11/2013", "2013.11.16"),
            ("July 9th, 2023", "2023.07.09"),
            ("2019", "2019.??.??"),
            ("?", "????.??.??"),
            ("3/4/2013", "3/4/2013"),
            ("2019.06.01 18:00", "2019.06.01 18:00"),
            ("2019-06-01T18:00", "2019-06-01T18:00"),
            ("soon", "soon"),
        ] {
            let game = |date| format!("[Date \"{date}\"]\n[Event \"2019-6-1\"]\n\n1. e4 *\n");
            check(&game(date), &game(expected));
        }
        check("[Date \"x\"]\n[Date \"2019-6-1\"]\n\n*\n", "[Date \"2019.06.01\"]\n\n*\n");
        check("[Date \"2019-6-1\"]\n[Date \"x\"]\n\n*\n", "[Date \"2019-6-1\"]\n[Date \"x\"]\n\n*\n");
    }

    #[test]
    fn an_unknown_result_becomes_the_other_one_or_that_of_the_board() {
        let mate = "1. f3 e5 2. g4 Qh4#";
        for (tag, movetext, new_tag, new_movetext) in [
            ("*", "1. e4 1-0", "1-0", "1. e4 1-0"),
            ("1-0", "1. e4 *", "1-0", "1. e4 1-0"),
            ("1:0", "1. e4 1-0", "1-0", "1. e4 1-0"),
            ("1-0", "1. e4 1:0", "1-0", "1. e4 1-0"),
            ("1-0", "1. e4 0-1", "1-0", "1. e4 0-1"),
            ("0-0", "1. e4 *", "0-0", "1. e4 *"),
            ("", "1. e4 0-1", "0-1", "1. e4 0-1"),
            ("*", "1. e4 *", "*", "1. e4 *"),
            ("*", &format!("{mate} *"), "0-1", &format!("{mate} 0-1")),
            ("1-0", &format!("{mate} 1/2-1/2"), "0-1", &format!("{mate} 0-1")),
            ("*", "1. f3 e5 2. g4 Ke4 *", "*", "1. f3 e5 2. g4 Ke4 *"),
        ] {
            let game = |tag, movetext| format!("[Result \"{tag}\"]\n\n{movetext}\n");
            check(&game(tag, movetext), &game(new_tag, new_movetext));
        }
        check("1. e4 1:0\n", "1. e4 1-0\n");
        check("1. e4\n", "1. e4\n");
    }
}
