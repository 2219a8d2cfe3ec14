//! `pgn2fen index -o`: builds an index, adds to it, or merges its runs.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail, ensure};

use crate::index::arguments::IndexArguments;
use crate::index::interrupt;
use crate::index::messages::failed;
use crate::input;
use crate::options::read_options;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::report::{Channel, Report};
use crate::unit::Unit;
use crate::walk;
use pgn2fen_files::{self as files, Found};
use pgn2fen_games::messages::Restrictions;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::LeftOut;
use pgn2fen_games::walk::{Job, OnError, ReadOptions};
use pgn2fen_index::{BuildOptions, Builder, Built, Handling, Index, after_failed_merge, unchanged};

/// Builds an index, adds to it, or merges its runs.
pub(super) fn write(folder: &Path, files: &[PathBuf], arguments: &IndexArguments) -> Result<Outcome> {
    ensure!(arguments.input.range.is_none(), "--range does not work with an index, which contains whole files");
    ensure!(folder != Path::new("-"), "an index is a folder, which standard output cannot be; name the folder by -o");
    let has_files = !files.is_empty();
    ensure!(
        !has_files || arguments.append || !arguments.compact,
        "--compact takes one index and no files: pgn2fen index --compact DIR; --append adds files to an index"
    );
    ensure!(!has_files || arguments.output.is_some(), "name the index to which the files are added by -o");
    ensure!(has_files || arguments.compact, "give the files to index; - is standard input");
    ensure!(has_files || !arguments.append, "give the files to append");
    interrupt::handle()?;
    let workers = Workers::new(arguments.running.threads)?;
    if !has_files {
        // Fails if there is no index to compact.
        Index::open(folder)?;
    }
    let append = arguments.append || !has_files;
    let (memory, plies) = (arguments.memory, arguments.plies);
    let options = BuildOptions { memory, plies, append, tags: arguments.kept_tags.clone(), ..BuildOptions::default() };
    let builder = Builder::new(folder, options, &workers)?;
    let found = if has_files { input::files(&arguments.input)? } else { Vec::new() };
    let IndexArguments { input, moves, games, start, running, .. } = arguments;
    let read = read_options((games, start), moves, input, running, OnError::Keep);
    let NewFiles { new, known, chosen_otherwise, refused } = new_files(&builder, found, &read, folder);

    let progress = Progress::new(&arguments.running, false, || files::size(&new, None), Unit::Position);
    let mut report = Report::new(&arguments.running, Channel::Stderr, progress, Unit::Position);
    for message in known {
        report.note(&message);
    }
    for message in chosen_otherwise {
        report.hint(&message);
    }
    for message in &refused {
        report.failure(message);
    }
    ensure!(refused.is_empty(), unchanged(folder));
    let built = build(arguments, (folder, builder), &workers, (new, read), &mut report);
    if built.is_err() {
        interrupt::end_if_interrupted();
    }
    let built = built?;
    let restrictions = Restrictions { games: arguments.start.filter(&arguments.games).chosen(), positions: Vec::new() };
    report.end_writing(LeftOut::default(), &restrictions);
    if built.all_games == 0 && !report.chose_nothing() {
        report.hint("the index has no games");
    }
    report.sum_up(&format!("index: {}", built.in_words()));
    Ok(report.end())
}

/// Reads the files and writes their games to the index.
fn build(
    arguments: &IndexArguments,
    (folder, builder): (&Path, Builder),
    workers: &Workers,
    (files, read): (Vec<Found>, ReadOptions),
    report: &mut Report,
) -> Result<Built> {
    let mut indexing = builder.begin(read);
    report.end_if(interrupt::is_interrupted);
    let why_unfinished = interrupt::reading(|| walk::read(workers, &mut indexing, (files, &arguments.input), report));
    if let Some(why) = why_unfinished {
        bail!("{} because {why}", unchanged(folder));
    }
    report.end_reading(&indexing.totals());
    let report = Mutex::new(report);
    let progress = |done, all| {
        report.lock().unwrap_or_else(PoisonError::into_inner).show_writing(done, all);
        interrupt::check()
    };
    let finished = indexing.finish(workers, &progress).map_err(|error| failed(folder, error))?;
    finished.merge(arguments.compact, workers, &progress).map_err(|error| {
        let words = after_failed_merge(folder, &error);
        anyhow::Error::new(error).context(words)
    })
}

/// The given files, by what is known of them.
#[derive(Default)]
struct NewFiles {
    /// Files that are not in the index, each once.
    new: Vec<Found>,
    /// Messages about files whose games are in the index already, or are read earlier in this run.
    known: Vec<String>,
    /// Messages about files of which the index has the games of another choice.
    chosen_otherwise: Vec<String>,
    /// Messages about files that changed after they were indexed.
    refused: Vec<String>,
}

/// Sorts the given files by what the index knows of them.
fn new_files(builder: &Builder, found: Vec<Found>, read: &ReadOptions, folder: &Path) -> NewFiles {
    let mut files = NewFiles::default();
    let paths: Vec<&Path> = found.iter().map(|(path, _)| path.as_path()).collect();
    let known = builder.known(&paths);
    for ((path, state), known) in found.into_iter().zip(known) {
        let reason = known.explain(&path, folder).unwrap_or_default();
        match known.handling() {
            _ if state.is_err() => files.new.push((path, state)),
            Handling::Read => files.new.push((path, state)),
            Handling::Skip if known.is_of_other_choice(read) => {
                let advice = "for other games, remove it with --remove, then append it";
                files.chosen_otherwise.push(format!("{reason}; {advice}"));
            }
            Handling::Skip => files.known.push(reason),
            Handling::Refuse => files.refused.push(reason),
        }
    }
    files
}
