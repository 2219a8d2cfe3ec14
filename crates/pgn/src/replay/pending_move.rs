//! Moves that have been read and are about to be played, and who sees them.

use pgn2fen_chess::moves::Move;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::Spelled;

/// The next move of a line, in the position in which it will be played.
#[doc(hidden)]
#[derive(Debug)]
pub struct PendingMove<'p> {
    pub position: &'p Position,
    pub m: Move,
    /// The symbol and its length, if [`resolve_usual`](pgn2fen_chess::san::resolve_usual) found the move.
    pub(super) usual: Option<(u64, usize)>,
}

/// Sees the moves of a replay before they are played.
#[doc(hidden)]
pub trait Observer {
    /// Receives the next move.
    fn see(&mut self, next: &PendingMove<'_>);
}

/// Sees nothing.
impl Observer for () {
    #[inline(always)]
    fn see(&mut self, _: &PendingMove<'_>) {}
}

impl<'p> PendingMove<'p> {
    #[inline]
    pub fn new(position: &'p Position, m: Move) -> Self {
        Self { position, m, usual: None }
    }

    /// Returns the SAN of the move without a mark for check or checkmate, which depends on the position after the move.
    #[inline(always)]
    pub fn spelled(&self) -> Spelled {
        match self.usual {
            Some((symbol, length)) => Spelled::of_usual(symbol, length, self.position, self.m),
            None => Spelled::unmarked(self.position, self.m),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Observer, PendingMove};
    use crate::games::Games;
    use pgn2fen_chess::moves::Move;
    use pgn2fen_chess::position::Position;
    use pgn2fen_chess::san::Spelled;

    #[derive(Default)]
    struct Seen(Vec<(Position, Move, Spelled)>);

    impl Observer for Seen {
        fn see(&mut self, next: &PendingMove<'_>) {
            self.0.push((next.position.clone(), next.m, next.spelled()));
        }
    }

    #[test]
    fn every_move_is_seen_in_the_position_before_it_however_it_is_spelled() {
        let text =
            b"1. e4 {x} e5 2. Ng1f3 (2. f4) Nb8c6 3. Bc4+ Bc5 4. O-O Nge7? 5. d4 ed4 6. Nfxd4 ; x\n 0-0 7. e5 d5 \
            8. exd6 $1 Qxd6 9. Nb5 Qxh2+ 10. Kxh2 *";
        let game = Games::new(text).next().unwrap();
        let mut replay = game.replay().unwrap();
        let mut sans = String::new();
        loop {
            let before = replay.position().clone();
            let mut seen = Seen::default();
            let word = replay.peek_word();
            let Some(ply) = replay.next_ply_at(word, |error| panic!("{error:?}"), &mut seen) else {
                assert!(seen.0.is_empty());
                break;
            };
            let [(position, m, san)] = &seen.0[..] else { panic!("{ply} is seen once") };
            assert!(*position == before && *m == ply.played, "{ply}");
            let mut san = *san;
            san.mark(replay.position());
            let mut text = Vec::new();
            san.append(&mut text);
            sans += &format!(" {}", String::from_utf8(text).unwrap());
        }
        let expected = " e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nge7 d4 exd4 Nxd4 O-O e5 d5 exd6 Qxd6 Nb5 Qxh2+ Kxh2";
        assert_eq!(sans, expected);
    }
}
