//! Comments with other words or other arrows and circles.

use crate::annotation::parts::{CommentParts, sections};
use crate::annotation::shapes::{CommentShape, is_shapes};

/// Returns the comments of a move with other words: they stand first, and the commands of each comment stay.
///
/// ```
/// use pgn2fen_pgn::annotation::with_words;
///
/// let comments = with_words(&["good [%clk 0:01:00]", "really"], "bad");
/// assert_eq!(comments, ["bad", "[%clk 0:01:00]"]);
/// ```
pub fn with_words<S: AsRef<str>>(comments: &[S], words: &str) -> Vec<String> {
    let commands = comments.iter().map(|comment| CommentParts::of(comment.as_ref()).commands);
    std::iter::once(words.trim().to_owned()).chain(commands).filter(|comment| !comment.is_empty()).collect()
}

/// Returns the comments of a move with other arrows and circles, which stand last.
///
/// ```
/// use pgn2fen_pgn::annotation::{shapes, with_shapes};
///
/// let drawn = shapes("[%cal Ge2e4,Rd1h5][%csl Yf7]");
/// let comments = with_shapes(&["good [%csl Rd5]", "[%cal Ra1a2]"], &drawn);
/// assert_eq!(comments, ["good", "[%csl Yf7][%cal Ge2e4,Rd1h5]"]);
/// ```
pub fn with_shapes<S: AsRef<str>>(comments: &[S], shapes: &[CommentShape]) -> Vec<String> {
    let is_kept = |command: &str| !is_shapes(command);
    let others = comments.iter().map(|comment| {
        let comment = comment.as_ref();
        if sections(comment).all(|(_, command)| is_kept(command)) {
            return comment.to_owned();
        }
        let kept = sections(comment).flat_map(|(words, command)| [words, if is_kept(command) { command } else { "" }]);
        let kept: Vec<&str> = kept.map(str::trim).filter(|part| !part.is_empty()).collect();
        kept.join(" ")
    });
    let drawn = |name: &str, is_circle: bool| {
        let texts = shapes.iter().filter(|shape| (shape.from == shape.to) == is_circle).map(ToString::to_string);
        let texts: Vec<String> = texts.collect();
        if texts.is_empty() { String::new() } else { format!("[%{name} {}]", texts.join(",")) }
    };
    let drawn = drawn("csl", true) + &drawn("cal", false);
    others.chain([drawn]).filter(|comment| !comment.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{with_shapes, with_words};
    use crate::annotation::shapes;

    #[test]
    fn words_change_and_commands_stay() {
        assert_eq!(with_words::<&str>(&[], " a "), ["a"]);
        assert_eq!(
            with_words(&["a [%eval 0.3] b [%csl Ra1]", "+0.31/14 0.5s"], "c"),
            ["c", "[%eval 0.3] [%csl Ra1]", "+0.31/14 0.5s"]
        );
        assert_eq!(with_words(&["a", "[%eval 0.3]"], ""), ["[%eval 0.3]"]);
    }

    #[test]
    fn shapes_change_and_the_rest_stays() {
        let given = ["a [%csl Ra1] b [%clk 0:01:00]", "[%cal Ra1a2]", " c "];
        assert_eq!(with_shapes(&given, &[]), ["a b [%clk 0:01:00]", " c "]);
        let drawn = shapes("[%cal Ya1a2][%csl Be4]");
        let comments = with_shapes(&given, &drawn);
        assert_eq!(comments.iter().flat_map(|comment| shapes(comment)).collect::<Vec<_>>(), [drawn[1], drawn[0]]);
    }
}
