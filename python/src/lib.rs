//! The extension module of the Python package `pgn2fen`.
//!
//! The module converts arguments and results. Everything else is done by the crates of pgn2fen. The classes that users
//! see are in the Python files of the package, which are built on this module.

mod answers;
mod assembling;
mod batches;
mod board;
mod book;
mod capsules;
mod comparison;
mod copies;
mod dialect;
mod edited;
mod errors;
mod formats;
mod game_texts;
mod games;
mod index;
mod indexing;
mod inputs;
mod line;
mod message;
mod objects;
mod options;
mod plan;
mod position;
mod process;
mod question;
mod ranges;
mod reading;
mod report;
mod run;
mod starts;
mod table;
mod tree;
mod watch;
mod writing;

use std::ffi::OsString;

use pyo3::prelude::{Python, pyfunction, pymodule};
use pyo3::types::PyModule;
use pyo3::{Bound, PyResult};

/// Runs the command `pgn2fen` and returns its exit status. The first argument is the name of the program.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| pgn2fen::run(&arguments))
}

/// Panics, for tests.
#[cfg(debug_assertions)]
#[pyfunction]
fn _panic(message: String) {
    std::panic::panic_any(message);
}

/// The extension module. Its classes cannot be changed after they were made, or have locks of their own, so it does not
/// need the global interpreter lock.
#[pymodule(gil_used = false)]
mod _pgn2fen {
    use super::{Bound, PyModule, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        pgn2fen_remote::install();
        crate::errors::make_panics_runtime_errors(module.py())
    }

    #[pymodule_export]
    use super::run_command;

    #[cfg(debug_assertions)]
    #[pymodule_export]
    use super::_panic;

    #[pymodule_export]
    use crate::answers::{count_results, find_in_tournaments};
    #[pymodule_export]
    use crate::assembling::{Assembly, build_run, digest};
    #[pymodule_export]
    use crate::batches::{Batch, Batches};
    #[pymodule_export]
    use crate::board::{draw_png, draw_svg, draw_text};
    #[pymodule_export]
    use crate::comparison::{ComparisonData, RepertoireData, compare_games, compare_games_of_index, read_repertoire};
    #[pymodule_export]
    use crate::edited::{annotate_comments, write_game};
    #[pymodule_export]
    use crate::game_texts::GameTexts;
    #[pymodule_export]
    use crate::games::{Game, GameIterator, GamesPlan};
    #[pymodule_export]
    use crate::index::OpenIndex;
    #[pymodule_export]
    use crate::indexing::{IndexNumbers, build_index};
    #[pymodule_export]
    use crate::line::{Line, Move};
    #[pymodule_export]
    use crate::message::Message;
    #[pymodule_export]
    use crate::objects::{FileObject, Pieces};
    #[pymodule_export]
    use crate::options::option_forms;
    #[pymodule_export]
    use crate::plan::Plan;
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::process::{begin_child, end_process};
    #[pymodule_export]
    use crate::ranges::{count_range, find_files, name_of, plan_file};
    #[pymodule_export]
    use crate::report::{Report, ReportLine, sum_reports};
    #[pymodule_export]
    use crate::run::Run;
    #[pymodule_export]
    use crate::starts::StartsPlan;
    #[pymodule_export]
    use crate::table::TableData;
    #[pymodule_export]
    use crate::tree::{ModelGame, Results, TreeData, TreeMove, TreeNode, grow_index_tree, grow_tree};

    #[expect(non_upper_case_globals, reason = "the name is that of Python")]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
