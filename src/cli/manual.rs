//! Completion scripts for shells, and the manual page.

use std::io::{self, Write};

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::command::Arguments;
use crate::cli::outcome::Outcome;

/// Runs `pgn2fen completions SHELL`.
pub(crate) fn completions(shell: Shell) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "pgn2fen", &mut script);
    print(&script)
}

/// Runs `pgn2fen man [COMMAND]`.
pub(crate) fn man(command: Option<&str>) -> Result<Outcome> {
    let mut described = Arguments::command().disable_help_subcommand(true);
    described.build();
    if let Some(name) = command {
        let visible = described.get_subcommands().find(|command| command.get_name() == name && !command.is_hide_set());
        described = visible.cloned().with_context(|| format!("unknown command {name}"))?;
    }
    let mut page = Vec::new();
    Man::new(described).render(&mut page)?;
    print(&page)
}

/// Prints bytes on standard output. A closed pipe is not an error.
fn print(bytes: &[u8]) -> Result<Outcome> {
    match io::stdout().write_all(bytes) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::Clean),
        result => result.map(|()| Outcome::Clean).context("cannot write to standard output"),
    }
}
