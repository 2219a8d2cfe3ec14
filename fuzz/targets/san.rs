//! The target for the law that a move agrees with its symbol.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(san);
