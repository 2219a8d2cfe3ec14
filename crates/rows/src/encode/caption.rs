//! The caption of a board: the columns of its row in words.

use std::path::is_separator;

use crate::columns::column::Column;
use crate::columns::{Cell, Columns};
use crate::encode::formats::values::append_plain;
use crate::encode::puzzle::{Puzzle, in_words};
use crate::table::Table;
use crate::table::value::Value;
use pgn2fen_chess::rules::Rules;

/// The parts of a caption, in order.
#[derive(Debug)]
pub(crate) struct Caption {
    parts: Vec<CaptionPart>,
    /// The number of the first columns of a row that are in the caption.
    columns: usize,
    /// Whether a game without players is named by its number.
    numbers_games: bool,
    /// Whether the usual caption asks for the solution, which stands elsewhere.
    is_task: bool,
}

/// A part of a caption, from one or more columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CaptionPart {
    /// Players, ratings and result: `Carlsen (2882) – Anand (2785), 1-0`.
    Players,
    /// Event, place, round and date.
    Occasion,
    /// The name of the game, if it is a variant: `King of the Hill`.
    Variant,
    /// The move that led to the position, with its number: `12… Nf6`.
    Move,
    /// The evaluation in pawns: `+0.31`.
    Eval,
    /// The kind of a starting position, with its Chess960 number or its odds.
    Kind,
    /// The code and the name of the opening: `B90 Sicilian Defense: Najdorf Variation`.
    Opening,
    /// The number of games.
    Count,
    /// The name of the file, without its folders, and the line.
    Place,
    /// The identifier, the task and the move to find of a puzzle in an EPD.
    Puzzle,
    /// The comments, without commands such as `[%clk 0:05]`.
    Comment,
    /// The words of people in the comments.
    Words,
    /// The side to move.
    Turn,
    /// The name and the value of the column at this index.
    Other(usize),
    /// The name and the value of the column at this index, which is the same for all positions of a game.
    OfGame(usize),
}

impl CaptionPart {
    fn of(column: &Column, index: usize) -> Self {
        match column {
            Column::San => Self::Move,
            Column::Eval => Self::Eval,
            Column::Turn => Self::Turn,
            Column::Comment => Self::Comment,
            Column::Words => Self::Words,
            Column::Result => Self::Players,
            Column::Kind | Column::Sp | Column::Odds => Self::Kind,
            Column::Eco | Column::Opening => Self::Opening,
            Column::Count => Self::Count,
            Column::File | Column::Line => Self::Place,
            Column::Tag(name) => match &**name {
                "White" | "Black" | "WhiteElo" | "BlackElo" => Self::Players,
                "Event" | "Site" | "Round" | "Date" => Self::Occasion,
                _ => Self::OfGame(index),
            },
            _ => Self::Other(index),
        }
    }

    /// Whether the part describes a game and not the position.
    fn is_of_game(self) -> bool {
        matches!(self, Self::Players | Self::Occasion | Self::Variant | Self::Place | Self::OfGame(_))
    }
}

/// Returns the columns of the usual caption of a position.
pub(crate) fn of_positions() -> Columns {
    let tag = |name: &str| Column::Tag(name.into());
    let of_game = [Column::Game, tag("White"), tag("Black"), tag("Event"), tag("Date"), Column::Variant];
    Columns::new(of_game.into_iter().chain([Column::San, tag("FEN")]))
}

/// Returns the columns of the usual caption of a starting position.
pub(crate) fn of_starts() -> Columns {
    let tag = |name: &str| Column::Tag(name.into());
    let of_start = [Column::Kind, Column::Sp, Column::Odds, Column::Variant, Column::Count];
    let of_game = [tag("FEN"), tag("White"), tag("Black"), tag("Event"), tag("Date"), Column::File, Column::Line];
    Columns::new(of_start.into_iter().chain(of_game))
}

