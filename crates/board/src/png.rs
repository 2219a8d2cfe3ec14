//! A board as a PNG picture.
//!
//! The drawings of the pieces are parsed once in a process. What is below and above them differs from picture to
//! picture and is short.

use std::sync::OnceLock;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::beside::MAN;
use crate::diagram::{Board, DEFAULT_SIZE};
use crate::error::BoardError;
use crate::pieces::{PIECE_BOX, drawing};
use pgn2fen_chess::piece::{Color, Piece, Role};

/// The greatest width and height of a PNG picture in pixels.
pub const MOST_PIXELS: u32 = 4096;

impl Board {
    /// Returns the picture as a PNG file of a board with the width and height of [`size`](Self::size), or of
    /// [`DEFAULT_SIZE`] pixels.
    ///
    /// # Errors
    ///
    /// The size is 0 or greater than [`MOST_PIXELS`].
    pub fn to_png(&self) -> Result<Vec<u8>, BoardError> {
        let size = self.size.unwrap_or(DEFAULT_SIZE);
        let picture = Some(size).filter(|size| (1..=MOST_PIXELS).contains(size));
        let picture = picture.and_then(|size| Pixmap::new(self.width(size), size));
        let Some(mut picture) = picture else {
            return Err(BoardError(format!("a PNG picture is 1 to {MOST_PIXELS} pixels wide, not {size}")));
        };
        let scale = size as f32 / 360.0;
        let whole = Transform::from_scale(scale, scale);
        let mut layer = String::new();
        self.below(self.coordinate_scale(DEFAULT_SIZE), &mut layer);
        let units = if self.has_panel() { self.width(360) } else { 360 };
        resvg::render(&parsed(units, &layer), whole, &mut picture.as_mut());
        for man in self.in_hand() {
            let place = whole.pre_translate(f32::from(man.x), f32::from(man.y));
            let side = f32::from(MAN) / PIECE_BOX as f32;
            resvg::render(tree(man.piece), place.pre_scale(side, side), &mut picture.as_mut());
        }
        for square in self.setup.board.occupied() {
            if let Some(piece) = self.setup.board.piece_at(square) {
                let (x, y) = self.corner(square);
                let place = whole.pre_translate(f32::from(x), f32::from(y));
                let place = place.pre_scale(45.0 / PIECE_BOX as f32, 45.0 / PIECE_BOX as f32);
                resvg::render(tree(piece), place, &mut picture.as_mut());
            }
        }
        layer.clear();
        self.above(&mut layer);
        if !layer.is_empty() {
            resvg::render(&parsed(self.width(360), &layer), whole, &mut picture.as_mut());
        }
        picture.encode_png().map_err(|error| BoardError(format!("the picture cannot be encoded: {error}")))
    }
}

/// Returns the parsed drawing of a piece.
fn tree(piece: Piece) -> &'static Tree {
    static TREES: OnceLock<Vec<Tree>> = OnceLock::new();
    let trees = TREES.get_or_init(|| {
        let pieces = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color)));
        pieces.map(|piece| parsed(PIECE_BOX, drawing(piece))).collect()
    });
    &trees[piece.color.index() * Role::ALL.len() + (piece.role as usize - Role::Pawn as usize)]
}

/// Parses the elements of a picture with this width and height.
fn parsed(size: u32, elements: &str) -> Tree {
    let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">{elements}</svg>"#);
    Tree::from_str(&svg, &Options::default()).expect("the elements of a board are valid SVG")
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::Pixmap;

    use crate::{Arrow, Board, Colors, MOST_PIXELS, Paint};
    use pgn2fen_chess::piece::Color;
    use pgn2fen_chess::square::Square;
    use pgn2fen_chess::testing::position;

    fn picture(board: &Board) -> Pixmap {
        Pixmap::decode_png(&board.to_png().unwrap()).unwrap()
    }

    /// Returns the colour of a pixel as `#rrggbb`.
    fn pixel(picture: &Pixmap, x: u32, y: u32) -> String {
        let color = picture.pixel(x, y).expect("a pixel").demultiply();
        format!("#{:02x}{:02x}{:02x}", color.red(), color.green(), color.blue())
    }

    #[test]
    fn a_picture_shows_the_squares_and_what_is_on_them() {
        let board = Board::of(&position("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")).size(720);
        let shown = picture(&board);
        assert_eq!((shown.width(), shown.height()), (720, 720));
        let (light, dark) = (Colors::BROWN.light.to_string(), Colors::BROWN.dark.to_string());
        assert_eq!([pixel(&shown, 80, 10), pixel(&shown, 100, 10)], [light.clone(), dark.clone()]);
        let pieces = |shown: &Pixmap| {
            let mut squares = String::new();
            for (row, column) in (0..8).flat_map(|row| (0..8).map(move |column| (row, column))) {
                let inside = (0..90).flat_map(|x| (20..90).map(move |y| (x, y)));
                let ink = inside.filter(|(x, y)| pixel(shown, column * 90 + x, row * 90 + y) == "#000000").count();
                if ink > 300 {
                    squares += &format!("{column}{row} ");
                }
            }
            squares
        };
        assert_eq!(pieces(&shown), "40 46 47 ");
        assert_eq!(pieces(&picture(&board.orientation(Color::Black))), "30 31 37 ");
    }

    #[test]
    fn what_lies_above_the_pieces_is_drawn() {
        let board = Board::of(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
        let (before, after) =
            (picture(&board), picture(&board.clone().arrow(Arrow::new(Square::A1, Square::H8, Paint::Red))));
        let differs = |x: u32, y: u32| pixel(&before, x, y) != pixel(&after, x, y);
        assert!(differs(180, 180) && !differs(180, 100) && !differs(10, 10));
        assert_ne!(pixel(&picture(&board.mark(Square::D4)), 157, 202), pixel(&before, 157, 202));
    }

    #[test]
    fn a_disc_beside_the_board_shows_the_side_to_move() {
        let board = Board::of(&position("4k3/8/8/8/8/8/8/4K3 b - - 0 1")).size(360).turn_mark(true);
        let shown = picture(&board);
        assert_eq!((shown.width(), shown.height()), (380, 360));
        assert_eq!(pixel(&shown, 370, 10), "#000000");
        assert_eq!(shown.pixel(370, 350).unwrap().alpha(), 0);
    }

    #[test]
    fn sizes_have_a_limit() {
        let board = Board::of(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
        for size in [0, MOST_PIXELS + 1, u32::MAX] {
            let error = board.clone().size(size).to_png().unwrap_err().to_string();
            assert_eq!(error, format!("a PNG picture is 1 to 4096 pixels wide, not {size}"));
        }
        for size in [1, 7, 4096] {
            assert_eq!(picture(&board.clone().size(size)).width(), size);
        }
    }
}
