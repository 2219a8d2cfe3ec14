//! Mapped files: the only place of the crate with unsafe code.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// The bytes of a database.
#[derive(Debug)]
pub(super) enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// A file that is nothing but bytes, mapped to be read here and there. It must not be cut short while it is open.
#[derive(Debug)]
pub(crate) struct Mapped(Bytes);

impl Mapped {
    /// Maps a file.
    ///
    /// # Errors
    ///
    /// The file cannot be opened or mapped.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Self::of(&File::open(path)?)
    }

    /// Maps a file that is open.
    ///
    /// # Errors
    ///
    /// The file cannot be mapped.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        // Nothing cannot be mapped.
        let is_empty = file.metadata()?.len() == 0;
        Ok(Self(if is_empty { Bytes::Owned(Vec::new()) } else { Bytes::Mapped(map_file(file, Access::HereAndThere)?) }))
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The order in which a map will be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Onward,
    HereAndThere,
}

#[expect(unsafe_code, reason = "a map can only be made so; the contract stands at the call")]
pub(super) fn map_file(file: &File, access: Access) -> io::Result<Mmap> {
    // SAFETY: the map is read only, and nobody but this process's own bytes is trusted to it: text that changes while it
    // is read gives wrong positions, as it would through `read`. What is left is a file that is cut short by others while
    // it is mapped; then the system ends the process (SIGBUS), with no memory of ours harmed. `Database::open` and the
    // option `--no-mmap` tell users so.
    let map = unsafe { Mmap::map(file)? };
    #[cfg(unix)]
    {
        // A hint, whose refusal changes nothing.
        let _ = map.advise(match access {
            Access::Onward => memmap2::Advice::Sequential,
            Access::HereAndThere => memmap2::Advice::Random,
        });
    }
    Ok(map)
}
