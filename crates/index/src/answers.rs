//! The rows of answers: what tables show of a move that was played in a position, and of a game that reached it.

use crate::heading::GameHeading;
use crate::spelled::{written_date, written_move};
use crate::tally::{MoveCount, Results};
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{self, EpStyle, FenStyle, Fields};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::openings::{Opening, Tracker};
use pgn2fen_chess::position::Position;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_tables::Cell;
use pgn2fen_tables::ColumnType::{self, Double, Int, Long, Text};

/// The columns of the numbers of games with each result.
pub const RESULT_COLUMNS: [(&str, ColumnType); 5] =
    [("games", Long), ("white", Long), ("draws", Long), ("black", Long), ("unknown", Long)];

/// Returns the values of [`RESULT_COLUMNS`].
pub fn result_values(results: &Results) -> [Cell<'static>; 5] {
    [results.games(), results.white, results.draws, results.black, results.unknown].map(Cell::Number)
}

/// The columns of [`MoveRow`].
pub const MOVE_COLUMNS: [(&str, ColumnType); 13] = [
    ("san", Text),
    ("uci", Text),
    RESULT_COLUMNS[0],
    RESULT_COLUMNS[1],
    RESULT_COLUMNS[2],
    RESULT_COLUMNS[3],
    RESULT_COLUMNS[4],
    ("avg_elo", Long),
    ("first_date", Text),
    ("last_date", Text),
    ("eco", Text),
    ("opening", Text),
    ("score", Double),
];

/// A move that was played in a position, or the end of the games that ended there, as a row of an answer.
#[derive(Clone, Debug)]
pub struct MoveRow<'c> {
    /// The move as SAN and in UCI notation. None for the games that ended.
    next: Option<[String; 2]>,
    count: &'c MoveCount,
    dates: [Option<String>; 2],
    opening: Option<Opening>,
}

impl<'c> MoveRow<'c> {
    /// Describes a move of a position, which was reached by a line with these openings. The rules by which the game
    /// castles decide how castling is written in UCI notation.
    pub fn new(count: &'c MoveCount, position: &Position, castling: CastlingRules, line: &Tracker) -> Self {
        let played = count.next.and_then(|next| next.find(position));
        Self {
            next: count.next.map(|next| move_names(next, position, castling)),
            count,
            dates: [count.first_date(), count.last_date()].map(|date| date.map(written_date)),
            opening: line.after(position, played).opening(),
        }
    }

    /// Returns the values of [`MOVE_COLUMNS`].
    pub fn values(&self) -> [Cell<'_>; 13] {
        let [san, uci] = [0, 1].map(|at| Cell::optional(self.next.as_ref().map(|names| &*names[at])));
        let [games, white, draws, black, unknown] = result_values(&self.count.results);
        let [first, last] = [0, 1].map(|at| Cell::optional(self.dates[at].as_deref()));
        let elo = self.count.average_elo().map_or(Cell::Missing, Cell::Number);
        let [eco, name] = self.opening.map_or([""; 2], |opening| [opening.eco, opening.name]).map(Cell::text);
        let score = score(&self.count.results);
        [san, uci, games, white, draws, black, unknown, elo, first, last, eco, name, score]
    }
}

/// The columns of [`GameRow`].
pub const GAME_COLUMNS: [(&str, ColumnType); 11] = [
    ("file", Text),
    ("line", Long),
    ("game", Long),
    ("ply", Int),
    ("White", Text),
    ("Black", Text),
    ("Result", Text),
    ("Date", Text),
    ("next_san", Text),
    ("next_uci", Text),
    ("link", Text),
];

/// The place where a game reached a position, or a game that was found without a position, as a row of an answer.
#[derive(Clone, Debug)]
pub struct GameRow<'h> {
    /// The number of the game in the index.
    pub game: u64,
    /// The ply of the position.
    pub ply: u32,
    /// The result of the game.
    pub result: Outcome,
    /// The next move as SAN and in UCI notation. None if the game ended there, or if there is no position.
    pub next: Option<[String; 2]>,
    /// The tags of the game and its place in its file.
    pub heading: &'h GameHeading,
}

impl GameRow<'_> {
    /// Returns the values of [`GAME_COLUMNS`].
    pub fn values(&self) -> [Cell<'_>; 11] {
        let Self { game, ply, result, next, heading } = self;
        let [san, uci] = [0, 1].map(|at| Cell::optional(next.as_ref().map(|names| &*names[at])));
        [
            Cell::Text(&heading.file),
            Cell::Number(heading.line),
            Cell::Number(*game),
            Cell::Number((*ply).into()),
            Cell::text(&heading.white),
            Cell::text(&heading.black),
            Cell::Text(result.as_str()),
            Cell::text(&heading.date),
            san,
            uci,
            Cell::optional(heading.link()),
        ]
    }
}

