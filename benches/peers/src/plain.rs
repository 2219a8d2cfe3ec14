//! Positions in the format `plain` of Stockfish's tools: `fen`, `move`, `score`, `ply`, `result` and `e`, a line each.
//!
//! The score and the result are those of the side to move. [`Record::normalize`] has what one text may write in another
//! way than another, and [`Record::only_in_plain`] what binpack has no room for.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};

use crate::compare::{Line, Place, Source};

/// The greatest ply of a position that begins a chain of binpack: 14 bits.
const GREATEST_PLY: u32 = (1 << 14) - 1;

/// Scores from here on are mates.
const MATE: i32 = 30_000;

/// The score of a mate on the board, and the greatest one.
const GREATEST_SCORE: i32 = 32_000;

/// So many pieces have room in binpack.
const MOST_PIECES: usize = 32;

/// A position with its move and labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) fen: String,
    /// In UCI notation.
    pub(crate) mv: String,
    pub(crate) score: i32,
    pub(crate) ply: u32,
    pub(crate) result: i32,
}

impl Record {
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Record { fen, mv, score, ply, result } = self;
        writeln!(out, "fen {fen}\nmove {mv}\nscore {score}\nply {ply}\nresult {result}\ne")
    }

    /// The record as one line.
    fn line(&self) -> Vec<u8> {
        let Record { fen, mv, score, ply, result } = self;
        format!("{fen} move {mv} score {score} ply {ply} result {result}").into_bytes()
    }

    fn field(&self, nth: usize) -> &str {
        self.fen.split(' ').nth(nth).unwrap_or_default()
    }

    /// The letter of the piece on a square such as `e1`.
    fn piece_on(&self, square: &str) -> Option<u8> {
        let &[file, rank] = square.as_bytes() else { return None };
        let rank = self.field(0).split('/').nth(usize::from(b'8'.checked_sub(rank)?))?;
        let mut at = b'a';
        for letter in rank.bytes() {
            if letter.is_ascii_digit() {
                at += letter - b'0';
            } else if at == file {
                return Some(letter);
            } else {
                at += 1;
            }
        }
        None
    }

    /// Brings what may be written in two ways to one of them.
    ///
    /// - Games of Chess960 have castling as the king that captures its rook. It becomes the step of the king, because
    ///   binpack does not tell such games from others.
    /// - A ply that has no room in a stem of binpack becomes the greatest one of the same side to move. The fullmove
    ///   number of such a position, or the number 0, becomes that of the ply.
    pub(crate) fn normalize(&mut self) {
        if self.castles_onto_rook() {
            let is_short = self.mv.as_bytes()[2] > self.mv.as_bytes()[0];
            self.mv.replace_range(2..3, if is_short { "g" } else { "c" });
        }
        let (before, number) = self.fen.rsplit_once(' ').unwrap_or((&self.fen, ""));
        if self.ply > GREATEST_PLY || number == "0" {
            let is_black = u32::from(self.field(1) == "b");
            if self.ply > GREATEST_PLY {
                // plain has 16 bits, and stops at the greatest number of either side.
                self.ply = GREATEST_PLY - 1 + is_black;
            }
            self.fen = format!("{before} {}", self.ply / 2 + 1);
        }
    }

    fn castles_onto_rook(&self) -> bool {
        // Without rights nobody castles, and most positions have none.
        if self.field(2) == "-" || self.mv.len() != 4 {
            return false;
        }
        let man_on = |square| self.piece_on(square);
        match self.field(1) {
            "w" => man_on(&self.mv[..2]) == Some(b'K') && man_on(&self.mv[2..]) == Some(b'R'),
            _ => man_on(&self.mv[..2]) == Some(b'k') && man_on(&self.mv[2..]) == Some(b'r'),
        }
    }

    /// A reason if the score is a mate, which plain leaves out.
    pub(crate) fn mate(&self) -> Option<&'static str> {
        (self.score.abs() >= MATE).then_some("evaluated as mate")
    }

    /// A reason if the score is no mate.
    pub(crate) fn no_mate(&self) -> Option<&'static str> {
        (self.score.abs() < MATE).then_some("not evaluated as mate")
    }

    /// The reason why binpack has no room for the position.
    pub(crate) fn only_in_plain(&self) -> Option<&'static str> {
        if self.field(0).bytes().filter(u8::is_ascii_alphabetic).count() > MOST_PIECES {
            return Some("with more than 32 pieces");
        }
        let is_standard = |right| {
            let (king, rook) = match right {
                'K' => (("e1", b'K'), ("h1", b'R')),
                'Q' => (("e1", b'K'), ("a1", b'R')),
                'k' => (("e8", b'k'), ("h8", b'r')),
                'q' => (("e8", b'k'), ("a8", b'r')),
                '-' => return true,
                _ => return false,
            };
            [king, rook].iter().all(|(square, piece)| self.piece_on(square) == Some(*piece))
        };
        (!self.field(2).chars().all(is_standard)).then_some("with castling rights of Chess960")
    }
}

