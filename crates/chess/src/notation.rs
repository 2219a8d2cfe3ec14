//! Notations other than SAN and FEN: moves in UCI notation, and odds in words.

mod odds;
pub mod uci;
