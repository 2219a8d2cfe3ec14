//! Types of columns and arguments.

use arrow_schema::DataType;

use crate::door::api::{Handle, api};

/// A type of DuckDB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Boolean,
    Integer,
    Bigint,
    Double,
    Date,
    Varchar,
    /// Lists of texts, of integers and of doubles.
    Texts,
    Integers,
    Doubles,
    /// A map from texts to texts.
    Map,
    /// Any type, for an argument.
    Any,
}

impl Type {
    /// Returns the type for the arrays of an Arrow type.
    ///
    /// # Errors
    ///
    /// Nothing makes arrays of such a type.
    pub(crate) fn of(data_type: &DataType) -> Result<Self, String> {
        Ok(match data_type {
            DataType::Boolean => Self::Boolean,
            DataType::Int32 => Self::Integer,
            DataType::Int64 => Self::Bigint,
            DataType::Float64 => Self::Double,
            DataType::Date32 => Self::Date,
            DataType::Utf8 => Self::Varchar,
            DataType::List(element) => match element.data_type() {
                DataType::Utf8 => Self::Texts,
                DataType::Int32 => Self::Integers,
                DataType::Float64 => Self::Doubles,
                other => return Err(format!("there are no lists of the type {other}")),
            },
            DataType::Map(_, _) => Self::Map,
            other => return Err(format!("there is no column of the type {other}")),
        })
    }

    /// Creates the type for DuckDB.
    pub(super) fn create(&self) -> LogicalType {
        let id = match self {
            Self::Boolean => 1,
            Self::Integer => 4,
            Self::Bigint => 5,
            Self::Double => 11,
            Self::Date => 13,
            Self::Varchar => VARCHAR,
            Self::Any => 34,
            Self::Texts => return Self::Varchar.list(),
            Self::Integers => return Self::Integer.list(),
            Self::Doubles => return Self::Double.list(),
            Self::Map => {
                let text = Self::Varchar.create();
                // SAFETY: both are types, of which DuckDB makes copies.
                return LogicalType(unsafe { (api().create_map_type)(text.0, text.0) });
            }
        };
        // SAFETY: the number is that of a simple type in `duckdb.h`.
        LogicalType(unsafe { (api().create_logical_type)(id) })
    }

    /// Creates the type of lists of this type.
    fn list(&self) -> LogicalType {
        let element = self.create();
        // SAFETY: the element is a type, of which DuckDB makes a copy.
        LogicalType(unsafe { (api().create_list_type)(element.0) })
    }
}

/// The number of the type VARCHAR.
const VARCHAR: u32 = 17;

/// The numbers of the types LIST and ARRAY. The functions for lists of values take both.
pub(super) const LISTS: [u32; 2] = [24, 33];

/// A type that DuckDB has created.
pub(super) struct LogicalType(pub(super) Handle);

impl LogicalType {
    /// Returns the number of the type.
    pub(super) fn id(&self) -> u32 {
        // SAFETY: it is a type until it is dropped.
        unsafe { (api().get_type_id)(self.0) }
    }
}

impl Drop for LogicalType {
    fn drop(&mut self) {
        // SAFETY: it was created for its owner, and is destroyed once.
        unsafe { (api().destroy_logical_type)(&raw mut self.0) };
    }
}
