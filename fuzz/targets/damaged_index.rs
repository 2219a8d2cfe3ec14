//! The target for the law that a damaged index gives the right answer or an error.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(damaged_index);
