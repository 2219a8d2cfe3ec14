//! The WebAssembly module of the npm package `pgn2fen`.
//!
//! The module converts arguments and results. Everything else is done by the crates of pgn2fen. The classes that users
//! see are in the JavaScript files of the package, which call the functions of `call` by their names.
//!
//! - `abi`: memory, and the only unsafe code
//! - `call`: the functions by their names
//! - `position`: positions, moves and boards
//! - `source`, `job`: inputs, and jobs that read them in steps
//! - `game`: a game as JSON
//! - `explore`: the positions of games in memory, and what was played in them

mod abi;
mod call;
mod explore;
mod game;
mod job;
mod position;
mod source;
