//! How moves and odds are written outside SAN and FEN: the moves of UCI, and odds in words.

mod odds;
pub mod uci;
