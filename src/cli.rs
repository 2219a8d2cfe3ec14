//! What was typed → a job. Sees only the library's public face.

mod args;
mod input;
mod output;
mod report;
mod walk;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::cli::args::{Arguments, Command};
use crate::cli::report::Outcome;

/// Reads the command line, does what it says, and tells how it went.
pub(crate) fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help that was asked for goes to stdout, a complaint to stderr; either may be closed.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(Outcome::Failed) } else { ExitCode::SUCCESS };
        }
    };
    if std::env::args_os().len() == 1 && io::stdin().is_terminal() {
        let _ = writeln!(io::stderr(), "{}", Arguments::command().render_help());
        return ExitCode::from(Outcome::Failed);
    }
    let outcome = match arguments.command {
        Some(Command::Check(check)) => walk::check(&check),
        None => walk::positions(&arguments.positions),
    };
    match outcome {
        Ok(outcome) => ExitCode::from(outcome),
        Err(error) => {
            let _ = writeln!(io::stderr(), "pgn2fen: {error:#}");
            ExitCode::from(Outcome::Failed)
        }
    }
}
