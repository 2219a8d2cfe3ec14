//! Rows of CSV with puzzles.

use std::borrow::Cow;

use pgn2fen_chess::notation::uci::Uci;

use crate::game_text::{Spacing, pair, unreadable};
use crate::games::GameParts;
use crate::puzzle::{NAMES, NO_FEN, OF_PUZZLES, Puzzle, position};
use crate::records::cells::{Cells, Row as Next, Separators, wrong_count};
use crate::records::table::BETWEEN_CELLS;
use crate::tabular::choice::plain;
use pgn2fen_pgn::lists::begins_fen;

/// Other names of columns, which copies of the table have.
const ALIASES: [(&str, &str); 7] = [
    ("id", "PuzzleId"),
    ("puzzle", "PuzzleId"),
    ("elo", "Rating"),
    ("deviation", "RatingDeviation"),
    ("theme", "Themes"),
    ("url", "GameUrl"),
    ("openings", "OpeningTags"),
];

/// The columns of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(super) separators: Separators,
    has_header: bool,
    /// The number of columns.
    count: usize,
    fen: usize,
    moves: usize,
    /// For each column, the name of its tag. Columns that give no tag have none.
    tags: Vec<Option<String>>,
}

impl Columns {
    /// Returns the columns of a text that begins with a header row of puzzles, or with a row that can only be a puzzle.
    ///
    /// A header row has `FEN` and `Moves`, and another column of Lichess's puzzles; or the rows below it have the
    /// identifiers and numbers of moves that only these puzzles have.
    pub(super) fn detect(text: &[u8]) -> Option<Self> {
        let named = BETWEEN_CELLS.into_iter().find_map(|cell| {
            let separators = Separators::of(text, cell);
            let (header, rows) = text.split_at(memchr::memchr(separators.row, text)? + 1);
            let header = separators.without_line_end(header);
            let names: Vec<&[u8]> = header.split(|byte| *byte == cell).map(unquoted).collect();
            let find = |wanted: &str| names.iter().position(|name| plain(&String::from_utf8_lossy(name)) == wanted);
            let (fen, moves) = (find("fen")?, find("moves")?);
            let is_named = OF_PUZZLES.iter().any(|name| find(name).is_some());
            let columns = || Self::new(separators, true, &names, fen, moves);
            let by_rows = || find("id").and_then(|id| Some(columns()).filter(|columns| columns.are_puzzles(rows, id)));
            if is_named { Some(columns()) } else { by_rows() }
        });
        named.or_else(|| {
            let separators = Separators::of(text, b',');
            let line = separators.without_line_end(&text[..=memchr::memchr(separators.row, text)?]);
            let fields: Vec<&[u8]> = line.split(|byte| *byte == b',').map(unquoted).collect();
            let [id, fen, moves, numbers @ ..] = fields.as_slice() else { return None };
            let are_moves = count_of_moves(moves).is_some();
            let is_number = |field: &&[u8]| std::str::from_utf8(field).is_ok_and(|it| it.parse::<i64>().is_ok());
            let is_puzzle = fields.len() >= NAMES.len() - 1
                && id.len() < 16
                && id.iter().all(u8::is_ascii_alphanumeric)
                && begins_fen(fen)
                && are_moves
                && numbers[..4].iter().all(is_number);
            let known = NAMES.iter().map(|name| name.as_bytes());
            let names: Vec<&[u8]> = known.chain(std::iter::repeat(&b""[..])).take(fields.len()).collect();
            is_puzzle.then(|| Self::new(separators, false, &names, 1, 2))
        })
    }

    /// Whether the rows of a text that may be cut have puzzles: an identifier of five letters and digits, a FEN, and
    /// moves in UCI, of which each of the solver answers one of the opponent.
    fn are_puzzles(&self, rows: &[u8], id: usize) -> bool {
        let whole = &rows[..self.separators.whole_rows(rows, false)];
        let mut cells = Cells::new(self.separators, self.count);
        let (mut at, mut puzzles) = (0, 0);
        while at < whole.len() {
            let rest = &whole[at..];
            let (Next::Read(end) | Next::Blank(end) | Next::Unclosed(end)) = cells.read(rest);
            at += end;
            let cell = |column| cells.cell(rest, column);
            let is_puzzle = || {
                let is_id = cell(id).len() == 5 && cell(id).iter().all(u8::is_ascii_alphanumeric);
                let moves = count_of_moves(cell(self.moves)).unwrap_or(0);
                is_id && begins_fen(cell(self.fen)) && moves > 0 && moves.is_multiple_of(2)
            };
            match cells.count() == self.count && is_puzzle() {
                true => puzzles += 1,
                false => return false,
            }
        }
        puzzles > 0
    }

    fn new(separators: Separators, has_header: bool, names: &[&[u8]], fen: usize, moves: usize) -> Self {
        let mut tags: Vec<Option<String>> = Vec::new();
        for (column, name) in names.iter().enumerate() {
            let name = tag_name(name, names).filter(|_| column != fen && column != moves);
            // The first of two columns of the same name counts, and the tags that are made here stand for themselves.
            let is_new = |name: &String| {
                let is_made = ["FEN", "SetUp", "LastMove"].iter().any(|made| made.eq_ignore_ascii_case(name));
                !is_made && tags.iter().flatten().all(|other| other != name)
            };
            let tag = name.filter(is_new);
            tags.push(tag);
        }
        Self { separators, has_header, count: names.len(), fen, moves, tags }
    }

