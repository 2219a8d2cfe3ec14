//! The receiver of pictures.

use std::io;
use std::path::Path;

/// A receiver of pictures, in the order of the files and games.
pub trait PictureSink: Send {
    /// Takes a picture, which is complete, and the path of the file for it. No path is given twice.
    ///
    /// # Errors
    ///
    /// The picture cannot be stored. The run ends.
    fn put(&mut self, path: &Path, picture: &[u8]) -> io::Result<()>;
}
