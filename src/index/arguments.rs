//! The options of `pgn2fen index`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Arg, Args, Command, ValueEnum};

use crate::examples::examples;
use crate::index::given::Given;
use crate::options::choice::{GameArguments, StartArguments};
use crate::options::reading::{InputArguments, MoveArguments};
use crate::options::running::RunningArguments;
use pgn2fen_games::selection::Plies;
use pgn2fen_index::{KeptTags, parse_memory};
use pgn2fen_rows::Format;

/// Build an index of all positions, add games to it, or maintain it.
///
/// `pgn2fen find` finds positions in the index. The index is a folder of Parquet files, which DuckDB, Polars, pandas
/// and Spark can read, too. It appears, and replaces an older index, when it is complete; an interrupted run leaves the
/// older index unchanged.
#[derive(Debug, Args)]
#[command(after_long_help = examples(EXAMPLES))]
pub(crate) struct IndexArguments {
    // The first field, because each of the others takes its options from the command line.
    #[command(flatten)]
    given: Given,
    /// The folder of the index. With --info, --check, --relocate, --remove and --compact, the first FILE can name it
    /// instead
    #[arg(short, long, value_name = "DIR", required_unless_present_any = ["upkeep", "compact"])]
    pub(super) output: Option<PathBuf>,
    /// Read the whole index and report damage, without writing anything. The exit status is 0 if the index is sound,
    /// otherwise 2
    #[arg(long, group = "upkeep", conflicts_with_all = ["append", "compact"])]
    pub(super) check: bool,
    /// Add games to an index, which is begun if there is none. Files that it already contains are skipped
    #[arg(long)]
    pub(super) append: bool,
    /// Merge what was added at different times, which makes `find` faster. No files are needed for this
    #[arg(long)]
    pub(super) compact: bool,
    /// Show the size of the index, how it was built, and whether its files are there and unchanged
    #[arg(long, group = "upkeep", conflicts_with_all = ["append", "compact"])]
    pub(super) info: bool,
    /// Find files that were renamed or moved, among FILEs and the PGN files in folders, by their size and a hash of all
    /// bytes. The exit status is 1 if some are still missing
    #[arg(long, group = "upkeep", conflicts_with_all = ["append", "compact"])]
    pub(super) relocate: bool,
    /// Remove the games of FILEs. The result is the index of the other files; later games get lower numbers
    #[arg(long, group = "upkeep", conflicts_with_all = ["append", "compact"])]
    pub(super) remove: bool,
    /// With --info: print only the table of files, in this format
    #[arg(short, long, value_enum, value_name = "FORMAT", requires = "info")]
    pub(super) format: Option<TableFormat>,
    /// The memory for sorting, such as 256M or 2G. What does not fit goes to a temporary file in the folder of the
    /// index
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(super) memory: usize,
    /// Only these plies, such as ..40 for the openings
    ///
    /// Ply 0 is the starting position, and ply k the position after k moves of either side. Negative numbers count from
    /// the end of the main line.
    #[arg(short, long = "ply", value_name = "PLIES", allow_hyphen_values = true, default_value = "..")]
    #[arg(hide_default_value = true)]
    pub(super) plies: Plies,
    /// Keep further tags of each game, such as WhiteFideId,BlackFideId,Annotator
    ///
    /// `find -t` and `serve` filter on the tags that an index keeps, and its table of games has columns for them. Every
    /// index keeps Event, Site, Date, Round, White, Black, WhiteElo, BlackElo, ECO, Result, TimeControl and Variant. An
    /// index keeps the same tags of all games: games that are added have those with which it was built.
    #[arg(long = "tags", value_name = "TAGS")]
    pub(super) kept_tags: Option<KeptTags>,
    #[command(flatten)]
    pub(super) games: GameArguments,
    #[command(flatten)]
    pub(super) start: StartArguments,
    #[command(flatten)]
    pub(super) input: InputArguments,
    #[command(flatten)]
    pub(super) moves: MoveArguments,
    #[command(flatten)]
    pub(super) running: RunningArguments,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen index -o games.idx games.pgn                build an index
  pgn2fen index -o games.idx -p ..40 -r games         index the openings of all games in a folder
  pgn2fen index -o games.idx --tags Annotator games.pgn    keep a further tag
  pgn2fen index -o games.idx --append new.pgn         add a file
  pgn2fen index --compact games.idx                   merge what was added
  pgn2fen index --info games.idx                      show what is in the index
  pgn2fen index --check games.idx                     verify the whole index
  pgn2fen index --relocate games.idx archive          find moved files in the folder archive
  pgn2fen index --remove games.idx old.pgn            remove the games of a file
  pgn2fen find games.idx '1. e4 c5'                   find the games that reached a position

Exit status: 0 if everything was read, 1 if some games had errors (0 with --exit-zero) or files are still missing \
(--relocate), 2 for wrong
usage, for damage (--check), or if a file could not be read or written.";

/// The formats of the table of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TableFormat {
    Tsv,
    Csv,
    Jsonl,
}

impl TableFormat {
    pub(super) fn format(self) -> Format {
        match self {
            Self::Tsv => Format::Tsv,
            Self::Csv => Format::Csv,
            Self::Jsonl => Format::Jsonl,
        }
    }
}

/// The options that every run of the command has: the index, the files, the work to do, and how it is reported.
const OF_ALL: [&str; 15] = [
    "output",
    "files",
    "check",
    "append",
    "compact",
    "info",
    "relocate",
    "remove",
    "threads",
    "progress",
    "color",
    "max_messages",
    "quiet",
    "verbose",
    "exit_zero",
];

impl IndexArguments {
    /// Refuses options that have no effect because no games are read.
    pub(super) fn refuse_without_effect(&self) -> Result<()> {
        let (work, others): (_, &[&str]) = match (self.info, self.relocate, self.remove) {
            _ if self.check => ("--check, which reads the index only", &[]),
            (true, ..) => ("--info, which describes the index", &["format"]),
            (_, true, _) => ("--relocate, which searches for files", &["recursive"]),
            (.., true) => ("--remove, which removes all games of the files", &["recursive", "memory"]),
            _ if self.compact && !self.append => ("--compact, which merges what is in the index", &["memory"]),
            _ => return Ok(()),
        };
        let options = Self::augment_args(Command::new("index"));
        let has_effect = |option: &Arg| [&OF_ALL[..], others].concat().contains(&option.get_id().as_str());
        let refused =
            options.get_arguments().find(|option| self.given.contains(option.get_id()) && !has_effect(option));
        match refused.and_then(Arg::get_long) {
            Some(option) => bail!("--{option} has no effect with {work}"),
            None => Ok(()),
        }
    }

    /// Returns the folder of the index, and the files. Without `-o`, the folder is the first of the files.
    pub(super) fn folder_and_files(&self) -> Result<(&Path, &[PathBuf])> {
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
