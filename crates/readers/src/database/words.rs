//! The words of movetext that is made of a database, in lines of at most 80 characters.

use std::io::Write;

use pgn2fen_chess::Position;
use pgn2fen_chess::castling::CastlingSide;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::san::Spelled;

use crate::games::GameParts;
use pgn2fen_pgn::token::Outcome;

/// The greatest number of characters in a line. A comment is not divided.
const WIDTH: usize = 79;

/// The text of a game, word by word.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// The parts that are written beside the main line.
    pub(crate) parts: GameParts,
    /// The number of variations that are open.
    depth: usize,
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
    /// Returns no words, of games of which these parts are written.
    pub(crate) fn new(parts: GameParts) -> Self {
        Self { parts, needs_number: true, ..Self::default() }
    }

    /// Begins a game.
    pub(crate) fn clear(&mut self) {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        *self = Self { text, ..Self::new(self.parts) };
    }

    /// Whether the words of the current line are left out.
    #[inline]
    fn is_left_out(&self) -> bool {
        self.depth > 0 && !self.parts.variations
    }

    /// Ends a game with its result. Returns its text.
    pub(crate) fn end(&mut self, result: Outcome) -> &[u8] {
        self.word(result.as_str().as_bytes());
        &self.text
    }

    fn word(&mut self, word: &[u8]) {
        if self.is_left_out() {
            return;
        }
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
        if self.is_left_out() {
            return play(line);
        }
        let before = line.as_ref();
        if !self.parts.spelling {
            let san = Spelled::unmarked(before, m);
            play(line);
            return self.san(san);
        }
        if before.turn() == Color::White || self.needs_number {
            self.needs_number = false;
            self.number(before);
        }
        let mut san = Spelled::unmarked(before, m);
        play(line);
        san.mark(line.as_ref());
        self.san(san);
    }

    /// Appends all moves, each with a blank behind it. Nothing stands before them. `append` appends them, and its
    /// result is returned.
    #[cfg(feature = "chessbase")]
    pub(crate) fn lines<R>(&mut self, append: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        self.is_opened = true;
        append(&mut self.text)
    }

    /// Appends a move.
    #[inline]
    fn san(&mut self, san: Spelled) {
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
        if !self.parts.comments {
            return;
        }
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
        if comment.is_empty() || !self.parts.comments || self.is_left_out() {
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
        self.depth += 1;
        if self.is_left_out() {
            return;
        }
        // Its first word stands on the same line.
        self.space(12);
        self.text.push(b'(');
        self.needs_number = true;
        self.is_opened = true;
    }

    /// Ends a variation.
    pub(crate) fn close(&mut self) {
        let is_left_out = self.is_left_out();
        self.depth -= 1;
        if is_left_out {
            return;
        }
        self.text.push(b')');
        self.needs_number = true;
        self.is_opened = false;
    }
}

#[cfg(test)]
mod tests {
    use super::Words;
    use crate::games::GameParts;
    use pgn2fen_chess::Position;
    use pgn2fen_chess::moves::Move;
    use pgn2fen_chess::notation::uci::Uci;
    use pgn2fen_pgn::token::Outcome;

    struct Line(Position);

    impl AsRef<Position> for Line {
        fn as_ref(&self) -> &Position {
            &self.0
        }
    }

    /// The text of 1. e4 (1. d4 d5 (1... Nf6)) 1... e5, with comments and NAGs, of which only some parts are written.
    fn text(parts: GameParts) -> String {
        let mut words = Words::new(parts);
        let mut line = Line(Position::initial());
        let play = |words: &mut Words, line: &mut Line, uci: &str| {
            let played: Move = Uci::from_ascii(uci.as_bytes()).and_then(|uci| uci.find(&line.0)).unwrap();
            words.ply(line, played, |line| line.0.play_unchecked(played));
        };
        let mut inner = Line(line.0.clone());
        play(&mut words, &mut line, "e2e4");
        words.nag(1);
        words.comment(b"best");
        words.open();
        play(&mut words, &mut inner, "d2d4");
        words.comment(b"or");
        let mut innermost = Line(inner.0.clone());
        play(&mut words, &mut inner, "d7d5");
        words.nag(6);
        words.open();
        play(&mut words, &mut innermost, "g8f6");
        words.damage("here");
        words.close();
        words.close();
        assert!(innermost.0.fullmoves() == 2, "left out moves are played");
        play(&mut words, &mut line, "e7e5");
        let text = String::from_utf8(words.end(Outcome::Draw).to_vec()).unwrap();
        words.clear();
        assert_eq!(words.end(Outcome::Draw), b"1/2-1/2");
        text
    }

    #[test]
    fn parts_that_are_not_wanted_are_left_out() {
        let all = GameParts::ALL;
        for (parts, expected) in [
            (all, "1. e4 $1 {best} (1. d4 {or} 1... d5 $6 (1... Nf6 damaged:here)) 1... e5 1/2-1/2"),
            (GameParts { comments: false, ..all }, "1. e4 (1. d4 d5 (1... Nf6 damaged:here)) 1... e5 1/2-1/2"),
            (GameParts { variations: false, ..all }, "1. e4 $1 {best} 1... e5 1/2-1/2"),
            (GameParts { spelling: true, ..GameParts::NONE }, "1. e4 e5 1/2-1/2"),
            (GameParts::NONE, "e4 e5 1/2-1/2"),
        ] {
            assert_eq!(text(parts), expected);
        }
    }
}
