//! A block: a JSON object with entries, compressed with gzip. It names the build and its own number, so that a block of
//! another build is never taken for it.

use std::fmt::Write;

use crate::publish::compressed::compressed;

/// The kind of the blocks of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    Positions,
    Games,
}

impl BlockKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Games => "games",
        }
    }
}

/// Makes the bytes of a block. `entries` are members of an object, separated by commas.
pub(super) fn block(site: &str, kind: BlockKind, number: u64, entries: &str) -> Vec<u8> {
    let mut text = String::with_capacity(entries.len() + 80);
    let _ = writeln!(text, "{{\"site\":\"{site}\",\"block\":\"{}\",\"number\":{number},\"entries\":{{", kind.name());
    text.push_str(entries);
    text.push_str("\n}}\n");
    compressed(&text)
}

/// Appends an entry to the entries of a block.
pub(super) fn add_entry(entries: &mut String, entry: &str) {
    if !entries.is_empty() {
        entries.push_str(",\n");
    }
    entries.push_str(entry);
}
