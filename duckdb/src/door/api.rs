//! The functions of DuckDB's C API that are used.
//!
//! DuckDB passes a table of pointers to an extension. The first 404 of them are stable since version 1.2.0, and stand
//! at the same places in every later version (`duckdb_extension.h`). Only these are read, because the table of an
//! older DuckDB is shorter.

use std::ffi::{c_char, c_void};
use std::mem::transmute;
use std::sync::OnceLock;

/// A pointer to an object of DuckDB.
pub(super) type Handle = *mut c_void;

/// A function that destroys what DuckDB keeps for the extension.
pub(super) type Destroy = unsafe extern "C" fn(*mut c_void);

/// A function of a table function that DuckDB calls with its own information.
pub(super) type Callback = unsafe extern "C" fn(Handle);

/// The function that DuckDB calls for each chunk of a table: its information and the chunk.
pub(super) type NextChunk = unsafe extern "C" fn(Handle, Handle);

/// The function that DuckDB calls for a scalar function: its information, the chunk of arguments, and the results.
pub(super) type Compute = unsafe extern "C" fn(Handle, Handle, Handle);

/// The function that DuckDB calls for the name of a table that does not exist: its information, the name, and data.
pub(super) type Replace = unsafe extern "C" fn(Handle, *const c_char, *mut c_void);

/// The version of the C API that the extension needs.
pub(super) const VERSION: &std::ffi::CStr = c"v1.2.0";

