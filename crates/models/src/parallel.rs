//! The sources of the module `parallel` of the crate `games`, and the models of them.

#![allow(dead_code, unreachable_pub, reason = "the models do not use all of the module")]

#[path = "../../games/src/parallel/batch.rs"]
mod batch;
#[path = "../../games/src/parallel/blocks.rs"]
mod blocks;
#[path = "../../games/src/parallel/exit.rs"]
mod exit;
#[path = "../../games/src/parallel/lanes.rs"]
mod lanes;
#[path = "../../games/src/parallel/lock.rs"]
mod lock;
#[path = "../../games/src/parallel/pieces.rs"]
mod pieces;
#[path = "../../games/src/parallel/stages.rs"]
mod stages;
#[path = "../../games/src/parallel/trace.rs"]
mod trace;
#[path = "../../games/src/parallel/turns.rs"]
mod turns;

pub(crate) mod parts;
pub(crate) mod pieces_model;
mod sync;
pub(crate) mod walk;
mod workers;