    /// Returns the columns that have these parts of games.
    pub(super) fn of_parts(mut self, parts: GameParts) -> Self {
        for tag in &mut self.tags {
            tag.take_if(|name| !parts.has_tag(name));
        }
        self
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
    cells: Cells,
}

impl Puzzles {
    pub(super) fn new(columns: &Columns) -> Self {
        Self { cells: Cells::new(columns.separators, columns.count) }
    }

    /// Appends the row at the start of a text as a game, on as many lines as it has. Returns the end of the row.
    pub(super) fn append(&mut self, columns: &Columns, text: &[u8], out: &mut Vec<u8>) -> usize {
        let (start, separators) = (out.len(), columns.separators);
        let (end, told) = match self.cells.read(text) {
            Next::Blank(end) => {
                out.push(b'\n');
                (end, Ok(()))
            }
            Next::Unclosed(end) => (end, Err("a quote is not closed".to_owned())),
            Next::Read(end) => (end, game(columns, &self.cells, &text[..end], out)),
        };
        let row = separators.without_line_end(&text[..end]);
        if let Err(reason) = told {
            out.truncate(start);
            unreadable(out, &reason, row, Spacing::OneLine);
        }
        let further = memchr::memchr_iter(separators.row, row).count();
        out.resize(out.len() + further, b'\n');
        end
    }
}

/// Appends the row that has been read as a game on one line. The error is the reason why it cannot be read; then a part
/// of the game may have been appended.
fn game(columns: &Columns, cells: &Cells, row: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
    if let Some(reason) = wrong_count(cells.count(), columns.count, columns.has_header) {
        return Err(reason);
    }
    let field = |column: usize| cells.cell(row, column);
    let before = field(columns.fen);
    if before.trim_ascii().is_empty() {
        return Err(NO_FEN.to_owned());
    }
    // The FEN itself is wrong. The reader of the game says why.
    let Some(position) = position(before) else {
        tags(columns, field, out, |out| pair(out, b"FEN", before, Spacing::OneLine));
        out.extend_from_slice(b"*\n");
        return Ok(());
    };
    let mut puzzle = Puzzle::new(position, field(columns.moves))?;
    tags(columns, field, out, |out| puzzle.append_start(Spacing::OneLine, out));
    puzzle.append_solution(out);
    out.extend_from_slice(b"*\n");
    Ok(())
}

/// Appends the tags of a row, with those that `position` appends in the place of the FEN.
fn tags<'c>(
    columns: &Columns,
    field: impl Fn(usize) -> &'c [u8],
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
            let value = field(column);
            if !value.is_empty() {
                pair(out, name.as_bytes(), value, Spacing::OneLine);
            }
        }
    }
}

/// Returns the number of moves in UCI in a text. None if something else is in it.
fn count_of_moves(text: &[u8]) -> Option<usize> {
    let words = || text.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
    words().all(|word| Uci::from_ascii(word).is_some()).then(|| words().count())
}

/// Returns the tag of a column: the name of Lichess in any spelling, another name for it if no column has this name, or
/// the letters, digits and underscores of the name. None if there is none.
fn tag_name(column: &[u8], all: &[&[u8]]) -> Option<String> {
    let plain_name = |name: &[u8]| plain(&String::from_utf8_lossy(name));
    let known =
        |name: &str| NAMES.iter().find(|known| known.eq_ignore_ascii_case(name)).map(|known| (*known).to_owned());
    let name = plain_name(column);
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, tag)| *tag);
    let is_free = |tag: &&str| !all.iter().any(|other| plain_name(other).eq_ignore_ascii_case(tag));
    if let Some(tag) = known(&name).or_else(|| alias.filter(is_free).and_then(known)) {
        return Some(tag);
    }
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
             [PuzzleId \"x\"] [NbPlays \"5\"] 18. Be6+ *\n"
        );
        let row = "00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,1760,e8d7 a2e6 d7d8 f7f8";
        let expected = "[PuzzleId \"00sHx\"] [FEN \"q5nr/1ppknQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 w - - 1 18\"] \
                        [SetUp \"1\"] [LastMove \"e8d7\"] [Rating \"1760\"] 18. Be6+ Kd8 19. Qf8# *\n";
        let header = "ID,FEN,ELO,Moves";
        let columns = Columns::detect(format!("{header}\n{row}\n").as_bytes()).unwrap();
        let mut out = Vec::new();
        Puzzles::new(&columns).append(&columns, row.as_bytes(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        // An odd number of moves begins in the position.
        let odd = row.replace(" f7f8", "");
        assert_eq!(Columns::detect(format!("{header}\n{row}\n{odd}\n").as_bytes()), None);
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
    fn a_puzzle_may_begin_in_the_initial_position_but_not_in_none() {
        let header = "PuzzleId,FEN,Moves";
        assert_eq!(
            made(header, "x,startpos,e2e4 e7e5\n"),
            "[PuzzleId \"x\"] [FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"] [SetUp \"1\"] \
             [LastMove \"e2e4\"] 1... e5 *\n"
        );
        for empty in ["x,,e2e4 e7e5\n", "x, ,e2e4 e7e5\n"] {
            let made = made(header, empty);
            assert!(made.starts_with("[FEN \"unreadable record: the FEN is empty\"] "), "{made}");
        }
    }

    #[test]
    fn the_reader_of_the_game_finds_other_faults() {
        let fen = ROW.replace("q3k1nr/", "q3kknr/");
        assert!(made(HEADER, &fen).contains("[FEN \"q3kknr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17\"] "));
        assert!(made(HEADER, &ROW.replace("d7d8", "d7d1")).ends_with(" 18. Be6+ d7d1 f7f8 *\n"));
        assert!(made(HEADER, &ROW.replace("d7d8", "{x")).ends_with(" 18. Be6+ ?x f7f8 *\n"));
    }
}
