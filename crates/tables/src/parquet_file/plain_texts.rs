//! The texts of a column without a dictionary, such as FENs.
//!
//! The package takes texts one by one, as shared bytes, and copies them from buffer to buffer, each of which it
//! allocates for every page. Here they are copied into the bytes of a page, behind a gap for the levels.
//! Pages end where those of the package do if texts are short. The package also ends a page among 1024 rows if their
//! texts together are larger than a page; here these rows stay together.

use std::mem::take;

use bytes::Bytes;
use parquet::basic::{Encoding, PageType};
use parquet::column::page::{Page, PageWriteSpec};
use parquet::column::writer::{ColumnCloseResult, ColumnWriterImpl};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, LevelHistogram, OffsetIndexBuilder, PageEncodingStats};
use parquet::file::properties::{
    DEFAULT_DATA_PAGE_ROW_COUNT_LIMIT, DEFAULT_PAGE_SIZE, DEFAULT_WRITE_BATCH_SIZE, WriterPropertiesPtr,
};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use crate::parquet_file::pages::CompressedPages;

/// Writes the texts of a column.
pub struct PlainTexts<'p> {
    pages: CompressedPages<'p>,
    page: OpenPage,
    bounds: Bounds,
    rows: usize,
    nulls: usize,
    /// The number of bytes of all texts.
    text_bytes: usize,
    written: Vec<PageWriteSpec>,
    offsets: OffsetIndexBuilder,
}

/// The first and the last text in the order of bytes. Empty if there is no text.
#[derive(Debug, Default)]
struct Bounds {
    least: Vec<u8>,
    greatest: Vec<u8>,
    /// The first bytes of both, which tell for most texts that they are between them.
    heads: [u64; 2],
}

/// The page that is not full.
struct OpenPage {
    rows: usize,
    /// Whether there is a text, and the number of successive rows for which this holds.
    levels: Vec<(bool, usize)>,
    /// [`GAP`] bytes, and then the texts, each behind its length.
    texts: Vec<u8>,
}

/// The number of bytes that are kept free for the levels of a page. The levels of a page without nulls take fewer.
const GAP: usize = 16;

impl<'p> PlainTexts<'p> {
    /// Begins with the first row of a row group.
    pub(super) fn new(mut pages: CompressedPages<'p>) -> Self {
        let mut page = OpenPage { rows: 0, levels: Vec::new(), texts: take(pages.spare()) };
        page.clear();
        let (bounds, written, offsets) = (Bounds::default(), Vec::new(), OffsetIndexBuilder::new());
        Self { pages, page, bounds, rows: 0, nulls: 0, text_bytes: 0, written, offsets }
    }

    /// Appends a text. An empty text becomes a null.
    #[inline]
    pub fn push(&mut self, text: &[u8]) -> Result<(), ParquetError> {
        self.page.push(text)?;
        if !text.is_empty() {
            self.bounds.extend_to(text);
        }
        if self.page.is_full() { self.write_page() } else { Ok(()) }
    }

    fn write_page(&mut self) -> Result<(), ParquetError> {
        let OpenPage { rows, levels, texts } = &mut self.page;
        let nulls: usize = levels.iter().map(|(is_text, rows)| if *is_text { 0 } else { *rows }).sum();
        let text_bytes = texts.len() - GAP - (*rows - nulls) * size_of::<u32>();
        let levels = encoded(levels)?;
        let start = GAP.saturating_sub(levels.len());
        if levels.len() <= GAP {
            texts[start..GAP].copy_from_slice(&levels);
        } else {
            texts.splice(..GAP, levels);
        }
        let page = Page::DataPage {
            buf: Bytes::new(),
            num_values: u32::try_from(*rows)?,
            encoding: Encoding::PLAIN,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let written = self.pages.write(page, &texts[start..])?;
        self.offsets.append_row_count(i64::try_from(*rows)?);
        self.offsets.append_unencoded_byte_array_data_bytes(Some(i64::try_from(text_bytes)?));
        self.offsets.append_offset_and_size(i64::try_from(written.offset)?, i32::try_from(written.compressed_size)?);
        self.written.push(written);
        self.rows += *rows;
        self.nulls += nulls;
        self.text_bytes += text_bytes;
        self.page.clear();
        Ok(())
    }

    /// Writes the last page, and returns the metadata of the column.
    pub(super) fn end(
        mut self,
        column: &ColumnDescPtr,
        properties: WriterPropertiesPtr,
    ) -> Result<ColumnCloseResult, ParquetError> {
        if self.page.rows > 0 {
            self.write_page()?;
        }
        *self.pages.spare() = take(&mut self.page.texts);
        let size = |of: fn(&PageWriteSpec) -> usize| self.written.iter().map(of).sum::<usize>();
        let compressed = size(|page| page.compressed_size);
        let mut levels = LevelHistogram::try_new(column.max_def_level());
        if let Some(levels) = &mut levels {
            levels.increment_by(0, i64::try_from(self.nulls)?);
            levels.increment_by(1, i64::try_from(self.rows - self.nulls)?);
        }
        let count = i32::try_from(self.written.len())?;
        let pages = PageEncodingStats { page_type: PageType::DATA_PAGE, encoding: Encoding::PLAIN, count };
        let metadata = self
            .bounds(column, properties)?
            .into_builder()
            .set_num_values(i64::try_from(self.rows)?)
            .set_data_page_offset(i64::try_from(self.written.first().map_or(0, |page| page.offset))?)
            .set_page_encoding_stats(vec![pages])
            .set_total_compressed_size(i64::try_from(compressed)?)
            .set_total_uncompressed_size(i64::try_from(size(|page| page.uncompressed_size))?)
            .set_unencoded_byte_array_data_bytes(Some(i64::try_from(self.text_bytes)?))
            .set_definition_level_histogram(levels);
        Ok(ColumnCloseResult {
            bytes_written: compressed as u64,
            rows_written: self.rows as u64,
            metadata: metadata.build()?,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(self.offsets.build()),
        })
    }

    /// Returns the metadata of a column that has only the least and the greatest text, and the nulls. The package
    /// shortens long texts in the statistics, without cutting characters.
    fn bounds(
        &self,
        column: &ColumnDescPtr,
        properties: WriterPropertiesPtr,
    ) -> Result<ColumnChunkMetaData, ParquetError> {
        let mut unused = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut unused));
        let mut writer = ColumnWriterImpl::<ByteArrayType>::new(column.clone(), properties, pages);
        let texts = [&self.bounds.least, &self.bounds.greatest].into_iter().filter(|text| !text.is_empty());
        let texts: Vec<ByteArray> = texts.map(|text| text.clone().into()).collect();
        let mut levels = vec![1; texts.len()];
        levels.resize(texts.len() + self.nulls, 0);
        writer.write_batch(&texts, Some(&levels), None)?;
        Ok(writer.close()?.metadata)
    }
}

