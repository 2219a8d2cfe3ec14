//! The comments behind a move as one text: the columns `comment` and `words`.

use pgn2fen_games::pgn::annotation::{CommentParts, append_comment};
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_tables::beginning;

/// The greatest length of the text, in bytes. Longer texts are cut.
const MOST: usize = 1 << 20;

/// Appends the comments as one text: [`append_comment`].
pub(crate) fn append_comments(comments: &[&[u8]], fallback: &Fallback, out: &mut Vec<u8>) {
    append_each(comments, fallback, |comment, text| append_comment(text, comment), out);
}

/// Appends the words of people in the comments in the same way: [`CommentParts::words`].
pub(crate) fn append_words(comments: &[&[u8]], fallback: &Fallback, out: &mut Vec<u8>) {
    append_each(comments, fallback, |comment, text| append_comment(text, &CommentParts::of(comment).words), out);
}

/// Decodes the comments, appends each to one text, and appends the text.
fn append_each(comments: &[&[u8]], fallback: &Fallback, append: impl Fn(&str, &mut String), out: &mut Vec<u8>) {
    let mut text = String::new();
    for comment in comments {
        append(&fallback.decode(comment), &mut text);
        if text.len() >= MOST {
            break;
        }
    }
    out.extend_from_slice(beginning(&text, MOST).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::{MOST, append_comments, append_words};
    use pgn2fen_games::pgn::encoding::Fallback;

    #[track_caller]
    fn check(comments: &[&[u8]], expected: &str) {
        let mut out = Vec::new();
        append_comments(comments, &Fallback::default(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn comments_are_joined_by_a_space() {
        check(&[], "");
        check(&[b" best  by\ttest\n"], "best  by\ttest");
        check(&[b"a ", b" ", b"", b" b"], "a b");
        check(&[b"one\r\ntwo\rthree\nfour"], "one\ntwo\nthree\nfour");
        check(&[b"Gr\xfcnfeld", "Müller".as_bytes()], "Grünfeld Müller");
    }

    #[test]
    fn words_are_those_of_people() {
        let words = |comments: &[&[u8]]| {
            let mut out = Vec::new();
            append_words(comments, &Fallback::default(), &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(
            words(&[b"[%clk 0:01:00] best\r\n[%eval 0.3] by test ", b"+0.31/14 0.5s", b" [%emt 1]"]),
            "best by test"
        );
        assert_eq!(words(&[b"Gr\xfcnfeld", b"", b"a\rb"]), "Grünfeld a\nb");
        assert_eq!(words(&[b"[%clk 0:01:00]"]), "");
        assert_eq!(words(&["é".repeat(MOST).as_bytes()]), "é".repeat(MOST / 2));
    }

    #[test]
    fn a_long_text_is_cut() {
        check(&["é".repeat(MOST).as_bytes()], &"é".repeat(MOST / 2));
    }
}
