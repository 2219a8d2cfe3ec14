//! The different texts of the games of an index, and in how many games each of them is: the names of the players, and
//! the starting positions.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::error::IndexError;
use crate::games_table::GameColumn;
use crate::lookup::Index;
use pgn2fen_chess::rules::Rules;

/// Different texts, those of the most games first; of equal ones in the order of the alphabet. The memory is bounded:
/// beyond a number of texts, further ones are left out.
#[doc(hidden)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    entries: Vec<(Box<str>, u64)>,
}

/// The number of pages after which a scan looks whether it is still wanted.
const PATIENCE: usize = 64;

impl Catalogue {
    /// Sorts texts with the numbers of their games.
    fn of(counts: HashMap<Box<str>, u64>) -> Self {
        let mut entries: Vec<_> = counts.into_iter().collect();
        entries.sort_unstable_by(|one, other| (Reverse(one.1), &one.0).cmp(&(Reverse(other.1), &other.0)));
        Self { entries }
    }

    /// Adds up several catalogues.
    pub fn sum<'c>(catalogues: impl IntoIterator<Item = &'c Self>) -> Self {
        let mut counts: HashMap<Box<str>, u64> = HashMap::new();
        for (text, games) in catalogues.into_iter().flat_map(|catalogue| &catalogue.entries) {
            *counts.entry(text.clone()).or_default() += games;
        }
        Self::of(counts)
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the texts, each with the number of its games.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.entries.iter().map(|(text, games)| (&**text, *games))
    }
}

impl FromIterator<(String, u64)> for Catalogue {
    fn from_iter<I: IntoIterator<Item = (String, u64)>>(texts: I) -> Self {
        let mut counts: HashMap<Box<str>, u64> = HashMap::new();
        for (text, games) in texts {
            *counts.entry(text.into()).or_default() += games;
        }
        Self::of(counts)
    }
}

impl Index {
    /// Reads the names of the players, at most so many: White and Black of each game count. A missing or empty name and
    /// the name `?` are left out. Returns None if it was stopped.
    #[doc(hidden)]
    pub fn players(&self, most: usize, is_stopped: &dyn Fn() -> bool) -> Result<Option<Catalogue>, IndexError> {
        self.catalogue(&[GameColumn::White, GameColumn::Black], most, is_stopped)
    }

    /// Reads the starting positions of games of chess other than the initial one as FENs, at most so many. Returns None
    /// if it was stopped.
    #[doc(hidden)]
    pub fn starts(&self, most: usize, is_stopped: &dyn Fn() -> bool) -> Result<Option<Catalogue>, IndexError> {
        self.catalogue(&[GameColumn::Fen], most, is_stopped)
    }

    fn catalogue(
        &self,
        columns: &[GameColumn],
        most: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Catalogue>, IndexError> {
        let mut counts: HashMap<Box<str>, u64> = HashMap::new();
        let tables = self
            .runs()
            .iter()
            .map(|run| Ok((run.first_game(), run.games()?)))
            .collect::<Result<Vec<_>, IndexError>>()?;
        // A FEN does not tell the rules.
        let rules = columns.contains(&GameColumn::Fen).then(|| self.rules()).transpose()?;
        for ((first, table), column) in
            tables.iter().flat_map(|table| columns.iter().map(move |column| (table, *column)))
        {
            let mut game = *first;
            let mut texts = table.texts(None, column.at(), 0..table.rows());
            let mut pages = 0;
            while let Some(rows) = texts.next_rows(u64::MAX)? {
                if pages % PATIENCE == 0 && is_stopped() {
                    return Ok(None);
                }
                pages += 1;
                for text in rows.texts() {
                    let is_chess = rules.is_none_or(|rules| rules.of(game) == Rules::Chess);
                    game += 1;
                    let Ok(text) = str::from_utf8(text) else { continue };
                    if text.is_empty() || text == "?" || !is_chess {
                        continue;
                    }
                    if let Some(games) = counts.get_mut(text) {
                        *games += 1;
                    } else if counts.len() < most {
                        counts.insert(text.into(), 1);
                    }
                }
            }
        }
        Ok(Some(Catalogue::of(counts)))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::PATIENCE;
    use crate::sizes::Sizes;
    use crate::tests::Desk;
    use crate::{BuildOptions, Catalogue};

    #[test]
    fn the_starts_of_variants_are_no_starts_of_chess() {
        let game = |variant: &str, fen: &str| format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n*\n\n");
        let (one, other) = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1");
        let text = game("Standard", one) + &game("Atomic", other) + &game("Standard", one) + &game("Atomic", one);
        let desk = Desk::of(&[("a.pgn", text)]);
        let starts = desk.index.starts(9, &|| false).unwrap().unwrap();
        assert_eq!(starts.iter().collect::<Vec<_>>(), [(one, 2)]);
    }

    #[test]
    fn a_scan_asks_now_and_then_whether_it_is_still_wanted() {
        let game = |number: usize| format!("[White \"{number}\"]\n\n*\n\n");
        let text: String = (0..3000).map(game).collect();
        let options = BuildOptions { sizes: Sizes::SMALL, ..BuildOptions::default() };
        let desk = Desk::with(&[("a.pgn", text)], &options);
        let asked = Cell::new(0);
        let players = desk.index.players(9, &|| {
            asked.set(asked.get() + 1);
            false
        });
        assert_eq!(players.unwrap().unwrap().len(), 9);
        // White and Black have 30 row groups each, of 7 pages.
        assert_eq!(asked.get(), 2 * (30 * 7_usize).div_ceil(PATIENCE));
    }

    #[test]
    fn a_catalogue_of_nothing_is_empty() {
        assert!(Catalogue::default().is_empty());
        assert!(Catalogue::sum([&Catalogue::default()]).is_empty());
    }
}
