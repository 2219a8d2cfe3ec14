//! Panics of the packages that decode tables, as errors.
//!
//! The packages `parquet` and `arrow-ipc` check most of what they read, but a page whose bytes contradict its header
//! can still make them panic: a length of a text beyond its page, levels that are cut short, a dictionary that is
//! missing. Such a file is damaged input, not a fault of this crate, so the panic is caught and becomes an error with
//! its place.

#[cfg(feature = "tables")]
use std::any::Any;
use std::cell::Cell;
#[cfg(feature = "tables")]
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is decoding a table. A panic is then caught and becomes an error of the file, so a panic hook
/// need not report it.
pub fn is_guarded() -> bool {
    IS_GUARDED.get()
}

/// Runs a function that decodes a part of a table. The error is the message of a panic. What the function has changed
/// is then used no more, except for what it has completed.
#[cfg(feature = "tables")]
pub(super) fn guard<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    let before = IS_GUARDED.replace(true);
    let ran = catch_unwind(AssertUnwindSafe(run));
    IS_GUARDED.set(before);
    ran.map_err(|panic| format!("its parts contradict each other ({})", message(panic.as_ref())))
}

#[cfg(feature = "tables")]
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason is given");
    text.chars().take(100).collect()
}
