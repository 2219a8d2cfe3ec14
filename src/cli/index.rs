//! `pgn2fen index`: builds an index, adds to it, compacts it, tells what is in it, and looks after its files.

mod info;
mod upkeep;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use pgn2fen::index::{BuildOptions, Builder, Built, DEFAULT_MEMORY, Index, Known, LEAST_MEMORY};
use pgn2fen::parallel::Workers;
use pgn2fen::rows::LeftOut;
use pgn2fen::selection::Plies;
use pgn2fen::walk::{Job, OnError};

use crate::cli::args::{InputArguments, MoveArguments, RunningArguments};
use crate::cli::choice::{GameArguments, StartArguments};
use crate::cli::hints::Restrictions;
use crate::cli::input::{self, Found};
use crate::cli::positions::read_options;
use crate::cli::progress::Progress;
use crate::cli::report::{Channel, Outcome, Report, Unit, counted};
use crate::cli::say::{self, Line, shown};
use crate::cli::walk;

/// Build an index of all positions, add games to it, or maintain it.
///
/// `pgn2fen find` finds positions in the index. The index is a folder of Parquet files, which DuckDB, Polars, pandas and Spark can read,
/// too. It appears, and replaces an older index, when it is complete; an interrupted run leaves the older index unchanged.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct IndexArguments {
    /// The folder of the index. With --info, --check, --relocate and --remove, the first FILE can name it instead
    #[arg(short, long, value_name = "DIR", required_unless_present = "upkeep")]
    output: Option<PathBuf>,
    /// Read the whole index and report damage, without writing anything. The exit status is 0 if the index is sound, otherwise 2
    #[arg(long, group = "upkeep", conflicts_with_all = ["append", "compact"])]
    check: bool,
    /// Add games to an existing index. Files that it already contains are skipped
    #[arg(long)]
    append: bool,
    /// Merge what was added at different times, which makes `find` faster. No files are needed for this
    #[arg(long)]
    compact: bool,
    /// Show the size of the index, how it was built, and whether its files are there and unchanged
    #[arg(long, group = "upkeep", conflicts_with_all = ["append", "compact"])]
    info: bool,
    /// Find files that were renamed or moved, among FILEs and the PGN files in folders, by their size and a hash of all bytes. The exit
    /// status is 1 if some are still missing
    #[arg(long, group = "upkeep", conflicts_with_all = ["append", "compact"])]
    relocate: bool,
    /// Remove the games of FILEs. The result is the index of the other files; later games get lower numbers
    #[arg(long, group = "upkeep", conflicts_with_all = ["append", "compact"])]
    remove: bool,
    /// With --info: print only the table of files, in this format
    #[arg(short, long, value_enum, value_name = "FORMAT", requires = "info")]
    format: Option<TableFormat>,
    /// The memory for sorting, such as 256M or 2G. What does not fit goes to a temporary file in the folder of the index
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory)]
    memory: usize,
    /// Only these plies, such as ..40 for the openings
    ///
    /// Ply 0 is the starting position, and ply k the position after k moves of either side. Negative numbers count from the end of the
    /// main line.
    #[arg(short, long = "ply", value_name = "PLIES", allow_hyphen_values = true, default_value = "..")]
    #[arg(hide_default_value = true)]
    plies: Plies,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    start: StartArguments,
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    moves: MoveArguments,
    #[command(flatten)]
    running: RunningArguments,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen index -o games.idx games.pgn                build an index
  pgn2fen index -o games.idx -p ..40 -r games         index the openings of all games in a folder
  pgn2fen index -o games.idx --append new.pgn         add a file
  pgn2fen index -o games.idx --compact                merge what was added
  pgn2fen index --info games.idx                      show what is in the index
  pgn2fen index --check games.idx                     verify the whole index
  pgn2fen index --relocate games.idx archive          find moved files in the folder archive
  pgn2fen index --remove games.idx old.pgn            remove the games of a file
  pgn2fen find games.idx '1. e4 c5'                   find the games that reached a position

Exit status: 0 if everything was read, 1 if some games had errors (0 with --exit-zero) or files are still missing (--relocate), 2 for wrong
usage, for damage (--check), or if a file could not be read or written.";

/// Whether the run shall end as soon as it can.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether games are read, which may mean to wait for the other end of a pipe.
static IS_READING: AtomicBool = AtomicBool::new(false);

/// A run that is interrupted while it waits for games ends after this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// The formats of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    Tsv,
    Csv,
    Jsonl,
}

impl IndexArguments {
    /// The folder of the index, and the files: without -o the first of them is the folder.
    fn folder_and_files(&self) -> Result<(&Path, &[PathBuf])> {
        let files = &self.input.files;
        match &self.output {
            Some(folder) => Ok((folder, files)),
            None => {
                let (folder, files) = files.split_first().context("give the folder of the index")?;
                Ok((folder, files))
            }
        }
    }
}

