//! The names of the tags that the first games of a source have.

use std::io;
use std::ops::ControlFlow;

use crate::parallel::Workers;
use pgn2fen_pgn::games::Game;
use pgn2fen_sources::Source;

/// The greatest number of names, and the greatest length of a name in bytes (PGN standard §7). Other names are left
/// out.
const MOST_NAMES: usize = 256;
const LONGEST_NAME: usize = 255;

/// Adds the names of the tags that the first `most` games of a source have, in the order in which they first occur, and
/// returns the number of games that were read. No move is played. A name that is in the list is not added again, and
/// there are at most 256 names.
///
/// ```
/// use pgn2fen_games::database::{Database, Source};
/// use pgn2fen_games::parallel::Workers;
/// use pgn2fen_games::walk::first_tags;
///
/// let database = Database::from(b"[White \"A\"] 1. e4 *\n[Black \"B\"] *\n[Site \"\"] *\n".to_vec());
/// let mut names = Vec::new();
/// let games = first_tags(&Workers::new(1)?, Source::Whole(database), 2, &mut names)?;
/// assert_eq!((games, names), (2, vec!["White".to_owned(), "Black".to_owned()]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The source cannot be read.
pub fn first_tags(workers: &Workers, source: Source, most: u64, names: &mut Vec<String>) -> io::Result<u64> {
    let mut games = 0;
    if most == 0 {
        return Ok(0);
    }
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
