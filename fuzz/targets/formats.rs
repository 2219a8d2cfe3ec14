//! Every format says the same.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(formats);
