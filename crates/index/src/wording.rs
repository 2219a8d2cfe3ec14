//! Messages for people about an index: known files, the size of an index, and the state after a failure.

use std::fmt::Display;
use std::path::Path;

use crate::error::IndexError;
use crate::finished::Built;
use crate::known::Known;
use pgn2fen_chess::fen::{self, EpStyle, FenStyle, Fields};
use pgn2fen_games::messages::{counted, shown};
use pgn2fen_games::selection::{CourseFilter, ShapeColors, ShapeFilter, Start};
use pgn2fen_games::walk::ReadOptions;
use pgn2fen_spec::Dialect;

/// Advice for a file that changed after it was indexed.
const AGAIN: &str = "remove its old games with `remove`, then append it";

impl Known {
    /// Whether the index has only the games of another choice than the one of these options.
    pub fn is_of_other_choice(&self, read: &ReadOptions) -> bool {
        match self {
            Self::Indexed { choice } | Self::Copy { choice, .. } => {
                !choice.is_empty() && *choice != choice_in_words(read)
            }
            _ => false,
        }
    }

    /// Returns the reason why a file is [not read](Self::handling), for the index in `folder`. None for a file that
    /// must be read.
    pub fn explain(&self, path: &Path, folder: &Path) -> Option<String> {
        let name = shown(path);
        let by = |choice: &str| if choice.is_empty() { String::new() } else { format!(" (only {choice})") };
        Some(match self {
            Self::New => return None,
            Self::Indexed { choice } => format!("{name}: is already in the index{}", by(choice)),
            Self::Copy { of, is_there: true, choice } => {
                format!("{name}: is already in the index as {}{}", shown(of), by(choice))
            }
            Self::Copy { of, is_there: false, choice } => format!(
                "{name}: is already in the index as {}{}, which no longer exists; if it was moved: pgn2fen index \
                 `relocate` {} {name}",
                shown(of),
                by(choice),
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
    } else if error.path() == folder {
        // The error names it.
        "nothing is changed".to_owned()
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

/// Returns the choice of games as options of the command; an empty text if all games are chosen.
pub(super) fn choice_in_words(read: &ReadOptions) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut add = |name: &str, value: &dyn Display| {
        words.push(Dialect::Command.with_value(name, &value.to_string()));
    };
    read.games.tags.iter().for_each(|tag| add("tags", tag));
    match read.games.start {
        Start::Any => {}
        Start::Standard => add("start", &"standard"),
        Start::Nonstandard => add("start", &"nonstandard"),
    }
    read.games.openings.iter().for_each(|opening| add("opening", opening));
    if read.games.commented {
        add("commented", &true);
    }
    let CourseFilter { reached, moves, shape, ends, length } = &read.games.course;
    let style = FenStyle { ep: EpStyle::Legal, fields: Fields::Four, ..FenStyle::default() };
    reached.iter().for_each(|position| add("reached", &fen::to_string(position, style)));
    moves.iter().for_each(|moves| add("moves", moves));
    ends.iter().for_each(|end| add("ends", end));
    length.iter().for_each(|length| add("length", length));
    let ShapeFilter { material, patterns, pawns, colors, mirror, for_plies } = shape;
    material.iter().for_each(|material| add("material", material));
    patterns.iter().for_each(|pattern| add("pattern", pattern));
    pawns.iter().for_each(|pawns| add("pawns", pawns));
    if *colors == ShapeColors::Given {
        add("colors", &"given");
    }
    if *mirror {
        add("mirror", &true);
    }
    if for_plies.get() > 1 {
        add("for_plies", for_plies);
    }
    read.max_games.iter().for_each(|most| add("max_games", most));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{after_failed_merge, after_failure, choice_in_words, unchanged};
    use crate::error::IndexError;
    use crate::finished::Built;
    use pgn2fen_chess::position::Position;
    use pgn2fen_games::selection::{CourseFilter, GameFilter, ShapeColors, ShapeFilter, Start};
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
        let ends = vec!["mate:N".parse().unwrap()];
        let moves = vec!["Bxh7+ Kxh7".parse().unwrap()];
        let course =
            CourseFilter { reached: vec![Position::initial()], moves, ends, length: "40..".parse().ok(), shape };
        let read = ReadOptions {
            games: GameFilter { course, commented: true, ..GameFilter::default() },
            max_games: Some(1),
            ..ReadOptions::default()
        };
        assert_eq!(
            choice_in_words(&read),
            "--commented --reached 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -' --moves 'Bxh7+ Kxh7' \
             --ends mate:N --length 40.. --material 'RP+1:RP*' --for-plies 6 -n 1"
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

    #[test]
    fn a_failure_is_followed_by_what_is_in_the_folder() {
        let folder = Path::new("games.idx");
        let [here, elsewhere] = ["games.idx", "games.pgn"].map(|path| IndexError::new(Path::new(path), "no"));
        assert_eq!(unchanged(folder), "games.idx is unchanged");
        assert_eq!(after_failure(folder, &here), "nothing is changed");
        assert_eq!(after_failure(folder, &elsewhere), "games.idx is unchanged");
        let lost = "the games are in games.idx, but its runs were not merged";
        assert_eq!(after_failed_merge(folder, &elsewhere), lost);
        let doubt = elsewhere.in_doubt();
        let either = "it is not known whether games.idx is the new index or the old one; it is complete in either case";
        assert_eq!(after_failure(folder, &doubt), either);
        let merged = "the games are in games.idx, but it is not known whether its runs were merged";
        assert_eq!(after_failed_merge(folder, &doubt), merged);
    }

    #[test]
    fn a_size_is_told_with_all_games_if_there_are_others() {
        let built = Built { games: 1, postings: 20, runs: 1, bytes: 1234, all_games: 1, all_postings: 20 };
        assert_eq!(built.in_words(), "1 game, 20 positions; 1,234 bytes, 61.7 bytes a position");
        let more = Built { all_games: 3, all_postings: 40, ..built };
        assert_eq!(
            more.in_words(),
            "1 game, 20 positions; in all 3 games, 40 positions; 1,234 bytes, 30.9 bytes a position"
        );
        let runs = Built { runs: 2, ..built };
        assert!(runs.in_words().contains("; in all 1 game, 20 positions; "), "{}", runs.in_words());
        let none = Built { games: 0, postings: 0, all_games: 0, all_postings: 0, ..built };
        assert_eq!(none.size_in_words(), "1,234 bytes, 1234.0 bytes a position");
    }

    #[test]
    fn a_shape_is_stored_as_the_options_of_the_command() {
        let shape = ShapeFilter { colors: ShapeColors::Given, mirror: true, ..ShapeFilter::default() };
        let course = CourseFilter { shape, ..CourseFilter::default() };
        let read = ReadOptions { games: GameFilter { course, ..GameFilter::default() }, ..ReadOptions::default() };
        assert_eq!(choice_in_words(&read), "--shape-colors given --mirror");
    }
}
