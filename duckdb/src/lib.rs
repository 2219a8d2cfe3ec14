//! The extension `pgn2fen` for DuckDB: games in PGN as tables.
//!
//! It is a door on the library: no rule of chess and no option of a job is implemented here.
//!
//! - `door`: the calls of DuckDB's C API, and all unsafe code
//! - `options`, `inputs`: arguments as options of jobs; the files that a query reads
//! - `rows`, `messages`, `index`: the table functions
//! - `table`: tables that are made row by row
//! - `fens`: the scalar functions
//!
//! DuckDB calls a table function on its own threads to get rows. The files are read by threads of the library, which
//! wait when a few record batches are ready; the threads of DuckDB take the batches and copy them to its vectors. So
//! rows come in the order of the files if one thread of DuckDB takes them, which is how DuckDB keeps an order.

mod door;
mod fens;
mod index;
mod inputs;
mod messages;
mod options;
mod rows;
mod table;

use crate::door::{ScalarFunction, TableFunction};

/// The functions after FROM.
static TABLE_FUNCTIONS: &[TableFunction] =
    &[rows::POSITIONS, rows::GAMES, rows::STARTS, messages::MESSAGES, index::FIND, index::EXPLORE];

/// The functions of values.
static SCALAR_FUNCTIONS: &[ScalarFunction] = fens::FUNCTIONS;
