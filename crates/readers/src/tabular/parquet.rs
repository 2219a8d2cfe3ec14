//! Parquet files of games. Each row group is a piece of text, so that several are decoded at the same time.

mod chunks;
mod footer;
mod held;
mod leaf;
mod levels;
mod numbers;
mod page;
mod prefixes;
mod thrift;

use std::io;
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, LogicalType, Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};

use crate::games::TableGames;
use crate::tabular::choice::{ColumnChoice, ColumnKind, TableColumn};
use crate::tabular::error::{TableError, TableFormat};
use crate::tabular::guard::guard;
use crate::tabular::parquet::chunks::Chunks;
use crate::tabular::parquet::held::{Held, MOST};
use crate::tabular::parquet::leaf::{Account, Leaf, Meaning, leaf};
use crate::tabular::parquet::page::Pages;
use crate::tabular::table::{Cell, Row, Table};
use crate::tabular::text::TableText;
use pgn2fen_bytes::Budget;
use pgn2fen_bytes::Meter;
use pgn2fen_bytes::RandomAccess;
use pgn2fen_bytes::ahead::DecodedPiece;

/// The number of rows that are read together.
const ROWS: usize = 256;

/// The number of rows that are read together if they have lists.
const ROWS_OF_LISTS: usize = 8;

/// Opens the bytes of a file. `wanted` is the name of the column with the moves, if one was given.
pub(crate) fn open(bytes: Arc<dyn RandomAccess>, meter: Meter, wanted: Option<&str>) -> io::Result<TableGames> {
    let length = bytes.length()?;
    let chunks = Chunks::new(bytes, length, meter);
    let damaged = |reason: String| TableError::damaged(TableFormat::Parquet, "in its footer", reason);
    let read = guard(|| {
        let metadata = footer::read(&chunks, length)?;
        let roots = roots(metadata.file_metadata().schema_descr());
        Ok((metadata, roots))
    });
    let (metadata, roots) = read.and_then(|read| read).map_err(damaged)?;
    let columns: Vec<TableColumn> = roots.iter().map(|root| root.column.clone()).collect();
    let choice = ColumnChoice::new(TableFormat::Parquet, &columns, wanted)?;
    check_compression(&metadata, &leaves(&choice, &roots))?;
    Ok(TableGames::new(move |parts| {
        let choice = choice.of_parts(parts);
        let parts = leaves(&choice, &roots);
        let schema = metadata.file_metadata().schema_descr();
        let has_lists = parts.iter().cloned().flatten().any(|leaf| schema.column(leaf).max_rep_level() > 0);
        let rows = if has_lists { ROWS_OF_LISTS } else { ROWS };
        let plan = Arc::new(Plan { chunks, metadata, choice, parts, rows, budget: Budget::new(MOST) });
        let groups = plan.metadata.num_row_groups();
        (0..groups).map(move |group| {
            let text = TableText::reader(RowGroup::open(Arc::clone(&plan), group)?, plan.choice.clone());
            Ok(Box::new(text) as DecodedPiece)
        })
    }))
}

/// Returns the numbers of the leaves of each chosen column.
fn leaves(choice: &ColumnChoice, roots: &[Root]) -> Vec<Range<usize>> {
    choice.columns.iter().map(|column| roots[*column].leaves.clone()).collect()
}

/// Returns an error if one of these leaves has a compression that this crate does not contain.
fn check_compression(metadata: &ParquetMetaData, parts: &[Range<usize>]) -> Result<(), TableError> {
    let leaves = |group: usize| metadata.row_group(group).columns().iter().enumerate();
    let chunks = (0..metadata.num_row_groups()).flat_map(leaves);
    let mut chosen = chunks.filter(|(leaf, _)| parts.iter().any(|part| part.contains(leaf)));
    let name = chosen.find_map(|(_, chunk)| match chunk.compression() {
        Compression::BROTLI(_) => Some("brotli"),
        Compression::LZO => Some("LZO"),
        _ => None,
    });
    name.map_or(Ok(()), |name| Err(TableError::unsupported(TableFormat::Parquet, format!("{name} compression"))))
}

/// The file, and the columns that are read.
struct Plan {
    chunks: Chunks,
    metadata: ParquetMetaData,
    choice: ColumnChoice,
    /// The numbers of the leaves of each chosen column. A map has two.
    parts: Vec<Range<usize>>,
    /// The number of rows that are read together.
    rows: usize,
    /// The memory that the pages of all row groups take together.
    budget: Budget,
}

