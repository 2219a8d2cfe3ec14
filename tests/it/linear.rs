//! Time is linear in the length of the text, whatever the text is.
//!
//! Texts are made of a head, a body that is repeated, and a tail. Each is read with `SMALL` and with four times as many
//! bytes: a linear reader takes four times as long, a quadratic one sixteen times. The clock counts processor time in a
//! process of its own, and where the growth looks too large, the least of several readings counts.
//!
//! `PGN2FEN_SWEEP=all` reads every pair in every way, and many more texts of several pieces, which takes a quarter of
//! an hour; `PGN2FEN_SEED=n` reads other texts of several pieces.

use std::env;
use std::io;
use std::process::Command;
use std::time::Duration;

use pgn2fen_chess::san::Letters;
use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::export::{ExportOptions, Exporter, FenComments};
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::games::end_of_whole_games;
use pgn2fen_games::pgn::games::{Chunk, Games};
use pgn2fen_games::pgn::lists::Form;
use pgn2fen_games::pgn::ranges::first_place;
use pgn2fen_games::replay::ReplayOptions;
use pgn2fen_games::selection::PositionFilter;
use pgn2fen_games::typed::read_position;
use pgn2fen_games::walk::Check;
use pgn2fen_rows::starts::Starts;
use pgn2fen_rows::{Format, Rows};
use pgn2fen_testing::list_postings;

use crate::laws::{noise, stream, sweeps, whole};
use crate::rows::{ALL, export};
use crate::walking::{listen, read_options};

/// Bytes of the shorter text. It must be longer than any look ahead, or what is bounded by that look appears quadratic.
const SMALL: usize = 20_000;

/// The same for a stream, which must not be so short that it is read at once.
const SMALL_STREAM: usize = 60_000;

/// The longer text may take so many times as long as the shorter one.
const MOST_GROWTH: f64 = 8.0;

/// So little time is never too much.
const FLOOR: Duration = Duration::from_millis(10);

/// The pieces that texts are made of: everything that has a meaning to some reader, and what only looks like it.
pub(crate) const PIECES: [&[u8]; 70] = [
    b"1.",
    b" .",
    b"{",
    b"}",
    b"(",
    b")",
    b"[",
    b"]",
    b"\"",
    b";",
    b"\n",
    b"\n\n",
    b"\r\n",
    b"\r",
    b"\n%",
    b"$1",
    b"1...",
    b"1. ",
    b"e4 ",
    b"*",
    b"1-0 ",
    b"\\",
    b"[Event \"",
    b"[FEN \"",
    b"<",
    b">",
    b"-- ",
    "\u{bd}".as_bytes(),
    b"{[%eval 1]} ",
    b"{[%clk ",
    b"O-O ",
    b"e8=Q ",
    b"\xEF\xBB\xBF",
    b"\xFF",
    b"\0",
    b" ",
    b"\xA0",
    b"\xC2\xA0",
    b"\xE2\x80\x93",
    b"\xE2\x80\xA6",
    b"x",
    b"-",
    b":",
    b"/",
    b"1",
    b"0",
    b"[A \"b\"]\n",
    b"[A b]\n",
    b"[A",
    b"\\\"",
    b"Nf3 Nf6 Ng1 Ng8 ",
    b"(Nf3) ",
    b"1. e4 e5 *\n\n",
    b"[A \"\"]\n\n1. e4 (",
    b"e.p.",
    b"e8(",
    b"!?",
    b"\t",
    b"?",
    b"+",
    b"{}",
    b"\xC2",
    b"\xEF\xBB",
    b"; c\n",
    b"\n[A \"\"]\n",
    b"word ",
    b"N ",
    b"O - ",
    b"5254 ",
    b"a",
];

