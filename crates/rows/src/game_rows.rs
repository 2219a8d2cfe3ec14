//! The builder for rows of whole games.

use std::io::Write;

use crate::boards::BoardOptions;
use crate::column::{ColumnError, Columns};
use crate::error::RowsError;
use crate::format::Format;
use crate::game_make::WholeGames;
use crate::output::Export;
use crate::shape::{Shape, ShapeError};
use crate::writing::Writing;
use pgn2fen_chess::fen::FenStyle;
use pgn2fen_games::pgn::annotation::EvalSource;
use pgn2fen_games::selection::Mistake;
use pgn2fen_games::walk::{Input, Listener, ReadOptions, Totals, Walk};

/// A builder for rows of whole games: one row for each game, with its tags, its moves, evaluations and clocks as lists,
/// and its result.
///
/// The format is [`Format::Jsonl`] until [`format`](Self::format) sets another one that has lists, Arrow or Parquet.
///
/// ```
/// use pgn2fen_games::database::Database;
/// use pgn2fen_rows::GameRows;
///
/// let games = b"[White \"A\"]\n\n1. e4 { [%eval 0.2] } e5 1-0".to_vec();
/// let rows = GameRows::columns("White,moves,evals,result")?;
/// let (written, totals) = rows.write([Database::from(games)], Vec::new())?;
/// assert_eq!(written, br#"{"White":"A","moves":["e2e4","e7e5"],"evals":[20,null],"result":"1-0"}
/// "#);
/// assert_eq!(totals.count.games, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameRows {
    format: Format,
    /// None for the default columns.
    pub(super) columns: Option<Columns>,
    pub(super) style: FenStyle,
    pub(super) read: ReadOptions,
    pub(super) threads: usize,
    group: Option<usize>,
}

/// The most rows of a group. The moves of this many games take some megabytes.
const GROUP: usize = 8 * 1024;

impl Default for GameRows {
    fn default() -> Self {
        Self::new()
    }
}

impl GameRows {
    /// Creates a builder for rows with the columns [`Columns::games`].
    pub fn new() -> Self {
        Self {
            format: Format::Jsonl,
            columns: None,
            style: FenStyle::default(),
            read: ReadOptions::default(),
            threads: 0,
            group: None,
        }
    }

    /// Creates a builder for rows with these columns, such as `White,Black,moves,result`: see [`Columns::of_games`].
    ///
    /// # Errors
    ///
    /// A name is not that of a column, or the list is empty.
    pub fn columns(list: &str) -> Result<Self, ColumnError> {
        Ok(Self { columns: Some(Columns::of_games(list)?), ..Self::new() })
    }

    /// Sets the columns. None for the default columns.
    #[must_use]
    pub fn with_columns(self, columns: Option<Columns>) -> Self {
        Self { columns, ..self }
    }

    /// Sets the format.
    #[must_use]
    pub fn format(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// Adds a filter for games, such as `WhiteElo>=2200`: see [`TagFilter`](pgn2fen_games::selection::TagFilter). Games
    /// must pass all filters.
    ///
    /// # Errors
    ///
    /// The filter cannot be parsed.
    pub fn tags(mut self, filter: &str) -> Result<Self, Mistake> {
        self.read.games.tags.push(filter.parse()?);
        Ok(self)
    }

    /// Adds a filter for the opening of games, such as `Najdorf` or `B9`: see
    /// [`OpeningFilter`](pgn2fen_games::selection::OpeningFilter). With several of these filters, games must pass one
    /// of them.
    ///
    /// # Errors
    ///
    /// The filter cannot be parsed.
    pub fn opening(mut self, filter: &str) -> Result<Self, Mistake> {
        self.read.games.openings.push(filter.parse()?);
        Ok(self)
    }

    /// Sets the comments in which evaluations are found, for the column `evals`. [`read_options`](Self::read_options)
    /// sets them, too.
    #[must_use]
    pub fn evals(mut self, source: EvalSource) -> Self {
        self.read.replay.evals = source;
        self
    }

    /// Stops after this many games that pass the filters.
    #[must_use]
    pub fn max_games(mut self, games: u64) -> Self {
        self.read.max_games = Some(games);
        self
    }

    /// Sets the style of the FENs in the column `start`.
    #[must_use]
    pub fn style(self, style: FenStyle) -> Self {
        Self { style, ..self }
    }

    /// Sets which games are read, and how their text is interpreted.
    #[must_use]
    pub fn read_options(self, read: ReadOptions) -> Self {
        Self { read, ..self }
    }

    /// Sets the number of threads. The default, 0, means one thread for each core.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets the most rows of a Parquet row group or an Arrow record batch. The default is 8,192.
    #[must_use]
    pub fn group(self, rows: usize) -> Self {
        Self { group: Some(rows), ..self }
    }

    /// Whether a column needs evaluations. Otherwise [`evals`](Self::evals) has no effect.
    pub fn reads_evals(&self) -> bool {
        self.row_columns().has().evals
    }

    /// Begins to write to `out`, and returns a job that reads files one after another.
    ///
    /// # Errors
    ///
    /// The format has no lists.
    pub fn begin<'w, W: Write + Send + 'w>(&self, out: W) -> Result<Writing<'w, W>, RowsError> {
        if !self.format.has_lists() {
            return Err(ShapeError::NoLists(self.format).into());
        }
        let columns = self.row_columns();
        let shape = Shape { format: self.format, columns: Some(columns.clone()), no_header: false };
        let output = Export::begin(&shape, &columns, &BoardOptions::default(), Some(self.most_rows()), out)?;
        let walk = Walk::new(WholeGames { columns, style: self.style }, output, self.read.clone());
        Ok(Writing::new(if self.columns.is_none() { walk.with_optional_tags() } else { walk }))
    }

    /// Reads databases and writes their rows to `out`. Returns the writer, and the totals of what was read.
    ///
    /// # Errors
    ///
    /// The format has no lists, a file cannot be read, or the output cannot be written.
    pub fn write<W: Write + Send>(
        &self,
        inputs: impl IntoIterator<Item: Into<Input>>,
        out: W,
    ) -> Result<(W, Totals), RowsError> {
        self.write_with(inputs, out, &mut ())
    }

    /// Reads databases and writes their rows like [`write`](Self::write), and reports problems in the databases to a
    /// listener.
    ///
    /// # Errors
    ///
    /// The format has no lists, a file cannot be read, or the output cannot be written.
    pub fn write_with<W: Write + Send>(
        &self,
        inputs: impl IntoIterator<Item: Into<Input>>,
        out: W,
        listener: &mut dyn Listener,
    ) -> Result<(W, Totals), RowsError> {
        self.begin(out)?.read_all(self.threads, inputs, listener)
    }

    pub(super) fn row_columns(&self) -> Columns {
        self.columns.clone().unwrap_or_else(Columns::games)
    }

    pub(super) fn most_rows(&self) -> usize {
        self.group.unwrap_or(GROUP)
    }
}
