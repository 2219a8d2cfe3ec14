//! Hints for a position that is none, and for an answer without games.

use std::ffi::OsStr;
use std::path::Path;

use pgn2fen_chess::position::Position;
use pgn2fen_games::messages::{counted, quoted, references};
use pgn2fen_games::selection::{Plies, TagFilter};
use pgn2fen_games::typed::{Meant, TypedPosition};
use pgn2fen_index::{FilterCounts, TAGS};

/// Returns a hint about a text that was given as a position and is none: the command that was probably meant. None if
/// nothing is known.
pub(super) fn instead(text: &str, folder: &Path) -> Option<String> {
    let text = text.trim();
    let folder = quoted(folder.as_os_str());
    let find = |position: &str| format!("pgn2fen find {folder} {}", quoted(OsStr::new(position)));
    let filtered = |filter: &str| format!("pgn2fen find -t {} {folder} startpos", quoted(OsStr::new(filter)));
    match Meant::by(text) {
        Some(Meant::Code { moves, .. }) => {
            let code = text.to_uppercase();
            let filter = if code.len() == 3 { format!("ECO={code}") } else { format!("ECO~{code}") };
            return Some(format!("{}; for the games with this tag, {}", find(moves), filtered(&filter)));
        }
        Some(Meant::Name { moves, .. }) => return Some(find(moves)),
        // Many variations have the names of players.
        Some(Meant::InNames { moves, .. }) => {
            let player = filtered(&format!("Player~{text}"));
            return Some(format!("{}; for the games of a player, {player}", find(moves)));
        }
        Some(Meant::Link) => {
            let id = lichess_id(text)?;
            return Some(format!("for games with this link in the tag Site, {}", filtered(&format!("Site~{id}"))));
        }
        _ => {}
    }
    let is_known = |name: &str| TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name));
    if text.parse::<TagFilter>().is_ok_and(|filter| filter.conditions().iter().all(|on| is_known(on.name()))) {
        return Some(format!("a filter is given with -t: {}", filtered(text)));
    }
    if Path::new(text).is_file() {
        let file = quoted(OsStr::new(text));
        let is_pgn = Path::new(text).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
        return Some(if is_pgn {
            format!("the last position of each of its games is found by pgn2fen -p -1 {file} | pgn2fen find {folder}")
        } else {
            format!("positions are read from a file by pgn2fen find {folder} < {file}")
        });
    }
    let (opening, moves) = Meant::nearest_openings(text).into_iter().next()?;
    Some(format!("did you mean the opening {opening}? {}", find(moves)))
}

/// Returns the identifier of a game from its address on lichess.org.
fn lichess_id(link: &str) -> Option<&str> {
    let (_, path) = link.split_once("lichess.org/")?;
    let id = path.split(['/', '?', '#']).next()?;
    let is_id = matches!(id.len(), 8 | 12) && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    // The last four letters of twelve are those of a player.
    is_id.then(|| &id[..8])
}

/// Returns the hint about a position that may be missing because an index has only some plies of each game. Only moves
/// from the initial position tell the ply of a position.
pub(super) fn missing_ply(known: Plies, typed: &TypedPosition) -> Option<String> {
    let ply = typed.moves.len().to_string().parse::<Plies>();
    let is_indexed = typed.start == Position::initial() && ply.is_ok_and(|ply| ply.is_within(known));
    (known != Plies::ALL && !is_indexed).then(|| format!("the index has only the plies {known} of each game"))
}

/// Returns the warning about an answer without games although there are games: which filters no game satisfies.
/// `others` are the names of options that leave out games for other reasons.
pub(super) fn left_none(counts: &FilterCounts, filters: &[TagFilter], others: &[&str]) -> Option<String> {
    let FilterCounts { games, passing, passing_all, .. } = counts;
    if *games == 0 {
        return None;
    }
    let option = |filter: &TagFilter| format!("-t {}", quoted(OsStr::new(&filter.to_string())));
    let all = counted(*games, "game");
    if *passing_all > 0 {
        let satisfying = counted(*passing_all, "game");
        return (!others.is_empty()).then(|| format!("none of {satisfying} satisfies {}", references(others, " and ")));
    }
    let without: Vec<String> =
        filters.iter().zip(passing).filter(|(_, passing)| **passing == 0).map(|(filter, _)| option(filter)).collect();
    if !without.is_empty() {
        return Some(format!("none of {all} satisfies {}", without.join(", and none ")));
    }
    let each = filters.iter().zip(passing).map(|(filter, passing)| format!("{} leaves {passing}", option(filter)));
    Some(format!("none of {all} satisfies all filters: {}", each.collect::<Vec<_>>().join(", ")))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{instead, left_none};
    use pgn2fen_games::selection::TagFilter;
    use pgn2fen_index::FilterCounts;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(instead(text, Path::new("x.idx")).unwrap_or_default(), expected, "{text}");
    }

    #[test]
    #[cfg(unix)]
    fn what_is_no_position_gets_the_command_that_works() {
        check("Sicilian Defense", "pgn2fen find x.idx '1. e4 c5'");
        check(
            "b20",
            "pgn2fen find x.idx '1. e4 c5'; for the games with this tag, pgn2fen find -t ECO=B20 x.idx startpos",
        );
        check(
            "https://lichess.org/j1dkb5dwABCD/black",
            "for games with this link in the tag Site, pgn2fen find -t 'Site~j1dkb5dw' x.idx startpos",
        );
        check("White~carlsen", "a filter is given with -t: pgn2fen find -t 'White~carlsen' x.idx startpos");
        check(
            "Najdorf",
            "pgn2fen find x.idx '1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6'; for the games of a player, \
            pgn2fen find -t 'Player~Najdorf' x.idx startpos",
        );
        check("kings gambit", "did you mean the opening King's Gambit? pgn2fen find x.idx '1. e4 e5 2. f4'");
        check("Cargo.toml", "positions are read from a file by pgn2fen find x.idx < Cargo.toml");
        for text in ["https://www.chess.com/game/1", "1. e5", "Annotator~x", "hello", ""] {
            check(text, "");
        }
    }

    #[track_caller]
    fn check_none(games: u64, passing: &[u64], passing_all: u64, others: &[&str], expected: &str) {
        let filters: Vec<TagFilter> =
            ["ECO=B90", "White~tal"][..passing.len()].iter().map(|text| text.parse().unwrap()).collect();
        let mut counts = FilterCounts::default();
        (counts.games, counts.passing, counts.passing_all) = (games, passing.to_vec(), passing_all);
        assert_eq!(left_none(&counts, &filters, others).unwrap_or_default(), expected);
    }

    #[test]
    #[cfg(unix)]
    fn filters_that_no_game_satisfies_are_named() {
        check_none(143, &[0], 0, &[], "none of 143 games satisfies -t ECO=B90");
        check_none(143, &[7, 0], 0, &[], "none of 143 games satisfies -t 'White~tal'");
        check_none(143, &[0, 0], 0, &[], "none of 143 games satisfies -t ECO=B90, and none -t 'White~tal'");
        check_none(
            143,
            &[7, 9],
            0,
            &[],
            "none of 143 games satisfies all filters: -t ECO=B90 leaves 7, -t 'White~tal' leaves 9",
        );
        check_none(143, &[7], 7, &["material"], "none of 7 games satisfies `material`");
        check_none(0, &[0], 0, &[], "");
        check_none(143, &[7], 7, &[], "");
    }
}