impl Caption {
    /// Creates a caption of these columns, which are the first columns of the rows. In the `usual` caption, the column
    /// `game` is written only if the players are not known.
    pub(crate) fn new(columns: &Columns, usual: bool) -> Self {
        let mut parts = Vec::new();
        let is_usual = usual || *columns == of_starts();
        for (index, column) in columns.iter().enumerate() {
            let mut part = CaptionPart::of(column, index);
            if is_usual && *column == Column::Tag("FEN".into()) {
                parts.push(CaptionPart::Turn);
                part = CaptionPart::Puzzle;
            }
            if is_usual && *column == Column::Variant {
                part = CaptionPart::Variant;
            }
            let is_hidden = usual && *column == Column::Game;
            if !is_hidden && !parts.contains(&part) {
                parts.push(part);
            }
        }
        Self { parts, columns: columns.iter().count(), numbers_games: usual, is_task: false }
    }

    /// Sets whether the solution stands elsewhere. Then the usual caption names neither it nor the starting position of
    /// a game.
    pub(crate) fn of_tasks(self, is_task: bool) -> Self {
        Self { is_task, numbers_games: self.numbers_games && !is_task, ..self }
    }

    /// Returns the lines of the caption of a row. A part without a known value has no line.
    /// The lines about the game stand only at the first of its rows.
    pub(crate) fn lines(&self, columns: &Columns, table: &Table, (index, begins_game): (usize, bool)) -> Vec<String> {
        let cells = columns.cells().take(self.columns).collect();
        let row = Row { cells, table, index };
        let is_first_of_several = row.number(&Column::Count).is_some_and(|count| count > 1);
        let mut lines: Vec<String> = Vec::new();
        let mut has_game = false;
        // A puzzle is named by its identifier, and not by its number.
        let puzzle = if self.parts.contains(&CaptionPart::Puzzle) { row.puzzle() } else { Puzzle::default() };
        lines.extend(puzzle.id.clone());
        for part in &self.parts {
            let is_told = match part {
                CaptionPart::Players if puzzle.id.is_some() => row.players().is_some(),
                CaptionPart::Move => puzzle == Puzzle::default() && !(self.is_task && row.is_start()),
                _ => true,
            };
            if !is_told || part.is_of_game() && !begins_game {
                continue;
            }
            let line = match part {
                CaptionPart::Puzzle if self.is_task => puzzle.mate.clone(),
                part => row.part(*part, self.numbers_games),
            };
            let Some(mut line) = line else {
                continue;
            };
            if part.is_of_game() && is_first_of_several && !std::mem::replace(&mut has_game, true) {
                line.insert_str(0, "First game: ");
            }
            lines.push(line);
        }
        lines
    }
}

/// The values of a row that a caption is made of.
struct Row<'t> {
    cells: Vec<Cell<'t>>,
    table: &'t Table,
    index: usize,
}

