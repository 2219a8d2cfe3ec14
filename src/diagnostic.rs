//! What is wrong with a file, and where.
//!
//! A diagnostic is made where the fault is found, which may be on any thread: it carries a byte offset and a ply, and no
//! line. Who prints it knows the lines.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// A kind of fault. Its name is stable, so that users can search for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The FEN tag, or its absence, gives no position that can be played from.
    BadFen,
    /// The Variant tag names another game than chess.
    UnsupportedVariant,
    /// What stands where a move is expected is none.
    BadSan,
    /// The move is not legal here.
    IllegalMove,
    /// The move may mean several.
    AmbiguousMove,
    /// A comment is never closed.
    UnterminatedComment,
    /// A variation is never closed.
    UnterminatedVariation,
    /// SetUp and FEN tags do not go together.
    SetupTags,
    /// A FEN was read, but is not as the standard has it.
    RepairedFen,
    /// A tag pair was read, but is not as the standard has it.
    RepairedTag,
    /// A move was read, but is not spelled as the standard has it.
    RepairedSan,
    /// A player passes.
    NullMove,
    /// Something with no meaning was skipped.
    SkippedText,
    /// The result is missing, oddly spelled, or against the Result tag.
    Result,
    /// Text is not UTF-8.
    Encoding,
}

impl Kind {
    /// Every kind, errors first.
    pub const ALL: [Self; 15] = [
        Self::BadFen,
        Self::UnsupportedVariant,
        Self::BadSan,
        Self::IllegalMove,
        Self::AmbiguousMove,
        Self::UnterminatedComment,
        Self::UnterminatedVariation,
        Self::SetupTags,
        Self::RepairedFen,
        Self::RepairedTag,
        Self::RepairedSan,
        Self::NullMove,
        Self::SkippedText,
        Self::Result,
        Self::Encoding,
    ];

    /// The name that is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BadFen => "bad-fen",
            Self::UnsupportedVariant => "unsupported-variant",
            Self::BadSan => "bad-san",
            Self::IllegalMove => "illegal-move",
            Self::AmbiguousMove => "ambiguous-move",
            Self::UnterminatedComment => "unterminated-comment",
            Self::UnterminatedVariation => "unterminated-variation",
            Self::SetupTags => "setup-tags",
            Self::RepairedFen => "repaired-fen",
            Self::RepairedTag => "repaired-tag",
            Self::RepairedSan => "repaired-san",
            Self::NullMove => "null-move",
            Self::SkippedText => "skipped-text",
            Self::Result => "result",
            Self::Encoding => "encoding",
        }
    }

    /// Whether positions of the game are missing because of it. Anything else is a warning.
    pub fn is_error(self) -> bool {
        self <= Self::UnterminatedVariation
    }
}

/// One fault in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of fault.
    pub kind: Kind,
    /// Where it is, in bytes from the start of the file (of a transcoded file: of its UTF-8 text).
    pub offset: u64,
    /// The number of the game, counted from 1; None between games.
    pub game: Option<u64>,
    /// The ply that was being read, counted from 1; None where no move is concerned.
    pub ply: Option<u32>,
    /// What was found there, as written: a move, a piece of text. May be empty.
    pub subject: Box<[u8]>,
    /// What is wrong, as a phrase.
    pub reason: Cow<'static, str>,
    /// Who played; known for errors only.
    pub players: Option<Box<Players>>,
}

impl Diagnostic {
    /// A fault at `offset`, of which nothing else is known yet.
    pub fn new(kind: Kind, offset: u64, reason: impl Into<Cow<'static, str>>) -> Self {
        let reason = reason.into();
        Self { kind, offset, game: None, ply: None, subject: Box::default(), reason, players: None }
    }

    /// The same, quoting what was found; of a long text its beginning.
    #[must_use]
    pub fn about(mut self, subject: &[u8]) -> Self {
        self.subject = subject[..subject.len().min(80)].into();
        self
    }

