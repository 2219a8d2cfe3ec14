//! Polyglot keys: 64-bit hash keys of positions, equal to those of opening books and other programs.
//!
//! The format is published at <http://hgm.nubati.net/book_format.html>. A key differs from
//! [`Position::is_same_position`] in two ways. Castling rights are distinguished by side only, not by rook. An en
//! passant square is included if a pawn of the side to move stands next to the pawn that passed it, even if the capture
//! is illegal. The counters are not part of the key.

mod numbers;

use crate::attacks;
use crate::board::Board;
use crate::castling::{CastlingRights, CastlingSide};
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::position::{Position, captured_en_passant, passed_square};
use crate::square::{File, Square};
use crate::zobrist::numbers::NUMBERS;

/// Returns the Polyglot key of a position.
///
/// The format knows no variants. The key of a position of a variant also covers its rules, men in hand, promoted men
/// and remaining checks, so it differs from the keys of all other games.
pub fn key(position: &Position) -> u64 {
    key_of_chess(position) ^ position.additions().map_or(0, additions)
}

fn key_of_chess(position: &Position) -> u64 {
    let board = position.board();
    let men = board.occupied().into_iter().fold(0, |key, sq| key ^ man(board.code_at(sq), sq));
    let turn = if position.turn() == Color::White { WHITE_TO_MOVE } else { 0 };
    men ^ castling(position.castling(), board) ^ ep(position.pseudo_legal_ep()) ^ turn
}

/// Returns a number that distinguishes positions with the same [`key`] but different castling rights. It combines, for
/// each rook with a castling right that is not the outermost rook on its side of the king, the number of a pawn on its
/// square, where no pawn can stand. It is 0 if there is no such rook, which is always so in orthodox chess.
pub fn inner_rooks(position: &Position) -> u64 {
    let (board, rights) = (position.board(), position.castling());
    let mut key = 0;
    for color in Color::ALL {
        let Some(king) = board.castling_king(color) else {
            continue;
        };
        let rooks = board.by_piece(Role::Rook.of(color)) & color.back_rank().into();
        for rook in rights.of(color).rooks() {
            let is_further_out = |other: Square| if rook > king { other > rook } else { other < rook };
            if rooks.into_iter().any(is_further_out) {
                key ^= man(Role::Pawn.of(color).code(), rook);
            }
        }
    }
    key
}

/// Returns the key after a legal move. `key` and `position` are those before the move.
///
/// The result equals the [`key`] of the position after the move. It costs a few look-ups.
pub fn key_after(key: u64, position: &Position, m: Move) -> u64 {
    if position.variant().is_some() {
        let mut next = position.clone();
        next.play_unchecked(m);
        return self::key(&next);
    }
    let board = position.board();
    let color = position.turn();
    let code = |role: Role| role.of(color).code();
    let rights = position.castling();
    let key = key ^ WHITE_TO_MOVE ^ ep(position.pseudo_legal_ep());
    match m {
        Move::Normal { role, from, to, promotion } => {
            let passed = if role == Role::Pawn { passed_square(from, to) } else { None };
            let left = rights.after(color, role, from, to);
            // The numbers of an empty square are zeros.
            key ^ man(code(role), from)
                ^ man(code(promotion.unwrap_or(role)), to)
                ^ man(board.code_at(to), to)
                ^ ep(passed.filter(|&passed| has_taker(board, passed, !color)))
                ^ if left == rights { 0 } else { castling(rights, board) ^ castling(left, board) }
        }
        Move::EnPassant { from, to } => {
            let captured = captured_en_passant(to);
            key ^ man(code(Role::Pawn), from) ^ man(code(Role::Pawn), to) ^ man(board.code_at(captured), captured)
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::of(king, rook);
            key ^ man(code(Role::King), king)
                ^ man(code(Role::King), side.king_target(color))
                ^ man(code(Role::Rook), rook)
                ^ man(code(Role::Rook), side.rook_target(color))
                ^ castling(rights.of(color), board)
        }
        // Only a variant has drops.
        Move::Drop { .. } | Move::Null => key,
    }
}

