//! The words of movetext, in lines of at most 80 characters.

use std::io::Write;

use pgn2fen_chess::Position;
use pgn2fen_chess::castling::CastlingSide;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san::Spelled;

use crate::scid::line::Line;
use pgn2fen_pgn::token::Outcome;

/// The greatest number of characters in a line. A comment is not divided.
const WIDTH: usize = 79;

/// The text of a game, word by word.
#[derive(Debug, Default)]
pub(super) struct Words {
    text: Vec<u8>,
    /// The start of the current line.
    line: usize,
    /// Whether the next move of Black needs a number.
    needs_number: bool,
    /// Whether the next word stands directly behind a parenthesis.
    is_opened: bool,
}

impl Words {
    /// Begins a game.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        *self = Self { text: std::mem::take(&mut self.text), needs_number: true, ..Self::default() };
    }

    /// Ends a game with its result. Returns its text.
    pub(super) fn end(&mut self, result: Outcome) -> &[u8] {
        self.word(result.as_str().as_bytes());
        &self.text
    }

    fn word(&mut self, word: &[u8]) {
        self.space(word.len());
        self.text.extend_from_slice(word);
    }

    /// Appends the blank or the line break before a word of this length.
    #[inline]
    fn space(&mut self, length: usize) {
        let column = self.text.len() - self.line;
        if column == 0 || std::mem::take(&mut self.is_opened) {
        } else if column + 1 + length <= WIDTH {
            self.text.push(b' ');
        } else {
            self.text.push(b'\n');
            self.line = self.text.len();
        }
    }

    /// Plays a move of the piece with a number, and appends it.
    #[inline]
    pub(super) fn ply(&mut self, line: &mut Line, m: Move, number: u8) {
        if line.position.turn() == Color::White || self.needs_number {
            self.needs_number = false;
            self.number(&line.position);
        }
        let mut san = Spelled::unmarked(&line.position, m);
        line.play(m, number);
        san.mark(&line.position);
        self.space(san.text().1);
        san.append(&mut self.text);
    }

    fn number(&mut self, before: &Position) {
        let mut digits = [b'.'; 13];
        let (mut number, mut start) = (before.fullmoves(), 10);
        while start == 10 || number > 0 {
            start -= 1;
            digits[start] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        self.word(&digits[start..before.turn().pick(11, 13)]);
    }

    /// Appends a word for a move that is not legal, or for a byte that is no move. The move itself could be read as
    /// another one: `a7a6` and a mark, if it is the promotion `a7a6N`.
    pub(super) fn illegal(&mut self, m: Option<Move>, byte: u8) {
        let castling = |side: CastlingSide| match side {
            CastlingSide::King => "no-legal-move-is-O-O",
            CastlingSide::Queen => "no-legal-move-is-O-O-O",
        };
        match (m, byte) {
            (Some(Move::Castle { king, rook }), _) => self.damage(castling(CastlingSide::of(king, rook))),
            (None, 9) => self.damage(castling(CastlingSide::Queen)),
            (None, 10) => self.damage(castling(CastlingSide::King)),
            (None, _) => self.damage(&format!("no-move-is-0x{byte:02X}")),
            (Some(Move::Null), _) => {
                self.word(b"--");
                self.damage("a-side-in-check-cannot-pass");
            }
            (Some(m), _) => {
                let [from, to] = [m.from(), m.to()].map(|square| square.map(|square| square.to_string()));
                let role = m.promotion().map(|role| role.char().to_string());
                let parts = [from, to, role].map(Option::unwrap_or_default);
                self.damage(&format!("no-legal-move-is-{}", parts.concat()));
            }
        }
    }

    /// Appends a word that is no move. Readers of the text report it, and end the line of moves there.
    pub(super) fn damage(&mut self, damage: &str) {
        self.word(format!("damaged:{damage}").as_bytes());
    }

    pub(super) fn nag(&mut self, nag: u8) {
        let mut word = [b'$'; 4];
        let mut rest = &mut word[1..];
        // It has at most three digits.
        let _ = write!(rest, "{nag}");
        let length = 4 - rest.len();
        self.word(&word[..length]);
    }

    /// Appends a comment, if it has text. A comment in braces cannot have a closing brace. One with a brace goes on to
    /// the end of its line.
    pub(super) fn comment(&mut self, comment: &[u8]) {
        if comment.is_empty() {
            return;
        }
        self.needs_number = true;
        if memchr::memchr(b'}', comment).is_some() {
            for line in comment.split(|byte| matches!(byte, b'\n' | b'\r')) {
                self.space(WIDTH);
                self.text.push(b';');
                self.text.extend_from_slice(line);
                self.text.push(b'\n');
                self.line = self.text.len();
            }
            return;
        }
        self.space(comment.len() + 2);
        let start = self.text.len();
        self.text.push(b'{');
        self.text.extend_from_slice(comment);
        self.text.push(b'}');
        if let Some(at) = memchr::memrchr(b'\n', comment) {
            self.line = start + 1 + at + 1;
        }
    }

    /// Begins a variation.
    pub(super) fn open(&mut self) {
        // Its first word stands on the same line.
        self.space(12);
        self.text.push(b'(');
        self.needs_number = true;
        self.is_opened = true;
    }

    /// Ends a variation.
    pub(super) fn close(&mut self) {
        self.text.push(b')');
        self.needs_number = true;
        self.is_opened = false;
    }
}
