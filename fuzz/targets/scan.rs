//! An index says what a scan says.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(scan);
