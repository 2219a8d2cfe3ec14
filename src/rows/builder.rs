//! Rows of positions, from files to a writer or to Arrow.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};

use crate::fen::FenStyle;
use crate::parallel::{Workers, WorkersError};
use crate::rows::column::{ColumnError, Columns};
use crate::rows::error::ExportError;
use crate::rows::fens::FenLines;
use crate::rows::format::Format;
use crate::rows::make::PositionRows;
use crate::rows::output::{Export, Print, WriteError};
use crate::rows::shape::{Shape, ShapeError};
use crate::rows::writing::Writing;
use crate::selection::{Mistake, PositionFilter};
use crate::walk::{Input, Job, Listener, PositionChoice, ReadError, ReadOptions, Totals, Walk, read_all};

/// Rows of the positions of games: which games and positions, what a row says, and how it is written.
///
/// By default a row is a line with the FEN of a position, and every position of every game has one. Variations are left out.
///
/// ```
/// use pgn2fen::database::Database;
/// use pgn2fen::rows::{Format, Rows};
///
/// let games = b"[White \"A\"]\n[WhiteElo \"2412\"]\n\n1. e4 c5 *\n[White \"B\"]\n\n1. d4 *".to_vec();
/// let rows = Rows::columns("White,ply,san")?.tags("WhiteElo>=2200")?.format(Format::Csv);
/// let (written, totals) = rows.write([Database::from(games)], Vec::new())?;
/// assert_eq!(written, b"White,ply,san\nA,0,\nA,1,e4\nA,2,c5\n");
/// assert_eq!((totals.count.games, totals.count.wanted), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub(super) shape: Shape,
    pub(super) style: FenStyle,
    pub(super) positions: PositionChoice,
    pub(super) read: ReadOptions,
    pub(super) threads: usize,
    pub(super) group: Option<usize>,
}

impl Rows {
    /// Returns lines of FEN for all positions of all games.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns rows with these columns, such as `game,ply,san,eval,fen` or the names of tags, in tsv or another
    /// [format](Self::format). [`Column`](crate::rows::Column) has the list.
    ///
    /// # Errors
    ///
    /// There is no column of that name.
    pub fn columns(list: &str) -> Result<Self, ColumnError> {
        let columns: Columns = list.parse()?;
        Ok(Self::new().shape(Shape { format: Format::Tsv, columns: Some(columns), no_header: false }))
    }

    /// Sets format, columns and header row.
    #[must_use]
    pub fn shape(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// Sets the format.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.shape.format = format;
        self
    }

    /// Leaves out games for which a filter does not hold, such as `WhiteElo>=2200`. All filters that are set must hold.
    ///
    /// # Errors
    ///
    /// The filter cannot be read.
    pub fn tags(mut self, filter: &str) -> Result<Self, Mistake> {
        self.read.games.tags.push(filter.parse()?);
        Ok(self)
    }

    /// Leaves out positions outside a range of plies, such as `8..20`, `..30`, `30..` or `-1` for the last.
    ///
    /// # Errors
    ///
    /// The range cannot be read.
    pub fn plies(mut self, range: &str) -> Result<Self, Mistake> {
        self.positions.filter.plies = range.parse()?;
        Ok(self)
    }

    /// Sets which positions of a game are wanted.
    #[must_use]
    pub fn positions(mut self, filter: PositionFilter) -> Self {
        self.positions.filter = filter;
        self
    }

    /// Keeps only the first of equal positions. Memory grows by 17 to 37 bytes for each.
    #[must_use]
    pub fn unique(mut self, unique: bool) -> Self {
        self.positions.unique = unique;
        self
    }

    /// Includes the positions of variations, in the order of the text.
    #[must_use]
    pub fn variations(mut self, variations: bool) -> Self {
        self.positions.variations = variations;
        self
    }

    /// Stops after this many games that are wanted.
    #[must_use]
    pub fn max_games(mut self, games: u64) -> Self {
        self.read.max_games = Some(games);
        self
    }

    /// Sets how positions are written.
    #[must_use]
    pub fn style(self, style: FenStyle) -> Self {
        Self { style, ..self }
    }

    /// Sets which games are read, and how they are understood.
    #[must_use]
    pub fn read_options(self, read: ReadOptions) -> Self {
        Self { read, ..self }
    }

    /// Sets the number of threads; 0, the default, is one a core.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets how many rows a row group of Parquet or a record batch of Arrow has at most.
    #[must_use]
    pub fn group(self, rows: usize) -> Self {
        Self { group: Some(rows), ..self }
    }

    /// Begins to write to `out`; the files are then read one after another.
    ///
    /// # Errors
    ///
    /// The format cannot have these columns.
    pub fn begin<'w, W: Write + Send + 'w>(&self, out: W) -> Result<Writing<'w, W>, RowsError> {
        let (positions, style, read) = (self.positions, self.style, self.read.clone());
        let Some(columns) = self.shape.columns()? else {
            return Ok(Writing::new(Walk::new(FenLines { style, positions }, Print::new(out), read)));
        };
        let output = Export::begin(&self.shape, &columns, self.group, out)?;
        Ok(Writing::new(Walk::new(PositionRows { columns, style, positions }, output, read)))
    }

    /// Reads databases and writes their rows to `out`. Gives the writer back, and how much was read.
    ///
    /// # Errors
    ///
    /// The format cannot have the columns, a file cannot be read, or the output cannot be written.
    pub fn write<W: Write + Send>(
        &self,
        inputs: impl IntoIterator<Item: Into<Input>>,
        out: W,
    ) -> Result<(W, Totals), RowsError> {
        self.write_with(inputs, out, &mut ())
    }

    /// Does the same as [`write`](Self::write), and tells a listener what is wrong in the databases.
    ///
    /// # Errors
    ///
    /// The same as of `write`.
    pub fn write_with<W: Write + Send>(
        &self,
        inputs: impl IntoIterator<Item: Into<Input>>,
        out: W,
        listener: &mut dyn Listener,
    ) -> Result<(W, Totals), RowsError> {
        let workers = Workers::new(self.threads)?;
        let mut run = self.begin(out)?;
        read_all(&mut run, &workers, inputs, listener)?;
        let totals = run.totals();
        let (out, _) = run.end()?;
        Ok((out, totals))
    }
}

/// Rows could not be made or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum RowsError {
    /// The format cannot have these columns.
    Shape(ShapeError),
    /// A column or value cannot be encoded.
    Encode(ExportError),
    /// A file cannot be read.
    Read(ReadError),
    /// The output cannot be written.
    Write(WriteError),
    /// Threads cannot be started.
    Workers(WorkersError),
    /// The thread that makes record batches cannot be started.
    Thread(io::Error),
}

impl RowsError {
    fn inner(&self) -> &(dyn Error + 'static) {
        match self {
            Self::Shape(error) => error,
            Self::Encode(error) => error,
            Self::Read(error) => error,
            Self::Write(error) => error,
            Self::Workers(error) => error,
            Self::Thread(error) => error,
        }
    }
}

impl fmt::Display for RowsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.inner(), f)
    }
}

impl Error for RowsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.inner().source()
    }
}

impl From<ShapeError> for RowsError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

impl From<ExportError> for RowsError {
    fn from(error: ExportError) -> Self {
        Self::Encode(error)
    }
}

impl From<ReadError> for RowsError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<WriteError> for RowsError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl From<WorkersError> for RowsError {
    fn from(error: WorkersError) -> Self {
        Self::Workers(error)
    }
}
