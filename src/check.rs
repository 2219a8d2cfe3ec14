//! `pgn2fen check`: its options, and the run that reports errors and warnings.

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::examples::examples;
use crate::find::print::Printer;
use crate::input;
use crate::options::choice::{GameArguments, StartArguments};
use crate::options::read_options;
use crate::options::reading::{InputArguments, MoveArguments};
use crate::options::running::RunningArguments;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::report::{Channel, Report};
use crate::unit::Unit;
use crate::walk::{self, Run};
use pgn2fen_files::Compression;
use pgn2fen_games::tournament::{Finding, TournamentCheck};
use pgn2fen_games::walk::{Check, OnError};
use pgn2fen_rows::Format;
use pgn2fen_rows::answers::{FINDING_COLUMNS, each_finding};

/// Report errors and warnings, and print a summary.
///
/// Reads and replays all games, with their variations, and prints each message on standard output, with file, line and
/// column.
#[derive(Debug, Args)]
#[command(after_long_help = examples(EXAMPLES))]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) moves: MoveArguments,
    #[command(flatten)]
    pub(crate) games: GameArguments,
    #[command(flatten)]
    pub(crate) start: StartArguments,
    /// Check only main lines: errors in variations are neither reported nor counted
    #[arg(long, help_heading = "Positions")]
    pub(crate) no_variations: bool,
    /// Check the moves of variations, too, which is the default
    #[arg(long, help_heading = "Positions", hide = true, overrides_with = "no_variations")]
    pub(crate) variations: bool,
    /// Compare the games of each tournament, and report what cannot be right or should be looked at
    ///
    /// Pairings that occur twice in a round, players without a game in a round, results that contradict mate or
    /// stalemate on the board, games without a result or without moves, values of tags that are not what their names
    /// say, such as impossible dates, and players under several names. Games are of one tournament if they have the
    /// same Event and the same year.
    #[arg(long, help_heading = "Tournaments")]
    pub(crate) tournament: bool,
    /// Print what --tournament finds as rows, and all messages on standard error
    #[arg(short, long, value_enum, value_name = "FORMAT", requires = "tournament", help_heading = "Output")]
    pub(crate) format: Option<FindingFormat>,
    #[command(flatten)]
    pub(crate) running: RunningArguments,
}

/// The formats of rows of what is found in tournaments.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FindingFormat {
    /// A row for each, separated by tabs
    Tsv,
    /// A row for each, separated by commas
    Csv,
    /// A JSON object for each
    Jsonl,
}

impl FindingFormat {
    fn rows(self) -> Format {
        match self {
            Self::Tsv => Format::Tsv,
            Self::Csv => Format::Csv,
            Self::Jsonl => Format::Jsonl,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen check games.pgn                  report what is wrong with a file
  pgn2fen check -v games.pgn               report each warning
  pgn2fen check --no-variations games.pgn  check main lines only
  pgn2fen check -r games > messages.txt    check a folder
  pgn2fen check --tournament games.pgn     compare pairings, rounds, results and names of players

Exit status: 0 if no game has an error and --tournament finds nothing, 1 otherwise (0 with --exit-zero), 2 for wrong
usage or if a file could not be read.";

/// Runs `pgn2fen check [FILE]…`.
pub(crate) fn check(arguments: &CheckArguments) -> Result<Outcome> {
    let CheckArguments { input, moves, games, start, no_variations, running, .. } = arguments;
    let read = read_options((games, start), moves, input, running, OnError::Keep);
    let run = Run {
        channel: if arguments.format.is_some() { Channel::Stderr } else { Channel::Stdout },
        unit: Unit::Position,
        ..Run::choosing(&read, input::files(input)?, input, running)
    };
    if arguments.tournament {
        let job = if *no_variations { TournamentCheck::of_main_lines(read) } else { TournamentCheck::new(read) };
        return walk::check(job, run, |job, report| tell(&job.findings(), arguments.format, report));
    }
    walk::check(if *no_variations { Check::of_main_lines(read) } else { Check::new(read) }, run, |_, _| Ok(()))
}

/// Prints what was found in tournaments.
fn tell(findings: &[Finding], format: Option<FindingFormat>, report: &mut Report) -> Result<()> {
    findings.iter().for_each(|finding| report.count_finding(finding));
    if let Some(format) = format {
        let output = Output::open(None, Compression::None)?;
        let names = FINDING_COLUMNS.map(|(name, _)| name);
        let mut printer = Printer::new(output, names.to_vec(), Some(format.rows()), false);
        each_finding(findings, |cells| printer.row(cells.into_iter()))?;
        printer.end(None)?;
    } else {
        findings.iter().for_each(|finding| report.finding(finding));
    }
    report.sum_up_findings();
    Ok(())
}
