//! Tables → bytes of a format, in the stages of a parallel walk.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::rows::column::Columns;
use crate::rows::format::Format;
use crate::rows::group::{Group, Grouping, Piece};
use crate::rows::left_out::LeftOut;
use crate::rows::parquet_file;
use crate::rows::table::{Place, Table};
use crate::rows::{arrow, text};
use crate::tables::parquet_file::{ParquetFile, RowGroup, RowGroups};
use crate::walk::Stretch;

/// Rows could not be brought into a format.
#[derive(Debug)]
pub struct ExportError(Box<dyn Error + Send + Sync>);

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot encode the rows: {}", self.0)
    }
}

impl Error for ExportError {}

impl ExportError {
    fn new(error: impl Error + Send + Sync + 'static) -> Self {
        Self(Box::new(error))
    }
}

/// Begins to write rows: who collects them in order, who encodes them on any thread, and who puts together what they became.
///
/// # Errors
///
/// The columns cannot be had in this format.
pub(crate) fn begin(
    format: Format,
    columns: &Columns,
    no_header: bool,
) -> Result<(Collector, Encoder, Assembler), ExportError> {
    let schema = arrow::schema(columns);
    let mut ready = Vec::new();
    let (mut file, mut row_groups) = (None, None);
    match format {
        Format::Csv if !no_header => text::csv_header(columns, &mut ready),
        Format::Tsv if !no_header => text::tsv_header(columns, &mut ready),
        Format::Arrow => arrow::stream_header(&schema, &mut ready).map_err(ExportError::new)?,
        Format::Parquet => {
            let (groups, begun) = parquet_file::begin(columns).map_err(ExportError::new)?;
            (file, row_groups) = (Some(begun), Some(groups));
        }
        _ => {}
    }
    let grouping = match format {
        Format::Arrow => Some(Grouping::new(arrow::ROWS)),
        Format::Parquet => Some(Grouping::new(parquet_file::ROWS)),
        _ => None,
    };
    let collector = Collector { grouping, held: None, file: None, games: 0, has_lines: columns.has().line };
    let encoder = Encoder { format, columns: columns.clone(), schema, row_groups };
    Ok((collector, encoder, Assembler { format, file, ready }))
}

/// Tells tables where they lie, and divides their rows into groups that do not depend on where the database was cut.
#[derive(Debug)]
pub(crate) struct Collector {
    /// None where each table is a group.
    grouping: Option<Grouping>,
    /// The tables so far, if they wait until all have been taken.
    held: Option<Vec<Table>>,
    file: Option<Arc<str>>,
    games: u64,
    has_lines: bool,
}

impl Collector {
    /// The same, with at most so many rows in a group, of those formats that have groups.
    #[must_use]
    pub(crate) fn with_group(mut self, rows: usize) -> Self {
        self.grouping = self.grouping.map(|_| Grouping::new(rows));
        self
    }

    /// The same, holding the tables until it is known how many games their rows stand for. Memory grows with the rows.
    #[must_use]
    pub(crate) fn held(self) -> Self {
        Self { held: Some(Vec::new()), ..self }
    }

    /// Says how many games the rows stand for that are held.
    pub(crate) fn count(&mut self, mut counts: &[u64]) {
        for table in self.held.iter_mut().flatten() {
            let (own, others) = counts.split_at(table.len().min(counts.len()));
            table.count(own);
            counts = others;
        }
    }

    /// The following tables are of this file.
    pub(crate) fn begin_file(&mut self, name: &str) {
        self.file = Some(name.into());
        self.games = 0;
    }

    /// Takes the next table, which was read from this stretch. What can be encoded then is put into the product.
    pub(crate) fn collect(&mut self, table: &mut Table, stretch: &Stretch<'_>, product: &mut Product) {
        let lines = if self.has_lines { stretch.line() } else { 0 };
        table.place(Place { file: self.file.clone(), games: self.games, lines });
        self.games += stretch.games;
        if table.is_empty() {
            return;
        }
        let mut table = std::mem::take(table);
        match &mut self.held {
            Some(held) => {
                table.compact();
                held.push(table);
            }
            None => self.group(table, product),
        }
    }

    fn group(&mut self, table: Table, product: &mut Product) {
        match &mut self.grouping {
            Some(grouping) => grouping.add(table, &mut product.groups),
            None => {
                let rows = table.len();
                let piece = Piece { table: Arc::new(table), rows: 0..rows };
                product.groups.push(Group { pieces: vec![piece], rows });
            }
        }
    }

    /// The rows that are left when all tables have been taken.
    pub(crate) fn end(mut self, product: &mut Product) {
        for table in self.held.take().into_iter().flatten() {
            self.group(table, product);
        }
        let last = self.grouping.as_mut().map(Grouping::end);
        product.groups.extend(last.filter(|group| group.rows > 0));
    }
}

