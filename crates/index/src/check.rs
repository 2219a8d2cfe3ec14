//! Checks that an index is sound: every byte is what was written, and the tables agree with one another and with the
//! manifest.

use std::ops::Range;
use std::path::Path;

use crate::error::IndexError;
use crate::lookup::Index;
use crate::manifest::{Manifest, Run};
use crate::open::OpenRun;
use crate::part::buckets_of;
use crate::spill::bucket_of;
use crate::table::{Scan, TableReader};
use pgn2fen_games::parallel::Workers;
use pgn2fen_tables::parquet_file::{Int32Type, Int64Type};

impl Index {
    /// Reads the whole index and returns all errors in it; none if it is sound.
    ///
    /// Every block of every table is compared with its checksum, and every damaged block is reported. Tables without
    /// damage are also read, to check that they are sorted, that they count the same games, and that they have as many
    /// rows as the manifest says. A damaged manifest is an error of [`Index::open`].
    pub fn check(&self, workers: &Workers) -> Vec<IndexError> {
        let mut found = check_manifest(self.folder(), self.manifest());
        for (run, open) in self.manifest().runs.iter().zip(self.runs()) {
            // The number behind the last part stands for the games table.
            let check = |part| {
                let check = if part == run.parts.len() { check_games(run, open) } else { check_part(run, open, part) };
                Ok::<_, std::convert::Infallible>(check.unwrap_or_else(|error| vec![error]))
            };
            let Ok(tables) = workers.share(run.parts.len() + 1, workers.count(), check);
            found.extend(tables.into_iter().flatten());
        }
        found
    }
}

/// Checks that the numbers in the manifest add up.
fn check_manifest(folder: &Path, manifest: &Manifest) -> Vec<IndexError> {
    let mut found = Vec::new();
    let mut check = |is_so: bool, what: &str| {
        if !is_so {
            found.push(IndexError::new(
                folder,
                format!("the manifest contradicts itself: {what}; build the index again"),
            ));
        }
    };
    let mut next = manifest.runs.first().map_or(1, |run| run.first_game);
    for run in &manifest.runs {
        check(run.first_game == next, "the games of a run do not follow those of the run before");
        next = run.first_game + run.games;
        let rows: u64 = run.parts.iter().map(|[postings, _]| postings.rows).sum();
        check(rows == run.postings, "the parts of a run do not have its postings");
        check(run.game_table.rows == run.games, "the table of games of a run does not have its games");
    }
    let indexed: u64 = manifest.runs.iter().map(|run| run.games).sum();
    let named: u64 = manifest.sources.iter().map(|source| source.games).sum();
    check(indexed == named, "the files do not have the games of the runs");
    found
}

/// Checks the tables of a part.
fn check_part(run: &Run, open: &OpenRun, part: usize) -> Result<Vec<IndexError>, IndexError> {
    let damage: Vec<IndexError> = run.parts[part].iter().flat_map(|table| open.damage(table)).collect();
    if !damage.is_empty() {
        return Ok(damage);
    }
    let (postings, moves) = (open.postings(part)?, open.moves(part)?);
    let mut counted = Moves::new(moves);
    let mut postings = Postings::new(postings);
    while let Some(position) = postings.next_position(run, &buckets_of(part, run.parts.len()))? {
        // A position that only one game reached has no rows in `moves`.
        if position.games > 1 && counted.next_position()? != Some(position) {
            return Err(contradiction(moves.path(), "it does not count the games of the postings"));
        }
    }
    match counted.next_position()? {
        None => Ok(Vec::new()),
        Some(_) => Err(contradiction(moves.path(), "it has moves of positions without postings")),
    }
}

/// Checks the table of games.
fn check_games(run: &Run, open: &OpenRun) -> Result<Vec<IndexError>, IndexError> {
    let damage = open.damage(&run.game_table);
    if !damage.is_empty() {
        return Ok(damage);
    }
    let table = open.games()?;
    let mut games = table.scan::<Int64Type>(0, 0..table.rows());
    let mut next = run.first_game;
    while games.read()? {
        for game in games.values() {
            if game.map(i64::cast_unsigned) != Some(next) {
                return Err(contradiction(table.path(), "its games are not numbered one after another"));
            }
            next += 1;
        }
    }
    Ok(Vec::new())
}

fn contradiction(path: &Path, what: &str) -> IndexError {
    IndexError::new(path, format!("the table is wrong: {what}; build the index again"))
}