impl Row<'_> {
    fn part(&self, part: CaptionPart, numbers_games: bool) -> Option<String> {
        match part {
            CaptionPart::Players => {
                let game = || self.number(&Column::Game).map(|game| format!("No. {game}"));
                self.players().or_else(|| numbers_games.then(game)?)
            }
            CaptionPart::Occasion => joined(["Event", "Site", "Round", "Date"].map(|name| self.occasion(name)), ", "),
            CaptionPart::Variant => self.variant(),
            CaptionPart::Move => Some(self.played()),
            CaptionPart::Eval => self.number(&Column::Eval).map(evaluation),
            CaptionPart::Kind => self.kind(),
            CaptionPart::Opening => joined([self.text(&Column::Eco), self.text(&Column::Opening)], " "),
            CaptionPart::Count => self.number(&Column::Count).map(games),
            CaptionPart::Place => joined([self.file_name(), self.text(&Column::Line)], ":"),
            CaptionPart::Turn => self.turn(),
            CaptionPart::Comment => {
                let comment = without_commands(&self.text(&Column::Comment)?);
                Some(comment).filter(|comment| !comment.is_empty())
            }
            CaptionPart::Words => self.text(&Column::Words),
            CaptionPart::Puzzle => {
                let Puzzle { mate, best, avoid, .. } = self.puzzle();
                joined([mate, best, avoid], "; ")
            }
            CaptionPart::Other(at) | CaptionPart::OfGame(at) => {
                let cell = self.cells.get(at)?;
                Some(in_words(cell.column.name(), &self.plain(*cell)?))
            }
        }
    }

    fn cell(&self, column: &Column) -> Option<Cell<'_>> {
        self.cells.iter().copied().find(|cell| cell.column == column)
    }

    fn number(&self, column: &Column) -> Option<i64> {
        self.table.value(self.cell(column)?, self.index).number()
    }

    fn text(&self, column: &Column) -> Option<String> {
        self.plain(self.cell(column)?)
    }

    /// Returns the value of a cell as text formats write it, or `None` if it is missing.
    fn plain(&self, cell: Cell<'_>) -> Option<String> {
        let value = self.table.value(cell, self.index);
        if value == Value::Missing {
            return None;
        }
        let mut text = Vec::new();
        append_plain(value, &mut text);
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    /// Returns the value of a tag, if it is known.
    fn tag(&self, name: &str) -> Option<String> {
        self.text(&Column::Tag(name.into())).filter(|value| !matches!(value.trim(), "" | "?" | "-"))
    }

    fn file_name(&self) -> Option<String> {
        let path = self.text(&Column::File)?;
        Some(path.rsplit(is_separator).next().unwrap_or_default().to_owned())
    }

    fn occasion(&self, name: &str) -> Option<String> {
        let value = self.tag(name)?;
        match name {
            "Round" => Some(format!("round {value}")),
            // `1972.??.??` is written 1972, and `????.??.??` is left out.
            "Date" => {
                let known = value.trim().trim_end_matches(['.', '?']);
                Some(known.to_owned()).filter(|known| !known.is_empty())
            }
            _ => Some(value),
        }
    }

    fn players(&self) -> Option<String> {
        let player = |name: &str, elo: &str| {
            let player = self.tag(name);
            match self.tag(elo).filter(|elo| elo != "0") {
                Some(elo) => Some(format!("{} ({elo})", player.as_deref().unwrap_or("?"))),
                None => player,
            }
        };
        let (white, black) = (player("White", "WhiteElo"), player("Black", "BlackElo"));
        let has_both = ["White", "Black"].iter().all(|name| self.cell(&Column::Tag((*name).into())).is_some());
        let names = match (white, black) {
            // One of two names may be unknown, as in studies.
            (Some(white), Some(black)) => Some(format!("{white} – {black}")),
            (Some(white), None) if has_both => Some(format!("{white} – ?")),
            (None, Some(black)) if has_both => Some(format!("? – {black}")),
            (white, black) => white.or(black),
        };
        joined([names, self.text(&Column::Result)], ", ")
    }

    fn variant(&self) -> Option<String> {
        Rules::named(&self.text(&Column::Variant)?)?.variant_title().map(str::to_owned)
    }

    /// Returns the move that led to the position. The number of the move comes from the FEN, if that has one.
    fn played(&self) -> String {
        let Some(san) = self.text(&Column::San) else {
            return "Starting position".to_owned();
        };
        let fen = String::from_utf8_lossy(self.table.ascii(&Column::Fen, self.index).unwrap_or_default()).into_owned();
        let mut fields = fen.split(' ').skip(1);
        let has_black_moved = fields.next() == Some("w");
        let number = fields.nth(3).and_then(|number| number.parse::<u32>().ok());
        match (number, has_black_moved) {
            (Some(number), false) => format!("{number}. {san}"),
            (Some(number), true) => format!("{}… {san}", number.saturating_sub(1)),
            (None, false) => san,
            (None, true) => format!("… {san}"),
        }
    }

    /// Returns the side to move, in words.
    fn turn(&self) -> Option<String> {
        let fen = self.table.ascii(&Column::Fen, self.index)?;
        match fen.split(|byte| *byte == b' ').nth(1)? {
            b"w" => Some("White to move".to_owned()),
            b"b" => Some("Black to move".to_owned()),
            _ => None,
        }
    }

    /// Returns what an EPD says of the position. Only the first position of a game has one.
    fn puzzle(&self) -> Puzzle {
        let epd = self.text(&Column::Tag("FEN".into())).filter(|_| self.is_start());
        epd.map(|epd| Puzzle::of(&epd)).unwrap_or_default()
    }

    /// Whether no move led to the position.
    fn is_start(&self) -> bool {
        self.cell(&Column::San).is_none() || self.text(&Column::San).is_none()
    }

    fn kind(&self) -> Option<String> {
        let (kind, sp, odds) = (self.text(&Column::Kind), self.text(&Column::Sp), self.text(&Column::Odds));
        let kind = kind.map(|kind| match &*kind {
            "chess960" => "Chess960".to_owned(),
            "dfrc" => "Double Chess960".to_owned(),
            "odds" => "Odds".to_owned(),
            "position" => "Position".to_owned(),
            _ => kind,
        });
        let kind = joined([kind, sp], " ");
        joined([kind, odds], " – ")
    }
}

