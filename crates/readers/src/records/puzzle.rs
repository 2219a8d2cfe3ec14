//! Puzzles of Lichess: rows of CSV.
//!
//! The FEN of a row stands before the move of the opponent, which is the first of its moves. The game begins behind
//! that move; the other moves are the solution.

use std::borrow::Cow;
use std::ops::Range;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san;

use crate::records::pgn::{Spacing, digits, pair, unreadable};
use pgn2fen_pgn::lists::begins_fen;

/// The names of the columns, for files without a header row.
const NAMES: [&str; 10] = [
    "PuzzleId",
    "FEN",
    "Moves",
    "Rating",
    "RatingDeviation",
    "Popularity",
    "NbPlays",
    "Themes",
    "GameUrl",
    "OpeningTags",
];

/// The most lines and bytes of a row. In a row that is longer, a quote is missing.
const MOST_LINES: usize = 64;
pub(super) const MOST_BYTES: usize = 16 * 1024;

/// The columns of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    separator: u8,
    has_header: bool,
    /// The number of columns.
    count: usize,
    fen: usize,
    moves: usize,
    /// For each column, the name of its tag. Columns that give no tag have none.
    tags: Vec<Option<String>>,
}

impl Columns {
    /// Returns the columns of a text that begins with a header row with `PuzzleId`, `FEN` and `Moves`, or with a row
    /// that can only be a puzzle.
    pub(super) fn detect(text: &[u8]) -> Option<Self> {
        let line = without_line_end(&text[..=memchr::memchr(b'\n', text)?]);
        let named = [b',', b';', b'\t'].into_iter().find_map(|separator| {
            let names: Vec<&[u8]> = line.split(|byte| *byte == separator).map(unquoted).collect();
            let find = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted.as_bytes()));
            find("PuzzleId")?;
            Some(Self::new(separator, true, &names, find("FEN")?, find("Moves")?))
        });
        named.or_else(|| {
            let fields: Vec<&[u8]> = line.split(|byte| *byte == b',').map(unquoted).collect();
            let [id, fen, moves, numbers @ ..] = fields.as_slice() else { return None };
            let are_moves = moves.split(|byte| *byte == b' ').all(|word| Uci::from_ascii(word).is_some());
            let is_number = |field: &&[u8]| std::str::from_utf8(field).is_ok_and(|it| it.parse::<i64>().is_ok());
            let is_puzzle = fields.len() >= NAMES.len() - 1
                && id.len() < 16
                && id.iter().all(u8::is_ascii_alphanumeric)
                && begins_fen(fen)
                && are_moves
                && numbers[..4].iter().all(is_number);
            let known = NAMES.iter().map(|name| name.as_bytes());
            let names: Vec<&[u8]> = known.chain(std::iter::repeat(&b""[..])).take(fields.len()).collect();
            is_puzzle.then(|| Self::new(b',', false, &names, 1, 2))
        })
    }

    fn new(separator: u8, has_header: bool, names: &[&[u8]], fen: usize, moves: usize) -> Self {
        let mut tags: Vec<Option<String>> = Vec::new();
        for (column, name) in names.iter().enumerate() {
            let name = tag_name(name).filter(|_| column != fen && column != moves);
            // The first of two columns of the same name counts, and the tags that are made here stand for themselves.
            let is_new = |name: &String| {
                let is_made = ["FEN", "SetUp", "LastMove"].iter().any(|made| made.eq_ignore_ascii_case(name));
                !is_made && tags.iter().flatten().all(|other| other != name)
            };
            let tag = name.filter(is_new);
            tags.push(tag);
        }
        Self { separator, has_header, count: names.len(), fen, moves, tags }
    }

    /// Whether the first line has the names of the columns.
    pub(super) fn has_header(&self) -> bool {
        self.has_header
    }
}

/// Returns a field without its quotes.
fn unquoted(field: &[u8]) -> &[u8] {
    let field = field.trim_ascii();
    field.strip_prefix(b"\"").and_then(|field| field.strip_suffix(b"\"")).unwrap_or(field)
}