/// A position, by its key, and the number of games that reached it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reached {
    key: i64,
    games: u64,
}

/// Columns that are read row by row.
struct Rows<'t, const N: usize> {
    columns: [Scan<'t, Int64Type>; N],
    at: usize,
}

impl<'t, const N: usize> Rows<'t, N> {
    fn new(table: &'t TableReader, columns: [usize; N]) -> Self {
        Self { columns: columns.map(|column| table.scan(column, 0..table.rows())), at: 0 }
    }

    fn next(&mut self) -> Result<Option<[i64; N]>, IndexError> {
        if self.at == self.columns[0].values().len() {
            for column in &mut self.columns {
                if !column.read()? {
                    return Ok(None);
                }
            }
            self.at = 0;
        }
        let at = self.at;
        self.at += 1;
        Ok(Some(self.columns.each_ref().map(|column| column.values()[at].unwrap_or(0))))
    }
}

/// An iterator over the positions in a table of postings.
struct Postings<'t> {
    table: &'t TableReader,
    rows: Rows<'t, 2>,
    plies: Scan<'t, Int32Type>,
    at: usize,
    /// The first row of the next position.
    next: Option<(i64, u64, u32)>,
    is_begun: bool,
}

impl<'t> Postings<'t> {
    fn new(table: &'t TableReader) -> Self {
        let plies = table.scan(2, 0..table.rows());
        Self { table, rows: Rows::new(table, [0, 1]), plies, at: 0, next: None, is_begun: false }
    }

    fn read(&mut self) -> Result<Option<(i64, u64, u32)>, IndexError> {
        let Some([key, game]) = self.rows.next()? else {
            return Ok(None);
        };
        if self.at == self.plies.values().len() {
            self.plies.read()?;
            self.at = 0;
        }
        let ply = self.plies.values().get(self.at).copied().flatten().unwrap_or(0);
        self.at += 1;
        Ok(Some((key, game.cast_unsigned(), ply.cast_unsigned())))
    }

    /// Returns the next position. Its postings must be sorted and belong to this run and these buckets.
    fn next_position(&mut self, run: &Run, buckets: &Range<usize>) -> Result<Option<Reached>, IndexError> {
        if !self.is_begun {
            self.is_begun = true;
            self.next = self.read()?;
        }
        let Some(mut last) = self.next.take() else {
            return Ok(None);
        };
        let mut reached = Reached { key: last.0, games: 1 };
        let is_ours = |(key, game, _): (i64, u64, u32)| {
            buckets.contains(&bucket_of(key)) && (run.first_game..run.first_game + run.games).contains(&game)
        };
        if !is_ours(last) {
            return Err(contradiction(self.table.path(), "it has postings that do not belong to it"));
        }
        while let Some(row) = self.read()? {
            if row <= last || !is_ours(row) {
                return Err(contradiction(self.table.path(), "its postings are not in order"));
            }
            if row.0 != reached.key {
                self.next = Some(row);
                break;
            }
            reached.games += u64::from(row.1 != last.1);
            last = row;
        }
        Ok(Some(reached))
    }
}

/// An iterator over the positions in a table of moves.
struct Moves<'t> {
    /// The key, the games that played a move, and those of them that are counted with another move, too.
    rows: Rows<'t, 6>,
    next: Option<Reached>,
    is_begun: bool,
}

impl<'t> Moves<'t> {
    fn new(table: &'t TableReader) -> Self {
        Self { rows: Rows::new(table, [0, 2, 11, 12, 13, 14]), next: None, is_begun: false }
    }

    fn read(&mut self) -> Result<Option<Reached>, IndexError> {
        let row = self.rows.next()?;
        Ok(row.map(|[key, games, again @ ..]| {
            let again = again.into_iter().map(i64::cast_unsigned).fold(0, u64::saturating_add);
            Reached { key, games: games.cast_unsigned().saturating_sub(again) }
        }))
    }

    /// Returns the next position.
    fn next_position(&mut self) -> Result<Option<Reached>, IndexError> {
        if !self.is_begun {
            self.is_begun = true;
            self.next = self.read()?;
        }
        let Some(mut reached) = self.next.take() else {
            return Ok(None);
        };
        while let Some(row) = self.read()? {
            if row.key != reached.key {
                self.next = Some(row);
                break;
            }
            reached.games += row.games;
        }
        Ok(Some(reached))
    }
}
