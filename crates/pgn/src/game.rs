//! One game of a database, which is read only as far as necessary.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::chunk::Chunk;
use crate::movetext::Movetext;
use crate::tags::{RawValue, Tags};

/// One game of a database.
///
/// A game borrows the bytes of its database. Its tags have been read. Its moves are read by [`moves`](Self::moves),
/// [`replay`](Self::replay) or [`movetext`](Self::movetext), any number of times. Clones are cheap, and can be sent to
/// other threads.
///
/// ```
/// use pgn2fen_pgn::games::Games;
///
/// let mut games = Games::new(b"[White \"Morphy\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0");
/// let game = games.next().unwrap();
/// assert_eq!(game.tag("White").as_deref(), Some("Morphy"));
/// assert_eq!(game.tag("Black"), None);
/// assert_eq!(game.offset(), 0);
/// assert!(game.bytes().ends_with(b"1-0"));
/// ```
#[derive(Clone)]
pub struct Game<'a> {
    text: Chunk<'a>,
    start: usize,
    read: Arc<ReadGame<'a>>,
}

/// The results of reading a game. All clones of the game and all its readers share them.
#[derive(Debug)]
pub(crate) struct ReadGame<'a> {
    tags: Tags<'a>,
    /// The end of the game, in bytes from the start of the text. Zero if the end is not known yet.
    end: AtomicUsize,
}

impl ReadGame<'_> {
    /// Stores the end of the game, in bytes from the start of the text.
    pub(crate) fn store_end(&self, end: usize) {
        // All threads compute the same number, and no other memory depends on it.
        self.end.store(end, Ordering::Relaxed);
    }
}

impl<'a> Game<'a> {
    /// Creates the game that begins at `start`, in bytes from the start of the text, with the tags that were read
    /// there.
    #[doc(hidden)]
    pub fn new(text: Chunk<'a>, start: usize, tags: Tags<'a>) -> Self {
        Self { text, start, read: Arc::new(ReadGame { tags, end: AtomicUsize::new(0) }) }
    }

    /// Turns this game into another game of the same text. Uses its memory again, unless another clone exists.
    pub(super) fn become_game_at(&mut self, start: usize) {
        match Arc::get_mut(&mut self.read) {
            Some(read) => {
                self.start = start;
                *read.end.get_mut() = 0;
                self.text.read_tags(start, &mut read.tags);
            }
            None => {
                let mut tags = Tags::with_capacity_of(&self.read.tags);
                self.text.read_tags(start, &mut tags);
                *self = Self::new(self.text, start, tags);
            }
        }
    }

    /// Returns the value of the last tag with this name, with its escapes removed. Text that is not UTF-8 is read as
    /// Windows-1252. None if there is no such tag.
    pub fn tag(&self, name: &str) -> Option<Cow<'a, str>> {
        self.tags().value(name).map(RawValue::decode)
    }

    /// Returns the tag section.
    #[inline]
    pub fn tags(&self) -> &Tags<'a> {
        &self.read.tags
    }

    /// Returns the start of the game in its database, in bytes.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.text.offset + self.start as u64
    }

    /// Returns the bytes of the game, from its first tag, comment or move to the end of its last line. Reads the game
    /// to its end, unless its end is known.
    pub fn bytes(&self) -> &'a [u8] {
        &self.text.bytes[self.start..self.end()]
    }

    /// Returns the game as PGN: its [bytes](Self::bytes), or a game with a FEN tag for a line of a list of positions.
    /// A game that was made of a record gets a line for each tag pair.
    pub fn to_pgn(&self) -> Cow<'a, [u8]> {
        self.text.form.to_pgn(self.bytes())
    }

    /// Returns a reader of the movetext section. Its offsets are those of
    /// [`Tag::offset`](crate::tags::Tag::offset): bytes from the start of the database, unless the game was read
    /// from a part of it.
    pub fn movetext(&self) -> Movetext<'a> {
        self.text.movetext(self.tags())
    }

    /// Whether the end of the game is known.
    #[cfg(test)]
    pub(crate) fn is_end_known(&self) -> bool {
        self.read.end.load(Ordering::Relaxed) != 0
    }

    /// Returns the end of the game, in bytes from the start of the text. Reads the game to its end, unless its end is
    /// known.
    #[doc(hidden)]
    pub fn end(&self) -> usize {
        match self.read.end.load(Ordering::Relaxed) {
            0 => {
                let end = self.movetext().end_offset();
                self.read.store_end(end);
                end
            }
            end => end,
        }
    }

    /// Returns the tags, so that their memory can be used for another game. Returns new tags if another clone exists.
    #[doc(hidden)]
    pub fn into_tags(self) -> Tags<'a> {
        Arc::try_unwrap(self.read).map(|read| read.tags).unwrap_or_default()
    }

    /// Returns the text in which the game stands.
    pub(crate) fn text(&self) -> Chunk<'a> {
        self.text
    }

    /// Returns the shared results of reading the game.
    pub(crate) fn read(&self) -> &Arc<ReadGame<'a>> {
        &self.read
    }
}

