//! The means by which threads share state and wait for each other. The crate `models` has a module in its place that
//! tries the orders in which threads can run.

pub(super) use std::hint::spin_loop;
pub(super) use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
pub(super) use std::sync::{Condvar, Mutex, PoisonError};

pub(super) use crate::parallel::lock::lock;

/// How often a worker looks whether a lane is free before it sleeps. To wake a thread takes longer than most blocks
/// spend in a lane.
pub(super) const LOOKS: u32 = 256;