/// Reads rows.
pub(super) struct Puzzles {
    quoted: Reader,
    /// The fields of a row without their quotes, and their places there.
    text: Vec<u8>,
    ends: Vec<usize>,
    /// The fields of the row.
    fields: Vec<Range<usize>>,
}

impl Puzzles {
    pub(super) fn new(columns: &Columns) -> Self {
        Self {
            quoted: ReaderBuilder::new().delimiter(columns.separator).build(),
            text: Vec::new(),
            ends: Vec::new(),
            fields: Vec::new(),
        }
    }

    /// Appends the row at the start of a text as a game, on as many lines as it has. Returns the end of the row.
    pub(super) fn append(&mut self, columns: &Columns, text: &[u8], out: &mut Vec<u8>) -> usize {
        let line = memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1);
        let row = without_line_end(&text[..line]);
        if row.trim_ascii().is_empty() {
            out.push(b'\n');
            return line;
        }
        // Without quotes, a row is split at its separators.
        if memchr::memchr(b'"', row).is_none() {
            self.fields.clear();
            let mut start = 0;
            let ends = memchr::memchr_iter(columns.separator, row).chain([row.len()]);
            for end in ends.clone().take(columns.count) {
                self.fields.push(start..end);
                start = end + 1;
            }
            let further = ends.skip(columns.count).count();
            game(columns, row, (&self.fields, further), row, out);
            return line;
        }
        let Some(end) = row_end(text) else {
            unreadable(out, "a quote is not closed", row, Spacing::OneLine);
            return line;
        };
        let row = without_line_end(&text[..end]);
        self.split(row);
        game(columns, &self.text, (&self.fields, 0), row, out);
        let further = memchr::memchr_iter(b'\n', row).count();
        out.resize(out.len() + further, b'\n');
        end
    }

    /// Finds the fields of a row with quotes.
    fn split(&mut self, row: &[u8]) {
        self.quoted.reset();
        self.text.resize(row.len() + 1, 0);
        self.ends.resize(row.len() + 2, 0);
        // No field is longer than the row, so there is room for all.
        let (result, read, written, count) = self.quoted.read_record(row, &mut self.text, &mut self.ends);
        let (mut written, mut count) = (written, count);
        if result == ReadRecordResult::InputEmpty {
            let (text, ends) = (&mut self.text[written..], &mut self.ends[count..]);
            let (_, _, more, further) = self.quoted.read_record(&row[read..], text, ends);
            (written, count) = (written + more, count + further);
        }
        self.text.truncate(written);
        self.ends.truncate(count);
        self.fields.clear();
        let mut start = 0;
        for end in &self.ends {
            self.fields.push(start..*end);
            start = *end;
        }
    }
}

/// Returns a row without the line break behind it.
fn without_line_end(row: &[u8]) -> &[u8] {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    row.strip_suffix(b"\r").unwrap_or(row)
}

/// Returns the end of the row with which a text begins: of the first line behind which all quotes are closed. None if
/// there is none nearby.
fn row_end(text: &[u8]) -> Option<usize> {
    let near = &text[..text.len().min(MOST_BYTES)];
    let (mut start, mut quotes) = (0, 0);
    let ends =
        memchr::memchr_iter(b'\n', near).map(|end| end + 1).chain((near.len() == text.len()).then_some(near.len()));
    for end in ends.take(MOST_LINES) {
        quotes += memchr::memchr_iter(b'"', &near[start..end]).count();
        if quotes % 2 == 0 {
            return Some(end);
        }
        start = end;
    }
    None
}

/// The places of the first fields of a row, and the number of the others.
type Fields<'f> = (&'f [Range<usize>], usize);

/// Appends a row as a game on one line. `further` is the number of fields behind those of the columns.
fn game(columns: &Columns, text: &[u8], (fields, further): Fields<'_>, row: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    if let Err(reason) = try_game(columns, text, (fields, further), out) {
        out.truncate(start);
        unreadable(out, &reason, row, Spacing::OneLine);
    }
}

