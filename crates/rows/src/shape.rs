//! Format, columns and header row, and which of them go together.

use std::error::Error;
use std::fmt;

use crate::columns::Columns;
use crate::columns::column::Column;
use crate::columns::operations;
use crate::encode::caption::{self, Caption};
use crate::format::Format;

/// The shape of the output: format, columns and header row.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The format of the rows.
    pub format: Format,
    /// The columns that the user chose. `None` means the default columns of the format.
    pub columns: Option<Columns>,
    /// Whether the header row is left out.
    pub no_header: bool,
}

impl Shape {
    /// Returns the columns of the rows, or `None` for the format [`Format::Fen`].
    ///
    /// # Errors
    ///
    /// The format cannot have these columns, or has no header row to leave out.
    pub fn columns(&self) -> Result<Option<Columns>, ShapeError> {
        let chosen = self.columns.as_ref();
        if chosen.is_some() && !self.format.has_columns() {
            return Err(ShapeError::NoColumns(self.format));
        }
        if self.no_header && !self.format.has_header() {
            return Err(ShapeError::NoHeader(self.format));
        }
        Ok(Some(match self.format {
            Format::Fen => return Ok(None),
            Format::Uci => Columns::new([Column::Fen]),
            Format::Bullet => Columns::new([Column::Fen, Column::Eval, Column::Result]),
            Format::Bulletformat => Columns::new([Column::Eval, Column::Result, Column::PackedPosition]),
            Format::Viri | Format::Binpack => {
                let packed = [Column::PackedPosition, Column::PackedMove];
                Columns::new([Column::Eval, Column::Result, Column::Variation].into_iter().chain(packed))
            }
            Format::Plain => {
                let packed = [Column::PackedPosition, Column::PackedMove];
                Columns::new([Column::Fen, Column::Eval, Column::Result, Column::NextUci].into_iter().chain(packed))
            }
            Format::Epd => {
                let chosen = chosen.into_iter().flatten();
                if chosen.clone().filter(|column| !operations::has_opcode(column)).count() > operations::MOST_COMMENTS {
                    return Err(ShapeError::TooManyComments);
                }
                Columns::new([Column::Fen, Column::Operations].into_iter().chain(chosen.cloned()))
            }
            // The columns of the caption come first, then those that the board is drawn from.
            Format::Html | Format::Anki => {
                let drawn = [Column::Fen, Column::Uci, Column::San, Column::Variant];
                Columns::new(self.caption_columns().iter().cloned().chain(drawn))
            }
            _ => chosen.cloned().unwrap_or_default(),
        }))
    }

    /// Returns the columns of a caption.
    fn caption_columns(&self) -> Columns {
        self.columns.clone().unwrap_or_else(caption::of_positions)
    }

    /// Returns the caption of a board.
    pub(crate) fn caption(&self) -> Caption {
        Caption::new(&self.caption_columns(), self.columns.is_none())
    }
}

/// The last words of a list of formats: those with types, as far as they are written here.
const TYPED: &str = if cfg!(feature = "parquet") { ", arrow or parquet" } else { " or arrow" };

/// The error for a [`Shape`] whose parts do not go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeError {
    /// The columns of the format cannot be chosen.
    NoColumns(Format),
    /// The format has no header row that could be left out.
    NoHeader(Format),
    /// There are more columns than an EPD has comments for.
    TooManyComments,
    /// The format has no lists, which rows of whole games have.
    NoLists(Format),
    /// The format is not a sequence of records that may have any order.
    NoRecords(Format),
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoColumns(format) => {
                write!(f, "the format {} has no columns to choose; use tsv, csv, jsonl, epd{TYPED}", format.name())
            }
            Self::NoHeader(format) => {
                write!(f, "the format {} has no header row; only tsv and csv have one", format.name())
            }
            Self::NoLists(format) => {
                write!(f, "the format {} has no lists for the moves of a game; use jsonl{TYPED}", format.name())
            }
            Self::NoRecords(format) => {
                write!(
                    f,
                    "the format {} cannot be shuffled or split, because its rows are not independent records; use a \
                     text format or one for trainers, or shuffle and split the games with pgn2fen games",
                    format.name()
                )
            }
            Self::TooManyComments => {
                write!(
                    f,
                    "an EPD has room for {} columns besides fen, next_san, eval, depth, nodes, result, eco and its \
                     operations",
                    operations::MOST_COMMENTS
                )
            }
        }
    }
}

impl Error for ShapeError {}
