//! Internal errors: a panic on any thread ends the run with a message of one line and exit status 2.
//!
//! The library does not catch panics. This module catches them around the whole command and replaces the output of Rust's panic hook,
//! unless `RUST_BACKTRACE` is set.

use std::any::Any;
use std::env;
use std::panic::{self, PanicHookInfo, UnwindSafe};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use crate::cli::report::Outcome;
use crate::cli::say;

/// The message and place of the first panic of the run.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Runs the command and turns a panic into a message and exit status 2.
pub(crate) fn guard(run: impl FnOnce() -> ExitCode + UnwindSafe) -> ExitCode {
    let wants_backtrace = env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        FIRST.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| described(info));
        if wants_backtrace {
            print(info);
        }
    }));
    let ended = panic::catch_unwind(run);
    let first = FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
    match judge(ended, first) {
        Ok(code) => code,
        Err(message) => {
            say::error(&message);
            ExitCode::from(Outcome::Failed)
        }
    }
}

/// The status of a run, or the message for a panic in it. A panic in a thread counts even if the run ended normally, because the work of
/// that thread is missing.
fn judge<T>(ended: Result<T, Box<dyn Any + Send>>, first: Option<String>) -> Result<T, String> {
    let panic = match ended {
        Ok(status) => match first {
            None => return Ok(status),
            Some(first) => first,
        },
        Err(payload) => first.unwrap_or_else(|| message(payload.as_ref()).to_owned()),
    };
    // The message of a panic may have several lines.
    let panic = panic.split_whitespace().collect::<Vec<_>>().join(" ");
    let place = match env!("CARGO_PKG_REPOSITORY") {
        "" => "the authors of pgn2fen".to_owned(),
        repository => format!("{repository}/issues"),
    };
    Err(format!("internal error: {panic}; please report it to {place}, with the command and the input"))
}

fn described(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
    message(info.payload()).to_owned() + &place
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use clap::Parser;
    use pgn2fen::pgn::games::{Left, Text};
    use pgn2fen::positions::{AskedTags, Batch, Positions};
    use pgn2fen::rows::{Format, Shape};

    use super::judge;
    use crate::cli::args::Arguments;
    use crate::cli::compress::Compression;
    use crate::cli::hints::Restrictions;
    use crate::cli::input;
    use crate::cli::press::Printer;
    use crate::cli::report::{Outcome, Place, Unit};
    use crate::cli::walk::{Job, Order, Run, open_output, walk};

    #[test]
    fn a_run_that_ends_well_is_left_alone() {
        assert_eq!(judge(Ok(Outcome::Errors), None), Ok(Outcome::Errors));
    }

    #[track_caller]
    fn check(message: &Result<Outcome, String>, expected: &str) {
        let said = message.as_ref().unwrap_err();
        assert!(said.starts_with(&format!("internal error: {expected}; please report it")), "{said}");
        assert_eq!(said.lines().count(), 1);
    }

    #[test]
    fn a_panic_becomes_a_line_on_whatever_thread_it_was() {
        let place = || Some("left\n  and right (src/x.rs:1)".to_owned());
        check(&judge(Err(Box::new("said later")), place()), "left and right (src/x.rs:1)");
        check(&judge(Ok(Outcome::Clean), place()), "left and right (src/x.rs:1)");
        check(&judge(Err(Box::new("said".to_owned())), None), "said");
        check(&judge(Err(Box::new(7)), None), "a panic without a message");
    }

    /// A job whose third block panics.
    struct Broken;

    impl Job for Broken {
        fn begin_file(&mut self, _: u64) {}

        fn read(&self, text: Text<'_>, until: usize, batch: &mut Batch) -> Left {
            assert!(text.offset < 150_000, "the job broke");
            batch.output.extend_from_slice(b"line\n");
            Positions::default().read(text, until, batch)
        }

        fn asked_tags(&self) -> AskedTags {
            Positions::default().asked_tags()
        }
    }

    struct AllInOrder;

    impl Order for AllInOrder {
        fn take(&mut self, _: &mut Batch) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn is_over(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_panic_in_a_job_ends_the_run_and_leaves_no_output() {
        let folder = tempfile::tempdir().unwrap();
        let (games, output) = (folder.path().join("games.pgn"), folder.path().join("positions.fen"));
        fs::write(&games, "1. e4 *\n".repeat(100_000)).unwrap();
        let arguments = Arguments::parse_from(["pgn2fen", games.to_str().unwrap(), "-q", "-j", "3"]).positions;
        let files = input::files(&arguments.input).unwrap();
        let output = open_output(Some(&output), Compression::None, &files, Format::Fen).unwrap();
        let run = Run {
            files,
            input: &arguments.input,
            running: &arguments.running,
            place: Place::Stderr,
            unit: Unit::Position,
            restrictions: Restrictions { games: Vec::new(), positions: Vec::new() },
            printer: Printer::begin(output, &Shape::default(), None).unwrap(),
        };
        let ended = catch_unwind(AssertUnwindSafe(|| walk(Broken, AllInOrder, run).unwrap()));
        check(&judge(ended, None), "the job broke");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the games alone are there");
    }
}
