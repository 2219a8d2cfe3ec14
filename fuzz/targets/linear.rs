//! The target for the law that time is linear.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(linear);
