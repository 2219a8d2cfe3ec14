//! The options for records in random order.

use std::path::PathBuf;

/// The options for [`Rows::shuffle`](crate::Rows::shuffle).
///
/// The order depends only on the seed and on what is written without it. It depends neither on the memory nor on the
/// number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShuffleOptions {
    /// The seed. Different seeds give different orders.
    pub seed: u64,
    /// The memory for records, about, in bytes. If they take more, they are held in a temporary file, which is as large
    /// as the output before compression, with 8 bytes more for each record. The file has no name, and the system
    /// removes it however the process ends. Without the feature `files`, all records are held in memory.
    pub memory: usize,
    /// The folder for the temporary file. `None` means that of the system.
    pub folder: Option<PathBuf>,
}

impl ShuffleOptions {
    /// The usual memory for records: 256 MiB.
    pub const MEMORY: usize = 256 << 20;
}

impl Default for ShuffleOptions {
    fn default() -> Self {
        Self { seed: 0, memory: Self::MEMORY, folder: None }
    }
}
