//! The target for the law that training data is read as it was written.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(trainers);