/// Returns the keys that a position may have after castling with the king and the rook of orthodox chess. `key` is the
/// key before it. They differ in what the key does not tell: the castling rights of the side, and an en passant square.
/// The most frequent come first.
#[doc(hidden)]
pub fn keys_after_castling(key: u64, color: Color, side: CastlingSide) -> impl Iterator<Item = u64> {
    let rank = color.back_rank();
    let rook = match side {
        CastlingSide::King => Square::new(File::H, rank),
        CastlingSide::Queen => Square::new(File::A, rank),
    };
    let code = |role: Role| role.of(color).code();
    let moved = man(code(Role::King), Square::new(File::E, rank))
        ^ man(code(Role::King), side.king_target(color))
        ^ man(code(Role::Rook), rook)
        ^ man(code(Role::Rook), side.rook_target(color));
    let [used, other] = [side as usize, 1 - side as usize].map(|side| NUMBERS[768 + 2 * color.index() + side]);
    let squares = [0].into_iter().chain(NUMBERS[772..780].iter().copied());
    squares.flat_map(move |ep| [used ^ other, used].map(|rights| key ^ moved ^ WHITE_TO_MOVE ^ rights ^ ep))
}

/// Returns the numbers by which the keys of two positions differ if they differ in the en passant square alone.
#[doc(hidden)]
pub fn ep_differences() -> impl Iterator<Item = u64> {
    let files = |from: usize| NUMBERS[772 + from..780].iter().copied();
    let both = (0..8).flat_map(move |file| files(file + 1).map(move |other| NUMBERS[772 + file] ^ other));
    files(0).chain(both)
}

/// Returns a number for what only variants have.
#[inline(never)]
fn additions(words: [u64; 4]) -> u64 {
    // The mixing of SplitMix64, because few bits differ.
    words.into_iter().fold(0x7661_7269_616e_7473, |hash: u64, word| {
        let hash = (hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ hash >> 31
    })
}

/// Whether a pawn of `color` attacks the square that an enemy pawn just passed.
#[inline]
fn has_taker(board: &Board, passed: Square, color: Color) -> bool {
    let pawns = board.by_piece(Role::Pawn.of(color));
    !(attacks::pawn(!color, passed) & pawns).is_empty()
}

#[inline]
fn man(code: u8, sq: Square) -> u64 {
    MEN[code as usize & 15][sq.index()]
}

/// Returns the combined numbers of the rights. The rooks may have left their squares already, but not the kings.
fn castling(rights: CastlingRights, board: &Board) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        let Some(king) = board.castling_king(color) else {
            continue;
        };
        for rook in rights.of(color).rooks() {
            key ^= NUMBERS[768 + 2 * color.index() + (CastlingSide::of(king, rook) as usize & 1)];
        }
    }
    key
}

#[inline]
fn ep(sq: Option<Square>) -> u64 {
    sq.map_or(0, |sq| NUMBERS[772 + sq.file().index()])
}

const WHITE_TO_MOVE: u64 = NUMBERS[780];

/// The numbers of the pieces on each square, by piece code. Codes without a piece have zeros.
static MEN: [[u64; 64]; 16] = {
    let mut men = [[0; 64]; 16];
    let mut code = 0;
    while code < 16 {
        if let Some(Piece { color, role }) = Piece::from_code(code) {
            // Black comes before White in the format: black pawn, white pawn, black knight, and so on.
            let kind = 2 * (role as usize - 1) + 1 - color.index();
            let mut sq = 0;
            while sq < 64 {
                men[code as usize][sq] = NUMBERS[64 * kind + sq];
                sq += 1;
            }
        }
        code += 1;
    }
    men
};

#[cfg(test)]
mod tests {
    use super::{ep_differences, inner_rooks, key, key_after, keys_after_castling};
    use crate::castling::CastlingSide;
    use crate::fen;
    use crate::piece::Color;
    use crate::position::Position;
    use crate::rules::Rules;
    use crate::testing::{find, play, position};

    /// Plays the moves. After each, compares the computed key and the updated key with the expected one.
    #[track_caller]
    fn check(start: &Position, moves: &str, expected: u64) {
        let (mut position, mut carried) = (start.clone(), key(start));
        for uci in moves.split_whitespace() {
            let m = find(&position, uci);
            carried = key_after(carried, &position, m);
            position.play_unchecked(m);
            assert_eq!(carried, key(&position), "after {uci}");
        }
        assert_eq!(carried, expected, "{carried:016x}");
    }

