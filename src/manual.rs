//! Completion scripts for shells, and the manual page.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::command::Arguments;
use crate::outcome::Outcome;
use crate::stdout::print;
use pgn2fen_games::messages::shown;

/// Runs `pgn2fen completions SHELL`.
pub(crate) fn completions(shell: Shell) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "pgn2fen", &mut script);
    print(&script)?;
    Ok(Outcome::Clean)
}

/// Returns a command whose manual page explains the options that the short help does not have, too.
fn with_all_help(command: Command) -> Command {
    let command = command.mut_args(|argument| match (argument.get_long_help(), argument.get_help().cloned()) {
        (None, Some(help)) => argument.long_help(help),
        _ => argument,
    });
    command.mut_subcommands(with_all_help)
}

/// Runs `pgn2fen man [COMMAND]`, or `pgn2fen man -o DIR`, which creates the folder if it does not exist.
pub(crate) fn man(command: Option<&str>, folder: Option<&Path>) -> Result<Outcome> {
    let mut described = with_all_help(Arguments::command()).disable_help_subcommand(true);
    if let Some(folder) = folder {
        ensure!(!folder.is_file(), "{} is a file; give a folder, to which the pages are written", shown(folder));
        let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(described, folder));
        written.with_context(|| format!("cannot write to {}", shown(folder)))?;
        return Ok(Outcome::Clean);
    }
    described.build();
    if let Some(name) = command {
        let named = described.get_subcommands().find(|command| command.get_name() == name);
        described = named.cloned().with_context(|| format!("unknown command {name}"))?;
    }
    let mut page = Vec::new();
    Man::new(described).render(&mut page)?;
    print(&page)?;
    Ok(Outcome::Clean)
}
