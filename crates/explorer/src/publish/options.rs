//! The options of a site.

use std::path::PathBuf;

use crate::publish::error::PublishError;

/// The options of a site that is [published](crate::publish()).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishOptions {
    /// The title of the page; None for the names of the indexes.
    pub title: Option<String>,
    /// The least number of games that reached a position. The default is 2: in master games, 30 of 31 positions occur
    /// in one game, whose moves are seen when it is opened.
    pub min_games: u64,
    /// The greatest number of plies after which some game reached a position; None for any. All games count that
    /// reached it, however late. The initial position has ply 0.
    pub max_plies: Option<u32>,
    /// The most games with the best ratings that are listed for a position.
    pub top_games: usize,
    /// The most latest games that are listed for a position.
    pub recent_games: usize,
    /// The greatest size of a file with data in bytes, unless a single block is larger. Hosts have limits of 25 MB and
    /// more.
    pub shard: u64,
    /// Whether a file has many blocks, which the page reads as ranges of bytes. Without ranges, each block is a file.
    pub ranges: bool,
    /// The folder with the files of the page, which `site/build.mjs` builds.
    pub page: PathBuf,
}

impl Default for PublishOptions {
    fn default() -> Self {
        Self {
            title: None,
            min_games: 2,
            max_plies: None,
            top_games: 8,
            recent_games: 4,
            shard: 22 << 20,
            ranges: true,
            page: PathBuf::new(),
        }
    }
}

/// The most games of a list. More make positions larger than what a page loads fast.
const MOST_GAMES: usize = 100;

/// The least size of a file. Blocks are smaller.
const LEAST_SHARD: u64 = 100_000;

impl PublishOptions {
    /// Returns an error for options that make no sense.
    pub(super) fn check(&self) -> Result<(), PublishError> {
        let refused = |text: String| Err(PublishError::Refused(text));
        if self.min_games == 0 {
            return refused("the least number of games is 0, but must be at least 1".to_owned());
        }
        if self.top_games > MOST_GAMES || self.recent_games > MOST_GAMES {
            return refused(format!("at most {MOST_GAMES} games can be listed for a position"));
        }
        if self.shard < LEAST_SHARD {
            return refused(format!("the size of files is {} bytes, but must be at least {LEAST_SHARD}", self.shard));
        }
        Ok(())
    }
}
