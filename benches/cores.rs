//! A model of 16 and 64 cores, from times that are measured on one. It prints how much of the ideal speed each job
//! would have there.
//!
//! A walk on one thread measures for each block how long it is cut, read, put in order, encoded and delivered. Cutting,
//! ordering and delivery are done by one thread at a time, in the order of the blocks. So are the parts of the stage
//! that drops repeated positions, its lanes: one thread at a time is in each. The model lets blocks go through
//! the stages on many workers by the rules of the room `parallel`, and Amdahl's law says what the work that is done by
//! one thread at a time leaves at most. Neither knows the time to wake a thread, the bandwidth of memory and of the
//! output, which goes nowhere here, or the threads beside the workers: the one that encodes the table of games of an
//! index needs 1 µs for each game. The end of an index is divided by its parts.
//!
//! `PGN2FEN_CORPUS` can be set to the path of a larger PGN file. With names of jobs as arguments, only these run.

#![allow(clippy::print_stdout, reason = "a bench is a program")]

use std::env;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pgn2fen_games::database::Database;
use pgn2fen_games::parallel::BlockTimes;
use pgn2fen_games::parallel::Trace;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{Job, ReadOptions};
use pgn2fen_index::{BuildOptions, Builder};
use pgn2fen_rows::games::Copies;
use pgn2fen_rows::starts::Starts;
use pgn2fen_rows::{Format, Rows, Writing};

/// The numbers of cores of the model, and the share of the ideal speed that is the goal.
const CORES: [usize; 2] = [16, 64];
const GOAL: f64 = 0.8;
/// The jobs with the goal on 16 cores.
const WITH_GOAL: [&str; 4] = ["fen", "csv", "unique", "index"];

/// The share of the fullest lane, as a multiple of the mean.
const FULLEST: f64 = 1.02;

const JOBS: [&str; 7] = ["fen", "csv", "unique", "parquet", "games", "starts", "index"];

/// The work behind the last block, which is divided into parts.
type Rest = (Duration, usize);

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let wanted: Vec<&str> = JOBS.into_iter().filter(|job| arguments.iter().any(|argument| argument == job)).collect();
    let fixture = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/games").join(name);
    let corpora = match env::var_os("PGN2FEN_CORPUS") {
        Some(path) => vec![("corpus", path.into())],
        None => vec![("bare", fixture("opening_book.pgn")), ("annotated", fixture("evaluations_and_times.pgn"))],
    };
    for (name, path) in corpora {
        let mut text = fs::read(path).unwrap();
        // A short text has too few blocks for so many cores.
        let copies = if is_test { 1 } else { (16 * 1024 * 1024 / text.len()).max(1) };
        text = text.repeat(copies);
        let database = Database::from(text);
        for job in if wanted.is_empty() { &JOBS[..] } else { &wanted } {
            report(&format!("{name}/{job}"), job, &measured(job, &database, if is_test { 1 } else { 3 }));
        }
    }
}

/// Returns the times of the blocks, and of the rest. Of several rounds the least time counts, for each stage of each
/// block.
fn measured(job: &str, database: &Database, rounds: usize) -> (Vec<BlockTimes>, Rest) {
    let mut rounds = (0..rounds).map(|_| run(job, database));
    let (mut best, mut rest) = rounds.next().unwrap();
    for (blocks, (time, _)) in rounds {
        assert_eq!(blocks.len(), best.len(), "the blocks of every round are the same");
        for (best, block) in best.iter_mut().zip(blocks) {
            *best = best.least(block);
        }
        rest.0 = rest.0.min(time);
    }
    (best, rest)
}

