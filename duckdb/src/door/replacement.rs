//! Names of files after FROM.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;

use crate::door::api::{Handle, api};
use crate::door::guarded;
use crate::door::value::Value;

/// The function that reads a file whose name stands after FROM.
const FUNCTION: &CStr = c"read_pgn";

/// The endings of the files that it reads.
const ENDINGS: [&str; 8] = [".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2", ".si4", ".si5", ".cbh", ".cbv"];

/// Registers the replacement for names of PGN files.
///
/// # Safety
///
/// `database` must be an open database.
pub(super) unsafe fn register(database: Handle) {
    // SAFETY: the function has no data.
    unsafe { (api().add_replacement_scan)(database, replace, null_mut(), None) };
}

/// Names the function that reads a file. Names of other files and tables are left to others.
unsafe extern "C" fn replace(info: Handle, name: *const c_char, _: *mut c_void) {
    // A fault leaves the name to others.
    let _ = guarded(|| {
        // SAFETY: the name ends with a NUL.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
        if is_pgn(&name) {
            let value = Value::text(&name);
            // SAFETY: the name of the function ends with a NUL. Both are copied.
            unsafe {
                (api().replacement_scan_set_function_name)(info, FUNCTION.as_ptr());
                (api().replacement_scan_add_parameter)(info, value.0);
            }
        }
        Ok(())
    });
}

/// Whether a name is that of a PGN file, or a pattern for such names.
fn is_pgn(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::is_pgn;

    #[test]
    fn names_of_pgn_files_are_replaced() {
        for name in ["games.pgn", "a/GAMES.PGN", "2024-*.pgn.zst", "a.pgn.gz", "a.pgn.bz2", "base.si4", "base.CBH"] {
            assert!(is_pgn(name), "{name}");
        }
        for name in ["games", "pgn", "games.csv", "games.pgn.parquet", "games.pgn.xz"] {
            assert!(!is_pgn(name), "{name}");
        }
    }
}
