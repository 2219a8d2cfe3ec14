//! Tables of text: CSV and TSV with a header row, and a column of moves or of FENs. Each row becomes a game.
//!
//! The columns mean what they mean in Parquet files (`tabular/choice`). Text has no magic number, so a table is
//! recognised by the names in its header row, and by rows that hold what the names promise.

use std::ops::Range;
use std::sync::Arc;

use crate::game_text::{Spacing, unreadable};
use crate::games::GameParts;
use crate::records::cells::{Cells, Row as Next, Separators, wrong_count};
use crate::tabular::TableError;
use crate::tabular::choice::{ColumnChoice, ColumnKind, TableColumn, is_of_moves};
use crate::tabular::error::TableFormat;
use crate::tabular::row::RowWriter;
use crate::tabular::table::{Cell, Row};
use pgn2fen_pgn::lists::begins_fen;
use pgn2fen_pgn::symbol::is_move_shaped;
use pgn2fen_pgn::tag_pair::begins_pair;
use pgn2fen_pgn::token::Outcome;

/// The bytes that may separate cells.
pub(super) const BETWEEN_CELLS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// The most rows that are looked at to recognise a table.
const MOST_ROWS: usize = 30;

/// A table.
#[derive(Clone, Debug)]
pub(crate) struct TextTable {
    pub(super) separators: Separators,
    header: Vec<u8>,
    columns: Arc<Vec<TableColumn>>,
    choice: ColumnChoice,
}

impl TextTable {
    /// Returns the table with which a text begins. `wanted` is the name of the column with the moves, if one was given.
    pub(super) fn detect(text: &[u8], wanted: Option<&str>) -> Option<Self> {
        BETWEEN_CELLS.into_iter().find_map(|cell| {
            let separators = Separators::of(text, cell);
            let (header, names) = names(text, separators)?;
            if let [name] = &names[..]
                && !(is_of_moves(name) && are_all_games(text, separators))
            {
                return None;
            }
            let column = |name: &String| TableColumn {
                name: name.clone(),
                kind: ColumnKind::Text,
                type_name: "text".to_owned(),
            };
            let columns: Vec<TableColumn> = names.iter().map(column).collect();
            let of = |wanted: Option<&str>| ColumnChoice::new(TableFormat::Text, &columns, wanted).ok();
            let is_wanted = |choice: &ColumnChoice| Self::has_rows(text, separators, columns.len(), choice, |_| true);
            let named = wanted.and_then(|wanted| of(Some(wanted))).filter(is_wanted);
            let by_meaning = || {
                let choice = of(None)?;
                let holds: fn(&[u8]) -> bool = if choice.movetext.is_some() { may_be_moves } else { begins_fen };
                Self::has_rows(text, separators, columns.len(), &choice, holds).then_some(choice)
            };
            let choice = named.or_else(by_meaning)?;
            Some(Self { separators, header: text[..header].to_vec(), columns: Arc::new(columns), choice })
        })
    }

    /// Whether enough of the rows behind the header, as far as they are seen, have as many cells as it, and the cells
    /// of moves or FENs hold them. A table may have no rows.
    fn has_rows(
        text: &[u8],
        separators: Separators,
        count: usize,
        choice: &ColumnChoice,
        holds: fn(&[u8]) -> bool,
    ) -> bool {
        let fen = choice.tags.iter().find(|tag| tag.name == "FEN").map(|tag| tag.column);
        let Some(column) = choice.movetext.or(fen).map(|column| choice.columns[column]) else { return false };
        let (Range { start: mut at, end }, is_cut) = seen_rows(text, separators);
        let mut cells = Cells::new(separators, count);
        let (mut rows, mut others, mut holding, mut empty) = (0, 0, 0, 0);
        while at < end && rows + others < MOST_ROWS {
            let rest = &text[at..end];
            if begins_pair(rest, 0) {
                return false;
            }
            match cells.read(rest) {
                Next::Blank(length) => at += length,
                Next::Unclosed(length) => (at, others) = (at + length, others + usize::from(!is_cut)),
                Next::Read(length) => {
                    at += length;
                    if cells.count() != count {
                        others += usize::from(!is_cut || cells.count() > count || rest.len() < SHORT_ROW);
                        continue;
                    }
                    rows += 1;
                    let cell = cells.cell(rest, column);
                    holding += usize::from(holds(cell));
                    empty += usize::from(cell.is_empty());
                }
            }
        }
        let is_seen = rows > 0;
        4 * rows >= others && (holding > 0 || empty == rows && (is_seen || others == 0))
    }

