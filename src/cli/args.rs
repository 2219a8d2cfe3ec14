//! The command line: what may be typed, and how it is explained.

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use pgn2fen::pgn::encoding::Label;
use pgn2fen::positions::OnError;
use pgn2fen::replay::{ReplayOptions, SetupPolicy};
use pgn2fen::san::{Letters, languages};

use crate::cli::choice::{GameArguments, PositionArguments, StartArguments};
use crate::cli::find::FindArguments;
use crate::cli::index::IndexArguments;
use crate::cli::shape::{OutputArguments, StyleArguments};
use crate::cli::starts::StartsArguments;

/// A FEN for every position of every game of PGN files.
///
/// Prints the starting position of each game and the position after each move, one FEN a line, games in file order. Games
/// that start from a position of their own (FEN tag), Chess960 among them, start from it. The en passant square is
/// given after every double push of a pawn, as the PGN standard has it; --ep legal gives it only where a capture is legal.
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
  pgn2fen games.pgn > positions.fen           every position of every game
  pgn2fen --ep legal --fields 4 games.pgn     without clocks, e.p. only where it can be captured
  pgn2fen games.pgn.zst -o all.fen            from a compressed file; all.fen appears when it is whole
  pgn2fen -r games                            every PGN file in the folder games
  pgn2fen -C White,Black,ply,fen -f csv games.pgn       a table
  pgn2fen -C game,fen,eval,clk -o e.parquet games.pgn   evaluations and clocks, read from the comments
  pgn2fen --lang de partien.pgn               moves written Sf3, Lb5, Dd8
  pgn2fen starts games.pgn                    the starting positions that are not the initial one, each once
  pgn2fen starts games.pgn -o studies.pgn     the games that start from them, byte for byte
  pgn2fen check games.pgn                     what is wrong with the file, and nothing else

Exit status: 0 all was read (warnings allowed), 1 some games had errors (0 with --exit-zero), 2 wrong usage, or a file
could not be read or written.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the starting positions that are not the initial array, or copy the games that start from them
    Starts(StartsArguments),
    /// Read everything, print only what is wrong, and a summary
    Check(CheckArguments),
    /// Build an index of positions, add games to it, or compact it
    Index(IndexArguments),
    /// Look positions up in an index: the games that reached them, and what was played there
    Find(FindArguments),
    /// Print what makes a shell complete the options
    #[command(hide = true)]
    Completions { shell: Shell },
    /// Print the manual page, or that of a command
    #[command(hide = true)]
    Man { command: Option<String> },
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
    /// What to do with a game that has an error: print the positions before it, none, or stop there
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

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) moves: MoveArguments,
    #[command(flatten)]
    pub(crate) games: GameArguments,
    #[command(flatten)]
    pub(crate) start: StartArguments,
    /// Read variations, too
    #[arg(long, help_heading = "Positions")]
    pub(crate) variations: bool,
    #[command(flatten)]
    pub(crate) running: RunningArguments,
}

#[derive(Debug, Args)]
pub(crate) struct InputArguments {
    /// PGN files, plain or compressed (.zst, .gz, .bz2); `-` or nothing for standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Read the PGN files in folders that are named, and in their folders
    #[arg(short, long, help_heading = "Input")]
    pub(crate) recursive: bool,
    /// Of one plain file the games that begin in these bytes: A is the first, B the first that is too late, either may be left out
    #[arg(long, value_name = "A..B", value_parser = byte_range, conflicts_with_all = ["recursive", "no_mmap"])]
    #[arg(help_heading = "Input")]
    pub(crate) range: Option<ByteRange>,
    /// The encoding of names and piece letters that are not UTF-8, such as latin1 or windows-1251, or of a whole file in utf-16 or gbk
    #[arg(long, value_name = "auto|LABEL", default_value = "auto", value_parser = encoding, help_heading = "Input")]
    pub(crate) encoding: Encoding,
    /// Use the FEN tag whatever SetUp says, only with [SetUp "1"], or never
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = SetupArgument::Auto, help_heading = "Input")]
    setup: SetupArgument,
    /// Read files instead of mapping them; for files that may be cut short meanwhile
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
    /// The language of the piece letters, such as de, fr, es, ru
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
    /// Threads; 0 for one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, help_heading = "Running")]
    pub(crate) threads: usize,
    /// Show how far the run has got: where there is a terminal for it, always (without a terminal as lines), or never
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Running")]
    pub(crate) progress: When,
    /// Colours in messages: on a terminal unless NO_COLOR is set, always, or never
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Running")]
    // It is looked up before the command line is read.
    color: When,
    /// Print at most N messages, then count them
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Running")]
    pub(crate) max_messages: u64,
    /// Print no messages about games
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Running")]
    pub(crate) quiet: bool,
    /// Print each warning, and a summary
    #[arg(short, long, help_heading = "Running")]
    pub(crate) verbose: bool,
    /// Exit with status 0 even if games have errors; what cannot be read or written remains a failure
    #[arg(long, help_heading = "Running")]
    pub(crate) exit_zero: bool,
}

/// Whether to do what depends on there being a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SetupArgument {
    Auto,
    Strict,
    Ignore,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OnErrorArgument {
    Keep,
    Drop,
    Stop,
}

/// The encoding of what is not UTF-8; None to guess.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoding(pub(crate) Option<Label>);

fn encoding(name: &str) -> Result<Encoding, String> {
    if name.eq_ignore_ascii_case("auto") {
        return Ok(Encoding(None));
    }
    let label = Label::find(name).ok_or("not a known encoding; try utf-8, latin1, windows-1251, koi8-r, cp866, gbk")?;
    Ok(Encoding(Some(label)))
}

/// Bytes of a file, from the first to before the last.
#[derive(Clone, Debug)]
pub(crate) struct ByteRange(pub(crate) Range<u64>);

fn byte_range(text: &str) -> Result<ByteRange, String> {
    let number = |text: &str, default| if text.is_empty() { Some(default) } else { text.parse().ok() };
    let range = text.split_once("..").and_then(|(start, end)| Some(number(start, 0)?..number(end, u64::MAX)?));
    match range {
        Some(range) if range.start <= range.end => Ok(ByteRange(range)),
        Some(_) => Err("the range ends before it begins".to_owned()),
        None => Err("not a range of bytes such as 0..1000000, 1000000.. or ..1000000".to_owned()),
    }
}

pub(crate) fn letters(language: &str) -> Result<Letters, String> {
    Letters::of(language).ok_or_else(|| {
        let known: Vec<&str> = languages().map(Letters::code).collect();
        format!("not a known language; known are {}", known.join(", "))
    })
}
