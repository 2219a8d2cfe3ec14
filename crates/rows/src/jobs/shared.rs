//! What a job writes to, which is given back at the end.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A writer or a sink that a job uses and its caller gets back. The job need not know its type, so all jobs are
/// compiled once, in this crate.
#[doc(hidden)]
pub struct Shared<T: ?Sized>(Arc<Mutex<T>>);

/// A writer of any type.
#[doc(hidden)]
pub type SharedWriter<'w> = Shared<dyn Write + Send + 'w>;

impl<T> Shared<T> {
    pub fn new(shared: T) -> Self {
        Self(Arc::new(Mutex::new(shared)))
    }

    /// Returns what was shared.
    ///
    /// # Panics
    ///
    /// It is still shared with a job.
    pub fn into_inner(self) -> T {
        Arc::into_inner(self.0).expect("the job has ended").into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'w, W: Write + Send + 'w> Shared<W> {
    /// Returns the same writer, for a job.
    pub fn writer(&self) -> SharedWriter<'w> {
        Shared(Arc::clone(&self.0) as Arc<Mutex<dyn Write + Send + 'w>>)
    }
}

impl<T: ?Sized> Shared<T> {
    /// Locks it. Only the job uses it while the job runs, so nothing waits.
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: ?Sized> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl Write for SharedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.lock().write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.lock().flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufWriter, Write};

    use super::Shared;

    #[test]
    fn what_is_flushed_reaches_the_writer() {
        let shared = Shared::new(BufWriter::new(Vec::new()));
        let mut writer = shared.writer();
        writer.write_all(b"e4").unwrap();
        assert!(shared.lock().get_ref().is_empty());
        writer.flush().unwrap();
        assert_eq!(shared.lock().get_ref(), b"e4");
    }
}
