//! The target for the law that a legal move is read in all its spellings.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(moves);
