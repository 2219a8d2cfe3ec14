//! A position and the way in which it is drawn.

use crate::arrow::Arrow;
use crate::colors::Colors;
use crate::paint::Paint;
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::setup::Setup;
use pgn2fen_chess::square::Square;

/// The width and height of a picture in pixels, if no size is chosen.
pub const DEFAULT_SIZE: u32 = 360;

/// A position and the way in which it is drawn.
///
/// White is at the bottom, a king in check is marked, and there are coordinates, unless something else is chosen.
#[derive(Clone, Debug)]
#[must_use = "a board is drawn by to_svg and its other methods"]
pub struct Board {
    pub(super) setup: Setup,
    pub(super) orientation: Color,
    pub(super) last_move: Option<(Square, Square)>,
    pub(super) check: bool,
    pub(super) arrows: Vec<Arrow>,
    pub(super) fills: Vec<(Square, Paint)>,
    pub(super) marks: Bitboard,
    pub(super) size: Option<u32>,
    pub(super) coordinates: bool,
    pub(super) turn_mark: bool,
    pub(super) colors: Colors,
}

impl Board {
    /// Returns a board with this position.
    pub fn of(position: &Position) -> Self {
        Self::of_setup(position.setup())
    }

    /// Returns a board with any pieces on it, even if no game can be played from it.
    pub fn of_setup(setup: &Setup) -> Self {
        Self {
            setup: setup.clone(),
            orientation: Color::White,
            last_move: None,
            check: true,
            arrows: Vec::new(),
            fills: Vec::new(),
            marks: Bitboard::EMPTY,
            size: None,
            coordinates: true,
            turn_mark: false,
            colors: Colors::BROWN,
        }
    }

    /// Sets the side at the bottom of the board.
    pub fn orientation(self, orientation: Color) -> Self {
        Self { orientation, ..self }
    }

    /// Colours the two squares of the last move.
    pub fn last_move(self, from: Square, to: Square) -> Self {
        Self { last_move: Some((from, to)), ..self }
    }

    /// Sets whether a king in check is marked. It is marked by default.
    pub fn check(self, check: bool) -> Self {
        Self { check, ..self }
    }

    /// Adds an arrow or a circle.
    pub fn arrow(mut self, arrow: Arrow) -> Self {
        self.arrows.push(arrow);
        self
    }

    /// Colours a square. A later colour of the same square lies on the earlier one.
    pub fn fill(mut self, square: Square, paint: Paint) -> Self {
        self.fills.push((square, paint));
        self
    }

    /// Marks a square with a cross.
    pub fn mark(self, square: Square) -> Self {
        Self { marks: self.marks.with(square), ..self }
    }

    /// Sets the width and height of the board in pixels. Without a size, a document is [`DEFAULT_SIZE`] wide, and an
    /// element of a page as wide as the page lets it be.
    pub fn size(self, pixels: u32) -> Self {
        Self { size: Some(pixels), ..self }
    }

    /// Sets whether there are letters and digits at the edges. There are by default.
    pub fn coordinates(self, coordinates: bool) -> Self {
        Self { coordinates, ..self }
    }

    /// Sets whether a disc beside the board shows the side to move: white or black, and next to that side. The picture
    /// is then wider than the board, by 20 of its 360 units. There is none by default.
    pub fn turn_mark(self, turn_mark: bool) -> Self {
        Self { turn_mark, ..self }
    }

    /// Sets the colours.
    pub fn colors(self, colors: Colors) -> Self {
        Self { colors, ..self }
    }

    /// Returns the column and the row of a square as it is drawn, counted from the left and from the top, 0 to 7.
    pub(super) fn place(&self, square: Square) -> (u8, u8) {
        let (file, rank) = (square.number() & 7, square.number() >> 3);
        match self.orientation {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        }
    }

    /// Returns the square that is drawn in this column and row, counted as [`place`](Self::place) does.
    pub(super) fn at(&self, column: u8, row: u8) -> Square {
        let (file, rank) = match self.orientation {
            Color::White => (column, 7 - row),
            Color::Black => (7 - column, row),
        };
        Square::wrapping(rank << 3 | file)
    }

    /// Returns the width of the picture if its board has this width.
    pub(super) fn width(&self, board: u32) -> u32 {
        let margin = (u64::from(board) * u64::from(self.margin())).div_ceil(360);
        board.saturating_add(u32::try_from(margin).unwrap_or(u32::MAX))
    }

    /// Returns the square of the king that is in check, if it is to be marked.
    pub(super) fn king_in_check(&self) -> Option<Square> {
        self.checked_king().filter(|_| self.check)
    }

    /// Returns the square of the king of the side to move if it is in check, and the only one.
    pub(super) fn checked_king(&self) -> Option<Square> {
        let Setup { board, turn, rules, .. } = &self.setup;
        let kings = board.by_piece(Role::King.of(*turn));
        let king = kings.first().filter(|_| !kings.more_than_one())?;
        if *rules != Rules::Chess {
            let position = Position::repaired(self.setup.clone()).ok()?.0;
            return position.is_check().then_some(king);
        }
        (!board.attackers_to(king, !*turn, board.occupied()).is_empty()).then_some(king)
    }
}
