//! Writes moves as SAN (PGN standard §8.2.3).

use std::hint::select_unpredictable;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::square::{File, Rank, Square};

/// Appends the SAN of a legal move. It includes the origin file, rank or square if another legal move needs to be
/// excluded, and `+` or `#` for check or checkmate. A null move is written `--`, and a drop `N@f3` or `@e4`.
pub fn append(position: &Position, m: Move, out: &mut Vec<u8>) {
    let mut next = position.clone();
    next.play_unchecked(m);
    append_between(position, m, &next, out);
}

impl Move {
    /// Returns the move as SAN. The move must be legal in the position.
    ///
    /// ```
    /// use pgn2fen_chess::position::Position;
    ///
    /// let position: Position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".parse()?;
    /// assert!(position.legal_moves().iter().any(|m| m.to_san(&position) == "Ra8#"));
    /// # Ok::<(), pgn2fen_chess::fen::FenError>(())
    /// ```
    pub fn to_san(self, position: &Position) -> String {
        let mut text = Vec::new();
        append(position, self, &mut text);
        text.into_iter().map(char::from).collect()
    }
}

/// Appends the SAN of a legal move, like [`append`]. It is faster, because the caller passes the position after the
/// move as `next`.
pub fn append_between(position: &Position, m: Move, next: &Position, out: &mut Vec<u8>) {
    Spelled::between(position, m, next).append(out);
}

/// The SAN of a move.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Spelled {
    /// The text, and any bytes behind it. The longest has seven bytes, such as `Qa1xb2#` and `axb8=Q#`.
    bytes: [u8; 8],
    len: usize,
}

impl Spelled {
    /// Returns the SAN of a legal move from one position to the next.
    pub(crate) fn between(position: &Position, m: Move, next: &Position) -> Self {
        let mut san = Self::unmarked(position, m);
        san.mark(next);
        san
    }

    /// Returns the SAN of a legal move without a mark for check or checkmate.
    #[inline(never)]
    pub fn unmarked(position: &Position, m: Move) -> Self {
        let mut san = Self::default();
        match m {
            Move::Normal { role: Role::Pawn, from, to, promotion } => {
                if from.file() != to.file() {
                    san.push([file(from.file()), b'x']);
                }
                san.push(square(to));
                if let Some(role) = promotion {
                    san.push([b'=', role.char() as u8]);
                }
            }
            Move::Normal { role, from, to, .. } => {
                san.push([letter(role)]);
                san.push_origin(position, role, from, to);
                if m.is_capture(position.board()) {
                    san.push([b'x']);
                }
                san.push(square(to));
            }
            Move::EnPassant { from, to } => {
                san.push([file(from.file()), b'x']);
                san.push(square(to));
            }
            Move::Castle { king, rook } => match CastlingSide::of(king, rook) {
                CastlingSide::King => san.push(*b"O-O"),
                CastlingSide::Queen => san.push(*b"O-O-O"),
            },
            Move::Drop { role, to } => {
                if role != Role::Pawn {
                    san.push([letter(role)]);
                }
                san.push([b'@']);
                san.push(square(to));
            }
            Move::Null => san.push(*b"--"),
        }
        san
    }

    /// Returns the SAN of a move without a mark for check or checkmate. `symbol` is a symbol of `length` bytes for
    /// which [`resolve_usual`](crate::san::resolve_usual) has found the move.
    ///
    /// Such a symbol is standard, and fits no other legal move. So if it names no origin, it is the SAN itself, except
    /// that the letter of the piece may be that of another language. An origin may be more precise than needed: then
    /// the move is written anew.
    #[inline(always)]
    pub fn of_usual(symbol: u64, length: usize, position: &Position, m: Move) -> Self {
        let is_marked = matches!((symbol >> (8 * length - 8)).to_le_bytes()[0], b'+' | b'#');
        let len = length - usize::from(is_marked);
        // The bytes behind the text do not count.
        let mut bytes = symbol.to_le_bytes();
        let Move::Normal { role, .. } = m else {
            return Self::unmarked(position, m);
        };
        let is_pawn = role == Role::Pawn;
        // The length of the symbol if it names no origin. This and the letter are computed without branches, because
        // pawns and pieces, and captures, come in no order that a processor could predict.
        let without_origin = select_unpredictable(is_pawn, len, 3 + usize::from(bytes[1] == b'x'));
        if len != without_origin {
            return Self::unmarked(position, m);
        }
        bytes[0] = select_unpredictable(is_pawn, bytes[0], letter(role));
        Self { bytes, len }
    }

