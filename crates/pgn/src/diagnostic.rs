//! Faults in a file: their kind, their place and their reason.
//!
//! A diagnostic is made where the fault is found, on any thread. It holds a byte offset and a ply, but no line number.
//! The code that prints it knows the lines.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use pgn2fen_chess::san::SanErrorKind;

/// The kind of a fault. Its name does not change between releases, so that users can search for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// There is no usable starting position: the FEN tag is wrong or missing.
    BadFen,
    /// The Variant tag names a game that is not chess.
    UnsupportedVariant,
    /// A word that is not a move stands where a move is expected.
    BadSan,
    /// The move is not legal in the position.
    IllegalMove,
    /// The move fits several legal moves.
    AmbiguousMove,
    /// The game, or a line of it, has more moves than are read.
    TooLong,
    /// A comment is not closed before the file ends.
    UnterminatedComment,
    /// A variation is not closed before the game ends.
    UnterminatedVariation,
    /// A record of a table or of JSON cannot be read as a game.
    BadRecord,
    /// A file has text, and there is no game and no position in it.
    NoGames,
    /// The SetUp, FEN and Variant tags do not agree.
    SetupTags,
    /// A FEN was read otherwise than it is written, because it breaks the standard or contradicts itself.
    RepairedFen,
    /// A FEN was read as it is written, although no game can reach its position.
    UnreachableFen,
    /// A tag pair was read, although it breaks the standard.
    RepairedTag,
    /// A move was read, although its spelling is not that of the standard.
    RepairedSan,
    /// A null move: the player passes.
    NullMove,
    /// Text without a meaning was skipped.
    SkippedText,
    /// The result is missing, is misspelled, or disagrees with the Result tag.
    Result,
    /// The text is not UTF-8.
    Encoding,
    /// A comment looks like an evaluation and cannot be read as one.
    UnreadEval,
    /// A comment has a clock, or the time of a move, that cannot be read.
    UnreadClock,
    /// An EPD operation cannot be read, or was read although it breaks the standard.
    EpdOperation,
    /// A game is larger than a chapter of a Lichess study may be.
    LargeChapter,
}

impl Kind {
    /// All kinds with their names, in the order of the enum.
    const NAMES: [(Self, &str); 23] = [
        (Self::BadFen, "bad-fen"),
        (Self::UnsupportedVariant, "unsupported-variant"),
        (Self::BadSan, "bad-san"),
        (Self::IllegalMove, "illegal-move"),
        (Self::AmbiguousMove, "ambiguous-move"),
        (Self::TooLong, "too-long"),
        (Self::UnterminatedComment, "unterminated-comment"),
        (Self::UnterminatedVariation, "unterminated-variation"),
        (Self::BadRecord, "bad-record"),
        (Self::NoGames, "no-games"),
        (Self::SetupTags, "setup-tags"),
        (Self::RepairedFen, "repaired-fen"),
        (Self::UnreachableFen, "unreachable-fen"),
        (Self::RepairedTag, "repaired-tag"),
        (Self::RepairedSan, "repaired-san"),
        (Self::NullMove, "null-move"),
        (Self::SkippedText, "skipped-text"),
        (Self::Result, "result"),
        (Self::Encoding, "encoding"),
        (Self::UnreadEval, "unread-eval"),
        (Self::UnreadClock, "unread-clock"),
        (Self::EpdOperation, "epd-operation"),
        (Self::LargeChapter, "large-chapter"),
    ];

    /// All kinds, errors first.
    pub const ALL: [Self; 23] = {
        let mut all = [Self::BadFen; 23];
        let mut nth = 0;
        while nth < all.len() {
            all[nth] = Self::NAMES[nth].0;
            nth += 1;
        }
        all
    };

    /// Returns the name, as it is printed.
    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    /// Whether this is an error: positions of a game, or games, are missing because of it. All other kinds are
    /// warnings.
    pub fn is_error(self) -> bool {
        self <= Self::NoGames
    }
}

impl From<SanErrorKind> for Kind {
    fn from(kind: SanErrorKind) -> Self {
        match kind {
            SanErrorKind::BadSan => Self::BadSan,
            SanErrorKind::IllegalMove => Self::IllegalMove,
            SanErrorKind::AmbiguousMove => Self::AmbiguousMove,
        }
    }
}

/// A fault and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The kind of the fault.
    pub kind: Kind,
    /// The place of the fault, in bytes from the start of the file. In a file that is not UTF-8, in bytes of the text
    /// converted to UTF-8.
    pub offset: u64,
    /// The number of the game, counted from 1. None between games.
    pub game: Option<u64>,
    /// The ply that was being read, counted from 1. None if the fault is not about a move.
    pub ply: Option<u32>,
    /// The text that was found there, as written: a move or another piece of text. May be empty.
    pub subject: Box<[u8]>,
    /// The fault, described in a phrase.
    pub reason: Cow<'static, str>,
    /// The players and the date of the game. Known for errors only.
    pub players: Option<Box<Players>>,
    /// The number of further faults of this kind and reason in the game that are counted here, because the game has too
    /// many for each to have a diagnostic of its own. Usually 0.
    pub others: u64,
}

impl Diagnostic {
    /// Creates a diagnostic with a kind, an offset and a reason. All other fields are empty.
    pub fn new(kind: Kind, offset: u64, reason: impl Into<Cow<'static, str>>) -> Self {
        let reason = reason.into();
        Self { kind, offset, game: None, ply: None, subject: Box::default(), reason, players: None, others: 0 }
    }

    /// Sets the subject. Longer subjects are cut to 80 bytes.
    #[must_use]
    pub fn about(mut self, subject: &[u8]) -> Self {
        self.subject = subject[..subject.len().min(80)].into();
        self
    }

