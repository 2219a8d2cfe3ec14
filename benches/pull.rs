//! Compares the iterator of games with the command's own job on one thread, and a closure over all games with that job
//! on two threads. It measures the CPU time for each position, and prints ratios of measurements from the same run.
//!
//! Each contender writes a FEN for every position of the main lines. `PGN2FEN_CORPUS` can be set to the path of a
//! larger PGN file. With the name of a contender as the argument, the bench runs only that contender and only once, for
//! a profiler.

#![allow(clippy::print_stdout, reason = "a bench is a program")]

use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs};

use pgn2fen_chess::fen::{FenStyle, FenWriter};
use pgn2fen_games::database::Database;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::replay::Event;
use pgn2fen_rows::Rows;

/// The numbers of positions and bytes that a contender wrote. They are equal for all contenders.
type Written = (u64, usize);

type Contender = (&'static str, fn(&Database) -> Written);

const CONTENDERS: [Contender; 6] =
    [("job", job), ("replay", replay), ("plain", plain), ("events", events), ("job2", job_on_two), ("map", map)];

/// The goals, as multiples of the time of the job on the same number of threads.
const GOALS: [f64; 6] = [1.0, 1.2, 1.2, 1.5, 1.0, 1.1];

/// The indices of the contenders with which each is compared.
const JOBS: [usize; 6] = [0, 0, 0, 0, 4, 4];

/// The number of rounds. The fastest round of each contender counts.
const ROUNDS: usize = 9;

fn job(database: &Database) -> Written {
    write(database, 1)
}

fn job_on_two(database: &Database) -> Written {
    write(database, 2)
}

fn write(database: &Database, threads: usize) -> Written {
    let (bytes, totals) = Rows::new().threads(threads).write([database.clone()], Counted(0)).unwrap();
    (totals.count.positions, bytes.0)
}

/// A writer that counts its bytes.
struct Counted(usize);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += black_box(bytes).len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the lines of each game in a closure, on two threads.
fn map(database: &Database) -> Written {
    let (mut positions, mut bytes) = (0, 0);
    Workers::new(2)
        .unwrap()
        .map(database, |game| {
            let (mut count, mut lines) = (0, Vec::with_capacity(8 * 1024));
            if let Ok(mut replay) = game.replay() {
                let mut writer = FenWriter::new(FenStyle::default());
                writer.append(replay.position(), &mut lines);
                lines.push(b'\n');
                count += 1;
                while let Some(Ok(ply)) = replay.next_ply() {
                    writer.append_after(ply.played, replay.position(), &mut lines);
                    lines.push(b'\n');
                    count += 1;
                }
            }
            (count, lines)
        })
        .for_each(|(count, lines)| {
            positions += count;
            bytes += black_box(lines).len();
        })
        .unwrap();
    (positions, bytes)
}

/// Counts and clears the lines when the buffer is large enough.
fn drain(lines: &mut Vec<u8>, bytes: &mut usize) {
    if lines.len() > 64 * 1024 {
        *bytes += black_box(lines.len());
        lines.clear();
    }
}

fn replay(database: &Database) -> Written {
    let (mut positions, mut bytes, mut lines) = (0, 0, Vec::new());
    let mut writer = FenWriter::new(FenStyle::default());
    for game in database.games() {
        drain(&mut lines, &mut bytes);
        let Ok(mut replay) = game.replay() else { continue };
        writer.append(replay.position(), &mut lines);
        lines.push(b'\n');
        positions += 1;
        while let Some(Ok(ply)) = replay.next_ply() {
            writer.append_after(ply.played, replay.position(), &mut lines);
            lines.push(b'\n');
            positions += 1;
        }
    }
    (positions, bytes + lines.len())
}

/// Works like `replay`, but does not tell the writer which move led to the position.
fn plain(database: &Database) -> Written {
    let (mut positions, mut bytes, mut lines) = (0, 0, Vec::new());
    let mut writer = FenWriter::new(FenStyle::default());
    for game in database.games() {
        drain(&mut lines, &mut bytes);
        let Ok(mut replay) = game.replay() else { continue };
        writer.append(replay.position(), &mut lines);
        lines.push(b'\n');
        positions += 1;
        while let Some(Ok(_)) = replay.next_ply() {
            writer.append(replay.position(), &mut lines);
            lines.push(b'\n');
            positions += 1;
        }
    }
    (positions, bytes + lines.len())
}

/// Reads comments, glyphs and variations too, and writes the positions of the main line.
fn events(database: &Database) -> Written {
    let (mut positions, mut bytes, mut lines) = (0, 0, Vec::new());
    let (mut comments, mut others) = (0, 0);
    let mut writer = FenWriter::new(FenStyle::default());
    for game in database.games() {
        drain(&mut lines, &mut bytes);
        let Ok(mut moves) = game.moves() else { continue };
        writer.append(moves.after(), &mut lines);
        lines.push(b'\n');
        positions += 1;
        while let Some(event) = moves.next() {
            match event {
                Ok(Event::Move(_)) if moves.depth() == 0 => {
                    writer.append(moves.after(), &mut lines);
                    lines.push(b'\n');
                    positions += 1;
                }
                Ok(Event::Comment(comment)) => comments += comment.0.len(),
                _ => others += 1,
            }
        }
    }
    black_box((comments, others));
    (positions, bytes + lines.len())
}

/// Returns the CPU time of the process.
#[cfg(target_os = "linux")]
fn now() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(now).expect("the clock runs forward")
}

#[cfg(not(target_os = "linux"))]
fn now() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

fn compare(name: &str, database: &Database) {
    let expected = job(database);
    assert!(expected.0 > 0, "{name} has positions");
    let mut best = [Duration::MAX; CONTENDERS.len()];
    for _ in 0..ROUNDS {
        for ((_, contender), best) in CONTENDERS.iter().zip(&mut best) {
            let start = now();
            // Short texts are read several times, so that the time is long enough to measure.
            let begun = Instant::now();
            let mut runs = 0;
            while runs == 0 || begun.elapsed() < Duration::from_millis(50) {
                assert_eq!(contender(database), expected, "every contender writes the same");
                runs += 1;
            }
            *best = (now() - start).div_f64(f64::from(runs)).min(*best);
        }
    }
    for ((((contender, _), best_of), goal), job) in CONTENDERS.iter().zip(best).zip(GOALS).zip(JOBS) {
        let nanoseconds = best_of.as_secs_f64() * 1e9 / expected.0 as f64;
        let ratio = best_of.as_secs_f64() / best[job].as_secs_f64();
        let verdict = if ratio <= goal { "" } else { "  MISSED" };
        println!(
            "pull/{name}/{contender}: {nanoseconds:.1} ns a position, {ratio:.3} of the job (goal {goal}){verdict}"
        );
    }
}

fn main() {
    let fixture = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/games").join(name);
    let corpora = match env::var_os("PGN2FEN_CORPUS") {
        Some(path) => vec![("corpus", path.into())],
        None => vec![("bare", fixture("opening_book.pgn")), ("annotated", fixture("evaluations_and_times.pgn"))],
    };
    let only = env::args().nth(1);
    for (name, path) in corpora {
        let database = Database::from(fs::read(path).unwrap());
        match CONTENDERS.iter().find(|(contender, _)| only.as_deref() == Some(*contender)) {
            Some((contender, run)) => println!("pull/{name}/{contender}: {} positions", run(&database).0),
            None => compare(name, &database),
        }
    }
}
