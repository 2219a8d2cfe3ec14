//! The names of the tags that the first games of a source have.

use std::io;
use std::ops::{ControlFlow, Range};

use crate::database::Source;
use crate::parallel::{Batch, Delivery, Stages, Workers};
use crate::pgn::games::Text;
use crate::pgn::reader::{Reader, read_games};
use crate::pgn::tags::Tags;

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
    let read = |text: Text<'_>, until: usize, found: &mut FirstTags| {
        read_games(text, until, &mut Finding { found, most, tags: Tags::default() })
    };
    let order = |delivery: Delivery<'_, FirstTags>| {
        let FirstTags { games: in_block, names: found, .. } = delivery.batch;
        for (game, name) in found {
            if games + *game < most && names.len() < MOST_NAMES && !names.contains(name) {
                names.push(name.clone());
            }
        }
        games = (games + *in_block).min(most);
        if games == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    workers.walk(source, Stages::read(read).order(order))?;
    Ok(games)
}

/// The names in a block.
#[derive(Debug, Default)]
struct FirstTags {
    games: u64,
    /// The names in the order in which they first occur, with the number of the game, counted from 0 in the block.
    names: Vec<(u64, String)>,
    /// The numbers of games and names that are certain.
    kept: (u64, usize),
}

impl Batch for FirstTags {
    fn clear(&mut self) {
        *self = Self::default();
    }
}

struct Finding<'b, 't> {
    found: &'b mut FirstTags,
    most: u64,
    tags: Tags<'t>,
}

impl<'t> Reader<'t> for Finding<'_, 't> {
    fn game(&mut self, text: Text<'t>, start: usize) -> usize {
        let Self { found, tags, .. } = self;
        let game = found.games;
        found.games += 1;
        text.read_tags(start, tags);
        if tags.is_open() && !text.is_last {
            return text.bytes.len();
        }
        for tag in tags.iter().filter(|tag| tag.name.len() <= LONGEST_NAME) {
            let name = String::from_utf8_lossy(tag.name);
            if found.names.len() < MOST_NAMES && !found.names.iter().any(|(_, known)| *known == name) {
                found.names.push((game, name.into_owned()));
            }
        }
        text.movetext(tags).end_offset()
    }

    fn skipped(&mut self, _: Text<'t>, _: Range<usize>) {}

    fn keep(&mut self) {
        self.found.kept = (self.found.games, self.found.names.len());
    }

    fn forget(&mut self) {
        let (games, names) = self.found.kept;
        self.found.games = games;
        self.found.names.truncate(names);
    }

    fn is_done(&self) -> bool {
        self.found.games >= self.most
    }
}
