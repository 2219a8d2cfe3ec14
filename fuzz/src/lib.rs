//! The laws of pgn2fen as fuzz targets.
//!
//! Each module of [`laws`] has a function `check` that takes any bytes and panics where a law is broken. The same function
//! is run by libFuzzer (`cargo fuzz run walk`), on single files by a plain program (`cargo run --bin walk -- FILE`), and on
//! the [`seeds`] by `cargo test`. What is used is the public interface of pgn2fen, and of its
//! internals the places of cuts and the postings as lines.

mod choices;
pub mod laws;
pub mod seeds;
mod walking;

#[cfg(fuzzing)]
pub use libfuzzer_sys;

/// A law: a function that panics if it does not hold for an input.
pub type Law = fn(&[u8]);

/// Every target with its law, in the order in which `fuzz/run` runs them.
pub const TARGETS: [(&str, Law); 14] = [
    ("walk", laws::walk::check),
    ("hop", laws::hop::check),
    ("fen", laws::fen::check),
    ("moves", laws::moves::check),
    ("san", laws::san::check),
    ("filters", laws::filters::check),
    ("typed", laws::typed::check),
    ("compressed", laws::compressed::check),
    ("ranges", laws::ranges::check),
    ("copies", laws::copies::check),
    ("formats", laws::formats::check),
    ("scan", laws::scan::check),
    ("damaged_index", laws::damaged_index::check),
    ("linear", laws::linear::check),
];

/// Makes a program of a law: a target for libFuzzer, or without it one that checks the files it is given.
#[macro_export]
macro_rules! target {
    ($law:ident) => {
        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::laws::$law::check(data));

        #[cfg(not(fuzzing))]
        fn main() {
            $crate::check_files($crate::laws::$law::check);
        }
    };
}

/// Checks the files that are named on the command line.
///
/// # Panics
///
/// A file cannot be read, or breaks the law.
pub fn check_files(law: Law) {
    for path in std::env::args_os().skip(1) {
        let data = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        law(&data);
        println!("{}: holds", path.display());
    }
}
