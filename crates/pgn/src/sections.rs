//! The tag section and the movetext section of a game in a part of a database.

use crate::chunk::Chunk;
use crate::form::Form;
use crate::movetext::Movetext;
use crate::tags::Tags;

impl<'t> Chunk<'t> {
    /// Reads the tags of the game that begins at `start`, in bytes from the start of the text.
    pub fn tags(self, start: usize) -> Tags<'t> {
        let mut tags = Tags::default();
        self.read_tags(start, &mut tags);
        tags
    }

    /// Reads the tags of a game into `tags`, and uses its memory again.
    #[inline]
    pub fn read_tags(self, start: usize, tags: &mut Tags<'t>) {
        match self.form {
            Form::Games | Form::Records => tags.read_again(self.bytes, start),
            Form::Positions => tags.read_position(self.bytes, start),
        }
    }

    /// Returns a reader of the movetext behind these tags. A position of a list has no movetext.
    #[inline]
    pub fn movetext(self, tags: &Tags<'t>) -> Movetext<'t> {
        match self.form {
            Form::Games | Form::Records => Movetext::new(self.bytes, tags.end()).lost_by_both(tags.is_lost_by_both()),
            Form::Positions => Movetext::new(&self.bytes[..tags.end()], tags.end()),
        }
    }

    /// Returns the end of the game that begins at `start`.
    #[doc(hidden)]
    pub fn game_end(self, start: usize) -> usize {
        self.movetext(&self.tags(start)).end_offset()
    }
}
