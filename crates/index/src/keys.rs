//! The keys of a position in an index.
//!
//! The key is the Polyglot key, so tools that know Polyglot keys can query an index. Some Polyglot keys differ where
//! the repetition rule sees one position (a pawn that cannot be captured en passant legally); then a query uses both
//! keys. Some are equal where the rule sees two positions (which of two rooks may castle); then a number of our own is
//! mixed into the key.

use crate::postings::key;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::setup::Setup;
use pgn2fen_chess::square::{File, Rank, Square};

/// Returns the keys of a position under the repetition rule (FIDE Laws, 9.2). There is nearly always one.
///
/// The Polyglot key of a position with a pawn that could capture en passant differs from the key of the position
/// without the en passant square, even if the capture is illegal because the capturing pawn is pinned. Under the rules
/// these are one position, so it has both keys.
pub fn keys(position: &Position) -> Vec<u64> {
    if position.legal_ep().is_some() {
        return vec![key(position)];
    }
    // Too many pieces and impossible checks are accepted here, as in the starting positions of games.
    let with = |ep| {
        let (other, _) = Position::repaired(Setup { ep, ..position.setup().clone() }).ok()?;
        (other.ep() == ep).then_some(other)
    };
    let mut keys: Vec<u64> = with(None).iter().map(key).collect();
    let (passed_rank, pawn_rank) = match position.turn() {
        Color::White => (Rank::Sixth, Rank::Fifth),
        Color::Black => (Rank::Third, Rank::Fourth),
    };
    let board = position.board();
    for file in File::ALL {
        let beside = |files| Square::new(file, pawn_rank).offset(files, 0);
        let is_ours = |sq: Option<Square>| sq.is_some_and(|sq| board.by_color(position.turn()).contains(sq));
        // A quick test that rules out most positions.
        if board.piece_at(Square::new(file, pawn_rank)).is_none() || !(is_ours(beside(-1)) || is_ours(beside(1))) {
            continue;
        }
        let illegal = |other: &Position| other.pseudo_legal_ep().is_some() && other.legal_ep().is_none();
        keys.extend(with(Some(Square::new(file, passed_rank))).filter(illegal).iter().map(key));
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::keys;
    use crate::postings::key;
    use pgn2fen_chess::position::Position;
    use pgn2fen_chess::testing::{play, position};

    /// Compares two ways to the same position.
    #[track_caller]
    fn check(one: &Position, other: &Position, count: usize) {
        let mut found = [keys(one), keys(other)];
        found.iter_mut().for_each(|keys| keys.sort_unstable());
        assert_eq!(found[0], found[1]);
        assert_eq!(found[0].len(), count);
        assert!(found[0].contains(&key(one)) && found[0].contains(&key(other)));
    }

    #[test]
    fn a_position_has_one_key_as_a_rule() {
        let start = Position::initial();
        assert_eq!(keys(&start), [key(&start)]);
        check(&play(&start, "e2e4 g8f6 g1f3"), &play(&start, "g1f3 g8f6 e2e4"), 1);
        // The en passant capture is legal, which makes it a different position.
        let legal = play(&start, "e2e4 a7a6 e4e5 d7d5");
        assert_eq!(keys(&legal), [key(&legal)]);
    }

    #[test]
    fn a_position_that_cannot_come_about_has_its_key() {
        for fen in ["4k3/8/8/8/8/NNNNNNNN/PPPPPPPP/4K3 w - - 0 1", "4k3/8/8/1b6/8/3n4/8/4K2r w - - 0 1"] {
            let odd = pgn2fen_chess::fen::read(fen.as_bytes()).unwrap().position;
            assert_eq!(keys(&odd), [key(&odd)], "{fen}");
        }
    }

    #[test]
    fn a_pawn_that_cannot_be_taken_makes_no_other_position() {
        let start = position("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
        let double = play(&start, "d7d5");
        let single = position("4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 2");
        assert_ne!(key(&double), key(&single));
        check(&double, &single, 2);
    }
}