fn run(job: &str, database: &Database) -> (Vec<BlockTimes>, Rest) {
    let trace = Arc::new(Trace::default());
    let workers = Workers::new(1).unwrap().with_trace(Arc::clone(&trace));
    let walk = |job: &mut dyn Job| {
        job.read(&workers, Path::new("corpus.pgn"), database.into(), &mut ()).unwrap();
        assert!(job.totals().count.games > 0);
    };
    let written = |mut job: Writing<'_, io::Sink>| {
        walk(&mut job);
        let begun = Instant::now();
        job.end().unwrap();
        (begun.elapsed(), 1)
    };
    let rows = |format| Rows::columns("game,ply,san,fen").unwrap().format(format).begin(io::sink()).unwrap();
    let rest = match job {
        "fen" => written(Rows::new().begin(io::sink()).unwrap()),
        "csv" => written(rows(Format::Csv)),
        "unique" => written(Rows::new().unique(true).begin(io::sink()).unwrap()),
        "parquet" => written(rows(Format::Parquet)),
        "games" => written(Copies::new().begin(io::sink())),
        "starts" => written(Starts::lines().begin(io::sink()).unwrap()),
        _ => {
            let folder = tempfile::tempdir().unwrap();
            let builder = Builder::new(&folder.path().join("index"), BuildOptions::default(), &workers).unwrap();
            let mut indexing = builder.begin(ReadOptions::default());
            walk(&mut indexing);
            let positions = indexing.totals().count.positions;
            let begun = Instant::now();
            indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();
            (begun.elapsed(), usize::try_from(positions.div_ceil(1 << 20).next_power_of_two()).unwrap())
        }
    };
    (trace.take(), rest)
}

fn report(name: &str, job: &str, (blocks, (rest, parts)): &(Vec<BlockTimes>, Rest)) {
    let sum = |stage: fn(&BlockTimes) -> Duration| blocks.iter().map(stage).sum::<Duration>();
    let stages =
        [sum(|b| b.cut), sum(|b| b.read), sum(|b| b.order), sum(|b| b.sift), sum(|b| b.encode), sum(|b| b.deliver)];
    let lanes = blocks.iter().map(|block| block.lanes).max().unwrap_or(0).max(1);
    let walked = stages.iter().sum::<Duration>();
    let percent = |time: Duration| 100.0 * time.as_secs_f64() / walked.as_secs_f64();
    let [cut, read, order, sift, encode, deliver] = stages.map(percent);
    println!(
        "cores/{name}: {} blocks in {:.3} s, then {:.3} s in {parts} parts; % cut {cut:.2}, read {read:.1}, order \
         {order:.2}, sift {sift:.1} in {lanes} lanes, encode {encode:.1}, deliver {deliver:.2}",
        blocks.len(),
        walked.as_secs_f64(),
        rest.as_secs_f64()
    );
    for cores in CORES {
        let one_at_a_time = cut + order + FULLEST * sift / lanes as f64 + deliver;
        let serial = one_at_a_time / 100.0 * walked.as_secs_f64() / (walked + *rest).as_secs_f64();
        let amdahl = 1.0 / (serial * cores as f64 + 1.0 - serial);
        let walk = walked.as_secs_f64() / (modelled(blocks, cores).as_secs_f64() * cores as f64);
        let end = rest.as_secs_f64() / (*parts).min(cores) as f64;
        let whole = (walked + *rest).as_secs_f64() / ((modelled(blocks, cores).as_secs_f64() + end) * cores as f64);
        let is_missed = cores == CORES[0] && WITH_GOAL.contains(&job) && amdahl < GOAL;
        println!(
            "    {cores} cores: {amdahl:.2} of ideal by Amdahl's law, {walk:.2} modelled, {whole:.2} with the end{}",
            if is_missed { "  MISSED" } else { "" }
        );
    }
}

/// Returns how long the walk takes with this number of workers, each of which has a core.
fn modelled(blocks: &[BlockTimes], workers: usize) -> Duration {
    let mut free = vec![Duration::ZERO; workers];
    // The times at which the cutter, the turn and the exit are free.
    let (mut cutter, mut turn, mut exit) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut lanes = vec![Duration::ZERO; blocks.iter().map(|block| block.lanes).max().unwrap_or(0)];
    for block in blocks {
        let worker = free.iter_mut().min().unwrap();
        cutter = cutter.max(*worker) + block.cut;
        turn = turn.max(cutter + block.read) + block.order;
        let mut ready = turn;
        for lane in &mut lanes {
            *lane = ready.max(*lane) + block.sift.mul_f64(FULLEST / block.lanes as f64);
            ready = *lane;
        }
        exit = exit.max(ready + block.encode) + block.deliver;
        // A block that waits at the exit is delivered by another worker, which then does not do as much of its own.
        *worker = ready + block.encode + block.deliver;
    }
    exit
}