    /// Adds the mark for check or checkmate in the position after the move. In a variant, `#` marks every end of the
    /// game with a winner.
    #[inline(always)]
    pub fn mark(&mut self, next: &Position) {
        if next.variant().is_some() {
            self.mark_in_variant(next);
        } else if next.is_check() {
            self.push([if next.has_legal_move() { b'+' } else { b'#' }]);
        }
    }

    #[inline(never)]
    fn mark_in_variant(&mut self, next: &Position) {
        if next.end().is_some_and(|end| end.winner.is_some()) {
            self.push([b'#']);
        } else if next.is_check() {
            self.push([b'+']);
        }
    }

    /// Appends the part of the origin that distinguishes a piece from others of its role with the same target: the
    /// file, or else the rank, or else both (§8.2.3.4).
    fn push_origin(&mut self, position: &Position, role: Role, from: Square, to: Square) {
        let board = position.board();
        let piece = Piece { color: position.turn(), role };
        let others = board.by_piece(piece).without(from);
        if others.is_empty() {
            return;
        }
        let alike = others & attacks::of(piece, to, board.occupied());
        if alike.is_empty() {
            return;
        }
        let may_go = |&sq: &Square| position.keeps_king_safe(Move::Normal { role, from: sq, to, promotion: None });
        let rivals: Bitboard = alike.into_iter().filter(may_go).collect();
        if rivals.is_empty() {
            return;
        }
        let on_file = !(rivals & from.file().into()).is_empty();
        let on_rank = !(rivals & from.rank().into()).is_empty();
        if !on_file || on_rank {
            self.push([file(from.file())]);
        }
        if on_file {
            self.push([rank(from.rank())]);
        }
    }

    #[inline]
    fn push<const N: usize>(&mut self, text: [u8; N]) {
        self.bytes[self.len..self.len + N].copy_from_slice(&text);
        self.len += N;
    }

    /// Appends the text to `out`. All eight bytes are copied, because a copy of fixed size is one machine instruction.
    #[inline]
    pub fn append(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.len;
        out.extend_from_slice(&self.bytes);
        out.truncate(end);
    }

    /// Returns the text at the start of an array, and its length.
    #[inline]
    pub fn text(&self) -> ([u8; 8], usize) {
        (self.bytes, self.len)
    }

