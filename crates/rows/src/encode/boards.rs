//! Options for formats that draw boards, and the board of a row.

use std::num::NonZeroU32;

use crate::columns::column::Column;
use crate::columns::{Cell, Columns};
use crate::encode::sheet;
use crate::format::Format;
use crate::table::Table;
use pgn2fen_board::{Arrow, Board, Colors, Paint};
use pgn2fen_chess::fen;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::square::Square;
use pgn2fen_games::pgn::annotation::{CommentShape, ShapeColor, shapes};

/// Options for the formats that draw boards: [`Format::Html`], [`Format::Anki`] and
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
    /// Whether the arrows and circles in the comments of a position are drawn: the commands `[%cal Ge2e4]` and
    /// `[%csl Rd5]`.
    pub comment_arrows: bool,
    /// Whether the boards of a page have numbers.
    pub numbers: bool,
    /// Whether the solutions of the positions stand at the end of a page, by the numbers of the boards: the best moves
    /// of an EPD, or else the moves that follow in the game.
    pub solutions: bool,
    /// The number of boards in a row of a page. `None` for as many as fit.
    pub per_row: Option<NonZeroU32>,
    /// The number of boards on a printed page. `None` for as many as fit.
    pub per_page: Option<NonZeroU32>,
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

    /// Whether the boards of a page have numbers, which solutions refer to.
    pub(crate) fn has_numbers(&self) -> bool {
        self.numbers || self.solutions
    }

    /// Returns the style sheet of a page for the size of the boards and their number in a row and on a printed page.
    pub fn page_style(&self) -> String {
        sheet::style(self.size, self.per_row, self.per_page)
    }

    /// Returns the columns of rows of positions with those that the boards of a format are drawn from; of pictures
    /// without a format.
    pub(crate) fn with_drawn(&self, columns: &Columns, format: Option<Format>) -> Columns {
        let tag = |name: &str| Column::Tag(name.into());
        let mut drawn = vec![Column::Fen, Column::Uci, Column::San, Column::Variant];
        drawn.extend(self.last_move.then(|| tag(LAST_MOVE)));
        drawn.extend(self.comment_arrows.then_some(Column::Comment));
        let is_anki = format == Some(Format::Anki);
        if is_anki || format == Some(Format::Html) && self.solutions {
            drawn.extend([tag("FEN"), Column::Continuation]);
        }
        drawn.extend(is_anki.then(|| tag(THEMES)));
        Columns::new(columns.iter().cloned().chain(drawn))
    }

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
            comment_arrows: true,
            numbers: false,
            solutions: false,
            per_row: None,
            per_page: None,
        }
    }
}

/// The tag with the move that led to a puzzle of Lichess.
const LAST_MOVE: &str = "LastMove";

/// The tag with the themes of a puzzle of Lichess.
pub(crate) const THEMES: &str = "Themes";

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

/// What the boards of the rows of a table are drawn from.
pub(crate) struct Drawing<'c> {
    options: &'c BoardOptions,
    /// The column of the tag with the move before the start.
    before_start: Option<Cell<'c>>,
}

impl<'c> Drawing<'c> {
    pub(crate) fn new(options: &'c BoardOptions, columns: &'c Columns) -> Self {
        let before_start = columns.cells().find(|cell| cell.column.tag() == Some(LAST_MOVE));
        Self { options, before_start }
    }

    /// Draws the board of a row: its position, the move that led to it, and the arrows of its comments, if the table
    /// has these columns. Returns `None` if the row has no position.
    pub(crate) fn draw<T>(&self, table: &Table, index: usize, draw: impl FnOnce(&Board) -> T) -> Option<T> {
        let position = position(table, index)?;
        let board = self.options.board(&position, self.last_move(table, index, &position));
        let arrows = if self.options.comment_arrows { arrows(table, index) } else { Vec::new() };
        Some(draw(&arrows.into_iter().fold(board, Board::arrow)))
    }

    /// Returns the squares that the piece that moved last has left and reached. For castling, it is the king.
    fn last_move(&self, table: &Table, index: usize, position: &Position) -> Option<(Square, Square)> {
        let played = table.ascii(&Column::Uci, index).filter(|uci| !uci.is_empty());
        let value = self.before_start.map(|cell| table.value(cell, index));
        let uci = played.or_else(|| value.as_ref()?.text().map(str::as_bytes))?;
        let square = |at: usize| uci.get(at..at + 2).and_then(Square::from_ascii);
        if let [_, b'@', ..] = uci {
            return square(2).map(|to| (to, to));
        }
        let is_castling = table.ascii(&Column::San, index).is_some_and(|san| san.starts_with(b"O"));
        // In UCI, castling in Chess960 is written as a move to the square of the rook.
        let to = if is_castling { Some(position.king(!position.turn())) } else { square(2) };
        Some((square(0)?, to?))
    }
}