impl Bounds {
    /// Extends the bounds to a text that is not empty.
    #[inline]
    fn extend_to(&mut self, text: &[u8]) {
        let head = head(text);
        if self.least.is_empty() || head <= self.heads[0] || head >= self.heads[1] {
            self.compare(text);
        }
    }

    #[inline(never)]
    fn compare(&mut self, text: &[u8]) {
        if self.least.is_empty() || text < &self.least[..] {
            text.clone_into(&mut self.least);
        }
        if text > &self.greatest[..] {
            text.clone_into(&mut self.greatest);
        }
        self.heads = [head(&self.least), head(&self.greatest)];
    }
}

/// Returns a number by which texts have the same order as by their first eight bytes.
#[inline]
fn head(text: &[u8]) -> u64 {
    match text.first_chunk() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        None => text.iter().fold(0, |head, byte| head << 8 | u64::from(*byte)) << (8 * (8 - text.len())),
    }
}

impl OpenPage {
    fn clear(&mut self) {
        self.rows = 0;
        self.levels.clear();
        self.texts.clear();
        self.texts.resize(GAP, 0);
    }

    #[inline]
    fn push(&mut self, text: &[u8]) -> Result<(), ParquetError> {
        let is_text = !text.is_empty();
        self.rows += 1;
        match self.levels.last_mut() {
            Some((was_text, rows)) if *was_text == is_text => *rows += 1,
            _ => self.levels.push((is_text, 1)),
        }
        if is_text {
            self.texts.extend_from_slice(&u32::try_from(text.len())?.to_le_bytes());
            self.texts.extend_from_slice(text);
        }
        Ok(())
    }

    /// Whether the package would end the page here, if texts are short.
    fn is_full(&self) -> bool {
        self.rows.is_multiple_of(DEFAULT_WRITE_BATCH_SIZE)
            && (self.texts.len() - GAP >= DEFAULT_PAGE_SIZE || self.rows >= DEFAULT_DATA_PAGE_ROW_COUNT_LIMIT)
    }
}

