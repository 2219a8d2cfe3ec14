//! Scalar functions: functions of the values of a row.

use std::ffi::c_char;
use std::slice::from_raw_parts;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, BooleanArray, Int32Array, Int64Array, StringArray};

use crate::door::api::{Handle, api};
use crate::door::types::Type;
use crate::door::{c_text, guarded, vector};

/// A scalar function. Its arguments are texts.
pub(crate) struct ScalarFunction {
    pub(crate) name: &'static str,
    /// The number of arguments.
    pub(crate) arguments: usize,
    /// Whether any number of arguments may follow.
    pub(crate) has_more: bool,
    pub(crate) returns: Type,
    /// Makes the function for the rows of a chunk. It may remember values between rows.
    pub(crate) make: fn() -> Apply,
}

/// Computes the value for a row. The value is NULL, without a call, if an argument is NULL.
pub(crate) type Apply = Box<dyn FnMut(&[&str]) -> Result<Value, String>>;

/// The value of a scalar function. It must have the type that the function returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Boolean(bool),
    Integer(i32),
    Bigint(i64),
    Text(String),
    Texts(Vec<String>),
}

/// Registers a scalar function.
///
/// # Safety
///
/// `connection` must be an open connection.
pub(super) unsafe fn register(connection: Handle, function: &'static ScalarFunction) -> Result<(), String> {
    let (text, returns) = (Type::Varchar.create(), function.returns.create());
    // SAFETY: the function is created, described and registered as `duckdb.h` says, and then destroyed. The name ends
    // with a NUL and is copied, as are types. The description lives as long as the process.
    let state = unsafe {
        let mut scalar = (api().create_scalar_function)();
        (api().scalar_function_set_name)(scalar, c_text(function.name).as_ptr());
        (0..function.arguments).for_each(|_| (api().scalar_function_add_parameter)(scalar, text.0));
        if function.has_more {
            (api().scalar_function_set_varargs)(scalar, text.0);
        }
        (api().scalar_function_set_return_type)(scalar, returns.0);
        (api().scalar_function_set_special_handling)(scalar);
        let info = std::ptr::from_ref(function).cast_mut().cast();
        (api().scalar_function_set_extra_info)(scalar, info, None);
        (api().scalar_function_set_function)(scalar, compute);
        let state = (api().register_scalar_function)(connection, scalar);
        (api().destroy_scalar_function)(&raw mut scalar);
        state
    };
    if state == 0 { Ok(()) } else { Err(format!("cannot register the function {}", function.name)) }
}

/// Computes the values of a chunk.
unsafe extern "C" fn compute(info: Handle, chunk: Handle, results: Handle) {
    let computed = guarded(|| {
        // SAFETY: the information of the function is that of `register`.
        let function = unsafe { &*(api().scalar_function_get_extra_info)(info).cast::<ScalarFunction>() };
        // SAFETY: `chunk` is what DuckDB passed.
        let (rows, count) = unsafe { ((api().data_chunk_get_size)(chunk), (api().data_chunk_get_column_count)(chunk)) };
        let rows = usize::try_from(rows).unwrap_or_default();
        // SAFETY: the chunk has so many flat vectors of texts.
        let columns: Vec<Texts> = (0..count).map(|column| unsafe { Texts::of(chunk, column) }).collect();
        let mut apply = (function.make)();
        let mut arguments = Vec::new();
        let value = |row| {
            arguments.clear();
            for column in &columns {
                // SAFETY: the vectors have so many rows, and live until this function returns.
                match unsafe { column.text(row) }? {
                    Some(text) => arguments.push(text),
                    None => return Ok(Value::Null),
                }
            }
            apply(&arguments).map_err(|error| format!("{}: {error}", function.name))
        };
        let values: Vec<Value> = (0..rows).map(value).collect::<Result<_, String>>()?;
        // SAFETY: the results have the type of the function, and room for the rows.
        unsafe { vector::fill(results, &array(function.returns, values)?, 0..rows) }
    });
    if let Err(error) = computed {
        // SAFETY: the text ends with a NUL and is copied.
        unsafe { (api().scalar_function_set_error)(info, c_text(&error).as_ptr()) };
    }
}

/// Makes an array of values of a type.
fn array(of: Type, values: Vec<Value>) -> Result<ArrayRef, String> {
    macro_rules! array {
        ($array:ty, $kind:ident) => {{
            let value = |value: Value| if let Value::$kind(value) = value { Some(value) } else { None };
            std::sync::Arc::new(values.into_iter().map(value).collect::<$array>()) as ArrayRef
        }};
    }
    Ok(match of {
        Type::Boolean => array!(BooleanArray, Boolean),
        Type::Integer => array!(Int32Array, Integer),
        Type::Bigint => array!(Int64Array, Bigint),
        Type::Varchar => array!(StringArray, Text),
        Type::Texts => {
            let mut builder = ListBuilder::new(StringBuilder::new());
            for value in values {
                let texts = if let Value::Texts(texts) = value { Some(texts) } else { None };
                builder.append_option(texts.map(|texts| texts.into_iter().map(Some)));
            }
            std::sync::Arc::new(builder.finish())
        }
        _ => return Err("no scalar function returns this type".to_owned()),
    })
}

/// A flat vector of texts.
struct Texts {
    data: *const [u8; 16],
    /// The mask of the rows that are not null, or a null pointer if none is.
    validity: *const u64,
}

impl Texts {
    /// # Safety
    ///
    /// The chunk must have this column, which is a flat vector of texts.
    unsafe fn of(chunk: Handle, column: u64) -> Self {
        // SAFETY: the caller promises it.
        unsafe {
            let vector = (api().data_chunk_get_vector)(chunk, column);
            let data = (api().vector_get_data)(vector).cast::<[u8; 16]>();
            Self { data, validity: (api().vector_get_validity)(vector) }
        }
    }

    /// Returns the text of a row, or `None` if it is null.
    ///
    /// # Safety
    ///
    /// The vector must have this row, and not change as long as the text is used.
    unsafe fn text<'t>(&self, row: usize) -> Result<Option<&'t str>, String> {
        // SAFETY: the mask has a bit for each row.
        if !self.validity.is_null() && unsafe { *self.validity.add(row / 64) } & (1 << (row % 64)) == 0 {
            return Ok(None);
        }
        // SAFETY: the row is one of the vector, and a `duckdb_string_t`: its length comes first. If it is at most 12,
        // the bytes follow; otherwise the last 8 bytes are a pointer to them.
        let bytes = unsafe {
            let text = self.data.add(row).cast::<u8>();
            let length = text.cast::<u32>().read() as usize;
            let bytes = if length <= 12 { text.add(4) } else { text.add(8).cast::<*const c_char>().read().cast() };
            from_raw_parts(bytes, length)
        };
        str::from_utf8(bytes).map(Some).map_err(|error| error.to_string())
    }
}
