//! A position with the list of its pieces, by whose numbers moves are stored.
//!
//! A move is a byte: the number of the piece in the high half, and what it does in the low half. A side has at most 16
//! pieces, and the king has the number 0. The others are numbered from a8 to h1, as a FEN has them; the one that had 0
//! gets the number of the king. When a piece is captured, the last piece of its side gets its number.
//!
//! What a piece does depends on its role: the file and the direction of a bishop, the file or the rank of a rook, one
//! of the eight directions of a king or a knight. A queen moves like a rook, or has her target in a byte of its own.

use pgn2fen_chess::Position;
use pgn2fen_chess::castling::CastlingSide;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::square::{File, Rank, Square};

/// A position, and the squares of its pieces by their numbers.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) position: Position,
    pieces: [Pieces; 2],
    /// The number of the piece on each square that has one.
    numbers: [u8; 64],
}

/// The squares of the pieces of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pieces {
    squares: [Square; 16],
    count: u8,
}

impl AsRef<Position> for Line {
    #[inline]
    fn as_ref(&self) -> &Position {
        &self.position
    }
}

impl Line {
    /// Returns the line that begins in a position, or `None` if a side has more than 16 pieces.
    pub(super) fn new(position: Position) -> Option<Self> {
        let mut pieces = [Pieces { squares: [Square::A1; 16], count: 0 }; 2];
        let squares = Rank::ALL.into_iter().rev().flat_map(|rank| File::ALL.map(|file| Square::new(file, rank)));
        for square in squares {
            let Some(piece) = position.board().piece_at(square) else { continue };
            let Pieces { squares, count } = &mut pieces[piece.color.index()];
            let number = usize::from(*count);
            *squares.get_mut(number)? = square;
            *count += 1;
            if piece.role == Role::King {
                squares.swap(0, number);
            }
        }
        Some(Self::with(position, pieces))
    }

    /// Returns the line that begins in the initial position. Its pieces have other numbers than those of the same
    /// position in a FEN: the pieces stand before the pawns, from file a to file h, for both sides.
    pub(super) fn initial() -> Self {
        let side = |color: Color| {
            let rank = |rank: Rank| File::ALL.map(|file| Square::new(file, rank));
            let mut squares = [Square::A1; 16];
            squares[..8].copy_from_slice(&rank(color.back_rank()));
            squares[8..].copy_from_slice(&rank(color.pawn_rank()));
            // Rook, knight, bishop and queen make room for the king.
            squares[..5].rotate_right(1);
            Pieces { squares, count: 16 }
        };
        Self::with(Position::initial(), Color::ALL.map(side))
    }

    fn with(position: Position, pieces: [Pieces; 2]) -> Self {
        let mut numbers = [0; 64];
        for Pieces { squares, count } in &pieces {
            for (square, number) in squares.iter().zip(0..*count) {
                numbers[square.index()] = number;
            }
        }
        Self { position, pieces, numbers }
    }

    /// Returns the move of a byte. `next` returns the byte behind it, if it is needed. The move need not be legal.
    #[inline]
    pub(super) fn decode(&self, byte: u8, next: impl FnOnce() -> Option<u8>) -> Option<Move> {
        let position = &self.position;
        let color = position.turn();
        let Pieces { squares, count } = &self.pieces[color.index()];
        let number = byte >> 4;
        if number >= *count {
            return None;
        }
        let from = squares[usize::from(number)];
        let role = position.board().piece_at(from)?.role;
        let action = byte & 15;
        let at = i16::from(from.number());
        let by = |distance: i16| u8::try_from(at + distance).ok().and_then(Square::from_index);
        let (to, promotion) = match role {
            Role::Pawn => return self.pawn_move(from, action),
            Role::King => match action {
                0 => return Some(Move::Null),
                1..=8 => (by([-9, -8, -7, -1, 1, 7, 8, 9][usize::from(action - 1)])?, None),
                9 => return position.castling_move(CastlingSide::Queen),
                10 => return position.castling_move(CastlingSide::King),
                _ => return None,
            },
            Role::Knight => {
                let distance = [-17, -15, -10, -6, 6, 10, 15, 17].get(usize::from(action.checked_sub(1)?))?;
                (by(*distance)?, None)
            }
            Role::Bishop => {
                let files = i16::from(action & 7) - at % 8;
                (by(if action < 8 { 9 * files } else { -7 * files })?, None)
            }
            Role::Queen if i16::from(action) == at % 8 => {
                // 64 is added to the target, so that no target looks like a mark.
                (Square::from_index(next()?.checked_sub(64)?)?, None)
            }
            Role::Rook | Role::Queen if action < 8 => (Square::new(File::from_index(action)?, from.rank()), None),
            Role::Rook | Role::Queen => (Square::new(from.file(), Rank::from_index(action - 8)?), None),
        };
        Some(Move::Normal { role, from, to, promotion })
    }