/// A column at the top of the tree of columns.
struct Root {
    column: TableColumn,
    /// The numbers of its leaves.
    leaves: Range<usize>,
}

/// Returns the columns at the top of the tree.
fn roots(schema: &SchemaDescriptor) -> Vec<Root> {
    let leaves = schema.columns();
    let mut ends = vec![0; schema.root_schema().get_fields().len()];
    for number in 0..leaves.len() {
        ends[schema.get_column_root_idx(number)] = number + 1;
    }
    let mut start = 0;
    let fields = schema.root_schema().get_fields().iter().zip(ends);
    fields
        .map(|(field, end)| {
            // A group without fields has no leaves.
            let leaves_of = start..end.max(start);
            start = leaves_of.end;
            let is_map = matches!(field.get_basic_info().logical_type_ref(), Some(LogicalType::Map))
                || matches!(field.get_basic_info().converted_type(), ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE);
            let (kind, type_name) = kind(&leaves[leaves_of.clone()], is_map, field.is_primitive());
            Root { column: TableColumn { name: field.name().to_owned(), kind, type_name }, leaves: leaves_of }
        })
        .collect()
}

/// Returns the kind of a column with these leaves, and the name of its type.
fn kind(leaves: &[Arc<ColumnDescriptor>], is_map: bool, is_primitive: bool) -> (ColumnKind, String) {
    let is_text =
        |leaf: &ColumnDescriptor| leaf.physical_type() == Type::BYTE_ARRAY && Meaning::of(leaf) == Meaning::Plain;
    let is_number = |leaf: &ColumnDescriptor| {
        let is_number = matches!(leaf.physical_type(), Type::INT32 | Type::INT64 | Type::FLOAT | Type::DOUBLE);
        is_number && matches!(Meaning::of(leaf), Meaning::Plain | Meaning::Unsigned)
    };
    let name = |leaf: &ColumnDescriptor| {
        if is_text(leaf) { "text".to_owned() } else { leaf.physical_type().to_string().to_lowercase() }
    };
    match leaves {
        [leaf] if leaf.max_rep_level() == 0 && is_primitive => match Meaning::of(leaf) {
            Meaning::Opaque => (ColumnKind::Other, name(leaf)),
            _ if is_text(leaf) => (ColumnKind::Text, name(leaf)),
            _ => (ColumnKind::Scalar, name(leaf)),
        },
        [leaf] if leaf.max_rep_level() == 1 && is_text(leaf) => (ColumnKind::Texts, "list of text".to_owned()),
        [leaf] if leaf.max_rep_level() == 1 && is_number(leaf) => {
            (ColumnKind::Numbers, format!("list of {}", name(leaf)))
        }
        [leaf] if leaf.max_rep_level() > 0 => (ColumnKind::Other, format!("list of {}", name(leaf))),
        [key, value] if is_map && key.max_rep_level() == 1 && is_text(key) && is_text(value) => {
            (ColumnKind::Pairs, "map".to_owned())
        }
        _ => (ColumnKind::Other, "nested".to_owned()),
    }
}

/// The rows of a row group.
struct RowGroup {
    plan: Arc<Plan>,
    group: usize,
    held: Arc<Held>,
    /// The leaves of each chosen column.
    columns: Vec<Vec<Box<dyn Leaf>>>,
    /// The number of rows of the group that have not been loaded.
    left: u64,
    /// The number of rows that are loaded, and the place of the current one among them.
    loaded: usize,
    row: usize,
}

impl RowGroup {
    fn open(plan: Arc<Plan>, group: usize) -> io::Result<Self> {
        let left = u64::try_from(plan.metadata.row_group(group).num_rows()).map_err(|_| {
            let place = format!("in row group {}", group + 1);
            TableError::damaged(TableFormat::Parquet, place, "the number of its rows is negative")
        })?;
        let held = Arc::new(Held::new(&plan.budget));
        let mut opened = Self { plan, group, held, columns: Vec::new(), left, loaded: 0, row: 0 };
        for column in 0..opened.plan.parts.len() {
            let leaves = guard(|| opened.plan.parts[column].clone().map(|number| opened.leaf(number)).collect());
            let leaves: Result<Vec<_>, ParquetError> =
                leaves.unwrap_or_else(|reason| Err(ParquetError::General(reason)));
            let leaves = leaves.map_err(|error| opened.damaged(column, &error))?;
            opened.columns.push(leaves);
        }
        Ok(opened)
    }