    /// Returns the table with the moves in the column of this name.
    ///
    /// # Errors
    ///
    /// There is no such column.
    pub(super) fn with_movetext(&self, name: &str) -> Result<Self, TableError> {
        let choice = ColumnChoice::new(TableFormat::Text, &self.columns, Some(name))?;
        Ok(Self { choice, ..self.clone() })
    }

    /// Returns the table whose columns have these parts of games.
    pub(super) fn of_parts(self, parts: GameParts) -> Self {
        Self { choice: self.choice.of_parts(parts), ..self }
    }

    /// Whether the rows have moves.
    pub(super) fn has_moves(&self) -> bool {
        self.choice.movetext.is_some()
    }
}

/// Returns the place of the rows behind the header in what is seen of a file, and whether there is only a part of a
/// row: one that is longer, or that has no line break, is looked at as far as it goes.
fn seen_rows(text: &[u8], separators: Separators) -> (Range<usize>, bool) {
    let start = separators.line_end(text);
    let end = start + separators.whole_rows(&text[start..], false);
    let is_cut = text[start..end].trim_ascii().is_empty();
    (start..if is_cut { text.len() } else { end }, is_cut)
}

/// Whether each row behind the header is one cell, in which a game begins. So the table has one column, and is no
/// movetext on several lines below a word.
fn are_all_games(text: &[u8], separators: Separators) -> bool {
    let (Range { start: mut at, end }, _) = seen_rows(text, separators);
    let mut cells = Cells::new(separators, 1);
    let mut rows = 0;
    while at < end && rows < MOST_ROWS {
        let rest = &text[at..end];
        match cells.read(rest) {
            Next::Blank(length) => at += length,
            Next::Read(length) if cells.count() == 1 && begins_game(cells.cell(rest, 0)) => {
                rows += 1;
                at += length;
            }
            _ => return false,
        }
    }
    rows > 0
}

/// Whether a cell has tags, or moves that do not go on with those of a cell before.
fn begins_game(cell: &[u8]) -> bool {
    let digits = cell.iter().take_while(|byte| byte.is_ascii_digit()).count();
    may_be_moves(cell) && (digits == 0 || cell.starts_with(b"1.") || Outcome::from_ascii(cell).is_some())
}

/// Returns the end of the header row, and the names in it. None if these are no names of columns.
fn names(text: &[u8], separators: Separators) -> Option<(usize, Vec<String>)> {
    let end = memchr::memchr(separators.row, text)? + 1;
    let line = &text[..end];
    let count = memchr::memchr_iter(separators.cell, line).count() + 1;
    let mut cells = Cells::new(separators, count);
    if cells.read(line) != Next::Read(end) {
        return None;
    }
    let names: Vec<&[u8]> = (0..cells.count()).map(|column| cells.cell(line, column)).collect();
    // An index of rows has no name.
    let is_name = |name: &[u8]| {
        name.first().is_none_or(|first| first.is_ascii_alphabetic() || *first == b'_' || *first >= 0x80)
            && name.len() <= 100
            && !name.iter().any(|byte| *byte < b' ')
    };
    let names = names.into_iter().map(|name| is_name(name).then(|| String::from_utf8_lossy(name).into_owned()));
    Some((end, names.collect::<Option<Vec<String>>>()?))
}

/// Whether a cell begins with moves, a whole game or a result.
fn may_be_moves(cell: &[u8]) -> bool {
    let digits = cell.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let behind = &cell[digits..];
    let number = behind.iter().take_while(|byte| matches!(byte, b'.' | b' ')).count();
    let moves = if digits > 0 && number > 0 { &behind[number..] } else { cell };
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"+#=-@".contains(byte);
    let first = &moves[..moves.iter().take_while(|byte| is_letter(byte)).count()];
    let is_list = matches!(cell, [b'[', b'\'' | b'"', ..]);
    begins_pair(cell, 0)
        || is_list
        || cell.starts_with(b"{")
        || is_move_shaped(first)
        || Outcome::from_ascii(cell).is_some()
}

