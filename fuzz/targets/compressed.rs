//! The target for the law that compressed files are read like plain ones.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(compressed);
