//! The kinds of records, recognised by the first bytes of a file.

use std::sync::Arc;

use crate::games::GameParts;
use crate::records::cells::Separators;
use crate::records::json::{Opened, Sketch};
use crate::records::puzzle::Columns;
use crate::records::table::TextTable;
use crate::tabular::TableError;
use crate::tabular::choice::is_of_moves;

/// How the records of a file lie in its text.
#[derive(Clone, Debug)]
pub(crate) enum Layout {
    /// A record on each line. Blank lines have none.
    Lines(Rows),
    /// A JSON document: a list of objects, an object with a list `games`, or objects one after another.
    Document(Kind),
}

/// The records of lines.
#[derive(Clone, Debug)]
pub(crate) enum Rows {
    Puzzles(Arc<Columns>),
    Table(Arc<TextTable>),
    Evaluations,
    Games(Kind),
}

/// The origin of games in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Lichess,
    ChessCom,
    Other,
}

impl Layout {
    /// Returns the layout of a file with these first bytes. None if they are no records that are read. `movetext` is
    /// the name of the column with the moves, if one was given.
    pub(crate) fn detect(head: &[u8], movetext: Option<&str>) -> Option<Self> {
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        match text.trim_ascii_start().first()? {
            b'{' | b'[' => of_json(text.trim_ascii_start()),
            _ => {
                let puzzles = || Columns::detect(text).map(|puzzles| Rows::Puzzles(Arc::new(puzzles)));
                let table = || TextTable::detect(text, movetext).map(|table| Rows::Table(Arc::new(table)));
                // With a column for the moves, rows of puzzles are games from their FEN.
                let rows = if movetext.is_none() { puzzles().or_else(table) } else { table().or_else(puzzles) };
                rows.map(Self::Lines)
            }
        }
    }

    /// Whether only one site writes such records. Other games in JSON and tables may be copies that somebody has made.
    pub(crate) fn is_of_site(&self) -> bool {
        !matches!(self, Self::Lines(Rows::Games(Kind::Other) | Rows::Table(_)) | Self::Document(Kind::Other))
    }

    /// Returns the layout with the moves of a table in the column of this name, if one was given.
    ///
    /// # Errors
    ///
    /// The table has no such column.
    pub(crate) fn with_movetext(&self, name: Option<&str>) -> Result<Self, TableError> {
        match (self, name) {
            (Self::Lines(Rows::Table(table)), Some(name)) => {
                Ok(Self::Lines(Rows::Table(Arc::new(table.with_movetext(name)?))))
            }
            _ => Ok(self.clone()),
        }
    }

    /// Whether each record is a line of the file.
    pub(crate) fn is_lines(&self) -> bool {
        matches!(self, Self::Lines(_))
    }

    /// Returns the name, as in "a file of puzzles of Lichess".
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Lines(Rows::Puzzles(_)) => PUZZLES,
            Self::Lines(Rows::Table(table)) if table.has_moves() => TABLE_OF_GAMES,
            Self::Lines(Rows::Table(_)) => TABLE_OF_POSITIONS,
            Self::Lines(Rows::Evaluations) => EVALUATIONS,
            Self::Lines(Rows::Games(kind)) | Self::Document(kind) => kind.name(),
        }
    }
}

impl Rows {
    /// Returns the rows whose columns have these parts of games.
    pub(super) fn of_parts(self, parts: GameParts) -> Self {
        match self {
            Self::Puzzles(columns) => Self::Puzzles(Arc::new(Arc::unwrap_or_clone(columns).of_parts(parts))),
            Self::Table(table) => Self::Table(Arc::new(Arc::unwrap_or_clone(table).of_parts(parts))),
            rows => rows,
        }
    }

    /// Returns the separators of rows whose cells may have line breaks. None if each line is a record.
    pub(super) fn separators(&self) -> Option<Separators> {
        match self {
            Self::Puzzles(columns) => Some(columns.separators),
            Self::Table(table) => Some(table.separators),
            Self::Evaluations | Self::Games(_) => None,
        }
    }
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Lichess => "a JSON file of games of Lichess",
            Self::ChessCom => "a JSON file of games of chess.com",
            Self::Other => "a JSON file of games",
        }
    }
}

const PUZZLES: &str = "a file of puzzles of Lichess";
const EVALUATIONS: &str = "a file of evaluations of Lichess";
const TABLE_OF_GAMES: &str = "a table of games (CSV)";
const TABLE_OF_POSITIONS: &str = "a table of positions (CSV)";

/// The kinds of files.
pub(crate) const NAMES: &[&str] = &[
    PUZZLES,
    EVALUATIONS,
    TABLE_OF_GAMES,
    TABLE_OF_POSITIONS,
    Kind::Lichess.name(),
    Kind::ChessCom.name(),
    Kind::Other.name(),
];

