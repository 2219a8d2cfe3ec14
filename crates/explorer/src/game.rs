//! One game: its facts in a list, its text, and its moves.

use std::sync::Arc;

use crate::answer::FoundGame;
use crate::id;
use crate::index_set::IndexSet;
use crate::json::{Json, Object};
use crate::line::{fen_of, write_moves};
use crate::open_index::OpenIndex;
use crate::refusal::Refusal;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::position::Position;
use pgn2fen_games::database::Database;
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_index::{GameColumn, GameTexts, IndexError, NoText};

/// The greatest number of moves of a game that is shown move by move.
const MOST_MOVES: usize = 5000;

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
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let encoding = opened.index.file_of(game).and_then(|(_, file)| file.reading().encoding);
            let mut fallback = Fallback::new(encoding);
            fallback.feed(error.as_bytes());
            Ok(fallback.decode(error.as_bytes()).into_owned())
        }
    }
}

/// Returns a game as JSON: its tags, and its moves with the positions after them.
///
/// # Errors
///
/// See [`pgn`].
pub(super) fn moves(set: &IndexSet, id: &str) -> Result<String, Refusal> {
    let (opened, game) = find(set, id)?;
    let text = read(&opened, game)?;
    let options = opened.index.file_of(game).map(|(_, file)| file.reading().replay).unwrap_or_default();
    let database = Database::from(text.into_bytes());
    let Some(read) = database.games().next() else {
        return Err(Refusal::new(410, "the text of the game is not available: it is empty"));
    };
    let mut played: Vec<(Position, Move)> = Vec::new();
    let mut fault = None;
    let (mut start, mut position, mut result) = (None, Position::initial(), Outcome::Unknown);
    match read.replay_with(&options) {
        Err(error) => fault = Some(error.to_string()),
        Ok(mut replay) => {
            position = replay.position().clone();
            start = Some(position.clone());
            while let Some(ply) = replay.next_ply() {
                match ply {
                    Err(error) => fault = Some(error.to_string()),
                    Ok(_) if played.len() == MOST_MOVES => {
                        fault = Some(format!("the moves after the first {MOST_MOVES} are not shown"));
                        break;
                    }
                    Ok(ply) => {
                        played.push((std::mem::replace(&mut position, replay.position().clone()), ply.played));
                    }
                }
            }
            result = replay.outcome();
        }
    }
    Ok(Json::of(|object: &mut Object<'_>| {
        object.text("id", id);
        object.member("tags").array(read.tags().iter(), |json, tag| {
            let (name, value) = (tag.name, tag.value.unescape());
            json.array([name, &value], |json, text| json.text(&pgn2fen_games::pgn::encoding::decode(text)));
        });
        object.text("result", result.as_str());
        object.text("start", &fen_of(start.as_ref().unwrap_or(&Position::initial())));
        object.number("startPly", 0u32);
        write_moves(&played, &position, object.member("moves"));
        object.text_or_null("error", fault.as_deref());
    }))
}
