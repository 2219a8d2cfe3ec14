//! Cuts, threads and pipes change nothing.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(walk);
