//! Measures the way from bytes to lines as a whole, and each of its stages. Names are job/corpus/variant.
//!
//! The corpora are two of the fixtures, one with bare moves and one with annotated games. `PGN2FEN_CORPUS` can be set
//! to the path of a larger PGN file. Each bench checks its count, so that a fast wrong result fails.

use std::hint::black_box;
use std::io;
use std::path::Path;
use std::{env, fs};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pgn2fen_chess::fen::{FenStyle, FenWriter};
use pgn2fen_chess::position::Position;
use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::games::Games;
use pgn2fen_games::pgn::token::Token;
use pgn2fen_games::walk::{Count, Job};
use pgn2fen_rows::starts::Starts;
use pgn2fen_rows::{Rows, Writing};

/// A text, with its numbers of games, moves of main lines, and positions.
struct Corpus {
    name: String,
    text: Vec<u8>,
    games: usize,
    moves: usize,
    positions: u64,
}

fn corpora() -> Vec<Corpus> {
    let fixture = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/games").join(name);
    let mut corpora = vec![
        corpus("bare", &fs::read(fixture("opening_book.pgn")).unwrap()),
        corpus("annotated", &fs::read(fixture("evaluations_and_times.pgn")).unwrap()),
    ];
    if let Some(path) = env::var_os("PGN2FEN_CORPUS") {
        corpora.push(corpus("large", &fs::read(path).unwrap()));
    }
    corpora
}

/// Counts games, moves and positions in the simplest way. The benches check their counts against these.
fn corpus(name: &str, text: &[u8]) -> Corpus {
    let (mut games, mut moves, mut positions) = (0, 0, 0);
    for game in Games::new(text) {
        games += 1;
        let mut movetext = game.movetext();
        while let Some(token) = movetext.next_mainline() {
            moves += usize::from(matches!(token, Token::San(_)));
        }
        if let Ok(mut replay) = game.replay() {
            positions += 1;
            while let Some(Ok(_)) = replay.next_ply() {
                positions += 1;
            }
        }
    }
    assert!(games > 0 && positions > 0, "{name} has games");
    Corpus { name: name.to_owned(), text: text.to_vec(), games, moves, positions }
}

fn frame(c: &mut Criterion) {
    for corpus in corpora() {
        let mut group = c.benchmark_group(format!("frame/{}", corpus.name));
        group.throughput(Throughput::Bytes(corpus.text.len() as u64));
        group.bench_function("games", |b| {
            b.iter(|| assert_eq!(Games::new(black_box(&corpus.text)).count(), corpus.games));
        });
        group.finish();
    }
}

fn tokens(c: &mut Criterion) {
    for corpus in corpora() {
        let mut group = c.benchmark_group(format!("tokens/{}", corpus.name));
        group.throughput(Throughput::Bytes(corpus.text.len() as u64));
        group.bench_function("mainline", |b| {
            b.iter(|| {
                let mut moves = 0;
                for game in Games::new(black_box(&corpus.text)) {
                    let mut movetext = game.movetext();
                    while let Some(token) = movetext.next_mainline() {
                        moves += usize::from(matches!(token, Token::San(_)));
                    }
                }
                assert_eq!(moves, corpus.moves);
            });
        });
        group.finish();
    }
}

fn replay(c: &mut Criterion) {
    for corpus in corpora() {
        let mut group = c.benchmark_group(format!("replay/{}", corpus.name));
        group.throughput(Throughput::Elements(corpus.positions));
        group.bench_function("plies", |b| {
            b.iter(|| {
                let mut positions = 0;
                for game in Games::new(black_box(&corpus.text)) {
                    let Ok(mut replay) = game.replay() else {
                        continue;
                    };
                    positions += 1;
                    while let Some(Ok(ply)) = replay.next_ply() {
                        black_box(ply);
                        positions += 1;
                    }
                }
                assert_eq!(positions, corpus.positions);
            });
        });
        group.finish();
    }
}

fn fen_text(c: &mut Criterion) {
    for corpus in corpora() {
        let mut positions: Vec<Position> = Vec::new();
        for game in Games::new(&corpus.text).take(2000) {
            let Ok(mut replay) = game.replay() else {
                continue;
            };
            positions.push(replay.position().clone());
            while let Some(Ok(_)) = replay.next_ply() {
                positions.push(replay.position().clone());
            }
        }
        let mut group = c.benchmark_group(format!("fen/{}", corpus.name));
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function("text", |b| {
            let mut writer = FenWriter::new(FenStyle::default());
            let mut lines = Vec::new();
            b.iter(|| {
                lines.clear();
                for position in black_box(&positions) {
                    writer.append(position, &mut lines);
                    lines.push(b'\n');
                }
                assert!(lines.len() > 20 * positions.len());
            });
        });
        group.finish();
    }
}

/// Walks through a text and discards the output.
fn count(mut job: Writing<'_, io::Sink>, workers: &Workers, text: Source) -> Count {
    job.read(workers, Path::new("corpus.pgn"), text, &mut ()).unwrap();
    let count = job.totals().count;
    job.end().unwrap();
    count
}

fn walk(c: &mut Criterion) {
    for corpus in corpora() {
        let mut group = c.benchmark_group(format!("walk/{}", corpus.name));
        group.throughput(Throughput::Elements(corpus.positions));
        let database = Database::from(corpus.text.clone());
        let rows = Rows::new();
        for threads in [1, 2] {
            let workers = Workers::new(threads).unwrap();
            group.bench_function(format!("j{threads}"), |b| {
                b.iter(|| {
                    let count = count(rows.begin(io::sink()).unwrap(), &workers, black_box(&database).into());
                    assert_eq!(count.positions, corpus.positions);
                });
            });
        }
        group.finish();
    }
}

fn starts(c: &mut Criterion) {
    for corpus in corpora() {
        let mut group = c.benchmark_group(format!("starts/{}", corpus.name));
        group.throughput(Throughput::Bytes(corpus.text.len() as u64));
        let database = Database::from(corpus.text.clone());
        let workers = Workers::new(1).unwrap();
        let starts = Starts::lines();
        group.bench_function("lines", |b| {
            b.iter(|| {
                let count = count(starts.begin(io::sink()).unwrap(), &workers, black_box(&database).into());
                assert_eq!(count.games, corpus.games as u64);
            });
        });
        group.finish();
    }
}

criterion_group!(benches, frame, tokens, replay, fen_text, walk, starts);
criterion_main!(benches);
