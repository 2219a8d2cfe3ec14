//! The command line: arguments and their help.

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use pgn2fen::pgn::encoding::Label;
use pgn2fen::replay::{ReplayOptions, SetupPolicy};
use pgn2fen::san::{Letters, languages};
use pgn2fen::walk::OnError;

use crate::cli::choice::{GameArguments, PositionArguments, StartArguments};
use crate::cli::find::FindArguments;
use crate::cli::index::IndexArguments;
use crate::cli::shape::{OutputArguments, StyleArguments};
use crate::cli::starts::StartsArguments;

/// Print a FEN for every position of every game in PGN files.
///
/// Prints the starting position of each game and the position after each move of its main line: one FEN on each line, games in the
/// order of the files. A game with a FEN tag, Chess960 included, starts from the position of that tag. The en passant square is
/// written after every double push of a pawn, as in the PGN standard; --ep legal writes it only if a capture is legal.
#[derive(Debug, Parser)]
#[command(name = "pgn2fen", version, max_term_width = 100, args_conflicts_with_subcommands = true, after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) positions: PositionsArguments,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen games.pgn > positions.fen           write every position of every game
  pgn2fen games.pgn.zst -o all.fen            read a compressed file; all.fen appears when it is complete
  pgn2fen -r games                            read every PGN file in the folder games and its subfolders
  pgn2fen --ep legal --fields 4 games.pgn     leave out the move counters and useless e.p. squares
  pgn2fen -C White,Black,ply,fen -f csv games.pgn       write a table as CSV
  pgn2fen -C game,fen,eval,clk -o e.parquet games.pgn   write evaluations and clocks from the comments
  pgn2fen -t 'WhiteElo>=2200' -p 16 -u games.pgn        each position after 16 plies, once
  pgn2fen --lang de partien.pgn               read moves such as Sf3, Lb5, Dd8
  pgn2fen starts games.pgn                    list starting positions other than the initial position
  pgn2fen index -o games.idx games.pgn        build an index of all positions
  pgn2fen find games.idx '1. e4 c5'           find the games that reached a position
  pgn2fen check games.pgn                     report errors and warnings only

Exit status: 0 if everything was read (warnings are allowed), 1 if some games had errors (0 with --exit-zero), 2 for wrong usage
or if a file could not be read or written.";

const CHECK_EXAMPLES: &str = "\
Examples:
  pgn2fen check games.pgn                  report what is wrong with a file
  pgn2fen check -v games.pgn               report each warning
  pgn2fen check --variations games.pgn     check the moves of variations, too
  pgn2fen check -r games > messages.txt    check a folder

Exit status: 0 if no game has an error, 1 if some games have errors (0 with --exit-zero), 2 for wrong usage or if a file could not
be read.";

/// The commands. The help of a command comes from the documentation of its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Starts(StartsArguments),
    Check(CheckArguments),
    Index(IndexArguments),
    Find(FindArguments),
    /// Print a completion script for a shell
    #[command(hide = true)]
    Completions {
        shell: Shell,
    },
    /// Print the manual page of pgn2fen or of a command
    #[command(hide = true)]
    Man {
        command: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PositionsArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) moves: MoveArguments,
    #[command(flatten)]
    pub(crate) games: GameArguments,
    #[command(flatten)]
    pub(crate) start: StartArguments,
    /// What to do with a game that has an error
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = OnErrorArgument::Keep, help_heading = "Games")]
    on_error: OnErrorArgument,
    #[command(flatten)]
    pub(crate) positions: PositionArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) style: StyleArguments,
    #[command(flatten)]
    pub(crate) running: RunningArguments,
}

impl PositionsArguments {
    pub(crate) fn on_error(&self) -> OnError {
        match self.on_error {
            OnErrorArgument::Keep => OnError::Keep,
            OnErrorArgument::Drop => OnError::Drop,
            OnErrorArgument::Stop => OnError::Stop,
        }
    }
}

/// Report errors and warnings, and print a summary.
///
/// Reads and replays all games and prints each message on standard output, with file, line and column.
#[derive(Debug, Args)]
#[command(after_long_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) moves: MoveArguments,
    #[command(flatten)]
    pub(crate) games: GameArguments,
    #[command(flatten)]
    pub(crate) start: StartArguments,
    /// Check the moves of variations, too
    #[arg(long, help_heading = "Positions")]
    pub(crate) variations: bool,
    #[command(flatten)]
    pub(crate) running: RunningArguments,
}

