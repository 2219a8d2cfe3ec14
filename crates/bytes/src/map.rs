//! Memory-mapped files. This is the only module of the crate with unsafe code.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// The bytes of a database.
#[derive(Debug)]
#[doc(hidden)]
pub enum Bytes {
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

/// A binary file that is memory-mapped for random access. It must not be truncated while it is open.
#[doc(hidden)]
#[derive(Debug)]
pub struct Mapped(Bytes);

impl Mapped {
    /// Maps a file.
    ///
    /// # Errors
    ///
    /// The file cannot be opened or mapped.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::of(&File::open(path)?)
    }

    /// Maps an open file.
    ///
    /// # Errors
    ///
    /// The file cannot be mapped.
    pub fn of(file: &File) -> io::Result<Self> {
        // An empty file cannot be mapped.
        map_file(file, Access::Random).map(Self)
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The order in which a mapped file will be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Access {
    Sequential,
    Random,
}

/// Maps a file and advises the system of the access order.
#[expect(
    unsafe_code,
    reason = "`memmap2` maps files only by unsafe functions; the comment at the call has the contract"
)]
#[doc(hidden)]
pub fn map_file(file: &File, access: Access) -> io::Result<Bytes> {
    if file.metadata()?.len() == 0 {
        return Ok(Bytes::Owned(Vec::new()));
    }
    // SAFETY: the map is read-only, and no code relies on its bytes to stay the same: if another process changes the
    // file while it is read, the positions are wrong, as they would be with `read`. If another process truncates the
    // file, an access ends this process with SIGBUS and does not corrupt its memory. The docs of `Database::open` and
    // of the option `--no-mmap` warn of this.
    let map = unsafe { Mmap::map(file)? };
    #[cfg(unix)]
    {
        // The advice only affects speed, so an error is ignored.
        let _ = map.advise(match access {
            Access::Sequential => memmap2::Advice::Sequential,
            Access::Random => memmap2::Advice::Random,
        });
    }
    // Other systems take no advice about a map.
    #[cfg(not(unix))]
    let _ = access;
    Ok(Bytes::Mapped(map))
}
