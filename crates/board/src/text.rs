//! A board as lines of text.

use std::fmt::Write as _;

use crate::diagram::Board;
use crate::paint::Rgba;
use pgn2fen_chess::piece::{Piece, Role};
use pgn2fen_chess::square::Square;

/// The characters and colours of a board as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextStyle {
    /// Whether pieces are the letters of a FEN, and empty squares periods. Otherwise, pieces are the chess figures of
    /// Unicode.
    pub ascii: bool,
    /// Whether the squares have the colours of the board, for a terminal that knows the 256 colours of xterm.
    pub ansi: bool,
}

impl Board {
    /// Returns the board as nine lines of text, or as eight without coordinates. Each ends in a line feed.
    ///
    /// In colours, the squares of the last move and of a king in check are coloured. Without colours, the squares of
    /// the last move are in brackets. Arrows, marks, coloured squares and the size are left out.
    ///
    /// In variants, the men in hand or the checks that a side has given (`+1`) stand behind the line of its side, and a
    /// further line names the squares of promoted men.
    ///
    /// ```
    /// use pgn2fen_chess::Position;
    /// use pgn2fen_board::{Board, TextStyle};
    /// use pgn2fen_chess::square::Square;
    ///
    /// let position: Position = "8/8/8/4k3/8/4K3/4P3/8 b - - 1 1".parse()?;
    /// let board = Board::of(&position).last_move(Square::D3, Square::E3);
    /// let text = board.to_text(TextStyle { ascii: true, ansi: false });
    /// assert_eq!(text.lines().nth(5), Some("3  .  .  . [.][K] .  .  ."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_text(&self, style: TextStyle) -> String {
        let mut text = String::with_capacity(1 << 10);
        let end_line = |text: &mut String| {
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        };
        let shown = |piece| if style.ascii { letter(piece) } else { figure(piece, style.ansi) };
        for row in 0..8 {
            if self.coordinates {
                let _ = write!(text, "{} ", self.at(0, row).rank());
            }
            for column in 0..8 {
                let square = self.at(column, row);
                let piece = self.setup.board.piece_at(square);
                let character = shown(piece);
                if style.ansi {
                    let ground = nearest(self.ground(square));
                    let _ = write!(text, "\u{1b}[38;5;16;48;5;{ground}m {character} ");
                } else if self.last_move.is_some_and(|(from, to)| square == from || square == to) {
                    let _ = write!(text, "[{character}]");
                } else {
                    let _ = write!(text, " {character} ");
                }
            }
            if style.ansi {
                text.push_str("\u{1b}[0m");
            }
            let side = if row == 0 { Some(!self.orientation) } else { Some(self.orientation).filter(|_| row == 7) };
            let beside = side.map(|color| self.beside(color, |man| shown(Some(man)))).filter(|text| !text.is_empty());
            if let Some(beside) = beside.filter(|_| self.has_panel()) {
                let _ = write!(text, "  {beside}");
            }
            end_line(&mut text);
        }
        if self.coordinates {
            text.push_str("  ");
            for column in 0..8 {
                let _ = write!(text, " {} ", self.at(column, 7).file());
            }
            end_line(&mut text);
        }
        let promoted: Vec<String> = self.promoted().map(|square| square.to_string()).collect();
        if !promoted.is_empty() {
            let _ = writeln!(text, "promoted: {}", promoted.join(" "));
        }
        text
    }

    /// Returns the colour of a square with what lies on it.
    fn ground(&self, square: Square) -> Rgba {
        let is_light = (square.number() >> 3 ^ square.number()) & 1 == 1;
        let mut ground = if is_light { self.colors.light } else { self.colors.dark };
        if self.last_move.is_some_and(|(from, to)| square == from || square == to) {
            ground = over(self.colors.last_move, ground);
        }
        if self.king_in_check() == Some(square) {
            // The picture has three circles of this colour on one another.
            ground = over(self.colors.check, over(self.colors.check, ground));
        }
        ground
    }
}

/// Returns the letter of a piece, or a period.
fn letter(piece: Option<Piece>) -> char {
    piece.map_or('.', Piece::char)
}

/// Returns the chess figure of a piece: in outline for White, filled for Black. An empty square is a dot, or nothing if
/// it is coloured.
fn figure(piece: Option<Piece>, is_colored: bool) -> char {
    let Some(Piece { color, role }) = piece else {
        return if is_colored { ' ' } else { '·' };
    };
    let figures = color.pick(['♙', '♘', '♗', '♖', '♕', '♔'], ['♟', '♞', '♝', '♜', '♛', '♚']);
    figures[role as usize - Role::Pawn as usize]
}

