//! The command: parses the command line, runs the job that it asks for, and returns the exit status.

mod board;
mod book;
mod check;
mod color;
mod command;
mod examples;
pub(crate) mod fault;
mod find;
mod games;
mod index;
mod input;
mod manual;
mod near;
mod options;
mod outcome;
mod output;
mod positions;
mod progress;
mod quick_start;
mod report;
mod say;
mod serve;
mod signals;
mod starts;
mod stdout;
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

/// Runs a command line and returns its exit status. The first argument is the name of the program.
///
/// A run has effects on the whole process: it sets the panic hook and handles signals.
pub fn run(arguments: &[OsString]) -> u8 {
    fault::guard(|| run_command(arguments)) as u8
}

fn run_command(typed: &[OsString]) -> Outcome {
    signals::survive();
    color::choose(typed.iter().cloned());
    let arguments = match Arguments::try_parse_from(typed) {
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
    if let Some(message) = usage::misplaced_command(&arguments, typed) {
        return fail(&message);
    }
    ended(match arguments.command {
        Some(Command::Games(arguments)) => games::games(&arguments),
        Some(Command::Starts(arguments)) => starts::starts(&arguments),
        Some(Command::Check(check)) => check::check(&check),
        Some(Command::Index(arguments)) => index::index(&arguments),
        Some(Command::Find(arguments)) => find::find(&arguments),
        Some(Command::Serve(arguments)) => serve::serve(&arguments),
        Some(Command::Board(arguments)) => board::board(&arguments),
        Some(Command::Book(arguments)) => book::book(&arguments),
        Some(Command::Completions { shell }) => manual::completions(shell),
        Some(Command::Man { command, output }) => manual::man(command.as_deref(), output.as_deref()),
        None => positions::positions(&arguments.positions),
    })
}

/// Returns the outcome of a command, and prints its error. A closed pipe is no error.
fn ended(outcome: Result<Outcome>) -> Outcome {
    match outcome {
        Ok(outcome) => outcome,
        Err(error) if error.is::<Closed>() => Outcome::Clean,
        Err(error) => fail(&format!("{error:#}")),
    }
}

fn fail(message: &str) -> Outcome {
    say::error(message);
    Outcome::Failed
}
