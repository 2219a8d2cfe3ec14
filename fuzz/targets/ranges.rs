//! Ranges that tile a file give the whole.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(ranges);
