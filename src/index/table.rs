//! Tables of an index as Parquet files: how they are laid out, written and read.
//!
//! What makes a look-up fast is the page index: the least and greatest key of each page, and where each page begins. So a few
//! rows in the middle of millions cost the decoding of one page a column.

mod checked;
mod read;
mod write;
mod written;

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::schema::types::{ColumnPath, TypePtr};

use crate::index::error::IndexError;
use crate::index::sizes::TableSizes;
pub(super) use crate::index::table::read::{Scan, TableReader, damage};
pub(super) use crate::index::table::write::TableWriter;
pub(super) use crate::index::table::written::Written;
use crate::tables::{CREATED_BY, ColumnType, parquet_file};

/// What the package says of a table, or what the system said to it.
fn failed(path: &Path) -> impl Fn(ParquetError) -> IndexError + '_ {
    |error| match error {
        ParquetError::External(error) => IndexError::new(path, error.to_string()),
        error => IndexError::new(path, error.to_string()),
    }
}

/// What a table looks like.
pub(super) struct Layout {
    pub(super) columns: &'static [ColumnLayout],
    /// The columns by which the rows are in order; the first of them has statistics of its pages.
    pub(super) sorted_by: &'static [usize],
}

/// A column of a table.
pub(super) struct ColumnLayout {
    pub(super) name: &'static str,
    pub(super) column_type: ColumnType,
    pub(super) coding: Coding,
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
        parquet_file::schema(self.columns.iter().map(|column| (column.name, column.column_type)))
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
            if column.column_type == ColumnType::Text {
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
