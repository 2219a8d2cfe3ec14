//! The encoders of all formats. Each format is a file in this folder and a variant of [`Format`].

#[cfg(feature = "arrow")]
pub(super) mod arrow;
mod bullet;
mod bulletformat;
pub(super) mod csv;
pub(super) mod epd;
mod fen;
mod html;
mod json;
pub(super) mod jsonl;
mod label;
pub(super) mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod plain;
mod text;
pub(super) mod tsv;
pub(super) mod values;
mod viri;

use crate::boards::BoardOptions;
use crate::columns::Columns;
use crate::draft::Draft;
use crate::encode::{Encode, OpenFormat};
use crate::error::ExportError;
use crate::format::Format;
use crate::formats::bullet::Bullet;
use crate::formats::bulletformat::Bulletformat;
use crate::formats::csv::Csv;
use crate::formats::jsonl::Jsonl;
use crate::formats::plain::Plain;
use crate::formats::text::{Bytes, Lines};
use crate::formats::tsv::Tsv;
use crate::formats::viri::Viri;
use crate::shape::Shape;

/// Returns the draft of lines with these columns, if the format writes values at once.
pub(crate) fn draft(format: Format, columns: &Columns) -> Option<Draft> {
    match format {
        Format::Csv => Some(Draft::new::<Csv>(columns)),
        Format::Jsonl => Some(Draft::new::<Jsonl>(columns)),
        Format::Tsv => Some(Draft::new::<Tsv>(columns)),
        _ => None,
    }
}

/// Opens a format for rows with these columns, which are those of the shape and perhaps others that the format needs.
pub(crate) fn open(shape: &Shape, columns: &Columns, boards: &BoardOptions) -> Result<OpenFormat, ExportError> {
    let mut head = Vec::new();
    let encode: Box<dyn Encode> = match shape.format {
        Format::Fen => Box::new(Lines(fen::fen)),
        Format::Uci => Box::new(Lines(fen::uci)),
        Format::Epd => Box::new(Lines(epd::rows)),
        Format::Jsonl => Box::new(Lines(lines::rows::<Jsonl>)),
        Format::Bullet => Box::new(Bullet),
        Format::Bulletformat => Box::new(Bulletformat),
        Format::Viri => Box::new(Viri),
        Format::Plain => Box::new(Plain),
        Format::Csv => {
            csv::header(columns, &mut head);
            Box::new(Lines(lines::rows::<Csv>))
        }
        Format::Tsv => {
            tsv::header(columns, &mut head);
            Box::new(Lines(lines::rows::<Tsv>))
        }
        Format::Html => return Ok(html::open(shape.caption(), boards)),
        #[cfg(feature = "arrow")]
        Format::Arrow => return arrow::open(columns),
        #[cfg(feature = "parquet")]
        Format::Parquet => return self::parquet::open(columns),
    };
    if shape.no_header {
        head.clear();
    }
    Ok(OpenFormat { encode, assemble: Box::new(Bytes { head, end: Vec::new() }) })
}
