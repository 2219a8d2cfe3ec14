//! The facts about a table that are recorded when it is written, and verified when it is opened.

/// A table that has been written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// The name of the file in the folder of its run.
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) rows: u64,
    /// The checksum of the file that has the checksums of its blocks.
    pub(crate) checksum: u64,
}
