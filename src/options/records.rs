//! The options for records in random order, and in several files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::options::choice::PositionArguments;
use crate::options::listed::{Group, Listed};
use pgn2fen_games::messages::shown;
use pgn2fen_rows::games::GameFileNames;
use pgn2fen_rows::options::{JobOptions, OptionError};

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct RecordArguments {
    #[command(flatten)]
    records: Listed<Records>,
    /// Write a file for each input, and list the inputs that are done in FILE; a later run leaves them out
    ///
    /// The name of the output has the placeholder {input}, the name of the input without its folder and endings: -o
    /// 'out/{input}.binpack'. An input is listed, as a line of JSON, when its output is complete. An input that has
    /// changed, or whose output is missing, is read again. A run with other options is refused.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    manifest: Option<PathBuf>,
}

#[derive(Debug)]
struct Records;

impl Group for Records {
    type Job = JobOptions;
    const HEADING: &'static str = "Output";
    const NAMES: &'static [&'static str] = &["shuffle", "split"];
}

impl RecordArguments {
    /// Refuses options of the positions that need one of these, or others that are missing.
    pub(crate) fn check(&self, positions: &PositionArguments) -> Result<()> {
        let is_random = positions.has("sample") || self.shuffles() || self.has_parts();
        ensure!(is_random || !positions.has("seed"), "--seed needs --sample, --shuffle or --split");
        let uses_memory = positions.has("unique") || self.shuffles();
        ensure!(uses_memory || !positions.has("memory"), "--memory needs --unique or --shuffle");
        Ok(())
    }

    /// Refuses these options for an output that is not one of records, which is named.
    pub(crate) fn refuse_for(&self, output: &str) -> Result<()> {
        match self.records.chosen(Records::NAMES).first() {
            Some(option) => {
                bail!("--{option} does not go with {output}; use pgn2fen games --{option}, and then its output")
            }
            None => Ok(()),
        }
    }

    /// Sets these options of a job.
    pub(crate) fn add_to(&self, job: &mut JobOptions) -> Result<(), OptionError> {
        self.records.add_to(job)
    }

    /// Returns the list of the inputs that are done, if there is one.
    pub(crate) fn manifest(&self) -> Option<&Path> {
        self.manifest.as_deref()
    }

    /// Whether there are several parts.
    pub(crate) fn has_parts(&self) -> bool {
        self.records.has("split")
    }

    /// Whether records are written in random order.
    pub(crate) fn shuffles(&self) -> bool {
        self.records.has("shuffle")
    }

    /// Returns the files of an output with this name.
    pub(crate) fn files(&self, output: &Path) -> Result<Vec<PathBuf>> {
        match (self.records.job().shares()?, output.to_str()) {
            (Some(shares), Some(output)) => {
                let names: GameFileNames = output.parse()?;
                Ok(names.paths_of_parts(&shares)?.into_iter().map(PathBuf::from).collect())
            }
            _ => Ok(vec![output.to_owned()]),
        }
    }
}

/// Returns the names of the files of parts.
pub(crate) fn names_of_parts(output: Option<&Path>) -> Result<GameFileNames> {
    let named = output.filter(|output| *output != Path::new("-"));
    let named = named.context("--split writes several files; name them with -o, such as -o '{part}.binpack'")?;
    Ok(named.to_str().with_context(|| format!("{} is not UTF-8", shown(named)))?.parse()?)
}
