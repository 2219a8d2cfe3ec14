//! A Parquet file in memory, made of row groups that were encoded on any thread.
//!
//! The columns of a row group are encoded and compressed where its rows are; the encoded row groups are then appended
//! to the file in order.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::writer::{ColumnCloseResult, ColumnWriterImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, TrackedWrite};
use parquet::schema::types::{ColumnPath, SchemaDescPtr, SchemaDescriptor};

use crate::parquet_file::column::ColumnWriter;
use crate::parquet_file::list::ListWriter;
use crate::parquet_file::pages::{PageCompressor, compressed};
use crate::parquet_file::plain_texts::PlainTexts;
use crate::parquet_file::schema::schema;
use crate::parquet_file::shared_texts::SharedTexts;
use crate::{CREATED_BY, ColumnType, Texts};

/// The schema and the properties that all row groups of a file share.
pub struct RowGroups {
    schema: SchemaDescPtr,
    properties: WriterPropertiesPtr,
    /// The compressors of row groups that have ended, whose memory is used again.
    idle: Mutex<Vec<PageCompressor>>,
}

/// A row group whose columns are added one after another.
pub struct RowGroupEncoder<'f> {
    file: &'f RowGroups,
    compressor: PageCompressor,
    columns: Vec<(Bytes, ColumnCloseResult)>,
}

/// An encoded row group.
pub struct RowGroup {
    columns: Vec<(Bytes, ColumnCloseResult)>,
}

/// A file to which row groups are appended. Its bytes can be taken as soon as they are ready.
pub struct ParquetFile(SerializedFileWriter<Vec<u8>>);

/// Begins a file with these columns. The columns that `plain` names are written without a dictionary.
pub fn begin<'c>(
    columns: impl Iterator<Item = (&'c str, ColumnType)>,
    plain: &[&str],
) -> Result<(RowGroups, ParquetFile), ParquetError> {
    let schema = schema(columns)?;
    let properties = WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        // Pages are compressed when they are written.
        .set_compression(Compression::UNCOMPRESSED)
        .set_statistics_enabled(EnabledStatistics::Chunk);
    let properties = plain.iter().fold(properties, |properties, column| {
        properties.set_column_dictionary_enabled(ColumnPath::from(*column), false)
    });
    let properties = Arc::new(properties.build());
    let file = SerializedFileWriter::new(Vec::new(), Arc::clone(&schema), Arc::clone(&properties))?;
    let schema = Arc::new(SchemaDescriptor::new(schema));
    Ok((RowGroups { schema, properties, idle: Mutex::default() }, ParquetFile(file)))
}

impl RowGroups {
    /// Begins a row group. Its columns must be added in the order of the schema, with a value for each row.
    pub fn begin(&self) -> Result<RowGroupEncoder<'_>, ParquetError> {
        let columns = Vec::with_capacity(self.schema.num_columns());
        let compressor = self.idle().pop().map_or_else(PageCompressor::new, Ok)?;
        Ok(RowGroupEncoder { file: self, compressor, columns })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<PageCompressor>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RowGroupEncoder<'_> {
    /// Adds a column of values, which `fill` appends.
    pub fn column<T: DataType>(
        &mut self,
        fill: impl FnOnce(&mut ColumnWriter<'_, '_, T>) -> Result<(), ParquetError>,
    ) -> Result<(), ParquetError> {
        self.write::<T>(|writer| {
            let mut column = ColumnWriter::new(writer);
            fill(&mut column)?;
            column.end()
        })
    }