/// What becomes of rows: groups at first, then bytes.
#[derive(Default)]
pub(crate) struct Product {
    groups: Vec<Group>,
    bytes: Vec<u8>,
    row_groups: Vec<RowGroup>,
    left_out: LeftOut,
    failure: Option<ExportError>,
}

impl fmt::Debug for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Product").field("bytes", &self.weight()).finish_non_exhaustive()
    }
}

impl Product {
    /// Makes it empty, keeping its memory.
    pub(crate) fn clear(&mut self) {
        self.groups.clear();
        self.bytes.clear();
        self.row_groups.clear();
        self.left_out = LeftOut::default();
        self.failure = None;
    }

    /// How many bytes it has become.
    pub(crate) fn weight(&self) -> usize {
        self.bytes.len() + self.row_groups.iter().map(RowGroup::weight).sum::<usize>()
    }

    /// Which rows the format had no use for.
    pub(crate) fn left_out(&self) -> LeftOut {
        self.left_out
    }
}

/// Encodes groups of rows, on any thread.
pub(crate) struct Encoder {
    format: Format,
    columns: Columns,
    schema: arrow_schema::SchemaRef,
    row_groups: Option<RowGroups>,
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("format", &self.format).field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl Encoder {
    /// Encodes what is in the product. Gives a table back that is no more needed, for its memory.
    pub(crate) fn encode(&self, product: &mut Product) -> Option<Table> {
        let mut spare = None;
        for group in std::mem::take(&mut product.groups) {
            if let Err(error) = self.encode_group(&group, product) {
                product.failure = Some(error);
            }
            spare = group.pieces.into_iter().filter_map(|piece| Arc::into_inner(piece.table)).next_back().or(spare);
        }
        if let Some(table) = &mut spare {
            table.clear();
        }
        spare
    }

    fn encode_group(&self, group: &Group, product: &mut Product) -> Result<(), ExportError> {
        let batch = || arrow::record_batch(&self.schema, &self.columns, group).map_err(ExportError::new);
        match self.format {
            Format::Arrow => arrow::stream_message(&batch()?, &mut product.bytes).map_err(ExportError::new)?,
            Format::Parquet => {
                if let Some(row_groups) = &self.row_groups {
                    let encoded = parquet_file::encode(row_groups, &self.columns, group).map_err(ExportError::new)?;
                    product.row_groups.push(encoded);
                }
            }
            Format::Bullet => {
                for piece in &group.pieces {
                    product.left_out += text::bullet(piece, &mut product.bytes);
                }
            }
            Format::Fen => self.encode_lines(group, product, text::fen),
            Format::Epd => self.encode_lines(group, product, text::epd),
            Format::Tsv => self.encode_lines(group, product, text::tsv),
            Format::Csv => self.encode_lines(group, product, text::csv),
            Format::Jsonl => self.encode_lines(group, product, text::jsonl),
            Format::Uci => self.encode_lines(group, product, text::uci),
        }
        Ok(())
    }

    fn encode_lines(&self, group: &Group, product: &mut Product, lines: impl Fn(&Columns, &Piece, &mut Vec<u8>)) {
        for piece in &group.pieces {
            lines(&self.columns, piece, &mut product.bytes);
        }
    }
}

/// Puts together what rows became, in order.
pub(crate) struct Assembler {
    format: Format,
    file: Option<ParquetFile>,
    /// Bytes that have not been taken.
    ready: Vec<u8>,
}

impl fmt::Debug for Assembler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assembler").field("format", &self.format).finish_non_exhaustive()
    }
}

impl Assembler {
    /// What comes before all rows.
    pub(crate) fn head(&self) -> &[u8] {
        &self.ready
    }

    /// Takes the next product and gives the next bytes of the output.
    ///
    /// # Errors
    ///
    /// Its rows could not be encoded.
    pub(crate) fn assemble<'a>(&'a mut self, product: &'a mut Product) -> Result<&'a [u8], ExportError> {
        if let Some(failure) = product.failure.take() {
            return Err(failure);
        }
        let Some(file) = &mut self.file else {
            return Ok(&product.bytes);
        };
        self.ready.clear();
        for group in product.row_groups.drain(..) {
            file.append(group).map_err(ExportError::new)?;
        }
        file.take(&mut self.ready).map_err(ExportError::new)?;
        Ok(&self.ready)
    }

    /// What comes behind all rows.
    ///
    /// # Errors
    ///
    /// The end of the file cannot be encoded.
    pub(crate) fn end(self) -> Result<Vec<u8>, ExportError> {
        let mut last = Vec::new();
        match (self.format, self.file) {
            (Format::Arrow, _) => arrow::stream_end(&mut last),
            (_, Some(file)) => file.end(&mut last).map_err(ExportError::new)?,
            (_, None) => {}
        }
        Ok(last)
    }
}
