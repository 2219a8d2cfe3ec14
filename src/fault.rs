//! Internal errors: a panic on any thread ends the run with a message of one line and exit status 2.
//!
//! The library catches only the panics of packages that decode damaged tables. This module catches the others around
//! the whole command and replaces the output of Rust's panic hook, unless `RUST_BACKTRACE` is set.

use std::any::Any;
use std::env;
use std::panic::{self, PanicHookInfo, UnwindSafe};
use std::sync::{Mutex, PoisonError};

use crate::outcome::Outcome;
use crate::say;
use pgn2fen_games::database::is_guarded;

/// The message and place of the first panic of the run.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Runs the command and turns a panic into a message and exit status 2.
pub(crate) fn guard(run: impl FnOnce() -> Outcome + UnwindSafe) -> Outcome {
    let wants_backtrace = env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // It becomes an error of the file.
        if is_guarded() {
            return;
        }
        FIRST.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| described(info));
        if wants_backtrace {
            print(info);
        }
    }));
    let ended = panic::catch_unwind(run);
    let first = FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
    match judge(ended, first) {
        Ok(outcome) => outcome,
        Err(message) => {
            say::error(&message);
            Outcome::Failed
        }
    }
}

/// Returns the status of a run, or the message for a panic in it. A panic in a thread counts even if the run ended
/// normally, because the work of that thread is missing.
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

/// Returns the message and the place of a panic.
fn described(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
    message(info.payload()).to_owned() + &place
}

/// Returns the message of a panic.
fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{self, Read};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::path::Path;

    use super::judge;
    use crate::outcome::Outcome;
    use crate::walk::open_output;
    use pgn2fen_files::Compression;
    use pgn2fen_games::database::Source;
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_games::walk::Job;
    use pgn2fen_rows::{Format, Rows};

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

    /// A file that panics when it has been read for a while.
    struct Broken(usize);

    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(self.0 < 500_000, "the file broke");
            let count = buffer.len().min(8);
            buffer[..count].copy_from_slice(&b"1. e4 *\n"[..count]);
            self.0 += count;
            Ok(count)
        }
    }

    #[test]
    fn a_panic_in_a_job_ends_the_run_and_leaves_no_output() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("positions.fen");
        let output = open_output(Some(&path), Compression::None, &[], Format::Fen).unwrap();
        let run = || {
            let mut job = Rows::new().begin(output).unwrap();
            let source = Source::stream(Box::new(Broken(0)), None).unwrap();
            job.read(&Workers::new(3).unwrap(), Path::new("-"), source, &mut ()).unwrap();
            assert!(job.end().is_ok());
            Outcome::Clean
        };
        check(&judge(catch_unwind(AssertUnwindSafe(run)), None), "the file broke");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