    /// Adds a column of texts without a dictionary, which `fill` appends.
    pub fn plain_texts(
        &mut self,
        fill: impl FnOnce(&mut PlainTexts<'_>) -> Result<(), ParquetError>,
    ) -> Result<(), ParquetError> {
        let mut sink = TrackedWrite::new(Vec::new());
        let mut texts = PlainTexts::new(self.compressor.pages(&mut sink));
        fill(&mut texts)?;
        let column = self.file.schema.column(self.columns.len());
        let close = compressed(texts.end(&column, Arc::clone(&self.file.properties))?)?;
        self.columns.push((sink.into_inner()?.into(), close));
        Ok(())
    }

    /// Adds a column of lists. A list, and an element of it, may be null.
    pub fn lists<T: DataType, L: Iterator<Item = Option<T::T>>>(
        &mut self,
        values: impl Iterator<Item = Option<L>>,
    ) -> Result<(), ParquetError> {
        self.write::<T>(|writer| {
            let mut column = ListWriter::new(writer);
            column.extend(values)?;
            column.end()
        })
    }

    /// Adds a column of lists of texts, none of which is empty.
    pub fn text_lists<'t, L: Iterator<Item = &'t str>>(
        &mut self,
        values: impl Iterator<Item = Option<L>>,
    ) -> Result<(), ParquetError> {
        // The texts are slices of one pool, because a list of moves has many short ones.
        let mut pool = Texts::default();
        let mut lengths = Vec::new();
        for value in values {
            let begun = pool.len();
            let is_list = value.is_some();
            value.into_iter().flatten().for_each(|text| pool.push(text.as_bytes()));
            lengths.push(is_list.then(|| pool.len() - begun));
        }
        let texts = SharedTexts::from(pool);
        let mut at = 0;
        self.lists::<ByteArrayType, _>(lengths.into_iter().map(|length| {
            let list = at..at + length?;
            at = list.end;
            Some(list.map(|at| texts.get(at)))
        }))
    }

    /// Adds a column of texts with names: the names of all rows, and then the texts.
    pub fn text_maps<'t, L: Iterator<Item = &'t str>>(
        &mut self,
        names: impl Iterator<Item = Option<L>>,
        texts: impl Iterator<Item = Option<L>>,
    ) -> Result<(), ParquetError> {
        let bytes = |text: &str| Some(ByteArray::from(text));
        self.lists::<ByteArrayType, _>(names.map(|names| Some(names?.map(bytes))))?;
        self.lists::<ByteArrayType, _>(texts.map(|texts| Some(texts?.map(bytes))))
    }

    fn write<T: DataType>(
        &mut self,
        write: impl FnOnce(&mut ColumnWriterImpl<'_, T>) -> Result<(), ParquetError>,
    ) -> Result<(), ParquetError> {
        let mut sink = TrackedWrite::new(Vec::new());
        let pages = Box::new(self.compressor.pages(&mut sink));
        let (schema, properties) = (&self.file.schema, Arc::clone(&self.file.properties));
        let mut writer = ColumnWriterImpl::<T>::new(schema.column(self.columns.len()), properties, pages);
        write(&mut writer)?;
        let close = compressed(writer.close()?)?;
        self.columns.push((sink.into_inner()?.into(), close));
        Ok(())
    }

    /// Ends the row group.
    pub fn end(self) -> RowGroup {
        self.file.idle().push(self.compressor);
        RowGroup { columns: self.columns }
    }
}

impl RowGroup {
    /// Returns its size in bytes.
    pub fn weight(&self) -> usize {
        self.columns.iter().map(|(bytes, _)| bytes.len()).sum()
    }
}

impl ParquetFile {
    /// Appends a row group.
    pub fn append(&mut self, group: RowGroup) -> Result<(), ParquetError> {
        let mut writer = self.0.next_row_group()?;
        for (bytes, close) in group.columns {
            writer.append_column(&bytes, close)?;
        }
        writer.close()?;
        Ok(())
    }

    /// Moves the bytes that are ready to `out`.
    pub fn take(&mut self, out: &mut Vec<u8>) -> Result<(), ParquetError> {
        self.0.flush()?;
        out.append(self.0.inner_mut());
        Ok(())
    }

    /// Appends the last bytes to `out`: the footer, which readers read first.
    pub fn end(self, out: &mut Vec<u8>) -> Result<(), ParquetError> {
        out.extend_from_slice(&self.0.into_inner()?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use crate::ColumnType;
    use crate::parquet_file::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type, begin, fixed_text};

    /// More rows than are given to the package at a time.
    const ROWS: usize = 10_000;

    const COLUMNS: [(&str, ColumnType); 7] = [
        ("text", ColumnType::Text),
        ("fixed", ColumnType::Text),
        ("date", ColumnType::Date),
        ("score", ColumnType::Double),
        ("run", ColumnType::Long),
        ("plies", ColumnType::Ints),
        ("moves", ColumnType::Texts),
    ];

    /// Values that successive rows have, with the number of these rows.
    const RUNS: [(Option<i64>, usize); 5] = [(Some(7), 5000), (None, 4500), (Some(8), 0), (Some(-9), 1), (None, 499)];

    fn text(row: usize) -> Option<String> {
        (!row.is_multiple_of(3)).then(|| format!("text {}", row % 100))
    }

    fn plies(row: usize) -> Option<Vec<Option<i32>>> {
        let number = i32::try_from(row).ok();
        [None, Some(vec![]), Some(vec![None, number]), Some(vec![number, Some(2), Some(3)])][row % 4].clone()
    }

    fn moves(row: usize) -> Option<Vec<String>> {
        [None, Some(vec![]), Some(vec!["e4".to_owned()]), Some(vec![format!("{row}"), "Nf3".to_owned()])][row % 4]
            .clone()
    }

    /// Returns a value in words.
    fn told(field: &Field) -> String {
        match field {
            Field::Null => "-".to_owned(),
            Field::Str(text) => text.clone(),
            Field::Double(number) => format!("{number:?}"),
            Field::ListInternal(list) => format!("{:?}", list.elements().iter().map(told).collect::<Vec<_>>()),
            Field::MapInternal(map) => {
                let entries = map.entries().iter();
                format!("{:?}", entries.map(|(name, text)| [told(name), told(text)]).collect::<Vec<_>>())
            }
            other => other.to_string(),
        }
    }

    fn read(file: Vec<u8>) -> Vec<Vec<String>> {
        let reader = SerializedFileReader::new(Bytes::from(file)).unwrap();
        let rows = reader.get_row_iter(None).unwrap();
        rows.map(|row| row.unwrap().get_column_iter().map(|(_, field)| told(field)).collect()).collect()
    }

    #[test]
    fn values_are_read_as_they_were_written() {
        let (groups, mut file) = begin(COLUMNS.into_iter(), &[]).unwrap();
        let mut bytes = Vec::new();
        for begun in [0, ROWS] {
            let rows = begun..begun + ROWS;
            let mut group = groups.begin().unwrap();
            let texts = rows.clone().map(|row| Some(ByteArray::from(&*text(row)?)));
            group.column::<ByteArrayType>(|column| column.extend(texts)).unwrap();
            group
                .column::<ByteArrayType>(|column| column.extend_runs([(Some(fixed_text("fixed")), ROWS)].into_iter()))
                .unwrap();
            group.column::<Int32Type>(|column| column.extend_runs([(Some(366), ROWS)].into_iter())).unwrap();
            group.column::<DoubleType>(|column| column.extend(rows.clone().map(|row| Some(row as f64 / 2.0)))).unwrap();
            group.column::<Int64Type>(|column| column.extend_runs(RUNS.into_iter())).unwrap();
            group.lists::<Int32Type, _>(rows.clone().map(|row| Some(plies(row)?.into_iter()))).unwrap();
            let moves: Vec<_> = rows.map(moves).collect();
            group.text_lists(moves.iter().map(|moves| Some(moves.as_ref()?.iter().map(String::as_str)))).unwrap();
            let (group, before) = (group.end(), bytes.len());
            let weight = group.weight();
            file.append(group).unwrap();
            file.take(&mut bytes).unwrap();
            assert!(weight > ROWS && bytes.len() - before >= weight, "{weight}");
        }
        file.end(&mut bytes).unwrap();
        let runs = RUNS.iter().flat_map(|(value, rows)| vec![*value; *rows]);
        let runs: Vec<String> = runs.map(|value| value.map_or("-".to_owned(), |value| value.to_string())).collect();
        let list = |values: Option<Vec<String>>| values.map_or("-".to_owned(), |values| format!("{values:?}"));
        let number = |value: Option<i32>| value.map_or("-".to_owned(), |value| value.to_string());
        let score = |row: usize| format!("{:?}", row as f64 / 2.0);
        for (row, values) in read(bytes).iter().enumerate() {
            let expected = [
                text(row).unwrap_or("-".to_owned()),
                "fixed".to_owned(),
                "1971-01-02".to_owned(),
                score(row),
                runs[row % ROWS].clone(),
                list(plies(row).map(|plies| plies.into_iter().map(number).collect())),
                list(moves(row)),
            ];
            assert_eq!(values, &expected, "row {row}");
        }
    }

    #[test]
    fn texts_with_names_are_a_map() {
        let (groups, mut file) = begin([("tags", ColumnType::TextMap)].into_iter(), &[]).unwrap();
        let mut group = groups.begin().unwrap();
        let names = [None, Some([].as_slice()), Some(&["White", "Black"])];
        let texts = [None, Some([].as_slice()), Some(&["A", "B"])];
        let [names, texts] = [names, texts].map(|rows| rows.map(|row| Some(row?.iter().copied())));
        group.text_maps(names.into_iter(), texts.into_iter()).unwrap();
        file.append(group.end()).unwrap();
        let mut bytes = Vec::new();
        file.end(&mut bytes).unwrap();
        let maps: Vec<String> = read(bytes).concat();
        assert_eq!(maps, ["-", "[]", r#"[["White", "A"], ["Black", "B"]]"#]);
    }
}
