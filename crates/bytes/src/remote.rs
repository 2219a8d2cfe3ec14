//! Files behind addresses, such as `https://example.org/games.pgn` and `s3://bucket/games.pgn.zst`. This crate opens no
//! connections: a program that reads such files installs a [`Remote`] when it starts.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use crate::random_access::RandomAccess;

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

    /// Returns the number of bytes of a file, if it can be told without reading the file.
    ///
    /// # Errors
    ///
    /// There is no such file, or the store cannot be reached.
    fn size(&self, address: &str) -> io::Result<Option<u64>>;
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
/// use pgn2fen_bytes::remote::address;
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

/// The addresses that were given, by their names.
static GIVEN: LazyLock<Mutex<HashMap<String, String>>> = LazyLock::new(Mutex::default);

/// Returns the name of a file in rows and messages. It is the path, but an address loses what may be secret: the name
/// and the password of a user, and the query. In an address of a store, `?` may be part of the name of a file, so only
/// a query with a signature is left out. The file can be opened by its name in this process.
///
/// ```
/// use pgn2fen_bytes::remote::named;
///
/// let address = "https://me:secret@example.org/games.pgn?X-Amz-Signature=0123";
/// assert_eq!(named(address.as_ref()).to_str(), Some("https://example.org/games.pgn"));
/// assert_eq!(named("games.pgn".as_ref()).to_str(), Some("games.pgn"));
/// ```
pub fn named(path: &Path) -> PathBuf {
    let Some(address) = address(path) else { return path.to_owned() };
    let Some((scheme, rest)) = address.split_once("://") else { return path.to_owned() };
    let is_store = STORES.iter().any(|store| scheme.eq_ignore_ascii_case(store));
    let rest = if is_store { without_signature(without_password(rest)).to_owned() } else { without_secrets(rest) };
    let name = format!("{scheme}://{rest}");
    if name == address {
        return path.to_owned();
    }
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    // Addresses that differ only in what is left out have a number each.
    let names = (1..).map(|nth: u64| if nth == 1 { name.clone() } else { format!("{name}#{nth}") });
    for name in names {
        let known = given.entry(name.clone()).or_insert_with(|| address.to_owned());
        if known == address {
            return name.into();
        }
    }
    path.to_owned()
}

/// Returns what stands behind the scheme of an address, without what may be secret: the name and the password of a
/// user, the query and the fragment.
#[doc(hidden)]
pub fn without_secrets(rest: &str) -> String {
    let rest = without_password(rest).split(['?', '#']).next().unwrap_or_default();
    let (host, file) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    host.rsplit('@').next().unwrap_or_default().to_owned() + file
}

/// The schemes whose addresses have names of files that may contain any character, and no query.
const STORES: [&str; 12] = ["s3", "s3a", "s3n", "gs", "gcs", "az", "azure", "abfs", "abfss", "adl", "hf", "file"];

/// Returns what stands behind the scheme of an address without the name of a user that has a password. A password that
/// is not encoded may contain any character; then what stands before the first slash is no host.
fn without_password(rest: &str) -> &str {
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let Some((_, port)) = host.split_once(':').filter(|_| !host.starts_with('[')) else { return rest };
    let behind = |end: usize| &rest[end + 1..];
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    match host.rfind('@') {
        Some(end) => behind(end),
        // Resources of AWS have colons in their names.
        None if is_port || host.starts_with("arn:") => rest,
        None => rest.rfind('@').map_or(rest, behind),
    }
}

/// The options of a query that is a credential.
const SIGNATURES: [&str; 6] = ["sig=", "signature=", "token=", "secret=", "password=", "key="];

/// Returns an address of a store without a query that is a credential.
fn without_signature(rest: &str) -> &str {
    let Some((file, query)) = rest.split_once('?') else { return rest };
    let query = query.to_ascii_lowercase();
    if SIGNATURES.iter().any(|option| query.contains(option)) { file } else { rest }
}

/// Returns the address that was given for a name.
pub fn given(name: &str) -> Cow<'_, str> {
    let given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    given.get(name).map_or(Cow::Borrowed(name), |address| Cow::Owned(address.clone()))
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

/// Opens the file with a [name](named), or behind an address.
///
/// # Errors
///
/// Those of [`Remote::open`]. Nothing has been installed that opens addresses.
pub fn open(name: &str) -> io::Result<RemoteFile> {
    installed()?.open(&given(name))
}

/// Returns the number of bytes of the file with a [name](named), or behind an address, if it can be told without
/// reading the file.
///
/// # Errors
///
/// Those of [`Remote::size`]. Nothing has been installed that opens addresses.
pub fn size(name: &str) -> io::Result<Option<u64>> {
    installed()?.size(&given(name))
}

#[cfg(test)]
mod tests {
    use super::{given, named};

    #[test]
    fn names_have_no_secrets_and_lead_to_the_address_that_was_given() {
        let addresses = ["https://me:pw@a.org/x.pgn", "https://a.org/x.pgn?sig=1", "https://a.org/x.pgn?sig=2#y"];
        let names = addresses.map(|address| named(address.as_ref()).to_str().unwrap().to_owned());
        assert_eq!(names, ["https://a.org/x.pgn", "https://a.org/x.pgn#2", "https://a.org/x.pgn#3"]);
        assert_eq!(named(addresses[1].as_ref()).to_str(), Some(&*names[1]));
        for (name, address) in names.iter().zip(addresses) {
            assert_eq!(given(name), address);
        }
        let secret = [
            ("ftp://me:pw@a.org/x.pgn", "ftp://a.org/x.pgn"),
            ("sftp://a.org/x.pgn?pw", "sftp://a.org/x.pgn"),
            ("S3://me:pw@b/x?.pgn", "S3://b/x?.pgn"),
            ("s3://me:p/w@b/x.pgn", "s3://b/x.pgn"),
            ("gs://me:/pw@b/x.pgn", "gs://b/x.pgn"),
            ("https://me:p/w?@a.org/y.pgn", "https://a.org/y.pgn"),
            ("az://b/x.pgn?sv=1&SIG=pw", "az://b/x.pgn"),
            ("hf://me:pw@datasets/a/b/x.pgn", "hf://datasets/a/b/x.pgn"),
        ];
        for (address, name) in secret {
            assert_eq!(named(address.as_ref()).to_str(), Some(name));
            assert_eq!(given(name), address);
        }
        for plain in
            ["s3://b/x-?.pgn", "s3://arn:aws:s3:1/a@b.pgn", "https://[::1]:1/x@y.pgn", "https://a.org:1/x@y.pgn"]
        {
            assert_eq!(named(plain.as_ref()).to_str(), Some(plain));
        }
        for plain in ["abfss://games@account.dfs.core.windows.net/a.pgn", "https://b.org/a@b.pgn", "a?b.pgn"] {
            assert_eq!((named(plain.as_ref()).to_str(), &*given(plain)), (Some(plain), plain));
        }
    }
}
