//! A text of lines in blocks of whole lines, each of which becomes PGN text on its own.

use std::io::{self, Read};
use std::sync::Arc;

use crate::game_text::{Spacing, unreadable};
use crate::games::GameParts;
use crate::records::LONGEST;
use crate::records::evaluation;
use crate::records::format::Rows;
use crate::records::game;
use crate::records::puzzle::{Columns, Puzzles};
use crate::records::table::{self, TextTable};
use pgn2fen_bytes::ahead::DecodedPiece;
use pgn2fen_bytes::{Budget, Share, fill};

/// The size of a block, in bytes.
const BLOCK: usize = 256 * 1024;

/// The number of bytes from which on the text that has been made is read before more is made.
const TEXT: usize = 64 * 1024;

/// The bytes that all blocks and what is made of them may take: as much as the longest line.
const BUDGET: usize = MADE * LONGEST;

/// The bytes that are held for a byte of a block, at most: the block, values of JSON, texts without their escapes, and
/// the text of the game.
const MADE: usize = 8;

/// The blocks of a text, in order.
pub(super) struct Blocks {
    text: Box<dyn Read + Send>,
    rows: Rows,
    parts: GameParts,
    /// The bytes that were read behind the last block.
    carry: Vec<u8>,
    is_first: bool,
    is_ended: bool,
    /// The error that ended the text. The block before it is read first.
    failure: Option<io::Error>,
    size: usize,
    budget: Budget,
}

impl Blocks {
    pub(super) fn new(text: Box<dyn Read + Send>, rows: Rows, parts: GameParts) -> Self {
        Self {
            text,
            rows: rows.of_parts(parts),
            parts,
            carry: Vec::new(),
            is_first: true,
            is_ended: false,
            failure: None,
            size: BLOCK,
            budget: Budget::new(BUDGET),
        }
    }

    /// Reads until there are so many bytes. Less are the last ones.
    fn fill(&mut self, bytes: &mut Vec<u8>, size: usize) {
        match fill(&mut self.text, bytes, bytes.len(), size) {
            Ok(()) => self.is_ended = bytes.len() < size,
            Err(error) => (self.failure, self.is_ended) = (Some(error), true),
        }
    }

    /// Reads on up to the end of a line that is too long. The bytes behind it are carried over.
    fn pass_line(&mut self) {
        while !self.is_ended {
            let mut bytes = Vec::new();
            self.fill(&mut bytes, BLOCK);
            if let Some(end) = memchr::memchr(self.line_feed(), &bytes) {
                self.carry = bytes.split_off(end + 1);
                return;
            }
        }
    }

    /// Returns the next block. Its first line is too long to read if the second value is true.
    fn block(&mut self) -> (Vec<u8>, bool) {
        let mut bytes = std::mem::take(&mut self.carry);
        let mut size = self.size;
        loop {
            self.fill(&mut bytes, size);
            let end = self.end(&bytes);
            if end > 0 {
                self.carry = bytes.split_off(end);
                return (bytes, false);
            }
            if self.is_ended {
                // A text that broke off ends with its last whole line.
                if self.failure.is_some() {
                    bytes.clear();
                }
                return (bytes, false);
            }
            if bytes.len() >= LONGEST {
                self.pass_line();
                bytes.truncate(100);
                return (bytes, true);
            }
            size = (bytes.len() * 2).clamp(1, LONGEST);
        }
    }

    /// Returns the last byte of a line.
    fn line_feed(&self) -> u8 {
        self.rows.separators().map_or(b'\n', |separators| separators.row)
    }

    /// Returns the end of the last line, or of the last row.
    fn end(&self, bytes: &[u8]) -> usize {
        if self.is_ended && self.failure.is_none() {
            return bytes.len();
        }
        match self.rows.separators() {
            Some(separators) => separators.whole_rows(bytes, bytes.len() >= LONGEST),
            None => memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1),
        }
    }
}

impl Iterator for Blocks {
    type Item = io::Result<DecodedPiece>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_ended && self.carry.is_empty() {
            return self.failure.take().map(Err);
        }
        let share = self.budget.share();
        let (block, is_too_long) = self.block();
        share.hold(MADE * block.len());
        let writer = Writer::new(&self.rows, self.parts);
        let mut piece = BlockText { block, at: 0, writer, text: Vec::new(), read: 0, _share: share };
        if std::mem::take(&mut self.is_first) {
            piece.begin();
        }
        if is_too_long {
            unreadable(&mut piece.text, "the line is longer than 16 MiB", &piece.block, Spacing::OneLine);
            piece.at = piece.block.len();
        }
        Some(Ok(Box::new(piece)))
    }
}

/// Writes the records of lines as games.
enum Writer {
    Puzzles(Arc<Columns>, Box<Puzzles>),
    Table(Arc<TextTable>, Box<table::Rows>),
    Evaluations(GameParts),
    Games(GameParts),
}

