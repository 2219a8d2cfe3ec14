//! The door to DuckDB: everything that calls its C API or is called by it. All unsafe code of the extension is here.
//!
//! The other modules describe [table functions](TableFunction) and [scalar functions](ScalarFunction) with safe code.
//! The door registers them, passes arguments in, and copies record batches out. It catches panics in every function
//! that DuckDB calls, and makes errors of them.
//!
//! - `api`: the functions of DuckDB's C API that are used, read from the table that DuckDB passes
//! - `entry`: the function that DuckDB calls when it loads the extension
//! - `table`, `scalar`, `replacement`: the functions that DuckDB calls in queries
//! - `value`, `types`: arguments; types of columns
//! - `vector`: arrays of Arrow as vectors of DuckDB

#![expect(unsafe_code, reason = "DuckDB is called, and calls, by a C API")]

mod api;
mod entry;
mod replacement;
mod scalar;
mod table;
mod types;
mod value;
mod vector;

use std::any::Any;
use std::ffi::{CString, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(crate) use crate::door::scalar::{Apply, ScalarFunction, Value};
pub(crate) use crate::door::table::{Bound, Plan, Scan, TableFunction};
pub(crate) use crate::door::types::Type;
pub(crate) use crate::door::value::{Argument, Arguments};

/// Runs the work of a function that DuckDB calls. A panic becomes an error.
fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(fault(&*panic)))
}

/// Returns the message for a panic.
fn fault(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("pgn2fen has a fault: {}; please report it", text.unwrap_or("panic without a message"))
}

/// Returns a text for C. It ends before the first NUL.
fn c_text(text: &str) -> CString {
    CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default()
}

/// Gives a value to DuckDB, which destroys it with [`drop_owned`].
fn into_owned<T>(value: T) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// Destroys what [`into_owned`] gave to DuckDB.
unsafe extern "C" fn drop_owned<T>(owned: *mut c_void) {
    // A value whose drop panics leaks something, and nothing else can be done.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: DuckDB calls it once for each value, whose type is `T` because both calls name it.
        drop(unsafe { Box::from_raw(owned.cast::<T>()) });
    }));
}

#[cfg(test)]
mod tests {
    use super::{c_text, guarded};

    #[test]
    fn a_panic_becomes_an_error() {
        let panicked = guarded::<()>(|| panic!("at {}", "h8"));
        assert_eq!(panicked, Err("pgn2fen has a fault: at h8; please report it".to_owned()));
        assert_eq!(guarded(|| Ok(1)), Ok(1));
    }

    #[test]
    fn texts_for_c_end_before_a_nul() {
        assert_eq!(c_text("a\0b").as_bytes(), b"a");
    }
}