    fn pawn_move(&self, from: Square, action: u8) -> Option<Move> {
        let position = &self.position;
        let (distance, promotion) = match action {
            15 => (16, None),
            _ => (
                [7, 8, 9][usize::from(action % 3)],
                [None, Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)]
                    [usize::from(action / 3)],
            ),
        };
        let number = i16::from(from.number()) + position.turn().pick(distance, -distance);
        let to = Square::from_index(u8::try_from(number).ok()?)?;
        if from.file() != to.file() && position.ep() == Some(to) {
            return Some(Move::EnPassant { from, to });
        }
        Some(Move::Normal { role: Role::Pawn, from, to, promotion })
    }

    /// Plays a move of the piece with a number.
    #[inline]
    pub(super) fn play(&mut self, m: Move, number: u8) {
        let color = self.position.turn();
        match m {
            Move::Normal { from: _, to, .. } => {
                if self.position.board().by_color(!color).contains(to) {
                    self.remove(!color, to);
                }
                self.put(color, number, to);
            }
            Move::EnPassant { from, to } => {
                self.remove(!color, Square::new(to.file(), from.rank()));
                self.put(color, number, to);
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::of(king, rook);
                let rook_number = self.numbers[rook.index()];
                self.put(color, number, side.king_target(color));
                self.put(color, rook_number, side.rook_target(color));
            }
            // Scid plays chess only.
            Move::Drop { .. } | Move::Null => {}
        }
        self.position.play_unchecked(m);
    }

    #[inline]
    fn put(&mut self, color: Color, number: u8, to: Square) {
        self.pieces[color.index()].squares[usize::from(number & 15)] = to;
        self.numbers[to.index()] = number;
    }

    /// Gives the number of a captured piece to the last piece of its side.
    #[inline]
    fn remove(&mut self, color: Color, square: Square) {
        let number = self.numbers[square.index()];
        let pieces = &mut self.pieces[color.index()];
        pieces.count = pieces.count.saturating_sub(1);
        let last = pieces.squares[usize::from(pieces.count & 15)];
        pieces.squares[usize::from(number & 15)] = last;
        self.numbers[last.index()] = number;
    }
}

#[cfg(test)]
mod tests {
    use pgn2fen_chess::fen;
    use pgn2fen_chess::square::Square;

    use super::Line;

    #[test]
    fn pieces_are_numbered_as_a_fen_has_them_and_the_king_is_first() {
        let fen = b"rnb1k2Q/1p5p/p7/4p3/4q3/8/PPP2R1P/2K5 b q - 0 1";
        let line = Line::new(fen::read(fen).unwrap().position).unwrap();
        let squares = |side: usize| {
            let pieces = &line.pieces[side];
            pieces.squares[..usize::from(pieces.count)].iter().map(Square::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(squares(0), "c1 a2 b2 c2 f2 h2 h8");
        assert_eq!(squares(1), "e8 b8 c8 a8 b7 h7 a6 e5 e4");
    }

    #[test]
    fn the_initial_position_has_numbers_of_its_own() {
        let line = Line::initial();
        let squares = line.pieces[0].squares.map(|square| square.to_string()).join(" ");
        assert_eq!(squares, "e1 a1 b1 c1 d1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2");
    }
}
