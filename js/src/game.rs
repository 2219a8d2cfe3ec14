//! A game for JavaScript: its tags, its moves with comments and variations, and its errors.

use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_games::Game;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::messages::{FileMessages, Message};
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::replay::{Line, ReplayOptions, players};
use pgn2fen_games::selection::GameEnd;
use pgn2fen_games::walk::Place;
use serde::{Serialize, Serializer};

use crate::line::LineData;
use crate::position::json;

/// The parts of a game without its moves and its text, in the order in which JavaScript puts them together: facts, tags,
/// the main line, errors and warnings.
#[derive(Serialize)]
struct GameData<'g>(Facts<'g>, Tags, LineData<'g>, Vec<MessageData>, Vec<MessageData>);

/// The facts about a game: its result, variant and ends, and its place in the file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts<'g> {
    result: &'static str,
    chess960: bool,
    /// The name of the game, such as `standard` or `atomic`.
    variant: &'static str,
    /// The rules by which the last position of the main line ends the game.
    ends: Vec<&'static str>,
    /// The comments before and between the tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    preface: Vec<String>,
    file: &'g str,
    number: u64,
    line_number: u64,
    offset: u64,
}

/// Tags as an object. Of tags with the same name, JavaScript takes the last.
struct Tags(Vec<(String, String)>);

impl Serialize for Tags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
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

/// Appends a game: the lengths of three texts in bytes, and the texts themselves. They are what it has as JSON, its moves
/// (see [`LineData::of`]), and its PGN. `place_of` returns the place of an offset in the file, of those in this game.
/// Returns whether the game has errors.
pub(crate) fn append(
    game: &Game<'_>,
    place: &GamePlace<'_>,
    place_of: impl Fn(u64) -> Place,
    (options, fallback): (&ReplayOptions, Fallback),
    out: &mut Vec<u8>,
) -> Result<bool, String> {
    let mut faults = Vec::new();
    let (line, outcome, warnings) = match game.moves_with(options) {
        Ok(mut moves) => {
            let line = Line::read(&mut moves, &fallback, &mut faults);
            (line, moves.outcome(), moves.take_warnings().collect::<Vec<_>>())
        }
        Err(error) => {
            faults.push(error);
            (Line::unplayable(), Outcome::Unknown, Vec::new())
        }
    };
    let file = FileMessages::new(place.file, fallback);
    let message = |fault: &Diagnostic| {
        let mut fault = fault.clone();
        fault.game = Some(place.number);
        fault.players = players(game.tags());
        Message::new(&file, &fault, place_of(fault.offset)).into()
    };
    let decode = |bytes: &[u8]| fallback.decode(bytes).into_owned();
    let facts = Facts {
        result: outcome.as_str(),
        chess960: line.castling == CastlingRules::Chess960,
        variant: line.start.rules().game_name(line.castling),
        ends: GameEnd::words_of(line.positions()),
        preface: game.comments_among_tags().into_iter().map(|comment| decode(comment.0)).collect(),
        file: place.file,
        number: place.number,
        line_number: place.line,
        offset: game.offset(),
    };
    let tags = game.tags().iter().map(|tag| (decode(tag.name), decode(&tag.value.unescape()))).collect();
    let mut moves = Vec::new();
    let line = LineData::of(&line, line.castling, &mut moves);
    let messages = |faults: &[Diagnostic]| faults.iter().map(message).collect();
    let data = json(&GameData(facts, Tags(tags), line, messages(&faults), messages(&warnings)))?;
    append_texts([data.as_bytes(), &moves, decode(&game.to_pgn()).as_bytes()], out);
    Ok(!faults.is_empty())
}

/// Appends the lengths of texts, and the texts.
fn append_texts(texts: [&[u8]; 3], out: &mut Vec<u8>) {
    // The memory of the module has 4 GiB.
    let lengths = texts.map(|text| u32::try_from(text.len()).unwrap_or(u32::MAX));
    lengths.into_iter().for_each(|length| out.extend(length.to_le_bytes()));
    texts.into_iter().for_each(|text| out.extend(text));
}
