//! The rules, proven by counting: every fixture of `fixtures/perft` tells how many ways there are to play one ply,
//! two plies, and so on from a position. README.md there tells where the numbers come from.

use std::fs;
use std::path::Path;

use pgn2fen_chess::fen;
use pgn2fen_chess::movegen::perft;
use pgn2fen_chess::rules::Rules;

use crate::laws::sweeps;

/// The depths that are quick to reach have no more ways than this.
const QUICK: u64 = 2_000_000;

#[test]
fn well_known_positions_are_counted_right() {
    check("orthodox.epd", 7, QUICK);
}

#[test]
fn castlings_and_promotions_are_counted_right() {
    check("castling_and_promotion.epd", 23, QUICK);
}

#[test]
fn pins_and_discoveries_are_counted_right() {
    check("corner_cases.epd", 30, QUICK);
}

#[test]
fn variants_are_counted_right() {
    for (rules, fixture, lines) in [
        (Rules::Crazyhouse, "variants/crazyhouse.epd", 5),
        (Rules::ThreeCheck, "variants/three_check.epd", 2),
        (Rules::Giveaway, "variants/antichess.epd", 3),
        (Rules::Antichess, "variants/antichess.epd", 3),
        (Rules::Atomic, "variants/atomic.epd", 6),
        (Rules::Horde, "variants/horde.epd", 3),
        (Rules::RacingKings, "variants/racing_kings.epd", 3),
    ] {
        check_by(rules, fixture, lines, if sweeps() { u64::MAX } else { QUICK });
    }
}

#[test]
fn chess960_is_counted_right() {
    check("chess960.epd", 24, QUICK);
}

#[test]
fn double_fischer_random_is_counted_right() {
    check("double_fischer_random.epd", 24, QUICK);
}

/// Holds each line `<fen> ;D1 <count> ;D2 <count> ..` to its greatest count that is no more than `limit`.
#[track_caller]
fn check(fixture: &str, lines: usize, limit: u64) {
    check_by(Rules::Chess, fixture, lines, limit);
}

/// Does the same by the rules of a variant.
#[track_caller]
fn check_by(rules: Rules, fixture: &str, lines: usize, limit: u64) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/perft").join(fixture);
    let text = fs::read_to_string(&path).expect("the fixture is there");
    assert_eq!(text.lines().count(), lines);
    for line in text.lines() {
        let (fen, counts) = line.split_once(" ;").expect("a FEN and its counts");
        let reading = fen::read_by(rules, fen.as_bytes()).expect(fen);
        assert!(reading.repairs.is_empty(), "{fen}: {}", reading.repairs);
        let (depth, count) = counts
            .split(" ;")
            .map(depth_and_count)
            .take_while(|&(_, count)| count <= limit)
            .last()
            .expect("a count within the limit");
        assert_eq!(perft(&reading.position, depth), count, "depth {depth} of {fen}");
    }
}

/// Reads `D3 8902`.
fn depth_and_count(operation: &str) -> (u32, u64) {
    let (depth, count) = operation.split_once(' ').expect("an operation of two words");
    let depth = depth.trim_start_matches('D').parse().expect("a depth");
    (depth, count.parse().expect("a count"))
}
