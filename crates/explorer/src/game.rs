//! One game: its facts in a list, its text, and its moves.

use std::sync::Arc;

use crate::answer::FoundGame;
use crate::id;
use crate::index_set::IndexSet;
use crate::json::{Json, Object};
use crate::open_index::OpenIndex;
use crate::refusal::Refusal;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{EpStyle, FenStyle};
use pgn2fen_games::Game;
use pgn2fen_games::database::Database;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::replay::{Line, LineData, LineStyle, Most, ReplayOptions};
use pgn2fen_index::{GameColumn, GameTexts, IndexError, NoText};
use serde::Serialize;

/// The greatest part of a game that is shown move by move.
const MOST: Most = Most { moves: 20_000, nested: 40 };

/// The greatest size of a game in bytes.
const LONGEST: u64 = 4 << 20;

/// The names of a game in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// As the public explorer writes a game. A rating or a year that is not known is 0.
    Explorer,
    /// With the result, the date and more tags. A rating or a year that is not known is null.
    Page,
}

/// Writes a game of a list. `uci` is the move that it played in the position.
pub(super) fn write(
    set: &IndexSet,
    found: &FoundGame,
    uci: Option<&str>,
    style: Style,
    json: &mut Json,
) -> Result<(), IndexError> {
    let FoundGame { index, game } = found;
    let opened = &set.indexes[*index];
    let text = |column| Ok::<_, IndexError>(opened.text(game.game, column)?.unwrap_or_default());
    let names = [text(GameColumn::White)?, text(GameColumn::Black)?];
    let tags = match style {
        Style::Explorer => None,
        Style::Page => Some([text(GameColumn::DateText)?, text(GameColumn::Event)?, text(GameColumn::Eco)?]),
    };
    // Typed clients of the public explorer expect a number.
    let number = |name, number: Option<u32>, object: &mut Object<'_>| match style {
        Style::Explorer => object.number(name, number.unwrap_or(0)),
        Style::Page => object.number_or_null(name, number),
    };
    json.object(|object| {
        let result = game.summary.result();
        object.text("id", &id::encode(*index, set.indexes.len(), game.game));
        object.text_or_null("uci", uci);
        object.text_or_null("winner", winner(result));
        if style == Style::Page {
            object.text("result", result.as_str());
        }
        for ((side, name), rating) in ["white", "black"].into_iter().zip(&names).zip(game.summary.ratings()) {
            object.member(side).object(|player| {
                player.text("name", name);
                number("rating", rating.map(u32::from), player);
            });
        }
        let month = game.summary.month();
        number("year", month.map(|(year, _)| year), object);
        let month = month.filter(|(_, month)| *month > 0).map(|(year, month)| format!("{year:04}-{month:02}"));
        object.text_or_null("month", month.as_deref());
        for (name, tag) in ["date", "event", "eco"].into_iter().zip(tags.iter().flatten()) {
            object.text(name, tag);
        }
    });
    Ok(())
}

fn winner(result: Outcome) -> Option<&'static str> {
    match result {
        Outcome::WhiteWins => Some("white"),
        Outcome::BlackWins => Some("black"),
        Outcome::Draw | Outcome::Unknown => None,
    }
}

/// Returns the index of a game, and its number there.
fn find(set: &IndexSet, id: &str) -> Result<(Arc<OpenIndex>, u64), Refusal> {
    let found = id::decode(id, set.indexes.len()).and_then(|(index, game)| {
        let opened = set.indexes.get(index)?;
        opened.index.file_of(game).map(|_| (Arc::clone(opened), game))
    });
    found.ok_or_else(|| Refusal::new(404, "there is no game with this identifier"))
}

/// Returns the text of a game as UTF-8.
///
/// # Errors
///
/// Refuses an identifier that no game has (404), and a game whose file is missing or has changed (410).
pub(super) fn pgn(set: &IndexSet, id: &str) -> Result<String, Refusal> {
    let (opened, game) = find(set, id)?;
    let mut text = read(&opened, game)?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

fn read(opened: &OpenIndex, game: u64) -> Result<String, Refusal> {
    let length = opened.index.games().number(game, GameColumn::Length)?.map_or(0, i64::cast_unsigned);
    if length > LONGEST {
        return Err(Refusal::new(413, format!("the game is longer than {LONGEST} bytes")));
    }
    let bytes = GameTexts::new(&opened.index).read(game).map_err(|error| match error {
        NoText::Index(error) => error.into(),
        NoText::File(name, reason) => {
            Refusal::new(410, format!("the text of the game is not available: {name}: {reason}"))
        }
        NoText::Told => Refusal::new(410, "the text of the game is not available"),
    })?;
    Ok(opened.index.decode(game, bytes))
}

/// A game as the page gets it, in the form in which the package for JavaScript has it.
#[derive(Serialize)]
struct GameData<'g> {
    id: &'g str,
    tags: Vec<[String; 2]>,
    line: LineData,
    result: &'static str,
    chess960: bool,
    /// The first error, as a text for people.
    error: Option<String>,
}

