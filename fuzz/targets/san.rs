//! A move is what its symbol says.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(san);
