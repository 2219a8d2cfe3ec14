//! Checks that an index is sound: every byte is what was written, and the tables agree with one another and with the
//! manifest.

use std::ops::Range;
use std::path::Path;

use parquet::data_type::DataType;

use crate::error::IndexError;
use crate::lookup::Index;
use crate::manifest::{Manifest, Run};
use crate::open::OpenRun;
use crate::part::buckets_of;
use crate::spill::bucket_of;
use crate::table::TableReader;
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
    let moves = open.moves(part)?;
    let mut counted = positions(move_rows(moves));
    for position in positions(posting_rows(run, open.postings(part)?, buckets_of(part, run.parts.len()))) {
        let position = position?;
        // A position that only one game reached has no rows in `moves`.
        if position.games > 1 && counted.next().transpose()? != Some(position) {
            return Err(contradiction(moves.path(), "it does not count the games of the postings"));
        }
    }
    match counted.next().transpose()? {
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
    let (mut next, mut is_numbered) = (run.first_game, true);
    table.scan::<Int64Type>(0, 0..table.rows()).for_each(|game| {
        is_numbered &= game.is_some_and(|game| game.cast_unsigned() == next);
        next += 1;
    })?;
    match is_numbered {
        true => Ok(Vec::new()),
        false => Err(contradiction(table.path(), "its games are not numbered one after another")),
    }
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

/// Adds up the rows of each position, which follow one another.
fn positions(
    rows: impl Iterator<Item = Result<Reached, IndexError>>,
) -> impl Iterator<Item = Result<Reached, IndexError>> {
    let mut rows = rows.peekable();
    std::iter::from_fn(move || {
        let mut reached = match rows.next()? {
            Ok(row) => row,
            error => return Some(error),
        };
        while let Some(row) = rows.next_if(|row| row.as_ref().is_ok_and(|row| row.key == reached.key)) {
            reached.games += row.map_or(0, |row| row.games);
        }
        Some(Ok(reached))
    })
}

/// Returns the values of some columns, row by row.
fn rows<T: DataType<T: Copy + Default>, const N: usize>(
    table: &TableReader,
    columns: [usize; N],
) -> impl Iterator<Item = Result<[T::T; N], IndexError>> {
    let mut columns = columns.map(|column| table.scan::<T>(column, 0..table.rows()));
    let mut at = 0;
    let mut next = move || {
        if at == columns[0].values().len() {
            for column in &mut columns {
                if !column.read()? {
                    return Ok(None);
                }
            }
            at = 0;
        }
        let row = columns.each_ref().map(|column| column.values()[at].unwrap_or_default());
        at += 1;
        Ok(Some(row))
    };
    std::iter::from_fn(move || next().transpose())
}

/// Returns the rows of a table of postings, each as one game if it is the first one of its game in the position. They
/// must be sorted and belong to this run and these buckets.
fn posting_rows(
    run: &Run,
    table: &TableReader,
    buckets: Range<usize>,
) -> impl Iterator<Item = Result<Reached, IndexError>> {
    let games = run.first_game..run.first_game + run.games;
    let mut last: Option<(i64, u64, u32)> = None;
    rows::<Int64Type, 2>(table, [0, 1]).zip(rows::<Int32Type, 1>(table, [2])).map(move |(row, ply)| {
        let ([key, game], [ply]) = (row?, ply?);
        let row = (key, game.cast_unsigned(), ply.cast_unsigned());
        let before = last.replace(row);
        let is_ours = buckets.contains(&bucket_of(key)) && games.contains(&row.1);
        if !is_ours || before.is_some_and(|before| before >= row) {
            let is_first = before.is_none();
            let what =
                if is_first { "it has postings that do not belong to it" } else { "its postings are not in order" };
            return Err(contradiction(table.path(), what));
        }
        let is_again = before.is_some_and(|before| (before.0, before.1) == (row.0, row.1));
        Ok(Reached { key, games: u64::from(!is_again) })
    })
}

/// Returns the rows of a table of moves, each with the games that played the move first.
fn move_rows(table: &TableReader) -> impl Iterator<Item = Result<Reached, IndexError>> {
    // The key, the games that played a move, and those of them that are counted with another move, too.
    rows::<Int64Type, 6>(table, [0, 2, 11, 12, 13, 14]).map(|row| {
        let [key, games, again @ ..] = row?;
        let again = again.into_iter().map(i64::cast_unsigned).fold(0, u64::saturating_add);
        Ok(Reached { key, games: games.cast_unsigned().saturating_sub(again) })
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{check_games, check_manifest, check_part, posting_rows};
    use crate::manifest::{Manifest, Run};
    use crate::tests::{Desk, FIRST, SECOND};

    #[test]
    fn postings_belong_to_the_games_and_the_buckets_of_their_table() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let (run, table) = (&desk.index.manifest().runs[0], desk.index.runs()[0].postings(0).unwrap());
        let all = 0..crate::spill::BUCKETS;
        let errors = |run: &Run, buckets: std::ops::Range<usize>| {
            posting_rows(run, table, buckets).filter_map(Result::err).map(|error| error.to_string()).collect::<Vec<_>>()
        };
        assert!(errors(run, all.clone()).is_empty());
        // Twelve postings, four of each game.
        assert_eq!(posting_rows(run, table, all.clone()).count(), 12);
        assert_eq!(errors(&Run { games: 2, ..run.clone() }, all.clone()).len(), 4);
        assert_eq!(errors(&Run { first_game: 2, ..run.clone() }, all.clone()).len(), 4);
        let others = errors(run, 0..0);
        assert_eq!(others.len(), 12);
        assert!(others[0].contains("it has postings that do not belong to it"), "{others:?}");
        assert!(others[1].contains("its postings are not in order"), "{others:?}");
    }

    #[test]
    fn the_postings_of_a_part_without_damage_are_checked() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let (run, open) = (&desk.index.manifest().runs[0], &desk.index.runs()[0]);
        let check = |run: &Run| (0..run.parts.len()).all(|part| check_part(run, open, part).is_ok());
        assert!(check(run));
        assert!(!check(&Run { first_game: 2, ..run.clone() }));
    }

    #[test]
    fn a_damaged_table_is_told_by_its_name() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let (run, open) = (&desk.index.manifest().runs[0], &desk.index.runs()[0]);
        for table in run.parts.iter().flatten().chain([&run.game_table]) {
            assert!(open.damage(table).is_empty());
            let path = desk.index.folder().join(&run.folder).join(&table.name);
            let mut bytes = fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs::write(&path, bytes).unwrap();
            let damage = open.damage(table);
            assert_eq!(damage.iter().map(crate::IndexError::path).collect::<Vec<_>>(), [&*path]);
        }
    }

    #[test]
    fn games_are_numbered_from_the_first_of_their_run() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let (run, open) = (&desk.index.manifest().runs[0], &desk.index.runs()[0]);
        assert!(check_games(run, open).unwrap().is_empty());
        let error = check_games(&Run { first_game: 2, ..run.clone() }, open).unwrap_err().to_string();
        assert!(error.contains("its games are not numbered one after another"), "{error}");
    }

    #[test]
    fn the_numbers_of_a_manifest_add_up() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        let found = |change: fn(&mut Manifest)| {
            let mut manifest = desk.index.manifest().clone();
            change(&mut manifest);
            let errors = check_manifest(desk.index.folder(), &manifest);
            errors.iter().map(|error| error.to_string().split(": ").nth(2).unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert!(found(|_| ()).is_empty());
        let follow = "the games of a run do not follow those of the run before; build the index again";
        let rows = "the parts of a run do not have its postings; build the index again";
        let table = "the table of games of a run does not have its games; build the index again";
        let files = "the files do not have the games of the runs; build the index again";
        assert_eq!(found(|manifest| manifest.runs[1].first_game = 5), [follow]);
        assert_eq!(found(|manifest| manifest.runs[1].postings += 1), [rows]);
        assert_eq!(found(|manifest| manifest.runs[0].game_table.rows += 1), [table]);
        assert_eq!(found(|manifest| manifest.sources[0].games += 1), [files]);
        assert_eq!(found(|manifest| manifest.runs[0].games += 1), [table, follow, files]);
    }
}