/// Returns a move of a position as SAN and in UCI notation.
pub fn move_names(next: Uci, position: &Position, castling: CastlingRules) -> [String; 2] {
    let uci = next.find(position).map_or_else(|| next.to_string(), |m| m.to_uci(castling));
    [written_move(next, position), uci]
}

/// Returns White's mean score: 1 for a win, 0.5 for a draw. Games with an unknown result do not count.
fn score(results: &Results) -> Cell<'static> {
    results.score().map_or(Cell::Missing, Cell::Thousandths)
}

/// Returns the FEN that stands for a position in answers: four fields, with the en passant square only if the capture
/// is legal.
pub fn fen_of(position: &Position) -> String {
    fen::to_string(position, FenStyle { ep: EpStyle::Legal, fields: Fields::Four, ..FenStyle::default() })
}

#[cfg(test)]
mod tests {
    use super::{GameRow, MoveRow, fen_of, move_names, result_values};
    use crate::GameHeading;
    use crate::tests::{Desk, FIRST, after};
    use pgn2fen_chess::castling::CastlingRules;
    use pgn2fen_chess::openings::Tracker;
    use pgn2fen_chess::position::Position;
    use pgn2fen_chess::testing::position;
    use pgn2fen_games::Results;
    use pgn2fen_games::pgn::token::Outcome;
    use pgn2fen_tables::Cell::{Missing, Number, Text, Thousandths};

    #[test]
    fn a_position_is_named_by_four_fields() {
        assert_eq!(fen_of(&after("1. e4")), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -");
        let legal = after("1. e4 Nf6 2. e5 d5");
        assert_eq!(fen_of(&legal), "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6");
    }

    #[test]
    fn results_are_counted_with_their_sum() {
        let results = Results { white: 1, draws: 2, black: 4, unknown: 8 };
        assert_eq!(result_values(&results), [15, 1, 2, 4, 8].map(Number));
    }

    #[test]
    fn a_move_is_a_row_with_its_opening_and_its_score() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let start = Position::initial();
        let explored = desk.index.explore(&start).unwrap();
        let row = MoveRow::new(&explored.moves()[0], &start, CastlingRules::Standard, &Tracker::of_line(&start, &[]));
        let dates = [Text("2020.01.01"); 2];
        let expected = [Text("e4"), Text("e2e4"), Number(2), Number(1), Number(1), Number(0), Number(0), Number(2500)];
        assert_eq!(row.values()[..8], expected);
        assert_eq!(row.values()[8..10], dates);
        assert_eq!(row.values()[10..], [Text("B00"), Text("King's Pawn Game"), Thousandths(750)]);
        let end = after("1. e4 e5 2. Nf3");
        let explored = desk.index.explore(&end).unwrap();
        let row = MoveRow::new(&explored.moves()[0], &end, CastlingRules::Standard, &Tracker::of_line(&start, &[]));
        assert_eq!(row.values()[..3], [Missing, Missing, Number(2)]);
    }

    #[test]
    fn castling_is_written_by_the_rules_of_the_game() {
        let castles = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let next = pgn2fen_chess::notation::uci::Uci::from_ascii(b"e1g1").unwrap();
        let [san, uci] = move_names(next, &castles, CastlingRules::Standard);
        assert_eq!((&*san, &*uci), ("O-O", "e1g1"));
        let impossible = move_names(next, &Position::initial(), CastlingRules::Standard);
        assert_eq!(impossible[1], "e1g1");
    }

    #[test]
    fn a_game_is_a_row_with_its_place_and_its_link() {
        let heading = GameHeading {
            file: "a.pgn".into(),
            line: 7,
            white: "A".to_owned(),
            date: "2001.??.??".to_owned(),
            site: "https://lichess.org/abcdefgh".to_owned(),
            ..GameHeading::default()
        };
        let next = Some(["e4", "e2e4"].map(str::to_owned));
        let row = GameRow { game: 3, ply: 5, result: Outcome::Draw, next, heading: &heading };
        let expected = [
            Text("a.pgn"),
            Number(7),
            Number(3),
            Number(5),
            Text("A"),
            Missing,
            Text("1/2-1/2"),
            Text("2001.??.??"),
            Text("e4"),
            Text("e2e4"),
            Text("https://lichess.org/abcdefgh"),
        ];
        assert_eq!(row.values(), expected);
        let heading = GameHeading { site: "https://lichess.org/a b".to_owned(), ..heading.clone() };
        assert_eq!(GameRow { next: None, heading: &heading, ..row }.values()[8..], [Missing; 3]);
    }
}