fn of_json(text: &[u8]) -> Option<Layout> {
    let sketch = Sketch::of(text);
    let has = |name: &str| sketch.value(name).is_some();
    // An archive may be empty.
    if text[0] == b'{' && sketch.value("games") == Some(b'[') {
        let games = Sketch::of(&text[sketch.end..]);
        return match games.opened {
            Opened::Object => of_game(&games).map(Layout::Document),
            _ if text[sketch.end..].trim_ascii_start().starts_with(b"]") => Some(Layout::Document(Kind::ChessCom)),
            _ => None,
        };
    }
    if text[0] == b'{' && has("fen") && sketch.value("evals") == Some(b'[') {
        return Some(Layout::Lines(Rows::Evaluations));
    }
    let kind = of_game(&sketch)?;
    let rest = &text[sketch.end..];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let is_line = text[0] == b'{'
        && !text[..sketch.end].contains(&b'\n')
        && if sketch.is_closed { line.trim_ascii().is_empty() } else { line.len() == rest.len() };
    Some(if is_line { Layout::Lines(Rows::Games(kind)) } else { Layout::Document(kind) })
}

/// Returns the origin of a game whose JSON object has these members. None if it is no game.
fn of_game(sketch: &Sketch<'_>) -> Option<Kind> {
    let value = |name: &str| sketch.value(name);
    let is_text = |name: &str| value(name) == Some(b'"');
    if is_text("id") && value("players") == Some(b'{') && (is_text("perf") || is_text("speed") || is_text("variant")) {
        return Some(Kind::Lichess);
    }
    if is_text("rules") && (is_text("url") || is_text("pgn") || is_text("time_class")) {
        return Some(Kind::ChessCom);
    }
    // The moves of one game may be missing.
    let has_moves = |(name, first): (&str, u8)| matches!(first, b'"' | b'[' | b'n') && is_of_moves(name);
    sketch.members().any(has_moves).then_some(Kind::Other)
}

#[cfg(test)]
mod tests {
    use super::Layout;

    #[track_caller]
    fn check(head: &str, expected: &str) {
        let layout = Layout::detect(head.as_bytes(), None);
        let told = layout.as_ref().map_or("none".to_owned(), |layout| {
            let lines = if matches!(layout, Layout::Lines(_)) { "lines" } else { "document" };
            format!("{}: {lines}", layout.name())
        });
        assert_eq!(told, expected, "{head}");
    }

    #[test]
    fn puzzles_with_a_column_for_the_moves_are_a_table() {
        let told = |head: &str| Layout::detect(head.as_bytes(), Some("Moves")).map(|layout| layout.name());
        let header = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl";
        let row =
            "00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,e8d7 a2e6 d7d8 f7f8,1760,80,83,72,x,y";
        assert_eq!(told(&format!("{header}\n{row}\n")), Some("a table of games (CSV)"));
        // Without the names of the columns, there is no choice.
        assert_eq!(told(&format!("{row}\n")), Some("a file of puzzles of Lichess"));
    }

    #[test]
    fn records_are_told_by_their_first_bytes() {
        check("PuzzleId,FEN,Moves\n", "a file of puzzles of Lichess: lines");
        check("\u{feff}Rating;Moves;FEN;PuzzleId\r\n", "a file of puzzles of Lichess: lines");
        check("id,fen,moves\n", "a table of games (CSV): lines");
        check("eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\n", "a table of games (CSV): lines");
        check("fen;eval\n4k3/8/8/8/8/8/8/4K3 w - - 0 1;5\n", "a table of positions (CSV): lines");
        check("{\"fen\":\"4k3/8/8/8/8/8/8/4K3 w - -\",\"evals\":[{\"pvs\"", "a file of evaluations of Lichess: lines");
        let lichess = "{\"id\":\"q7ZvsdUF\",\"rated\":true,\"variant\":\"standard\",\"players\":{\"white\":{}}";
        check(lichess, "a JSON file of games of Lichess: lines");
        check(&format!("{lichess}}}\n{lichess}}}\n"), "a JSON file of games of Lichess: lines");
        check(&format!("[{lichess}}},{lichess}}}]"), "a JSON file of games of Lichess: document");
        check(&format!("{lichess}}}{lichess}}}\n"), "a JSON file of games of Lichess: document");
        check(&lichess.replace(',', ",\n"), "a JSON file of games of Lichess: document");
        let chesscom = "{\"url\": \"https://www.chess.com/game/live/1\", \"pgn\": \"1. e4 *\", \"rules\": \"chess\"}";
        check(&format!("{{\"games\": [\n {chesscom}]}}"), "a JSON file of games of chess.com: document");
        check("{\"games\":[]}", "a JSON file of games of chess.com: document");
        check("{\"games\":[1]}", "none");
        check(chesscom, "a JSON file of games of chess.com: lines");
        check(" {\"pgn\": \"1. e4\"}", "a JSON file of games: lines");
        check("[\n  {\"pgn\": \"1. e4", "a JSON file of games: document");
        check("{\"white\": \"A\", \"moves\": [\"e4\"]}", "a JSON file of games: lines");
        check("{\"fen\": \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\", \"moves\": \"e4\"}", "a JSON file of games: lines");
        for name in ["Moves", "MOVES", "Pgn", "Movetext", "moves_san", "movesUci", "uci", "transcript", "text"] {
            check(&format!("{{\"{name}\": \"e4 e5\"}}"), "a JSON file of games: lines");
        }
        check("{\"pgn\": null}\n{\"pgn\": \"1. e4\"}", "a JSON file of games: lines");
        check("{\"moves\": 42}", "none");
        check("{\"game\":1,\"ply\":0,\"san\":null,\"fen\":\"x\"}", "none");
        check("{\"a comment\"}", "none");
        check("[Event \"x\"]", "none");
        check("[1, 2]", "none");
        check("{", "none");
    }
}
