//! Messages for people about an index: known files, the size of an index, and the state after a failure.

use std::fmt::Display;
use std::path::Path;

use crate::error::IndexError;
use crate::finished::Built;
use crate::known::Known;
use pgn2fen_chess::fen::{self, EpStyle, FenStyle, Fields};
use pgn2fen_games::messages::{counted, quoted_for_sh, shown};
use pgn2fen_games::selection::{CourseFilter, ShapeColors, ShapeFilter, Start};
use pgn2fen_games::walk::ReadOptions;

/// Advice for a file that changed after it was indexed.
const AGAIN: &str = "remove its old games with --remove, then append it";

impl Known {
    /// Returns the reason why a file is [not read](Self::handling), for the index in `folder`. None for a file that
    /// must be read.
    pub fn explain(&self, path: &Path, folder: &Path) -> Option<String> {
        let name = shown(path);
        Some(match self {
            Self::New => return None,
            Self::Indexed => format!("{name}: is already in the index"),
            Self::Copy { of, is_there: true } => format!("{name}: is already in the index as {}", shown(of)),
            Self::Copy { of, is_there: false } => format!(
                "{name}: is already in the index as {}, which no longer exists; if it was moved: pgn2fen index \
                 --relocate {} {name}",
                shown(of),
                shown(folder),
            ),
            Self::Again(first) if first == path => format!("{name}: is given twice and read once"),
            Self::Again(first) => format!("{name}: is the same file as {}, which is given before it", shown(first)),
            Self::Grown => format!("{name}: has grown since it was indexed; {AGAIN}"),
            Self::Changed => format!("{name}: has changed since it was indexed; {AGAIN}"),
        })
    }
}

impl Built {
    /// Returns the numbers of games and positions, and the size:
    /// `211 games, 14,046 positions; in all 483 games, 36,768 positions; 463,428 bytes, 12.6 bytes a position`.
    pub fn in_words(&self) -> String {
        let Self { games, postings, runs, all_games, all_postings, .. } = *self;
        let what = |games, postings| format!("{}, {}", counted(games, "game"), counted(postings, "position"));
        let is_all = all_games == games && runs == 1;
        let all = if is_all { String::new() } else { format!("; in all {}", what(all_games, all_postings)) };
        format!("{}{all}; {}", what(games, postings), self.size_in_words())
    }

    /// Returns the size of the index: `463,428 bytes, 12.6 bytes a position`.
    pub fn size_in_words(&self) -> String {
        let per_posting = self.bytes as f64 / self.all_postings.max(1) as f64;
        format!("{}, {per_posting:.1} bytes a position", counted(self.bytes, "byte"))
    }
}

/// Returns a phrase about the index in a folder that was not written.
pub fn unchanged(folder: &Path) -> String {
    format!("{} is unchanged", shown(folder))
}

/// Returns a phrase about the index that is in a folder after it could not be written: the old one, or possibly the new
/// one.
pub fn after_failure(folder: &Path, error: &IndexError) -> String {
    if error.is_in_doubt() {
        let folder = shown(folder);
        format!("it is not known whether {folder} is the new index or the old one; it is complete in either case")
    } else {
        unchanged(folder)
    }
}

/// Returns a phrase about the index that is in a folder after games were added, but its runs could not be merged.
pub fn after_failed_merge(folder: &Path, error: &IndexError) -> String {
    let what =
        if error.is_in_doubt() { "it is not known whether its runs were merged" } else { "its runs were not merged" };
    format!("the games are in {}, but {what}", shown(folder))
}