/// Joins the texts that are there. Returns `None` if there are none.
fn joined<const N: usize>(texts: [Option<String>; N], separator: &str) -> Option<String> {
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    if texts.is_empty() { None } else { Some(texts.join(separator)) }
}

/// Returns a comment without its commands in brackets, such as `[%cal Ge2e4]`, and with single spaces.
fn without_commands(comment: &str) -> String {
    let mut kept = String::new();
    let mut rest = comment;
    while let Some((before, command)) = rest.split_once("[%") {
        kept.push_str(before);
        let Some((_, after)) = command.split_once(']') else {
            rest = "";
            break;
        };
        rest = after;
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn games(count: i64) -> String {
    if count == 1 { "1 game".to_owned() } else { format!("{count} games") }
}

/// Writes an evaluation in pawns with its sign, or a mate as `#3`.
fn evaluation(centipawns: i64) -> String {
    const MATE: i64 = 32_000;
    let size = centipawns.abs();
    if (30_000..=MATE).contains(&size) {
        let sign = if centipawns < 0 { "-" } else { "" };
        return format!("#{sign}{}", MATE - size);
    }
    let sign = match centipawns {
        0 => "",
        1.. => "+",
        _ => "−",
    };
    format!("{sign}{}.{:02}", size / 100, size % 100)
}

#[cfg(test)]
mod tests {
    use super::{Caption, evaluation, without_commands};
    use crate::columns::Columns;
    use crate::columns::column::Column;
    use crate::starts::Starts;
    use crate::table::{RowPlace, Table};
    use crate::testing::{games, written};
    use crate::{BoardOptions, Format, Rows};
    use pgn2fen_chess::fen::{FenStyle, Fields};
    use pgn2fen_chess::piece::Color;
    use pgn2fen_games::pgn::encoding::Fallback;
    use pgn2fen_games::pgn::tags::Tags;

    const AFTER: &[u8] = b"rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2";

    /// Compares the caption of a row that Black's move 1… Nf6 has led to.
    #[track_caller]
    fn check(columns: &str, tags: &str, expected: &[&str]) {
        let shown: Columns = columns.parse().unwrap();
        let mut table = Table::default();
        table.begin_game(7, 0, 11);
        table.push_tags(&shown, &Tags::read(tags.as_bytes(), 0), &Fallback::default());
        table.begin_row(2, Color::White);
        table.buffer_mut(&Column::Fen).ascii().push(AFTER);
        table.buffer_mut(&Column::San).ascii().push(b"Nf6");
        assert_eq!(Caption::new(&shown, false).lines(&shown, &table, (0, true)), expected);
    }

    #[test]
    fn columns_that_belong_together_are_one_line() {
        let tags =
            "[White \"Carlsen\"]\n[Black \"Anand\"]\n[WhiteElo \"2882\"]\n[Event \"WCh\"]\n[Date \"2013.11.??\"]\n";
        check("White,Black,Event,Date,san", tags, &["Carlsen – Anand", "WCh, 2013.11", "1… Nf6"]);
        check("san,White,Black,WhiteElo", tags, &["1… Nf6", "Carlsen (2882) – Anand"]);
        check("Date,ply,White", tags, &["2013.11", "ply: 2", "Carlsen"]);
        check("Black,Site,ECO,game", tags, &["Anand", "game: 7"]);
    }

    #[test]
    fn unknown_values_are_left_out() {
        check(
            "White,Black,Event,Date,Round",
            "[White \"?\"]\n[Event \"?\"]\n[Date \"????.??.??\"]\n[Round \"-\"]\n",
            &[],
        );
        check("White,Black", "[White \"Saavedra\"]\n[Black \"?\"]\n", &["Saavedra – ?"]);
        check("Black,White", "[Black \"Anand\"]\n", &["? – Anand"]);
    }

    #[test]
    fn operations_of_an_epd_are_said_in_words() {
        let tags = "[bm \"Qg6\"]\n[dm \"3\"]\n[acd \"12\"]\n";
        check("bm,dm,acd,turn", tags, &["Best move: Qg6", "Mate in 3", "acd: 12", "White to move"]);
    }

    #[test]
    fn a_comment_is_shown_without_commands() {
        let shown = ["a [%cal Ge2e4]\n b", "[%clk 0:05]", "[%csl Gd4", "x [y] z"].map(without_commands);
        assert_eq!(shown, ["a b", "", "", "x [y] z"]);
    }

    #[test]
    fn evaluations_are_in_pawns() {
        let said = [31, -205, 0, 31_997, -31_999, 32_000].map(evaluation);
        assert_eq!(said, ["+0.31", "−2.05", "0.00", "#3", "#-1", "#0"]);
    }

    /// Returns the captions of a page, with ` / ` between their lines.
    fn captions(page: &str) -> Vec<String> {
        let of = |figure: &str| {
            let caption = figure.split("</figcaption>").next().unwrap_or_default();
            caption.replace("<br/>", " / ").replace("<b>", "").replace("</b>", "").replace("&#39;", "'")
        };
        page.split("<figcaption>").skip(1).map(of).collect()
    }

    /// Compares the captions of the positions of games; with a list, of these columns.
    #[track_caller]
    fn check_page(columns: Option<&str>, text: &str, expected: &[&str]) {
        let rows = columns.map_or_else(Rows::new, |list| Rows::columns(list).unwrap());
        assert_eq!(captions(&written(&rows.format(Format::Html), text).0), expected);
    }

    #[test]
    fn a_caption_has_the_columns_in_their_order() {
        let game = "[White \"Tal\"]\n[WhiteElo \"2700\"]\n[BlackElo \"0\"]\n[Event \"Cup\"]\n[Site \"?\"]\n\
            [Round \"3\"]\n[ECO \"B20\"]\n[Result \"1-0\"]\n\n\
            1. e4 {[%eval 0.3] good [%clk 0:01:00]} c5 {[%eval #-2]} 1-0";
        check_page(
            Some("White,Black,WhiteElo,BlackElo,result,Event,Site,Round,Date,san,eval,turn,eco,opening,comment"),
            game,
            &[
                "Tal (2700) – ?, 1-0 / Cup, round 3 / Starting position / White to move",
                "1. e4 / +0.30 / Black to move / B00 King's Pawn Game / good",
                "1… c5 / #-2 / White to move / B20 Sicilian Defense",
            ],
        );
        check_page(
            Some("ECO,words,line,ply,next_san,clk,variant,nags"),
            game,
            &[
                "ECO: B20 / 1 / ply: 0 / next_san: e4 / variant: standard",
                "good / ply: 1 / next_san: c5 / clk: 60.0 / variant: standard",
                "ply: 2 / variant: standard",
            ],
        );
        check_page(Some("BlackElo,Black"), "[BlackElo \"2500\"]\n\n*", &["? (2500)"]);
        check_page(Some("result"), "1-0", &["1-0"]);
        check_page(
            Some("id,pv,sm,pm,am"),
            "4k3/8/8/8/8/8/4P3/4K3 w - - pv e4 Kd7; sm e4; pm e3; am e3 Kd1;\n",
            &["1 / Line: e4 Kd7 / Move played: e4 / Predicted move: e3 / Moves to avoid: e3 Kd1"],
        );
    }

    #[test]
    fn the_usual_caption_names_a_variant_and_a_game_without_players() {
        check_page(
            None,
            "1. e4 *\n\n[Variant \"King of the Hill\"]\n\n*",
            &[
                "No. 1 / Starting position / White to move",
                "1. e4 / Black to move",
                "No. 2 / King of the Hill / Starting position / White to move",
            ],
        );
        let chess960 = "[Variant \"Chess960\"]\n[White \"A\"]\n\
            [FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1\"]\n\n*";
        check_page(None, chess960, &["A – ? / Starting position / White to move"]);
    }

    #[test]
    fn the_usual_caption_of_a_puzzle_has_its_task() {
        let list = "4k3/8/8/8/8/8/4P3/4K3 w - - dm 3; am e3;\n4k3/8/8/8/8/8/4P3/4K3 b - - id \"x\";\n";
        check_page(None, list, &["No. 1 / White to move / Mate in 3; Move to avoid: e3", "x / Black to move"]);
        let solved = BoardOptions { solutions: true, ..BoardOptions::default() };
        let page = written(&Rows::new().format(Format::Html).boards(solved), list).0;
        let number = |caption: String| caption.replace("<span class=\"number\"></span> ", "");
        let shown: Vec<String> = captions(&page).into_iter().map(number).collect();
        assert!(shown[0].ends_with("White to move / Mate in 3"), "{shown:?}");
        assert!(shown[1].ends_with("x / Black to move"), "{shown:?}");
    }

    #[test]
    fn a_move_without_a_number_has_an_ellipsis_if_it_is_blacks() {
        let style = FenStyle { fields: Fields::Four, ..FenStyle::default() };
        let rows = Rows::columns("san").unwrap().format(Format::Html).style(style);
        assert_eq!(captions(&written(&rows, "1. e4 e5 *").0), ["Starting position", "e4", "… e5"]);
    }

    #[test]
    fn the_caption_of_a_start_has_its_kind() {
        let fens = [
            ("[Variant \"Chess960\"]\n", "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"),
            ("[Variant \"Chess960\"]\n", "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQhf - 0 1"),
            ("[White \"A\"]\n[Date \"1972.??.??\"]\n", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1"),
            ("", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"),
            ("", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"),
        ];
        let text: String = fens.iter().map(|(tags, fen)| format!("{tags}[FEN \"{fen}\"]\n\n*\n\n")).collect();
        let (page, _) = Starts::lines().format(Format::Html).write(games(&text), Vec::new()).unwrap();
        assert_eq!(
            captions(str::from_utf8(&page).unwrap()),
            [
                "Chess960 1 / 1 game / White to move / 1",
                "Double Chess960 518/1 / 1 game / White to move / 6",
                "Odds – White: king's knight / 1 game / White to move / A – ? / 1972 / 11",
                "Position / 2 games / Black to move / First game: 17",
            ]
        );
        let columns = Columns::of_starts("White,kind,count").unwrap();
        let (page, _) = Starts::columns(columns).format(Format::Html).write(games(&text), Vec::new()).unwrap();
        assert_eq!(captions(str::from_utf8(&page).unwrap())[2], "A / Odds / 1 game");
    }

    #[test]
    fn a_caption_of_chosen_columns_does_not_number_games() {
        check_page(Some("White,san"), "1. e4 *", &["Starting position", "1. e4"]);
    }

    #[test]
    fn the_caption_of_a_task_does_not_number_games() {
        let solved = BoardOptions { solutions: true, ..BoardOptions::default() };
        let page = written(&Rows::new().format(Format::Html).boards(solved), "1. e4 *").0;
        assert!(captions(&page).iter().all(|caption| !caption.contains("No. 1")), "{page}");
    }

    #[test]
    fn a_file_is_named_without_its_folder() {
        let shown: Columns = "file,ply".parse().unwrap();
        let mut table = Table::default();
        table.begin_game(1, 0, 0);
        table.begin_row(3, Color::Black);
        table.place(RowPlace { file: Some("games/a.pgn".into()), ..RowPlace::default() });
        assert_eq!(Caption::new(&shown, false).lines(&shown, &table, (0, true)), ["a.pgn", "ply: 3"]);
    }
}
