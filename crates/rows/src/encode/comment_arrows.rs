//! The arrows and circles that comments draw: `[%cal Ge2e4,Rd1h5]` and `[%csl Gd4,Re5]`.

use pgn2fen_board::{Arrow, Paint};
use pgn2fen_chess::square::Square;

/// The most arrows and circles of a position. Further ones are left out.
const MOST: usize = 64;

/// Returns the arrows and circles in a comment, in its order. What is none is ignored, as any text of a comment.
pub(super) fn comment_arrows(comment: &str) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for command in comment.split("[%").skip(1) {
        let Some((inside, _)) = command.split_once(']') else {
            continue;
        };
        let Some((name, values)) = inside.split_once(char::is_whitespace) else {
            continue;
        };
        if matches!(name, "cal" | "csl") {
            arrows.extend(values.split([',', ' ']).filter_map(|value| arrow(value.trim(), name == "csl")));
        }
    }
    arrows.truncate(MOST);
    arrows
}

/// Returns the arrow or circle of a colour and squares, such as `Ge2e4` or `Rd5`.
fn arrow(text: &str, is_circle: bool) -> Option<Arrow> {
    let (color, squares) = text.as_bytes().split_first()?;
    let paint = match color {
        b'R' => Paint::Red,
        b'Y' => Paint::Yellow,
        b'B' => Paint::Blue,
        // Programs have further colours, whose letters differ.
        b'A'..=b'Z' => Paint::Green,
        _ => return None,
    };
    let (from, to) = match (squares.len(), is_circle) {
        (2, true) => (squares, squares),
        (4, false) => squares.split_at(2),
        _ => return None,
    };
    Some(Arrow::new(Square::from_ascii(from)?, Square::from_ascii(to)?, paint))
}

#[cfg(test)]
mod tests {
    use super::comment_arrows;
    use pgn2fen_board::{Arrow, Paint};
    use pgn2fen_chess::square::Square;

    #[test]
    fn commands_of_a_comment_draw_arrows_and_circles() {
        let drawn = comment_arrows("Strong. [%cal Ge2e4,Rd1h5][%csl Bd4, Yf2] [%eval 0.3] [%csl Cg1]");
        let circle = |square, paint| Arrow::circle(square, paint);
        let expected = [
            Arrow::new(Square::E2, Square::E4, Paint::Green),
            Arrow::new(Square::D1, Square::H5, Paint::Red),
            circle(Square::D4, Paint::Blue),
            circle(Square::F2, Paint::Yellow),
            circle(Square::G1, Paint::Green),
        ];
        assert_eq!(drawn, expected);
    }

    #[test]
    fn what_is_no_arrow_is_ignored() {
        for comment in
            ["[%cal Ge2]", "[%csl Ge2e4]", "[%cal e2e4]", "[%cal Ge2e9]", "[%cal Ge2e4", "cal Ge2e4]", "[%calGe2e4]"]
        {
            assert_eq!(comment_arrows(comment), [], "{comment}");
        }
        assert_eq!(comment_arrows(&format!("[%csl {}]", "Ge4,".repeat(100))).len(), 64);
    }
}
