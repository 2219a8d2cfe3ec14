//! The encoders of all formats. Each format is a file in this folder and a variant of [`Format`].

mod anki;
#[cfg(feature = "arrow")]
pub(crate) mod arrow;
mod binpack;
pub(crate) mod blocks;
mod bullet;
mod bulletformat;
mod columnar;
pub(crate) mod csv;
mod epd;
mod html;
mod json;
pub(crate) mod jsonl;
mod label;
pub(crate) mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod plain;
pub(crate) mod separated;
mod text;
pub(crate) mod tsv;
pub(crate) mod values;
mod viri;

use crate::columns::Columns;
use crate::columns::column::Column;
use crate::encode::boards::BoardOptions;
use crate::encode::export_error::ExportError;
use crate::encode::formats::csv::Csv;
use crate::encode::formats::jsonl::Jsonl;
use crate::encode::formats::text::{AppendPiece, Bytes, Pieces};
use crate::encode::formats::tsv::Tsv;
use crate::encode::{Assemble, OpenFormat};
use crate::format::Format;
use crate::shape::Shape;
use crate::table::draft::Draft;
use crate::table::group::Division;

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
    let names = || columns.iter().map(Column::name);
    let mut head = Vec::new();
    let append: AppendPiece = match shape.format {
        Format::Fen => unreachable!("lines of FEN have no columns"),
        Format::Uci => text::uci,
        Format::Epd => epd::rows,
        Format::Jsonl => lines::rows::<Jsonl>,
        Format::Bullet => bullet::rows,
        Format::Bulletformat => bulletformat::records,
        Format::Viri => viri::games,
        Format::Binpack => binpack::chains,
        Format::Plain => plain::rows,
        Format::Csv => {
            separated::header::<Csv>(names(), &mut head);
            lines::rows::<Csv>
        }
        Format::Tsv => {
            separated::header::<Tsv>(names(), &mut head);
            lines::rows::<Tsv>
        }
        Format::Html => return Ok(html::open(shape.caption(), boards)),
        Format::Anki => return Ok(anki::open(shape.caption(), boards)),
        #[cfg(feature = "arrow")]
        Format::Arrow => return arrow::open(columns),
        #[cfg(feature = "parquet")]
        Format::Parquet => return self::parquet::open(columns),
    };
    if shape.no_header {
        head.clear();
    }
    let has_whole_games = matches!(shape.format, Format::Viri | Format::Binpack);
    let division = if has_whole_games { Division::WholeBlocks } else { Division::Blocks { row: 0 } };
    let assemble: Box<dyn Assemble> = match shape.format {
        Format::Binpack => Box::new(binpack::Chunks::new()),
        _ => Box::new(Bytes { head, end: Vec::new() }),
    };
    Ok(OpenFormat { encode: Box::new(Pieces { append, division }), assemble })
}
