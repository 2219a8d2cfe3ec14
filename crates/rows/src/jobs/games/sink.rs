//! The receiver of several files of games.

use std::io::{self, Write};
use std::path::Path;

/// A receiver of files of games.
pub trait GameSink: Send {
    /// A file that is being written.
    type File: Write + Send;

    /// Creates a file. No path is given twice.
    ///
    /// # Errors
    ///
    /// The file cannot be created. The run ends.
    fn create(&mut self, path: &Path) -> io::Result<Self::File>;

    /// Takes a file that is complete.
    ///
    /// # Errors
    ///
    /// The file cannot be completed. The run ends.
    fn complete(&mut self, file: Self::File) -> io::Result<()>;
}
