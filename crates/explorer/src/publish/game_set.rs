//! A set of games by their numbers.

/// A set of games.
#[derive(Debug)]
pub(super) struct GameSet(Vec<u64>);

impl GameSet {
    pub(super) fn new(games: u64) -> Self {
        Self(vec![0; usize::try_from(games / 64 + 1).unwrap_or(0)])
    }

    pub(super) fn insert(&mut self, at: u64) {
        if let Some(word) = usize::try_from(at / 64).ok().and_then(|word| self.0.get_mut(word)) {
            *word |= 1 << (at % 64);
        }
    }

    /// Returns the numbers in the set, in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        self.0.iter().zip(0u64..).flat_map(move |(word, at)| bits(*word).map(move |bit| at * 64 + bit))
    }
}