/// Encodes definition levels: the number of bytes, and then runs of equal levels. The bits of twice the number of rows
/// are divided into groups of seven, the lowest first; the lowest bit, zero, says that a run follows and not a list of
/// levels.
fn encoded(levels: &[(bool, usize)]) -> Result<Vec<u8>, ParquetError> {
    let mut runs = Vec::new();
    for (is_text, rows) in levels {
        let mut header = rows << 1;
        while header >= 0x80 {
            runs.push(0x80 | header.to_le_bytes()[0]);
            header >>= 7;
        }
        runs.extend([header.to_le_bytes()[0], u8::from(*is_text)]);
    }
    let mut out = u32::try_from(runs.len())?.to_le_bytes().to_vec();
    out.append(&mut runs);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;
    use parquet::basic::{Compression, ZstdLevel};
    use parquet::column::reader::get_typed_column_reader;
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::properties::{EnabledStatistics, WriterProperties};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::writer::SerializedFileWriter;
    use proptest::prelude::{Strategy, any, prop, proptest};

    use crate::parquet_file::plain_texts::Bounds;
    use crate::parquet_file::{begin, schema};
    use crate::{CREATED_BY, ColumnType};

    const COLUMN: [(&str, ColumnType); 1] = [("fen", ColumnType::Text)];

    /// Writes a file with one column, each row group in the memory of the one before it.
    fn file(groups: &[Vec<Vec<u8>>]) -> Vec<u8> {
        let (row_groups, mut file) = begin(COLUMN.into_iter(), &["fen"]).unwrap();
        for texts in groups {
            let mut encoder = row_groups.begin().unwrap();
            encoder.plain_texts(|column| texts.iter().try_for_each(|text| column.push(text))).unwrap();
            file.append(encoder.end()).unwrap();
        }
        let mut bytes = Vec::new();
        file.end(&mut bytes).unwrap();
        bytes
    }

    /// Writes the file with the package alone.
    fn file_of_the_package(groups: &[Vec<Vec<u8>>]) -> Vec<u8> {
        let properties = WriterProperties::builder()
            .set_created_by(CREATED_BY.to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_dictionary_enabled(false);
        let schema = schema(COLUMN.into_iter()).unwrap();
        let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
        for texts in groups {
            let present: Vec<ByteArray> = present(texts).map(|text| text.clone().into()).collect();
            let mut group = file.next_row_group().unwrap();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&present, Some(&levels(texts)), None).unwrap();
            column.close().unwrap();
            group.close().unwrap();
        }
        file.into_inner().unwrap()
    }

    /// Returns the texts that do not become nulls.
    fn present(texts: &[Vec<u8>]) -> impl Iterator<Item = &Vec<u8>> {
        texts.iter().filter(|text| !text.is_empty())
    }

    fn levels(texts: &[Vec<u8>]) -> Vec<i16> {
        texts.iter().map(|text| i16::from(!text.is_empty())).collect()
    }

    #[track_caller]
    fn check(texts: Vec<Vec<u8>>) {
        let groups = [texts.iter().rev().skip(texts.len() / 3).cloned().collect(), texts];
        assert!(file(&groups) == file_of_the_package(&groups), "the bytes of {} texts", groups[1].len());
    }

    #[test]
    fn pages_and_metadata_without_nulls_are_those_of_the_package() {
        let text = |nth: usize, most: usize| {
            let digits = (nth * 0x9E37_79B9 % 1_000_003).to_string();
            digits.repeat(most).into_bytes()[..1 + nth % most].to_vec()
        };
        // Pages of a megabyte, and pages of 20,480 short texts, the last of which may be full.
        for (rows, most) in
            [(8, 5), (1023, 90), (1024, 90), (40_000, 90), (65_536, 150), (65_536, 5), (3000, 1000), (20_480, 5)]
        {
            check((0..rows).map(|nth| text(nth, most)).collect());
        }
        check(vec!["Größe ".repeat(20).into_bytes(); 100]);
        // Rows that fill a page to the last byte, and those that leave ten bytes free.
        for last in [1020, 1010] {
            let mut texts = vec![vec![b'a'; 1020]; 3000];
            texts[1023].truncate(last);
            texts[3000 - 1024].truncate(last);
            check(texts);
        }
    }

    fn texts_and_nulls() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let text = |letter: u8| vec![b'a' + letter % 26; 1 + usize::from(letter)];
        prop::collection::vec((any::<Option<u8>>(), 1..3000_usize), 0..12).prop_map(move |runs| {
            runs.into_iter().flat_map(|(letter, rows)| vec![letter.map_or(Vec::new(), text); rows]).collect()
        })
    }

    proptest! {
        #[test]
        fn the_bounds_are_the_first_and_the_last_text(
            texts in prop::collection::vec(prop::collection::vec(0..3_u8, 1..12), 1..20),
        ) {
            let mut bounds = Bounds::default();
            texts.iter().for_each(|text| bounds.extend_to(text));
            assert_eq!((Some(&bounds.least), Some(&bounds.greatest)), (texts.iter().min(), texts.iter().max()));
        }

        #[test]
        fn texts_and_nulls_are_read_as_they_were_pushed(groups in [texts_and_nulls(), texts_and_nulls()]) {
            let reader = SerializedFileReader::new(Bytes::from(file(&groups))).unwrap();
            for (nth, texts) in groups.iter().enumerate() {
                let column = reader.get_row_group(nth).unwrap().get_column_reader(0).unwrap();
                let (mut read, mut read_levels) = (Vec::new(), Vec::new());
                get_typed_column_reader::<ByteArrayType>(column)
                    .read_records(texts.len(), Some(&mut read_levels), None, &mut read)
                    .unwrap();
                assert_eq!(read_levels, levels(texts));
                let read: Vec<_> = read.iter().map(ByteArray::data).collect();
                assert_eq!(read, present(texts).collect::<Vec<_>>());
                let metadata = reader.metadata().row_group(nth).column(0);
                let statistics = metadata.statistics().unwrap();
                assert_eq!(statistics.null_count_opt(), Some((texts.len() - read.len()) as u64));
                assert_eq!(metadata.num_values(), texts.len() as i64);
                let levels = metadata.definition_level_histogram().unwrap().values();
                assert_eq!(levels, [(texts.len() - read.len()) as i64, read.len() as i64]);
            }
        }
    }
}
