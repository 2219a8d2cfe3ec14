//! A game with its own text.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::walk::{Place, Preceding, TextPlace};
use pgn2fen_pgn::encoding::Fallback;
use pgn2fen_pgn::games::{Chunk, Game};
use pgn2fen_pgn::lists::Form;

/// A game with its own text, and its place in its file. It can be sent to other threads. Clones are cheap, because they
/// share the text.
///
/// ```
/// use pgn2fen_games::database::Database;
/// use pgn2fen_games::stream::GameReader;
///
/// let games = Database::from(b"1. e4 *\n\n[White \"Short\"]\n\n1. d4 d5 1/2-1/2\n".to_vec());
/// let game = GameReader::new().stream([games])?.nth(1).expect("there are two games")?;
/// assert_eq!((game.number(), game.line(), game.offset()), (2, 3, 9));
/// assert_eq!(game.bytes(), b"[White \"Short\"]\n\n1. d4 d5 1/2-1/2");
/// assert_eq!(game.game().tag("White").as_deref(), Some("Short"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct OwnedGame {
    pub(super) found: FramedGame,
    pub(super) block: Arc<GameBlock>,
}

/// A game that was found in a block.
#[derive(Clone)]
pub(super) struct FramedGame {
    pub(super) text: Arc<[u8]>,
    pub(super) form: Form,
    pub(super) encoding: Fallback,
    /// The offset of the game in its file, in bytes.
    pub(super) offset: u64,
    /// The number of the game in its block, counted from 1.
    pub(super) number: u64,
    /// The line in the block, counted from 0.
    pub(super) line: u64,
    /// The column in bytes, counted from 0. On the first line of the block it is counted from the start of the block.
    pub(super) column: usize,
}

/// The block of a database in which a game was found.
pub(super) struct GameBlock {
    pub(super) path: Arc<Path>,
    /// The text of the file before the part that is read.
    pub(super) before: Arc<Preceding>,
    /// The number of games of the file before the block.
    pub(super) games: u64,
    /// The line and the column on which the block begins, counted from 0 in the part that is read.
    pub(super) start: (u64, usize),
}

impl OwnedGame {
    /// Returns the game, whose tags are read anew. Use the result several times rather than this function.
    ///
    /// It reads as it does in its file. Its offset and those of its diagnostics are bytes in the file, as the
    /// diagnostics of other jobs have them; the offsets of its tags and tokens are bytes in the game.
    pub fn game(&self) -> Game<'_> {
        let text = self.text();
        Game::new(text, 0, text.tags(0))
    }

    /// Returns the bytes of the game, from its first tag, comment or move to the end of its last line; of a list of
    /// positions, the line. Text that was compressed is decoded, and text in UTF-16 or a similar encoding is converted
    /// to UTF-8.
    pub fn bytes(&self) -> &[u8] {
        &self.found.text
    }

    /// Returns the game as PGN: its [bytes](Self::bytes), or a game with a FEN tag for a line of a list of positions.
    /// A game that was made of a record gets a line for each tag pair.
    pub fn to_pgn(&self) -> Cow<'_, [u8]> {
        self.found.form.to_pgn(self.bytes())
    }

    /// Returns the form of the file: games, a position on each line, or records.
    pub fn form(&self) -> Form {
        self.found.form
    }

    /// Returns the encoding of what is not UTF-8 in its file.
    pub fn encoding(&self) -> Fallback {
        self.found.encoding
    }

    /// Returns the path of the file, which all its games share. Empty if a database was given without a path.
    pub fn path(&self) -> &Arc<Path> {
        &self.block.path
    }

    /// Returns the number of the game in its file, counted from 1. Games that are not wanted count.
    pub fn number(&self) -> u64 {
        self.block.before.games() + self.block.games + self.found.number
    }

    /// Returns the offset of the game in its file or the decoded text of the file, in bytes.
    pub fn offset(&self) -> u64 {
        self.found.offset
    }

    /// Returns the line of the file on which the game begins, counted from 1.
    pub fn line(&self) -> u64 {
        self.place(self.offset()).line
    }

    /// Returns the line and the column of an offset in this game, for example that of a
    /// [`Diagnostic`](pgn2fen_pgn::diagnostic::Diagnostic::offset).
    pub fn place(&self, offset: u64) -> Place {
        let FramedGame { text, line, column, .. } = &self.found;
        let (first_line, first_column) = self.block.start;
        let column = if *line == 0 { first_column + column } else { *column };
        let mut place = TextPlace::start(first_line + line, column);
        let at = usize::try_from(offset.saturating_sub(self.offset())).unwrap_or(usize::MAX);
        place.go_to(text, at.min(text.len()));
        self.block.before.place(place.line, place.column)
    }

    fn text(&self) -> Chunk<'_> {
        let FramedGame { text, form, offset, .. } = &self.found;
        Chunk { offset: *offset, form: *form, ..Chunk::whole(text) }
    }
}

impl fmt::Debug for OwnedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("OwnedGame");
        debug.field("path", self.path()).field("number", &self.number()).field("offset", &self.offset());
        debug.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::OwnedGame;

    #[test]
    fn a_game_can_be_sent_and_shared() {
        fn check<T: Clone + Send + Sync + 'static>() {}
        check::<OwnedGame>();
    }
}
