//! The function that DuckDB calls when it loads the extension.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;

use crate::door::api::{Handle, VERSION, api, load};
use crate::door::{c_text, guarded, replacement, scalar, table};
use crate::{SCALAR_FUNCTIONS, TABLE_FUNCTIONS};

/// What DuckDB passes to an extension that is being loaded, `duckdb_extension_access`.
#[repr(C)]
struct Access {
    set_error: unsafe extern "C" fn(Handle, *const c_char),
    get_database: unsafe extern "C" fn(Handle) -> *mut Handle,
    get_api: unsafe extern "C" fn(Handle, *const c_char) -> *const c_void,
}

/// Registers the functions of the extension. DuckDB finds it by its name, which begins with that of the extension.
/// Returns whether it has succeeded.
///
/// # Safety
///
/// DuckDB must call it, and pass what `duckdb_extension.h` says.
// SAFETY: no other function of the library or of DuckDB has this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn pgn2fen_init_c_api(info: Handle, access: *const Access) -> bool {
    let registered = guarded(|| {
        // SAFETY: the caller promises it.
        let Access { set_error: _, get_database, get_api } = unsafe { &*access };
        // SAFETY: the version ends with a NUL.
        let functions = unsafe { get_api(info, VERSION.as_ptr()) };
        if functions.is_null() {
            // DuckDB has set an error.
            return Ok(false);
        }
        // SAFETY: the table is one of the version that was asked for, or of a later one.
        if unsafe { load(functions) }.is_none() {
            return Err(format!("this DuckDB does not have all functions of {}", shown(VERSION)));
        }
        // SAFETY: DuckDB returns the database that loads the extension.
        let database = unsafe { get_database(info) };
        if database.is_null() {
            return Ok(false);
        }
        // SAFETY: as above.
        unsafe { register(*database) }.map(|()| true)
    });
    registered.unwrap_or_else(|error| {
        // SAFETY: the caller promises that this is the function of DuckDB. The text ends with a NUL and is copied.
        unsafe { ((*access).set_error)(info, c_text(&error).as_ptr()) };
        false
    })
}

fn shown(text: &CStr) -> std::borrow::Cow<'_, str> {
    text.to_string_lossy()
}

/// Registers all functions in a database.
///
/// # Safety
///
/// `database` must be an open database.
unsafe fn register(database: Handle) -> Result<(), String> {
    let mut connection = null_mut();
    // SAFETY: the database is open.
    if unsafe { (api().connect)(database, &raw mut connection) } != 0 {
        return Err("cannot connect to the database".to_owned());
    }
    // SAFETY: the connection is open until the last function has been registered.
    let registered = unsafe {
        let tables = TABLE_FUNCTIONS.iter().try_for_each(|function| table::register(connection, function));
        tables.and_then(|()| SCALAR_FUNCTIONS.iter().try_for_each(|function| scalar::register(connection, function)))
    };
    // SAFETY: the connection is open, and nobody else has it.
    unsafe { (api().disconnect)(&raw mut connection) };
    registered?;
    // SAFETY: the database is open.
    unsafe { replacement::register(database) };
    Ok(())
}