/// Returns the position of a row that has the columns `fen` and `variant`.
pub(crate) fn position(table: &Table, index: usize) -> Option<Position> {
    let value = table.value(Cell { column: &Column::Variant, tag: 0 }, index);
    let rules = value.text().and_then(Rules::game_named).map_or(Rules::Chess, |(rules, _)| rules);
    Some(fen::read_by(rules, table.ascii(&Column::Fen, index)?).ok()?.position)
}

/// Returns the arrows and circles in the comments of a row.
fn arrows(table: &Table, index: usize) -> Vec<Arrow> {
    let value = table.value(Cell { column: &Column::Comment, tag: 0 }, index);
    value.text().map(shapes).unwrap_or_default().into_iter().map(arrow).collect()
}

/// Returns the arrow or circle that is drawn for one of a comment.
fn arrow(shape: CommentShape) -> Arrow {
    let paint = match shape.color {
        ShapeColor::Green => Paint::Green,
        ShapeColor::Red => Paint::Red,
        ShapeColor::Yellow => Paint::Yellow,
        ShapeColor::Blue => Paint::Blue,
    };
    Arrow::new(shape.from, shape.to, paint)
}

#[cfg(test)]
mod tests {
    use super::{BoardOptions, Orientation};
    use crate::columns::column::Column;
    use crate::testing::{Files, games};
    use crate::{Columns, FileNames, Format, PictureFormat, Rows};
    use pgn2fen_board::{Arrow, Board, Paint};
    use pgn2fen_chess::piece::Color;
    use pgn2fen_chess::square::Square;
    use pgn2fen_chess::testing::position;

    fn square(name: &str) -> Square {
        Square::from_ascii(name.as_bytes()).unwrap()
    }

    /// Compares the picture of the last position of a game with that of a board. The board is drawn with the marks of
    /// check, as by default.
    #[track_caller]
    fn check(boards: BoardOptions, game: &str, fen: &str, expected: impl FnOnce(Board) -> Board) {
        let names = FileNames::of_positions("{number}.svg", PictureFormat::Svg).unwrap();
        let rows = Rows::new().boards(boards).plies("-1").unwrap();
        let drawing = rows.begin_pictures(PictureFormat::Svg, names, Files::default());
        let (files, _) = drawing.read_all_of(games(game)).unwrap();
        let expected = expected(Board::of(&position(fen)).check(true)).to_svg();
        assert_eq!(files.texts(), [("1.svg", &*expected)]);
    }

    const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

    #[test]
    fn a_board_is_drawn_as_the_options_want_it() {
        let check_options = |options: BoardOptions, expected: fn(Board) -> Board| {
            check(options, "1. e4 *", AFTER_E4, expected);
        };
        let usual = BoardOptions::default;
        let last_move: fn(Board) -> Board = |board| board.last_move(square("e2"), square("e4"));
        check_options(usual(), last_move);
        check_options(BoardOptions { last_move: false, ..usual() }, |board| board);
        let bare = BoardOptions { last_move: false, ..usual() };
        let black = |board: Board| board.orientation(Color::Black);
        for orientation in [Orientation::Black, Orientation::Turn] {
            check_options(BoardOptions { orientation, ..bare.clone() }, black);
        }
        check_options(BoardOptions { size: Some(123), ..bare.clone() }, |board| board.size(123));
        check_options(BoardOptions { coordinates: false, ..bare.clone() }, |board| board.coordinates(false));
        check_options(BoardOptions { turn_mark: true, ..bare.clone() }, |board| board.turn_mark(true));
        let arrows = vec![Arrow::new(square("e7"), square("e5"), Paint::Red)];
        check_options(BoardOptions { arrows, ..bare.clone() }, |board| {
            board.arrow(Arrow::new(square("e7"), square("e5"), Paint::Red))
        });
        let fills = vec![(square("a1"), Paint::Blue)];
        check_options(BoardOptions { fills, ..bare.clone() }, |board| board.fill(square("a1"), Paint::Blue));
        check_options(BoardOptions { marks: vec![square("h8")], ..bare }, |board| board.mark(square("h8")));
    }

    #[test]
    fn a_king_in_check_is_marked() {
        let game = "1. e4 f5 2. Qh5+ *";
        let fen = "rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2";
        let last_move = |board: Board| board.last_move(square("d1"), square("h5"));
        check(BoardOptions::default(), game, fen, last_move);
        check(BoardOptions { check: false, ..BoardOptions::default() }, game, fen, |board| {
            last_move(board.check(false))
        });
    }

