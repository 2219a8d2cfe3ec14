//! Identities of positions, and counts of positions that have been seen.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::square::Square;

/// The identity of a position under the repetition rule (FIDE Laws, 9.2): pieces, side to move, castling rights, and
/// the en passant square if an en passant capture is legal. See [`Position::is_same_position`].
///
/// It is a hash of 128 bits. Equal positions have equal identities. Two different positions have equal identities with
/// a probability of 2⁻¹²⁸; among a billion positions, the probability that any two collide is 10⁻²¹.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity(u128);

impl Identity {
    /// Returns the identity of a position.
    pub fn of(position: &Position) -> Self {
        let board = position.board();
        let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
        let [pawns, knights, bishops, rooks, queens, kings] = roles.map(|role| board.by_role(role).0);
        let castling = position.castling().rooks().0;
        let ep = position.legal_ep().map_or(0, |sq| 1 << sq.number());
        // Three bits for each square tell the six roles, a rook that may castle (all three are set) and an empty square
        // apart. The fourth tells the colour of a piece, and the en passant square among the empty ones. The side to
        // move is a word, too: it is 0 or 1, so its products are its factors or nothing.
        let sums = match position.turn() {
            Color::White => [0; 2],
            Color::Black => FACTORS[4],
        };
        let identity = Self::of_sums(
            sums,
            &[
                board.by_color(Color::White).0 | ep,
                pawns | bishops | queens | castling,
                knights | bishops | kings | castling,
                rooks | queens | kings,
            ],
        );
        identity.with_additions(position)
    }

    /// Returns the identity of a position of a variant whose men have this identity. In chess it is the same.
    #[inline]
    fn with_additions(self, position: &Position) -> Self {
        match position.additions() {
            None => self,
            Some(additions) => self.with_words(additions),
        }
    }

    #[inline(never)]
    fn with_words(self, [a, b, c, d]: [u64; 4]) -> Self {
        let [high, low] = self.halves();
        Self::of_words(&[high, low, a, b, c, d])
    }

    /// Returns the identity of the position from which a game starts. It distinguishes the positions that
    /// [`of`](Self::of) distinguishes, but its value must never change, because it decides by which shares games are
    /// divided.
    #[doc(hidden)]
    pub fn of_start(position: &Position) -> Self {
        let ep = position.legal_ep().map_or(64, |sq| u64::from(sq.number()));
        Self::of_words(&Self::words(position, ep)).with_additions(position)
    }

    /// Returns an identity that covers all six fields of the FEN: it includes the move counters, and the en passant
    /// square even if no capture is legal.
    pub fn exact(position: &Position) -> Self {
        let ep = position.ep().map_or(64, |sq| u64::from(sq.number()));
        let clocks = u64::from(position.halfmoves()) << 32 | u64::from(position.fullmoves());
        let [a, b, c, d, e, f, g, h, i] = Self::words(position, ep);
        Self::of_words(&[a, b, c, d, e, f, g, h, i, clocks]).with_additions(position)
    }

    /// Returns the identity of what has this identity, followed by a move. So a starting position and some moves make
    /// an identity of a game.
    #[doc(hidden)]
    pub fn then(self, played: Move) -> Self {
        let squares = |a: Square, b: Square| u64::from(a.number()) << 6 | u64::from(b.number());
        let word = match played {
            Move::Normal { from, to, promotion, .. } => {
                squares(from, to) << 4 | promotion.map_or(0, |role| role as u64 + 1)
            }
            Move::EnPassant { from, to } => 1 << 16 | squares(from, to),
            Move::Castle { king, rook } => 2 << 16 | squares(king, rook),
            Move::Null => 3 << 16,
            Move::Drop { role, to } => 4 << 16 | squares(to, to) << 4 | role as u64,
        };
        let [high, low] = self.halves();
        Self::of_words(&[high, low, word])
    }

