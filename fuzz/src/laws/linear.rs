//! Law: time is linear. A text that is four times as long takes about four times as long, whatever is repeated in it.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::pgn::annotation::EvalSource;
use pgn2fen_games::typed::read_position;
use pgn2fen_games::walk::{Count, Job as _, Listener};
use pgn2fen_rows::starts::Starts;
use pgn2fen_rows::{Format, Rows};

use crate::choices::Choices;
use crate::walking::{Job, rows, whole, with_one};

/// The length of the text of the first measurement, in bytes.
const LENGTH: usize = 256 * 1024;

/// The time for each byte above which the text is measured again, in nanoseconds. A usual walk takes a twentieth of it.
const NANOSECONDS_A_BYTE: u128 = 300;

/// Checks the law. The first byte chooses the job. The next two are the lengths of the text before the repetition and
/// of the repeated text. Then come these two texts, and the text after the repetition.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let job = choices.byte() % 7;
    let head = usize::from(choices.byte() % 32);
    let body = usize::from(choices.byte() % 32);
    let text = choices.bytes();
    let (head, text) = text.split_at(head.min(text.len()));
    let (body, tail) = text.split_at(body.min(text.len()));
    if body.is_empty() || tail.len() > 64 {
        return;
    }
    let text = |length: usize| [head, &body.repeat(length / body.len()), tail].concat();
    if time(job, &text(LENGTH)) < NANOSECONDS_A_BYTE * LENGTH as u128 {
        return;
    }
    // Other programs can only make a measurement longer, so the least counts.
    let least = |text: &[u8]| (0..5).map(|_| time(job, text)).min().unwrap_or_default();
    let (took, fourth) = (least(&text(LENGTH)), least(&text(LENGTH / 4)));
    assert!(
        took < 8 * fourth,
        "job {job}: {LENGTH} bytes took {} times as long as a fourth of them ({took} ns)",
        took / fourth.max(1)
    );
}

/// Returns the time that a job takes for a text, in nanoseconds of CPU time.
fn time(job: u8, text: &[u8]) -> u128 {
    let job = match job {
        0 => Job::Rows(Rows::new()),
        1 => Job::Rows(rows(Rows::new().variations(true), Format::Csv)),
        2 => Job::Rows(Rows::new().variations(true)),
        3 => Job::Starts(Starts::lines()),
        4 => Job::Starts(Starts::copies().invert(true)),
        6 => Job::Rows(rows(Rows::new().variations(true).evals(EvalSource::Engine), Format::Csv)),
        _ => {
            let text = String::from_utf8_lossy(text);
            let start = ThreadTime::now();
            let _ = read_position(&text, &Letters::ENGLISH);
            return start.elapsed().as_nanos();
        }
    };
    // The worker thread reads its clock twice: after a small file, and after the text and its output.
    let mut clock = Clock(Vec::new());
    let mut writing = job.begin();
    with_one(|one| {
        for source in [&b"*\n"[..], text, b"*\n"] {
            writing.read(one, Path::new("text"), whole(source), &mut clock).expect("memory can be read");
        }
    });
    match clock.0[..] {
        [start, _, end] => (end - start).as_nanos(),
        _ => unreachable!("each file is one block"),
    }
}

/// The CPU time of the worker thread at the end of each block.
struct Clock(Vec<Duration>);

impl Listener for Clock {
    fn progress(&mut self, _: usize, _: Count) -> ControlFlow<()> {
        self.0.push(ThreadTime::now().as_duration());
        ControlFlow::Continue(())
    }
}