    #[test]
    fn keys_are_those_that_the_format_publishes() {
        let check = |moves, expected| check(&Position::initial(), moves, expected);
        check("", 0x463b_9618_1691_fc9c);
        check("e2e4", 0x823c_9b50_fd11_4196);
        check("e2e4 d7d5", 0x0756_b944_61c5_0fb0);
        check("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4);
        check("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78);
        check("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1);
        check("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9);
        check("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637);
        check("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560);
    }

    #[test]
    fn a_pinned_pawn_still_counts_as_one_that_can_take_in_passing() {
        check(&position("8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1"), "d2d4", 0xecba_303c_d610_b817);
    }

    #[test]
    fn the_e_p_square_counts_only_beside_a_pawn_that_could_take() {
        let after = play(&position("4k3/8/8/8/4p3/8/P7/4K3 w - - 0 1"), "a2a4");
        assert_eq!(key(&after), key(&position("4k3/8/8/8/P3p3/8/8/4K3 b - - 0 1")));
    }

    #[test]
    fn of_a_castling_right_only_the_side_counts() {
        let outer = key(&position("4k3/8/8/8/8/8/8/R3K1RR w HA - 0 1"));
        let inner = key(&position("4k3/8/8/8/8/8/8/R3K1RR w GA - 0 1"));
        assert_eq!(outer, inner);
        assert_ne!(outer, key(&position("4k3/8/8/8/8/8/8/R3K1RR w A - 0 1")));
    }

    #[test]
    fn a_right_of_an_inner_rook_has_a_number_of_its_own() {
        let of = |fen: &str| inner_rooks(&position(fen));
        let (outer, inner) = ("4k3/8/8/8/8/8/8/R3K1RR w HA - 0 1", "4k3/8/8/8/8/8/8/R3K1RR w GA - 0 1");
        assert_eq!(of(outer), 0);
        assert_ne!(of(inner), 0);
        let black = of("1rr1k3/8/8/8/8/8/8/4K1RR b Gc - 0 1");
        assert!(black != 0 && black != of("1rr1k3/8/8/8/8/8/8/4K1RR b c - 0 1"));
        assert_eq!(of("1rr1k3/8/8/8/8/8/8/4K1RR b Hb - 0 1"), 0);
        assert_eq!(inner_rooks(&Position::initial()), 0);
        let [white, both] = ["G", "GB"].map(|rights| of(&format!("4k3/8/8/8/8/8/8/RR2K1RR w {rights} - 0 1")));
        assert_eq!(both, white ^ of("4k3/8/8/8/8/8/8/RR2K1RR w B - 0 1"));
    }

    #[test]
    fn castling_is_recognised_by_the_keys_before_and_after_it() {
        let check = |fen: &str, uci: &str, color, side, is_castling: bool| {
            let before = position(fen);
            let after = key(&play(&before, uci));
            assert_eq!(
                keys_after_castling(key(&before), color, side).any(|key| key == after),
                is_castling,
                "{fen} {uci}"
            );
        };
        let (white, black) = (Color::White, Color::Black);
        check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", white, CastlingSide::King, true);
        check("r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1", "e1c1", white, CastlingSide::Queen, true);
        check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", white, CastlingSide::Queen, true);
        check("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", black, CastlingSide::Queen, true);
        check("r3k2r/8/8/8/8/8/8/R3K2R b Kk - 0 1", "e8g8", black, CastlingSide::King, true);
        check("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1", "e1g1", white, CastlingSide::King, true);
        check("3k4/8/8/8/8/7K/8/4R3 w - - 0 1", "e1g1", white, CastlingSide::King, false);
        check("k3q3/8/8/8/8/7K/8/8 b - - 0 1", "e8c8", black, CastlingSide::Queen, false);
        // In Chess960, e1g1 is the king taking its rook.
        check("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "e1g1", white, CastlingSide::King, false);
    }

    /// Indexes hold these keys.
    #[test]
    fn the_keys_of_variants_stay_as_they_are() {
        for (rules, fen, expected) in [
            (Rules::KingOfTheHill, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0x7f45_2294_d929_a1a9),
            (Rules::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 1+2 0 1", 0x56c1_482e_6012_343c),
            (Rules::Crazyhouse, "4k3/8/8/8/8/8/8/Q~3K3[PPNqr] w - - 0 1", 0x23f8_e624_890e_0ad5),
        ] {
            let key = key(&fen::read_by(rules, fen.as_bytes()).expect(fen).position);
            assert_eq!(key, expected, "{rules}: {key:016x}");
        }
    }

    #[test]
    fn keys_differ_by_the_files_of_two_e_p_squares_or_of_one() {
        let of = |ep: &str| key(&position(&format!("4k3/8/8/pPpPpPpP/8/8/8/4K3 w - {ep} 0 1")));
        let keys = ["-", "a6", "c6", "e6", "g6"].map(of);
        let differences: Vec<u64> = ep_differences().collect();
        assert_eq!(differences.len(), 8 + 28);
        for (at, key) in keys.iter().enumerate() {
            assert!(keys[..at].iter().all(|other| differences.contains(&(key ^ other))));
        }
    }

    #[test]
    fn the_counters_do_not_count() {
        let early = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(key(&early), key(&position("4k3/8/8/8/8/8/8/4K2R w K - 40 90")));
    }
}
