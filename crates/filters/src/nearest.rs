//! Suggestions for a name that is not known.

use std::cmp::Reverse;

/// The most names that are suggested.
const MOST: usize = 3;

/// The number of different letters from which on a name is not similar.
const MOST_LETTERS: usize = 3;

/// Returns the names that are most similar to `name`, best first; at most three. A name that contains `name` is better
/// than a name with other letters: for Elo, WhiteElo is better than ECO.
///
/// ```
/// use pgn2fen_filters::nearest_names;
///
/// assert_eq!(nearest_names("WhitElo", ["White", "WhiteElo"]), ["WhiteElo"]);
/// assert_eq!(nearest_names("Elo", ["WhiteElo", "BlackElo", "ECO"]), ["WhiteElo", "BlackElo"]);
/// ```
pub fn nearest_names<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let small = name.to_lowercase();
    let nearness = |other: &str| {
        let contains = small.len() >= 3 && other.to_lowercase().contains(&small);
        // Names of very different lengths are not near, and comparing a very long name letter by letter takes long.
        let is_far = name.chars().count().abs_diff(other.chars().count()) >= MOST_LETTERS;
        let letters = if is_far { usize::MAX } else { distance(name, other) };
        (contains || letters < MOST_LETTERS.min(name.len())).then_some((Reverse(contains), letters))
    };
    let mut near: Vec<_> = names.into_iter().filter_map(|other| Some((nearness(other)?, other))).collect();
    near.sort_by_key(|(nearness, _)| *nearness);
    let Some(&((best, least), _)) = near.first() else {
        return Vec::new();
    };
    // All names that contain it are good suggestions. Of the other names only the nearest are.
    let is_as_near = |(contains, letters)| contains == best && (contains == Reverse(true) || letters == least);
    near.iter().filter(|(nearness, _)| is_as_near(*nearness)).take(MOST).map(|(_, name)| *name).collect()
}

/// Returns the edit distance of two words: the least number of letters to insert, remove, change or swap with their
/// neighbour. Ignores case.
#[doc(hidden)]
pub fn distance(from: &str, to: &str) -> usize {
    strsim::osa_distance(&from.to_lowercase(), &to.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances_count_letters() {
        assert_eq!(distance("", "fen"), 3);
        assert_eq!(distance("fne", "fen"), 1);
        assert_eq!(distance("eval", "eval"), 0);
        assert_eq!(distance("evals", "eval"), 1);
    }
}
