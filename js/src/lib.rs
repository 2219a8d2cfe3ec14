//! The WebAssembly module of the npm package `pgn2fen`.
//!
//! The module converts arguments and results. Everything else is done by the crates of pgn2fen. The classes that users
//! see are in the JavaScript files of the package, which call the functions of `call` by their names.
//!
//! - `abi`, `memory`: the functions that JavaScript calls, and the allocator; the only unsafe code
//! - `call`: the functions by their names
//! - `position`: positions, moves and boards
//! - `reader`, `game`, `line`: the games of a text in memory; a game and its lines as texts
//!
//! The feature `full` adds the rest, in a second module that pages load when they need it:
//!
//! - `kept`: the functions for inputs and jobs, and what they keep for later calls
//! - `source`, `job`: inputs, and jobs that read them in steps
//! - `tree`: trees of games
//! - `explore`: the positions of games in memory, and what was played in them
//! - `writing`: games as PGN

mod abi;
#[cfg(feature = "full")]
mod answers;
mod call;
#[cfg(feature = "full")]
mod explore;
mod failure;
mod game;
#[cfg(feature = "full")]
mod job;
#[cfg(feature = "full")]
mod kept;
mod line;
#[cfg(target_arch = "wasm32")]
mod memory;
mod position;
mod reader;
#[cfg(feature = "full")]
mod source;
#[cfg(feature = "full")]
mod tree;
#[cfg(feature = "full")]
mod writing;
