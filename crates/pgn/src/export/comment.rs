//! Writes the text of a comment in braces, or on a line of its own (PGN standard §5).

use std::borrow::Cow;

use crate::annotation::{CommentReading, EvalSource};
use crate::export::lines::NO_BREAK;
use crate::lexical::is_blank;
use crate::written_tag::REPLACEMENT;

/// Appends a comment in braces: its words, with one blank between them. Returns whether a blank was written as
/// [`NO_BREAK`].
///
/// A closing brace ends a comment, so the braces of a text that has one are written as parentheses.
///
/// A line that begins with `%` is escaped (§6), and one that begins with `[Name` looks like a tag, so such words stay
/// on the line of the word before them. The name of a command, as in `[%clk 0:01:00]`, stays on the line of its
/// operand.
pub(super) fn append(comment: &str, text: &mut Vec<u8>) -> bool {
    let has_brace = comment.as_bytes().contains(&b'}');
    let mut is_marked = false;
    let mut last: &[u8] = b"";
    text.push(b'{');
    for word in words(comment) {
        if !last.is_empty() {
            let stays = may_not_begin_line(word) || last.starts_with(b"[%") && !last.contains(&b']');
            is_marked |= stays;
            text.push(if stays { NO_BREAK } else { b' ' });
        }
        append_word(word, has_brace, text);
        last = word;
    }
    text.push(b'}');
    is_marked
}

/// Appends a comment as a line that begins with a semicolon.
pub(super) fn append_line(comment: &str, out: &mut Vec<u8>) {
    out.push(b';');
    for word in words(comment) {
        out.push(b' ');
        append_word(word, false, out);
    }
    out.push(b'\n');
}

/// Returns a text as a comment of which nothing is read, if it is no comment of the move behind which it is written.
/// Otherwise its evaluations and clocks would become those of that move.
pub(super) fn inert(comment: &str) -> String {
    let mut text = Vec::new();
    append(comment, &mut text);
    let text: Vec<u8> = text.into_iter().map(|byte| if byte == NO_BREAK { b' ' } else { byte }).collect();
    let text = String::from_utf8_lossy(&text);
    let mut text = Cow::Borrowed(text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(&text));
    if text.contains("[%") {
        text = text.replace('[', "(").replace(']', ")").into();
    }
    let is_read = |source: EvalSource, text: &str| source.read(text.as_bytes()) != CommentReading::Other;
    if is_read(EvalSource::Tcec, &text) {
        text = text.replace('=', " =").into();
    }
    if is_read(EvalSource::Engine, &text) || is_read(EvalSource::Tcec, &text) {
        text = format!("({text})").into();
    }
    text.into_owned()
}

/// Returns the words of a comment, which white space separates.
fn words(comment: &str) -> impl Iterator<Item = &[u8]> {
    comment.as_bytes().split(|byte| is_blank(*byte)).filter(|word| !word.is_empty())
}

fn append_word(word: &[u8], has_brace: bool, text: &mut Vec<u8>) {
    if !has_brace && !word.iter().any(u8::is_ascii_control) {
        text.extend_from_slice(word);
        return;
    }
    for byte in word {
        match byte {
            b'{' if has_brace => text.push(b'('),
            b'}' if has_brace => text.push(b')'),
            byte if byte.is_ascii_control() => text.extend_from_slice(REPLACEMENT),
            byte => text.push(*byte),
        }
    }
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
    use super::{append, append_line, inert};
    use crate::annotation::{CommentReading, EvalSource, clock, elapsed};

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
        check(" a  b\r\n\tc\0d ", "{a b c d}");
        check("a\u{2}b \u{7f}", "{a\u{FFFD}b \u{FFFD}}");
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

    #[test]
    fn a_comment_of_a_line_goes_on_to_its_end() {
        let mut out = Vec::new();
        ["", " a\nb {c} }", "\u{2}"].into_iter().for_each(|comment| append_line(comment, &mut out));
        assert_eq!(String::from_utf8(out).unwrap(), ";\n; a b {c} }\n; \u{FFFD}\n");
    }

    #[test]
    fn nothing_is_read_of_text_that_is_no_comment_of_its_move() {
        for (text, expected) in [
            ("Ke6 {[%eval 0.3]} e4", "Ke6 ((%eval 0.3)) e4"),
            ("[%clk 0:01:00]\n[%emt 0:00:01]", "(%clk 0:01:00) (%emt 0:00:01)"),
            ("+0.31/14 0.5s", "(+0.31/14 0.5s)"),
            ("+0.31/x", "(+0.31/x)"),
            ("wv=0.31", "wv =0.31"),
            ("Ke6, d=1, mt=2", "Ke6, d =1, mt =2"),
            ("book", "(book)"),
            ("book, wv=1", "(book, wv =1)"),
            ("e8=Q [a] {b", "e8=Q [a] {b"),
        ] {
            let inert = inert(text);
            assert_eq!(inert, expected);
            let is_other = |source: EvalSource| source.read(inert.as_bytes()) == CommentReading::Other;
            assert!(EvalSource::ALL.into_iter().all(is_other), "{text}");
            assert_eq!([clock(inert.as_bytes()), elapsed(inert.as_bytes())], [None, None], "{text}");
        }
    }
}
