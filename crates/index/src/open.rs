//! An open run of an index. Its tables are opened when they are first used.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::access::TableAccess;
use crate::error::IndexError;
use crate::folder::hidden;
use crate::manifest::Run;
use crate::part::part_of;
use crate::table::{Layout, TablePlace, TableReader, Written};
use crate::{games_table, moves_table, postings_table, table};

/// A run that can be read.
#[derive(Debug)]
pub(super) struct OpenRun {
    folder: PathBuf,
    run: Run,
    access: TableAccess,
    /// The tables `postings` and `moves` of each part.
    parts: Vec<[OnceLock<TableReader>; 2]>,
    games: OnceLock<TableReader>,
}

impl OpenRun {
    /// Prepares to read a run of the index in a folder.
    pub(super) fn new(folder: &Path, run: &Run, access: TableAccess) -> Self {
        let parts = run.parts.iter().map(|_| [OnceLock::new(), OnceLock::new()]).collect();
        Self { folder: folder.join(&run.folder), run: run.clone(), access, parts, games: OnceLock::new() }
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

    /// Returns the parts that have postings of these buckets.
    pub(super) fn parts_of(&self, buckets: Range<usize>) -> Range<usize> {
        let part = |bucket| part_of(bucket, self.parts.len());
        part(buckets.start)..part(buckets.end - 1) + 1
    }

    /// Returns the part that has the postings of a bucket.
    pub(super) fn part_of(&self, bucket: usize) -> usize {
        part_of(bucket, self.parts.len())
    }

    pub(super) fn postings(&self, part: usize) -> Result<&TableReader, IndexError> {
        self.open(&self.parts[part][0], &self.run.parts[part][0], &postings_table::LAYOUT)
    }

    pub(super) fn moves(&self, part: usize) -> Result<&TableReader, IndexError> {
        self.open(&self.parts[part][1], &self.run.parts[part][1], &moves_table::LAYOUT)
    }

    pub(super) fn games(&self) -> Result<&TableReader, IndexError> {
        self.open(&self.games, &self.run.game_table, &games_table::LAYOUT)
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
        layout: &Layout,
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
