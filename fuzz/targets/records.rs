//! The target for the law that records are read with the same results.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(records);
