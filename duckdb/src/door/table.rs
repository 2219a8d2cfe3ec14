//! Table functions: functions after FROM.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::door::api::{Handle, api};
use crate::door::types::Type;
use crate::door::value::Arguments;
use crate::door::{c_text, drop_owned, guarded, into_owned, vector};

/// A table function.
pub(crate) struct TableFunction {
    pub(crate) name: &'static str,
    /// The number of parameters without names, which take values of any type.
    pub(crate) positional: usize,
    /// Lists of the names of the other parameters, which take values of any type and may be left out.
    pub(crate) named: &'static [&'static [&'static str]],
    /// Checks the arguments. The error is that of the query, which does not begin.
    pub(crate) bind: fn(&Arguments) -> Result<Bound, String>,
}

/// A call of a table function whose arguments have been checked.
pub(crate) struct Bound {
    /// The columns of the table.
    pub(crate) schema: SchemaRef,
    /// The estimated number of rows. None if nothing is known.
    pub(crate) rows: Option<u64>,
    pub(crate) plan: Box<dyn Plan>,
}

/// What a call reads.
pub(crate) trait Plan: Send + Sync {
    /// Begins to read these columns of the schema, in ascending order. There may be none, if only the number of rows
    /// is asked for.
    fn begin(&self, columns: &[usize]) -> Result<Arc<dyn Scan>, String>;
}

/// A table that is being read, by several threads. It ends when it is dropped.
pub(crate) trait Scan: Send + Sync {
    /// Returns the next rows, with the columns that were asked for. There may be no columns if none were asked for.
    fn next(&self) -> Result<Option<RecordBatch>, String>;

    /// The most threads that take rows at once.
    fn threads(&self) -> usize;
}

/// What all threads of a query share.
struct Shared {
    scan: Arc<dyn Scan>,
    /// For each vector of a chunk, the column of the record batches; None for a vector whose values nobody reads.
    vectors: Vec<Option<usize>>,
}

/// The rows that a thread passes on.
#[derive(Default)]
struct Local {
    batch: Option<RecordBatch>,
    /// The number of rows of the batch that have been passed on.
    passed: usize,
}

/// Registers a table function.
///
/// # Safety
///
/// `connection` must be an open connection.
pub(super) unsafe fn register(connection: Handle, function: &'static TableFunction) -> Result<(), String> {
    let any = Type::Any.create();
    // SAFETY: the function is created, described and registered as `duckdb.h` says, and then destroyed. All texts end
    // with a NUL and are copied. The description lives as long as the process.
    let state = unsafe {
        let mut table = (api().create_table_function)();
        (api().table_function_set_name)(table, c_text(function.name).as_ptr());
        for _ in 0..function.positional {
            (api().table_function_add_parameter)(table, any.0);
        }
        for name in function.named.iter().copied().flatten() {
            (api().table_function_add_named_parameter)(table, c_text(name).as_ptr(), any.0);
        }
        let info = std::ptr::from_ref(function).cast_mut().cast();
        (api().table_function_set_extra_info)(table, info, None);
        (api().table_function_set_bind)(table, bind);
        (api().table_function_set_init)(table, init);
        (api().table_function_set_local_init)(table, init_local);
        (api().table_function_set_function)(table, next);
        (api().table_function_supports_projection_pushdown)(table, true);
        let state = (api().register_table_function)(connection, table);
        (api().destroy_table_function)(&raw mut table);
        state
    };
    if state == 0 { Ok(()) } else { Err(format!("cannot register the function {}", function.name)) }
}

/// Checks the arguments of a call, and tells DuckDB its columns.
unsafe extern "C" fn bind(info: Handle) {
    let bound = guarded(|| {
        // SAFETY: the information of the function is that of `register`.
        let function = unsafe { &*(api().bind_get_extra_info)(info).cast::<TableFunction>() };
        // SAFETY: the function was registered with these parameters.
        let arguments = unsafe { Arguments::read(info, function.positional, function.named) }?;
        let bound = (function.bind)(&arguments)?;
        let names = distinct(bound.schema.fields().iter().map(|field| field.name().as_str()));
        for (name, field) in names.iter().zip(bound.schema.fields()) {
            let column_type = Type::of(field.data_type())?.create();
            // SAFETY: the name ends with a NUL and is copied, as is the type.
            unsafe { (api().bind_add_result_column)(info, c_text(name).as_ptr(), column_type.0) };
        }
        if let Some(rows) = bound.rows {
            // SAFETY: `info` is what DuckDB passed.
            unsafe { (api().bind_set_cardinality)(info, rows, false) };
        }
        Ok(bound)
    });
    match bound {
        // SAFETY: DuckDB owns the data, and destroys it with its type.
        Ok(bound) => unsafe { (api().bind_set_bind_data)(info, into_owned(bound), Some(drop_owned::<Bound>)) },
        // SAFETY: the text ends with a NUL and is copied.
        Err(error) => unsafe { (api().bind_set_error)(info, c_text(&error).as_ptr()) },
    }
}

/// Returns names of columns that differ. DuckDB does not distinguish upper and lower case, and a tag `Result` may stand
/// beside the column `result`. Such a name gets a number, as DuckDB gives it to columns of CSV files.
fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut distinct = |name: &str| {
        let mut numbered = (1..).map(|number| format!("{name}_{number}"));
        let mut found = name.to_owned();
        while !seen.insert(found.to_ascii_lowercase()) {
            found = numbered.next().unwrap_or_default();
        }
        found
    };
    names.map(&mut distinct).collect()
}