/// Defines the functions, each with its place in the table.
macro_rules! api {
    ($($place:literal $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions.
        pub(super) struct Api {
            $(pub(super) $name: unsafe extern "C" fn($($argument: $kind),*) $(-> $result)?,)*
        }

        impl Api {
            /// Reads the functions from the table. Returns `None` if one of them is missing.
            ///
            /// # Safety
            ///
            /// The table must be one of DuckDB 1.2.0 or later.
            unsafe fn read(table: *const *const c_void) -> Option<Self> {
                Some(Self {
                    $($name: {
                        // SAFETY: each place is less than 404, the length of the shortest table.
                        let function = unsafe { table.add($place).read() };
                        if function.is_null() {
                            return None;
                        }
                        // SAFETY: the function at this place has this signature.
                        unsafe { transmute::<*const c_void, unsafe extern "C" fn($($kind),*) $(-> $result)?>(function) }
                    },)*
                })
            }
        }

        #[cfg(test)]
        const PLACES: &[(usize, &str)] = &[$(($place, concat!("duckdb_", stringify!($name))),)*];
    };
}

api! {
    3 connect(database: Handle, connection: *mut Handle) -> u32;
    6 disconnect(connection: *mut Handle);
    25 free(memory: *mut c_void);
    26 vector_size() -> u64;
    92 destroy_value(value: *mut Handle);
    94 create_varchar_length(text: *const c_char, length: u64) -> Handle;
    136 get_value_type(value: Handle) -> Handle;
    142 get_varchar(value: Handle) -> *mut c_char;
    149 is_null_value(value: Handle) -> bool;
    151 get_list_size(value: Handle) -> u64;
    152 get_list_child(value: Handle, index: u64) -> Handle;
    156 create_logical_type(id: u32) -> Handle;
    159 create_list_type(element: Handle) -> Handle;
    161 create_map_type(key: Handle, value: Handle) -> Handle;
    166 get_type_id(logical_type: Handle) -> u32;
    184 destroy_logical_type(logical_type: *mut Handle);
    189 data_chunk_get_column_count(chunk: Handle) -> u64;
    190 data_chunk_get_vector(chunk: Handle, column: u64) -> Handle;
    191 data_chunk_get_size(chunk: Handle) -> u64;
    192 data_chunk_set_size(chunk: Handle, rows: u64);
    194 vector_get_data(vector: Handle) -> *mut c_void;
    195 vector_get_validity(vector: Handle) -> *mut u64;
    196 vector_ensure_validity_writable(vector: Handle);
    198 vector_assign_string_element_len(vector: Handle, row: u64, text: *const c_char, length: u64);
    199 list_vector_get_child(vector: Handle) -> Handle;
    201 list_vector_set_size(vector: Handle, elements: u64) -> u32;
    202 list_vector_reserve(vector: Handle, elements: u64) -> u32;
    203 struct_vector_get_child(vector: Handle, field: u64) -> Handle;
    209 create_scalar_function() -> Handle;
    210 destroy_scalar_function(function: *mut Handle);
    211 scalar_function_set_name(function: Handle, name: *const c_char);
    212 scalar_function_set_varargs(function: Handle, logical_type: Handle);
    213 scalar_function_set_special_handling(function: Handle);
    215 scalar_function_add_parameter(function: Handle, logical_type: Handle);
    216 scalar_function_set_return_type(function: Handle, logical_type: Handle);
    217 scalar_function_set_extra_info(function: Handle, info: *mut c_void, destroy: Option<Destroy>);
    218 scalar_function_set_function(function: Handle, compute: Compute);
    219 register_scalar_function(connection: Handle, function: Handle) -> u32;
    220 scalar_function_get_extra_info(info: Handle) -> *mut c_void;
    221 scalar_function_set_error(info: Handle, error: *const c_char);
    242 create_table_function() -> Handle;
    243 destroy_table_function(function: *mut Handle);
    244 table_function_set_name(function: Handle, name: *const c_char);
    245 table_function_add_parameter(function: Handle, logical_type: Handle);
    246 table_function_add_named_parameter(function: Handle, name: *const c_char, logical_type: Handle);
    247 table_function_set_extra_info(function: Handle, info: *mut c_void, destroy: Option<Destroy>);
    248 table_function_set_bind(function: Handle, bind: Callback);
    249 table_function_set_init(function: Handle, init: Callback);
    250 table_function_set_local_init(function: Handle, init: Callback);
    251 table_function_set_function(function: Handle, next: NextChunk);
    252 table_function_supports_projection_pushdown(function: Handle, pushdown: bool);
    253 register_table_function(connection: Handle, function: Handle) -> u32;
    254 bind_get_extra_info(info: Handle) -> *mut c_void;
    255 bind_add_result_column(info: Handle, name: *const c_char, logical_type: Handle);
    257 bind_get_parameter(info: Handle, index: u64) -> Handle;
    258 bind_get_named_parameter(info: Handle, name: *const c_char) -> Handle;
    259 bind_set_bind_data(info: Handle, data: *mut c_void, destroy: Option<Destroy>);
    260 bind_set_cardinality(info: Handle, rows: u64, is_exact: bool);
    261 bind_set_error(info: Handle, error: *const c_char);
    263 init_get_bind_data(info: Handle) -> *mut c_void;
    264 init_set_init_data(info: Handle, data: *mut c_void, destroy: Option<Destroy>);
    265 init_get_column_count(info: Handle) -> u64;
    266 init_get_column_index(info: Handle, column: u64) -> u64;
    267 init_set_max_threads(info: Handle, threads: u64);
    268 init_set_error(info: Handle, error: *const c_char);
    271 function_get_init_data(info: Handle) -> *mut c_void;
    272 function_get_local_init_data(info: Handle) -> *mut c_void;
    273 function_set_error(info: Handle, error: *const c_char);
    274 add_replacement_scan(database: Handle, replace: Replace, data: *mut c_void, destroy: Option<Destroy>);
    275 replacement_scan_set_function_name(info: Handle, name: *const c_char);
    276 replacement_scan_add_parameter(info: Handle, value: Handle);
}

static API: OnceLock<Api> = OnceLock::new();

/// Reads the functions, when the extension is loaded. Returns `None` if one of them is missing.
///
/// # Safety
///
/// The table must be one of DuckDB 1.2.0 or later.
pub(super) unsafe fn load(table: *const c_void) -> Option<&'static Api> {
    // SAFETY: the caller promises it.
    let api = unsafe { Api::read(table.cast()) }?;
    Some(API.get_or_init(|| api))
}

/// Returns the functions. DuckDB calls the extension only after it has loaded it.
pub(super) fn api() -> &'static Api {
    API.get().expect("the extension has been loaded")
}

#[cfg(test)]
mod tests {
    use super::PLACES;

    /// Returns the names in the table of `duckdb_extension.h`, up to the first that is newer than 1.2.0.
    fn stable() -> Vec<&'static str> {
        include_str!("stable.txt").lines().filter(|line| !line.starts_with('#')).collect()
    }

    #[test]
    fn functions_stand_where_the_header_has_them() {
        let stable = stable();
        assert_eq!(stable.len(), 404);
        for (place, name) in PLACES {
            assert_eq!(stable[*place], *name);
        }
    }
}
