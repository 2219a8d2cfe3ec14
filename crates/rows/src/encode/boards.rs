//! Options for formats that draw boards, and the board of a row.

use crate::columns::column::Column;
use crate::table::Table;
use pgn2fen_board::{Arrow, Board, Colors, Paint};
use pgn2fen_chess::fen;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::square::Square;

/// Options for the formats that draw boards: [`Format::Html`](crate::Format::Html) and
/// [`PictureFormat`](crate::PictureFormat).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardOptions {
    /// The maximum number of boards. Further boards are left out and
    /// [counted](pgn2fen_games::walk::LeftOut::boards). `None` means no limit.
    pub max_boards: Option<u64>,
    /// The side at the bottom of a board.
    pub orientation: Orientation,
    /// The title of a page.
    pub title: String,
    /// The width and height of a board in pixels. `None` for the usual size of the format.
    pub size: Option<u32>,
    /// The colours of the boards.
    pub colors: Colors,
    /// Whether there are letters and digits at the edges.
    pub coordinates: bool,
    /// Whether a disc beside each board shows the side to move.
    pub turn_mark: bool,
    /// Whether the squares of the last move are coloured.
    pub last_move: bool,
    /// Whether a king in check is marked.
    pub check: bool,
    /// Arrows and circles on each board.
    pub arrows: Vec<Arrow>,
    /// Squares that are coloured on each board.
    pub fills: Vec<(Square, Paint)>,
    /// Squares that are marked with a cross on each board.
    pub marks: Vec<Square>,
}

impl BoardOptions {
    /// The usual maximum number of boards. A page of so many boards has about 2 MB.
    pub const MAX_BOARDS: u64 = 1000;

    /// Returns the board of a position as the options want it. The last move is that which led to the position.
    pub fn board(&self, position: &Position, last_move: Option<(Square, Square)>) -> Board {
        let board = Board::of(position)
            .orientation(self.orientation.bottom(position))
            .check(self.check)
            .coordinates(self.coordinates)
            .turn_mark(self.turn_mark)
            .colors(self.colors);
        let board = match last_move.filter(|_| self.last_move) {
            Some((from, to)) => board.last_move(from, to),
            None => board,
        };
        let board = self.size.into_iter().fold(board, Board::size);
        let board = self.fills.iter().fold(board, |board, (square, paint)| board.fill(*square, *paint));
        let board = self.marks.iter().fold(board, |board, square| board.mark(*square));
        self.arrows.iter().fold(board, |board, arrow| board.arrow(*arrow))
    }
}

impl Default for BoardOptions {
    /// Returns the options for at most 1000 boards with White at the bottom, and the title `Positions`.
    fn default() -> Self {
        Self {
            max_boards: Some(Self::MAX_BOARDS),
            orientation: Orientation::default(),
            title: "Positions".to_owned(),
            size: None,
            colors: Colors::default(),
            coordinates: true,
            turn_mark: false,
            last_move: true,
            check: true,
            arrows: Vec::new(),
            fills: Vec::new(),
            marks: Vec::new(),
        }
    }
}

/// The side at the bottom of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// White.
    #[default]
    White,
    /// Black.
    Black,
    /// The side to move.
    Turn,
}

impl Orientation {
    /// All orientations.
    pub const ALL: [Self; 3] = [Self::White, Self::Black, Self::Turn];

    /// Returns the name of the orientation, as users give it.
    pub fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Turn => "turn",
        }
    }

    /// Returns the side at the bottom of the board of a position.
    pub fn bottom(self, position: &Position) -> Color {
        match self {
            Self::White => Color::White,
            Self::Black => Color::Black,
            Self::Turn => position.turn(),
        }
    }
}

/// Draws the board of a row: its position, and the move that led to it if the table has the columns `uci` and `san`.
/// Returns `None` if the row has no position.
pub(crate) fn draw<T>(
    table: &Table,
    index: usize,
    options: &BoardOptions,
    draw: impl FnOnce(&Board) -> T,
) -> Option<T> {
    let position = fen::read(table.ascii(&Column::Fen, index)?).ok()?.position;
    Some(draw(&options.board(&position, last_move(table, index, &position))))
}

/// Returns the squares that the piece that moved last has left and reached. For castling, it is the king.
fn last_move(table: &Table, index: usize, position: &Position) -> Option<(Square, Square)> {
    let uci = table.ascii(&Column::Uci, index)?;
    let square = |at: usize| uci.get(at..at + 2).and_then(Square::from_ascii);
    let is_castling = table.ascii(&Column::San, index).is_some_and(|san| san.starts_with(b"O"));
    // In UCI, castling in Chess960 is written as a move to the square of the rook.
    let to = if is_castling { Some(position.king(!position.turn())) } else { square(2) };
    Some((square(0)?, to?))
}