    /// Opens a leaf of the group.
    fn leaf(&self, number: usize) -> Result<Box<dyn Leaf>, ParquetError> {
        let group = self.plan.metadata.row_group(self.group);
        let failed = |reason: &str| ParquetError::General(reason.to_owned());
        let chunk =
            group.columns().get(number).ok_or_else(|| failed("the row group has fewer columns than the file"))?;
        if !is_sound(chunk) {
            return Err(failed("the place of the column is not in the file"));
        }
        let rows = usize::try_from(self.left).unwrap_or(usize::MAX);
        let account = Account { held: Arc::clone(&self.held), leaf: self.held.leaf() };
        let compression = chunk.compression();
        let bytes = Pages::new(self.plan.chunks.clone(), Arc::clone(&self.held), account.leaf, compression);
        let column = self.plan.metadata.file_metadata().schema_descr().column(number);
        let pages = if Pages::decompresses(compression) {
            let chunk = chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
            SerializedPageReader::new(Arc::new(bytes), &chunk, rows, None)?
        } else {
            SerializedPageReader::new(Arc::new(bytes), chunk, rows, None)?
        };
        Ok(leaf(column, pages, account))
    }

    /// Loads the next rows. Returns false if there are none.
    fn load(&mut self) -> io::Result<bool> {
        let most = self.plan.rows;
        let rows = usize::try_from(self.left).unwrap_or(most).min(most);
        for column in 0..self.columns.len() {
            let loaded = self.columns[column].iter_mut().try_for_each(|leaf| leaf.load(rows));
            loaded.map_err(|error| self.damaged(column, &error))?;
        }
        (self.loaded, self.row) = (rows, 0);
        self.left -= rows as u64;
        Ok(rows > 0)
    }

    /// Returns the error for damage in a chosen column, among the rows that are loaded next.
    fn damaged(&self, column: usize, error: &ParquetError) -> TableError {
        let name = self.plan.parts[column].clone().next().map_or_else(String::new, |leaf| {
            let path = self.plan.metadata.file_metadata().schema_descr().column(leaf);
            path.path().parts().first().map_or_else(String::new, |name| name.chars().take(40).collect())
        });
        let reason = match error {
            ParquetError::NYI(what) => {
                return TableError::unsupported(TableFormat::Parquet, format!("a column {name} ({what})"));
            }
            ParquetError::General(reason) | ParquetError::EOF(reason) => reason.clone(),
            error => error.to_string(),
        };
        TableError::damaged(TableFormat::Parquet, format!("{}, column {name}", self.place()), reason)
    }

    /// Returns the place of the rows that are loaded next, which completes a sentence after "damaged".
    fn place(&self) -> String {
        let rows_of = |group: usize| u64::try_from(self.plan.metadata.row_group(group).num_rows()).unwrap_or(0);
        let before = (0..self.group).map(rows_of).fold(0, u64::saturating_add);
        let first = before.saturating_add(rows_of(self.group).saturating_sub(self.left)).saturating_add(1);
        format!("in row group {}, from row {first} on", self.group + 1)
    }
}

/// Whether the numbers of a column chunk can be places in a file, which the package does not check.
fn is_sound(chunk: &ColumnChunkMetaData) -> bool {
    let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    let end = start.checked_add(chunk.compressed_size());
    start >= 0 && chunk.data_page_offset() >= 0 && chunk.compressed_size() >= 0 && end.is_some()
}

impl Table for RowGroup {
    fn next(&mut self) -> io::Result<bool> {
        self.row += 1;
        Ok(self.row < self.loaded || self.load()?)
    }

    fn damage(&self, reason: &str) -> TableError {
        TableError::damaged(TableFormat::Parquet, self.place(), reason)
    }
}

impl Row for RowGroup {
    fn cell(&self, column: usize) -> Cell<'_> {
        self.columns[column].first().map_or(Cell::Null, |leaf| leaf.cell(self.row))
    }

    fn each(&self, column: usize, take: &mut dyn FnMut(Cell<'_>)) {
        if let Some(leaf) = self.columns[column].first() {
            leaf.each(self.row, &mut |cell| take(cell));
        }
    }

    fn each_pair(&self, column: usize, take: &mut dyn FnMut(Cell<'_>, Cell<'_>)) {
        let [keys, values] = self.columns[column].as_slice() else {
            return;
        };
        // The values are collected, because two columns cannot be passed at once.
        let mut all = Vec::new();
        values.each(self.row, &mut |cell| all.push(cell));
        let mut at = 0;
        keys.each(self.row, &mut |key| {
            let text = all.get(at).copied().filter(|value| matches!(value, Cell::Text(_)));
            take(key, text.unwrap_or(Cell::Null));
            at += 1;
        });
    }
}
