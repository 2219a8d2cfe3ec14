//! The compression of pages. The package makes pages without compression, because it would allocate a context, and
//! several times the size of a page, for each column of each row group.

use std::mem::take;

use bytes::Bytes;
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use zstd::bulk::Compressor;
use zstd::zstd_safe::compress_bound;

/// A compressor for any number of pages.
pub(super) struct PageCompressor {
    compressor: Compressor<'static>,
    /// The memory for a compressed page.
    buffer: Vec<u8>,
    /// Memory for the bytes of a page.
    spare: Vec<u8>,
}

impl PageCompressor {
    pub(super) fn new() -> Result<Self, ParquetError> {
        let compressor = Compressor::new(ZstdLevel::default().compression_level())?;
        Ok(Self { compressor, buffer: Vec::new(), spare: Vec::new() })
    }

    /// Begins to write the pages of a column.
    pub(super) fn pages<'p>(&'p mut self, column: &'p mut TrackedWrite<Vec<u8>>) -> CompressedPages<'p> {
        CompressedPages { compressor: self, pages: SerializedPageWriter::new(column) }
    }
}

/// The pages of a column, which are compressed and then written.
pub(super) struct CompressedPages<'p> {
    compressor: &'p mut PageCompressor,
    pages: SerializedPageWriter<'p, Vec<u8>>,
}

impl CompressedPages<'_> {
    /// Writes a page with these bytes in place of its own. The page must be of version 1, whose levels are compressed
    /// with its values.
    pub(super) fn write(&mut self, mut page: Page, bytes: &[u8]) -> Result<PageWriteSpec, ParquetError> {
        let (Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. }) = &mut page else {
            return Err(ParquetError::NYI("a data page of version 2".to_owned()));
        };
        let PageCompressor { compressor, buffer, .. } = &mut *self.compressor;
        buffer.clear();
        buffer.reserve(compress_bound(bytes.len()));
        compressor.compress_to_buffer(bytes, buffer)?;
        let compressed = Bytes::from(take(buffer));
        *buf = compressed.clone();
        let written = self.pages.write_page(CompressedPage::new(page, bytes.len()))?;
        // The page has been dropped, so that nothing is copied.
        *buffer = compressed.into();
        Ok(written)
    }

    /// Returns memory for the bytes of a page, which other columns use again.
    pub(super) fn spare(&mut self) -> &mut Vec<u8> {
        &mut self.compressor.spare
    }
}

impl PageWriter for CompressedPages<'_> {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec, ParquetError> {
        self.write(page.compressed_page().clone(), page.data())
    }

    fn close(&mut self) -> Result<(), ParquetError> {
        self.pages.close()
    }
}

/// Tells readers that the pages of a column are compressed.
pub(super) fn compressed(column: ColumnCloseResult) -> Result<ColumnCloseResult, ParquetError> {
    let compression = Compression::ZSTD(ZstdLevel::default());
    let metadata = column.metadata.into_builder().set_compression(compression).build()?;
    Ok(ColumnCloseResult { metadata, ..column })
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use parquet::basic::Encoding;
    use parquet::column::page::Page;
    use parquet::file::writer::TrackedWrite;

    use crate::parquet_file::pages::PageCompressor;

    #[test]
    fn a_page_of_version_2_is_refused() {
        let page = Page::DataPageV2 {
            buf: Bytes::new(),
            num_values: 1,
            encoding: Encoding::PLAIN,
            num_nulls: 1,
            num_rows: 1,
            def_levels_byte_len: 2,
            rep_levels_byte_len: 0,
            is_compressed: false,
            statistics: None,
        };
        let mut column = TrackedWrite::new(Vec::new());
        assert!(PageCompressor::new().unwrap().pages(&mut column).write(page, &[2, 0]).is_err());
        assert_eq!(column.bytes_written(), 0);
    }
}
