//! What a user may ask of rows, and what goes together.

use std::error::Error;
use std::fmt;

use crate::rows::column::{Column, Columns};
use crate::rows::format::Format;
use crate::rows::formats::epd;

/// What is to be made of rows.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// How they are written.
    pub format: Format,
    /// What they say, as the user chose it; None for what the format says by itself.
    pub columns: Option<Columns>,
    /// Whether the names of the columns are left out, where a format has them.
    pub no_header: bool,
}

impl Shape {
    /// The columns that must be filled; None where lines of FEN are all there is.
    ///
    /// # Errors
    ///
    /// The format does not have these columns.
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
            Format::Epd => {
                let chosen = chosen.into_iter().flatten();
                if chosen.clone().filter(|column| !epd::has_opcode(column)).count() > epd::MOST_COMMENTS {
                    return Err(ShapeError::TooManyComments);
                }
                Columns::new([Column::Fen].into_iter().chain(chosen.cloned()))
            }
            _ => chosen.cloned().unwrap_or_default(),
        }))
    }
}

/// Why rows cannot have a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeError {
    /// The format says what it says.
    NoColumns(Format),
    /// The format has no header to leave out.
    NoHeader(Format),
    /// There are more columns than comments in an EPD.
    TooManyComments,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoColumns(format) => {
                write!(f, "the format {} has no columns; tsv, csv, jsonl, epd, arrow and parquet have", format.name())
            }
            Self::NoHeader(format) => write!(f, "the format {} has no header; tsv and csv have", format.name()),
            Self::TooManyComments => {
                write!(f, "an EPD has room for {} columns besides fen, next_san, eval and result", epd::MOST_COMMENTS)
            }
        }
    }
}

impl Error for ShapeError {}