/// A way to read a text.
type Job = (&'static str, usize, fn(&[u8]));

const JOBS: [Job; 12] = [
    ("walk", SMALL, |text| walk(&Rows::new(), 1, whole(text), None)),
    ("walk in blocks on two threads", SMALL_STREAM, |text| {
        // Every block is guessed, so that it does not depend on luck how many are.
        let cuts = Cuts::At((0..text.len() as u64).step_by(20_000).collect());
        walk(&Rows::new(), 2, whole(text), Some(cuts));
    }),
    ("walk through a stream", SMALL_STREAM, |text| {
        walk(&Rows::new(), 1, stream(&[b"% no other kind of file\n", text].concat()), Some(Cuts::Likely(4000)));
    }),
    ("rows with all columns", SMALL, |text| {
        export(&Workers::new(1).unwrap(), vec![("a.pgn", whole(text))], Format::Csv, Some(ALL));
    }),
    ("rows of variations", SMALL, |text| {
        walk(&Rows::columns(ALL).unwrap().variations(true), 1, whole(text), None);
    }),
    ("check with every warning", SMALL, |text| {
        let mut check = Check::new(read_options(|read| read.replay.first_warnings_only = false));
        listen(&mut check, &Workers::new(1).unwrap(), [("a.pgn", whole(text))]);
    }),
    ("postings", SMALL, |text| {
        let mut postings = list_postings(PositionFilter::default(), read_options(|_| {}), io::sink());
        listen(&mut postings, &Workers::new(1).unwrap(), [("a.pgn", whole(text))]);
    }),
    ("tag filters", SMALL, |text| {
        let tags = ["WhiteElo>=2000", "Date<1990", "a~b"].map(|filter| filter.parse().unwrap()).into();
        walk(&Rows::new().read_options(read_options(|read| read.games.tags = tags)), 1, whole(text), None);
    }),
    ("starts and copies", SMALL, |text| {
        for job in [Starts::lines(), Starts::copies()] {
            let mut writing = job.invert(true).begin(io::sink()).unwrap();
            listen(&mut writing, &Workers::new(1).unwrap(), [("a.pgn", whole(text))]);
        }
    }),
    ("games written anew", SMALL, |text| {
        let exporter = Exporter::new(ExportOptions { add_fen: FenComments::Every, ..ExportOptions::default() });
        for game in Games::new(text) {
            let _ = exporter.append(&game, &ReplayOptions::default(), &mut Vec::new());
        }
    }),
    ("ranges", SMALL, |text| {
        let tile = text.len() / 8 + 1;
        for from in (0..text.len()).step_by(tile) {
            first_place(Chunk::whole(text), from);
        }
        let database = Database::from(text.to_vec());
        database.within(text.len() as u64 / 2..u64::MAX).games().count();
        end_of_whole_games(text, Form::Games);
    }),
    ("games and typed positions", SMALL, |text| {
        for game in Games::new(text) {
            game.tags();
        }
        let typed = String::from_utf8_lossy(text);
        let _ = read_position(&typed, &Letters::ENGLISH);
        let _ = read_position(&format!("1. e4 {typed}"), &Letters::ENGLISH);
        let _ = read_position(&format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4 {typed}"), &Letters::ENGLISH);
    }),
];

fn walk(job: &Rows, threads: usize, source: Source, cuts: Option<Cuts>) {
    let mut workers = Workers::new(threads).unwrap();
    if let Some(cuts) = cuts {
        workers = workers.with_cuts(cuts);
    }
    let mut writing = job.begin(io::sink()).unwrap();
    let said = listen(&mut writing, &workers, [("a.pgn", source)]);
    assert!(said.error.is_none(), "{:?}", said.error);
}

fn text(head: &[u8], body: &[u8], tail: &[u8], length: usize) -> Vec<u8> {
    [head, &body.repeat(length / body.len()), tail].concat()
}

/// The processor time that a job takes, or where there is no such clock the time.
fn time(job: impl FnOnce()) -> Duration {
    let begun = now();
    job();
    now() - begun
}

/// The processor time of all threads of this process so far.
#[cfg(target_os = "linux")]
fn now() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(now).expect("the clock runs forward")
}

#[cfg(not(target_os = "linux"))]
fn now() -> Duration {
    static BEGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(std::time::Instant::now).elapsed()
}

/// Runs a test in a process of its own, so that its clock counts nothing else. True where that is this process.
fn is_alone(test: &str) -> bool {
    const ALONE: &str = "PGN2FEN_ALONE";
    if env::var_os(ALONE).is_some() {
        return true;
    }
    let mut command = Command::new(env::current_exe().unwrap());
    let output = command.args([test, "--exact", "--nocapture"]).env(ALONE, "1").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    false
}

/// How many times as long four times the text takes, if that is too many.
fn growth(job: impl Fn(&[u8]), texts: [&[u8]; 2]) -> Option<f64> {
    let mut least = [f64::INFINITY; 2];
    for _ in 0..4 {
        let longer = time(|| job(texts[1]));
        if longer < FLOOR {
            return None;
        }
        // As much work, if it is linear, so that the clock tells them apart.
        let shorter = time(|| (0..4).for_each(|_| job(texts[0]))) / 4;
        least = [least[0].min(shorter.as_secs_f64()), least[1].min(longer.as_secs_f64())];
        if least[1] < MOST_GROWTH * least[0] {
            return None;
        }
    }
    Some(least[1] / least[0])
}

/// Adds to `found` if a job's time grows faster than the text.
fn look(found: &mut Vec<String>, (name, small, job): Job, head: &[u8], body: &[u8], tail: &[u8]) {
    let text = |length| text(head, body, tail, length);
    let is_found = |small| growth(job, [&text(small), &text(4 * small)]);
    // What is not linear is so for longer texts, too.
    if let Some(growth) = is_found(small)
        && (growth > 4.0 * MOST_GROWTH || is_found(4 * small).is_some())
    {
        let [head, body, tail] = [head, body, tail].map(|piece| piece.escape_ascii().to_string());
        found.push(format!("{name}: {head} + n × {body} + {tail}: {growth:.1} times as long"));
    }
}

#[test]
fn time_is_linear_in_hostile_text() {
    if !is_alone("linear::time_is_linear_in_hostile_text") {
        return;
    }
    let is_sweep = env::var_os("PGN2FEN_SWEEP").is_some_and(|sweep| sweep == "all");
    let mut found = Vec::new();
    let mut turn = 0;
    for head in PIECES {
        for body in PIECES {
            // Each pair in one way, in turn; in the long sweep in all ways, and without a sweep every ninth pair.
            let jobs = if is_sweep { 0..JOBS.len() } else { turn % JOBS.len()..turn % JOBS.len() + 1 };
            turn += 1;
            if !sweeps() && turn % 9 > 0 {
                continue;
            }
            for job in &JOBS[jobs] {
                look(&mut found, *job, head, body, b" e4 *");
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn time_is_linear_in_hostile_text_of_several_pieces() {
    if !is_alone("linear::time_is_linear_in_hostile_text_of_several_pieces") {
        return;
    }
    let is_sweep = env::var_os("PGN2FEN_SWEEP").is_some_and(|sweep| sweep == "all");
    let mut found = Vec::new();
    let mut seed = env::var("PGN2FEN_SEED").map_or(5, |seed| seed.parse().unwrap());
    for turn in 0..if is_sweep {
        20_000
    } else if sweeps() {
        600
    } else {
        200
    } {
        let mut some = |most: usize| -> Vec<u8> {
            (0..noise(&mut seed) % (most + 1)).flat_map(|_| PIECES[noise(&mut seed) % PIECES.len()]).copied().collect()
        };
        let (head, mut body, tail) = (some(3), some(3), some(2));
        body.extend_from_slice(PIECES[turn % PIECES.len()]);
        look(&mut found, JOBS[noise(&mut seed) % JOBS.len()], &head, &body, &tail);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
