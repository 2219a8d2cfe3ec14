//! Many cores, file order kept: the only place that divides work among threads. (What is compressed is decoded by others,
//! in [`database`](crate::database).)
//!
//! A database is cut into blocks at likely starts of games, and each block goes through four stages:
//!
//! ```text
//! read ──► order ──► encode ──► deliver
//! any worker  one at a time,  any worker  one at a time,
//!             in file order               in file order
//! ```
//!
//! Workers read blocks on their own, from the cut on, and take turns putting what they found in order. A cut is a guess,
//! and is proven when its turn comes: the block before must have been left exactly there, between games. Where it was
//! not, the block is read again from where the one before was left. One worker goes the same way; as it is always its
//! turn, it never has to guess. Then the turn is passed on, and the work that no other block has to wait for is done. What
//! comes of it is left at the exit.
//!
//! Memory is bounded by the number of workers, the size of blocks and of what becomes of them, and the longest game, of which no
//! more than [`LONGEST_GAME`] bytes of a stream are held. Text that belongs to no game is passed over block by block.
//!
//! A panic in a stage lets the other workers stop at their next block, and then goes on to whoever began the walk.

mod batch;
mod blocks;
mod exit;
mod lock;
mod map;
mod share;
mod stages;
mod turns;
mod workers;

pub use crate::parallel::map::Map;
pub use crate::parallel::workers::{LONGEST_GAME, Workers, WorkersError};

pub(crate) use crate::parallel::batch::{Batch, Delivery, Stages};
#[cfg(feature = "internals")]
pub use crate::parallel::blocks::Cuts;
