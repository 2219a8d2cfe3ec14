//! The command: parses the command line, runs the job that it asks for, and returns the exit status. Uses only the public items of the
//! library.

mod check;
mod color;
mod command;
mod compress;
mod counts;
mod endings;
pub(crate) mod fault;
mod find;
mod foreign;
mod hints;
mod index;
mod input;
mod manual;
mod options;
mod outcome;
mod output;
mod positions;
mod progress;
mod report;
mod say;
mod shell;
mod signals;
mod starts;
mod usage;
mod walk;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::cli::command::{Arguments, Command};
use crate::cli::outcome::Outcome;

/// Runs the command line of the process and returns its exit status.
pub(crate) fn run() -> ExitCode {
    signals::survive_file_size_limit();
    let typed: Vec<OsString> = std::env::args_os().collect();
    color::choose(typed.iter().cloned());
    let arguments = match Arguments::try_parse_from(&typed) {
        Ok(arguments) => arguments,
        Err(error) if !error.use_stderr() => {
            // `--help` or `--version`. Write errors are ignored, because standard output may be closed.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            let _ = usage::complaint(error, &typed).print();
            return ExitCode::from(Outcome::Failed);
        }
    };
    if typed.len() == 1 && io::stdin().is_terminal() {
        let _ = writeln!(color::stderr(), "{}", Arguments::command().render_help().ansi());
        return ExitCode::from(Outcome::Failed);
    }
    if let Some(message) = usage::misplaced_command(&arguments, &typed) {
        return fail(&message);
    }
    let outcome = match arguments.command {
        Some(Command::Starts(arguments)) => starts::starts(&arguments),
        Some(Command::Check(check)) => check::check(&check),
        Some(Command::Index(arguments)) => index::index(&arguments),
        Some(Command::Find(arguments)) => find::find(&arguments),
        Some(Command::Completions { shell }) => manual::completions(shell),
        Some(Command::Man { command }) => manual::man(command.as_deref()),
        None => positions::positions(&arguments.positions),
    };
    match outcome {
        Ok(outcome) => ExitCode::from(outcome),
        Err(error) => fail(&format!("{error:#}")),
    }
}

fn fail(message: &str) -> ExitCode {
    say::error(message);
    ExitCode::from(Outcome::Failed)
}
