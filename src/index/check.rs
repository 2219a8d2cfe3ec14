//! `pgn2fen index --check`: reads a whole index and reports damage.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::index::arguments::IndexArguments;
use crate::outcome::Outcome;
use crate::say::{self, Line};
use pgn2fen_games::messages::{counted, shown};
use pgn2fen_games::parallel::Workers;
use pgn2fen_index::{Index, TableAccess};

/// Runs `pgn2fen index --check DIR`. The folder may also be given with `-o`.
pub(super) fn check(folder: &Path, files: &[PathBuf], arguments: &IndexArguments) -> Result<Outcome> {
    ensure!(files.is_empty(), "--check takes one index and no files: pgn2fen index --check DIR");
    let workers = Workers::new(arguments.running.threads)?;
    let index = Index::open_with(folder, TableAccess::Read)?;
    let found = index.check(&workers);
    for what in &found {
        say::error(&what.to_string());
    }
    let (games, postings) = (counted(index.game_count(), "game"), counted(index.posting_count(), "position"));
    let folder = shown(folder);
    ensure!(found.is_empty(), "{folder} is damaged in {}", counted(found.len() as u64, "place"));
    if !arguments.running.quiet {
        Line::from(format!("{folder} is sound: {games}, {postings}").as_str()).to_stdout()?;
    }
    Ok(Outcome::Clean)
}
