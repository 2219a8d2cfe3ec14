//! `pgn2fen index --relocate` and `--remove`: finds files that were moved, or removes the games of files.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};

use crate::index::arguments::IndexArguments;
use crate::index::interrupt;
use crate::index::messages::failed;
use crate::input::{explain, find};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::report::{Channel, Report};
use crate::unit::Unit;
use crate::wildcards::expanded;
use pgn2fen_games::messages::{counted, shown};
use pgn2fen_games::parallel::Workers;
use pgn2fen_index::{Built, IndexedFile, Relocated, Upkeep, Whereabouts, real_path, unchanged};

/// Runs `pgn2fen index --relocate DIR FILE…`.
pub(super) fn relocate(folder: &Path, files: &[PathBuf], arguments: &IndexArguments) -> Result<Outcome> {
    ensure!(!files.is_empty(), "give the files and folders to search for the files of the index");
    let mut report = report(arguments);
    let index = Upkeep::begin(folder)?;
    let mut candidates = Vec::new();
    for (path, found) in find(files, true) {
        match found {
            Ok(()) => candidates.push(path),
            Err(error) => report.failure(&format!("{}: {}", shown(&path), explain(&path, &error, false))),
        }
    }
    let candidates: Vec<&Path> = candidates.iter().map(PathBuf::as_path).collect();
    let (relocated, unreadable) = index.relocate(&candidates).map_err(|error| failed(folder, error))?;
    for (path, error) in unreadable {
        report.failure(&format!("{}: {}", shown(&path), explain(&path, &error, false)));
    }
    let count = |is: fn(&Whereabouts) -> bool| relocated.iter().filter(|file| is(&file.whereabouts)).count() as u64;
    let found = count(|whereabouts| matches!(whereabouts, Whereabouts::Found(_)));
    let in_place = count(|whereabouts| matches!(whereabouts, Whereabouts::InPlace));
    let missing = relocated.len() as u64 - found - in_place;
    for Relocated { name, path, whereabouts } in &relocated {
        let (name, path) = (shown(name), shown(path));
        match whereabouts {
            Whereabouts::InPlace => {}
            Whereabouts::Found(place) => report.note(&format!("{name}: is now {}", shown(place))),
            Whereabouts::Missing => report.note(&format!("{name}: still missing; it was at {path}")),
            Whereabouts::Replaced => {
                report.note(&format!("{name}: still missing; {path} is a different file now"));
            }
        }
    }
    let files = counted(relocated.len() as u64, "file");
    report.sum_up(&format!("index: {files}: {in_place} in place, {found} found, {missing} missing"));
    Ok(report.outcome().max(if missing > 0 { Outcome::Errors } else { Outcome::Clean }))
}

/// Runs `pgn2fen index --remove DIR FILE…`.
pub(super) fn remove(folder: &Path, files: &[PathBuf], arguments: &IndexArguments) -> Result<Outcome> {
    ensure!(!files.is_empty(), "give the files whose games to remove");
    interrupt::handle()?;
    let workers = Workers::new(arguments.running.threads)?;
    let index = Upkeep::begin(folder)?;
    let mut unwanted = Vec::new();
    for (file, _) in expanded(files) {
        unwanted.extend(named(&index, &file, arguments.input.recursive).with_context(|| unchanged(folder))?);
    }
    let report = Mutex::new(report(arguments));
    let locked = || report.lock().unwrap_or_else(PoisonError::into_inner);
    let progress = |done, all| {
        locked().show_writing(done, all);
        interrupt::check()
    };
    let removed = index.remove(&unwanted, arguments.memory, &workers, &progress);
    if removed.is_err() {
        interrupt::end_if_interrupted();
    }
    let built = removed.map_err(|error| failed(folder, error))?;
    let Built { games, postings, all_games, all_postings, .. } = built;
    let what = |games, postings| format!("{}, {}", counted(games, "game"), counted(postings, "position"));
    let (removed, left) = (what(games, postings), what(all_games, all_postings));
    locked().sum_up(&format!("index: {removed} removed; in all {left}; {}", built.size_in_words()));
    Ok(Outcome::Clean)
}

/// Finds the files of an index that a name on the command line means, as indices into its list of files. The name is
/// the present or former path of a file. If no such file exists, it is the name that a file had when it was indexed.
/// `-` means everything that was read from standard input. A zip archive means the files in it, and with
/// `--recursive`, so does a folder.
fn named(index: &Upkeep, name: &Path, recursive: bool) -> Result<Vec<usize>> {
    let real = real_path(name);
    let is_there = name.exists();
    let found = |is: &dyn Fn(IndexedFile<'_>) -> bool| {
        let found = index.files().enumerate().filter(|(_, file)| is(*file));
        found.map(|(at, _)| at).collect::<Vec<_>>()
    };
    // A file that contains others is an archive.
    let is_whole = recursive || name.is_file();
    let is_at = |place: Option<&Path>| match (&real, place) {
        (Some(real), Some(place)) => place == real || (is_whole && place.starts_with(real)),
        _ => false,
    };
    let mut places = found(&|file| is_at(file.path()) || is_at(file.place().as_deref()));
    if places.is_empty() && !is_there {
        places = found(&|file| file.name() == name);
        let paths: Vec<String> = places.iter().filter_map(|at| index.files().nth(*at)?.path().map(shown)).collect();
        if paths.len() > 1 {
            bail!("{} is the name of several files: {}; give one of these", shown(name), paths.join(", "));
        }
    }
    ensure!(!places.is_empty(), "{}: is not in the index; --info lists its files", shown(name));
    Ok(places)
}

fn report(arguments: &IndexArguments) -> Report {
    let progress = Progress::new(&arguments.running, false, || None, Unit::Position);
    Report::new(&arguments.running, Channel::Stderr, progress, Unit::Position)
}
