//! Random samples that are the same in every run, on any number of threads.

use std::str::FromStr;

use crate::parse_error::ParseError;

/// A random sample of all positions. Each position is chosen independently of all others.
///
/// The choice depends only on the seed, the number of the file in the run, the byte offset of the game in the decoded
/// text of the file, and the ply. In a variation it also depends on the offset of the move. So the sample of the main
/// line is the same with and without variations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The share of the positions that are in the sample.
    pub share: Share,
    /// The seed. Different seeds give different samples.
    pub seed: u64,
}

/// A share from 0 (none) to 1 (all), such as `0.01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The share times 2⁶⁴.
    parts: u128,
}

impl Share {
    /// Creates a share, or returns `None` if the number is not between 0 and 1.
    pub fn new(share: f64) -> Option<Self> {
        const WHOLE: f64 = 18_446_744_073_709_551_616.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between 0 and 2⁶⁴")]
        (0.0..=1.0).contains(&share).then_some(Self { parts: (share * WHOLE) as u128 })
    }
}

impl FromStr for Share {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let share = text.parse().ok().and_then(Self::new);
        share.ok_or_else(|| ParseError::new("", 0..0, "a share is a number from 0 to 1, such as 0.01"))
    }
}

impl Sample {
    /// Applies the sample to one game, given by the number of its file in the run and its byte offset in that file.
    pub(super) fn of_game(self, file: u64, offset: u64) -> GameSample {
        GameSample { parts: self.share.parts, salt: mixed(self.seed, &[file, offset]) }
    }
}

/// The part of a sample that belongs to one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameSample {
    parts: u128,
    salt: u64,
}

impl GameSample {
    /// Whether the position after this ply is in the sample. `branch` is 0 in the main line. In a variation it is the
    /// byte offset of the move.
    pub(super) fn contains(self, ply: u32, branch: u64) -> bool {
        u128::from(mix(mix(self.salt ^ u64::from(ply)) ^ branch)) < self.parts
    }
}

/// Returns a pseudo-random number for a seed and some other numbers.
#[doc(hidden)]
pub fn mixed(seed: u64, numbers: &[u64]) -> u64 {
    numbers.iter().fold(mix(seed), |mixed, number| mix(mixed ^ number))
}

/// Returns a pseudo-random number, different for each argument (Steele, Lea and Flood: SplitMix, 2014).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::{Sample, Share};

    /// Returns how many of 100,000 positions are in the sample, with 100 positions in each game.
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
        // The choice must not change between releases.
        assert_eq!(all[0], 17_855_030_066_960_121_822);
    }

    #[test]
    fn a_share_lies_between_none_and_all() {
        for text in ["-0.1", "1.01", "nan", "inf", "1%", ""] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }
}