impl Writer {
    fn new(rows: &Rows, parts: GameParts) -> Self {
        match rows {
            Rows::Puzzles(columns) => Self::Puzzles(Arc::clone(columns), Box::new(Puzzles::new(columns))),
            Rows::Table(table) => Self::Table(Arc::clone(table), Box::new(table::Rows::new(table))),
            Rows::Evaluations => Self::Evaluations(parts),
            Rows::Games(_) => Self::Games(parts),
        }
    }

    /// Appends the record at the start of a text, on as many lines as it has. Returns its end.
    fn append(&mut self, text: &[u8], out: &mut Vec<u8>) -> usize {
        match self {
            Self::Puzzles(columns, puzzles) => puzzles.append(columns, text, out),
            Self::Table(table, rows) => rows.append(table, text, out),
            Self::Evaluations(parts) => append_line(text, out, |line, out| evaluation::append(line, *parts, out)),
            Self::Games(parts) => append_line(text, out, |line, out| game::append(line, Spacing::OneLine, *parts, out)),
        }
    }
}

/// Appends the record of a line, if it is not blank. Returns the end of the line.
fn append_line(text: &[u8], out: &mut Vec<u8>, append: impl FnOnce(&[u8], &mut Vec<u8>)) -> usize {
    let end = memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1);
    match text[..end].trim_ascii() {
        b"" => out.push(b'\n'),
        line => append(line, out),
    }
    end
}

/// The PGN text of a block.
struct BlockText {
    block: Vec<u8>,
    /// The number of bytes of the block that have become text.
    at: usize,
    writer: Writer,
    text: Vec<u8>,
    /// The number of bytes of the text that have been read.
    read: usize,
    /// The memory of the block in the budget, until the block is dropped.
    _share: Share,
}

impl BlockText {
    /// Passes the byte order mark and the header row, which becomes an empty line.
    fn begin(&mut self) {
        if self.block.starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
        }
        let header = match &self.writer {
            Writer::Puzzles(columns, _) if columns.has_header() => columns.separators,
            Writer::Table(table, _) => table.separators,
            _ => return,
        };
        self.at += header.line_end(&self.block[self.at..]);
        self.text.push(b'\n');
    }
}

impl Read for BlockText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.text.len() {
            self.text.clear();
            self.read = 0;
        }
        while self.text.len() < TEXT && self.read == 0 && self.at < self.block.len() {
            self.at += self.writer.append(&self.block[self.at..], &mut self.text);
        }
        let count = (&self.text[self.read..]).read(buffer)?;
        self.read += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Cursor, Read};
    use std::sync::Arc;

    use super::{Blocks, GameParts, LONGEST, Rows};
    use crate::records::puzzle::Columns;

    const HEADER: &str = "PuzzleId,FEN,Moves,Themes\n";

    fn row(number: usize, themes: &str) -> String {
        format!("{number},q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,e8d7 a2e6,{themes}\n")
    }

    fn read(text: impl Read + Send + 'static, size: usize) -> (String, Option<io::Error>) {
        let columns = Columns::detect(HEADER.as_bytes()).unwrap();
        let mut blocks = Blocks::new(Box::new(text), Rows::Puzzles(Arc::new(columns)), GameParts::ALL);
        blocks.size = size;
        let mut made = String::new();
        for block in blocks {
            match block {
                Ok(mut block) => _ = block.read_to_string(&mut made).unwrap(),
                Err(error) => return (made, Some(error)),
            }
        }
        (made, None)
    }

    #[test]
    fn blocks_of_any_size_give_the_same_text() {
        let themes = ["mate", "\"a\nb, c\"", "", "\"x \"\"y\"\"\""];
        let rows: String = (0..40).map(|number| row(number, themes[number % 4])).collect();
        let text = format!("\u{feff}{HEADER}{rows}");
        let lines = text.lines().count();
        let (expected, _) = read(Cursor::new(text.clone()), 1 << 20);
        assert_eq!((expected.lines().count(), expected.matches("PuzzleId").count()), (lines, 40));
        assert!(!expected.contains("unreadable"), "{expected}");
        for size in 1..500 {
            assert_eq!(read(Cursor::new(text.clone()), size).0, expected, "{size}");
        }
        let (cut, _) = read(Cursor::new(text.trim_end().to_owned()), 100);
        assert_eq!(cut, expected);
    }

    #[test]
    fn an_error_comes_behind_the_last_whole_line() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let text = format!("{HEADER}{}{}", row(1, ""), &row(2, "")[..30]);
        for size in [10, 200, 1 << 20] {
            let (made, error) = read(Cursor::new(text.clone()).chain(Failing), size);
            assert_eq!((made.lines().count(), error.unwrap().to_string().as_str()), (2, "broken"), "{size}: {made}");
        }
    }

    #[test]
    fn a_line_without_end_is_told() {
        let text = format!("{HEADER}{}{}\n{}", row(1, ""), "x".repeat(LONGEST + (1 << 20)), row(2, ""));
        let (made, _) = read(Cursor::new(text), 1 << 16);
        let lines: Vec<&str> = made.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[2].contains("unreadable record: the line is longer than 16 MiB"), "{}", lines[2]);
        assert!(lines[3].starts_with("[PuzzleId \"2\"]"), "{}", lines[3]);
    }
}
