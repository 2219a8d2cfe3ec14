//! The warnings of a file, summed up: one line for each kind and reason, with the first warning and the number of
//! games.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::messages::counts::counted;
use crate::messages::file::FileMessages;
use crate::walk::Place;
use pgn2fen_pgn::diagnostic::{Diagnostic, Kind};

/// The maximum number of reasons that are counted separately for each kind of warning in a file. Further reasons are
/// summed up in one line, so memory is bounded for any file.
const MOST_REASONS: usize = 8;

/// The warnings of a file, summed up. Memory is bounded for any file.
///
/// ```
/// use pgn2fen_games::diagnostic::{Diagnostic, Kind};
/// use pgn2fen_games::messages::{FileMessages, Warnings};
/// use pgn2fen_games::pgn::encoding::Fallback;
/// use pgn2fen_games::walk::Place;
///
/// let file = FileMessages::new("games.pgn", Fallback::default());
/// let mut warnings = Warnings::default();
/// for line in [3, 9] {
///     let diagnostic = Diagnostic::new(Kind::SkippedText, 0, "text between games").about(b"hello");
///     warnings.add(&diagnostic, Place { line, column: 1 }, &file);
/// }
/// let (place, line) = warnings.into_lines().next().expect("a warning");
/// assert_eq!(place, Place { line: 3, column: 1 });
/// assert_eq!(line, "skipped-text: hello: text between games (2 places)");
/// ```
#[derive(Debug, Default)]
pub struct Warnings {
    /// By kind and, within a kind, by reason in the order of the file.
    by_kind: BTreeMap<Kind, Vec<Warning>>,
}

/// The warnings of a file that have the same kind and reason. The first of them is shown.
#[derive(Debug)]
struct Warning {
    reason: Cow<'static, str>,
    place: Place,
    shown: String,
    /// The number of games with such a warning.
    games: u64,
    last_game: Option<u64>,
    /// The number of such warnings between games.
    places: u64,
}

impl Warnings {
    /// Counts a warning. It is described now if it is the first with its kind and reason.
    pub fn add(&mut self, diagnostic: &Diagnostic, place: Place, file: &FileMessages) {
        let of_kind = self.by_kind.entry(diagnostic.kind).or_default();
        let known = of_kind.iter().position(|warning| warning.reason == diagnostic.reason);
        let at = known.unwrap_or(of_kind.len().min(MOST_REASONS));
        if at == of_kind.len() {
            let reason = diagnostic.reason.clone();
            of_kind.push(Warning {
                reason,
                place,
                shown: file.in_short(diagnostic),
                games: 0,
                last_game: None,
                places: 0,
            });
        }
        of_kind[at].count(diagnostic.game);
    }

    /// Returns the lines that sum up the warnings, each with the place of the first warning in it.
    pub fn into_lines(self) -> impl Iterator<Item = (Place, String)> {
        self.by_kind.into_iter().flat_map(|(kind, warnings)| {
            warnings.into_iter().enumerate().map(move |(number, warning)| {
                let others = if number == MOST_REASONS { "other reasons, such as: " } else { "" };
                (warning.place, format!("{}: {others}{}{}", kind.as_str(), warning.shown, warning.times()))
            })
        })
    }
}

impl Warning {
    fn count(&mut self, game: Option<u64>) {
        match game {
            None => self.places += 1,
            Some(_) => self.games += u64::from(game != self.last_game),
        }
        self.last_game = game.or(self.last_game);
    }

    /// Returns ` (37 games)`, ` (2 places)` or ` (37 games, 2 places)`; an empty text for a single warning.
    fn times(&self) -> String {
        let counts = [(self.games, "game"), (self.places, "place")];
        let counts: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(*count, noun)).collect();
        if self.games + self.places > 1 { format!(" ({})", counts.join(", ")) } else { String::new() }
    }
}