/// Returns a game as JSON: its tags, and its moves with comments, variations, clocks and the positions after them.
///
/// # Errors
///
/// See [`pgn`].
pub(super) fn moves(set: &IndexSet, id: &str) -> Result<String, Refusal> {
    let (opened, game) = find(set, id)?;
    let text = read(&opened, game)?;
    let reading = opened.index.file_of(game).map(|(_, file)| file.reading()).unwrap_or_default();
    let database = Database::from(text.into_bytes());
    let Some(game) = database.games().next() else {
        return Err(Refusal::new(410, "the text of the game is not available: it is empty"));
    };
    let data = data(id, &game, &reading.replay);
    serde_json::to_string(&data).map_err(|error| Refusal::new(500, error.to_string()))
}

fn data<'g>(id: &'g str, game: &Game<'_>, options: &ReplayOptions) -> GameData<'g> {
    // The text has been converted to UTF-8.
    let encoding = Fallback::default();
    let mut faults = Vec::new();
    let (line, is_cut, outcome) = match game.moves_with(options) {
        Ok(mut moves) => {
            let (line, is_cut) = Line::read_at_most(&mut moves, MOST, &encoding, &mut faults);
            (line, is_cut, moves.outcome())
        }
        Err(fault) => {
            faults.push(fault);
            (Line::unplayable(), false, Outcome::Unknown)
        }
    };
    let fault = faults.iter().find(|fault| fault.kind.is_error()).map(|fault| match fault.ply {
        Some(ply) => format!("This game has an error after {} plies: {}", ply.saturating_sub(1), told(fault)),
        None => format!("This game has an error: {}", told(fault)),
    });
    let cut = || "This game is very long or deeply nested. Some of its moves are not shown.".to_owned();
    let decode = |bytes: &[u8]| encoding.decode(bytes).into_owned();
    // Castling is written as in the other answers.
    let style =
        LineStyle { fen: FenStyle { ep: EpStyle::Legal, ..FenStyle::default() }, castling: CastlingRules::Chess960 };
    GameData {
        id,
        tags: game.tags().iter().map(|tag| [decode(tag.name), decode(&tag.value.unescape())]).collect(),
        line: line.data(style),
        result: outcome.as_str(),
        chess960: line.castling == CastlingRules::Chess960,
        error: fault.or_else(|| is_cut.then(cut)),
    }
}

/// Returns what is wrong, and where: the move, if the fault is about one.
fn told(fault: &Diagnostic) -> String {
    match &*fault.subject {
        [] => fault.reason.to_string(),
        subject => format!("{}: {}", String::from_utf8_lossy(subject), fault.reason),
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, data};
    use pgn2fen_games::database::Database;
    use pgn2fen_games::replay::ReplayOptions;
    use serde_json::{Value, json};

    fn value(text: &str) -> Value {
        let database = Database::from(text.as_bytes().to_vec());
        let game = database.games().next().unwrap();
        serde_json::to_value(data("7", &game, &ReplayOptions::default())).unwrap()
    }

    #[test]
    fn a_game_has_everything_that_is_written_in_it() {
        let text = "[White \"A \\\"x\\\"\"]\n\n{ Before } \
                    1. e4 $1 { [%clk 0:10:05] [%eval 0.3] Best. } (1. d4 { Also. } d5) e5 1-0";
        let game = value(text);
        assert_eq!((&game["id"], &game["result"], &game["error"]), (&json!("7"), &json!("1-0"), &Value::Null));
        assert_eq!(game["tags"], json!([["White", "A \"x\""]]));
        let line = &game["line"];
        assert_eq!(line["start"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(line["comments"], json!([" Before "]));
        let first = &line["moves"][0];
        assert_eq!((&first["san"], &first["uci"], &first["turn"]), (&json!("e4"), &json!("e2e4"), &json!("w")));
        assert_eq!(first["fen"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        assert_eq!((&first["nags"], &first["clk"], &first["eval"]), (&json!([1]), &json!(605.0), &json!(30)));
        let variation = &first["variations"][0];
        assert_eq!(variation["moves"][0]["comments"], json!([" Also. "]));
        assert_eq!(variation["moves"][1]["san"], "d5");
        assert_eq!(line["moves"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn an_error_is_told_and_the_moves_before_it_are_there() {
        let game = value("1. e4 Ke4 2. d4 *");
        assert_eq!(game["error"], "This game has an error after 1 plies: Ke4: the black king on e8 cannot reach e4");
        assert_eq!(game["line"]["moves"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn a_game_that_is_too_deep_or_too_long_is_cut() {
        let deep = format!("1. e4 {} d4 {} 1... e5 1-0", "(1. ".repeat(100_000), ")".repeat(100_000));
        let game = value(&deep);
        assert!(game["error"].as_str().unwrap().contains("not shown"), "{}", game["error"]);
        assert_eq!((&game["line"]["moves"][1]["san"], &game["result"]), (&json!("e5"), &json!("1-0")));
        let long = format!("{}{{x}} (Nh5) 1-0", "Nf3 Nf6 Ng1 Ng8 ".repeat(MOST.moves / 4 + 1));
        let game = value(&long);
        assert!(game["error"].as_str().unwrap().contains("not shown"));
        let moves = game["line"]["moves"].as_array().unwrap();
        assert_eq!((moves.len(), &moves.last().unwrap()["comments"]), (MOST.moves, &json!([])));
    }
}
