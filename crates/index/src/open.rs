//! An open run of an index. Its tables are opened when they are first used.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::access::TableAccess;
use crate::error::IndexError;
use crate::folder::hidden;
use crate::games_table::{GamesLayout, SORTED_BY};
use crate::hit::Hit;
use crate::manifest::Run;
use crate::part::part_of;
use crate::postings_table::KeyedHits;
use crate::record::Record;
use crate::spill::bucket_of;
use crate::table::{Layout, TablePlace, TableReader, Written};
use crate::{moves_table, postings_table, table};
use pgn2fen_tables::parquet_file::Int64Type;

/// A run that can be read.
#[derive(Debug)]
pub(super) struct OpenRun {
    folder: PathBuf,
    run: Run,
    /// The layout of its games table.
    layout: GamesLayout,
    access: TableAccess,
    /// The tables `postings` and `moves` of each part.
    parts: Vec<[OnceLock<TableReader>; 2]>,
    games: OnceLock<TableReader>,
}

impl OpenRun {
    /// Prepares to read a run of the index in a folder.
    pub(super) fn new(folder: &Path, run: &Run, layout: &GamesLayout, access: TableAccess) -> Self {
        let parts = run.parts.iter().map(|_| [OnceLock::new(), OnceLock::new()]).collect();
        let (folder, run, layout) = (folder.join(&run.folder), run.clone(), layout.clone());
        Self { folder, run, layout, access, parts, games: OnceLock::new() }
    }

    /// Returns the number of its first game.
    pub(super) fn first_game(&self) -> u64 {
        self.run.first_game
    }

    /// Whether the run has the game with this number.
    pub(super) fn has_game(&self, game: u64) -> bool {
        (self.run.first_game..self.run.first_game + self.run.games).contains(&game)
    }

    /// Returns the number of parts.
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Returns the part that has the postings with a key.
    pub(super) fn part_of(&self, key: i64) -> usize {
        part_of(bucket_of(key), self.parts.len())
    }

    /// Returns records of the hits with these keys, in order, without dates and ratings. `number` returns the number of
    /// the game of a hit; None if the hit is left out.
    pub(super) fn records(
        &self,
        keys: RangeInclusive<i64>,
        number: impl Fn(&Hit) -> Option<u64>,
    ) -> impl Iterator<Item = Result<Record, IndexError>> {
        let parts = self.part_of(*keys.start())..=self.part_of(*keys.end());
        let hits_of = move |part| -> Result<_, IndexError> {
            let table = self.postings(part)?;
            let end = keys.end().checked_add(1).map_or(Ok(table.rows()), |next| table.first_from(next))?;
            Ok(KeyedHits::new(table, &(table.first_from(*keys.start())?..end)))
        };
        let hits = parts.flat_map(move |part| {
            // The error of a part takes the place of its hits.
            let (hits, failure) = match hits_of(part) {
                Ok(hits) => (Some(hits), None),
                Err(error) => (None, Some(Err(error))),
            };
            hits.into_iter().flatten().chain(failure)
        });
        let record = move |(key, hit): (i64, Hit)| number(&hit).map(|number| Record::of_hit(key, &hit, number));
        hits.filter_map(move |hit| hit.map(&record).transpose())
    }

    /// Calls a function for the key of each posting in this range, in order.
    pub(super) fn visit_keys(&self, keys: &RangeInclusive<i64>, mut visit: impl FnMut(i64)) -> Result<(), IndexError> {
        for part in self.part_of(*keys.start())..=self.part_of(*keys.end()) {
            let table = self.postings(part)?;
            let end = keys.end().checked_add(1).map_or(Ok(table.rows()), |next| table.first_from(next))?;
            let scan = table.scan::<Int64Type>(0, table.first_from(*keys.start())?..end);
            scan.for_each(|key| visit(key.copied().unwrap_or(0)))?;
        }
        Ok(())
    }

    pub(super) fn postings(&self, part: usize) -> Result<&TableReader, IndexError> {
        self.open(&self.parts[part][0], &self.run.parts[part][0], &postings_table::LAYOUT)
    }

    pub(super) fn moves(&self, part: usize) -> Result<&TableReader, IndexError> {
        self.open(&self.parts[part][1], &self.run.parts[part][1], &moves_table::LAYOUT)
    }

    pub(super) fn games(&self) -> Result<&TableReader, IndexError> {
        if let Some(table) = self.games.get() {
            return Ok(table);
        }
        let layout = Layout { columns: &self.layout.columns(), sorted_by: SORTED_BY };
        self.open(&self.games, &self.run.game_table, &layout)
    }

    /// Opens all tables, which checks their sizes, their lists of checksums, their columns and their numbers of rows.
    pub(super) fn open_all(&self) -> Result<(), IndexError> {
        for part in 0..self.parts() {
            self.postings(part)?;
            self.moves(part)?;
        }
        self.games().map(drop)
    }

    /// Returns the damaged places in the file of a table.
    pub(super) fn damage(&self, written: &Written) -> Vec<IndexError> {
        let damage = table::damage(&self.folder.join(&written.name), written);
        let is_damaged =
            !damage.is_empty() && !table::damage(&hidden(&self.folder).join(&written.name), written).is_empty();
        if is_damaged { damage } else { Vec::new() }
    }

    fn open<'r>(
        &self,
        place: &'r OnceLock<TableReader>,
        written: &Written,
        layout: &Layout<'_>,
    ) -> Result<&'r TableReader, IndexError> {
        if let Some(table) = place.get() {
            return Ok(table);
        }
        // A run that was merged or replaced since the index was opened has a hidden name.
        let [path, hidden] = [&self.folder, &hidden(&self.folder)].map(|folder| folder.join(&written.name));
        let found = TablePlace { path: &path, hidden: &hidden, access: self.access };
        let table = TableReader::open(found, written, layout);
        let table = table.or_else(|error| {
            TableReader::open(TablePlace { path: &hidden, ..found }, written, layout).map_err(|_| error)
        })?;
        // Another thread may have opened the same table first.
        Ok(place.get_or_init(|| table))
    }
}
