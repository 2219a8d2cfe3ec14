//! Measures records in random order: the rate, the most memory and the temporary file, beside the same records in
//! order.
//!
//! The games are those of two fixtures, again and again, with evaluations that are made up. `PGN2FEN_CORPUS` can be set
//! to the path of another PGN file, which is held in memory, and `PGN2FEN_RECORDS` to the megabytes of records, such as
//! 1000 for a gigabyte. The output and the temporary file are in the folder of the system for temporary files, which
//! must have room for 2.5 times the records. With names of formats as arguments, only these are written.
//!
//! The time of the processors, the most memory and the size of the temporary file are known on Linux only. The memory
//! is that of all that is allocated, above what the process had before; files that are mapped do not count.

#![allow(clippy::print_stdout, reason = "a bench is a program")]

use std::env;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_files::{Compression, OutputFile};
use pgn2fen_games::database::Source;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::games::Games;
use pgn2fen_games::walk::Job;
use pgn2fen_rows::{Format, Rows, ShuffleOptions};

/// The megabytes of records without `PGN2FEN_RECORDS`.
const USUAL: u64 = 100;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let is_named = |format: &Format| arguments.iter().any(|argument| argument == format.name());
    let megabytes = env::var("PGN2FEN_RECORDS").ok().map_or(USUAL, |number| number.parse().unwrap());
    let wanted = if is_test { 1_000_000 } else { megabytes * 1_000_000 };
    let text = evaluated(&corpus());
    println!(
        "{:<14} {:>10} {:>9} {:>9} {:>9} {:>10} {:>9} {:>11} {:>12}",
        "format", "memory", "seconds", "CPU s", "MB/s", "records/s", "MB", "most memory", "temporary MB"
    );
    let formats = [Format::Bulletformat, Format::Binpack];
    let is_wanted = |format: &Format| is_named(format) || !formats.iter().any(is_named);
    for format in formats.into_iter().filter(is_wanted) {
        let mut plain = None;
        for memory in [None, Some(64), Some(256)] {
            let shuffle = |rows: Rows, most: usize, folder: &Path| {
                rows.shuffle(ShuffleOptions { seed: 1, memory: most << 20, folder: Some(folder.to_owned()) })
            };
            let folder = tempfile::tempdir().unwrap();
            let rows = Rows::new().format(format);
            let rows = memory.map_or(rows.clone(), |most| shuffle(rows, most, folder.path()));
            let run = measured(&rows, &text, wanted, folder.path());
            // The output has the same size in any order.
            assert_eq!(*plain.get_or_insert(run.bytes), run.bytes, "every record is written once");
            let seconds = run.time.as_secs_f64();
            println!(
                "{:<14} {:>10} {seconds:>9.1} {:>9.1} {:>9.0} {:>10.0} {:>9.0} {:>11.0} {:>12.0}",
                format.name(),
                memory.map_or("in order".to_owned(), |most| format!("{most} MiB")),
                run.cpu,
                run.bytes as f64 / 1e6 / seconds,
                run.records as f64 / seconds,
                run.bytes as f64 / 1e6,
                run.most_memory as f64 / 1e6,
                run.most_file as f64 / 1e6,
            );
        }
    }
}

/// The time, the memory and the disk space of a run.
struct Run {
    time: Duration,
    /// The time of the processors, in seconds.
    cpu: f64,
    bytes: u64,
    records: u64,
    most_memory: u64,
    most_file: u64,
}

/// The number of records of bulletformat that the games have.
fn count(text: &[u8]) -> u64 {
    let mut job = Rows::new().format(Format::Bulletformat).begin(Counter::default()).unwrap();
    job.read(&Workers::new(0).unwrap(), Path::new("corpus.pgn"), games(text, 1), &mut ()).unwrap();
    job.end().unwrap().0.0 / 32
}

