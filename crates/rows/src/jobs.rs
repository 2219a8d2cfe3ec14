//! The jobs that write rows, copies of games and starting positions, and what they write to.
//!
//! # Inside
//!
//! - `builder`, `position_rows`, `fens`: rows of positions: the options of the job; a game as rows, or as lines of FEN
//! - `game_rows`, `whole_games`, `game_batches`: rows of whole games: the options, a game as its row, batches
//! - `output`, `take`, `writing`, `batches`, `shared`: outputs of rows; a job that writes to one; rows as Arrow record
//!   batches, pulled; what a job writes to, which is given back at the end
//! - `shuffle`, `parts`: records in random order, which may be in a temporary file; outputs of several parts
//! - `games`, `starts`: copies of games; starting positions
//! - `options`: the options of jobs by their names

#[cfg(feature = "arrow")]
pub(crate) mod batches;
pub(crate) mod builder;
pub(crate) mod fens;
#[cfg(feature = "arrow")]
pub(crate) mod game_batches;
pub(crate) mod game_rows;
pub mod games;
pub mod options;
pub(crate) mod output;
pub(crate) mod parts;
pub(crate) mod position_rows;
pub(crate) mod shared;
pub(crate) mod shuffle;
pub mod starts;
pub(crate) mod take;
pub(crate) mod whole_games;
pub(crate) mod writing;
