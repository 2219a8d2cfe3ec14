//! Moves in 16 bits. Castling is the king capturing its own rook, in standard chess, too.

use pgn2fen_chess::Position;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Role;
use pgn2fen_chess::square::Square;

/// A move from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The origin.
    pub from: Square,
    /// The target. The square of the rook for castling.
    pub to: Square,
    /// The kind of move.
    pub kind: Kind,
}

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A man goes to another square.
    Plain,
    /// A pawn becomes this piece.
    Promotion(Role),
    /// The king goes to its rook.
    Castling,
    /// A pawn captures en passant.
    EnPassant,
}

/// The numbers of the promotion pieces.
const PROMOTED: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Returns the piece with this number: N B R Q are 0 to 3. Only the lowest two bits count.
pub(super) fn promoted(number: u16) -> Role {
    PROMOTED[usize::from(number & 3)]
}

/// Returns the number of a promotion piece.
pub(super) fn promotion(role: Role) -> u16 {
    (role as u16).wrapping_sub(Role::Knight as u16) & 3
}

impl Step {
    /// Returns a move. `None` for a null move and for a drop, which training data cannot hold.
    pub fn of(m: Move) -> Option<Self> {
        Some(match m {
            Move::Normal { from, to, promotion: None, .. } => Self { from, to, kind: Kind::Plain },
            Move::Normal { from, to, promotion: Some(role), .. } => Self { from, to, kind: Kind::Promotion(role) },
            Move::EnPassant { from, to } => Self { from, to, kind: Kind::EnPassant },
            Move::Castle { king, rook } => Self { from: king, to: rook, kind: Kind::Castling },
            Move::Drop { .. } | Move::Null => return None,
        })
    }

    /// Returns the move of a position, if it is legal there.
    pub fn find(self, position: &Position) -> Option<Move> {
        let Self { from, to, kind } = self;
        let role = position.board().piece_at(from)?.role;
        let m = match kind {
            Kind::Castling => Move::Castle { king: from, rook: to },
            Kind::Promotion(promotion) => Move::Normal { role, from, to, promotion: Some(promotion) },
            Kind::EnPassant => Move::EnPassant { from, to },
            Kind::Plain => Move::Normal { role, from, to, promotion: None },
        };
        position.is_legal(m).then_some(m)
    }

    /// Returns the move as viriformat has it: from the lowest bit six for the origin, six for the target, two for the
    /// promotion piece and two for the kind: 1 en passant, 2 castling, 3 promotion.
    pub fn to_viri(self) -> u16 {
        let squares = u16::from(self.from.number()) | u16::from(self.to.number()) << 6;
        squares
            | match self.kind {
                Kind::Plain => 0,
                Kind::EnPassant => 1 << 14,
                Kind::Castling => 2 << 14,
                Kind::Promotion(role) => promotion(role) << 12 | 3 << 14,
            }
    }

    /// Reads a move of viriformat.
    pub fn of_viri(bits: u16) -> Self {
        let kind = match bits >> 14 {
            0 => Kind::Plain,
            1 => Kind::EnPassant,
            2 => Kind::Castling,
            _ => Kind::Promotion(promoted(bits >> 12)),
        };
        Self { from: square(bits), to: square(bits >> 6), kind }
    }

    /// Returns the move as a stem of binpack has it: from the lowest bit two for the promotion piece, six for the
    /// target, six for the origin and two for the kind: 1 promotion, 2 castling, 3 en passant.
    pub fn to_binpack(self) -> u16 {
        let squares = u16::from(self.from.number()) << 8 | u16::from(self.to.number()) << 2;
        squares
            | match self.kind {
                Kind::Plain => 0,
                Kind::Promotion(role) => promotion(role) | 1 << 14,
                Kind::Castling => 2 << 14,
                Kind::EnPassant => 3 << 14,
            }
    }

    /// Reads a move of a stem of binpack.
    pub fn of_binpack(bits: u16) -> Self {
        let kind = match bits >> 14 {
            0 => Kind::Plain,
            1 => Kind::Promotion(promoted(bits)),
            2 => Kind::Castling,
            _ => Kind::EnPassant,
        };
        Self { from: square(bits >> 8), to: square(bits >> 2), kind }
    }
}

/// Returns the square with the number in the lowest six bits.
fn square(bits: u16) -> Square {
    Square::wrapping((bits & 63) as u8)
}

#[cfg(test)]
mod tests {
    use super::{Kind, Step};
    use pgn2fen_chess::Position;
    use pgn2fen_chess::square::Square;

    #[test]
    fn a_move_is_read_as_it_was_written() {
        let fen = "r3k3/1P6/8/3pP3/8/8/8/4K2R w K d6 0 1";
        let position: Position = fen.parse().unwrap();
        for m in position.legal_moves() {
            let step = Step::of(m).unwrap();
            assert_eq!((Step::of_viri(step.to_viri()), Step::of_binpack(step.to_binpack())), (step, step));
            assert_eq!(step.find(&position), Some(m));
        }
        let step = Step { from: Square::E1, to: Square::E5, kind: Kind::Plain };
        assert_eq!(step.find(&position), None);
    }

    #[test]
    fn no_bits_but_those_of_the_layout() {
        for bits in 0..=u16::MAX {
            let (viri, binpack) = (Step::of_viri(bits), Step::of_binpack(bits));
            let is_promotion = |step: Step| matches!(step.kind, Kind::Promotion(_));
            assert_eq!(viri.to_viri(), if is_promotion(viri) { bits } else { bits & 0xCFFF });
            assert_eq!(binpack.to_binpack(), if is_promotion(binpack) { bits } else { bits & 0xFFFC });
        }
    }
}