    /// The same, at this ply.
    #[must_use]
    pub fn at_ply(mut self, ply: u32) -> Self {
        self.ply = Some(ply);
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}: ", self.offset, self.kind.as_str())?;
        if !self.subject.is_empty() {
            write!(f, "{}: ", String::from_utf8_lossy(&self.subject))?;
        }
        f.write_str(&self.reason)
    }
}

impl Error for Diagnostic {}

/// The tags that tell a reader which game is meant, as they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Players {
    /// The White tag.
    pub white: Vec<u8>,
    /// The Black tag.
    pub black: Vec<u8>,
    /// The Date tag.
    pub date: Vec<u8>,
}

/// Counts the line ends of a text: LF, CRLF or CR each end one line.
pub fn count_lines(text: &[u8]) -> u64 {
    if memchr::memchr(b'\r', text).is_none() {
        return memchr::memchr_iter(b'\n', text).count() as u64;
    }
    // A line ends at each LF, and at each CR that no LF follows. Bytes are compared in fixed boxes with the bytes behind
    // them, so that the compiler counts sixteen at a time.
    const BOX: usize = 128;
    let ends = |byte: u8, next: u8| (byte == b'\n') | ((byte == b'\r') & (next != b'\n'));
    let mut lines = 0;
    let mut at = 0;
    while let Some(bytes) = text.get(at..).and_then(<[u8]>::first_chunk::<BOX>)
        && let Some(nexts) = text.get(at + 1..).and_then(<[u8]>::first_chunk::<BOX>)
    {
        let mut in_box = 0u8;
        for (byte, next) in bytes.iter().zip(nexts) {
            in_box += u8::from(ends(*byte, *next));
        }
        lines += u64::from(in_box);
        at += BOX;
    }
    let rest = &text[at..];
    let nexts = rest.iter().skip(1).chain(&[0]);
    lines + rest.iter().zip(nexts).filter(|(byte, next)| ends(**byte, **next)).count() as u64
}

/// A line that begins at `line`, and how far it is below the place `from`: `[Event "2"], 3 lines below`.
pub(crate) fn line_below(text: &[u8], from: usize, line: usize) -> String {
    const MOST: usize = 60;
    let lines = match count_lines(&text[from..line]) {
        1 => "1 line below".to_owned(),
        count => format!("{count} lines below"),
    };
    let rest = &text[line..text.len().min(line + MOST)];
    let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    format!("{}, {lines}", String::from_utf8_lossy(&rest[..end]).trim_end())
}

/// Counts lines up to one place in a text after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineCount {
    at: usize,
    count: u64,
}

impl LineCount {
    /// Goes on to a place, and counts the line ends up to there from the start of the text.
    pub(crate) fn count_to(&mut self, text: &[u8], at: usize) -> u64 {
        self.count += count_lines(&text[self.at..at]);
        self.at = at;
        self.count
    }
}

/// How many bytes after the last line end of `text` its end lies: the column, counted from 0.
pub fn column(text: &[u8]) -> usize {
    text.len() - memchr::memrchr2(b'\n', b'\r', text).map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::{Kind, column, count_lines};

    #[test]
    fn every_line_end_counts_once() {
        assert_eq!(count_lines(b"a\nb\r\nc\rd"), 3);
        assert_eq!(count_lines(b"\r\r\n\n"), 3);
        assert_eq!(count_lines(b""), 0);
        for length in 0..300 {
            let text = b"a\r\nb\rc\nd".repeat(length);
            assert_eq!(count_lines(&text), 3 * length as u64);
            assert_eq!(count_lines(&text[..text.len() / 2]) + count_lines(&text[text.len() / 2..]), 3 * length as u64);
        }
        assert_eq!((column(b"ab\ncd"), column(b"ab\r"), column(b"ab")), (2, 0, 2));
    }

    #[test]
    fn errors_come_before_warnings() {
        let errors = Kind::ALL.iter().filter(|kind| kind.is_error()).count();
        assert!(Kind::ALL[..errors].iter().all(|kind| kind.is_error()));
        assert_eq!(errors, 7);
    }
}
