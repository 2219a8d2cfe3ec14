//! The lines of a game: what is rare as JSON, and the moves as one text, of which JavaScript makes objects when they are
//! read (`line.js`). It reads one long text faster than many short ones.

use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{self, FenStyle, FenWriter};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san;
use pgn2fen_games::pgn::annotation::CommentShape;
use pgn2fen_games::replay::{Line, LineMove, MoveNotes};
use serde::{Serialize, Serializer};

/// The length of the text of a move, in bytes. Longer ones take more memory when they come.
const USUAL_LENGTH: usize = 80;

/// A line without its moves.
#[derive(Serialize)]
pub(crate) struct LineData<'l> {
    /// The FEN before the first move. None if it is not known, and then there are no moves.
    start: Option<String>,
    /// The number of moves, the numbers of the first ply and of the first move, and whether Black makes it.
    moves: (usize, u32, u32, bool),
    /// The moves that are written otherwise than in SAN, with their indices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    texts: Vec<(usize, &'l str)>,
    /// The notes of the line, with the number of moves before each: 0 for those at its start. Empty notes are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<(usize, Notes<'l>)>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unread: &'l [String],
}

/// Comments, glyphs, variations and values between two moves, those that there are.
#[derive(Serialize)]
struct Notes<'l> {
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    comments: &'l [String],
    #[serde(skip_serializing_if = "String::is_empty")]
    words: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shapes: Vec<Shape>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    nags: &'l [u8],
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Seconds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clk: Option<Seconds>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<LineData<'l>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    order: &'l str,
}

/// A number of seconds, as a text. The writer of `serde_json` for numbers with a point has large tables.
struct Seconds(f64);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// An arrow or a circle: two squares and a colour.
struct Shape(CommentShape);

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(CommentShape { from, to, color, .. }) = self;
        [&*from.to_string(), &to.to_string(), color.name()].serialize(serializer)
    }
}

impl<'l> LineData<'l> {
    /// Returns a line, and appends its moves to a text, and behind them those of its variations in turn: of each move its
    /// SAN, its notation in UCI and the FEN after it, and `|` behind each of them. It is recursive, like the line.
    pub(crate) fn of(line: &'l Line, castling: CastlingRules, text: &mut Vec<u8>) -> Self {
        let (mut texts, mut notes) = (Vec::new(), Vec::new());
        let start = &line.start;
        let mut writer = FenWriter::new(FenStyle::default());
        writer.start_at(start);
        text.reserve(line.moves.len() * USUAL_LENGTH);
        for (at, LineMove { played, text: written, after, .. }) in line.moves.iter().enumerate() {
            let begin = text.len();
            san::append_between(line.before(at), *played, after, text);
            if text[begin..] != *written.as_bytes() {
                texts.push((at, &**written));
            }
            text.push(b'|');
            played.append_uci(castling, text);
            text.push(b'|');
            writer.append_after(*played, after, text);
            text.push(b'|');
        }
        notes.extend(Notes::of(&line.before, start.turn(), castling, text).map(|notes| (0, notes)));
        for (at, LineMove { after, notes: written, .. }) in line.moves.iter().enumerate() {
            notes.extend(Notes::of(written, after.turn(), castling, text).map(|notes| (at + 1, notes)));
        }
        let ply = line.moves.first().map_or(1, |played| played.ply);
        Self {
            start: line.has_start.then(|| fen::to_string(start, FenStyle::default())),
            moves: (line.moves.len(), ply, start.fullmoves(), start.turn() == Color::Black),
            texts,
            notes,
            unread: &line.unread,
        }
    }
}

impl<'l> Notes<'l> {
    /// Returns the notes behind a move, after which this side is to move. None if there are none.
    fn of(notes: &'l MoveNotes, turn: Color, castling: CastlingRules, text: &mut Vec<u8>) -> Option<Self> {
        let MoveNotes { comments, nags, search, clk, variations, order } = notes;
        if comments.is_empty() && nags.is_empty() && search.is_none() && clk.is_none() && variations.is_empty() {
            return None;
        }
        let search = search.unwrap_or_default();
        Some(Self {
            comments,
            words: notes.words(),
            shapes: notes.shapes().into_iter().map(Shape).collect(),
            nags,
            eval: notes.centipawns(turn),
            depth: search.depth,
            time: search.time.map(Seconds),
            nodes: search.nodes,
            clk: clk.map(Seconds),
            variations: variations.iter().map(|line| LineData::of(line, castling, text)).collect(),
            order,
        })
    }
}
