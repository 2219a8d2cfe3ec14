//! A comment divided into the words of people and the commands of programs.

use std::iter;

use crate::annotation::report::CommentReading;
use crate::annotation::source::EvalSource;

/// The parts of a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommentParts {
    /// The words of people, with one space where a command stood between them.
    pub words: String,
    /// The commands, such as `[%clk 0:01:00]`, with spaces between them, or the whole text of an engine.
    pub commands: String,
}

impl CommentParts {
    /// Divides a comment. Commands are `[%…]`. What engine matches and TCEC write into comments, as in `+0.31/14 0.5s`,
    /// counts as a command.
    ///
    /// ```
    /// use pgn2fen_pgn::annotation::CommentParts;
    ///
    /// let parts = CommentParts::of("[%clk 0:01:00] a good [%eval 0.3] move");
    /// assert_eq!((&*parts.words, &*parts.commands), ("a good move", "[%clk 0:01:00] [%eval 0.3]"));
    /// ```
    pub fn of(comment: &str) -> Self {
        let mut parts = Self::default();
        for (words, command) in sections(comment) {
            append(&mut parts.words, words);
            append(&mut parts.commands, command);
        }
        let is_of = |source: EvalSource| source.read(parts.words.as_bytes()) != CommentReading::Other;
        if is_of(EvalSource::Engine) || is_of(EvalSource::Tcec) {
            let words = std::mem::take(&mut parts.words);
            append(&mut parts.commands, &words);
        }
        parts
    }
}

/// Divides a comment into pairs of a text and the command `[%…]` behind it. The command of the last pair is empty. A
/// command that nothing closes is text.
#[doc(hidden)]
pub fn sections(comment: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = Some(comment);
    iter::from_fn(move || {
        let text = rest.take()?;
        let closed = text.find("[%").and_then(|open| Some((open, open + text[open..].find(']')? + 1)));
        let Some((open, end)) = closed else {
            return Some((text, ""));
        };
        rest = Some(&text[end..]);
        Some((&text[..open], &text[open..end]))
    })
}

/// Appends a text without white space at its ends, behind a space.
fn append(out: &mut String, text: &str) {
    let text = text.trim();
    if !out.is_empty() && !text.is_empty() {
        out.push(' ');
    }
    out.push_str(text);
}

/// Appends a comment to the text of several comments: behind a space, without white space at its ends, and with LF for
/// each line break.
pub fn append_comment(text: &mut String, comment: &str) {
    let start = text.len();
    append(text, comment);
    if text[start..].contains('\r') {
        let comment = text.split_off(start);
        text.push_str(&comment.replace("\r\n", "\n").replace('\r', "\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::{CommentParts, append_comment};

    #[test]
    fn comments_are_joined_by_a_space() {
        let mut text = String::new();
        for comment in [" best  by\ttest\n", "", " ", "one\r\ntwo\rthree\nfour\r\n", " five"] {
            append_comment(&mut text, comment);
        }
        assert_eq!(text, "best  by\ttest one\ntwo\nthree\nfour five");
    }

    #[track_caller]
    fn check(comment: &str, words: &str, commands: &str) {
        let parts = CommentParts::of(comment);
        assert_eq!((parts.words.as_str(), parts.commands.as_str()), (words, commands), "{comment}");
    }

    #[test]
    fn words_and_commands_are_divided() {
        check("", "", "");
        check("a good move", "a good move", "");
        check(" [%clk 0:01:00]\n", "", "[%clk 0:01:00]");
        check("[%csl Ra1][%cal Ga1a2]", "", "[%csl Ra1] [%cal Ga1a2]");
        check("a [%eval 0.3,\n20] b\nc", "a b\nc", "[%eval 0.3,\n20]");
        check("see [Tal 1960] and 100 %", "see [Tal 1960] and 100 %", "");
        check("[%clk 0:01", "[%clk 0:01", "");
        check("+0.31/14 0.5s", "", "+0.31/14 0.5s");
        check("d=20, sd=30, mt=2000, wv=0.31", "", "d=20, sd=30, mt=2000, wv=0.31");
    }
}