fn try_game(columns: &Columns, text: &[u8], (fields, further): Fields<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    if fields.len() + further != columns.count {
        let header = if columns.has_header { "the header row" } else { "the first row" };
        return Err(format!("{} fields, but {header} has {}", fields.len() + further, columns.count));
    }
    let field = |column: usize| text[fields[column].clone()].trim_ascii();
    let (before, moves) = (field(columns.fen), field(columns.moves));
    let mut words = moves.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
    let shown = |word: &[u8]| String::from_utf8_lossy(&word[..word.len().min(20)]).into_owned();
    // The FEN itself is wrong. The reader of the game says why.
    let Ok(reading) = fen::read(before) else {
        tags(columns, text, fields, out, |out| pair(out, b"FEN", before, Spacing::OneLine));
        out.extend_from_slice(b"*\n");
        return Ok(());
    };
    let mut position = reading.position;
    let first = words.next().ok_or("the puzzle has no moves")?;
    let found = Uci::from_ascii(first).and_then(|uci| uci.find(&position));
    let played =
        found.ok_or_else(|| format!("the opponent cannot play {} in the position before the puzzle", shown(first)))?;
    position.play_unchecked(played);
    tags(columns, text, fields, out, |out| {
        out.extend_from_slice(b"[FEN \"");
        fen::append(&position, FenStyle::default(), out);
        out.extend_from_slice(b"\"] [SetUp \"1\"] ");
        pair(out, b"LastMove", first, Spacing::OneLine);
    });
    solution(&mut position, words, out);
    out.extend_from_slice(b"*\n");
    Ok(())
}

/// Appends the tags of a row, with those that `position` appends in the place of the FEN.
fn tags(
    columns: &Columns,
    text: &[u8],
    fields: &[Range<usize>],
    out: &mut Vec<u8>,
    position: impl FnOnce(&mut Vec<u8>),
) {
    let mut position = Some(position);
    for (column, tag) in columns.tags.iter().enumerate() {
        if column == columns.fen
            && let Some(position) = position.take()
        {
            position(out);
        }
        if let Some(name) = tag {
            let value = text[fields[column].clone()].trim_ascii();
            if !value.is_empty() {
                pair(out, name.as_bytes(), value, Spacing::OneLine);
            }
        }
    }
}

/// Appends moves in SAN. From a move on that cannot be played, moves are appended as they are written, so that the
/// reader of the game finds the fault.
fn solution<'t>(position: &mut Position, words: impl Iterator<Item = &'t [u8]>, out: &mut Vec<u8>) {
    let mut number = position.fullmoves();
    let mut is_first = true;
    let mut is_played = true;
    for word in words {
        let is_white = position.turn() == Color::White;
        if is_played && (is_first || is_white) {
            digits(out, u64::from(number), 1);
            out.extend_from_slice(if is_white { b". " } else { b"... " });
        }
        is_first = false;
        let found = Uci::from_ascii(word).filter(|_| is_played).and_then(|uci| uci.find(position));
        match found {
            Some(played) => {
                let before = position.clone();
                position.play_unchecked(played);
                san::append_between(&before, played, position, out);
                number += u32::from(!is_white);
            }
            None => {
                is_played = false;
                out.extend(word.iter().map(|byte| if byte.is_ascii_alphanumeric() { *byte } else { b'?' }));
            }
        }
        out.push(b' ');
    }
}

/// Returns a name that a tag may have: its letters, digits and underscores. None if there is none.
fn tag_name(column: &[u8]) -> Option<String> {
    let column: Cow<'_, str> = String::from_utf8_lossy(column.trim_ascii());
    let is_name = column.len() <= 100 && column.starts_with(|first: char| first.is_ascii_alphabetic());
    let letter = |char: char| if char.is_ascii_alphanumeric() { char } else { '_' };
    is_name.then(|| column.chars().map(letter).collect())
}

#[cfg(test)]
mod tests {
    use super::{Columns, Puzzles};

    const HEADER: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";
    const ROW: &str = "00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,e8d7 a2e6 d7d8 f7f8,\
                       1760,80,83,72,mate mateIn2 middlegame short,https://lichess.org/yyznGmXs/black#34,Italian_Game";
    const GAME: &str = "[PuzzleId \"00sHx\"] [FEN \"q5nr/1ppknQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 w - - 1 18\"] \
                        [SetUp \"1\"] [LastMove \"e8d7\"] [Rating \"1760\"] [RatingDeviation \"80\"] \
                        [Popularity \"83\"] [NbPlays \"72\"] [Themes \"mate mateIn2 middlegame short\"] \
                        [GameUrl \"https://lichess.org/yyznGmXs/black#34\"] [OpeningTags \"Italian_Game\"] \
                        18. Be6+ Kd8 19. Qf8# *\n";

