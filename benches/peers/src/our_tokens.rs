//! The reader of `pgn2fen` alone: tags and movetext are read, and no move is played.

use std::ops::Range;
use std::path::Path;

use anyhow::Result;
use pgn2fen_games::database::Database;
use pgn2fen_games::pgn::games::Chunk;
use pgn2fen_games::pgn::movetext::Movetext;
use pgn2fen_games::pgn::reader::Reader;
use pgn2fen_games::pgn::reader::read_games;
use pgn2fen_games::pgn::tags::Tags;
use pgn2fen_games::pgn::token::Token;

/// Counts the games and the moves of a PGN file without playing them.
pub(crate) fn count(path: &Path) -> Result<(u64, u64)> {
    let database = Database::open(path)?;
    let text = Chunk::whole(database.bytes());
    let mut counter = Counter::default();
    read_games(text, text.bytes.len(), &mut counter);
    Ok((counter.games, counter.moves))
}

#[derive(Default)]
struct Counter<'t> {
    tags: Tags<'t>,
    games: u64,
    moves: u64,
}

impl<'t> Reader<'t> for Counter<'t> {
    fn game(&mut self, text: Chunk<'t>, start: usize) -> usize {
        self.tags.read_again(text.bytes, start);
        let mut movetext = Movetext::new(text.bytes, self.tags.end());
        while let Some(token) = movetext.next_mainline() {
            self.moves += u64::from(matches!(token, Token::San(_)));
        }
        self.games += 1;
        movetext.offset()
    }

    fn skipped(&mut self, _text: Chunk<'t>, _range: Range<usize>) {}

    fn keep(&mut self) {}

    fn forget(&mut self) {}

    fn is_done(&self) -> bool {
        false
    }
}