/// A row of fewer bytes is not the beginning of a longer one, as far as a file is seen.
const SHORT_ROW: usize = 1024;

/// The most bytes of a row that becomes a game. What is made of it may be twice as long.
const LONGEST_ROW: usize = 4 << 20;

/// Reads rows.
pub(super) struct Rows {
    cells: Cells,
    writer: RowWriter,
}

impl Rows {
    pub(super) fn new(table: &TextTable) -> Self {
        Self {
            cells: Cells::new(table.separators, table.columns.len()),
            writer: RowWriter::new(table.choice.clone(), Spacing::OneLine),
        }
    }

    /// Appends the row at the start of a text as a game, on as many lines as it has. Returns the end of the row.
    pub(super) fn append(&mut self, table: &TextTable, text: &[u8], out: &mut Vec<u8>) -> usize {
        let start = out.len();
        let (end, told) = match self.cells.read(text) {
            Next::Blank(end) => (end, Ok(())),
            // Tables that are joined have several header rows.
            Next::Read(end) if text[..end] == *table.header => (end, Ok(())),
            Next::Unclosed(end) => (end, Err("a quote is not closed".to_owned())),
            Next::Read(end) if end > LONGEST_ROW => (end, Err("the row is longer than 4 MiB".to_owned())),
            Next::Read(end) => {
                let count = wrong_count(self.cells.count(), table.columns.len(), true);
                let row = TextRow { text: &text[..end], cells: &self.cells, choice: &table.choice };
                (end, count.map_or_else(|| self.writer.append(&row, out).map_err(str::to_owned), Err))
            }
        };
        let row = table.separators.without_line_end(&text[..end]);
        if let Err(reason) = told {
            out.truncate(start);
            unreadable(out, &reason, row, Spacing::OneLine);
        }
        let lines = memchr::memchr_iter(table.separators.row, row).count() + usize::from(out.len() == start);
        out.resize(out.len() + lines, b'\n');
        end
    }
}

/// A row, whose columns are those of a choice.
struct TextRow<'r> {
    text: &'r [u8],
    cells: &'r Cells,
    choice: &'r ColumnChoice,
}