    /// Sets the ply.
    #[must_use]
    pub fn at_ply(mut self, ply: u32) -> Self {
        self.ply = Some(ply);
        self
    }
}

/// The most warnings of a game that have a diagnostic each. Further ones are counted.
pub(crate) const MOST_IN_GAME: usize = 10_000;

/// Adds a diagnostic to those of a game, which begin at the index `since`. If there are very many, it is counted in the
/// first diagnostic behind [`MOST_IN_GAME`] that has the same kind and reason. So memory is bounded, because there are
/// few reasons.
#[doc(hidden)]
pub fn push_in_game(diagnostics: &mut Vec<Diagnostic>, since: usize, diagnostic: Diagnostic) {
    let counting = diagnostics.get_mut(since + MOST_IN_GAME..).unwrap_or_default();
    let is_same = |other: &&mut Diagnostic| other.kind == diagnostic.kind && other.reason == diagnostic.reason;
    match counting.iter_mut().find(is_same) {
        Some(first) => first.others += 1 + diagnostic.others,
        None => diagnostics.push(diagnostic),
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

/// The tags that show a person which game is meant, as they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Players {
    /// The White tag.
    pub white: Vec<u8>,
    /// The Black tag.
    pub black: Vec<u8>,
    /// The Date tag.
    pub date: Vec<u8>,
}

/// Returns the number of line breaks in a text. LF, CRLF and CR each count as one.
#[doc(hidden)]
pub fn count_lines(text: &[u8]) -> u64 {
    if memchr::memchr(b'\r', text).is_none() {
        return memchr::memchr_iter(b'\n', text).count() as u64;
    }
    // A line ends at each LF, and at each CR without an LF behind it. Each byte of a chunk of fixed size is compared
    // together with the byte behind it, so that the compiler can count 16 bytes at a time.
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

/// Describes the line that begins at `line` by its text and its distance from the place `from`:
/// `[Event "2"], 3 lines below`.
#[doc(hidden)]
pub fn line_below(text: &[u8], from: usize, line: usize) -> String {
    const MOST: usize = 60;
    let lines = match count_lines(&text[from..line]) {
        1 => "1 line below".to_owned(),
        count => format!("{count} lines below"),
    };
    let rest = &text[line..text.len().min(line + MOST)];
    let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    format!("{}, {lines}", String::from_utf8_lossy(&rest[..end]).trim_end())
}

/// Counts the lines of a text up to places that are asked for in ascending order.
#[derive(Clone, Copy, Debug, Default)]
#[doc(hidden)]
pub struct LineCount {
    at: usize,
    count: u64,
}

impl LineCount {
    /// Moves on to a place and returns the number of line breaks between the start of the text and that place.
    #[doc(hidden)]
    pub fn count_to(&mut self, text: &[u8], at: usize) -> u64 {
        self.count += count_lines(&text[self.at..at]);
        self.at = at;
        self.count
    }
}

/// Returns the column at the end of `text`: the number of bytes behind its last line break.
#[doc(hidden)]
pub fn column(text: &[u8]) -> usize {
    text.len() - memchr::memrchr2(b'\n', b'\r', text).map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::{Diagnostic, Kind, LineCount, MOST_IN_GAME, column, count_lines, line_below, push_in_game};

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
        assert_eq!(errors, 10);
    }

    #[test]
    fn lines_are_counted_on_from_the_last_place() {
        let text = b"a\nb\r\nc\n\nd";
        let mut lines = LineCount::default();
        for (at, expected) in [(0, 0), (1, 0), (2, 1), (2, 1), (5, 2), (text.len(), 4)] {
            assert_eq!(lines.count_to(text, at), expected, "{at}");
        }
    }

    #[test]
    fn a_fault_is_shown_with_its_place_and_its_text() {
        let fault = Diagnostic::new(Kind::BadSan, 12, "this is no move");
        assert_eq!(fault.to_string(), "byte 12: bad-san: this is no move");
        assert_eq!(fault.about(b"Zz9").to_string(), "byte 12: bad-san: Zz9: this is no move");
    }

    #[test]
    fn a_line_is_described_by_its_text_and_its_distance() {
        let text = b"{a\nb\r\n[Event \"2\"] \r\n[Site";
        assert_eq!(line_below(text, 0, 6), "[Event \"2\"], 2 lines below");
        assert_eq!(line_below(text, 3, 6), "[Event \"2\"], 1 line below");
        assert_eq!(line_below(text, 0, 20), "[Site, 3 lines below");
        let long = format!("\n[Event \"{}\"]", "x".repeat(100));
        assert_eq!(line_below(long.as_bytes(), 0, 1), format!("[Event \"{}, 1 line below", "x".repeat(52)));
    }

    #[test]
    fn faults_beyond_the_most_of_a_game_are_counted() {
        let fault = |kind, offset| Diagnostic::new(kind, offset, "reason");
        // A fault of the game before.
        let mut faults = vec![fault(Kind::NullMove, 0)];
        for offset in 0..MOST_IN_GAME as u64 + 3 {
            push_in_game(&mut faults, 1, fault(Kind::SkippedText, offset));
        }
        push_in_game(&mut faults, 1, fault(Kind::NullMove, 7));
        push_in_game(&mut faults, 1, Diagnostic { others: 5, ..fault(Kind::SkippedText, 8) });
        let counted: Vec<_> = faults[1 + MOST_IN_GAME..].iter().map(|fault| (fault.kind, fault.others)).collect();
        assert_eq!(counted, [(Kind::SkippedText, 8), (Kind::NullMove, 0)]);
    }
}
