//! The target for the law that all formats have the same values.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(formats);
