//! The games that stay when games are removed from an index, and their new numbers.

use std::ops::Range;

use crate::manifest::{IndexedSource, Manifest};

/// The games of an index that stay. Games behind removed games get lower numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    /// Ranges of consecutive game numbers, each with the new number of its first game.
    ranges: Vec<(Range<u64>, u64)>,
    /// Whether all games stay.
    is_all: bool,
}

impl Kept {
    /// Keeps all games of an index.
    pub(super) fn all(manifest: &Manifest) -> Self {
        let first = manifest.first_game();
        Self { ranges: vec![(first..manifest.next_game(), first)], is_all: true }
    }

    /// Keeps all games but those of the unwanted sources. Returns also the remaining sources, with the new numbers of
    /// their games.
    pub(super) fn without(manifest: &Manifest, is_unwanted: impl Fn(usize) -> bool) -> (Self, Vec<IndexedSource>) {
        let mut next = manifest.first_game();
        let mut kept = Self { ranges: Vec::new(), is_all: false };
        let mut left = Vec::new();
        for (_, source) in manifest.sources.iter().enumerate().filter(|(at, _)| !is_unwanted(*at)) {
            let games = source.first_game..source.first_game + source.games;
            match kept.ranges.last_mut() {
                Some((before, _)) if before.end == games.start => before.end = games.end,
                _ => kept.ranges.push((games, next)),
            }
            left.push(IndexedSource { first_game: next, ..source.clone() });
            next += source.games;
        }
        (kept, left)
    }

    /// Whether no game is removed.
    pub(super) fn is_all(&self) -> bool {
        self.is_all
    }

    /// Returns the number of games that stay.
    pub(super) fn games(&self) -> u64 {
        self.ranges.iter().map(|(games, _)| games.end - games.start).sum()
    }

    /// Returns the new number of a game; None if it is removed.
    #[inline]
    pub(super) fn number(&self, game: u64) -> Option<u64> {
        let at = match &self.ranges[..] {
            [_] => 0,
            ranges => ranges.partition_point(|(games, _)| games.end <= game),
        };
        let (games, first) = self.ranges.get(at)?;
        games.contains(&game).then(|| game - games.start + first)
    }

    /// Returns the ranges of these games that stay.
    pub(super) fn within(&self, games: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let shared = move |(kept, _): &(Range<u64>, u64)| kept.start.max(games.start)..kept.end.min(games.end);
        self.ranges.iter().map(shared).filter(|games| !games.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::Kept;
    use crate::manifest::{IndexedSource, Manifest, Run};
    use crate::table::Written;

    /// Makes a manifest of files with these numbers of games.
    fn manifest(games: &[u64]) -> Manifest {
        let mut manifest = Manifest::default();
        let mut next = 1;
        for games in games {
            manifest.sources.push(IndexedSource::of_games("a.pgn", next, *games));
            next += games;
        }
        let run = |first_game, games| Run {
            folder: String::new(),
            first_game,
            games,
            postings: 0,
            parts: Vec::new(),
            game_table: Written::default(),
        };
        manifest.runs.push(run(1, next - 1));
        manifest
    }

    #[track_caller]
    fn check(games: &[u64], unwanted: &[usize], numbers: &[u64]) {
        let manifest = manifest(games);
        let (kept, left) = Kept::without(&manifest, |at| unwanted.contains(&at));
        let found: Vec<u64> = (0..=manifest.next_game()).filter(|game| kept.number(*game).is_some()).collect();
        assert_eq!(found, numbers);
        assert!(found.iter().filter_map(|game| kept.number(*game)).eq(1..=kept.games()), "the numbers have no gap");
        assert!(kept.within(0..99).flatten().eq(numbers.iter().copied()));
        assert!(kept.within(2..4).flatten().eq(numbers.iter().copied().filter(|game| (2..4).contains(game))));
        assert_eq!(left.len(), games.len() - unwanted.len());
        assert_eq!(left.last().map_or(1, |last| last.first_game + last.games), 1 + kept.games());
    }

    #[test]
    fn games_behind_those_that_are_taken_out_move_up() {
        check(&[2, 3, 1], &[], &[1, 2, 3, 4, 5, 6]);
        check(&[2, 3, 1], &[0], &[3, 4, 5, 6]);
        check(&[2, 3, 1], &[1], &[1, 2, 6]);
        check(&[2, 0, 3, 0, 1], &[2, 3], &[1, 2, 6]);
        check(&[2, 0, 3], &[1], &[1, 2, 3, 4, 5]);
        check(&[2, 3, 1], &[0, 1, 2], &[]);
        check(&[], &[], &[]);
    }
}