    /// Returns the identity of what has this identity and a text.
    #[doc(hidden)]
    pub fn and_text(self, text: &[u8]) -> Self {
        let [high, low] = self.halves();
        let of_length = Self::of_words(&[high, low, 0, text.len() as u64]);
        text.chunks(8).fold(of_length, |identity, bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            let [high, low] = identity.halves();
            Self::of_words(&[high, low, u64::from_le_bytes(word), 1])
        })
    }

    /// Returns the two halves of the hash.
    #[doc(hidden)]
    #[expect(clippy::cast_possible_truncation, reason = "the halves have 64 bits")]
    pub fn halves(self) -> [u64; 2] {
        [(self.0 >> 64) as u64, self.0 as u64]
    }

    /// Returns the identity of a game without a position: its byte offset and the number of its file.
    #[doc(hidden)]
    pub fn of_place(file: u64, offset: u64) -> Self {
        Self::of_words(&[file, offset])
    }

    /// Returns the pieces, the castling rights, the given en passant square (64 for none) and the side to move.
    #[inline]
    fn words(position: &Position, ep: u64) -> [u64; 9] {
        let board = position.board();
        let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let [pawns, knights, bishops, rooks, queens] = roles.map(|role| board.by_role(role).0);
        // The kings are the pieces that remain.
        [
            board.by_color(Color::White).0,
            board.by_color(Color::Black).0,
            pawns,
            knights,
            bishops,
            rooks,
            queens,
            position.castling().rooks().0,
            ep << 1 | position.turn() as u64,
        ]
    }

    #[inline]
    fn of_words(words: &[u64]) -> Self {
        Self::of_sums([0; 2], words)
    }

    /// Adds the products of the words to the sums.
    #[inline]
    fn of_sums(mut sums: [u128; 2], words: &[u64]) -> Self {
        // Sums of products with random factors. For two different positions, the upper halves of two such sums are
        // equal with the probability of two random 64-bit numbers (Dietzfelbinger 1996). The two sums are independent.
        for (word, factors) in words.iter().zip(&FACTORS) {
            for (sum, factor) in sums.iter_mut().zip(factors) {
                *sum = sum.wrapping_add(factor.wrapping_mul(u128::from(*word)));
            }
        }
        let [high, low] = sums.map(|sum| sum >> 64);
        Self(high << 64 | low)
    }
}

const WORDS: usize = 10;

