//! An iterator of whole games, which are read on background threads.

use std::fmt;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use std::vec;

use crate::stream::game_texts::Group;
use crate::stream::owned::{FramedGame, GameBlock, OwnedGame};
use crate::walk::{Background, ReadError};

/// An iterator of games, in the order of the databases. Created by
/// [`GameReader::stream`](crate::stream::GameReader::stream).
///
/// An item is a game, or the error of a file that cannot be read, which is the last item. The threads read only a few
/// blocks of 64 KiB ahead, or a few games if these are longer. If the iterator is dropped, its threads end with the
/// blocks that they are reading, and the drop waits for them.
pub struct GameStream {
    groups: Background<Result<Group, ReadError>>,
    block: Option<Arc<GameBlock>>,
    /// The games of the current block that have not been taken yet.
    games: vec::IntoIter<FramedGame>,
}

impl GameStream {
    pub(super) fn new(groups: Background<Result<Group, ReadError>>) -> Self {
        Self { groups, block: None, games: Vec::new().into_iter() }
    }

    /// Waits for the next game, but not longer than `timeout`. Returns `Pending` if there is none by then, and
    /// `Ready(None)` after the last game. So a caller can look for interrupts while it waits.
    pub fn next_within(&mut self, timeout: Duration) -> Poll<Option<Result<OwnedGame, ReadError>>> {
        if let Some(game) = self.next_of_block() {
            return Poll::Ready(Some(Ok(game)));
        }
        self.groups.next_within(timeout).map(|group| self.begin(group))
    }

    fn next_of_block(&mut self) -> Option<OwnedGame> {
        let block = self.block.as_ref()?;
        let found = self.games.next()?;
        Some(OwnedGame { found, block: Arc::clone(block) })
    }

    /// Begins the next group, which has at least one game.
    fn begin(&mut self, group: Option<Result<Group, ReadError>>) -> Option<Result<OwnedGame, ReadError>> {
        match group? {
            Ok(Group { games, block }) => {
                self.games = games.into_iter();
                self.block = Some(block);
                self.next_of_block().map(Ok)
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl Iterator for GameStream {
    type Item = Result<OwnedGame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(game) = self.next_of_block() {
            return Some(Ok(game));
        }
        let group = self.groups.next();
        self.begin(group)
    }
}

impl fmt::Debug for GameStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameStream").finish_non_exhaustive()
    }
}
