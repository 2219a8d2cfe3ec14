//! A random choice that is the same in every run, however the work is shared.

use std::str::FromStr;

use crate::selection::mistake::Mistake;

/// A share of all positions, chosen at random: each position is in it or not whatever else is.
///
/// The choice follows from the seed, the place of the file among the files of the run, the place of the game in the file, in
/// bytes of its text as it is decompressed and decoded, and the ply; nothing else. In a variation the place of the move
/// counts too, so that the main line gives the same positions with and without variations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How many of the positions.
    pub share: Share,
    /// Another seed gives another sample.
    pub seed: u64,
}

/// A share between none and all: `0.01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Of 2⁶⁴.
    parts: u128,
}

impl Share {
    /// A share of `share` in 1. None if it is not between 0 and 1.
    pub fn new(share: f64) -> Option<Self> {
        const WHOLE: f64 = 18_446_744_073_709_551_616.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between 0 and 2⁶⁴")]
        (0.0..=1.0).contains(&share).then_some(Self { parts: (share * WHOLE) as u128 })
    }
}

impl FromStr for Share {
    type Err = Mistake;

    fn from_str(text: &str) -> Result<Self, Mistake> {
        let share = text.parse().ok().and_then(Self::new);
        share.ok_or_else(|| Mistake::new("", 0..0, "a share is a number from 0 to 1, such as 0.01"))
    }
}

impl Sample {
    /// The sample of the game at this place: the number of its file in the run, and its offset in bytes.
    pub(super) fn of_game(self, file: u64, offset: u64) -> GameSample {
        GameSample { parts: self.share.parts, salt: mix(mix(mix(self.seed) ^ file) ^ offset) }
    }
}

/// What of a game is in a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameSample {
    parts: u128,
    salt: u64,
}

impl GameSample {
    /// Whether the position after this ply is. `branch` is 0 in the main line, and in a variation the offset of the move.
    pub(super) fn contains(self, ply: u32, branch: u64) -> bool {
        u128::from(mix(mix(self.salt ^ u64::from(ply)) ^ branch)) < self.parts
    }
}

/// Another number for each, as if at random (Steele, Lea and Flood: SplitMix, 2014).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::{Sample, Share};

    /// How many of 100,000 positions, 100 a game, are in the sample.
    fn count(share: f64, seed: u64) -> usize {
        let sample = Sample { share: Share::new(share).unwrap(), seed };
        let games = (0..1000).map(|game| sample.of_game(0, 700 * game));
        games.map(|game| (0..100).filter(|ply| game.contains(*ply, 0)).count()).sum()
    }

    #[test]
    fn a_sample_has_its_share() {
        assert_eq!((count(0.0, 1), count(1.0, 1)), (0, 100_000));
        for seed in 0..10 {
            assert!(count(0.01, seed).abs_diff(1_000) < 160, "{}", count(0.01, seed));
            assert!(count(0.5, seed).abs_diff(50_000) < 800, "{}", count(0.5, seed));
        }
    }

    #[test]
    fn seed_file_game_ply_and_branch_each_make_another_choice() {
        let chosen = |seed, file, offset, branch| {
            let sample = Sample { share: Share::new(0.5).unwrap(), seed }.of_game(file, offset);
            (0..64).fold(0u64, |bits, ply| bits << 1 | u64::from(sample.contains(ply, branch)))
        };
        let all = [chosen(0, 0, 0, 0), chosen(1, 0, 0, 0), chosen(0, 1, 0, 0), chosen(0, 0, 1, 0), chosen(0, 0, 0, 1)];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| (a ^ b).count_ones() > 12), "{all:x?}");
        }
        // What was chosen once is chosen for good.
        assert_eq!(all[0], 17_855_030_066_960_121_822);
    }

    #[test]
    fn a_share_lies_between_none_and_all() {
        for text in ["-0.1", "1.01", "nan", "inf", "1%", ""] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }
}
