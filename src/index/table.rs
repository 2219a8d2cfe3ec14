//! Tables as Parquet files: the only place of the index that knows the package.
//!
//! What makes a look-up fast is the page index: the least and greatest key of each page, and where each page begins. So a few
//! rows in the middle of millions cost the decoding of one page a column.

mod checked;
mod read;
mod write;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::schema::types::{ColumnPath, TypePtr};

pub(super) use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};

use crate::index::error::IndexError;
use crate::index::sizes::TableSizes;
pub(super) use crate::index::table::read::{Scan, TableReader, damage};
pub(super) use crate::index::table::write::{TableWriter, Written};
use crate::rows::parquet_file::{CREATED_BY, ColumnType, schema_of};

/// What the package says of a table, or what the system said to it.
fn failed(path: &Path) -> impl Fn(ParquetError) -> IndexError + '_ {
    |error| match error {
        ParquetError::External(error) => IndexError::new(path, error.to_string()),
        error => IndexError::new(path, error.to_string()),
    }
}

/// A text that is known beforehand.
pub(super) fn fixed_text(text: &'static str) -> ByteArray {
    Bytes::from_static(text.as_bytes()).into()
}

/// Texts one behind the other, of which each value is a share.
pub(super) struct Pool(Bytes);

impl Pool {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }

    /// The text in this range of bytes; None if it is empty.
    pub(super) fn text(&self, range: Range<usize>) -> Option<ByteArray> {
        (!range.is_empty()).then(|| self.0.slice(range).into())
    }
}

/// What a table looks like.
pub(super) struct Layout {
    pub(super) columns: &'static [Column],
    /// The columns by which the rows are in order; the first of them has statistics of its pages.
    pub(super) sorted_by: &'static [usize],
}

/// A column of a table.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) coding: Coding,
}

/// Kinds of values. Integers are signed, since not every reader has others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// 64 bits.
    Long,
    /// 32 bits.
    Int,
    /// Days since 1970, in 32 bits.
    Date,
    /// UTF-8.
    Text,
}

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// Differences to the value before, in as few bits as they need.
    Delta,
    /// Numbers of the entries of a dictionary; for few different values.
    Dictionary,
    /// As they are, and compressed with zstd.
    Compressed,
}

impl Layout {
    fn schema(&self) -> Result<TypePtr, ParquetError> {
        schema_of(self.columns.iter().map(|column| {
            let kind = match column.kind {
                Kind::Long => ColumnType::Long,
                Kind::Int => ColumnType::Int,
                Kind::Date => ColumnType::Date,
                Kind::Text => ColumnType::Text,
            };
            (column.name, kind)
        }))
    }

    fn properties(&self, sizes: TableSizes) -> WriterPropertiesPtr {
        let sorting = |column: &usize| SortingColumn {
            column_idx: i32::try_from(*column).unwrap_or(i32::MAX),
            descending: false,
            nulls_first: false,
        };
        let mut properties = WriterProperties::builder()
            .set_created_by(CREATED_BY.to_owned())
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_data_page_row_count_limit(sizes.page_rows)
            .set_write_batch_size(sizes.page_rows)
            .set_sorting_columns(Some(self.sorted_by.iter().map(sorting).collect()));
        for column in self.columns {
            let path = || ColumnPath::from(column.name);
            if column.kind == Kind::Text {
                // Their least and greatest would rule nothing out, and take as long to find as all the rest.
                properties = properties.set_column_statistics_enabled(path(), EnabledStatistics::None);
            }
            properties = properties.set_column_dictionary_enabled(path(), column.coding == Coding::Dictionary);
            properties = match column.coding {
                Coding::Delta => properties.set_column_encoding(path(), Encoding::DELTA_BINARY_PACKED),
                Coding::Dictionary => properties,
                Coding::Compressed => {
                    properties.set_column_compression(path(), Compression::ZSTD(ZstdLevel::default()))
                }
            };
        }
        if let Some(first) = self.sorted_by.first().and_then(|first| self.columns.get(*first)) {
            properties =
                properties.set_column_statistics_enabled(ColumnPath::from(first.name), EnabledStatistics::Page);
        }
        Arc::new(properties.build())
    }
}