    /// The text that is made of rows below a header.
    fn made(header: &str, rows: &str) -> String {
        let columns = Columns::detect(format!("{header}\n").as_bytes()).expect(header);
        let mut puzzles = Puzzles::new(&columns);
        let (mut out, mut at) = (Vec::new(), 0);
        while at < rows.len() {
            at += puzzles.append(&columns, &rows.as_bytes()[at..], &mut out);
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_game_begins_behind_the_move_of_the_opponent() {
        assert_eq!(made(HEADER, ROW), GAME);
        assert_eq!(made(HEADER, &format!("{ROW}\r\n\r\n{ROW}\n")), format!("{GAME}\n{GAME}"));
        // Without a header row.
        assert_eq!(made(ROW, ROW), GAME);
        let old = ROW.rsplit_once(',').unwrap().0;
        assert_eq!(made(old, old), GAME.replace("[OpeningTags \"Italian_Game\"] ", ""));
    }

    #[test]
    fn columns_are_found_by_their_names() {
        let row = "e8d7 a2e6\tq3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17\tx\t5\t\n";
        assert_eq!(
            made("Moves\tfen\tPuzzleId\tNb Plays\tEmpty", row),
            "[FEN \"q5nr/1ppknQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 w - - 1 18\"] [SetUp \"1\"] [LastMove \"e8d7\"] \
             [PuzzleId \"x\"] [Nb_Plays \"5\"] 18. Be6+ *\n"
        );
        for other in ["PuzzleId,FEN\n", "FEN,Moves\n", "PuzzleId,FEN,Moves", "00sHx,8/8/8/8/8/8/8/8 w - -,e2e4\n"] {
            assert_eq!(Columns::detect(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn quoted_fields_are_read() {
        let quoted = ROW.replace("mate mateIn2 middlegame short", "\"a \"\"b\"\", c\nd\"");
        let expected = GAME.replace("mate mateIn2 middlegame short", "a \\\"b\\\", c d");
        assert_eq!(made(HEADER, &format!("{quoted}\n{ROW}\n")), format!("{expected}\n{GAME}"));
        let all: Vec<String> = ROW.split(',').map(|field| format!("\"{field}\"")).collect();
        assert_eq!(made(HEADER, &all.join(",")), GAME);
    }

    #[test]
    fn a_row_that_cannot_be_read_is_told_and_the_others_are_read() {
        let cut = &ROW[..70];
        let illegal = ROW.replace("e8d7 ", "e8e1 ");
        let made = made(HEADER, &format!("{ROW}\n{cut}\n{illegal}\n\"{ROW}\n{ROW}"));
        let lines: Vec<&str> = made.split_inclusive('\n').collect();
        assert_eq!((lines.len(), lines[0], lines[4]), (5, GAME, GAME));
        assert!(
            lines[1].starts_with("[FEN \"unreadable record: 3 fields, but the header row has 10\"] "),
            "{}",
            lines[1]
        );
        assert!(
            lines[2].contains("the opponent cannot play e8e1 in the position before the puzzle\"]"),
            "{}",
            lines[2]
        );
        assert!(lines[3].contains("a quote is not closed"), "{}", lines[3]);
    }

    #[test]
    fn the_reader_of_the_game_finds_other_faults() {
        let fen = ROW.replace("q3k1nr/", "q3kknr/");
        assert!(made(HEADER, &fen).contains("[FEN \"q3kknr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17\"] "));
        assert!(made(HEADER, &ROW.replace("d7d8", "d7d1")).ends_with(" 18. Be6+ d7d1 f7f8 *\n"));
        assert!(made(HEADER, &ROW.replace("d7d8", "{x")).ends_with(" 18. Be6+ ?x f7f8 *\n"));
    }
}
