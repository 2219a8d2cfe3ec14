//! Writes the text of a comment in braces (PGN standard §5).

use crate::export::lines::NO_BREAK;

/// Appends a comment: its words, with one blank between them. Returns whether a blank was written as [`NO_BREAK`].
///
/// A closing brace ends a comment, so the braces of a text that has one are written as parentheses.
///
/// A line that begins with `%` is escaped (§6), and one that begins with `[Name` looks like a tag, so such words stay on the line of the word
/// before them. The name of a command, as in `[%clk 0:01:00]`, stays on the line of its operand.
pub(super) fn append(comment: &str, text: &mut Vec<u8>) -> bool {
    let comment = comment.as_bytes();
    let has_brace = comment.contains(&b'}');
    let mut is_marked = false;
    let mut last: &[u8] = b"";
    text.push(b'{');
    for word in comment.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty()) {
        if !last.is_empty() {
            let stays = may_not_begin_line(word) || last.starts_with(b"[%") && !last.contains(&b']');
            is_marked |= stays;
            text.push(if stays { NO_BREAK } else { b' ' });
        }
        if has_brace {
            text.extend(word.iter().map(|byte| match byte {
                b'{' => b'(',
                b'}' => b')',
                byte => *byte,
            }));
        } else {
            text.extend_from_slice(word);
        }
        last = word;
    }
    text.push(b'}');
    is_marked
}

/// Whether a byte of a comment is written as a blank: white space and control characters.
fn is_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7F
}

fn may_not_begin_line(word: &[u8]) -> bool {
    match word {
        [b'%', ..] => true,
        [b'[', name, ..] => name.is_ascii_alphabetic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::append;

    #[track_caller]
    fn check(comment: &str, expected: &str) {
        let mut text = Vec::new();
        let is_marked = append(comment, &mut text);
        assert_eq!(is_marked, expected.contains('~'), "{comment:?}");
        assert_eq!(String::from_utf8(text).unwrap().replace('\u{1}', "~"), expected, "{comment:?}");
    }

    #[test]
    fn words_have_one_blank_between_them() {
        check("", "{}");
        check(" \n", "{}");
        check(" a  b\r\n\tc\u{1}d ", "{a b c d}");
        check("é\u{a0}½", "{é\u{a0}½}");
    }

    #[test]
    fn braces_are_parentheses_if_one_would_end_the_comment() {
        check("a {b", "{a {b}");
        check("a {b} c", "{a (b) c}");
        check("}", "{)}");
    }

    #[test]
    fn some_words_stay_on_the_line() {
        check("[%clk 0:01:00] x", "{[%clk~0:01:00] x}");
        check("[%clk] x [%eval 0.3, 20 ]", "{[%clk] x [%eval~0.3, 20 ]}");
        check("100 % [Event \"x\"] [1]", "{100~%~[Event \"x\"] [1]}");
    }
}
