//! The place of a game and the tags by which people know it.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::index::error::IndexError;
use crate::index::games_table::GameColumn;
use crate::index::lookup::{Games, Index};
use crate::index::names::shown;

/// The place of a game and the tags by which people know it. A missing tag is an empty text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameHeading {
    /// The name of the file, as seen from the current folder: see [`IndexedFile::name_from_here`](crate::index::IndexedFile::name_from_here).
    pub file: Arc<str>,
    /// The line of the file where the game begins, from 1.
    pub line: u64,
    /// The tag White.
    pub white: String,
    /// The tag Black.
    pub black: String,
    /// The tag Date, or UTCDate if the date is unknown.
    pub date: String,
    /// The tag Site.
    pub site: String,
}

impl GameHeading {
    /// Returns the tag Site if it is a link, as in games of Lichess.
    pub fn link(&self) -> Option<&str> {
        let is_link = self.site.starts_with("https://") || self.site.starts_with("http://");
        let is_plain = self.site.bytes().all(|byte| byte.is_ascii_graphic());
        (is_link && is_plain).then_some(&*self.site)
    }
}

/// A reader of the headings of games. It keeps the parts of the index that it has read, so it is fast for many games, above all if they
/// are asked for in the order of the index. Each thread can have its own.
pub struct Headings<'i> {
    index: &'i Index,
    pub(super) games: Games<'i>,
    /// The games of the file that was asked for last, and its name.
    file: (Range<u64>, Arc<str>),
    /// The names of all files that were asked for, by their positions in the index.
    names: HashMap<usize, Arc<str>>,
    /// The game that was asked for last; 0 for none.
    game: u64,
    heading: GameHeading,
}

impl fmt::Debug for Headings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Headings").field("game", &self.game).finish_non_exhaustive()
    }
}

impl Index {
    /// Creates a reader of the headings of games.
    pub fn headings(&self) -> Headings<'_> {
        Headings {
            index: self,
            games: self.games(),
            file: Default::default(),
            names: HashMap::new(),
            game: 0,
            heading: GameHeading::default(),
        }
    }
}

impl Headings<'_> {
    /// Returns the heading of a game.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn of(&mut self, game: u64) -> Result<&GameHeading, IndexError> {
        if game != self.game {
            self.game = 0;
            let (file, line) = self.place(game)?;
            let Self { heading, games, .. } = self;
            (heading.file, heading.line) = (file, line);
            let tags = [
                (&mut heading.white, GameColumn::White),
                (&mut heading.black, GameColumn::Black),
                (&mut heading.date, GameColumn::DateText),
                (&mut heading.site, GameColumn::Site),
            ];
            let mut row = games.row(game)?;
            for (tag, column) in tags {
                tag.clear();
                if let Some(row) = &mut row {
                    tag.push_str(row.text(column)?.unwrap_or_default());
                }
            }
            self.game = game;
        }
        Ok(&self.heading)
    }

    /// Returns the file and the line of a game.
    pub(super) fn place(&mut self, game: u64) -> Result<(Arc<str>, u64), IndexError> {
        if !self.file.0.contains(&game) {
            self.file = match self.index.file_of(game) {
                Some((at, file)) => {
                    let name = self.names.entry(at).or_insert_with(|| shown(&file.name_from_here()).into());
                    (file.games(), name.clone())
                }
                None => Default::default(),
            };
        }
        let line = self.games.number(game, GameColumn::Line)?.and_then(|line| u64::try_from(line).ok());
        Ok((self.file.1.clone(), line.unwrap_or(0)))
    }
}
