//! The options that every measurement has.

use std::path::PathBuf;

/// The program that is measured, and the files that it reads.
#[derive(clap::Args)]
pub(crate) struct Given {
    /// The pgn2fen to measure
    #[arg(long, value_name = "BINARY")]
    pub(crate) ours: PathBuf,
    /// A PGN file; repeatable
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) corpus: Vec<PathBuf>,
}
