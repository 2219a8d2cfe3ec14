//! A hash of all bytes of a file, which identifies the file whatever its name is.
//!
//! A hash of the ends would not be enough: collections may begin and end with the same games, and a wrong result may be
//! corrected in the middle. 128-bit XXH3 is faster than a disk, and two different files have the same hash only if
//! somebody constructs them.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use twox_hash::xxhash3_128::Hasher;

use crate::error::IndexError;
use crate::file_access::open;
use pgn2fen_games::parallel::threads::spawn;

/// The 128-bit XXH3 of all bytes of a file. As text, it has 32 hexadecimal digits.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "abc")?;
/// use pgn2fen_index::Digest;
///
/// let digest = Digest::of(&path)?;
/// assert_eq!(digest.to_string(), "06b05ab6733a618578af5f94892f3950");
/// assert_eq!("06b05ab6733a618578af5f94892f3950".parse(), Ok(digest));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest(u128);

/// The error for a text that is not a [`Digest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoDigest;

/// The number of bytes that are read at a time.
const CHUNK: usize = 256 * 1024;

impl Digest {
    /// Computes the digest of a file. Every byte of the file is read. The digest of a member of a zip archive is that
    /// of the unpacked file.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn of(path: &Path) -> io::Result<Self> {
        Self::unless(path, &AtomicBool::new(false))
    }

    /// Computes the digest of a file, unless it is stopped.
    fn unless(path: &Path, is_stopped: &AtomicBool) -> io::Result<Self> {
        Self::of_bytes(&mut *open(path)?, is_stopped)
    }

    fn of_bytes(file: &mut dyn Read, is_stopped: &AtomicBool) -> io::Result<Self> {
        let mut hasher = Hasher::new();
        let mut chunk = vec![0; CHUNK];
        while !is_stopped.load(Ordering::Relaxed) {
            match file.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => hasher.write(&chunk[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self(hasher.finish_128()))
    }
}

impl FromStr for Digest {
    type Err = NoDigest;

    fn from_str(text: &str) -> Result<Self, NoDigest> {
        let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u128::from_str_radix(text, 16).ok().filter(|_| is_hex).map(Self).ok_or(NoDigest)
    }
}

impl Display for Digest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl Display for NoDigest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a digest has 32 hexadecimal digits")
    }
}

impl Error for NoDigest {}

/// A thread that computes the digests of files while their games are read. It stops when it is dropped.
#[derive(Debug)]
pub(super) struct Digester {
    files: Option<Sender<PathBuf>>,
    thread: Option<JoinHandle<Result<Vec<Digest>, IndexError>>>,
    is_stopped: Arc<AtomicBool>,
}

impl Digester {
    /// Starts the thread.
    pub(super) fn new() -> io::Result<Self> {
        let (files, named) = channel::<PathBuf>();
        let is_stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_stopped);
        let digest = move |path: PathBuf| Digest::unless(&path, &stop).map_err(IndexError::io(&path));
        let thread = spawn(move || named.into_iter().map(digest).collect())?;
        Ok(Self { files: Some(files), thread: Some(thread), is_stopped })
    }

    /// Adds the next file.
    pub(super) fn take(&self, path: &Path) {
        // Sending fails only if the thread has failed; `finish` returns its error.
        let _ = self.files.as_ref().map(|files| files.send(path.to_owned()));
    }

    /// Returns the digests of the files, in order.
    pub(super) fn finish(mut self) -> Result<Vec<Digest>, IndexError> {
        self.files = None;
        let digests = self.thread.take().map(JoinHandle::join).unwrap_or_else(|| Ok(Ok(Vec::new())));
        digests.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for Digester {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{self, Read};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::{CHUNK, Digest, Digester, NoDigest};

    #[test]
    fn a_digest_is_that_of_all_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        for (text, digest) in [
            // As printed by `xxhsum -H2`.
            (&b""[..], "99aa06d3014798d86001c324468d497f"),
            (b"abc", "06b05ab6733a618578af5f94892f3950"),
        ] {
            fs::write(&path, text).unwrap();
            assert_eq!(Digest::of(&path).unwrap().to_string(), digest);
            assert_eq!(digest.parse(), Ok(Digest::of(&path).unwrap()));
        }
        for wrong in ["", "+6b05ab6733a618578af5f94892f3950", "06b05ab6733a618578af5f94892f39500"] {
            assert_eq!(wrong.parse::<Digest>(), Err(NoDigest));
        }
        assert_eq!(NoDigest.to_string(), "a digest has 32 hexadecimal digits");
        let mut long = vec![7; 3 * CHUNK + 5];
        fs::write(&path, &long).unwrap();
        let before = Digest::of(&path).unwrap();
        long[2 * CHUNK] ^= 1;
        fs::write(&path, &long).unwrap();
        assert_ne!(Digest::of(&path).unwrap(), before);
    }

    #[test]
    fn files_are_read_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let digester = Digester::new().unwrap();
        let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
        for path in &paths {
            fs::write(path, path.as_os_str().as_encoded_bytes()).unwrap();
            digester.take(path);
        }
        assert_eq!(digester.finish().unwrap(), paths.map(|path| Digest::of(&path).unwrap()));
        let digester = Digester::new().unwrap();
        digester.take(&folder.path().join("none"));
        assert!(digester.finish().unwrap_err().to_string().contains("none"));
    }

    #[test]
    fn no_more_is_read_when_nobody_waits_for_the_digests() {
        let digester = Digester::new().unwrap();
        let is_stopped = Arc::clone(&digester.is_stopped);
        assert!(!is_stopped.load(Ordering::Relaxed));
        drop(digester);
        assert!(is_stopped.load(Ordering::Relaxed));
    }

    /// The results of reading, one after another.
    struct Results(Vec<io::Result<Vec<u8>>>);

    impl Read for Results {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let bytes = self.0.remove(0)?;
            buffer[..bytes.len()].copy_from_slice(&bytes);
            Ok(bytes.len())
        }
    }

    #[test]
    fn a_read_that_is_interrupted_is_tried_again() {
        let read = |kind: io::ErrorKind, is_stopped| {
            let mut file = Results(vec![Ok(b"a".to_vec()), Err(kind.into()), Ok(b"bc".to_vec())]);
            Digest::of_bytes(&mut file, &AtomicBool::new(is_stopped))
        };
        let whole = read(io::ErrorKind::Interrupted, false).unwrap();
        assert_eq!(whole.to_string(), "06b05ab6733a618578af5f94892f3950");
        assert_eq!(read(io::ErrorKind::TimedOut, false).unwrap_err().kind(), io::ErrorKind::TimedOut);
        // Nothing is read.
        assert_eq!(read(io::ErrorKind::TimedOut, true).unwrap().to_string(), "99aa06d3014798d86001c324468d497f");
    }
}