fn malformed(line: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not a line of the format: {line:?}"))
}

/// Returns the number after a name and a blank.
fn number<T: std::str::FromStr>(text: &str) -> io::Result<T> {
    text.parse().map_err(|_| malformed(text))
}

/// Reads a line without its end. `None` at the end of the text.
fn read_line<'a>(input: &mut impl BufRead, line: &'a mut String) -> io::Result<Option<&'a str>> {
    line.clear();
    let len = input.read_line(line)?;
    Ok((len > 0).then(|| line.trim_end_matches(['\n', '\r'])))
}

/// What records are read from.
pub(crate) trait Records {
    /// The next record, or `None` at the end.
    fn next_record(&mut self) -> io::Result<Option<Record>>;
}

/// Records of a text in the format plain.
pub(crate) struct Plain<R> {
    input: BufReader<R>,
    line: String,
}

impl<R: Read> Plain<R> {
    pub(crate) fn new(input: R) -> Plain<R> {
        Plain { input: BufReader::with_capacity(1 << 17, input), line: String::new() }
    }
}

impl<R: Read> Records for Plain<R> {
    fn next_record(&mut self) -> io::Result<Option<Record>> {
        let mut record = Record::default();
        let mut is_first = true;
        loop {
            let line = match read_line(&mut self.input, &mut self.line)? {
                None if is_first => return Ok(None),
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
                Some("e") => return Ok(Some(record)),
                Some(line) => line,
            };
            is_first = false;
            let (name, value) = line.split_once(' ').ok_or_else(|| malformed(line))?;
            match name {
                "fen" => value.clone_into(&mut record.fen),
                "move" => value.clone_into(&mut record.mv),
                "score" => record.score = number(value)?,
                "ply" => record.ply = number(value)?,
                "result" => record.result = number(value)?,
                _ => return Err(malformed(line)),
            }
        }
    }
}

/// Records of a table with the columns `fen,next_uci,eval,result`, without those that lack one.
pub(crate) struct Table<R> {
    input: BufReader<R>,
    line: String,
}

impl<R: Read> Table<R> {
    /// The columns that [`Table`] reads.
    pub(crate) const COLUMNS: &str = "fen,next_uci,eval,result";

    pub(crate) fn new(input: R) -> Table<R> {
        Table { input: BufReader::with_capacity(1 << 17, input), line: String::new() }
    }
}

impl<R: Read> Records for Table<R> {
    fn next_record(&mut self) -> io::Result<Option<Record>> {
        while let Some(line) = read_line(&mut self.input, &mut self.line)? {
            let mut cells = line.split('\t');
            let [Some(fen), Some(mv), Some(eval), Some(result)] = std::array::from_fn(|_| cells.next()) else {
                return Err(malformed(line));
            };
            let of_white = match result {
                "1-0" => 1,
                "1/2-1/2" => 0,
                "0-1" => -1,
                // The header row, too.
                _ => continue,
            };
            if eval.is_empty() || mv.is_empty() || mv == "0000" {
                continue;
            }
            let mut record = Record { fen: fen.to_owned(), mv: mv.to_owned(), ..Record::default() };
            let is_black = record.field(1) == "b";
            let sign = if is_black { -1 } else { 1 };
            record.score = sign * number::<i32>(eval)?.clamp(-GREATEST_SCORE, GREATEST_SCORE);
            record.result = sign * of_white;
            let fullmoves = number::<u32>(record.field(5))?.max(1);
            record.ply = fullmoves.saturating_sub(1).saturating_mul(2).saturating_add(is_black.into());
            return Ok(Some(record));
        }
        Ok(None)
    }
}

/// The reason why a record is left out of a comparison. `None` if it is compared.
pub(crate) type Rule = fn(&Record) -> Option<&'static str>;

/// How many records are left out, by their reasons.
pub(crate) type LeftOut = BTreeMap<&'static str, u64>;

/// The records of one side as lines, without those that are not compared.
pub(crate) struct Chosen<R> {
    records: R,
    leaves_out: Rule,
    pub(crate) left_out: LeftOut,
    /// Records read so far.
    read: u64,
}

impl<R: Records> Chosen<R> {
    pub(crate) fn new(records: R, leaves_out: Rule) -> Chosen<R> {
        Chosen { records, leaves_out, left_out: LeftOut::new(), read: 0 }
    }
}

