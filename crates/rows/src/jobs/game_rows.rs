//! The builder for rows of whole games.

use std::io::Write;

use crate::columns::Columns;
use crate::columns::column::Column;
use crate::columns::column::error::ColumnError;
use crate::columns::column::set::ColumnSet;
use crate::encode::boards::BoardOptions;
use crate::error::RowsError;
use crate::format::Format;
use crate::jobs::output::{RowOutput, export, export_blocks};
use crate::jobs::shared::{Shared, SharedWriter};
use crate::jobs::whole_games::WholeGames;
use crate::jobs::writing::{End, Writing, walk, write_methods};
use crate::shape::{Shape, ShapeError};
use pgn2fen_chess::fen::FenStyle;
use pgn2fen_games::pgn::annotation::EvalChoice;
use pgn2fen_games::read_methods;
use pgn2fen_games::walk::ReadChoice;

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
    pub(crate) columns: Option<Columns>,
    pub(crate) style: FenStyle,
    pub(crate) read: ReadChoice,
    group: Option<usize>,
    pub(crate) has_refused: bool,
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
            read: ReadChoice::default(),
            group: None,
            has_refused: false,
        }
    }

    read_methods!();
    write_methods!(?);

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

    /// Sets the comments in which evaluations are found, for the column `evals`.
    #[must_use]
    pub fn evals(mut self, choice: impl Into<EvalChoice>) -> Self {
        self.read.evals = Some(choice.into());
        self
    }

    /// Sets the style of the FENs in the column `start`.
    #[must_use]
    pub fn style(self, style: FenStyle) -> Self {
        Self { style, ..self }
    }

    /// Sets the most rows of a Parquet row group or an Arrow record batch. The default is 8,192.
    #[must_use]
    pub fn group(self, rows: usize) -> Self {
        Self { group: Some(rows), ..self }
    }

    /// Sets whether games without a usable starting position have a row, too: their tags, and no moves. Otherwise they
    /// are only reported.
    #[doc(hidden)]
    #[must_use]
    pub fn refused(self, has_refused: bool) -> Self {
        Self { has_refused, ..self }
    }

    /// Whether a column needs evaluations. Otherwise [`evals`](Self::evals) has no effect.
    pub fn reads_evals(&self) -> bool {
        self.row_columns().has().has_any(ColumnSet::REVIEW.with(&Column::Evals))
    }

    /// Begins to write to `out`, and returns a job that reads files one after another.
    ///
    /// # Errors
    ///
    /// The format has no lists.
    pub fn begin<'w, W: Write + Send + 'w>(&self, out: W) -> Result<Writing<'w, W>, RowsError> {
        let out = Shared::new(out);
        Ok(Writing::new(self.begin_job(out.writer())?, || out.into_inner()))
    }

    fn begin_job<'w>(&self, out: SharedWriter<'w>) -> Result<Box<dyn End + 'w>, RowsError> {
        if !self.format.has_lists() {
            return Err(ShapeError::NoLists(self.format).into());
        }
        let columns = self.row_columns();
        let shape = Shape { format: self.format, columns: Some(columns.clone()), no_header: false };
        let output = export(&shape, &columns, &BoardOptions::default(), Some(self.most_rows()), out)?;
        Ok(self.job(columns, output))
    }

    fn job<'w>(&self, columns: Columns, output: RowOutput<'w>) -> Box<dyn End + 'w> {
        let walk =
            walk(WholeGames { columns, style: self.style, has_refused: self.has_refused }, output, self.read.options());
        Box::new(if self.columns.is_none() { walk.with_optional_tags() } else { walk })
    }

    /// Begins to write blocks of columns, whose layout is that of `formats/blocks`. The format is ignored.
    #[doc(hidden)]
    pub fn begin_blocks<'w, W: Write + Send + 'w>(&self, out: W) -> Writing<'w, W> {
        let out = Shared::new(out);
        let columns = self.row_columns();
        let output = export_blocks(&columns, Some(self.most_rows()), out.writer());
        Writing::new(self.job(columns, output), || out.into_inner())
    }

    /// Returns the columns of [`begin_blocks`](Self::begin_blocks).
    #[doc(hidden)]
    pub fn block_columns(&self) -> Columns {
        self.row_columns()
    }

    pub(crate) fn row_columns(&self) -> Columns {
        self.columns.clone().unwrap_or_else(Columns::games)
    }

    pub(crate) fn most_rows(&self) -> usize {
        self.group.unwrap_or(GROUP)
    }
}
