//! The command `pgn2fen`: parses the command line, runs the job that it asks for, and returns the exit status.
//!
//! ```
//! let arguments = ["pgn2fen", "check", "-q", "fixtures/games/opening_book.pgn"].map(Into::into);
//! assert_eq!(pgn2fen::run(&arguments), 0);
//! ```
//!
//! This crate is for programs that contain the whole command, such as the Python package. Programs that read games or
//! positions take one of the crates of the library, which need much less:
//!
//! | for | take |
//! |---|---|
//! | the rules: positions, moves, FEN, SAN, names of openings | `pgn2fen-chess` |
//! | games in PGN: tags, moves, comments and variations; filters; all cores | `pgn2fen-games` |
//! | rows of positions as CSV, JSON lines, Arrow or Parquet; copies of games; starting positions | `pgn2fen-rows` |
//! | pictures of positions | `pgn2fen-board` |
//! | an index of positions, opening books | `pgn2fen-index` |
//! | trees of games, repertoires | `pgn2fen-trees` |
//! | an opening explorer over HTTP | `pgn2fen-explorer` |
//!
//! [The library](https://github.com/pgn2fen/pgn2fen/blob/main/docs/library.md) shows a program for each.
//!
//! # Inside
//!
//! The command uses the public items of the crates, as other programs do.
//!
//! - `command`, `examples`: the whole command line: all commands and the help
//! - `positions`, `check`, `games`, `starts`, `players`, `index`, `find`, `serve`, `site`, `board`, `book`, `tree`: a
//!   file for each command: its options and its run
//! - `resume`: an output for each input, and a list of those that are done
//! - `options`: options that several commands share
//! - `walk`, `input`, `wildcards`, `output`: reads the files, for any job; the files on the command line; standard
//!   output, or an output file
//! - `report`, `unit`, `outcome`: messages, the summary, the exit status
//! - `say`, `color`, `stdout`, `progress`: output on a terminal, colours, standard output that cannot be written, a
//!   progress bar
//! - `usage`, `meant`, `near`, `quick_start`, `version`: explains wrong command lines; options and commands of other
//!   programs; names like one that is misspelt; the first screen; the version with the commit
//! - `fault`, `signals`: a panic becomes one line and exit status 2; signals that would end the process
//! - `manual`: completions for shells, the manual page

mod board;
mod book;
mod check;
mod color;
mod command;
mod compare;
mod examples;
pub(crate) mod fault;
mod find;
mod games;
mod index;
mod input;
mod manual;
mod meant;
mod near;
mod options;
mod outcome;
mod output;
mod players;
mod positions;
mod progress;
mod quick_start;
mod report;
mod resume;
mod say;
mod serve;
mod signals;
mod site;
mod starts;
mod stdout;
mod tree;
mod unit;
mod usage;
mod version;
mod walk;
mod wildcards;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

use anyhow::Result;
use clap::Parser;

use crate::command::{Arguments, Command};
use crate::outcome::Outcome;
use crate::stdout::{Closed, written};
use pgn2fen_games::messages::with_causes;

/// Runs a command line and returns its exit status. The first argument is the name of the program.
///
/// A run has effects on the whole process: it sets the panic hook and handles signals.
pub fn run(arguments: &[OsString]) -> u8 {
    fault::guard(|| run_command(arguments)) as u8
}

fn run_command(typed: &[OsString]) -> Outcome {
    signals::survive();
    #[cfg(feature = "remote")]
    pgn2fen_remote::install();
    color::choose(typed.iter().cloned());
    if let Some(message) = usage::wrong_hyphens(typed) {
        return fail(&message);
    }
    let mut arguments = match Arguments::try_parse_from(typed) {
        Ok(arguments) => arguments,
        Err(text) if !text.use_stderr() => {
            // `--help` or `--version`.
            let printed = text.print().and_then(|()| io::stdout().flush());
            return ended(written(printed).map(|()| Outcome::Clean));
        }
        Err(error) => {
            let _ = usage::complaint(error, typed).print();
            return Outcome::Failed;
        }
    };
    if typed.len() == 1 && io::stdin().is_terminal() {
        quick_start::print();
        return Outcome::Failed;
    }
    let mistake = usage::misplaced_command(&arguments, typed)
        .or_else(|| usage::unknown_command(&arguments))
        .or_else(|| usage::separate_value(&arguments, typed));
    if let Some(message) = mistake {
        return fail(&message);
    }
    arguments.positions.input.may_be_command = arguments.command.is_none();
    ended(match arguments.command {
        Some(Command::Games(arguments)) => games::games(&arguments),
        Some(Command::Players(arguments)) => players::players(&arguments),
        Some(Command::Starts(arguments)) => starts::starts(&arguments),
        Some(Command::Check(check)) => check::check(&check),
        Some(Command::Index(arguments)) => index::index(&arguments),
        Some(Command::Find(arguments)) => find::find(&arguments),
        Some(Command::Serve(arguments)) => serve::serve(&arguments),
        Some(Command::Site(arguments)) => site::site(&arguments),
        Some(Command::Board(arguments)) => board::board(&arguments),
        Some(Command::Book(arguments)) => book::book(&arguments),
        Some(Command::Tree(arguments)) => tree::tree(&arguments),
        Some(Command::Completions { shell }) => manual::completions(shell),
        Some(Command::Man { command, output }) => manual::man(command.as_deref(), output.as_deref()),
        None => positions::positions(&arguments.positions, typed),
    })
}

/// Returns the outcome of a command, and prints its error. A closed pipe is no error.
fn ended(outcome: Result<Outcome>) -> Outcome {
    match outcome {
        Ok(outcome) => outcome,
        Err(error) if error.is::<Closed>() => Outcome::Clean,
        Err(error) => fail(&with_causes(error.as_ref())),
    }
}

fn fail(message: &str) -> Outcome {
    say::error(message);
    Outcome::Failed
}

/// The programs of the guide, which are compiled as the examples of this item.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
pub mod guide {}
