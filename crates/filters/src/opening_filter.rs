//! A condition on the opening of a game: `Najdorf` or `B9`.

use std::fmt;
use std::str::FromStr;

use crate::opening_names::{folded, is_in_a_name, nearest_openings, nearest_words, words};
use crate::parse_error::ParseError;
use pgn2fen_chess::openings::{Opening, OpeningSet, Tracker};

/// A condition on the opening of a game: the last named position of its main line, see
/// [`openings`](pgn2fen_chess::openings).
///
/// A letter from A to E with up to two digits is the beginning of an ECO code: `B90`, `B9` or `B`. Any other text must
/// be a part of the name, such as `Najdorf` or `sicilian defense`. Upper and lower case and accents make no difference,
/// so `grunfeld` finds the Grünfeld Defense. A text that no name contains is an error.
///
/// ```
/// use pgn2fen_filters::OpeningFilter;
///
/// let najdorf: OpeningFilter = "najdorf".parse()?;
/// let mistake = "Najdrof".parse::<OpeningFilter>().unwrap_err();
/// assert!(mistake.to_string().starts_with("no opening has this in its name; did you mean Najdorf?"));
/// # Ok::<(), pgn2fen_filters::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningFilter {
    /// The filter as it was given.
    text: String,
    wanted: OpeningSet,
}

impl OpeningFilter {
    /// Returns the filter for a text, or `None` if no name contains it.
    pub(crate) fn find(text: &str) -> Option<Self> {
        let text = text.trim();
        let wanted = if is_code(text) {
            let code = text.to_ascii_uppercase();
            OpeningSet::of(|opening| opening.eco.starts_with(&code))
        } else {
            let part = folded(text);
            if !is_in_a_name(&part) {
                return None;
            }
            OpeningSet::of(|opening| folded(opening.name).contains(&part))
        };
        (!wanted.is_empty()).then(|| Self { text: text.to_owned(), wanted })
    }

    /// Whether the name of an opening begins with the text of the filter.
    pub(crate) fn is_beginning_of(&self, opening: Opening) -> bool {
        folded(opening.name).starts_with(&folded(&self.text))
    }

    /// Returns the names of openings, or first parts of names, that are most similar to a text; at most three.
    pub(crate) fn nearest(text: &str) -> Vec<&'static str> {
        nearest_openings(text)
    }

    /// Returns the opening with the fewest moves that passes, with its moves: `1. e4 c5`. One with exactly this name
    /// comes first, and then those whose names begin with it.
    pub(crate) fn shortest_line(&self) -> Option<(Opening, &'static str)> {
        let part = folded(&self.text);
        self.wanted.shortest_line(|opening| match folded(opening.name) {
            name if name == part => 0,
            name if name.starts_with(&part) => 1,
            _ => 2,
        })
    }

    /// Whether the filter holds for the opening of a line. It does not hold for a line without a name.
    pub fn holds(&self, line: Tracker) -> bool {
        self.wanted.contains(line)
    }
}

/// Writes the filter as it was given.
impl fmt::Display for OpeningFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for OpeningFilter {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let given = text.trim();
        if given.is_empty() {
            let reason =
                "an opening is a part of its name, such as Najdorf, or the beginning of its ECO code, such as B9";
            return Err(ParseError::new("", 0..0, reason));
        }
        Self::find(given).ok_or_else(|| unknown(given))
    }
}

