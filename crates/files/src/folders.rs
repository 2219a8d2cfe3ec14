//! The folders of many output files.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::abandoned::remove_abandoned;
use crate::error::OutputError;
use crate::find::{Found, on_disk};
use crate::output::{folder_of, refuse_address};
use pgn2fen_games::messages::shown;

/// The folders of output files, which are created if they are missing.
#[derive(Debug)]
pub(super) struct Folders {
    /// The input files that exist, which are not replaced.
    inputs: HashSet<PathBuf>,
    /// The folders that exist.
    known: HashSet<PathBuf>,
}

impl Folders {
    pub(super) fn new(inputs: &[Found]) -> Self {
        let inputs = inputs.iter().filter_map(|(path, _)| on_disk(path).canonicalize().ok()).collect();
        Self { inputs, known: HashSet::new() }
    }

    /// Prepares the folder of an output file. Refuses a file that is also an input file.
    pub(super) fn prepare(&mut self, path: &Path) -> Result<(), OutputError> {
        refuse_address(path)?;
        let folder = folder_of(path);
        if !self.known.contains(folder) {
            fs::create_dir_all(folder).map_err(|error| OutputError::Write { name: shown(path), error })?;
            remove_abandoned(folder);
            self.known.insert(folder.to_owned());
        }
        if path.canonicalize().is_ok_and(|path| self.inputs.contains(&path)) {
            return Err(OutputError::IsInput { name: shown(path) });
        }
        Ok(())
    }
}
