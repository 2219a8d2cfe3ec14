//! Tests of the rules by perft, the number of lines of moves from a position, and of what holds for each move from
//! these positions.

use crate::bitboard::Bitboard;
use crate::fen;
use crate::movegen::perft;
use crate::moves::Move;
use crate::notation::uci::Uci;
use crate::piece::Role;
use crate::position::Position;
use crate::rules::Rules;
use crate::san::{self, Letters};
use crate::square::Rank;
use crate::zobrist;

/// Rules, a position, a number of plies and its perft, as other programs count it: see `fixtures/perft/README.md`.
const COUNTS: [(Rules, &str, u32, u64); 33] = [
    (Rules::Chess, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
    (Rules::Chess, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
    (Rules::Chess, "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9_467),
    (Rules::Chess, "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 3, 9_467),
    (Rules::Chess, "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
    (Rules::Chess, "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1", 4, 9_287),
    (Rules::Chess, "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 4, 13_931),
    (Rules::Chess, "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 3, 27_826),
    (Rules::Chess, "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 3, 50_509),
    (Rules::Chess, "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 4, 31_961),
    (Rules::Chess, "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 4, 10_138),
    (Rules::Crazyhouse, "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1", 2, 75_353),
    (Rules::Crazyhouse, "2k5/8/8/8/8/8/8/4K3[Qn] w - - 0 1", 2, 3_083),
    (Rules::Crazyhouse, "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[] b KQkq - 0 1", 3, 58_057),
    (Rules::Crazyhouse, "4k3/1Q~6/8/8/4b3/8/Kpp5/8/ b - - 0 1", 3, 5_445),
    (Rules::Crazyhouse, "2rn1b1r/1pp2n1p/B1PBk1pP/5p1P/P5p1/2P2RP1/RP1QNP2/1NBK4[QPp] w - - 0 1", 2, 3_932),
    (Rules::ThreeCheck, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 1+1 0 1", 3, 97_848),
    (Rules::ThreeCheck, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 1+1 0 1", 3, 13_410),
    (Rules::Antichess, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", 3, 8_067),
    (Rules::Antichess, "8/1p6/8/8/8/8/P7/8 w - - 0 1", 6, 0),
    (Rules::Giveaway, "8/2p5/8/8/8/8/P7/8 w - - 0 1", 12, 2_557),
    (Rules::Atomic, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, 8_902),
    (Rules::Atomic, "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1", 3, 45_237),
    (Rules::Atomic, "rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1", 3, 23_353),
    (Rules::Atomic, "8/8/8/8/8/8/2k5/rR4KR w KQ - 0 1", 4, 61_401),
    (Rules::Atomic, "r3k1rR/5K2/8/8/8/8/8/8 b kq - 0 1", 4, 98_729),
    (Rules::Atomic, "Rr2k1rR/3K4/3p4/8/8/8/7P/8 w kq - 0 1", 3, 10_631),
    (Rules::Horde, "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1", 4, 23_310),
    (Rules::Horde, "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1", 3, 6_633),
    (Rules::Horde, "k7/5p2/4p2P/3p2P1/2p2P2/1p2P2P/p2P2P1/2P2P2 w - - 0 1", 4, 33_781),
    (Rules::RacingKings, "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", 3, 11_264),
    (Rules::RacingKings, "4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1", 5, 12_981),
    (Rules::RacingKings, "8/8/1rk4K/8/8/8/2bnNBR1/qrbnNBRQ b - - 0 1", 3, 26_592),
];

fn counted() -> impl Iterator<Item = (Position, u32, u64)> {
    COUNTS
        .into_iter()
        .filter(|(rules, ..)| Rules::HAVE_VARIANTS || *rules == Rules::Chess)
        .map(|(rules, fen, depth, count)| (fen::read_by(rules, fen.as_bytes()).expect(fen).position, depth, count))
}

#[test]
fn perft_is_what_other_programs_count() {
    for (position, depth, count) in counted() {
        assert_eq!(perft(&position, depth), count, "{position} {}", position.rules());
    }
}

#[test]
fn no_ply_is_one_sequence_of_moves() {
    assert_eq!(perft(&Position::initial(), 0), 1);
}

/// Calls `visit` with the counted positions, and with those after one ply.
fn for_each_position(mut visit: impl FnMut(&Position)) {
    for (position, ..) in counted() {
        visit(&position);
        for m in &position.legal_moves() {
            let next = position.play(*m).expect("a legal move");
            visit(&next);
        }
    }
}

#[test]
fn the_key_after_a_move_is_that_of_the_position_after_it() {
    for_each_position(|position| {
        let key = zobrist::key(position);
        for m in &position.legal_moves() {
            let next = position.play(*m).expect("a legal move");
            assert_eq!(zobrist::key_after(key, position, *m), zobrist::key(&next), "{position} {m:?}");
        }
    });
}

#[test]
fn a_move_is_read_as_it_is_written() {
    for_each_position(|position| {
        for m in position.legal_moves().iter().copied() {
            let san = m.to_san(position);
            let mut word = [0; 8];
            word[..san.len()].copy_from_slice(san.as_bytes());
            let word = u64::from_le_bytes(word);
            // Only a double step of horde needs the grammar, which is slow.
            let is_rare = matches!(m, Move::Normal { role: Role::Pawn, from, .. } if from.rank() == Rank::First);
            let read = san::resolve_standard(word, san.len(), position, &Letters::ENGLISH);
            assert_eq!(read, Some(m).filter(|_| read.is_some() || !is_rare), "{position} {san}");
            let resolved = san::resolve(san.as_bytes(), position, &Letters::ENGLISH);
            assert_eq!(resolved.map(|resolved| resolved.mv), Ok(m), "{position} {san}");
            if position.variant().is_none() {
                let usual = san::resolve_usual(word, san.len(), position, &Letters::ENGLISH);
                assert_eq!(usual.is_some(), is_usual(&san, m), "{position} {san}");
            }
            let uci = m.to_uci(position);
            assert_eq!(Uci::from_ascii(uci.as_bytes()).and_then(|uci| uci.find(position)), Some(m), "{position} {uci}");
        }
    });
}

/// Whether a move has no promotion and no full square of origin, and is neither a castling nor a capture in passing.
fn is_usual(san: &str, m: Move) -> bool {
    let squares = san.bytes().filter(u8::is_ascii_digit).count();
    matches!(m, Move::Normal { promotion: None, .. })
        && (squares < 2 || !san[1..].starts_with(|char: char| char.is_ascii_lowercase() && char != 'x'))
}

#[test]
fn a_position_is_read_as_it_is_written() {
    for_each_position(|position| {
        let text = position.to_string();
        let read = fen::read_by(position.rules(), text.as_bytes()).map(|reading| reading.position);
        assert_eq!(read.as_ref(), Ok(position), "{text}");
    });
}

#[test]
fn a_move_is_legal_if_it_is_in_the_list() {
    let claims = |from, to| {
        let normal = Role::ALL.into_iter().flat_map(move |role| {
            let roles = [None].into_iter().chain(Role::ALL.map(Some));
            roles.map(move |promotion| Move::Normal { role, from, to, promotion })
        });
        normal.chain([Move::EnPassant { from, to }, Move::Castle { king: from, rook: to }])
    };
    for (position, ..) in counted() {
        let moves = position.legal_moves();
        let is_listed = |m: &Move| moves.iter().any(|listed| listed == m);
        for from in Bitboard::FULL {
            for m in Bitboard::FULL.into_iter().flat_map(|to| claims(from, to)) {
                assert_eq!(position.is_legal(m), is_listed(&m), "{position} {m:?}");
            }
            for role in Role::ALL {
                let m = Move::Drop { role, to: from };
                assert_eq!(position.is_legal(m), is_listed(&m), "{position} {m:?}");
            }
        }
    }
}
