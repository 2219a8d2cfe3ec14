//! The comments behind a move as one text: the column `comment`.

use std::fmt::Write;

use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_tables::beginning;

/// The greatest length of the text, in bytes. Longer texts are cut.
const MOST: usize = 1 << 20;

/// Appends the comments with one space between them, without white space at their ends. Line breaks are LF.
pub(crate) fn append_comments(comments: &[&[u8]], fallback: &Fallback, out: &mut Vec<u8>) {
    let mut text = String::new();
    for comment in comments {
        let comment = fallback.decode(comment);
        let comment = comment.trim();
        if !comment.is_empty() {
            let space = if text.is_empty() { "" } else { " " };
            // Writing to memory does not fail.
            let _ = write!(text, "{space}{}", comment.replace("\r\n", "\n").replace('\r', "\n"));
        }
        if text.len() >= MOST {
            break;
        }
    }
    out.extend_from_slice(beginning(&text, MOST).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::{MOST, append_comments};
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
    fn a_long_text_is_cut() {
        check(&["é".repeat(MOST).as_bytes()], &"é".repeat(MOST / 2));
    }
}
