//! The manifest of a site, which the page reads first: `manifest.json`.

use crate::publish::FORMAT;
use crate::publish::options::PublishOptions;
use serde_json::{Value, json};

/// A database, as the manifest describes it.
#[derive(Debug)]
pub(super) struct DatabaseEntry {
    pub(super) name: String,
    pub(super) folder: String,
    pub(super) id: String,
    /// The number of games, postings and files of the index.
    pub(super) games: u64,
    pub(super) postings: u64,
    pub(super) files: u64,
    pub(super) years: Option<(u32, u32)>,
    pub(super) has_ratings: bool,
    /// The number of positions and of games on the site.
    pub(super) published: (u64, u64),
    pub(super) bits: u32,
    /// The blocks of positions and those of games.
    pub(super) blocks: [Value; 2],
}

/// Returns the text of the manifest.
pub(super) fn write(databases: &[DatabaseEntry], options: &PublishOptions, has_own: bool) -> String {
    let database = |entry: &DatabaseEntry| {
        let [mut positions, games] = entry.blocks.clone();
        positions["bits"] = json!(entry.bits);
        json!({
            "name": entry.name,
            "folder": entry.folder,
            "site": entry.id,
            "games": entry.games,
            "postings": entry.postings,
            "fileCount": entry.files,
            "years": entry.years.map(|(first, last)| [first, last]),
            "hasRatings": entry.has_ratings,
            "publishedPositions": entry.published.0,
            "publishedGames": entry.published.1,
            "positionBlocks": positions,
            "gameBlocks": games,
        })
    };
    let manifest = json!({
        "format": FORMAT,
        "version": env!("CARGO_PKG_VERSION"),
        "title": options.title,
        "minGames": options.min_games,
        "maxPlies": options.max_plies,
        "topGames": options.top_games,
        "recentGames": options.recent_games,
        "ranges": options.ranges,
        "hasOwn": has_own,
        "databases": databases.iter().map(database).collect::<Vec<_>>(),
    });
    format!("{manifest:#}\n")
}
