//! The facts about a table that are recorded when it is written, and verified when it is opened.

/// A table that has been written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::index) struct Written {
    /// The name of the file in the folder of its run.
    pub(in crate::index) name: String,
    pub(in crate::index) bytes: u64,
    pub(in crate::index) rows: u64,
    /// The checksum of the file that has the checksums of its blocks.
    pub(in crate::index) checksum: u64,
}
