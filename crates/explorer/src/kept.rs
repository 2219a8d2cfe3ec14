//! A value that is made when it is first needed.

use std::sync::{Arc, Mutex, PoisonError};

/// A value that is made when it is first needed, by one thread; the others wait for it.
#[derive(Debug)]
pub(super) struct Kept<T>(Mutex<Option<Arc<T>>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Kept<T> {
    /// Returns the value. If it cannot be made now, or `make` returns None, the next call tries again.
    pub(super) fn get<E>(&self, make: impl FnOnce() -> Result<Option<T>, E>) -> Result<Option<Arc<T>>, E> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_none() {
            *kept = make()?.map(Arc::new);
        }
        Ok(kept.clone())
    }
}
