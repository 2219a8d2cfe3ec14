//! `pgn2fen index`: builds an index, adds to it, merges its runs, checks it, describes it, and maintains its list of
//! files.

mod arguments;
mod check;
mod given;
mod info;
pub(crate) mod interrupt;
mod messages;
mod upkeep;
mod write;

use anyhow::Result;

pub(crate) use crate::index::arguments::IndexArguments;
use crate::outcome::Outcome;

/// Runs `pgn2fen index`.
pub(crate) fn index(arguments: &IndexArguments) -> Result<Outcome> {
    arguments.refuse_without_effect()?;
    let (folder, files) = arguments.folder_and_files()?;
    match (arguments.info, arguments.relocate, arguments.remove) {
        _ if arguments.check => check::check(folder, files, arguments),
        (true, ..) => info::info(folder, files, arguments.format),
        (_, true, _) => upkeep::relocate(folder, files, arguments),
        (.., true) => upkeep::remove(folder, files, arguments),
        _ => write::write(folder, files, arguments),
    }
}
