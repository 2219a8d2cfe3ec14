//! The options that change games while they are copied.

use crate::options::listed::{Group, Listed};
use pgn2fen_rows::options::JobOptions;

/// The options that change games.
pub(crate) type EditArguments = Listed<Edits>;

#[derive(Debug)]
pub(crate) struct Edits;

impl Group for Edits {
    type Job = JobOptions;
    const HEADING: &'static str = "Changes";
    const NAMES: &'static [&'static str] = &["set_tags", "remove_tags", "add_opening", "rename", "repair"];
}
