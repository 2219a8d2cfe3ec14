//! Names that may have been meant by one that is not there.

use std::cmp::Reverse;

/// So many names are suggested at most.
const MOST: usize = 3;

/// The names that are nearest to another, best first. A name that contains the other is nearer than one with other letters, so that
/// WhiteElo is nearer to Elo than ECO is.
///
/// ```
/// use pgn2fen::selection::nearest_names;
///
/// assert_eq!(nearest_names("WhitElo", ["White", "WhiteElo"]), ["WhiteElo"]);
/// assert_eq!(nearest_names("Elo", ["WhiteElo", "BlackElo", "ECO"]), ["WhiteElo", "BlackElo"]);
/// ```
pub fn nearest_names<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let small = name.to_lowercase();
    let nearness = |other: &str| {
        let contains = small.len() >= 3 && other.to_lowercase().contains(&small);
        let letters = distance(name, other);
        (contains || letters < 3.min(name.len())).then_some((Reverse(contains), letters))
    };
    let mut near: Vec<_> = names.into_iter().filter_map(|other| Some((nearness(other)?, other))).collect();
    near.sort_by_key(|(nearness, _)| *nearness);
    let Some(&((best, least), _)) = near.first() else {
        return Vec::new();
    };
    // Of those that contain it all may be meant, of the others the nearest.
    let is_as_near = |(contains, letters)| contains == best && (contains == Reverse(true) || letters == least);
    near.iter().filter(|(nearness, _)| is_as_near(*nearness)).take(MOST).map(|(_, name)| *name).collect()
}

/// Returns how many letters must be inserted, deleted, changed or swapped with their neighbour to turn one word into the other,
/// without regard to case.
pub(crate) fn distance(from: &str, to: &str) -> usize {
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
