//! A game as JSON: its tags, its moves with comments and variations, and its errors.

use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_games::Game;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::messages::{FileMessages, Message};
use pgn2fen_games::pgn::encoding::{Fallback, Label};
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::replay::{Line, ReplayOptions, players};
use pgn2fen_games::selection::GameEnd;
use pgn2fen_games::walk::Place;
use serde::Serialize;

use crate::line::LineColumns;
use crate::position::json;

/// A game as JavaScript gets it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GameData<'g> {
    tags: Vec<(String, String)>,
    line: LineColumns<'g>,
    result: &'static str,
    chess960: bool,
    /// The name of the game, such as `standard` or `atomic`.
    variant: &'static str,
    /// The rules by which the last position of the main line ends the game.
    ends: Vec<&'static str>,
    /// The comments before and between the tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    preface: Vec<String>,
    errors: Vec<MessageData>,
    warnings: Vec<MessageData>,
    file: String,
    number: u64,
    line_number: u64,
    offset: u64,
    text: String,
}

/// A message as JavaScript gets it. `full` is the line that the command prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageData {
    kind: String,
    is_error: bool,
    file: String,
    line: u64,
    column: usize,
    game: Option<u64>,
    ply: Option<u32>,
    subject: String,
    reason: String,
    text: String,
    full: String,
}

impl From<Message> for MessageData {
    fn from(message: Message) -> Self {
        let full = message.to_string();
        let Message { kind, is_error, file, line, column, game, ply, subject, reason, text } = message;
        Self { kind, is_error, file, line, column, game, ply, subject, reason, text, full }
    }
}

/// The place of a game, in its file.
pub(crate) struct GamePlace<'p> {
    pub(crate) file: &'p str,
    /// The number of the game, from 1.
    pub(crate) number: u64,
    /// The line on which it begins, from 1.
    pub(crate) line: u64,
}

/// Returns a game as JSON. `place_of` returns the place of an offset in the file, of those in this game.
pub(crate) fn write(
    game: &Game<'_>,
    place: &GamePlace<'_>,
    place_of: impl Fn(u64) -> Place,
    (options, encoding): (&ReplayOptions, Option<Label>),
) -> Result<String, String> {
    let fallback = Fallback::new(encoding);
    let mut faults = Vec::new();
    let (line, outcome, warnings) = match game.moves_with(options) {
        Ok(mut moves) => {
            let line = Line::read(&mut moves, &fallback, &mut faults);
            (line, moves.outcome(), moves.take_warnings().collect())
        }
        Err(error) => {
            faults.push(error);
            (Line::unplayable(), Outcome::Unknown, Vec::new())
        }
    };
    let file = FileMessages::new(place.file, encoding);
    let message = |fault: &Diagnostic| {
        let mut fault = fault.clone();
        fault.game = Some(place.number);
        fault.players = players(game.tags());
        Message::new(&file, &fault, place_of(fault.offset)).into()
    };
    let decode = |bytes: &[u8]| fallback.decode(bytes).into_owned();
    json(&GameData {
        tags: game.tags().iter().map(|tag| (decode(tag.name), decode(&tag.value.unescape()))).collect(),
        result: outcome.as_str(),
        chess960: line.castling == CastlingRules::Chess960,
        variant: line.start.rules().game_name(line.castling),
        ends: GameEnd::words_of(line.positions()),
        preface: game.comments_among_tags().into_iter().map(|comment| decode(comment.0)).collect(),
        line: LineColumns::of(&line, line.castling),
        errors: faults.iter().map(message).collect(),
        warnings: warnings.iter().map(message).collect(),
        file: place.file.to_owned(),
        number: place.number,
        line_number: place.line,
        offset: game.offset(),
        text: decode(&game.to_pgn()),
    })
}
