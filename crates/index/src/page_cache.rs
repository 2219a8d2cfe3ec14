//! A cache of pages of the games table, which several threads share. Its memory is bounded.

use std::sync::Arc;

use crate::error::IndexError;
use crate::games_table::{GameColumn, TextPage};
use crate::lookup::Index;
use crate::recent::Recent;

/// A cache of pages of the games table of one index. The key of a page is its column and the number of its first game.
#[doc(hidden)]
#[derive(Debug)]
pub struct PageCache(Recent<(GameColumn, u64), Arc<TextPage>>);

impl PageCache {
    /// Creates an empty cache of about this size in bytes.
    pub fn new(bytes: usize) -> Self {
        Self(Recent::new(bytes))
    }

    /// Returns a text from a column of a game of the index; None if it is missing.
    pub fn text(&self, index: &Index, game: u64, column: GameColumn) -> Result<Option<String>, IndexError> {
        let Some((run, row)) =
            index.runs().iter().find(|run| run.has_game(game)).map(|run| (run, game - run.first_game()))
        else {
            return Ok(None);
        };
        let table = run.games()?;
        let rows = table.page_of(row);
        let key = (column, run.first_game() + rows.start);
        let page = match self.0.get(&key) {
            Some(page) => page,
            None => {
                let page = Arc::new(TextPage::read(table, column, rows)?);
                self.0.add(key, Arc::clone(&page), page.weight());
                page
            }
        };
        Ok(page.text(row).map(str::to_owned))
    }
}

#[cfg(test)]
mod tests {
    use super::PageCache;
    use crate::sizes::Sizes;
    use crate::tests::Desk;
    use crate::{BuildOptions, GameColumn};

    #[test]
    fn texts_of_all_pages_and_runs_are_found_whether_they_are_kept_or_not() {
        let file = |games: std::ops::Range<u64>| {
            games.map(|game| format!("[White \"W{game}\"]\n[Black \"B{game}\"]\n\n1. e4 *\n\n")).collect::<String>()
        };
        let options = BuildOptions { sizes: Sizes::SMALL, ..BuildOptions::default() };
        let desk = Desk::with(&[("a.pgn", &file(1..41)), ("b.pgn", &file(41..90))], &options);
        for size in [0, 1 << 20] {
            let cache = PageCache::new(size);
            for game in (1..90).chain((1..90).rev()) {
                for (column, letter) in [(GameColumn::White, "W"), (GameColumn::Black, "B")] {
                    let text = cache.text(&desk.index, game, column).unwrap();
                    assert_eq!(text, Some(format!("{letter}{game}")));
                }
            }
            assert_eq!(cache.text(&desk.index, 1, GameColumn::Site).unwrap(), None);
            assert_eq!(cache.text(&desk.index, 0, GameColumn::White).unwrap(), None);
            assert_eq!(cache.text(&desk.index, 90, GameColumn::White).unwrap(), None);
        }
    }
}
