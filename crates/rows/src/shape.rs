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

#[cfg(test)]
mod tests {
    use super::{Shape, ShapeError};
    use crate::columns::Columns;
    use crate::columns::column::Column;
    use crate::format::Format;

    /// Compares the columns of a format, if these are chosen.
    #[track_caller]
    fn check(format: Format, chosen: Option<&str>, expected: &str) {
        let columns = chosen.map(|list| list.parse().unwrap());
        let columns = Shape { format, columns, no_header: false }.columns();
        let told = match columns {
            Ok(Some(columns)) => columns.iter().map(|column| format!("{column:?}")).collect::<Vec<_>>().join(" "),
            Ok(None) => "none".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(told, expected);
    }

    #[test]
    fn a_format_has_the_columns_that_it_needs() {
        check(Format::Fen, None, "none");
        check(Format::Uci, None, "Fen");
        check(Format::Bullet, None, "Fen Eval Result");
        check(Format::Bulletformat, None, "Eval Result PackedPosition");
        check(Format::Viri, None, "Eval Result Variation PackedPosition PackedMove");
        check(Format::Binpack, None, "Eval Result Variation PackedPosition PackedMove");
        check(Format::Plain, None, "Fen Eval Result NextUci PackedPosition PackedMove");
        check(Format::Epd, None, "Fen Operations");
        check(Format::Epd, Some("eval,ply"), "Fen Operations Eval Ply");
        check(Format::Html, Some("ply,san"), "Ply San Fen Uci Variant");
        let of_game = r#"Game Tag("White") Tag("Black") Tag("Event") Tag("Date") Variant San Tag("FEN")"#;
        check(Format::Anki, None, &format!("{of_game} Fen Uci"));
        check(Format::Tsv, None, "Game Ply San Fen");
        check(Format::Jsonl, Some("White,key"), r#"Tag("White") Key"#);
    }

    #[test]
    fn what_a_format_cannot_have_is_refused() {
        let no_columns =
            |name| format!("the format {name} has no columns to choose; use tsv, csv, jsonl, epd{}", super::TYPED);
        for (format, name) in [(Format::Fen, "fen"), (Format::Uci, "uci"), (Format::Plain, "plain")] {
            check(format, Some("ply"), &no_columns(name));
        }
        let header = |format| Shape { format, columns: None, no_header: true }.columns().map(|_| ());
        assert_eq!([Format::Csv, Format::Tsv].map(header), [Ok(()); 2]);
        assert_eq!(header(Format::Jsonl), Err(ShapeError::NoHeader(Format::Jsonl)));
        assert_eq!(
            ShapeError::NoHeader(Format::Fen).to_string(),
            "the format fen has no header row; only tsv and csv have one"
        );
        let lists = format!("the format csv has no lists for the moves of a game; use jsonl{}", super::TYPED);
        assert_eq!(ShapeError::NoLists(Format::Csv).to_string(), lists);
        let records = ShapeError::NoRecords(Format::Html).to_string();
        assert!(records.starts_with("the format html cannot be shuffled or split, because its rows"), "{records}");
    }

    #[test]
    fn an_epd_has_room_for_nine_comments() {
        let columns = |list: &str| {
            let columns: Columns = list.parse().unwrap();
            let columns = Columns::new(columns.iter().cloned().chain([Column::Tag("my_op".into())]));
            Shape { format: Format::Epd, columns: Some(columns), no_header: false }.columns().map(|_| ())
        };
        // Columns with an opcode of their own need no comment, and neither do tags that are operations.
        let own = "fen,next_san,eval,depth,nodes,result,eco,bm";
        assert_eq!(columns(&format!("{own},game,ply,san,uci,key,White,Black,ECO,line")), Ok(()));
        let error = columns("game,ply,san,uci,key,White,Black,ECO,line,turn").unwrap_err();
        assert_eq!(error, ShapeError::TooManyComments);
        let expected = "an EPD has room for 9 columns besides fen, next_san, eval, depth, nodes, result, eco and its \
            operations";
        assert_eq!(error.to_string(), expected);
    }
}
