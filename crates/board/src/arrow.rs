//! Arrows and circles.

use std::str::FromStr;

use crate::error::BoardError;
use crate::paint::Paint;
use pgn2fen_chess::square::Square;

/// An arrow from one square to another, or a circle on a square.
///
/// It is parsed from two squares, or from one for a circle, with a colour behind a colon or in green: `e2e4`,
/// `g1f3:red`, `d5:#0088ff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrow {
    /// The square where the arrow begins.
    pub from: Square,
    /// The square where its head is. If it is the same square, a circle is drawn.
    pub to: Square,
    /// The colour.
    pub paint: Paint,
}

impl Arrow {
    /// Returns an arrow, or a circle if the two squares are the same.
    pub const fn new(from: Square, to: Square, paint: Paint) -> Self {
        Self { from, to, paint }
    }

    /// Returns a circle.
    pub const fn circle(square: Square, paint: Paint) -> Self {
        Self::new(square, square, paint)
    }
}

impl FromStr for Arrow {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let (squares, paint) = match text.split_once(':') {
            Some((squares, paint)) => (squares, paint.parse()?),
            None => (text, Paint::Green),
        };
        let square = |name: &[u8]| Square::from_ascii(name);
        let ends = match squares.as_bytes() {
            [from @ .., _, _] if from.len() == 2 => square(from).zip(square(&squares.as_bytes()[2..])),
            name => square(name).map(|square| (square, square)),
        };
        let (from, to) = ends.ok_or_else(|| {
            BoardError(format!("{squares:?} is not an arrow; give two squares, such as e2e4, or one for a circle"))
        })?;
        Ok(Self { from, to, paint })
    }
}

#[cfg(test)]
mod tests {
    use super::Arrow;
    use crate::paint::{Paint, Rgba};
    use pgn2fen_chess::square::Square;

    #[test]
    fn an_arrow_is_two_squares_and_a_circle_is_one() {
        assert_eq!("e2e4".parse(), Ok(Arrow::new(Square::E2, Square::E4, Paint::Green)));
        assert_eq!("a1h8:red".parse(), Ok(Arrow::new(Square::A1, Square::H8, Paint::Red)));
        assert_eq!("d5:blue".parse(), Ok(Arrow::circle(Square::D5, Paint::Blue)));
        assert_eq!("d5d5".parse(), Ok(Arrow::circle(Square::D5, Paint::Green)));
        let paint = Paint::Custom(Rgba::from_u32(0x0088_ffff));
        assert_eq!("b1c3:#0088ff".parse(), Ok(Arrow::new(Square::B1, Square::C3, paint)));
    }

    #[track_caller]
    fn check_mistake(text: &str, expected: &str) {
        let error = text.parse::<Arrow>().expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn what_is_no_arrow_is_refused() {
        for text in ["", "e", "e2e", "e2e9", "i2e4", "e2-e4", "E2E4", "e2e4q", "é2", "Nf3"] {
            check_mistake(text, "is not an arrow");
        }
        check_mistake("e2e4:", "\"\" is not a colour");
        check_mistake("e2e4:pink", "\"pink\" is not a colour");
        check_mistake(":red", "\"\" is not an arrow");
    }
}
