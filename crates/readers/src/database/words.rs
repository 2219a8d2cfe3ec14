//! The words of movetext that is made of a database, in lines of at most 80 characters.

use std::io::Write;

use pgn2fen_chess::Position;
use pgn2fen_chess::castling::CastlingSide;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::san::Spelled;

use pgn2fen_pgn::token::Outcome;

/// The greatest number of characters in a line. A comment is not divided.
const WIDTH: usize = 79;

/// The text of a game, word by word.
#[derive(Debug, Default)]
pub(crate) struct Words {
    text: Vec<u8>,
    /// The start of the current line.
    line: usize,
    /// Whether the next move of Black needs a number.
    needs_number: bool,
    /// Whether the next word stands directly behind a parenthesis.
    is_opened: bool,
}

/// Whether a move can be played. Whether it leaves the king in check is left to whoever reads the text: then it is no
/// legal move there.
#[inline]
pub(crate) fn is_playable(position: &Position, m: Move) -> bool {
    let takes_king = match m {
        Move::Normal { to, .. } => position.board().by_role(Role::King).contains(to),
        _ => false,
    };
    position.is_pseudo_legal(m) && !takes_king
}

impl Words {
    /// Begins a game.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        *self = Self { text: std::mem::take(&mut self.text), needs_number: true, ..Self::default() };
    }

    /// Ends a game with its result. Returns its text.
    pub(crate) fn end(&mut self, result: Outcome) -> &[u8] {
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

    /// Appends a move, and its number where one is needed. `play` plays it, and returns the position after it.
    #[inline]
    pub(crate) fn ply<L>(&mut self, line: &mut L, m: Move, play: impl FnOnce(&mut L))
    where
        L: AsRef<Position>,
    {
        let before = line.as_ref();
        if before.turn() == Color::White || self.needs_number {
            self.needs_number = false;
            self.number(before);
        }
        let mut san = Spelled::unmarked(before, m);
        play(line);
        san.mark(line.as_ref());
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

    /// Appends a word for a move that is not legal. The move itself could be read as another one: `a7a6` and a mark, if
    /// it is the promotion `a7a6N`.
    pub(crate) fn illegal(&mut self, m: Move) {
        match m {
            Move::Castle { king, rook } => self.no_castling(CastlingSide::of(king, rook)),
            Move::Null => {
                self.word(b"--");
                self.damage("a-side-in-check-cannot-pass");
            }
            _ => {
                let [from, to] = [m.from(), m.to()].map(|square| square.map(|square| square.to_string()));
                let role = m.promotion().map(|role| role.char().to_string());
                let parts = [from, to, role].map(Option::unwrap_or_default);
                self.damage(&format!("no-legal-move-is-{}", parts.concat()));
            }
        }
    }

    /// Appends a word for castling that is not possible.
    pub(crate) fn no_castling(&mut self, side: CastlingSide) {
        self.damage(match side {
            CastlingSide::King => "no-legal-move-is-O-O",
            CastlingSide::Queen => "no-legal-move-is-O-O-O",
        });
    }

    /// Appends a word for a byte that is no move.
    pub(crate) fn no_move(&mut self, byte: u8) {
        self.damage(&format!("no-move-is-0x{byte:02X}"));
    }

    /// Appends a word that is no move. Readers of the text report it, and end the line of moves there.
    pub(crate) fn damage(&mut self, damage: &str) {
        self.word(format!("damaged:{damage}").as_bytes());
    }

    pub(crate) fn nag(&mut self, nag: u8) {
        let mut word = [b'$'; 4];
        let mut rest = &mut word[1..];
        // It has at most three digits.
        let _ = write!(rest, "{nag}");
        let length = 4 - rest.len();
        self.word(&word[..length]);
    }

    /// Appends a comment, if it has text. A comment in braces cannot have a closing brace. One with a brace goes on to
    /// the end of its line.
    pub(crate) fn comment(&mut self, comment: &[u8]) {
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
    pub(crate) fn open(&mut self) {
        // Its first word stands on the same line.
        self.space(12);
        self.text.push(b'(');
        self.needs_number = true;
        self.is_opened = true;
    }

    /// Ends a variation.
    pub(crate) fn close(&mut self) {
        self.text.push(b')');
        self.needs_number = true;
        self.is_opened = false;
    }
}
