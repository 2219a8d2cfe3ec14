//! The arrows and circles that comments draw: `[%cal Ge2e4,Rd1h5]` and `[%csl Gd4,Re5]`.

use std::fmt;

use crate::annotation::parts::sections;
use pgn2fen_chess::square::Square;

/// The most arrows and circles of a comment. Further ones are left out.
const MOST: usize = 64;

/// An arrow or a circle of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentShape {
    /// The square where the arrow begins.
    pub from: Square,
    /// The square where its head is. For a circle, it is the same square.
    pub to: Square,
    /// The colour.
    pub color: ShapeColor,
}

/// Writes an arrow as `Ge2e4`, and a circle as `Rd5`.
impl fmt::Display for CommentShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.color.name().as_bytes()[0].to_ascii_uppercase();
        write!(f, "{}{}", char::from(letter), self.from)?;
        if self.from == self.to { Ok(()) } else { write!(f, "{}", self.to) }
    }
}

impl CommentShape {
    /// Returns the arrow or circle from one square to another, with the name of its colour; None if a name is wrong.
    pub fn named(from: &str, to: &str, color: &str) -> Option<Self> {
        let square = |name: &str| Square::from_ascii(name.as_bytes());
        let known = [ShapeColor::Green, ShapeColor::Red, ShapeColor::Yellow, ShapeColor::Blue];
        let color = known.into_iter().find(|known| known.name() == color)?;
        Some(Self { from: square(from)?, to: square(to)?, color })
    }
}

/// The colour of an arrow or a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeColor {
    /// `G`, and the further colours that some programs have.
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
}

impl ShapeColor {
    /// Returns the name, such as `green`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Red => "red",
            Self::Yellow => "yellow",
            Self::Blue => "blue",
        }
    }
}

/// Returns the arrows and circles in a comment, in its order. What is none is ignored, as any text of a comment.
///
/// ```
/// use pgn2fen_pgn::annotation::shapes;
///
/// let drawn = shapes("Strong. [%cal Ge2e4,Rd1h5]");
/// assert_eq!((drawn.len(), drawn[1].color.name()), (2, "red"));
/// ```
pub fn shapes(comment: &str) -> Vec<CommentShape> {
    let mut shapes = Vec::new();
    for (_, command) in sections(comment) {
        if let Some((name, values)) = divided(command) {
            shapes.extend(values.split([',', ' ']).filter_map(|value| shape(value.trim(), name == "csl")));
        }
    }
    shapes.truncate(MOST);
    shapes
}

/// Whether a command draws arrows or circles.
pub(super) fn is_shapes(command: &str) -> bool {
    divided(command).is_some()
}

/// Divides a command that draws arrows or circles into its name and its values.
fn divided(command: &str) -> Option<(&str, &str)> {
    let inside = command.strip_prefix("[%").and_then(|rest| rest.strip_suffix(']'))?;
    inside.split_once(char::is_whitespace).filter(|(name, _)| matches!(*name, "cal" | "csl"))
}

/// Returns the arrow or circle of a colour and squares, such as `Ge2e4` or `Rd5`.
fn shape(text: &str, is_circle: bool) -> Option<CommentShape> {
    let (color, squares) = text.as_bytes().split_first()?;
    let color = match color {
        b'R' => ShapeColor::Red,
        b'Y' => ShapeColor::Yellow,
        b'B' => ShapeColor::Blue,
        b'A'..=b'Z' => ShapeColor::Green,
        _ => return None,
    };
    let (from, to) = match (squares.len(), is_circle) {
        (2, true) => (squares, squares),
        (4, false) => squares.split_at(2),
        _ => return None,
    };
    Some(CommentShape { from: Square::from_ascii(from)?, to: Square::from_ascii(to)?, color })
}

#[cfg(test)]
mod tests {
    use super::{CommentShape, ShapeColor, shapes};
    use pgn2fen_chess::square::Square;

    #[test]
    fn commands_of_a_comment_draw_arrows_and_circles() {
        let drawn = shapes("Strong. [%cal Ge2e4,Rd1h5][%csl Bd4, Yf2] [%eval 0.3] [%csl Cg1]");
        let expected = [
            (Square::E2, Square::E4, ShapeColor::Green),
            (Square::D1, Square::H5, ShapeColor::Red),
            (Square::D4, Square::D4, ShapeColor::Blue),
            (Square::F2, Square::F2, ShapeColor::Yellow),
            (Square::G1, Square::G1, ShapeColor::Green),
        ];
        assert_eq!(drawn, expected.map(|(from, to, color)| CommentShape { from, to, color }));
    }

    #[test]
    fn what_is_no_arrow_is_ignored() {
        for comment in
            ["[%cal Ge2]", "[%csl Ge2e4]", "[%cal e2e4]", "[%cal Ge2e9]", "[%cal Ge2e4", "cal Ge2e4]", "[%calGe2e4]"]
        {
            assert_eq!(shapes(comment), [], "{comment}");
        }
        assert_eq!(shapes(&format!("[%csl {}]", "Ge4,".repeat(100))).len(), 64);
    }
}