    #[test]
    fn the_last_move_is_that_of_the_king_or_of_the_man_that_was_dropped() {
        let check = |game: &str, fen: &str, [from, to]: [&str; 2]| {
            check(BoardOptions::default(), game, fen, |board| board.last_move(square(from), square(to)));
        };
        let castled = "4k3/8/8/8/8/8/8/5RK1 b - - 1 1";
        check("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *", castled, ["e1", "g1"]);
        let chess960 = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w H - 0 1\"]\n\n1. O-O *";
        check(chess960, castled, ["e1", "g1"]);
        // A puzzle of Lichess tells the move that led to it.
        check("[FEN \"4k3/8/8/8/8/8/8/5RK1 b - - 1 1\"]\n[LastMove \"f8f1\"]\n\n*", castled, ["f8", "f1"]);
        check(
            "[FEN \"4k3/8/8/8/8/8/8/5RK1 b - - 1 1\"]\n[LastMove \"f8f1\"]\n\n1... Kd7 *",
            "8/3k4/8/8/8/8/8/5RK1 w - - 2 2",
            ["e8", "d7"],
        );
    }

    #[cfg(feature = "variants")]
    #[test]
    fn a_man_that_was_dropped_came_from_nowhere() {
        let names = FileNames::of_positions("{number}.svg", PictureFormat::Svg).unwrap();
        let game = "[Variant \"Crazyhouse\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3[N] w - - 0 1\"]\n\n1. N@f3 *";
        let rows = Rows::new().plies("-1").unwrap();
        let drawing = rows.begin_pictures(PictureFormat::Svg, names, Files::default());
        let (files, _) = drawing.read_all_of(games(game)).unwrap();
        let fen = "4k3/8/8/8/8/5N2/8/4K3[] b - - 1 1";
        let rules = pgn2fen_chess::rules::Rules::game_named("crazyhouse").unwrap().0;
        let position = pgn2fen_chess::fen::read_by(rules, fen.as_bytes()).unwrap().position;
        let board = Board::of(&position).check(true).last_move(square("f3"), square("f3"));
        assert_eq!(files.texts(), [("1.svg", &*board.to_svg())]);
    }

    #[test]
    fn the_arrows_of_comments_are_drawn_above_those_of_the_options() {
        let game = "1. e4 {[%cal Ge7e5,Rd7d5] [%csl Yd4,Bd6]} *";
        let with_last_move = |board: Board| board.last_move(square("e2"), square("e4"));
        let drawn = |board: Board| {
            let shapes = [
                ("e7", "e5", Paint::Green),
                ("d7", "d5", Paint::Red),
                ("d4", "d4", Paint::Yellow),
                ("d6", "d6", Paint::Blue),
            ];
            let arrow = |board: Board, (from, to, paint): (&str, &str, Paint)| {
                board.arrow(Arrow::new(square(from), square(to), paint))
            };
            shapes.into_iter().fold(with_last_move(board), arrow)
        };
        check(BoardOptions::default(), game, AFTER_E4, drawn);
        let without = BoardOptions { comment_arrows: false, ..BoardOptions::default() };
        check(without, game, AFTER_E4, with_last_move);
    }

    #[test]
    fn an_orientation_has_a_name() {
        assert_eq!(Orientation::ALL.map(Orientation::name), ["white", "black", "turn"]);
        let [white, black] = ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"].map(position);
        assert_eq!(Orientation::ALL.map(|side| side.bottom(&white)), [Color::White, Color::Black, Color::White]);
        assert_eq!(Orientation::ALL.map(|side| side.bottom(&black)), [Color::White, Color::Black, Color::Black]);
    }

    #[test]
    fn solutions_are_read_only_for_pages_that_have_them_and_for_cards() {
        let has = |boards: &BoardOptions, format: Option<Format>| {
            boards.with_drawn(&Columns::default(), format).has().has(&Column::Continuation)
        };
        let solved = BoardOptions { solutions: true, ..BoardOptions::default() };
        assert!(has(&solved, Some(Format::Html)) && !has(&BoardOptions::default(), Some(Format::Html)));
        assert!(has(&BoardOptions::default(), Some(Format::Anki)) && !has(&solved, None));
    }

    #[test]
    fn a_page_has_rules_for_the_size_of_its_boards() {
        let boards = BoardOptions { size: Some(200), ..BoardOptions::default() };
        assert!(boards.page_style().contains("minmax(0,200px)"));
        assert!(BoardOptions::default().page_style().is_empty());
    }
}
