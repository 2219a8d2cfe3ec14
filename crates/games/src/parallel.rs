//! Walks through databases on all cores and keeps the order of the file. All work of the crate is divided among threads
//! here, except for the decoding of compressed files, which [`database`](crate::database) does.
//!
//! A database is cut into blocks at likely starts of games, and each block goes through four stages:
//!
//! ```text
//! read ──► order ──► encode ──► deliver
//! any worker  one at a time,  any worker  one at a time,
//!             in file order               in file order
//! ```
//!
//! A walk that drops repeated positions has a stage before `order`, which works in the order of the file and still on
//! many threads. It has lanes, each for a part of the positions. A block goes through them one after another, and the
//! next block follows it in the lanes that it has left.
//!
//! Each worker reads its block from the cut on. Then the workers take turns, in the order of the blocks, to put what
//! they found in order. A cut is a guess, and it is checked when the turn of its block comes: reading of the block
//! before must have stopped exactly there, between games. If it did not, the block is read again from the place where
//! reading stopped. A single worker runs the same code. It is always its turn, so it never has to guess. After its turn
//! a worker encodes its batch, which no other block has to wait for, and leaves the result at the exit.
//!
//! Memory is bounded by the number of workers, the size of a block and of its results, and the longest game. Of a
//! stream no game longer than [`LONGEST_GAME`] is held. Text that belongs to no game is skipped block by block.
//!
//! If a stage panics, the other workers stop at their next block, and the panic goes on in the thread that started the
//! walk.
//!
//! # Inside
//!
//! - `workers`, `map`, `share`, `pieces`, `threads`: the thread pool; a closure over all games; parallel work other
//!   than walks; other threads
//! - `stages`, `batch`, `trace`: the loop of a worker over the blocks; the data between stages; the times of stages
//! - `blocks`, `turns`, `lanes`, `exit`, `lock`, `sync`: the cuts of a database; the turns of workers; lanes that
//!   blocks follow each other in; delivery of batches in order; locks and other means to wait

mod batch;
pub(crate) mod blocks;
mod exit;
mod lanes;
#[doc(hidden)]
pub mod lock;
mod map;
mod pieces;
mod share;
mod stages;
mod sync;
#[cfg(test)]
mod tests;
#[doc(hidden)]
pub mod threads;
pub(crate) mod trace;
mod turns;
mod workers;

// For tests and benches.
#[doc(hidden)]
pub use crate::parallel::blocks::Cuts;
pub use crate::parallel::map::Map;
#[doc(hidden)]
pub use crate::parallel::trace::{BlockTimes, Trace};
pub use crate::parallel::workers::{Workers, WorkersError};
pub use pgn2fen_sources::LONGEST_GAME;

pub(crate) use crate::parallel::batch::{Batch, Delivery, Sift, Stages};