#[derive(Debug, Args)]
pub(crate) struct InputArguments {
    /// PGN files, plain or compressed (.zst, .gz, .bz2). Standard input if there are none, or for `-`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Read the PGN files in folders and their subfolders
    #[arg(short, long, help_heading = "Input")]
    pub(crate) recursive: bool,
    /// Read only the games that begin in these bytes of one uncompressed file
    ///
    /// The range begins with byte A and ends before byte B. A or B may be left out. Ranges that cover a file without gaps give together
    /// the same output as the whole file.
    #[arg(long, value_name = "A..B", value_parser = byte_range, conflicts_with_all = ["recursive", "no_mmap"])]
    #[arg(help_heading = "Input")]
    pub(crate) range: Option<ByteRange>,
    /// The encoding of text that is not UTF-8, such as latin1, windows-1251, utf-16 or gbk
    ///
    /// latin1, windows-1251 and other encodings with one byte for each character apply only to text that is not UTF-8. utf-16, gbk, big5
    /// and similar encodings apply to the whole file; UTF-16 is recognised without this option.
    #[arg(long, value_name = "auto|LABEL", default_value = "auto", value_parser = encoding, help_heading = "Input")]
    pub(crate) encoding: Encoding,
    /// When to use the FEN tag
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = SetupArgument::Auto, help_heading = "Input")]
    setup: SetupArgument,
    /// Read files instead of mapping them into memory
    ///
    /// Use this for files that another program may truncate during the run.
    #[arg(long, help_heading = "Input")]
    pub(crate) no_mmap: bool,
}

impl InputArguments {
    pub(crate) fn setup(&self) -> SetupPolicy {
        match self.setup {
            SetupArgument::Auto => SetupPolicy::Auto,
            SetupArgument::Strict => SetupPolicy::Strict,
            SetupArgument::Ignore => SetupPolicy::Ignore,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct MoveArguments {
    /// The language of the piece letters in moves, such as de, fr, es, ru
    ///
    /// One of cs da de en es et fi fr hu is it nl no pl pt ro ru sv. Figurines are always read.
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = letters, help_heading = "Input")]
    lang: Letters,
}

impl MoveArguments {
    pub(crate) fn replay(&self, input: &InputArguments, running: &RunningArguments) -> ReplayOptions {
        ReplayOptions {
            setup: input.setup(),
            letters: self.lang,
            encoding: input.encoding.0,
            first_warnings_only: !running.verbose,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunningArguments {
    /// The number of threads; 0 for one for each core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, help_heading = "Running")]
    pub(crate) threads: usize,
    /// When to show a progress bar on standard error
    ///
    /// auto shows it on a terminal, unless the output goes to the same terminal. Without a terminal, always prints a line every five
    /// seconds.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Running")]
    pub(crate) progress: When,
    /// When to colour messages; auto does so on a terminal unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Running")]
    // It is looked up before the command line is read.
    color: When,
    /// Print at most N messages, then only count them
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Running")]
    pub(crate) max_messages: u64,
    /// Print no messages about games
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Running")]
    pub(crate) quiet: bool,
    /// Print every warning, and a summary
    #[arg(short, long, help_heading = "Running")]
    pub(crate) verbose: bool,
    /// Exit with status 0 even if games have errors
    ///
    /// Wrong usage and files that cannot be read or written still give status 2.
    #[arg(long, help_heading = "Running")]
    pub(crate) exit_zero: bool,
}

/// When to do something that is useful only on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SetupArgument {
    /// Use the FEN tag, whatever the SetUp tag says
    Auto,
    /// Use the FEN tag only with [SetUp "1"]
    Strict,
    /// Start every game from the initial position
    Ignore,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OnErrorArgument {
    /// Print the positions before the error
    Keep,
    /// Print nothing of the game
    Drop,
    /// Print the positions before the error and stop
    Stop,
}

/// The encoding of text that is not UTF-8; None to guess it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoding(pub(crate) Option<Label>);

fn encoding(name: &str) -> Result<Encoding, String> {
    if name.eq_ignore_ascii_case("auto") {
        return Ok(Encoding(None));
    }
    let label = Label::find(name).ok_or("unknown encoding; try utf-8, latin1, windows-1251, koi8-r, cp866 or gbk")?;
    Ok(Encoding(Some(label)))
}

/// A range of bytes in a file. The end is not part of the range.
#[derive(Clone, Debug)]
pub(crate) struct ByteRange(pub(crate) Range<u64>);

fn byte_range(text: &str) -> Result<ByteRange, String> {
    let number = |text: &str, default| if text.is_empty() { Some(default) } else { text.parse().ok() };
    let range = text.split_once("..").and_then(|(start, end)| Some(number(start, 0)?..number(end, u64::MAX)?));
    match range {
        Some(range) if range.start <= range.end => Ok(ByteRange(range)),
        Some(_) => Err("the end of the range is before its start".to_owned()),
        None => Err("not a range of bytes; write 0..1000000, 1000000.. or ..1000000".to_owned()),
    }
}

pub(crate) fn letters(language: &str) -> Result<Letters, String> {
    Letters::of(language).ok_or_else(|| {
        let known: Vec<&str> = languages().map(Letters::code).collect();
        format!("unknown language; choose one of {}", known.join(", "))
    })
}
