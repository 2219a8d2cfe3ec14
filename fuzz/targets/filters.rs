//! The target for the law that the operators of tag filters are consistent.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(filters);