impl Row for TextRow<'_> {
    fn cell(&self, column: usize) -> Cell<'_> {
        match self.cells.cell(self.text, self.choice.columns[column]) {
            b"" => Cell::Null,
            text => Cell::Text(text),
        }
    }

    fn each(&self, _: usize, _: &mut dyn FnMut(Cell<'_>)) {}

    fn each_pair(&self, _: usize, _: &mut dyn FnMut(Cell<'_>, Cell<'_>)) {}
}

#[cfg(test)]
mod tests {
    use super::{Rows, TextTable};

    /// The text that is made of a table.
    fn made(text: &str, wanted: Option<&str>) -> Option<String> {
        let table = TextTable::detect(text.as_bytes(), wanted)?;
        let (mut rows, mut out, mut at) = (Rows::new(&table), Vec::new(), table.header.len());
        while at < text.len() {
            at += rows.append(&table, &text.as_bytes()[at..], &mut out);
        }
        Some(String::from_utf8(out).unwrap())
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(made(text, None).as_deref(), Some(expected), "{text}");
    }

    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    #[test]
    fn a_row_becomes_a_game_on_one_line() {
        check(
            "eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\nA00\tAmar Gambit\t1. Nh3 d5 2. g3\n",
            "[ECO \"A00\"] [Opening \"Amar Opening\"] 1. Nh3 *\n\
             [ECO \"A00\"] [Opening \"Amar Gambit\"] 1. Nh3 d5 2. g3 *\n",
        );
        check(
            ",id,winner,white_id,black_id,moves\n0,x,white,a,b,e4 e5\n1,y,draw,c,d,\"d4, d5\"\n",
            "[Id \"x\"] [Result \"1-0\"] [White \"a\"] [Black \"b\"] e4 e5 1-0\n\
             [Id \"y\"] [Result \"1/2-1/2\"] [White \"c\"] [Black \"d\"] d4, d5 1/2-1/2\n",
        );
        check("White;PGN\r\nA;\"[Event \"\"x\"\"]\n\n1. e4 *\"\r\n", "[Event \"x\"]  1. e4 *\n\n\n");
        check("a,moves\n1,\"['e2e4', 'e7e5']\"\n", "[A \"1\"] e2e4    e7e5 *\n");
        check("a,moves\n,\n1,e4\n", "[Event \"?\"]  *\n[A \"1\"] e4 *\n");
        check(
            "white_elo,moves\n1500.0,e4\n\nwhite_elo,moves\n,d4",
            "[WhiteElo \"1500\"] e4 *\n\n\n[Event \"?\"] d4 *\n",
        );
    }

    #[test]
    fn a_table_of_fens_has_positions() {
        check(
            &format!("fen,cp\n{FEN},5\n,20\n"),
            &format!("[FEN \"{FEN}\"] [Cp \"5\"] [SetUp \"1\"]  *\n[Cp \"20\"] [FEN \"?\"] [SetUp \"1\"]  *\n"),
        );
        check(
            &format!("FEN,Evaluation\n{FEN},+56\n{FEN},#-2\n"),
            &format!(
                "[FEN \"{FEN}\"] [Evaluation \"+56\"] [SetUp \"1\"]  *\n\
                 [FEN \"{FEN}\"] [Evaluation \"#-2\"] [SetUp \"1\"]  *\n"
            ),
        );
        assert_eq!(made(&format!("game,ply,san,fen\n1,0,,{FEN}\n"), None), None);
        assert_eq!(made("fen,x\n1,2\n", None), None);
    }

    #[test]
    fn a_table_may_have_one_column() {
        check("moves\ne2e4 e7e5\n\nd2d4 d7d5\n", "[Event \"?\"] e2e4 e7e5 *\n\n[Event \"?\"] d2d4 d7d5 *\n");
        check("\"moves\"\n\"e4 e5\"\n\"d4\"\n", "[Event \"?\"] e4 e5 *\n[Event \"?\"] d4 *\n");
        check("pgn\n1. e4 *\n1. d4 0-1\n", "[Event \"?\"] 1. e4 *\n[Event \"?\"] 1. d4 0-1\n");
    }

    #[test]
    fn the_column_of_moves_may_be_named() {
        let text = "line,text\ne4 e5,hello\n";
        assert_eq!(made(text, None), None);
        assert_eq!(made(text, Some("LINE")).as_deref(), Some("[Text \"hello\"] e4 e5 *\n"));
        assert_eq!(made(text, Some("other")), None);
        let table = TextTable::detect(b"pgn,line\ne4,d4\n", Some("other")).unwrap();
        assert_eq!(
            table.with_movetext("other").unwrap_err().to_string(),
            "is a table (CSV) without a column other; it has pgn (text), line (text)"
        );
    }

    #[test]
    fn a_row_that_cannot_be_read_is_told_and_the_others_are_read() {
        let made = made("a,moves\n1,e4\n2\n3,d4,x\n\"4,c4\n5,b4\n", None).unwrap();
        let lines: Vec<&str> = made.lines().collect();
        assert_eq!(lines.len(), 5);
        assert_eq!([lines[0], lines[4]], ["[A \"1\"] e4 *", "[A \"5\"] b4 *"]);
        assert_eq!(lines[1], "[FEN \"unreadable record: 1 fields, but the header row has 2\"] [Record \"2\"] *");
        assert!(lines[2].contains("3 fields") && lines[3].contains("a quote is not closed"), "{made}");
    }

    #[test]
    fn games_lists_and_other_tables_are_none() {
        for text in [
            "moves, pgn and text\n\n1. e4 *\n",
            "White,moves\n[Event \"x\"]\n",
            "player,moves\nA,34\nB,40\n",
            "id,text\n1,hello\n2,e is a letter\n",
            "[Event \"pgn,moves\"]\n\n1. e4 *",
            "e4,moves\n",
            "{pgn,moves}\n1. e4 *",
            "a,b\n1,2\n",
            "moves\n1. e4 e5\n2. Nf3 *\n",
            "moves\n\n[Event \"x\"]\n\n1. e4 *\n",
            "line\ne4 e5\n",
            "pgn\n",
            "pgn,moves",
            "",
        ] {
            let made = made(text, None);
            assert!(made.is_none() || text == "e4,moves\n", "{text}: {made:?}");
        }
        assert_eq!(made(&format!("{FEN},moves\n"), None), None);
        assert_eq!(made("eco\tname\tpgn\n", None).as_deref(), Some(""));
    }
}