/// Runs `pgn2fen index`.
pub(crate) fn index(arguments: &IndexArguments) -> Result<Outcome> {
    let (folder, files) = arguments.folder_and_files()?;
    match (arguments.info, arguments.relocate, arguments.remove) {
        _ if arguments.check => check(folder, files, arguments),
        (true, ..) => info::info(folder, files, arguments.format),
        (_, true, _) => upkeep::relocate(folder, files, arguments),
        (.., true) => upkeep::remove(folder, files, arguments),
        _ => write(folder, arguments),
    }
}

/// Builds an index, or adds to it, or merges its runs.
fn write(folder: &Path, arguments: &IndexArguments) -> Result<Outcome> {
    ensure!(arguments.input.range.is_none(), "--range does not work with an index, which contains whole files");
    let has_files = !arguments.input.files.is_empty();
    ensure!(has_files || arguments.compact, "give the files to index; - is standard input");
    ensure!(has_files || !arguments.append, "give the files to append");
    stop_when_interrupted()?;
    let workers = Workers::new(arguments.running.threads).context("cannot start threads")?;
    if !has_files {
        // There must be one to compact.
        Index::open(folder)?;
    }
    let append = arguments.append || !has_files;
    let options = BuildOptions { memory: arguments.memory, plies: arguments.plies, append };
    let builder = Builder::new(folder, options, &workers)?;
    let found = if has_files { input::files(&arguments.input)? } else { Vec::new() };
    let NewFiles { new, known, refused } = new_files(&builder, found, folder);

    let progress = Progress::new(&arguments.running, false, input::size(&new, &arguments.input), Unit::Position);
    let mut report = Report::new(&arguments.running, Channel::Stderr, progress, Unit::Position);
    for message in known {
        report.note(&message);
    }
    for message in &refused {
        report.failure(message);
    }
    ensure!(refused.is_empty(), "{} is unchanged", shown(folder));
    let built = build(arguments, (folder, builder), &workers, new, &mut report);
    if built.is_err() && IS_INTERRUPTED.load(Ordering::Relaxed) {
        end_interrupted();
    }
    let built = built?;
    let restrictions = Restrictions { games: arguments.start.chosen(&arguments.games), positions: Vec::new() };
    report.end_writing(LeftOut::default(), &restrictions);
    report.sum_up(&summary(&built));
    Ok(report.end())
}

/// `pgn2fen index --check DIR`, or `-o DIR`
fn check(folder: &Path, files: &[PathBuf], arguments: &IndexArguments) -> Result<Outcome> {
    ensure!(files.is_empty(), "--check takes one index and no files: pgn2fen index --check DIR");
    let workers = Workers::new(arguments.running.threads).context("cannot start threads")?;
    let index = Index::open(folder)?;
    let found = index.check(&workers);
    for what in &found {
        say::error(&what.to_string());
    }
    let (games, postings) = (counted(index.game_count(), "game"), counted(index.posting_count(), "position"));
    let folder = shown(folder);
    ensure!(found.is_empty(), "{folder} is damaged in {}", counted(found.len() as u64, "place"));
    if !arguments.running.quiet {
        Line::from(format!("{folder} is sound: {games}, {postings}").as_str()).to_stdout();
    }
    Ok(Outcome::Clean)
}

/// `index: 211 games, 14,046 positions; in all 483 games, 36,768 positions; 463,428 bytes, 12.6 bytes a position`
fn summary(built: &Built) -> String {
    let Built { games, postings, runs, all_games, all_postings, .. } = *built;
    let what = |games, postings| format!("{}, {}", counted(games, "game"), counted(postings, "position"));
    let is_all = all_games == games && runs == 1;
    let all = if is_all { String::new() } else { format!("; in all {}", what(all_games, all_postings)) };
    format!("index: {}{all}; {}", what(games, postings), size(built))
}

/// `463,428 bytes, 12.6 bytes a position`
fn size(built: &Built) -> String {
    let per_posting = built.bytes as f64 / built.all_postings.max(1) as f64;
    format!("{}, {per_posting:.1} bytes a position", counted(built.bytes, "byte"))
}

