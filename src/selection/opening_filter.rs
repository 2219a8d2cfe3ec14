//! A condition on the opening of a game: `Najdorf` or `B9`.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::openings::{OpeningSet, Tracker, names};
use crate::selection::mistake::Mistake;
use crate::selection::nearest::nearest_names;

/// A condition on the opening of a game: the last named position of its main line, see [`openings`](crate::openings).
///
/// A letter from A to E with up to two digits is the beginning of an ECO code: `B90`, `B9` or `B`. Any other text must be a part of the name,
/// such as `Najdorf` or `sicilian defense`. Upper and lower case and accents make no difference, so `grunfeld` finds the Grünfeld Defense.
/// A text that no name contains is an error.
///
/// ```
/// use pgn2fen::selection::OpeningFilter;
///
/// let najdorf: OpeningFilter = "najdorf".parse()?;
/// let mistake = "Najdrof".parse::<OpeningFilter>().unwrap_err();
/// assert!(mistake.to_string().starts_with("no opening has this in its name; did you mean Najdorf?"));
/// # Ok::<(), pgn2fen::selection::Mistake>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningFilter {
    /// The filter as it was given.
    text: String,
    wanted: OpeningSet,
}

impl OpeningFilter {
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
    type Err = Mistake;

    fn from_str(text: &str) -> Result<Self, Mistake> {
        let given = text.trim();
        if given.is_empty() {
            let reason =
                "an opening is a part of its name, such as Najdorf, or the beginning of its ECO code, such as B9";
            return Err(Mistake::new("", 0..0, reason));
        }
        let wanted = if is_code(given) {
            let code = given.to_ascii_uppercase();
            OpeningSet::of(|opening| opening.eco.starts_with(&code))
        } else {
            let part = folded(given);
            OpeningSet::of(|opening| folded(opening.name).contains(&part))
        };
        if wanted.is_empty() { Err(unknown(given)) } else { Ok(Self { text: given.to_owned(), wanted }) }
    }
}

/// Whether a text is an ECO code or the beginning of one.
fn is_code(text: &str) -> bool {
    match text.as_bytes() {
        [b'A'..=b'E' | b'a'..=b'e', digits @ ..] => digits.len() <= 2 && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Returns a text in lower case, with single spaces and without accents.
fn folded(text: &str) -> String {
    let plain = |char: char| match char {
        'á' | 'ä' => Some('a'),
        'ć' => Some('c'),
        'é' => Some('e'),
        'ó' | 'ö' | 'ø' => Some('o'),
        'ü' => Some('u'),
        '‘' | '’' => Some('\''),
        // An accent that is a character of its own.
        '\u{300}'..='\u{36f}' => None,
        char => Some(char),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase().chars().filter_map(plain).collect()
}

/// Returns the error for a text that no name contains, with the nearest words of names.
fn unknown(text: &str) -> Mistake {
    let all: String = names().map(|name| folded(name) + "\n").collect();
    let mut words = words(text).filter(|place| !all.contains(&folded(&text[place.clone()])));
    let Some(place) = words.next() else {
        return Mistake::new(text, 0..text.len(), "no opening has this in its name");
    };
    let word = &text[place.clone()];
    if word.len() <= 4 && word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Mistake::new(text, place, "no opening has this code; ECO codes go from A00 to E99");
    }
    let mut known = BTreeMap::new();
    for name in names() {
        for place in self::words(name) {
            known.insert(folded(&name[place.clone()]), &name[place]);
        }
    }
    let near: Vec<&str> = nearest_names(&folded(word), known.keys().map(String::as_str));
    let near: Vec<&str> = near.iter().filter_map(|near| known.get(*near).copied()).collect();
    let advice = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
    Mistake::new(text, place, format!("no opening has this in its name{advice}"))
}

/// Returns the words of a text as ranges of bytes.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_separator = |char: char| char.is_whitespace() || matches!(char, ':' | ',' | '(' | ')');
    let mut at = 0;
    let pieces = text.split_inclusive(is_separator).map(move |piece| {
        let start = at;
        at += piece.len();
        start..start + piece.trim_end_matches(is_separator).len()
    });
    pieces.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{OpeningFilter, folded};
    use crate::chess::position::Position;
    use crate::openings::{Tracker, names};
    use crate::san::Letters;
    use crate::typed::read_position;

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
        check_mistake("Sicilian Opening", "no opening has this in its name");
        check_mistake("Zzzzzzz", "no opening has this in its name");
        check_mistake("F10", "no opening has this code; ECO codes go from A00 to E99");
        check_mistake("B900", "no opening has this code; ECO codes go from A00 to E99");
        let empty = "an opening is a part of its name, such as Najdorf, or the beginning of its ECO code, such as B9";
        check_mistake(" ", empty);
        assert!("Sicilian Najdrof".parse::<OpeningFilter>().unwrap_err().to_string().ends_with("         ^^^^^^^"));
    }

    #[test]
    fn every_name_can_be_typed_without_accents() {
        let with_accents = names().filter(|name| !name.is_ascii()).collect::<Vec<_>>();
        assert!(with_accents.len() > 100, "{with_accents:?}");
        for name in with_accents.iter().step_by(7) {
            assert!(folded(name).parse::<OpeningFilter>().is_ok(), "{name}");
        }
        assert!(names().all(|name| folded(name).is_ascii()));
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