impl fmt::Debug for Game<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game").field("offset", &self.offset()).field("tags", self.tags()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::Game;
    use crate::chunk::Chunk;
    use crate::form::Form;
    use crate::games::Games;

    #[test]
    fn a_game_can_be_sent_and_shared() {
        fn check<T: Clone + Send + Sync>() {}
        check::<Game<'_>>();
        check::<Games<'_>>();
    }

    #[test]
    fn a_tag_is_given_as_text() {
        let text = b"[White \"J. \\\"Joe\\\" M\xFCller\"]\n[White \"O'Kelly\"]\n[Black \"M\xC3\xBCller \\\\\"] *";
        let game = Games::new(text).next().unwrap();
        assert_eq!(game.tag("White").unwrap(), "O'Kelly");
        assert_eq!(game.tag("Black").unwrap(), "Müller \\");
        assert_eq!(game.tag("black"), None);
        assert_eq!(game.tags().iter().next().unwrap().value.decode(), "J. \"Joe\" Müller");
    }

    #[test]
    fn an_end_is_told_once_and_to_all_clones() {
        let text = b"1. e4 e5 1-0\n1. d4 *";
        let mut games = Games::new(text);
        let first = games.next().unwrap();
        let clone = first.clone();
        assert!(!first.is_end_known(), "nobody has read it");
        assert_eq!(first.bytes(), b"1. e4 e5 1-0");
        assert!(clone.is_end_known());
        assert_eq!(games.next().unwrap().bytes(), b"1. d4 *");
        assert_eq!(first.bytes(), b"1. e4 e5 1-0", "a game that is held stays as it is");
    }

    #[test]
    fn memory_is_used_again_unless_the_game_is_held() {
        let text = b"[A \"1\"] * [A \"2\"] * [A \"3\"] *";
        let mut games = Games::new(text);
        let place = |game: Option<Game<'_>>| game.map(|game| std::sync::Arc::as_ptr(&game.read).addr());
        let first = place(games.next());
        let second = games.next().unwrap();
        assert_eq!(first, place(Some(second.clone())));
        let third = games.next().unwrap();
        assert_ne!(first, place(Some(third.clone())));
        assert_eq!((second.tag("A").unwrap(), third.tag("A").unwrap()), ("2".into(), "3".into()));
        assert_eq!(third.into_tags().iter().count(), 0, "the iterator still holds it");
        drop(games);
        assert_eq!(second.into_tags().iter().count(), 1);
    }

    #[test]
    fn a_game_is_given_as_pgn_whatever_the_form_of_its_database() {
        let text = b"[A \"1\"] 1. e4 *\n";
        let games = Games::within(Chunk { form: Form::Records, ..Chunk::whole(text) }, 0..text.len());
        let shown: Vec<_> = games.map(|game| String::from_utf8_lossy(&game.to_pgn()).into_owned()).collect();
        assert_eq!(shown, ["[A \"1\"]\n\n1. e4 *"]);
        assert_eq!(&*Games::new(text).next().unwrap().to_pgn(), b"[A \"1\"] 1. e4 *");
    }
}