    /// Whether there is no move.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

fn letter(role: Role) -> u8 {
    Piece { color: Color::White, role }.letter()
}

fn square(sq: Square) -> [u8; 2] {
    [file(sq.file()), rank(sq.rank())]
}

fn file(file: File) -> u8 {
    file.char() as u8
}

fn rank(rank: Rank) -> u8 {
    rank.char() as u8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::proptest;
    use proptest::{prop_assert, prop_assert_eq};

    use super::{Spelled, file, rank};
    use crate::fen;
    use crate::fen::playout::games;
    use crate::moves::Move;
    use crate::piece::Role;
    use crate::position::Position;
    use crate::rules::Rules;
    use crate::san::{Letters, resolve_usual};
    use crate::testing::{find, position};

    fn text(san: Spelled) -> String {
        let mut out = Vec::new();
        san.append(&mut out);
        String::from_utf8(out).expect("ASCII")
    }

    #[track_caller]
    fn check(fen: &str, uci: &str, expected: &str) {
        let position = position(fen);
        assert_eq!(find(&position, uci).to_san(&position), expected, "{fen} {uci}");
    }

    #[test]
    fn an_origin_is_given_only_where_it_tells_two_pieces_apart() {
        check("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1c1", "Rc1");
        check("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1c1", "Rac1");
        check("4k3/8/8/8/R7/8/8/R3K3 w - - 0 1", "a1a2", "R1a2");
        check("4k3/8/8/8/R7/8/8/R3K3 w - - 0 1", "a1c1", "Rc1");
        check("8/k7/8/8/4Q2Q/8/1K6/7Q w - - 0 1", "h4e1", "Qh4e1");
        check("8/k7/8/8/4Q2Q/8/1K6/7Q w - - 0 1", "e4e1", "Qee1");
        check("8/k7/8/8/4Q2Q/8/1K6/7Q w - - 0 1", "h1e1", "Q1e1");
        check("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2");
    }

    #[test]
    fn check_and_mate_are_marked() {
        check("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8+");
        check("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#");
        check("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O");
        let hill = fen::read_by(Rules::KingOfTheHill, b"7k/8/8/8/8/3K4/8/R7 w - - 0 1").unwrap().position;
        for (uci, expected) in [("d3d4", "Kd4#"), ("d3e3", "Ke3"), ("a1a8", "Ra8+")] {
            assert_eq!(find(&hill, uci).to_san(&hill), expected);
        }
        // A draw ends the game, too, but nobody has won.
        let race = fen::read_by(Rules::RacingKings, b"1K6/7k/8/8/8/8/8/8 b - - 0 1").unwrap().position;
        assert_eq!(find(&race, "h7h8").to_san(&race), "Kh8");
    }

    #[test]
    fn the_text_is_at_the_start_of_an_array() {
        let start = Position::initial();
        let (bytes, len) = Spelled::unmarked(&start, find(&start, "g1f3")).text();
        assert_eq!(&bytes[..len], b"Nf3");
    }

    #[test]
    fn no_move_is_no_text() {
        assert!(Spelled::default().is_empty());
        assert!(!Spelled::unmarked(&Position::initial(), Move::Null).is_empty());
    }

    #[test]
    fn the_san_of_a_usual_symbol_has_the_english_letter_and_no_needless_origin() {
        let position = position("4k3/8/8/3p4/4P3/2N5/8/4K3 w - - 0 1");
        for (language, symbol, expected) in [
            ("en", "e5", "e5"),
            ("en", "e5+", "e5"),
            ("en", "exd5", "exd5"),
            ("en", "exd5#", "exd5"),
            ("en", "Nb5", "Nb5"),
            ("en", "Nb5+", "Nb5"),
            ("en", "Nxd5", "Nxd5"),
            ("en", "Nxd5+", "Nxd5"),
            ("en", "Ncb5", "Nb5"),
            ("en", "N3xd5", "Nxd5"),
            ("de", "Sb5", "Nb5"),
            ("de", "Sxd5+", "Nxd5"),
        ] {
            let mut word = [0; 8];
            word[..symbol.len()].copy_from_slice(symbol.as_bytes());
            let (word, letters) = (u64::from_le_bytes(word), Letters::of(language).expect(language));
            let m = resolve_usual(word, symbol.len(), &position, &letters).expect(symbol);
            assert_eq!(text(Spelled::of_usual(word, symbol.len(), &position, m)), expected, "{symbol}");
        }
    }

    /// Returns symbols for a move: with every origin, with and without marks, with English and with German letters.
    fn symbols(position: &Position, m: Move) -> Vec<String> {
        let san = text(Spelled::unmarked(position, m));
        let mut bodies = vec![san.clone()];
        if let Move::Normal { role, from, to, .. } = m
            && role != Role::Pawn
        {
            let letter = &san[..1];
            let origins = [String::new(), char::from(file(from.file())).into(), char::from(rank(from.rank())).into()];
            let x = if m.is_capture(position.board()) { "x" } else { "" };
            bodies.extend(origins.map(|origin| format!("{letter}{origin}{x}{to}")));
        }
        let german = |body: &String| body.replace('N', "S").replace('B', "L").replace('R', "T").replace('Q', "D");
        bodies.extend(bodies.iter().map(german).collect::<Vec<_>>());
        bodies.iter().flat_map(|body| ["", "+", "#"].map(|mark| format!("{body}{mark}"))).collect()
    }

    proptest! {
        #[test]
        fn a_usual_symbol_gives_the_san_of_its_move(game in games()) {
            let mut usual = 0;
            for (nth, position) in game.iter().enumerate() {
                for m in position.legal_moves().into_iter().skip(nth % 8).step_by(8) {
                    for symbol in symbols(position, m) {
                        let mut word = [0; 8];
                        word[..symbol.len()].copy_from_slice(symbol.as_bytes());
                        let word = u64::from_le_bytes(word);
                        for letters in ["en", "de"].map(|code| Letters::of(code).expect(code)) {
                            let Some(found) = resolve_usual(word, symbol.len(), position, &letters) else {
                                continue;
                            };
                            usual += 1;
                            let mut next = position.clone();
                            next.play_unchecked(found);
                            let mut san = Spelled::of_usual(word, symbol.len(), position, found);
                            san.mark(&next);
                            prop_assert_eq!(text(san), found.to_san(position), "{} in {}", symbol, position);
                        }
                    }
                }
            }
            prop_assert!(usual >= game.len() / 2, "most symbols are usual");
        }
    }
}
