//! Measures the speed of move generation by perft, the usual benchmark of move generators. Names are
//! perft/position/depth.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pgn2fen_chess::fen;
use pgn2fen_chess::movegen::perft;

/// Names, positions, depths in plies, and the expected numbers of move sequences, which each run checks. They are from
/// `fixtures/perft`.
const POSITIONS: [(&str, &str, u32, u64); 6] = [
    ("initial", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5, 3_605_103),
    ("en_passant", "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
    ("chess960", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 5, 8_146_062),
    ("double_fischer_random", "rknbqrb1/1p1ppppp/p7/2p5/N1P2n2/5N2/PP1PPPPP/QRB1KR1B w FBfa - 0 5", 4, 429_128),
];

fn count(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    for (name, fen, depth, ways) in POSITIONS {
        let position = fen::read(fen.as_bytes()).expect(fen).position;
        group.throughput(Throughput::Elements(ways));
        group.bench_function(BenchmarkId::new(name, depth), |bencher| {
            bencher.iter(|| assert_eq!(perft(black_box(&position), depth), ways));
        });
    }
}

criterion_group!(benches, count);
criterion_main!(benches);
