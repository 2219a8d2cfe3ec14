//! The peers of `pgn2fen`: other walks from PGN to a FEN per ply.
//!
//! - `peers fen WHO FILE` writes the positions of a file as one of them does it;
//! - `peers compare` holds `pgn2fen`'s output against theirs, line by line: they are the oracle;
//! - `peers binpack FILE` writes the positions of a `.binpack`, as the crate sfbinpack reads them;
//! - `peers compare-binpack` holds the `.binpack` that `pgn2fen` writes against its other formats by that crate;
//! - `peers bench` times them side by side, after asserting that they write the same;
//! - `peers variants` times `pgn2fen` and shakmaty on games of variants;
//! - `peers instructions` counts the instructions of `pgn2fen` and of the reference by valgrind;
//! - `peers index` measures indexes of several sizes, and `peers vary` makes the larger databases;
//! - `peers formats` times the formats of `pgn2fen` beside lines of FEN, and peers that write the same tables.
//!
//! Nothing here is used by the library or the command, nor by their tests.

mod bench;
mod child;
mod compare;
mod compare_binpack;
mod contender;
mod cozy_walk;
mod formats;
mod given;
mod index;
mod instructions;
mod our_tokens;
mod plain;
mod row_walk;
mod sf_binpack;
mod shakmaty_walk;
mod start;
mod style;
mod variant_walk;
mod variants;
mod vary;
mod viri_walk;
mod walk;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand, ValueEnum};

use crate::cozy_walk::Cozy;
use crate::row_walk::{Csv, Jsonl};
use crate::shakmaty_walk::{HandWritten, Idiomatic, PlayOnly};
use crate::style::{CastlingStyle, EpStyle, FenStyle};
use crate::variant_walk::Variants;

/// Bytes gathered before a write: few enough to be still in the cache.
const OUTPUT_BUFFER: usize = 1 << 18;

#[derive(Parser)]
#[command(about = "Walk PGN files as other libraries do, and compare pgn2fen with them", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a FEN for every position of every game, as a peer does
    Fen(FenArgs),
    /// Compare the FENs of pgn2fen with a peer's, byte for byte
    Compare(compare::Args),
    /// Write the positions of a .binpack in the format plain, as the crate sfbinpack reads them
    Binpack(sf_binpack::Args),
    /// Compare the .binpack that pgn2fen writes with its other formats, by the crate sfbinpack
    CompareBinpack(compare_binpack::Args),
    /// Time pgn2fen and its peers side by side
    Bench(bench::Args),
    /// Time pgn2fen and shakmaty on games of variants
    Variants(variants::Args),
    /// Build indexes of several sizes, the smallest first, ask them, and merge runs
    Index(index::Args),
    /// Write a larger database: games with other moves, several times
    Vary(vary::Args),
    /// Count instructions for each position by valgrind
    Instructions(instructions::Args),
    /// Time the formats of pgn2fen and their peers beside lines of FEN
    Formats(formats::Args),
}

#[derive(clap::Args)]
struct FenArgs {
    /// Whose way
    who: Who,
    /// When to name the e.p. square
    #[arg(long, value_name = "WHEN", default_value = "always")]
    ep: EpStyle,
    /// How to write castling rights
    #[arg(long, value_name = "STYLE", default_value = "xfen")]
    castling: CastlingStyle,
    /// Write an empty line after each game
    #[arg(long)]
    separate: bool,
    /// The PGN file
    file: PathBuf,
}

