//! The movetext of a game, written on one line: moves, numbers, glyphs, comments, variations and the result (PGN
//! standard §8.2).

use crate::export::comment;
use crate::export::lines::NO_BREAK;
use crate::export::options::{CommentChoice, ExportOptions, FenComments};
use crate::token::Outcome;
use pgn2fen_chess::fen::{FenWriter, short_number};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san;

/// A writer of the movetext of one game. It takes the events of the game in the order of the text.
///
/// Some programs read glyphs only behind moves and comments, variations only behind moves, and no variation without
/// moves. So glyphs wait for the first move of their line, and variations for that of the main line. A variation that
/// begins with another variation is written behind it, because both begin in the same position: it is opened at its
/// first move. Glyphs behind a variation are inserted before the variations of their move.
#[derive(Debug)]
pub(super) struct MovetextWriter<'o> {
    options: &'o ExportOptions,
    text: Vec<u8>,
    /// The variations before the first move of the main line. While such a variation is open, `text` and `held` are
    /// swapped.
    held: Vec<u8>,
    /// The open lines: the main line, and the variations.
    lines: Vec<OpenLine>,
    /// Whether a move of Black needs its number (§8.2.2.2): behind glyphs, comments and variations, and at the start of
    /// a line.
    is_numbered: bool,
    /// Whether the text has blanks without a break.
    is_marked: bool,
    fen: FenWriter,
    /// The FEN of the comment that is due behind the last move and its glyphs. Empty if none is due.
    fen_due: Vec<u8>,
}

/// The state of an open line.
#[derive(Debug, Default)]
struct OpenLine {
    has_move: bool,
    /// The comments before the first move of a variation.
    comments: Vec<String>,
    /// The glyphs before the first move, or behind a variation of the last move.
    glyphs: Vec<u8>,
    /// The end of the last move and its glyphs in the text.
    glyphs_end: usize,
    /// Whether a variation was written behind the last move.
    has_variation: bool,
    /// The length of the text before the variation, and whether a move of Black needed its number there.
    before: (usize, bool),
}

impl<'o> MovetextWriter<'o> {
    pub(super) fn new(options: &'o ExportOptions) -> Self {
        Self {
            options,
            text: Vec::with_capacity(1024),
            held: Vec::new(),
            lines: vec![OpenLine::default()],
            is_numbered: true,
            is_marked: false,
            fen: FenWriter::new(options.fen_style),
            fen_due: Vec::new(),
        }
    }

    /// Writes a move. `before` and `after` are the positions around it.
    pub(super) fn play(&mut self, before: &Position, m: Move, after: &Position) {
        self.end_move();
        self.insert_glyphs();
        self.open_variation();
        let number = before.fullmoves();
        match before.turn() {
            Color::White => self.push_number(number, b"."),
            Color::Black if self.is_numbered => self.push_number(number, b"..."),
            Color::Black => {}
        }
        self.separate();
        san::append_between(before, m, after, &mut self.text);
        self.is_numbered = false;
        if let Some(line) = self.lines.last_mut() {
            line.has_move = true;
            line.has_variation = false;
            line.glyphs_end = self.text.len();
            let glyphs = std::mem::take(&mut line.glyphs);
            glyphs.into_iter().for_each(|glyph| self.glyph(glyph));
        }
        if self.options.add_fen == FenComments::Every {
            self.fen.append(after, &mut self.fen_due);
        }
    }

    /// Writes a numeric annotation glyph (§8.2.4), or stores it until its place is known.
    pub(super) fn glyph(&mut self, glyph: u8) {
        let Some(line) = self.lines.last_mut().filter(|_| self.options.nags) else {
            return;
        };
        if !line.has_move || line.has_variation {
            line.glyphs.push(glyph);
        } else {
            append_glyph(glyph, &mut self.text);
            line.glyphs_end = self.text.len();
            self.is_numbered = true;
        }
    }

    /// Writes a comment, or stores it until its variation has a move.
    pub(super) fn comment(&mut self, comment: &str) {
        let Some(comment) = self.options.comments.of(comment.into()) else {
            return;
        };
        self.end_glyphs();
        match self.unopened() {
            Some(line) => line.comments.push(comment.into_owned()),
            None => self.push_comment(&comment),
        }
    }

    /// Writes text that was not read as a comment.
    pub(super) fn unread(&mut self, text: &str) {
        self.comment(&comment::inert(text));
    }

    /// Begins a variation.
    pub(super) fn begin_variation(&mut self) {
        self.end_glyphs();
        if self.lines.last().is_some_and(|line| line.has_move) {
            self.end_move();
        } else if self.lines.len() == 1 {
            std::mem::swap(&mut self.text, &mut self.held);
        }
        let before = (self.text.len(), self.is_numbered);
        self.lines.push(OpenLine { before, ..OpenLine::default() });
        self.is_numbered = true;
    }

