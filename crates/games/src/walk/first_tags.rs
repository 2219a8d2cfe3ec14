//! The names of the tags that the first games of some sources have.

use std::io;
use std::ops::ControlFlow;

use crate::parallel::Workers;
use pgn2fen_pgn::games::Game;
use pgn2fen_sources::Source;

/// The greatest number of names, and the greatest length of a name in bytes (PGN standard §7). Other names are left
/// out.
const MOST_NAMES: usize = 256;
const LONGEST_NAME: usize = 255;

/// The names of the tags that the first 1000 games of some sources have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstTags {
    /// The names, in the order in which they first occur. There are at most 256.
    pub names: Vec<String>,
    /// The number of games from which the names were taken. If it is below [`MOST_GAMES`](Self::MOST_GAMES), the
    /// sources that can be read have no further games.
    pub games: u64,
}

impl FirstTags {
    /// The greatest number of games from which the names are taken.
    pub const MOST_GAMES: u64 = 1000;

    /// Collects the names of the tags of the first 1000 games. No move is played. Sources that cannot be opened or read
    /// are skipped: the run that follows reports them. A source is opened only if those before it have fewer games.
    ///
    /// ```
    /// use pgn2fen_games::database::{Database, Source};
    /// use pgn2fen_games::parallel::Workers;
    /// use pgn2fen_games::walk::FirstTags;
    ///
    /// let database = Database::from(b"[White \"A\"] 1. e4 *\n[Black \"B\"] *\n".to_vec());
    /// let tags = FirstTags::of(&Workers::new(1)?, [Ok(Source::Whole(database))]);
    /// assert_eq!((tags.names, tags.games), (vec!["White".to_owned(), "Black".to_owned()], 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(workers: &Workers, sources: impl IntoIterator<Item = io::Result<Source>>) -> Self {
        let (mut names, mut games) = (Vec::new(), 0);
        for source in sources {
            if let Ok(source) = source {
                games += add(workers, source, Self::MOST_GAMES - games, &mut names).unwrap_or(0);
            }
            if games >= Self::MOST_GAMES {
                break;
            }
        }
        Self { names, games }
    }
}

/// Adds the names of the tags that the first `most` games of a source have. Returns the number of games that were read.
fn add(workers: &Workers, source: Source, most: u64, names: &mut Vec<String>) -> io::Result<u64> {
    let mut games = 0;
    let names_of_game = |game: &Game<'_>| -> Vec<String> {
        let tags = game.tags().iter().filter(|tag| tag.name.len() <= LONGEST_NAME);
        tags.map(|tag| String::from_utf8_lossy(tag.name).into_owned()).collect()
    };
    workers.map(source, names_of_game).try_for_each(|found| {
        for name in found {
            if names.len() < MOST_NAMES && !names.contains(&name) {
                names.push(name);
            }
        }
        games += 1;
        if games == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(games)
}
