//! The options that choose threads, messages and progress.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct RunningArguments {
    /// The number of threads; 0 for one for each core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, help_heading = "Running")]
    pub(crate) threads: usize,
    /// When to show a progress bar on standard error
    ///
    /// auto shows it on a terminal, unless the output goes to the same terminal. Without a terminal, always prints a
    /// line every five seconds.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Running")]
    #[arg(hide_short_help = true)]
    pub(crate) progress: When,
    /// When to colour messages; auto does so on a terminal unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Running")]
    #[arg(hide_short_help = true)]
    // `color::choose` reads this option before the command line is parsed.
    color: When,
    /// Print at most N messages, then only count them
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Running", hide_short_help = true)]
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
    #[arg(long, help_heading = "Running", hide_short_help = true)]
    pub(crate) exit_zero: bool,
}

impl Default for RunningArguments {
    fn default() -> Self {
        Self {
            threads: 0,
            progress: When::Auto,
            color: When::Auto,
            max_messages: 100,
            quiet: false,
            verbose: false,
            exit_zero: false,
        }
    }
}

/// When to do something that is useful only on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}