    /// Ends the innermost variation.
    pub(super) fn end_variation(&mut self) {
        self.end_line();
        if self.lines.len() == 1 {
            return;
        }
        let line = self.lines.pop().unwrap_or_default();
        if line.has_move {
            self.text.push(b')');
        }
        let (length, was_numbered) = line.before;
        self.is_numbered = self.text.len() > length || was_numbered;
        if let [main] = self.lines.as_slice()
            && !main.has_move
        {
            std::mem::swap(&mut self.text, &mut self.held);
        }
        // The comments of a variation without moves become those of the line around, in which they are comments of no
        // move.
        line.comments.iter().for_each(|comment| self.unread(comment));
        if self.is_numbered
            && let Some(line) = self.lines.last_mut()
        {
            line.has_variation = true;
        }
    }

    /// Ends the game in `position` with its outcome, and returns its movetext on one line, and whether it has
    /// [marks](crate::export::lines::append).
    pub(super) fn end(mut self, position: &Position, outcome: Outcome) -> (Vec<u8>, bool) {
        self.end_line();
        if !self.held.is_empty() && self.options.comments != CommentChoice::None {
            // Without a move in the main line there is no place for variations.
            let held = std::mem::take(&mut self.held);
            let held: Vec<u8> = held.into_iter().map(|byte| if byte == NO_BREAK { b' ' } else { byte }).collect();
            self.comment(&comment::inert(&String::from_utf8_lossy(&held)));
        }
        if self.options.add_fen == FenComments::Last {
            self.fen.append(position, &mut self.fen_due);
            self.end_glyphs();
        }
        self.separate();
        self.text.extend_from_slice(outcome.as_str().as_bytes());
        (self.text, self.is_marked)
    }

    /// Writes what waits for the end of a move, its glyphs and its comments.
    fn end_move(&mut self) {
        self.end_glyphs();
        if let [main] = self.lines.as_mut_slice()
            && main.has_move
            && !self.held.is_empty()
        {
            main.has_variation = true;
            self.separate();
            self.text.append(&mut self.held);
            self.is_numbered = true;
        }
    }

    /// Writes what waits for the end of a move and its glyphs.
    fn end_glyphs(&mut self) {
        if !self.fen_due.is_empty() {
            let fen = std::mem::take(&mut self.fen_due);
            self.push_comment(&String::from_utf8_lossy(&fen));
        }
    }

    /// Inserts the glyphs that stood behind a variation of the last move behind the move.
    fn insert_glyphs(&mut self) {
        if let Some(line) = self.lines.last_mut().filter(|line| line.has_move && !line.glyphs.is_empty()) {
            let mut glyphs = Vec::new();
            line.glyphs.drain(..).for_each(|glyph| append_glyph(glyph, &mut glyphs));
            self.text.splice(line.glyphs_end..line.glyphs_end, glyphs);
        }
    }

    /// Writes what waits for the end of a line. The glyphs of a line without moves become a comment.
    fn end_line(&mut self) {
        self.end_move();
        self.insert_glyphs();
        let glyphs = self.lines.last_mut().map(|line| std::mem::take(&mut line.glyphs)).unwrap_or_default();
        if !glyphs.is_empty() && self.options.comments != CommentChoice::None {
            let glyphs: Vec<String> = glyphs.into_iter().map(|glyph| format!("${glyph}")).collect();
            self.comment(&glyphs.join(" "));
        }
    }

    fn push_comment(&mut self, text: &str) {
        self.separate();
        self.is_marked |= comment::append(text, &mut self.text);
        self.is_numbered = true;
    }

    fn push_number(&mut self, number: u32, periods: &[u8]) {
        self.separate();
        append_number(number, &mut self.text);
        self.text.extend_from_slice(periods);
    }

    /// Returns the innermost line, if it is a variation without a move so far.
    fn unopened(&mut self) -> Option<&mut OpenLine> {
        let is_variation = self.lines.len() > 1;
        self.lines.last_mut().filter(|line| is_variation && !line.has_move)
    }

    /// Writes the parenthesis and the comments before the first move of a variation.
    fn open_variation(&mut self) {
        if let Some(line) = self.unopened() {
            let comments = std::mem::take(&mut line.comments);
            self.separate();
            self.text.push(b'(');
            comments.iter().for_each(|comment| self.push_comment(comment));
        }
    }

    /// Writes a blank, unless nothing or a parenthesis stands before.
    fn separate(&mut self) {
        if !matches!(self.text.last(), None | Some(b'(')) {
            self.text.push(b' ');
        }
    }
}

/// Appends a blank and a glyph.
fn append_glyph(glyph: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(b" $");
    append_number(glyph.into(), out);
}

fn append_number(number: u32, out: &mut Vec<u8>) {
    match short_number(number as usize) {
        Some((digits, length)) => out.extend_from_slice(&digits[..length]),
        None => out.extend_from_slice(number.to_string().as_bytes()),
    }
}
