//! The laws of pgn2fen as fuzz targets.
//!
//! Each module of [`laws`] has a function `check` that takes any bytes and panics if they break the law. The function
//! runs in libFuzzer (`cargo fuzz run walk`), on single files in a plain program (`cargo run --bin walk -- FILE`), and
//! on the [`seeds`] in `cargo test`. The laws use the public interface of pgn2fen. From what is hidden in it they use
//! only the cuts between blocks and the postings as lines.

mod choices;
mod damage;
pub mod laws;
pub mod seeds;
mod walking;

#[cfg(fuzzing)]
pub use libfuzzer_sys;

/// A law: a function that panics if it does not hold for an input.
pub type Law = fn(&[u8]);

/// All targets with their laws, in the order in which `fuzz/run` runs them.
pub const TARGETS: [(&str, Law); 19] = [
    ("walk", laws::walk::check),
    ("hop", laws::hop::check),
    ("fen", laws::fen::check),
    ("moves", laws::moves::check),
    ("san", laws::san::check),
    ("filters", laws::filters::check),
    ("typed", laws::typed::check),
    ("compressed", laws::compressed::check),
    ("archive", laws::archive::check),
    ("ranges", laws::ranges::check),
    ("copies", laws::copies::check),
    ("anew", laws::anew::check),
    ("formats", laws::formats::check),
    ("scan", laws::scan::check),
    ("damaged_index", laws::damaged_index::check),
    ("trainers", laws::trainers::check),
    ("records", laws::records::check),
    ("databases", laws::databases::check),
    ("linear", laws::linear::check),
];

/// Makes a program for a law: a target for libFuzzer or, without libFuzzer, a program that checks files.
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

/// Checks the files given on the command line.
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
