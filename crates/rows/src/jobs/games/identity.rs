//! The identity of a game, by which duplicates are found.

use pgn2fen_chess::moves::Move;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::replay::Replay;
use pgn2fen_games::selection::Identity;

/// Plays the main line of a game up to this ply and returns the identity of its starting position and its moves. None
/// for a game without moves, and for one that cannot be played to its end, because these cannot be known to be
/// duplicates. Adds the errors in the moves to `errors`.
pub(crate) fn play(replay: &mut Replay<'_>, last_ply: u32, errors: &mut Vec<Diagnostic>) -> Option<Identity> {
    play_each(replay, last_ply, errors, |_| {})
}

/// Does the same as [`play`], and calls a function with each move.
pub(super) fn play_each(
    replay: &mut Replay<'_>,
    last_ply: u32,
    errors: &mut Vec<Diagnostic>,
    mut take: impl FnMut(Move),
) -> Option<Identity> {
    let start = Identity::of_start(replay.position());
    let mut identity = start;
    let mut number = 0;
    while number < last_ply
        && let Some(ply) = replay.next_ply()
    {
        match ply {
            Ok(ply) => {
                identity = identity.then(ply.played);
                take(ply.played);
                number = ply.number;
            }
            Err(error) => errors.push(error),
        }
    }
    (identity != start && errors.is_empty()).then_some(identity)
}

/// Appends a move as two bytes, which tell it from all other moves of the same position.
pub(super) fn append(played: Move, out: &mut Vec<u8>) {
    let word = match played {
        Move::Normal { from, to, promotion, .. } => {
            let promotion = promotion.map_or(0, |role| role as u16 + 1);
            promotion << 12 | u16::from(from.number()) << 6 | u16::from(to.number())
        }
        Move::EnPassant { from, to } => u16::from(from.number()) << 6 | u16::from(to.number()),
        // The square of the own rook, to which no other move goes.
        Move::Castle { king, rook } => u16::from(king.number()) << 6 | u16::from(rook.number()),
        // The same square twice, which no other move has.
        Move::Drop { role, to } => (role as u16) << 12 | u16::from(to.number()) << 6 | u16::from(to.number()),
        Move::Null => u16::MAX,
    };
    out.extend(word.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::append;
    use pgn2fen_chess::moves::Move;
    use pgn2fen_chess::piece::Role;
    use pgn2fen_chess::square::Square;
    use pgn2fen_chess::testing::{find, position};

    #[test]
    fn a_move_has_two_bytes() {
        let word = |played: Move| {
            let mut out = b"x".to_vec();
            append(played, &mut out);
            assert_eq!((out.len(), out[0]), (3, b'x'));
            u16::from_be_bytes([out[1], out[2]])
        };
        let of = |fen: &str, uci: &str| word(find(&position(fen), uci));
        let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(of(initial, "e2e4"), 12 << 6 | 28);
        let fen = "r3k3/1P6/8/3pP3/8/8/8/4K2R w K d6 0 1";
        assert_eq!(of(fen, "e5d6"), 36 << 6 | 43);
        // Castling is the move of the king to the square of its rook.
        assert_eq!(of(fen, "e1g1"), 4 << 6 | 7);
        let promotions = ["b7b8n", "b7b8b", "b7b8r", "b7b8q"].map(|uci| of(fen, uci));
        assert_eq!(promotions, [3, 4, 5, 6].map(|role| role << 12 | 49 << 6 | 57));
        let square = Square::from_ascii(b"f3").unwrap();
        assert_eq!(word(Move::Drop { role: Role::Knight, to: square }), 2 << 12 | 21 << 6 | 21);
        assert_eq!(word(Move::Null), u16::MAX);
    }
}
