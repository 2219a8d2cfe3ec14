//! A database: what is published of one index.

use std::fs;
use std::path::Path;

use crate::publish::FORMAT;
use crate::publish::error::PublishError;
use crate::publish::options::PublishOptions;
use pgn2fen_games::messages::shown;
use pgn2fen_index::{Index, KeyChoice};
use twox_hash::XxHash3_64;

/// What is published of an index.
#[derive(Debug)]
pub(super) struct Database<'i> {
    pub(super) index: &'i Index,
    pub(super) options: &'i PublishOptions,
    /// The name for people.
    pub(super) name: String,
    /// The folder of its data in the site.
    pub(super) folder: String,
    /// The identifier of the build, which all of its blocks have. It is made of the index and the options.
    pub(super) id: String,
    /// The number of the first game in the index.
    pub(super) first_game: u64,
}

impl<'i> Database<'i> {
    /// Prepares to publish an index, the `nth` one of the site. `taken` has the folders of the others.
    pub(super) fn new(
        index: &'i Index,
        nth: usize,
        taken: &[&str],
        options: &'i PublishOptions,
    ) -> Result<Self, PublishError> {
        let path = index.folder().canonicalize().unwrap_or_else(|_| index.folder().to_owned());
        let name = shown(path.file_name().map_or(&*path, Path::new));
        let manifest = index.folder().join("manifest.json");
        let mut facts = fs::read(&manifest).map_err(PublishError::file(&manifest))?;
        // Everything else on which the bytes of the data depend.
        let PublishOptions { min_games, max_plies, top_games, recent_games, shard, ranges, .. } = options;
        let version = env!("CARGO_PKG_VERSION");
        let chosen =
            format!("{FORMAT} {version} {nth} {min_games} {max_plies:?} {top_games} {recent_games} {shard} {ranges}");
        facts.extend_from_slice(chosen.as_bytes());
        let id = format!("{:016x}", XxHash3_64::oneshot(&facts));
        let mut folder = format!("data/{}-{}", plain(&name), &id[..8]);
        while taken.contains(&&*folder) {
            folder.push('b');
        }
        let first_game = index.files().next().map_or(1, |file| file.games().start);
        Ok(Self { index, options, name, folder, id, first_game })
    }

    pub(super) fn choice(&self) -> KeyChoice {
        KeyChoice {
            min_games: self.options.min_games,
            max_plies: self.options.max_plies.unwrap_or(u32::MAX),
            lists: [self.options.top_games, self.options.recent_games],
        }
    }
}

/// Returns a name of letters, digits and hyphens, which every host serves as it is.
fn plain(name: &str) -> String {
    let stem = name.strip_suffix(".idx").unwrap_or(name);
    let kept: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).take(40).collect();
    let kept = kept.trim_matches('-');
    if kept.is_empty() { "games".to_owned() } else { kept.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_of_folders_are_plain() {
        for (name, expected) in
            [("masters.idx", "masters"), ("Club Games.idx", "club-games"), ("../é.idx", "games"), ("a<b>.idx", "a-b")]
        {
            assert_eq!(plain(name), expected);
        }
    }
}
