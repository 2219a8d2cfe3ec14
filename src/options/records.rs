//! The options for records in random order, and in several files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::options::choice::PositionArguments;
use crate::output::folder_of;
use pgn2fen_games::messages::shown;
use pgn2fen_rows::games::{GameFileNames, Shares, Split};
use pgn2fen_rows::{Rows, ShuffleOptions};

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct RecordArguments {
    /// Write rows, or records for trainers, in a random order, which is the same in every run
    ///
    /// A record of viri is a game, and one of binpack a chain of positions. Other formats have a record for each
    /// position. The order depends on --seed and on the rows, not on threads or memory. Up to --memory, 256M by
    /// default, is used; more records go to a temporary file beside the output, as large as the output before
    /// compression and 8 bytes more for each record. html, arrow and parquet are refused.
    #[arg(long, hide_short_help = true)]
    shuffle: bool,
    /// Write parts of the games to several files, such as train=0.95,valid=0.05
    ///
    /// The name of the output has the placeholder {part}: -o '{part}.binpack'. Each game goes wholly into one part,
    /// which depends only on its starting position, its moves and --seed, as in `pgn2fen games --split`. So copies of a
    /// game are in the same part, in every run. The shares add up to 1. All files appear at the end.
    #[arg(long, value_name = "SHARES", hide_short_help = true)]
    split: Option<Split>,
    /// Write a file for each input, and list the inputs that are done in FILE; a later run leaves them out
    ///
    /// The name of the output has the placeholder {input}, the name of the input without its folder and endings: -o
    /// 'out/{input}.binpack'. An input is listed, as a line of JSON, when its output is complete. An input that has
    /// changed, or whose output is missing, is read again. A run with other options is refused.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    manifest: Option<PathBuf>,
}

impl RecordArguments {
    /// Refuses options of the positions that need one of these, or others that are missing.
    pub(crate) fn check(&self, positions: &PositionArguments) -> Result<()> {
        let is_random = positions.has_sample() || self.shuffle || self.split.is_some();
        ensure!(is_random || positions.seed.is_none(), "--seed needs --sample, --shuffle or --split");
        let uses_memory = positions.unique || self.shuffle;
        ensure!(uses_memory || positions.memory.is_none(), "--memory needs --unique or --shuffle");
        Ok(())
    }

    /// Refuses these options for an output that is not one of records, which is named.
    pub(crate) fn refuse_for(&self, output: &str) -> Result<()> {
        let options = [("--shuffle", self.shuffle), ("--split", self.split.is_some())];
        match options.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => {
                bail!("{option} does not go with {output}; use pgn2fen games {option}, and then its output")
            }
            None => Ok(()),
        }
    }

    /// Returns the list of the inputs that are done, if there is one.
    pub(crate) fn manifest(&self) -> Option<&Path> {
        self.manifest.as_deref()
    }

    /// Whether there are several parts.
    pub(crate) fn has_parts(&self) -> bool {
        self.split.is_some()
    }

    /// Returns the files of an output with this name.
    pub(crate) fn files(&self, output: &Path) -> Result<Vec<PathBuf>> {
        match (&self.split, output.to_str()) {
            (Some(Split::Shares(shares)), Some(output)) => {
                let names: GameFileNames = output.parse()?;
                Ok(names.paths_of_parts(shares)?.into_iter().map(PathBuf::from).collect())
            }
            _ => Ok(vec![output.to_owned()]),
        }
    }

    /// Whether records are written in random order.
    pub(crate) fn shuffles(&self) -> bool {
        self.shuffle
    }

    /// Sets the order of the records that are written to this output.
    pub(crate) fn ordered(&self, rows: Rows, positions: &PositionArguments, output: Option<&Path>) -> Rows {
        if !self.shuffle {
            return rows;
        }
        rows.shuffle(ShuffleOptions {
            seed: positions.seed.unwrap_or(0),
            memory: positions.memory.unwrap_or(ShuffleOptions::MEMORY),
            folder: output.and_then(folder_of).map(Path::to_owned),
        })
    }

    /// Returns the parts and the names of their files, if there are several.
    pub(crate) fn parts(
        &self,
        positions: &PositionArguments,
        output: Option<&Path>,
    ) -> Result<Option<(Shares, GameFileNames)>> {
        let Some(split) = &self.split else {
            return Ok(None);
        };
        let Split::Shares(shares) = split else {
            bail!(
                "--split takes shares of the games, such as train=0.95,valid=0.05; pgn2fen games --split divides games \
                 by their number or size"
            );
        };
        let named = output.filter(|output| *output != Path::new("-"));
        let named = named.context("--split writes several files; name them with -o, such as -o '{part}.binpack'")?;
        let names = named.to_str().with_context(|| format!("{} is not UTF-8", shown(named)))?.parse()?;
        Ok(Some((shares.clone().seed(positions.seed.unwrap_or(0)), names)))
    }
}