/// Returns the colour that is seen if a translucent colour lies on another.
fn over(above: Rgba, below: Rgba) -> Rgba {
    let alpha = u16::from(above.alpha);
    let mix = |above: u8, below: u8| {
        let mixed = (u16::from(above) * alpha + u16::from(below) * (255 - alpha)) / 255;
        // The mean of two bytes is a byte.
        u8::try_from(mixed).unwrap_or(u8::MAX)
    };
    let [red, green, blue] = [(above.red, below.red), (above.green, below.green), (above.blue, below.blue)]
        .map(|(above, below)| mix(above, below));
    Rgba { red, green, blue, alpha: 255 }
}

/// The steps of a part of a colour in the colour cube of xterm.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Returns the number of the nearest colour among those of xterm: a cube of 6 by 6 by 6 colours from number 16, and 24
/// greys from 232.
fn nearest(color: Rgba) -> u8 {
    let cube = (0..216u8).map(|at| (16 + at, [at / 36, at / 6 % 6, at % 6].map(|part| STEPS[usize::from(part)])));
    let greys = (0..24u8).map(|at| (232 + at, [8 + 10 * at; 3]));
    let distance = |[red, green, blue]: [u8; 3]| {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(red, color.red) + square(green, color.green) + square(blue, color.blue)
    };
    let (number, _) = cube.chain(greys).min_by_key(|(_, parts)| distance(*parts)).unwrap_or((16, [0; 3]));
    number
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::{TextStyle, nearest};
    use crate::Board;
    use crate::paint::Rgba;
    use pgn2fen_chess::piece::Color;
    use pgn2fen_chess::square::Square;
    use pgn2fen_chess::testing::position;

    const UNICODE: TextStyle = TextStyle { ascii: false, ansi: false };
    const ASCII: TextStyle = TextStyle { ascii: true, ansi: false };

    #[track_caller]
    fn check(board: &Board, style: TextStyle, expected: &Expect) {
        expected.assert_eq(&board.to_text(style));
    }

    #[test]
    fn a_board_is_nine_lines() {
        let board = Board::of(&position("r1bqkbnr/pppp1Qpp/2n5/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4"));
        let board = board.last_move(Square::H5, Square::F7);
        check(
            &board,
            UNICODE,
            &expect![[r#"
                8  ♜  ·  ♝  ♛  ♚  ♝  ♞  ♜
                7  ♟  ♟  ♟  ♟  · [♕] ♟  ♟
                6  ·  ·  ♞  ·  ·  ·  ·  ·
                5  ·  ·  ·  ·  ♟  ·  · [·]
                4  ·  ·  ♗  ·  ♙  ·  ·  ·
                3  ·  ·  ·  ·  ·  ·  ·  ·
                2  ♙  ♙  ♙  ♙  ·  ♙  ♙  ♙
                1  ♖  ♘  ♗  ·  ♔  ·  ♘  ♖
                   a  b  c  d  e  f  g  h
            "#]],
        );
        check(
            &board.orientation(Color::Black),
            ASCII,
            &expect![[r#"
                1  R  N  .  K  .  B  N  R
                2  P  P  P  .  P  P  P  P
                3  .  .  .  .  .  .  .  .
                4  .  .  .  P  .  B  .  .
                5 [.] .  .  p  .  .  .  .
                6  .  .  .  .  .  n  .  .
                7  p  p [Q] .  p  p  p  p
                8  r  n  b  k  q  b  .  r
                   h  g  f  e  d  c  b  a
            "#]],
        );
    }

    #[test]
    fn without_coordinates_there_are_eight_lines() {
        let text = Board::of(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")).coordinates(false).to_text(ASCII);
        assert_eq!(text.lines().map(str::len).collect::<Vec<_>>(), [23; 8]);
    }

    #[test]
    fn colours_are_those_of_the_squares() {
        let board = Board::of(&position("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")).last_move(Square::A1, Square::A2);
        let style = TextStyle { ascii: true, ansi: true };
        let text = board.to_text(style);
        let ground = |line: usize, square: usize| {
            let line = text.lines().nth(line).unwrap();
            let cell = line.split("48;5;").nth(square + 1).unwrap();
            cell.split('m').next().unwrap().parse::<u8>().unwrap()
        };
        let (dark, light) = (ground(7, 2), ground(7, 1));
        assert_eq!([ground(3, 0), ground(3, 1), ground(4, 0)], [dark, light, light]);
        assert!(
            ![light, dark].contains(&ground(7, 0)) && ground(6, 0) != light,
            "the last move has colours of its own"
        );
        assert!(![light, dark].contains(&ground(0, 4)), "a king in check has a colour of its own");
        assert_eq!(board.check(false).to_text(style).matches(&format!("48;5;{light}m")).count(), 31);
        assert!(text.lines().take(8).all(|line| line.ends_with("\u{1b}[0m")));
    }

    #[test]
    fn the_nearest_colour_is_found() {
        let nearest = |number| nearest(Rgba::from_u32(number));
        assert_eq!(
            [nearest(0x0000_00ff), nearest(0xffff_ffff), nearest(0xd7af_87ff), nearest(0x8080_80ff)],
            [16, 231, 180, 244]
        );
    }
}
