//! The names of openings as people write them: in any case, without accents, and nearly right.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::nearest::{distance, nearest_names};
use pgn2fen_chess::openings::names;

/// The most names that are suggested.
const MOST: usize = 3;

/// The number of words from which on a text is no name.
const MOST_WORDS: usize = 12;

/// Returns a text in lower case, with single spaces and without accents.
pub(super) fn folded(text: &str) -> String {
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

/// Whether the name of an opening contains a text, which is folded.
pub(super) fn is_in_a_name(part: &str) -> bool {
    static NAMES: OnceLock<String> = OnceLock::new();
    NAMES.get_or_init(|| names().map(|name| folded(name) + "\n").collect()).contains(part)
}

/// Returns the words of a text as ranges of bytes.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> + Clone {
    let is_separator = |char: char| char.is_whitespace() || matches!(char, ':' | ',' | '(' | ')');
    let mut at = 0;
    let pieces = text.split_inclusive(is_separator).map(move |piece| {
        let start = at;
        at += piece.len();
        start..start + piece.trim_end_matches(is_separator).len()
    });
    pieces.filter(|word| !word.is_empty())
}

/// Returns the words of names that are most similar to a word.
pub(super) fn nearest_words(word: &str) -> Vec<&'static str> {
    let mut known = BTreeMap::new();
    for name in names() {
        for place in words(name) {
            known.insert(folded(&name[place.clone()]), &name[place]);
        }
    }
    let near: Vec<&str> = nearest_names(&folded(word), known.keys().map(String::as_str));
    near.iter().filter_map(|near| known.get(*near).copied()).collect()
}

/// Returns the names that are most similar to a text, or the first parts of names. The order of words, apostrophes,
/// hyphens and single letters make little difference.
pub(super) fn nearest_openings(text: &str) -> Vec<&'static str> {
    let asked = bare_words(text);
    if asked.is_empty() || asked.len() > MOST_WORDS {
        return Vec::new();
    }
    let mut parts: Vec<_> = names().flat_map(parts).collect();
    parts.sort_unstable();
    parts.dedup_by_key(|(part, _)| *part);
    let cost = |(part, is_inner)| Some((cost(&asked, &bare_words(part))? + usize::from(is_inner), part));
    let near: Vec<(usize, &str)> = parts.into_iter().filter_map(cost).collect();
    let least = near.iter().map(|(cost, _)| *cost).min();
    let mut nearest: Vec<&str> =
        near.into_iter().filter(|(cost, _)| Some(*cost) == least).map(|(_, part)| part).collect();
    nearest.sort_by_key(|part| part.len());
    nearest.truncate(MOST);
    nearest
}

/// Returns the parts of a name that are names, too: the family, and the variations behind it. Comes with whether the
/// part is within the name.
fn parts(name: &'static str) -> impl Iterator<Item = (&'static str, bool)> {
    let ends = name.match_indices([':', ',']).map(|(at, _)| at).chain([name.len()]);
    let from_start = ends.map(|end| (&name[..end], false));
    from_start.chain(name.split([':', ',']).skip(1).map(|part| (part.trim(), true)))
}

/// Returns the words of a text in lower case, without accents and apostrophes. A hyphen divides words.
fn bare_words(text: &str) -> Vec<String> {
    let folded = folded(text).replace(['\'', '`', '´', '.'], "");
    let words = folded.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| if word == "defence" { "defense" } else { word }.to_owned()).collect()
}

/// Words that many names have, and that people take for one another.
const COMMON: [&str; 7] = ["opening", "defense", "game", "variation", "line", "attack", "system"];

/// Returns how different a name is from the words that were given. None if it is not similar.
fn cost(asked: &[String], name: &[String]) -> Option<usize> {
    if let Some(letters) = misspelt(&asked.concat(), &name.concat()) {
        return Some(4 * letters);
    }
    let is_common = |word: &&String| COMMON.contains(&word.as_str());
    let mut left: Vec<&String> = name.iter().collect();
    let (mut cost, mut others, mut is_similar) = (1, 0, false);
    for word in asked {
        let near = left.iter().enumerate().filter_map(|(at, other)| Some((misspelt(word, other)?, at))).min();
        match near {
            Some((letters, at)) => {
                cost += 4 * letters;
                is_similar |= !is_common(&word);
                left.remove(at);
            }
            None if is_common(&word) => others += 1,
            None => return None,
        }
    }
    // A common word may stand for another one: opening for defense.
    let common = left.iter().filter(|word| is_common(word)).count();
    let different = common.max(others) + 2 * others.saturating_sub(common);
    is_similar.then_some(cost + different + 3 * (left.len() - common))
}

/// Returns the number of letters in which a word differs from another one, if they are few, and not the first one.
fn misspelt(word: &str, other: &str) -> Option<usize> {
    let most = match word.chars().count() {
        0..4 => 0,
        4..7 => 1,
        _ => 2,
    };
    if word.len().abs_diff(other.len()) > (2 * most).max(1) || word.chars().next() != other.chars().next() {
        return None;
    }
    // Of a short word, the last letter may be missing: Kan for Kann.
    let is_cut = word.chars().count() == 3 && other.strip_prefix(word).is_some_and(|rest| rest.chars().count() == 1);
    Some(distance(word, other)).filter(|letters| *letters <= most || is_cut)
}

#[cfg(test)]
mod tests {
    use super::{folded, is_in_a_name, nearest_openings};
    use pgn2fen_chess::openings::names;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(nearest_openings(text).join("|"), expected, "{text}");
    }

    #[test]
    fn names_that_are_nearly_right_are_found() {
        for text in ["kings gambit", "Kings' Gambit", "king-s gambit", "gambit king's", "Kingsgambit", "Kings Gambitt"]
        {
            check(text, "King's Gambit");
        }
        check("queens gambit declined", "Queen's Gambit Declined");
        check("declined queens gambit", "Queen's Gambit Declined");
        check("Caro Kann", "Caro-Kann Defense");
        check("Caro Kan", "Caro-Kann Defense");
        check("Nimzo Indian Defence", "Nimzo-Indian Defense");
        check("Nimzoindian defence", "Nimzo-Indian Defense");
        check("gruenfeld defence", "Grünfeld Defense");
        check("Sicilian Defence Najdorf", "Sicilian Defense: Najdorf Variation");
        check("najdorf sicilian", "Sicilian Defense: Najdorf Variation");
        check("Sicilian Opening", "Sicilian Defense");
        check("ruylopez", "Ruy Lopez");
        check("Lopez Ruy", "Ruy Lopez");
        check("indian kings defense", "King's Indian Defense");
        check("retis opening", "Réti Opening");
    }

    #[test]
    fn names_that_are_quite_different_are_not() {
        for text in ["", "'", "zzzzzzz opening", "hello world", "defense", "the quick brown fox", &"kings ".repeat(20)]
        {
            check(text, "");
        }
    }

    #[test]
    fn every_name_is_the_nearest_to_itself_without_its_signs() {
        for name in names().step_by(97) {
            let bare: String = folded(name).chars().filter(|char| char.is_alphanumeric() || *char == ' ').collect();
            assert!(nearest_openings(&bare).contains(&name), "{bare}: {:?}", nearest_openings(&bare));
        }
    }

    #[test]
    fn every_name_can_be_typed_without_accents() {
        let with_accents = names().filter(|name| !name.is_ascii()).collect::<Vec<_>>();
        assert!(with_accents.len() > 100, "{with_accents:?}");
        assert!(names().all(|name| folded(name).is_ascii() && is_in_a_name(&folded(name))));
    }
}
