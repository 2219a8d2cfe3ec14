//! The keys of positions.

use pgn2fen_chess::position::Position;
use pgn2fen_chess::setup::Setup;
use pgn2fen_chess::zobrist;

/// Returns the key of a position in an index.
fn raw(position: &Position) -> u64 {
    zobrist::key(position) ^ zobrist::inner_rooks(position)
}

/// Returns the key of a position: that of an index. A pawn that may not be captured en passant
/// makes no other position, so each position has one key.
pub(crate) fn key(position: &Position) -> u64 {
    if is_passing(position)
        && let Ok((other, _)) = Position::repaired(Setup { ep: None, ..position.setup().clone() })
    {
        return raw(&other);
    }
    raw(position)
}

/// Whether the position has an en passant square, and a pawn that might capture there but must not.
#[inline]
pub(crate) fn is_passing(position: &Position) -> bool {
    position.ep().is_some() && position.pseudo_legal_ep().is_some() && position.legal_ep().is_none()
}

#[cfg(test)]
mod tests {
    use super::{key, raw};
    use pgn2fen_chess::position::Position;

    #[cfg(feature = "index")]
    #[test]
    fn the_key_is_that_of_an_index() {
        for fen in
            ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "1k6/8/8/8/8/8/8/R1R1K3 w A - 0 1", "1k6/8/8/8/8/8/8/R1R1K3 w C - 0 1"]
        {
            let position: Position = fen.parse().unwrap();
            assert_eq!(raw(&position), pgn2fen_index::key(&position), "{fen}");
        }
    }

    #[test]
    fn positions_that_are_the_same_have_one_key() {
        let start: Position = "4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1".parse().unwrap();
        let double = start.play_san("d5").unwrap();
        let single: Position = "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 2".parse().unwrap();
        assert_ne!(raw(&double), raw(&single));
        assert_eq!(key(&double), key(&single));
        // This pawn may be captured.
        let open: Position = "6k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1".parse().unwrap();
        assert_ne!(key(&open.play_san("d5").unwrap()), key(&"6k1/8/8/3pP3/8/8/8/4K3 w - - 0 2".parse().unwrap()));
    }
}