/// Whether a text is an ECO code or the beginning of one.
fn is_code(text: &str) -> bool {
    match text.as_bytes() {
        [b'A'..=b'E' | b'a'..=b'e', digits @ ..] => digits.len() <= 2 && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Returns the error for a text that no name contains, with the nearest names, or the nearest words of names.
fn unknown(text: &str) -> ParseError {
    const REASON: &str = "no opening has this in its name";
    let mut places = words(text);
    let unknown = places.clone().find(|place| !is_in_a_name(&folded(&text[place.clone()])));
    let is_word = places.nth(1).is_none();
    let place = unknown.clone().unwrap_or(0..text.len());
    let word = &text[place.clone()];
    if unknown.is_some() && word.len() <= 4 && word.bytes().any(|byte| byte.is_ascii_digit()) {
        return ParseError::new(text, place, "no opening has this code; ECO codes go from A00 to E99");
    }
    // A word is compared with words first, and a name with names.
    let of_words = || if unknown.is_some() { nearest_words(word) } else { Vec::new() };
    let of_names = || nearest_openings(text);
    let near = if is_word { or_else(of_words(), of_names) } else { or_else(of_names(), of_words) };
    let advice = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
    ParseError::new(text, place, format!("{REASON}{advice}"))
}

/// Returns the first list, or the second one if that is empty.
fn or_else<T>(first: Vec<T>, second: impl FnOnce() -> Vec<T>) -> Vec<T> {
    if first.is_empty() { second() } else { first }
}

#[cfg(test)]
mod tests {
    use super::OpeningFilter;
    use crate::typed::read_position;
    use pgn2fen_chess::openings::Tracker;
    use pgn2fen_chess::position::Position;
    use pgn2fen_chess::san::Letters;

    /// Compares the filters that hold for a line with those that should.
    #[track_caller]
    fn check(moves: &str, filters: &str, expected: &str) {
        let line = match moves {
            "" => Tracker::of_line(&Position::initial(), &[]),
            moves => {
                let typed = read_position(moves, &Letters::ENGLISH).unwrap();
                Tracker::of_line(&typed.start, &typed.moves)
            }
        };
        let holding = filters.split('|').filter(|filter| filter.parse::<OpeningFilter>().unwrap().holds(line));
        assert_eq!(holding.collect::<Vec<_>>().join("|"), expected, "{moves}");
    }

    #[test]
    fn a_filter_is_a_part_of_the_name() {
        let najdorf = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h4";
        check(najdorf, "Najdorf|sicilian|Defense: najdorf|English|French", "Najdorf|sicilian|Defense: najdorf");
        check(
            "1. d4 Nf6 2. c4 g6 3. Nc3 d5",
            "Grünfeld|GRUNFELD|gru\u{308}nfeld|Indian",
            "Grünfeld|GRUNFELD|gru\u{308}nfeld",
        );
        check("1. f4", "bird|Bird  Opening| Bird ", "bird|Bird  Opening| Bird ");
        check("1. e4 e5 2. f4", "King’s Gambit|king's gambit", "King’s Gambit|king's gambit");
        check("", "Sicilian|A|B00", "");
    }

    #[test]
    fn a_filter_that_looks_like_a_code_is_the_beginning_of_one() {
        let najdorf = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6";
        check(najdorf, "B90|B9|b9|B|B91|C|D9", "B90|B9|b9|B");
        check("1. Nh3", "A00|A0|A01", "A00|A0");
    }

    #[track_caller]
    fn check_mistake(text: &str, expected: &str) {
        let mistake = text.parse::<OpeningFilter>().unwrap_err().to_string();
        assert_eq!(mistake.lines().next().unwrap(), expected);
    }

    #[test]
    fn a_text_that_no_name_contains_is_a_mistake() {
        check_mistake("Najdrof", "no opening has this in its name; did you mean Najdorf?");
        check_mistake("Gruenfeld", "no opening has this in its name; did you mean Grünfeld?");
        check_mistake("Sicilian Opening", "no opening has this in its name; did you mean Sicilian Defense?");
        check_mistake("kings gambit", "no opening has this in its name; did you mean King's Gambit?");
        check_mistake(
            "Sicilian Najdrof",
            "no opening has this in its name; did you mean Sicilian Defense: Najdorf Variation?",
        );
        check_mistake("Nimzoindian", "no opening has this in its name; did you mean Nimzo-Indian?");
        check_mistake("ruylopez", "no opening has this in its name; did you mean Ruy Lopez?");
        check_mistake("Zzzzzzz", "no opening has this in its name");
        check_mistake("F10", "no opening has this code; ECO codes go from A00 to E99");
        check_mistake("B900", "no opening has this code; ECO codes go from A00 to E99");
        let empty = "an opening is a part of its name, such as Najdorf, or the beginning of its ECO code, such as B9";
        check_mistake(" ", empty);
        assert!("Sicilian Najdrof".parse::<OpeningFilter>().unwrap_err().to_string().ends_with("         ^^^^^^^"));
    }

    #[test]
    fn every_code_has_an_opening() {
        for letter in 'A'..='E' {
            for number in 0..100 {
                assert!(format!("{letter}{number:02}").parse::<OpeningFilter>().is_ok());
            }
        }
    }
}