impl<R: Records> Source for Chosen<R> {
    fn next_line(&mut self) -> io::Result<Option<Line>> {
        while let Some(mut record) = self.records.next_record()? {
            self.read += 1;
            if let Some(reason) = (self.leaves_out)(&record) {
                *self.left_out.entry(reason).or_default() += 1;
                continue;
            }
            record.normalize();
            return Ok(Some(Line { text: record.line(), place: Place::Position(self.read) }));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::{Plain, Record, Records, Table};

    fn record(fen: &str, mv: &str) -> Record {
        Record { fen: fen.to_owned(), mv: mv.to_owned(), ..Record::default() }
    }

    const BOARD: &str = "r3k2r/8/8/8/8/8/8/R3K2R";

    #[test]
    fn records_are_read_as_they_were_written() {
        let record = Record { score: -31_999, ply: 40, result: -1, ..record("4k3/8/8/8/8/8/8/4K3 b - - 0 21", "e8e7") };
        let mut text = Vec::new();
        record.write(&mut text).unwrap();
        record.write(&mut text).unwrap();
        let mut plain = Plain::new(&*text);
        assert_eq!(plain.next_record().unwrap().as_ref(), Some(&record));
        assert_eq!(plain.next_record().unwrap().as_ref(), Some(&record));
        assert_eq!(plain.next_record().unwrap(), None);
    }

    #[test]
    fn other_text_is_an_error() {
        for text in ["fen", "pgn 1. e4\n", "score a\n", "ply 3\n"] {
            assert!(Plain::new(text.as_bytes()).next_record().is_err(), "{text}");
        }
    }

    #[test]
    fn rows_are_records_of_the_side_to_move() {
        let table = "fen\tnext_uci\teval\tresult\n\
                     4k3/8/8/8/8/8/8/4K3 b - - 0 3\te8e7\t31999\t1-0\n\
                     4k3/8/8/8/8/8/8/4K3 w - - 0 4\te1e2\t\t1-0\n\
                     4k3/8/8/8/8/8/8/4K3 w - - 0 4\t0000\t5\t1-0\n\
                     4k3/8/8/8/8/8/8/4K3 w - - 0 4\te1e2\t5\t*\n\
                     4k3/8/8/8/8/8/8/4K3 w - - 0 0\te1e2\t5\t1/2-1/2\n";
        let mut table = Table::new(table.as_bytes());
        let of_black = Record { score: -31_999, ply: 5, result: -1, ..record("4k3/8/8/8/8/8/8/4K3 b - - 0 3", "e8e7") };
        assert_eq!(table.next_record().unwrap(), Some(of_black));
        let of_white = Record { score: 5, ..record("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "e1e2") };
        assert_eq!(table.next_record().unwrap(), Some(of_white));
        assert_eq!(table.next_record().unwrap(), None);
    }

    #[test]
    fn castling_becomes_the_step_of_the_king() {
        for (turn, rights, mv, expected) in [
            ("w", "KQkq", "e1h1", "e1g1"),
            ("w", "KQkq", "e1a1", "e1c1"),
            ("b", "KQkq", "e8h8", "e8g8"),
            ("b", "kq", "e8a8", "e8c8"),
            ("w", "KQkq", "e1g1", "e1g1"),
            ("w", "KQkq", "h1h8", "h1h8"),
            ("w", "-", "e1h1", "e1h1"),
        ] {
            let mut record = record(&format!("{BOARD} {turn} {rights} - 0 1"), mv);
            record.normalize();
            assert_eq!(record.mv, expected);
        }
    }

    #[test]
    fn counters_that_have_no_room_become_the_greatest_ones() {
        for (turn, number, ply, expected) in [
            ("w", "8192", 16_382, ("8192", 16_382)),
            ("b", "8192", 16_383, ("8192", 16_383)),
            ("w", "8193", 16_384, ("8192", 16_382)),
            ("b", "70000", 65_535, ("8192", 16_383)),
            ("b", "0", 1, ("1", 1)),
            ("b", "7", 9, ("7", 9)),
        ] {
            let mut record = Record { ply, ..record(&format!("4k3/8/8/8/8/8/8/4K3 {turn} - - 0 {number}"), "e1e2") };
            record.normalize();
            assert_eq!((record.field(5), record.ply), expected);
        }
    }

    #[test]
    fn binpack_has_no_room_for_some_positions() {
        let reason = |fen: &str| record(fen, "").only_in_plain();
        assert_eq!(reason(&format!("{BOARD} w KQkq - 0 1")), None);
        assert_eq!(reason("1r2k1r1/8/8/8/8/8/8/1R3KR1 w - - 0 1"), None);
        let chess960 = Some("with castling rights of Chess960");
        assert_eq!(reason(&format!("{BOARD} w KQha - 0 1")), chess960);
        assert_eq!(reason("r3k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1"), chess960);
        assert_eq!(reason("r4k1r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), chess960);
        assert_eq!(reason("r4k1r/8/8/8/8/8/8/R3K2R w KQ - 0 1"), None);
        let many = "nnnnknnn/nnnnnnnn/7n/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1";
        assert_eq!(reason(many), Some("with more than 32 pieces"));
    }
}