/// The ways to walk a file.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Who {
    /// shakmaty and pgn-reader, as their documentation has it
    Shakmaty,
    /// The same with a FEN writer written by hand
    ShakmatyFast,
    /// shakmaty's variants and pgn-reader: games by the rules that their tag Variant names
    ShakmatyVariants,
    /// cozy-chess, playing pgn-reader's moves
    Cozy,
    /// shakmaty and pgn-reader, no FEN: prints the numbers of games and of plies played
    Play,
    /// pgn-reader alone: prints the numbers of games and of move tokens
    Tokens,
    /// pgn2fen's reader of tags and movetext alone: prints the same
    OurTokens,
    /// shakmaty, pgn-reader, serde and the crate csv: writes game, ply, san and fen as csv
    Csv,
    /// shakmaty, pgn-reader, serde and serde_json: writes the same as JSON lines
    Jsonl,
    /// shakmaty, pgn-reader and the crate viriformat: writes the games with `[%eval …]` in viriformat
    Viri,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Fen(args) => fen(&args).map(|()| ExitCode::SUCCESS),
        Command::Compare(args) => compare::run(&args),
        Command::Binpack(args) => output().and_then(|mut out| {
            sf_binpack::run(&args, &mut out)?;
            out.flush()?;
            Ok(ExitCode::SUCCESS)
        }),
        Command::CompareBinpack(args) => compare_binpack::run(&args),
        Command::Bench(args) => bench::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Variants(args) => variants::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Index(args) => index::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Vary(args) => output().and_then(|mut out| {
            vary::run(&args, &mut out)?;
            out.flush()?;
            Ok(ExitCode::SUCCESS)
        }),
        Command::Instructions(args) => instructions::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Formats(args) => formats::run(&args).map(|()| ExitCode::SUCCESS),
    };
    match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn fen(args: &FenArgs) -> Result<()> {
    let style = FenStyle { ep: args.ep, castling: args.castling };
    let file = &args.file;
    match args.who {
        Who::Shakmaty => write_fens(Idiomatic::new(style), args),
        Who::ShakmatyFast => write_fens(HandWritten::new(style), args),
        Who::ShakmatyVariants if style.castling != CastlingStyle::Xfen => {
            bail!("shakmaty writes the castling rights of variants as X-FEN only")
        }
        Who::ShakmatyVariants => write_fens(Variants::new(style.ep), args),
        Who::Cozy if style.ep != EpStyle::Always => {
            bail!("cozy-chess names the e.p. square after every double push: use --ep always")
        }
        Who::Cozy => write_fens(Cozy::new(style.castling), args),
        Who::Play => {
            let mut peer = PlayOnly::default();
            let games = walk::every_game(open(file)?, &mut peer, &mut io::sink(), false)?;
            writeln!(io::stdout(), "{games}\t{}", peer.plies)?;
            Ok(())
        }
        Who::Tokens => {
            let (games, moves) = walk::count_tokens(open(file)?)?;
            writeln!(io::stdout(), "{games}\t{moves}")?;
            Ok(())
        }
        Who::OurTokens => {
            let (games, moves) = our_tokens::count(file)?;
            writeln!(io::stdout(), "{games}\t{moves}")?;
            Ok(())
        }
        Who::Csv => row_walk::write(open(file)?, &mut Csv::new(output()?)).map_err(Into::into),
        Who::Jsonl => {
            let mut rows = Jsonl(output()?);
            row_walk::write(open(file)?, &mut rows)?;
            rows.0.flush()?;
            Ok(())
        }
        Who::Viri => {
            let mut out = output()?;
            viri_walk::write(open(file)?, &mut out)?;
            out.flush()?;
            Ok(())
        }
    }
}

fn write_fens(mut peer: impl walk::Peer, args: &FenArgs) -> Result<()> {
    let mut out = output()?;
    walk::every_game(open(&args.file)?, &mut peer, &mut out, args.separate)?;
    out.flush()?;
    Ok(())
}

fn output() -> Result<BufWriter<File>> {
    // Not `io::stdout()`, which would look for line ends in every buffer it is given.
    let stdout = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    Ok(BufWriter::with_capacity(OUTPUT_BUFFER, stdout))
}

fn open(path: &Path) -> Result<File> {
    File::open(path).with_context(|| format!("cannot open {}", path.display()))
}
