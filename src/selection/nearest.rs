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

/// How many letters must be put in, taken out, changed or swapped with their neighbour to make one word of the other,
/// whatever their case.
pub(crate) fn distance(from: &str, to: &str) -> usize {
    let [from, to] = [from, to].map(|word| word.to_lowercase().chars().collect::<Vec<_>>());
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for i in 1..=from.len() {
        let mut row = vec![i];
        for j in 1..=to.len() {
            let changed = rows[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && from[i - 2..i] == [to[j - 1], to[j - 2]] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
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