/// Writes rows until there would be so many bytes of bulletformat.
fn measured(rows: &Rows, text: &[u8], wanted: u64, folder: &Path) -> Run {
    let records = count(text);
    let copies = (wanted / 32).div_ceil(records.max(1));
    let output = OutputFile::create(folder.join("records"), Compression::None).unwrap();
    let before = memory();
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let (mut most_memory, mut most_file) = (0, 0);
            while !ended.load(Ordering::Relaxed) {
                most_memory = most_memory.max(memory());
                most_file = most_file.max(unnamed_files());
                thread::sleep(Duration::from_millis(20));
            }
            (most_memory.saturating_sub(before), most_file)
        });
        let (begun, cpu) = (Instant::now(), cpu_time());
        let workers = Workers::new(0).unwrap();
        let mut job = rows.begin(output).unwrap();
        job.read(&workers, Path::new("corpus.pgn"), games(text, copies), &mut ()).unwrap();
        let positions = job.totals().count.positions;
        let (output, left_out) = job.end().unwrap();
        output.finish().unwrap();
        let (time, cpu) = (begun.elapsed(), cpu_time() - cpu);
        ended.store(true, Ordering::Relaxed);
        let (most_memory, most_file) = watch.join().unwrap();
        let bytes = fs::metadata(folder.join("records")).unwrap().len();
        Run { time, cpu, bytes, records: positions - left_out.total(), most_memory, most_file }
    })
}

/// The text of the games.
fn corpus() -> Vec<u8> {
    let fixture = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/games").join(name);
    match env::var_os("PGN2FEN_CORPUS") {
        Some(path) => fs::read(path).unwrap(),
        None => ["tournaments_2020.pgn", "opening_book.pgn"].map(|name| fs::read(fixture(name)).unwrap()).concat(),
    }
}

/// Returns the games with evaluations behind all moves, and with results.
fn evaluated(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut random = 1_u64;
    for (number, game) in (0..).zip(Games::new(text)) {
        let Ok(mut replay) = game.replay() else { continue };
        let result = ["1-0", "0-1", "1/2-1/2"][number % 3];
        let fen = fen::to_string(replay.position(), FenStyle::default());
        out.extend(format!("[FEN \"{fen}\"]\n[Result \"{result}\"]\n\n").bytes());
        loop {
            let before = replay.position().clone();
            let Some(Ok(ply)) = replay.next_ply() else { break };
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let centipawns = i64::try_from(random >> 54).unwrap() - 512;
            let (number, dots) = (before.fullmoves(), before.turn().pick(".", "..."));
            let uci = ply.played.to_uci(&before);
            out.extend(format!("{number}{dots} {uci} {{[%eval {:.2}]}}\n", centipawns as f64 / 100.0).bytes());
        }
        out.extend(format!("{result}\n\n").bytes());
    }
    assert!(!out.is_empty(), "there are games");
    out
}

/// The games again and again.
fn games(text: &[u8], copies: u64) -> Source {
    struct Again {
        text: Vec<u8>,
        at: usize,
        copies: u64,
    }
    impl Read for Again {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.at == self.text.len() && self.copies > 1 {
                self.copies -= 1;
                self.at = 0;
            }
            let count = (&self.text[self.at..]).read(buffer)?;
            self.at += count;
            Ok(count)
        }
    }
    Source::stream(Box::new(Again { text: text.to_vec(), at: 0, copies }), None).unwrap()
}

/// Counts the bytes that are written.
#[derive(Default)]
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The time of the processors that the process has used, in seconds. 0 if the system does not tell it.
fn cpu_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The fields behind the name of the program, which is in parentheses. Linux has 100 ticks in a second.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The memory of the process that is not that of files, in bytes. 0 if the system does not tell it.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024
}

/// The size of the files without a name that the process has open, in bytes. 0 if the system does not tell it.
fn unnamed_files() -> u64 {
    let Ok(open) = fs::read_dir("/proc/self/fd") else { return 0 };
    let is_unnamed = |path: &Path| fs::read_link(path).is_ok_and(|to| to.to_string_lossy().ends_with("(deleted)"));
    let files = open.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_unnamed(path));
    files.filter_map(|path| fs::metadata(path).ok()).map(|found| found.len()).sum()
}
