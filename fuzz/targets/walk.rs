//! The target for the law that cuts, threads and pipes do not change results.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(walk);
