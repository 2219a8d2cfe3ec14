//! The builder for rows of positions.

use std::io::Write;

use crate::columns::Columns;
use crate::columns::column::Column;
use crate::columns::column::error::ColumnError;
use crate::columns::column::set::ColumnSet;
use crate::encode::boards::BoardOptions;
use crate::encode::formats;
use crate::encode::pictures::{DrawnFrom, FileNames, PictureFormat, PictureSink, album};
use crate::error::RowsError;
use crate::format::Format;
use crate::jobs::fens::FenLines;
use crate::jobs::games::{GameFileNames, GameSink, Shares};
use crate::jobs::output::{Print, RowOutput, export, export_blocks, export_parts};
use crate::jobs::parts::PartFiles;
use crate::jobs::position_rows::PositionRows;
use crate::jobs::shared::{Shared, SharedWriter};
use crate::jobs::shuffle::ShuffleOptions;
use crate::jobs::writing::{End, Writing, job, walk, write_methods};
use crate::shape::{Shape, ShapeError};
use pgn2fen_chess::fen::FenStyle;
use pgn2fen_games::pgn::annotation::EvalChoice;
use pgn2fen_games::read_methods;
use pgn2fen_games::selection::{ParseError, PlyRanges, PositionFilter};
use pgn2fen_games::walk::{PositionChoice, ReadChoice};

/// A builder for rows of positions. It sets which games and positions are read, which columns a row has, and which
/// format is written.
///
/// By default a row is a line with a FEN, and every position of every game has a row. Variations are left out.
///
/// ```
/// use pgn2fen_games::database::Database;
/// use pgn2fen_rows::{Format, Rows};
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
    pub(crate) shape: Shape,
    pub(crate) boards: BoardOptions,
    pub(crate) style: FenStyle,
    pub(crate) positions: PositionChoice,
    pub(crate) read: ReadChoice,
    plies: Option<PlyRanges>,
    pub(crate) group: Option<usize>,
    shuffle: Option<ShuffleOptions>,
}

impl Rows {
    /// Creates a builder for lines of FEN for all positions of all games.
    pub fn new() -> Self {
        Self::default()
    }

    read_methods!();
    write_methods!(?);

    /// Creates a builder for rows with these columns, such as `game,ply,san,eval,fen` or the names of tags.
    /// [`Column`](crate::Column) lists all columns. The format is tsv until [`format`](Self::format) sets another.
    ///
    /// # Errors
    ///
    /// A name is not that of a column, or the list is empty.
    pub fn columns(list: &str) -> Result<Self, ColumnError> {
        let columns: Columns = list.parse()?;
        Ok(Self::new().shape(Shape { format: Format::Tsv, columns: Some(columns), no_header: false }))
    }

    /// Sets the format, the columns and whether there is a header row.
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

    /// Sets the options for formats that draw boards.
    #[must_use]
    pub fn boards(self, boards: BoardOptions) -> Self {
        Self { boards, ..self }
    }

    /// Sets the plies to include, instead of those of [`positions`](Self::positions), such as `8..20`, `..30`, `30..`,
    /// `5,9,13`, or `-1` for the last position of a game.
    ///
    /// # Errors
    ///
    /// The range cannot be parsed.
    pub fn plies(mut self, range: &str) -> Result<Self, ParseError> {
        self.plies = Some(range.parse()?);
        Ok(self)
    }

    /// Sets the filter for the positions of a game.
    #[must_use]
    pub fn positions(mut self, filter: PositionFilter) -> Self {
        self.positions.filter = filter;
        self
    }

    /// Keeps only the first of equal positions in all files. This takes about 16 bytes of memory for each different
    /// position, and at least 9 MB.
    #[must_use]
    pub fn unique(mut self, unique: bool) -> Self {
        self.positions.unique = unique;
        self
    }

    /// Keeps only the first of equal positions, like [`unique`](Self::unique), in at most so many bytes of memory. A
    /// run that needs more ends with an error of the kind [`OutOfMemory`](std::io::ErrorKind::OutOfMemory), whose
    /// reason is a [`MemoryLimit`](pgn2fen_games::walk::MemoryLimit).
    #[must_use]
    pub fn unique_within(mut self, bytes: usize) -> Self {
        self.positions.unique = true;
        self.positions.memory = Some(bytes);
        self
    }