/// Random factors, which are the same in every run.
static FACTORS: [[u128; 2]; WORDS] = {
    let mut factors = [[0; 2]; WORDS];
    let mut state = 0x7067_6E32_6665_6E00;
    let mut i = 0;
    while i < 4 * WORDS {
        // The SplitMix generator.
        state = u64::wrapping_add(state, 0x9E37_79B9_7F4A_7C15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        let factor = &mut factors[i / 4][i % 4 / 2];
        *factor = *factor << 64 | mixed as u128;
        i += 1;
    }
    factors
};

/// The number of occurrences of each position that has been seen.
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct Tally {
    /// The index in `counts` for each position.
    numbers: HashMap<Identity, usize, BuildHasherDefault<AsItIs>>,
    counts: Vec<u64>,
}

impl Tally {
    /// Counts a position, and returns whether it is new.
    #[doc(hidden)]
    pub fn add(&mut self, identity: Identity) -> bool {
        let new = self.counts.len();
        let number = *self.numbers.entry(identity).or_insert(new);
        if number == new {
            self.counts.push(0);
        }
        self.counts[number] += 1;
        number == new
    }

    /// Returns the numbers of occurrences, in the order in which the positions were first seen.
    #[doc(hidden)]
    pub fn into_counts(self) -> Vec<u64> {
        self.counts
    }
}

/// A hasher that returns half of an identity, which is random already.
#[derive(Clone, Copy, Debug, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, _: &[u8]) {
        unreachable!("only identities are hashed, and they are u128");
    }

    #[expect(clippy::cast_possible_truncation, reason = "either half is random")]
    fn write_u128(&mut self, identity: u128) {
        self.0 = identity as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{Identity, Tally};
    use pgn2fen_chess::position::Position;
    use pgn2fen_chess::testing::{play, position};

    #[track_caller]
    fn check(a: &Position, b: &Position, is_same: bool) {
        assert_eq!(Identity::of(a) == Identity::of(b), is_same);
        assert_eq!(a.is_same_position(b), is_same);
    }

    #[test]
    fn a_position_is_the_same_however_it_came_about() {
        let start = Position::initial();
        check(&play(&start, "g1f3 g8f6 f3g1 f6g8"), &start, true);
        check(&play(&start, "d2d4 d7d5 g1f3"), &play(&start, "g1f3 d7d5 d2d4"), true);
        check(&play(&start, "e2e4"), &start, false);
        check(&play(&start, "g1f3 g8f6 h1g1 h8g8 g1h1 g8h8 f3g1 f6g8"), &start, false);
    }

    #[test]
    fn only_a_legal_capture_in_passing_makes_a_difference() {
        let with = |fen| (position(&format!("{fen} d6 0 2")), position(&format!("{fen} - 4 9")));
        let (legal, plain) = with("4k3/8/8/3pP3/8/8/8/4K3 w -");
        check(&legal, &plain, false);
        let (pinned, plain) = with("4r1k1/8/8/3pP3/8/8/8/4K3 w -");
        check(&pinned, &plain, true);
        let (nobody, plain) = with("4k3/8/8/3p4/8/8/8/4K3 w -");
        check(&nobody, &plain, true);
    }

    #[test]
    fn the_mover_and_the_castling_rook_count() {
        check(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), &position("4k3/8/8/8/8/8/8/4K3 b - - 0 1"), false);
        let (outer, inner) = ("4k3/8/8/8/8/8/8/R3K1RR w HA - 0 1", "4k3/8/8/8/8/8/8/R3K1RR w GA - 0 1");
        check(&position(outer), &position(inner), false);
    }

    #[test]
    fn positions_of_a_tree_are_told_apart_as_the_rule_has_it() {
        let mut seen: HashMap<Identity, Position> = HashMap::new();
        let mut todo = vec![(Position::initial(), 0)];
        while let Some((position, depth)) = todo.pop() {
            let known = seen.entry(Identity::of(&position)).or_insert_with(|| position.clone());
            assert!(known.is_same_position(&position));
            if depth < 3 {
                for m in position.legal_moves() {
                    todo.push((position.play(m).unwrap(), depth + 1));
                }
            }
        }
        // 1 + 20 + 400 + 5362 positions, if only legal en passant squares are counted.
        assert_eq!(seen.len(), 5783);
    }

    #[test]
    fn all_six_fields_make_an_exact_identity() {
        let fen = "4k3/8/8/3p4/8/8/8/4K3 w - - 4 9";
        let same = |other: &str| Identity::exact(&position(fen)) == Identity::exact(&position(other));
        assert!(same(fen));
        for other in ["d6 0 9", "- 4 10", "- 3 9"] {
            assert!(!same(&format!("4k3/8/8/3p4/8/8/8/4K3 w - {other}")), "{other}");
        }
        assert!(Identity::of_place(0, 1) != Identity::of_place(1, 0));
    }

    #[test]
    fn moves_make_the_identity_of_a_game() {
        let start = Position::initial();
        let identity = |moves: &str| {
            let mut position = start.clone();
            let mut identity = Identity::of_start(&start);
            for uci in moves.split(' ').filter(|uci| !uci.is_empty()) {
                let played = position.legal_moves().iter().copied().find(|m| m.uci(&position).to_string() == uci);
                identity = identity.then(played.unwrap());
                position = position.play(played.unwrap()).unwrap();
            }
            identity
        };
        let orders = ["g1f3 d7d5 d2d4", "d2d4 d7d5 g1f3", "d2d4 d7d5", "d2d4", "", "d2d3", "g1f3 g8f6 f3g1 f6g8"];
        let distinct: std::collections::HashSet<_> = orders.iter().map(|moves| identity(moves)).collect();
        assert_eq!(distinct.len(), orders.len());
        assert!(identity("d2d4 d7d5") == identity("d2d4 d7d5"));
        let pawn = position("4k3/7P/8/8/8/8/8/4K3 w - - 0 1");
        let ways: std::collections::HashSet<_> =
            pawn.legal_moves().iter().map(|m| Identity::of(&pawn).then(*m)).collect();
        assert_eq!(ways.len(), pawn.legal_moves().len());
    }

    /// The numbers come from the first release.
    #[test]
    fn games_stay_in_the_shares_they_were_in() {
        let of_game = |fen: &str, moves: &[&str]| {
            let mut position = position(fen);
            let mut identity = Identity::of_start(&position);
            for uci in moves {
                let played = position.legal_moves().iter().copied().find(|m| m.uci(&position).to_string() == *uci);
                identity = identity.then(played.unwrap());
                position = position.play(played.unwrap()).unwrap();
            }
            identity.halves()
        };
        let initial = Identity::of_start(&Position::initial());
        assert_eq!(initial.halves(), [0x2D07_6187_47C7_9E85, 0x9628_3642_EEF8_487A]);
        let fen = "4k3/6P1/8/3pP3/8/8/8/4K2R w K d6 0 9";
        assert_eq!(of_game(fen, &[]), [0x1C0F_2E38_70B2_ECFA, 0x603E_D52E_DAB4_020A]);
        assert_eq!(
            of_game(fen, &["e5d6", "e8d7", "e1g1", "d7d6", "g7g8n"]),
            [0x1E5F_CEC5_B4BE_080E, 0x7F48_E4A7_6280_94D7]
        );
    }

    #[test]
    fn only_the_first_of_its_kind_is_new() {
        let start = Identity::of(&Position::initial());
        let mut tally = Tally::default();
        let other = Identity::of_place(0, 0);
        assert!(tally.add(start) && tally.add(other) && !tally.add(start));
        assert_eq!(tally.into_counts(), [2, 1]);
    }
}