/// Reads the files and writes what is in them.
fn build(
    arguments: &IndexArguments,
    (folder, builder): (&Path, Builder),
    workers: &Workers,
    files: Vec<Found>,
    report: &mut Report,
) -> Result<Built> {
    let IndexArguments { input, moves, games, start, running, .. } = arguments;
    let read = read_options((games, start), moves, input, running, OnError::Keep);
    let mut indexing = builder.begin(read, &start.in_words(games));
    report.end_if(|| IS_INTERRUPTED.load(Ordering::Relaxed));
    IS_READING.store(true, Ordering::Relaxed);
    let why_unfinished = walk::read(workers, &mut indexing, (files, input), report);
    IS_READING.store(false, Ordering::Relaxed);
    if let Some(why) = why_unfinished {
        bail!("{} is unchanged because {why}", shown(folder));
    }
    report.end_reading(&indexing.totals());
    let report = Mutex::new(report);
    let progress = |done, all| {
        report.lock().unwrap_or_else(PoisonError::into_inner).show_writing(done, all);
        unless_interrupted()
    };
    let finished = indexing.finish(workers, &progress).map_err(|error| upkeep::failed(folder, error))?;
    let folder = shown(folder);
    finished.merge(arguments.compact, workers, &progress).map_err(|error| {
        let what = if error.is_in_doubt() {
            "it is not known whether its runs were merged"
        } else {
            "its runs were not merged"
        };
        anyhow::Error::new(error).context(format!("the games are in {folder}, but {what}"))
    })
}

/// Files that were named, each once.
#[derive(Default)]
struct NewFiles {
    /// Those that are not in the index.
    new: Vec<Found>,
    /// Messages about the files whose games are in the index already, or are read in this run.
    known: Vec<String>,
    /// Messages about the indexed files that changed since.
    refused: Vec<String>,
}

fn new_files(builder: &Builder, found: Vec<Found>, folder: &Path) -> NewFiles {
    let mut files = NewFiles::default();
    let paths: Vec<&Path> = found.iter().map(|(path, _)| path.as_path()).collect();
    let known = builder.known(&paths);
    for ((path, state), known) in found.into_iter().zip(known) {
        let name = shown(&path);
        match known {
            _ if state.is_err() => files.new.push((path, state)),
            Known::New => files.new.push((path, state)),
            Known::Indexed => files.known.push(format!("{name}: is already in the index")),
            Known::Copy { of, is_there: true } => {
                files.known.push(format!("{name}: is already in the index as {}", shown(&of)));
            }
            Known::Copy { of, is_there: false } => files.known.push(format!(
                "{name}: is already in the index as {}, which no longer exists; if it was moved: pgn2fen index \
                 --relocate {} {name}",
                shown(&of),
                shown(folder),
            )),
            Known::Again(first) if first == path => files.known.push(format!("{name}: is given twice and read once")),
            Known::Again(first) => {
                files.known.push(format!("{name}: is the same file as {}, which is given before it", shown(&first)));
            }
            Known::Grown => files.refused.push(format!("{name}: has grown since it was indexed; {AGAIN}")),
            Known::Changed => files.refused.push(format!("{name}: has changed since it was indexed; {AGAIN}")),
        }
    }
    files
}

/// What can be done about a file that is not what it was.
const AGAIN: &str = "remove its old games with --remove, then append it";

fn unless_interrupted() -> ControlFlow<()> {
    if IS_INTERRUPTED.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// The first interruption lets the run clean up, the second does not wait for that. What is left behind then is removed by the next
/// run that writes to the index.
#[expect(clippy::exit, reason = "the run is interrupted, on a thread that cannot return to main")]
fn stop_when_interrupted() -> Result<()> {
    ctrlc::set_handler(|| {
        if IS_INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        // On a thread of its own, so that the next interruption is noticed.
        thread::spawn(|| {
            thread::sleep(PATIENCE);
            if IS_READING.load(Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    })?;
    Ok(())
}

#[expect(clippy::exit, reason = "an interrupted run ends with the status that shells expect")]
fn end_interrupted() -> ! {
    std::process::exit(130)
}

/// `256M`, `2G`, `1500000000`.
fn memory(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err("not a size; write 256M or 2G".to_owned()),
    };
    let number: Option<usize> = digits.parse().ok();
    let bytes = number.and_then(|number| number.checked_mul(unit)).ok_or("not a size; write 256M or 2G")?;
    let least = LEAST_MEMORY >> 20;
    if bytes >= LEAST_MEMORY {
        Ok(bytes)
    } else {
        Err(format!("too small; the minimum is {least}M and the default {}G", DEFAULT_MEMORY >> 30))
    }
}

#[cfg(test)]
mod tests {
    use super::memory;

    #[test]
    fn memory_is_a_number_with_a_unit() {
        assert_eq!(memory("256M"), Ok(256 << 20));
        assert_eq!(memory("2g"), Ok(2 << 30));
        assert_eq!(memory("100000KiB"), Ok(100_000 << 10));
        assert_eq!(memory("67108864"), Ok(64 << 20));
        for wrong in ["", "M", "1M", "256X", "-1G", "1.5G", "99999999999G"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }
}
