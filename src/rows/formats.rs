//! The encoders of all formats. Each format is a file in this folder and a variant of [`Format`].

#[cfg(feature = "arrow")]
pub(super) mod arrow;
mod bullet;
pub(super) mod csv;
pub(super) mod epd;
mod fen;
pub(super) mod jsonl;
#[cfg(feature = "parquet")]
mod parquet;
mod plain;
pub(super) mod tsv;
mod values;

use crate::rows::column::Columns;
use crate::rows::encode::OpenFormat;
use crate::rows::error::ExportError;
use crate::rows::format::Format;
use crate::rows::formats::plain::{Bytes, Lines, Rows};
use crate::rows::left_out::LeftOut;

/// Opens a format for rows with these columns.
pub(crate) fn open(format: Format, columns: &Columns, no_header: bool) -> Result<OpenFormat, ExportError> {
    let mut head = Vec::new();
    let rows: Rows = match format {
        Format::Fen => |columns, piece, out| {
            fen::fen(columns, piece, out);
            LeftOut::default()
        },
        Format::Uci => |columns, piece, out| {
            fen::uci(columns, piece, out);
            LeftOut::default()
        },
        Format::Epd => |columns, piece, out| {
            epd::rows(columns, piece, out);
            LeftOut::default()
        },
        Format::Jsonl => |columns, piece, out| {
            jsonl::rows(columns, piece, out);
            LeftOut::default()
        },
        Format::Bullet => |_, piece, out| bullet::rows(piece, out),
        Format::Csv => {
            csv::header(columns, &mut head);
            |columns, piece, out| {
                csv::rows(columns, piece, out);
                LeftOut::default()
            }
        }
        Format::Tsv => {
            tsv::header(columns, &mut head);
            |columns, piece, out| {
                tsv::rows(columns, piece, out);
                LeftOut::default()
            }
        }
        #[cfg(feature = "arrow")]
        Format::Arrow => return arrow::open(columns),
        #[cfg(feature = "parquet")]
        Format::Parquet => return self::parquet::open(columns),
    };
    if no_header {
        head.clear();
    }
    Ok(OpenFormat { encode: Box::new(Lines(rows)), assemble: Box::new(Bytes { head, end: Vec::new() }) })
}