/// Returns the choice of games as options of `pgn2fen index`; an empty text if all games are chosen.
pub(super) fn choice_in_words(read: &ReadOptions) -> String {
    let tags = read.games.tags.iter().map(|tag| format!(" -t {}", quoted_for_sh(tag.to_string().as_ref())));
    let start = match read.games.start {
        Start::Any => None,
        Start::Standard => Some(" --start standard".to_owned()),
        Start::Nonstandard => Some(" --start nonstandard".to_owned()),
    };
    let openings =
        read.games.openings.iter().map(|opening| format!(" --opening {}", quoted_for_sh(opening.to_string().as_ref())));
    let CourseFilter { reached, shape, length } = &read.games.course;
    let style = FenStyle { ep: EpStyle::Legal, fields: Fields::Four, ..FenStyle::default() };
    let reached = reached.iter().map(|position| format!(" --reached '{}'", fen::to_string(position, style)));
    let length = length.map(|length| format!(" --length {length}"));
    let most = read.max_games.map(|most| format!(" -n {most}"));
    let course = reached.chain(length).chain(shape_in_words(shape));
    tags.chain(start).chain(openings).chain(course).chain(most).collect::<String>().trim_start().to_owned()
}

/// Returns a shape as options of `pgn2fen games`.
fn shape_in_words(shape: &ShapeFilter) -> Vec<String> {
    let ShapeFilter { material, patterns, pawns, colors, mirror, for_plies } = shape;
    let option = |name: &str, value: &dyn Display| format!(" --{name} {}", quoted_for_sh(value.to_string().as_ref()));
    let material = material.iter().map(|material| option("material", material));
    let patterns = patterns.iter().map(|pattern| option("pattern", pattern));
    let pawns = pawns.iter().map(|pawns| option("pawns", pawns));
    let colors = (*colors == ShapeColors::Given).then(|| " --shape-colors given".to_owned());
    let mirror = mirror.then(|| " --mirror".to_owned());
    let for_plies = (for_plies.get() > 1).then(|| format!(" --for-plies {for_plies}"));
    material.chain(patterns).chain(pawns).chain(colors).chain(mirror).chain(for_plies).collect()
}

#[cfg(test)]
mod tests {
    use super::choice_in_words;
    use pgn2fen_chess::position::Position;
    use pgn2fen_games::selection::{CourseFilter, GameFilter, ShapeFilter, Start};
    use pgn2fen_games::walk::ReadOptions;

    #[track_caller]
    fn check(tags: &[&str], start: Start, openings: &[&str], max_games: Option<u64>, words: &str) {
        let tags = tags.iter().map(|tag| tag.parse().unwrap()).collect();
        let openings = openings.iter().map(|opening| opening.parse().unwrap()).collect();
        let read = ReadOptions {
            games: GameFilter { tags, start, openings, ..GameFilter::default() },
            max_games,
            ..ReadOptions::default()
        };
        assert_eq!(choice_in_words(&read), words);
    }

    #[test]
    fn a_course_is_stored_as_the_options_of_the_command() {
        let shape = ShapeFilter {
            material: vec!["RP+1:RP*".parse().unwrap()],
            for_plies: 6.try_into().unwrap(),
            ..ShapeFilter::default()
        };
        let course = CourseFilter { reached: vec![Position::initial()], length: "40..".parse().ok(), shape };
        let read = ReadOptions {
            games: GameFilter { course, ..GameFilter::default() },
            max_games: Some(1),
            ..ReadOptions::default()
        };
        assert_eq!(
            choice_in_words(&read),
            "--reached 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -' --length 40.. --material 'RP+1:RP*' \
             --for-plies 6 -n 1"
        );
    }

    #[test]
    fn a_choice_is_stored_as_the_options_of_the_command() {
        check(&[], Start::Any, &[], None, "");
        check(&["ECO=C42"], Start::Standard, &[], None, "-t ECO=C42 --start standard");
        check(
            &["WhiteElo>=2200", "White~it's"],
            Start::Any,
            &[],
            Some(3),
            r"-t 'WhiteElo>=2200' -t 'White~it'\''s' -n 3",
        );
        check(&[], Start::Nonstandard, &[], Some(0), "--start nonstandard -n 0");
        check(
            &["ECO=B"],
            Start::Any,
            &["B9", "King's Gambit"],
            Some(1),
            r"-t ECO=B --opening B9 --opening 'King'\''s Gambit' -n 1",
        );
    }
}
