//! The place of a game and the tags by which people know it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::error::IndexError;
use crate::games_table::GameColumn;
use crate::lookup::{GameRow, Index, IndexedGames};
use crate::names::shown;

/// The place of a game and the tags by which people know it. A missing tag is an empty text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameHeading {
    /// The name of the file, as seen from the current folder: see
    /// [`IndexedFile::name_from_here`](crate::IndexedFile::name_from_here).
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
        HeadingView::from(self).link()
    }
}

/// The heading of a game as the index holds it: see [`GameHeading`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeadingView<'h> {
    /// The name of the file.
    pub file: &'h str,
    /// The line of the file where the game begins, from 1.
    pub line: u64,
    /// The tag White.
    pub white: &'h str,
    /// The tag Black.
    pub black: &'h str,
    /// The tag Date, or UTCDate if the date is unknown.
    pub date: &'h str,
    /// The tag Site.
    pub site: &'h str,
}

impl<'h> HeadingView<'h> {
    /// Returns the tag Site if it is a link, as in games of Lichess.
    pub fn link(&self) -> Option<&'h str> {
        let is_link = self.site.starts_with("https://") || self.site.starts_with("http://");
        (is_link && self.site.bytes().all(|byte| byte.is_ascii_graphic())).then_some(self.site)
    }
}

impl<'h> From<&'h GameHeading> for HeadingView<'h> {
    fn from(heading: &'h GameHeading) -> Self {
        let GameHeading { file, line, white, black, date, site } = heading;
        Self { file, line: *line, white, black, date, site }
    }
}

/// A reader of the headings of games. It keeps the parts of the index that it has read, so it is fast for many games,
/// above all if they are asked for in the order of the index. Each thread can have its own.
#[derive(Debug)]
pub struct Headings<'i> {
    index: &'i Index,
    pub(super) games: IndexedGames<'i>,
    /// The games of the file that was asked for last, and its name.
    file: (Range<u64>, Arc<str>),
    /// The names of all files that were asked for, by their positions in the index.
    names: HashMap<usize, Arc<str>>,
}

impl Index {
    /// Creates a reader of the headings of games.
    pub fn headings(&self) -> Headings<'_> {
        Headings { index: self, games: self.games(), file: Default::default(), names: HashMap::new() }
    }
}

impl Headings<'_> {
    /// Returns the heading of a game.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn of(&mut self, game: u64) -> Result<GameHeading, IndexError> {
        let HeadingView { line, white, black, date, site, .. } = self.view(game)?;
        let [white, black, date, site] = [white, black, date, site].map(str::to_owned);
        Ok(GameHeading { file: Arc::clone(&self.file.1), line, white, black, date, site })
    }

    /// Returns the heading of a game without copying it, which is faster than [`of`](Self::of).
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn view(&mut self, game: u64) -> Result<HeadingView<'_>, IndexError> {
        const COLUMNS: [GameColumn; 5] =
            [GameColumn::Line, GameColumn::White, GameColumn::Black, GameColumn::DateText, GameColumn::Site];
        self.find_file(game);
        let row = self.games.row(game, &COLUMNS)?;
        let text = |column| row.as_ref().and_then(|row| row.text(column)).unwrap_or_default();
        Ok(HeadingView {
            file: &self.file.1,
            line: row.as_ref().map_or(0, line),
            white: text(GameColumn::White),
            black: text(GameColumn::Black),
            date: text(GameColumn::DateText),
            site: text(GameColumn::Site),
        })
    }

    /// Returns the file and the line of a game.
    pub(super) fn place(&mut self, game: u64) -> Result<(Arc<str>, u64), IndexError> {
        self.find_file(game);
        let line = self.games.row(game, &[GameColumn::Line])?.as_ref().map_or(0, line);
        Ok((Arc::clone(&self.file.1), line))
    }

    /// Finds the file of a game and its name.
    #[inline]
    fn find_file(&mut self, game: u64) {
        if !self.file.0.contains(&game) {
            self.file = match self.index.file_of(game) {
                Some((at, file)) => {
                    let name = self.names.entry(at).or_insert_with(|| shown(&file.name_from_here()).into());
                    (file.games(), name.clone())
                }
                None => Default::default(),
            };
        }
    }
}

/// Returns the line on which a game begins; 0 if it is not known.
fn line(row: &GameRow<'_>) -> u64 {
    row.number(GameColumn::Line).and_then(|line| u64::try_from(line).ok()).unwrap_or(0)
}
