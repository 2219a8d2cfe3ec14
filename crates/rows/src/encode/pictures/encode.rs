//! Rows → pictures, on any thread.

use crate::columns::Columns;
use crate::encode::Encode;
use crate::encode::boards::{BoardOptions, Drawing};
use crate::encode::encoded::Encoded;
use crate::encode::export_error::ExportError;
use crate::encode::pictures::format::PictureFormat;
use crate::encode::pictures::names::FileNames;
use crate::encode::pictures::picture::Picture;
use crate::table::group::{Division, Group};
use pgn2fen_board::Board;

/// Encodes each row that has a position as a picture.
pub(super) struct Pictures {
    pub(super) format: PictureFormat,
    pub(super) names: FileNames,
    pub(super) boards: BoardOptions,
}

/// The size of a picture, about, in bytes.
const PICTURE: usize = 4096;

impl Encode for Pictures {
    fn division(&self) -> Division {
        Division::Blocks { row: PICTURE }
    }

    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        let drawing = Drawing::new(&self.boards, columns);
        let cells: Vec<_> = columns.cells().take(self.names.columns().iter().len()).collect();
        for piece in &group.pieces {
            for index in piece.indices() {
                let picture = drawing.draw(&piece.table, index, |board| self.picture(board));
                if let Some(bytes) = picture.transpose()? {
                    let name = self.names.of_row(&cells, &piece.table, index);
                    encoded.pictures.push(Picture { name, bytes });
                }
            }
        }
        Ok(())
    }
}

impl Pictures {
    fn picture(&self, board: &Board) -> Result<Vec<u8>, ExportError> {
        match self.format {
            PictureFormat::Svg => Ok(board.to_svg().into_bytes()),
            #[cfg(feature = "png")]
            PictureFormat::Png => board.to_png().map_err(ExportError::new),
        }
    }
}