    /// Includes the positions of variations, in the order of the text.
    #[must_use]
    pub fn variations(mut self, variations: bool) -> Self {
        self.positions.variations = variations;
        self
    }

    /// Sets the comments in which evaluations are found, for columns, formats and filters.
    ///
    /// ```
    /// use pgn2fen_games::database::Database;
    /// use pgn2fen_games::pgn::annotation::EvalSource;
    /// use pgn2fen_rows::{Format, Rows};
    ///
    /// let games = Database::from(b"1. e4 {+0.31/14 0.5s} e5 {-0.20/13 0.4s} *".to_vec());
    /// let rows = Rows::columns("ply,eval,depth,time")?.format(Format::Csv).evals(EvalSource::Engine);
    /// let (written, _) = rows.write([games], Vec::new())?;
    /// assert_eq!(written, b"ply,eval,depth,time\n0,31,14,0.5\n1,20,13,0.4\n2,,,\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn evals(mut self, choice: impl Into<EvalChoice>) -> Self {
        self.read.evals = Some(choice.into());
        self
    }

    /// Sets the style of the FENs.
    #[must_use]
    pub fn style(self, style: FenStyle) -> Self {
        Self { style, ..self }
    }

    /// Sets the most rows of a Parquet row group or an Arrow record batch.
    #[must_use]
    pub fn group(self, rows: usize) -> Self {
        Self { group: Some(rows), ..self }
    }

    /// Writes the records of the format in a random order: rows or positions, the chains of binpack, and the games of
    /// viriformat. A header row stays in its place. Only the methods that write to a [`Write`](std::io::Write) or to
    /// [parts](Self::begin_parts) do so.
    ///
    /// ```
    /// use pgn2fen_games::database::Database;
    /// use pgn2fen_rows::{Rows, ShuffleOptions};
    ///
    /// let games = Database::from(b"1. e4 e5 2. Nf3 *".to_vec());
    /// let rows = Rows::columns("ply,san")?.shuffle(ShuffleOptions { seed: 2, ..ShuffleOptions::default() });
    /// let (written, _) = rows.write([games], Vec::new())?;
    /// assert_eq!(written, b"ply\tsan\n2\te5\n1\te4\n0\t\n3\tNf3\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shuffle(self, options: ShuffleOptions) -> Self {
        Self { shuffle: Some(options), ..self }
    }

    /// Whether a column, the format or a filter needs evaluations. Otherwise [`evals`](Self::evals) has no effect.
    pub fn reads_evals(&self) -> bool {
        let columns = self.shape.columns().ok().flatten();
        self.positions.filter.reads_evals() || columns.is_some_and(|columns| columns.has().has_any(ColumnSet::SEARCH))
    }

    /// Returns the positions that were chosen.
    pub(crate) fn position_choice(&self) -> PositionChoice {
        let mut positions = self.positions.clone();
        if let Some(plies) = &self.plies {
            positions.filter.plies.clone_from(plies);
        }
        positions
    }

    /// Begins to write to `out`, and returns a job that reads files one after another.
    ///
    /// # Errors
    ///
    /// The format cannot have these columns.
    pub fn begin<'w, W: Write + Send + 'w>(&self, out: W) -> Result<Writing<'w, W>, RowsError> {
        let out = Shared::new(out);
        Ok(Writing::new(self.begin_job(out.writer())?, || out.into_inner()))
    }

    fn begin_job<'w>(&self, out: SharedWriter<'w>) -> Result<Box<dyn End + 'w>, RowsError> {
        if self.shuffle.is_some() {
            return self.begin_records(vec![out], None);
        }
        let (positions, style, read) = (self.position_choice(), self.style, self.read.options());
        let Some(columns) = self.shape.columns()? else {
            return Ok(job(FenLines::new(style, positions), Print::new(out), read));
        };
        let asked = columns.tags().to_vec();
        let format = self.shape.format;
        let columns = if format.has_boards() { self.boards.with_drawn(&columns, Some(format)) } else { columns };
        let output = export(&self.shape, &columns, &self.boards, self.group, out)?;
        let draft = formats::draft(self.shape.format, &columns);
        let rows = PositionRows::new(columns, style, positions, draft).with_tags(asked);
        let walk = walk(rows.with_variants(format.variants()), output, read);
        Ok(Box::new(if self.shape.columns.is_none() { walk.with_optional_tags() } else { walk }))
    }

    /// Begins to write each game to the file of its part, which `sink` creates, and returns a job that reads files one
    /// after another. The files have these names, with the placeholder `{part}`. They are complete at the end.
    ///
    /// All positions of a game, with those of its variations, are in one part. See [`Shares`] for which part that is.
    ///
    /// `GameFiles` of the crate `pgn2fen-files` is such a sink, and has an example.
    ///
    /// # Errors
    ///
    /// The format cannot have these columns, or is not a sequence of records; the names have no placeholder `{part}`,
    /// or another one; or a file cannot be created.
    pub fn begin_parts<'w, S: GameSink + 'w>(
        &self,
        shares: &Shares,
        names: &GameFileNames,
        sink: S,
    ) -> Result<Writing<'w, S>, RowsError> {
        let paths = names.paths_of_parts(shares)?;
        // Files are created if the format can be divided.
        self.shape.columns()?;
        if !self.shape.format.has_records() {
            return Err(ShapeError::NoRecords(self.shape.format).into());
        }
        let sink = Shared::new(sink);
        let begin = |writers| self.begin_records(writers, Some(shares.clone()));
        let job = PartFiles::create(&paths, sink.clone(), begin)?;
        Ok(Writing::new(Box::new(job), || sink.into_inner()))
    }

    /// Begins to write records to the files of parts, or in random order to one.
    fn begin_records<'w>(
        &self,
        writers: Vec<SharedWriter<'w>>,
        shares: Option<Shares>,
    ) -> Result<Box<dyn End + 'w>, RowsError> {
        let lines = || Shape { format: Format::Tsv, columns: Some(Columns::new([Column::Fen])), no_header: true };
        // Lines of FEN are rows of one column.
        let (shape, columns) = match self.shape.columns()? {
            Some(columns) => (self.shape.clone(), columns),
            None => (lines(), Columns::new([Column::Fen])),
        };
        let output = export_parts(&shape, &columns, writers, self.shuffle.as_ref())?;
        let draft = formats::draft(shape.format, &columns);
        let rows = PositionRows::new(columns, self.style, self.position_choice(), draft).with_shares(shares);
        let rows = rows.with_variants(shape.format.variants());
        let walk = walk(rows, output, self.read.options());
        Ok(Box::new(if shape.columns.is_none() { walk.with_optional_tags() } else { walk }))
    }

    /// Begins to write blocks of columns, whose layout is that of `formats/blocks`. The format is ignored. If no
    /// columns were set, there is one column, `fen`.
    #[doc(hidden)]
    pub fn begin_blocks<'w, W: Write + Send + 'w>(&self, out: W) -> Writing<'w, W> {
        let out = Shared::new(out);
        let columns = self.block_columns();
        let output = export_blocks(&columns, self.group, out.writer());
        let rows = PositionRows::new(columns, self.style, self.position_choice(), None);
        Writing::new(job(rows, output, self.read.options()), || out.into_inner())
    }

    /// Returns the columns of [`begin_blocks`](Self::begin_blocks).
    #[doc(hidden)]
    pub fn block_columns(&self) -> Columns {
        self.shape.columns.clone().unwrap_or_else(|| Columns::new([Column::Fen]))
    }

    /// Begins to draw each position as a picture for a file of its own, and returns a job that reads files one after
    /// another. The format and the columns of the rows are ignored.
    pub fn begin_pictures<'w, S: PictureSink + 'w>(
        &self,
        format: PictureFormat,
        names: FileNames,
        sink: S,
    ) -> Writing<'w, S> {
        let sink = Shared::new(sink);
        let asked = names.tags().to_vec();
        let album = album(format, names, (&self.boards, DrawnFrom::Positions), sink.clone());
        let job = self.begin_album(album, asked);
        Writing::new(job, || sink.into_inner())
    }

    /// Begins to draw pictures, whose names are made of these tags.
    fn begin_album<'w>(&self, album: RowOutput<'w>, asked: Vec<Box<str>>) -> Box<dyn End + 'w> {
        let columns = album.columns().clone();
        let rows = PositionRows::new(columns, self.style, self.position_choice(), None).with_tags(asked);
        job(rows, album, self.read.options())
    }
}
