//! The options of pgn2fen in one list, for every way to call it: the command, Python, JavaScript, SQL and Spark.
//!
//! An [`OptionEntry`] has the name of an option, the [`Kind`] of its value, the [jobs](Jobs) that have it, and its
//! meaning in a phrase. Names, and the table of options in the guide, are taken from the list; tests compare with it
//! what the programs have. [`find`] returns the entry of a name, and [`Dialect`] writes
//! options, and messages that refer to them, as a program does.
//!
//! ```
//! use pgn2fen_spec::{Dialect, Jobs, find, names};
//!
//! let entry = find("skip_checks").expect("an option of positions");
//! assert!(entry.jobs.contains(Jobs::ROWS) && !entry.jobs.contains(Jobs::STARTS));
//! assert_eq!(Dialect::JavaScript.name(entry).as_deref(), Some("skipChecks"));
//!
//! const OF_STARTS: [&str; 27] = names!(Jobs::STARTS);
//! assert!(OF_STARTS.contains(&"kind"));
//! ```
//!
//! # Inside
//!
//! - `entry`: what an entry is; the jobs
//! - `list`: the entries
//! - `dialect`, `shell`: how programs write options; words quoted for a shell

mod dialect;
mod entry;
mod list;
mod shell;

pub use crate::dialect::{Dialect, is_option, jobs_of};
pub use crate::entry::{Help, Jobs, Kind, OptionEntry};
pub use crate::list::{OPTIONS, find};
pub use crate::shell::quoted;

/// The names of the options that a job has, as an array, in the order of the list. The type of the array must have the
/// [number](count) of them.
#[macro_export]
macro_rules! names {
    ($jobs:expr) => {
        $crate::names_of::<{ $crate::count($jobs) }>($jobs)
    };
}

/// Returns the number of options that a job has.
pub const fn count(jobs: Jobs) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < OPTIONS.len() {
        count += OPTIONS[at].jobs.contains(jobs) as usize;
        at += 1;
    }
    count
}

/// Returns the names of the options that a job has. `N` is their [number](count).
///
/// # Panics
///
/// There are more or fewer than `N`. In a constant, this is an error of the compiler.
pub const fn names_of<const N: usize>(jobs: Jobs) -> [&'static str; N] {
    let mut names = [""; N];
    let (mut count, mut at) = (0, 0);
    while at < OPTIONS.len() {
        if OPTIONS[at].jobs.contains(jobs) {
            names[count] = OPTIONS[at].name;
            count += 1;
        }
        at += 1;
    }
    assert!(count == N, "the array has room for another number of names");
    names
}
