//! The tree of a game as programs in other languages get it: names, numbers and texts, which serde writes.

use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::piece::Color;
use serde::Serialize;

use crate::annotation::CommentShape;
use crate::replay::lines::{Line, MoveNotes};

/// How positions and moves are written.
#[derive(Clone, Copy, Debug)]
pub struct LineStyle {
    /// How positions are written.
    pub fen: FenStyle,
    /// The rules by which castling is written in UCI notation.
    pub castling: CastlingRules,
}

/// A sequence of moves: the main line of a game, or a variation.
#[derive(Clone, Debug, Serialize)]
pub struct LineData {
    /// The FEN of the position before the first move; `None` if it is not known, and then there are no moves.
    pub start: Option<String>,
    /// What is written before the first move.
    #[serde(flatten)]
    pub notes: NotesData,
    /// The moves.
    pub moves: Vec<MoveData>,
    /// The text behind an error, which was not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

/// A move of a line, and what is written behind it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveData {
    /// The move in SAN.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// The FEN of the position after the move.
    pub fen: String,
    /// The move as it is written.
    pub text: Box<str>,
    /// The number of the ply in its game, from 1.
    pub ply: u32,
    /// The number of the move.
    pub number: u32,
    /// The side that made the move: `w` or `b`.
    pub turn: &'static str,
    /// What is written behind the move.
    #[serde(flatten)]
    pub notes: NotesData,
}

/// Comments, glyphs, variations and values between two moves.
#[derive(Clone, Debug, Serialize)]
pub struct NotesData {
    /// The comments, as they are written.
    pub comments: Vec<String>,
    /// The words of people in the comments.
    pub words: String,
    /// The arrows and circles in the comments.
    pub shapes: Vec<ShapeData>,
    /// The glyphs: numbers from 0 to 255.
    pub nags: Vec<u8>,
    /// The evaluation of the position in centipawns from White's point of view.
    pub eval: Option<i32>,
    /// The depth of the search in plies.
    pub depth: Option<u32>,
    /// The time of the search in seconds.
    pub time: Option<f64>,
    /// The nodes of the search.
    pub nodes: Option<u64>,
    /// The clock, in seconds.
    pub clk: Option<f64>,
    /// The variations that replace the move.
    pub variations: Vec<LineData>,
    /// Their order in the text, if it is not the usual one: see [`MoveNotes::order`].
    #[serde(skip_serializing_if = "String::is_empty")]
    pub order: String,
}

/// An arrow or a circle in a comment.
#[derive(Clone, Debug, Serialize)]
pub struct ShapeData {
    /// The square where the arrow begins.
    pub from: String,
    /// The square where its head is. For a circle, it is the same square.
    pub to: String,
    /// The colour: `green`, `red`, `yellow` or `blue`.
    pub color: &'static str,
}

impl From<CommentShape> for ShapeData {
    fn from(shape: CommentShape) -> Self {
        Self { from: shape.from.to_string(), to: shape.to.to_string(), color: shape.color.name() }
    }
}

impl Line {
    /// Returns the line for programs in other languages. It is recursive: [`Line::read_at_most`] limits the depth.
    pub fn data(&self, style: LineStyle) -> LineData {
        let moves = self.moves.iter().enumerate().map(|(at, played)| {
            let before = self.before(at);
            MoveData {
                san: played.played.to_san(before),
                uci: played.played.to_uci(style.castling),
                fen: fen::to_string(&played.after, style.fen),
                text: played.text.clone(),
                ply: played.ply,
                number: before.fullmoves(),
                turn: before.turn().pick("w", "b"),
                notes: notes(&played.notes, played.after.turn(), style),
            }
        });
        LineData {
            start: self.has_start.then(|| fen::to_string(&self.start, style.fen)),
            notes: notes(&self.before, self.start.turn(), style),
            moves: moves.collect(),
            unread: self.unread.clone(),
        }
    }
}

/// Converts what is written behind a move. `turn` is the side to move then.
fn notes(notes: &MoveNotes, turn: Color, style: LineStyle) -> NotesData {
    let search = notes.search();
    NotesData {
        comments: notes.comments.clone(),
        words: notes.words(),
        shapes: notes.shapes().into_iter().map(ShapeData::from).collect(),
        nags: notes.nags.clone(),
        eval: notes.centipawns(turn),
        depth: search.depth,
        time: search.time,
        nodes: search.nodes,
        clk: notes.clk,
        variations: notes.variations.iter().map(|line| line.data(style)).collect(),
        order: notes.order.clone(),
    }
}
