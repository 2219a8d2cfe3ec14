//! What is noted of a table when it is written, and checked when it is opened.

/// A table that has been written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::index) struct Written {
    /// Its name in the folder of its run.
    pub(in crate::index) name: String,
    pub(in crate::index) bytes: u64,
    pub(in crate::index) rows: u64,
    /// The checksum of the file with the checksums of its blocks.
    pub(in crate::index) checksum: u64,
}
