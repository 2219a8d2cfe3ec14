//! The entries of a Polyglot book: 16 bytes each, big-endian.
//!
//! The format is published at <http://hgm.nubati.net/book_format.html>: the key of the position (64 bits), the move (16
//! bits), its weight (16 bits), and a number for learning (32 bits), which is 0 here.

use pgn2fen_chess::castling::CastlingSide;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;

/// The size of an entry in bytes.
pub(super) const ENTRY: usize = 16;

/// Appends an entry.
pub(super) fn append(key: u64, number: u16, weight: u16, out: &mut Vec<u8>) {
    out.extend_from_slice(&key.to_be_bytes());
    out.extend_from_slice(&number.to_be_bytes());
    out.extend_from_slice(&weight.to_be_bytes());
    out.extend_from_slice(&[0; 4]);
}

/// Returns the number of a move: the target in bits 0 to 5, the origin in bits 6 to 11, and the promotion in bits 12 to
/// 14, with 1 for a knight and 4 for a queen. `castling` is the side on which the move castles in orthodox chess: its
/// target is the square of the rook. In Chess960, castling is the king taking its rook already. None for a null move,
/// which a book cannot have.
pub(super) fn move_number(next: Uci, castling: Option<CastlingSide>) -> Option<u16> {
    if next == Uci::NULL {
        return None;
    }
    let bits = next.bits().get();
    let (from, to) = (bits & 63, bits >> 6 & 63);
    let to = match castling {
        None => to,
        // From file g to file h, or from file c to file a.
        Some(CastlingSide::King) => to + 1,
        Some(CastlingSide::Queen) => to.saturating_sub(2),
    };
    // The numbers of the pieces begin with 1 for a pawn.
    Some(to | from << 6 | (bits >> 12).saturating_sub(1) << 12)
}

/// Returns the color and the side of a move that may be castling in orthodox chess, because a king makes it then. A
/// rook or queen can make the same move.
pub(super) fn possible_castling(next: Uci) -> Option<(Color, CastlingSide)> {
    let bits = next.bits().get();
    let (from, to) = (bits & 63, bits >> 6);
    let color = match from {
        4 => Color::White,
        60 => Color::Black,
        _ => return None,
    };
    match to.checked_sub(from - 4)? {
        6 => Some((color, CastlingSide::King)),
        2 => Some((color, CastlingSide::Queen)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{append, move_number, possible_castling};
    use pgn2fen_chess::castling::CastlingSide;
    use pgn2fen_chess::notation::uci::Uci;
    use pgn2fen_chess::piece::Color;

    #[track_caller]
    fn check(uci: &str, castling: Option<CastlingSide>, expected: Option<u16>) {
        assert_eq!(move_number(Uci::from_ascii(uci.as_bytes()).unwrap(), castling), expected, "{uci}");
    }

    #[test]
    fn moves_have_the_numbers_of_the_format() {
        check("a1b1", None, Some(1));
        check("e2e4", None, Some(12 << 6 | 28));
        check("h7h8q", None, Some(4 << 12 | 55 << 6 | 63));
        check("a2a1n", None, Some(1 << 12 | 8 << 6));
        check("e1g1", None, Some(4 << 6 | 6));
        check("e1g1", Some(CastlingSide::King), Some(4 << 6 | 7));
        check("e1c1", Some(CastlingSide::Queen), Some(4 << 6));
        check("e8g8", Some(CastlingSide::King), Some(60 << 6 | 63));
        check("e8c8", Some(CastlingSide::Queen), Some(60 << 6 | 56));
        check("0000", None, None);
    }

    #[test]
    fn four_moves_may_be_castling() {
        let side = |uci: &str| possible_castling(Uci::from_ascii(uci.as_bytes()).unwrap());
        assert_eq!(side("e1g1"), Some((Color::White, CastlingSide::King)));
        assert_eq!(side("e1c1"), Some((Color::White, CastlingSide::Queen)));
        assert_eq!(side("e8g8"), Some((Color::Black, CastlingSide::King)));
        assert_eq!(side("e8c8"), Some((Color::Black, CastlingSide::Queen)));
        assert_eq!([side("e1f1"), side("g1e1"), side("e2g2"), side("e7e8q"), side("0000")], [None; 5]);
    }

    #[test]
    fn an_entry_has_sixteen_bytes_with_the_most_significant_first() {
        let mut out = Vec::new();
        append(0x0102_0304_0506_0708, 0x090a, 0x0b0c, &mut out);
        assert_eq!(out, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 0]);
    }
}
