//! Tables of an index as Parquet files: their layout, and how they are written and read.
//!
//! Look-ups are fast because of the page index: it has the least and the greatest key of each page, and the offset of
//! each page. So reading a few rows among millions decodes one page in each column.

mod checked;
mod handle;
mod placed_texts;
mod read;
mod texts;
mod write;
mod written;

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::schema::types::{ColumnPath, TypePtr};

use crate::error::IndexError;
use crate::sizes::TableSizes;
pub(super) use crate::table::checked::TablePlace;
pub(super) use crate::table::placed_texts::{MISSING, TextPlace};
pub(super) use crate::table::read::{OpenColumn, Scan, TableReader, damage};
pub(super) use crate::table::texts::{OpenTexts, TextRows, TextScan};
pub(super) use crate::table::write::TableWriter;
pub(super) use crate::table::written::Written;
use pgn2fen_tables::{CREATED_BY, ColumnType, parquet_file};

/// Converts an error of the `parquet` package, or an I/O error that it passed on.
fn failed(path: &Path) -> impl Fn(ParquetError) -> IndexError + '_ {
    |error| match error {
        ParquetError::External(error) => IndexError::new(path, error.to_string()),
        error => IndexError::new(path, error.to_string()),
    }
}

/// The layout of a table.
pub(super) struct Layout<'l> {
    pub(super) columns: &'l [ColumnLayout<'l>],
    /// The columns that the rows are sorted by. The first of them has statistics for its pages.
    pub(super) sorted_by: &'l [usize],
}

/// The layout of a column.
pub(super) struct ColumnLayout<'l> {
    pub(super) name: &'l str,
    pub(super) column_type: ColumnType,
    pub(super) coding: Coding,
}

/// The encoding of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// Differences to the previous value, bit-packed.
    Delta,
    /// Indexes into a dictionary, for columns with few different values.
    Dictionary,
    /// Plain values, compressed with zstd.
    Compressed,
}

impl Layout<'_> {
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
                // The least and greatest value of these columns would exclude no page, and are slow to compute.
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

#[cfg(test)]
mod tests {
    use parquet::basic::{Compression, Encoding, ZstdLevel};
    use parquet::file::properties::EnabledStatistics;
    use parquet::schema::types::ColumnPath;

    use super::{Coding, ColumnLayout, Layout};
    use crate::sizes::TableSizes;
    use pgn2fen_tables::{CREATED_BY, ColumnType};

    #[test]
    fn a_table_is_written_so_that_rows_are_found_by_the_pages_of_its_first_column() {
        let columns = [
            ColumnLayout { name: "text", column_type: ColumnType::Text, coding: Coding::Compressed },
            ColumnLayout { name: "key", column_type: ColumnType::Long, coding: Coding::Delta },
            ColumnLayout { name: "few", column_type: ColumnType::Text, coding: Coding::Dictionary },
        ];
        let layout = Layout { columns: &columns, sorted_by: &[1, 0] };
        let properties = layout.properties(TableSizes { page_rows: 16, group_rows: 100 });
        assert_eq!(properties.created_by(), CREATED_BY);
        assert_eq!((properties.data_page_row_count_limit(), properties.write_batch_size()), (16, 16));
        let sorting = properties.sorting_columns().unwrap();
        assert_eq!(sorting.iter().map(|column| column.column_idx).collect::<Vec<_>>(), [1, 0]);
        assert!(sorting.iter().all(|column| !column.descending && !column.nulls_first));
        let [text, key, few] = ["text", "key", "few"].map(ColumnPath::from);
        let zstd = Compression::ZSTD(ZstdLevel::default());
        let compression = [&text, &key, &few].map(|column| properties.compression(column));
        assert_eq!(compression, [zstd, Compression::UNCOMPRESSED, Compression::UNCOMPRESSED]);
        let has_dictionary = [&text, &key, &few].map(|column| properties.dictionary_enabled(column));
        assert_eq!(has_dictionary, [false, false, true]);
        let statistics = [&text, &key, &few].map(|column| properties.statistics_enabled(column));
        assert_eq!(statistics, [EnabledStatistics::None, EnabledStatistics::Page, EnabledStatistics::None]);
        assert_eq!(properties.encoding(&key), Some(Encoding::DELTA_BINARY_PACKED));
    }
}
