//! Files behind addresses, such as `https://example.org/games.pgn` and `s3://bucket/games.pgn.zst`. This crate opens no
//! connections: a program that reads such files installs a [`Remote`] when it starts.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::database::random_access::RandomAccess;

/// What opens the files behind addresses.
pub trait Remote: Send + Sync {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// There is no such file, it must not be read, or the store cannot be reached. The error does not contain
    /// credentials.
    fn open(&self, address: &str) -> io::Result<RemoteFile>;

    /// Returns the addresses of the files whose address begins with this one and a slash, in alphabetical order.
    ///
    /// # Errors
    ///
    /// The store cannot be reached, or does not list its files.
    fn list(&self, address: &str) -> io::Result<Vec<String>>;
}

/// A file behind an address.
pub struct RemoteFile {
    /// The bytes from the first to the last. A connection that breaks is continued; if that fails, reading ends with an
    /// error and never before the last byte.
    pub reader: Box<dyn Read + Send>,
    /// The bytes at any offset. `None` if the server does not serve ranges of bytes.
    pub bytes: Option<Arc<dyn RandomAccess>>,
}

impl fmt::Debug for RemoteFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteFile").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

static REMOTE: OnceLock<Box<dyn Remote>> = OnceLock::new();

/// Installs what opens the files behind addresses, for all sources of this process. Only the first call has an effect.
pub fn install(remote: impl Remote + 'static) {
    let _ = REMOTE.set(Box::new(remote));
}

/// Returns the address, if a path is one: a scheme of letters, digits, `+`, `-` and `.`, and `://` behind it.
///
/// ```
/// use pgn2fen_games::database::remote::address;
///
/// assert_eq!(address("s3://bucket/games.pgn".as_ref()), Some("s3://bucket/games.pgn"));
/// assert_eq!(address("games/2024.pgn".as_ref()), None);
/// ```
pub fn address(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some(text)
}

/// Returns what opens the files behind addresses.
///
/// # Errors
///
/// Nothing has been installed.
pub fn installed() -> io::Result<&'static dyn Remote> {
    let unsupported =
        || io::Error::new(io::ErrorKind::Unsupported, "is an address, and this program reads local files");
    REMOTE.get().map(|remote| &**remote).ok_or_else(unsupported)
}
