//! Flushes folders and files to the disk.

use std::fs::File;
use std::io;
use std::path::Path;

/// Syncs the file names of a folder to the disk. A folder that cannot be opened is not synced.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder) {
        Ok(folder) if cfg!(unix) => unless_unsupported(folder.sync_all()),
        _ => Ok(()),
    }
}

/// Ignores the error of a file system that cannot sync.
pub(crate) fn unless_unsupported(synced: io::Result<()>) -> io::Result<()> {
    synced.or_else(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
        _ => Err(error),
    })
}