/// Begins a query.
unsafe extern "C" fn init(info: Handle) {
    let shared = guarded(|| {
        // SAFETY: the data is that of `bind`, which succeeded, and DuckDB keeps it until the query has ended.
        let bound = unsafe { &*(api().init_get_bind_data)(info).cast::<Bound>() };
        // SAFETY: `info` is what DuckDB passed.
        let count = unsafe { (api().init_get_column_count)(info) };
        // SAFETY: the index is less than the number of columns.
        let asked = (0..count).map(|index| unsafe { (api().init_get_column_index)(info, index) });
        // Other numbers stand for the number of the row, which DuckDB asks for if it needs no column.
        let known = |index| usize::try_from(index).ok().filter(|index| *index < bound.schema.fields().len());
        let asked: Vec<Option<usize>> = asked.map(known).collect();
        let columns: Vec<usize> = asked.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let vectors = asked.iter().map(|index| index.and_then(|index| columns.binary_search(&index).ok())).collect();
        Ok(Shared { scan: bound.plan.begin(&columns)?, vectors })
    });
    match shared {
        // SAFETY: DuckDB owns the data, and destroys it with its type when the query has ended.
        Ok(shared) => unsafe {
            (api().init_set_max_threads)(info, shared.scan.threads() as u64);
            (api().init_set_init_data)(info, into_owned(shared), Some(drop_owned::<Shared>));
        },
        // SAFETY: the text ends with a NUL and is copied.
        Err(error) => unsafe { (api().init_set_error)(info, c_text(&error).as_ptr()) },
    }
}

/// Begins the part of a thread.
unsafe extern "C" fn init_local(info: Handle) {
    let local = into_owned(Local::default());
    // SAFETY: DuckDB owns the data, and destroys it with its type.
    unsafe { (api().init_set_init_data)(info, local, Some(drop_owned::<Local>)) };
}

/// Fills a chunk with the next rows. A chunk without rows is the end.
unsafe extern "C" fn next(info: Handle, chunk: Handle) {
    let filled = guarded(|| {
        // SAFETY: the data is that of `init`, which succeeded. Threads share it.
        let shared = unsafe { &*(api().function_get_init_data)(info).cast::<Shared>() };
        // SAFETY: the data is that of `init_local`, and no other thread has it.
        let local = unsafe { &mut *(api().function_get_local_init_data)(info).cast::<Local>() };
        let batch = loop {
            match &local.batch {
                Some(batch) if local.passed < batch.num_rows() => break batch,
                _ => {
                    local.passed = 0;
                    local.batch = shared.scan.next()?;
                    if local.batch.is_none() {
                        return Ok(0);
                    }
                }
            }
        };
        // SAFETY: it has no preconditions.
        let most = usize::try_from(unsafe { (api().vector_size)() }).unwrap_or(usize::MAX);
        let rows = local.passed..batch.num_rows().min(local.passed.saturating_add(most));
        for (index, column) in shared.vectors.iter().enumerate() {
            if let Some(column) = column {
                // SAFETY: the chunk has a vector for each column that was asked for.
                let vector = unsafe { (api().data_chunk_get_vector)(chunk, index as u64) };
                // SAFETY: the vector has the type of the column, and room for the rows.
                unsafe { vector::fill(vector, batch.column(*column), rows.clone()) }?;
            }
        }
        local.passed = rows.end;
        Ok(rows.len() as u64)
    });
    match filled {
        // SAFETY: so many rows have been filled.
        Ok(rows) => unsafe { (api().data_chunk_set_size)(chunk, rows) },
        // SAFETY: the text ends with a NUL and is copied.
        Err(error) => unsafe { (api().function_set_error)(info, c_text(&error).as_ptr()) },
    }
}

#[cfg(test)]
mod tests {
    use super::distinct;

    #[test]
    fn names_that_differ_only_in_case_get_a_number() {
        let names = ["result", "Result", "RESULT", "Result_1", "fen"];
        assert_eq!(distinct(names.into_iter()), ["result", "Result_1", "RESULT_2", "Result_1_1", "fen"]);
    }
}
