//! A damaged index causes no panic.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(damaged_index);
