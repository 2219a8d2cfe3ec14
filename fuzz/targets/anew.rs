//! The target for the law that games written anew are read as the same games.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(anew);
